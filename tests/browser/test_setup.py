"""Setting up positions by hand: pieces are put, moved and taken away on the picture."""

import subprocess

import pytest
from playwright.sync_api import expect

from explorer import PHONE, WIDE, centre_of
from program import GAMES, chomp
from test_page import check_access

# For each game a change that makes another position, and the position.
CHANGES = {
    "awari": ([("drag", "F", "A")], "1,0,0,1,1,0/0,0,0,1,1,1"),
    "park": ([("drag", "1", "4")], "4,2,mouse"),
    "grid": ([("drag", "r2c0", "r2c4")], "r2c4,r1c1,mouse"),
    "rook": ([("drag", "b2", "h7")], "8/7R/8/8/8/2k5/8/K7 w - - 0 1"),
    "four": ([("put", "yellow stone", "c1r0")], "..../..../..../.x.."),
    "dobutsu": ([("drag", "b2", "sente's chicks in hand")], "gl./.../.C./.LG,C,sente"),
    "bobail": ([("drag", "b3", "a3")], "bb./o../.../.ww,white"),
    "gobblet": (
        # The third change takes the upper of two pieces.
        [("drag", "white's medium pieces in reserve", "b2"), ("drag", "black's large pieces in reserve", "b2"),
         ("drag", "b2", "a1"), ("drag", "black's large pieces in reserve", "b2")],
        ".../.l-M./l..,white",
    ),
    "hexapawn": ([("drag", "r2c0", "r1c0")], "bbb/w../.ww,black"),
    "mnk": ([("put", "x cross", "r1c1"), ("put", "o nought", "r0c0")], "o../.x./..."),
    "morris": ([("drag", "white's hand", "a5")], "w../.../..../.../...,2-3,black"),
    "quixo": ([("put", "o nought", "r0c0")], "o../.../...,o"),
    "dots": ([("put", "line across", "a2-b2")], "x./.../..,first"),
    "othello": ([("put", "black disc", "b1"), ("put", "black disc", "b2")], ".x../.xx./.xo./....,white"),
}

# For each game with such pieces a change that makes no position, and what is said of it.
FAULTS = {
    "awari": ([("put", "seed", "A")], "It has 7 seeds: expected at most 6."),
    "park": ([("away", "2")], "The cat is nowhere: put it on the board."),
    "grid": ([("drag", "r2c0", "r0c0")], "The mouse can't be on a wall."),
    "rook": ([("away", "a1")], "White has 0 kings: expected one."),
    "four": ([("put", "yellow stone", "c1r2")], "A stone in column 1 has nothing under it."),
    "dobutsu": ([("away", "b4")], "Sente has 0 lions, not 1."),
    "bobail": ([("away", "b3")], "The bobail is nowhere: put it on the board."),
    "gobblet": (
        [("away", "black's large pieces in reserve")],
        "Black has 1 large piece, board and reserve together, not 2.",
    ),
    "hexapawn": ([("away", "r0c0")], "Play never comes to this position, so the table does not have it."),
    "mnk": ([("put", "x cross", "r0c0"), ("put", "x cross", "r0c1")], "2 x and 0 o, who take turns."),
    "morris": (
        [("drag", "white's hand", "a5"), ("drag", "white's hand", "c5")],
        "Black can't be to move with 1 man in white's hand and 3 in black's: they take turns placing them, white first.",
    ),
}


