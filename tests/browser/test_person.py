"""A person against the program: whose words and colours, whose turn, hidden values, levels."""

import re

import pytest
from playwright.sync_api import expect

from explorer import PHONE, capital
from program import ROOT

SECOND = "-1"
FIRST = "1"


def play_as(explorer, side, level=None):
    explorer.button("mode").select_option(side)
    if level:
        explorer.button("level").select_option(level)


def wait_for_turn(explorer, mover):
    explorer.page.locator("#turn", has_text=f"{capital(mover)} to move: you").wait_for()


def shade(explorer):
    classes = explorer.button("value").get_attribute("class").split()
    return next(name for name in ("win", "draw", "loss", "plain") if name in classes)


def test_words_and_colours_are_those_of_the_person_who_plays_a_side(explorer):
    """Mouse wins the park: to whoever plays the cat, that is a loss, whoever is to move."""
    explorer.open("park")
    assert shade(explorer) == "win", "both sides: the player to move"
    play_as(explorer, SECOND)
    expect(explorer.button("verdict")).to_have_text("You lose in 7 plies")
    expect(explorer.button("turn")).to_have_text("Mouse to move: the program.")
    assert shade(explorer) == "loss"
    assert explorer.page.locator("#groups .group.loss h3").text_content().endswith("You lose")
    wait_for_turn(explorer, "cat")
    assert shade(explorer) == "loss"
    assert explorer.page.locator("#chart .side.above").text_content() == "↑ sooner won by you"
    explorer.open("rook")
    play_as(explorer, FIRST)
    expect(explorer.button("verdict")).to_have_text("You win in 31 plies (mate in 16)")
    move = explorer.server.moves("rook")[0]
    explorer.choose(move)
    expect(explorer.button("turn")).to_have_text("Black to move: the program.")
    assert shade(explorer) == "win"
    play_as(explorer, "0")
    expect(explorer.button("verdict")).to_contain_text("White wins in")


def test_a_game_with_points_is_told_from_the_person_side(explorer):
    explorer.open("kalah")
    play_as(explorer, SECOND)
    position = explorer.server.ask("kalah", "probe")
    assert position["value"] == "win"
    expect(explorer.button("verdict")).to_have_text(
        f"You lose by {position['points']} in {position['plies']} plies"
    )
    best = explorer.server.moves("kalah")[0]
    first = explorer.page.locator("#groups .after").first
    assert first.text_content().startswith(f"-{best['total']}: ")


def test_nobody_moves_for_the_program_while_it_waits(explorer):
    explorer.open("rook")
    moves = explorer.server.moves("rook")
    # The program waits longer, so that a busy machine touches the board in time.
    explorer.page.evaluate(
        "() => { const real = window.setTimeout; window.setTimeout = (work, wait) => real(work, 8 * wait); }"
    )
    play_as(explorer, SECOND)
    worst = moves[-1]
    explorer.page.locator("#groups .move").last.click()
    explorer.touch(worst["places"][0])
    assert explorer.page.locator("#board .refusal").text_content().startswith("It is the program’s turn.")
    explorer.page.keyboard.press("9")
    wait_for_turn(explorer, "black")
    steps = explorer.says()["steps"]
    assert len(steps) == 2
    assert steps[1] in [move["move"] for move in moves if move["best"]]


def test_the_second_player_sees_the_board_from_the_other_side(explorer):
    explorer.open("rook")
    corner = explorer.place_named("rook", "a1")
    before = explorer.centre(corner)
    play_as(explorer, SECOND)
    explorer.page.wait_for_function("() => location.hash.includes('flip')")
    assert explorer.centre(corner)[1] < before[1] - 100
    play_as(explorer, FIRST)
    explorer.page.wait_for_function("() => !location.hash.includes('flip')")


def test_a_reload_knows_who_plays(explorer):
    explorer.open("rook")
    play_as(explorer, SECOND, "hard")
    wait_for_turn(explorer, "black")
    state = explorer.says()["state"]
    explorer.page.reload()
    explorer.wait(state)
    wait_for_turn(explorer, "black")
    assert explorer.button("mode").input_value() == SECOND
    assert explorer.button("level").input_value() == "hard"
    explorer.choose(explorer.server.moves("rook", state)[0])
    wait_for_turn(explorer, "black")
    # Another table is begun anew.
    explorer.open("park")
    assert explorer.button("mode").input_value() == "0"
    assert not explorer.button("level").is_visible()


