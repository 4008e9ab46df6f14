"""What runs take: memory, and the time until Ctrl-C is heard."""

from __future__ import annotations

import gc
import resource
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import games as own
import numpy as np
import pytest

import retrograde as r

pytestmark = pytest.mark.alone


@contextmanager
def pressed(after: float) -> Iterator[None]:
    """Presses Ctrl-C after this time."""
    main = threading.main_thread().ident
    assert main is not None
    # A shell that runs the tests in the background lets them ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(after, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_is_heard_within_a_rule() -> None:
    class Slow(own.Nim):
        def moves(self, heap: int) -> list[int]:
            time.sleep(30)
            return []

    began = time.monotonic()
    with pressed(0.3), pytest.raises(KeyboardInterrupt):
        r.solve(Slow(21), threads=1)
    assert time.monotonic() - began < 10


def test_ctrl_c_is_heard_while_the_engine_works() -> None:
    began = time.monotonic()
    with pressed(0.5), pytest.raises(KeyboardInterrupt):
        while time.monotonic() - began < 60:
            r.solve("mnk", columns=4, rows=4, k=4, threads=1)


def test_memory_does_not_grow() -> None:
    def solves(count: int) -> int:
        for _ in range(count):
            table = r.solve(own.Nim(21), threads=1)
            table.probe_many(["21", "4"])
            table.close()
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = solves(100)
    assert solves(900) - before < 16 << 10  # KiB


def test_ctrl_c_ends_a_search_for_examples() -> None:
    table = r.solve("mnk", m=4, n=3, k=3)
    with pressed(0.5), pytest.raises(KeyboardInterrupt):
        # Nearly all of this time is in the engine, which finds none.
        for _ in range(2_000):
            assert table.examples("endless", count=1) == []


def test_no_ctrl_c_is_lost_in_a_game_in_batches() -> None:
    """Numpy clears what is raised while it looks at the class of an object, and members of `End` have one
    whose lookups are written in Python."""

    class Slow:
        def roots(self) -> list[int]:
            return [1 << 40]

        def terminal(self, heaps: np.ndarray) -> Any:
            # As long as this takes in a game with many states.
            for _ in range(1000):
                ends = np.where(heaps == 0, r.MOVER_LOSES, r.ONGOING)
            return ends

        def expand(self, heaps: np.ndarray) -> Any:
            return np.arange(len(heaps)), heaps - np.uint64(1)

    for turn in range(60):
        with pressed(0.02 + turn / 2000), pytest.raises(KeyboardInterrupt):
            r.solve(Slow(), threads=1, max_states=3000)


def test_a_ctrl_c_that_was_cleared_is_noticed() -> None:
    """As numpy clears it, but each time."""
    cleared = []

    class Clears(own.Nim):
        def moves(self, heap: int) -> list[int]:
            try:
                time.sleep(0.001)
            except KeyboardInterrupt:
                cleared.append(heap)
            return super().moves(heap)

    before = signal.getsignal(signal.SIGINT)
    with pressed(0.3), pytest.raises(KeyboardInterrupt):
        r.solve(Clears(5000), threads=1)
    assert cleared and signal.getsignal(signal.SIGINT) is before


def test_a_handler_of_ones_own_is_called() -> None:
    heard = []

    class Long(own.Nim):
        def moves(self, heap: int) -> list[int]:
            time.sleep(0.001)
            return super().moves(heap)

    with pressed(0.2):
        signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
        assert len(r.solve(Long(500), threads=1)) == 501
    assert heard == [signal.SIGINT]


def test_a_game_that_holds_its_own_table_is_freed() -> None:
    def held(game: Any, served: bool) -> tuple[Any, Any]:
        game._table = r.solve(game, threads=1)
        game._table.probe()
        game._again = r.open(game._table.path, game)
        if served:
            with game._table.serve(show=False) as server:
                game._server = server
        return weakref.ref(game), weakref.ref(game._table)

    for game in (own.Nim(21), own.MnkInBatches(3, 3, 3), own.TugOfWar()):
        for served in (False, True):
            refs = held(type(game)(**vars_of(game)), served)
            gc.collect()
            assert [ref() for ref in refs] == [None, None]


def vars_of(game: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(game).items() if not name.startswith("_")}


def test_a_game_is_not_freed_while_its_table_is_asked() -> None:
    table = r.solve(own.Mnk(3, 3, 3), threads=1)
    for _ in range(3):
        gc.collect()
        assert len(table.moves()) == 9 and table.svg()


WIDE = """
import resource, sys
import numpy as np
import retrograde as r

class Wide:
    def roots(self):
        return [-1]

    def terminal(self, state):
        return None if state < 0 else r.MOVER_LOSES

    def moves(self, state):
        return (number for number in range(4_000_000))

class Many:
    def roots(self):
        return range(-40, 0)

    def terminal(self, state):
        return None if state < 0 else r.MOVER_LOSES

    def moves(self, state):
        return (number for number in range(100_000))

class ManyInBatches:
    def roots(self):
        return np.arange(3000, 6000)

    def terminal(self, states):
        return np.where(states < 3000, r.MOVER_LOSES, r.ONGOING)

    def expand(self, states):
        parents, after = np.meshgrid(np.arange(len(states)), np.arange(3000))
        return parents.ravel(), after.ravel()

game = {"Wide": Wide, "Many": Many, "ManyInBatches": ManyInBatches}[sys.argv[1]]()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    table = r.solve(game, memory=sys.argv[2], threads=1)
    print(len(table.states), end=" ")
except r.SolveError as problem:
    assert "memory limit" in str(problem), problem
    print("refused", end=" ")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)
"""


@pytest.mark.parametrize(
    ("game", "memory", "outcome", "most"),
    [
        # 4 million states of 24 bytes do not fit.
        ("Wide", "60MB", "refused", 140),
        # The moves of all states together would take as much.
        ("Many", "60MB", "100040", 60),
        ("ManyInBatches", "60MB", "6000", 150),
    ],
)
def test_the_successors_of_a_state_are_within_the_memory(
    game: str, memory: str, outcome: str, most: int
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", WIDE, game, memory],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent,
    )
    said, grown = run.stdout.split()
    assert said == outcome and int(grown) < most


def test_more_successors_than_are_kept_are_told_in_order() -> None:
    class Wide:
        def roots(self) -> list[int]:
            return [-2, -1]

        def terminal(self, state: int) -> int | None:
            return {0: r.MOVER_LOSES}.get(state, None if state < 0 else r.MOVER_WINS)

        def moves(self, state: int) -> Iterator[int]:
            yield from range(1 if state == -2 else 0, 300_000)

    table = r.solve(Wide())
    assert len(table) == 300_002
    assert (table.probe("-1").value, table.probe("-2").value) == ("win", "loss")
    assert table.verify().states == 300_002


def test_moves_and_roots_that_never_end_are_stopped() -> None:
    class EndlessRoots(own.Nim):
        def roots(self) -> Iterator[int]:
            while True:
                yield 3

    with pytest.raises(r.GameError, match=r"roots\(\): ValueError: yields more than 16777216 states"):
        r.solve(EndlessRoots(3))

    class EndlessMoves(own.Nim):
        def moves(self, heap: int) -> Iterator[int]:
            while True:
                yield 0

    with pytest.raises(r.GameError, match=r"moves\(3\): ValueError: yields more than 16777216 states"):
        r.solve(EndlessMoves(3), threads=1)
