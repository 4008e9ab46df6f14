"""Games in scratch files: the time and the memory beside those of the same game in memory."""

import hashlib
import json

from .bench import size_of
from .section import Section
from .shown import count, megabytes, seconds, table, times
from .stored import park

# To write a table with a dictionary takes this many millions of bytes, however small the rest is.
LEAST = 64

# Each game, and the memory that a solve in memory takes, in millions of bytes.
GAMES = (
    ("a park of 100 x 100", "cat-mouse", 280),
    ("Dobutsu shogi", "dobutsu", 712),
    ("chess, KRBvKR in tiers", "chess KRBvKR", 480),
)
SMALL = (("a park of 5 x 5", "cat-mouse", 280),)


def digest(path):
    """What all tables in a file or a folder hash to."""
    files = [path] if path.is_file() else sorted(path.glob("*.rtb"))
    return [hashed(file) for file in files]


def hashed(path):
    """What a file hashes to. It is read in parts: this script must not take more than what it measures."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def measure(bench):
    graph = bench.folder / "graph.json"
    graph.write_text(json.dumps(park(5 if bench.quick else 100)))
    rows = []
    for name, options, needed in SMALL if bench.quick else GAMES:
        words, tables = options.split() + (["--graph", graph] if options == "cat-mouse" else []), []
        for allowed in dict.fromkeys((None, needed / 2, needed / 4, LEAST)):
            limits = ["--memory", f"{allowed:g}MB", "--scratch", bench.folder] if allowed else []
            path = bench.fresh("solved")
            run = bench.retrograde("solve", *words, "--threads", "2", *limits, "-o", path)
            tables.append(digest(path))
            assert tables[-1] == tables[0], f"{name} has another table with {allowed} MB"
            rows.append({
                "name": name, "states": run.answer()["states"], "allowed": allowed and allowed * 1e6,
                "seconds": run.seconds, "processor": run.processor, "read": run.read, "written": run.written,
                "peak": run.peak, "bytes": size_of(path),
            })
    return rows


def show(rows):
    lines, whole = [], {}
    for row in rows:
        whole.setdefault(row["name"], row)
        first = whole[row["name"]]
        slower = times(row["seconds"], first["seconds"]) if row is not first else ""
        lines.append([
            row["name"] if row is first else "", f"{row['states']:,}" if row is first else "",
            megabytes(row["allowed"]) if row["allowed"] else "no limit", seconds(row["seconds"]), slower,
            seconds(row["processor"]), megabytes(row["peak"]), megabytes(row["read"]), megabytes(row["written"]),
        ])
    return [
        "Two threads, one run of each, with the table written. The tables are the same, byte for byte. The limits are about a half and a quarter of "
        f"what a solve in memory takes, and {LEAST} MB: to write a table with a dictionary takes nearly as much. What is read from the disk and written to it includes the table.",
        "",
        *table(["game", "states", "allowed", "time", "takes", "of the processor", "memory", "read", "written"], lines),
    ]


def measure_vast(bench):
    side = 5 if bench.quick else 250
    graph = bench.folder / "graph.json"
    graph.write_text(json.dumps(park(side)))
    path = bench.fresh("solved")
    words = ("--threads", "2", "--memory", "2GB")
    run = bench.retrograde("solve", "cat-mouse", "--graph", graph, *words, "--scratch", bench.folder, "-o", path)
    answer, bytes = run.answer(), size_of(path)
    check = bench.retrograde("verify", path, *words)
    bench.fresh("solved")
    return {
        "name": f"a park of {side} x {side}", "states": answer["states"], "longest": answer["longest_plies"], "bytes": bytes,
        "runs": [
            {
                "of": what, "seconds": run.seconds, "processor": run.processor, "peak": run.peak,
                "read": run.read, "written": run.written,
            }
            for what, run in (("solve", run), ("verify", check))
        ],
    }


def show_vast(game):
    lines = [
        [
            f"`{run['of']}`", seconds(run["seconds"]), seconds(run["processor"]), megabytes(run["peak"]),
            megabytes(run["read"]), megabytes(run["written"]),
        ]
        for run in game["runs"]
    ]
    return [
        f"Two threads, 2 GB allowed: {game['name']}, {game['states']:,} states, a file of {megabytes(game['bytes'])}. "
        f"The longest win takes {game['longest']} plies. What is written includes the table.",
        "",
        *table(["", "time", "of the processor", "memory", "read", "written"], lines),
    ]


def in_short(game):
    """The game in a sentence."""
    solve, check = game["runs"]
    return (
        f"Cat and Mouse on a grid graph of {game['name'].removeprefix('a park of ')}, with `--memory 2GB --scratch FOLDER`: "
        f"{count(game['states'])} positions in {seconds(solve['seconds'])} and {megabytes(solve['peak'])} of memory, and proved in "
        f"{seconds(check['seconds'])}."
    )


VAST = Section("vast", "more states than memory: a park of 250 x 250", measure_vast, show_vast, is_long=True, has_benches=False)
SCRATCH = Section("scratch", "games in scratch files, with little memory", measure, show, is_long=True, has_benches=False)
