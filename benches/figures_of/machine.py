"""The machine: a description, and whether anything else is using its processor."""

import os
import resource
import time
from pathlib import Path

from .bench import Failed

# A share of all cores. Above it, figures would be of two programs.
BUSY = 0.05

# Seconds to look at the machine before measuring, and to wait until it is idle.
LOOK, PATIENCE = 3.0, 60.0

TICK = os.sysconf("SC_CLK_TCK")


def description():
    """Processor, cores and memory, as the system reports them."""
    fields = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    memory = next(line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemTotal:"))
    return {
        "processor": fields.get("model name", "an unnamed processor"),
        "cores": os.cpu_count(),
        "gigabytes": round(int(memory.split()[1]) * 1024 / 1e9),
        "virtual": "hypervisor" in fields.get("flags", "").split(),
        "cache": last_cache(),
    }


def last_cache():
    """The size of the largest cache of the first core, if the system tells."""
    sizes = []
    for path in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        text = path.read_text().strip()
        if text.endswith("K"):
            sizes.append(int(text[:-1]))
    return max(sizes, default=None)


def busy_seconds():
    """Seconds of all cores since the start that were not idle, time stolen by other machines included."""
    user, nice, system, _idle, _waiting, *rest = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:9])
    return (user + nice + system + sum(rest)) / TICK


def own_seconds():
    """Seconds that this script and what it ran have used."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


class Watch:
    """Compares what the machine did during a section with what the section did."""

    def __enter__(self):
        self.begin, self.busy, self.own = time.monotonic(), busy_seconds(), own_seconds()
        return self

    def __exit__(self, *_):
        capacity = (time.monotonic() - self.begin) * os.cpu_count()
        others = busy_seconds() - self.busy - (own_seconds() - self.own)
        self.share = max(0.0, others / capacity)

    def was_disturbed(self):
        return self.share > BUSY

    def report(self):
        return f"something else used {self.share:.0%} of the processor meanwhile"


def processes():
    """The seconds that each process has used, and its name."""
    used = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        used[int(path.parent.name)] = (name, (int(fields[11]) + int(fields[12])) / TICK)
    return used


def look():
    """The share of the processor that others use now, and who they are, as text."""
    before = processes()
    with Watch() as watch:
        time.sleep(LOOK)
    busiest = []
    for process, (name, seconds) in processes().items():
        seconds -= before.get(process, (name, 0.0))[1]
        if process != os.getpid() and seconds > LOOK / 100:
            busiest.append((seconds / LOOK, f"{name} ({process})"))
    names = [f"{who} {share:.0%} of a core" for share, who in sorted(busiest, reverse=True)[:5]]
    load = Path("/proc/loadavg").read_text().split()[0]
    return watch, f"load {load}; {', '.join(names) or 'no process in sight'}"


def refuse_if_busy():
    """An error if others use the processor now."""
    watch, who = look()
    if watch.was_disturbed():
        raise Failed(
            f"the machine is busy: others use {watch.share:.0%} of its processor ({who}). "
            "Figures need an idle machine: end what runs on it, and start again"
        )


def wait_until_idle():
    """Waits a while until others leave the processor alone."""
    end = time.monotonic() + PATIENCE
    while True:
        watch, _ = look()
        if not watch.was_disturbed():
            return
        if time.monotonic() > end:
            refuse_if_busy()
