"""The pages: what stands between their markers is written from what was recorded."""

import re

from . import all_endings, files, large, sections
from .bench import ROOT, Failed, median
from .peers import ENGINE
from .shown import beside, count, middle, of_solver, seconds, seen, table

# The first line of a part that is written here, and the last one.
MARKER = re.compile(r"<!-- figures: ([a-z-]+) -->\n.*?<!-- end -->\n", re.DOTALL)

PAGES = ("docs/PERFORMANCE.md", "docs/ENDINGS.md", "README.md")


def block(section, recorded):
    """The lines of a section."""
    entry = recorded.get(section.name)
    if entry is None:
        return [f"Not measured yet: `benches/figures {section.name}`."]
    return [*seen(entry), "", *section.show(entry["figures"])]


# Large games, which are measured beside no other solver.
ALONE = (
    ("placing", large), ("bobail", large), ("flexible", large), ("gobblet", large), ("fivemen", all_endings), ("vast", files),
)


def summary(recorded):
    """The rows that people ask about first, each with its rival, out of the other sections."""
    rows, entries = [], []

    def figures(name):
        entry = recorded.get(name)
        if entry is None:
            return None
        if entry not in entries:
            entries.append(entry)
        return entry["figures"]

    def peers(name, what, rivals):
        """Rows of the largest game of a section."""
        lines = figures(name)
        if lines is None:
            return
        game = lines[-1]["game"]
        states = of_solver(lines, "textbook", game)["states"]
        for words, rival in rivals:
            theirs = middle(of_solver(lines, rival, game))
            own = (middle(of_solver(lines, solver, game)) for solver in ENGINE)
            title = f"{what.format(game.split()[-1].replace('x', ' x '))}: {count(states)} positions"
            rows.append([title, words, seconds(theirs), *(beside(one, theirs) for one in own)])

    peers("park", "Cat and Mouse on a grid graph of {}",
          [("textbook solver with a queue", "textbook"), ("fastest loop that we could write by hand", "by hand")])
    lines = figures("explore")
    if lines is not None:
        lines = [line for line in lines if line["game"] == "mnk"]
        mnk = {(line["way"], line["threads"]): middle(line) for line in lines}
        theirs, size = mnk["hash map", 1], lines[0]["size"]
        rows.append([
            f"{size} x {size} tic-tac-toe, three in a row: {count(lines[0]['states'])} positions, found by search",
            "solver with a `HashMap`", seconds(theirs), *(beside(mnk["packed", n], theirs) for n in (1, 2)),
        ])
    chess = figures("chess")
    if chess is not None:
        largest = [row for row in chess["rows"] if row["ending"] == chess["rows"][-1]["ending"]]
        for row in reversed(largest):
            theirs = median(row["rival"])
            rows.append([
                f"chess, {row['ending']} with the endings that it leads to, {row['what']}: "
                f"{count(row['states'])} positions",
                "Syzygy generator, 2 threads", seconds(theirs), "", beside(median(row["own"]), theirs),
            ])
    quixo = figures("quixo")
    if quixo is not None:
        size, theirs = quixo["size"], median(quixo["rival"])
        rows.append([
            f"Quixo {size} x {size}, whole run, with the files: {count(quixo['states'])} positions",
            "GamesmanOne, 2 threads", seconds(theirs), "", beside(median(quixo["own"]), theirs),
        ])
    peers("scores", "awari with {} seeds or fewer, which ends in points",
          [("textbook solver with queues, without distances", "textbook")])
    if not rows:
        return ["Not measured yet: `benches/figures`."]
    head = ["what is solved", "compared with", "its time", "`retrograde`, 1 thread", "2 threads"]
    alone = [section.in_short(lines) for name, section in ALONE if (lines := figures(name)) is not None]
    head_alone = ["game", "options of `solve`", "positions", "time, 2 threads", "memory", "files", "the start"]
    return [*seen(*entries), "", *table(head, rows), *(["", *table(head_alone, alone)] if alone else [])]


def lines_of(name, recorded):
    if name == "summary":
        return summary(recorded)
    return block(next(section for section in sections.ALL if section.name == name), recorded)


def text_with_figures(page, recorded):
    """A page as it has to be."""
    text = (ROOT / page).read_text(encoding="utf-8")
    known = {"summary", *sections.NAMES}
    found = MARKER.findall(text)
    unknown = set(found) - known
    if unknown or text.count("<!-- figures:") != len(found):
        raise Failed(f"{page} has a marker of no section, or one without an end: {', '.join(unknown) or found}")

    def written(match):
        inside = "\n".join(lines_of(match[1], recorded))
        return f"<!-- figures: {match[1]} -->\n\n{inside}\n\n<!-- end -->\n"

    return MARKER.sub(written, text)


def write(recorded, folder=ROOT):
    """Writes the pages that change, into another folder if one is named: what includes a new README is compiled anew."""
    for page in PAGES:
        path, text = folder / page, text_with_figures(page, recorded)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def check(recorded):
    """An error if a page shows something else than what was recorded."""
    wrong = [page for page in PAGES if (ROOT / page).read_text(encoding="utf-8") != text_with_figures(page, recorded)]
    if wrong:
        raise Failed(f"{' and '.join(wrong)} show other figures than those recorded: benches/figures --write")
    shown = {name for page in PAGES for name in MARKER.findall((ROOT / page).read_text(encoding="utf-8"))}
    left = [name for name in sections.NAMES if name not in shown]
    if left:
        raise Failed(f"no page has a marker for {', '.join(left)}")
    print(f"the pages show what was recorded, in {len(shown)} tables")
