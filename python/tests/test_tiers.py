"""Games in Python that are solved tier by tier, beside the tables of the games that come with the package."""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograde as r

Board = tuple[int, ...]


class OwnAwari:
    """Sow the seeds of a house round the board; twos and threes at the end of the sowing are captured."""

    def __init__(self, seeds: int) -> None:
        self.seeds = self.points = seeds

    def roots(self) -> list[Board]:
        # The houses of each seed, and a thirteenth for those that are captured.
        places = combinations_with_replacement(range(13), self.seeds)
        return [tuple(map(seeds.count, range(12))) for seeds in places]

    def tier(self, board: Board) -> int:
        return sum(board)

    def gain(self, before: Board, after: Board) -> int:
        return sum(before) - sum(after)

    def terminal(self, board: Board) -> int | None:
        return None if self.moves(board) else sum(board[:6]) - sum(board[6:])

    def moves(self, board: Board) -> list[Board]:
        usual, slams = [], []
        for house in range(6):
            after, at = list(board), house
            after[house] = 0
            for _ in range(board[house]):
                at = (at + 1 + (at + 1 == house + 12)) % 12
                after[at] += 1
            if not board[house] or (not any(board[6:]) and not any(after[6:])):
                continue
            captured = False
            while at >= 6 and after[at] in (2, 3):
                after[at], captured, at = 0, True, at - 1
            is_slam = captured and not any(after[6:])
            (slams if is_slam else usual).append((*after[6:], *after[:6]))
        return usual or slams

    def write(self, board: Board) -> str:
        return "/".join(",".join(map(str, half)) for half in (board[:6], board[6:]))

    def parse(self, text: str) -> Board:
        return tuple(int(seeds) for half in text.split("/") for seeds in half.split(","))


class OwnKalah:
    """Sow the seeds of a house; the store takes one, and a seed in an empty house captures those opposite."""

    players = ("south", "north")

    def __init__(self, houses: int, seeds: int) -> None:
        self.houses, self.seeds = houses, seeds
        self.points = 2 * houses * seeds

    def roots(self) -> list[tuple[Board, Board, int]]:
        return [((self.seeds,) * self.houses,) * 2 + (0,)]

    def turn(self, state: tuple[Board, Board, int]) -> int:
        return state[2]

    def tier(self, state: tuple[Board, Board, int]) -> int:
        return sum(state[0]) + sum(state[1])

    def gain(self, before: tuple[Board, Board, int], after: tuple[Board, Board, int]) -> int:
        return self.tier(before) - self.tier(after)

    def terminal(self, state: tuple[Board, Board, int]) -> int | None:
        return None if any(state[state[2]]) else -sum(state[1 - state[2]])

    def moves(self, state: tuple[Board, Board, int]) -> Any:
        mover, n = state[2], self.houses
        for house in range(n):
            # The mover's houses, the store, and the other's houses.
            ring = [*state[mover], 0, *state[1 - mover]]
            seeds, ring[house], at = ring[house], 0, house
            for _ in range(seeds):
                at = (at + 1) % len(ring)
                ring[at] += 1
            if not seeds:
                continue
            opposite = 2 * n - at
            if at < n and ring[at] == 1 and ring[opposite]:
                ring[at] = ring[opposite] = 0
            sides = tuple(ring[:n]), tuple(ring[n + 1 :])
            yield (*(sides if mover == 0 else sides[::-1]), mover if at == n else 1 - mover)

    def write(self, state: tuple[Board, Board, int]) -> str:
        south, north = ("-".join(map(str, side)) for side in state[:2])
        return f"{south}/{north},{self.players[state[2]]}"

    def parse(self, text: str) -> tuple[Board, Board, int]:
        sides, mover = text.split(",")
        south, north = (tuple(map(int, side.split("-"))) for side in sides.split("/"))
        return south, north, self.players.index(mover)