class Hand:
    """Setting up on a page."""

    def __init__(self, explorer, table):
        self.explorer, self.page, self.table = explorer, explorer.page, table
        places = explorer.server.ask(table, "setup")["picture"]["places"]
        self.places = {place["name"]: number for number, place in enumerate(places)}

    def open(self):
        self.explorer.button("by-hand").click()
        self.page.locator("#hand-board .place").first.wait_for()
        return self

    def place(self, name):
        return self.page.locator(f'#hand-board .place[data-place="{self.places[name]}"]')

    def centre(self, name):
        return centre_of(self.page, f'#hand-board .place[data-place="{self.places[name]}"] .shape')

    def pieces(self, name):
        """How many pieces are drawn on a place."""
        return self.page.locator(f'#hand-board .piece[data-at="{self.places[name]}"]').count()

    def tool(self, name):
        return self.page.locator(f'#put button[title="{name}"]')

    def touch(self, name):
        self.page.mouse.click(*self.centre(name))

    def drag_to(self, x, y):
        """From where the mouse is."""
        self.page.mouse.down()
        self.page.mouse.move(x + 9, y + 9, steps=4)
        self.page.mouse.move(x, y, steps=2)
        self.page.mouse.up()

    def answered(self, does):
        """Does something, and waits until its picture is shown."""
        self.page.evaluate("() => { document.querySelector('#hand-board svg').dataset.before = ''; }")
        does()
        self.page.wait_for_selector("#hand-board svg:not([data-before])")
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def change(self, how, what, where=None):
        if how == "drag":
            to = self.centre(where)
            self.page.mouse.move(*self.centre(what))
            self.answered(lambda: self.drag_to(*to))
        elif how == "away":
            self.page.mouse.move(*self.centre(what))
            left = self.page.locator("#hand-board").bounding_box()["x"]
            self.answered(lambda: self.drag_to(max(left - 12, 1), 300))
        else:
            if self.tool(what).get_attribute("aria-pressed") != "true":
                self.tool(what).click()
            self.answered(lambda: self.touch(where))

    def says(self, text):
        expect(self.explorer.button("hand-problem")).to_have_text(text)
        assert self.explorer.button("no-position").is_visible() == bool(text)


@pytest.fixture
def hand(explorer):
    def make(table, state=None):
        explorer.open(table, state)
        return Hand(explorer, table).open()

    return make


@pytest.mark.parametrize("table", CHANGES)
def test_a_position_is_set_up_and_its_value_is_shown_at_once(hand, table):
    by_hand = hand(table)
    explorer, changes, state = by_hand.explorer, *CHANGES[table]
    start = explorer.page.url
    for change in changes:
        by_hand.change(*change)
    explorer.check_position(table, state)
    assert explorer.page.url == start, "the address is that of the position before"
    explorer.button("hand-done").click()
    explorer.page.locator("#hand").wait_for(state="hidden")
    explorer.check_position(table, state)
    assert explorer.page.url != start
    moves = explorer.server.moves(table, state)
    if moves:
        explorer.play(moves[-1], moves)
        explorer.page.go_back()
        explorer.wait(state)
    explorer.page.go_back()
    explorer.wait(explorer.server.table(table)["start"])


@pytest.mark.parametrize("table", FAULTS)
def test_pieces_that_are_no_position_say_why(hand, table):
    by_hand = hand(table)
    explorer, changes, problem = by_hand.explorer, *FAULTS[table]
    for change in changes:
        by_hand.change(*change)
    by_hand.says(problem)
    for name in ("value", "moves", "line", "game"):
        assert not explorer.button(name).is_visible(), "what was said of another position"
    assert explorer.button("hand-done").get_attribute("aria-disabled") == "true"
    check_access(explorer)
    by_hand.answered(explorer.button("hand-start").click)
    explorer.check_position(table, explorer.server.table(table)["start"])
    by_hand.says("")
    explorer.button("hand-cancel").click()
    explorer.check_position(table, explorer.server.table(table)["start"])
    assert explorer.button("board").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("table", GAMES)
def test_setting_up_can_be_read_and_reached_by_everybody(explorers, table, scheme):
    for size in (WIDE, PHONE):
        explorer = explorers(color_scheme=scheme, viewport=size)
        explorer.open(table)
        explorer.page.locator("#histogram-note:not(:empty)").wait_for()
        by_hand = Hand(explorer, table).open()
        by_hand.tool("take away").click()
        check_access(explorer)
        width = explorer.page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= size["width"], table


def test_who_is_to_move_is_chosen_and_both_are_told(hand):
    by_hand = hand("rook")
    explorer = by_hand.explorer
    labels = explorer.page.locator("#turns label")
    turns = explorer.server.ask("rook", "setup")["turns"]
    for label, turn in zip(labels.all(), turns):
        said = label.text_content()
        assert said.startswith(f"{turn['to_move']} to move")
        assert turn["position"]["verdict"][1:] in said
    labels.nth(1).click()
    explorer.check_position("rook", turns[1]["position"]["state"])
    # White can't be to move when black is in check; it still is not chosen for that.
    by_hand.change("drag", "b2", "c1")
    explorer.check_position("rook", "8/8/8/8/8/2k5/8/K1R5 b - - 0 1")
    labels.first.click()
    by_hand.says("Black is in check, but white is to move.")
    labels.nth(1).click()
    explorer.check_position("rook", "8/8/8/8/8/2k5/8/K1R5 b - - 0 1")


