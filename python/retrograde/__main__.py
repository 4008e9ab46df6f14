"""The command line: ``retrograde``, or ``python -m retrograde``."""

from __future__ import annotations

import importlib.util
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

from . import _engine, _games
from ._errors import GameWarning, RetrogradeError

_HELP = """
A class in Python is one more game, with --game anywhere on the line:
  retrograde --game nim.py:'Nim(21)' solve nim -o nim.rtb"""


def main() -> int:
    """Runs the command line with the program's arguments, and returns the exit code."""
    arguments = sys.argv[1:]
    # Without this, Python would wait for the engine before it looks at Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        given, rest = _take_game(arguments)
        start, rest = (None, rest) if given is None else _take_start(rest)
        game = None if given is None else _adapted(load(given), start)
        code = _engine.main(["retrograde", *rest], game)
        if rest in ([], ["--help"], ["-h"], ["help"]):
            print(_HELP, file=sys.stderr if code else sys.stdout)
        return code
    except (RetrogradeError, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 1


def _adapted(game: Any, start: str | None) -> _engine.PythonGame:
    """The game in the form that the engine asks. Warnings are told as the program tells notes."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", GameWarning)
        adapted = _games.adapt(game, start)
    for one in told:
        print(f"warning: {one.message}", file=sys.stderr)
    return adapted


def _take_game(arguments: list[str]) -> tuple[str | None, list[str]]:
    """What ``--game`` names, and the arguments without it."""
    return _take("--game", "a file and a class, as in nim.py:Nim", arguments)


def _take_start(arguments: list[str]) -> tuple[str | None, list[str]]:
    """The start that ``--start`` names, or the table that is asked, and the arguments without it."""
    if {"solve", "explore", "laws", "rules"}.intersection(arguments):
        return _take("--start", "a state", arguments)
    tables = (Path(one) for one in arguments if Path(one).exists())
    return next(filter(None, map(_games.stored_start, tables)), None), arguments


def _take(option: str, expected: str, arguments: list[str]) -> tuple[str | None, list[str]]:
    """The value of an option, and the arguments without it."""
    for at, argument in enumerate(arguments):
        if argument == option:
            if at + 1 == len(arguments):
                raise RetrogradeError(f"{option}: expected {expected}")
            return arguments[at + 1], arguments[:at] + arguments[at + 2 :]
        if argument.startswith(f"{option}="):
            return argument.removeprefix(f"{option}="), arguments[:at] + arguments[at + 1 :]
    return None, arguments


def load(named: str) -> Any:
    """The game that ``FILE.py:Nim`` or ``FILE.py:Nim(21)`` names.

    The file is run as any Python program is, and so is what follows the colon.
    """
    path, colon, made = named.partition(".py:")
    if not colon or not made:
        raise RetrogradeError(f"--game {named}: expected a file and a class, as in nim.py:Nim(21)")
    file = Path(path + ".py")
    if not file.is_file():
        raise RetrogradeError(f"--game {named}: there is no file {file}")
    # Its own name might be that of a module that is loaded already.
    name = f"retrograde_game_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise RetrogradeError(f"--game {named}: {file} can't be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
        game = eval(made, vars(module))
        return game() if isinstance(game, type) else game
    except Exception as problem:
        raise RetrogradeError(f"--game {named}: {type(problem).__name__}: {problem}") from problem


if __name__ == "__main__":
    sys.exit(main())
