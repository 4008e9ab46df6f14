"""Games that take minutes to an hour, each a section of its own."""

from . import whole
from .section import Section
from .shown import counts, plies_of, table


def large(name, about, options, small):
    """A section of one game."""

    def measure(bench):
        game = whole.solved(bench, about, small if bench.quick else options)
        for more in whole.MORE:
            del game[more]
        return game

    def show(game):
        return table(whole.HEAD, [whole.row(game)])

    return Section(name, about, measure, show, is_long=True, has_benches=False)


DOBUTSU = large(
    "dobutsu", "Dobutsu shogi, discovered", "dobutsu --numbering packed", "mnk --numbering packed",
)


def flagship(name, about, wanted, small, verified=True, example=None):
    """A section of games by what the start is worth: those of the program, or of an example that has them."""

    def measure(bench):
        games = []
        program = bench.example(example, "retrograde-games") if example else None
        for title, options in small if bench.quick else wanted:
            game = whole.solved(bench, title, options, verified, program)
            del game["tiers"]
            games.append(game)
        return games

    def show(games):
        rows = [[*whole.row(game)[:-1], worth(game["start"]), plies_of(game["longest"])] for game in games]
        return table([*whole.HEAD[:-1], "the start", "longest win"], rows)

    return Section(name, about, measure, show, is_long=True, has_benches=False)


def worth(start):
    """What a position is worth, as people say it."""
    plies = start["plies"]
    return start["outcome"] if plies is None else f"{start['outcome']} wins in {plies} plies"


def in_short(games):
    """A flagship, as a row beside other large games."""
    game, *_ = games
    return [*whole.row(game)[:6], worth(game["start"])]


# To verify these takes longer than to solve them, and is no part of the sections.
PLACING = flagship(
    "placing", "nine men's morris from the empty board",
    (("nine men's morris, whole", "morris --board nine --flying --compression 1 --memory 6GB"),),
    (("six men's morris with three men", "morris --men 3"),),
    verified=False,
)
# Two sections, since each takes up to an hour.
SMALL_BOBAIL = (("Bobail on 3 x 3", "bobail -m 3 -n 3"),)
BOBAIL = flagship(
    "bobail", "Bobail on 5 x 5, by the official rules",
    (("Bobail, a man moves as far as it can", "bobail"),), SMALL_BOBAIL,
    verified=False,
)
FLEXIBLE = flagship(
    "flexible", "Bobail on 5 x 5, by the flexible rules",
    (("Bobail, a man moves as far as it wants", "bobail --rules flexible"),), SMALL_BOBAIL,
    verified=False,
)

GOBBLET = flagship(
    "gobblet", "Gobblet Gobblers, found by search",
    (("Gobblet Gobblers", "gobblet --memory 8GB"),),
    (("Gobblet Gobblers with two large pieces and one medium piece each", "gobblet --small 0 --medium 1 --large 2"),),
)
GOBBLET_NUMBERED = flagship(
    "gobblet-numbered", "Gobblet Gobblers by a numbering",
    (("Gobblet Gobblers, by a numbering and with moves backwards", "gobblet-numbered"),),
    (("Gobblet Gobblers with two large pieces and one medium piece each", "gobblet-numbered --small 0 --medium 1 --large 2"),),
    example="gobblet-numbered",
)
GOBBLET_ON_DISK = flagship(
    "gobblet-on-disk", "Gobblet Gobblers in less memory, with scratch files",
    (("Gobblet Gobblers", f"gobblet --memory 4GB --scratch {whole.FOLDER}"),),
    (("Gobblet Gobblers with two large pieces and one medium piece each", f"gobblet --small 0 --medium 1 --large 2 --memory 100MB --scratch {whole.FOLDER}"),),
)

# The first number of seeds whose counts are not in the literature at hand.
FIRST = 16


def measure_awari(bench):
    seeds = 5 if bench.quick else 23
    return whole.solved(bench, f"awari, up to {seeds} seeds", f"awari --seeds {seeds} --memory 4GB")


def show_awari(game):
    # Tiers are called 1-seed, 2-seeds and so on.
    tiers = sorted((int(tier["tier"].split("-")[0]), tier) for tier in game["tiers"])
    first = min(FIRST, tiers[-1][0])
    rows = [
        [seeds, *(f"{figure:,}" for figure in (tier["states"], *counts(tier["wins"]), tier["draws"])), tier["longest_plies"]]
        for seeds, tier in tiers if seeds >= first
    ]
    return [
        *table(whole.HEAD, [whole.row(game)]),
        "",
        "Its positions by the number of seeds:",
        "",
        *table(["seeds", "positions", "won", "lost", "drawn or endless", "longest, in plies"], rows),
    ]


AWARI = Section("awari", "awari up to 23 seeds, with counts of its positions", measure_awari, show_awari, is_long=True, has_benches=False)


# Chess with other pieces, boards and goals.
FAIRY_GAMES = (
    ("racing kings, two pieces against none", "chess KRBvK --variant racing-kings"),
    ("racing kings, a piece each", "chess KQvKR --variant racing-kings"),
    ("giveaway, two men each", "chess QRvBN --variant giveaway"),
    ("nightrider against rook", "chess KTvKR"),
    ("amazon against rook", "chess KAvKR"),
)
GRASSHOPPERS = (("grasshopper and knight against grasshopper, on 9 x 9", "chess KGNvKG --board 9x9"),)
SMALL_FAIRY = (("racing kings on 4 x 4", "chess KRvKN --variant racing-kings --board 4x4"),)


def fairy(name, about, wanted, is_long):
    """A section of chess games."""

    def measure(bench):
        games = []
        for title, options in SMALL_FAIRY if bench.quick else wanted:
            game = whole.solved(bench, title, options)
            # The last tier is the one that play begins with.
            game["longest"] = game.pop("tiers")[-1]["longest_plies"]
            games.append(game)
        return games

    def show(games):
        rows = [[*whole.row(game)[:-1], plies_of(game["longest"])] for game in games]
        return table([*whole.HEAD[:-1], "longest win"], rows)

    return Section(name, about, measure, show, is_long=is_long, has_benches=False)


FAIRY = fairy("fairy", "chess with other pieces, boards and goals", FAIRY_GAMES, is_long=False)
HOPPERS = fairy("hoppers", "a chess ending with grasshoppers", GRASSHOPPERS, is_long=True)
