"""What tables answer: small classes that never change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from ._table import Table


def many(count: int, one: str, more: str | None = None) -> str:
    """How many there are, in words: ``1 ply``, ``2,000 plies``."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


class _WithoutTable:
    """A table is left behind when its answer is pickled or copied to another process."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        from ._table import Table

        own = [getattr(self, one.name) for one in fields(self)]  # type: ignore[arg-type]
        return (type(self), tuple(None if isinstance(one, Table) else one for one in own))


@dataclass(frozen=True, repr=False)
class Position(_WithoutTable):
    """A position and who wins it.

    ``state``
        The state in the notation of its game.
    ``to_move``
        The player to move; None where states do not say it.
    ``value``
        What it is worth to the player to move: ``"win"``, ``"draw"`` or ``"loss"``.
    ``outcome``
        Who wins: a player's name, ``"mover"``, ``"opponent"`` or ``"draw"``.
    ``plies``
        In how many plies the win or loss comes, with best play of both: the winner hurries, and the loser
        delays. In a game with points, play is then over, or nothing more is gained since it never ends.
        None for draws, for what endless play or the ply limit decides, and where only outcomes are known.
    ``decided_by``
        ``"play"``, ``"endless"`` or ``"ply-limit"``.
    ``over``
        Whether play is over.
    ``verdict``
        The same in words.
    ``points``
        In a game with points, by how many the winner wins, counted from this position on: what was gained
        before is not among them.
    ``note``
        What the text of the position says and the table does not know, where it may change who wins.
    """

    state: str
    to_move: str | None
    value: str
    outcome: str
    plies: int | None
    decided_by: str
    over: bool
    verdict: str
    points: int | None = None
    note: str | None = None
    _table: Table | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<{self.state}: {self.verdict}>"

    def svg(self, *, flip: bool = False) -> str | None:
        """A picture as SVG; None where the game has none."""
        return None if self._table is None else self._table.svg(self.state, flip=flip)

    def _drawing(self) -> str | None:
        return None if self._table is None else self._table._drawing(self.state)

    def _repr_html_(self) -> str:
        from ._pictures import figure

        return figure(self)


@dataclass(frozen=True, repr=False)
class Move(_WithoutTable):
    """A move, and the position that it leads to.

    ``move``
        The move in the notation of its game.
    ``worth``
        What it is worth to the player who makes it: ``"win"``, ``"draw"`` or ``"loss"``.
    ``best``
        Whether no other move is better.
    ``position``
        The :class:`Position` after it. Its ``value`` is for the other player, if that is to move there.
    ``gain``
        In a game with points, how many the move itself gains for the player who makes it.
    ``total``
        In a game with points, how many the move gains with all that follows. If it is negative,
        the player loses by so many.
    ``score``
        On a line of a game with points, after this move: how many more the player to move at its start has
        gained since then. At the end of play, what the end is worth is among them.
    ``only``
        On a line, whether every other move gives away a win or a draw.
    """

    move: str
    worth: str
    best: bool
    position: Position
    gain: int | None = None
    total: int | None = None
    score: int | None = None
    only: bool | None = None

    def __repr__(self) -> str:
        best = ", best" if self.best else ""
        return f"<{self.move}: {self.worth}{best}; then {self.position.verdict}>"


@dataclass(frozen=True, repr=False)
class Line(_WithoutTable, Sequence[Move]):
    """Best play from a position: a sequence of moves.

    ``start``
        The :class:`Position` that it begins with.
    ``moves``
        The moves, each a :class:`Move`.
    ``end``
        How it ends: ``"over"``, ``"repetition"``, ``"ply-limit"`` or ``"cut"``.
    """

    start: Position
    moves: tuple[Move, ...]
    end: str

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
    ``g = networkx.DiGraph(); g.add_nodes_from(graph.nodes); g.add_edges_from(graph.edges)``.

    ``nodes``
        Each state once, with what :class:`Position` says of it, and its ``ply``: after how many plies play
        first reaches it. What is None is left out.
    ``edges``
        Each move from a state to a state, with its ``move``, ``worth``, ``best`` and ``gain``.
    """

    nodes: list[tuple[str, dict[str, Any]]]
    edges: list[tuple[str, str, dict[str, Any]]]

    def __repr__(self) -> str:
        return f"<{many(len(self.nodes), 'state')}, {many(len(self.edges), 'move')}>"


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
    """How many states are won, and how many lost, in a number of plies.

    ``plies``
        The number of plies.
    ``won``, ``lost``
        How many states the player to move wins or loses in so many.
    """

    plies: int
    won: int
    lost: int


