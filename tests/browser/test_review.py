"""Review of games as people write them: with and without numbers, names of players and whole names of moves."""

import pytest
from playwright.sync_api import expect

from program import GAMES
from test_learning import paste

PLIES = 5


def played(server, table):
    """A game of some plies: for each, the move that is made and all that could be."""
    state, game = None, []
    for ply in range(PLIES):
        moves = server.moves(table, state)
        if not moves:
            break
        game.append((moves[(3 * ply + 1) % len(moves)], moves))
        state = game[-1][0]["state"]
    return game


def short(server, table, move):
    """The name of a move without that of the player."""
    for player in server.table(table)["players"]:
        if move["move"].startswith(f"{player} "):
            return move["move"][len(player) + 1 :]
    return move["move"]


def first_letters(server, table, move, moves):
    """The shortest beginning of a move that no other has."""
    name = short(server, table, move).lower()
    others = [
        text.lower()
        for other in moves
        if other["state"] != move["state"]
        for text in (other["move"], short(server, table, other))
    ]
    for length in range(1, len(name) + 1):
        if " " not in name[:length] and not any(other.startswith(name[:length]) for other in others):
            return name[:length]
    return name


def numbered(names):
    """The moves of both players by turns, with numbers, on one line."""
    return " ".join(f"{ply // 2 + 1}. {name}" if ply % 2 == 0 else name for ply, name in enumerate(names))


def is_read(explorer, text, game):
    """Makes sure that a text is read as this game."""
    explorer.page.evaluate("() => { document.getElementById('so-far').replaceChildren(); }")
    paste(explorer, text)
    expect(explorer.button("review"), text).not_to_be_visible()
    steps = explorer.page.locator("#so-far button")
    expect(steps, text).to_have_text(["start", *(move["move"] for move, _ in game)])


@pytest.mark.parametrize("table", GAMES)
def test_a_game_is_read_in_every_usual_form(explorer, table):
    explorer.allow("status of 4")
    server = explorer.server
    explorer.open(table)
    game = played(server, table)
    whole = [move["move"] for move, _ in game]
    names = [short(server, table, move) for move, _ in game]
    letters = [first_letters(server, table, *ply) for ply in game]
    for text in (
        "\n".join(whole),
        " ".join(whole),
        numbered(whole),
        "\n".join(names),
        " ".join(names),
        numbered(names),
        ", ".join(names),
        " ".join(f"{ply}) {name}" for ply, name in enumerate(names, 1)),
        "\n".join(f"{ply}.{name}" for ply, name in enumerate(names, 1)),
        "\n".join(letters),
        "\n".join(names).upper(),
        " ".join(f"{name} {{a remark}}" for name in names),
    ):
        is_read(explorer, text, game)


@pytest.mark.parametrize("table", ["queen", "rook", "pawn"])
def test_a_game_of_chess_is_read_from_square_to_square(explorer, table):
    server = explorer.server
    explorer.open(table)
    game = played(server, table)
    places = [place["name"] for place in server.ask(table, "position")["picture"]["places"]]
    squares = [[places[place] for place in move["places"]] for move, _ in game]
    is_read(explorer, " ".join("".join(ends) for ends in squares), game)
    is_read(explorer, numbered(["-".join(ends) for ends in squares]), game)


def test_a_promotion_is_read_from_square_to_square(explorer):
    state = "8/P7/8/8/8/2k5/8/K7 w - - 0 1"
    explorer.open("pawn")
    for letter in "qrbn":
        paste(explorer, f"start: {state}\na7a8{letter}")
        name = f"a8={letter.upper()}"
        explorer.page.locator("#so-far [aria-current]", has_text=name).wait_for()


def test_a_move_that_says_again_is_read_by_its_house(explorer):
    """The same player moves again, which the word for the move need not say."""
    # The first line may be a position, so the server is asked.
    explorer.allow("status of 4")
    server = explorer.server
    explorer.open("kalah")
    again = next(move for move in server.moves("kalah") if move["move"].endswith(" again"))
    then = server.moves("kalah", again["state"])
    is_read(explorer, f"{again['move'][0]} {then[0]['move'][0]}", [(again, None), (then[0], None)])


def test_numbers_that_are_joined_are_no_others(explorer):
    """In the park, 1-12 is not 11-2."""
    explorer.allow("status of 4")
    explorer.open("park", "7,2,mouse")
    paste(explorer, "start: 7,2,mouse\n71-0")
    expect(explorer.button("review-error")).to_contain_text("Ply 1: “71-0” is no move there. The moves there are 7-8, 7-9, 7-10.")
    explorer.button("review-text").fill("start: 7,2,mouse\n7")
    explorer.button("review-go").click()
    expect(explorer.button("review-error")).to_contain_text("Ply 1: “7” can be 7-8, 7-9, 7-10.")


@pytest.mark.parametrize("text", ["e4", "1. e4 e5 2. Nf3", '[Event "Casual game"]\n[Result "*"]\n\n1. e4 e5 *'])
def test_a_game_from_elsewhere_is_told_where_the_table_begins(explorer, text):
    explorer.allow("status of 4")
    explorer.open("queen")
    paste(explorer, text)
    error = explorer.button("review-error")
    expect(error).to_contain_text("Ply 1: “e4” is no move there.")
    start = explorer.server.table("queen")["start"]
    expect(error).to_contain_text(f"The PGN has no FEN, so the game begins where this table does: {start}.")


def test_of_several_games_the_first_is_read(explorer):
    explorer.open("rook")
    fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"
    one = f'[Event "one"] [FEN "{fen}"]\n\n1. Rb7 {{a long\nway}} Kd4 ; to the middle\n(1... Kc4 2. Kb2) 2. Kb2!? Kd5 1/2-1/2\n'
    paste(explorer, f'{one}\n[Event "two"]\n\n1. e4 e5 *\n')
    explorer.page.locator("#so-far button").nth(4).wait_for()
    assert explorer.says()["steps"] == ["start", "Rb7", "Kd4", "Kb2", "Kd5"]
