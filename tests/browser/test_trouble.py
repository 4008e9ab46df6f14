"""What the page says where something is wrong, and the way on."""

import pytest

from explorer import encode
from program import ROOT, Refused


def test_a_link_to_no_table_names_the_tables(explorer):
    explorer.page.goto(explorer.address("nowhere", "1,2,mouse"))
    assert "no table “nowhere”" in explorer.notice()
    names = explorer.page.locator("#notice a").all_text_contents()
    assert {"park", "rook", "mnk"} <= set(names)
    explorer.page.locator("#notice a", has_text="rook").click()
    explorer.wait(explorer.server.table("rook")["start"])
    assert explorer.page.locator("#notice").text_content() == ""


@pytest.mark.parametrize(
    ["table", "state"],
    [("park", "nonsense"), ("park", "1,99,mouse"), ("rook", "8/8/8/8/8/8/8/8 w - - 0 1"), ("mnk", "xxx/ooo/...")],
)
def test_a_link_to_no_position_says_why_and_leads_to_the_start(explorer, table, state):
    explorer.allow("status of 4")
    try:
        explorer.server.ask(table, "probe", state)
        raise AssertionError(f"{state} is a position")
    except Refused as refused:
        reason = refused.problem["detail"]
    explorer.page.goto(explorer.address(table, state))
    said = explorer.notice()
    assert said[1:].rstrip(".") == reason[1:].rstrip(".")
    explorer.page.locator("#notice a").click()
    explorer.wait(explorer.server.table(table)["start"])
    explorer.check_position(table, explorer.server.table(table)["start"])


def test_moves_that_do_not_lead_there_are_left_out(explorer):
    explorer.allow("status of 400")
    explorer.page.goto(explorer.address("park", "4,2,cat", "?line=mouse+1-3"))
    explorer.wait("4,2,cat")
    explorer.says_of("game-note", "do not lead to this position")
    assert "line=" not in explorer.page.url


def test_moves_that_are_too_many_are_not_looked_up(explorer):
    asked = []
    explorer.page.on("request", lambda request: asked.append(request.url))
    moves = ",".join(["mouse+1-3", "cat+2-4"] * 6_000)
    explorer.page.goto(explorer.address("park", "4,2,cat", f"?line={moves}"))
    explorer.wait("4,2,cat")
    explorer.says_of("game-note", "more than 500 moves")
    assert "line=" not in explorer.page.url
    assert not [url for url in asked if "/game" in url]
    # A game of more moves than that is written from where it can be looked up.
    # The server has all scripts as one.
    source = (ROOT / "src/program/serve/page/address.js").read_text()
    explorer.page.route("**/address.js", lambda route: route.fulfill(
        body=source, content_type="text/javascript"))
    steps = "[{ state: '1,2,mouse' }, ...Array(800).fill({ state: '1,2,mouse', move: 'a' })]"
    written = explorer.page.evaluate(
        "async () => (await import('/address.js')).write("
        f"{{ table: {{ name: 'park', start: '' }}, steps: {steps}, cursor: 800 }})"
    )
    assert written.count("a,") == 499 and "from=" in written


def test_a_position_is_set_up_and_a_wrong_one_says_why(explorer):
    explorer.allow("status of 4")
    explorer.open("park")
    field = explorer.button("state")
    field.fill("5,9,cat")
    field.press("Enter")
    explorer.page.wait_for_function("() => location.hash.includes('5%2C9%2Ccat')")
    explorer.check_position("park", "5,9,cat")
    for wrong, said in (("5,9", "5,9"), ("99,1,mouse", "0 to 10"), ("rubbish", "rubbish")):
        field.fill(wrong)
        explorer.page.locator("#setup button[type=submit]").click()
        explorer.says_of("state-error", said)
        assert field.get_attribute("aria-invalid") == "true"
        assert field.input_value() == wrong, "it can be mended"
        assert explorer.page.locator("#verdict").text_content() != ""
    field.fill("")
    field.press("Enter")
    explorer.says_of("state-error", "Write a position first")
    field.fill("1,2,mouse")
    field.press("Enter")
    explorer.page.wait_for_function("() => location.hash.includes('1%2C2%2Cmouse')")
    assert explorer.button("state-error").text_content() == ""


