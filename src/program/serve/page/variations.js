// Lines of a game that were left for others. They can be gone to again.

import { by, make, replace } from './dom.js';
import { numberOf } from './notation.js';
import { plies } from './words.js';

// So many lines are kept, the latest ones.
const MOST = 12;

// So many moves of a line are named.
const NAMED = 4;

// How many positions two lines have in common from their beginning.
function shared(one, other) {
  let ply = 0;
  while (ply < Math.min(one.length, other.length) && one[ply].state === other[ply].state && one[ply].move === other[ply].move) ply += 1;
  return ply;
}

const linesOf = ({ steps, variations = [] }) => [steps, ...variations];

// The part of a game that is shown when play follows `line`: a line that is known and begins so, else this one. The others
// become variations, unless they end on it.
export function follow(shown, line) {
  const lines = linesOf(shown);
  const steps = lines.find((known) => shared(known, line) === line.length) ?? line;
  return { steps, variations: lines.filter((known) => shared(known, steps) < known.length).slice(0, MOST) };
}

// The line of a game that begins as an address says, which `isMeant` knows.
export const lineOf = (shown, isMeant) => linesOf(shown).find(isMeant);

// `go` is called with a line, and the ply where it leaves the one shown.
export function showVariations({ steps, variations = [], table }, go) {
  const items = variations.map((line) => {
    const from = shared(line, steps);
    const moves = line.slice(from, from + NAMED).map((step, at) => `${numberOf(table, line, from + at, at === 0)} ${step.move}`.trim());
    const rest = line.length - from - moves.length;
    const more = rest > 0 ? ` and ${plies(rest)} more` : '';
    return make('li', {}, make('button', { type: 'button', onclick: () => go(line, from) }, moves.join(' '), more));
  });
  by('variations-of').hidden = items.length === 0;
  replace(by('variations'), items, () => by('so-far').querySelector('[aria-current]'));
}
