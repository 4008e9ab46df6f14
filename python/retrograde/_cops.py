"""Cops and robbers: whether cops catch a robber on a graph, and in how many rounds."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ._commands import Progress, arguments, call
from ._errors import UsageError
from ._solve import solve
from ._table import Table

_HEADER = ">>graph6<<"


@dataclass(frozen=True)
class _Graph:
    """A graph as the engine reads it: its neighbours, or a text in graph6."""

    lists: list[list[int]] | str
    directed: bool
    nodes: list[Any] | None = field(compare=False)

    def line(self) -> str:
        if isinstance(self.lists, str):
            return self.lists
        return json.dumps(self.lists, separators=(",", ":"))


@dataclass(frozen=True, eq=False, repr=False)
class Pursuit:
    """Cops and robbers on a graph.

    ``cops``
        The number of cops that was asked about.
    ``capture_time``
        After how many rounds they catch the robber, if all play well; None if they never do.
    ``nodes``
        The nodes of a networkx graph or of a mapping, by their numbers in the table; None for a list.
    """

    cops: int
    capture_time: int | None
    nodes: list[Any] | None
    _graph: _Graph
    _options: dict[str, Any]

    @property
    def cops_win(self) -> bool:
        """Whether the cops catch the robber."""
        return self.capture_time is not None

    @cached_property
    def cop_number(self) -> int | None:
        """The least number of cops that win; None if six are too few."""
        (found,) = _ask([self._graph], {**self._options, "cop_number": True}, False)
        return None if found["capture_time"] is None else int(found["cops"])

    @cached_property
    def table(self) -> Table:
        """The table of all positions, with this number of cops."""
        lists = self._graph.lists
        if isinstance(lists, str) and not lists.startswith(_HEADER):
            lists = _HEADER + lists
        options = {**self._options, "directed": self._graph.directed}
        return solve("cops", graph=lists, cops=self.cops, progress=False, **options)

    def __repr__(self) -> str:
        cops = f"{self.cops} cop{'' if self.cops == 1 else 's'}"
        if self.capture_time is None:
            return f"<{cops}: the robber is never caught>"
        rounds = f"{self.capture_time} round{'' if self.capture_time == 1 else 's'}"
        return f"<{cops}: the robber is caught in {rounds}>"


@dataclass(frozen=True, eq=False, repr=False)
class Pursuits:
    """Cops and robbers on many graphs, with a place in each array for each graph.

    ``cops``
        The number of cops that was asked about.
    ``capture_times``
        After how many rounds they catch the robber; -1 where they never do.
    """

    cops: int
    capture_times: np.ndarray[Any, np.dtype[np.int32]]
    _graphs: list[_Graph]
    _options: dict[str, Any]

    @property
    def cops_win(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """On which graphs the cops catch the robber."""
        return self.capture_times >= 0

    @cached_property
    def cop_numbers(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        """The least number of cops that win on each graph; 0 where six are too few."""
        found = _ask(self._graphs, {**self._options, "cop_number": True}, False)
        numbers = (0 if one["capture_time"] is None else one["cops"] for one in found)
        return np.fromiter(numbers, np.int8, len(found))

    def __len__(self) -> int:
        return len(self.capture_times)

    def __repr__(self) -> str:
        return f"<{self.cops} against a robber on {len(self)} graphs: they win on {self.cops_win.sum()}>"


def cops(graph: Any, cops: int = 1, *, progress: Progress = None, **options: Any) -> Any:
    """Whether cops catch a robber on a graph, and in how many rounds.

    ``graph`` is a graph of networkx, a list with the neighbours of each node, a mapping from each node to
    its neighbours, or a text in graph6. The answer is a :class:`Pursuit`. A list of graphs, or anything
    else that yields them, is answered by arrays: :class:`Pursuits`. ``options`` are those of the game
    ``"cops"``: ``passing``, ``lazy``, ``robber_speed``, ``directed``, ``threads``, ``memory``. A graph of
    networkx says itself whether its edges lead one way only.

    >>> import retrograde
    >>> petersen = [[1, 4, 5], [0, 2, 6], [1, 3, 7], [2, 4, 8], [0, 3, 9],
    ...             [0, 7, 8], [1, 8, 9], [2, 5, 9], [3, 5, 6], [4, 6, 7]]
    >>> retrograde.cops(petersen, 2)
    <2 cops: the robber is never caught>
    >>> retrograde.cops(petersen).cop_number
    3
    >>> retrograde.cops(["Bw", "Cl"]).capture_times
    array([ 1, -1], dtype=int32)
    """
    directed = options.pop("directed", None)
    if _is_one(graph):
        graphs = [_read(graph, directed)]
    else:
        graphs = [_read(one, directed) for one in graph]
        if len({one.directed for one in graphs}) > 1:
            raise UsageError("some graphs are directed and some are not: ask about them one after the other")
    found = _ask(graphs, {**options, "cops": cops}, progress)
    if _is_one(graph):
        (answer,) = found
        return Pursuit(cops, answer["capture_time"], graphs[0].nodes, graphs[0], options)
    times = (-1 if one["capture_time"] is None else one["capture_time"] for one in found)
    return Pursuits(cops, np.fromiter(times, np.int32, len(found)), graphs, options)


def _is_one(graph: Any) -> bool:
    """Whether this is one graph: a list of graphs has something else than nodes in its lists."""
    if isinstance(graph, (str, Mapping)) or hasattr(graph, "adj"):
        return True
    if not isinstance(graph, (list, tuple)):
        return False
    return all(
        isinstance(one, (list, tuple)) and all(hasattr(it, "__index__") for it in one) for one in graph
    )


def _read(graph: Any, directed: bool | None) -> _Graph:
    if isinstance(graph, str):
        return _Graph(graph.strip(), bool(directed), None)
    if hasattr(graph, "adj"):
        leads = bool(graph.is_directed()) if directed is None else directed
        return _numbered(graph.adj, leads)
    if isinstance(graph, Mapping):
        return _numbered(graph, bool(directed))
    if not _is_one(graph):
        raise UsageError(f"expected a graph, and not {graph!r}")
    return _Graph([[int(node) for node in one] for one in graph], bool(directed), None)


def _numbered(neighbours: Mapping[Any, Iterable[Any]], directed: bool) -> _Graph:
    nodes = list(neighbours)
    numbers = {node: number for number, node in enumerate(nodes)}
    try:
        lists = [[numbers[other] for other in neighbours[node]] for node in nodes]
    except KeyError as missing:
        raise UsageError(f"{missing.args[0]!r} is a neighbour, and not among the nodes") from None
    return _Graph(lists, directed, nodes)


def _ask(graphs: list[_Graph], options: dict[str, Any], progress: Progress) -> list[Any]:
    """The answers about these graphs, which have edges of one kind."""
    if not graphs:
        return []
    directed = graphs[0].directed
    with tempfile.TemporaryDirectory(prefix="retrograde-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "graphs"
        path.write_text("".join(f"{one.line()}\n" for one in graphs))
        given = arguments({**options, "directed": directed, "graphs": path})
        answer = call(["solve", "cops", *given], None, "SolveError", progress)
    return list(answer["games"])
