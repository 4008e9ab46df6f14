// The moves so far that an address names.

import * as api from './api.js';

// Whether these positions begin with the moves from `from` to `state`.
export function isPrefix(steps, from, line, state) {
  return steps.length > line.length && steps[0].state === (line.length > 0 ? from : state)
    && line.every((move, at) => steps[at + 1].move === move) && steps[line.length].state === state;
}

// Looks up the positions of the moves from `from`. Returns them, or that they do not lead to `state`; nothing
// once `isWanted` says that nobody waits for it.
export async function lookUp(table, from, line, state, isWanted) {
  try {
    const { position, moves } = await api.game(table.name, from, line);
    if (!isWanted()) return null;
    const steps = [position, ...moves];
    return { steps, isLost: steps[steps.length - 1].state !== state };
  } catch (error) {
    if (!(error instanceof api.Problem)) throw error;
    return isWanted() ? { steps: [], isLost: true } : null;
  }
}
