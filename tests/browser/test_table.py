"""The lower half of the page: the counts, the bars, examples, tiers, other tables."""

import re

import pytest
from playwright.sync_api import expect

from explorer import PHONE, WIDE, capital
from program import GAMES, solve_one


def rows(explorer):
    """The examples that the page lists: their states and what it says of them."""
    items = explorer.page.locator("#examples .found li")
    items.first.wait_for()
    return items.evaluate_all(
        "(items) => items.map((item) => [item.querySelector('a').textContent, item.textContent])"
    )


def number(count):
    return f"{count:,}"


@pytest.mark.parametrize("table", ["park", "rook", "mnk", "morris", "grid"])
def test_the_counts_are_those_of_the_table(explorer, table):
    explorer.open(table)
    stats = explorer.server.ask(table, "stats")
    explorer.says_of("counts", "drawn")
    said = explorer.button("counts").text_content()
    assert f"{number(stats['states'])} positions" in said
    assert f"{number(stats['draws'])} drawn" in said
    for count in stats["wins"].values():
        assert number(count) in said
    assert f"the longest win takes {stats['longest_plies']} pl" in said
    # “Longest wins” lists those of the player to move.
    listed = explorer.server.ask(table, "examples", kind="longest-win")["plies"]
    other = ", by the player who is not to move" in said
    assert other == (listed < stats["longest_plies"])


@pytest.mark.parametrize("table", ["park", "rook", "mnk", "dobutsu"])
def test_a_bar_shows_examples_of_its_value(explorer, table):
    explorer.open(table)
    explorer.page.locator("#histogram .bar").first.wait_for()
    distances = explorer.server.ask(table, "stats")["distances"]
    for kind, key in (("win", "won"), ("loss", "lost")):
        row = next(row for row in distances if row[key] > 0 and row["plies"] > 0)
        plies = f"{row['plies']} {'ply' if row['plies'] == 1 else 'plies'}"
        label = f"{key} in {plies}: {number(row[key])} position"
        explorer.page.locator(f'#histogram .bar.{kind}[aria-label^="{label}"] .reach').click()
        explorer.page.locator("#examples h3", has_text=f"{key.capitalize()} in {plies}").wait_for()
        found = rows(explorer)
        assert len(found) == min(20, row[key])
        for state, said in found:
            position = explorer.server.ask(table, "probe", state)
            assert (position["value"], position["plies"]) == (kind, row["plies"])
            assert position["verdict"] in said


def test_more_examples_follow_without_one_twice(explorer):
    explorer.open("park")
    explorer.page.locator("#histogram .bar").first.wait_for()
    distances = explorer.server.ask("park", "stats")["distances"]
    row = next(row for row in distances if row["won"] > 20)
    label = f"won in {row['plies']} "
    explorer.page.locator(f'#histogram .bar.win[aria-label^="{label}"] .reach').click()
    rows(explorer)
    explorer.page.locator("#examples .note button", has_text="more").click()
    count = row["won"]
    explorer.page.wait_for_function(
        "(count) => document.querySelectorAll('#examples .found li').length === count",
        arg=min(40, count),
    )
    states = [state for state, _ in rows(explorer)]
    assert len(set(states)) == len(states)


@pytest.mark.parametrize("table", ["rook", "park"])
def test_the_longest_wins_are_the_longest(explorer, table):
    explorer.open(table)
    explorer.page.locator("#kinds button", has_text="longest wins").click()
    longest = max(
        row["plies"] for row in explorer.server.ask(table, "stats")["distances"] if row["won"]
    )
    found = rows(explorer)
    for state, _ in found:
        position = explorer.server.ask(table, "probe", state)
        assert (position["value"], position["plies"]) == ("win", longest)
    start = explorer.server.table(table)["start"]
    other = next(at for at, (state, _) in enumerate(found) if state != start)
    explorer.page.locator("#examples .found a").nth(other).click()
    explorer.check_position(table, found[other][0])
    explorer.page.go_back()
    explorer.wait(start)


