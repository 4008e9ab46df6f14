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
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, overload
from urllib.parse import quote, urlencode

import numpy as np
import numpy.typing as npt

from . import _answers, _arrays, _engine, _games
from ._answers import Graph, Line, Move, Position, Question, Stats, Verified
from ._arrays import UNUSED, Arrays, States, Values
from ._commands import Progress, arguments, call
from ._errors import GameError, OutcomesOnlyError, TableError, UsageError
from ._server import Server, Shown

_CACHE = 64 << 20


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
        self._engine: _engine.OpenTable | None = self._opened()
        self._facts: dict[str, Any] = self._ask("")
        if game is not None and not self._facts.get("has_rules", True):
            raise TableError(
                f"{self.path}: the table of another game: it is of {self.game}, and not of this one"
            )
        self._meanings: tuple[tuple[bytes, bytes, bytes], bytes] | None = None
        if game is not None and self.start is not None and self.start not in self:
            raise TableError(
                f"{self.path}: the table of another game: it lacks {self.start}, where this one starts"
            )

    def _opened(self) -> _engine.OpenTable:
        try:
            return _engine.OpenTable(self.path, self._adapted, self._cache)
        except TableError:
            start = None if self._game is None else _games.stored_start(self.path)
            if start is None:
                raise
            # The table begins with a state of its own. The engine refuses it if it is of another game.
            self._adapted = _games.adapt(self._game, start)
            return _engine.OpenTable(self.path, self._adapted, self._cache)

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

    def graph(self, depth: int, state: Any = None) -> Graph:
        """The states that play reaches from a state, or from the start, in up to ``depth`` plies.

        ``networkx`` takes them: ``g = networkx.DiGraph(); g.add_nodes_from(graph.nodes);
        g.add_edges_from(graph.edges)``.
        """
        if depth < 0:
            raise UsageError(f"depth: expected a number of plies, and not {depth}")
        root = self.probe(state)
        found, edges, last = {root.state: (root, 0)}, [], [root]
        for ply in range(1, depth + 1):
            before, last = last, []
            for position in before:
                # Where play is over, nobody moves on.
                for move in [] if position.over else self.moves(position.state):
                    edges.append((position.state, move.position.state, _answers.edge(move)))
                    if found.setdefault(move.position.state, (move.position, ply))[0] is move.position:
                        last.append(move.position)
        return Graph([(text, _answers.node(*one)) for text, one in found.items()], edges)

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

    @overload
    def stats(self, by: None = None) -> Stats: ...
    @overload
    def stats(self, by: Callable[[Any], Any] | Iterable[Any] | str) -> dict[Any, Stats]: ...
    def stats(self, by: Callable[[Any], Any] | Iterable[Any] | str | None = None) -> Stats | dict[Any, Stats]:
        """How many states there are of each kind, or of each kind in each group.

        ``by`` is a function of a state that returns the label of its group, an array with a label for
        each row of :meth:`arrays`, which is much faster, or ``"tier"``. The groups are in the order of
        their labels. Their ``bytes`` are those of the table.
        """
        return _answers.stats(self._ask("stats")) if by is None else Arrays(self).stats(by)

    def svg(self, state: Any = None, *, flip: bool = False) -> str | None:
        """A picture of a state as SVG; None where the game has no pictures."""
        if not self._facts["has_pictures"]:
            return None
        return self._text("picture", state=self._written(state), flip=flip or None)

    def _drawing(self, state: str) -> str | None:
        """The picture in text that a class in Python draws of a state."""
        draw = None if self._game is None else getattr(self._game, "draw", None)
        return None if draw is None else str(draw(_games.describe(self._game).parse(state)))

    def verify(
        self,
        *,
        tier: str | None = None,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: Progress = None,
    ) -> Verified:
        """Proves the table: its checksums, and every value against those of its successors.

        With ``tier``, a name of a tier, only that tier is proved. A wrong value in another tier is found
        when that one is. Raises :class:`TableError` where something is wrong, and :class:`UsageError`
        where there is no such tier.
        """
        options = arguments({"tier": tier, "threads": threads, "memory": memory})
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
        return Values(*_arrays.arrays_of(columns))

    def arrays(
        self, start: int | None = None, stop: int | None = None, *, states: bool = False, text: bool = False
    ) -> dict[str, npt.NDArray[Any]]:
        """A row for each state, in columns for ``pandas.DataFrame(...)`` or ``polars.DataFrame(...)``.

        ``index``
            The place among :attr:`states`. Unused indices are left out.
        ``outcome``
            :data:`WIN`, :data:`DRAW` or :data:`LOSS` for the player to move, or :data:`ENDLESS` for a draw
            by endless play or by the ply limit.
        ``plies``
            In how many plies the win or loss comes, as in :meth:`probe`; -1 for draws, endless play and
            beyond the ply limit. Left out where the table has outcomes only.
        ``points``
            How many points more the player to move gains from here on, in a game with points.
        ``mover``
            The player to move, :data:`FIRST` or :data:`SECOND`, where states name it.
        ``state``, with ``states=True``
            The state: that of the class of a game in Python, or else its text.
        ``text``, with ``text=True``
            The text of the state in the notation of its game.

        ``start`` and ``stop`` choose a range of indices, so that a table larger than the memory is read in
        parts. States and texts take microseconds each, movers less, and the other columns nanoseconds.
        """
        arrays = Arrays(self)
        found, _ = arrays.rows(start, stop)
        texts = arrays.texts(found["index"]) if states or text else []
        if states:
            found["state"] = _arrays.state_column(arrays.states(texts))
        if text:
            found["text"] = _arrays.text_column(texts)
        return found

    def values(self, start: int = 0, stop: int | None = None) -> npt.NDArray[np.uint16]:
        """The values of all indices, or of a range, as the file stores them, in 2 bytes an index.

        :meth:`arrays` says what they mean.
        """
        end = len(self.states) if stop is None else stop
        return np.frombuffer(self._open().packed(start, end), np.uint16)

    def outcomes(self) -> npt.NDArray[np.int8]:
        """The outcome of each index, as in :meth:`arrays`, and :data:`UNUSED` for one without a state."""
        return Arrays(self).outcomes()

    def plies(self) -> npt.NDArray[np.int32]:
        """The plies of each index, as in :meth:`arrays`: -1 for draws, and for one without a state."""
        if not self._facts["has_distances"]:
            raise OutcomesOnlyError(f"{self.path}: the table has outcomes only, without plies")
        return Arrays(self).plies()

    def points(self) -> npt.NDArray[np.int16]:
        """How many points more the player to move gains in each index; 0 for one without a state."""
        return Arrays(self).points()

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
        others on this machine don't find it. Notebooks at ``localhost`` or ``127.0.0.1``, and those of VS
        Code, may show it. In others, as of JupyterHub and Colab, and in pages that are files, the frame
        stays empty: there, :meth:`probe` shows a picture.
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
        return f"<table of {self.game}, {_answers.many(self._facts['states'], 'state')}: {self.path.name}>"

    def _repr_html_(self) -> str:
        from ._pictures import figure

        return figure(self.probe()) if self.start is not None else f"<p>{self!r}</p>"


def _hint(to: Path, path: Path) -> str:
    return ", or write force=True" if to.is_file() and path.is_file() else ""


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
