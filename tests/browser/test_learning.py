"""Training, review, what can be taken away, rules, and going from example to example."""

import re
import urllib.parse

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


def answer(explorer, table, is_right):
    """Answers the task that is shown, whatever it is. Returns what is said of the score then."""
    asked = explorer.button("task-count").text_content()
    note = explorer.button("task-note")
    for _ in range(30):
        state = explorer.says()["state"]
        moves = explorer.server.moves(table, state)
        names = explorer.page.locator("#groups .name")
        move = moves[0 if is_right else -1]["move"]
        names.filter(has_text=re.compile(f"^{re.escape(move)}$")).first.click()
        if not is_right:
            expect(note).to_contain_text("✗")
            return explorer.button("task-count").text_content()
        # A game that is won takes several plies. The program answers.
        expect(note.or_(explorer.page.locator("#turn"))).not_to_have_count(0)
        explorer.page.wait_for_function(
            "(state) => document.getElementById('task-note').textContent.includes('✓')"
            " || (document.getElementById('state').value !== state"
            " && document.getElementById('turn').textContent.includes(': you'))",
            arg=state,
        )
        if "✓" in note.text_content():
            return explorer.button("task-count").text_content()
    pytest.fail(f"{asked}: no end")


def following(explorer):
    """Goes to the next task."""
    said = explorer.button("task-count").text_content()
    explorer.button("task-next").click()
    expect(explorer.button("task-count")).not_to_have_text(said)
    expect(explorer.button("task")).to_have_text(TASK)


def test_a_wrong_answer_can_be_tried_again(explorer):
    state = begin(explorer, "rook", "Only one")
    moves = explorer.server.moves("rook", state)
    asked = answer(explorer, "rook", False)
    note = explorer.button("task-note")
    expect(note).to_contain_text(f"✗ {moves[-1]['move']} ")
    expect(note).to_contain_text("Try again")
    assert moves[0]["move"] not in note.text_content(), "the answer is not given away"
    assert explorer.says()["state"] == state
    assert explorer.page.locator(".group.plain").count() > 0, "values are hidden"
    assert answer(explorer, "rook", True) == asked, "the first answer counts"
    expect(note).to_contain_text(f"✓ Right, at try 2: {moves[0]['move']} ")


def test_a_wrong_answer_says_what_was_right(explorer):
    state = begin(explorer, "rook", "Only one")
    best = explorer.server.moves("rook", state)[0]
    answer(explorer, "rook", False)
    explorer.button("task-show").click()
    expect(explorer.button("task-note")).to_contain_text(f"✗ {best['move']} ")
    assert explorer.says()["state"] == state
    assert explorer.page.locator(".group.plain").count() == 0, "values are seen now"
    explorer.button("task-end").click()
    expect(explorer.button("task")).to_contain_text("0 of")
    missed = explorer.page.locator("#task-summary .found li")
    assert state in missed.locator("a").all_text_contents()
    expect(missed.locator(".small .scene")).to_have_count(missed.count())
    missed.last.locator("a").click()
    explorer.page.locator("#groups .move").first.wait_for()


def test_a_task_that_is_left_was_looked_up(explorer):
    explorer.open("rook")
    explorer.button("open-train").click()
    expect(explorer.button("task")).to_have_text(TASK)
    states = [explorer.says()["state"]]
    for count in (2, 3):
        following(explorer)
        states.append(explorer.says()["state"])
        expect(explorer.button("task-count")).to_have_text(f"0 of {count} right · level 1")
    explorer.button("task-end").click()
    # The last one was never tried.
    expect(explorer.button("task")).to_have_text("0 of 2 right.")
    assert explorer.page.locator("#task-summary a").all_text_contents() == states[:2]


def test_no_task_is_asked_twice(explorer):
    explorer.open("park")
    states = []
    for count in range(2):
        explorer.button("open-train").click()
        expect(explorer.button("task")).to_have_text(TASK)
        for _ in range(8):
            states.append(explorer.says()["state"])
            following(explorer)
        states.append(explorer.says()["state"])
        # What was asked is known after a reload, too.
        explorer.button("task-end").click()
        explorer.open("park")
        explorer.page.reload()
        explorer.wait(explorer.server.table("park")["start"])
    assert len(set(states)) == len(states) == 18


