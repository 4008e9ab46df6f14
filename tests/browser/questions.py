"""What the random questions need to know of this server. Loaded by schemathesis."""

import json
import os
from pathlib import Path

import schemathesis

STATES = json.loads(Path(os.environ["RETROGRADE_STATES"]).read_text())
ALL = {state for states in STATES.values() for state in states}


@schemathesis.hook
def before_call(_context, case, _arguments):
    """Makes a position of another table one of the table that is asked, and some texts a batch of them."""
    query = case.query or {}
    states = STATES.get((case.path_parameters or {}).get("name"))
    if states and query.get("state") in ALL and query["state"] not in states:
        query["state"] = states[len(query["state"]) % len(states)]
    if states and isinstance(case.body, str) and len(case.body) % 2 == 1:
        case.body = "".join(json.dumps(state) + "\n" for state in states) + case.body


@schemathesis.serializer("application/x-ndjson")
def lines(_context, value):
    """Bodies of lines: a text as it is, anything else as one line of JSON."""
    if isinstance(value, bytes):
        return value
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()
