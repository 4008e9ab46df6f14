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


def test_a_game_in_batches_has_no_points() -> None:
    game = Walk(9)
    game.points = 9  # type: ignore[attr-defined]
    with pytest.raises(
        r.GameError, match=r"Walk\.points is 9: expected none, since a game in batches has no points"
    ):
        r.solve(game)


def test_a_mistake_in_the_pictures_of_a_game_in_batches_is_told_before_the_solve() -> None:
    class Drawn(Walk):
        def board(self, state: int) -> list[str]:
            return ["x"] if state == 8 else [1 // 0]  # type: ignore[list-item]

        def expand(self, states: np.ndarray) -> Any:
            assert states.tolist() == [8]
            return super().expand(states)

    with pytest.raises(r.GameError, match=r"board\(\d+\): ZeroDivisionError"):
        r.solve(Drawn(9))
