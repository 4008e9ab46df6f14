"""What the tests share: the tables, and in each worker one server of them and one browser."""

import itertools
import os

import pytest
from filelock import FileLock
from playwright.sync_api import expect, sync_playwright

from explorer import WIDE, Explorer
from program import Server, Site, modules, solve, table_paths

CHROMIUM = os.environ.get("RETROGRADE_CHROMIUM", "/usr/bin/chromium-headless-shell")

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Drawing a task may take several searches of two seconds.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory, worker_id):
    """Makes a folder that all workers share. Whoever comes first fills it."""
    base = tmp_path_factory.getbasetemp()
    base = base if worker_id == "master" else base.parent

    def make(name, fill):
        folder, done = base / name, base / f"{name}.done"
        with FileLock(base / f"{name}.lock"):
            if not done.exists():
                folder.mkdir()
                fill(folder)
                done.touch()
        return folder

    return make


@pytest.fixture(scope="session")
def tables(made_once):
    """The paths of the solved tables, by name."""
    return table_paths(made_once("tables", solve))


def pytest_addoption(parser):
    parser.addoption("--site", action="store_true", help="show tables on a site, not by the server")


# What the server does besides showing the page.
SERVER = ["test_fields", "test_questions", "test_trouble"]

# For every change CI tries one in three cases of a test that has many; `.ci/release` tries all of them. Each
# test begins with another case, so that every game is looked at.
ONE_OF = 3 if os.environ.get("RETROGRADE_TESTS") == "ci" else 1
MANY = 6


def tried(items):
    """The cases that are tried, in their order."""
    tests = itertools.groupby(items, lambda item: (item.module.__name__, item.originalname))
    for number, (_, cases) in enumerate(tests):
        cases = list(cases)
        yield from cases[number % ONE_OF :: ONE_OF] if len(cases) > MANY else cases


def pytest_collection_modifyitems(config, items):
    kept = list(tried(items))
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
    on_site = config.getoption("--site")
    for item in items:
        of_server = item.module.__name__ in SERVER or item.get_closest_marker("of_server")
        if on_site and of_server:
            item.add_marker(pytest.mark.skip(reason="is about the server"))
        of_site = item.module.__name__ == "test_site" and not item.get_closest_marker("without_modules")
        if modules() is None and (on_site or of_site):
            missing = "no modules for browsers: `rustup target add wasm32-unknown-unknown`"
            item.add_marker(pytest.mark.skip(reason=missing))


@pytest.fixture(scope="session")
def server(tables, tmp_path_factory, request):
    if request.config.getoption("--site"):
        server = Site(tables.values(), tmp_path_factory.mktemp("site"))
    else:
        server = Server(tables.values())
    yield server
    assert server.process.poll() is None, "the server has ended"
    assert server.stop() == 0


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def start():
    """Starts servers, and ends them after the test."""
    started = []

    def start(*args, **options):
        started.append(Server(*args, **options))
        return started[-1]

    yield start
    for server in started:
        server.kill()


@pytest.fixture
def explorers(browser, server, start):
    """
    Makes pages, each in a window of its own, and makes sure that nothing went wrong on them. They
    are closed before the servers of `start` end: what a page still asks then has an answer.
    """
    made = []

    def make(of=server, viewport=WIDE, **options):
        context = browser.new_context(viewport=viewport, **options)
        made.append(Explorer(context.new_page(), of))
        return made[-1]

    yield make
    for explorer in made:
        explorer.page.context.close()
    for explorer in made:
        explorer.check()


@pytest.fixture
def explorer(explorers):
    return explorers()