def test_where_pieces_say_who_is_to_move_the_players_alternate(hand):
    by_hand = hand("mnk")
    for tool, place, mover in (("x cross", "r0c0", "o"), ("o nought", "r0c1", "x")):
        by_hand.change("put", tool, place)
        assert by_hand.page.locator("#turns :checked").get_attribute("value") == mover
    expect(by_hand.page.locator("#turns label").nth(1)).to_contain_text("With these pieces, x is to move.")


def test_a_king_is_moved_and_another_piece_is_put_again(hand):
    by_hand = hand("rook")
    by_hand.change("put", "white king", "e1")
    assert (by_hand.pieces("a1"), by_hand.pieces("e1")) == (0, 1)
    by_hand.change("put", "white rook", "b3")
    assert (by_hand.pieces("b2"), by_hand.pieces("b3")) == (1, 1)
    by_hand.says("Its material is KRRvK: expected KRvK, KvK.")
    by_hand.change("put", "white rook", "b3")
    assert by_hand.pieces("b3") == 0, "the same piece once more takes it away"
    by_hand.explorer.check_position("rook", "8/8/8/8/8/2k5/1R6/4K3 w - - 0 1")
    by_hand.change("put", "take away", "b2")
    by_hand.explorer.check_position("rook", "8/8/8/8/8/2k5/8/4K3 w - - 0 1")
    by_hand.answered(by_hand.explorer.button("hand-clear").click)
    by_hand.says("White has 0 kings: expected one.")


def test_a_piece_is_moved_by_two_touches_and_put_by_a_drag(hand):
    by_hand = hand("rook")
    by_hand.touch("b2")
    by_hand.answered(lambda: by_hand.touch("b7"))
    by_hand.explorer.check_position("rook", "8/1R6/8/8/8/2k5/8/K7 w - - 0 1")
    to = by_hand.centre("h8")
    box = by_hand.tool("black king").bounding_box()
    by_hand.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    by_hand.answered(lambda: by_hand.drag_to(*to))
    by_hand.explorer.check_position("rook", "7k/1R6/8/8/8/8/8/K7 w - - 0 1")
    assert by_hand.page.locator(".ghost").count() == 0
    assert by_hand.tool("black king").get_attribute("aria-pressed") == "false"


def test_pieces_share_a_place_where_the_game_lets_them_and_others_stay(hand):
    by_hand = hand("park")
    by_hand.change("drag", "2", "1")
    assert by_hand.pieces("1") == 2
    by_hand.explorer.check_position("park", "1,1,mouse")
    by_hand.change("drag", "1", "5")
    by_hand.explorer.check_position("park", "1,5,mouse")
    by_hand.page.mouse.move(*by_hand.centre("0"))
    by_hand.drag_to(*by_hand.centre("3"))
    assert (by_hand.pieces("0"), by_hand.pieces("3")) == (1, 0), "the hole stays"


