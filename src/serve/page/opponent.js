// The moves that the program makes against a person.

import * as api from './api.js';
import { inOrder } from './words.js';

export const LEVELS = [
  ['perfect', 'perfectly'],
  ['hard', 'perfectly, and hard to answer'],
  ['human', 'with mistakes'],
];

// One move in so many is a mistake where there is one to make.
const MISTAKE = 4;

// Of so many equal moves at most the answers are counted.
const COMPARED = 30;

const any = (moves) => moves[Math.floor(Math.random() * moves.length)];

// The move of a program of this level; the one that was made before here, `before`, if it would make that.
// Nothing once `signal` says that nobody waits.
export async function choose(level, table, answer, before, signal) {
  const moves = inOrder(answer.moves);
  const best = moves.filter((move) => move.best);
  const again = moves.find((move) => move.move === before?.move && move.state === before?.state);
  if (again && (again.best || level === 'human')) return again;
  if (level === 'human' && Math.random() * MISTAKE < 1) return any(moves.filter((move) => !move.best)) ?? any(best);
  return level === 'hard' ? any(await hardest(table, best, signal)) : any(best);
}

// Those of equal moves that leave the fewest answers which keep the value, and of these the fewest that
// are best.
async function hardest(table, best, signal) {
  if (best.length < 2 || best.length > COMPARED || best[0].over) return best;
  const counts = await Promise.all(best.map(async (move) => {
    const { position, ...groups } = await api.moves(table.name, move.state, signal);
    const kept = groups[{ win: 'won', draw: 'drawn', loss: 'lost' }[position.value]] ?? [];
    return [kept.length, inOrder(groups).filter((answer) => answer.best).length];
  }));
  const order = (one, other) => one[0] - other[0] || one[1] - other[1];
  const least = [...counts].sort(order)[0];
  return best.filter((_, at) => order(counts[at], least) === 0);
}
