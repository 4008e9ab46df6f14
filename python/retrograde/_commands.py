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
from functools import cache
from os import fspath
from pathlib import PurePath
from types import FrameType
from typing import Any

from . import _engine
from ._errors import UsageError

_notes = logging.getLogger("retrograde")

_SOON = 1.0
"""After how many seconds a notebook shows progress."""

Progress = bool | None | Callable[[str], object]


@dataclass(frozen=True)
class Option:
    """An option of a command, or of a game that comes with the package.

    ``name``
        Its name as a keyword of :func:`retrograde.solve`.
    ``help``
        What it does, in words.
    ``default``
        The value where it is left out; None where the engine chooses, and False for a switch.
    ``required``
        Whether it can't be left out.
    ``kind``
        ``"switch"``, ``"integer"``, ``"choice"``, ``"size"``, ``"time"``, ``"path"`` or ``"text"``.
    ``short``
        Its letter, which is a keyword, too.
    ``metavar``
        What stands for its value in the help of the command line.
    ``choices``
        The values that a choice has.
    ``range``
        The least and the greatest number; None where the kind has no bound.
    """

    name: str
    help: str
    default: Any
    required: bool
    kind: str
    short: str | None = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    range: tuple[int | None, int | None] | None = None


@dataclass(frozen=True, repr=False)
class ShippedGame:
    """A game that comes with the package.

    ``name``, ``about``
        What it is called, and what it is, in words.
    ``options``
        The options of the game, each an :class:`Option`. Those of all games are in ``games().options``.
    ``positions``
        How its positions are written.
    ``example``
        Options of the command line with which it is solved in seconds.
    """

    name: str
    about: str
    options: tuple[Option, ...]
    positions: str
    example: str

    @property
    def solve(self) -> Callable[..., Any]:
        """Solves the game: ``help(retrograde.games()["chess"].solve)`` lists its options."""
        from ._solve import solve

        def solve_game(**options: Any) -> Any:
            return solve(self.name, **options)

        solve_game.__signature__ = _signature([*self.options, *games().options])  # type: ignore[attr-defined]
        solve_game.__name__ = solve_game.__qualname__ = "solve"
        common = "\n".join(_line(one) for one in games().options)
        solve_game.__doc__ = f"{self!r}\n\nOptions of all games:\n{common}"
        return solve_game

    def __repr__(self) -> str:
        lines = [f"{self.name}: {self.about}"]
        lines += map(_line, self.options)
        return "\n".join([*lines, f"  positions: {self.positions}"])


class Games(Mapping[str, ShippedGame]):
    """The games that come with the package, by their names."""

    def __init__(self) -> None:
        listed = _listed()
        self._games = {one["game"]: _shipped(one) for one in listed["games"]}
        commands = {one["command"]: one["options"] for one in listed["commands"]}
        self.options = tuple(map(_option, commands["solve"]))
        """The options with which every game is solved."""

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


@cache
def _listed() -> Any:
    """The games and commands of the engine, with their options as data."""
    return json.loads(_engine.call(["games"], None, "RetrogradeError"))


def _shipped(one: dict[str, Any]) -> ShippedGame:
    options: dict[str, Option] = {}
    for option in map(_option, (each for each in one["options"] if "solve" in each["commands"])):
        # An argument that is an option, too, is listed once.
        options.setdefault(option.name, option)
    return ShippedGame(one["game"], one["about"], tuple(options.values()), one["positions"], one["example"])


def _option(one: dict[str, Any]) -> Option:
    default = one["default"]
    if one["kind"] == "switch":
        default = False
    elif one["kind"] == "integer" and default is not None:
        default = int(default)
    bounds = one["range"]
    return Option(
        name=_keyword(one["name"]),
        help=one["help"] or "",
        default=default,
        required=one["required"],
        kind=one["kind"],
        short=one["short"],
        metavar=one["metavar"],
        choices=tuple(one["choices"]),
        range=None if bounds is None else (bounds[0], bounds[1]),
    )


def _line(option: Option) -> str:
    needed = " (required)" if option.required else ""
    usual = "" if option.default in (None, False) else f" [default: {option.default}]"
    return f"  {option.name}: {option.help}{usual}{needed}"


def _signature(options: list[Option]) -> inspect.Signature:
    """The signature of a function that takes these options, and their letters."""
    empty = inspect.Parameter.empty
    own = [
        inspect.Parameter(
            one.name, inspect.Parameter.KEYWORD_ONLY, default=empty if one.required else one.default
        )
        for one in options
    ]
    rest = inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)
    return inspect.Signature([*own, rest])


def _keyword(option: str) -> str:
    """The name of an option as a keyword."""
    return option.replace("-", "_")


def _check_kind(name: str, value: Any) -> None:
    """Refuses what is no number where a number is expected."""
    if name not in _whole_numbers() or value is None or value is False:
        return
    is_number = hasattr(value, "__index__") and not isinstance(value, bool)
    if not is_number and not (isinstance(value, str) and re.fullmatch(r"\s*-?\d+\s*", value)):
        raise UsageError(
            f"{name}: expected a whole number, and not {value!r}",
            code="invalid-value",
            fields={"option": name, "value": str(value)},
        )


@cache
def _whole_numbers() -> frozenset[str]:
    """The options that are whole numbers wherever they are options."""
    kinds: dict[str, set[str]] = {}
    for one in [*games().options, *(one for game in games().values() for one in game.options)]:
        for name in filter(None, [one.name, one.short]):
            kinds.setdefault(name, set()).add(one.kind)
    return frozenset(name for name, some in kinds.items() if some == {"integer"})


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Keywords as options of the command line: ``max_states=9`` becomes ``--max-states=9``, and ``k=4``
    becomes ``-k=4``."""
    found = []
    for name, value in options.items():
        _check_kind(name, value)
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

        return json.loads(_engine.call(command, game, failure, told, _notes.info, _notes.warning))