def test_blanks_and_slashes_survive_the_address(explorer):
    state = "8/8/8/8/2k5/8/1R6/K7 b - - 0 1"
    explorer.open("rook")
    explorer.button("state").fill(state)
    explorer.page.locator("#setup button[type=submit]").click()
    explorer.page.wait_for_function("() => location.hash.includes('2k5%2F8')")
    explorer.page.goto("about:blank")
    explorer.page.go_back()
    explorer.wait(state)
    explorer.check_position("rook", state)


def test_a_table_of_outcomes_alone_says_what_is_missing(explorer):
    explorer.open("outcomes")
    said = explorer.says()
    assert "outcomes only" in said["lineNote"]
    assert "plies" not in said["verdict"]
    assert "sooner" not in explorer.button("chart").text_content()
    assert not explorer.button("step").is_visible()
    explorer.says_of("histogram-note", "outcomes only")
    # Nothing is offered that would fail.
    assert not explorer.button("kinds").is_visible()
    assert explorer.page.locator("#histogram .bar").count() == 0


def test_a_server_that_is_gone_is_said_and_tried_again(explorers, start, tables):
    server = start([tables["park"]])
    explorer = explorers(of=server)
    explorer.allow("ERR_CONNECTION_")
    explorer.open("park")
    begin = explorer.says()["state"]
    move = server.moves("park")[0]
    server.kill()
    explorer.page.locator("#groups .move").first.click()
    assert "The server does not answer" in explorer.notice()
    assert explorer.says()["state"] == begin, "what is known is still shown"
    explorer.button("state").fill("5,9,cat")
    explorer.page.locator("#setup button[type=submit]").click()
    explorer.says_of("state-error", "does not answer")
    start([tables["park"]], port=server.port)
    explorer.page.locator("#notice button").click()
    explorer.wait(move["state"])
    assert explorer.page.locator("#notice").text_content() == ""


def test_another_table_of_the_same_name_is_noticed(explorers, start, tables, tmp_path):
    path = tmp_path / "park.rtb"
    path.write_bytes(tables["park"].read_bytes())
    server = start([path])
    explorer = explorers(of=server)
    explorer.open("park")
    before = explorer.says()
    move = server.moves("park")[0]
    explorer.choose(move)
    server.kill()
    path.write_bytes(tables["ring"].read_bytes())
    explorer.server = start([path], port=server.port)
    # The page has been there before.
    explorer.button("back").click()
    explorer.says_of("notice", "What is shown here is what it says")
    explorer.page.wait_for_function(
        "(before) => document.getElementById('verdict').textContent !== before", arg=before["verdict"]
    )
    state = explorer.says()["state"]
    explorer.check_position("park", state)
    # The same table again is none.
    explorer.server.kill()
    explorer.server = start([path], port=server.port)
    explorer.choose(explorer.server.moves("park", state)[0])
    assert explorer.page.locator("#notice").text_content() == ""


def test_a_page_that_never_reached_its_server_can_try_again(explorers, start, tables):
    server = start([tables["park"]])
    explorer = explorers(of=server)
    explorer.page.route("**/api/tables", lambda route: route.abort("connectionrefused"))
    explorer.allow("ERR_CONNECTION_REFUSED")
    explorer.page.goto(server.url + "/")
    assert "The server does not answer" in explorer.notice()
    explorer.page.unroute("**/api/tables")
    explorer.page.locator("#notice button").click()
    explorer.wait(server.table("park")["start"])


def test_names_with_odd_signs_are_no_markup(explorers, start, tables, tmp_path):
    name = "a <b>&amp; c%2F"
    path = tmp_path / f"{name}.rtb"
    path.write_bytes(tables["park"].read_bytes())
    server = start([path])
    explorer = explorers(of=server)
    explorer.page.goto(server.url + "/")
    explorer.wait("1,2,mouse")
    assert explorer.page.locator("#tables option").all_text_contents() == [name]
    move = server.get(f"/api/tables/{encode(name)}/moves")["won"][0]
    explorer.choose(move)
    explorer.page.reload()
    explorer.wait(move["state"])
    assert name in explorer.page.title()
