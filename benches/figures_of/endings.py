"""Chess endings beside the generator of the Syzygy tables."""

from functools import partial

from .bench import in_turns, median, run, size_of
from .section import Section
from .shown import beside, count, megabytes, seconds, table

ENDINGS = ("KRvKN", "KBNvK", "KQvKR", "KRBvKR", "KQRvKR")
SMALL = ("KRvK",)

# An ending with more than so many smaller ones takes minutes, and is solved once.
FEW = 3

THREADS = "2"

FILES, ALONE = "whole run, with the files", "solve alone"


def missing(bench):
    if bench.syzygy is None:
        return "without --syzygy FOLDER"
    if not (bench.syzygy / "rtbgen").is_file():
        return f"there is no rtbgen in {bench.syzygy}"
    return None


def with_smaller(ending):
    """An ending without pawns and like men of a side, behind those that captures lead to: the generator takes one at a time."""
    white, black = (side[1:] for side in ending.split("v"))
    parts = {(one, other) for one in subsets(white) for other in subsets(black) if one or other}
    # The side with more men, or else the stronger ones, comes first.
    order = "QRBN".index
    names = {
        tuple(sorted((one, other), key=lambda side: (-len(side), [order(man) for man in side]))) for one, other in parts
    }
    return [f"K{one}vK{other}" for one, other in sorted(names, key=lambda pair: (len(pair[0]) + len(pair[1]), pair))]


def subsets(men):
    if not men:
        return [""]
    return [first + rest for first in ("", men[0]) for rest in subsets(men[1:])]


def measure(bench):
    folder = bench.fresh("syzygy")
    folder.mkdir()

    def syzygy(endings, *options):
        done = [
            run([bench.syzygy / "rtbgen", "-t", THREADS, *options, ending], folder, {"RTBPATH": str(folder)})
            for ending in endings
        ]
        return sum(one.seconds for one in done), max(one.peak or 0 for one in done)

    def own(ending, *options):
        done = bench.retrograde("solve", "chess", ending, "--threads", THREADS, *options)
        return done.seconds, done.peak, done.answer()["states"]

    def own_files(ending):
        return own(ending, "-o", bench.fresh("endings"))

    rows = []
    for ending in SMALL if bench.quick else ENDINGS:
        endings = with_smaller(ending)
        for file in folder.glob("*.rtb?"):
            file.unlink()
        works = [
            # The files come first: the generator reads them when it solves the endings that lead to them.
            (FILES, partial(syzygy, endings), partial(own_files, ending)),
            (ALONE, partial(syzygy, endings, "-g"), partial(own, ending)),
        ]
        for what, rival, engine in works:
            theirs, ours = in_turns(1 if bench.quick or len(endings) > FEW else 3, [rival, engine])
            rows.append({
                "ending": ending, "what": what, "states": ours[0][2],
                "rival": [one[0] for one in theirs], "own": [one[0] for one in ours],
                "rival_peak": max(one[1] for one in theirs), "own_peak": median([one[1] for one in ours]),
                "rival_bytes": size_of(folder), "own_bytes": size_of(bench.folder / "endings"),
            })
    return {"rows": rows}


def show(figures):
    rows = []
    for row in figures["rows"]:
        theirs, ours = median(row["rival"]), median(row["own"])
        rows.append([
            row["ending"], count(row["states"]), row["what"], seconds(theirs), beside(ours, theirs),
            megabytes(row["rival_peak"] or None), megabytes(row["own_peak"]),
            *(megabytes(row[whose]) if row["what"] == FILES else "" for whose in ("rival_bytes", "own_bytes")),
            len(row["own"]),
        ])
    head = ["ending", "positions", "what", "generator", "engine", "memory: generator", "engine", "files: generator", "engine", "runs"]
    return [
        "Each ending with those that captures lead to, two threads, medians of runs in turns. In brackets: how many times as fast as the generator.",
        "",
        *table(head, rows),
    ]


CHESS = Section("chess", "chess endings beside the Syzygy generator", measure, show, has_benches=False, missing=missing)
