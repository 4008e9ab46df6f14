"""The program ``retrograde`` that the package installs."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import retrograde as r

HERE = Path(__file__).parent


def run(*arguments: str, folder: Path, code: int = 0) -> str:
    program = [sys.executable, "-m", "retrograde", *arguments]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_the_program_is_installed() -> None:
    program = Path(sys.executable).parent / "retrograde"
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"retrograde {r.__version__}\n"
    assert "--game nim.py" in run("--help", folder=HERE)


def test_a_game_in_a_file_is_one_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text((HERE / "games.py").read_text())
    game = ["--game", "nim.py:Nim(21)"]
    said = run(*game, "solve", "nim", "-o", "nim.rtb", folder=tmp_path)
    assert "nim: 22 states solved" in said
    assert "wins in 11 plies" in run(*game, "probe", "nim.rtb", folder=tmp_path)
    assert "22 states" in run("laws", "nim", *game, folder=tmp_path)
    assert "22 states" in run("verify", "nim.rtb", *game, folder=tmp_path)
    rules = run(*game, "rules", "nim", folder=tmp_path)
    assert "whoever takes the last one wins" in " ".join(rules.split())
    assert "nim" in run(*game, "games", folder=tmp_path)
    assert "11" in run("line", "nim.rtb", f"--game={game[1]}", folder=tmp_path)
    assert 'needs the rules of "nim"' in run("probe", "nim.rtb", folder=tmp_path, code=1)
    published = run(*game, "publish", "nim.rtb", "-o", "site", folder=tmp_path)
    assert "22 positions are written beside the table" in published and "cargo" not in published
    other = run("--game", "nim.py:Nim(22)", "probe", "nim.rtb", folder=tmp_path, code=1)
    assert '{"counters":22}' in other


def test_a_game_in_a_file_begins_with_any_state(tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text((HERE / "games.py").read_text())
    game = ["--game", "nim.py:Nim(21)"]
    said = run(*game, "solve", "nim", "--start", "9", "-o", "nine.rtb", folder=tmp_path)
    assert "10 states solved" in said
    assert "10 states" in run(*game, "laws", "nim", "--start=9", folder=tmp_path)
    assert "9\nthe player to move wins in 5 plies" in run(*game, "probe", "nine.rtb", folder=tmp_path)
    assert "10 states" in run(*game, "verify", "nine.rtb", folder=tmp_path)
    # An older table says nothing of where a run begins.
    assert "22 states solved" in run(*game, "solve", "nim", "-o", "nine.rtb", folder=tmp_path)
    wrong = run(*game, "explore", "nim", "--start", "many", folder=tmp_path, code=2)
    assert "start: 'many' is no state of nim" in wrong
    assert "--start: expected a state" in run(*game, "explore", "nim", "--start", folder=tmp_path, code=2)


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("nothing.py:Nim", "there is no file nothing.py"),
        ("games.py", "expected a file and a class"),
        ("games.py:Nix", "Nix"),
        ("games.py:Nim", "counters"),
        ("games.py:lines", "has no method"),
    ],
)
def test_a_wrong_game_is_told(game: str, told: str) -> None:
    said = run("--game", game, "games", folder=HERE, code=2)
    assert told in said and "Traceback" not in said
    assert "expected a file" in run("games", "--game", folder=HERE, code=2)


def test_a_slip_in_a_class_is_told_on_one_line(tmp_path: Path) -> None:
    (tmp_path / "slip.py").write_text(
        f"import sys\nsys.path.append({str(HERE)!r})\nfrom games import Nim\n"
        "class Slip(Nim):\n    def predecessors(self, heap): return []\n"
    )
    said = run("--game", "slip.py:Slip(9)", "solve", "slip", folder=tmp_path)
    assert said.count("warning: Slip.predecessors is never asked for: ") == 1 and ".py:" not in said


def test_errors_have_the_words_of_a_class(tmp_path: Path) -> None:
    (tmp_path / "slips.py").write_text(
        f"import sys\nsys.path.append({str(HERE)!r})\nfrom games import Nim\n"
        "class Stuck(Nim):\n    def terminal(self, heap): return None\n"
        "class Rootless(Nim):\n    def roots(self): return []\n"
        "class Turnless(Nim):\n    def turn(self, heap): return 0\n"
        "class Folded(Nim):\n    def canonical(self, heap): return heap - heap % 2\n"
        "class Within(Nim):\n    points = 3\n    def tier(self, heap): return 1\n"
        "    def gain(self, before, after): return 1\n"
        "    def terminal(self, heap): return None if heap else 0\n"
    )
    for name, said in [
        ("Stuck", "0 (index 0) is not terminal and has no legal move: let `no_moves` give its outcome"),
        ("Rootless", "`roots` returns none"),
        ("Folded", "are the same by symmetry, but"),
        ("Folded", "Look at `symmetries` or `canonical`"),
        ("Within", "divide the game into tiers (`tier`) by what such moves change for good"),
    ]:
        for words in [["laws"], ["solve"], ["--json", "laws"]]:
            told = run("--game", f"slips.py:{name}(5)", *words, name.lower(), folder=tmp_path, code=1)
            assert said in told and "::" not in told and "Tiered" not in told, told
            assert ("`retrograde.laws(game)` (`retrograde laws GAME`)" in told) == (words == ["solve"])
            assert not words[0].startswith("--") or '"code":"law"' in told
    told = run("--game", "slips.py:Turnless(5)", "laws", "turnless", folder=tmp_path, code=1)
    assert "agree with `turn`" in told and "who is to move, leave `turn` out" in told and "::" not in told


def test_ctrl_c_ends_a_run(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        f"import pathlib, sys\nsys.path.append({str(HERE)!r})\nfrom games import Mnk\n"
        "class Slow(Mnk):\n    name = 'slow'\n"
        "    def moves(self, state):\n"
        "        if state.bit_count() == 3: pathlib.Path('begun').touch()\n"
        "        return super().moves(state)\n"
    )
    program = [sys.executable, "-m", "retrograde", "--game", "slow.py:Slow(5, 4, 4)"]
    solving = [*program, "solve", "slow", "-o", "mnk.rtb"]
    with subprocess.Popen(solving, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "begun").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1 and "interrupted" in said and "Traceback" not in said
    assert not list(tmp_path.glob("*.rtb*")) and not list(tmp_path.glob(".*"))
