"""The page far away from its server: what it asks for, the bytes that come, and how long they take."""

import gzip
import time

import pytest
from playwright.sync_api import expect

from explorer import encode
from host import Host
from program import modules, publish

# A slow line: bits a second, and the milliseconds until an answer begins.
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 400_000 / 8, "uploadThroughput": 400_000 / 8}

# The first view of a position: requests, bytes, and seconds until the value is read.
MOST_REQUESTS = 8
MOST_BYTES = 90_000
LATEST = 4.0


class Wire:
    """What goes over the wire for a page."""

    def __init__(self, explorer, is_slow=False):
        self.session = explorer.page.context.new_cdp_session(explorer.page)
        self.asked, self.bytes = [], 0
        self.session.send("Network.enable")
        self.session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        if is_slow:
            self.session.send("Network.emulateNetworkConditions", SLOW)
        self.session.on("Network.requestWillBeSent", self.on_request)
        self.session.on("Network.loadingFinished", self.on_finished)

    def on_request(self, event):
        if event["request"]["url"].startswith("http"):
            self.asked.append(event["request"]["url"])

    def on_finished(self, event):
        self.bytes += event["encodedDataLength"]


class Compressing(Host):
    """A host that compresses, as most do."""

    def __init__(self, folder):
        super().__init__(folder)
        plain = self.server.RequestHandlerClass

        class Handler(plain):
            def do_GET(self):
                name = self.translate_path(self.path)
                name = name + "index.html" if name.endswith("/") else name
                if "range" in self.headers or not name.endswith((".html", ".js", ".css", ".json")):
                    return super().do_GET()
                with open(name, "rb") as file:
                    body = gzip.compress(file.read())
                self.send_response(200)
                self.send_header("content-type", self.guess_type(name))
                self.send_header("content-encoding", "gzip")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                return None

        self.server.RequestHandlerClass = Handler


def check_first_view(explorer, table, state, verdict):
    wire = Wire(explorer, is_slow=True)
    begun = time.monotonic()
    explorer.page.goto(explorer.address(table, state), wait_until="commit")
    expect(explorer.button("verdict")).to_have_text(verdict)
    took = time.monotonic() - begun
    expect(explorer.page.locator("#board .scene")).to_have_count(1)
    expect(explorer.page.locator("#strip button").first).to_be_visible()
    explorer.page.locator("#histogram-note:not(:empty)").wait_for()
    print(f"{table}: {len(wire.asked)} requests, {wire.bytes:,} bytes, value after {took:.1f} s")
    assert len(wire.asked) <= MOST_REQUESTS, wire.asked
    assert wire.bytes <= MOST_BYTES
    assert took <= LATEST


@pytest.mark.of_server
@pytest.mark.parametrize("table", ["rook", "dobutsu", "kalah"])
def test_a_position_is_there_soon_over_a_slow_line(explorer, table):
    state = explorer.server.moves(table)[0]["state"]
    value = explorer.server.ask(table, "probe", state)["verdict"]
    check_first_view(explorer, table, state, value[:1].upper() + value[1:])


@pytest.mark.of_server
def test_a_game_of_many_plies_is_asked_for_at_once(explorer):
    state, moves = explorer.server.table("ring")["start"], []
    line = explorer.server.ask("ring", "line", state)["line"]
    # Endless play, gone round and round.
    while len(moves) < 70:
        moves += line
        line = explorer.server.ask("ring", "line", moves[-1]["state"])["line"]
    moves = moves[:70]
    wire = Wire(explorer, is_slow=True)
    names = ",".join(encode(move["move"]) for move in moves)
    begun = time.monotonic()
    explorer.page.goto(explorer.address("ring", moves[-1]["state"], f"?line={names}"), wait_until="commit")
    explorer.page.locator("#so-far button").nth(1).wait_for()
    took = time.monotonic() - begun
    questions = [url for url in wire.asked if "/api/tables/ring/" in url]
    print(f"{len(wire.asked)} requests, moves after {took:.1f} s")
    assert len([url for url in questions if "/game?" in url]) == 1, questions
    assert len([url for url in questions if "/position?" in url]) == 1, questions
    assert len(wire.asked) <= MOST_REQUESTS, wire.asked
    assert took <= LATEST + 2
    steps = explorer.page.locator("#so-far button[aria-current]")
    expect(steps).to_have_text(moves[-1]["move"])


@pytest.mark.of_server
def test_the_front_page_takes_few_requests(explorer):
    wire = Wire(explorer)
    explorer.page.goto(explorer.server.url + "/")
    explorer.page.locator("#cards .scene").first.wait_for()
    explorer.page.wait_for_load_state("networkidle")
    boards = [url for url in wire.asked if "/position?" in url]
    assert len(wire.asked) - len(boards) == 4, wire.asked
    assert len(boards) < explorer.page.locator("#cards .card").count(), "only those in sight"
    assert wire.bytes <= MOST_BYTES + 10_000 * len(boards)


@pytest.mark.skipif(modules() is None, reason="no modules for browsers")
def test_the_first_view_of_a_site_takes_no_module(explorers, tables, tmp_path):
    publish([tables["park"], tables["ring"], tables["lane"]], tmp_path / "site")
    host = Compressing(tmp_path / "site")
    try:
        explorer = explorers(host)
        check_first_view(explorer, "park", "", "Mouse wins in 7 plies")
        explorer.page.context.close()
        contents = (tmp_path / "site" / "site.json").read_text()
        assert "tiers" not in contents and "notation" not in contents
    finally:
        host.stop()