def test_the_bar_of_the_position_is_lit(explorer):
    explorer.open("park")
    explorer.page.locator("#histogram .bar.lit").wait_for()
    for _ in range(3):
        position = explorer.server.ask("park", "probe", explorer.says()["state"])
        key = {"win": "won", "loss": "lost"}[position["value"]]
        lit = explorer.page.locator("#histogram .bar.lit")
        assert lit.count() == 1
        assert lit.get_attribute("aria-label").startswith(f"{key} in {position['plies']} ")
        before = explorer.says()["state"]
        explorer.page.keyboard.press("Space")
        explorer.page.wait_for_function(
            "(state) => document.getElementById('state').value !== state", arg=before
        )


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_pointing_at_a_bar_moves_nothing(explorers, size):
    explorer = explorers(viewport=size)
    explorer.open("rook")
    bars = explorer.page.locator("#histogram .bar .body")
    bars.first.wait_for()
    explorer.page.evaluate("() => window.scrollTo(0, document.body.scrollHeight)")
    height = explorer.page.evaluate("() => document.body.scrollHeight")
    for at in (0, 3, 6):
        before = bars.nth(at).bounding_box()
        explorer.page.mouse.move(before["x"] + 3, before["y"] + before["height"] / 2)
        explorer.says_of("histogram-say", "For the player to move.")
        assert bars.nth(at).bounding_box() == before
        assert explorer.page.evaluate("() => document.body.scrollHeight") == height


def test_bars_are_walked_and_opened_by_keys(explorer):
    explorer.open("park")
    lit = explorer.page.locator("#histogram .bar.lit")
    lit.wait_for()
    lit.focus()
    explorer.page.keyboard.press("Home")
    label = explorer.page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert label.startswith("won in 0 plies")
    explorer.page.keyboard.press("ArrowDown")
    label = explorer.page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert label.startswith("lost in ")
    explorer.page.keyboard.press("Enter")
    explorer.page.locator("#examples h3", has_text="Lost in").wait_for()
    assert explorer.says()["current"] in (-1, 0), "the key made no move"


def test_a_tier_has_bars_and_examples_of_its_own(explorer):
    explorer.open("pawn")
    explorer.page.locator("#tier-label").wait_for()
    stats = explorer.server.ask("pawn", "stats")
    tiers = [tier["tier"] for tier in stats["tiers"]]
    options = explorer.page.locator("#tier option").all_text_contents()
    assert [option.split(":")[0] for option in options] == ["all", *tiers]
    explorer.button("tier").select_option("KQvK")
    queen = next(tier for tier in stats["tiers"] if tier["tier"] == "KQvK")
    assert f"{number(queen['drawn'])} drawn" in explorer.button("counts").text_content()
    bars = explorer.page.locator("#histogram .bar.win").count()
    assert bars == sum(1 for row in queen["distances"] if row["won"])
    explorer.page.locator("#kinds button", has_text="longest wins").click()
    found = rows(explorer)
    assert all("p" not in state.lower().split()[0] for state, _ in found)


def test_tiers_are_compared_filtered_sorted_and_chosen(explorer):
    explorer.open("pawn")
    stats = explorer.server.ask("pawn", "stats")
    page = explorer.page
    page.locator("#tier-list-title", has_text=f"compare all {len(stats['tiers'])} tiers").click()
    names = page.locator("#tier-rows th")
    assert names.all_text_contents() == [tier["tier"] for tier in stats["tiers"]]
    queen = next(tier for tier in stats["tiers"] if tier["tier"] == "KQvK")
    figures = page.locator("#tier-rows tr", has_text="KQvK").locator("td").all_text_contents()
    counts = [queen["states"], queen["won"], queen["lost"], queen["drawn"]]
    assert figures == [*map(number, counts), str(queen["longest_plies"])]

    by_longest = page.locator("#tier-columns button", has_text="longest")
    by_longest.click()
    falling = sorted(stats["tiers"], key=lambda tier: -(tier["longest_plies"] or -1))
    assert names.first.text_content() == falling[0]["tier"]
    assert page.evaluate("() => document.activeElement.textContent") == "longest"
    assert page.locator("#tier-columns [aria-sort=descending]").text_content() == "longest"
    by_longest.click()
    assert names.last.text_content() == falling[0]["tier"]

    page.locator("#tier-filter").fill("kr")
    assert names.all_text_contents() == ["KRvK"]
    assert "1 tier of 6" in page.locator("#tier-found").text_content()
    page.locator("#tier-filter").fill("no such tier")
    assert names.count() == 0
    page.locator("#tier-filter").fill("q")
    names.locator("button").click()
    assert explorer.button("tier").input_value() == "KQvK"
    assert f"{number(queen['drawn'])} drawn" in explorer.button("counts").text_content()


