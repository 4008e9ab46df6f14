"""Quixo beside GamesmanOne, which has the game, too."""

from .bench import in_turns, median, run, size_of
from .section import Section
from .shown import beside, count, megabytes, runs, seconds, table

# Its numbers for the sizes of the board.
VARIANTS = {4: 1, 3: 2}

THREADS = "2"


def missing(bench):
    if bench.gamesman is None:
        return "without --gamesman FOLDER"
    if not (bench.gamesman / "gamesman").is_file():
        return f"there is no gamesman in {bench.gamesman}"
    return None


def measure(bench):
    size = 3 if bench.quick else 4

    def theirs():
        folder = bench.fresh("gamesman")
        (folder / "data").mkdir(parents=True)
        # It makes no folder whose path begins at the root.
        command = [bench.gamesman / "gamesman", "--data-path=data", "--force", "solve", "quixo", VARIANTS[size]]
        done = run(command, folder, {"OMP_NUM_THREADS": THREADS})
        return done.seconds, done.peak, size_of(folder / "data")

    def ours():
        done = bench.retrograde(
            "solve", "quixo", "--size", size, "--threads", THREADS, "-o", bench.fresh("quixo.rtb"),
        )
        return done.seconds, done.peak, size_of(bench.folder / "quixo.rtb"), done.answer()["states"]

    rival, own = in_turns(1 if bench.quick else 2, [theirs, ours])
    return {
        "size": size, "states": own[0][3],
        "rival": [one[0] for one in rival], "own": [one[0] for one in own],
        "rival_peak": median([one[1] for one in rival]), "own_peak": median([one[1] for one in own]),
        "rival_bytes": rival[0][2], "own_bytes": own[0][2],
    }


def show(figures):
    size, theirs, ours = figures["size"], median(figures["rival"]), median(figures["own"])
    return [
        f"Quixo {size} x {size} with two threads, whole run with the files: {count(figures['states'])} states of the "
        "engine. " + runs(len(figures["own"])) + " In brackets: how many times as fast as GamesmanOne.",
        "",
        *table(
            ["solver", "time", "memory", "files"],
            [
                ["GamesmanOne", seconds(theirs), megabytes(figures["rival_peak"]), megabytes(figures["rival_bytes"])],
                ["engine", beside(ours, theirs), megabytes(figures["own_peak"]), megabytes(figures["own_bytes"])],
            ],
        ),
    ]


QUIXO = Section("quixo", "Quixo beside GamesmanOne", measure, show, has_benches=False, missing=missing)
