"""The engine beside solvers of one game, which the benches have: they take turns in one program."""

from .bench import median
from .section import Section
from .shown import a_state, beside, count, megabytes, middle, of_solver, runs, seconds, table

ENGINE = ("engine, 1 thread", "engine, 2 threads")


def contest(bench, name, sizes, rounds):
    """The lines of a bench for several sizes, each with its own number of rounds."""
    lines = []
    for size, number in zip(sizes, rounds, strict=True):
        lines += bench.bench(name, size, rounds=number)
    return lines


def games(lines):
    """The names of the games, in order."""
    return list(dict.fromkeys(line["game"] for line in lines))


def measure_park(bench):
    if bench.quick:
        return contest(bench, "park", [5, 10], [1, 1])
    return contest(bench, "park", [30, 50, 100], [5, 5, 3])


def show_park(lines):
    rows = []
    for game in games(lines):
        textbook, by_hand = (of_solver(lines, solver, game) for solver in ("textbook", "by hand"))
        engine = [of_solver(lines, solver, game) for solver in ENGINE]
        rivals = middle(textbook), middle(by_hand)
        states = textbook["states"]
        rows.append([
            game.removeprefix("park ").replace("x", " x "), count(states), count(textbook["edges"]),
            *map(seconds, rivals),
            *(beside(middle(line), *rivals) for line in engine),
            a_state(textbook["bytes"], states), a_state(engine[0]["bytes"], states), len(textbook["seconds"]),
        ])
    return [
        "Medians of the runs in the last column. In brackets: how many times as fast the engine is as the textbook, "
        "and as the loop by hand.",
        "",
        *table(
            ["park", "states", "edges", "textbook", "by hand", *ENGINE, "textbook, bytes a state",
             "engine, bytes a state", "runs"],
            rows,
        ),
    ]


def measure_random(bench):
    if bench.quick:
        return contest(bench, "random", [10_000], [1])
    return contest(bench, "random", [10_000_000, 40_000_000], [5, 3])


def show_random(lines):
    rows = []
    for states in dict.fromkeys(line["states"] for line in lines):
        of_size = [line for line in lines if line["states"] == states]
        textbook, by_hand = (middle(of_solver(of_size, solver)) for solver in ("textbook", "by hand"))
        engine = [middle(of_solver(of_size, solver)) for solver in (*ENGINE, "engine, edges")]
        rows.append([
            count(states), seconds(textbook), seconds(by_hand), *(beside(own, textbook) for own in engine),
            len(of_size[0]["seconds"]),
        ])
    return [
        "Medians of the runs in the last column. In brackets: how many times as fast the engine is as the textbook.",
        "",
        *table(["states", "textbook", "by hand", *ENGINE, "engine without predecessors, 1 thread", "runs"], rows),
    ]


GAMES = {
    "mnk": "m,n,k {0},{0},3: {0} x {0} squares, three in a row",
    "park": "Cat and Mouse, a park of {0} x {0}",
    "random": "the random game",
}


def measure_explore(bench):
    if bench.quick:
        return bench.bench("explore", 2_000, rounds=1)
    return bench.bench("explore", 1_000_000, rounds=2)


def show_explore(lines):
    rows, before = [], None
    for line in lines:
        states = line["states"]
        hash_map = next(middle(one) for one in lines if one["game"] == line["game"] and one["way"] == "hash map")
        own = middle(line)
        is_first = line["game"] != before
        before = line["game"]
        rows.append([
            GAMES[line["game"]].format(line["size"]) if is_first else "", count(states) if is_first else "",
            line["way"], line["threads"], seconds(median(line["explored"])),
            seconds(own) if line["way"] == "hash map" else beside(own, hash_map),
            a_state(line["bytes"], states), a_state(line["file"], states),
        ])
    return [
        runs(len(lines[0]["seconds"])) + " In brackets: how many times as fast as the hash map. Memory is the peak of "
        "the whole process, and file the table on disk with its states, at the default level.",
        "",
        *table(
            ["game", "states", "scheme", "threads", "discovering", "all", "bytes of memory a state",
             "bytes of file a state"],
            rows,
        ),
    ]


