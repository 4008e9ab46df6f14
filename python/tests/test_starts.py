"""Games in Python that begin with a given state."""

from __future__ import annotations

import pickle
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import games as own
import pytest

import retrograde as r


def named(value: Any) -> str:
    """The same text in each run, which that of an object without one of its own is not."""
    return type(value).__name__ if type(value).__repr__ is object.__repr__ else str(value)


@pytest.mark.parametrize(
    ("game", "start", "text"),
    [
        (own.Nim(21), 9, "9"),
        (own.Nim(21), "9", "9"),
        (own.Mnk(3, 3, 3), 1 << 9, "512"),
        (own.MnkInBatches(3, 3, 3), 1 << 9, "512"),
        (own.MnkInBatches(3, 3, 3), "0x200", "512"),
        (own.ThreeHeaps(5), (5, 1, 2), "(5, 1, 2)"),
        # Named here: the text of a set has another order in each process.
        pytest.param(
            own.TwoHeaps(), own.Heaps(frozenset({("a", 1), ("b", 2)}), own.Side.LEFT), None, id="TwoHeaps"
        ),
    ],
    ids=named,
)
def test_a_game_begins_with_any_state(game: Any, start: Any, text: str | None, tmp_path: Path) -> None:
    whole = r.solve(game)
    table = r.solve(game, start=start, output=tmp_path / "part.rtb")
    assert table.start == text or text is None
    assert len(table) < len(whole) and len(table) == r.explore(game, start=start).states
    assert len(table) == r.laws(game, start=start).states
    assert r.rules(game, start=start) == r.rules(game)
    again = r.open(tmp_path / "part.rtb", game)
    for one in [table, again, pickle.loads(pickle.dumps(again))]:
        assert one.start == table.start and one.probe() == whole.probe(start)
        assert [one.probe(state) for state in one.states] == [whole.probe(state) for state in one.states]
    assert again.parameters == {**whole.parameters, "start": table.start}
    again.verify()
    # The table of the whole game says nothing of a start, and stays as it is.
    assert r.open(whole.save(tmp_path / "whole.rtb").path, game).start == whole.start


def test_a_table_with_a_start_is_of_its_game_alone(tmp_path: Path) -> None:
    @dataclass
    class Begun(own.Nim):
        start: int

        def roots(self) -> list[int]:
            return [self.start]

    r.solve(own.Nim(21), start=9, output=tmp_path / "nim.rtb")
    with pytest.raises(
        r.TableError, match=r'of nim \{"counters":21,"start":"9"\}, not of nim \{"counters":22'
    ):
        r.open(tmp_path / "nim.rtb", own.Nim(22))
    with pytest.raises(r.TableError, match="nim"):
        r.open(tmp_path / "nim.rtb", own.Mnk(3, 3, 3))
    # A class may call an attribute of its own so.
    r.solve(Begun(9), output=tmp_path / "begun.rtb")
    r.solve(Begun(9), start=5, output=tmp_path / "other.rtb")
    assert r.open(tmp_path / "other.rtb", Begun(9)).start == "5"
    with pytest.raises(r.TableError, match="another game"):
        r.open(tmp_path / "other.rtb", Begun(5))
    with pytest.raises(r.TableError, match="another game"):
        r.open(tmp_path / "begun.rtb", Begun(5))


@pytest.mark.parametrize(
    ("game", "start"),
    [
        (own.Nim(21), "nine"),
        (own.Nim(21), [9]),
        (own.Nim(21), "(1, 2"),
        (own.Mnk(3, 3, 3), (1, 2)),
        (own.MnkInBatches(3, 3, 3), -1),
        (own.MnkInBatches(3, 3, 3), 0.5),
        (own.MnkInBatches(3, 3, 3), 2**70),
        (own.TugOfWar(), "Tug(7)"),
        (own.TugOfWar(), object()),
    ],
    ids=named,
)
@pytest.mark.parametrize("ask", [r.solve, r.explore, r.laws])
def test_a_wrong_start_is_named(ask: Any, game: Any, start: Any) -> None:
    with pytest.raises(r.StateError, match=re.escape(f"start: {start!r} is no state of")) as raised:
        ask(game, start=start)
    assert raised.value.code == "not-a-state"
    assert raised.value.fields == {"state": start if isinstance(start, str) else repr(start)}


def test_a_mistake_of_the_class_is_none_of_the_start() -> None:
    class Mnk(own.Mnk):
        name = "mnk"

    with pytest.raises(r.GameError, match="comes with the package"):
        r.solve(Mnk(3, 3, 3), start=0)
