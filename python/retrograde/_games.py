"""Games whose rules are a class in Python: what the engine has to know of them."""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _engine, _text, _tiers
from ._attributes import Attributes, tell_lookalikes
from ._batches import in_batches, states_of
from ._described import Described, End, blamed, unwritten
from ._errors import GameError, RetrogradeError, StateError

_MOST_ROOTS = 1 << 24


@runtime_checkable
class Game(Protocol):
    """The rules of a game: what a class needs. :class:`BatchGame` is the same in arrays, which is faster.

    A state is a number, a text, bytes, None, a tuple or a frozenset of these, or a named tuple, a
    frozen dataclass or a member of an enumeration. It has all that the rest of play depends on.

    Beside these three methods, a class may have:

    ``turn(state)``
        Who is to move. Without it, the players have no names, and ends are for the player to move.
    ``no_moves``
        The end where the player to move has no move. Without it, such a state is an error.
    ``endless``
        What play that never ends is worth. Without it, a draw.
    ``ply_limit``
        After how many plies play that goes on counts as endless.
    ``points``
        The most points that a player can win by. ``terminal`` then returns how many points more the
        player to move has, as a number: ends that name a winner, such as ``MOVER_WINS``, are refused.
        What a state is worth counts from there on: what moves before it gained is not among its points.
    ``tier(state)``
        The part of the game that a state is in, which play never comes back to: the stones that are
        left, as a number that no move makes larger, or a name from ``leads_to``. Each is solved by
        itself, with those that moves lead to, and the table is a folder. There are at most 4,096.
    ``leads_to``
        The tiers, where they have names, or where moves lead to few of the smaller ones: a dictionary
        of lists. With many tiers, that saves most of the time.
    ``gain(before, after)``
        How many points a move gains for the player who makes it, in a game with ``points`` and
        ``tier``. Such a move leaves its tier. ``terminal`` then says what is gained at the end.
    ``players``
        The names of the two players, in lower case.
    ``name``, ``rules``
        What the game is called, and its rules in words. Without them, the class's name and docstring.
    ``parameters``
        What makes this game differ from others of its class, as data that JSON can write. Without it,
        the fields of a dataclass, or the attributes of the object that do not begin with ``_``.
    ``write(state)``, ``parse(text)``
        How people write states, and how that is read: ``parse`` reads all that ``write`` writes. Without
        both, as Python does.
    ``write_move(before, after)``
        How people write moves.
    ``board(state)``
        A picture: the rows of a board, as texts. ``.`` is empty, ``x``, ``o``, ``w`` and ``b`` are
        pieces of the first and the second player, and other letters are shown as they are. Without
        ``write_move``, moves are named by what changes on the board. It may be turned round, or have
        the sides exchanged, for the player to move. Then pictures of a line change sides with each move.
    ``draw(state)``
        A picture in text, of one line or several. Notebooks and the command line show it where there is no
        ``board``.
    ``symmetries``
        Which states are the same but for how they are turned: a list, as :mod:`retrograde.symmetry`
        makes it. Only one of them is solved.
    ``canonical(state)``
        The same as a method, where lists do not say it: the one state that stands for all that are
        the same.
    ``state_types``
        The classes of which states are made, if the roots do not have all of them.

    All of these are looked at before anything is solved. Give other names to attributes that mean
    something else.
    """

    def roots(self) -> Iterable[Any]:
        """Where play can start. The first one is the start position that people see."""

    def moves(self, state: Any, /) -> Iterable[Any]:
        """The states after each legal move. Asked only where play is not over."""

    def terminal(self, state: Any, /) -> int | None:
        """How play ended, or None where it goes on."""


class BatchGame(Protocol):
    """The rules of a game that answers about tens of thousands of states at once.

    A state is a number of 64 bits (63 in a game with ``turn``). All other attributes are those of
    :class:`Game`. Of these, ``turn``, ``tier`` and ``canonical`` take an array of states and return an array.
    ``gain`` takes two, the states before and after each move. ``points`` is at most 127.
    """

    def roots(self) -> npt.ArrayLike:
        """Where play can start."""

    def terminal(self, states: npt.NDArray[np.uint64], /) -> npt.ArrayLike:
        """For each state a number of :class:`End`, or :data:`ONGOING`. In a game with ``points``, how many
        more the player to move has, or :data:`ONGOING`."""

    def expand(self, states: npt.NDArray[np.uint64], /) -> tuple[npt.ArrayLike, npt.ArrayLike]:
        """All moves: for each the place of the state that it is made in, and the state after it."""


def adapt(game: Any, start: Any = None) -> _engine.PythonGame:
    """The game in the form that the engine asks. A start, a state or its text, replaces the roots."""
    described = describe(game)
    if start is None:
        return _engine.PythonGame(described)
    try:
        return _engine.PythonGame(_begun(described, start))
    except Exception as problem:
        # A mistake of the class itself has nothing to do with the start.
        _engine.PythonGame(described)
        raise StateError(
            f"start: {start!r} is no state of {described.name}: {problem}",
            code="not-a-state",
            fields={"state": start if isinstance(start, str) else repr(start)},
        ) from problem


