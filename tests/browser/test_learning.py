"""Training, review, what can be taken away, rules, and going from example to example."""

import re

import pytest
from playwright.sync_api import expect

TASK = re.compile(r"^(Only one move (wins|draws)\. Find it\.|.* can win in \d+ pl(y|ies)\. Win it\.)$")


def begin(explorer, table, kind=None):
    """Begins to train, with a task of this kind. Returns its state."""
    explorer.open(table)
    explorer.button("open-train").click()
    for _ in range(30):
        expect(explorer.button("task")).to_have_text(TASK)
        task = explorer.button("task").text_content()
        if kind is None or kind in task:
            return explorer.says()["state"]
        said = explorer.button("task-count").text_content()
        explorer.button("task-next").click()
        expect(explorer.button("task-count")).not_to_have_text(said)
    pytest.fail(f"no task says {kind}")


@pytest.mark.parametrize("table", ["rook", "park", "mnk", "hexapawn", "kalah"])
def test_the_only_move_is_found(explorer, table):
    state = begin(explorer, table, "Only one")
    wanted = "win" if "wins" in explorer.button("task").text_content() else "draw"
    moves = explorer.server.moves(table, state)
    kept = [move for move in moves if move["worth"] == wanted]
    assert len(kept) == 1 and moves[0] == kept[0], "one move keeps the value"
    assert explorer.says()["verdict"] != explorer.server.ask(table, "probe", state)["verdict"]
    explorer.choose(kept[0])
    expect(explorer.button("task-note")).to_contain_text(f"✓ Right: {kept[0]['move']}")
    assert "1 of" in explorer.button("task-count").text_content()


def test_a_wrong_answer_says_what_was_right(explorer):
    state = begin(explorer, "rook", "Only one")
    moves = explorer.server.moves("rook", state)
    names = explorer.page.locator("#groups .name")
    names.filter(has_text=re.compile(f"^{re.escape(moves[-1]['move'])}$")).click()
    note = explorer.button("task-note")
    expect(note).to_contain_text(f"✗ {moves[-1]['move']} ")
    expect(note).to_contain_text(f"{moves[0]['move']} ")
    assert explorer.says()["state"] == state
    assert explorer.page.locator(".group.plain").count() == 0, "values are seen now"
    explorer.button("task-end").click()
    expect(explorer.button("task")).to_contain_text("0 of")
    missed = explorer.page.locator("#task-summary a")
    assert state in missed.all_text_contents()
    missed.first.click()
    explorer.page.locator("#groups .move").first.wait_for()


def test_what_is_won_is_won_against_the_program(explorer):
    state = begin(explorer, "park", "Win it")
    mine = explorer.server.ask("park", "probe", state)["to_move"]
    for _ in range(20):
        expect(explorer.button("task-note").or_(explorer.page.locator("#turn", has_text=": you"))).not_to_have_count(0)
        state = explorer.says()["state"]
        position = explorer.server.ask("park", "probe", state)
        if position["over"]:
            break
        if position["to_move"] == mine:
            explorer.choose(explorer.server.moves("park", state)[0])
        else:
            explorer.page.wait_for_function(
                "(state) => document.getElementById('state').value !== state", arg=state
            )
    expect(explorer.button("task-note")).to_contain_text("✓ Won in")


def test_it_gets_harder_after_three_right_and_easier_after_two_wrong(explorer):
    explorer.open("rook")
    explorer.button("open-train").click()
    expect(explorer.button("task")).to_have_text(TASK)
    level = explorer.button("task-count")

    def following():
        said = level.text_content()
        explorer.button("task-next").click()
        expect(level).not_to_have_text(said)
        expect(explorer.button("task")).to_have_text(TASK)

    def answer(is_right):
        while "Only one" not in explorer.button("task").text_content():
            following()
        move = explorer.server.moves("rook", explorer.says()["state"])[0 if is_right else -1]
        names = explorer.page.locator("#groups .name")
        names.filter(has_text=re.compile(f"^{re.escape(move['move'])}$")).click()
        expect(explorer.button("task-note")).to_contain_text("✓" if is_right else "✗")
        said = level.text_content()
        following()
        return said

    assert [answer(True)[-1] for _ in range(3)] == ["1", "1", "2"]
    assert [answer(False)[-1] for _ in range(2)] == ["2", "1"]


