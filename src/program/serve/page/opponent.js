// The moves that the program makes against a person.

import * as api from './api.js';
import { any } from './chance.js';
import { STRENGTHS, mistake } from './mistakes.js';
import { person } from './person.js';
import { now } from './state.js';
import { inOrder } from './words.js';

export const LEVELS = [
  ['perfect', 'perfectly'],
  ['hard', 'perfectly, and hard to answer'],
  ['careful', 'with few mistakes'],
  ['human', 'with some mistakes'],
  ['hasty', 'with many mistakes'],
];

// Of so many equal moves at most the answers are counted.
const COMPARED = 30;

// The move of a program of this level; the one that was made before here, `before`, if it would make that.
// Nothing once `signal` says that nobody waits.
async function choose(level, table, answer, before, signal) {
  const moves = inOrder(answer.moves);
  const best = moves.filter((move) => move.best);
  const again = moves.find((move) => move.move === before?.move && move.state === before?.state);
  const strength = STRENGTHS[level];
  if (again && (again.best || strength)) return again;
  if (strength && Math.random() < strength.often) return mistake(moves, strength) ?? any(best);
  if (level === 'hard') return any(await hardest(table, best, signal));
  // Of drawing moves the one that is hardest to answer costs nothing to find.
  const least = Math.min(...best.map(({ replies }) => replies?.hold ?? Infinity));
  return any(best.filter(({ replies }) => (replies?.hold ?? Infinity) === least));
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

// The program that plays the other side.
export class Program {
  // `isToMove` says whether it is its turn, `play` makes its move after `pause` milliseconds, and `failed`
  // is told a problem.
  constructor({ isToMove, play, failed, pause }) {
    Object.assign(this, { isToMove, play, failed, pause, choosing: new AbortController() });
  }

  // Moves, if it is its turn. Where play went on from here before, someone looks at that game, unless
  // `always` is set.
  reply(always = false) {
    this.wait();
    const from = now.shown;
    if (!from || from !== now.goal || from.answer.position.over || !this.isToMove()) return;
    if (!always && from.cursor + 1 < from.steps.length) return;
    const { signal } = this.choosing;
    this.timer = setTimeout(async () => {
      const isWanted = () => !signal.aborted && now.shown === from && now.goal === from;
      if (!isWanted()) return;
      try {
        const move = await choose(person.level, from.table, from.answer, from.steps[from.cursor + 1], signal);
        if (isWanted() && move) this.play(move);
      } catch (error) {
        if (error.name === 'AbortError' || signal.aborted) return;
        if (!(error instanceof api.Problem)) throw error;
        this.failed(error);
      }
    }, this.pause);
  }

  // Does not move until it is asked again.
  wait() {
    clearTimeout(this.timer);
    this.choosing.abort();
    this.choosing = new AbortController();
  }
}
