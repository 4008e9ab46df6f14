"""The exceptions of the package. Their messages say what was wrong, where, and what was expected."""

from __future__ import annotations


class RetrogradeError(Exception):
    """What all exceptions of this package are."""


class UsageError(RetrogradeError, ValueError):
    """An option, a graph, a grid or another argument is wrong."""


class StateError(RetrogradeError, ValueError):
    """A text is no state of the game, or a question about a table is wrong."""


class NotInTableError(RetrogradeError, LookupError):
    """The table does not have the state: play never reaches it."""


class OutcomesOnlyError(RetrogradeError):
    """A distance was asked for, but the table has outcomes only."""


class TableError(RetrogradeError):
    """A table can't be read or written, is damaged, or belongs to another game."""


class SolveError(RetrogradeError):
    """A game can't be solved: its rules contradict themselves, or the memory is too little."""


class LawError(RetrogradeError):
    """The rules of a game break a law. The message names the state."""


class GameError(RetrogradeError):
    """A game in Python raised an exception, or returned what is no answer.

    The message names the method and the state. ``__cause__`` is what was raised.
    """


class GameWarning(UserWarning):
    """A class has an attribute that looks like one of a game, and that the engine never asks for."""
