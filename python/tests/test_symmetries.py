"""Games that list their symmetries."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import games as own
import numpy as np
import pytest

import retrograde as r
from retrograde import symmetry
from retrograde.symmetry import Symmetry, closed

LETTERS = ".xo"
FORMS: dict[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    "text": (str, str),
    "bytes": (
        lambda board: bytes(map(LETTERS.index, board)),
        lambda state: "".join(LETTERS[at] for at in state),
    ),
    "tuple": (tuple, "".join),
    "part": (lambda board: (7, board), lambda state: state[1]),
    "rows": (lambda board: (board[:2], board[2:]), "".join),
    "numbers": (
        lambda board: tuple(1000 * LETTERS.index(one) for one in board),
        lambda state: "".join(LETTERS[one // 1000] for one in state),
    ),
}


def image(board: str, places: Iterable[int], letters: dict[str, str]) -> str:
    return "".join(letters.get(board[at], board[at]) for at in places)


class Drawn:
    """Rules drawn at random that are the same for all images of a board."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self._places = chance.randint(3, 4)
        swap = {"x": "o", "o": "x"}
        self.listed = [
            Symmetry(
                tuple(chance.sample(range(self._places), self._places)), swap if chance.random() < 0.4 else {}
            )
            for _ in range(chance.randint(1, 3))
        ]
        boards = ["".join(one) for one in itertools.product(LETTERS, repeat=self._places)]
        nothing = (tuple(range(self._places)), False)
        group, waiting = {nothing}, [nothing]
        while waiting:
            places, swaps = waiting.pop()
            for one in self.listed:
                after = (tuple(places[at] for at in one.places), swaps != bool(one.exchange))
                if after not in group:
                    group.add(after)
                    waiting.append(after)
        self._orbits: dict[str, str] = {}
        self._ends: dict[str, int | None] = {}
        self._moves: dict[str, set[str]] = defaultdict(set)
        for board in boards:
            if board in self._orbits:
                continue
            targets = chance.sample(boards, chance.randint(1, 3))
            end = chance.choice([None, None, None, r.MOVER_WINS, r.MOVER_LOSES, r.DRAW])
            for places, swaps in group:
                letters = swap if swaps else {}
                other = image(board, places, letters)
                self._orbits[other] = min(self._orbits.get(other, board), board)
                self._ends[other] = end
                self._moves[other].update(image(target, places, letters) for target in targets)
        self.boards = boards


class OneByOne:
    name = "drawn"

    def __init__(self, drawn: Drawn, form: str, folded: str) -> None:
        self._drawn = drawn
        self._to, self._of = FORMS[form]
        self.parameters: Any = None
        if folded == "listed":
            exchanged = {self._letter(form, "x"): self._letter(form, "o")}
            exchanged |= {other: one for one, other in exchanged.items()}
            self.symmetries = [
                Symmetry(one.places, exchanged if one.exchange else {}) for one in drawn.listed
            ]
        elif folded == "method":
            self.canonical = lambda state: self._to(drawn._orbits[self._of(state)])

    @staticmethod
    def _letter(form: str, letter: str) -> Any:
        number = LETTERS.index(letter)
        return {"bytes": number, "numbers": 1000 * number}.get(form, letter)

    def roots(self) -> Any:
        return [self._to(board) for board in self._drawn.boards]

    def terminal(self, state: Any) -> int | None:
        return self._drawn._ends[self._of(state)]

    def moves(self, state: Any) -> Any:
        return [self._to(board) for board in sorted(self._drawn._moves[self._of(state)])]


