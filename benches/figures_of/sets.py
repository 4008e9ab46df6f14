"""Cops and robbers on whole sets of graphs, and on a large one."""

import json

from .bench import in_turns, median, run
from .section import Section
from .shown import megabytes, seconds, table


def grid(rows, columns):
    """The neighbours of each node of a grid."""
    def near(row, column):
        places = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return [at * columns + along for at, along in places if 0 <= at < rows and 0 <= along < columns]

    return [near(row, column) for row in range(rows) for column in range(columns)]


def measure(bench):
    order, rows, columns, rounds = (6, 4, 4, 1) if bench.quick else (9, 10, 20, 3)
    graphs, large = bench.folder / "graphs.g6", bench.folder / "large.json"
    graphs.write_text(run([bench.benches["cops"], order, "write"]).text)
    large.write_text(json.dumps(grid(rows, columns)))
    set_of = ["solve", "cops", "--graphs", graphs]
    # First, while this script takes less memory than the program.
    [pair] = in_turns(rounds, [lambda: bench.retrograde("solve", "cops", "--graph", large, "--cops", 2)])
    one, number = in_turns(rounds, [
        lambda: bench.retrograde(*set_of, "--cops", 1),
        lambda: bench.retrograde(*set_of, "--cop-number"),
    ])
    won = [line["winner"] == "cops" for line in one[0].lines()]
    needed = [line["cops"] for line in number[0].lines()]

    def figures(runs):
        return {"seconds": [each.seconds for each in runs], "peak": median([each.peak for each in runs])}

    answer = pair[0].answer()
    return {
        "order": order, "graphs": len(won), "won": sum(won),
        "numbers": {str(cops): needed.count(cops) for cops in sorted(set(needed))},
        "one": figures(one), "number": figures(number),
        "grid": [rows, columns], "states": answer["states"], "plies": answer["longest_plies"], "pair": figures(pair),
    }


def show(of):
    order, graphs, (rows, columns) = of["order"], f"{of['graphs']:,}", of["grid"]
    numbers = ", ".join(f"{count:,} need {cops}" for cops, count in of["numbers"].items())

    def row(what, answer, figures):
        return [what, answer, seconds(median(figures["seconds"])), megabytes(figures["peak"])]

    return [
        "Two threads. Medians of three runs, in turns, of the whole program: graphs read, a line written for each.",
        "",
        *table(["what", "answer", "time", "memory"], [
            row(f"all {graphs} connected graphs of {order} nodes, one cop", f"{of['won']:,} are won", of["one"]),
            row("their cop numbers", numbers, of["number"]),
            row(f"a grid of {rows} x {columns}, two cops, {of['states']:,} states", f"the longest win takes {of['plies']} plies", of["pair"]),
        ]),
    ]


COPS = Section("cops", "cops and robbers on sets of graphs", measure, show)
