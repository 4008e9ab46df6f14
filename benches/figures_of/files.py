"""Games in scratch files: the time and the memory beside those of the same game in memory."""

import hashlib
import json

from .bench import size_of
from .section import Section
from .shown import megabytes, seconds, table, times
from .stored import park

# Each game, and the memory that a solve in memory takes, in millions of bytes.
GAMES = (
    ("a park of 70 x 70", "cat-mouse", 60),
    ("Dobutsu shogi", "dobutsu", 680),
    ("chess, KRBvKR in tiers", "chess KRBvKR", 578),
)
SMALL = (("a park of 5 x 5", "cat-mouse", 60),)
SHARES = (1, 2, 4, 16)


def digest(path):
    """What all tables in a file or a folder hash to."""
    files = [path] if path.is_file() else sorted(path.glob("*.rtb"))
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]


def measure(bench):
    graph = bench.folder / "graph.json"
    graph.write_text(json.dumps(park(5 if bench.quick else 70)))
    rows = []
    for name, options, needed in SMALL if bench.quick else GAMES:
        words, tables = options.split() + (["--graph", graph] if options == "cat-mouse" else []), []
        for share in SHARES:
            limits = ["--memory", f"{needed / share:g}MB", "--scratch", bench.folder] if share > 1 else []
            path = bench.fresh("solved")
            run = bench.retrograde("solve", *words, "--threads", "2", *limits, "-o", path)
            tables.append(digest(path))
            assert tables[-1] == tables[0], f"{name} has another table with a {share}th of the memory"
            rows.append({
                "name": name, "states": run.answer()["states"], "share": share, "allowed": needed * 1e6 / share,
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
            megabytes(row["allowed"]) if row is not first else "no limit", seconds(row["seconds"]), slower,
            seconds(row["processor"]), megabytes(row["peak"]), megabytes(row["read"]), megabytes(row["written"]),
        ])
    return [
        "Two threads, one run of each, with the table written. The tables are the same, byte for byte. The limits are a half, a quarter and a "
        "sixteenth of what a solve in memory takes. What is read from the disk and written to it includes the table.",
        "",
        *table(["game", "states", "allowed", "time", "takes", "of the processor", "memory", "read", "written"], lines),
    ]


SCRATCH = Section("scratch", "games in scratch files, with little memory", measure, show, is_long=True, has_benches=False)
