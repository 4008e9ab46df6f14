// Which moves the touched places can still mean.

import { rank } from './words.js';

const begins = (move, touched) =>
  move.places.length > 0 && touched.length <= move.places.length
  && touched.every((place, step) => move.places[step] === place);

export const meant = (moves, touched) => moves.filter((move) => begins(move, touched));

// What touching `place` after `touched` does: `{play}`, `{ask}` (which of these moves), `{touched}`
// (go on, or let go where that is empty).
export function touch(moves, touched, place) {
  const next = [...touched, place];
  const left = meant(moves, next);
  if (left.length === 1) return { play: left[0] };
  if (left.length > 1) {
    const isWhole = left.every((move) => move.places.length === next.length);
    return isWhole ? { ask: left } : { touched: next };
  }
  if (touched.length === 0) return { touched };
  // Touching the last place once more makes the move that ends there, where others go on.
  if (place === touched[touched.length - 1]) {
    const whole = meant(moves, touched).filter((move) => move.places.length === touched.length);
    if (whole.length === 1) return { play: whole[0] };
    if (whole.length > 1) return { ask: whole };
    return { touched: touched.slice(0, -1) };
  }
  return touch(moves, [], place);
}

// The best worth that a move by way of each next place has, as a map from places to moves.
export function targets(moves, touched) {
  const found = new Map();
  for (const move of meant(moves, touched)) {
    const place = move.places[touched.length] ?? touched[touched.length - 1];
    const other = found.get(place);
    if (place !== undefined && (!other || rank(move.worth) > rank(other.worth)
      || (move.best && !other.best))) {
      found.set(place, move);
    }
  }
  return found;
}
