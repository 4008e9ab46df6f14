"""Tables as arrays of numpy, and the statistics of groups of their states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from . import _described, _games
from ._answers import Distance, Stats, many
from ._errors import UsageError

if TYPE_CHECKING:
    from ._table import Table

WIN, DRAW, LOSS, ENDLESS, UNUSED = 1, 0, -1, 2, -128
"""What arrays of outcomes have, for the player to move. An unused index has no state."""

_AT_ONCE = 1 << 12
_IN_PART = 1 << 22
_BY_MOVER = -127
_WORDS = {WIN: "win", DRAW: "draw", LOSS: "loss", ENDLESS: "endless"}

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Value:
    """What a state is worth to the player to move.

    ``value``
        ``"win"``, ``"draw"`` or ``"loss"``; None for a state that the table does not have.
    ``plies``
        In how many plies the win or loss comes; None for draws, as in :class:`Position`.
    ``points``
        How many points more the player to move gains from here on. Without points, a win is 1 and a loss -1.
    """

    value: str | None
    plies: int | None
    points: int = 0


class Values(Sequence[Value]):
    """The values of many states, as arrays and one by one.

    ``outcomes``
        :data:`WIN`, :data:`DRAW` or :data:`LOSS` for the player to move, or :data:`UNUSED`.
    ``plies``
        In how many plies the win or loss comes; -1 for draws, for what endless play or the ply limit decides,
        and where only outcomes are known.
    ``points``
        How many points more the player to move gains from here on.
    """

    def __init__(
        self,
        outcomes: npt.NDArray[np.int8],
        plies: npt.NDArray[np.int32],
        points: npt.NDArray[np.int16],
    ) -> None:
        self.outcomes = outcomes
        self.plies = plies
        self.points = points

    def __len__(self) -> int:
        return len(self.outcomes)

    @overload
    def __getitem__(self, at: int) -> Value: ...
    @overload
    def __getitem__(self, at: slice) -> Values: ...
    def __getitem__(self, at: int | slice) -> Value | Values:
        if isinstance(at, slice):
            return Values(self.outcomes[at], self.plies[at], self.points[at])
        plies = int(self.plies[at])
        value = _WORDS.get(int(self.outcomes[at]))
        return Value(value, None if plies < 0 else plies, int(self.points[at]))

    def __repr__(self) -> str:
        won, lost = int((self.outcomes == WIN).sum()), int((self.outcomes == LOSS).sum())
        return f"<{many(len(self), 'value')}: {won:,} won, {lost:,} lost>"


class States(Sequence[str | None]):
    """The states of a table by their indices. An unused index has None."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._length = table._open().indices()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> str | None: ...
    @overload
    def __getitem__(self, at: slice) -> list[str | None]: ...
    def __getitem__(self, at: int | slice) -> str | list[str | None] | None:
        if isinstance(at, slice):
            start, end, step = at.indices(self._length)
            if step == 1:
                return self._table._open().states(start, max(start, end))
            return [self[index] for index in range(start, end, step)]
        index = at + self._length if at < 0 else at
        if not 0 <= index < self._length:
            raise IndexError(f"no such index: {at}, where the table has {self._length} indices")
        return self._table._open().states(index, index + 1)[0]

    def __iter__(self) -> Iterator[str | None]:
        for start in range(0, self._length, _AT_ONCE):
            yield from self[start : start + _AT_ONCE]

    def __repr__(self) -> str:
        return f"<{many(self._length, 'index', 'indices')}>"


def arrays_of(columns: tuple[bytes, bytes, bytes]) -> tuple[Array, Array, Array]:
    """Outcomes, plies and points, which the engine has written as bytes."""
    outcomes, plies, points = columns
    return np.frombuffer(outcomes, np.int8), np.frombuffer(plies, np.int32), np.frombuffer(points, np.int16)


