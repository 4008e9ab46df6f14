"""The page reads no field that the description of the interface does not have."""

import json
import re
from pathlib import Path

import pytest

from explorer import FILES
from program import GAMES, ROOT

# Hands out answers that note which fields are read, each with its schema of the description.
WATCH = """
(() => {
  const description = DESCRIPTION;
  window.unknown = new Set();
  const resolve = (schema) => {
    if (!schema) return null;
    if (schema.$ref) return resolve(schema.$ref.split('/').slice(1).reduce((at, name) => at[name], description));
    const parts = (schema.allOf ?? schema.oneOf ?? schema.anyOf ?? []).map(resolve).filter(Boolean);
    return parts.reduce((all, part) => ({
      ...part, ...all, properties: { ...part.properties, ...all.properties },
      additionalProperties: all.additionalProperties ?? part.additionalProperties,
    }), schema);
  };
  const watch = (value, schema, path) => {
    const known = resolve(schema);
    if (value === null || typeof value !== 'object' || !known) return value;
    if (Array.isArray(value)) return value.map((one) => watch(one, known.items, path));
    return new Proxy(value, { get(target, name) {
      // On a site the line comes later, or fails. The page notes it there.
      const isOwn = ['later', 'failed'].includes(name);
      const isKnown = typeof name !== 'string' || isOwn || name === 'then' || name === 'toJSON' || !known.properties
        || Object.keys(known.properties).length === 0 || name in known.properties || known.additionalProperties;
      if (!isKnown) window.unknown.add(`${path}.${name}`);
      const field = known.properties?.[name] ?? (typeof known.additionalProperties === 'object' ? known.additionalProperties : null);
      return watch(target[name], field, `${path}.${String(name)}`);
    } });
  };
  const whole = Response.prototype.json;
  Response.prototype.json = async function () {
    const answer = await whole.call(this);
    const path = new URL(this.url).pathname.replace(/^[/]api[/]tables[/][^/]+/, '/api/tables/{name}');
    const schema = description.paths[path]?.get?.responses?.[this.status]?.content?.['application/json']?.schema;
    return watch(answer, schema, path);
  };
})();
"""

# What the page adds to what it was told.
ADDED = {
    # Methods of texts.
    "replace", "localeCompare",
    "shade", "seenTotal", "plays", "mine", "isPlain", "side", "list", "flip", "table", "steps", "cursor", "answer",
}


@pytest.mark.parametrize("table", GAMES)
def test_the_page_reads_fields_that_are_described(explorer, table):
    description = json.dumps(explorer.server.get("/api/openapi.json"))
    explorer.page.add_init_script(WATCH.replace("DESCRIPTION", description))
    explorer.open(table)
    explorer.page.locator("#histogram-note:not(:empty)").wait_for()
    tiers = explorer.page.locator("#tier option")
    if tiers.count() > 1:
        explorer.button("tier").select_option(index=1)
    for kind in explorer.page.locator("#kinds button").all():
        kind.click()
    explorer.button("open-about").click()
    explorer.page.keyboard.press("Escape")
    for _ in range(3):
        if explorer.button("step").is_visible():
            explorer.page.locator("#groups .move").first.click()
    if explorer.button("by-hand").is_visible():
        explorer.button("by-hand").click()
        explorer.page.locator("#hand-board .place").first.wait_for()
    assert explorer.page.evaluate("() => [...window.unknown]") == []


def test_the_watch_sees_a_field_that_is_not_described(explorer):
    """The figures of a tier have `drawn`, those of the table `draws`."""
    description = json.dumps(explorer.server.get("/api/openapi.json"))
    explorer.page.add_init_script(WATCH.replace("DESCRIPTION", description))
    explorer.open("pawn")
    explorer.page.evaluate(
        "async () => { const stats = await (await fetch('api/tables/pawn/stats')).json(); void stats.tiers[0].draws; }"
    )
    assert explorer.page.evaluate("() => [...window.unknown]") == ["/api/tables/{name}/stats.tiers.draws"]


def test_every_field_that_is_named_in_the_page_is_described(explorer):
    description = json.dumps(explorer.server.get("/api/openapi.json"))
    known = set(re.findall(r'"([a-z_]+)": \{', description)) | ADDED
    folder = Path(FILES) if FILES else ROOT / "src/program/serve/page"
    read = set()
    for path in folder.glob("*.js"):
        for name in re.findall(r"\b(?:position|move|step|stats|facts)\.([a-zA-Z_]+)\b", path.read_text()):
            read.add(name)
    assert read - known == set()
