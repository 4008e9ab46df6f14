"""What tables answer: small classes that never change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from ._table import Table


class _WithoutTable:
    """A table is left behind when its answer is pickled or copied to another process."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        from ._table import Table

        own = [getattr(self, one.name) for one in fields(self)]  # type: ignore[arg-type]
        return (type(self), tuple(None if isinstance(one, Table) else one for one in own))


@dataclass(frozen=True, repr=False)
class Position(_WithoutTable):
    """A position and who wins it."""

    state: str
    """The state in the notation of its game."""
    to_move: str | None
    """The player to move; None where states do not say it."""
    value: str
    """What it is worth to the player to move: ``"win"``, ``"draw"`` or ``"loss"``."""
    outcome: str
    """Who wins: a player's name, ``"mover"``, ``"opponent"`` or ``"draw"``."""
    plies: int | None
    """In how many plies a win is forced; None for draws and where only outcomes are known."""
    decided_by: str
    """``"play"``, ``"endless"`` or ``"ply-limit"``."""
    over: bool
    """Whether play is over."""
    verdict: str
    """The same in words."""
    points: int | None = None
    """By how many points the winner wins, in a game with points."""
    note: str | None = None
    """What the text of the position says and the table does not know, where it may change who wins."""
    _table: Table | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<{self.state}: {self.verdict}>"

    def svg(self, *, flip: bool = False) -> str | None:
        """A picture as SVG; None where the game has none."""
        return None if self._table is None else self._table.svg(self.state, flip=flip)

    def _repr_html_(self) -> str:
        from ._pictures import figure

        return figure(self)


@dataclass(frozen=True, repr=False)
class Move(_WithoutTable):
    """A move, and the position that it leads to."""

    move: str
    """The move in the notation of its game."""
    worth: str
    """What it is worth to the player who makes it: ``"win"``, ``"draw"`` or ``"loss"``."""
    best: bool
    """Whether no other move is better."""
    position: Position
    """The position after it."""
    gain: int | None = None
    """In a game with points, how many the move gains."""
    total: int | None = None
    """In a game with points, what the move is worth with all that follows."""
    score: int | None = None
    """On a line of a game with points: how many points the player to move at its start has gained
    more than the other after this move. At the end of play, what the end is worth is among them."""

    def __repr__(self) -> str:
        best = ", best" if self.best else ""
        return f"<{self.move}: {self.worth}{best}; then {self.position.verdict}>"