class Arrays:
    """What the stored values of a table mean, as arrays."""

    def __init__(self, table: Table) -> None:
        self._table = table
        if table._meanings is None:
            table._meanings = table._open().meanings()
        columns, is_endless = table._meanings
        self._outcome, self._plies, self._points = arrays_of(columns)
        self._is_endless = np.frombuffer(is_endless, np.bool_)
        facts = table._facts
        self._has_movers = table._open().names_movers()
        self._has_plies, self._has_points = bool(facts["has_distances"]), "max_points" in facts

    def rows(self, start: int | None, stop: int | None) -> tuple[dict[str, Array], Array]:
        """A row for each state of a range of indices, and whether endless play decides it."""
        start, stop, _ = slice(start, stop).indices(len(self._table.states))
        values = self._table.values(start, max(start, stop))
        used = np.flatnonzero(self._outcome[values] != UNUSED)
        values = values[used]
        found: dict[str, Array] = {"index": used.astype(np.int64) + start}
        movers = self._movers(found["index"]) if self._has_movers else None
        found["outcome"] = self._outcomes(values, found["index"], movers)
        if self._has_plies:
            found["plies"] = self._plies[values]
        if self._has_points:
            found["points"] = self._points[values]
        if movers is not None:
            found["mover"] = movers
        return found, self._is_endless[values]

    def outcomes(self) -> Array:
        """The outcome of each index."""
        found = np.empty(len(self._table.states), np.int8)
        for start in range(0, len(found), _IN_PART):
            end = min(start + _IN_PART, len(found))
            found[start:end] = self._outcomes(self._table.values(start, end), np.arange(start, end), None)
        return found

    def plies(self) -> Array:
        """The plies of each index: -1 where no win or loss comes by play."""
        plies: Array = self._plies[self._table.values()]
        return plies

    def points(self) -> Array:
        """The points of each index. A game without points is won by one."""
        if not self._has_points:
            outcomes = self.outcomes()
            return np.where(np.abs(outcomes) == WIN, outcomes, 0).astype(np.int16)
        points: Array = self._points[self._table.values()]
        return points

    def _outcomes(self, values: Array, index: Array, movers: Array | None) -> Array:
        found: Array = self._outcome[values]
        places = np.flatnonzero(found == _BY_MOVER)
        if len(places):
            # Endless play is won by a player, or by who is to move or not to move.
            winner, players = self._table._facts["endless"], self._table.players
            if winner in players:
                to_move = self._movers(index[places]) if movers is None else movers[places]
                found[places] = np.where(to_move == players.index(winner), WIN, LOSS)
            else:
                found[places] = WIN if winner == "mover" else LOSS
        return found

    def _movers(self, index: Array) -> Array:
        movers = self._table._open().movers(index.astype(np.uint64).tobytes())
        return np.array(np.frombuffer(movers, np.int8))

    def texts(self, index: Array) -> list[str]:
        """The texts of the states of some indices, which ascend."""
        states, found = self._table.states, []
        for start in range(0, len(index), _AT_ONCE):
            part = index[start : start + _AT_ONCE].tolist()
            of_range = states[part[0] : part[-1] + 1]
            found += [of_range[at - part[0]] or "" for at in part]
        return found

    def states(self, texts: list[str]) -> list[Any]:
        """The states themselves: those of a class in Python, or else their texts."""
        game = self._table._game
        return texts if game is None else list(map(_games.describe(game).parse, texts))

    def stats(self, by: Callable[[Any], Any] | Iterable[Any] | str) -> dict[Any, Stats]:
        """The statistics of each group of states."""
        whole = self._table.stats()
        rows, is_endless = self.rows(None, None)
        count = len(is_endless)
        if isinstance(by, str):
            names, places = _tiers(by, whole, count)
        elif callable(by):
            names, places = _groups([by(state) for state in self.states(self.texts(rows["index"]))])
        else:
            names, places = _groups(by)
        if len(places) != count:
            raise UsageError(
                f"by: expected a label for each of the {count} states, in the order of arrays(), "
                f"and not {len(places)}"
            )
        order = np.argsort(places, kind="stable")
        ends = np.searchsorted(places[order], np.arange(len(names) + 1))
        found = {}
        for at, name in enumerate(names):
            own = order[ends[at] : ends[at + 1]]
            found[name] = self._counted(whole, {key: it[own] for key, it in rows.items()}, is_endless[own])
        return found

    def _counted(self, whole: Stats, rows: dict[str, Array], is_endless: Array) -> Stats:
        won, lost = rows["outcome"] == WIN, rows["outcome"] == LOSS
        distances: tuple[Distance, ...] = ()
        if self._has_plies:
            of = [np.bincount(rows["plies"][one & (rows["plies"] >= 0)]) for one in (won, lost)]
            wins, losses = (np.pad(one, (0, max(map(len, of)) - len(one))) for one in of)
            some = np.flatnonzero(wins + losses).tolist()
            distances = tuple(Distance(one, int(wins[one]), int(losses[one])) for one in some)
        points: tuple[Any, ...] = ()
        if self._has_points:
            worths, counts = np.unique(rows["points"], return_counts=True)
            pairs = zip(worths.tolist(), counts.tolist(), strict=True)
            points = tuple({"points": one, "states": count} for one, count in pairs)
        first = won
        # Otherwise wins are counted for the player to move.
        if self._table._facts["players_told_apart"]:
            first = np.where(rows["mover"] == _described.Player.FIRST, won, lost)
        by_first, all_won, all_lost = (int(one.sum()) for one in (first, won, lost))
        return replace(
            whole,
            states=len(won),
            won=all_won,
            lost=all_lost,
            drawn=len(won) - all_won - all_lost,
            endless=int(is_endless.sum()),
            longest_plies=max((one.plies for one in distances), default=None),
            distances=distances,
            tiers=(),
            points=points,
            wins=dict(zip(whole.wins, (by_first, all_won + all_lost - by_first), strict=True)),
        )


