"""The page as a person uses it: what it says, and touching its board."""

import os
import re
import urllib.parse
from pathlib import Path

from playwright.sync_api import expect

# A folder with the files of the page, to try changes without building the program anew.
FILES = os.environ.get("RETROGRADE_PAGE")

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

# All that the page says of a position, read at one moment.
SAYS = """() => {
  const text = (id) => document.getElementById(id).textContent;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const part = (element, selector) => element.querySelector(selector)?.textContent ?? '';
  return {
    state: document.getElementById('state').value,
    verdict: text('verdict'),
    turn: text('turn'),
    detail: text('detail'),
    moves: all('#groups .move').map((move) => ({
      move: part(move, '.name'),
      worth: ['win', 'draw', 'loss'].find((worth) => move.closest('.group').classList.contains(worth)),
      after: part(move, '.after'),
      best: part(move, '.star') === '★',
      key: part(move, '.key'),
    })),
    line: all('#strip button:not(.more)').map((step) => step.firstChild.textContent),
    steps: all('#so-far button').map((step) => step.textContent),
    current: all('#so-far button').findIndex((step) => step.hasAttribute('aria-current')),
    lineNote: text('line-note'),
    why: text('why'),
  };
}"""

# The middle of a shape on the screen, once it has stood still from one frame to the next. All
# in one step, since a board that is drawn anew in between takes its shapes with it.
CENTRE = """(selector) => {
  const shape = document.querySelector(selector);
  if (!shape) return null;
  shape.scrollIntoViewIfNeeded();
  const box = shape.getBoundingClientRect();
  const centre = [box.x + box.width / 2, box.y + box.height / 2];
  const before = window.centreBefore;
  window.centreBefore = centre;
  return box.width > 0 && before?.every((at, axis) => at === centre[axis]) ? centre : null;
}"""


def centre_of(page, selector):
    """Where the middle of a shape is on the screen, which is scrolled to it."""
    page.evaluate("() => { delete window.centreBefore }")
    return tuple(page.wait_for_function(CENTRE, arg=selector).json_value())


def encode(text):
    return urllib.parse.quote(text, safe="")


def after(move):
    """What the page says of a move's points, if the game has them, and of the rest of play."""
    if "total" not in move:
        replies = move.get("replies")
        if replies is None:
            return rest_after(move)
        hold, count = replies["hold"], replies["all"]
        said = f"{hold} of {count} {'reply' if count == 1 else 'replies'} {'holds' if hold == 1 else 'hold'}"
        return f"{rest_after(move)}, {said}"
    total = f"+{move['total']}" if move["total"] > 0 else str(move["total"])
    said = [f"gains {move['gain']}" if move["gain"] else "", rest_after(move)]
    said = ", ".join(part for part in said if part)
    return f"{total}: {said}" if said else total


def rest_after(move):
    """What the page says of the rest of play after a move."""
    if move["over"]:
        return "ends play"
    if move["decided_by"] == "endless":
        return "play repeats"
    if move["decided_by"] == "ply-limit":
        return "by the ply limit"
    if move["plies"] is not None:
        mate = re.search(r" \(mate in \d+\)$", move["verdict"])
        return f"then {move['plies']} {'ply' if move['plies'] == 1 else 'plies'}{mate[0] if mate else ''}"
    return "play ends" if move["worth"] == "draw" else ""


def capital(text):
    return text[:1].upper() + text[1:]


def serve_from_folder(route):
    """Answers with a file of the folder, under the headers of the server, which has all scripts as one."""
    name = urllib.parse.urlparse(route.request.url).path.lstrip("/") or "index.html"
    of_server = "app.js" if name.endswith(".js") else name.replace("index.html", "")
    response = route.fetch(url=urllib.parse.urljoin(route.request.url, "/" + of_server))
    route.fulfill(response=response, body=(Path(FILES) / name).read_bytes())


