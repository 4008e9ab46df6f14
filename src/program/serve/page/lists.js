// The list of moves, the strip of best play, and the strip of the moves so far.

import { by, make, replace, sayInstead } from './dom.js';
import { numberOf } from './notation.js';
import { isMistake } from './person.js';
import { atEnd } from './score.js';
import { SIGNS, after, early, number, plies, several, spoken, worth } from './words.js';

// Longer strips are folded.
const SHOWN = 48;

// What groups of moves are called, and where a person plays against the program.
const GROUPS = { win: ['Wins', 'You win'], draw: ['Draws', 'Draw'], loss: ['Loses', 'You lose'] };

// `play` makes a move, `point` shows one on the board, or none.
export function showMoves(answer, { play, point }) {
  const { position, list: moves } = answer;
  const best = moves.filter((move) => move.best).length;
  by('moves-title').textContent = position.to_move ? `Moves of ${position.to_move}` : 'Moves';
  const equal = answer.isPlain || best === 0 ? '' : equals(best, moves.length);
  by('moves-note').textContent = moves.length === 0
    ? (position.over ? 'None: play is over.' : 'None.')
    : `${several(moves.length, 'move', 'moves')}${equal}.`;
  const groups = new Map();
  moves.forEach((move, at) => {
    const item = make('li', {}, moveButton(move, at + 1, { play, point }));
    groups.set(move.shade, [...(groups.get(move.shade) ?? []), item]);
  });
  point(null);
  replace(by('groups'), [...groups].map(([shade, items]) => make('div', { class: `group ${shade}` },
    shade === 'plain' ? null : make('h3', {},
      make('span', { class: `sign ${shade}`, 'aria-hidden': 'true' }, SIGNS[shade]),
      GROUPS[shade][position.plays ? 1 : 0]),
    make('ul', { class: 'list' }, ...items))));
}

function equals(best, all) {
  if (all === 1) return ', no other';
  if (best === 1) return ', one is best (★)';
  return best === all ? ', all equally good (★)' : `, the best ${number(best)} are equally good (★)`;
}

function moveButton(move, key, { play, point }) {
  return make('button', {
    type: 'button',
    class: `move${move.best ? ' best' : ''}`,
    'aria-keyshortcuts': key <= 9 ? String(key) : null,
    onclick: () => play(move),
    onpointerenter: () => point(move),
    onpointerleave: () => point(null),
    // After a click the focus is no pointing.
    onfocus: (event) => event.target.matches(':focus-visible') && point(move),
    onblur: () => point(null),
  },
  make('span', { class: 'key', 'aria-hidden': 'true' }, key <= 9 ? String(key) : ''),
  make('span', { class: 'name' }, move.move),
  // The group says it to those who see it.
  make('span', { class: 'unseen' }, worth(move) && `${worth(move)},`),
  make('span', { class: 'star', 'aria-hidden': 'true' }, move.best ? '★' : ''),
  make('span', { class: 'after' }, after(move)),
  move.best ? make('span', { class: 'unseen' }, 'best') : null);
}

// No line has more plies.
const MOST_PLIES = 2000;

// `go` is called with the number of plies of the line to play.
export function showLine(answer, table, { go, point, readOn }) {
  const note = by('line-note');
  const why = by('why');
  note.textContent = '';
  sayInstead(by('line-say'), null);
  why.textContent = '';
  by('line-buttons').hidden = !answer.line || answer.line.line.length === 0;
  if (!answer.line) {
    replace(by('strip'), []);
    note.textContent = answer.failed ?? (answer.later ? 'Reading the line of best play…'
      : 'This table has outcomes only: it knows no plies, so there is no line of best play.');
    return;
  }
  const { line, end, repeats_ply: first } = answer.line;
  const cycle = end === 'repetition' ? first : Infinity;
  const items = line.map((step, at) => stepItem(step, at, {
    isCycle: at >= cycle,
    opens: at === cycle,
    closes: end === 'repetition' && at === line.length - 1,
    go: () => go(at + 1),
    point: at === 0 ? point : () => {},
  }));
  fold(by('strip'), items, 0);
  const last = line[line.length - 1] ?? answer.position;
  const ends = {
    over: line.length === 0 ? 'Play is over.'
      : `After ${plies(line.length)}: ${atEnd(answer.position, table) ?? last.verdict}. ${early(last)}`.trim(),
    'ply-limit': `After ${plies(line.length)} the ply limit is reached.`,
    cut: `The line goes on; ${plies(line.length)} of it are shown.`,
    repetition: '',
  };
  const signs = [
    line.some((step) => step.alternatives?.length > 0) ? '+n: so many other moves are as good.' : '',
    line.some((step) => step.only) ? '□: every other move gives away a win or a draw.' : '',
  ];
  note.textContent = [ends[end] ?? '', ...signs].join(' ').trim();
  if (answer.later) note.append(' Reading on…');
  else if (end === 'cut' && line.length < MOST_PLIES) note.append(' ', make('button', { type: 'button', onclick: readOn }, 'read on'));
  if (end === 'repetition') why.append(...explain(answer, table));
}

