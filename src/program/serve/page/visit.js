// What an address of the page names: a position, with the moves that led there, or the front page.

import * as address from './address.js';
import * as api from './api.js';
import { noteGame, say, scrollUp } from './banner.js';
import { by, make } from './dom.js';
import { showFront } from './front.js';
import { isPrefix, lookUp } from './replay.js';
import { now } from './state.js';
import { follow, lineOf } from './variations.js';
import { number } from './words.js';

// Opens what the address says. `page` shows positions (`go`, `show`), says what went wrong (`notice`), has
// the program move (`reply`), and trains (`train`).
export async function open(page) {
  const wanted = address.read(location.hash);
  const { tables } = now.catalog;
  // Whoever chose a card goes on with its table.
  const wasChosen = by('front').contains(document.activeElement);
  by('front').hidden = true;
  if (tables.length === 0) {
    say('The server has no table. Start it with the path of one: retrograde serve park.rtb');
    return;
  }
  if (!wanted.name && tables.length > 1) {
    hideAll();
    showFront(now.catalog);
    return;
  }
  const table = wanted.name ? tables.find(({ name }) => name === wanted.name) : tables[0];
  if (!table) {
    hideAll();
    say(`There is no table “${wanted.name}” here. Open one of these: `,
      tables.map(({ name, start }) => make('a', { href: address.link(name, start) }, name)));
    return;
  }
  if (wanted.tasks && table.has_distances) {
    await page.train(table, wanted.tasks);
    return;
  }
  if (!wanted.state && (table.start === null || table.start === undefined)) {
    await api.complete(table.name).catch(() => {});
    page.openEmpty({ table, steps: [{ state: '' }], cursor: 0 });
    say('This table names no position to start from. Set one up, or take one of the examples.');
    return;
  }
  await openPosition(table, wanted, page);
  if (wasChosen && document.activeElement === document.body) by('verdict').focus({ preventScroll: true });
}

async function openPosition(table, wanted, page) {
  const state = wanted.state || table.start;
  const from = wanted.from ?? table.start;
  const how = 'replace';
  const { shown } = now;
  const known = shown?.table === table && lineOf(shown, (steps) => isPrefix(steps, from, wanted.line, state));
  if (known) {
    await page.go({ ...shown, ...follow(shown, known), cursor: wanted.line.length, flip: wanted.flip }, { how });
    return;
  }
  const alone = { table, steps: [{ state }], cursor: 0, flip: wanted.flip };
  const failed = (problem, again) => {
    if (!problem.gone) now.shown = null;
    page.notice(problem, again, alone);
  };
  const isTooLong = wanted.line.length > address.MOST_MOVES;
  const line = isTooLong ? [] : wanted.line;
  if (!(await page.go(alone, { how: line.length > 0 ? 'leave' : how, failed }))) return;
  scrollUp();
  if (isTooLong) noteGame(`The address has more than ${number(address.MOST_MOVES)} moves, so they are left out.`);
  if (line.length > 0) await replay(table, from, line, page);
  page.reply();
}

// Puts the moves that the address names before the game shown.
async function replay(table, from, line, page) {
  const { state } = now.shown.answer.position;
  const isWanted = () => now.shown?.table === table && now.shown.steps[0].state === state;
  const found = await lookUp(table, from, line, state, isWanted);
  if (!found) return;
  // A position that was asked for meanwhile comes first.
  while (now.goal !== now.shown) await new Promise((done) => { setTimeout(done, 50); });
  if (!isWanted()) return;
  const { shown } = now;
  if (found.isLost) {
    history.replaceState(null, '', address.write(shown));
    noteGame('The moves so far in the address do not lead to this position, so they are left out.');
    return;
  }
  const { cursor } = shown;
  const [first, ...later] = shown.steps;
  const { steps } = found;
  steps[line.length] = { ...steps[line.length], ...first };
  page.show({ ...shown, steps: [...steps, ...later], cursor: cursor + line.length }, 'replace');
}

export function hideAll() {
  now.shown = null;
  now.goal = null;
  by('notice').replaceChildren();
  for (const id of ['value', 'chart', 'play', 'moves', 'line', 'game', 'table']) by(id).hidden = true;
}