class AwariInBatches:
    """The same with four bits for each house."""

    name = "own-awari"

    def __init__(self, seeds: int) -> None:
        self.seeds = self.points = seeds
        self._game = OwnAwari(seeds)

    def _of(self, states: Any) -> Any:
        return (states[:, None] >> np.arange(0, 48, 4, dtype=np.uint64)) & np.uint64(15)

    def _to(self, board: Board) -> int:
        return sum(seeds << 4 * house for house, seeds in enumerate(board))

    def roots(self) -> Any:
        return np.array([self._to(board) for board in self._game.roots()], np.uint64)

    def tier(self, states: Any) -> Any:
        return self._of(states).sum(1)

    def gain(self, before: Any, after: Any) -> Any:
        return self.tier(before) - self.tier(after)

    def terminal(self, states: Any) -> Any:
        ends = [self._game.terminal(tuple(board)) for board in self._of(states).tolist()]
        return [r.ONGOING if end is None else end for end in ends]

    def expand(self, states: Any) -> Any:
        parents, after = [], []
        for at, board in enumerate(self._of(states).tolist()):
            for one in self._game.moves(tuple(board)):
                parents.append(at)
                after.append(self._to(one))
        return np.array(parents), np.array(after, np.uint64)

    def write(self, state: int) -> str:
        return self._game.write(tuple(self._of(np.array([state], np.uint64))[0].tolist()))

    def parse(self, text: str) -> int:
        return self._to(self._game.parse(text))


class KalahInBatches:
    """The same with four bits for each house, and who is to move above them."""

    players = ("south", "north")

    def __init__(self, houses: int, seeds: int) -> None:
        self._game = OwnKalah(houses, seeds)
        self.houses, self.seeds, self.points = houses, seeds, self._game.points

    def _of(self, state: int) -> tuple[Board, Board, int]:
        houses = [state >> 4 * house & 15 for house in range(2 * self.houses)]
        return tuple(houses[: self.houses]), tuple(houses[self.houses :]), state >> 60

    def _to(self, state: tuple[Board, Board, int]) -> int:
        houses = enumerate(state[0] + state[1])
        return sum(seeds << 4 * house for house, seeds in houses) + (state[2] << 60)

    def roots(self) -> Any:
        return [self._to(one) for one in self._game.roots()]

    def turn(self, states: Any) -> Any:
        return states >> np.uint64(60)

    def tier(self, states: Any) -> Any:
        return [self._game.tier(self._of(one)) for one in states.tolist()]

    def gain(self, before: Any, after: Any) -> Any:
        return np.subtract(self.tier(before), self.tier(after))

    def terminal(self, states: Any) -> Any:
        ends = [self._game.terminal(self._of(one)) for one in states.tolist()]
        return [r.ONGOING if end is None else end for end in ends]

    def expand(self, states: Any) -> Any:
        pairs = [(at, one) for at, it in enumerate(states.tolist()) for one in self._game.moves(self._of(it))]
        return np.array([at for at, _ in pairs]), np.array([self._to(one) for _, one in pairs], np.uint64)

    def write(self, state: int) -> str:
        return self._game.write(self._of(state))

    def parse(self, text: str) -> int:
        return self._to(self._game.parse(text))


def check_same(own: r.Table, shipped: r.Table) -> int:
    states = [state for state in own.states if state is not None]
    one, other = own.probe_many(states), shipped.probe_many(states)
    assert (one.outcomes == other.outcomes).all()
    assert (one.points == other.points).all()
    assert (one.plies == other.plies).all()
    return len(states)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", [OwnAwari, AwariInBatches])
def test_awari_has_the_values_of_the_shipped_game(game: Any, threads: int) -> None:
    table = r.solve(game(4), threads=threads)
    shipped = r.solve("awari", seeds=4)
    assert check_same(table, shipped) == len(shipped) == 1_820
    assert table.verify().states == len(table)


@pytest.mark.parametrize("game", [OwnKalah, KalahInBatches])
def test_kalah_has_the_values_of_the_shipped_game(game: Any, tmp_path: Path) -> None:
    table = r.solve(game(3, 2), output=tmp_path / "own")
    shipped = r.solve("kalah", houses=3, seeds=2)
    assert check_same(table, shipped) > 1_534
    assert table.probe().verdict == "south wins by 4 in 8 plies"
    assert sorted(path.name for path in (tmp_path / "own").glob("*.rtb"))[:2] == ["0.rtb", "1.rtb"]
    again = r.open(tmp_path / "own", game(3, 2))
    assert again.line().end == "over" and again.moves() == table.moves()


