"""Types that editors and type checkers see."""

from __future__ import annotations

import dataclasses
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import retrograde as r

CALLS = """
from pathlib import Path

import numpy as np
import retrograde as r


class Nim:
    def roots(self) -> list[int]:
        return [21]

    def terminal(self, heap: int) -> int | None:
        return r.MOVER_LOSES if heap == 0 else None

    def moves(self, heap: int) -> list[int]:
        return [heap - 1]


class Heaps:
    def roots(self) -> list[int]:
        return [21]

    def terminal(self, heaps: np.ndarray) -> np.ndarray:
        return heaps

    def expand(self, heaps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return heaps, heaps


class Rules(r.Game):
    def roots(self):  # type: ignore[no-untyped-def]
        return [21]

    def terminal(self, heap):  # type: ignore[no-untyped-def]
        return None

    def moves(self, heap):  # type: ignore[no-untyped-def]
        return [heap - 1]


table: r.Table = r.solve("connect-four", columns=5, rows=4, threads=2, output=Path("four.rtb"))
r.solve("cat-mouse", graph=[[1, 3], [0], [3], [0, 2]], stuck="draw", memory="4GiB", progress=False)
r.solve("mnk", m=3, n=3, k=3, fold=True, numbering="packed", outcomes_only=True, checkpoint_every="90s")
r.solve("chess", material="KQvK", compression=0, force=True, max_states=None)
r.solve(Nim(), threads=2, start=9).arrays()
r.solve(Heaps(), memory=10**9)
r.solve(Rules())
survey: r.Survey = r.explore("hexapawn", columns=3, start="bbb/w../.ww,black")
lawful: r.Lawful = r.laws(Nim(), sample=3, seed=2)
text: str = r.rules("kalah", houses=3)
whole: r.Stats = table.stats()
parts: dict[object, r.Stats] = table.stats(by=lambda state: state[0])
r.solve("connect-four", colums=5)  # wrong
r.solve("connect-four", columns="five")  # wrong
r.solve("mnk", threads="two")  # wrong
r.solve("mnk", graph=[[1], [0]])  # wrong
r.solve("mnk", numbering="sparse")  # wrong
r.solve("cat-mouse")  # wrong
r.solve("conect-four")  # wrong
r.solve(Nim(), thread=2)  # wrong
r.solve(Nim(), memory=[2])  # wrong
r.solve(Nim, threads=2)  # wrong
r.explore("mnk", compression=3)  # wrong
r.laws("mnk", sample="all")  # wrong
r.rules("mnk", threads=2)  # wrong
"""


def test_a_type_checker_knows_the_options_of_each_game(tmp_path: Path) -> None:
    (tmp_path / "calls.py").write_text(CALLS)
    program = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "calls.py"]
    said = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=300).stdout
    wrong = [number for number, line in enumerate(CALLS.splitlines(), 1) if line.endswith("# wrong")]
    found = sorted({int(one) for one in re.findall(r"^calls\.py:(\d+): error", said, re.MULTILINE)})
    assert found == wrong, said


ANSWERS = [one for one in vars(r).values() if dataclasses.is_dataclass(one) and isinstance(one, type)]


@pytest.mark.parametrize("answer", [*ANSWERS, r.symmetry.Symmetry], ids=lambda one: one.__name__)
def test_help_has_a_word_for_each_field(answer: type) -> None:
    words = inspect.getdoc(answer) or ""
    names = [one.name for one in dataclasses.fields(answer) if not one.name.startswith("_")]  # type: ignore[arg-type]
    assert len(names) > 1 and [name for name in names if f"``{name}``" not in words] == []
