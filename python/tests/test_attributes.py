"""What a class is asked for: attributes of the same names with another meaning are told before any state."""

from __future__ import annotations

import dataclasses
import re
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import games as own
import numpy as np
import pytest

import retrograde as r


class Mine(own.Nim):
    """A game that counts how often its rules are asked."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(5)
        self._asked = 0
        for name, value in attributes.items():
            setattr(self, name, value)

    def terminal(self, heap: int) -> int | None:
        self._asked += 1
        return super().terminal(heap)


class WithTurn(Mine):
    def turn(self, heap: int) -> int:
        return heap % 2


def no_self() -> None: ...


WRONG: list[tuple[Any, str]] = [
    (Mine(points="many"), "Mine.points is 'many': expected a whole number from 1 to 511"),
    (Mine(points=0), "Mine.points is 0: expected a whole number from 1 to 511"),
    (Mine(points=512), "Mine.points is 512: expected a whole number"),
    (Mine(points=True), "Mine.points is True: expected a whole number"),
    (Mine(points=[(0, 1), (1, 1)]), "Mine.points is [(0, 1), (1, 1)]: expected a whole number"),
    (Mine(points=lambda place: place), "Mine.points is a method: expected a whole number"),
    (Mine(board=[[0]]), "Mine.board is [[0]]: expected a method board(state)"),
    (Mine(board="...."), "Mine.board is '....': expected a method board(state)"),
    (Mine(board=lambda: ["."]), "Mine.board takes (): expected a method board(state)"),
    (Mine(draw=True), "Mine.draw is True: expected a method draw(state)"),
    (Mine(write=3), "Mine.write is 3: expected a method write(state)"),
    (Mine(parse=True), "Mine.parse is True: expected a method parse(text)"),
    (Mine(write_move=lambda state: ""), "expected a method write_move(before, after)"),
    (Mine(turn=0), "Mine.turn is 0: expected a method turn(state)"),
    (Mine(moves=0), "Mine.moves is 0: expected a method moves(state)"),
    (Mine(roots=[5]), "Mine.roots is [5]: expected a method roots()"),
    (Mine(terminal=None), "Mine has no method terminal: a game has"),
    (Mine(expand=7), "Mine.expand is 7: expected a method expand(states)"),
    (Mine(expand=lambda state: []), "Mine has moves(state) and expand(states): expected moves where"),
    (Mine(players=2), "Mine.players is 2: expected two names, as in ('white', 'black')"),
    (Mine(players=("one",)), "expected two names"),
    (Mine(players=("one", "one")), "expected two names"),
    (Mine(players=("", "two")), "expected two names"),
    (Mine(players="xo"), "expected two names"),
    (Mine(players={"x", "o"}), "expected two names"),
    (Mine(name="My Game"), "Mine.name is 'My Game': expected lower-case words and hyphens"),
    (Mine(name=lambda: "mine"), "Mine.name is a method: expected lower-case words and hyphens"),
    (Mine(rules=["a", "b"]), "Mine.rules is ['a', 'b']: expected a text"),
    (Mine(rules=lambda state: True), "Mine.rules is a method: expected a text"),
    (Mine(ply_limit=0), "Mine.ply_limit is 0: expected a whole number from 1 to 4294967295"),
    (Mine(ply_limit=2**32), "expected a whole number from 1 to 4294967295: a number of plies"),
    (Mine(ply_limit=2.0), "Mine.ply_limit is 2.0: expected a whole number"),
    (Mine(ply_limit=3, points=9), "Mine.ply_limit is 3: expected none, since a game with `points`"),
    (Mine(endless="draw"), "Mine.endless is 'draw': expected retrograde.DRAW, since a game without `turn`"),
    (Mine(endless=Fraction(1, 2)), "Mine.endless is Fraction(1, 2): expected retrograde.DRAW"),
    (Mine(endless=0.0), "Mine.endless is 0.0: expected retrograde.DRAW"),
    (Mine(endless=False), "Mine.endless is False: expected retrograde.DRAW"),
    (Mine(endless=lambda state: 0), "Mine.endless is a method: expected retrograde.DRAW"),
    (Mine(endless=r.MOVER_LOSES), "since a game without `turn` does not name its players"),
    (WithTurn(endless=r.MOVER_LOSES), "expected retrograde.DRAW, FIRST_WINS or SECOND_WINS"),
    (
        WithTurn(endless=r.FIRST_WINS, points=9),
        "expected retrograde.DRAW, since endless play gains no points",
    ),
    (Mine(no_moves="loss"), "Mine.no_moves is 'loss': expected retrograde.DRAW, MOVER_WINS or MOVER_LOSES"),
    (Mine(no_moves=lambda state: 0), "Mine.no_moves is a method: expected retrograde.DRAW"),
    (Mine(no_moves=r.FIRST_WINS), "since a game without `turn` does not name its players"),
    (WithTurn(no_moves=4), "MOVER_LOSES, FIRST_WINS or SECOND_WINS"),
    (Mine(no_moves=r.MOVER_LOSES, points=9), "expected a number of points from -9 to 9"),
    (Mine(state_types=own.Side), "expected classes, as in (Side, Board)"),
    (Mine(state_types=(3,)), "expected classes, as in (Side, Board)"),
    (Mine(parameters={"x": object()}), "write `parameters`"),
    (Mine(parameters=lambda one: one), "Mine.parameters(): TypeError"),
    (Mine(chance=float("nan")), "begin the names of others with _, or write `parameters`"),
]


@pytest.mark.parametrize(("game", "told"), WRONG, ids=[told for _, told in WRONG])
def test_a_wrong_attribute_names_itself_and_its_class_before_the_first_state(game: Any, told: str) -> None:
    for work in (r.solve, r.laws, r.explore):
        with pytest.raises(r.GameError, match=re.escape(told)):
            work(game)
    assert not game._asked


def test_another_meaning_is_to_have_another_name() -> None:
    with pytest.raises(r.GameError, match=r"If it has another meaning, rename it, as in _points"):
        r.solve(Mine(points="many"))

    class Raises(own.Nim):
        @property
        def board(self) -> Any:
            raise LookupError("no board yet")

    with pytest.raises(r.GameError, match=r"Raises\.board: LookupError: no board yet"):
        r.solve(Raises(5))


def test_attributes_that_are_none_are_not_given() -> None:
    names = ["write", "parse", "board", "draw", "turn", "points", "endless", "no_moves", "players", "expand"]
    game = Mine(**dict.fromkeys(names))
    table = r.solve(game)
    assert table.probe().plies == 3 and table.parameters == {"counters": 5}


def test_a_method_that_states_are_asked_by_may_have_more_arguments() -> None:
    class Lenient(own.Nim):
        def board(self, heap: int, empty: str = ".") -> list[str]:
            return ["x" * heap + empty]

        def terminal(self, *heaps: int) -> int | None:
            return super().terminal(heaps[0])

    assert r.solve(Lenient(5)).probe().plies == 3


class ThreeInARow:
    """Tic-tac-toe on a board of nine points."""

    no_moves = r.DRAW
    lines = ("012", "345", "678", "036", "147", "258", "048", "246")

    def roots(self) -> list[str]:
        return ["." * 9]

    def turn(self, cells: str) -> int:
        return r.FIRST if cells.count("x") == cells.count("o") else r.SECOND

    def terminal(self, cells: str) -> int | None:
        for man, end in (("x", r.FIRST_WINS), ("o", r.SECOND_WINS)):
            if any(all(cells[int(place)] == man for place in line) for line in self.lines):
                return end
        return None

    def moves(self, cells: str) -> list[str]:
        man = "xo"[self.turn(cells)]
        return [cells[:at] + man + cells[at + 1 :] for at in range(9) if cells[at] == "."]


def test_ends_that_name_a_winner_are_refused_in_a_game_with_points() -> None:
    assert r.solve(ThreeInARow()).probe().value == "draw"

    class OnNinePoints(ThreeInARow):
        points = 9
        no_moves = 0

    with pytest.raises(r.GameError, match="in a game with `points`, an end is the number of points") as told:
        r.solve(OnNinePoints())
    assert "terminal('" in str(told.value) and "returned <End.FIRST_WINS: 2>" in str(told.value)
    assert "If the attribute `points` has another meaning, rename it, as in _points" in str(told.value)


@pytest.mark.parametrize("end", [r.MOVER_WINS, r.MOVER_LOSES, r.FIRST_WINS, r.SECOND_WINS])
def test_every_winner_is_refused_where_points_are_told(end: Any) -> None:
    class Scored(own.Nim):
        points = 9

        def terminal(self, heap: int) -> int | None:
            return end if heap == 0 else None

    with pytest.raises(r.GameError, match=re.escape(f"returned {end!r}: in a game with `points`")):
        r.solve(Scored(5))


@pytest.mark.parametrize("end", [r.DRAW, 0, np.int8(0), np.int64(3), -2, 2])
def test_numbers_and_draws_are_points(end: Any) -> None:
    class Scored(own.Nim):
        points = 9

        def terminal(self, heap: int) -> int | None:
            return end if heap == 0 else None

    assert r.solve(Scored(1)).probe_many([0, 1]).points.tolist() == [int(end), -int(end)]


def test_a_state_without_moves_may_have_points() -> None:
    class Stuck(own.Nim):
        points = 9
        no_moves = -4

        def terminal(self, heap: int) -> int | None:
            return None

    assert r.solve(Stuck(1)).probe("1").points == 4


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("predecessors", "Slip.predecessors is never asked for: games in Python have none: `roots`"),
        ("symmetry", "Slip.symmetry is never asked for: a class has `symmetries`"),
        ("tiers", "Slip.tiers is never asked for: is `tier` meant?"),
        ("write_state", "Slip.write_state is never asked for: a class has `write`"),
        ("no_move", "Slip.no_move is never asked for: is `no_moves` meant?"),
        ("write_moves", "Slip.write_moves is never asked for: is `write_move` meant?"),
        ("writeMove", "Slip.writeMove is never asked for: is `write_move` meant?"),
        ("baord", "Slip.baord is never asked for: is `board` meant?"),
        ("ply_limits", "Slip.ply_limits is never asked for: is `ply_limit` meant?"),
        ("endles", "Slip.endles is never asked for: is `endless` meant?"),
    ],
)
def test_an_attribute_that_looks_like_one_of_ours_is_told_once(name: str, told: str) -> None:
    is_data = name in ("no_move", "ply_limits", "endles")
    slip = type("Slip", (own.Nim,), {name: r.DRAW if is_data else lambda self, *states: states})
    with pytest.warns(r.GameWarning) as warned:
        r.solve(slip(5))
    ours = [one for one in warned if one.category is r.GameWarning]
    assert [str(one.message)[: len(told)] for one in ours] == [told]
    assert Path(ours[0].filename) == Path(__file__)
    with warnings.catch_warnings():
        warnings.simplefilter("error", r.GameWarning)
        assert r.solve(slip(5)).probe().plies == 3


def test_other_helpers_of_a_class_are_its_own_affair() -> None:
    class Helped(own.Nim):
        cells = 9

        def move(self, heap: int) -> int:
            return heap - 1

        def white(self, heap: int) -> bool:
            return True

        def winner(self, heap: int) -> None: ...

        def player(self, heap: int) -> int:
            return 0

        def _canonical(self, heap: int) -> int:
            return heap

    with warnings.catch_warnings():
        warnings.simplefilter("error", r.GameWarning)
        r.solve(Helped(5))


def test_a_method_that_is_missing_is_named_with_its_slip() -> None:
    class Slip:
        def roots(self) -> list[int]:
            return [1]

        def terminl(self, state: int) -> None: ...

        def move(self, state: int) -> list[int]:
            return []

    with pytest.raises(
        r.GameError, match="Slip has no method terminal and no method moves, but terminl and move"
    ):
        r.solve(Slip())


LATE = ["draw", "board", "write", "write_move", "parse"]


@pytest.mark.parametrize("method", LATE)
@pytest.mark.parametrize("mistake", ["raises", "is none"])
@pytest.mark.parametrize("heap", [9, 8])
def test_a_mistake_in_notation_or_pictures_is_told_before_the_solve(
    method: str, mistake: str, heap: int
) -> None:
    """In the first root, and in a state after its moves."""

    def broken(self: Any, state: Any, after: Any = None) -> Any:
        if (method == "write_move" and state == 9) or str(heap) in (str(state), f"{after}"):
            return 1 // 0 if mistake == "raises" else None
        return {"board": ["x"]}.get(method, int(state) if method == "parse" else str(state))

    class Counts(own.Nim):
        _asked = 0

        def moves(self, heap: int) -> list[int]:
            Counts._asked += 1
            return super().moves(heap)

    game = type("Late", (Counts,), {method: broken})(9)
    with pytest.raises(r.GameError, match=f"^{method}\\("):
        r.solve(game)
    assert Counts._asked <= 1


def test_a_class_that_writes_states_reads_them() -> None:
    class Writes(own.Nim):
        def write(self, heap: int) -> str:
            return f"{heap} left"

    with pytest.raises(r.GameError, match=r"write without parse: add parse\(text\)"):
        r.solve(Writes(9))

    class WritesInBatches(own.MnkInBatches):
        def write(self, state: int) -> str:
            return f"{state} here"

    with pytest.raises(r.GameError, match=r"write without parse: add parse\(text\)"):
        r.solve(WritesInBatches(2, 2, 2))

    class WritesTexts(own.Nim):
        def roots(self) -> Any:
            return ["ab"]

        def moves(self, text: Any) -> Any:
            return [text[1:]]

        def terminal(self, text: Any) -> int | None:
            return None if text else r.MOVER_LOSES

        def write(self, text: Any) -> str:
            return str(text).upper()

    with pytest.raises(r.GameError, match=r"write\('ab'\): returned 'AB': the class has write without parse"):
        r.solve(WritesTexts(9))

    class WritesHexadecimal(own.MnkInBatches):
        def write(self, state: int) -> str:
            return hex(state)

    assert r.solve(WritesHexadecimal(2, 2, 2)).probe("0x0").plies == 3

    class ReadsOthers(Writes):
        def parse(self, text: str) -> int:
            return int(text.split()[0]) + 1

    with pytest.raises(r.GameError, match=r"parse\('9 left'\): ValueError: returned 10: expected 9") as told:
        r.solve(ReadsOthers(9))
    assert "`parse` reads what `write` writes" in str(told.value)


def test_rows_of_a_board_are_texts() -> None:
    class OneText(own.Nim):
        def board(self, heap: int) -> Any:
            return "x" * heap

    with pytest.raises(r.GameError, match=r"board\(9\): TypeError: returned 'xxxxxxxxx': expected the rows"):
        r.solve(OneText(9))


def test_a_table_is_not_lost_when_something_fails_after_the_solve() -> None:
    class Fails(own.Nim):
        _solved = False

        def write(self, heap: int) -> str:
            if self._solved:
                raise OSError("the disk of pictures is gone")
            self._solved = self._solved or heap == 0
            return str(heap)

        def parse(self, text: str) -> int:
            return int(text)

    with pytest.raises(r.GameError, match="The game is solved, and its table is ") as told:
        # The last state is written by the check of the laws before the end.
        r.solve(Fails(9), threads=1)
    path = re.search(r"its table is (\S+): open it with", str(told.value))
    assert path is not None

    class Mended(own.Nim):
        name = "fails"

    assert r.open(path[1], Mended(9)).probe("9").plies == 5


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ThreeInARow", "three-in-a-row"),
        ("Nim", "nim"),
        ("TugOfWar", "tug-of-war"),
        ("MuTorere8", "mu-torere8"),
        ("two_heaps", "two-heaps"),
        ("_Hidden", "hidden"),
        ("NIM", "nim"),
        ("MyNIMGame", "my-nim-game"),
    ],
)
def test_the_name_of_a_class_becomes_the_name_of_its_game(name: str, expected: str) -> None:
    assert r.solve(type(name, (own.Nim,), {})(3)).game == expected


def test_help_names_the_other_form_of_games() -> None:
    assert "BatchGame" in (r.Game.__doc__ or "")


@pytest.mark.parametrize("state", [np.array([5, 0]), np.array([5]), (np.array([1, 2]), 0)], ids=str)
def test_an_array_as_a_state_says_use_a_tuple(state: Any) -> None:
    class Arrays(own.Nim):
        def roots(self) -> Any:
            return [state]

    with pytest.raises(r.GameError, match="use a tuple"):
        r.solve(Arrays(3))

    class Later(own.Nim):
        def moves(self, heap: int) -> Any:
            return [state]

    with pytest.raises(r.GameError, match="use a tuple"):
        r.solve(Later(3))


def test_members_of_other_enumerations_are_no_ends() -> None:
    class Named(own.TugOfWar):
        def terminal(self, state: Any) -> Any:
            return r.FIRST if super().terminal(state) is not None else None

    with pytest.raises(r.GameError, match=r"returned <Player\.FIRST: 0>: expected None where play goes on"):
        r.solve(Named())
    for attribute in ({"endless": 3}, {"endless": r.SECOND}, {"no_moves": r.SECOND}, {"no_moves": -1}):
        with pytest.raises(r.GameError, match=f"WithTurn.{next(iter(attribute))} is "):
            r.solve(WithTurn(**attribute))


def test_a_property_that_lacks_an_attribute_is_no_missing_one() -> None:
    class Slip(own.Nim):
        @property
        def endless(self) -> Any:
            return self.winer  # type: ignore[attr-defined]

    with pytest.raises(r.GameError, match=r"Slip\.endless: AttributeError: .*winer"):
        r.solve(Slip(5))


class Slots:
    __slots__ = ("_heap", "heap", "most")

    def __init__(self, heap: int, most: int) -> None:
        self.heap, self.most, self._heap = heap, most, object()

    def roots(self) -> list[int]:
        return [self.heap]

    def terminal(self, heap: int) -> Any:
        return r.MOVER_LOSES if heap == 0 else None

    def moves(self, heap: int) -> list[int]:
        return [heap - taken for taken in range(1, self.most + 1) if taken <= heap]


@dataclasses.dataclass(frozen=True)
class Heap:
    heap: int
    roots, terminal, moves = Slots.roots, Slots.terminal, Slots.moves


class Larger(Heap):
    def __init__(self, heap: int, most: int) -> None:
        super().__init__(heap)
        object.__setattr__(self, "most", most)


@pytest.mark.parametrize("kind", [Slots, Larger])
def test_all_attributes_of_an_object_are_parameters(kind: Any, tmp_path: Path) -> None:
    table = r.solve(kind(10, 3))
    assert table.parameters == {"heap": 10, "most": 3}
    table.save(tmp_path / "heap.rtb")
    with pytest.raises(r.TableError, match="another game"):
        r.open(tmp_path / "heap.rtb", kind(10, 2))


def test_a_state_whose_text_is_that_of_another_is_refused() -> None:
    class Forgets(own.Nim):
        def write(self, heap: int) -> str:
            return str(heap if heap > 9 else heap // 2)

        def parse(self, text: str) -> int:
            return int(text)

    table = r.solve(Forgets(30))
    assert table.probe(20).plies == table.probe("20").plies
    with pytest.raises(r.GameError, match="`parse` reads what `write` writes"):
        table.probe(7)
