"""Commands of the engine: their options, and what they report while they work."""

from __future__ import annotations

import inspect
import json
import logging
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import fspath
from pathlib import PurePath
from types import FrameType
from typing import Any

from . import _engine
from ._errors import SolveError, TableError, UsageError

_notes = logging.getLogger("retrograde")

_SOON = 1.0
"""After how many seconds a notebook shows progress."""

Progress = bool | None | Callable[[str], object]


@dataclass(frozen=True)
class Option:
    """An option of a game that comes with the package."""

    name: str
    """As a keyword of :func:`retrograde.solve`."""
    help: str
    default: str | None
    required: bool


@dataclass(frozen=True, repr=False)
class ShippedGame:
    """A game that comes with the package."""

    name: str
    about: str
    options: tuple[Option, ...]
    positions: str
    """How its positions are written."""
    example: str
    """Options of the command line with which it is solved in seconds."""

    @property
    def solve(self) -> Callable[..., Any]:
        """Solves the game: ``help(retrograde.games()["chess"].solve)`` lists its options."""
        from ._solve import solve

        def solve_game(**options: Any) -> Any:
            return solve(self.name, **options)

        kind = inspect.Parameter.KEYWORD_ONLY
        own = [
            inspect.Parameter(
                one.name, kind, default=inspect.Parameter.empty if one.required else one.default
            )
            for one in self.options
        ]
        rest = inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)
        solve_game.__signature__ = inspect.Signature([*own, rest])  # type: ignore[attr-defined]
        solve_game.__name__ = solve_game.__qualname__ = "solve"
        solve_game.__doc__ = f"{self!r}\n\nThe other options are those of retrograde.solve."
        return solve_game

    def __repr__(self) -> str:
        lines = [f"{self.name}: {self.about}"]
        for one in self.options:
            needed = " (required)" if one.required else ""
            usual = "" if one.default is None else f" [default: {one.default}]"
            lines.append(f"  {one.name}: {one.help}{usual}{needed}")
        return "\n".join([*lines, f"  positions: {self.positions}"])


