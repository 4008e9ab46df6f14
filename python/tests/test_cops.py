"""Cops and robbers on graphs of Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograde as r

PETERSEN = [[1, 4, 5], [0, 2, 6], [1, 3, 7], [2, 4, 8], [0, 3, 9]]
PETERSEN += [[0, 7, 8], [1, 8, 9], [2, 5, 9], [3, 5, 6], [4, 6, 7]]


class Graph:
    """What `cops` asks of a graph of networkx."""

    def __init__(self, edges: list[tuple[Any, Any]], directed: bool = False) -> None:
        self.adj: dict[Any, dict[Any, None]] = {}
        self.directed = directed
        for one, other in edges:
            self.adj.setdefault(one, {})[other] = None
            back = self.adj.setdefault(other, {})
            if not directed:
                back[one] = None

    def is_directed(self) -> bool:
        return self.directed


def test_petersen_takes_three_cops() -> None:
    # M. Aigner and M. Fromme, "A game of cops and robbers", 1984.
    lost = r.cops(PETERSEN, 2)
    assert (lost.cops_win, lost.capture_time, lost.cop_number) == (False, None, 3)
    won = r.cops(PETERSEN, cops=3)
    assert (won.cops_win, won.capture_time) == (True, 1)
    assert repr(won) == "<3 cops: the robber is caught in 1 round>"
    assert won.table.probe().plies == 3
    assert won.table.verify().states == won.table.stats().states


def test_nodes_have_any_names() -> None:
    path = Graph([("a", "b"), ("b", "c"), ("c", "d")])
    assert (r.cops(path).capture_time, r.cops(path).nodes) == (2, ["a", "b", "c", "d"])
    assert r.cops(dict(path.adj)).capture_time == 2
    circle = Graph([(0, 1), (1, 2), (2, 0)], directed=True)
    assert (r.cops(circle).cops_win, r.cops(circle).cop_number) == (False, 2)
    with pytest.raises(r.UsageError, match="'b' is a neighbour, and not among the nodes"):
        r.cops({"a": ["b"]})


def test_many_graphs_are_arrays() -> None:
    graphs = ["Bw", PETERSEN, Graph([(0, 1), (1, 2), (2, 3), (3, 0)]), [[1], [0]]]
    many = r.cops(graphs)
    assert many.capture_times.tolist() == [1, -1, -1, 1]
    assert many.capture_times.dtype == np.int32
    assert many.cops_win.tolist() == [True, False, False, True]
    assert many.cop_numbers.tolist() == [1, 3, 2, 1]
    assert len(many) == 4
    assert r.cops(iter(graphs), 3).capture_times.tolist() == [0, 1, 1, 0]
    assert len(r.cops(iter([]))) == 0
    mixed = [Graph([(0, 1)]), Graph([(0, 1)], directed=True)]
    with pytest.raises(r.UsageError, match="some graphs are directed"):
        r.cops(mixed)


def test_what_is_no_graph_is_refused() -> None:
    with pytest.raises(r.UsageError, match="line 2"):
        r.cops(["Bw", "B"])
    with pytest.raises(r.UsageError, match="expected a graph"):
        r.cops([[["a"]], 3])
    with pytest.raises(r.RetrogradeError, match="cops"):
        r.cops(PETERSEN, 9)


def test_options_are_those_of_the_game() -> None:
    # On a path of five nodes, a robber who runs further is caught as late.
    path = [[1], [0, 2], [1, 3], [2, 4], [3]]
    assert r.cops(path).capture_time == 2
    assert r.cops(path, robber_speed=3, threads=1).cops_win
    # Whoever has to move on a square keeps the robber's distance.
    square = [[1, 3], [0, 2], [1, 3], [0, 2]]
    assert r.cops(square, 2).capture_time == 1
    assert r.cops(square, 2, lazy=True).cops_win