class Explorer:
    """A page of a server, and what went wrong on it."""

    def __init__(self, page, server):
        self.page = page
        self.server = server
        self.faults = []
        self.allowed = []
        self.files = {}
        page.set_default_timeout(15_000)
        page.on("console", self.on_console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self.on_request)
        page.on("response", self.on_response)
        if FILES:
            page.route(re.compile(r"^http://[^/]*/([a-z]+\.(js|css))?$"), serve_from_folder)
        page.add_init_script(
            "document.addEventListener('securitypolicyviolation', (event) =>"
            " console.error(`against the policy: ${event.violatedDirective} ${event.blockedURI}`))"
        )

    def on_console(self, message):
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text}")

    def on_request(self, request):
        if not request.url.startswith((self.server.url + "/", "data:")):
            self.faults.append(f"request to {request.url}")

    def on_response(self, response):
        path = urllib.parse.urlparse(response.url).path
        if not path.startswith("/api/") and not response.url.startswith("data:"):
            self.files[path] = response

    def allow(self, text):
        """Takes a line on the console that has this text as no fault."""
        self.allowed.append(text)

    def check(self):
        """Makes sure that nothing went wrong."""
        faults = [
            fault for fault in self.faults if not any(text in fault for text in self.allowed)
        ]
        assert not faults, "\n".join(faults)

    def address(self, table, state="", options=""):
        """The address of a position."""
        return f"{self.server.url}/#{encode(table)}/{encode(state)}{options}"

    def open(self, table, state=None):
        """Opens a position, or the start, and waits for it."""
        wanted = state or self.server.table(table)["start"]
        self.page.goto(self.address(table, state or ""))
        self.wait(wanted)

    def wait(self, state):
        """Waits for a position to be shown."""
        self.page.wait_for_function(
            "(state) => document.getElementById('state').value === state"
            " && !document.getElementById('value').hidden",
            arg=state,
        )

    def says(self):
        # A site reads the line later.
        expect(self.page.locator("#line-note")).not_to_contain_text("Reading")
        return self.page.evaluate(SAYS)

    def check_position(self, table, state):
        """Compares what the page says of a position with the server's answers."""
        self.wait(state)
        said = self.says()
        position = self.server.ask(table, "probe", state)
        assert said["state"] == position["state"]
        # In a game with points, moves before count, too: `test_scores` looks at those.
        counts_all = "points" in position and len(said["steps"]) > 1
        if not counts_all:
            assert said["verdict"] == capital(position["verdict"])
        if position["over"]:
            assert said["turn"] == "Play is over."
        elif counts_all:
            assert said["turn"].startswith(capital(position["to_move"] or ""))
        elif position["to_move"]:
            worth = {"win": " and win", "loss": " and lose"}.get(position["value"], "")
            assert said["turn"] == f"{capital(position['to_move'])} to move{worth}."
        else:
            assert said["turn"] == ""
        moves = self.server.moves(table, state)
        expected = [
            {
                "move": move["move"],
                "worth": move["worth"],
                "after": after(move),
                "best": move["best"],
                "key": str(key) if key <= 9 else "",
            }
            for key, move in enumerate(moves, 1)
        ]
        assert said["moves"] == expected, state
        if self.server.table(table)["has_distances"]:
            line = self.server.ask(table, "line", state)["line"]
            shown = [step["move"] for step in line]
            assert said["line"] == shown[: len(said["line"])]
            assert len(said["line"]) >= min(len(shown), 40)
        return moves

    def says_of(self, name, text):
        """Waits until the element of this name says something."""
        expect(self.page.locator(f"#{name}")).to_contain_text(text, timeout=15_000)

    # --- the board

    def place_named(self, table, name):
        """The number of a place."""
        places = self.server.ask(table, "position")["picture"]["places"]
        return next(number for number, place in enumerate(places) if place["name"] == name)

    def place(self, number):
        return self.page.locator(f'#board .place[data-place="{number}"]')

    def centre(self, number):
        """Where a place is on the screen."""
        return centre_of(self.page, f'#board .place[data-place="{number}"] .shape')

    def touch(self, number):
        """Clicks on a place, or taps it where the screen is touched."""
        x, y = self.centre(number)
        if self.page.evaluate("() => navigator.maxTouchPoints > 0"):
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def play(self, move, moves):
        """Makes one of the moves on the board: its places are touched until it is the only one left."""
        if not move["places"]:
            self.choose(move)
            return
        places = move["places"]
        left = [
            {**other, "places": way}
            for other in moves
            for way in [other["places"], *other["other_places"]]
        ]
        for count, place in enumerate(places, 1):
            self.touch(place)
            left = [other for other in left if other["places"][:count] == places[:count]]
            if len(left) == 1:
                break
        if len(left) > 1 and any(other["places"] != places for other in left):
            # Others go on from there.
            self.touch(places[-1])
            left = [other for other in left if other["places"] == places]
        if len(left) > 1:
            self.answer(move)
        self.wait(move["state"])

    def drag(self, places):
        """Drags from one place to another."""
        (x, y), (to_x, to_y) = self.centre(places[0]), self.centre(places[1])
        # Scrolling to the second place may have moved the first.
        x, y = self.centre(places[0])
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=4)
        self.page.mouse.move(to_x, to_y, steps=4)
        self.page.mouse.up()

    # --- the lists

    def choose(self, move):
        """Makes a move from the list."""
        names = self.page.locator("#groups .name")
        names.filter(has_text=re.compile(f"^{re.escape(move['move'])}$")).first.click()
        self.wait(move["state"])

    def answer(self, move):
        """Says which of several moves is meant."""
        choices = self.page.locator("#ask[open] #choices button")
        choices.first.wait_for()
        choices.filter(has_text=move["move"] + ",").first.click()

    def button(self, name):
        """An element by its id."""
        return self.page.locator(f"#{name}")

    def notice(self):
        """What the page says at its top."""
        paragraph = self.page.locator("#notice p")
        paragraph.wait_for()
        return paragraph.text_content()
