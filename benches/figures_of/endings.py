"""Chess endings beside the generator of the Syzygy tables."""

from functools import partial

from .bench import in_turns, median, run, size_of
from .section import Section
from .shown import beside, count, megabytes, runs, seconds, table

# Endings with those that they lead to first: the generator takes one at a time.
ENDINGS = ("KQvK", "KRvK", "KQRvK", "KQvKR", "KRvKR", "KQRvKR")
SMALL = ("KRvK",)

THREADS = "2"

FILES, ALONE = "whole run, with the files", "solve alone"


def missing(bench):
    if bench.syzygy is None:
        return "without --syzygy FOLDER"
    if not (bench.syzygy / "rtbgen").is_file():
        return f"there is no rtbgen in {bench.syzygy}"
    return None


def measure(bench):
    endings = SMALL if bench.quick else ENDINGS
    folder = bench.fresh("syzygy")
    folder.mkdir()

    def syzygy(*options):
        done = [
            run([bench.syzygy / "rtbgen", "-t", THREADS, *options, ending], folder, {"RTBPATH": str(folder)})
            for ending in endings
        ]
        return sum(one.seconds for one in done), max(one.peak or 0 for one in done)

    def own(*options):
        done = bench.retrograde("solve", "chess", endings[-1], "--threads", THREADS, *options)
        return done.seconds, done.peak, done.answer()["states"]

    def own_files():
        return own("-o", bench.fresh("endings"))

    rows = []
    works = [
        # The files come first: the generator reads them when it solves the endings that lead to them.
        (FILES, syzygy, own_files),
        (ALONE, partial(syzygy, "-g"), own),
    ]
    for what, rival, engine in works:
        theirs, ours = in_turns(1 if bench.quick else 2, [rival, engine])
        rows.append({
            "what": what, "states": ours[0][2],
            "rival": [one[0] for one in theirs], "own": [one[0] for one in ours],
            "rival_peak": max(one[1] for one in theirs), "own_peak": median([one[1] for one in ours]),
        })
    return {
        "endings": endings, "rows": rows,
        "rival_bytes": size_of(folder), "own_bytes": size_of(bench.folder / "endings"),
    }


def show(figures):
    rows = []
    for row in figures["rows"]:
        theirs, ours = median(row["rival"]), median(row["own"])
        rows.append([
            row["what"], seconds(theirs), beside(ours, theirs),
            megabytes(row["rival_peak"] or None), megabytes(row["own_peak"]),
            *(megabytes(figures[whose]) if row["what"] == FILES else "" for whose in ("rival_bytes", "own_bytes")),
        ])
    first = figures["rows"][0]
    return [
        f"{figures['endings'][-1]} with the endings that it leads to: {count(first['states'])} states, two threads. "
        + runs(len(first["own"])) + " In brackets: how many times as fast as the generator.",
        "",
        *table(["what", "generator", "engine", "memory: generator", "engine", "files: generator", "engine"], rows),
    ]


CHESS = Section("chess", "chess endings beside the Syzygy generator", measure, show, has_benches=False, missing=missing)
