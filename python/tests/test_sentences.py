"""Sentences are for people: with all those of the engine changed at random, everything works as before."""

from __future__ import annotations

import dataclasses
import inspect
import json
import logging
import pickle
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import games as own
import pytest

import retrograde as r
from retrograde import _commands, _engine

# The sentences of the engine, for people. All else is data.
SENTENCES = {
    "description",
    "about",
    "described",
    "detail",
    "help",
    "message",
    "notation",
    "note",
    "positions",
    "problem",
    "rules",
    "title",
    "verdict",
}

GRAPH = [[1, 3], [0], [3], [0, 2]]

ENGINE_CALL, OPEN_TABLE = _engine.call, _engine.OpenTable


class Sentences:
    """Changes the sentences that come from the engine."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.changed = 0

    def sentence(self, _: str) -> str:
        self.changed += 1
        letters = "abcdefghij -'\"`:;,.<>[]{}%\\1=ü"
        return "".join(self._random.choices(letters, k=self._random.randrange(1, 60)))

    def data(self, data: Any) -> Any:
        if isinstance(data, list):
            return [self.data(one) for one in data]
        if isinstance(data, dict):
            return {
                name: self.sentence(one) if name in SENTENCES and isinstance(one, str) else self.data(one)
                for name, one in data.items()
            }
        return data

    def raised(self, problem: r.RetrogradeError) -> r.RetrogradeError:
        changed = type(problem)(self.sentence(str(problem)), code=problem.code, fields=problem.fields)
        changed.__cause__ = problem.__cause__
        return changed

    def guard(self, asked: Callable[..., Any], *args: Any) -> Any:
        try:
            return asked(*args)
        except r.RetrogradeError as problem:
            raise self.raised(problem) from problem.__cause__

    def heard(self, hears: Callable[[str], object] | None) -> Callable[[str], object] | None:
        return None if hears is None else lambda text: hears(self.sentence(text))

    def call(self, arguments: list[str], game: Any, failure: str, *hear: Any) -> str:
        heard = [self.heard(one) for one in hear]
        answer = self.guard(ENGINE_CALL, arguments, game, failure, *heard)
        return json.dumps(self.data(json.loads(answer)))


def open_table(sentences: Sentences) -> type:
    """A class in the place of the engine's."""

    class OpenTable:
        def __init__(self, *args: Any) -> None:
            self._table = sentences.guard(OPEN_TABLE, *args)

        questions = staticmethod(lambda: json.dumps(sentences.data(json.loads(OPEN_TABLE.questions()))))

        def ask(self, question: str, query: str) -> str:
            answer = str(sentences.guard(self._table.ask, question, query))
            return answer if answer.startswith("<svg") else json.dumps(sentences.data(json.loads(answer)))

        def judge(self, states: list[str]) -> Any:
            columns, problem = self._table.judge(states)
            return columns, problem and (problem[0], sentences.raised(problem[1]))

        def __getattr__(self, name: str) -> Any:
            return lambda *args: sentences.guard(getattr(self._table, name), *args)

    return OpenTable


@pytest.fixture(params=range(4))
def sentences(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sentences]:
    changed = Sentences(request.param)
    monkeypatch.setattr(_engine, "call", changed.call)
    monkeypatch.setattr(_engine, "OpenTable", open_table(changed))
    _commands._listed.cache_clear()
    yield changed
    _commands._listed.cache_clear()


def without_sentences(data: Any) -> Any:
    """Plain data that can be compared, of which the sentences are left out."""
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        return {
            one.name: without_sentences(getattr(data, one.name))
            for one in dataclasses.fields(data)
            if one.name not in SENTENCES and one.name not in ("_table", "seconds")
        }
    if isinstance(data, (list, tuple)):
        return [without_sentences(one) for one in data]
    if isinstance(data, dict):
        return {name: without_sentences(one) for name, one in data.items() if name not in SENTENCES}
    return data


def failure(does: Callable[[], Any]) -> Any:
    """The data of an error."""
    with pytest.raises(r.RetrogradeError) as raised:
        does()
    problem = raised.value
    assert pickle.loads(pickle.dumps(problem)).code == problem.code
    return type(problem).__name__, problem.code, problem.fields


def seen_of(table: r.Table) -> list[Any]:
    """What a table answers."""
    states = [one for one in table.states if one is not None][:40]
    values = table.probe_many([*states, "nonsense"], missing="unused")
    return [
        without_sentences([table.probe(one), table.moves(one), pickle.loads(pickle.dumps(table.probe(one)))])
        for one in states
    ] + [
        without_sentences([table.line(), table.stats(), table.examples("win", count=5)]),
        values.outcomes.tolist(),
        [table.game, table.players, table.start, len(table), states[0] in table, "nonsense" in table],
        table.svg() is None,
        table.outcomes().tolist(),
        without_sentences(table.verify()),
        without_sentences(
            # Not every game has pieces to set up.
            [table.ask(one.name) for one in table.questions if one.is_json and one.name != "setup"]
        ),
    ]


