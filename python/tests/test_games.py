"""Games in Python, one state at a time: against a solver with dictionaries, and their mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import games as own
import numpy as np
import pytest
from conftest import lines

import retrograde as r

OWN: list[Any] = [
    own.Nim(21),
    own.Mnk(3, 3, 3),
    own.Mnk(4, 3, 3),
    own.TugOfWar(),
    own.TwoHeaps(),
    own.CatMouse([[6], [4], [9], [5], [1, 5], [3, 4, 6], [0, 5, 10], [8, 9, 10], [7], [2, 7], [6, 7]]),
]


def name_of(game: Any) -> str:
    return type(game).__name__


@pytest.mark.parametrize("game", OWN, ids=name_of)
@pytest.mark.parametrize("threads", [1, 3])
def test_values_are_those_of_a_solver_by_hand(game: Any, threads: int, tmp_path: Path) -> None:
    from retrograde import _text

    table = r.solve(game, threads=threads, output=tmp_path / "game.rtb")
    table.verify()
    again = r.open(tmp_path / "game.rtb", game)
    expected = own.by_hand(game)
    states = list(expected)
    values = again.probe_many(_text.write(state) for state in states)
    assert len(again.states) == len(states)
    words = {1: "win", -1: "loss", 0: "draw"}
    for value, state in zip(values, states, strict=True):
        sign, plies = expected[state]
        assert (value.value, value.plies) == (words[sign], plies if sign else None), state
    # Every state that is listed is one of those.
    assert {*map(_text.write, states)} == {*again.states}


@pytest.mark.parametrize("known", lines("cat-and-mouse.jsonl")[:20], ids=str)
def test_cat_and_mouse_in_python_is_the_shipped_one(known: dict[str, Any]) -> None:
    table = r.solve(own.CatMouse(known["graph"]))
    assert table.probe().outcome == ["draw", "mouse", "cat"][known["result"]]
    assert table.probe().plies == known["plies"]
    shipped = r.solve("cat-mouse", graph=known["graph"])
    for position in table:
        mouse, cat, turn = eval(position.state)
        other = shipped.probe(f"{mouse},{cat},{'mouse' if turn == 0 else 'cat'}")
        assert (position.value, position.plies) == (other.value, other.plies)


def test_rules_are_asked_once_about_each_state() -> None:
    game = own.Counted()
    table = r.solve(game, threads=1)
    asked = game._asked
    assert len(table.states) == 5478
    for rule in ("terminal", "moves", "turn"):
        counts = [count for (name, _), count in asked.items() if name == rule]
        assert max(counts) == 1, rule
        assert len(counts) == (4520 if rule == "moves" else 5478), rule


def test_states_that_are_numbers_are_stored_as_other_data_are(tmp_path: Path) -> None:
    seen: list[int] = []

    class Forgetful(own.Nim):
        """It tells another kind of state once, so that the states are found as those of any kind."""

        name = "nim"

        def moves(self, heap: int) -> list[Any]:
            seen.append(heap)
            return [("other", heap)] if len(seen) == 9 else super().moves(heap)

    r.solve(own.Nim(700), output=tmp_path / "numbers.rtb")
    r.solve(Forgetful(700), output=tmp_path / "any.rtb")
    assert len(seen) > 700
    assert (tmp_path / "numbers.rtb").read_bytes() == (tmp_path / "any.rtb").read_bytes()


@pytest.mark.parametrize("has_turns", [False, True])
def test_states_may_begin_as_numbers_and_go_on_as_other_data(has_turns: bool) -> None:
    class Chain:
        def __init__(self) -> None:
            self._chain = [0, 255, 2**63 - 1, 2**63, 2**80, -1, True, "text", None, (1, -1), 256, 1.5]
            if has_turns:
                self.turn = lambda state: self._chain.index(state) % 2

        def _at(self, state: Any) -> int:
            return [(type(one), one) for one in self._chain].index((type(state), state))

        def roots(self) -> list[Any]:
            return self._chain[:1]

        def terminal(self, state: Any) -> int | None:
            return r.MOVER_LOSES if state == 1.5 else None

        def moves(self, state: Any) -> list[Any]:
            return [self._chain[self._at(state) + 1]]

    for table in [r.solve(Chain()), r.solve(Chain(), start=255), r.solve(Chain(), threads=2)]:
        assert [table.probe(state).plies for state in (255, 2**63, (1, -1), 256)] == [10, 8, 2, 1]
        assert table.verify().states == len(table)
    assert r.laws(Chain()).states == r.explore(Chain()).states == 12


def test_moves_pictures_and_texts_are_the_games_own() -> None:
    class Named(own.Nim):
        name = "nim-with-words"
        rules = "Take one, two or three."
        players = ("left", "right")

        def write(self, heap: int) -> str:
            return f"{heap} left"

        def parse(self, text: str) -> int:
            number, _, word = text.partition(" ")
            if word != "left":
                raise ValueError('expected "N left"')
            return int(number)

        def write_move(self, before: int, after: int) -> str:
            return f"take {before - after}"

        def draw(self, heap: int) -> str:
            return "o" * heap

    table = r.solve(Named(21))
    assert table.probe("7 left").plies == 3 and table.rules == "Take one, two or three."
    assert [move.move for move in table.moves("3 left")] == ["take 3", "take 1", "take 2"]
    with pytest.raises(r.StateError, match='expected "N left"'):
        table.probe("7")
    board = r.solve(own.Mnk(3, 3, 3))
    assert "<svg" in (board.svg() or "") and board.moves()[0].move in {"a1", "b2", "c3", "a3", "c1"}
    with pytest.raises(r.NotInTableError):
        board.probe("511")


def test_a_state_may_be_given_as_it_is(park: r.Table) -> None:
    table = r.solve(own.TugOfWar())
    assert table.probe(own.Tug(2, own.Side.LEFT)) == table.probe()
    assert own.Tug(1, own.Side.RIGHT) in table and own.Tug(9, own.Side.LEFT) not in table
    nim = r.solve(own.Nim(21))
    assert nim.probe(17) == nim.probe("17") and nim.moves(3)[0].position.state == "0"
    assert list(nim.probe_many(range(22)).outcomes) == [(-1 if heap % 4 == 0 else 1) for heap in range(22)]
    assert nim.probe(np.int64(17)) == nim.probe(17)
    assert (nim.probe_many(np.arange(22)).plies == nim.probe_many(range(22)).plies).all()
    assert len(nim) == 22 and 21 in nim and "x" not in nim and [] not in nim
    with pytest.raises(TypeError, match="expected a text"):
        park.probe((1, 2, 0))


def test_numbers_and_tuples_are_read_as_python_reads_them() -> None:
    states = [(), (1,), (1, 2), ((1, 2), -3), -7, 12, 2**70, ((),), (((0,),),), (1, "x"), -(2**63)]

    class Listed:
        def roots(self) -> list[Any]:
            return states

        def terminal(self, state: Any) -> int:
            return r.DRAW

        def moves(self, state: Any) -> list[Any]:
            return []

    table = r.solve(Listed())
    assert all(state in table for state in states) and len(table) == len(states)
    spelt = {
        (1, 2): ["(1, 2)", "(1,2)", "( 1 ,2 , )", "(1, 2,) ", " (1,2)"],
        (1,): ["(1,)", "( 1, )"],
        (): ["()", "( )"],
        ((1, 2), -3): ["((1,2),-3)", "((1, 2), - 3)"],
        12: ["12", " 12 ", "0xc", "1_2", "(12)"],
        -7: ["-7", "(-7)"],
        ((),): ["((),)"],
        (1, "x"): ["(1, 'x')", '(1,"x")'],
    }
    for state, texts in spelt.items():
        for text in texts:
            assert table.probe(text).state == table.probe(state).state, text
    for text in ["(1 2)", "1 2", "(1,2", "1,2)", "(,)", "", "(1,,2)", "--7", "-", "x", "(1)(2)", "[1]"]:
        with pytest.raises(r.RetrogradeError):
            table.probe(text)
    deep = "(" * 99 + ",)" * 99
    with pytest.raises(r.RetrogradeError):
        table.probe(deep)


def test_texts_are_states_as_they_are() -> None:
    class Words:
        def roots(self) -> list[str]:
            return ["abc"]

        def terminal(self, word: str) -> int | None:
            return None if word else r.MOVER_LOSES

        def moves(self, word: str) -> Iterator[str]:
            for at in range(len(word)):
                yield word[:at]

    table = r.solve(Words())
    assert [table.probe(word).value for word in ["", "a", "ab"]] == ["loss", "win", "win"]


def test_endless_play_limits_and_stalemates_are_what_the_class_says() -> None:
    class Stuck(own.TugOfWar):
        endless = r.SECOND_WINS

    assert r.solve(own.TugOfWar()).probe().decided_by == "endless"
    assert r.solve(own.TugOfWar()).probe().value == "draw"
    assert r.solve(Stuck()).probe().outcome == "right"

    class Dead(own.Nim):
        no_moves = r.MOVER_WINS

        def terminal(self, heap: int) -> int | None:
            return None

    assert r.solve(Dead(4)).probe("0").value == "win"

    class Hurried(own.Nim):
        ply_limit = 3

    limited = r.solve(Hurried(21))
    assert (limited.probe("21").decided_by, limited.probe("7").plies) == ("ply-limit", 3)


def test_points_are_told_with_the_end() -> None:
    class Coins:
        """Coins are taken from the ends of a row, and whoever has more wins by the difference."""

        points = 20
        coins = (5, 1, 2, 7, 3)

        def roots(self) -> list[tuple[int, int, int]]:
            return [(0, len(self.coins), 0)]

        def terminal(self, state: tuple[int, int, int]) -> int | None:
            first, end, score = state
            return score if first == end else None

        def moves(self, state: tuple[int, int, int]) -> list[tuple[int, int, int]]:
            first, end, score = state
            return [
                (first + 1, end, -score - self.coins[first]),
                (first, end - 1, -score - self.coins[end - 1]),
            ]

    def best(coins: tuple[int, ...]) -> int:
        if not coins:
            return 0
        return max(coins[0] - best(coins[1:]), coins[-1] - best(coins[:-1]))

    table = r.solve(Coins())
    assert table.probe().points == best(Coins.coins) and table.probe().value == "win"
    table.verify()


class Broken(own.Nim):
    """A game with one mistake."""

    def __init__(self, mistake: str) -> None:
        super().__init__(9)
        self.mistake = mistake

    def terminal(self, heap: int) -> Any:
        if heap == 5:
            if self.mistake == "terminal raises":
                raise KeyError("oh")
            if self.mistake == "terminal says True":
                return True
            if self.mistake == "terminal says seven":
                return 7
            if self.mistake == "terminal names a player":
                return r.FIRST_WINS
            if self.mistake == "terminal says a text":
                return "draw"
        return super().terminal(heap)

    def moves(self, heap: int) -> Any:
        if heap == 5:
            if self.mistake == "moves raises":
                raise RuntimeError("oh\nno")
            if self.mistake == "moves is None":
                return None
            if self.mistake == "moves is a number":
                return 3
            if self.mistake == "a list as a state":
                return [[1, 2]]
            if self.mistake == "an object as a state":
                return [Broken("")]
            if self.mistake == "not a number":
                return [float("nan")]
            if self.mistake == "half way":
                return (4 if one else 1 // one for one in (1, 0))
            if self.mistake == "no moves":
                return []
            if self.mistake == "nested":
                state: Any = ()
                for _ in range(100):
                    state = (state,)
                return [state]
        return super().moves(heap)


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        ("terminal raises", "terminal(5): KeyError: 'oh'"),
        ("terminal says True", "terminal(5): TypeError: returned True: expected None where"),
        ("terminal says seven", "terminal(5): ValueError: 7 is no end"),
        ("terminal names a player", "a game without `turn` does not name its players"),
        ("terminal says a text", "terminal(5): TypeError: returned 'draw'"),
        ("moves raises", "moves(5): RuntimeError: oh"),
        ("moves is None", "moves(5): TypeError: returned None: expected the states"),
        ("moves is a number", "moves(5): TypeError: returned 3: expected the states"),
        ("a list as a state", "moves(5): TypeError: [1, 2] is of the class list"),
        ("an object as a state", "is of the class Broken, which can't be stored"),
        ("not a number", "moves(5): ValueError: contains nan"),
        ("half way", "moves(5): ZeroDivisionError"),
        ("nested", "moves(5): ValueError: is nested more than 64 deep"),
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_mistake_names_the_state(mistake: str, told: str, threads: int) -> None:
    for work in (r.solve, r.explore):
        with pytest.raises(r.GameError) as raised:
            work(Broken(mistake), threads=threads)
        assert told in str(raised.value)
    with pytest.raises(r.GameError):
        r.laws(Broken(mistake))


def test_a_mistake_of_the_game_is_the_engines_error() -> None:
    with pytest.raises(r.SolveError, match="5"):
        r.solve(Broken("no moves"))
    with pytest.raises(r.LawError, match="5"):
        r.laws(Broken("no moves"))


def test_a_mistake_after_solving_is_told(tmp_path: Path) -> None:
    table = r.solve(Broken("nothing"), output=tmp_path / "nim.rtb")

    class Later(Broken):
        name = "broken"

    game = Later("nothing")
    again = r.open(tmp_path / "nim.rtb", game)
    game.mistake = "moves raises"
    with pytest.raises(r.GameError, match=r"moves\(5\)"):
        again.moves("5")
    with pytest.raises(r.GameError, match=r"moves\(5\)"):
        again.verify()
    # Nothing is left of it.
    assert again.probe("4").value == table.probe("4").value == "loss"


def test_turns_that_are_none_are_told() -> None:
    class Turns(own.CatMouse):
        def turn(self, state: Any) -> Any:
            return "mouse"

    with pytest.raises(r.GameError, match=r"turn\(\(1, 2, 0\)\): TypeError: returned 'mouse'"):
        r.solve(Turns([[1, 3], [0], [3], [0, 2]]))


class Raises:
    def roots(self) -> list[int]:
        raise ValueError("no roots today")

    def terminal(self, state: int) -> None: ...

    def moves(self, state: int) -> list[int]:
        return []


def with_attributes(**attributes: Any) -> Any:
    return type("Other", (own.Nim,), attributes)(3)


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (own.Nim, "is a class: expected a game of it, as in Nim()"),
        (object(), "no method roots and no method terminal and no method moves"),
        (with_attributes(name="Not good"), "expected lower-case words and hyphens"),
        (with_attributes(name="chess"), "comes with the package"),
        (with_attributes(players=("one",)), "expected two names"),
        (with_attributes(points="many"), "expected a whole number from 1 to 511"),
        (with_attributes(roots=lambda self: []), "returns none"),
        (with_attributes(roots=lambda self: [[1]]), "is of the class list"),
        (with_attributes(parameters={"x": object()}), "write `parameters`"),
        (Raises(), "roots(): ValueError: no roots today"),
    ],
)
def test_what_is_no_game_is_told(game: Any, told: str) -> None:
    with pytest.raises(r.RetrogradeError) as raised:
        r.solve(game)
    assert told in str(raised.value)


def test_a_million_successors_are_states() -> None:
    class Wide:
        def roots(self) -> list[int]:
            return [-1]

        def terminal(self, state: int) -> int | None:
            return None if state < 0 else r.MOVER_LOSES

        def moves(self, state: int) -> range:
            return range(1_000_000)

    table = r.solve(Wide())
    assert len(table.states) == 1_000_001 and table.probe("-1").plies == 1


def test_another_class_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nim.rtb"
    r.solve(own.Nim(21), output=path)
    with pytest.raises(r.TableError, match=r"retrograde\.open\(path, game\)"):
        r.open(path).probe()
    with pytest.raises(r.TableError, match='"counters":22'):
        r.open(path, own.Nim(22))
    with pytest.raises(r.TableError, match="nim"):
        r.open(path, own.Mnk(3, 3, 3))

    class Nim:
        """States are written otherwise."""

        def __init__(self, counters: int) -> None:
            self.counters = counters

        def roots(self) -> list[str]:
            return ["x" * self.counters]

        def terminal(self, heap: str) -> int | None:
            return None

        def moves(self, heap: str) -> list[str]:
            return []

    with pytest.raises(r.RetrogradeError, match=r"starts|changed|expected a text"):
        r.open(path, Nim(21))


def test_tables_of_games_are_asked_by_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    table = r.solve(own.Mnk(3, 3, 3))
    states = [state for state in table.states[:300] if state is not None]
    expected = [table.probe(state) for state in states]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(table.probe, states)) == expected


@pytest.mark.parametrize("game", [own.Nim(21), own.Mnk(3, 3, 3), own.TugOfWar()], ids=name_of)
def test_games_keep_the_laws(game: Any) -> None:
    assert r.laws(game).states == len(own.by_hand(game))
    assert r.laws(game, sample=5, seed=2).states >= 5