def paste(explorer, text):
    explorer.button("open-review").click()
    explorer.button("review-text").fill(text)
    explorer.button("review-go").click()


def test_a_game_is_pasted_and_its_mistakes_are_named(explorer):
    explorer.open("park")
    won = explorer.server.ask("park", "examples", kind="win", plies=3)["examples"]
    worst = [(one["state"], explorer.server.moves("park", one["state"])) for one in won]
    start, moves = next((state, moves) for state, moves in worst if moves[-1]["worth"] == "loss")
    bad, good = moves[-1], moves[0]
    reply = explorer.server.moves("park", bad["state"])[0]
    paste(explorer, f"# a game\nstart: {start}\n{bad['move']}\n{reply['move']}\n")
    mistakes = explorer.page.locator("#report-mistakes button")
    expect(mistakes).to_have_count(1)
    said = mistakes.text_content()
    assert said.startswith(f"ply 1: {bad['move']} loses in {bad['plies'] + 1} plies; {good['move']} wins in 3 plies")
    assert explorer.says()["state"] == reply["state"]
    sides = explorer.page.locator("#report-sides p").all_text_contents()
    assert sorted(sides)[0 if "cat" in bad["move"] else 1].endswith("1 move, 0 of them best, 1 mistake.")
    mistakes.click()
    explorer.wait(bad["state"])
    # What is saved is read again.
    explorer.button("open-review").click()
    saved = explorer.button("review-text").input_value()
    assert saved.splitlines()[1:] == [f"start: {start}", bad["move"], reply["move"]]
    with explorer.page.expect_download() as download:
        explorer.button("review-save").click()
    assert download.value.suggested_filename == "park.txt"
    assert download.value.path().read_text() == saved
    explorer.button("review-text").fill("")
    explorer.button("review-file").set_input_files(download.value.path())
    explorer.page.wait_for_function("(text) => document.getElementById('review-text').value === text", arg=saved)
    explorer.button("review-go").click()
    explorer.wait(reply["state"])


def test_a_game_of_chess_is_read_as_pgn_and_saved_as_such(explorer):
    explorer.open("rook")
    fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"
    paste(explorer, f'[Event "x"]\n[FEN "{fen}"]\n\n1. Rb7 {{a (long) way}} Kd4 (1... Kc4 2. Kb2) 2. Kb2! $1 Kd5 *\n')
    explorer.page.wait_for_function("() => document.querySelectorAll('#so-far button').length === 5")
    assert explorer.says()["steps"] == ["start", "Rb7", "Kd4", "Kb2", "Kd5"]
    with explorer.page.expect_download() as download:
        explorer.button("open-review").click()
        explorer.button("review-save").click()
    text = download.value.path().read_text()
    assert f'[FEN "{fen}"]' in text and "1. Rb7 Kd4 2. Kb2 Kd5 *" in text
    explorer.page.keyboard.press("Escape")
    # A position alone is read, too.
    paste(explorer, "8/8/8/8/8/1k6/7R/K7 w - - 0 1\n")
    explorer.wait("8/8/8/8/8/1k6/7R/K7 w - - 0 1")


@pytest.mark.parametrize(
    ["text", "problem"],
    [("", "Write the moves of a game first"), ("Kb1\nKz9\n", "Ply 2: “Kz9” is no move there. The moves there are "),
     ("start: nowhere\n", "nowhere")],
)
def test_a_text_that_is_no_game_is_told_where_it_is_wrong(explorer, text, problem):
    explorer.allow("status of 4")
    explorer.open("rook")
    before = explorer.says()
    paste(explorer, text)
    expect(explorer.button("review-error")).to_contain_text(problem)
    explorer.page.keyboard.press("Escape")
    assert explorer.says() == before


