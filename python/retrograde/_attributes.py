"""The attributes that a class is asked for. All are looked at before the first state, since a class may use
the same names for something else."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import json
import re
import warnings
import weakref
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from sys import _getframe
from typing import Any

import numpy as np

from ._errors import GameError, GameWarning
from ._text import short
from .symmetry import closed

METHODS = {
    "roots": (),
    "terminal": ("state",),
    "moves": ("state",),
    "expand": ("states",),
    "turn": ("state",),
    "canonical": ("state",),
    "tier": ("state",),
    "gain": ("before", "after"),
    "write": ("state",),
    "parse": ("text",),
    "write_move": ("before", "after"),
    "board": ("state",),
    "draw": ("state",),
}
DATA = (
    "name",
    "rules",
    "players",
    "no_moves",
    "endless",
    "ply_limit",
    "points",
    "parameters",
    "state_types",
    "symmetries",
    "leads_to",
)

_MOST_POINTS = 511
_MOST_IN_BATCHES = 127
"""One less than what `ONGOING` is."""
_MOST_PLIES = 2**32 - 1
FOREIGN = {
    "predecessors": "games in Python have none: `roots`, `moves` and `terminal` suffice",
    "symmetry": "a class has `symmetries`",
    "canonicalize": "a class has `canonical`",
    "max_points": "a class has `points`",
    "write_state": "a class has `write`",
    "parse_state": "a class has `parse`",
    "scene": "a class has `board`",
    "move_places": "a class has `board` and `write_move`",
}
"""Methods of games in Rust that a class is never asked for, and what it has in their place."""


class Attributes:
    """What a class is asked for, beside its states. A wrong attribute is a :class:`GameError`."""

    def __init__(self, game: Any, end: type[enum.IntEnum]) -> None:
        self._game = game
        self._end = end
        self.class_name = type(game).__name__
        self.methods = {name: self._method(name, takes) for name, takes in METHODS.items()}
        self.is_batched = self.methods["expand"] is not None
        self._look_for_rules()
        self.name = self._name()
        words = inspect.getdoc(type(game)) or self.name
        self.about = words.splitlines()[0]
        self.in_words = str(self._checked("rules", "a text", lambda it: isinstance(it, str)) or words)
        self.players = self._players()
        most, where = (_MOST_IN_BATCHES, " in batches") if self.is_batched else (_MOST_POINTS, "")
        self.points = self._number("points", most, f"the most points that a player can win by{where}")
        self.ply_limit = self._number("ply_limit", _MOST_PLIES, "a number of plies")
        if self.points is not None and self.ply_limit is not None:
            raise self._wrong("ply_limit", "none, since a game with `points` has no limit")
        self.endless = self._endless()
        self.no_moves = self._no_moves()
        self.state_types = self._state_types()
        self.symmetries = self._symmetries()
        self.leads_to = self._leads_to()
        self._look_at_gains()
        self.parameters = self._parameters()

    def _get(self, name: str) -> Any:
        """The attribute, or None where the class has none."""
        try:
            return getattr(self._game, name)
        except AttributeError as problem:
            # A property of this name may lack an attribute itself.
            if not hasattr(type(self._game), name) or hasattr(type(self._game), "__getattr__"):
                return None
            raise GameError(f"{self.class_name}.{name}: {type(problem).__name__}: {problem}") from problem
        except Exception as problem:
            raise GameError(f"{self.class_name}.{name}: {type(problem).__name__}: {problem}") from problem

    def _wrong(self, name: str, expected: str) -> GameError:
        value = self._get(name)
        kind = "a method" if inspect.isroutine(value) else short(value)
        return GameError(
            f"{self.class_name}.{name} is {kind}: expected {expected}. "
            f"If it has another meaning, rename it, as in _{name}"
        )

    def _checked(self, name: str, expected: str, is_right: Callable[[Any], bool]) -> Any:
        value = self._get(name)
        if value is not None and not is_right(value):
            raise self._wrong(name, expected)
        return value

    def _method(self, name: str, takes: tuple[str, ...]) -> Callable[..., Any] | None:
        written = f"a method {name}({', '.join(takes)})"
        method: Callable[..., Any] | None = self._checked(name, written, callable)
        if method is None:
            return None
        try:
            signature = inspect.signature(method)
        except (TypeError, ValueError):
            return method
        try:
            signature.bind(*takes)
        except TypeError:
            raise GameError(
                f"{self.class_name}.{name} takes {signature}: expected {written}. "
                f"If it has another meaning, rename it, as in _{name}"
            ) from None
        return method

    def needed(self, name: str) -> Callable[..., Any]:
        """The method of this name, without which the class is no game."""
        method = self.methods[name]
        if method is None:
            raise GameError(f"{self.class_name} has no method {name}")
        return method

    def _look_for_rules(self) -> None:
        if self.is_batched and self.methods["moves"] is not None:
            raise GameError(
                f"{self.class_name} has moves(state) and expand(states): expected moves where states are "
                "asked about one by one, or expand in batches. Rename the other, as in _expand"
            )
        needed = ["roots", "terminal", "expand" if self.is_batched else "moves"]
        missing = [one for one in needed if self.methods[one] is None]
        if missing:
            slips = [slip for slip, meant in _slips(self._game).items() if meant in missing]
            raise GameError(
                f"{self.class_name} has no method {' and no method '.join(missing)}"
                + (f", but {' and '.join(slips)}" if slips else "")
                + ": a game has roots(), terminal(state) and moves(state), or expand(states) in batches"
            )

    def _name(self) -> str:
        own = self._get("name")
        if own is None:
            # `ThreeInARow` is `three-in-a-row`.
            parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", self.class_name)
            own = re.sub("-+", "-", parts.replace("_", "-")).lower().strip("-")
        if not isinstance(own, str) or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", own):
            if self._get("name") is None:
                raise GameError(f"{self.class_name}: set `name`, in lower-case words and hyphens")
            raise self._wrong("name", "lower-case words and hyphens, as in 'three-in-a-row'")
        return own

    def _players(self) -> tuple[str, str]:
        def are_names(value: Any) -> bool:
            return (
                isinstance(value, (tuple, list))
                and len(value) == 2
                and all(isinstance(one, str) and one.strip() and one.isprintable() for one in value)
                and value[0] != value[1]
            )

        found = self._checked("players", "two names, as in ('white', 'black')", are_names)
        return ("first", "second") if found is None else (found[0], found[1])

    def _number(self, name: str, most: int, meaning: str) -> int | None:
        def is_right(value: Any) -> bool:
            return _is_number(value) and 1 <= value <= most

        value = self._checked(name, f"a whole number from 1 to {most}: {meaning}", is_right)
        return None if value is None else int(value)

    def _is_end(self, value: Any) -> bool:
        """Whether this is a member of `End`, or the number that `retrograde.DRAW` is. Other numbers may count
        something else."""
        return isinstance(value, self._end) or (type(value) is int and value == 0)

    def _endless(self) -> int:
        has_winners = self.methods["turn"] is not None and self.points is None
        known = (0, 2, 3) if has_winners else (0,)
        expected = "retrograde.DRAW, FIRST_WINS or SECOND_WINS" if has_winners else "retrograde.DRAW"
        if self.points is not None:
            expected += ", since endless play gains no points"
        elif not has_winners:
            expected += ", since a game without `turn` does not name its players"
        value = self._checked("endless", expected, lambda it: self._is_end(it) and it in known)
        return 0 if value is None else int(value)

    def _no_moves(self) -> int | None:
        points = self.points
        if points is not None:
            expected = f"a number of points from {-points} to {points}, since the class has `points`"
        elif self.methods["turn"] is None:
            expected = "retrograde.DRAW, MOVER_WINS or MOVER_LOSES, since a game without `turn` does not "
            expected += "name its players"
        else:
            expected = "retrograde.DRAW, MOVER_WINS, MOVER_LOSES, FIRST_WINS or SECOND_WINS"

        def is_right(value: Any) -> bool:
            if points is not None:
                # A member of `End` names a winner, and not how many points.
                is_number = _is_number(value) and (value == 0 or not isinstance(value, enum.Enum))
                return bool(is_number and abs(value) <= points)
            return self._is_end(value) and value <= (1 if self.methods["turn"] is None else 3)

        value = self._checked("no_moves", expected, is_right)
        return None if value is None else int(value)

    def _state_types(self) -> tuple[type, ...]:
        def are_classes(value: Any) -> bool:
            return isinstance(value, (tuple, list, set, frozenset)) and all(
                isinstance(one, type) for one in value
            )

        found = self._checked("state_types", "classes, as in (Side, Board)", are_classes)
        return () if found is None else tuple(found)

    def _symmetries(self) -> list[Any]:
        value = self._checked(
            "symmetries",
            "a list of permutations of places, as symmetry.board(3, 3) makes it",
            lambda it: isinstance(it, (tuple, list)),
        )
        if value is None:
            return []
        if self.methods["canonical"] is not None:
            raise GameError(f"{self.class_name} has `symmetries` and `canonical`: expected one of them")
        try:
            return closed(value, self.is_batched)
        except (TypeError, ValueError) as problem:
            raise GameError(f"{self.class_name}.symmetries: {problem}") from problem

    def _leads_to(self) -> dict[Any, Iterable[Any]] | None:
        def is_right(value: Any) -> bool:
            return isinstance(value, dict) and all(
                isinstance(some, (list, tuple, set, frozenset, range)) for some in value.values()
            )

        expected = "the tiers, each with those that moves lead to, as in {'opening': ['end'], 'end': []}"
        value = self._checked("leads_to", expected, is_right)
        if value is not None and self.methods["tier"] is None:
            raise GameError(f"{self.class_name}.leads_to: write tier(state), too")
        return value  # type: ignore[no-any-return]

    def _look_at_gains(self) -> None:
        if self.methods["gain"] is None:
            return
        if self.points is None:
            raise GameError(f"{self.class_name}.gain: set `points`, too: the most that a player can win by")
        if self.methods["tier"] is None:
            raise GameError(
                f"{self.class_name}.gain: a move that gains points leaves its tier: write tier(state), too"
            )

    def _own_fields(self) -> list[str]:
        """The names of what the object has: of a dataclass its fields, of others all attributes and slots."""
        kind = type(self._game)
        is_dataclass = dataclasses.is_dataclass(self._game)
        fields = [one.name for one in dataclasses.fields(self._game)] if is_dataclass else []
        if "__dataclass_fields__" in vars(kind):
            return fields
        found = [*fields, *getattr(kind, "_fields", ()), *getattr(self._game, "__dict__", ())]
        for one in kind.__mro__:
            slots = vars(one).get("__slots__", ())
            found += [slots] if isinstance(slots, str) else list(slots)
        return list(dict.fromkeys(found))

    def _parameters(self) -> str:
        own = self._get("parameters")
        if callable(own):
            try:
                own = own()
            except Exception as problem:
                told = f"{self.class_name}.parameters(): {type(problem).__name__}: {problem}"
                raise GameError(told) from problem
        if own is None:
            own = {key: getattr(self._game, key) for key in self._own_fields() if hasattr(self._game, key)}
            if "__dataclass_fields__" not in vars(type(self._game)):
                known = {*DATA, *METHODS}
                own = {
                    key: it
                    for key, it in own.items()
                    if key[:1] != "_" and key not in known and not callable(it)
                }
        try:
            return json.dumps(own, sort_keys=True, default=_plain, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as problem:
            raise GameError(
                f"{self.class_name}: its attributes are the parameters of the game, but {problem}: "
                "begin the names of others with _, or write `parameters`"
            ) from None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, enum.Enum):
        return value.name
    raise TypeError(f"{short(value)} can't be written as JSON")


def _public(game: Any) -> dict[str, Any]:
    """The attributes of a class and its objects that do not begin with ``_``."""
    found: dict[str, Any] = {}
    for one in reversed(type(game).__mro__[:-1]):
        found.update(vars(one))
    found.update(getattr(game, "__dict__", {}))
    return {name: value for name, value in found.items() if not name.startswith("_")}


def _slips(game: Any) -> dict[str, str]:
    """Attributes whose names are nearly those that a class is asked for, where it lacks the one."""
    public = _public(game)
    plain = {name.replace("_", ""): name for name in (*METHODS, *DATA) if public.get(name) is None}
    slips = {}
    for name, value in public.items():
        spelt = name.replace("_", "").lower()
        near = get_close_matches(spelt, plain, 1, 0.8)
        if name in METHODS or name in DATA or not near or not _is_near(spelt, near[0]):
            continue
        is_method = callable(value) or isinstance(value, classmethod)
        if is_method == (plain[near[0]] in METHODS):
            slips[name] = plain[near[0]]
    return slips


def _is_near(one: str, other: str) -> bool:
    """Whether a letter more or less, or two that changed places, make the one of the other. In a long name,
    a letter may also be another."""
    if len(one) > len(other):
        one, other = other, one
    same = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
    ends = one[same:], other[same:]
    if len(one) < len(other):
        return same > 0 and ends[0] == ends[1][1:]
    is_turned = ends[0][:2] == ends[1][:2][::-1] and ends[0][2:] == ends[1][2:]
    return is_turned or (len(one) > 5 and ends[0][1:] == ends[1][1:])


_told: weakref.WeakSet[type] = weakref.WeakSet()


def tell_lookalikes(game: Any) -> None:
    """Warns, once for each class, of attributes that look like those of a game, but are never asked for."""
    if type(game) in _told:
        return
    _told.add(type(game))
    slips = {name: f"is `{meant}` meant?" for name, meant in _slips(game).items()}
    foreign = {
        name: instead
        for name, value in _public(game).items()
        if (instead := FOREIGN.get(name)) is not None and callable(value)
    }
    for name, instead in sorted({**foreign, **slips}.items()):
        warnings.warn(
            f"{type(game).__name__}.{name} is never asked for: {instead}",
            GameWarning,
            stacklevel=_outside(),
        )


def _outside() -> int:
    """How many calls up somebody called this package."""
    own, frame, level = str(Path(__file__).parent), _getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(own):
        frame, level = frame.f_back, level + 1
    return level
