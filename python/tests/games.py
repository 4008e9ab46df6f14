"""Games in plain Python for the tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np

import retrograde as r


class Nim:
    """Nim with one heap. A move takes 1 to 3 counters, and whoever takes the last one wins."""

    def __init__(self, counters: int) -> None:
        self.counters = counters

    def roots(self) -> list[int]:
        return [self.counters]

    def terminal(self, heap: int) -> int | None:
        return r.MOVER_LOSES if heap == 0 else None

    def moves(self, heap: int) -> list[int]:
        return [heap - taken for taken in (1, 2, 3) if taken <= heap]


@dataclass(frozen=True)
class ThreeHeaps:
    """Three heaps of counters. A move takes one or two from a heap, and whoever takes the last wins."""

    counters: int

    no_moves = r.MOVER_LOSES

    def roots(self) -> list[tuple[int, ...]]:
        return [(self.counters,) * 3]

    def terminal(self, heaps: tuple[int, ...]) -> int | None:
        return None

    def moves(self, heaps: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for at, heap in enumerate(heaps):
            for taken in range(1, min(heap, 2) + 1):
                yield (*heaps[:at], heap - taken, *heaps[at + 1 :])


@dataclass
class Mnk:
    """Whoever has k in a row on a board of m x n wins."""

    m: int
    n: int
    k: int

    name = "own-mnk"

    def __post_init__(self) -> None:
        self._cells = self.m * self.n
        self._full = (1 << self._cells) - 1
        self._bits = [1 << cell for cell in range(self._cells)]
        self._lines = lines(self.m, self.n, self.k)

    # The stones of the player to move in the low bits, those of the other above them.
    def roots(self) -> list[int]:
        return [0]

    def terminal(self, state: int) -> int | None:
        other = state >> self._cells
        for line in self._lines:
            if other & line == line:
                return r.MOVER_LOSES
        return r.DRAW if (state | other) & self._full == self._full else None

    def moves(self, state: int) -> list[int]:
        other = state >> self._cells
        own = state & self._full
        taken, cells = own | other, self._cells
        return [other | (own | bit) << cells for bit in self._bits if not taken & bit]

    def board(self, state: int) -> list[str]:
        other, own = state >> self._cells, state & self._full
        mine, theirs = "xo" if own.bit_count() == other.bit_count() else "ox"
        signs = [mine if own & bit else theirs if other & bit else "." for bit in self._bits]
        return ["".join(signs[row * self.m : (row + 1) * self.m]) for row in range(self.n)]


@dataclass
class MnkInBatches:
    """The same in arrays."""

    m: int
    n: int
    k: int

    def __post_init__(self) -> None:
        self._cells = np.uint64(self.m * self.n)
        self._full = np.uint64((1 << self.m * self.n) - 1)
        self._lines = [np.uint64(line) for line in lines(self.m, self.n, self.k)]

    def roots(self) -> list[int]:
        return [0]

    def terminal(self, states: np.ndarray) -> np.ndarray:
        other = states >> self._cells
        ends = np.full(len(states), r.ONGOING, np.int8)
        ends[((states | other) & self._full) == self._full] = r.DRAW
        for line in self._lines:
            ends[(other & line) == line] = r.MOVER_LOSES
        return ends

    def expand(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        other, own = states >> self._cells, states & self._full
        taken = own | other
        parents, after = [], []
        for cell in range(int(self._cells)):
            bit = np.uint64(1 << cell)
            free = np.flatnonzero((taken & bit) == 0)
            parents.append(free)
            after.append(other[free] | (own[free] | bit) << self._cells)
        return np.concatenate(parents), np.concatenate(after)


def lines(m: int, n: int, k: int) -> list[int]:
    """All lines of k cells on a board of m columns and n rows, as sets of bits."""
    found = []
    for x in range(m):
        for y in range(n):
            for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                ends = (x + (k - 1) * dx, y + (k - 1) * dy)
                if 0 <= ends[0] < m and 0 <= ends[1] < n:
                    cells = [(x + step * dx) + (y + step * dy) * m for step in range(k)]
                    found.append(sum(1 << cell for cell in cells))
    return found


@dataclass
class CatMouse:
    """Cat and Mouse on a graph, with named players and draws by endless play."""

    graph: list[list[int]]

    name = "own-cat-mouse"
    players = ("mouse", "cat")

    def roots(self) -> list[tuple[int, int, int]]:
        return [(1, 2, 0)]

    def turn(self, state: tuple[int, int, int]) -> int:
        return state[2]

    def terminal(self, state: tuple[int, int, int]) -> int | None:
        mouse, cat, _ = state
        if mouse == 0:
            return r.FIRST_WINS
        return r.SECOND_WINS if mouse == cat else None

    def moves(self, state: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
        mouse, cat, turn = state
        if turn == 0:
            for to in self.graph[mouse]:
                yield (to, cat, 1)
        else:
            for to in self.graph[cat]:
                if to:
                    yield (mouse, to, 0)


class Side(Enum):
    LEFT = 0
    RIGHT = 1


class Heaps(NamedTuple):
    heaps: frozenset[tuple[str, int]]
    side: Side


@dataclass(frozen=True)
class Tug:
    place: int
    side: Side
    text: str | None = None
    big: int = 2**80
    bits: bytes = b"\x00\xff"
    half: float = 0.5
    flag: bool = True


class TugOfWar:
    """The players push a marker to and fro on five places."""

    state_types = (Side,)
    players = ("left", "right")

    def roots(self) -> list[Tug]:
        return [Tug(2, Side.LEFT)]

    def turn(self, state: Tug) -> int:
        return state.side.value

    def terminal(self, state: Tug) -> int | None:
        return {0: r.FIRST_WINS, 4: r.SECOND_WINS}.get(state.place)

    def moves(self, state: Tug) -> list[Tug]:
        other = Side.RIGHT if state.side is Side.LEFT else Side.LEFT
        return [Tug(state.place + step, other) for step in (-1, 1)]


class TwoHeaps:
    """Nim with two named heaps, whose states are named tuples of sets."""

    def roots(self) -> list[Heaps]:
        return [Heaps(frozenset({("a", 3), ("b", 2)}), Side.LEFT)]

    def turn(self, state: Heaps) -> r.Player:
        return r.FIRST if state.side is Side.LEFT else r.SECOND

    def terminal(self, state: Heaps) -> int | None:
        return None if any(count for _, count in state.heaps) else r.MOVER_LOSES

    def moves(self, state: Heaps) -> Iterator[Heaps]:
        other = Side.RIGHT if state.side is Side.LEFT else Side.LEFT
        for name, count in state.heaps:
            for left in range(count):
                rest = state.heaps - {(name, count)} | {(name, left)}
                yield Heaps(frozenset(rest), other)


@dataclass
class Counted:
    """A game that counts how often its rules are called."""

    game: Mnk = field(default_factory=lambda: Mnk(3, 3, 3))

    def __post_init__(self) -> None:
        self._calls: Counter[str] = Counter()
        self._asked: Counter[tuple[str, int]] = Counter()

    @property
    def parameters(self) -> list[int]:
        return [self.game.m, self.game.n, self.game.k]

    def roots(self) -> list[int]:
        return self.game.roots()

    def terminal(self, state: int) -> int | None:
        self._asked["terminal", state] += 1
        return self.game.terminal(state)

    def moves(self, state: int) -> list[int]:
        self._asked["moves", state] += 1
        return self.game.moves(state)

    def turn(self, state: int) -> int:
        self._asked["turn", state] += 1
        stones = bin(state).count("1")
        return stones % 2


def by_hand(game: object) -> dict[object, tuple[int, int]]:
    """A solver with dictionaries: for each state that is reached, its value for the player to move and in how
    many plies. States of endless play are left out. For games in which players take turns."""
    ends: dict[object, int] = {}
    after: dict[object, list[object]] = {}
    todo = list(game.roots())
    seen = set(todo)
    while todo:
        state = todo.pop()
        end = game.terminal(state)
        if end is None:
            after[state] = list(dict.fromkeys(game.moves(state)))
            for one in after[state]:
                if one not in seen:
                    seen.add(one)
                    todo.append(one)
        elif end in (2, 3):
            ends[state] = 1 if game.turn(state) == end - 2 else -1
        else:
            ends[state] = int(end)
    before: dict[object, list[object]] = {state: [] for state in seen}
    for state, moves in after.items():
        for one in moves:
            before[one].append(state)
    left = {state: len(moves) for state, moves in after.items()}
    value: dict[object, tuple[int, int]] = {state: (end, 0) for state, end in ends.items() if end}
    level = list(value)
    plies = 0
    while level:
        plies += 1
        following = []
        for state in level:
            for one in before[state]:
                if one in value or one in ends:
                    continue
                if value[state][0] == -1:
                    value[one] = (1, plies)
                    following.append(one)
                else:
                    left[one] -= 1
                    if not left[one]:
                        value[one] = (-1, plies)
                        following.append(one)
        level = following
    for state in seen:
        value.setdefault(state, (0, -1))
    return value
