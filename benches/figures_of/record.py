"""What was measured: a file in the repository, from which the pages are written."""

import datetime
import json
import subprocess

from . import machine
from .bench import ROOT, Failed

FILE = ROOT / "benches/figures_of/recorded.json"

# Files that the script writes itself.
OWN = ("benches/figures_of/recorded.json", "docs/PERFORMANCE.md", "docs/ENDINGS.md", "README.md")


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def refuse_changes():
    """An error if the tree is not that of the commit."""
    entries = [entry for entry in git("status", "--porcelain", "-z").split("\0") if entry]
    changed = [entry[3:] for entry in entries if entry[3:] not in OWN]
    if changed:
        raise Failed(
            f"the tree has changes: {', '.join(changed[:5])}. Figures are recorded with their commit: "
            "commit the changes first, or try them with --dry, which records nothing"
        )


def entry(figures):
    """Figures with the machine, the day and the commit."""
    return {
        "machine": machine.description(),
        "day": datetime.date.today().isoformat(),
        "commit": git("rev-parse", "--short=10", "HEAD").strip(),
        "figures": figures,
    }


def load():
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def save(recorded):
    """Replaces the file at once, so that an interruption leaves the one before."""
    lines = [f"{json.dumps(name)}: {json.dumps(recorded[name])}" for name in sorted(recorded)]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    beside = FILE.with_suffix(".new")
    beside.write_text(text)
    beside.replace(FILE)
