"""
Makes the pictures of the page in `docs` anew. With a folder, writes pictures into it to look at: one a
game, and some on a phone and in the dark.
"""

import base64
import contextlib
import io
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import sync_playwright

from conftest import ARGUMENTS, CHROMIUM
from explorer import PHONE, WIDE, Explorer
from program import GAMES, ROOT, Server, solve, table_paths

DOCS = ROOT / "docs"


class Frame(NamedTuple):
    """The window, the height of the page that is seen, and the size of the picture. All are in pixels."""

    window: dict
    seen: int
    size: tuple


# The README's picture, and the position that its text describes.
README = Frame({"width": 1180, "height": 720}, 616, (885, 462))
README_STATE = "7,2,mouse"

# The picture of several games, row by row, each with a position; None is the start.
SEVERAL = {
    "park": None,
    "rook": None,
    "four": "..../..../.ox./xxo.",
    "dobutsu": "g.l/..c/.L./..G,C,gote",
    "morris": "w.b/.w./..b./.b./w..,0-0,white",
    "mnk": "x.o/.x./...",
    "othello": None,
    "kalah": None,
    "quixo": ".ox/..x/o..,o",
}
GAME = Frame({"width": 1280, "height": 720}, 760, (460, 273))
COLUMNS = 3
GAP, BETWEEN = 10, "#d9dce4"

# The colours of a picture in `docs`: enough to look the same.
COLOURS = 256

ON_A_PHONE = ["park", "rook", "morris"]
IN_THE_DARK = ["park", "rook", "dobutsu", "quixo"]


@contextlib.contextmanager
def shown(browser, server, table, state=None, plies=0, **options):
    """A window with a position, `plies` of best play after a state. Nothing on it is still to come."""
    with contextlib.closing(browser.new_context(**options)) as context:
        explorer = Explorer(context.new_page(), server)
        explorer.open(table, state)
        for _ in range(plies):
            before = explorer.says()["state"]
            if not explorer.button("step").is_visible() or explorer.says()["line"] == []:
                break
            explorer.button("step").click()
            explorer.page.wait_for_function(
                "(state) => document.getElementById('state').value !== state", arg=before
            )
        explorer.says()
        explorer.page.locator("#histogram-note:not(:empty)").wait_for()
        explorer.page.locator("#verdict").hover()
        explorer.page.evaluate("() => { document.activeElement.blur(); window.scrollTo(0, 0); }")
        yield explorer


def taken(explorer, frame):
    """A picture of the uppermost part of a page, which may be higher than the window."""
    part = {"x": 0, "y": 0, "width": frame.window["width"], "height": frame.seen}
    png = explorer.page.screenshot(full_page=True, clip=part, animations="disabled")
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    return picture.resize(frame.size, Image.Resampling.LANCZOS)


def of_readme(browser, server):
    """The picture of the README."""
    with shown(browser, server, "park", README_STATE, viewport=README.window) as explorer:
        return taken(explorer, README)


def of_games(browser, server):
    """The picture of several games."""
    (width, height), rows = GAME.size, len(SEVERAL) // COLUMNS
    size = (COLUMNS * (width + GAP) - GAP, rows * (height + GAP) - GAP)
    picture = Image.new("RGB", size, BETWEEN)
    for place, (table, state) in enumerate(SEVERAL.items()):
        row, column = divmod(place, COLUMNS)
        with shown(browser, server, table, state, viewport=GAME.window) as explorer:
            game = taken(explorer, GAME)
        picture.paste(game, (column * (width + GAP), row * (height + GAP)))
    return picture


# The pictures in `docs`, by the names of their files.
PICTURES = {"page.png": of_readme, "games.png": of_games}


def encoded(picture):
    """The file of a picture."""
    file = io.BytesIO()
    few = picture.quantize(
        COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
    )
    few.save(file, "PNG", optimize=True)
    return file.getvalue()


def write_docs(browser, server):
    for name, make in PICTURES.items():
        (DOCS / name).write_bytes(encoded(make(browser, server)))
    # For the pages of rustdoc, which have no files beside them.
    link = base64.b64encode((DOCS / "page.png").read_bytes()).decode()
    (DOCS / "page.url").write_text(f"data:image/png;base64,{link}\n")


def write_many(browser, server, folder):
    def write(name, table, **options):
        # A few moves into the game there is more to see.
        with shown(browser, server, table, plies=3, **options) as explorer:
            explorer.page.screenshot(path=folder / f"{name}.png")

    folder.mkdir(parents=True, exist_ok=True)
    for table in [*GAMES, "pawn", "ring", "outcomes"]:
        write(table, table, viewport=WIDE)
    for table in ON_A_PHONE:
        write(f"{table}-phone", table, viewport=PHONE, has_touch=True, is_mobile=True)
    for table in IN_THE_DARK:
        write(f"{table}-dark", table, viewport=WIDE, color_scheme="dark")


def main(folder=None):
    with tempfile.TemporaryDirectory() as tables, sync_playwright() as playwright:
        solve(tables)
        server = Server(table_paths(tables).values())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        if folder is None:
            write_docs(browser, server)
        else:
            write_many(browser, server, Path(folder))
        browser.close()
        server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