def test_a_tier_is_told_in_words(explorer):
    explorer.open("morris")
    explorer.page.locator("#tier-label").wait_for()
    options = explorer.page.locator("#tier option").all_text_contents()
    assert "2-3-1-0: 2 men against 3, 1 and 0 in hand" in options
    assert "1-2-2-1: 1 man against 2, 2 and 1 in hand" in options
    assert "3-3-0-0: 3 men against 3, none in hand" in options


@pytest.mark.parametrize(
    ["table", "said"],
    [("four", "columns 4, rows 4"), ("park", "graph of 11 parts"), ("queen", "KQvK"), ("kalah", "houses 3")],
)
def test_what_a_table_is_about_is_told_in_words(explorer, table, said):
    explorer.open(table)
    explorer.button("open-about").click()
    text = explorer.page.locator("#about-list").text_content()
    assert said in text and not set(text) & set('{}[]"'), text


@pytest.mark.parametrize("table", GAMES)
def test_the_rules_are_a_click_away(explorer, table):
    explorer.open(table)
    explorer.button("open-rules").click()
    said = explorer.page.locator("#rules[open] #rules-text").text_content()
    assert said == explorer.server.table(table)["rules"] and said.count(". ") >= 2


def test_another_table_is_chosen(explorer):
    explorer.open("park")
    explorer.button("tables").select_option("rook")
    start = explorer.server.table("rook")["start"]
    explorer.check_position("rook", start)
    assert explorer.says()["steps"] == ["start"] or not explorer.button("game").is_visible()
    explorer.button("open-about").click()
    said = explorer.page.locator("#about[open]").text_content()
    assert "chess" in said and "KRvK" in said
    explorer.page.keyboard.press("Escape")
    explorer.page.go_back()
    explorer.wait(explorer.server.table("park")["start"])


def card_of(explorer, name):
    """The card of a table, in sight: boards are asked for once they are."""
    cards = explorer.page.locator("#cards .card")
    card = cards.filter(has=explorer.page.locator("h3", has_text=re.compile(f"^{name}$")))
    card.scroll_into_view_if_needed()
    return card


def test_without_an_address_there_is_a_board_of_each_table(explorer):
    tables = explorer.server.get("/api/tables")["tables"]
    asked = []
    explorer.page.on("request", lambda request: asked.append(request.url))
    explorer.page.goto(explorer.server.url + "/")
    cards = explorer.page.locator("#cards .card")
    cards.first.wait_for()
    names = cards.locator("h3").all_text_contents()
    assert sorted(names) == [table["name"] for table in tables]
    for table in tables:
        card = card_of(explorer, table["name"])
        worth = explorer.server.ask(table["name"], "probe", table["start"])["verdict"]
        expect(card).to_contain_text(capital(worth))
        expect(card.locator(".scene" if table["has_pictures"] else "pre")).to_have_count(1)
    # No line is asked for, which can take longest.
    assert all("brief=true" in url for url in asked if "/position" in url), asked
    assert not [url for url in asked if "/line" in url or "/modules/" in url], asked
    card_of(explorer, "rook").click()
    explorer.check_position("rook", explorer.server.table("rook")["start"])
    explorer.button("home").click()
    cards.first.wait_for()
    assert not explorer.button("value").is_visible()


