"""The tiers of a game in Python: their names, their order, and where moves lead from each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
        count = largest + 1 if leads_to is None else len(leads_to)
        if count > _MOST:
            raise GameError(f"{class_name}.tier: there are {count:,} tiers: expected at most {_MOST:,}")
        if leads_to is None:
            order = list(range(largest + 1))
            after: dict[Any, list[Any]] = {tier: list(range(tier)) for tier in order}
        else:
            order, after = self._sorted(leads_to)
        self._places = {tier: place for place, tier in enumerate(order)}
        self.listed = [(str(tier), [self._places[to] for to in after[tier]]) for tier in order]

    def _sorted(self, leads_to: Mapping[Any, Iterable[Any]]) -> tuple[list[Any], dict[Any, list[Any]]]:
        after = {tier: [to for to in dict.fromkeys(some) if to != tier] for tier, some in leads_to.items()}
        for tier, some in after.items():
            for to in some:
                if to not in after:
                    raise GameError(
                        f"{self._class_name}.leads_to: {tier!r} leads to {to!r}, which is no tier: expected "
                        "all tiers as its keys"
                    )
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
        return f"expected a whole number from 0 to {len(self.listed) - 1}, the largest tier of the roots"


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