def test_link_position_and_picture_are_taken_away(explorers):
    explorer = explorers(permissions=["clipboard-read", "clipboard-write"])
    explorer.open("rook")
    explorer.choose(explorer.server.moves("rook")[0])
    state = explorer.says()["state"]
    clipboard = "() => navigator.clipboard.readText()"
    explorer.button("open-share").click()
    explorer.button("copy-position").click()
    expect(explorer.button("share-note")).to_have_text("The position is copied.")
    assert explorer.page.evaluate(clipboard) == state
    explorer.button("copy-link").click()
    expect(explorer.button("share-note")).to_have_text("The link is copied.")
    assert explorer.page.evaluate(clipboard) == explorer.page.url
    with explorer.page.expect_download() as download:
        explorer.button("save-svg").click()
    svg = download.value.path().read_text()
    assert svg.startswith("<svg") and "♚" in svg and "--cell" in svg and 'class="over"' not in svg
    with explorer.page.expect_download() as download:
        explorer.button("save-png").click()
    data = download.value.path().read_bytes()
    assert data.startswith(b"\x89PNG") and len(data) > 5_000
    assert int.from_bytes(data[16:20], "big") == 1200


def test_examples_are_small_boards_from_all_over_the_table(explorer):
    explorer.open("rook")
    explorer.page.locator("#kinds button", has_text="endless draws").click()
    links = explorer.page.locator("#examples .found a")
    expect(links).to_have_count(20)
    states = links.all_text_contents()
    assert len(set(states)) == 20
    assert sum("R" in state for state in states) > 10, "not bare kings alone"
    expect(explorer.page.locator("#examples .small .scene")).to_have_count(20)
    explorer.page.locator("#kinds button", has_text=re.compile("^draws$")).click()
    expect(explorer.page.locator("#examples h3")).to_have_text("Draws")
    expect(links).to_have_count(20)
    assert not set(states) <= set(links.all_text_contents())


def test_one_goes_from_example_to_example_and_back_to_where_the_list_was(explorer):
    explorer.open("rook")
    explorer.page.locator("#kinds button", has_text="longest wins").click()
    links = explorer.page.locator("#examples .found a")
    links.nth(9).wait_for()
    states = links.all_text_contents()
    # Each board that is drawn moves what is below it.
    expect(explorer.page.locator("#examples .small .scene")).to_have_count(len(states))
    # The start is one of the longest wins: a link to it leads nowhere.
    start = explorer.server.table("rook")["start"]
    at = next(at for at in range(2, 6) if start not in states[at : at + 2])
    links.nth(at).hover()
    before = explorer.page.evaluate("() => window.scrollY")
    links.nth(at).click()
    explorer.wait(states[at])
    expect(explorer.button("walk-title")).to_have_text(f"Longest wins: {at + 1} of {len(states)}")
    explorer.button("walk-on").click()
    explorer.wait(states[at + 1])
    explorer.button("walk-back").click()
    explorer.wait(states[at])
    for state in (states[at + 1], states[at], start):
        explorer.page.go_back()
        explorer.wait(state)
    explorer.page.wait_for_function("(before) => Math.abs(window.scrollY - before) < 30", arg=before)
    links.nth(at).click()
    explorer.wait(states[at])
    explorer.button("walk-random").click()
    explorer.page.wait_for_function("(state) => document.getElementById('state').value !== state", arg=states[at])
    position = explorer.server.ask("rook", "probe", explorer.says()["state"])
    assert (position["value"], position["plies"]) == ("win", 31)


def test_the_winning_row_is_struck_through(explorer):
    explorer.open("mnk", "xxx/oo./...")
    line = explorer.page.locator("#board .strike")
    expect(line).to_have_count(1)
    first, last = explorer.centre(0), explorer.centre(2)
    box = line.bounding_box()
    assert abs(box["x"] - first[0]) < 8 and abs(box["x"] + box["width"] - last[0]) < 8
    explorer.open("mnk", "xx./oo./...")
    expect(line).to_have_count(0)


def test_the_board_says_how_far_the_end_is(explorer):
    explorer.open("rook")
    move = explorer.server.moves("rook")[0]
    explorer.touch(move["places"][0])
    far = explorer.page.locator("#board .badge .far")
    assert str(move["plies"]) in far.all_text_contents()
