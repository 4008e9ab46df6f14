"""The tiers of a game in Python: their names, their order, and where moves lead from each."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import GameError

_MOST = 1 << 12
"""The most tiers, each of which may lead to all smaller ones."""


class Tiers:
    """The tiers in the order in which they are solved."""

    def __init__(self, class_name: str, leads_to: Mapping[Any, Iterable[Any]] | None, largest: int) -> None:
        self._class_name = class_name
        self._is_listed = leads_to is not None
        if leads_to is None:
            check_count(f"{class_name}.tier", largest + 1)
            self._places: dict[Any, int] = {tier: tier for tier in range(largest + 1)}
            # A range takes no memory for each pair of tiers.
            self.listed: list[tuple[str, Sequence[int]]] = [(str(tier), range(tier)) for tier in self._places]
        else:
            check_count(f"{class_name}.leads_to", len(leads_to))
            order, after = self._sorted(leads_to)
            self._places = {tier: place for place, tier in enumerate(order)}
            self.listed = [(str(tier), [self._places[to] for to in after[tier]]) for tier in order]

    def _sorted(self, leads_to: Mapping[Any, Iterable[Any]]) -> tuple[list[Any], dict[Any, list[Any]]]:
        after: dict[Any, list[Any]] = {}
        for tier, some in leads_to.items():
            others: dict[Any, None] = {}
            # These may be many, and are looked at one by one.
            for to in some:
                if not isinstance(to, Hashable) or to not in leads_to:
                    raise GameError(
                        f"{self._class_name}.leads_to: {tier!r} leads to {to!r}, which is no tier: expected "
                        "all tiers as its keys"
                    )
                if to != tier:
                    others[to] = None
            after[tier] = list(others)
        try:
            return list(TopologicalSorter(after).static_order()), after
        except CycleError as problem:
            circle = " to ".join(map(repr, problem.args[1]))
            raise GameError(
                f"{self._class_name}.leads_to: moves lead round from {circle}: expected that play never "
                "returns to a tier that it has left"
            ) from None

    def place(self, tier: Any) -> int:
        """The place of a tier that the game names."""
        found = self._places.get(_plain(tier))
        if found is None:
            raise ValueError(f"returned {tier!r}: {self._expected()}")
        return found

    def places(self, found: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
        """The places of the tiers of many states."""
        if not self._is_listed and found.dtype.kind in "iu":
            wrong = found[(found < 0) | (found >= len(self.listed))]
            if len(wrong):
                raise ValueError(f"returned {wrong[0]}: {self._expected()}")
            return found.astype(np.uint32)
        names, which = np.unique(found, return_inverse=True)
        return np.array([self.place(one) for one in names.tolist()], np.uint32)[which]

    def _expected(self) -> str:
        if self._is_listed:
            return "expected one of the tiers that `leads_to` lists"
        return (
            f"expected a whole number from 0 to {len(self.listed) - 1}, the largest tier of the roots, since "
            "no move may make the tier larger"
        )


def check_count(what: str, count: int) -> None:
    """Refuses more tiers than a game may have."""
    if count > _MOST:
        raise GameError(
            f"{what}: there are {count:,} tiers: expected at most {_MOST:,}. Let a tier stand for several of "
            "them, as in tier // 10"
        )


def _plain(tier: Any) -> Any:
    return tier.item() if isinstance(tier, np.generic) else tier


def number(tier: Any) -> int:
    """A tier that has to be a number."""
    tier = _plain(tier)
    if type(tier) is not int or tier < 0:
        raise GameError(
            f"tier: returned {tier!r}: expected a whole number from 0 on, or a class with `leads_to`, which "
            "lists all tiers, and to which moves lead from each"
        )
    return tier
