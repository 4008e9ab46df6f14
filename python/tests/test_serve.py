"""The page of a table."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import games as own
import pytest

import retrograde as r


def get(url: str) -> str:
    with urlopen(url, timeout=30) as answer:
        return str(answer.read().decode())


def test_a_table_is_served(park: r.Table) -> None:
    with park.serve(show=False) as server:
        assert "<title>" in get(server.url) and server.url in server._repr_html_()
        assert json.loads(get(server.url + "api/tables/park/probe"))["plies"] == 7
        url = server.url
    with pytest.raises(URLError):
        get(url)


def test_a_rule_that_raises_is_an_error_of_its_question() -> None:
    class Moody(own.Nim):
        mood = "good"

        def moves(self, heap: int) -> list[int]:
            if self.mood == "bad" and heap == 5:
                raise RuntimeError("not now")
            return super().moves(heap)

    game = Moody(21)
    table = r.solve(game)
    with table.serve(show=False) as server:
        game.mood = "bad"
        with pytest.raises(HTTPError, match="500"):
            get(server.url + "api/tables/moody/moves?state=5")
        assert json.loads(get(server.url + "api/tables/moody/moves?state=4"))["won"] == []
    # Nothing of it is left for others.
    assert table.probe("4").value == "loss"


def test_a_game_in_python_is_served(tmp_path: Path) -> None:
    table = r.solve(own.Mnk(3, 3, 3), output=tmp_path / "ttt.rtb")
    with table.serve(show=False) as server:
        facts = json.loads(get(server.url + "api/tables"))["tables"][0]
        assert facts["game"] == "own-mnk"
        position = json.loads(get(server.url + "api/tables/ttt/position"))
        assert len(position["moves"]["drawn"]) == 9 and position["picture"]["svg"]
        assert position["moves"]["drawn"][0]["places"] == [0]
