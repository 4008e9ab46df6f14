"""Symmetries of games: which states are the same but for how they are turned.

A class lists them in ``symmetries``. Each is a permutation of the places of a state: a sequence that has, for
each place after it, the place from which that is filled. Places are the letters of a text, the bytes of
bytes, the items of a tuple, or those of its rows one after the other. They may be in a part of the state: in
``(board, player)`` those of the board move, and the player stays. Only one part moves: for two boards, as in
``(mine, theirs)``, :func:`planes` makes lists that turn both. A list may leave out what follows from others
in it.

>>> from retrograde import symmetry
>>> symmetry.ring(4)
[Symmetry(places=(1, 2, 3, 0), exchange={}), Symmetry(places=(3, 2, 1, 0), exchange={})]
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _text
from ._errors import UsageError

__all__ = ["Symmetry", "board", "digits", "exchange", "graph", "planes", "ring", "row"]

_Plain = tuple[tuple[int, ...], tuple[tuple[Any, Any], ...]]
"""A symmetry as its places and the pairs that it exchanges."""

_MOST = 5_040
"""The most symmetries of a game: as many as those of seven places that are all alike."""


@dataclasses.dataclass(frozen=True)
class Symmetry:
    """A permutation of the places of a state, and an exchange of what is there.

    ``places``
        For each place, the place from which it is filled.
    ``exchange``
        What takes the place of what, as in ``{"x": "o", "o": "x"}``.
    """

    places: tuple[int, ...]
    exchange: Mapping[Any, Any] = dataclasses.field(default_factory=dict)


def row(length: int) -> list[Symmetry]:
    """A row of places and its mirror image."""
    _check_number("row: length", length)
    return [Symmetry(tuple(reversed(range(length))))]


def ring(length: int) -> list[Symmetry]:
    """Places in a ring: it may be turned and mirrored."""
    _check_number("ring: length", length)
    return [Symmetry((*range(1, length), 0)), *row(length)]


def board(rows: int, columns: int) -> list[Symmetry]:
    """A board of rows and columns, row by row: it may be turned and mirrored."""
    _check_number("board: rows", rows)
    _check_number("board: columns", columns)
    places = [[row * columns + column for column in range(columns)] for row in range(rows)]
    images = [[one[::-1] for one in places], places[::-1]]
    if rows == columns:
        images.append([list(column) for column in zip(*places, strict=True)])
    return [Symmetry(tuple(place for one in image for place in one)) for image in images]


def graph(neighbours: Sequence[Iterable[int]], *, directed: bool = False) -> list[Symmetry]:
    """The nodes of a graph, given by the neighbours of each: all permutations that keep the edges. Two
    neighbours name each other, unless the graph is ``directed``."""
    edges = _edges(neighbours)
    for node, some in enumerate(edges):
        for one in some if not directed else ():
            if node not in edges[one]:
                raise UsageError(
                    f"graph: node {node} has the neighbour {one}, but node {one} lacks the neighbour {node}: "
                    "name it there, too, or write directed=True"
                )
    before = [frozenset(node for node, some in enumerate(edges) if one in some) for one in range(len(edges))]
    found: list[Symmetry] = []

    def extend(image: list[int]) -> None:
        at = len(image)
        if at == len(edges):
            if len(found) >= _MOST:
                raise UsageError(
                    f"graph: it has more than {_MOST:,} symmetries: write canonical(state) instead"
                )
            found.append(Symmetry(tuple(image)))
            return
        for to in set(range(len(edges))).difference(image):
            if len(edges[to]) != len(edges[at]) or len(before[to]) != len(before[at]):
                continue
            if (at in edges[at]) == (to in edges[to]) and all(
                (one in edges[at]) == (image[one] in edges[to])
                and (one in before[at]) == (image[one] in before[to])
                for one in range(at)
            ):
                extend([*image, to])

    extend([])
    return found


def _edges(neighbours: Any) -> list[frozenset[int]]:
    if isinstance(neighbours, (str, bytes, Mapping)):
        raise UsageError(
            "graph: expected the neighbours of node 0, of node 1 and so on, as in [[1], [0, 2], [1]], and "
            f"not {_text.short(neighbours)}"
        )
    listed = [list(some) for some in neighbours]
    for node, some in enumerate(listed):
        for one in some:
            if not _is_number(one) or not 0 <= one < len(listed):
                raise UsageError(
                    f"graph: node {node} has the neighbour {one!r}: expected nodes from 0 to "
                    f"{len(listed) - 1}"
                )
    if not listed:
        raise UsageError("graph: expected the neighbours of one node or more")
    return [frozenset(map(int, some)) for some in listed]


def exchange(symmetries: Iterable[Any], letters: Mapping[Any, Any]) -> list[Symmetry]:
    """These symmetries, and an exchange of what is at the places, as of colours.

    It suits a game where a colour belongs to nobody, so that either player may use both: a state with the
    colours exchanged has the same moves and ends for the player to move. Where ``x`` is one player or the
    one to move, and ``o`` the other, it is no symmetry. To exchange the players with their colours, in
    states that say who is to move, leave ``turn`` out, and write ``canonical(state)``.
    """
    listed = [_symmetry(one) for one in symmetries]
    if not listed:
        raise UsageError("exchange: expected symmetries of places, as symmetry.board(3, 3) lists them")
    return [*listed, Symmetry(tuple(range(len(listed[0].places))), dict(letters))]


def planes(
    symmetries: Iterable[Any], count: int = 2, exchanged: tuple[int, int] | None = None
) -> list[Symmetry]:
    """Symmetries of places on the bits of a number that has ``count`` bitboards, one above the other, or on a
    state of ``count`` boards, as in ``(mine, theirs)``: all of them are turned together. ``exchanged`` are
    two of them that may be exchanged, in a game that :func:`exchange` suits."""
    return _bits(
        "planes: count", symmetries, count, exchanged, lambda place, plane, places: plane * places + place
    )


def digits(
    symmetries: Iterable[Any], width: int = 2, exchanged: tuple[int, int] | None = None
) -> list[Symmetry]:
    """Symmetries of places on the bits of a number that has ``width`` bits for each place. ``exchanged`` are
    two of these bits that may be exchanged: 0 and 1 exchange the digits 1 and 2."""
    return _bits(
        "digits: width", symmetries, width, exchanged, lambda place, bit, places: place * width + bit
    )


def _bits(
    what: str, symmetries: Iterable[Any], count: int, exchanged: tuple[int, int] | None, at: Any
) -> list[Symmetry]:
    _check_number(what, count)
    listed = [_symmetry(one) for one in symmetries]
    places = len(listed[0].places) if listed else 0

    def spread(image: Sequence[int], parts: Sequence[int]) -> Symmetry:
        bits = [0] * (places * count)
        for place, of in enumerate(image):
            for part, other in enumerate(parts):
                bits[at(place, part, places)] = at(of, other, places)
        return Symmetry(tuple(bits))

    found = [spread(one.places, range(count)) for one in listed]
    if exchanged is not None:
        parts = list(range(count))
        pair = tuple(exchanged)
        if len(set(pair)) != 2 or len(pair) != 2 or not all(_is_number(one) and one in parts for one in pair):
            name = what.partition(":")[0]
            raise UsageError(
                f"{name}: exchanged: expected two numbers from 0 to {count - 1}, and not {exchanged!r}"
            )
        one, other = pair
        parts[one], parts[other] = other, one
        found.append(spread(range(places), parts))
    return found


def _is_number(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _check_number(what: str, value: Any) -> None:
    if not _is_number(value) or value < 1:
        raise UsageError(f"{what}: expected a whole number from 1 on, and not {value!r}")


def _symmetry(one: Any) -> Symmetry:
    if isinstance(one, Symmetry):
        return one
    if not isinstance(one, Iterable):
        raise UsageError(
            f"{one!r} is no permutation: expected a list of permutations of places, as in [(2, 1, 0)], or as "
            "symmetry.board(3, 3) makes it"
        )
    return Symmetry(tuple(one))


def closed(listed: Iterable[Any], is_batched: bool) -> list[tuple[list[int], list[tuple[Any, Any]]]]:
    """All symmetries that follow from some, but the one that changes nothing, as the engine reads them."""
    given = [_checked(_symmetry(one), is_batched) for one in listed]
    if len({len(places) for places, _ in given}) > 1:
        raise ValueError("expected permutations of one number of places")
    if not given:
        return []
    nothing: _Plain = (tuple(range(len(given[0][0]))), ())
    known: dict[_Plain, None] = {nothing: None}
    used: list[Any] = []
    for one in given:
        if one in known:
            continue
        used.append(one)
        waiting = list(known)
        while waiting:
            before = waiting.pop()
            for then in used:
                after = _after(before, then)
                if after not in known:
                    if len(known) == _MOST:
                        raise ValueError(f"there are more than {_MOST:,} symmetries: write canonical(state)")
                    known[after] = None
                    waiting.append(after)
    return [(list(places), list(pairs)) for places, pairs in known if (places, pairs) != nothing]


def _after(before: _Plain, then: _Plain) -> _Plain:
    """The symmetry that is one and then another."""
    (places, pairs), (own, exchanged) = before, then
    first, second = dict(pairs), dict(exchanged)
    both = {one: second.get(first.get(one, one), first.get(one, one)) for one in {*first, *second}}
    kept = sorted(((one, to) for one, to in both.items() if one != to), key=repr)
    return tuple(places[place] for place in own), tuple(kept)


def _checked(one: Symmetry, is_batched: bool) -> _Plain:
    places = tuple(one.places) if isinstance(one.places, Iterable) else (one.places,)
    are_numbers = all(map(_is_number, places))
    if not are_numbers or sorted(places) != list(range(len(places))) or not places:
        raise ValueError(f"{places} is no permutation: expected each of 0 to {max(len(places) - 1, 0)} once")
    if not isinstance(one.exchange, Mapping):
        raise ValueError(f"exchange: expected pairs, as in {{'x': 'o', 'o': 'x'}}, and not {one.exchange!r}")
    pairs = {key: to for key, to in one.exchange.items() if key != to}
    if set(pairs) != set(pairs.values()):
        raise ValueError(f"exchange: {one.exchange} is no exchange: expected the same letters on both sides")
    if is_batched and pairs:
        raise ValueError("exchange: numbers have bits: exchange these by symmetry.planes or symmetry.digits")
    if is_batched and len(places) > 64:
        raise ValueError(f"expected a permutation of at most 64 bits, not of {len(places)}")
    return places, tuple(sorted(pairs.items(), key=repr))