def measure_teeko(bench):
    return bench.bench("teeko", rounds=2)


def show_teeko(lines):
    textbook = middle(of_solver(lines, "textbook"))
    names = {
        "textbook": "textbook",
        "engine, 1 thread": "engine, with indices of predecessors and the degree, 1 thread",
        "engine, 2 threads": "the same, 2 threads",
        "edges, 1 thread": "engine, without predecessors, 1 thread",
        "edges, 2 threads": "the same, 2 threads",
    }
    rows = [
        [name, seconds(textbook) if solver == "textbook" else beside(middle(of_solver(lines, solver)), textbook),
         megabytes(of_solver(lines, solver)["bytes"])]
        for solver, name in names.items()
    ]
    return [
        runs(len(lines[0]["seconds"])) + " In brackets: how many times as fast as the textbook.",
        "",
        *table(["solver", "time", "memory"], rows),
    ]


SOLVERS = {
    "hash map": "textbook, whole positions", "packed map": "textbook, packed positions", "Dense": "dense",
    "Hashed": "hashed", "Packed": "packed", "Tiers<Dense>": "tiers", "Tiers<Packed>": "packed-tiers",
}


def measure_strangers(bench):
    return bench.bench("strangers", 3 if bench.quick else 5, rounds=1 if bench.quick else 3)


def show_strangers(lines):
    census, lines = lines[0], lines[1:]
    best = min(middle(line) for line in lines if line["solver"].endswith(" map"))
    rows = []
    for solver, name in SOLVERS.items():
        of_one = {line["threads"]: line for line in lines if line["solver"] == solver}
        is_rival = solver.endswith(" map")
        cells = [(seconds(middle(line)) if is_rival else beside(middle(line), best)) for line in of_one.values()]
        rows.append([name, *cells, *([""] * (2 - len(cells))), megabytes(of_one[1]["bytes"])])
    return [
        f"A board of {census['side']} x {census['side']}: {count(census['positions'])} positions of {census['bytes']} "
        f"bytes, with {census['moves']:.1f} moves each, which take {census['nanoseconds']:.0f} ns to list. "
        + runs(len(lines[0]["seconds"])) + " In brackets: how many times as fast as the better textbook.",
        "",
        *table(["solver", "1 thread", "2 threads", "memory, 1 thread"], rows),
    ]


def measure_scores(bench):
    if bench.quick:
        return contest(bench, "scores", [4], [1])
    return contest(bench, "scores", [12, 15], [5, 3])


def show_scores(lines):
    rows = []
    for game in games(lines):
        textbook = of_solver(lines, "textbook", game)
        rows.append([
            game.removeprefix("awari "), count(textbook["states"]), count(textbook["edges"]),
            seconds(middle(textbook)),
            *(beside(middle(of_solver(lines, solver, game)), middle(textbook)) for solver in ENGINE),
            len(textbook["seconds"]),
        ])
    return [
        "Medians of the runs in the last column. In brackets: how many times as fast the engine is as the textbook.",
        "",
        *table(["seeds", "states", "moves", "textbook, points only", *ENGINE, "runs"], rows),
    ]


def not_small(bench):
    return "it has no small size to try" if bench.quick else None


PARK = Section("park", "Cat and Mouse beside a textbook solver and a loop by hand", measure_park, show_park)
RANDOM = Section("random", "a random game beside a textbook solver", measure_random, show_random)
EXPLORE = Section("explore", "discovered states beside a HashMap", measure_explore, show_explore)
TEEKO = Section("teeko", "Teeko beside a textbook solver", measure_teeko, show_teeko, missing=not_small)
STRANGERS = Section("strangers", "slow rules beside a HashMap", measure_strangers, show_strangers)
SCORES = Section("scores", "awari beside a textbook solver with points", measure_scores, show_scores)
