"""How answers look in the cells of a notebook, and in words."""

from __future__ import annotations

import games as own
import pytest

import retrograde as r


class Drawn(own.Nim):
    """Nim with a picture in text."""

    def draw(self, heap: int) -> str:
        return "<o>\n" * heap

    def board(self, heap: int) -> list[str]:
        return ["x" * heap]


class OnlyDrawn(Drawn):
    board = None  # type: ignore[assignment]


def test_cells_show_what_a_class_draws_in_text() -> None:
    table = r.solve(OnlyDrawn(3))
    assert table.svg() is None
    assert "<pre" in table.probe()._repr_html_() and "&lt;o&gt;\n" * 3 in table.probe()._repr_html_()
    assert table._repr_html_() == table.probe()._repr_html_()
    assert table.line()._repr_html_().count("<pre") == len(table.line()) + 1 == 2
    # A board is shown in place of the text.
    assert "<pre" not in r.solve(Drawn(3)).probe()._repr_html_()


def test_one_of_a_kind_is_told_as_one() -> None:
    table = r.solve(own.Nim(1))
    assert repr(table) == "<table of nim, 2 states: nim.rtb>"
    assert repr(table.stats()) == "<nim: 2 states: 1 won, 1 lost, 0 drawn, longest 1 ply>"
    assert repr(table.graph(1)) == "<2 states, 1 move>"
    assert repr(table.graph(0)) == "<1 state, 0 moves>"
    assert repr(r.explore(own.Nim(1))) == "<2 states, 1 of them terminal, 1 move, 1 ply deep>"
    over = r.solve(own.Nim(0))
    assert repr(over) == "<table of nim, 1 state: nim.rtb>" and repr(over.states) == "<1 index>"
    assert repr(over.verify()) == "<the value of the only state is right>"
    assert repr(over.stats()).startswith("<nim: 1 state: 0 won, 1 lost")


@pytest.mark.parametrize("value", ["two", 1.5, True, [2]])
def test_an_option_that_is_no_number_says_what_is_expected(value: object) -> None:
    with pytest.raises(r.UsageError) as refused:
        r.solve("hexapawn", threads=value)
    assert str(refused.value) == f"threads: expected a whole number, and not {value!r}"
    assert refused.value.code == "invalid-value" and refused.value.fields["option"] == "threads"
    assert len(r.solve("hexapawn", threads="2", columns=3)) == len(r.solve("hexapawn", threads=False))


class Coins:
    """One or two coins at a time are taken from the end of a row."""

    coins = (3, 7, 4, 2)

    def __init__(self, points: int, gained: int = 0) -> None:
        self.points, self._gained = points, gained

    def roots(self) -> list[int]:
        return [len(self.coins)]

    def tier(self, left: int) -> int:
        return left

    def terminal(self, left: int) -> int | None:
        return None if left else 0

    def moves(self, left: int) -> list[int]:
        return [left - taken for taken in (1, 2) if taken <= left]

    def gain(self, before: int, after: int) -> int:
        return (self._gained if before % 2 else -self._gained) or sum(self.coins[after:before])


def test_messages_name_what_a_class_has() -> None:
    class Within(Coins):
        def tier(self, left: int) -> int:
            return 1

    class Over(Coins):
        def terminal(self, left: int) -> int | None:
            return None if left else 20

    class Stuck(own.Nim):
        def terminal(self, heap: int) -> int | None:
            return None

    for game, told in [
        (Coins(10), "gain(3, 1): ValueError: returned 11: expected points from -10 to 10: raise `points`"),
        (Coins(13, 13), "is worth 26 points, but `points` promises at most 13: raise it"),
        (
            Over(16),
            "terminal(0): ValueError: returned 20 points, where `points` promises 16 at most: raise it",
        ),
        (Within(16), "divide the game into tiers (`tier`) by what such moves change for good"),
        (Stuck(2), "is not terminal and has no legal move: let `no_moves` give its outcome"),
        (
            Stuck(2),
            "a solve checks some of the laws, and `retrograde.laws(game)` (`retrograde laws GAME`) all of "
            "them on all states",
        ),
    ]:
        with pytest.raises(r.RetrogradeError) as refused:
            r.solve(game)
        assert told in str(refused.value)
        assert "::" not in str(refused.value) and "Tiered" not in str(refused.value)