class Heaps:
    """Two heaps, of which a move takes from one; whoever takes the last counter wins."""

    def __init__(self, counters: int, leads_to: Any = None) -> None:
        self._counters = counters
        if leads_to is not None:
            self.leads_to = leads_to

    def roots(self) -> list[tuple[int, int]]:
        return [(self._counters, self._counters)]

    def terminal(self, heaps: tuple[int, int]) -> int | None:
        return None if any(heaps) else r.MOVER_LOSES

    def moves(self, heaps: tuple[int, int]) -> list[tuple[int, int]]:
        one, other = heaps
        return [(less, other) for less in range(one)] + [(one, less) for less in range(other)]


class ByName(Heaps):
    def tier(self, heaps: tuple[int, int]) -> str:
        return "both" if all(heaps) else "one" if any(heaps) else "none"


class ByNumber(Heaps):
    def tier(self, heaps: tuple[int, int]) -> int:
        return sum(heaps)


NAMES = {"none": [], "both": ["one", "both"], "one": ["none"]}


class InBatches(Heaps):
    name = "heaps"

    def roots(self) -> Any:
        return [self._counters * 65]

    def terminal(self, states: Any) -> Any:
        return np.where(states == 0, r.MOVER_LOSES, r.ONGOING)

    moves = None

    def expand(self, states: Any) -> Any:
        found = []
        for at, state in enumerate(states.tolist()):
            heaps = (state >> 6, state & 63)
            found += [(at, one << 6 | other) for one, other in Heaps.moves(self, heaps)]
        parents, after = zip(*found, strict=True)
        return np.array(parents), np.array(after, np.uint64)


class NumbersInBatches(InBatches):
    def tier(self, states: Any) -> Any:
        return (states >> np.uint64(6)) + (states & np.uint64(63))


class NamesInBatches(InBatches):
    def tier(self, states: Any) -> Any:
        empty = (states >> np.uint64(6) == 0).astype(int) + (states & np.uint64(63) == 0)
        return np.array(["both", "one", "none"])[empty]


def test_tiers_are_numbers_or_names_one_by_one_and_in_batches() -> None:
    plain = r.solve(Heaps(9))
    states = list(plain.states)
    expected = plain.probe_many(states)
    numbers = [f"{64 * one + other}" for one, other in map(eval, states)]
    for game, texts, tiers in [
        (ByNumber(9), states, [str(tier) for tier in range(19)]),
        (ByName(9, NAMES), states, ["none", "one", "both"]),
        (NumbersInBatches(9), numbers, [str(tier) for tier in range(19)]),
        (NamesInBatches(9, NAMES), numbers, ["none", "one", "both"]),
    ]:
        table = r.solve(game)
        found = table.probe_many(texts)
        assert (found.outcomes == expected.outcomes).all() and (found.plies == expected.plies).all()
        assert sorted(table.ask("")["tiers"]) == sorted(tiers)
        assert table.verify().states == 100 and r.laws(game).states == 100


def test_tiers_and_symmetries_go_together() -> None:
    class Folded(ByNumber):
        symmetries = r.symmetry.row(2)

    class ByMethod(ByNumber):
        def canonical(self, heaps: tuple[int, int]) -> tuple[int, ...]:
            return tuple(sorted(heaps))

    for game in [Folded(9), ByMethod(9)]:
        table = r.solve(game)
        assert len(table) == 55 and r.laws(game).states == 55
        assert table.probe("(3, 5)").plies == r.solve(Heaps(9)).probe("(3, 5)").plies


def test_a_run_in_tiers_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    class Tired(ByNumber):
        name = "by-number"
        left = 40

        def moves(self, heaps: tuple[int, int]) -> list[tuple[int, int]]:
            Tired.left -= 1
            if Tired.left == 0:
                raise RuntimeError("tired")
            return super().moves(heaps)

    with pytest.raises(r.GameError, match="tired"):
        r.solve(Tired(9), output=tmp_path / "own")
    again = r.solve(ByNumber(9), output=tmp_path / "own")
    whole = r.solve(ByNumber(9), output=tmp_path / "whole")
    assert again.probe().plies == whole.probe().plies
    for path in (tmp_path / "whole").glob("*.rtb"):
        assert path.read_bytes() == (tmp_path / "own" / path.name).read_bytes(), path.name