class InBatches:
    """The same with two bits for each place, or with two boards of bits."""

    name = "drawn"

    def __init__(self, drawn: Drawn, form: str, folded: str) -> None:
        self._drawn = drawn
        self.parameters: Any = None
        places = drawn._places

        def packed(board: str) -> int:
            if form == "digits":
                return sum(LETTERS.index(one) << (2 * at) for at, one in enumerate(board))
            return sum(1 << (at + places * (one == "o")) for at, one in enumerate(board) if one != ".")

        self._to = packed
        self._board = {packed(board): board for board in drawn.boards}
        if folded == "listed":
            on_bits = symmetry.digits if form == "digits" else symmetry.planes
            exchange = on_bits([range(places)], 2, (0, 1))[-1]
            listed = []
            for one in drawn.listed:
                (bits,) = on_bits([one.places], 2)
                both = Symmetry(tuple(bits.places[at] for at in exchange.places))
                listed.append(both if one.exchange else bits)
            self.symmetries = listed
        elif folded == "method":
            self.canonical = lambda states: np.array(
                [packed(drawn._orbits[self._board[one]]) for one in states.tolist()], np.uint64
            )

    def roots(self) -> Any:
        return sorted(self._board)

    def terminal(self, states: Any) -> Any:
        ends = [self._drawn._ends[self._board[one]] for one in states.tolist()]
        return [r.ONGOING if end is None else end for end in ends]

    def expand(self, states: Any) -> Any:
        found = [
            (at, self._to(board))
            for at, one in enumerate(states.tolist())
            for board in sorted(self._drawn._moves[self._board[one]])
        ]
        parents, after = zip(*found, strict=True)
        return np.array(parents), np.array(after, np.uint64)


@pytest.mark.parametrize("seeds", [range(first, first + 25) for first in range(0, 200, 25)], ids=str)
def test_folded_values_are_those_of_all_states(seeds: range) -> None:
    for seed in seeds:
        drawn = Drawn(seed)
        plain = r.solve(OneByOne(drawn, "text", "no"))
        expected = plain.probe_many(drawn.boards)
        orbits = len(set(drawn._orbits.values()))
        folded = ["listed", "method"][seed % 2]
        forms = [*FORMS, "digits", "planes"]
        for form in {forms[seed % 8], forms[(seed + 3) % 8]}:
            if form == "rows" and drawn._places != 4:
                continue
            kind = InBatches if form in ("digits", "planes") else OneByOne
            game = kind(drawn, form, folded)
            table = r.solve(game)
            assert len(table) == orbits, (seed, form)
            values = table.probe_many([game._to(board) for board in drawn.boards])
            assert (values.outcomes == expected.outcomes).all(), (seed, form)
            assert (values.plies == expected.plies).all(), (seed, form)
            assert r.laws(game).states == orbits, (seed, form)


def test_a_board_and_a_ring_have_the_symmetries_of_geometry() -> None:
    assert len(closed(symmetry.board(3, 3), False)) == 7
    assert len(closed(symmetry.board(2, 3), False)) == 3
    assert len(closed(symmetry.ring(5), False)) == 9
    assert len(closed(symmetry.row(4), False)) == 1
    petersen = [[1, 4, 5], [0, 2, 6], [1, 3, 7], [2, 4, 8], [0, 3, 9]]
    petersen += [[0, 7, 8], [1, 8, 9], [2, 5, 9], [3, 5, 6], [4, 6, 7]]
    assert len(symmetry.graph(petersen)) == 120
    assert len(closed(symmetry.graph(petersen), False)) == 119
    # A ring with a direction can't be mirrored.
    assert len(symmetry.graph([[1], [2], [3], [0]], directed=True)) == 4


def test_three_in_a_row_has_the_published_number_of_positions() -> None:
    class Folded(own.MnkInBatches):
        symmetries = symmetry.planes(symmetry.board(3, 3))

    # 5,478 positions, and 765 that differ by more than turning the board.
    assert len(r.solve(own.MnkInBatches(3, 3, 3))) == 5_478
    table = r.solve(Folded(3, 3, 3))
    assert len(table) == 765 and table.probe().value == "draw"
    assert len(table.moves()) == 9


