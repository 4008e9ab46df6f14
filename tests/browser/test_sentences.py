"""Sentences are for people: with all those of the server changed at random, the page works as before."""

import json
import random
import re

import pytest
from playwright.sync_api import expect

# The sentences of the server, for people. All else is data.
SENTENCES = {
    "about", "described", "description", "detail", "notation", "note", "problem", "rules", "title", "verdict",
}

LETTERS = "abcdefghij wins loses -'\"`:;,.<>[]{}%\\1=ü"


def changed(answer, words):
    """An answer with other sentences."""
    if isinstance(answer, list):
        return [changed(one, words) for one in answer]
    if not isinstance(answer, dict):
        return answer
    is_sentence = lambda name, one: name in SENTENCES and isinstance(one, str)
    return {
        name: "".join(words.choices(LETTERS, k=words.randrange(1, 60))) if is_sentence(name, one)
        else changed(one, words)
        for name, one in answer.items()
    }


@pytest.fixture(params=range(2))
def sentences(request, explorer):
    words = random.Random(request.param)

    def answer(route):
        response = route.fetch()
        if "json" not in response.headers.get("content-type", ""):
            return route.fulfill(response=response)
        return route.fulfill(response=response, body=json.dumps(changed(response.json(), words)))

    explorer.page.route(re.compile("/api/"), answer)
    yield explorer
    # The page may have asked for more than a test waits for: what is answered late is nobody's.
    explorer.page.unroute_all(behavior="ignoreErrors")


# Of games with and without names of the players, with points, with endless wins.
TABLES = ["park", "ring", "grid", "rook", "mnk", "kalah"]


@pytest.mark.parametrize("table", TABLES)
def test_the_page_reads_no_sentence(sentences, table):
    explorer = sentences
    server = explorer.server
    position = server.ask(table, "probe")
    moves = server.moves(table)
    explorer.open(table)
    # Both sides: what is shown is the server's sentence, whatever it is.
    assert [one["move"] for one in explorer.says()["moves"]] == [one["move"] for one in moves]
    assert explorer.says()["moves"][0]["worth"] == moves[0]["worth"]
    # A person who plays a side is told from the fields.
    for side, mine in [("1", True), ("-1", False)]:
        explorer.open(table)
        explorer.button("mode").select_option(side)
        is_first = position["to_move"] in (None, server.table(table)["players"][0])
        won = (position["value"] == "win") == (mine == is_first)
        if position["value"] != "draw":
            explorer.wait(position["state"])
            verdict = explorer.button("verdict")
            end = server.table(table).get("counted_in_moves")
            expect(verdict).to_have_text(expected(position, won, end))
    explorer.button("mode").select_option("0")


def expected(position, is_won, end=None):
    """What a person is told who wins, or loses, a position."""
    plies = position["plies"]
    points = f" by {position['points']}" if position.get("points") else ""
    if plies == 0:
        return f"You have {'won' if is_won else 'lost'}{points}"
    rest = f" in {plies} {'ply' if plies == 1 else 'plies'}" if plies is not None else ""
    if end and plies is not None:
        rest += f" ({end} in {(plies + 1) // 2})"
    if position["decided_by"] != "play":
        rest = {"endless": " by endless play", "ply-limit": " by the ply limit"}[position["decided_by"]]
    return f"You {'win' if is_won else 'lose'}{points}{rest}"


def test_a_game_is_played_to_its_end(sentences):
    explorer = sentences
    line = explorer.server.ask("park", "line")
    explorer.open("park")
    for step in line["line"]:
        explorer.choose(step)
    expect(explorer.button("turn")).to_have_text("Play is over.")
    explorer.button("mode").select_option("1")
    won = line["line"][-1]["outcome"] == explorer.server.table("park")["players"][0]
    expect(explorer.button("verdict")).to_have_text(f"You have {'won' if won else 'lost'}")


def test_a_position_that_is_none_has_its_error_and_a_way_on(sentences):
    explorer = sentences
    explorer.allow("status of 4")
    explorer.page.goto(explorer.address("park", "nonsense"))
    assert explorer.notice()
    explorer.page.locator("#notice a").click()
    explorer.wait(explorer.server.table("park")["start"])
    explorer.button("state").fill("1,99,mouse")
    explorer.button("state").press("Enter")
    expect(explorer.button("state")).to_have_attribute("aria-invalid", "true")
