// What stands around the board: the table, the value of the position, whom one plays, the field for a position.

import { by, make } from './dom.js';
import { inOrder } from './lists.js';
import { SIGNS, detail, headline, names, turn } from './words.js';

export function showTable(table) {
  by('tables').value = table.name;
  by('by-hand').hidden = !table.can_be_set_up;
  by('about-line').textContent = [table.about ?? table.game].filter(Boolean).join('');
  by('notation').textContent = table.notation ? `Written: ${table.notation}` : '';
}

export function showValue(answer, table) {
  const { position } = answer;
  const banner = by('value');
  banner.classList.remove('win', 'draw', 'loss');
  banner.classList.add(position.value);
  by('verdict-sign').className = `sign big ${position.value}`;
  by('verdict-sign').textContent = SIGNS[position.value] ?? '';
  by('verdict').textContent = headline(position);
  by('turn').textContent = turn(position);
  by('detail').textContent = detail(answer, table);
}

export function showModes(table, position) {
  const [first, second] = names(table, position);
  by('mode').replaceChildren(
    make('option', { value: '0' }, 'both sides'),
    make('option', { value: '1' }, `${first}, against perfect play`),
    make('option', { value: '-1' }, `${second}, against perfect play`),
  );
}

// What is said below the board. `waits` says that the perfect player is to move.
export function boardNote({ picture, position, moves, line }, waits) {
  if (position.over) return '';
  if (waits) {
    return `The perfect player is to move.${line ? ' “One ply” makes its move.' : ''}`;
  }
  if (!picture) return 'This game has no picture. Play from the list of moves.';
  const playable = inOrder(moves).some((move) => move.places.length > 0);
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
