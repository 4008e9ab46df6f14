// The front page: a small board of each table, its name, its size, and what its start is worth.

import { link } from './address.js';
import * as api from './api.js';
import { by, make } from './dom.js';
import { seesValues } from './person.js';
import { SIGNS, capital, headline, several, size } from './words.js';

let drawn = null;

export function showFront(catalog) {
  by('front').hidden = false;
  document.title = 'retrograde';
  by('about-line').textContent = `${several(catalog.tables.length, 'game', 'games')}, solved completely.`;
  by('pick').hidden = true;
  by('open-rules').hidden = true;
  if (drawn === catalog.tables && seesValues() === drawn.values) return;
  drawn = catalog.tables;
  drawn.values = seesValues();
  by('cards').replaceChildren(...catalog.tables.map(card));
}

function card(table) {
  const { name, start } = table;
  const board = make('div', { class: 'small board', 'aria-hidden': 'true' });
  const worth = make('p', { class: 'note worth' });
  const item = make('li', {}, make('a', { class: 'card', href: link(name, start ?? null) },
    board,
    make('h3', {}, name),
    make('p', {}, table.about ?? table.game),
    worth,
    make('p', { class: 'note' }, `${several(table.states, 'position', 'positions')}, ${size(table.bytes)}`)));
  if (start !== null && start !== undefined) fill(table, board, worth);
  return item;
}

async function fill(table, board, worth) {
  try {
    const { picture, position, text } = await api.position(table.name, table.start, false);
    smallPicture(board, picture, text ?? position.state);
    if (seesValues()) {
      worth.append(make('span', { class: `sign ${position.value}`, 'aria-hidden': 'true' }, SIGNS[position.value]),
        ` ${capital(headline(position))}`);
    }
  } catch (error) {
    if (!(error instanceof api.Problem)) throw error;
  }
}

// A picture that is only looked at, or the text of a position that has none.
export function smallPicture(root, picture, text) {
  const image = picture && new DOMParser().parseFromString(picture.svg, 'image/svg+xml').documentElement;
  if (image?.nodeName !== 'svg') {
    root.replaceChildren(make('pre', {}, text));
    return;
  }
  image.removeAttribute('role');
  image.removeAttribute('aria-label');
  for (const place of image.querySelectorAll('[role]')) place.removeAttribute('role');
  for (const place of image.querySelectorAll('[aria-label]')) place.removeAttribute('aria-label');
  root.replaceChildren(document.importNode(image, true));
}
