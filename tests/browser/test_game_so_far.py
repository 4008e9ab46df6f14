"""Going through a game: keys, buttons, the browser's Back, links."""

import pytest
from playwright.sync_api import expect

from explorer import capital, encode


def play_best(explorer, table, plies):
    """Plays best moves. Returns the states, with the start."""
    start = explorer.server.table(table)["start"]
    explorer.open(table)
    line = explorer.server.ask(table, "line")["line"][:plies]
    for step in line:
        explorer.choose(step)
    return [start, *(step["state"] for step in line)]


def test_digits_play_the_moves_in_order(explorer):
    explorer.open("hexapawn")
    state = None
    for digit in (2, 1, 1):
        move = explorer.server.moves("hexapawn", state)[digit - 1]
        explorer.page.keyboard.press(str(digit))
        explorer.wait(move["state"])
        state = move["state"]
    explorer.page.keyboard.press("9")
    assert explorer.says()["state"] == state, "there are no nine moves"


def test_space_plays_the_best_move_and_arrows_go_back_and_forward(explorer):
    explorer.open("park")
    states = [explorer.says()["state"]]
    for step in explorer.server.ask("park", "line")["line"]:
        explorer.page.keyboard.press("Space")
        explorer.wait(step["state"])
        states.append(step["state"])
    assert explorer.says()["turn"] == "Play is over."
    keys = explorer.page.keyboard
    keys.press("ArrowLeft")
    explorer.wait(states[-2])
    keys.press("ArrowLeft")
    explorer.wait(states[-3])
    keys.press("ArrowRight")
    explorer.wait(states[-2])
    keys.press("Home")
    explorer.wait(states[0])
    keys.press("End")
    explorer.wait(states[-1])


def test_signs_open_the_keys_and_the_field(explorer):
    explorer.open("park")
    explorer.page.keyboard.press("?")
    explorer.page.locator("#keys[open]").wait_for()
    assert "the best move" in explorer.page.locator("#key-list").text_content()
    explorer.page.keyboard.press("Escape")
    explorer.page.locator("#keys[open]").wait_for(state="detached")
    # A dialog that closes gives the focus back a little later.
    explorer.page.wait_for_function("() => !document.activeElement.closest('dialog')")
    explorer.page.keyboard.press("/")
    explorer.page.wait_for_function("() => document.activeElement.id === 'state'")
    explorer.page.keyboard.type("1")
    assert explorer.says()["state"] == "1", "a digit in the field is no move"


def test_letters_and_digits_can_be_turned_off(explorer):
    explorer.open("park")
    explorer.button("open-keys").click()
    explorer.button("keys-on").uncheck()
    explorer.page.keyboard.press("Escape")
    before = explorer.says()
    for key in ("1", "Space", "f"):
        explorer.page.keyboard.press(key)
    explorer.page.wait_for_timeout(200)
    assert explorer.says() == before
    explorer.page.reload()
    explorer.wait(before["state"])
    assert not explorer.button("keys-on").is_checked(), "remembered"


def test_the_board_is_played_by_keys_alone(explorer):
    explorer.open("rook")
    rook = explorer.place_named("rook", "b2")
    move = next(move for move in explorer.server.moves("rook") if move["places"][0] == rook)
    [begin, end] = [divmod(place, 8) for place in move["places"]]
    keys = explorer.page.keyboard
    # Tab comes to the board from what is before it.
    explorer.button("theme").focus()
    for _ in range(5):
        keys.press("Tab")
        if explorer.page.evaluate("() => Boolean(document.activeElement.closest('#board'))"):
            break
    at = explorer.page.evaluate("() => document.activeElement.getAttribute('data-place')")
    assert at is not None, "the board was reached"
    at = divmod(int(at), 8)
    for goal in (begin, end):
        for _ in range(abs(goal[0] - at[0])):
            keys.press("ArrowDown" if goal[0] > at[0] else "ArrowUp")
        for _ in range(abs(goal[1] - at[1])):
            keys.press("ArrowRight" if goal[1] > at[1] else "ArrowLeft")
        keys.press("Enter")
        at = goal
    explorer.wait(move["state"])
    # Whoever plays by keys goes on from where the last place was.
    at = explorer.page.evaluate("() => document.activeElement.getAttribute('data-place')")
    assert at == str(move["places"][1])
    said = explorer.page.locator("#live").text_content()
    assert capital(explorer.server.ask("rook", "probe", move["state"])["verdict"]) in said


