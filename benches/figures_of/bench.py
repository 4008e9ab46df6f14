"""What is measured with: the programs, and a run of one with its time, memory and answer."""

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BENCHES = ("cops", "park", "random", "explore", "probe", "scores", "strangers", "teeko")


class Failed(Exception):
    """Something that ends the script, with what to do about it."""


class Run:
    """A finished program: seconds on the clock and of the processor, peak memory, bytes of the disk, what it printed."""

    def __init__(self, seconds, usage, text):
        self.seconds, self.text = seconds, text
        self.processor = usage.ru_utime + usage.ru_stime
        self.read, self.written = 512 * usage.ru_inblock, 512 * usage.ru_oublock
        peak = usage.ru_maxrss * 1024
        self.peak = peak if peak > own_peak() * 1.2 else None

    def lines(self):
        """The objects of its lines of JSON."""
        return [json.loads(line) for line in self.text.splitlines()]

    def answer(self):
        """The object that it printed as JSON."""
        return json.loads(self.text)


def own_peak():
    """The peak memory of this script. The system counts a child's memory from there on."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


class Forgetting:
    """Lets the system's cache lose, all the time, what it has of a process's scratch files, which have no name."""

    EVERY = 0.1

    @staticmethod
    def refuse_if_blind():
        """Fails where the mapped files of processes, which have no other name, can't be seen."""
        try:
            next(Path("/proc/self/map_files").iterdir()).stat()
        except OSError as error:
            raise Failed(f"the cache can't be dropped, since mapped files can't be seen: {error}") from error

    def __init__(self, process):
        self.process, self.ended = Path(f"/proc/{process}"), threading.Event()
        self.thread = threading.Thread(target=self.forget)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def forget(self):
        while not self.ended.wait(self.EVERY):
            for link in self.links():
                # The process may be gone, or the file.
                with contextlib.suppress(OSError):
                    file = os.open(link, os.O_RDONLY)
                    try:
                        os.fdatasync(file)
                        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                    finally:
                        os.close(file)

    def links(self):
        """Where the system shows each such file."""
        links = {}
        for shown in ("fd", "map_files"):
            with contextlib.suppress(OSError):
                for link in (self.process / shown).iterdir():
                    with contextlib.suppress(OSError):
                        if os.readlink(link).endswith(" (deleted)"):
                            links[link.stat().st_ino] = link
        return links.values()


def run(command, folder=None, variables=None, forgets=False):
    """Runs a program to its end. The peak is unknown where it is less than this script's. With `forgets`, what it has in
    scratch files is read from the disk again and again."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(
            [str(word) for word in command], cwd=folder, env={**os.environ, **(variables or {})},
            stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
        )
        with Forgetting(process.pid) if forgets else contextlib.nullcontext():
            _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode(errors="replace")
        if process.returncode != 0:
            errors.seek(0)
            said = errors.read().decode(errors="replace")[-2000:]
            raise Failed(f"{' '.join(map(str, command))} ended with {process.returncode}:\n{text[-500:]}{said}")
    return Run(seconds, usage, text)


def in_turns(rounds, works):
    """Does each work in turn, and all of that so many times: a list of results for each work."""
    results = [[] for _ in works]
    for _ in range(rounds):
        for work, done in zip(works, results, strict=True):
            done.append(work())
    return results


def median(figures):
    figures = [figure for figure in figures if figure is not None]
    return statistics.median(figures) if figures else None


def size_of(path):
    """The bytes of a file, or of all files in a folder."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files)


class Bench:
    """Programs to measure, and a folder for their files."""

    def __init__(self, folder, quick, kept, syzygy, gamesman):
        self.folder, self.quick, self.kept = folder, quick, kept and kept.resolve()
        self.syzygy = syzygy and syzygy.resolve()
        self.gamesman = gamesman and gamesman.resolve()
        self.benches, self.program = {}, None

    def build(self, has_benches):
        """Builds the program, and the benches if they are wanted: optimized, or as the tests do for a quick try."""
        # Some numberings are there with a feature only.
        package = ["-p", "retrograde-games", "--all-features", "--message-format=json", "--quiet"]
        built = self.cargo(["build", *([] if self.quick else ["--release"]), *package])
        if has_benches:
            wanted = [word for bench in BENCHES for word in ("--bench", bench)]
            built += self.cargo([*(["test"] if self.quick else ["bench"]), "--no-run", *package, *wanted])
        for line in built:
            path = line.get("executable")
            if not path:
                continue
            if "bench" in line["target"]["kind"]:
                self.benches[line["target"]["name"]] = path
            elif "bin" in line["target"]["kind"]:
                self.program = path

    def example(self, name, package="retrograde"):
        """Builds an example of a package, as `build` does, and returns where it is."""
        build = ["build", *([] if self.quick else ["--release"]), "-p", package, "--all-features"]
        words = [*build, "--message-format=json", "--quiet", "--example", name]
        return next(line["executable"] for line in self.cargo(words) if line.get("executable"))

    def cargo(self, words):
        return run(["cargo", *words], ROOT).lines()

    def bench(self, name, *words, rounds=None):
        """The lines of a bench."""
        rounds = [f"--rounds={rounds}"] if rounds else []
        return run([self.benches[name], *words, *rounds, "--json"]).lines()

    def retrograde(self, *words, program=None, forgets=False):
        """A run of the program, or of another one with its command line."""
        return run([program or self.program, *words, "--json", "--quiet"], forgets=forgets)

    def fresh(self, name):
        """A path in the folder at which nothing is."""
        path = self.folder / name
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        return path

    def lasting(self, name):
        """A path at which an interrupted measurement has left its files, if there is a folder for them."""
        if self.kept is None:
            return self.fresh(name)
        self.kept.mkdir(parents=True, exist_ok=True)
        return self.kept / name
