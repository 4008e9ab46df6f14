"""Games of OpenSpiel, against plain search."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import retrograde as r

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="open-spiel is not installed"
)


def best(state: Any, known: dict[str, float]) -> float:
    """What the first player gets, by plain search."""
    name = f"{state} {state.current_player()}"
    if name not in known:
        if state.is_terminal():
            return float(state.returns()[0])
        choose = max if state.current_player() == 0 else min
        known[name] = choose(best(state.child(action), known) for action in state.legal_actions())
    return known[name]


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("tic_tac_toe", 5478),
        ("nim", 752),
        ("breakthrough(rows=4,columns=2)", 251),
        ("connect_four(rows=3,columns=4,x_in_row=3)", None),
        ("dots_and_boxes(num_rows=1,num_cols=2,utility_margin=True)", None),
        ("mnk(m=3,n=3,k=3)", None),
        ("clobber(rows=3,columns=3)", None),
        ("hex(board_size=3)", None),
    ],
)
def test_the_start_is_worth_what_plain_search_finds(name: str, states: int | None) -> None:
    import pyspiel

    game = r.from_openspiel(name)
    table = r.solve(game)
    table.verify()
    if states is not None:
        assert len(table.states) == states
    start = table.probe()
    expected = best(pyspiel.load_game(name).new_initial_state(), {})
    signs = {"first": 1, "second": -1, "draw": 0}
    sign = signs[start.outcome]
    assert sign * (start.points if start.points is not None else 1) == expected
    # Play by the table ends as it says.
    state = pyspiel.load_game(name).new_initial_state()
    for move in table.line():
        actions = {state.action_to_string(state.current_player(), one): one for one in state.legal_actions()}
        state.apply_action(actions[move.move])
    assert state.is_terminal() and state.returns()[0] == expected


def test_a_second_player_who_wins_at_quoridor() -> None:
    start = r.solve(r.from_openspiel("quoridor(board_size=3)")).probe()
    assert (start.outcome, start.plies) == ("second", 8)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("oware(num_houses_per_player=2,num_seeds_per_house=2)", "moves to other states"),
        ("go(board_size=2)", "moves to other states|other moves|other returns"),
    ],
)
def test_a_game_that_depends_on_history_is_refused(name: str, told: str) -> None:
    with pytest.raises(r.GameError, match=told) as raised:
        r.solve(r.from_openspiel(name))
    assert "give a `key` that has it" in str(raised.value)


def test_a_key_of_ones_own_is_used() -> None:
    def with_history(state: Any) -> tuple[str, tuple[int, ...]]:
        return (str(state), tuple(state.history()))

    table = r.solve(r.from_openspiel("nim(pile_sizes=1;2)", key=with_history))
    plain = r.solve(r.from_openspiel("nim(pile_sizes=1;2)"))
    assert len(table.states) > len(plain.states)
    assert table.probe().outcome == plain.probe().outcome
    assert table.moves()[0].position.plies == plain.moves()[0].position.plies


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("kuhn_poker", "there is chance, and something is hidden"),
        ("matrix_rps", "players move at once"),
        ("no_such_game", "^no_such_game: OpenSpiel has no game no_such_game; "),
        ("tictactoe", "OpenSpiel has no game tictactoe; is it tic_tac_toe or "),
        ("conect_four(rows=3)", r"OpenSpiel has no game conect_four; is it connect_four\?"),
        ("python_tic_tac", "is it python_tic_tac_toe"),
    ],
)
def test_what_does_not_suit_is_refused(name: str, told: str) -> None:
    with pytest.raises(r.UsageError, match=told):
        r.from_openspiel(name)


def test_a_game_that_does_not_exist_is_told_in_few_words() -> None:
    with pytest.raises(r.UsageError) as raised:
        r.from_openspiel("no_such_game")
    assert len(str(raised.value)) < 200


def test_a_game_that_is_written_in_python_is_found() -> None:
    # In a process of its own, where nobody has loaded these games.
    program = "import retrograde as r; print(r.solve(r.from_openspiel('python_tic_tac_toe')).probe().value)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("draw\n", 0), done.stderr


def test_a_table_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "ttt.rtb"
    table = r.solve(r.from_openspiel("tic_tac_toe"), output=path)
    again = r.open(path, r.from_openspiel("tic_tac_toe"))
    state = "x../.o./... 0"
    assert again.probe(state) == table.probe(state) and len(again.moves(state)) == 7
    with pytest.raises(r.StateError, match="play never comes"):
        again.probe("xxx/xxx/xxx 0")
    with pytest.raises(r.StateError, match="expected a text"):
        again.probe("nothing")
    with pytest.raises(r.TableError):
        r.open(path, r.from_openspiel("nim"))
