"""The games that come with the package, against published figures and the command line."""

from __future__ import annotations

import inspect
import json
import pydoc
import subprocess
import sys
from pathlib import Path
from typing import Any

import games as own
import pytest
from conftest import DATA, lines

import retrograde as r


@pytest.mark.parametrize("known", lines("cat-and-mouse.jsonl"), ids=str)
def test_every_graph_is_as_published(known: dict[str, Any]) -> None:
    # Without an outcome for who is stuck, positions that can come to that are left out.
    plain = r.solve("cat-mouse", graph=known["graph"]).probe()
    table = r.solve("cat-mouse", graph=known["graph"], stuck="draw")
    assert (plain.outcome, plain.plies) == (table.probe().outcome, table.probe().plies)
    start, stats = table.probe(), table.stats()
    assert (start.outcome, start.plies) == (["draw", "mouse", "cat"][known["result"]], known["plies"])
    answer = table._ask("stats")
    assert answer["wins"] == {"mouse": known["mouse"], "cat": known["cat"]}
    assert (answer["draws"], stats.longest_plies) == (known["draws"], known["longest"])
    assert stats.states == known["mouse"] + known["cat"] + known["draws"]


@pytest.mark.parametrize("known", lines("cat-and-mouse-grid.jsonl"), ids=str)
def test_every_grid_is_as_published(known: dict[str, Any]) -> None:
    jumps = {"cat_jump": known["catJump"], "mouse_jump": known["mouseJump"]}
    table = r.solve("cat-mouse-grid", grid=known["grid"], **jumps)
    start, stats = table.probe(), table.stats()
    assert start.outcome == ("mouse" if known["mouse_can_win"] else "cat")
    plies = known["mouse_plies"] if known["mouse_can_win"] else known["forced_cat_plies"]
    assert (start.plies, stats.longest_plies) == (plies, known["longest"])
    assert stats.endless == known["endless"]


@pytest.mark.parametrize("material", ["KQvK", "KRvK"])
def test_an_ending_of_chess_is_as_published(material: str) -> None:
    known = json.loads((DATA / "chess" / f"{material}.json").read_text())
    table = r.solve("chess", material=material)
    samples = known["samples"]
    values = table.probe_many(sample[0] for sample in samples)
    found = [(value.value, value.plies) for value in values]
    words = {1: "win", -1: "loss", 0: "draw"}
    assert found == [(words[sign], plies if sign else None) for _, sign, plies in samples]
    longest = known["white_to_move"]
    assert table.probe(longest["longest_fen"]).plies == longest["max_dtm_ply"]
    assert table.stats().longest_plies == max(
        known[side]["max_dtm_ply"] for side in ("white_to_move", "black_to_move")
    )
    line = table.line(longest["longest_fen"])
    assert len(line) == longest["max_dtm_ply"] and line.end == "over"
    assert [move.position.plies for move in line] == list(range(len(line) - 1, -1, -1))


def test_tic_tac_toe_has_its_states() -> None:
    assert r.explore("mnk", m=3, n=3, k=3).states == 5478
    assert r.solve(own.Mnk(3, 3, 3)).stats().states == 5478


def files(path: Path) -> dict[str, bytes]:
    if path.is_file():
        return {"": path.read_bytes()}
    return {one.name: one.read_bytes() for one in path.iterdir() if one.suffix != ".lock"}


# Small, since both solve them.
SMALL: dict[str, dict[str, Any]] = {
    "awari": {"seeds": 4, "grand_slam": "captures"},
    "bobail": {"columns": 3, "rows": 4, "men": 2, "rules": "flexible"},
    "cat-mouse": {"graph": [[1, 3], [0], [3], [0, 2]], "directed": True},
    "cat-mouse-grid": {"grid": ["M.C...F"], "cat_jump": 1, "mouse_jump": 4},
    "chess": {"material": "KQvK"},
    "connect-four": {"m": 4, "n": 3, "k": 3, "numbering": "tiers"},
    "dobutsu": {"no_elephants": True, "no_giraffes": True, "numbering": "packed"},
    "cops": {"graph": [[1, 3], [0, 2], [1, 3], [2, 0]], "cops": 2},
    "dots-and-boxes": {"columns": 2, "rows": 2},
    "gobblet": {"small": 0, "medium": 1, "large": 2},
    "hexapawn": {"columns": 4, "rows": 3},
    "kalah": {"houses": 2, "seeds": 2, "empty_capture": True},
    "mnk": {"columns": 3, "rows": 3, "in_a_row": 3, "fold": True},
    "morris": {"board": "six", "men": 3, "flying": True, "sliding": True},
    "othello": {"m": 4, "n": 2},
    "quixo": {"size": 3, "unfolded": True},
}


