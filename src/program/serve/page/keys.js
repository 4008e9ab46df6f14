// Which keys there are, and whether those that are single signs are on.

import { by, make, remember, remembered } from './dom.js';

const KEYS = [
  ['← →', 'back, forward'],
  ['Home, End', 'to the start, to the last move'],
  ['1 to 9', 'the moves in order'],
  ['Space', 'the best move'],
  ['F', 'turn the board round'],
  ['V', 'show or hide values'],
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

// Does what a key stands for. `page` has what can be done.
export function onKey(event, page) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (document.querySelector('dialog[open]')) return;
  const { target, key } = event;
  if (key === 'Escape') {
    if (!page.letGo() && target !== document.body) target.blur();
    return;
  }
  if (target.closest('input, select, textarea')) return;
  const pressable = target.closest('button, a, summary, [role="button"]');
  const isByHand = page.isByHand();
  const always = isByHand ? {} : { ArrowLeft: page.back, ArrowRight: page.forward, Home: page.first, End: page.last };
  const signs = {
    e: page.byHand, f: page.turnRound, v: page.values, '/': page.type, '?': showKeys,
  };
  let act = always[key];
  if (!act && keysAreOn()) {
    if (isByHand) act = /^[0-9]$/.test(key) ? () => page.pick(Number(key)) : { e: page.byHand, f: page.turnRound, '?': showKeys }[key.toLowerCase()];
    else if (key === ' ' && !pressable) act = page.best;
    else if (/^[1-9]$/.test(key)) act = () => page.number(Number(key));
    else act = signs[key];
  }
  if (!act) return;
  event.preventDefault();
  page.run(act, event);
}