def test_buttons_and_the_browser_go_back_and_forward(explorer):
    states = play_best(explorer, "rook", 4)
    explorer.button("back").click()
    explorer.wait(states[3])
    explorer.button("forward").click()
    explorer.wait(states[4])
    explorer.button("start").click()
    explorer.wait(states[0])
    assert explorer.button("back").get_attribute("aria-disabled") == "true"
    assert explorer.says()["steps"][1:], "the game is still there"
    explorer.page.go_back()
    explorer.wait(states[4])
    explorer.page.go_back()
    explorer.wait(states[3])
    explorer.page.go_forward()
    explorer.wait(states[4])


def test_back_takes_back_a_move(explorer):
    states = play_best(explorer, "rook", 3)
    for state in reversed(states[:3]):
        explorer.page.go_back()
        explorer.wait(state)
        explorer.check_position("rook", state)
    explorer.page.go_forward()
    explorer.wait(states[1])


@pytest.mark.parametrize("table", ["rook", "park", "dobutsu", "morris"])
def test_a_link_and_a_reload_show_the_same_game(explorer, table):
    states = play_best(explorer, table, 3)
    explorer.button("back").click()
    explorer.wait(states[2])
    before = explorer.says()
    explorer.page.reload()
    explorer.wait(states[2])
    explorer.page.locator("#so-far [aria-current]", has_text=before["steps"][2]).wait_for()
    after = explorer.says()
    # What was ahead of the position is not part of its address.
    assert after["steps"] == before["steps"][:3]
    assert {**after, "steps": 0} == {**before, "steps": 0}
    other = explorer.page.context.new_page()
    other.goto(explorer.page.url)
    other.locator("#so-far [aria-current]", has_text=before["steps"][2]).wait_for()
    assert other.locator("#verdict").text_content() == before["verdict"]
    assert other.locator("#state").input_value() == states[2]


def test_another_move_begins_another_game(explorer):
    states = play_best(explorer, "rook", 3)
    explorer.button("back").click()
    explorer.button("back").click()
    explorer.wait(states[1])
    moves = explorer.server.moves("rook", states[1])
    other = next(move for move in moves if move["state"] != states[2])
    explorer.choose(other)
    assert explorer.says()["steps"][2:] == [other["move"]]


def test_a_step_of_the_game_and_of_best_play_is_gone_to(explorer):
    states = play_best(explorer, "rook", 3)
    explorer.page.locator("#so-far button").nth(1).click()
    explorer.wait(states[1])
    explorer.page.locator("#strip button").nth(4).click()
    line = explorer.server.ask("rook", "line", states[1])["line"]
    explorer.wait(line[4]["state"])
    assert explorer.says()["current"] == 6


def test_best_play_runs_to_the_end(explorer):
    explorer.open("park")
    line = explorer.server.ask("park", "line")["line"]
    explorer.button("run").click()
    explorer.page.locator("#run-name", has_text="stop").wait_for()
    explorer.wait(line[-1]["state"])
    explorer.check_position("park", line[-1]["state"])
    explorer.page.wait_for_function("() => document.getElementById('run-name').textContent === 'run'")


