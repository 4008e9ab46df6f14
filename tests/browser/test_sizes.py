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