def test_the_tables_of_a_game_stand_together_and_say_what_tells_them_apart(explorer):
    explorer.page.goto(explorer.server.url + "/")
    cards = explorer.page.locator("#cards .card")
    cards.first.wait_for()
    games = {table["name"]: table["game"] for table in explorer.server.get("/api/tables")["tables"]}
    order = [games[name] for name in cards.locator("h3").all_text_contents()]
    assert len([game for game, before in zip(order, [None, *order]) if game != before]) == len(set(order))
    said = {name: card_of(explorer, name).locator(".differs").all_text_contents() for name in games}
    assert said["awari"] == [], "there is one of them"
    assert ["KRvK" in text for text in said["rook"]] == [True]
    assert ["KQvK" in text for text in said["queen"]] == [True]
    assert ["outcomes only" in text for text in said["outcomes"]] == [True]
    alike = [name for name in games if games[name] == "chess"]
    assert len({said[name][0] for name in alike}) == len(alike)


def test_a_long_list_of_tables_is_filtered(explorers, explorer, start, tables):
    explorer.page.goto(explorer.server.url + "/")
    cards = explorer.page.locator("#cards .card")
    cards.first.wait_for()
    explorer.page.get_by_label("filter").fill("CHESS rook")
    expect(explorer.page.locator("#cards .card:visible h3")).to_have_text(["rook"])
    explorer.says_of("filter-note", "1 of")
    explorer.page.get_by_label("filter").fill("")
    expect(explorer.page.locator("#cards .card:visible")).to_have_count(cards.count())
    few = explorers(start([tables["park"], tables["rook"]]))
    few.page.goto(few.server.url + "/")
    few.page.locator("#cards .card").first.wait_for()
    assert not few.button("filter").is_visible()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_signs_are_round_where_text_wraps(explorers, width):
    explorer = explorers(viewport={"width": width, "height": 800})
    explorer.page.goto(explorer.server.url + "/")
    for name in ["rook", "kalah", "lane", "grid"]:
        card_of(explorer, name).locator(".sign").wait_for()
    sizes = explorer.page.evaluate(
        "() => [...document.querySelectorAll('.sign')].filter((sign) => sign.offsetWidth > 0)"
        ".map((sign) => [sign.getBoundingClientRect().width, sign.getBoundingClientRect().height])"
    )
    assert len(sizes) >= 4
    assert all(abs(width - height) < 0.5 for width, height in sizes), sizes


@pytest.mark.of_server
def test_a_folder_of_some_tiers_opens_on_what_it_has(explorers, start, tables, tmp_path):
    folder = tmp_path / "six.tiers"
    solve_one(["morris", "--board", "six", "--men", "3", "--tier", "3-3-0-0"], folder)
    explorer = explorers(start([folder, tables["park"]]))
    explorer.page.goto(explorer.server.url + "/")
    card = card_of(explorer, "six")
    expect(card.locator(".scene")).to_have_count(1)
    expect(card.locator(".sign")).to_have_count(1)
    card.click()
    state = explorer.server.table("six")["start"]
    explorer.check_position("six", state)
    explorer.page.locator("#kinds button").first.click()
    expect(explorer.page.locator("#examples .found li").first).to_be_visible()
    # A position of another tier says that this tier is not there.
    explorer.allow("status of 404")
    unsolved = start([tables["morris"]]).table("morris")["start"]
    explorer.page.goto(explorer.address("six", unsolved))
    assert "tiers are solved" in explorer.notice()
    explorer.page.locator("#notice a").click()
    explorer.wait(state)


def test_a_table_alone_is_shown_at_once(explorers, start, tables):
    explorer = explorers(start([tables["park"]]))
    explorer.page.goto(explorer.server.url + "/")
    explorer.check_position("park", explorer.server.table("park")["start"])