def test_tasks_are_of_all_parts_of_a_table(explorer):
    explorer.open("pawn")
    explorer.button("open-train").click()
    expect(explorer.button("task")).to_have_text(TASK)
    pieces = []
    for _ in range(9):
        board = explorer.says()["state"].split()[0]
        pieces.append("".join(sorted(re.sub("[^A-Za-jl-z]", "", board))))
        following(explorer)
    assert len(set(pieces)) >= 3, pieces
    assert all(len(set(pieces[at : at + 3])) > 1 for at in range(len(pieces) - 2)), pieces


def test_a_reload_goes_on_with_the_task(explorer):
    explorer.open("rook")
    explorer.button("open-train").click()
    expect(explorer.button("task")).to_have_text(TASK)
    for _ in range(3):
        answer(explorer, "rook", True)
        following(explorer)
    said, task, state = (
        explorer.button("task-count").text_content(),
        explorer.button("task").text_content(),
        explorer.says()["state"],
    )
    assert said == "3 of 4 right · level 2"
    explorer.page.reload()
    expect(explorer.button("task")).to_have_text(task)
    assert explorer.says()["state"] == state
    assert explorer.button("task-count").text_content() == said
    assert explorer.page.locator(".group.plain").count() > 0, "values are hidden"
    answer(explorer, "rook", True)
    expect(explorer.button("task-count")).to_have_text("4 of 4 right · level 2")
    explorer.page.reload()
    expect(explorer.button("task-count")).to_have_text("4 of 4 right · level 2")
    explorer.button("task-end").click()
    # The level stays for the next time.
    explorer.button("open-train").click()
    expect(explorer.button("task-count")).to_have_text("0 of 1 right · level 2")


def test_a_set_of_tasks_is_a_link(explorers):
    explorer = explorers(permissions=["clipboard-read", "clipboard-write"])
    explorer.open("park")
    explorer.button("open-train").click()
    expect(explorer.button("task")).to_have_text(TASK)
    tasks = []
    for count in range(3):
        tasks.append((explorer.says()["state"], explorer.button("task").text_content()))
        answer(explorer, "park", count > 0)
        if count < 2:
            following(explorer)
    explorer.button("task-end").click()
    expect(explorer.button("task")).to_have_text("2 of 3 right.")
    explorer.button("copy-tasks").click()
    expect(explorer.button("task-note")).to_contain_text("The link is copied.")
    address = explorer.page.evaluate("() => navigator.clipboard.readText()")
    # Whoever opens it gets the same tasks, in another window and from the front page.
    other = explorers()
    other.page.goto(address)
    for count, (state, task) in enumerate(tasks, 1):
        expect(other.button("task")).to_have_text(task)
        assert other.says()["state"] == state
        expect(other.button("task-count")).to_have_text(f"{count - 1} of {count} right · task {count} of 3")
        answer(other, "park", True)
        other.button("task-next").click()
    expect(other.button("task")).to_have_text("3 of 3 right.")


def test_a_set_of_tasks_may_have_positions_that_are_none(explorer):
    explorer.allow("status of 4")
    explorer.open("rook")
    won = explorer.server.ask("rook", "examples", kind="win", plies=3)["examples"][0]["state"]
    address = ",".join(urllib.parse.quote(state, safe="") for state in ("nonsense", won))
    explorer.page.goto(f"{explorer.server.url}/#rook/?train=win:{address}")
    expect(explorer.button("task-note")).to_contain_text("Press “next” to go on.")
    explorer.button("task-next").click()
    expect(explorer.button("task")).to_have_text("White can win in 3 plies. Win it.")
    assert explorer.says()["state"] == won
    # The program answers, though the page was opened with the link.
    answer(explorer, "rook", True)
    expect(explorer.button("task-note")).to_contain_text("✓ Won in 3 plies")
    explorer.button("task-end").click()
    assert explorer.button("mode").input_value() == "0"


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
    levels = []
    for is_right in (True, True, True, False, False):
        levels.append(answer(explorer, "rook", is_right)[-1])
        following(explorer)
    assert levels == ["1", "1", "2", "2", "1"]


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
    explorer.button("copy-task").click()
    expect(explorer.button("share-note")).to_contain_text("The link is copied.")
    task = explorer.page.evaluate(clipboard)
    assert task == f"{explorer.server.url}/#rook/?train={urllib.parse.quote(state, safe='').replace('%20', '+')}"
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
