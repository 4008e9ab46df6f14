"""Games whose rules answer about many states at once, in arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _tiers
from ._attributes import Attributes
from ._described import ONGOING, Described, blamed, unwritten
from ._errors import GameError


def in_batches(attributes: Attributes, roots: npt.ArrayLike, common: dict[str, Any]) -> Described:
    methods = attributes.methods
    terminal, expand, turn = attributes.needed("terminal"), attributes.needed("expand"), methods["turn"]
    canonical, tier, gain = methods["canonical"], methods["tier"], methods["gain"]

    def turns(states: npt.NDArray[np.uint64]) -> bytes:
        if turn is None:
            return b""
        found = _numbers("turn", turn(states), len(states))
        if ((found != 0) & (found != 1)).any():
            raise ValueError("turn: expected FIRST or SECOND (0 or 1) for each state")
        return found.astype(np.uint8).tobytes()

    def turns_of(states: bytes) -> bytes:
        return turns(np.frombuffer(states, np.uint64))

    def canonical_of_all(states: bytes) -> tuple[bytes, bytes]:
        assert canonical is not None
        asked = np.frombuffer(states, np.uint64)
        found = states_of("canonical", canonical(asked), len(asked))
        return found.tobytes(), turns(found)

    def answer_all(asked: bytes) -> tuple[bytes, bytes, bytes, bytes, bytes]:
        states = np.frombuffer(asked, np.uint64)
        ends = _ends(terminal(states), len(states), attributes.points)
        ongoing = states[ends == ONGOING]
        if not len(ongoing):
            return ends.tobytes(), b"", b"", b"", b""
        answer = expand(ongoing)
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise TypeError("expand: expected two arrays, (parents, successors)")
        parents = _numbers("expand: parents", answer[0], None)
        after = states_of("expand: successors", answer[1], len(parents))
        gains = b""
        if gain is not None:
            # A parent that is no place of a state is refused later.
            gains = gained(ongoing.take(parents, mode="clip"), after).tobytes()
        return ends.tobytes(), parents.tobytes(), after.tobytes(), turns(after), gains

    def gained(before: npt.NDArray[np.uint64], after: npt.NDArray[np.uint64]) -> npt.NDArray[np.int16]:
        assert gain is not None and attributes.points is not None
        most = attributes.points
        found = _numbers("gain", gain(before, after), len(after))
        wrong = found[(found < -most) | (found > most)]
        if len(wrong):
            raise ValueError(
                f"gain: expected numbers of points from {-most} to {most}, but one is {wrong[0]}"
            )
        return found.astype(np.int16)

    def gain_of(before: int, after: int) -> int:
        return int(gained(np.array([before], np.uint64), np.array([after], np.uint64))[0])

    def tiers_of(states: bytes) -> bytes:
        assert tier is not None and tiers is not None
        asked = np.frombuffer(states, np.uint64)
        return tiers.places(_tier_array(tier(asked), len(asked))).tobytes()

    def parse(text: str) -> int:
        try:
            return int(text, 0)
        except ValueError:
            raise ValueError("expected a number, as in 42 or 0x2a") from None

    try:
        found = states_of("roots", roots, None)
    except (TypeError, ValueError) as problem:
        raise GameError(str(problem)) from None
    tiers = None
    if tier is not None:
        most = 0
        if attributes.leads_to is None and len(found):
            try:
                most = max(map(_tiers.number, _tier_array(tier(found), len(found)).tolist()))
            except GameError:
                raise
            except Exception as problem:
                raise blamed(f"tier({len(found)} states)", problem) from problem
        tiers = _tiers.Tiers(attributes.class_name, attributes.leads_to, most)
    return Described(
        states="numbers",
        roots=found.tobytes(),
        classes=[],
        moves=expand,
        answer_all=answer_all,
        turns_of=turns_of if turn is not None else None,
        canonical=canonical_of_all if canonical is not None else None,
        tiers=[] if tiers is None else tiers.listed,
        tier=tiers_of if tier is not None else None,
        gain=gain_of if gain is not None else None,
        write=methods["write"] or str,
        parse=methods["parse"] or (unwritten(parse, methods["write"]) if methods["write"] else parse),
        reads_plain_texts=methods["parse"] is None,
        **common,
    )


def _tier_array(told: npt.ArrayLike, length: int) -> npt.NDArray[Any]:
    found = np.asarray(told)
    if found.shape != (length,):
        raise ValueError(f"tier: expected an array of the shape ({length},), not of {found.shape}")
    return found


def _ends(told: npt.ArrayLike, length: int, points: int | None) -> npt.NDArray[np.int8]:
    found = np.asarray(told)
    # Nothing is copied where the array is of bytes.
    if found.dtype != np.int8:
        found = _numbers("terminal", found, length)
    _check("terminal", found, length)
    if points is not None:
        wrong = found[((found < -points) | (found > points)) & (found != ONGOING)]
        if len(wrong):
            raise ValueError(
                f"terminal: expected numbers of points from {-points} to {points}, or ONGOING, but one is "
                f"{wrong[0]}"
            )
    elif found.dtype != np.int8 and ((found < ONGOING) | (found > 127)).any():
        raise ValueError("terminal: expected numbers of retrograde.End, or ONGOING")
    return found.astype(np.int8, copy=False)


_MOST = np.iinfo(np.int64).max


def _numbers(what: str, array: npt.ArrayLike, length: int | None) -> npt.NDArray[np.int64]:
    found = np.asarray(array)
    _check(what, found, length)
    # Above, the numbers of uint64 would become negative ones.
    if found.dtype == np.uint64 and len(found) and (most := found.max()) > _MOST:
        raise ValueError(f"{what}: expected small numbers, but one is {most}, in an array of uint64")
    return found.astype(np.int64, copy=False)


def states_of(what: str, array: npt.ArrayLike, length: int | None) -> npt.NDArray[np.uint64]:
    found = np.asarray(array)
    _check(what, found, length)
    if found.dtype.kind == "i" and (found < 0).any():
        raise ValueError(f"{what}: a state is never negative, but one is {found.min()}")
    return np.ascontiguousarray(found, np.uint64)


def _check(what: str, found: npt.NDArray[Any], length: int | None) -> None:
    if found.ndim != 1 or (length is not None and len(found) != length):
        wanted = "one dimension" if length is None else f"the shape ({length},)"
        raise ValueError(f"{what}: expected an array of {wanted}, not of the shape {found.shape}")
    if found.dtype.kind not in "iu" and len(found):
        raise TypeError(f"{what}: expected an array of whole numbers, not of {found.dtype}")
