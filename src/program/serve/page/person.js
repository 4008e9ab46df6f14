// Who plays, against whom, and what may be seen: what is said of a position is said for that person.

import { remember, remembered } from './dom.js';
import { scoreAt, winnerOf } from './score.js';
import { mover, rank } from './words.js';

// `side` is 0 where a person plays both sides, else the first (1) or the second (-1) player, against the
// program. `hides` says that no value is shown, `asks` that a task is being solved, which shows none either.
export const person = { side: 0, level: 'perfect', hides: remembered('values') === 'hidden', asks: false };

export const seesValues = () => !person.hides && !person.asks;

const KEY = 'retrograde-person';

// A reload keeps who plays; another table, or another tab, does not.
export function keep(table) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ table: table.name, side: person.side, level: person.level }));
  } catch { /* then it is forgotten */ }
}

export function recall(table) {
  let kept = {};
  try {
    kept = JSON.parse(sessionStorage.getItem(KEY)) ?? {};
  } catch { /* then nothing was kept */ }
  const isSame = kept.table === table.name;
  person.side = isSame && [1, -1].includes(kept.side) ? kept.side : 0;
  person.level = kept.level ?? 'perfect';
}

export function hide(isHidden) {
  person.hides = isHidden;
  remember('values', isHidden ? 'hidden' : null);
}

// Whether the person may move in the position at this ply.
export const isMine = (position, ply, table) => person.side === 0 || mover(position, ply, table) === person.side;

const VALUES = ['loss', 'draw', 'win'];

// What the player who moves there thinks of something is turned round where the program moves.
const turned = { win: 'loss', draw: 'draw', loss: 'win' };

// Says of each part of an answer how it looks to the person: `shade` is win, draw or loss for whoever moves,
// or for the person who plays a side, or `plain` where values are hidden; `list` has the moves in the order in which
// they are listed. The answer itself stays as it is.
export function seen(answer, ply, table, steps) {
  const { position, moves, line } = answer;
  const mine = isMine(position, ply, table);
  const side = mover(position, ply, table);
  // The moves so far count in a game with points.
  const score = steps ? scoreAt([...steps.slice(0, ply), { ...steps[ply], ...position }], ply, table) : null;
  const value = !score || score.whole === null ? position.value : VALUES[winnerOf(score) * side + 1];
  // The end of a game can be seen on the board.
  const isPlain = !seesValues() && !position.over;
  const turn = (worth, isTurned) => (isPlain ? 'plain' : isTurned ? turned[worth] : worth);
  const move = (one) => ({
    ...one,
    shade: turn(one.worth, !mine),
    best: one.best && !isPlain,
    plays: person.side !== 0,
    seenTotal: one.total === undefined || mine ? one.total : -one.total,
  });
  const step = (one, at) => {
    const before = at === 0 ? position : line.line[at - 1];
    return { ...move(one), shade: turn(one.worth, !isMine(before, ply + at, table)) };
  };
  const groups = Object.fromEntries(Object.entries(moves)
    .map(([group, all]) => [group, Array.isArray(all) ? all.map(move) : all]));
  const list = [...groups.won, ...groups.drawn, ...groups.lost];
  if (isPlain) list.sort((one, other) => one.move.localeCompare(other.move, 'en', { numeric: true }));
  return {
    ...answer,
    position: {
      ...position, value, shade: turn(value, !mine), isPlain, mine, plays: person.side !== 0, side, score,
    },
    moves: groups,
    list,
    line: line && !isPlain ? { ...line, line: line.line.map(step) } : null,
    isPlain,
  };
}

// Whether a move was worth less than the position before it.
export function isMistake(step, before) {
  if (step.worth === undefined || before.value === undefined) return false;
  if (step.total !== undefined) return step.total < (before.value === 'loss' ? -before.points : before.points);
  return rank(step.worth) < rank(before.value);
}
