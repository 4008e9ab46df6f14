"""Finite two-player games, solved completely: who wins every position, and in how many plies.

>>> import retrograde
>>> table = retrograde.solve("cat-mouse", graph=[[1, 3], [0], [3], [0, 2]])
>>> table.probe("1,2,mouse").plies
1

:func:`solve` solves a game that comes with the package, or one in Python (:class:`Game`), and
:func:`open` opens a stored :class:`Table`. :func:`games` lists the games.
"""

from typing import TYPE_CHECKING

from . import symmetry
from ._answers import Distance, Graph, Lawful, Line, Move, Position, Question, Stats, Survey, Verified
from ._arrays import DRAW, ENDLESS, LOSS, UNUSED, WIN, States, Value, Values
from ._commands import Games, Option, ShippedGame, games
from ._cops import Pursuit, Pursuits, cops
from ._described import ONGOING, End, Player
from ._engine import __version__
from ._errors import (
    GameError,
    GameWarning,
    LawError,
    NotAStateError,
    NotInTableError,
    OutcomesOnlyError,
    RetrogradeError,
    SolveError,
    StateError,
    TableError,
    UsageError,
)
from ._games import BatchGame, Game
from ._openspiel import OpenSpielGame, from_openspiel
from ._server import Server, Shown
from ._table import Table, open

if TYPE_CHECKING:
    from ._options import explore, laws, rules, solve
else:
    from ._solve import explore, laws, rules, solve

FIRST, SECOND = Player.FIRST, Player.SECOND
MOVER_WINS, MOVER_LOSES = End.MOVER_WINS, End.MOVER_LOSES
FIRST_WINS, SECOND_WINS = End.FIRST_WINS, End.SECOND_WINS

__all__ = [
    "DRAW",
    "ENDLESS",
    "FIRST",
    "FIRST_WINS",
    "LOSS",
    "MOVER_LOSES",
    "MOVER_WINS",
    "ONGOING",
    "SECOND",
    "SECOND_WINS",
    "UNUSED",
    "WIN",
    "BatchGame",
    "Distance",
    "End",
    "Game",
    "GameError",
    "GameWarning",
    "Games",
    "Graph",
    "LawError",
    "Lawful",
    "Line",
    "Move",
    "NotAStateError",
    "NotInTableError",
    "OpenSpielGame",
    "Option",
    "OutcomesOnlyError",
    "Player",
    "Position",
    "Pursuit",
    "Pursuits",
    "Question",
    "RetrogradeError",
    "Server",
    "ShippedGame",
    "Shown",
    "SolveError",
    "StateError",
    "States",
    "Stats",
    "Survey",
    "Table",
    "TableError",
    "UsageError",
    "Value",
    "Values",
    "Verified",
    "__version__",
    "cops",
    "explore",
    "from_openspiel",
    "games",
    "laws",
    "open",
    "rules",
    "solve",
    "symmetry",
]
