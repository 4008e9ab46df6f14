"""All chess endings of some number of men: one folder, and a run for each ending.

So an interrupted measurement goes on with the next ending, if `--folder` keeps its files.
"""

import json
import math

from . import machine
from .bench import ROOT, Failed
from .section import Section
from .shown import counts, megabytes, plies_of, seconds, table

# The statistics of other tables, with which all counts are compared.
PUBLISHED = ROOT / "tests/data/chess/syzygy.json"

MEMORY = "8GB"

# Seconds.
SHORT = 1.0

HEAD = ["endings", "positions", "time", "of the processor", "memory", "files"]
OF_ENDING = ["ending", "positions", "won", "lost", "drawn", "longest mate", *HEAD[2:5], "file"]


def endings(name, men, is_long):
    """A section of all endings of at most so many men. The page shows those of exactly as many if it is long."""

    def measure(bench):
        most = 3 if bench.quick else men
        folder = bench.lasting(f"{name}-{most}")
        log_file = folder.with_suffix(".json")
        log = json.loads(log_file.read_text()) if log_file.exists() else {}

        def solve(ending):
            with machine.Watch() as watch:
                run = bench.retrograde(
                    "solve", "chess", "--all", most, "--tier", ending, "--threads", "2", "--memory", MEMORY, "-o", folder,
                )
            # Of a short run, the system's clock of the processor says too little.
            is_disturbed = run.seconds > SHORT and watch.was_disturbed()
            clock = None if is_disturbed else run.seconds
            log[ending] = {"seconds": clock, "processor": run.processor, "peak": run.peak}
            log_file.write_text(json.dumps(log, indent=0))

        # The first run writes the list of all.
        if "KvK" not in log:
            solve("KvK")
        for tier in json.loads((folder / "manifest.json").read_text())["tiers"]:
            ending = tier["name"]
            if ending not in log or not (folder / f"{ending}.rtb").exists():
                solve(ending)
        answer = bench.retrograde("stats", folder).answer()
        compare(answer["tiers"])
        return {"states": answer["states"], "bytes": answer["bytes"], "tiers": answer["tiers"], "log": log}

    def show(figures):
        rows = []
        for tier in figures["tiers"]:
            if is_long and len(tier["tier"]) <= men:
                continue
            numbers = (tier["states"], *counts(tier["wins"]), tier["draws"])
            rows.append([
                tier["tier"], *(f"{number:,}" for number in numbers), plies_of(tier["longest_plies"]),
                *spent([figures["log"][tier["tier"]]]), megabytes(tier["bytes"]),
            ])
        of_all = [len(figures["tiers"]), f"{figures['states']:,}", *spent(figures["log"].values()), megabytes(figures["bytes"])]
        return [
            f"Two threads, {MEMORY} allowed, a run for each ending. Where something else used the processor beside it, there is no time.",
            "",
            *table(HEAD, [of_all]),
            "",
            *table(OF_ENDING, rows),
        ]

    about = f"all chess endings of at most {men} men, with counts"
    return Section(name, about, measure, show, is_long=is_long, has_benches=False, is_timed=False)


def in_short(figures):
    """All of them, as a row beside other large games."""
    clock, processor, peak = spent(figures["log"].values())
    return [
        "[all chess endings](docs/ENDINGS.md) of three to five men", f"`chess --all 5 --memory {MEMORY}`",
        f"{figures['states']:,}", clock or f"{processor} (of the processor)", peak, megabytes(figures["bytes"]), "",
    ]


def spent(runs):
    """Time, time of the processor, and memory. A sum that a run lacks is left out; of a short run, the peak is not known."""
    runs = list(runs)

    def sum_of(figure):
        figures = [run[figure] for run in runs]
        return None if None in figures else sum(figures)

    peak = max((run["peak"] for run in runs if run["peak"] is not None), default=None)
    return seconds(sum_of("seconds")), seconds(sum_of("processor")), megabytes(peak)


def compare(tiers):
    """An error if the counts are not those of the Syzygy tables.

    Those count like men as if they were told apart. Only without pawns can a reflection exchange them; such a
    position counts once there for each two here. They have no captures en passant, which nobody else can have
    where only one side has pawns.
    """
    published = json.loads(PUBLISHED.read_text())
    for tier in tiers:
        ending = tier["tier"]
        if ending not in published:
            continue
        sides = ending.split("v")
        orders = math.prod(math.factorial(side.count(man)) for side in sides for man in "QRBNP")
        white, black = published[ending]
        theirs = white if sides[0] == sides[1] else [one + other for one, other in zip(white, black, strict=True)]
        won, lost = counts(tier["wins"])
        more = [orders * own - other for own, other in zip((won, tier["draws"], lost), theirs, strict=True)]
        may_differ = all("P" in side for side in sides) or (orders > 1 and "P" not in ending)
        if min(more) < 0 or sum(more) > (0.02 * sum(theirs) if may_differ else 0):
            raise Failed(f"{ending}: other counts than those of the Syzygy tables, by {more}")


FOUR_MEN = endings("fourmen", 4, is_long=False)
FIVE_MEN = endings("fivemen", 5, is_long=True)
