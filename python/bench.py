"""Times m,n,k in plain Python, in batches, and by a solver with dictionaries, in one run.

    python bench.py            # 4,3,3: 111,973 states
    python bench.py 4 4 3      # 6,036,001 states; the solver with dictionaries takes some 7 GB

Install the wheel of `maturin build --release` first.

A profile of batches, 4,4,3, with one thread (5.0 s): discovering the states takes 3.4 s, of which the rules
take 0.6 s; counting and reversing the recorded moves takes 1.0 s, writing the table 0.5 s. The largest parts
are the engine's: inserting states 11 %, gathering successors 8 %, numbering recorded moves 7 %. The adapter
between numpy and the engine takes 2 %. One state at a time, the interpreter takes a good third.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

# The installed package is measured, and not the folder beside this file.
sys.path[0] = str(Path(__file__).parent / "tests")

import games as own  # noqa: E402

import retrograde as r  # noqa: E402


def timed(what: str, work: Callable[[], Any], states: int | None = None) -> Any:
    """Prints how long some work takes, and how many states a second that is."""
    begin = time.perf_counter()
    done = work()
    seconds = time.perf_counter() - begin
    rate = "" if states is None else f"  {states / seconds:12,.0f} states/s"
    print(f"{what:45} {seconds:8.2f} s{rate}", flush=True)
    return done


def main() -> None:
    size = tuple(map(int, sys.argv[1:4])) or (4, 3, 3)
    plain, batches = own.Mnk(*size), own.MnkInBatches(*size)
    states = r.explore(batches).states
    print(f"m,n,k {size}: {states:,} states")
    table = None
    for threads in (1, 2):
        many = {"threads": threads}
        table = timed(f"plain Python, {threads} threads", partial(r.solve, plain, **many), states)
        timed(f"batches, {threads} threads", partial(r.solve, batches, **many), states)
    assert table is not None
    sample = [int(state) for state in table.states[: min(states, 300_000)]]

    def rules() -> None:
        for state in sample:
            if plain.terminal(state) is None:
                plain.moves(state)

    timed("the rules alone, in plain Python", rules, len(sample))
    texts = [str(state) for state in sample]
    timed("probe_many", lambda: table.probe_many(texts), len(texts))
    timed("a solver with dictionaries", lambda: own.by_hand(plain), states)


if __name__ == "__main__":
    main()
