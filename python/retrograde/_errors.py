"""The exceptions of the package. Their messages say what was wrong, where, and what was expected."""

from __future__ import annotations

import json
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


def make(name: str | None, message: str, code: str, fields: str) -> RetrogradeError:
    """The exception of this name, or the one of this code, for an error of the engine."""
    kind = _CLASSES.get(code, RetrogradeError) if name is None else globals()[name]
    made: RetrogradeError = kind(message, code=code, fields=json.loads(fields))
    return made
