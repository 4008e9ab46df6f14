"""Games in Python that answer in batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import games as own
import numpy as np
import pytest

import retrograde as r


@pytest.mark.parametrize("size", [(3, 3, 3), (4, 3, 3)], ids=str)
@pytest.mark.parametrize("threads", [1, 2])
def test_batches_have_the_values_of_one_by_one(
    size: tuple[int, int, int], threads: int, tmp_path: Path
) -> None:
    path = tmp_path / "mnk.rtb"
    table = r.solve(own.MnkInBatches(*size), threads=threads, output=path)
    plain = r.solve(own.Mnk(*size))
    assert len(table.states) == len(plain.states)
    states = [state for state in plain.states if state is not None]
    one, other = table.probe_many(states), plain.probe_many(states)
    assert (one.outcomes == other.outcomes).all() and (one.plies == other.plies).all()
    again = r.open(path, own.MnkInBatches(*size))
    assert again.probe() == table.probe() and len(again.moves()) == size[0] * size[1]
    assert table.verify().states == len(table.states)


class Walk:
    """A marker walks on a ring, with named players; the order of moves is mixed up."""

    players = ("left", "right")

    def __init__(self, places: int, mistake: str = "") -> None:
        self.places = places
        self._mistake = mistake

    def roots(self) -> Any:
        return [-1] if self._mistake == "negative root" else np.array([2 * (self.places // 2)])

    def turn(self, states: np.ndarray) -> Any:
        if self._mistake == "turns":
            return np.full(len(states), 2)
        return states & np.uint64(1)

    def terminal(self, states: np.ndarray) -> Any:
        place = states >> np.uint64(1)
        ends = np.full(len(states), r.ONGOING)
        ends[place == 0] = r.FIRST_WINS
        ends[place == self.places - 1] = r.SECOND_WINS
        if self._mistake == "short":
            return ends[1:]
        if self._mistake == "floats":
            return ends.astype(float)
        if self._mistake == "truths":
            return ends == r.ONGOING
        if self._mistake == "wrapped ends":
            return np.where(place == 0, np.uint64(2**64 - 1), np.uint64(2**64 - 128))
        if self._mistake == "no end":
            return np.full(len(states), 9)
        return ends

    def expand(self, states: np.ndarray) -> Any:
        if self._mistake == "raises":
            raise RuntimeError("oh")
        if self._mistake == "one array":
            return states
        place, turn = states >> np.uint64(1), states & np.uint64(1)
        down = (place - np.uint64(1)) * np.uint64(2) + (np.uint64(1) - turn)
        up = (place + np.uint64(1)) * np.uint64(2) + (np.uint64(1) - turn)
        at = np.arange(len(states))
        parents, after = np.concatenate([at, at]), np.concatenate([down, up])
        if self._mistake == "parents":
            parents = parents + 1
        if self._mistake == "wrapped parents":
            parents = parents.astype(np.uint64) - np.uint64(1)
        if self._mistake == "lengths":
            parents = parents[1:]
        if self._mistake == "shape":
            after = after.reshape(2, -1)
        if self._mistake == "wide":
            after = after | np.uint64(1 << 63)
        return parents[::-1], after[::-1]


class WalkOneByOne:
    def __init__(self, places: int) -> None:
        self.places = places

    def roots(self) -> list[int]:
        return [2 * (self.places // 2)]

    def turn(self, state: int) -> int:
        return state & 1

    def terminal(self, state: int) -> int | None:
        return {0: r.FIRST_WINS, self.places - 1: r.SECOND_WINS}.get(state >> 1)

    def moves(self, state: int) -> list[int]:
        return [(state >> 1) * 2 + 1 - (state & 1) + step for step in (-2, 2)]


def test_named_players_walk() -> None:
    table, by_hand = r.solve(Walk(9)), own.by_hand(WalkOneByOne(9))
    assert len(table.states) == len(by_hand)
    for state, (sign, plies) in by_hand.items():
        position = table.probe(str(state))
        assert position.value == {1: "win", -1: "loss", 0: "draw"}[sign]
        assert position.plies == (plies if sign else None)
        assert position.to_move == ("left", "right")[int(state) & 1]
    table.verify()
    assert r.laws(Walk(9)).states == len(by_hand)


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        ("negative root", "roots: a state is never negative, but one is -1"),
        ("turns", "turn: expected FIRST or SECOND (0 or 1) for each state"),
        ("short", "terminal: expected an array of the shape (1,), not of the shape (0,)"),
        ("floats", "terminal: expected an array of whole numbers, not of float64"),
        ("truths", "terminal: expected an array of whole numbers, not of bool"),
        (
            "wrapped ends",
            "terminal: expected small numbers, but one is 18446744073709551488, in an array of uint64",
        ),
        ("no end", "9 is no end"),
        ("raises", "expand(8): RuntimeError: oh"),
        ("one array", "expand: expected two arrays, (parents, successors)"),
        ("parents", "a parent is the place of a state among the 1 of the call, but one is 1"),
        ("wrapped parents", "expand: parents: expected small numbers, but one is 18446744073709551615"),
        ("lengths", "expand: successors: expected an array of the shape (1,)"),
        ("shape", "expand: successors: expected an array of the shape (2,), not of the shape (2, 1)"),
        ("wide", "is no state: in a game with `turn`, states are below 2**63"),
    ],
)
def test_mistakes_of_arrays_are_told(mistake: str, told: str) -> None:
    with pytest.raises(r.GameError) as raised:
        r.solve(Walk(9, mistake))
    assert told in str(raised.value)


def test_states_have_all_64_bits() -> None:
    class Wide:
        def roots(self) -> Any:
            return np.array([2**64 - 1], np.uint64)

        def terminal(self, states: np.ndarray) -> Any:
            return np.where(states == 2**64 - 2, r.MOVER_LOSES, r.ONGOING)

        def expand(self, states: np.ndarray) -> Any:
            return np.arange(len(states)), states - np.uint64(1)

    table = r.solve(Wide())
    assert table.probe("0xffffffffffffffff").plies == 1
    with pytest.raises(r.StateError, match="expected a number"):
        table.probe("many")
    with pytest.raises(r.StateError):
        table.probe(str(2**64))


class Coins:
    """Two players take a coin from either end of a row. Each wants to have more."""

    points = 20

    def __init__(self, coins: list[int]) -> None:
        self.coins = coins

    def roots(self) -> Any:
        return [len(self.coins)]

    # The first coin that is left, above the end of the row.
    def moves(self, row: int) -> list[int]:
        return [row + 64, row - 1]

    def tier(self, row: Any) -> Any:
        return row % 64 - row // 64

    def terminal(self, row: int) -> int | None:
        return None if self.tier(row) else 0

    def gain(self, before: int, after: int) -> int:
        return self.coins[before // 64 if before % 64 == after % 64 else after % 64]


class CoinsInBatches(Coins):
    name = "coins"
    moves = None  # type: ignore[assignment]

    def __init__(self, coins: list[int], mistake: str = "") -> None:
        super().__init__(coins)
        self._mistake = mistake
        if mistake == "points":
            self.points = 128

    def terminal(self, rows: np.ndarray) -> Any:
        ends = np.where(self.tier(rows), r.ONGOING, 0)
        return ends + 21 * (rows == rows[0]) * (ends == 0) if self._mistake == "ends" else ends

    def expand(self, rows: np.ndarray) -> Any:
        at = np.arange(len(rows))
        parents = np.concatenate([at, at]) + (self._mistake == "parents")
        return parents, np.concatenate([rows + np.uint64(64), rows - np.uint64(1)])

    def gain(self, before: np.ndarray, after: np.ndarray) -> Any:
        assert len(before) == len(after)
        is_first = before % 64 == after % 64
        coins = np.array(self.coins)[np.where(is_first, before // 64, after % 64).astype(int)]
        wrong = {"gains": coins * 9, "floats": coins / 2, "short": coins[1:]}
        return wrong.get(self._mistake, coins)


@pytest.mark.parametrize("threads", [1, 2])
def test_moves_in_batches_gain_points(threads: int, tmp_path: Path) -> None:
    coins = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]
    one = r.solve(Coins(coins), threads=threads, output=tmp_path / "one")
    many = r.solve(CoinsInBatches(coins), threads=threads, output=tmp_path / "many")
    states = list(one.states)
    found, expected = many.probe_many(states), one.probe_many(states)
    assert len(many) == len(one) == 153
    assert (found.points == expected.points).all() and (found.plies == expected.plies).all()
    assert many.verify().states == len(many) == r.laws(CoinsInBatches(coins)).states
    assert many.moves() == one.moves() and many.line() == one.line()
    again = r.open(tmp_path / "many", CoinsInBatches(coins))
    assert again.probe().points == expected.points[states.index("16")] != 0


def test_gains_are_told_in_batches_and_once_about_each_move() -> None:
    asked: list[int] = []

    class Counted(CoinsInBatches):
        def gain(self, before: np.ndarray, after: np.ndarray) -> Any:
            asked.append(len(before))
            return super().gain(before, after)

    table = r.solve(Counted([3, 1, 4, 1, 5, 9, 2, 6] * 2))
    assert sum(asked) == 2 * (len(table) - 17) and max(asked) > 9


def test_ends_in_batches_tell_points() -> None:
    class Heap(own.Nim):
        """Whoever takes the last counter has as many points as counters were left before it."""

        points = 127
        ply_limit = None

        def roots(self) -> Any:
            return [(self.counters << 8) + 1]

        # The heap, above what was taken last.
        def terminal(self, state: int) -> int | None:
            return None if state >> 8 else -42 * (state & 255)

        def moves(self, state: int) -> list[int]:
            return [((state >> 8) - taken << 8) + taken for taken in (1, 2, 3) if taken <= state >> 8]

    class HeapInBatches(Heap):
        name = "heap"
        moves = None  # type: ignore[assignment]

        def terminal(self, states: np.ndarray) -> Any:
            return np.where(states >> 8, r.ONGOING, -42 * (states & 255).astype(np.int64))

        def expand(self, states: np.ndarray) -> Any:
            found = [(at, one) for at, it in enumerate(states.tolist()) for one in Heap.moves(self, it)]
            parents, after = zip(*found, strict=True)
            return np.array(parents), np.array(after)

    one, many = r.solve(Heap(30)), r.solve(HeapInBatches(30))
    states = list(one.states)
    found, expected = many.probe_many(states), one.probe_many(states)
    assert (found.points == expected.points).all() and (found.plies == expected.plies).all()
    assert many.probe().points == one.probe().points != 0
    assert many.verify().states == len(states)


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        ("points", "CoinsInBatches.points is 128: expected a whole number from 1 to 127"),
        (
            "ends",
            "terminal: expected numbers of points from -20 to 20, or ONGOING, but one is 21",
        ),
        ("gains", "gain: expected numbers of points from -20 to 20, but one is 27"),
        ("floats", "gain: expected an array of whole numbers, not of float64"),
        ("short", "gain: expected an array of the shape (2,), not of the shape (1,)"),
        ("parents", "a parent is the place of a state among the 1 of the call, but one is 1"),
    ],
)
def test_mistakes_of_points_in_batches_are_told(mistake: str, told: str) -> None:
    with pytest.raises(r.GameError) as raised:
        r.solve(CoinsInBatches([3, 1, 4], mistake))
    assert told in str(raised.value)


def test_a_mistake_in_the_pictures_of_a_game_in_batches_is_told_before_the_solve() -> None:
    class Drawn(Walk):
        def board(self, state: int) -> list[str]:
            return ["x"] if state == 8 else [1 // 0]  # type: ignore[list-item]

        def expand(self, states: np.ndarray) -> Any:
            assert states.tolist() == [8]
            return super().expand(states)

    with pytest.raises(r.GameError, match=r"board\(\d+\): ZeroDivisionError"):
        r.solve(Drawn(9))
