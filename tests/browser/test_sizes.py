"""Windows of all sizes: the board fills what is free, and on a phone the first moves are seen without scrolling."""

import pytest

from program import GAMES

TOUCHED = {"has_touch": True, "is_mobile": True}

# The largest part of a window that the board can have beside the lists.
TALL = {"rook", "mnk", "four", "quixo", "hexapawn"}


@pytest.mark.parametrize(["width", "height"], [(1280, 800), (1920, 1080), (2560, 1440)])
@pytest.mark.parametrize("table", sorted(TALL))
def test_the_board_fills_what_is_free(explorers, table, width, height):
    explorer = explorers(viewport={"width": width, "height": height})
    explorer.open(table)
    box = explorer.page.locator("#board .scene").bounding_box()
    assert box["height"] > 0.7 * height
    assert box["y"] + box["height"] < height


@pytest.mark.parametrize(["width", "height"], [(390, 844), (820, 1180)])
@pytest.mark.parametrize("table", GAMES)
def test_board_verdict_and_first_moves_are_seen_without_scrolling(explorers, table, width, height):
    explorer = explorers(viewport={"width": width, "height": height}, **TOUCHED)
    explorer.open(table)
    for name in ("#verdict", "#board", "#groups .move"):
        box = explorer.page.locator(name).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, name


@pytest.mark.parametrize("table", ["rook", "park", "kalah"])
def test_what_is_touched_is_large_enough(explorers, table):
    explorer = explorers(viewport={"width": 390, "height": 844}, **TOUCHED)
    explorer.open(table)
    explorer.page.locator("#kinds button").first.wait_for()
    small = explorer.page.locator("button, select, input[type=text]").evaluate_all(
        """(all) => all.filter((one) => one.checkVisibility())
          .map((one) => [one.id || one.textContent, one.getBoundingClientRect()])
          .filter(([, { width, height }]) => width < 44 || height < 44)
          .map(([name, { width, height }]) => `${name}: ${width} x ${height}`)"""
    )
    assert not small


@pytest.mark.parametrize("table", GAMES)
def test_what_can_be_done_stands_near_the_top_of_a_telephone(explorers, table):
    """Whoever holds a telephone finds play, train, review and share, and the name of the game."""
    explorer = explorers(viewport={"width": 390, "height": 844}, **TOUCHED)
    explorer.open(table)
    for name in ("mode", "open-train", "open-review", "open-share"):
        box = explorer.button(name).bounding_box()
        assert box["y"] + box["height"] < 1.5 * 844, name
    about = explorer.button("about-line")
    assert about.text_content() == explorer.server.table(table)["about"]
    box = about.bounding_box()
    assert 0 <= box["y"] < 120 and box["width"] > 150


# The words that are broken over two lines.
BROKEN = """(all) => all.flatMap((one) => {
  const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walker.nextNode()) {
    for (const { 0: word, index } of walker.currentNode.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
})"""


@pytest.mark.parametrize("width", [320, 390, 900, 1280])
@pytest.mark.parametrize("table", ["kalah", "awari", "dots", "quixo", "morris", "hexapawn"])
def test_no_word_is_broken(explorers, table, width):
    explorer = explorers(viewport={"width": width, "height": 844})
    explorer.open(table)
    for _ in range(3):
        seen = explorer.page.locator("#moves .name, #moves .after, #moves h2, #moves h3, #strip button, #so-far button, .more-to-do button, #values, #verdict, #turn")
        assert seen.evaluate_all(BROKEN) == []
        assert explorer.page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
        explorer.page.locator("#groups .move").first.click()
        explorer.page.locator("#so-far [aria-current]").wait_for()


def box_of(explorer, selector):
    return explorer.page.locator(selector).first.bounding_box()


def test_the_count_of_a_hand_is_in_the_middle_of_its_disc(explorer):
    explorer.open("morris")
    disc, count = box_of(explorer, "#board .disc .body"), box_of(explorer, "#board .disc .count")
    for side, size in (("x", "width"), ("y", "height")):
        assert abs(disc[side] + disc[size] / 2 - count[side] - count[size] / 2) < 4


def test_empty_hands_leave_the_board_its_room(explorer):
    explorer.open("dobutsu")
    scene, cell = box_of(explorer, "#board .scene"), box_of(explorer, "#board .cell .shape")
    hands = explorer.page.locator("#board .reserve .shape").evaluate_all(
        "(all) => [...new Set(all.map((one) => Math.round(one.getBoundingClientRect().x)))]"
    )
    assert len(hands) == 1, "both hands are above each other"
    assert 3 * cell["width"] > 0.5 * scene["width"]


@pytest.mark.parametrize("table", ["mnk", "four", "hexapawn", "rook"])
def test_labels_are_of_one_size_on_boards_of_any_size(explorer, table):
    explorer.open(table)
    scene, label = box_of(explorer, "#board .scene"), box_of(explorer, "#board .label")
    assert 0.02 < label["height"] / scene["height"] < 0.06


def test_a_short_histogram_fills_its_row(explorer):
    explorer.open("dots")
    bars, row = box_of(explorer, "#histogram svg"), box_of(explorer, "#histogram")
    assert bars["width"] > 0.4 * row["width"]


def test_a_game_that_nobody_wins_takes_a_line(explorer):
    explorer.open("four")
    assert box_of(explorer, "#chart .curve")["height"] < 60
    explorer.open("rook")
    assert box_of(explorer, "#chart .curve")["height"] > 90


def test_words_name_the_colours_that_are_seen(explorer):
    explorer.open("four")
    said = explorer.page.locator("main").inner_text()
    assert "Yellow to move." in said and "X to move" not in said
    explorer.choose(explorer.server.moves("four")[0])
    assert explorer.says()["steps"][1].startswith("yellow c")
    disc = explorer.page.locator("#board .disc.first .body").first
    red, green, blue = disc.evaluate("(disc) => getComputedStyle(disc).fill").removeprefix("rgb(").rstrip(")").split(",")
    assert int(red) > 180 and int(green) > 150 and int(blue) < 100, "yellow"


@pytest.mark.parametrize(
    ["table", "state", "said"],
    [
        ("rook", "8/8/8/8/8/2k5/1R6/K7", "does not say who is to move"),
        ("dobutsu", "gl./.../.C./.LG,-,sente", "There is 1 chick or hen, not 2"),
    ],
)
def test_what_is_wrong_with_a_position_is_said_in_english(explorer, table, state, said):
    explorer.allow("status of 4")
    explorer.open(table)
    explorer.button("state").fill(state)
    explorer.button("state").press("Enter")
    explorer.page.wait_for_function("() => document.getElementById('state-error').textContent !== ''")
    text = explorer.button("state-error").text_content()
    assert said.lower() in text.lower(), text
