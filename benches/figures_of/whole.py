"""Whole games, from nothing to the files, and the check of those files."""

from functools import partial

from .bench import median, size_of
from .section import Section
from .shown import megabytes, seconds, table

# The keys of a game that few sections show.
MORE = ("tiers", "start", "longest")

# A game that takes less is run three times.
SHORT = 5.0

GAMES = (
    ("Quixo 4 x 4, turns and reflections folded", "quixo"),
    ("six men's morris, 72 tiers", "morris"),
    ("seven men's morris, 124 tiers", "morris --board seven"),
    ("Connect Four 7 x 3, by a formula", "connect-four -m 7 -n 3 --numbering tiers"),
    ("the same, discovered tier by tier", "connect-four -m 7 -n 3 --numbering packed-tiers"),
    ("the same, discovered as a whole", "connect-four -m 7 -n 3 --numbering packed"),
    ("awari, up to 15 seeds", "awari --seeds 15"),
    ("kalah, four houses with three seeds", "kalah --houses 4 --seeds 3"),
    ("Dobutsu shogi", "dobutsu"),
)
SMALL = (
    ("Quixo 3 x 3", "quixo --size 3"),
    ("awari, up to 5 seeds", "awari --seeds 5"),
)


# Where scratch files are, in the options of a game.
FOLDER = "FOLDER"


def solved(bench, name, options, verified=True, program=None):
    """One game: its runs, and those of `verify`, unless it takes too long to be done each time."""
    command = partial(bench.retrograde, program=program)
    times, checks, peaks = [], [], []
    while not times or (times[0] < SHORT and len(times) < 3 and not bench.quick):
        path = bench.fresh("whole")
        words = [bench.folder if word == FOLDER else word for word in options.split()]
        run = command("solve", *words, "--threads", "2", "-o", path)
        times.append(run.seconds)
        peaks.append(run.peak)
        if verified:
            checks.append(command("verify", path, "--threads", "2").seconds)
    answer = run.answer()
    figures = {
        "name": name, "options": options, "states": answer["states"], "seconds": times, "verify": checks,
        "peak": median(peaks), "bytes": size_of(path), "tiers": answer.get("tiers"),
        "start": answer["start"], "longest": answer["longest_plies"],
    }
    bench.fresh("whole")
    return figures


def row(game):
    return [
        game["name"], f"`{game['options']}`", f"{game['states']:,}", seconds(median(game["seconds"])),
        megabytes(game["peak"]), megabytes(game["bytes"]), seconds(median(game["verify"])), len(game["seconds"]),
    ]


HEAD = ["game", "options of `solve`", "states", "time", "memory", "files", "`verify`", "runs"]


def measure(bench):
    games = [solved(bench, name, options) for name, options in (SMALL if bench.quick else GAMES)]
    for game in games:
        for more in MORE:
            del game[more]
    return games


def show(games):
    return ["Two threads. Medians of the runs in the last column.", "", *table(HEAD, map(row, games))]


WHOLE = Section("games", "whole games, from nothing to the files", measure, show, has_benches=False)
