"""The pictures in `docs` show the page as it is now, and the words beside them are true."""

import os

import pytest
from PIL import Image, ImageChops, ImageFilter

from conftest import ARGUMENTS, CHROMIUM
from pictures import DOCS, GAME, PICTURES, README, README_STATE, encoded, of_readme, shown, taken
from program import ROOT

pytestmark = pytest.mark.of_server

# Pictures are compared by spots: the means of squares of 7 pixels. Letters drawn with other antialiasing
# change a spot by up to 16 levels of 255, a word that is another word by 27 or more.
SPOT_RADIUS = 3
MOST = 20


def difference(one, other):
    """The difference of the spot that differs most, in levels of 255."""
    assert one.size == other.size
    spots = [picture.filter(ImageFilter.BoxBlur(SPOT_RADIUS)) for picture in (one, other)]
    return max(most for _, most in ImageChops.difference(*spots).getextrema())


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_show_what_the_page_shows(browser, server, tmp_path, name):
    now = PICTURES[name](browser, server)
    (tmp_path / name).write_bytes(encoded(now))
    with Image.open(DOCS / name) as picture:
        assert difference(picture.convert("RGB"), now) <= MOST, (
            f"docs/{name} is of another page than this one, which {tmp_path / name} shows. Make the "
            "pictures anew with `tests/browser/pictures`, look at them, and commit them."
        )


def test_the_words_beside_the_picture_of_the_readme_are_true(explorer):
    explorer.open("park", README_STATE)
    said = explorer.says()
    mouse, cat, mover = README_STATE.split(",")
    [best] = [move["move"] for move in said["moves"] if move["best"]]
    readme = " ".join((ROOT / "README.md").read_text().split())
    verdict = said["verdict"].removeprefix("Mouse")
    to = best.split("-")[1]
    assert f"the {mover}'s turn, on node {mouse}, and the cat is on node {cat}:" in readme
    assert f"mouse on node {mouse} and the cat on node {cat}. The mouse{verdict} by going to node {to}." in readme


# Changes of the page that a person sees in the picture of the README: an element, what is changed of it, and
# how. Some are seen also where games are half as large, beside each other.
CHANGES = [
    ("#open-rules", "visibility", "hidden"),
    ("#chart-note", "visibility", "hidden"),
    ("#groups .after", "visibility", "hidden"),
    ("#moves-title", "text", "Moves of cat"),
    ("#moves", "margin-top", "8px"),
]
SMALL_CHANGES = [
    ("#board .edge", "visibility", "hidden"),
    ("#groups .key", "visibility", "hidden"),
    ("#values", "text", "hide worths"),
    ("#moves", "margin-top", "3px"),
    (":root", "--accent", "#2a7d3c"),
]

# Changes an element, and returns what was before.
CHANGE = """([selector, property, value]) => {
  const element = document.querySelector(selector);
  const before = property === 'text' ? element.textContent : element.style.getPropertyValue(property);
  if (property === 'text') element.textContent = value;
  else element.style.setProperty(property, value);
  return before;
}"""


@pytest.mark.parametrize(
    ["frame", "changes"], [(README, CHANGES + SMALL_CHANGES), (GAME, CHANGES)], ids=["readme", "game"]
)
def test_a_change_that_a_person_sees_is_noticed(browser, server, frame, changes):
    with shown(browser, server, "park", README_STATE, viewport=frame.window) as explorer:
        usual = taken(explorer, frame)
        for selector, property, value in changes:
            before = explorer.page.evaluate(CHANGE, [selector, property, value])
            assert difference(usual, taken(explorer, frame)) > MOST, (selector, property)
            explorer.page.evaluate(CHANGE, [selector, property, before])
        assert difference(usual, taken(explorer, frame)) == 0


# Letters are drawn with the three colours of a pixel side by side.
OTHER_ANTIALIASING = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include>/etc/fonts/fonts.conf</include>
  <match target="font"><edit name="rgba" mode="assign"><const>rgb</const></edit></match>
  <match target="pattern"><edit name="rgba" mode="assign"><const>rgb</const></edit></match>
</fontconfig>
"""


def test_other_antialiasing_and_fewer_colours_are_not_noticed(browser, server, tmp_path):
    usual = of_readme(browser, server)
    (tmp_path / "few.png").write_bytes(encoded(usual))
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(OTHER_ANTIALIASING)
    other = browser.browser_type.launch(
        executable_path=CHROMIUM, args=ARGUMENTS, env={**os.environ, "FONTCONFIG_FILE": str(fonts)}
    )
    antialiased = of_readme(other, server)
    other.close()
    assert ImageChops.difference(usual, antialiased).getbbox(), "the letters are drawn as usual"
    with Image.open(tmp_path / "few.png") as few:
        assert difference(few.convert("RGB"), antialiased) <= MOST