def test_the_program_that_is_hard_to_answer_leaves_the_fewest_answers(explorer):
    """Among equal moves it takes those after which the fewest keep the value."""
    table = "park"
    examples = explorer.server.ask(table, "examples", kind="loss", count=100)["examples"]
    kept = {"win": "won", "draw": "drawn", "loss": "lost"}
    for position in examples:
        best = [move for move in explorer.server.moves(table, position["state"]) if move["best"]]
        counts = []
        for move in best:
            answer = explorer.server.ask(table, "moves", move["state"])
            group = answer[kept[answer["position"]["value"]]]
            counts.append((len(group), sum(one["best"] for one in answer["won"] + answer["drawn"] + answer["lost"])))
        if len(set(counts)) > 1:
            break
    else:
        pytest.fail("no position of the table tells the levels apart")
    hardest = [move["state"] for move, count in zip(best, counts) if count == min(counts)]
    other = SECOND if position["to_move"] == "mouse" else FIRST
    for _ in range(4):
        explorer.open(table, position["state"])
        explorer.button("mode").select_option("0")
        explorer.button("level").evaluate("(level) => { level.value = 'hard'; level.dispatchEvent(new Event('change')); }")
        play_as(explorer, other)
        explorer.page.locator("#turn", has_text=": you").wait_for()
        assert explorer.says()["state"] in hardest


@pytest.mark.parametrize("level", ["careful", "human", "hasty"])
def test_the_program_with_mistakes_makes_some(explorer, level):
    explorer.open("rook")
    explorer.page.add_init_script("Math.random = () => 0;")
    explorer.page.reload()
    explorer.wait(explorer.server.table("rook")["start"])
    play_as(explorer, SECOND)
    explorer.button("level").select_option(level)
    explorer.button("start").click()
    play_as(explorer, FIRST)
    play_as(explorer, SECOND)
    wait_for_turn(explorer, "black")
    best = [move["move"] for move in explorer.server.moves("rook") if move["best"]]
    assert explorer.says()["steps"][1] not in best


# The mistakes of a strength at a position, many times.
MISTAKES = """async ({ moves, level, times }) => {
  const { STRENGTHS, mistake } = await import('/mistakes.js');
  const made = {};
  for (let at = 0; at < times; at += 1) {
    const { move } = mistake(moves, STRENGTHS[level]);
    made[move] = (made[move] ?? 0) + 1;
  }
  return made;
}"""


def test_mistakes_lose_like_people(explorer):
    """A rook is given away more rarely than time, and the less the stronger the program is."""
    state = "8/8/8/4k3/8/8/3R4/K7 w - - 0 1"
    # The program sends all modules as one script.
    source = ROOT / "src/program/serve/page/mistakes.js"
    explorer.page.route(
        "**/mistakes.js",
        lambda route: route.fulfill(body=source.read_text(), content_type="text/javascript"),
    )
    explorer.open("rook", state)
    moves = explorer.server.moves("rook", state)
    given = {move["move"] for move in moves if move["worth"] == "draw"}
    slow = {move["move"] for move in moves if move["worth"] == "win" and not move["best"]}
    assert given and slow
    parts = []
    for level in ("careful", "human", "hasty"):
        made = explorer.page.evaluate(MISTAKES, {"moves": moves, "level": level, "times": 2000})
        lost = sum(count for move, count in made.items() if move in given) / len(given)
        kept = sum(count for move, count in made.items() if move in slow) / len(slow)
        assert lost < kept / 2
        parts.append(lost / kept)
    assert parts == sorted(parts) and parts[0] < parts[2] / 3
    # Of moves that lose, the one that loses late is likelier than the one that loses at once.
    losing = [
        {"move": "best", "worth": "draw", "plies": None, "best": True},
        {"move": "late", "worth": "loss", "plies": 40, "best": False},
        {"move": "soon", "worth": "loss", "plies": 2, "best": False},
    ]
    for level in ("careful", "human", "hasty"):
        made = explorer.page.evaluate(MISTAKES, {"moves": losing, "level": level, "times": 1000})
        assert made["late"] > 2 * made.get("soon", 0)
    # Where all moves are best, there is none to make.
    assert explorer.page.evaluate(
        "async () => { const { STRENGTHS, mistake } = await import('/mistakes.js');"
        " return mistake([{ worth: 'draw', best: true, plies: null }], STRENGTHS.hasty) === undefined; }"
    )


VALUES = re.compile(r"\b(wins?|draws?|loses?|lost|won|drawn|plies|best)\b", re.IGNORECASE)


@pytest.mark.parametrize("table", ["rook", "mnk", "kalah", "morris"])
def test_hidden_values_are_given_away_by_nothing(explorer, table):
    explorer.open(table)
    best_first = [move["move"] for move in explorer.says()["moves"]]
    explorer.button("values").click()
    expect(explorer.button("values")).to_have_text("show values")
    for ply in range(2):
        page = explorer.page
        for part in ("value", "moves", "board"):
            said = page.locator(f"#{part}").inner_text()
            assert not VALUES.search(said), said
        labels = page.locator("#board [aria-label], #moves [aria-label], #game [aria-label]").evaluate_all(
            "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('aria-label'))"
        )
        assert labels and not [label for label in labels if VALUES.search(label)]
        assert not VALUES.search(page.title())
        for hidden in ("chart", "line"):
            assert not explorer.button(hidden).is_visible()
        assert page.locator(".group.win, .group.draw, .group.loss, #histogram .lit").count() == 0
        assert page.locator("#board .win, #board .loss, #board .badge.draw").count() == 0
        if ply == 0:
            names = page.locator("#groups .name").all_text_contents()
            assert sorted(names) == sorted(best_first)
            page.locator("#groups .move").first.click()
            page.locator("#so-far button").nth(1).wait_for()
    # Space would play the best move.
    before = explorer.says()["state"]
    explorer.page.evaluate("() => document.activeElement.blur()")
    explorer.page.keyboard.press("Space")
    explorer.page.wait_for_timeout(300)
    assert explorer.says()["state"] == before
    explorer.page.reload()
    explorer.wait(before)
    expect(explorer.button("values")).to_have_text("show values")
    explorer.page.keyboard.press("v")
    verdict = explorer.server.ask(table, "probe", before)["verdict"]
    expect(explorer.button("verdict")).to_have_text(capital(verdict))


