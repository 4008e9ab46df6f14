// What stands around the board: the table, the value of the position, whom one plays, the field for a position.

import { by, make } from './dom.js';
import { LEVELS } from './opponent.js';
import { person } from './person.js';
import { wholeGame } from './score.js';
import { SIGNS, detail, headline, inOrder, names, turn } from './words.js';

export function showTable(table) {
  by('pick').hidden = false;
  by('tables').value = table.name;
  by('by-hand').hidden = !table.can_be_set_up;
  by('about-line').textContent = [table.about ?? table.game].filter(Boolean).join('');
  by('open-rules').hidden = !table.rules;
  by('notation').textContent = table.notation ? `Written: ${table.notation}` : '';
}

export function showValue(answer, table) {
  const { position } = answer;
  const { shade } = position;
  const banner = by('value');
  banner.classList.remove('win', 'draw', 'loss', 'plain');
  banner.classList.add(shade);
  by('verdict-sign').className = `sign big ${shade}`;
  by('verdict-sign').textContent = shade === 'plain' ? '?' : SIGNS[shade] ?? '';
  by('verdict').textContent = said(position, table);
  by('turn').textContent = turn(position);
  by('detail').textContent = [detail(answer, table), counted(answer.position)].filter(Boolean).join(' ');
}

// From where points are counted, where that is not the start of the game.
const counted = ({ isPlain, score }) => (!isPlain && score?.isSetUp ? 'The score begins at nothing here, at the position set up.' : '');

// The verdict on a position, with the moves so far in a game with points.
export const said = (position, table) => (position.isPlain ? null : wholeGame(position, table)) ?? headline(position);

export function showModes(table, position) {
  const [first, second] = names(table, position);
  by('mode').replaceChildren(
    make('option', { value: '0' }, 'both sides'),
    make('option', { value: '1' }, `${first}, against the program`),
    make('option', { value: '-1' }, `${second}, against the program`),
  );
  by('level').replaceChildren(...LEVELS.map(([value, name]) => make('option', { value }, name)));
  showPerson();
}

// Whom the person plays, and whether values are shown.
export function showPerson() {
  by('mode').value = String(person.side);
  by('level').value = person.level;
  by('level-label').hidden = person.side === 0;
  by('values').textContent = person.hides ? 'show values' : 'hide values';
}

// What is said below the board. `waits` says that the program is to move.
export function boardNote({ picture, position, moves }, waits) {
  if (position.over) return '';
  if (waits) return 'The program is to move.';
  // A position without a picture is shown as text.
  const playable = picture && inOrder(moves).some((move) => move.places.length > 0);
  return playable ? '' : 'Play from the list of moves.';
}

export function noteGame(text) {
  by('game-note').textContent = text;
  by('game').hidden = false;
}

export function scrollUp() {
  if (by('value').getBoundingClientRect().bottom < 60) window.scrollTo(0, 0);
}

// Says something above everything else.
export function say(text, actions = []) {
  by('notice').replaceChildren(make('p', {}, text), ...actions);
  document.body.classList.remove('waiting');
}

// Says what is wrong with the position that was written.
export function showWrong(message, actions = []) {
  by('state').setAttribute('aria-invalid', 'true');
  by('state-error').replaceChildren(message, ...actions);
  by('state').focus();
}

export function clearWrong() {
  by('state-error').textContent = '';
  by('state').removeAttribute('aria-invalid');
}
