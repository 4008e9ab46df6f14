"""Random questions: the server keeps to its own description, and to its memory."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from program import Server

SECONDS = int(os.environ.get("RETROGRADE_FUZZ_SECONDS", "0"))

# Of games with and without tiers, with and without players' names, and of outcomes only.
ASKED = ["park", "grid", "rook", "mnk", "morris", "outcomes"]

# What the values of each table may take, in bytes.
CACHE = 8 << 20

CONFIGURATION = """
[dictionaries.tables]
values = {tables}

[dictionaries.states]
values = {states}

[dictionaries.tiers]
values = {tiers}

[parameters]
"path.name" = {{ dictionary = "tables", probability = 0.9 }}
"query.state" = {{ dictionary = "states", probability = 0.7 }}
"query.tier" = {{ dictionary = "tiers", probability = 0.7 }}

# Which texts are positions or tiers of a table, no description can say.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "404", "409"]

# Every text is a batch: a line that is wrong has an error of its own.
[[operations]]
include-operation-id = "batch"
checks.negative_data_rejection.enabled = false
"""


@pytest.fixture
def asked(tables):
    server = Server([tables[name] for name in ASKED], "--cache", str(CACHE))
    yield server
    server.kill()


def known_states(server):
    """States of each table."""
    states = {}
    for name in ASKED:
        start = server.table(name)["start"]
        found = [start, *(move["state"] for move in server.moves(name))]
        if server.table(name)["has_distances"]:
            for kind in ("longest-win", "loss", "draw"):
                answer = server.ask(name, "examples", kind=kind, count=5)
                found += [position["state"] for position in answer["examples"]]
        states[name] = found
    return states


def ask_at_random(server, folder, seconds, seed):
    states = known_states(server)
    tiers = {tier for name in ASKED for tier in server.table(name)["tiers"]}
    (folder / "states.json").write_text(json.dumps(states))
    (folder / "schemathesis.toml").write_text(
        CONFIGURATION.format(
            tables=json.dumps(ASKED),
            states=json.dumps([state for known in states.values() for state in known]),
            tiers=json.dumps(sorted(tiers)),
        )
    )
    here = Path(__file__).resolve().parent
    environment = {
        **os.environ,
        "PYTHONPATH": str(here),
        "SCHEMATHESIS_HOOKS": "questions",
        "RETROGRADE_STATES": str(folder / "states.json"),
    }
    call = [
        Path(sys.executable).parent / "schemathesis",
        "--config-file",
        folder / "schemathesis.toml",
        "run",
        f"{server.url}/api/openapi.json",
        *("--max-time", str(seconds)),
        *("--request-timeout", "30"),
        *("--warnings", "off"),
        "--continue-on-failure",
        *(["--seed", str(seed)] if seed else []),
    ]
    return subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True)


def test_random_questions_are_answered_as_described(asked, tmp_path):
    # Afterwards the caches are full and all code was run once.
    ask_at_random(asked, tmp_path, 10, seed=2)
    warm = asked.resident()
    # The same questions each time in CI; others each time in a run that is longer.
    done = ask_at_random(asked, tmp_path, SECONDS or 50, seed=None if SECONDS else 1)
    assert asked.process.poll() is None, "the server has ended"
    assert asked.get("/health") == {"status": "ok"}
    assert done.returncode == 0, done.stdout + done.stderr
    metrics = asked.fetch("/metrics")[0].decode()
    assert not re.search(r'status="5xx"} [1-9]', metrics), metrics
    answers = sum(int(count) for count in re.findall(r"^retrograde_requests_total{.*} (\d+)", metrics, re.M))
    resident = asked.resident()
    print(f"{answers:,} answers, {resident >> 20} MiB of memory, {warm >> 20} MiB after the first")
    assert answers > 500
    assert resident < warm + CACHE * len(ASKED)
