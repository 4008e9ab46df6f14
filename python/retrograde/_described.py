"""Games as the engine reads them."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Sequence
from typing import Any

from . import _text
from ._errors import GameError


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


ONGOING = -128
"""Play goes on: what ``terminal`` of a game in batches has for such a state."""


@dataclasses.dataclass
class Described:
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


def blamed(asked: str, problem: Exception) -> GameError:
    """The error of a rule that was asked."""
    told = str(problem)
    return GameError(f"{asked}: {type(problem).__name__}" + (f": {told}" if told else ""))


def unwritten(
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
            raise blamed(f"write({_text.short(text)})", problem) from problem
        if written != text:
            raise GameError(f"write({text!r}): returned {_text.short(written)}: {missing}")
    return read