def _tiers(by: str, whole: Stats, count: int) -> tuple[list[Any], Array]:
    """The tiers, whose indices follow each other."""
    if by != "tier":
        raise UsageError(f'by: expected a function, an array of labels, or "tier", and not {by!r}')
    if not whole.tiers:
        raise UsageError(f'by: the game has no tiers, so that it has no counts by "tier": {whole.game}')
    return [one["tier"] for one in whole.tiers], np.repeat(
        np.arange(len(whole.tiers)), [one["states"] for one in whole.tiers]
    )


def _groups(labels: Iterable[Any]) -> tuple[list[Any], Array]:
    """The labels without repetitions, sorted where they sort, and the place of each row's among them."""
    array = np.asarray(labels) if hasattr(labels, "__array__") else None
    if array is not None and array.ndim == 1 and array.dtype != object:
        names, places = np.unique(array, return_inverse=True)
        return names.tolist(), places
    numbers: dict[Any, int] = {}
    found = np.array([numbers.setdefault(one, len(numbers)) for one in labels], np.intp)
    try:
        sorted_names = sorted(numbers)
    except TypeError:
        return list(numbers), found
    place = np.empty(len(numbers), np.intp)
    place[[numbers[one] for one in sorted_names]] = np.arange(len(numbers))
    return sorted_names, place[found]


def text_column(texts: list[str]) -> Array:
    """Texts as a column of a table of data."""
    return np.array(texts, np.str_)


def state_column(states: list[Any]) -> Array:
    """States as a column of a table of data: numbers and texts as such, and others as objects."""
    kinds = set(map(type, states))
    if kinds == {str}:
        return text_column(states)
    if kinds == {int}:
        for kind in (np.int64, np.uint64):
            try:
                return np.array(states, kind)
            except OverflowError:
                continue
    return np.fromiter(states, object, len(states))