@pytest.mark.parametrize(
    ("symmetries", "told"),
    [
        ([(1, 0)], "symmetries(21): ValueError: they are of 2 places, but neither the state nor"),
        ([(0, 2)], "Slip.symmetries: (0, 2) is no permutation: expected each of 0 to 1 once"),
        ([(0, 1), (0, 1, 2)], "Slip.symmetries: expected permutations of one number of places"),
        ([Symmetry((0, 1), {"x": "o"})], "Slip.symmetries: exchange: {'x': 'o'} is no exchange"),
        ([3], "Slip.symmetries: 3 is no permutation: expected a list of permutations of places"),
        ((1, 0), "Slip.symmetries: 1 is no permutation: expected a list of permutations of places"),
        ([(0.0, 1)], "Slip.symmetries: (0.0, 1) is no permutation: expected each of 0 to 1 once"),
        ([Symmetry((0, 1), ["xo"])], "Slip.symmetries: exchange: expected pairs, as in {'x': 'o'"),  # type: ignore[arg-type]
        ("no list", "Slip.symmetries is 'no list': expected a list of permutations of places"),
        (
            [[*range(1, 10), 0], [1, 0, *range(2, 10)]],
            "Slip.symmetries: there are more than 5,040 symmetries",
        ),
    ],
)
def test_wrong_symmetries_are_refused_before_anything_is_solved(symmetries: Any, told: str) -> None:
    slip = type("Slip", (own.Nim,), {"symmetries": symmetries})
    with pytest.raises(r.GameError) as refused:
        r.solve(slip(21))
    assert str(refused.value).startswith(told)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (
            lambda: symmetry.graph([[1], [0, 2], [1, 5]]),
            "graph: node 2 has the neighbour 5: expected nodes from",
        ),
        (lambda: symmetry.graph([[1], [0, "2"], [1]]), "graph: node 1 has the neighbour '2': expected nodes"),
        (lambda: symmetry.graph([[1], [], []]), "node 1 lacks the neighbour 0: name it there, too, or write"),
        (lambda: symmetry.graph({0: [1], 1: [0]}), "graph: expected the neighbours of node 0, of node 1"),
        (lambda: symmetry.graph([]), "graph: expected the neighbours of one node or more"),
        (
            lambda: symmetry.graph([[]] * 8),
            "graph: it has more than 5,040 symmetries: write canonical(state)",
        ),
        (lambda: symmetry.row(0), "row: length: expected a whole number from 1 on, and not 0"),
        (lambda: symmetry.ring("4"), "ring: length: expected a whole number from 1 on, and not '4'"),
        (lambda: symmetry.board(-1, 3), "board: rows: expected a whole number from 1 on, and not -1"),
        (lambda: symmetry.board(3, 0), "board: columns: expected a whole number from 1 on, and not 0"),
        (lambda: symmetry.planes(symmetry.row(3), 0), "planes: count: expected a whole number from 1 on"),
        (
            lambda: symmetry.planes(symmetry.row(3), exchanged=(1, 1)),
            "planes: exchanged: expected two numbers",
        ),
        (
            lambda: symmetry.digits(symmetry.row(3), exchanged=(0, 5)),
            "expected two numbers from 0 to 1, and not",
        ),
    ],
)
def test_wrong_places_are_refused(made: Any, told: str) -> None:
    with pytest.raises(r.UsageError) as refused:
        made()
    assert told in str(refused.value)


class Mirrored:
    """Marks are put on a row of three, the same by both players. Whoever puts the last one wins."""

    def roots(self) -> list[str]:
        return ["..."]

    def terminal(self, row: str) -> int | None:
        return None if "." in row else r.MOVER_LOSES

    def moves(self, row: str) -> list[str]:
        return [row[:at] + "x" + row[at + 1 :] for at in range(3) if row[at] == "."]


class MirroredInBatches(Mirrored):
    """The same with the numbers of the rows. Only those below 8 have a mirror image."""

    name = "mirrored"
    moves = None  # type: ignore[assignment]

    def roots(self) -> Any:
        return [0]

    def terminal(self, rows: np.ndarray) -> Any:
        return np.where(rows == 7, r.MOVER_LOSES, r.ONGOING)

    def expand(self, rows: np.ndarray) -> Any:
        free = (rows[:, None] >> np.arange(3, dtype=np.uint64)) & np.uint64(1) == 0
        parents, bits = np.nonzero(free)
        return parents, rows[parents] | np.uint64(1) << bits.astype(np.uint64)

    def canonical(self, rows: np.ndarray) -> Any:
        return np.array([0, 1, 2, 3, 1, 5, 3, 7], np.uint64)[rows]


