// The front page: a small board of each table, its name, its size, and what its start is worth. The tables of
// a game stand together, and say what tells them apart.

import { inWords } from './about.js';
import { link } from './address.js';
import * as api from './api.js';
import { by, make } from './dom.js';
import { seesValues } from './person.js';
import { SIGNS, capital, headline, number, several, size } from './words.js';

// A list of more tables can be filtered.
const MANY = 12;

let drawn = null;

// Asks for a small board once it comes into sight.
const sight = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    waiting.get(target)?.();
    waiting.delete(target);
  }
}, { rootMargin: '300px' });
let waiting = new WeakMap();

by('filter').addEventListener('input', filter);

export function showFront(catalog) {
  by('front').hidden = false;
  document.title = 'retrograde';
  const games = new Set(catalog.tables.map(({ game }) => game)).size;
  const tables = games === catalog.tables.length ? '' : ` in ${several(catalog.tables.length, 'table', 'tables')}`;
  by('about-line').textContent = `${several(games, 'game', 'games')}${tables}, solved completely.`;
  by('pick').hidden = true;
  by('open-rules').hidden = true;
  if (drawn?.tables === catalog.tables && seesValues() === drawn.values) return;
  drawn = { tables: catalog.tables, values: seesValues() };
  sight.disconnect();
  waiting = new WeakMap();
  const names = differences(catalog.tables);
  by('cards').replaceChildren(...together(catalog.tables).map((table) => card(table, names.get(table))));
  by('filter-label').hidden = catalog.tables.length <= MANY;
  filter();
}

// The tables of each game behind each other, in the order of their first ones.
function together(tables) {
  const groups = new Map(tables.map(({ game }) => [game, []]));
  for (const table of tables) groups.get(table.game).push(table);
  return [...groups.values()].flat();
}

// The differences of each table from the others of its game, in words.
function differences(tables) {
  const found = new Map();
  for (const table of tables) {
    const others = tables.filter((other) => other !== table && other.game === table.game);
    const own = facts(table);
    const differs = ([name, text]) => others.some((other) => facts(other).get(name) !== text);
    found.set(table, [...own].filter(differs).map(([, text]) => text).filter(Boolean).join(', '));
  }
  return found;
}

function facts({ parameters, has_distances: hasDistances }) {
  const isList = parameters !== null && typeof parameters === 'object' && !Array.isArray(parameters);
  const named = isList ? Object.entries(parameters) : [['', parameters]];
  return new Map([
    ...named.map(([name, value]) => [name, value === null || value === undefined ? ''
      : `${name.replaceAll('_', ' ')} ${inWords(value)}`.trim()]),
    ['distances', hasDistances ? '' : 'outcomes only'],
  ]);
}

function card(table, differs) {
  const { name, start } = table;
  const board = make('div', { class: 'small board', 'aria-hidden': 'true' });
  const worth = make('p', { class: 'note worth' });
  const item = make('li', {}, make('a', { class: 'card', href: link(name, start ?? null) },
    board,
    make('h3', {}, name),
    make('p', {}, table.about || table.game),
    differs ? make('p', { class: 'differs' }, differs) : null,
    worth,
    make('p', { class: 'note' }, `${several(table.states, 'position', 'positions')}, ${size(table.bytes)}`)));
  if (start !== null && start !== undefined) {
    waiting.set(item, () => fill(table, board, worth));
    sight.observe(item);
  } else {
    worth.append('no position to start from');
  }
  return item;
}

// Shows the tables whose cards have all the words that were typed.
function filter() {
  const words = by('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  const cards = [...by('cards').children];
  for (const item of cards) {
    const text = item.textContent.toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
  }
  const left = cards.filter((item) => !item.hidden).length;
  by('filter-note').textContent = words.length === 0 ? '' : `${number(left)} of ${several(cards.length, 'table', 'tables')}`;
}

async function fill(table, board, worth) {
  try {
    const { picture, position, text } = await api.glance(table.name, table.start);
    smallPicture(board, picture, text ?? position.state);
    if (seesValues()) {
      worth.append(make('span', { class: `sign ${position.value}`, 'aria-hidden': 'true' }, SIGNS[position.value]),
        make('span', {}, capital(headline(position))));
    }
  } catch (error) {
    if (!(error instanceof api.Problem)) throw error;
    board.replaceChildren();
    worth.replaceChildren(error.message);
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
