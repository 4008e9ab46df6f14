"""The exceptions of the package. Their messages say what was wrong, where, and what was expected."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any


class RetrogradeError(Exception):
    """The base of all exceptions of this package.

    ``code``
        The kind of the error in a word, as in ``"unknown-option"``, the same over HTTP.
    ``fields``
        What the error is about, such as ``{"option": "colums", "meant": "columns"}``.
    """

    code: str = "failed"
    fields: Mapping[str, Any] = {}

    def __init__(
        self, message: str = "", *, code: str | None = None, fields: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code
        self.fields = dict(fields or {})


class UsageError(RetrogradeError, ValueError):
    """An option, a graph, a grid or another argument is wrong."""

    code = "usage"


class StateError(RetrogradeError, ValueError):
    """A text is no state of the game, or a question about a table is wrong."""

    code = "bad-request"


class NotInTableError(RetrogradeError, LookupError):
    """The table does not have the state: play never reaches it."""

    code = "not-in-table"


class NotAStateError(StateError, NotInTableError):
    """A text is no state of the game, so that no table has it."""

    code = "not-a-state"


class OutcomesOnlyError(RetrogradeError):
    """A distance was asked for, but the table has outcomes only."""

    code = "outcomes-only"


class TableError(RetrogradeError):
    """A table can't be read or written, is damaged, or belongs to another game."""

    code = "table"


class SolveError(RetrogradeError):
    """A game can't be solved: its rules contradict themselves, or the memory is too little."""

    code = "solve"


class LawError(RetrogradeError):
    """The rules of a game break a law. The message names the state."""

    code = "law"


class GameError(RetrogradeError):
    """A game in Python raised an exception, or returned what is no answer.

    The message names the method and the state. ``__cause__`` is what was raised.
    """

    code = "game"


class GameWarning(UserWarning):
    """A class has an attribute that looks like one of a game, and that the engine never asks for."""


_CLASSES: dict[str, type[RetrogradeError]] = {
    "bad-request": StateError,
    "invalid-value": StateError,
    "not-a-state": NotAStateError,
    "unknown-parameter": StateError,
    "unknown-tier": StateError,
    "not-found": NotInTableError,
    "not-in-table": NotInTableError,
    "outcomes-only": OutcomesOnlyError,
    "needs-rules": TableError,
    "table": TableError,
}
"""The exceptions for questions about a table, by their codes."""


_IN_PYTHON = (
    (r"`laws::check`, on the command line `retrograde laws GAME`,", "`retrograde.laws(game)`"),
    (r"`Game::max_points` promises at most (\d+): let it return more", r"`points` is \1: raise it"),
    (r"let `Game::max_points` return fewer", "lower `points`"),
    (r"`(?:Game::)?max_points`", "`points`"),
    (r"let `Game::no_moves` give its outcome", "set `no_moves` to its end"),
    (r"number them by a formula \(`Indexed`\), or in tiers \(`Tiered`\)", "divide them into tiers (`tier`)"),
    (r"`Tiered`", "`tier`"),
    (
        r"which is not in `leads_to` of \S+: add it there",
        "which moves from there may not lead to: let no move make a number larger, or add it to `leads_to`",
    ),
    (r"index and unindex are each other's inverse", "moves lead to states that are found from the roots"),
    (r"states that share an index", "states that are the same by symmetry"),
    (r" share an index \(by a symmetry, or because their indices collide\)", " are the same by symmetry"),
    (r": number the turn too, or set `Game::PLAYERS` .* mirror image of the other", ": leave `turn` out"),
    (r"set `Game::PLAYERS` to `Players::Unnamed`, .* `Players::Solitary`", "leave out `turn`"),
    (r"`Game::PLAYERS`", "`turn`"),
    (r"`Game::(\w+)`", r"`\1`"),
)
"""The names of the engine in its messages, and those that a class in Python has for them."""

_OF_SYMMETRIES = (
    ". Look at `symmetries` or `canonical`: states that are the same have the same ends, and moves to the "
    "same states, for the player to move. symmetry.exchange suits colours that belong to nobody, and "
    "symmetry.planes turns all boards of a state. Without symmetries, see whether `moves` answers the same "
    "each time"
)


def _in_python(message: str, law: Any) -> str:
    for name, own in _IN_PYTHON:
        message = re.sub(name, own, message)
    return message + _OF_SYMMETRIES if law in ("symmetry", "index") else message


def make(name: str | None, message: str, code: str, fields: str) -> RetrogradeError:
    """The exception of this name, or the one of this code, for an error of the engine."""
    kind = _CLASSES.get(code, RetrogradeError) if name is None else globals()[name]
    read = json.loads(fields)
    made: RetrogradeError = kind(_in_python(message, read.get("law")), code=code, fields=read)
    return made