@dataclass(frozen=True, repr=False)
class Stats:
    """How many states a table has of each kind.

    ``game``, ``parameters``, ``numbering``
        The game, its parameters, and how its states are numbered.
    ``states``
        How many states there are.
    ``won``, ``lost``, ``drawn``
        How many of them the player to move wins, loses and draws.
    ``endless``
        How many of these are decided by endless play.
    ``longest_plies``
        The longest forced win or loss, in plies; None where there is none, or only outcomes are known.
    ``distances``
        How many are won and lost in each number of plies: a :class:`Distance` each.
    ``bytes``
        How many bytes the table takes.
    ``tiers``
        In a game in tiers, the counts of each.
    ``points``
        In a game with points, how many ``states`` gain the player to move each number of ``points``.
    ``wins``
        How many states each player wins, by name; ``"mover"`` and ``"opponent"`` where states do not say who
        is to move, or the rules are missing.
    """

    game: str
    parameters: Any
    numbering: str
    states: int
    won: int
    lost: int
    drawn: int
    endless: int
    longest_plies: int | None
    distances: tuple[Distance, ...]
    bytes: int
    tiers: tuple[Any, ...] = ()
    points: tuple[Any, ...] = ()
    wins: dict[str, int] = field(default_factory=dict)

    def _in_words(self) -> str:
        longest = (
            "" if self.longest_plies is None else f", longest {many(self.longest_plies, 'ply', 'plies')}"
        )
        return (
            f"{self.game}: {many(self.states, 'state')}: {self.won:,} won, {self.lost:,} lost, "
            f"{self.drawn:,} drawn{longest}"
        )

    def __repr__(self) -> str:
        return f"<{self._in_words()}>"

    def _repr_html_(self) -> str:
        from ._pictures import histogram

        return histogram(self)


@dataclass(frozen=True, repr=False)
class Verified:
    """What ``verify`` has proved.

    ``states``
        How many states have the right value: all of the table or of the tier.
    ``seconds``
        How long it took.
    """

    states: int
    seconds: float

    def __repr__(self) -> str:
        if self.states == 1:
            return "<the value of the only state is right>"
        return f"<the values of all {self.states:,} states are right>"


@dataclass(frozen=True, repr=False)
class Lawful:
    """What ``laws`` has checked.

    ``states``, ``moves``, ``predecessors``
        How many of each.
    """

    states: int
    moves: int
    predecessors: int

    def __repr__(self) -> str:
        return f"<lawful: {many(self.states, 'state')} and {many(self.moves, 'move')} were checked>"


@dataclass(frozen=True, repr=False)
class Survey:
    """The states that play can reach, which ``explore`` has counted.

    ``states``, ``terminal``
        How many states there are, and in how many of them play is over.
    ``moves``
        How many moves they have.
    ``plies``
        How many states are first reached after each number of plies.
    ``seconds``
        How long it took.
    """

    states: int
    terminal: int
    moves: int
    plies: tuple[int, ...]
    seconds: float

    def __repr__(self) -> str:
        return (
            f"<{many(self.states, 'state')}, {self.terminal:,} of them terminal, {many(self.moves, 'move')}, "
            f"{many(len(self.plies) - 1, 'ply', 'plies')} deep>"
        )


@dataclass(frozen=True)
class Question:
    """A question that tables answer.

    ``name``
        Its name; empty for the question what the table is.
    ``about``
        What it asks, in words.
    ``parameters``
        The names of its parameters, and what each is.
    ``is_json``
        Whether the answer is data, and not a picture.
    """

    name: str
    about: str
    parameters: dict[str, str]
    is_json: bool


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
        only=answer.get("only"),
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
