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


def test_a_position_is_shown_in_a_frame_that_others_do_not_find(tmp_path: Path) -> None:
    table = r.solve("cat-mouse", graph=[[1, 3], [0], [3], [0, 2]], output=tmp_path / "a b.rtb")
    shown = table.show("1,2,cat")
    address, _, place = shown.url.partition("#")
    assert place == "a%20b/1%2C2%2Ccat" and f'<iframe src="{shown.url}"' in shown._repr_html_()
    with urlopen(address, timeout=30) as answer:
        policy = answer.headers["content-security-policy"]
        assert "<title>" in answer.read().decode()
    assert "frame-ancestors 'self' http://localhost:*" in policy and "frame-ancestors 'none'" not in policy
    assert json.loads(get(address + "api/tables"))["tables"][0]["name"] == "a b"
    assert "svg" in get(address + "app.js")
    origin, secret = address.rstrip("/").rsplit("/", 1)
    assert len(secret) > 40
    for path in ["/", "/api/tables", f"/{secret}", f"/{secret[:-1]}/api/tables", "/app.js"]:
        with pytest.raises(HTTPError, match="404"):
            get(origin + path)
    assert table.show().url.startswith(address) and table.show().url.endswith("#a%20b")
    with pytest.raises(r.StateError):
        table.show("nonsense")
    table.close()
    with pytest.raises(URLError):
        get(address)


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


def test_a_game_that_is_drawn_in_text_is_served_as_text() -> None:
    class Drawn(own.Nim):
        def draw(self, heap: int) -> str:
            return "<o>\n" * heap

    with r.solve(Drawn(3)).serve(show=False) as server:
        position = json.loads(get(server.url + "api/tables/drawn/position"))
        assert position["picture"] is None and position["text"] == "<o>\n" * 3
