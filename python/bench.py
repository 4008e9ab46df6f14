"""Times m,n,k in plain Python, in batches, and by a solver with dictionaries, in one run.

    python bench.py            # 4,3,3: 111,973 states
    python bench.py 4 4 3      # 6,036,001 states; the solver with dictionaries takes some 7 GB

Install the wheel of `maturin build --release` first.

Profiles of 4,4,3 with one thread, by shares of processor seconds:

| part                                    | one by one, 15 s | in batches, 4.7 s |
| --------------------------------------- | ---------------- | ----------------- |
| the interpreter and numpy               | 60 %             | 12 %              |
| discovering the states                  | 14 %             | 36 %              |
| the adapter                             | 5 %              | 5 %               |
| the kernel, which clears pages          | 6 %              | 16 %              |
| counting, reversing, sorting, levels    | 5 %              | 13 %              |
| writing the table                       | 5 %              | 2 %               |
| the rest: allocating, copying           | 5 %              | 16 %              |

One state at a time, the rules of the class are nearly all of the first line. Numbers are found as words: as
bytes, the whole took 17 s, and 19 s where those were not compared by words. Loops in Python over many states
at once are no faster than calls of each rule. Neither 4,096 nor 131,072 successors at once make a difference.
With Python 3.11 and 3.12, rules are a tenth slower once the `__dict__` of their object was read, which has
the parameters of the table.
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