class Games(Mapping[str, ShippedGame]):
    """The games that come with the package, by their names."""

    def __init__(self) -> None:
        listed = json.loads(_engine.call(["games"], None, "RetrogradeError"))
        self._games = {one["game"]: _shipped(one) for one in listed}

    def __getitem__(self, name: str) -> ShippedGame:
        return self._games[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    def __repr__(self) -> str:
        return "\n".join(f"{one.name}: {one.about}" for one in self._games.values())


def games() -> Games:
    """The games that come with the package, with their options.

    >>> import retrograde
    >>> retrograde.games()["hexapawn"]
    hexapawn: Hexapawn: pawns that race and block each other
      columns: The number of columns, and of each player's pawns [default: 3]
      rows: The number of rows [default: 3]
      start: Begin with this position: only what play can reach from there is explored
      positions: the rows from the top, and who is to move: bbb/w../.ww,black
    """
    return Games()


def _shipped(one: dict[str, Any]) -> ShippedGame:
    options: dict[str, Option] = {}
    for option in one["options"]:
        # As in `-m, --columns COLUMNS`, or `MATERIAL`.
        long = re.search(r"--([a-z0-9-]+)", option["option"])
        name = long[1].replace("-", "_") if long else option["option"].split()[0].lower()
        # An argument that is an option, too, is listed once.
        options.setdefault(name, Option(name, option["help"] or "", option["default"], option["required"]))
    listed = tuple(options.values())
    return ShippedGame(one["game"], one["about"], listed, one["positions"], one["example"])


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Keywords as options of the command line: ``max_states=9`` becomes ``--max-states=9``, and ``k=4``
    becomes ``-k=4``."""
    found = []
    for name, value in options.items():
        option = ("-" if len(name) == 1 else "--") + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            found.append(option)
        elif isinstance(value, (str, int, float)):
            found.append(f"{option}={value}")
        elif isinstance(value, PurePath):
            found.append(f"{option}={fspath(value)}")
        else:
            try:
                text = json.dumps(value, separators=(",", ":"))
            except (TypeError, ValueError) as problem:
                raise UsageError(f"{name}: {problem}") from None
            found.append(f"{option}={text}")
    return found


def _keyword(option: str) -> str:
    """An option of the command line as a keyword: ``--max-states <N>`` is ``max_states``."""
    return re.sub(r"^--?([a-z][a-z0-9-]*).*", lambda found: found[1].replace("-", "_"), option)


def _in_python(problem: str, command: list[str]) -> str:
    """A complaint of the command line about its options, in the words of Python."""
    given = re.search(r"unexpected argument '(.*?)' found", problem)
    if given is not None:
        near = re.search(r"a similar argument exists: '(.*?)'", problem)
        meant = f"is `{_keyword(near[1])}` meant?" if near else _options_of(command)
        name = _keyword(given[1])
        if not name.isidentifier():
            # The letter of another option came first, as in `-q=3`.
            name = next((_keyword(one) for one in command if re.match("-[a-z]=", one)), name)
        return f"{name}: {' '.join(command[:2])} has no such option; {meant}"
    wrong = re.fullmatch(r"invalid value '(.*?)' for '(--?[a-z].*?)':? (.*)", problem.strip(), re.DOTALL)
    if wrong is not None:
        return f"{_keyword(wrong[2])}={wrong[1]!r}: {wrong[3]}"
    missing = re.search(r"required arguments were not provided: (.*)", problem.strip(), re.DOTALL)
    if missing is not None:
        named = [_keyword(one) for one in missing[1].split() if one.startswith("-")]
        return f"{' '.join(command[:2])} needs {', '.join(named) or missing[1]}"
    return _options_in(problem)


def _options_in(problem: str) -> str:
    """A text with the keywords in place of options, except for ``--game``, which only the program has."""
    option = r"(?<![\w-])--(?!game\b)[a-z][a-z0-9-]*(?: <[^>]*>)?"
    return re.sub(option, lambda found: _keyword(found[0]), problem)


def _options_of(command: list[str]) -> str:
    """The options of the game that a command is about."""
    shipped = Games().get(command[1]) if len(command) > 1 else None
    if shipped is None:
        return "see help(retrograde.solve)"
    return f"it has {', '.join(one.name for one in shipped.options)}, and those of help(retrograde.solve)"


@contextmanager
def _heard() -> Iterator[Callable[[], None]]:
    """Yields a function that raises what a handler of Ctrl-C has raised, if that was lost.

    Rules in Python are asked by arrays, and numpy clears exceptions that are raised while it looks at the
    class of an object. The next progress tells of them.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield lambda: None
        return
    raised: list[BaseException] = []

    def pressed(number: int, frame: FrameType | None) -> None:
        try:
            before(number, frame)
        except BaseException as one:
            raised.append(one)
            raise

    def check() -> None:
        if raised:
            raise raised[0].with_traceback(None)

    signal.signal(signal.SIGINT, pressed)
    try:
        yield check
        check()
    finally:
        if signal.getsignal(signal.SIGINT) is pressed:
            signal.signal(signal.SIGINT, before)


def _notebook() -> Any:
    """What shows texts in a notebook; None elsewhere."""
    module = sys.modules.get("IPython")
    shell = None if module is None else module.get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display


@contextmanager
def _reporting(progress: Progress) -> Iterator[Callable[[str], object] | None]:
    """What gets the progress: a function of the caller, or a line below the prompt or the cell."""
    if callable(progress):
        yield progress
        return
    display = _notebook()
    is_seen = display is not None or (sys.stderr is not None and sys.stderr.isatty())
    if progress is False or (progress is None and not is_seen):
        yield None
    elif display is not None:
        with _below_the_cell(display) as show:
            yield show
    else:
        with _below_the_prompt() as show:
            yield show


@contextmanager
def _below_the_cell(display: Any) -> Iterator[Callable[[str], object]]:
    # Work of less than a second shows nothing, and leaves nothing.
    begin, line = time.monotonic(), None

    def show(doing: str) -> None:
        nonlocal line
        if line is not None:
            line.update({"text/plain": doing}, raw=True)
        elif time.monotonic() - begin > _SOON:
            line = display({"text/plain": doing}, raw=True, display_id=True)

    try:
        yield show
    finally:
        if line is not None:
            line.update({"text/plain": ""}, raw=True)


@contextmanager
def _below_the_prompt() -> Iterator[Callable[[str], object]]:
    try:
        from tqdm import tqdm
    except ImportError:
        width = 0

        def show(doing: str) -> None:
            nonlocal width
            print("\r" + doing.ljust(width), end="", file=sys.stderr, flush=True)
            width = len(doing)

        try:
            yield show
        finally:
            print("\r" + " " * width + "\r", end="", file=sys.stderr, flush=True)
        return
    with tqdm(bar_format="{elapsed} {desc}", leave=False) as line:
        yield line.set_description_str


def call(
    command: list[str],
    game: _engine.PythonGame | None,
    failure: str,
    progress: Progress = None,
) -> Any:
    """Runs a command. Notes and warnings go to the logger ``retrograde``."""
    with _heard() as check, _reporting(progress) as report:

        def told(doing: str) -> None:
            check()
            if report is not None:
                report(doing)

        try:
            called = _engine.call(
                command,
                game,
                failure,
                told,
                lambda note: _notes.info(_options_in(note)),
                lambda note: _notes.warning(_options_in(note)),
            )
            return json.loads(called)
        except UsageError as problem:
            raise UsageError(_in_python(str(problem), command)) from None
        except (SolveError, TableError) as problem:
            raise type(problem)(_options_in(str(problem))) from problem.__cause__
