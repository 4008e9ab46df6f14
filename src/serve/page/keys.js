// Which keys there are, and whether those that are single signs are on.

import { by, make, remember, remembered } from './dom.js';

const KEYS = [
  ['← →', 'back, forward'],
  ['Home, End', 'to the start, to the last move'],
  ['1 to 9', 'the moves in order'],
  ['Space', 'the best move'],
  ['F', 'turn the board round'],
  ['/', 'set up a position'],
  ['E', 'set up a position by hand'],
  ['?', 'all keys'],
  ['Esc', 'let go, stop, close'],
  ['Tab', 'to the next control; the board is one of them'],
  ['arrows on the board', 'to the place beside'],
  ['Enter or Space on the board', 'touch a place'],
  ['by hand: 1 to 9, 0', 'the pieces in order, take away'],
  ['by hand: Delete', 'take the piece of a place away'],
  ['arrows on the bars', 'to the bar beside; Enter shows examples'],
];

const box = by('keys-on');
box.checked = remembered('keys') !== 'off';
box.addEventListener('change', () => remember('keys', box.checked ? null : 'off'));

export const keysAreOn = () => box.checked;

export function showKeys() {
  by('key-list').replaceChildren(...KEYS.flatMap(([key, does]) => [
    make('dt', {}, make('kbd', {}, key)), make('dd', {}, does)]));
  by('keys').showModal();
}
