"""Hosts that are network namespaces of this machine: each has an address of its own, and a cable to a
switch. Whatever happens, the processes and the namespaces are gone at the end.

Needs root, Linux and `ip netns`; nothing beside Python's standard library.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# How long processes may take to end once one of them is lost.
SOON = 60.0

# How long a whole run may take.
LONG = 600.0

TOKEN = "a secret of more than sixteen bytes"

# The options that save progress, in the folder where a process runs.
SAVING = ("--checkpoint", "saved", "--checkpoint-every", "1s")


# What is sent to end this program.
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end(number, _):
    # Whoever ends a group of processes may send this twice, and what was made is to be removed meanwhile.
    for other in ENDINGS:
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)


class Wrong(Exception):
    """What the program did is not what it should do."""


def expect(holds, problem):
    if not holds:
        raise Wrong(problem)


def program():
    """The program under test: the one that RETROGRADE names, or a release build."""
    given = os.environ.get("RETROGRADE")
    if given:
        return Path(given).resolve()
    build = ["cargo", "build", "--release", "-p", "retrograde-games", "--features", "cluster,numberings"]
    subprocess.run(build, cwd=ROOT, check=True)
    return ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release" / "retrograde"


def ip(*words):
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")


def reason_to_skip():
    """Why this machine can't have such hosts; None if it can."""
    if not sys.platform.startswith("linux"):
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "network namespaces take root"
    if shutil.which("ip") is None:
        return "there is no `ip` (iproute2)"
    name = f"rtg{os.getpid()}-try"
    try:
        ip("netns", "add", name)
        ip("netns", "delete", name)
    except OSError as problem:
        return f"this system gives no network namespaces ({problem})"
    return None


