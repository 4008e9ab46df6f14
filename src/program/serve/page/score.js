// The score of a game with points: what each player has gained since the game on the page began. A table knows
// only what is still to come.

import { capital, mover, names, signed } from './words.js';

// The points that the first and the second player have gained by the position at a ply. Where play is over, what the end is
// worth is among it. Nothing in a game without points, or where a move on the way is not known yet.
export function scoreAt(steps, ply, table) {
  if (table.max_points === undefined) return null;
  const gained = [0, 0];
  const add = (points, player) => {
    gained[(player > 0) === (points > 0) ? 0 : 1] += Math.abs(points);
  };
  for (let at = 1; at <= ply; at += 1) {
    const { gain } = steps[at];
    if (gain === undefined) return null;
    add(gain, mover(steps[at - 1], at - 1, table));
  }
  const here = steps[ply];
  const toCome = here.points === undefined ? null : signed(here) * mover(here, ply, table);
  const isKnown = toCome !== null && !Number.isNaN(toCome);
  if (here.over && isKnown) add(toCome, 1);
  const ahead = gained[0] - gained[1];
  // Known of the position where this game began alone.
  const isSetUp = ply === 0 && here.state !== table.start;
  return {
    isSetUp,
    gained,
    ahead,
    toCome: here.over ? 0 : toCome,
    whole: isKnown ? ahead + (here.over ? 0 : toCome) : null,
  };
}

// The winner of the whole game: 1 for the first player, -1 for the second, 0 for none.
export const winnerOf = ({ whole }) => Math.sign(whole);

const withSign = (points) => (points < 0 ? `−${-points}` : String(points));

const ended = (whole, position, table) => (whole === 0 ? 'a draw'
  : `${names(table, position)[whole > 0 ? 0 : 1]} has won by ${Math.abs(whole)}`);

// The worth of the whole game, in words: "South wins by 6: 2 now, 4 to come". For a person who plays `side`, "you".
// Nothing before anything was gained, since a position then says it all.
export function wholeGame(position, table) {
  const { score, over, side, mine, plays } = position;
  if (!score || score.whole === null || score.gained.every((points) => points === 0)) return null;
  const { whole, ahead, toCome } = score;
  const person = mine ? side : -side;
  const won = Math.sign(whole);
  const by = Math.abs(whole);
  if (over && plays && won !== 0) return `You have ${won === person ? 'won' : 'lost'} by ${by}`;
  if (over) return capital(ended(whole, position, table));
  // Seen by whoever wins; in a draw by whoever is ahead.
  const seenBy = won || Math.sign(ahead) || 1;
  const parts = `${withSign(ahead * seenBy)} now, ${withSign(toCome * seenBy)} to come`;
  const who = names(table, position)[seenBy > 0 ? 0 : 1];
  if (won === 0) return `A draw: ${plays && seenBy === person ? 'you have' : `${who} has`} ${parts}`;
  if (!plays) return `${capital(who)} wins by ${by}: ${parts}`;
  return won === person ? `You win by ${by}: ${parts}`
    : `You lose by ${by}: ${withSign(-ahead * won)} now, ${withSign(-toCome * won)} to come`;
}

// The result of a game at the end of best play, in words. Nothing in a game without points, or where it is not known.
export function atEnd(position, table) {
  const { score } = position;
  if (!score || score.whole === null) return null;
  return ended(score.whole, position, table);
}
