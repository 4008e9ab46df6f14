// What is said of values, in words.

import { now } from './state.js';

export const SIGNS = { win: '+', draw: '=', loss: '−', plain: '·' };

const RANKS = { win: 2, draw: 1, loss: 0 };

export const rank = (worth) => RANKS[worth] ?? -1;

// The moves of an answer, best first.
export const inOrder = ({ won, drawn, lost }) => [...won, ...drawn, ...lost];

export const number = (count) => Number(count).toLocaleString('en');

export const plies = (count) => (count === 1 ? '1 ply' : `${number(count)} plies`);

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export const several = (count, one, many) => `${number(count)} ${count === 1 ? one : many}`;

// A distance in moves of the winner, where the game of the page counts those, too: " (mate in 28)".
function inMoves(count) {
  const end = now.shown?.table.counted_in_moves ?? now.goal?.table.counted_in_moves;
  return end && count > 0 ? ` (${end} in ${Math.ceil(count / 2)})` : '';
}

// The verdict on a position that `seen` has looked at: of a person who plays a side, else that of the answer.
export function headline(position) {
  if (position.isPlain) return position.to_move ? `${capital(position.to_move)} to move` : 'Values are hidden';
  if (!position.plays || position.shade === 'draw') return capital(position.verdict ?? position.value ?? '');
  return yours(position);
}

// How the person wins or loses, from the fields of the position.
function yours({ shade, plies: left, decided_by: decidedBy, points }) {
  const isEnd = decidedBy === 'play' && left === 0;
  const isWon = shade === 'win';
  const verb = isEnd ? `have ${isWon ? 'won' : 'lost'}` : isWon ? 'win' : 'lose';
  const rest = {
    play: isEnd || left === null || left === undefined ? '' : ` in ${plies(left)}${inMoves(left)}`,
    endless: ' by endless play',
    'ply-limit': ' by the ply limit',
  };
  return `You ${verb}${points ? ` by ${points}` : ''}${rest[decidedBy] ?? ''}`;
}

export function turn(position) {
  if (position.over) return 'Play is over.';
  const who = position.mine ? 'you' : 'the program';
  if (position.plays) {
    return position.to_move ? `${capital(position.to_move)} to move: ${who}.`
      : `${capital(who)} ${position.mine ? 'are' : 'is'} to move.`;
  }
  if (!position.to_move || position.isPlain) return '';
  const worth = { win: ' and win', loss: ' and lose' }[position.value] ?? '';
  return `${capital(position.to_move)} to move${worth}.`;
}

// Why play is over before the end that the plies count to: where a king is about to be taken, for example.
export function early(position) {
  return position.over && position.plies > 0 ? `Play stops ${plies(position.plies)} early in this game: the end is certain.` : '';
}

// What the headline does not say: whether a draw ends or repeats, and what a ply limit leaves.
export function detail(answer, table) {
  const { position, line } = answer;
  if (position.isPlain) return '';
  const said = [early(position)].filter(Boolean);
  if (position.note) said.push(`${capital(position.note)}.`);
  if (!position.over && position.decided_by === 'endless') {
    const player = table.players.includes(position.outcome) ? ` for ${position.outcome}` : '';
    said.push(position.outcome === 'draw'
      ? 'Play repeats: neither player can force more than that.'
      : `Play repeats, and in this game that is a win${player}.`);
  } else if (!position.over && position.value === 'draw' && position.decided_by === 'play') {
    said.push(line?.end === 'over' ? `Play ends, after ${plies(line.line.length)} of best play.` : 'Play ends.');
  }
  if (table.ply_limit !== null && table.ply_limit !== undefined && !position.over) {
    if (position.decided_by === 'ply-limit') {
      said.push(`Play stops after ${plies(table.ply_limit)} from here, and the end would come later.`);
    } else if (position.plies !== null && position.decided_by === 'play') {
      const left = table.ply_limit - position.plies;
      said.push(`The limit is ${plies(table.ply_limit)} from here, ${number(left)} more than are needed.`);
    } else {
      said.push(`The limit is ${plies(table.ply_limit)} from here.`);
    }
  }
  return said.join(' ');
}

// What is left of play after a move, or after a step of best play.
export function after(move) {
  if (move.shade === 'plain') return '';
  const rest = [restAfter(move), move.shade === 'draw' ? holding(move.replies) : ''].filter(Boolean).join(', ');
  if (move.total === undefined) return rest;
  const total = move.seenTotal ?? move.total;
  const said = [move.gain === 0 ? '' : `gains ${move.gain}`, rest].filter(Boolean).join(', ');
  return [`${total > 0 ? '+' : ''}${total}`, said].filter(Boolean).join(': ');
}

// How many replies keep a draw: the fewer, the harder it is to hold.
function holding(replies) {
  if (!replies) return '';
  const { hold, all } = replies;
  return `${hold} of ${several(all, 'reply', 'replies')} ${hold === 1 ? 'holds' : 'hold'}`;
}

function restAfter(move) {
  if (move.over) return 'ends play';
  if (move.decided_by === 'endless') return 'play repeats';
  if (move.decided_by === 'ply-limit') return 'by the ply limit';
  if (move.plies !== null && move.plies !== undefined) return `then ${plies(move.plies)}${inMoves(move.plies)}`;
  return move.worth === 'draw' ? 'play ends' : '';
}

// In a game with points, what a position is worth to the player to move.
export const signed = ({ value, points }) => (value === 'loss' ? -points : points);

const WORTH = { win: 'wins', draw: 'draws', loss: 'loses', plain: '' };
const YOURS = { win: 'you win', draw: 'a draw', loss: 'you lose', plain: '' };

// What a move is worth, in a word or two.
export const worth = (move) => (move.plays ? YOURS : WORTH)[move.shade ?? move.worth] ?? '';

// A move with what it is worth, for people who do not see its colour.
export const spoken = (move) =>
  [move.move, worth(move), after(move), move.best ? 'best' : ''].filter(Boolean).join(', ');

// Which player a position is won by: 1 for the first of the table's players, -1 for the second, 0 for
// none. Where positions do not say who is to move, 1 is the player who began this game.
export function winner(position, ply, table) {
  const [first, second] = table.players;
  if (position.outcome === 'draw') return 0;
  if (position.outcome === 'mover') return mover(position, ply, table);
  if (position.outcome === 'opponent') return -mover(position, ply, table);
  if (position.outcome === first) return 1;
  return position.outcome === second ? -1 : 0;
}

export function mover(position, ply, table) {
  if (position.to_move === table.players[0]) return 1;
  if (position.to_move === table.players[1]) return -1;
  return ply % 2 === 0 ? 1 : -1;
}

// What the two players are called.
export function names(table, position) {
  return position?.to_move === null ? ['the first to move', 'the other player'] : table.players;
}

export function size(bytes) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let amount = bytes;
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? number(amount) : amount.toFixed(amount < 10 ? 1 : 0)} ${units[unit]}`;
}
