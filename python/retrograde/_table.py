"""Tables: opened, asked, read as arrays, and served."""

from __future__ import annotations

import builtins
import json
import os
import pickle
import secrets
import shutil
import tempfile
import webbrowser
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, overload
from urllib.parse import quote, urlencode

import numpy as np
import numpy.typing as npt

from . import _answers, _engine, _games
from ._answers import Line, Move, Position, Question, Stats, Verified
from ._commands import Progress, arguments, call
from ._errors import GameError, OutcomesOnlyError, TableError, UsageError
from ._server import Server, Shown

WIN, DRAW, LOSS, ENDLESS, UNUSED = 1, 0, -1, 2, -128
"""What arrays of outcomes have, for the player to move. An unused index has no state."""

_CACHE = 64 << 20
_AT_ONCE = 1 << 12
_BY_MOVER = -127
_WORDS = {WIN: "win", DRAW: "draw", LOSS: "loss", ENDLESS: "endless"}


@dataclass(frozen=True)
class Value:
    """What a state is worth to the player to move."""

    value: str | None
    """``"win"``, ``"draw"`` or ``"loss"``; None for a state that the table does not have."""
    plies: int | None
    points: int = 0


class Values(Sequence[Value]):
    """The values of many states, as arrays and one by one."""

    def __init__(
        self,
        outcomes: npt.NDArray[np.int8],
        plies: npt.NDArray[np.int32],
        points: npt.NDArray[np.int16],
    ) -> None:
        self.outcomes = outcomes
        """:data:`WIN`, :data:`DRAW` or :data:`LOSS` for the player to move, or :data:`UNUSED`."""
        self.plies = plies
        """In how many plies; -1 where no win is forced."""
        self.points = points

    def __len__(self) -> int:
        return len(self.outcomes)

    @overload
    def __getitem__(self, at: int) -> Value: ...
    @overload
    def __getitem__(self, at: slice) -> Values: ...
    def __getitem__(self, at: int | slice) -> Value | Values:
        if isinstance(at, slice):
            return Values(self.outcomes[at], self.plies[at], self.points[at])
        plies = int(self.plies[at])
        value = _WORDS.get(int(self.outcomes[at]))
        return Value(value, None if plies < 0 else plies, int(self.points[at]))

    def __repr__(self) -> str:
        won, lost = int((self.outcomes == WIN).sum()), int((self.outcomes == LOSS).sum())
        return f"<{len(self):,} values: {won:,} won, {lost:,} lost>"


