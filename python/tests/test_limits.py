"""Searches that would never end, and searches that end at once."""

from __future__ import annotations

import dataclasses
import time
import typing
from typing import Any

import pytest

import retrograde as r

pytestmark = pytest.mark.alone


class Pair(typing.NamedTuple):
    place: int
    plies: int


@dataclasses.dataclass(frozen=True)
class Board:
    place: int
    plies: int


@dataclasses.dataclass(frozen=True)
class Position:
    board: Board
    turn: int


class Counts:
    """A token on a ring of 50 places, and a count of the plies: play has no end of states."""

    no_moves = r.MOVER_LOSES

    def __init__(self, root: Any, step: Any) -> None:
        self._root, self._step = root, step

    def roots(self) -> list[Any]:
        return [self._root]

    def terminal(self, state: Any) -> None:
        return None

    def moves(self, state: Any) -> list[Any]:
        return [self._step(state, steps) for steps in (1, 2, 7)]


COUNTS: dict[str, tuple[Any, Any]] = {
    "state[1]": ((5, 0), lambda s, k: ((s[0] + k) % 50, s[1] + 1)),
    "plies": (Pair(5, 0), lambda s, k: Pair((s.place + k) % 50, s.plies + 1)),
    "board.plies": (
        Position(Board(5, 0), 0),
        lambda s, k: Position(Board((s.board.place + k) % 50, s.board.plies + 1), 1 - s.turn),
    ),
    "state[0]": (((), 5), lambda s, k: ((*s[0], s[1]), (s[1] + k) % 50)),
    "state word 2": ("5 0", lambda s, k: f"{(int(s.split()[0]) + k) % 50} {int(s.split()[1]) + 1}"),
}


@pytest.mark.parametrize("limit", [{"max_states": 20_000}, {"memory": "3MB"}], ids=str)
@pytest.mark.parametrize("part", COUNTS)
def test_a_counter_in_a_state_is_named(part: str, limit: dict[str, Any]) -> None:
    with pytest.raises(r.SolveError, match="play repeats except for growth in") as refused:
        r.solve(Counts(*COUNTS[part]), **limit)
    assert f"growth in `{part}`: first" in str(refused.value)


def test_slow_rules_are_not_asked_much_longer_once_a_limit_is_exceeded() -> None:
    class Slow(Counts):
        calls = 0

        def moves(self, state: Any) -> list[Any]:
            self.calls += 1
            time.sleep(0.01)
            return super().moves(state)

    game = Slow(*COUNTS["state[1]"])
    with pytest.raises(r.SolveError):
        r.solve(game, max_states=20)
    # The calls of the search, and of half a second.
    assert game.calls < 20 + 51


class Solved:
    """A puzzle that starts from its goal."""

    no_moves = r.MOVER_LOSES

    def roots(self) -> list[int]:
        return [0]

    def terminal(self, state: int) -> int | None:
        return r.DRAW if state == 0 else None

    def moves(self, state: int) -> list[int]:
        return [state - 1]


@pytest.mark.parametrize("ask", [r.solve, r.explore, r.laws])
def test_a_root_that_is_an_end_is_told(ask: Any, caplog: pytest.LogCaptureFixture) -> None:
    ask(Solved())
    (warning,) = [one for one in caplog.records if one.levelname == "WARNING"]
    assert "play is over in the root, so that only 1 state was found" in warning.message


def test_play_without_end_is_warned_of_while_it_is_explored(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(r.SolveError, match="state\\[1\\]"):
        r.explore(Counts(*COUNTS["state[1]"]), max_states=20_000)
    assert "play repeats except for a part of the state that grows" in caplog.text
