"""Games with points: the page adds up what was gained, so that the end of best play is what its start was worth."""

import random
import re

import pytest
from playwright.sync_api import expect

from explorer import capital

# All shipped games with points. In the last one points are gained at the end alone.
TABLES = ["kalah", "awari", "dots", "othello"]

# Where a picture shows what each player has gained.
WITH_STORES = ["kalah", "awari", "dots"]


def random_state(server, table, chance):
    """A position of some random moves from the start, in which play is not over."""
    state = server.table(table)["start"]
    for _ in range(chance.randrange(12)):
        moves = [move for move in server.moves(table, state) if not move["over"]]
        if not moves:
            break
        state = chance.choice(moves)["state"]
    return state


def winner(position, facts):
    """The name of the winner as the page says it; `None` for a draw."""
    if position["value"] == "draw":
        return None
    if position["to_move"] is None:
        return "the first to move" if position["value"] == "win" else "the other player"
    return position["outcome"]


def stores(explorer):
    """What the stores show, by the names of their owners."""
    return dict(explorer.page.evaluate(
        """() => [...document.querySelectorAll('#board .store')].map((store) =>
            [store.querySelector('.owner').textContent, store.querySelector('.points').textContent])"""
    ))


@pytest.mark.parametrize("table", TABLES)
def test_the_end_of_best_play_is_worth_what_its_start_was(explorer, table):
    server = explorer.server
    facts = server.table(table)
    chance = random.Random(table)
    ended = 0
    for _ in range(20):
        state = random_state(server, table, chance)
        line = server.ask(table, "line", state)
        position = line["position"]
        signed = -position["points"] if position["value"] == "loss" else position["points"]
        assert not line["line"] or line["end"] != "over" or line["line"][-1]["score"] == signed
        if line["end"] != "over" or not line["line"] or len(line["line"]) > 40:
            continue
        ended += 1
        explorer.open(table, state)
        explorer.page.locator("#strip button:not(.more)").last.click()
        explorer.wait(line["line"][-1]["state"])
        won = winner(position, facts)
        expected = f"{capital(won)} has won by {position['points']}" if won else "draw"
        expect(explorer.button("verdict")).to_contain_text(re.compile(re.escape(expected), re.I))
        if table in WITH_STORES:
            points = [int(each) for each in stores(explorer).values()]
            assert abs(points[0] - points[1]) == position["points"]
    assert ended > 5 or table == "awari"


def test_the_banner_says_what_was_gained_and_what_is_to_come(explorer):
    explorer.open("kalah")
    start = explorer.server.ask("kalah", "probe")
    assert stores(explorer) == {"south": "0", "north": "0"}
    for step in explorer.server.ask("kalah", "line")["line"][:2]:
        explorer.choose(step)
    points = start["points"]
    expect(explorer.button("verdict")).to_have_text(f"South wins by {points}: 2 now, {points - 2} to come")
    assert stores(explorer) == {"south": "2", "north": "0"}
    expect(explorer.page.locator("#board .store.first")).to_have_attribute("aria-label", "South: 2 points")
    expect(explorer.button("line-note")).to_contain_text(f"south has won by {points}")
    # All of the curve is what the whole game is worth.
    heights = explorer.page.evaluate(
        "() => [...document.querySelectorAll('.chart-image circle')].map((dot) => dot.getAttribute('cy'))"
    )
    assert len(heights) > 5 and len(set(heights)) == 1
    explorer.button("mode").select_option("-1")
    expect(explorer.button("verdict")).to_have_text(f"You lose by {points}: −2 now, −{points - 2} to come")


def test_a_position_set_up_begins_at_nothing_and_says_so(explorer):
    explorer.open("kalah")
    expect(explorer.button("detail")).not_to_contain_text("begins at nothing")
    explorer.open("kalah", "2-0-0/0-4-3,north")
    expect(explorer.button("detail")).to_contain_text("The score begins at nothing here")
    assert stores(explorer) == {"south": "0", "north": "0"}


def test_a_board_of_the_mover_stays_and_the_last_move_is_where_it_was_made(explorer):
    """In awari a state has the houses of the player to move first. The page keeps them where they are."""
    explorer.open("awari")
    rows = """() => [...document.querySelectorAll('#board .place')]
        .map((place) => [place.getAttribute('data-place'), place.getBoundingClientRect()])
        .map(([place, { x, y }]) => [Math.round(y), Math.round(x), Number(place)]).sort((a, b) => a[0] - b[0] || a[1] - b[1])
        .map(([, , place]) => place)"""
    before = explorer.page.evaluate(rows)
    move = explorer.server.moves("awari")[0]
    explorer.choose(move)
    # The houses of who moved, which are the other's in the state now, are still below.
    after = explorer.page.evaluate(rows)
    assert [(place + 6) % 12 for place in before] == after
    [touched] = move["places"]
    ring = explorer.page.locator("#board .under .last, #board .under > *").first.bounding_box()
    house = explorer.place((touched + 6) % 12).bounding_box()
    assert abs(ring["y"] + ring["height"] / 2 - house["y"] - house["height"] / 2) < 5
    assert abs(ring["x"] + ring["width"] / 2 - house["x"] - house["width"] / 2) < 5
    left = explorer.page.locator("#board .store", has_text="second").bounding_box()
    right = explorer.page.locator("#board .store", has_text="first").bounding_box()
    assert left["x"] < house["x"] < right["x"]


def test_a_repetition_is_said_and_one_may_stop_or_go_on(explorer):
    explorer.open("ring")
    line = explorer.server.ask("ring", "line")
    assert line["end"] == "repetition" and line["endless"] == "draw"
    explorer.page.locator("#strip button:not(.more)").last.click()
    explorer.wait(line["line"][-1]["state"])
    note = explorer.button("game-note")
    for _ in range(40):
        if "third time" in note.text_content():
            break
        before = explorer.says()["steps"]
        explorer.page.keyboard.press("Space")
        expect(explorer.page.locator("#so-far button[aria-current]")).to_have_count(1)
        explorer.page.wait_for_function(
            "(count) => document.querySelectorAll('#so-far button').length > count", arg=len(before) - 1)
    expect(note).to_contain_text("The position is there for the third time: drawn by endless play.")
    note.get_by_role("button", name="stop").click()
    expect(note).to_contain_text("Play was stopped here.")
    steps = explorer.says()["steps"]
    explorer.page.keyboard.press("1")
    assert explorer.says()["steps"] == steps, "nobody moves after the end"
    note.get_by_role("button", name="go on").click()
    explorer.page.keyboard.press("1")
    expect(explorer.page.locator("#so-far button")).to_have_count(len(steps) + 1)


def test_a_drawing_move_says_how_many_replies_hold(explorer):
    explorer.open("mnk")
    said = {move["move"]: move["after"] for move in explorer.says()["moves"]}
    assert said["x r0c0"] == "play ends, 1 of 8 replies holds"
    assert said["x r1c1"] == "play ends, 4 of 8 replies hold"
    # The program makes the move that is hardest to answer: one in a corner.
    explorer.button("mode").select_option("-1")
    explorer.page.wait_for_function("() => document.querySelectorAll('#so-far button').length === 2")
    assert explorer.says()["steps"][1] in ["x r0c0", "x r0c2", "x r2c0", "x r2c2"]