class Table:
    """A solved game: who wins every position, and in how many plies.

    Several threads may ask at once. ``with`` closes the table, and iterating gives its positions in
    the order of their indices.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        game: Any = None,
        *,
        cache: int = _CACHE,
        adapted: _engine.PythonGame | None = None,
    ) -> None:
        self._game = game
        if game is not None and adapted is None:
            adapted = _games.adapt(game)
        self._adapted = adapted
        self._cache = cache
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._servers: list[Server] = []
        self._page: str | None = None
        self.path = Path(os.path.abspath(path))
        """The file, or the folder of a game in tiers."""
        self._engine: _engine.OpenTable | None = _engine.OpenTable(self.path, self._adapted, cache)
        self._facts: dict[str, Any] = self._ask("")
        if game is not None and not self._facts.get("has_rules", True):
            raise TableError(
                f"{self.path}: the table of another game: it is of {self.game}, and not of this one"
            )
        self._meanings: tuple[npt.NDArray[Any], ...] | None = None
        if game is not None and self.start is not None and self.start not in self:
            raise TableError(
                f"{self.path}: the table of another game: it lacks {self.start}, where this one starts"
            )

    def _written(self, state: Any) -> str | None:
        """The text of a state: of a game in Python, the state itself may be given."""
        if state is None or isinstance(state, str):
            return state
        if self._adapted is None:
            raise TypeError(f"state: expected a text, not {state!r}")
        return self._adapted.write(state)

    def _open(self) -> _engine.OpenTable:
        if self._engine is None:
            raise TableError(f"{self.path}: the table is closed")
        return self._engine

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that :meth:`ask` takes: those of the server."""
        return _answers.questions(json.loads(_engine.OpenTable.questions()))

    def ask(self, question: str, **parameters: Any) -> Any:
        """The answer of the server to a question: JSON as Python data, or the text of a picture.

        The methods of this class give the same answers as objects. ``from`` is written ``from_``.
        """
        known = {one.name: one for one in self.questions}
        if question not in known:
            raise UsageError(
                f"no such question: {question!r}; expected one of {', '.join(filter(None, known))}"
            )
        if "state" in parameters:
            parameters["state"] = self._written(parameters["state"])
        answer = self._text(question, **{name.rstrip("_"): value for name, value in parameters.items()})
        return json.loads(answer) if known[question].is_json else answer

    def _ask(self, question: str, **parameters: Any) -> Any:
        return json.loads(self._text(question, **parameters))

    def _text(self, question: str, **parameters: Any) -> str:
        given = {name: value for name, value in parameters.items() if value is not None}
        given = {name: "true" if value is True else value for name, value in given.items()}
        return self._open().ask(question, urlencode(given))

    @property
    def game(self) -> str:
        """The name of the game."""
        return str(self._facts["game"])

    @property
    def parameters(self) -> Any:
        """The parameters of the game."""
        return self._facts["parameters"]

    @property
    def rules(self) -> str:
        """The rules in words."""
        return str(self._facts["rules"])

    @property
    def notation(self) -> str:
        """How states are written."""
        return str(self._facts["notation"])

    @property
    def players(self) -> tuple[str, str]:
        """The names of the players."""
        first, second = self._facts["players"]
        return first, second

    @property
    def start(self) -> str | None:
        """The start position."""
        start = self._facts["start"]
        return None if start is None else str(start)

    def probe(self, state: Any = None) -> Position:
        """Who wins from a state, or from the start, and in how many plies.

        A state is a text in the notation of the game. Of a game in Python, it may also be the state
        itself, unless that is a text.
        """
        return _answers.position(self._ask("probe", state=self._written(state)), self)

    def moves(self, state: Any = None) -> list[Move]:
        """The legal moves and what each is worth, best first."""
        answer = self._ask("moves", state=self._written(state))
        groups = [*answer["won"], *answer["drawn"], *answer["lost"]]
        return [_answers.move(one, self) for one in groups]

    def line(self, state: Any = None, plies: int | None = None) -> Line:
        """Best play to the end, or ``plies`` of it."""
        answer = self._ask("line", state=self._written(state), plies=plies)
        moves = tuple(_answers.move(one, self) for one in answer["line"])
        return Line(_answers.position(answer["position"], self), moves, answer["end"])

    def examples(
        self,
        kind: str | None = None,
        *,
        plies: int | None = None,
        points: int | None = None,
        count: int = 20,
        tier: str | None = None,
        seed: int | None = None,
        start: int = 0,
    ) -> list[Position]:
        """Positions of a kind.

        ``kind`` is ``longest-win`` (the default), ``longest-loss``, ``win``, ``loss``, ``draw``,
        ``endless``, ``only-move`` or ``lost-for-both``. With ``seed`` they come from all over the
        table, and otherwise from the index ``start`` on. At most 100 at once.
        """
        answer = self._ask(
            "examples",
            kind=kind,
            plies=plies,
            points=points,
            count=count,
            tier=tier,
            seed=seed,
            **{"from": start or None},
        )
        return [_answers.position(one, self) for one in answer["examples"]]

    def stats(self) -> Stats:
        """How many states there are of each kind."""
        return _answers.stats(self._ask("stats"))

    def svg(self, state: Any = None, *, flip: bool = False) -> str | None:
        """A picture of a state as SVG; None where the game has no pictures."""
        if not self._facts["has_pictures"]:
            return None
        return self._text("picture", state=self._written(state), flip=flip or None)

    def verify(
        self,
        *,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: Progress = None,
    ) -> Verified:
        """Proves the table: its checksums, and every value against those of its successors.

        Raises :class:`TableError` where something is wrong.
        """
        options = arguments({"threads": threads, "memory": memory})
        answer = call(["verify", str(self.path), *options], self._adapted, "TableError", progress)
        return Verified(answer["states"], answer["seconds"])

    def probe_many(self, states: Iterable[Any], *, missing: str = "raise") -> Values:
        """What many states are worth, a million of them a second.

        A state that the table does not have raises :class:`NotInTableError`; with
        ``missing="unused"`` its outcome is :data:`UNUSED`.
        """
        if missing not in ("raise", "unused"):
            raise ValueError(f'missing: expected "raise" or "unused", not {missing!r}')
        if isinstance(states, str):
            raise TypeError("states: expected several states, not one text; probe() asks about one")
        texts = [one if isinstance(one, str) else self._written(one) or "" for one in states]
        columns, problem = self._open().judge(texts)
        if problem is not None and missing == "raise":
            raise problem[1]
        return Values(*_arrays(columns))

    def values(self, start: int = 0, stop: int | None = None) -> npt.NDArray[np.uint16]:
        """The values of all indices, or of a range, as the file stores them.

        :func:`outcomes` and :func:`plies` say what they mean. Takes 2 bytes an index.
        """
        end = len(self.states) if stop is None else stop
        return np.frombuffer(self._open().packed(start, end), np.uint16)

    def chunks(self, size: int = 1 << 22) -> Iterator[tuple[int, npt.NDArray[np.uint16]]]:
        """The values in parts of ``size``, each with its first index, for tables beyond memory."""
        end = len(self.states)
        for start in range(0, end, size):
            yield start, self.values(start, min(start + size, end))

    def outcomes(self, values: npt.NDArray[np.uint16] | None = None) -> npt.NDArray[np.int8]:
        """The outcome of all indices, or of these values, for the player to move.

        :data:`WIN`, :data:`DRAW`, :data:`LOSS`, :data:`ENDLESS`, or :data:`UNUSED` for an index
        without a state. ``ENDLESS`` is a draw by endless play or by the ply limit. Where that is a
        win, it is ``WIN`` or ``LOSS``, and values alone do not say which: leave ``values`` out.
        """
        return self._mean(0, values)

    def plies(self, values: npt.NDArray[np.uint16] | None = None) -> npt.NDArray[np.int32]:
        """In how many plies play ends; -1 for endless play, beyond the ply limit and for unused indices."""
        if not self._facts["has_distances"]:
            raise OutcomesOnlyError(f"{self.path}: the table has outcomes only, without plies")
        return self._mean(1, values)

    def points(self, values: npt.NDArray[np.uint16] | None = None) -> npt.NDArray[np.int16]:
        """How many points more the player to move gains."""
        return self._mean(2, values)

    def _mean(self, column: int, values: npt.NDArray[np.uint16] | None) -> npt.NDArray[Any]:
        if self._meanings is None:
            self._meanings = _arrays(self._open().meanings())
        table = self._meanings[column]
        by_mover = self._meanings[0] == _BY_MOVER
        if column == 1 or (column == 2 and "max_points" in self._facts):
            by_mover = np.zeros_like(by_mover)
        if values is not None:
            if by_mover.any() and by_mover[values].any():
                raise TableError(
                    f"{self.path}: values do not say who wins endless play: leave them out, and "
                    "all indices are looked at"
                )
            return table[values]
        found = np.empty(len(self.states), table.dtype)
        for start, part in self.chunks():
            found[start : start + len(part)] = table[part]
            if by_mover.any() and (places := np.flatnonzero(by_mover[part])).size:
                worths = self._open().endless((places + start).tolist())
                found[places + start] = np.frombuffer(worths, np.int8)
        return found

    @property
    def states(self) -> States:
        """All states by their indices."""
        return States(self)

    def __iter__(self) -> Iterator[Position]:
        for state in self.states:
            if state is not None:
                yield self.probe(state)

    def __len__(self) -> int:
        """How many states there are."""
        return int(self._facts["states"])

    def __contains__(self, state: object) -> bool:
        try:
            return bool(self.probe_many([state], missing="unused").outcomes[0] != UNUSED)
        except (TypeError, GameError):
            return False

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> Table:
        """Copies the table to a file, or to a folder if the game is in tiers. Returns the table.

        The copy appears whole or not at all. With ``force`` it takes the place of a file; of a
        symbolic link, in the place of the file that it names.
        """
        to = Path(os.path.abspath(path))
        self._open()
        if to.exists() and not (force and to.is_file() and self.path.is_file()):
            raise TableError(f"{to}: exists already; name another path" + _hint(to, self.path))
        if to.is_symlink() and not to.exists():
            raise TableError(
                f"{to}: a symbolic link to a file that does not exist: name that file, or delete the link"
            )
        to = Path(os.path.realpath(to)) if to.is_symlink() else to
        if not to.parent.is_dir():
            raise TableError(f"{to}: there is no folder {to.parent}")
        own = Path(os.path.realpath(self.path))
        if self.path.is_dir() and Path(os.path.realpath(to.parent)).is_relative_to(own):
            raise TableError(f"{to}: lies within the folder of the table itself; name a path outside it")
        try:
            with tempfile.TemporaryDirectory(prefix=".retrograde-", dir=to.parent) as beside:
                copy = Path(beside) / to.name
                if self.path.is_dir():
                    shutil.copytree(self.path, copy, ignore=shutil.ignore_patterns("*.lock"))
                else:
                    shutil.copyfile(self.path, copy)
                    if to.exists():
                        shutil.copymode(to, copy)
                os.replace(copy, to)
        except OSError as problem:
            raise TableError(f"{to}: can't write the table: {problem}") from problem
        if self._temporary is not None:
            self._engine = _engine.OpenTable(to, self._adapted, self._cache)
            self.path = to
            self._temporary.cleanup()
            self._temporary = None
        return self

    def serve(self, port: int = 0, *, show: bool = True) -> Server:
        """Shows the table on a page, which only this machine can reach.

        Port 0 is any free one. ``show`` opens the page in a browser.
        """
        if not self._facts.get("has_rules", True):
            self.probe()  # Says that the rules are missing.
        self._open()
        server = Server(_engine.Server(self.path, self._adapted, port), self)
        self._servers.append(server)
        if show:
            webbrowser.open(server.url)
        return server

    def show(self, state: Any = None) -> Shown:
        """The page of a state, or of the start, in a frame of a notebook: to play on, and to look around.

        A server of its own answers it until the table is closed. Its address has a secret in it, so that
        others on this machine don't find it.
        """
        self.probe(state)  # Says what is wrong with a state.
        if self._page is None:
            server = Server(_engine.Server(self.path, self._adapted, 0, secrets.token_urlsafe()), self)
            self._servers.append(server)
            self._page = f"{server.url}#{quote(self._ask('')['name'], safe='')}"
        written = self._written(state)
        return Shown(self._page if written is None else f"{self._page}/{quote(written, safe='')}")

    def close(self) -> None:
        """Closes the table, stops its servers, and removes what was not saved."""
        self._engine = self._page = None
        for server in self._servers:
            server.stop()
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        if self._temporary is not None:
            raise pickle.PicklingError("the table is not saved: save it before it is pickled")
        return (_reopen, (str(self.path), self._game, self._cache))

    def __repr__(self) -> str:
        return f"<table of {self.game}, {self._facts['states']:,} states: {self.path.name}>"

    def _repr_html_(self) -> str:
        from ._pictures import figure

        return figure(self.probe()) if self.start is not None else f"<p>{self!r}</p>"


