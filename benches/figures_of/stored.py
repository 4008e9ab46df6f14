"""Stored tables: questions to them, and their sizes."""

import json
import lzma
import shutil
import sys

from .bench import ROOT, run, size_of
from .section import Section
from .shown import count, table

# The graph of the benches in Python, which the tests of several hosts have.
sys.path.append(str(ROOT / "tests/hosts"))
from lab import park

# The park of the other sections.
SIDE = 50


def measure_probe(bench):
    return bench.bench("probe", 5 if bench.quick else SIDE)


def show_probe(lines):
    of = {line["probing"]: line["a second"]["random"] for line in lines if "probing" in line}
    opening = {line["opening"]: line["seconds"] for line in lines if "opening" in line}
    names = {
        "plain, in memory": ("in memory, uncompressed", "plain"),
        "compressed, cached": ("compressed, blocks in the cache", "compressed"),
        "compressed, cold": ("compressed, a block to read for each probe", None),
        "compressed, all at once": ("the same, all probes in one list", None),
    }
    rows = [
        [name, *map(count, of[probing]), f"{opening[kind] * 1e3:.2f} ms" if kind else ""]
        for probing, (name, kind) in names.items()
    ]
    return [
        f"A park with {count(lines[0]['states'])} states. Medians of five turns of random probes, in probes a second.",
        "",
        *table(["table", "1 thread", "2 threads", "opening"], rows),
    ]


def no_wrk(bench):
    if bench.quick:
        return "it takes half a minute"
    return None if shutil.which("wrk") and shutil.which("curl") else "wrk or curl is not installed"


def measure_serve(_bench):
    return run(["bash", ROOT / "benches/serve", "--json"]).lines()


def show_serve(lines):
    rows = [[line["load"], f"{line['a second']:,.0f}", f"{line['p99'] * 1e3:.1f} ms"] for line in lines]
    return [
        "Ten seconds of each load.",
        "",
        *table(["load", "answers a second", "99 of 100 answers within"], rows),
    ]


def measure_sizes(bench):
    side, quixo, ending = (5, 2, "KRvK") if bench.quick else (SIDE, 4, "KRvKB")
    graph = bench.folder / "graph.json"
    graph.write_text(json.dumps(park(side)))
    games = [
        (f"Cat and Mouse, a park of {side} x {side}", ["cat-mouse", "--graph", graph], None),
        (f"Quixo {quixo} x {quixo}", ["quixo", "--size", quixo], None),
        (f"chess, {ending}", ["chess", ending], f"{ending}.rtb"),
    ]
    rows = []
    for name, words, inside in games:
        row = {"name": name, "values": {}, "outcomes": {}}
        for level in ("0", "default", "small"):
            paths = {"values": bench.fresh("values"), "outcomes": bench.fresh("outcomes")}
            bench.retrograde(
                "solve", *words, "--compression", level, "-o", paths["values"], f"--outcomes-only={paths['outcomes']}",
            )
            for what, path in paths.items():
                path = path / inside if inside else path
                row[what][level] = size_of(path)
                if level == "0":
                    row[what]["xz"] = len(lzma.compress(path.read_bytes(), preset=9))
        rows.append(row)
    return rows


def show_sizes(rows):
    lines = [
        [name, *(f"{row[what][kind]:,}" for kind in ("0", "default", "small", "xz"))]
        for row in rows for what, name in (("values", row["name"]), ("outcomes", "its outcomes"))
    ]
    return [
        "Bytes of the whole file.",
        "",
        *table(["table", "`0`", "`default`", "`small`", "`0`, compressed as a whole by `xz -9`"], lines),
    ]


PROBE = Section("probe", "random probes of a table", measure_probe, show_probe)
SERVE = Section("serve", "answers of the server", measure_serve, show_serve, has_benches=False, missing=no_wrk)
SIZES = Section("sizes", "sizes of files", measure_sizes, show_sizes, has_benches=False, is_timed=False)
