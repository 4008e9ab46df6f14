// The moves so far that an address names.

import * as api from './api.js';
import { inOrder } from './words.js';

// Whether these positions begin with the moves from `from` to `state`.
export function isPrefix(steps, from, line, state) {
  return steps.length > line.length && steps[0].state === (line.length > 0 ? from : state)
    && line.every((move, at) => steps[at + 1].move === move) && steps[line.length].state === state;
}

// Looks up the positions of the moves from `from`. Returns what was found of them, and whether they do not
// lead to `state`; nothing once `isWanted` says that nobody waits for it.
export async function lookUp(table, from, line, state, isWanted) {
  const steps = [{ state: from }];
  try {
    for (const wanted of line) {
      const at = steps.length - 1;
      const answer = await api.moves(table.name, steps[at].state);
      if (!isWanted()) return null;
      steps[at] = { ...steps[at], ...answer.position };
      const move = inOrder(answer).find((one) => one.move === wanted);
      if (!move) return { steps, isLost: true };
      steps.push({ ...move });
    }
  } catch (error) {
    if (!(error instanceof api.Problem)) throw error;
    return { steps, isLost: true };
  }
  return { steps, isLost: steps[steps.length - 1].state !== state };
}
