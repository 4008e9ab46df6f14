"""Writes pictures of the page into a folder: one a game, and some on a phone and in the dark."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from conftest import ARGUMENTS, CHROMIUM
from explorer import PHONE, WIDE, Explorer
from program import GAMES, Server, solve, table_paths

ON_A_PHONE = ["park", "rook", "morris"]
IN_THE_DARK = ["park", "rook", "dobutsu", "quixo"]


def write(browser, server, table, path, **options):
    context = browser.new_context(**options)
    explorer = Explorer(context.new_page(), server)
    explorer.open(table)
    # A few moves into the game there is more to see.
    for _ in range(3):
        before = explorer.says()["state"]
        if not explorer.button("step").is_visible() or explorer.says()["line"] == []:
            break
        explorer.button("step").click()
        explorer.page.wait_for_function(
            "(state) => document.getElementById('state').value !== state", arg=before
        )
    explorer.page.locator("#histogram-note:not(:empty)").wait_for()
    explorer.page.locator("#verdict").hover()
    explorer.page.evaluate("() => { document.activeElement.blur(); window.scrollTo(0, 0); }")
    explorer.page.screenshot(path=path)
    context.close()


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as tables, sync_playwright() as playwright:
        solve(tables)
        server = Server(table_paths(tables).values())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for table in [*GAMES, "pawn", "ring", "outcomes"]:
            write(browser, server, table, folder / f"{table}.png", viewport=WIDE)
        for table in ON_A_PHONE:
            write(browser, server, table, folder / f"{table}-phone.png", viewport=PHONE,
                  has_touch=True, is_mobile=True)
        for table in IN_THE_DARK:
            write(browser, server, table, folder / f"{table}-dark.png", viewport=WIDE,
                  color_scheme="dark")
        browser.close()
        server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
