"""Solves the games of OpenSpiel that suit, at small parameters, beside OpenSpiel's own solvers.

    python bench_openspiel.py [GAME...]

Prints a table in Markdown, which `OPENSPIEL.md` has. Each solver has 20 s and a process of its own. The
peers: value iteration (which needs `cvxpy`), and alpha-beta search to the end.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable
from typing import Any

# The installed package is measured, and not the folder beside this file.
sys.path.pop(0)

LIMIT = 20

GAMES = [
    "amazons(board_size=6)",
    "antichess",
    "breakthrough(rows=4,columns=2)",
    "breakthrough(rows=4,columns=3)",
    "checkers",
    "chess",
    "chinese_checkers(players=2)",
    "clobber(rows=3,columns=4)",
    "connect_four(rows=4,columns=4,x_in_row=4)",
    "crazyhouse",
    "cursor_go(board_size=2)",
    "dots_and_boxes(num_rows=2,num_cols=2)",
    "dots_and_boxes(num_rows=1,num_cols=3,utility_margin=True)",
    "go(board_size=2)",
    "gomoku(size=3,connect=3)",
    "havannah(board_size=2)",
    "hex(board_size=3)",
    "hive",
    "lines_of_action",
    "mancala",
    "mnk(m=3,n=3,k=3)",
    "nim",
    "nine_mens_morris",
    "othello",
    "oware(num_houses_per_player=3,num_seeds_per_house=2)",
    "pentago",
    "quoridor(board_size=3)",
    "shogi",
    "tic_tac_toe",
    "twixt(board_size=5)",
    "ultimate_tic_tac_toe",
    "xiangqi",
    "y(board_size=3)",
]


def solve(name: str) -> dict[str, Any]:
    """By this package."""
    import retrograde as r

    begin = time.perf_counter()
    table = r.solve(r.from_openspiel(name), max_states=1_000_000)
    seconds = time.perf_counter() - begin
    start = table.probe()
    sign = {"first": 1, "second": -1, "draw": 0}[start.outcome]
    value = sign * (1 if start.points is None else start.points)
    return {"seconds": seconds, "states": len(table.states), "value": value, "verdict": start.verdict}


def value_iteration(name: str) -> dict[str, Any]:
    """By OpenSpiel's value iteration, which takes strings for states."""
    import pyspiel
    from open_spiel.python.algorithms import value_iteration

    game = pyspiel.load_game(name)
    begin = time.perf_counter()
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=0.01, cyclic_game=True)
    start = values[str(game.new_initial_state())]
    return {"seconds": time.perf_counter() - begin, "value": start, "states": len(values)}


def alpha_beta(name: str) -> dict[str, Any]:
    """By OpenSpiel's alpha-beta search, to the end of each line of play."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game(name)
    begin = time.perf_counter()
    value, _ = minimax.alpha_beta_search(game, maximum_depth=100_000)
    return {"seconds": time.perf_counter() - begin, "value": value}


def run(work: Callable[[str], dict[str, Any]], name: str, results: Any) -> None:
    try:
        results.put(work(name))
    except BaseException as problem:
        results.put({"problem": f"{type(problem).__name__}: {problem}"})


def limited(work: Callable[[str], dict[str, Any]], name: str) -> dict[str, Any]:
    """What some work finds within the time."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=run, args=(work, name, results))
    process.start()
    try:
        return dict(results.get(timeout=LIMIT))
    except Exception:
        return {"problem": f"no answer in {LIMIT} s"}
    finally:
        process.kill()
        process.join()


def short(result: dict[str, Any]) -> str:
    """A cell of the table."""
    if "problem" in result:
        return result["problem"].split(":")[0].replace("RecursionError", "recursion too deep")
    return f"{result['value']:g} in {result['seconds']:.2f} s"


def reason(problem: str) -> str:
    """Why a game has no answer."""
    if "GameError" in problem and "the key" in problem:
        what = problem.split(", but ")[1].split(":")[0]
        return f"refused: equal texts with {what.replace('moves to', 'moves to')}"
    if "more states" in problem or "states were found" in problem or "states are" in problem:
        return "too large: more than 1,000,000 states"
    return problem.replace("no answer", "too large: no answer").replace("|", "/")[:160]


def main() -> None:
    print("| game | states | start, for the first player | time | value iteration | alpha-beta |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in sys.argv[1:] or GAMES:
        own = limited(solve, name)
        if "problem" in own:
            print(f"| `{name}` | | {reason(own['problem'])} | | | |", flush=True)
            continue
        peers = [short(limited(work, name)) for work in (value_iteration, alpha_beta)]
        print(
            f"| `{name}` | {own['states']:,} | {own['value']:g} ({own['verdict']}) "
            f"| {own['seconds']:.2f} s | {peers[0]} | {peers[1]} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
