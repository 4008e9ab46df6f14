// The memory of a training: for each table the level and what was asked, and for this window the score.

import { remember, remembered } from './dom.js';

// So many positions of a table are not asked again.
const SEEN = 400;

const LEVELS = 'training';
const OPEN = 'retrograde-training-open';

const read = (text) => {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};

// The level at a table, the right or wrong answers in a row, and the positions that were asked.
export function levelAt(table) {
  const known = read(remembered(LEVELS))[table.name];
  return known?.identity === table.identity ? known : { identity: table.identity, level: 1, row: 0, seen: [] };
}

export function keepLevel(table, { level, row, seen }) {
  const all = read(remembered(LEVELS));
  all[table.name] = { identity: table.identity, level, row, seen: seen.slice(-SEEN) };
  remember(LEVELS, JSON.stringify(all));
}

// The training that goes on in this window, or null: a reload goes on with it.
export function openAt(table) {
  let open = {};
  try {
    open = read(sessionStorage.getItem(OPEN));
  } catch { /* then nothing was kept */ }
  return open.name === table.name && open.identity === table.identity ? open : null;
}

export function keepOpen(training) {
  try {
    if (training === null) sessionStorage.removeItem(OPEN);
    else sessionStorage.setItem(OPEN, JSON.stringify(training));
  } catch { /* then it is forgotten */ }
}
