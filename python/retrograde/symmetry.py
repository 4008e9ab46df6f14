"""Symmetries of games: which states are the same but for how they are turned.

A class lists them in ``symmetries``. Each is a permutation of the places of a state: a sequence that has, for
each place after it, the place from which that is filled. Places are the letters of a text, the bytes of
bytes, the items of a tuple, or those of its rows one after the other. They may be in a part of the state: in
``(board, player)`` those of the board move, and the player stays. A list may leave out what follows from
others in it.

>>> from retrograde import symmetry
>>> symmetry.ring(4)
[Symmetry(places=(1, 2, 3, 0), exchange={}), Symmetry(places=(3, 2, 1, 0), exchange={})]
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["Symmetry", "board", "digits", "exchange", "graph", "planes", "ring", "row"]

_Plain = tuple[tuple[int, ...], tuple[tuple[Any, Any], ...]]
"""A symmetry as its places and the pairs that it exchanges."""

_MOST = 5_040
"""The most symmetries of a game: as many as those of seven places that are all alike."""


@dataclasses.dataclass(frozen=True)
class Symmetry:
    """A permutation of the places of a state, and an exchange of what is there."""

    places: tuple[int, ...]
    """For each place, the place from which it is filled."""
    exchange: Mapping[Any, Any] = dataclasses.field(default_factory=dict)
    """What takes the place of what, as in ``{"x": "o", "o": "x"}``."""


def row(length: int) -> list[Symmetry]:
    """A row of places and its mirror image."""
    return [Symmetry(tuple(reversed(range(length))))]


def ring(length: int) -> list[Symmetry]:
    """Places in a ring: it may be turned and mirrored."""
    return [Symmetry((*range(1, length), 0)), *row(length)]


def board(rows: int, columns: int) -> list[Symmetry]:
    """A board of rows and columns, row by row: it may be turned and mirrored."""
    places = [[row * columns + column for column in range(columns)] for row in range(rows)]
    images = [[one[::-1] for one in places], places[::-1]]
    if rows == columns:
        images.append([list(column) for column in zip(*places, strict=True)])
    return [Symmetry(tuple(place for one in image for place in one)) for image in images]


def graph(neighbours: Sequence[Iterable[int]]) -> list[Symmetry]:
    """The nodes of a graph, given by the neighbours of each: all permutations that keep the edges."""
    edges = [frozenset(some) for some in neighbours]
    before = [frozenset(node for node, some in enumerate(edges) if one in some) for one in range(len(edges))]
    found: list[Symmetry] = []

    def extend(image: list[int]) -> None:
        at = len(image)
        if at == len(edges):
            if len(found) >= _MOST:
                raise ValueError(f"graph: it has more than {_MOST:,} symmetries")
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


def exchange(symmetries: Iterable[Any], letters: Mapping[Any, Any]) -> list[Symmetry]:
    """These symmetries, and an exchange of what is at the places, as of colours. Values are for the player to
    move, so that this suits a game without ``turn`` whose states exchange the colours after each move, or
    have them in equal parts. With ``turn``, states name the players, and an exchange of their colours leads
    to a state of the other player: leave ``turn`` out."""
    listed = [_symmetry(one) for one in symmetries]
    if not listed:
        raise ValueError("exchange: expected symmetries of places, as symmetry.board(3, 3) lists them")
    return [*listed, Symmetry(tuple(range(len(listed[0].places))), dict(letters))]


def planes(
    symmetries: Iterable[Any], count: int = 2, exchanged: tuple[int, int] | None = None
) -> list[Symmetry]:
    """Symmetries of places on the bits of a number that has ``count`` bitboards, one above the other.
    ``exchanged`` are two of them that may be exchanged, as those of two colours."""
    return _bits(symmetries, count, exchanged, lambda place, plane, places: plane * places + place)


def digits(
    symmetries: Iterable[Any], width: int = 2, exchanged: tuple[int, int] | None = None
) -> list[Symmetry]:
    """Symmetries of places on the bits of a number that has ``width`` bits for each place. ``exchanged`` are
    two of these bits that may be exchanged: 0 and 1 exchange the digits 1 and 2."""
    return _bits(symmetries, width, exchanged, lambda place, bit, places: place * width + bit)


def _bits(
    symmetries: Iterable[Any], count: int, exchanged: tuple[int, int] | None, at: Any
) -> list[Symmetry]:
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
        one, other = exchanged
        parts[one], parts[other] = other, one
        found.append(spread(range(places), parts))
    return found


def _symmetry(one: Any) -> Symmetry:
    return one if isinstance(one, Symmetry) else Symmetry(tuple(one))


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
                        raise ValueError(f"there are more than {_MOST:,} symmetries")
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
    places = tuple(one.places)
    if sorted(places) != list(range(len(places))) or not places:
        raise ValueError(f"{places} is no permutation: expected each of 0 to {max(len(places) - 1, 0)} once")
    pairs = {key: to for key, to in one.exchange.items() if key != to}
    if set(pairs) != set(pairs.values()):
        raise ValueError(f"exchange: {one.exchange} is no exchange: expected the same letters on both sides")
    if is_batched and pairs:
        raise ValueError("exchange: numbers have bits: exchange these by symmetry.planes or symmetry.digits")
    if is_batched and len(places) > 64:
        raise ValueError(f"expected a permutation of at most 64 bits, not of {len(places)}")
    return places, tuple(sorted(pairs.items(), key=repr))
