"""What the tests share."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

# The package is installed, and is not the folder beside the tests.
DATA = Path(__file__).parents[2] / "tests" / "data"


def lines(name: str) -> list[Any]:
    """The lines of a file of published figures."""
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


@pytest.fixture(scope="session")
def park(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The table of the README's park."""
    import retrograde as r

    graph = [[6], [4], [9], [5], [1, 5], [3, 4, 6], [0, 5, 10], [8, 9, 10], [7], [2, 7], [6, 7]]
    path = tmp_path_factory.mktemp("park") / "park.rtb"
    return r.solve("cat-mouse", graph=graph, output=path)
