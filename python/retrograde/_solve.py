"""Solving, checking and exploring games."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from . import _games
from ._answers import Lawful, Survey
from ._commands import Progress, arguments, call
from ._errors import RetrogradeError, UsageError
from ._table import Table

_OUTPUT = {"output", "o"}


def _command(command: str, game: Any, options: dict[str, Any]) -> tuple[list[str], Any]:
    """The beginning of a command, and the game in the form that the engine asks, with its start."""
    if isinstance(game, str):
        return [command, game], None
    adapted = _games.adapt(game, options.pop("start", None))
    return [command, adapted.name], adapted


def solve(
    game: Any,
    *,
    output: str | os.PathLike[str] | None = None,
    progress: Progress = None,
    **options: Any,
) -> Table:
    """Solves a game completely, and returns its table.

    ``game`` is the name of a game that comes with the package, or a game in Python (see
    :class:`Game`). ``options`` are those of the command line, with ``_`` for ``-``. A list stands for
    JSON. Those of a game are listed by ``games()``, and by ``help(games()["chess"].solve)``. Those of
    each run are

    ``threads``, ``memory``, ``max_states``
        What the run may take, as in ``threads=2, memory="4GiB"``. Default: all cores, and all free memory.
    ``numbering``, ``tier``
        How states are numbered, and how far a game in tiers is solved.
    ``start``
        The state that play begins with, in place of the roots, where states are discovered: a text in
        the notation of the game or, of a game in Python, the state itself.
    ``compression``, ``outcomes_only``, ``force``
        How the table is written: from 0 to 22, without distances, in place of any file.
    ``checkpoint``, ``checkpoint_every``
        A folder where progress is saved, so that the same call resumes after an interruption.

    The table is in ``output``, or else in a temporary place until :meth:`Table.save`. ``progress``
    is a function that gets a text about ten times a second, or True or False; by default terminals
    and notebooks show a line, and terminals the time with it where ``tqdm`` is installed. Ctrl-C
    interrupts. Notes go to the logger ``retrograde``; a likely mistake in the game is a
    warning there.

    >>> import retrograde
    >>> table = retrograde.solve("cat-mouse", graph=[[1, 3], [0], [3], [0, 2]])
    >>> table.probe()
    <1,2,mouse: mouse wins in 1 ply>
    """
    command, adapted = _command("solve", game, options)
    own = None if adapted is None else game
    for name in _OUTPUT.intersection(options):
        raise UsageError(f"{name}: write output=")
    if output is not None:
        path = Path(output)
        call([*command, *arguments({**options, "output": path})], adapted, "SolveError", progress)
        return Table(path, own, adapted=adapted)
    temporary = tempfile.TemporaryDirectory(prefix="retrograde-", ignore_cleanup_errors=True)
    path = Path(temporary.name) / f"{command[1]}.rtb"
    try:
        call([*command, *arguments({**options, "output": path})], adapted, "SolveError", progress)
        table = Table(path, own, adapted=adapted)
    except BaseException as problem:
        kept = _rescued(path) if adapted is not None and isinstance(problem, RetrogradeError) else None
        temporary.cleanup()
        if kept is None or not isinstance(problem, RetrogradeError):
            raise
        raise type(problem)(
            f"{problem}. The game is solved, and its table is {kept}: open it with retrograde.open "
            "when the class is mended",
            code=problem.code,
            fields=problem.fields,
        ) from problem
    table._temporary = temporary
    return table


def _rescued(path: Path) -> Path | None:
    """Where a table is that was written before something else failed; None if there is none."""
    if not path.is_file():
        return None
    return Path(shutil.move(path, tempfile.mkdtemp(prefix="retrograde-")))


def laws(game: Any, *, sample: int | None = None, progress: Progress = None, **options: Any) -> Lawful:
    """Checks that the rules of a game are consistent, on all states or on a random sample.

    Raises :class:`LawError`, which names the state, where they are not.
    """
    command, adapted = _command("laws", game, options)
    given = arguments({**options, "sample": sample})
    answer = call([*command, *given], adapted, "LawError", progress)
    return Lawful(answer["states"], answer["moves"], answer["predecessors"])


def explore(game: Any, *, progress: Progress = None, **options: Any) -> Survey:
    """Counts the states that play can reach, without solving them."""
    command, adapted = _command("explore", game, options)
    answer = call([*command, *arguments(options)], adapted, "SolveError", progress)
    plies = tuple(one["states"] for one in answer["plies"])
    return Survey(answer["states"], answer["terminal"], answer["moves"], plies, answer["seconds"])


def rules(game: Any, **options: Any) -> str:
    """The rules of a game in words."""
    command, adapted = _command("rules", game, options)
    answer = call([*command, *arguments(options)], adapted, "RetrogradeError", False)
    return str(answer["rules"])
