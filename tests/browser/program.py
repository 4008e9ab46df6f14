"""The program: solving tables, serving them, asking the server."""

import json
import os
import signal
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from host import Host

ROOT = Path(__file__).resolve().parents[2]

PARK = "[[6],[4],[9],[5],[1,5],[3,4,6],[0,5,10],[8,9,10],[7],[2,7],[6,7]]"
# A graph where nobody can force a win.
RING = "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]"

# A graph with more nodes than are drawn.
LANE = json.dumps([[(node - 1) % 310, (node + 1) % 310] for node in range(310)])

# The tables by their names: what is solved, and to which file or folder.
TABLES = {
    "awari": (["awari", "--seeds", "6"], "awari"),
    "dots": (["dots-and-boxes", "-m", "2", "-n", "1"], "dots"),
    "kalah": (["kalah", "--houses", "3", "--seeds", "2"], "kalah"),
    "othello": (["othello"], "othello.rtb"),
    "park": (["cat-mouse", "--graph", PARK], "park.rtb"),
    "ring": (["cat-mouse", "--graph", RING], "ring.rtb"),
    "grid": (
        ["cat-mouse-grid", "--grid", '["####F","#C...","M...."]', "--mouse-jump", "2"],
        "grid.rtb",
    ),
    "cops": (["cops", "--graph", RING, "--cops", "2"], "cops.rtb"),
    "queen": (["chess", "KQvK"], "queen"),
    "rook": (["chess", "KRvK"], "rook"),
    "pawn": (["chess", "KPvK"], "pawn"),
    "four": (["connect-four", "-m", "4", "-n", "4", "-k", "4"], "four.rtb"),
    "dobutsu": (["dobutsu", "--no-elephants"], "dobutsu.rtb"),
    "bobail": (["bobail", "-m", "3", "-n", "4", "--men", "2"], "bobail.rtb"),
    "gobblet": (["gobblet", "--small", "0", "--medium", "1", "--large", "2"], "gobblet.rtb"),
    "hexapawn": (["hexapawn"], "hexapawn.rtb"),
    "mnk": (["mnk"], "mnk.rtb"),
    "morris": (["morris", "--board", "six", "--men", "3"], "morris"),
    "quixo": (["quixo", "--size", "3"], "quixo.rtb"),
    "lane": (["cat-mouse", "--graph", LANE, "--mouse", "100", "--cat", "200"], "lane.rtb"),
    "outcomes": (["cat-mouse", "--graph", PARK, "--outcomes-only"], "outcomes.rtb"),
}

# One table of each shipped game.
GAMES = [
    "awari", "park", "grid", "cops", "rook", "four", "bobail", "dobutsu", "gobblet", "hexapawn", "mnk", "morris", "quixo", "dots",
    "kalah", "othello",
]


def table_paths(folder):
    """The paths of the tables in a folder, by name."""
    return {name: Path(folder) / path for name, (_, path) in TABLES.items()}


def solve(folder):
    """Solves all tables into a folder."""
    for name, path in table_paths(folder).items():
        solve_one(TABLES[name][0], path)


def solve_one(arguments, path):
    call = [program(), "solve", *arguments, "-o", path, "--quiet"]
    subprocess.run(call, check=True, stdout=subprocess.DEVNULL)


def chomp():
    """The program of the game that the guide describes."""
    return Path(os.environ.get("RETROGRADE_CHOMP", ROOT / "target/debug/examples/chomp"))


def program():
    path = Path(os.environ.get("RETROGRADE", ROOT / "target/debug/retrograde"))
    assert path.exists(), f"{path} is not built: call tests/browser/run"
    return path


def modules():
    """The folder with the modules for browsers; None where they can't be built."""
    folder = os.environ.get("RETROGRADE_MODULES")
    return Path(folder) if folder else None


def publish(paths, folder, of=None):
    """Writes a site with these tables into a folder. Another program finds no modules."""
    chosen = []
    for module in sorted(modules().glob("*.wasm")) if of is None else []:
        # Cargo has a second name for each.
        if "-" not in module.name:
            chosen += ["--module", module]
    call = [of or program(), "publish", *paths, "-o", folder, *chosen, "--quiet"]
    subprocess.run(call, check=True, stdout=subprocess.DEVNULL, cwd=folder.parent)


class Refused(Exception):
    """The server answered with a problem."""

    def __init__(self, status, problem):
        super().__init__(f"{status}: {problem}")
        self.status = status
        self.problem = problem


class Server:
    """A running server of tables."""

    def __init__(self, paths, *options, port=0, of=None):
        call = [of or program(), "serve", "--listen", f"127.0.0.1:{port}", "--json", *options, *paths]
        self.process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline()
        assert line, "the server has printed no address"
        self.url = json.loads(line)["url"].rstrip("/")
        # Where questions go. The page may be elsewhere.
        self.api = self.url
        self.port = int(self.url.rsplit(":", 1)[1])

    def fetch(self, path):
        """The body of an answer, and its type."""
        try:
            with urllib.request.urlopen(self.api + path, timeout=60) as answer:
                return answer.read(), answer.headers["content-type"]
        except urllib.error.HTTPError as error:
            raise Refused(error.code, json.loads(error.read())) from None

    def get(self, path, **query):
        query = {name: value for name, value in query.items() if value is not None}
        encoded = urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        body, _ = self.fetch(f"{path}?{encoded}" if encoded else path)
        return json.loads(body)

    def ask(self, table, question, state=None, **query):
        return self.get(f"/api/tables/{table}/{question}", state=state, **query)

    def table(self, name):
        return self.get(f"/api/tables/{name}")

    def moves(self, table, state=None):
        """The moves of a position, best first."""
        answer = self.ask(table, "moves", state)
        return answer["won"] + answer["drawn"] + answer["lost"]

    def resident(self):
        """The memory that the server has, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """Stops the server as Ctrl-C does. Returns its exit code."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=30)
        self.process.stdout.close()
        return code


def without_replies(answer):
    """An answer as a site gives it: it counts no replies to drawing moves."""
    if isinstance(answer, list):
        return [without_replies(one) for one in answer]
    if not isinstance(answer, dict):
        return answer
    return {name: without_replies(one) for name, one in answer.items() if name != "replies"}


class Site(Server):
    """A site of tables on a plain web host, and a server of the same tables to compare with."""

    def __init__(self, paths, folder, of=None, **options):
        super().__init__(paths)
        publish(paths, folder, of)
        self.folder = folder
        self.host = Host(folder, **options)
        self.url, self.port = self.host.url, self.host.port

    def get(self, *arguments, **query):
        return without_replies(super().get(*arguments, **query))

    def kill(self):
        self.host.stop()
        super().kill()

    def stop(self):
        self.host.stop()
        return super().stop()
