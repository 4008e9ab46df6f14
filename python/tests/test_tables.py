"""Tables: asking, arrays, copies, and how they behave."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games import Counted, Mnk, MnkInBatches, Nim, ThreeHeaps, TugOfWar, TwoHeaps

import retrograde as r


def test_a_table_answers(park: r.Table) -> None:
    assert repr(park) == "<table of cat-mouse, 220 states: park.rtb>"
    assert (park.game, park.players, park.start) == ("cat-mouse", ("mouse", "cat"), "1,2,mouse")
    assert park.parameters["cat"] == 2 and "mouse" in park.rules and "1,2,mouse" in park.notation
    start = park.probe()
    assert repr(start) == "<1,2,mouse: mouse wins in 7 plies>"
    assert (start.value, start.to_move, start.over, start.decided_by) == ("win", "mouse", False, "play")
    moves = park.moves()
    assert moves[0].best and moves[0].position.plies == 6
    line = park.line()
    assert (len(line), line.end, line[0].move, line[-1].position.over) == (7, "over", "mouse 1-4", True)
    assert len(line.positions) == 8 and line[1:3] == line.moves[1:3]
    assert len(park.line(plies=2)) == 2
    only = park.examples("only-move", plies=7, count=2)
    assert [one.plies for one in only] == [7, 7]
    assert len({one.state for one in park.examples("win", count=9, seed=3)}) == 9
    assert repr(park.verify()) == "<the values of all 220 states are right>"
    assert repr(park.stats()).startswith("<cat-mouse: 220 states: 130 won, 90 lost, 0 drawn")


def test_arrays_agree_with_probes(park: r.Table) -> None:
    values, outcomes, plies = park.values(), park.outcomes(), park.plies()
    assert (values.dtype, outcomes.dtype, plies.dtype) == (np.uint16, np.int8, np.int32)
    assert len(values) == len(park.states) == len(outcomes)
    for index, state in enumerate(park.states):
        if state is None:
            assert outcomes[index] == r.UNUSED and plies[index] == -1
            continue
        position = park.probe(state)
        assert {r.WIN: "win", r.LOSS: "loss", r.DRAW: "draw"}[outcomes[index]] == position.value
        assert plies[index] == position.plies
    assert (park.values(5, 9) == values[5:9]).all()
    counted = park.stats()
    assert ((outcomes == r.WIN).sum(), (outcomes == r.LOSS).sum()) == (counted.won, counted.lost)
    with pytest.raises(r.StateError, match="no such index"):
        park.values(0, len(values) + 1)


def check_rows(table: r.Table) -> dict[str, Any]:
    """The rows of a table, each compared with what is probed."""
    rows = table.arrays(states=True, text=True)
    kinds = {"index": "int64", "outcome": "int8", "plies": "int32", "points": "int16", "mover": "int8"}
    assert {name: str(rows[name].dtype) for name in rows if name in kinds} == {
        name: kind for name, kind in kinds.items() if name in rows
    }
    assert rows["text"].tolist() == [one for one in table.states if one is not None]
    assert len({len(column) for column in rows.values()}) == 1 and len(rows["index"]) == len(table)
    words = {r.WIN: "win", r.LOSS: "loss", r.DRAW: "draw", r.ENDLESS: "draw"}
    for at, text in enumerate(rows["text"].tolist()):
        position = table.probe(text)
        assert table.states[int(rows["index"][at])] == text
        assert words[int(rows["outcome"][at])] == position.value
        if "plies" in rows:
            assert rows["plies"][at] == (-1 if position.plies is None else position.plies)
        assert ("mover" in rows) == (position.to_move is not None)
        if "mover" in rows:
            assert table.players[rows["mover"][at]] == position.to_move
        assert ("points" in rows) == (position.points is not None)
        if "points" in rows:
            assert abs(rows["points"][at]) == position.points
            assert np.sign(rows["points"][at]) == rows["outcome"][at] % 2 * np.sign(rows["outcome"][at])
        assert table.probe(rows["state"][at]) == position
    return rows


def test_a_draw_has_no_plies_in_any_answer() -> None:
    for table in [r.solve("mnk", m=3, n=3, k=3), r.solve("kalah", houses=2, seeds=2)]:
        rows = table.arrays(text=True)
        texts, is_drawn = rows["text"].tolist(), rows["outcome"] == r.DRAW
        assert (rows["plies"] == -1).tolist() == is_drawn.tolist() and is_drawn.any()
        assert (table.plies()[rows["index"]] == rows["plies"]).all()
        many = table.probe_many(texts)
        assert (many.plies == rows["plies"]).all() and (many.outcomes == rows["outcome"]).all()
        drawn = texts[int(np.flatnonzero(is_drawn)[0])]
        assert many[texts.index(drawn)].plies is table.probe(drawn).plies is None
        assert all("plies" not in one for _, one in table.graph(1, drawn).nodes if one["value"] == "draw")


GRAPH = [[1, 3], [0], [3], [0, 2]]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("cat-mouse", {"graph": GRAPH, "directed": True}),
        ("cat-mouse", {"graph": GRAPH, "outcomes_only": True}),
        ("hexapawn", {}),
        ("kalah", {"houses": 2, "seeds": 2}),
        ("mnk", {"columns": 3, "rows": 2, "in_a_row": 2}),
    ],
)
def test_the_rows_of_a_table_are_what_is_probed(name: str, options: dict[str, Any]) -> None:
    table = r.solve(name, **options)
    rows = check_rows(table)
    assert ("plies" in rows) == ("outcomes_only" not in options)
    for start, stop in [(0, 7), (7, None), (3, 3), (None, -2), (5, 10**9)]:
        part = table.arrays(start, stop, text=True)
        wanted = np.isin(rows["index"], range(len(table.states))[start:stop])
        assert all((part[key] == rows[key][wanted]).all() for key in part)


def test_the_rows_of_a_game_in_python_have_its_states() -> None:
    class Stuck(TugOfWar):
        endless = r.SECOND_WINS

    for game in [TugOfWar(), Stuck(), ThreeHeaps(3), TwoHeaps()]:
        table = r.solve(game)
        rows = check_rows(table)
        assert set(map(type, rows["state"])) == {type(next(iter(game.roots())))}
    assert r.solve(Nim(7)).arrays(states=True)["state"].dtype == np.int64
    words = r.solve(MnkInBatches(2, 2, 2)).arrays(states=True)["state"]
    assert sorted(words.tolist()) == sorted(r.solve(Mnk(2, 2, 2)).arrays(states=True)["state"].tolist())
    assert r.solve(Nim(2)).arrays(3, states=True, text=True)["state"].tolist() == []


def test_rows_ask_no_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Counted()
    table = r.solve(game)
    game._asked.clear()
    rows = table.arrays(states=True)
    assert rows["mover"].tolist() == [bin(state).count("1") % 2 for state in rows["state"].tolist()]
    game._asked.clear()
    table.arrays(), table.stats(by=rows["mover"]), table.outcomes()
    assert not game._asked


@pytest.mark.parametrize("module", ["pandas", "polars"])
def test_rows_make_a_data_frame(module: str, park: r.Table) -> None:
    frames = pytest.importorskip(module)
    for table in [park, r.solve(TwoHeaps()), r.solve(Nim(7))]:
        rows = table.arrays(states=True, text=True)
        frame = frames.DataFrame(rows)
        assert list(frame.columns) == list(rows) and len(frame) == len(table)
        for name, column in rows.items():
            assert frame[name].to_list() == column.tolist(), name
        assert frame["text"][0] == rows["text"][0]


def test_groups_of_states_are_counted(park: r.Table) -> None:
    class Hurried(TugOfWar):
        ply_limit = 1

    kalah = r.solve("kalah", houses=2, seeds=2)
    tables = [park, kalah, r.solve(TugOfWar()), r.solve(Hurried()), r.solve("mnk")]
    for table in tables:
        whole = table.stats()
        (alone,) = table.stats(by=np.zeros(len(table), int)).values()
        assert alone == dataclasses.replace(whole, tiers=())
        parts = table.stats(by=table.arrays()["index"] % 3)
        assert list(parts) == [0, 1, 2]
        for key in ["states", "won", "lost", "drawn", "endless"]:
            assert sum(getattr(one, key) for one in parts.values()) == getattr(whole, key)
        for name, won in whole.wins.items():
            assert sum(one.wins[name] for one in parts.values()) == won
        assert repr(parts[0]).startswith(f"<{table.game}: {parts[0].states:,} states: ")
        assert "<table>" in parts[0]._repr_html_()
    outcomes_only = r.solve("cat-mouse", graph=GRAPH, outcomes_only=True)
    (alone,) = outcomes_only.stats(by=np.ones(len(outcomes_only))).values()
    assert alone == dataclasses.replace(outcomes_only.stats(), longest_plies=None, distances=())
    by_tier = kalah.stats(by="tier")
    assert [(name, one.states, one.won, one.points) for name, one in by_tier.items()] == [
        (one["tier"], one["states"], one["won"], tuple(one["points"])) for one in kalah.stats().tiers
    ]


def test_labels_of_groups_are_of_any_kind(park: r.Table) -> None:
    rows = park.arrays(text=True)
    names = [text.rsplit(",", 1)[1] for text in rows["text"].tolist()]
    by_name = park.stats(by=lambda state: state.rsplit(",", 1)[1])
    assert list(by_name) == ["cat", "mouse"]
    assert park.stats(by=names) == park.stats(by=np.array(names)) == by_name
    assert park.stats(by=np.array(names, object)) == by_name
    assert list(park.stats(by=rows["mover"]).values()) == list(by_name.values())[::-1]
    pairs = [(int(plies) // 5, name) for plies, name in zip(rows["plies"], names, strict=True)]
    assert list(park.stats(by=pairs)) == sorted(set(pairs))
    mixed = park.stats(by=[None if name == "cat" else 1 for name in names])
    assert mixed[None] == by_name["cat"]
    heaps = r.solve(ThreeHeaps(4))
    assert [one.states for one in heaps.stats(by=lambda state: state[0]).values()] == [25] * 5
    with pytest.raises(r.UsageError, match="a label for each of the 220 states"):
        park.stats(by=names[1:])
    for wrong, told in [("mover", "not 'mover'"), ("tier", "the game has no tiers")]:
        with pytest.raises(r.UsageError, match=told):
            park.stats(by=wrong)


def test_a_graph_has_the_states_and_moves_of_some_plies(park: r.Table) -> None:
    graph = park.graph(2)
    nodes, start = dict(graph.nodes), park.probe()
    assert len(nodes) == len(graph.nodes) and repr(graph).startswith(f"<{len(nodes)} states, ")
    assert nodes[start.state]["ply"] == 0 and nodes[start.state]["plies"] == start.plies
    moves = {(a, b): data for a, b, data in graph.edges}
    assert {b for a, b in moves if a == start.state} == {one.position.state for one in park.moves()}
    assert all({a, b} <= {*nodes} for a, b in moves)
    assert all((data["ply"] < 2) == any(a == one for a, _ in moves) for one, data in nodes.items())
    best = park.moves()[0]
    assert moves[start.state, best.position.state] == {"move": best.move, "worth": "win", "best": True}
    assert len(park.graph(0).nodes) == 1 and park.graph(0).edges == []
    assert len(park.graph(99).nodes) == len(park.graph(98).nodes) <= len(park)
    own = r.solve(Nim(9)).graph(1, 5)
    assert [one for one, _ in own.nodes] == ["5", "4", "3", "2"]
    assert {*own.nodes[0][1]} == {"ply", "value", "outcome", "plies", "decided_by", "over", "verdict"}
    with pytest.raises(r.UsageError, match="depth"):
        park.graph(-1)


def test_networkx_takes_a_graph(park: r.Table) -> None:
    networkx = pytest.importorskip("networkx")
    graph = park.graph(3)
    taken = networkx.DiGraph()
    taken.add_nodes_from(graph.nodes)
    taken.add_edges_from(graph.edges)
    assert dict(taken.nodes(data=True)) == dict(graph.nodes)
    assert sorted(map(str, taken.edges(data=True))) == sorted(map(str, graph.edges))
    assert networkx.shortest_path_length(taken, park.start) == {one: data["ply"] for one, data in graph.nodes}


def test_plain_and_packed_tables_have_the_same_arrays(tmp_path: Path) -> None:
    options: dict[str, Any] = {"columns": 3, "rows": 3, "k": 3}
    one = r.solve("mnk", output=tmp_path / "one.rtb", compression=0, **options)
    two = r.solve("mnk", output=tmp_path / "two.rtb", **options)
    assert (one.values() == two.values()).all() and len(one.values()) > 5000
    seeds: dict[str, Any] = {"houses": 3, "seeds": 2}
    plain = r.solve("kalah", output=tmp_path / "plain", compression=0, **seeds)
    folder = r.solve("kalah", output=tmp_path / "folder", **seeds)
    assert (plain.plies() == folder.plies()).all() and len(folder.plies()) > 100


@pytest.mark.alone
def test_arrays_of_a_class_take_no_time_for_each_state() -> None:
    table = r.solve(ThreeHeaps(30))
    assert len(table) == len(table.states) == 31**3
    began = time.perf_counter()
    outcomes, plies, states = table.outcomes(), table.plies(), list(table.states)
    # Where a block of states is decoded for each state, this takes ten seconds.
    assert time.perf_counter() - began < 3
    assert (outcomes == r.LOSS).sum() == table.stats().lost and (outcomes != r.UNUSED).all()
    some = states[::997]
    assert [table.probe(state).plies for state in some] == plies[::997].tolist()


def test_states_are_a_sequence(park: r.Table) -> None:
    states = park.states
    assert states[0] == next(iter(states)) and states[-1] == states[len(states) - 1]
    assert states[2:5] == [states[2], states[3], states[4]]
    with pytest.raises(IndexError, match="no such index"):
        states[len(states)]
    positions = list(park)
    assert len(positions) == 220 and all(isinstance(one, r.Position) for one in positions)
    assert "1,2,mouse" in park and "77,2,mouse" not in park and 3 not in park


def test_many_are_looked_up_at_once(park: r.Table) -> None:
    values = park.probe_many(["1,2,mouse", "6,9,mouse"])
    assert [value.plies for value in values] == [7, 1] and values[0].value == "win"
    assert len(values[:1]) == 1 and repr(values) == "<2 values: 2 won, 0 lost>"
    with pytest.raises(r.StateError, match="nonsense"):
        park.probe_many(["1,2,mouse", "nonsense"])
    some = park.probe_many(["nonsense", "1,2,mouse"], missing="unused")
    assert list(some.outcomes) == [r.UNUSED, r.WIN] and some[0].value is None
    assert len(park.probe_many([])) == 0
    with pytest.raises(TypeError, match="not one text"):
        park.probe_many("1,2,mouse")
    with pytest.raises(ValueError, match="unused"):
        park.probe_many([], missing="skip")


def test_threads_may_ask_at_once(park: r.Table) -> None:
    states = [state for state in park.states if state is not None] * 20
    expected = [park.probe(state) for state in states[:220]] * 20
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(park.probe, states)) == expected
        many = list(pool.map(lambda _: park.probe_many(states).plies.tolist(), range(16)))
    assert all(one == many[0] for one in many)


def test_a_table_is_saved_and_closed(tmp_path: Path) -> None:
    table = r.solve("cat-mouse", graph=[[1, 3], [0], [3], [0, 2]])
    temporary = table.path
    with pytest.raises(pickle.PicklingError, match="save it"):
        pickle.dumps(table)
    path = tmp_path / "small.rtb"
    assert table.save(path) is table and table.path == path and not temporary.exists()
    assert table.probe().plies == 1
    with pytest.raises(r.TableError, match="exists already"):
        table.save(path)
    other = tmp_path / "other.rtb"
    other.write_bytes(b"mine")
    table.save(other, force=True)
    assert other.read_bytes() == path.read_bytes()
    with pytest.raises(r.TableError, match="there is no folder"):
        table.save(tmp_path / "nowhere" / "x.rtb")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["other.rtb", "small.rtb"]
    with r.open(path) as again:
        assert again.probe() == table.probe()
    with pytest.raises(r.TableError, match="closed"):
        again.probe()


def test_a_table_in_tiers_is_saved(tmp_path: Path) -> None:
    table = r.solve("kalah", houses=2, seeds=2)
    counted = table.stats()
    table.save(tmp_path / "kalah")
    assert r.open(tmp_path / "kalah").stats() == counted
    assert len(counted.tiers) > 3 and counted.points
    assert sum(table.verify(tier=tier["tier"]).states for tier in counted.tiers) == table.verify().states
    with pytest.raises(r.UsageError, match="no such tier"):
        table.verify(tier="none")
    rows = table.arrays()
    assert (table.points()[rows["index"]] == rows["points"]).all()
    with pytest.raises(r.TableError, match="exists already"):
        table.save(tmp_path / "kalah", force=True)


def test_a_table_is_saved_through_a_link_and_never_into_itself(tmp_path: Path) -> None:
    table = r.solve("cat-mouse", graph=[[1, 3], [0], [3], [0, 2]])
    target, link = tmp_path / "target.rtb", tmp_path / "link.rtb"
    target.write_bytes(b"mine")
    target.chmod(0o640)
    link.symlink_to(target)
    with pytest.raises(r.TableError, match="exists already"):
        table.save(link)
    table.save(link, force=True)
    assert link.is_symlink() and r.open(target).stats() == table.stats()
    assert target.stat().st_mode & 0o777 == 0o640
    dangling = tmp_path / "dangling.rtb"
    dangling.symlink_to(tmp_path / "nowhere.rtb")
    with pytest.raises(r.TableError, match="a symbolic link to a file that does not exist"):
        table.save(dangling, force=True)
    tiers = r.solve("kalah", houses=2, seeds=2)
    tiers.save(tmp_path / "kalah")
    (tmp_path / "other").symlink_to(tmp_path / "kalah")
    names = sorted(one.name for one in (tmp_path / "kalah").iterdir())
    for inside in [tmp_path / "kalah" / "copy", tmp_path / "other" / "copy"]:
        with pytest.raises(r.TableError, match="within the folder of the table itself"):
            r.open(tmp_path / "kalah").save(inside)
    assert sorted(one.name for one in (tmp_path / "kalah").iterdir()) == names


def test_tables_and_answers_are_pickled(park: r.Table) -> None:
    again = pickle.loads(pickle.dumps(park))
    assert again.probe() == park.probe()
    for answer in [park.probe(), park.moves(), park.line(), park.stats(), park.verify()]:
        assert pickle.loads(pickle.dumps(answer)) == answer
        assert copy.deepcopy(answer) == answer
    with pytest.raises(AttributeError):
        park.probe().plies = 3  # type: ignore[misc]
    assert len({park.probe(), park.probe()}) == 1


def test_notebooks_show_pictures(park: r.Table) -> None:
    assert "<svg" in park._repr_html_() and "mouse wins in 7 plies" in park.probe()._repr_html_()
    assert park.line()._repr_html_().count("<svg") == 8
    moves = [f">{ply}. {move.move}</figcaption>" for ply, move in enumerate(park.line(), 1)]
    assert all(one in park.line()._repr_html_() for one in moves)
    assert r.solve(Nim(9)).line()._repr_html_() == "<p>the player to move wins in 5 plies: 8 7 4 3 0</p>"
    assert "<table>" in park.stats()._repr_html_()
    svg = park.svg("1,2,mouse", flip=True)
    assert svg is not None and svg.startswith("<svg")
    assert pickle.loads(pickle.dumps(park.probe()))._repr_html_().startswith("<p>")


def test_bad_files_are_told(tmp_path: Path) -> None:
    empty = tmp_path / "empty.rtb"
    empty.write_bytes(b"")
    with pytest.raises(r.TableError, match=r"empty\.rtb"):
        r.open(empty)
    with pytest.raises(r.TableError, match=r"nothing\.rtb"):
        r.open(tmp_path / "nothing.rtb")
    with pytest.raises(TypeError, match="path"):
        r.open(3)  # type: ignore[arg-type]
    table = r.solve("cat-mouse", graph=[[1, 3], [0], [3], [0, 2]], output=tmp_path / "t.rtb")
    content = bytearray((tmp_path / "t.rtb").read_bytes())
    content[-40] ^= 1
    (tmp_path / "broken.rtb").write_bytes(content)
    with pytest.raises(r.TableError, match=r"broken\.rtb"):
        r.open(tmp_path / "broken.rtb").verify()
    with pytest.raises(r.StateError, match="the cat can't be on node 0, which is the hole"):
        table.probe("3,0,cat")


def test_a_table_of_a_class_that_is_not_at_hand_has_figures_and_arrays(tmp_path: Path) -> None:
    path = tmp_path / "heaps.rtb"
    own = r.solve(ThreeHeaps(5)).save(path)
    with r.open(path) as table:
        assert table.stats() == own.stats() and table.game == own.game and len(table) == 216
        assert table.stats().wins == {"mover": own.stats().won, "opponent": own.stats().lost}
        for one, other in [
            (table.values(), own.values()),
            (table.outcomes(), own.outcomes()),
            (table.plies(), own.plies()),
            (table.arrays()["plies"], own.arrays()["plies"]),
        ]:
            assert (one == other).all()
        assert table.stats(by=np.zeros(216))[0] == own.stats()
        assert "<table of" in repr(table) and "216" in table._repr_html_()
        asks: list[Callable[[], object]] = [
            table.probe,
            table.moves,
            lambda: table.states[0],
            lambda: table.arrays(text=True),
            lambda: list(table),
            table.verify,
            lambda: table.serve(show=False),
        ]
        for ask in asks:
            with pytest.raises(r.TableError, match=r"needs the rules of .*--game FILE\.py:CLASS"):
                ask()
    with pytest.raises(r.TableError, match="the table of another game"):
        r.open(path, Nim(3))


def test_arrays_say_who_wins_endless_play() -> None:
    class Stuck(TugOfWar):
        endless = r.SECOND_WINS

    class Hurried(Stuck):
        ply_limit = 1

    for game in [Stuck(), Hurried(), TugOfWar()]:
        table = r.solve(game)
        stats, outcomes, plies, points = table.stats(), table.outcomes(), table.plies(), table.points()
        positions = [table.probe(state) for state in table.states]
        words = {r.WIN: "win", r.LOSS: "loss", r.ENDLESS: "draw"}
        assert [words[one] for one in outcomes.tolist()] == [one.value for one in positions]
        assert plies.tolist() == [-1 if one.plies is None else one.plies for one in positions]
        assert ((outcomes == r.WIN).sum(), (outcomes == r.LOSS).sum()) == (stats.won, stats.lost)
        assert ((points > 0).sum(), (points < 0).sum()) == (stats.won, stats.lost)
        assert sum(stats.wins.values()) == stats.won + stats.lost and set(stats.wins) == {"left", "right"}
        assert stats.wins["right"] == sum(one.outcome == "right" for one in positions)
        assert (table.arrays()["outcome"] == outcomes).all()


def test_a_table_of_outcomes_says_so(tmp_path: Path) -> None:
    graph = [[1, 3], [0], [3], [0, 2]]
    table = r.solve("cat-mouse", graph=graph, outcomes_only=True, output=tmp_path / "o.rtb")
    assert table.probe().value == "win" and table.probe().plies is None
    with pytest.raises(r.OutcomesOnlyError, match="without plies"):
        table.plies()
    with pytest.raises(r.OutcomesOnlyError, match="distance"):
        table.examples("longest-win")


def test_every_question_of_the_server_can_be_asked(park: Any) -> None:
    asked = {one.name: one for one in park.questions}
    assert {"", "probe", "moves", "line", "position", "picture", "setup", "stats", "examples"} <= {*asked}
    for name, question in asked.items():
        answer = park.ask(name)
        assert isinstance(answer, dict) == question.is_json, name
        if "state" in question.parameters:
            assert park.ask(name, state=park.start) == answer
    assert park.ask("probe")["plies"] == park.probe().plies
    assert [one["state"] for one in park.ask("examples", kind="draw", from_=3)["examples"]] == []
    with pytest.raises(r.UsageError, match="no such question"):
        park.ask("prob")
    with pytest.raises(r.StateError) as wrong:
        park.ask("line", plies="many")
    assert (wrong.value.code, wrong.value.fields["parameter"]) == ("invalid-value", "plies")


def test_the_only_move_of_a_line_is_marked() -> None:
    table = r.solve("mnk", m=3, n=3, k=3)
    line = table.line()
    assert any(move.only for move in line)
    for position, move in zip(line.positions, line, strict=False):
        worths = [one.worth for one in table.moves(position.state)]
        wins, draws = worths.count("win"), worths.count("draw")
        assert move.only == (len(worths) > 1 and (wins == 1 or (wins == 0 and draws == 1)))
    assert all(move.only is None for move in table.moves())