def test_a_place_that_cannot_be_used_says_why(explorer):
    explorer.open("rook")
    said = explorer.page.locator("#board .refusal")
    explorer.touch(explorer.place_named("rook", "h8"))
    expect(said).to_have_text("h8, empty: no move begins here. White to move.")
    box, place = said.bounding_box(), explorer.centre(explorer.place_named("rook", "h8"))
    assert abs(box["y"] - place[1]) < 90, "at the place"
    explorer.drag([explorer.place_named("rook", "b2"), explorer.place_named("rook", "h8")])
    expect(said).to_have_text("No move leads from b2 to h8.")
    explorer.open("park", "0,9,cat")
    explorer.touch(4)
    expect(said).to_have_text("Play is over.")


@pytest.mark.parametrize("how", ["board", "hand"])
def test_a_piece_is_dragged_by_a_finger_and_nothing_scrolls(explorers, how):
    explorer = explorers(viewport={**PHONE, "height": 500}, has_touch=True, is_mobile=True)
    explorer.open("rook")
    if how == "hand":
        explorer.button("by-hand").click()
        explorer.page.locator("#hand-board .place").first.wait_for()
    board = "#board" if how == "board" else "#hand-board"
    explorer.page.evaluate("(board) => document.querySelector(board).scrollIntoView()", board)
    names = ("b2", "b7")
    boxes = [
        explorer.page.locator(f'{board} .place[data-place="{explorer.place_named("rook", name)}"] .shape').bounding_box()
        for name in names
    ]
    [begin, end] = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    before = explorer.page.evaluate("() => window.scrollY")
    session = explorer.page.context.new_cdp_session(explorer.page)

    def touch(kind, at=None):
        points = [] if at is None else [{"x": at[0], "y": at[1]}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", begin)
    for step in range(1, 11):
        touch("touchMove", tuple(a + (b - a) * step / 10 for a, b in zip(begin, end)))
        explorer.page.wait_for_timeout(16)
    touch("touchEnd")
    if how == "board":
        explorer.page.wait_for_function("() => document.querySelectorAll('#so-far button').length === 2")
        assert explorer.says()["steps"][1] == "Rb7"
    else:
        explorer.page.wait_for_function("() => document.getElementById('state').value.includes('1R6/8/8/8/2k5/8')")
    assert explorer.page.evaluate("() => window.scrollY") == before
    if how == "hand":
        return
    # Elsewhere a finger scrolls.
    touch("touchStart", (10, 300))
    for step in range(1, 11):
        touch("touchMove", (10, 300 - 20 * step))
        explorer.page.wait_for_timeout(16)
    touch("touchEnd")
    explorer.page.wait_for_function("(before) => window.scrollY !== before", arg=before)


def test_a_piece_glides_unless_the_system_asks_for_less_movement(explorers):
    for motion, moves in (("no-preference", True), ("reduce", False)):
        explorer = explorers(reduced_motion=motion)
        explorer.open("rook")
        explorer.page.evaluate(
            "() => { window.glided = 0; const whole = Element.prototype.animate;"
            " Element.prototype.animate = function (...all) { window.glided += 1; return whole.apply(this, all); }; }"
        )
        explorer.choose(explorer.server.moves("rook")[0])
        assert (explorer.page.evaluate("() => window.glided") == 1) == moves


def test_a_mill_that_captures_shows_its_man_at_once(explorer):
    table = "morris"
    found = explorer.server.ask(table, "examples", kind="win", count=100)["examples"]
    found += explorer.server.ask(table, "examples", kind="win", count=100, seed=7)["examples"]
    for position in found:
        moves = explorer.server.moves(table, position["state"])
        move = next((one for one in moves if len(one["places"]) > 2), None)
        if move:
            break
    explorer.open(table, position["state"])
    explorer.touch(move["places"][0])
    explorer.touch(move["places"][1])
    shown = explorer.page.locator("#board .piece[transform]")
    expect(shown).to_have_count(1)
    box, (x, y) = shown.bounding_box(), explorer.centre(move["places"][1])
    assert abs(box["x"] + box["width"] / 2 - x) < 3 and abs(box["y"] + box["height"] / 2 - y) < 3
    explorer.page.keyboard.press("Escape")
    expect(shown).to_have_count(0)