def test_all_can_be_done_with_keys(hand):
    by_hand = hand("rook")
    page, explorer = by_hand.page, by_hand.explorer
    explorer.button("hand-cancel").press("Enter")
    page.locator("#hand").wait_for(state="hidden")
    assert page.evaluate("() => document.activeElement.id") == "by-hand"
    page.keyboard.press("e")
    page.locator("#hand-board .place").first.wait_for()
    before = explorer.says()
    expect(by_hand.tool("white king")).to_be_focused()
    for key in ("ArrowLeft", "End", "ArrowRight"):
        page.keyboard.press(key)
    assert explorer.says() == before, "keys that play do not"
    # The rook is the third kind.
    page.keyboard.press("3")
    assert by_hand.tool("white rook").get_attribute("aria-pressed") == "true"
    by_hand.place("b2").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert by_hand.place("c3").evaluate("(place) => place === document.activeElement")
    page.keyboard.press("ArrowRight")
    by_hand.answered(lambda: page.keyboard.press("Enter"))
    assert by_hand.pieces("d3") == 1
    by_hand.says("Its material is KRRvK: expected KRvK, KvK.")
    by_hand.answered(lambda: page.keyboard.press("Delete"))
    explorer.check_position("rook", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    assert by_hand.place("d3").evaluate("(place) => place === document.activeElement"), "the focus stays"
    page.keyboard.press("Escape")
    assert page.locator("#put [aria-pressed=true]").count() == 0
    by_hand.place("b2").focus()
    page.keyboard.press("Enter")
    expect(by_hand.place("b2")).to_have_attribute("aria-label", "b2, white rook; touched")
    page.keyboard.press("ArrowUp")
    by_hand.answered(lambda: page.keyboard.press("Enter"))
    explorer.check_position("rook", "8/8/8/8/8/1Rk5/8/K7 b - - 0 1")
    explorer.button("hand-done").focus()
    page.keyboard.press("Enter")
    page.locator("#hand").wait_for(state="hidden")
    explorer.check_position("rook", "8/8/8/8/8/1Rk5/8/K7 b - - 0 1")


def test_pieces_are_put_on_a_phone(explorers):
    explorer = explorers(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    explorer.open("morris")
    explorer.button("by-hand").tap()
    by_hand = Hand(explorer, "morris")
    by_hand.tool("white man").tap()
    for name in ("white's hand", "a5"):
        x, y = by_hand.centre(name)
        by_hand.answered(lambda: explorer.page.touchscreen.tap(x, y))
    by_hand.says("White has 5 men, board and hand together, not 3.")


def test_the_board_is_turned_round_while_it_is_set_up(hand):
    by_hand = hand("rook")
    before = by_hand.centre("a1")
    by_hand.answered(by_hand.explorer.button("flip").click)
    after = by_hand.centre("a1")
    assert after[0] > before[0] + 100 and after[1] < before[1] - 100
    by_hand.change("drag", "b2", "b5")
    by_hand.explorer.check_position("rook", "8/8/8/1R6/8/2k5/8/K7 w - - 0 1")
    by_hand.explorer.button("hand-done").click()
    by_hand.page.wait_for_function("() => location.hash.includes('flip')")


def test_another_position_ends_setting_up(hand):
    by_hand = hand("rook")
    by_hand.change("drag", "b2", "h7")
    explorer, state = by_hand.explorer, "8/7R/8/8/8/2k5/8/K7 w - - 0 1"
    explorer.check_position("rook", state)
    explorer.choose(explorer.server.moves("rook", state)[0])
    assert not explorer.button("hand").is_visible()
    assert explorer.says()["steps"][0] == "start"
    explorer.page.go_back()
    explorer.wait(explorer.server.table("rook")["start"])


def test_setting_up_waits_for_a_move_that_is_on_its_way(explorer):
    explorer.open("morris")
    held = []
    explorer.page.route("**/api/**", lambda route: held.append(route))
    explorer.page.locator("#groups .move").first.click()
    explorer.page.wait_for_function("() => document.body.classList.contains('waiting')")
    explorer.button("by-hand").click()
    explorer.page.unroute("**/api/**")
    explorer.page.locator("#hand-board .place").first.wait_for()
    start = explorer.server.table("morris")["start"]
    assert explorer.page.locator("#state").input_value() not in ("", start)


def test_a_table_whose_positions_are_only_written_has_no_button(explorer):
    explorer.open("lane")
    assert not explorer.button("by-hand").is_visible()
    explorer.page.keyboard.press("e")
    assert not explorer.button("hand").is_visible()


def test_a_server_that_is_gone_says_so(explorers, start, tables):
    server = start([tables["rook"]])
    explorer = explorers(server)
    explorer.allow("ERR_CONNECTION_")
    explorer.open("rook")
    by_hand = Hand(explorer, "rook").open()
    assert server.stop() == 0
    by_hand.tool("white rook").click()
    by_hand.touch("b3")
    by_hand.says("The server does not answer. Look whether “retrograde serve” still runs.")


def test_the_game_of_the_guide_is_set_up_too(explorers, start, tmp_path):
    table = tmp_path / "bar.rtb"
    solve = [chomp(), "solve", "chomp", "--rows", "3", "--columns", "4", "-o", table, "--quiet"]
    subprocess.run(solve, check=True, capture_output=True)
    server = start([table], of=chomp())
    explorer = explorers(server)
    explorer.open("bar")
    by_hand = Hand(explorer, "bar").open()
    assert not explorer.button("turns").is_visible(), "positions do not say who is to move"
    by_hand.change("put", "take away", "d1")
    explorer.check_position("bar", "443")
    by_hand.change("put", "take away", "c2")
    by_hand.says("A row has a gap: bites come from the right.")
    by_hand.change("put", "chocolate", "c2")
    by_hand.change("put", "take away", "d3")
    by_hand.says("Play never comes to this position, so the table does not have it.")
    check_access(explorer)
    explorer.button("hand-start").click()
    explorer.check_position("bar", "444")
    explorer.button("hand-cancel").click()