def _begun(described: Described, start: Any) -> Described:
    state = described.parse(start) if isinstance(start, str) else start
    is_batched = described.answer_all is not None
    roots = states_of("start", [state], None).tobytes() if is_batched else [state]
    # The parameters tell a table with another start from one of the whole game, as those of shipped games do.
    parameters, text = json.loads(described.parameters), described.write(state)
    if isinstance(parameters, dict) and "start" not in parameters:
        parameters = {**parameters, "start": text}
    else:
        parameters = {"parameters": parameters, "start": text}
    return dataclasses.replace(described, roots=roots, parameters=json.dumps(parameters, sort_keys=True))


def stored_start(path: Path) -> str | None:
    """The start that the parameters of a table name, as texts; None where it has none, or can't be read."""
    try:
        parameters = json.loads(_engine.OpenTable(path, None, 0).ask("", ""))["parameters"]
    except RetrogradeError:
        return None
    start = parameters.get("start") if isinstance(parameters, dict) else None
    return start if isinstance(start, str) else None


def describe(game: Any) -> Described:
    """What the engine reads of a game."""
    if isinstance(game, type):
        raise GameError(f"{game.__name__} is a class: expected a game of it, as in {game.__name__}()")
    attributes = Attributes(game, End)
    tell_lookalikes(game)
    methods = attributes.methods
    common: dict[str, Any] = {
        "name": attributes.name,
        "about": attributes.about,
        "in_words": attributes.in_words,
        "parameters": attributes.parameters,
        "players": attributes.players,
        "terminal": attributes.needed("terminal"),
        "has_notation": methods["write"] is not None or methods["parse"] is not None,
        **{one: methods[one] for one in ["draw", "board", "write_move"]},
        **{
            one: getattr(attributes, one)
            for one in ["endless", "no_moves", "ply_limit", "points", "symmetries"]
        },
    }
    try:
        roots = attributes.needed("roots")()
        if attributes.is_batched:
            return in_batches(attributes, roots, common)
        return _one_by_one(attributes, roots, common)
    except GameError:
        raise
    except Exception as problem:
        raise blamed("roots()", problem) from problem


def _one_by_one(attributes: Attributes, roots: Iterable[Any], common: dict[str, Any]) -> Described:
    # Roots may be many, and even without an end: the engine takes them one by one.
    tier = attributes.methods["tier"]
    tiers = None
    if tier is not None:
        most = 0
        if attributes.leads_to is None:
            # The engine refuses more of them.
            listed, roots = islice(roots, _MOST_ROOTS + 1), []
            for root in listed:
                roots.append(root)
                try:
                    most = max(most, _tiers.number(tier(root)))
                except GameError:
                    raise
                except Exception as problem:
                    raise blamed(f"tier({_text.short(root)})", problem) from problem
                _tiers.check_count(f"{attributes.class_name}.tier", most + 1)
        tiers = _tiers.Tiers(attributes.class_name, attributes.leads_to, most)
    rest = iter(roots)
    first = list(islice(rest, 1000))
    classes = _classes(attributes, first)
    by_name = {one.__name__: one for one, _, _ in classes}
    are_texts = bool(first) and isinstance(first[0], str)
    write, parse = attributes.methods["write"], attributes.methods["parse"]
    is_plain = parse is None and not are_texts
    if parse is None:
        parse = str if are_texts else lambda text: _text.parse(text, by_name)
        if write is not None:
            parse = unwritten(parse, write, first[0] if are_texts else None)
    return Described(
        states="texts" if are_texts else "as Python writes them",
        roots=chain(first, rest),
        classes=classes,
        moves=attributes.needed("moves"),
        turn=attributes.methods["turn"],
        canonical=attributes.methods["canonical"],
        tiers=[] if tiers is None else tiers.listed,
        tier=None if tiers is None or tier is None else lambda state: tiers.place(tier(state)),
        gain=attributes.methods["gain"],
        write=write or (_as_it_is if are_texts else _text.write),
        parse=parse,
        reads_plain_texts=is_plain,
        **common,
    )


def _as_it_is(state: Any) -> str:
    if not isinstance(state, str):
        raise TypeError("expected a text, as the roots are")
    return state


def _classes(attributes: Attributes, roots: list[Any]) -> list[tuple[type, str, list[str]]]:
    """The classes of which states are made, by their names: tables number them, and sets have no order."""
    found: dict[type, tuple[type, str, list[str]]] = {}

    def look(data: Any) -> None:
        parts: Iterable[Any] = ()
        if isinstance(data, (tuple, frozenset)):
            parts = data
        elif dataclasses.is_dataclass(data) and not isinstance(data, type):
            parts = [getattr(data, one.name) for one in dataclasses.fields(data)]
        add(type(data))
        for part in parts:
            look(part)

    def add(one: type) -> None:
        if one in found:
            return
        if issubclass(one, enum.Enum):
            found[one] = (one, "enumeration", [])
        elif issubclass(one, tuple) and hasattr(one, "_fields"):
            found[one] = (one, "named tuple", list(one._fields))
        elif dataclasses.is_dataclass(one):
            fields = dataclasses.fields(one)
            if not one.__dataclass_params__.frozen:  # type: ignore[attr-defined]
                raise GameError(f"{one.__name__}: states are never changed: write frozen=True")
            if any(not field.init or field.kw_only for field in fields):
                raise GameError(f"{one.__name__}: all fields have to be arguments by position")
            found[one] = (one, "dataclass", [field.name for field in fields])

    for root in roots:
        look(root)
    for one in attributes.state_types:
        add(one)
    return sorted(found.values(), key=lambda one: one[0].__qualname__)