function stepItem(step, at, { isCycle, opens, closes, go, point }) {
  const others = step.alternatives ?? [];
  const equal = step.only ? '; the only move'
    : others.length === 0 ? '' : `; as good: ${others.map((other) => other.move).join(', ')}`;
  const tell = () => sayInstead(by('line-say'), `Ply ${at + 1}: ${spoken(step)}${equal}`);
  const still = () => sayInstead(by('line-say'), null);
  const button = make('button', {
    type: 'button',
    onclick: go,
    onpointerenter: () => { tell(); point(step); },
    onpointerleave: () => { still(); point(null); },
    onfocus: (event) => {
      tell();
      if (event.target.matches(':focus-visible')) point(step);
    },
    onblur: () => { still(); point(null); },
  },
  step.move,
  step.only || others.length > 0
    ? make('span', { class: 'equal', 'aria-hidden': 'true' }, step.only ? '□' : `+${others.length}`) : null,
  make('span', { class: 'unseen' }, ` at ply ${at + 1}, ${step.verdict ?? after(step)}${equal}`));
  return make('li', { class: isCycle ? `cycle${opens ? ' opens' : ''}` : '' },
    opens ? make('span', { class: 'turn-sign', 'aria-hidden': 'true' }, '↻') : null,
    button,
    closes ? make('span', { class: 'turn-sign', 'aria-hidden': 'true' }, '↺') : null);
}

// Why the players repeat. It is true of best play: a move of it is never worth less than another.
function explain(answer, table) {
  const { line, repeats_ply: first } = answer.line;
  const before = first === 0 ? answer.position.state : line[first - 1].state;
  const same = before === line[line.length - 1].state ? '' : ', turned or mirrored';
  const where = first === 0 ? 'the position shown' : `the position after ply ${number(first)}`;
  const endless = answer.line.endless ?? table.endless;
  const length = line.length - first;
  const begins = `↻ After ply ${number(line.length)}, ${where} is there again${same}: `
    + `${length === 1 ? 'this ply repeats' : `these ${number(length)} plies repeat`} for ever. `;
  const loser = table.players.find((player) => player !== endless);
  const worth = table.max_points === undefined ? 'is a draw' : 'gains nothing';
  const sense = endless === 'draw'
    ? `Endless play ${worth}, and neither player gains by leaving: any other move is worth no more to the player who makes it.`
    : `Endless play is a win for ${endless}, and leaving gains nothing for ${loser}: any other move is worth no more to the player who makes it.`;
  return [begins, sense];
}

// `go` is called with the ply to show.
export function showGame({ steps, cursor, table }, { go, isPlain, repetition }) {
  const items = steps.map((step, ply) => {
    const isWrong = !isPlain && ply > 0 && isMistake(step, steps[ply - 1]);
    const said = [step.move ? '' : ': where the game began', isWrong ? ', a mistake' : '', step.verdict && !isPlain ? `, ${step.verdict}` : ''];
    return make('li', { class: isWrong ? 'mistaken' : '' },
      ply === 0 ? null : make('span', { class: 'nth', 'aria-hidden': 'true' }, numberOf(table, steps, ply)),
      make('button', {
        type: 'button',
        class: ply > cursor ? 'ahead' : '',
        'aria-current': ply === cursor ? 'step' : null,
        'aria-label': `ply ${ply}: ${step.move ?? 'start'}${said.join('')}`,
        onclick: () => go(ply),
      }, step.move ?? 'start'),
      isWrong ? make('span', { class: 'wrong-move', 'aria-hidden': 'true', title: 'a mistake' }, '?') : null);
  });
  const list = by('so-far');
  fold(list, items, cursor, () => list.querySelector('[aria-current] , button[aria-current]'));
  const earlier = steps.findIndex((step) => step.state === steps[cursor].state);
  const again = repetition ?? (earlier < cursor
    ? [`The position was there before, ${earlier === 0 ? 'where the game began' : `after ply ${number(earlier)}`}.`]
    : []);
  by('game-note').replaceChildren(...again);
  by('game').hidden = steps.length < 2;
}

// Shows some of the items around one of them, and buttons for the others.
function fold(list, items, at, successor) {
  const first = Math.max(0, Math.min(at - SHOWN / 2, items.length - SHOWN));
  const last = Math.min(items.length, first + SHOWN);
  const more = (from, to, name) => make('li', {}, make('button', {
    type: 'button',
    class: 'more',
    onclick: (event) => {
      const item = event.currentTarget.parentElement;
      const shown = items.slice(from, to);
      item.replaceWith(...shown);
      shown[0].querySelector('button').focus();
    },
  }, name));
  replace(list, [
    ...(first > 0 ? [more(0, first, `${number(first)} earlier`)] : []),
    ...items.slice(first, last),
    ...(last < items.length ? [more(last, items.length, `${number(items.length - last)} more`)] : []),
  ], successor);
}

// Asks which of several moves is meant.
export function ask(moves, { play, point }) {
  const dialog = by('ask');
  const choose = (move) => {
    dialog.close();
    play(move);
  };
  by('choices').replaceChildren(...moves.map((move) => make('li', {}, make('button', {
    type: 'button',
    onclick: () => choose(move),
  },
  make('span', { class: `sign ${move.shade}`, 'aria-hidden': 'true' }, SIGNS[move.shade]),
  make('span', {}, spoken(move))))));
  point(null);
  dialog.showModal();
}
