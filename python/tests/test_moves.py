"""What moves are called, where the class does not say it: by what changes on the board, however that is
turned for the player to move."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator
from typing import Any

import games as own
import pytest

import retrograde as r

COLUMNS, ROWS = 3, 4
EXCHANGED = str.maketrans("xo", "ox")

Rows = tuple[str, ...]
Place = tuple[int, int]


def pawn_moves(rows: Rows, mover: str) -> Iterator[tuple[Place, Place, Rows]]:
    """Hexapawn: x goes up and o goes down, straight or to take."""
    ahead = -1 if mover == "x" else 1
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            for to_x in (x - 1, x, x + 1):
                to_y = y + ahead
                if letter != mover or not (0 <= to_x < COLUMNS and 0 <= to_y < ROWS):
                    continue
                if rows[to_y][to_x] != ("." if to_x == x else mover.translate(EXCHANGED)):
                    continue
                after = [list(one) for one in rows]
                after[y][x], after[to_y][to_x] = ".", mover
                yield (x, y), (to_x, to_y), tuple("".join(one) for one in after)


class Pawns:
    """Hexapawn by somebody whose board is seen by the player to move."""

    def __init__(self, exchanges: bool, turn: str, letters: str) -> None:
        self.exchanges, self.turned, self.letters = exchanges, turn, letters

    def seen(self, rows: Rows, mover: str) -> Rows:
        """As this player sees it, and back."""
        if mover == "o":
            if self.exchanges:
                rows = tuple(row.translate(EXCHANGED) for row in rows)
            if self.turned in ("round", "rows"):
                rows = rows[::-1]
            if self.turned in ("round", "columns"):
                rows = tuple(row[::-1] for row in rows)
        return rows

    def place(self, place: Place, mover: str) -> str:
        """The name of a place on the board that this player sees."""
        x, y = place
        if mover == "o":
            y = ROWS - 1 - y if self.turned in ("round", "rows") else y
            x = COLUMNS - 1 - x if self.turned in ("round", "columns") else x
        return "abc"[x] + str(ROWS - y)

    def roots(self) -> list[Any]:
        start = ("o" * COLUMNS, *["." * COLUMNS] * (ROWS - 2), "x" * COLUMNS)
        return [(start, "x")]

    no_moves = r.MOVER_LOSES

    def terminal(self, state: Any) -> int | None:
        rows = self.seen(*state)
        return r.MOVER_LOSES if "x" in rows[0] or "o" in rows[-1] else None

    def moves(self, state: Any) -> list[Any]:
        other = state[1].translate(EXCHANGED)
        return [(self.seen(after, other), other) for _, _, after in pawn_moves(self.seen(*state), state[1])]

    def board(self, state: Any) -> list[str]:
        return [row.translate(str.maketrans("xo.", self.letters)) for row in state[0]]

    def names(self, state: Any) -> dict[str, str]:
        """The state after each move, and what the move is called."""
        mover = state[1]
        other = mover.translate(EXCHANGED)
        return {
            repr((self.seen(after, other), other)): f"{self.place(start, mover)}-{self.place(end, mover)}"
            for start, end, after in pawn_moves(self.seen(*state), mover)
        }


class PawnsWithTurn(Pawns):
    def turn(self, state: Any) -> int:
        return "xo".index(state[1])


@pytest.mark.parametrize("letters", ["xo.", "wb.", "mn.", "Pp "])
@pytest.mark.parametrize("turn", ["not", "round", "rows", "columns"])
@pytest.mark.parametrize("exchanges", [True, False])
@pytest.mark.parametrize("kind", [Pawns, PawnsWithTurn])
def test_a_step_is_called_by_where_it_begins_and_ends(
    kind: Any, exchanges: bool, turn: str, letters: str
) -> None:
    game = kind(exchanges, turn, letters)
    table = r.solve(game)
    count = 0
    for text in table.states:
        state = literal_eval(text)
        for move in table.moves(text) if game.terminal(state) is None else []:
            assert move.move == game.names(state)[move.position.state]
            count += 1
    assert count > 1000


class MuTorere:
    """The board of the Maori: eight places in a ring and one in the middle. States swap the sides."""

    no_moves = r.MOVER_LOSES

    def __init__(self, letters: str) -> None:
        self.letters = letters

    def roots(self) -> list[str]:
        return ["mmmmoooo."]

    def terminal(self, state: str) -> int | None:
        return None

    def steps(self, state: str) -> Iterator[tuple[int, int, str]]:
        empty = state.index(".")
        for place in range(9):
            ring = (state[(place - 1) % 8], state[(place + 1) % 8])
            is_near = "o" in ring if empty == 8 else place == 8 or (place - empty) % 8 in (1, 7)
            if state[place] == "m" and is_near:
                after = list(state)
                after[place], after[empty] = ".", "m"
                yield place, empty, "".join(after).translate(str.maketrans("mo", "om"))

    def moves(self, state: str) -> list[str]:
        return [after for _, _, after in self.steps(state)]

    def board(self, state: str) -> list[str]:
        return [state.translate(str.maketrans("mo", self.letters))]


@pytest.mark.parametrize("letters", ["mo", "xo", "ox", "wb", "Aa"])
def test_sides_that_are_exchanged_are_exchanged_back(letters: str) -> None:
    game = MuTorere(letters)
    table = r.solve(game)
    for state in table.states:
        names = {
            after: f"{'abcdefghi'[start]}1-{'abcdefghi'[end]}1" for start, end, after in game.steps(state)
        }
        assert {move.position.state: move.move for move in table.moves(state)} == names


@pytest.mark.parametrize("game", [own.Mnk(3, 3, 3), own.Mnk(4, 3, 3)], ids=repr)
def test_a_stone_is_called_by_its_place(game: Any) -> None:
    table = r.solve(game)
    for text in table.states[:400]:
        before = game.board(int(text))
        for move in table.moves(text):
            after = game.board(int(move.position.state))
            [place] = [
                "abcd"[x] + str(game.n - y)
                for y in range(game.n)
                for x in range(game.m)
                if before[y][x] != after[y][x]
            ]
            assert move.move == place


def test_captures_of_men_of_one_kind_name_both_places() -> None:
    class Takes:
        """The first man of each side takes, on a board that does not say who is to move."""

        def roots(self) -> list[tuple[str, str]]:
            return [("wb.b", "w")]

        def terminal(self, state: tuple[str, str]) -> int | None:
            return None if {"w", "b"} <= {*state[0]} else r.MOVER_LOSES

        def moves(self, state: tuple[str, str]) -> Iterator[tuple[str, str]]:
            men, mover = state
            other = "b" if mover == "w" else "w"
            for start, man in enumerate(men):
                for end in (start - 1, start + 1):
                    if man == mover and 0 <= end < len(men) and men[end] != mover:
                        after = list(men)
                        after[start], after[end] = ".", mover
                        yield "".join(after), other

        def board(self, state: tuple[str, str]) -> list[str]:
            return [state[0]]

    assert [move.move for move in r.solve(Takes()).moves()] == ["a1-b1"]


def test_a_move_that_the_board_does_not_explain_is_called_by_the_state_after_it() -> None:
    class Symmetric(own.Mnk):
        """Of the states that are turned into each other, one is kept."""

        name = "symmetric"

        def moves(self, state: int) -> list[int]:
            def turned(cells: int) -> int:
                kept = 0
                for cell in range(9):
                    kept |= (cells >> cell & 1) << (cell % 3 * 3 + 2 - cell // 3)
                return kept

            def least(state: int) -> int:
                found = []
                for _ in range(4):
                    found.append(state)
                    state = turned(state & 511) | turned(state >> 9) << 9
                return min(found)

            return list(dict.fromkeys(map(least, super().moves(state))))

    game = Symmetric(3, 3, 3)
    table = r.solve(game)
    explained = 0
    for text in table.states:
        before = "".join(game.board(int(text)))
        for move in table.moves(text):
            after = "".join(game.board(int(move.position.state)))
            changed = [cell for cell in range(9) if before[cell] != after[cell]]
            names = ["abc"[cell % 3] + str(3 - cell // 3) for cell in changed]
            assert move.move == (names[0] if len(names) == 1 else move.position.state)
            explained += move.move in names
    assert explained > 100


def test_stones_that_turn_others_name_all_places() -> None:
    class Flips:
        """A stone turns the men of the other side beside it; states swap the sides."""

        def roots(self) -> list[str]:
            return [".o...x."]

        def terminal(self, row: str) -> int | None:
            return None if "." in row else r.MOVER_LOSES

        def moves(self, row: str) -> Iterator[str]:
            for place, letter in enumerate(row):
                if letter == ".":
                    near = {place, place - 1, place + 1}
                    after = [
                        "x" if at in near and (at == place or one == "o") else one
                        for at, one in enumerate(row)
                    ]
                    yield "".join(after).translate(EXCHANGED)

        def board(self, row: str) -> list[str]:
            return [row]

    moves = r.solve(Flips()).moves()
    assert {move.move for move in moves} == {"a1-b1", "b1-c1", "d1", "e1", "g1"}


def test_a_board_whose_size_changes_names_moves_by_states() -> None:
    class Shrinks(own.Nim):
        def board(self, heap: int) -> list[str]:
            return ["x" * heap]

    table = r.solve(Shrinks(5))
    assert [move.move for move in table.moves("5")] == [move.position.state for move in table.moves("5")]
