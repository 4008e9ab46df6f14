"""Games in scratch files: the time and the memory beside those of the same game in memory."""

import hashlib
import json
import math
from functools import partial

from .bench import Failed, Forgetting, size_of
from .section import Section
from .shown import megabytes, seconds, table, times
from .stored import park

# Each game, its options, and about how many moves a state has, if the model is held against it.
GAMES = (
    ("a park of 100 x 100", "cat-mouse", 4),
    ("Dobutsu shogi", "dobutsu", 4),
    ("chess, KRBvKR in tiers", "chess KRBvKR", 14),
    ("the random game of 100 million states", "random --states 100000000", 7),
    ("a park of 70 x 70", "cat-mouse", None),
    ("m,n,k of 4 x 4, 3 in a row, discovered", "mnk -m 4 -n 4 -k 3", None),
    ("Gobblet with eight pieces, discovered, without predecessors", "gobblet --small 1 --medium 1 --large 2", None),
    ("awari with 15 seeds or fewer, points in tiers", "awari --seeds 15", None),
)
SMALL = (("a park of 5 x 5", "cat-mouse", 4),)

# The parts of what a solve in memory takes, and that at which the cache is dropped.
SHARES = (2, 4, 16)
FORGETTING = 16

# By how much a limit grows where it is refused.
MORE = 1.25

# How many cells of a byte the system reads and writes at once.
PAGE = 4096


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
    rows = []
    if not bench.quick:
        Forgetting.refuse_if_blind()
    for name, options, moves in SMALL if bench.quick else GAMES:
        words, solve = options.split(), bench.retrograde
        if words[0] == "random":
            solve = partial(solve, program=bench.example("random"))
        if words[0] == "cat-mouse":
            graph = bench.folder / "graph.json"
            graph.write_text(json.dumps(park(int(name.split()[-1]))))
            words += ["--graph", graph]
        first = None

        def run(allowed, forgets=False, words=words, solve=solve):
            limits = ["--memory", f"{allowed / 1e6:.1f}MB", "--scratch", bench.folder] if allowed else []
            path = bench.fresh("solved")
            # A compressed table would take more memory than the solve.
            done = solve("solve", *words, "--threads", 2, "--compression", 0, *limits, "-o", path, forgets=forgets)
            assert first in (None, digest(path)), f"{name} has another table with {allowed} bytes"
            return done

        whole = run(None)
        path = bench.folder / "solved"
        first = digest(path)
        model = modelled(solve("stats", path).answer(), moves) if moves else None
        rows.append(row(whole) | {"name": name, "states": whole.answer()["states"]})
        for share in SHARES:
            most = whole.peak or 64e6
            allowed, done = most / share, None
            while done is None:
                try:
                    done = run(allowed)
                except Failed:
                    # A search can't say in advance what is enough.
                    if allowed > most:
                        raise
                    allowed *= MORE
            rows.append(row(done) | {"allowed": allowed})
            if moves and share == FORGETTING:
                rows[-1]["forgetting"] = row(run(allowed, forgets=True)) | {"model": model}
    return rows


def row(run):
    """The figures of a run."""
    return {"seconds": run.seconds, "read": run.read, "written": run.written, "peak": run.peak}


def modelled(stats, moves):
    """How many bytes all levels write, and read again, if each state has so many predecessors anywhere: the pages of cells
    that a level touches, with the frontiers, and four bytes for each update."""
    states, bytes = stats["states"], 0
    for distance in stats["distances"]:
        updates = moves * (distance["won"] + distance["lost"])
        touched = 1 - math.exp(-updates * PAGE / states)
        bytes += 1.25 * states * touched + 4 * updates
    return bytes


def show(rows):
    lines, whole = [], None
    for row in rows:
        whole = row if "name" in row else whole
        line = [
            row.get("name", ""), f"{row['states']:,}" if row is whole else "",
            megabytes(row["allowed"]) if "allowed" in row else "no limit", seconds(row["seconds"]),
            times(row["seconds"], whole["seconds"]) if row is not whole else "", megabytes(row["peak"]),
        ]
        without = row.get("forgetting")
        if without:
            line += [
                seconds(without["seconds"]), times(without["seconds"], whole["seconds"]), megabytes(without["read"]),
                megabytes(without["written"]), megabytes(without["model"]),
            ]
        lines.append(line + [""] * (11 - len(line)))
    return [
        "Two threads, one run of each, with the table written, which is not compressed. The tables of a game are the same, byte for byte. "
        "The limits are a half, a quarter and a sixteenth of the peak in memory, or more where that is refused. In the last columns the "
        "system's cache loses the scratch files ten times a second, and so they are read from the disk again.",
        "",
        *table(
            [
                "game", "states", "allowed", "time", "takes", "memory", "cache dropped: time", "takes", "read", "written",
                "each by the model",
            ],
            lines,
        ),
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
    """The game, as a row beside other large games."""
    solve, _ = game["runs"]
    return [
        f"Cat and Mouse on a grid graph of {game['name'].removeprefix('a park of ')}",
        "`cat-mouse --graph FILE --memory 2GB --scratch FOLDER`", f"{game['states']:,}", seconds(solve["seconds"]),
        megabytes(solve["peak"]), megabytes(game["bytes"]), "",
    ]


VAST = Section("vast", "more states than memory: a park of 250 x 250", measure_vast, show_vast, is_long=True, has_benches=False)
SCRATCH = Section("scratch", "games in scratch files, with little memory", measure, show, is_long=True, has_benches=False)