class Process:
    """A process of a run, and what it says."""

    def __init__(self, name, command, folder):
        self.name = name
        self.said = tempfile.TemporaryFile(dir=folder)
        self.child = subprocess.Popen(
            [str(word) for word in command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=self.said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def send(self, number):
        with contextlib.suppress(ProcessLookupError):
            self.child.send_signal(number)

    def has_ended(self):
        return self.child.poll() is not None

    def text(self):
        self.said.seek(0)
        return self.said.read().decode(errors="replace").replace("\r", "\n")

    def error(self):
        """The line that says what went wrong."""
        lines = [line for line in self.text().splitlines() if line.startswith("error: ")]
        return lines[-1] if lines else ""

    def wait(self, seconds):
        try:
            return self.child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Wrong(f"{self.name} has not ended after {seconds:.0f} s:\n{self.text()}") from None

    def succeed(self, seconds=LONG):
        code = self.wait(seconds)
        expect(code == 0, f"{self.name} ended with {code}:\n{self.text()}")
        return self.text()

    def fail(self, *words, seconds=SOON):
        """Waits for an end with exit code 1 and an error that has all these words."""
        code = self.wait(seconds)
        error = self.error()
        expect(code == 1, f"{self.name} ended with {code}, not with 1:\n{self.text()}")
        expect(
            error and all(word in error for word in words),
            f"{self.name} should say {words}, and says:\n{self.text()}",
        )
        expect("panicked" not in self.text(), f"{self.name} panicked:\n{self.text()}")
        return error


def children(parent):
    """The processes that a process has started, in the order of their start."""
    with contextlib.suppress(OSError):
        found = Path(f"/proc/{parent}/task/{parent}/children").read_text()
        return sorted(int(word) for word in found.split())
    return []


def is_alive(process):
    with contextlib.suppress(OSError):
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    return False


class Lab:
    """Some hosts at one switch, and a folder for all files."""

    def __init__(self, hosts):
        self.count = hosts
        self.program = program()
        self.prefix = f"rtg{os.getpid()}"
        self.processes = []
        self.namespaces = []
        self.started = set()
        self.folder = None

    def __enter__(self):
        for number in ENDINGS:
            signal.signal(number, end)
        self.folder = Path(tempfile.mkdtemp(prefix="retrograde-hosts-"))
        try:
            self.build()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_):
        self.remove()

    def build(self):
        if self.count == 0:
            return
        switch = self.namespace("switch")
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        for host in range(self.count):
            name = self.namespace(f"host{host}")
            ip("link", "add", "eth", "netns", name, "type", "veth", "peer", "name", f"port{host}", "netns", switch)
            ip("-n", switch, "link", "set", f"port{host}", "master", "bridge", "up")
            ip("-n", name, "address", "add", f"{self.address(host)}/24", "dev", "eth")
            ip("-n", name, "link", "set", "eth", "up")
            ip("-n", name, "link", "set", "lo", "up")

    def namespace(self, name):
        name = f"{self.prefix}-{name}"
        ip("netns", "add", name)
        self.namespaces.append(name)
        return name

    def remove(self):
        """Ends all processes that were started and removes all that was made."""
        for number in ENDINGS:
            signal.signal(number, signal.SIG_IGN)
        for process in self.processes:
            # With whatever it has started, which is of its session.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if not process.has_ended() or process.child.pid in self.started:
                    os.killpg(process.child.pid, signal.SIGKILL)
            process.child.wait()
        for name in reversed(self.namespaces):
            with contextlib.suppress(OSError):
                ip("netns", "delete", name)
        self.namespaces = []
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, host):
        return f"10.77.0.{host + 1}"

    def cable(self, host, is_in, at_host=False):
        """Pulls the cable of a host out of the switch, or out of the host, or puts it in again."""
        place = f"{self.prefix}-host{host}" if at_host else f"{self.prefix}-switch"
        ip("-n", place, "link", "set", "eth" if at_host else f"port{host}", "up" if is_in else "down")

    def fresh(self, name):
        """An empty folder."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def start(self, name, command, folder, host=None):
        """Starts a command in a folder, on a host or beside them all."""
        where = [] if host is None else ["ip", "netns", "exec", f"{self.prefix}-host{host}"]
        process = Process(name, [*where, *command], folder)
        self.processes.append(process)
        return process

    def alone(self, name, game):
        """Solves a game by one process; returns the table."""
        folder = self.fresh(f"alone-{name}")
        command = [self.program, "solve", *game, "-o", "table"]
        self.start(f"one process, {name}", command, folder).succeed()
        return folder / "table"

    def supervise(self, game, count, folder, more=()):
        """Starts a run of so many processes of this machine."""
        command = [self.program, "solve", *game, "-o", "table", "--threads", "1", "--processes", count, *more]
        process = self.start(f"{count} processes", command, folder)
        self.started.add(process.child.pid)
        return process

    def together(self, game, folders, more=(), addresses=None, port=4100, **of_one):
        """Starts a process on each host, in these folders.

        `of_one` has dictionaries by the host: what is different there. `game`, `token` and `binary`
        replace these, `more` is added to the options, and `host` is where that process really runs.
        """
        addresses = addresses or [self.address(host) for host in range(len(folders))]
        begun = []
        for host, folder in enumerate(folders):
            own = of_one.get(f"host{host}", {})
            lines = own.get("hosts", addresses)
            (folder / "hosts").write_text("".join(f"{line}:{port}\n" for line in lines))
            (folder / "token").write_text(own.get("token", TOKEN))
            command = [own.get("binary", self.program), "solve", *own.get("game", game), "-o", "table"]
            command += ["--hosts", "hosts", "--process", host, "--token", "token", "--threads", "1"]
            command += [*more, *own.get("more", ())]
            begun.append(self.start(f"process {host}", command, folder, own.get("host", host)))
        return begun

    def folders(self, name, count):
        return [self.fresh(f"{name}-{host}") for host in range(count)]


def contents(path):
    """What a table is: the bytes of its file, or of all files of its folder."""
    if path.is_dir():
        return {file.name: file.read_bytes() for file in sorted(path.iterdir())}
    return path.read_bytes()


def compare(table, expected):
    expect(table.exists(), f"there is no {table}")
    expect(contents(table) == contents(expected), f"{table} differs from the table of one process")


def sent(text):
    """What the processes say that they sent each other."""
    lines = [line for line in text.splitlines() if "sent each other" in line]
    return lines[-1].split("sent each other ")[1] if lines else "?"


def wait_for_checkpoint(folder, processes, seconds=SOON):
    """Waits until a checkpoint is there; False if the run has ended before."""
    until = time.monotonic() + seconds
    while not (folder / "levels.checkpoint").exists():
        if any(process.has_ended() for process in processes):
            return False
        expect(time.monotonic() < until, f"no checkpoint appears in {folder}")
        time.sleep(0.01)
    return True


def park(size):
    """The graph of a park: a grid with a tenth as many random chords as nodes, as in `benches/common`."""
    nodes = size * size
    lists = [[] for _ in range(nodes)]

    def join(a, b):
        if a != b and b not in lists[a]:
            lists[a].append(b)
            lists[b].append(a)

    for node in range(nodes):
        if node % size + 1 < size:
            join(node, node + 1)
        if node + size < nodes:
            join(node, node + size)
    random = 0x2545F4914F6CDD1D

    def draw():
        nonlocal random
        random ^= random << 13 & (1 << 64) - 1
        random ^= random >> 7
        random ^= random << 17 & (1 << 64) - 1
        return random % nodes

    for _ in range(nodes // 10):
        a = draw()
        join(a, draw())
    return lists


def table(rows):
    """Prints rows below their heads."""
    widths = [max(len(str(row[at])) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())
    sys.stdout.flush()