class States(Sequence[str | None]):
    """The states of a table by their indices. An unused index has None."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._length = table._open().indices()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> str | None: ...
    @overload
    def __getitem__(self, at: slice) -> list[str | None]: ...
    def __getitem__(self, at: int | slice) -> str | list[str | None] | None:
        if isinstance(at, slice):
            start, end, step = at.indices(self._length)
            if step == 1:
                return self._table._open().states(start, max(start, end))
            return [self[index] for index in range(start, end, step)]
        index = at + self._length if at < 0 else at
        if not 0 <= index < self._length:
            raise IndexError(f"no such index: {at}, where the table has {self._length} indices")
        return self._table._open().states(index, index + 1)[0]

    def __iter__(self) -> Iterator[str | None]:
        for start in range(0, self._length, _AT_ONCE):
            yield from self[start : start + _AT_ONCE]

    def __repr__(self) -> str:
        return f"<{self._length:,} indices>"


def _hint(to: Path, path: Path) -> str:
    return ", or write force=True" if to.is_file() and path.is_file() else ""


def _arrays(columns: tuple[bytes, bytes, bytes]) -> tuple[npt.NDArray[Any], ...]:
    kinds = (np.int8, np.int32, np.int16)
    return tuple(np.frombuffer(one, kind) for one, kind in zip(columns, kinds, strict=True))


def _reopen(path: str, game: Any, cache: int) -> Table:
    return Table(path, game, cache=cache)


def open(path: str | os.PathLike[str], game: Any = None, *, cache: int = _CACHE) -> Table:
    """Opens a table: a file, or a folder of tiers.

    ``game`` is the game of the table where that is written in Python. ``cache`` is how many bytes
    of values are kept in memory.
    """
    if not builtins.isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path: expected a path, not {path!r}")
    return Table(path, game, cache=cache)