def test_a_mistake_is_marked_on_the_chart_and_gone_to(explorer):
    won = explorer.server.ask("park", "examples", kind="win", plies=3)["examples"]
    worst = [(one["state"], explorer.server.moves("park", one["state"])[-1]) for one in won]
    start, bad = next((state, move) for state, move in worst if move["worth"] == "loss")
    explorer.open("park", start)
    explorer.choose(bad)
    chart = explorer.page.locator("#chart")
    chart.locator(".mistake").wait_for()
    assert "1 mistake" in explorer.page.locator("#chart-note").text_content()
    box = chart.locator(".dot").first.bounding_box()
    explorer.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    explorer.wait(start)
    dot = chart.locator(".dot.mistake").bounding_box()
    explorer.page.mouse.click(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    explorer.wait(bad["state"])


@pytest.mark.parametrize(["table", "side"], [("rook", "1"), ("park", "-1"), ("hexapawn", "1")])
def test_the_perfect_player_answers_with_a_best_move(explorer, table, side):
    explorer.open(table)
    explorer.button("mode").select_option(side)
    players = explorer.server.table(table)["players"]
    mine = players[0 if side == "1" else 1]
    played = []
    for _ in range(2):
        # Waits until it is the person's turn.
        explorer.page.locator("#turn", has_text=f"{capital(mine)} to move").wait_for()
        state = explorer.says()["state"]
        moves = explorer.server.moves(table, state)
        played.append(moves[-1])
        explorer.choose(moves[-1])
        if moves[-1]["over"]:
            break
        before = moves[-1]["state"]
        explorer.page.wait_for_function(
            "(state) => document.getElementById('state').value !== state", arg=before
        )
        answer = explorer.says()["state"]
        best = [move["state"] for move in explorer.server.moves(table, before) if move["best"]]
        assert answer in best
        if explorer.server.ask(table, "probe", answer)["over"]:
            break
    # Back takes back the answer too.
    if len(played) == 2:
        state = explorer.says()["state"]
        explorer.button("back").click()
        explorer.page.wait_for_function(
            "(state) => document.getElementById('state').value !== state", arg=state
        )
        probed = explorer.server.ask(table, "probe", explorer.says()["state"])
        assert probed["to_move"] == mine


def test_looking_back_at_a_game_against_the_perfect_player_changes_nothing(explorer):
    explorer.open("park")
    explorer.button("mode").select_option("1")
    for _ in range(2):
        explorer.page.locator("#turn", has_text="Mouse to move").wait_for()
        state = explorer.says()["state"]
        explorer.choose(explorer.server.moves("park", state)[-1])
        explorer.page.wait_for_function(
            "(state) => document.getElementById('state').value !== state", arg=state
        )
    explorer.page.locator("#turn", has_text="Mouse to move").wait_for()
    plies = explorer.page.locator("#so-far button")
    played = plies.all_text_contents()
    assert len(played) == 5
    # The perfect player is to move after the first ply, and was when the game was played.
    plies.nth(1).click()
    explorer.page.locator('#so-far button[aria-current="step"]', has_text=played[1]).wait_for()
    explorer.page.wait_for_timeout(2_000)
    assert plies.all_text_contents() == played
    assert plies.nth(1).get_attribute("aria-current") == "step"
    explorer.button("forward").click()
    explorer.page.wait_for_timeout(2_000)
    assert plies.all_text_contents() == played


def test_a_game_that_tells_no_sides_is_played_against_the_perfect_player(explorer):
    explorer.open("mnk")
    explorer.button("mode").select_option("-1")
    explorer.page.wait_for_function("() => document.querySelectorAll('#so-far button').length === 2")
    state = explorer.says()["state"]
    assert state in [move["state"] for move in explorer.server.moves("mnk") if move["best"]]


def test_a_draw_by_repetition_shows_its_cycle(explorer):
    explorer.open("ring")
    line = explorer.server.ask("ring", "line")
    assert line["end"] == "repetition"
    said = explorer.says()
    first, last = line["repeats_ply"], len(line["line"])
    assert f"After ply {last}, the position after ply {first} is there again" in said["why"]
    assert "Endless play is a draw" in said["why"]
    assert explorer.page.locator("#strip .cycle").count() == last - first
    assert explorer.page.locator("#strip .turn-sign").count() == 2
    assert "Play repeats" in said["detail"]
    # Once it was played, the page says that it repeats.
    for step in line["line"]:
        explorer.choose(step)
    note = explorer.page.locator("#game-note").text_content()
    assert f"after ply {first}" in note


def test_the_address_says_where_a_game_began(explorer):
    other = explorer.server.ask("park", "examples", kind="longest-loss", count=1)["examples"][0]
    explorer.open("park", other["state"])
    moves = explorer.server.moves("park", other["state"])
    explorer.choose(moves[0])
    explorer.page.wait_for_function("() => location.hash.includes('from=')")
    assert encode(other["state"]) in explorer.page.url
    explorer.page.reload()
    explorer.wait(moves[0]["state"])
    explorer.page.locator("#so-far button").nth(1).wait_for()
    explorer.button("start").click()
    explorer.wait(other["state"])


def texts(explorer, selector):
    return explorer.page.locator(selector).all_text_contents()


def test_a_line_that_is_left_is_a_variation(explorer):
    states = play_best(explorer, "rook", 4)
    played = explorer.says()["steps"]
    explorer.button("back").click()
    explorer.button("back").click()
    explorer.button("back").click()
    explorer.wait(states[1])
    other = next(move for move in explorer.server.moves("rook", states[1]) if move["state"] != states[2])
    explorer.choose(other)
    variation = explorer.page.locator("#variations button")
    expect(variation).to_have_text([f"1… {played[2]} 2. {played[3]} {played[4]}"])
    # It is gone to, and then the other line is one.
    variation.click()
    explorer.wait(states[2])
    assert explorer.says()["steps"] == played
    expect(variation).to_have_text([f"1… {other['move']}"])
    # The browser's Back goes back between both.
    explorer.page.go_back()
    explorer.wait(other["state"])
    assert explorer.says()["steps"] == [*played[:2], other["move"]]
    expect(variation).to_have_count(1)
    # Whoever plays the line again has it as before, and no variation twice.
    explorer.button("back").click()
    explorer.wait(states[1])
    explorer.choose(next(move for move in explorer.server.moves("rook", states[1]) if move["state"] == states[2]))
    assert explorer.says()["steps"] == played
    expect(variation).to_have_count(1)
    # Another game has none.
    explorer.button("state").fill(states[0].replace("w", "b"))
    explorer.button("state").press("Enter")
    explorer.wait(states[0].replace("w", "b"))
    expect(variation).to_have_count(0)


def test_moves_have_numbers(explorer):
    play_best(explorer, "rook", 3)
    assert texts(explorer, "#so-far .nth") == ["1.", "", "2."]
    black = explorer.server.table("rook")["start"].replace(" w ", " b ")
    explorer.open("rook", black)
    explorer.page.keyboard.press("Space")
    explorer.page.locator("#so-far button").nth(1).wait_for()
    explorer.page.keyboard.press("Space")
    explorer.page.locator("#so-far button").nth(2).wait_for()
    assert texts(explorer, "#so-far .nth") == ["1…", "2."]
    play_best(explorer, "kalah", 3)
    assert texts(explorer, "#so-far .nth") == ["1.", "2.", "3."]


def won_or_lost(explorer):
    """A position where the best move wins and the worst one loses, and its moves."""
    won = explorer.server.ask("park", "examples", kind="win", plies=3)["examples"]
    each = [(one["state"], explorer.server.moves("park", one["state"])) for one in won]
    return next((state, moves) for state, moves in each if moves[-1]["worth"] == "loss")


def test_a_mistake_is_marked_in_the_list(explorer):
    start, moves = won_or_lost(explorer)
    explorer.open("park", start)
    explorer.choose(moves[0])
    marked = explorer.page.locator("#so-far .mistaken")
    expect(marked).to_have_count(0)
    explorer.button("back").click()
    explorer.wait(start)
    explorer.choose(moves[-1])
    expect(marked).to_have_text([f"1.{moves[-1]['move']}?"])
    assert "a mistake" in marked.locator("button").get_attribute("aria-label")
    # It says what the move is worth, which hidden values do not.
    explorer.button("values").click()
    expect(marked).to_have_count(0)


@pytest.mark.parametrize(["width", "height"], [(1280, 800), (1440, 900), (1920, 1080)])
def test_the_board_stays_in_sight_while_lists_scroll(explorers, width, height):
    explorer = explorers(viewport={"width": width, "height": height})
    explorer.open("queen")
    line = explorer.server.ask("queen", "line")["line"]
    # A long report below a long list of moves.
    explorer.button("open-review").click()
    explorer.button("review-text").fill("\n".join(step["move"] for step in line))
    explorer.button("review-go").click()
    explorer.wait(line[-1]["state"])
    explorer.button("start").click()
    explorer.wait(explorer.server.table("queen")["start"])
    for name in ("#groups .move:last-child", "#strip", "#report-sides", "#so-far"):
        explorer.page.locator(name).last.evaluate("(one) => one.scrollIntoView({ block: 'end' })")
        box = explorer.page.locator("#board .scene").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, name


def review(explorer, moves):
    explorer.button("open-review").click()
    explorer.button("review-text").fill("\n".join(moves))
    explorer.button("review-go").click()
    explorer.page.locator("#report-sides p").first.wait_for()


def test_a_report_goes_when_another_game_begins(explorer):
    explorer.open("rook")
    line = [step["move"] for step in explorer.server.ask("rook", "line")["line"][:4]]
    report = explorer.button("report")
    review(explorer, line)
    # It stays with a variation of its game.
    explorer.button("start").click()
    explorer.page.keyboard.press("9")
    explorer.page.locator("#variations button").wait_for()
    expect(report).to_be_visible()
    explorer.button("state").fill("8/8/8/8/2k5/8/1R6/K7 b - - 0 1")
    explorer.button("state").press("Enter")
    expect(report).not_to_be_visible()
    explorer.open("rook")
    review(explorer, line)
    explorer.button("open-train").click()
    expect(report).not_to_be_visible()
    explorer.button("task-end").click()
    explorer.open("rook")
    review(explorer, line)
    explorer.page.locator("#kinds button", has_text="longest losses").click()
    explorer.page.locator("#examples .found a").first.click()
    expect(report).not_to_be_visible()


def test_a_mistake_of_a_report_is_gone_to_from_a_variation(explorer):
    start, moves = won_or_lost(explorer)
    explorer.open("park", start)
    review(explorer, [f"start: {start}", moves[-1]["move"]])
    explorer.button("start").click()
    explorer.wait(start)
    explorer.choose(moves[0])
    explorer.page.locator("#report-mistakes button").click()
    explorer.wait(moves[-1]["state"])
    assert explorer.says()["steps"] == ["start", moves[-1]["move"]]


def test_a_list_of_examples_goes_with_its_tier_and_when_another_game_begins(explorer):
    explorer.open("pawn")
    explorer.page.locator("#tier-label").wait_for()
    found = explorer.page.locator("#examples .found li")

    def show():
        explorer.page.locator("#kinds button", has_text="longest wins").click()
        expect(found).not_to_have_count(0)

    show()
    explorer.button("tier").select_option("KQvK")
    expect(found).to_have_count(0)
    show()
    explorer.button("state").fill("8/P7/8/8/8/2k5/8/K7 w - - 0 1")
    explorer.button("state").press("Enter")
    expect(found).to_have_count(0)
    show()
    explorer.button("open-train").click()
    expect(found).to_have_count(0)
    explorer.button("task-end").click()
    show()
    review(explorer, [explorer.server.moves("pawn")[0]["move"]])
    expect(found).to_have_count(0)
    # One that is looked at leaves the list.
    show()
    explorer.page.locator("#examples .found a").first.click()
    expect(explorer.button("walk")).to_be_visible()
    expect(found).not_to_have_count(0)