@dataclass(frozen=True, repr=False)
class Line(_WithoutTable, Sequence[Move]):
    """Best play from a position: a sequence of moves."""

    start: Position
    moves: tuple[Move, ...]
    end: str
    """How it ends: ``"over"``, ``"repetition"``, ``"ply-limit"`` or ``"cut"``."""

    def __len__(self) -> int:
        return len(self.moves)

    @overload
    def __getitem__(self, at: int) -> Move: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, at: int | slice) -> Move | tuple[Move, ...]:
        return self.moves[at]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions, the first one included."""
        return (self.start, *(move.position for move in self.moves))

    def __repr__(self) -> str:
        moves = " ".join(move.move for move in self.moves[:40])
        rest = " …" if len(self.moves) > 40 else ""
        return f"<{self.start.verdict}: {moves}{rest}>"

    def _repr_html_(self) -> str:
        from ._pictures import strip

        return strip(self)


@dataclass(frozen=True, repr=False)
class Graph:
    """States and the moves between them, as ``networkx`` takes them:
    ``g = networkx.DiGraph(); g.add_nodes_from(graph.nodes); g.add_edges_from(graph.edges)``."""

    nodes: list[tuple[str, dict[str, Any]]]
    """Each state once, with what :class:`Position` says of it, and its ``ply``: after how many plies play
    first reaches it. What is None is left out."""
    edges: list[tuple[str, str, dict[str, Any]]]
    """Each move from a state to a state, with its ``move``, ``worth``, ``best`` and ``gain``."""

    def __repr__(self) -> str:
        return f"<{len(self.nodes):,} states, {len(self.edges):,} moves>"


def node(position: Position, ply: int) -> dict[str, Any]:
    """The data of a state of a graph."""
    names = ("to_move", "value", "outcome", "plies", "decided_by", "over", "verdict", "points")
    return {"ply": ply, **_some(position, names)}


def edge(move: Move) -> dict[str, Any]:
    """The data of a move of a graph."""
    return _some(move, ("move", "worth", "best", "gain"))


def _some(answer: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(answer, name)) is not None}


@dataclass(frozen=True)
class Distance:
    """How many states are won, and how many lost, in a number of plies."""

    plies: int
    won: int
    lost: int


@dataclass(frozen=True, repr=False)
class Stats:
    """How many states a table has of each kind."""

    game: str
    parameters: Any
    numbering: str
    states: int
    won: int
    """For the player to move, as ``lost`` and ``drawn``."""
    lost: int
    drawn: int
    endless: int
    """How many of these are decided by endless play."""
    longest_plies: int | None
    """The longest forced win or loss, in plies."""
    distances: tuple[Distance, ...]
    bytes: int
    tiers: tuple[Any, ...] = ()
    points: tuple[Any, ...] = ()
    wins: dict[str, int] = field(default_factory=dict)
    """How many states each player wins, by name; ``"mover"`` and ``"opponent"`` where states do not
    say who is to move, or the rules are missing."""

    def _in_words(self) -> str:
        longest = "" if self.longest_plies is None else f", longest {self.longest_plies} plies"
        return (
            f"{self.game}: {self.states:,} states: {self.won:,} won, {self.lost:,} lost, "
            f"{self.drawn:,} drawn{longest}"
        )

    def __repr__(self) -> str:
        return f"<{self._in_words()}>"

    def _repr_html_(self) -> str:
        from ._pictures import histogram

        return histogram(self)


@dataclass(frozen=True, repr=False)
class Verified:
    """What ``verify`` has proved."""

    states: int
    seconds: float

    def __repr__(self) -> str:
        return f"<the values of all {self.states:,} states are right>"


@dataclass(frozen=True, repr=False)
class Lawful:
    """What ``laws`` has checked."""

    states: int
    moves: int
    predecessors: int

    def __repr__(self) -> str:
        return f"<lawful: {self.states:,} states and {self.moves:,} moves were checked>"


@dataclass(frozen=True, repr=False)
class Survey:
    """The states that play can reach, which ``explore`` has counted."""

    states: int
    terminal: int
    moves: int
    plies: tuple[int, ...]
    """How many states are first reached after each number of plies."""
    seconds: float

    def __repr__(self) -> str:
        return (
            f"<{self.states:,} states, {self.terminal:,} of them terminal, {self.moves:,} moves, "
            f"{len(self.plies) - 1} plies deep>"
        )


@dataclass(frozen=True)
class Question:
    """A question that tables answer."""

    name: str
    """Its name; empty for the question what the table is."""
    about: str
    parameters: dict[str, str]
    """The names of its parameters, and what each is."""
    is_json: bool
    """Whether the answer is data, and not a picture."""


def questions(listed: list[dict[str, Any]]) -> tuple[Question, ...]:
    """The questions that the engine lists."""
    return tuple(
        Question(
            name=one["question"],
            about=one["about"],
            parameters={each["name"]: each["help"] for each in one["parameters"]},
            is_json=one["is_json"],
        )
        for one in listed
    )


def position(answer: dict[str, Any], table: Table | None) -> Position:
    """The position of an answer of the engine."""
    return Position(
        state=answer["state"],
        to_move=answer["to_move"],
        value=answer["value"],
        outcome=answer["outcome"],
        plies=answer["plies"],
        decided_by=answer["decided_by"],
        over=answer["over"],
        verdict=answer["verdict"],
        points=answer.get("points"),
        note=answer.get("note"),
        _table=table,
    )


def move(answer: dict[str, Any], table: Table | None) -> Move:
    """The move of an answer of the engine."""
    return Move(
        move=answer["move"],
        worth=answer["worth"],
        best=answer["best"],
        position=position(answer, table),
        gain=answer.get("gain"),
        total=answer.get("total"),
        score=answer.get("score"),
    )


def stats(answer: dict[str, Any]) -> Stats:
    """The counts of an answer of the engine."""
    to_move = answer["to_move"]
    return Stats(
        game=answer["game"],
        parameters=answer["parameters"],
        numbering=answer["numbering"],
        states=answer["states"],
        won=to_move["won"],
        lost=to_move["lost"],
        drawn=to_move["drawn"],
        endless=answer["endless"],
        longest_plies=answer.get("longest_plies"),
        distances=tuple(Distance(**one) for one in answer["distances"]),
        bytes=answer["bytes"],
        tiers=tuple(answer.get("tiers", ())),
        points=tuple(answer.get("points", ())),
        wins=answer["wins"],
    )