@pytest.mark.parametrize("name", list(r.games()))
def test_a_game_has_the_values_of_the_command_line(name: str, tmp_path: Path) -> None:
    options = SMALL[name]
    typed = []
    for option, value in options.items():
        typed += [f"--{option.replace('_', '-')}" if len(option) > 1 else f"-{option}"]
        typed += [] if value is True else [value if isinstance(value, str) else json.dumps(value)]
    program = [sys.executable, "-m", "retrograde", "solve", name, *typed, "--quiet"]
    output = ["-o", str(tmp_path / "by-hand")]
    subprocess.run([*program, *output], check=True, capture_output=True, timeout=300)
    table = r.solve(name, output=tmp_path / "from-python", **options)
    assert files(tmp_path / "from-python") == files(tmp_path / "by-hand")
    stats, outcomes = table.stats(), table.outcomes()
    if not stats.endless:
        counted = [(outcomes == one).sum() for one in (r.WIN, r.LOSS, r.DRAW)]
        assert counted == [stats.won, stats.lost, stats.drawn]
    assert (outcomes != r.UNUSED).sum() == stats.states
    # What is looked up in bulk is what each position says.
    indices = range(0, len(table.states), max(1, len(table.states) // 50))
    states = [state for index in indices if (state := table.states[index]) is not None]
    values = table.probe_many(states)
    for state, value in zip(states, values, strict=True):
        position = table.probe(state)
        assert (value.value, value.plies) == (position.value, position.plies)
        assert abs(value.points) == (position.points or 0)


def test_the_games_are_listed_with_their_options() -> None:
    games = r.games()
    assert len(games) == 16 and "chess" in games
    for name, game in games.items():
        names = [one.name for one in game.options]
        assert all(one.isidentifier() for one in names) and len({*names}) == len(names), (name, names)
        assert {*SMALL[name]} <= {*names, "m", "n", "k"}, name
    assert [one.name for one in games["mnk"].options] == [
        "columns",
        "rows",
        "in_a_row",
        "fold",
        "start",
        "numbering",
        "tier",
    ]
    graph = games["cat-mouse"].options[0]
    assert (graph.name, graph.required) == ("graph", True)
    assert "neighbours" in pydoc.render_doc(games["cat-mouse"].solve)
    assert str(inspect.signature(games["cat-mouse"].solve)).startswith("(*, graph, directed=False, mouse=1")
    assert games["cat-mouse"].solve(graph=[[1, 3], [0], [3], [0, 2]]).probe().plies == 1
    assert "graph" in repr(games["cat-mouse"]) and "kalah" in repr(games)


@pytest.mark.parametrize(
    ("game", "options", "told"),
    [
        ("chss", {}, "did you mean `chess`?"),
        ("cat-mouse", {}, "solve cat-mouse needs graph"),
        ("cat-mouse", {"graph": [[1], [0], [7]]}, "7"),
        ("mnk", {"colums": 3}, "colums: solve mnk has no such option; did you mean `columns`?"),
        ("mnk", {"max_state": 3}, "max_state: solve mnk has no such option; did you mean `max_states`?"),
        ("mnk", {"plies": 3}, "it has columns, rows, in_a_row, fold, start, numbering, compression, "),
        ("mnk", {"q": 3}, "q: solve mnk has no such option"),
        ("mnk", {"threads": "many"}, "threads: expected a whole number, and not 'many'"),
        ("mnk", {"k": "many"}, "k: expected a whole number, and not 'many'"),
        ("kalah", {"houses": 2.5}, "houses: expected a whole number, and not 2.5"),
        ("mnk", {"numbering": "sparse"}, 'numbering: "sparse": expected one of packed, '),
        ("mnk", {"columns": 3, "rows": 3, "k": 3, "threads": "many"}, "many"),
        ("mnk", {"columns": object()}, "columns"),
        ("chess", {"material": "KQ"}, "KQ"),
        ("mnk", {"o": "x.rtb"}, "output="),
    ],
)
def test_wrong_options_are_told(game: str, options: dict[str, Any], told: str) -> None:
    with pytest.raises(r.UsageError) as raised:
        r.solve(game, **options)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_can_not_be_solved_is_told() -> None:
    with pytest.raises(r.SolveError, match=r"^graph: can't open the file"):
        r.solve("cat-mouse", graph="nowhere")
    with pytest.raises(r.SolveError, match="100"):
        r.solve("mnk", m=4, n=4, k=4, max_states=100)
    with pytest.raises(r.SolveError):
        r.solve("mnk", m=4, n=4, k=4, memory="1KiB")


def test_notes_and_warnings_name_keywords(caplog: pytest.LogCaptureFixture) -> None:
    class Counts(own.Nim):
        def roots(self) -> Any:
            return [(0, 0)]

        def terminal(self, state: Any) -> int | None:
            return None

        def moves(self, state: Any) -> list[Any]:
            place, plies = state
            return [((place + step) % 9, plies + 1) for step in (1, 2)]

    caplog.set_level("INFO", "retrograde")
    with pytest.raises(r.SolveError):
        r.solve(Counts(9), max_states=20_000)
    notes = [record.getMessage() for record in caplog.records]
    assert any("max_states 100000" in note for note in notes) and not any("--" in note for note in notes)


def test_a_function_gets_the_progress_and_can_end_the_work() -> None:
    heard: list[str] = []
    r.solve("mnk", m=4, n=3, k=4, progress=heard.append)
    assert any("states solved" in text or "exploring" in text for text in heard)

    class Enough(Exception):
        pass

    def end(_: str) -> None:
        raise Enough

    with pytest.raises(Enough):
        r.solve("mnk", m=4, n=3, k=4, progress=end)


class Notebook:
    """The parts of IPython that show texts below a cell."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.kernel = object()

    def get_ipython(self) -> Notebook:
        return self

    def display(self, data: dict[str, str], *, raw: bool, display_id: bool) -> Notebook:
        assert raw and display_id
        self.shown.append(data["text/plain"])
        return self

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        self.shown[-1] = data["text/plain"]


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    fake = Notebook()
    monkeypatch.setitem(sys.modules, "IPython", fake)
    monkeypatch.setitem(sys.modules, "IPython.display", fake)
    return fake


def test_a_short_solve_leaves_nothing_in_a_notebook(
    notebook: Notebook, capfd: pytest.CaptureFixture[str]
) -> None:
    r.solve("mnk")
    assert notebook.shown == [] and capfd.readouterr() == ("", "")


def test_a_long_solve_shows_a_line_in_a_notebook_and_leaves_it_empty(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from retrograde import _commands

    monkeypatch.setattr(_commands, "_SOON", 0.0)
    seen: list[str] = []
    monkeypatch.setattr(Notebook, "update", lambda self, data, raw: seen.append(data["text/plain"]))
    r.solve("mnk", m=4, n=3, k=4)
    assert len(notebook.shown) == 1 and notebook.shown[0]
    assert seen[-1] == "" and capfd.readouterr() == ("", "")


def test_a_terminal_is_left_with_a_clean_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    r.solve("mnk", m=4, n=3, k=4, progress=True)
    shown = capsys.readouterr().err
    assert shown.endswith("\r") and not shown.split("\r")[-2].strip()


def test_a_game_begins_with_any_position(tmp_path: Path) -> None:
    start = "..../.o../xxo./oxxo"
    table = r.solve("connect-four", columns=4, rows=4, start=start, output=tmp_path / "part.rtb")
    assert (table.probe().state, len(table.states)) == (start, 578)
    assert r.open(tmp_path / "part.rtb").probe().state == start
    assert r.explore("connect-four", columns=4, rows=4, start=start).states == 578
    r.laws("connect-four", columns=4, rows=4, start=start)
    with pytest.raises(r.UsageError, match="awari has no option start"):
        r.solve("awari", start=start)
    with pytest.raises(r.UsageError, match="numbering packed"):
        r.solve("connect-four", columns=4, rows=4, start=start, numbering="tiers")
