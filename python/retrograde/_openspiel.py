"""Games of OpenSpiel as games of the engine."""

from __future__ import annotations

import contextlib
import difflib
import importlib
from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

from ._described import End
from ._errors import GameError, UsageError

_MOST_POINTS = 511


class _Known(NamedTuple):
    """A state that was met, and what play from it depends on."""

    state: Any
    returns: tuple[float, ...] | None
    """Where play is over."""
    actions: tuple[int, ...]
    after: tuple[Any, ...]
    """The keys of the states after these actions."""


class OpenSpielGame:
    """A game of OpenSpiel: see :func:`from_openspiel`.

    A state is a key and the player to move. States of the same key are compared whenever one is met.
    """

    def __init__(self, game: Any, key: Callable[[Any], Hashable] | None = None) -> None:
        self._game = game
        self._key = key or str
        self._known: dict[Any, _Known] = {}
        self._is_complete = False
        kind = game.get_type()
        self.name = "openspiel-" + kind.short_name.replace("_", "-")
        self.rules = f"{kind.long_name}, as OpenSpiel plays it: {game}."
        self.parameters = {
            "game": str(game),
            "key": None if key is None else getattr(key, "__qualname__", type(key).__qualname__),
        }
        most = max(abs(game.max_utility()), abs(game.min_utility()))
        if most > 1:
            if most != int(most) or most > _MOST_POINTS:
                raise UsageError(f"{game}: returns go to {most}: expected whole numbers to {_MOST_POINTS}")
            self.points = int(most)

    def roots(self) -> list[Any]:
        """The state where play starts."""
        return [self._meet(self._game.new_initial_state())]

    def turn(self, state: Any) -> int:
        """The player to move; the first one where play is over."""
        return int(state[1])

    def terminal(self, state: Any) -> int | None:
        """How play ended, by what OpenSpiel returns to the first player."""
        returns = self._find(state).returns
        if returns is None:
            return None
        first = returns[0]
        if first != int(first):
            raise ValueError(f"returns {first}: expected a whole number")
        if hasattr(self, "points"):
            return int(first)
        return End.DRAW if first == 0 else End.FIRST_WINS if first > 0 else End.SECOND_WINS

    def moves(self, state: Any) -> list[Any]:
        """The states after each legal action."""
        known = self._find(state)
        return [self._meet(known.state.child(action)) for action in known.actions]

    def write(self, state: Any) -> str:
        """The state on one line: its text with / between the rows, and the player."""
        text, player = state
        if not isinstance(text, str):
            return repr(state)
        text = text.replace("\\", "\\\\").replace("/", "\\/").replace("\n", "/")
        return f"{text} {player}"

    def parse(self, text: str) -> Any:
        """The state that :meth:`write` wrote."""
        if self._key is not str:
            found = self._of_text(self._known, text) or self._of_text(self._all(), text)
            if found is None:
                raise ValueError("there is no state of this key")
            return found
        rows, blank, player = text.rpartition(" ")
        if not blank or player not in ("0", "1"):
            raise ValueError("expected a text, a blank and the player to move, 0 or 1")
        plain, escaped = [], False
        for letter in rows:
            if escaped or letter not in "\\/":
                plain.append(letter)
                escaped = False
            elif letter == "/":
                plain.append("\n")
            else:
                escaped = True
        state = ("".join(plain), int(player))
        if state not in self._known and state not in self._all():
            raise ValueError("play never comes to such a state")
        return state

    def _of_text(self, states: Iterable[Any], text: str) -> Any:
        return next((state for state in states if self.write(state) == text), None)

    def write_move(self, before: Any, after: Any) -> str:
        """The action between two states, as OpenSpiel writes it."""
        known = self._find(before)
        action = known.actions[known.after.index(after)]
        return str(known.state.action_to_string(before[1], action))

    def draw(self, state: Any) -> str:
        """The text of OpenSpiel."""
        return str(self._find(state).state)

    def _find(self, state: Any) -> _Known:
        found = self._known.get(state)
        if found is None:
            found = self._all()[state]
        return found

    def _all(self) -> dict[Any, _Known]:
        """All states, which a table that was opened does not have."""
        if not self._is_complete:
            todo, seen = self.roots(), set()
            while todo:
                state = todo.pop()
                if state not in seen:
                    seen.add(state)
                    if self._known[state].returns is None:
                        todo.extend(self.moves(state))
            self._is_complete = True
        return self._known

    def _name(self, state: Any) -> Any:
        player = 0 if state.is_terminal() else state.current_player()
        return (self._key(state), player)

    def _meet(self, state: Any) -> Any:
        """The key of a state, which is compared with the one of that key, if there was one."""
        name = self._name(state)
        if state.is_terminal():
            now = _Known(state, tuple(state.returns()), (), ())
        else:
            actions = tuple(state.legal_actions())
            after = tuple(self._name(state.child(action)) for action in actions)
            now = _Known(state, None, actions, after)
        before = self._known.setdefault(name, now)
        if before is now:
            return name
        for what, one, other in [
            ("other returns", before.returns, now.returns),
            ("other moves", before.actions, now.actions),
            ("moves to other states", before.after, now.after),
        ]:
            if one != other:
                raise GameError(
                    f"{self._game}: two states have the key {name!r}, but {what}: one after the actions "
                    f"{before.state.history()}, the other after {state.history()}. Its end depends on more "
                    "than that key: give a `key` that has it"
                )
        return name


def _load(pyspiel: Any, named: str) -> Any:
    """The game of this name, written in C++ or in Python."""
    kind = named.partition("(")[0]
    if kind not in pyspiel.registered_names():
        # Games in Python are known once their modules are loaded.
        with contextlib.suppress(ImportError):
            importlib.import_module("open_spiel.python.games")
    known = pyspiel.registered_names()
    if kind not in known:
        near = difflib.get_close_matches(kind, known, 3) or difflib.get_close_matches(kind, known, 3, 0.4)
        meant = f"is it {' or '.join(near)}?" if near else "pyspiel.registered_names() lists all"
        raise UsageError(f"{named}: OpenSpiel has no game {kind}; {meant}")
    try:
        return pyspiel.load_game(named)
    except Exception as problem:
        raise UsageError(f"{named}: {problem}") from None


def from_openspiel(game: Any, key: Callable[[Any], Hashable] | None = None) -> OpenSpielGame:
    """A game of OpenSpiel, for :func:`solve` and :func:`open`.

    ``game`` is a game of ``pyspiel``, or a name with parameters, as in ``"breakthrough(rows=4,columns=2)"``.
    It has two players who take turns, no chance, nothing hidden, and returns that add up to zero.

    ``key`` makes of a state of ``pyspiel`` a number, a text or a tuple: all that the rest of play
    depends on, beside the player to move. Without it, the key is the state's text. Where states of the
    same key differ in their moves, returns or successors, :class:`GameError` names them.
    """
    try:
        import pyspiel
    except ImportError:
        raise UsageError("OpenSpiel is not installed: pip install open-spiel") from None
    if isinstance(game, str):
        game = _load(pyspiel, game)
    kind = game.get_type()
    wrong = [
        ("it has other than two players", game.num_players() != 2),
        ("players move at once", kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL),
        ("there is chance", kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC),
        (
            "something is hidden",
            kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION,
        ),
        ("returns do not add up to zero", kind.utility != pyspiel.GameType.Utility.ZERO_SUM),
    ]
    reasons = [reason for reason, is_so in wrong if is_so]
    if reasons:
        raise UsageError(f"{game}: {', and '.join(reasons)}")
    return OpenSpielGame(game, key)