@pytest.mark.parametrize(
    ("attributes", "told"),
    [
        ({"tier": lambda self, heaps: -1}, "tier: returned -1: expected a whole number from 0 on"),
        (
            {"tier": lambda self, heaps: 10**12},
            "Slip.tier: there are 1,000,000,000,001 tiers",
        ),
        ({"tier": lambda self, heaps: 4_096}, "Slip.tier: there are 4,097 tiers: expected at most 4,096"),
        (
            {"tier": lambda self, heaps: 1, "leads_to": {tier: range(tier) for tier in range(10**6)}},
            "Slip.leads_to: there are 1,000,000 tiers: expected at most 4,096",
        ),
        (
            {"tier": lambda self, heaps: 1, "leads_to": {1: range(10**12)}},
            "Slip.leads_to: 1 leads to 0, which is no tier",
        ),
        (
            {"tier": lambda self, heaps: 1, "leads_to": {1: [[]]}},
            "Slip.leads_to: 1 leads to [], which is no tier",
        ),
        ({"tier": lambda self, heaps: 1 // 0}, "tier((3, 3)): ZeroDivisionError"),
        ({"tier": lambda self, heaps: "few"}, "tier: returned 'few': expected a whole number"),
        (
            {"tier": lambda self, heaps: 6 - sum(heaps)},
            "from 0 to 0, the largest tier of the roots, since no move may make the tier larger",
        ),
        (
            {"tier": lambda self, heaps: 0, "leads_to": {1: []}},
            "one of the tiers that `leads_to` lists",
        ),
        (
            {"tier": lambda self, heaps: 0, "leads_to": {0: [1]}},
            "leads_to: 0 leads to 1, which is no tier",
        ),
        (
            {"tier": lambda self, heaps: 0, "leads_to": {0: [1], 1: [0]}},
            "Slip.leads_to: moves lead round from 0 to 1 to 0",
        ),
        ({"leads_to": {0: []}}, "Slip.leads_to: write tier(state), too"),
        ({"gain": lambda self, one, other: 1}, "Slip.gain: set `points`, too"),
        ({"gain": lambda self, one, other: 1, "points": 9}, "Slip.gain: a move that gains points leaves"),
        ({"tier": lambda self, heaps: 0, "leads_to": 7}, "Slip.leads_to is 7: expected the tiers"),
    ],
)
def test_wrong_tiers_say_what_was_expected(attributes: dict[str, Any], told: str) -> None:
    with pytest.raises(r.RetrogradeError) as refused:
        r.solve(type("Slip", (Heaps,), attributes)(3))
    assert told in str(refused.value)


def test_a_gain_within_a_tier_is_refused() -> None:
    class Gains(Heaps):
        points = 9

        def tier(self, heaps: tuple[int, int]) -> int:
            return 0

        def gain(self, before: tuple[int, int], after: tuple[int, int]) -> int:
            return 1

        def terminal(self, heaps: tuple[int, int]) -> int | None:
            return None if any(heaps) else 0

    with pytest.raises(r.RetrogradeError, match="tier"):
        r.solve(Gains(3))


def test_no_tier_is_made_before_too_many_are_refused() -> None:
    asked = []

    class Endless(Heaps):
        name = "heaps"

        def roots(self) -> Any:
            for heap in range(10**9):
                yield (heap, 0)

        def tier(self, heaps: tuple[int, int]) -> int:
            asked.append(heaps)
            return heaps[0]

    with pytest.raises(r.GameError, match=r"Endless\.tier: there are 4,097 tiers: expected at most 4,096"):
        r.solve(Endless(3))
    assert len(asked) == 4_097

    class InTwo(NumbersInBatches):
        def tier(self, states: Any) -> Any:
            return super().tier(states) * 10_000

    with pytest.raises(r.GameError, match=r"InTwo\.tier: there are 60,001 tiers: expected at most 4,096"):
        r.solve(InTwo(3))


def test_a_move_into_a_larger_tier_is_told_in_words_of_the_class() -> None:
    class Up(ByNumber):
        def tier(self, heaps: tuple[int, int]) -> int:
            return 5 if heaps == (1, 1) else sum(heaps)

    with pytest.raises(r.SolveError, match=r"in tier 5, which is not in `leads_to`") as refused:
        r.solve(Up(3))
    assert "they are numbers that no move makes larger" in str(refused.value)
