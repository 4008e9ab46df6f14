"""Games whose rules are a class in Python: what the engine has to know of them."""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _engine, _text, _tiers
from ._attributes import Attributes, tell_lookalikes
from ._errors import GameError, RetrogradeError, StateError


class Player(enum.IntEnum):
    """Who is to move: what ``turn`` returns."""

    FIRST = 0
    SECOND = 1


class End(enum.IntEnum):
    """How play ends: what ``terminal`` returns where play is over."""

    DRAW = 0
    MOVER_WINS = 1
    """The player to move wins."""
    MOVER_LOSES = -1
    """The player to move loses."""
    FIRST_WINS = 2
    SECOND_WINS = 3


_MOST_ROOTS = 1 << 24

ONGOING = -128
"""Play goes on: what ``terminal`` of a game in batches has for such a state."""


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


@dataclasses.dataclass
class _Described:
    """What the engine reads of a game, under these names."""

    name: str
    about: str
    states: str
    """How states are written. The engine adds an example."""
    in_words: str
    parameters: str
    roots: Any
    players: tuple[str, str]
    classes: list[tuple[type, str, list[str]]]
    terminal: Callable[..., Any]
    moves: Callable[..., Any]
    write: Callable[[Any], str]
    parse: Callable[[str], Any]
    reads_plain_texts: bool = False
    has_notation: bool = False
    """Whether the class itself writes or reads states."""
    end_type: type = End
    endless: int = 0
    no_moves: int | None = None
    ply_limit: int | None = None
    points: int | None = None
    turn: Callable[..., Any] | None = None
    answer_all: Callable[[bytes], tuple[bytes, bytes, bytes, bytes, bytes]] | None = None
    turns_of: Callable[[bytes], bytes] | None = None
    symmetries: list[Any] = dataclasses.field(default_factory=list)
    tiers: list[tuple[str, Sequence[int]]] = dataclasses.field(default_factory=list)
    tier: Callable[..., Any] | None = None
    gain: Callable[..., Any] | None = None
    canonical: Callable[..., Any] | None = None
    """Of a game in batches, it takes and returns the bytes of many states."""
    draw: Callable[[Any], str] | None = None
    board: Callable[[Any], list[str]] | None = None
    write_move: Callable[[Any, Any], str] | None = None


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


def _begun(described: _Described, start: Any) -> _Described:
    state = described.parse(start) if isinstance(start, str) else start
    is_batched = described.answer_all is not None
    roots = _states("start", [state], None).tobytes() if is_batched else [state]
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


def describe(game: Any) -> _Described:
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
            return _in_batches(attributes, roots, common)
        return _one_by_one(attributes, roots, common)
    except GameError:
        raise
    except Exception as problem:
        raise _blamed("roots()", problem) from problem


def _blamed(asked: str, problem: Exception) -> GameError:
    """The error of a rule that was asked."""
    told = str(problem)
    return GameError(f"{asked}: {type(problem).__name__}" + (f": {told}" if told else ""))


def _one_by_one(attributes: Attributes, roots: Iterable[Any], common: dict[str, Any]) -> _Described:
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
                    raise _blamed(f"tier({_text.short(root)})", problem) from problem
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
            parse = _unwritten(parse, write, first[0] if are_texts else None)
    return _Described(
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


def _unwritten(
    parse: Callable[[str], Any], write: Callable[[Any], str], text: str | None = None
) -> Callable[[str], Any]:
    """The reading of texts for a class that has ``write`` and no ``parse``. ``text`` is a root, where states
    are texts: they are read as they are."""
    missing = "the class has write without parse: add parse(text), which reads what write(state) writes"

    def read(asked: str) -> Any:
        try:
            return parse(asked)
        except ValueError as problem:
            raise ValueError(f"{problem}. Besides, {missing}") from None

    if text is not None:
        try:
            written = write(text)
        except Exception as problem:
            raise _blamed(f"write({_text.short(text)})", problem) from problem
        if written != text:
            raise GameError(f"write({text!r}): returned {_text.short(written)}: {missing}")
    return read


def _as_it_is(state: Any) -> str:
    if not isinstance(state, str):
        raise TypeError("expected a text, as the roots are")
    return state


def _in_batches(attributes: Attributes, roots: npt.ArrayLike, common: dict[str, Any]) -> _Described:
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
        found = _states("canonical", canonical(asked), len(asked))
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
        after = _states("expand: successors", answer[1], len(parents))
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
        found = _states("roots", roots, None)
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
                raise _blamed(f"tier({len(found)} states)", problem) from problem
        tiers = _tiers.Tiers(attributes.class_name, attributes.leads_to, most)
    return _Described(
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
        parse=methods["parse"] or (_unwritten(parse, methods["write"]) if methods["write"] else parse),
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


def _states(what: str, array: npt.ArrayLike, length: int | None) -> npt.NDArray[np.uint64]:
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
