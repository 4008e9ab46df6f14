"""Every shipped game: the page says what the server says, and the board can be played."""

import pytest

from explorer import PHONE, WIDE
from program import GAMES, TABLES

PLIES = 8


def play(explorer, table, plies=PLIES):
    """Plays on the board, good moves and bad ones. Returns the moves."""
    state, played = explorer.server.table(table)["start"], []
    for ply in range(plies):
        moves = explorer.check_position(table, state)
        if not moves:
            break
        # The best, the worst, and some between them.
        move = moves[(ply * ply * 5 - ply) % len(moves)]
        explorer.play(move, moves)
        played.append(move)
        state = move["state"]
    explorer.check_position(table, state)
    return played


@pytest.mark.parametrize("table", TABLES)
def test_the_page_says_what_the_server_says_and_its_board_can_be_clicked(explorer, table):
    explorer.open(table)
    played = play(explorer, table)
    if table != "lane":
        assert all(move["places"] for move in played), "every move is made on the board"
    said = explorer.says()
    assert said["steps"] == ["start", *(move["move"] for move in played)]
    assert said["current"] == len(played)


@pytest.mark.parametrize("table", GAMES)
def test_the_board_can_be_touched_on_a_phone(explorers, table):
    explorer = explorers(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    explorer.open(table)
    play(explorer, table, plies=4)


@pytest.mark.parametrize("table", TABLES)
def test_nothing_is_wider_than_the_window(explorers, table):
    for size in (WIDE, PHONE):
        explorer = explorers(viewport=size)
        explorer.open(table)
        explorer.page.locator("#histogram svg, #histogram-note:not(:empty)").first.wait_for()
        for _ in range(3):
            width = explorer.page.evaluate("() => document.documentElement.scrollWidth")
            assert width <= size["width"], table
            if explorer.button("step").is_visible():
                explorer.button("step").click()
        if explorer.button("kinds").is_visible():
            explorer.page.locator("#kinds button").last.click()
            explorer.page.locator("#examples h3").wait_for()
        width = explorer.page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= size["width"], f"{table} with examples"


@pytest.mark.parametrize("table", GAMES)
def test_every_place_has_a_name_that_is_read_out(explorer, table):
    explorer.open(table)
    picture = explorer.server.ask(table, "position")["picture"]
    labels = explorer.page.locator("#board .place").evaluate_all(
        "(places) => places.map((place) => [place.getAttribute('role'), place.getAttribute('aria-label')])"
    )
    assert len(labels) == len(picture["places"])
    for (role, label), place in zip(labels, picture["places"]):
        assert role == "button"
        assert label.startswith(place["description"]), label


@pytest.mark.parametrize("table", GAMES)
def test_a_move_that_is_pointed_at_is_shown_on_the_board(explorer, table):
    explorer.open(table)
    worth = explorer.says()["moves"][0]["worth"]
    explorer.page.locator("#groups .move").first.hover()
    drawn = explorer.page.locator(f"#board .over .ring.{worth}.heavy, #board .over .arrow.{worth}")
    drawn.first.wait_for(state="attached")
    explorer.page.locator("#verdict").hover()
    drawn.first.wait_for(state="detached")


def test_a_game_without_a_picture_is_shown_as_text_and_played_from_the_list(explorer):
    explorer.open("lane")
    assert explorer.page.locator("#board pre").text_content() == explorer.server.ask("lane", "position")["text"]
    assert explorer.button("board-note").text_content() == "Play from the list of moves."
    assert not explorer.button("flip").is_visible()
    assert explorer.page.locator("#board svg").count() == 0


@pytest.mark.parametrize("table", ["rook", "park", "quixo", "dobutsu"])
def test_pieces_can_be_dragged(explorer, table):
    explorer.open(table)
    state = None
    for ply in range(4):
        moves = explorer.server.moves(table, state)
        move = moves[ply % len(moves)]
        explorer.drag(move["places"])
        explorer.wait(move["state"])
        state = move["state"]
    assert explorer.says()["current"] == 4


def test_a_piece_that_is_dropped_elsewhere_goes_back(explorer):
    explorer.open("rook")
    before = explorer.says()
    explorer.drag([explorer.place_named("rook", "b2"), explorer.place_named("rook", "h8")])
    assert explorer.says() == before
    assert explorer.page.locator("#board .piece[transform]").count() == 0


def test_a_move_is_made_by_way_of_any_of_its_places(explorer):
    explorer.open("quixo")
    move = next(move for move in explorer.server.moves("quixo") if len(move["other_places"]) > 2)
    for places in move["other_places"]:
        for place in places:
            explorer.touch(place)
        explorer.wait(move["state"])
        explorer.button("start").click()
        explorer.wait(explorer.server.table("quixo")["start"])


def test_a_promotion_asks_which(explorer):
    start = "8/P7/8/8/8/2k5/8/K7 w - - 0 1"
    explorer.open("pawn", start)
    moves = explorer.server.moves("pawn", start)
    promotions = [move for move in moves if "=" in move["move"]]
    assert len(promotions) == 4, moves
    assert len({tuple(move["places"]) for move in promotions}) == 1
    for place in promotions[0]["places"]:
        explorer.touch(place)
    choices = explorer.page.locator("#ask[open] #choices button")
    choices.first.wait_for()
    assert choices.count() == 4
    # Said by a letter, and not by a colour alone.
    for promotion in promotions:
        assert choices.filter(has_text=promotion["move"]).count() == 1
    explorer.page.locator("#ask form button").click()
    assert explorer.says()["state"] == start
    explorer.play(promotions[2], moves)
    assert explorer.says()["steps"][-1] == promotions[2]["move"]


def test_a_board_is_turned_round(explorer):
    explorer.open("rook")
    place = explorer.place_named("rook", "a1")
    before = explorer.centre(place)
    explorer.button("flip").click()
    explorer.page.wait_for_function("() => location.hash.includes('flip')")
    after = explorer.centre(place)
    assert after[0] > before[0] + 100 and after[1] < before[1] - 100
    assert explorer.button("flip").get_attribute("aria-pressed") == "true"
    moves = explorer.server.moves("rook")
    explorer.play(moves[-1], moves)
    explorer.page.reload()
    explorer.wait(moves[-1]["state"])
    assert explorer.centre(place)[0] > before[0] + 100, "still turned"
    explorer.page.keyboard.press("f")
    explorer.page.wait_for_function("() => !location.hash.includes('flip')")
    assert abs(explorer.centre(place)[0] - before[0]) < 2


def test_a_game_that_stops_early_says_so(explorer):
    won = "H../.l./.g./CgL,-,gote"
    explorer.open("dobutsu", won)
    assert explorer.says()["verdict"] == "Gote wins in 1 ply"
    assert explorer.says()["turn"] == "Play is over."
    says = "Play stops 1 ply early in this game: the end is certain."
    assert explorer.says()["detail"] == says
    explorer.open("dobutsu", ".../Cl./.g./CgL,-,sente")
    assert explorer.says()["detail"] == ""
    assert says in explorer.says()["lineNote"]
    # A game that is played to its end does not.
    explorer.open("park", "0,9,cat")
    assert explorer.says()["detail"] == ""
