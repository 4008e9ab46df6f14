"""Quixo beside GamesmanOne, which has the game, too."""

from .bench import in_turns, median, run, size_of
from .section import Section
from .shown import beside, count, megabytes, runs, seconds, table

# Its numbers for the sizes of the board.
VARIANTS = {4: 1, 3: 2}


def missing(bench):
    if bench.gamesman is None:
        return "without --gamesman FOLDER"
    if not (bench.gamesman / "gamesman").is_file():
        return f"there is no gamesman in {bench.gamesman}"
    return None


def measure(bench):
    size = 3 if bench.quick else 4

    def theirs(threads):
        folder = bench.fresh("gamesman")
        (folder / "data").mkdir(parents=True)
        # It makes no folder whose path begins at the root.
        command = [bench.gamesman / "gamesman", "--data-path=data", "--force", "solve", "quixo", VARIANTS[size]]
        done = run(command, folder, {"OMP_NUM_THREADS": str(threads)})
        return done.seconds, done.peak, size_of(folder / "data")

    def ours(threads):
        done = bench.retrograde(
            "solve", "quixo", "--size", size, "--threads", threads, "-o", bench.fresh("quixo.rtb"),
        )
        return done.seconds, done.peak, size_of(bench.folder / "quixo.rtb"), done.answer()["states"]

    rows = []
    for threads in (2,):
        rival, own = in_turns(1 if bench.quick else 3, [lambda n=threads: theirs(n), lambda n=threads: ours(n)])
        rows.append({
            "threads": threads, "states": own[0][3],
            "rival": [one[0] for one in rival], "own": [one[0] for one in own],
            "rival_peak": median([one[1] for one in rival]), "own_peak": median([one[1] for one in own]),
            "rival_bytes": rival[0][2], "own_bytes": own[0][2],
        })
    return {"size": size, "rows": rows}


def show(figures):
    rows = [
        [
            row["threads"], seconds(median(row["rival"])), beside(median(row["own"]), median(row["rival"])),
            megabytes(row["rival_peak"]), megabytes(row["own_peak"]),
            megabytes(row["rival_bytes"]), megabytes(row["own_bytes"]),
        ]
        for row in figures["rows"]
    ]
    first = figures["rows"][0]
    return [
        f"Quixo {figures['size']} x {figures['size']}, whole run with the files: {count(first['states'])} states of the "
        "engine. " + runs(len(first["own"])) + " In brackets: how many times as fast as GamesmanOne.",
        "",
        *table(["threads", "GamesmanOne", "engine", "its memory", "engine's", "its files", "engine's"], rows),
    ]


QUIXO = Section("quixo", "Quixo beside GamesmanOne", measure, show, missing=missing)