@pytest.mark.parametrize(
    ("game", "bad", "told"),
    [
        (Mirrored(), "x", "is not in the table"),
        (type("Listed", (Mirrored,), {"symmetries": symmetry.row(3)})(), "x", "expected the 3 places that"),
        (
            type(
                "Tiers", (Mirrored,), {"symmetries": symmetry.row(3), "tier": lambda _, row: row.count(".")}
            )(),
            "....",
            "tier",
        ),
        (
            type("Method", (Mirrored,), {"canonical": lambda _, row: min(row, row[2] + row[1] + row[0])})(),
            "x",
            "canonical('x'): IndexError: string index out of range",
        ),
        (MirroredInBatches(), "8", "canonical(1 states from 8 on): IndexError"),
    ],
)
def test_a_malformed_state_is_not_in_the_table(game: Any, bad: str, told: str) -> None:
    table = r.solve(game)
    for ask in [table.probe, table.moves, table.line, lambda state: table.probe_many([table.start, state])]:
        with pytest.raises(r.NotInTableError) as refused:
            ask(bad)
        assert told in str(refused.value)
    assert bad not in table
    found = table.probe_many([table.start, bad], missing="unused").outcomes
    assert found.tolist() == [r.WIN, r.UNUSED]


def test_a_class_has_one_kind_of_symmetries() -> None:
    both = {"symmetries": [(0,)], "canonical": lambda self, state: state}
    with pytest.raises(r.GameError, match="expected one of them"):
        r.solve(type("Both", (own.Nim,), both)(21))


def test_what_is_no_symmetry_is_found_by_the_laws() -> None:
    class Lopsided:
        """Only the first letter counts, so that to mirror the row is no symmetry."""

        symmetries = symmetry.row(2)

        def roots(self) -> list[str]:
            return ["ab", "ba"]

        def terminal(self, state: str) -> int:
            return r.MOVER_WINS if state[0] == "a" else r.MOVER_LOSES

        def moves(self, state: str) -> list[str]:
            return []

    with pytest.raises(r.LawError) as found:
        r.laws(Lopsided())
    assert "ab" in str(found.value) and "ba" in str(found.value)


def test_a_broken_law_of_symmetries_says_where_to_look() -> None:
    class Exchanged(own.Nim):
        """Crosses and noughts in turn on a row of three; whoever puts the last one wins."""

        symmetries = symmetry.exchange(symmetry.row(3), {"x": "o", "o": "x"})

        def roots(self) -> Any:
            return ["..."]

        def terminal(self, row: Any) -> int | None:
            return None if "." in row else r.MOVER_LOSES

        def moves(self, row: Any) -> Any:
            mark = "ox"[row.count("x") > row.count("o")] if row.count(".") % 2 == 0 else "x"
            return [row[:at] + mark + row[at + 1 :] for at in range(3) if row[at] == "."]

    with pytest.raises(r.RetrogradeError) as found:
        r.solve(Exchanged(3))
    told = str(found.value)
    assert "symmetry.exchange suits colours that belong to nobody" in told
    assert "retrograde.laws(game)" in told and "index" not in told


class Sides:
    """Two players fill a row of three with marks of their own. Whoever puts the last one wins."""

    def roots(self) -> list[tuple[str, str]]:
        return [("...", "x"), ("...", "o")]

    def terminal(self, state: tuple[str, str]) -> int | None:
        return None if "." in state[0] else r.MOVER_LOSES

    def moves(self, state: tuple[str, str]) -> list[tuple[str, str]]:
        row, mark = state
        other = "xo"[mark == "x"]
        return [(row[:at] + mark + row[at + 1 :], other) for at in range(3) if row[at] == "."]

    def canonical(self, state: tuple[str, str]) -> tuple[str, ...]:
        exchange = str.maketrans("xo", "ox")
        return min(state, (state[0].translate(exchange), state[1].translate(exchange)))


def test_players_are_exchanged_where_turn_does_not_name_them() -> None:
    class Named(Sides):
        def turn(self, state: tuple[str, str]) -> int:
            return "xo".index(state[1])

    table = r.solve(Sides())
    assert table.probe(("x..", "o")) and table.verify().states == len(table) == r.laws(Sides()).states
    with pytest.raises(r.RetrogradeError, match="but different players are to move: leave `turn` out"):
        r.solve(Named())


def test_a_canonical_that_fails_names_the_state() -> None:
    class Slip(own.Nim):
        def canonical(self, heap: int) -> int:
            return heap // (heap - 5) * 0 + heap

    with pytest.raises(r.GameError, match=r"canonical\(5\): ZeroDivisionError"):
        r.solve(Slip(21))
