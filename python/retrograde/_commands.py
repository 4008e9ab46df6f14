"""Commands of the engine: their options, and what they report while they work."""

from __future__ import annotations

import inspect
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import fspath
from pathlib import PurePath
from typing import Any

from . import _engine

_notes = logging.getLogger("retrograde")

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
                from ._errors import UsageError

                raise UsageError(f"{name}: {problem}") from None
            found.append(f"{option}={text}")
    return found


def _is_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and shell.get_ipython() is not None


@contextmanager
def _reporting(progress: Progress) -> Iterator[Callable[[str], object] | None]:
    """What gets the progress: a function of the caller, or a line below the prompt."""
    if callable(progress):
        yield progress
        return
    if progress is False or (
        progress is None and not ((sys.stderr is not None and sys.stderr.isatty()) or _is_notebook())
    ):
        yield None
        return
    try:
        from tqdm.auto import tqdm
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
    """Runs a command. Notes go to the logger ``retrograde``."""
    with _reporting(progress) as report:
        return json.loads(_engine.call(command, game, failure, report, _notes.info))