def observe(folder: Path, log: logging.Handler) -> list[Any]:
    """What a program finds out, without a sentence."""
    shipped = r.games()
    seen: list[Any] = [
        without_sentences([[one.name, one.options] for one in shipped.values()]),
        without_sentences(shipped.options),
        [[(p.name, str(p.default)) for p in signature(one).parameters.values()] for one in shipped.values()],
    ]
    path = folder / "park.rtb"
    with r.solve("cat-mouse", graph=GRAPH, output=path, force=True) as table:
        seen += seen_of(table)
        seen += [
            failure(lambda: table.probe("nonsense")),
            failure(lambda: table.probe_many(["nonsense"])),
            failure(lambda: table.line(plies=-1)),
            failure(lambda: table.examples("no-such-kind")),
            failure(lambda: table.examples("win", tier="no-such-tier")),
            failure(lambda: table._ask("no-such-question")),
        ]
    outcomes = folder / "outcomes.rtb"
    with r.solve("cat-mouse", graph=GRAPH, output=outcomes, outcomes_only=True, force=True) as table:
        seen.append(failure(table.line))
    with r.solve("kalah", houses=2, seeds=2, output=folder / "kalah") as table:
        seen += seen_of(table)
    with r.solve(own.Nim(9)) as table:
        seen += seen_of(table)
        seen.append(failure(lambda: table.probe("12 left")))
        table.save(folder / "nim.rtb", force=True)
    with r.open(folder / "nim.rtb") as table:
        seen.append(failure(table.probe))
    seen += [
        failure(lambda: r.solve("chss")),
        failure(lambda: r.solve("cat-mouse")),
        failure(lambda: r.solve("mnk", colums=3)),
        failure(lambda: r.solve("mnk", plies=3)),
        failure(lambda: r.solve("mnk", threads="many")),
        failure(lambda: r.solve("mnk", numbering="sparse")),
        failure(lambda: r.solve("mnk", max_states=100)),
        failure(lambda: r.solve("mnk", memory="1KiB")),
        failure(lambda: r.open(folder / "nothing.rtb")),
        without_sentences([r.explore("mnk"), r.laws("mnk")]),
        isinstance(r.rules("mnk"), str),
        # The same notes are heard.
        log.count,  # type: ignore[attr-defined]
    ]
    return json.loads(json.dumps(seen))  # type: ignore[no-any-return]


def signature(game: r.ShippedGame) -> inspect.Signature:
    return inspect.signature(game.solve)


class Counting(logging.Handler):
    """Counts the notes."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1


def counted(folder: Path) -> list[Any]:
    folder.mkdir(exist_ok=True)
    logger, handler = logging.getLogger("retrograde"), Counting("INFO")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel("INFO")
    try:
        return observe(folder, handler)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


@pytest.fixture(scope="module")
def as_it_is(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    return counted(tmp_path_factory.mktemp("sentences") / "plain")


def test_programs_read_no_sentence(as_it_is: list[Any], sentences: Sentences, tmp_path: Path) -> None:
    found = counted(tmp_path / "changed")
    assert sentences.changed > 500
    text = json.dumps
    for one, other in zip(as_it_is, found, strict=True):
        assert text(one).replace("/plain/", "/") == text(other).replace("/changed/", "/") or same_but_paths(
            one, other
        )


def same_but_paths(one: Any, other: Any) -> bool:
    """Whether two errors about a file differ in where the file is, and in nothing else."""
    if not (isinstance(one, list) and len(one) == 3 and isinstance(one[2], dict) and "path" in one[2]):
        return False
    names = [Path(each[2]["path"]).name for each in (one, other)]
    return names[0] == names[1] and one[:2] == other[:2]


def test_errors_say_their_kind_and_what_they_are_about(park: Any) -> None:
    with pytest.raises(r.UsageError) as wrong:
        r.solve("mnk", colums=3)
    assert (wrong.value.code, wrong.value.fields["meant"]) == ("unknown-option", "columns")
    with pytest.raises(r.StateError) as unread:
        park.probe("1,2,dog")
    assert (unread.value.code, unread.value.fields) == ("not-a-state", {"state": "1,2,dog"})
    with pytest.raises(r.SolveError) as many:
        r.solve("mnk", max_states=100)
    assert many.value.code == "solve"
    with pytest.raises(r.SolveError) as little:
        r.solve("chess", material="KRvK", memory=10_000)
    assert little.value.fields["needed_bytes"] > little.value.fields["allowed_bytes"] == 10_000

    class Stuck:
        """A game that has a state without moves and without an outcome."""

        def roots(self) -> list[int]:
            return [3]

        def moves(self, state: int) -> list[int]:
            return [state - 1] if state > 1 else []

        def terminal(self, state: int) -> None:
            return None

    with pytest.raises(r.RetrogradeError) as unlawful:
        r.solve(Stuck())
    assert (unlawful.value.code, unlawful.value.fields["law"]) == ("law", "no-moves")
    assert unlawful.value.fields["states"] == ["1"]
    # Errors that Python itself raises have one, too.
    with pytest.raises(r.GameError) as broken:
        r.solve(object())
    assert (broken.value.code, broken.value.fields) == ("game", {})
