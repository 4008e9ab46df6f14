// Examples of a table's positions: a list of small boards, and going from one to the next.

import { link } from './address.js';
import * as api from './api.js';
import { seed } from './chance.js';
import { by, make, onPress } from './dom.js';
import { smallPicture } from './front.js';
import { now } from './state.js';
import { number } from './words.js';

// So many are shown at once.
const COUNT = 20;

// Of fewer positions than this all are shown, in the order of the table; of more, some from all over it.
const FEW = 60;

// So often some from all over the table are asked for at a time.
const SEEDS = 3;

// The server finds so many at a time.
const MOST = 100;

export class Examples {
  constructor() {
    this.search = null;
    this.found = [];
    onPress(by('walk-back'), () => this.walk(-1));
    onPress(by('walk-on'), () => this.walk(1));
    onPress(by('walk-random'), () => this.random());
    onPress(by('walk-list'), () => by('examples').scrollIntoView());
  }

  open(table) {
    this.cancel();
    Object.assign(this, { table, found: [], query: null });
    by('examples').replaceChildren();
    by('walk').hidden = true;
  }

  close() {
    this.open(this.table);
  }

  cancel() {
    this.search?.abort();
    this.search = null;
  }

  // Finds positions, `all` of them if it is known how many there are.
  find(query, title, all = null) {
    this.query = query;
    this.title = query.tier ? `${title} (tier ${query.tier})` : title;
    this.found = [];
    this.all = all;
    this.isSpread = all === null || all > FEW;
    this.from = 0;
    return this.more();
  }

  async more() {
    this.cancel();
    const search = new AbortController();
    this.search = search;
    const root = by('examples');
    const list = make('ol', { class: 'found' }, ...this.found.map(({ item }) => item));
    const state = make('p', { class: 'note', role: 'status' });
    root.replaceChildren(make('h3', { tabindex: '-1' }, this.title), list, state);
    const again = (name) => make('button', { type: 'button', onclick: () => this.more() }, name);
    const waiting = setTimeout(() => {
      state.replaceChildren('Searching. ', make('button', { type: 'button', onclick: () => {
        this.cancel();
        state.replaceChildren('Cancelled. ', again('search again'));
      } }, 'cancel'));
    }, 200);
    const before = this.found.length;
    try {
      const { isWhole, isLate } = await this.ask(search.signal);
      clearTimeout(waiting);
      if (this.search !== search) return;
      list.append(...this.found.slice(before).map(({ item }) => item));
      const count = this.found.length;
      const found = count === 0 ? 'None found' : `${number(count)} found`;
      if (isLate) state.replaceChildren(`${found}. The time was too short to search the whole table. `, again('search on'));
      else if (!isWhole) state.replaceChildren(`${found}${this.all === null ? '; there may be more' : ` of ${number(this.all)}`}. `, again('more'));
      else state.replaceChildren(`${count === 0 ? 'There are none' : `${number(count)} found, and that is all`}. `);
      state.append(' ', make('button', { type: 'button', onclick: () => this.open(this.table) }, 'close'));
      if (before > 0) this.found[before]?.item.querySelector('a').focus();
      await this.draw(this.found.slice(before), search.signal);
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (!(error instanceof api.Problem)) throw error;
      state.replaceChildren(`${error.message} `, again('try again'));
    } finally {
      clearTimeout(waiting);
    }
  }

  // Asks for more. Says whether all are found, and whether the time was too short.
  async ask(signal) {
    const { table, query } = this;
    const wanted = this.found.length + COUNT;
    for (let asked = 0; this.isSpread && asked < SEEDS && this.found.length < wanted; asked += 1) {
      const known = this.found.length;
      const answer = await api.examples(table.name, { ...query, count: Math.min(MOST, wanted), seed: seed() }, signal);
      this.add(answer.examples, wanted);
      if (!answer.complete) return { isWhole: false, isLate: true };
      // Where some from all over the table bring nothing new, it is gone through from its beginning.
      if (this.found.length === known) this.isSpread = false;
    }
    let isLate = false;
    while (!isLate && this.from !== null && this.found.length < wanted) {
      const answer = await api.examples(table.name, { ...query, count: COUNT, from: this.from }, signal);
      this.from = answer.scanned_to;
      isLate = !answer.complete;
      this.add(answer.examples, wanted);
    }
    return { isWhole: this.from === null || this.found.length === this.all, isLate };
  }

  add(positions, most) {
    const known = new Set(this.found.map(({ position }) => position.state));
    for (const position of positions) {
      if (known.has(position.state) || this.found.length >= most) continue;
      known.add(position.state);
      this.found.push({ position, ...this.item(position) });
    }
  }

  item(position) {
    const board = make('div', { class: 'small board', 'aria-hidden': 'true' });
    const mover = position.to_move ? `, ${position.to_move} to move` : '';
    const to = make('a', { href: link(this.table.name, position.state), onclick: () => leave() }, position.state);
    board.addEventListener('click', () => to.click());
    return { board, item: make('li', {}, board, make('div', {}, to, ` ${position.verdict}${mover}`)) };
  }

  // Draws the small boards, one after the other.
  async draw(found, signal) {
    if (!this.table.has_pictures) return;
    for (const { position, board } of found) {
      const { picture } = await api.glance(this.table.name, position.state, now.flip, signal);
      if (picture) smallPicture(board, picture, '');
    }
  }

  // A position is shown: where it is one of the list, one can go to the others.
  shown(state) {
    const at = this.found.findIndex(({ position }) => position.state === state);
    this.at = at;
    by('walk').hidden = at < 0;
    if (at < 0) return;
    by('walk-title').textContent = `${this.title}: ${number(at + 1)} of ${number(this.found.length)}`;
  }

  walk(step) {
    const { length } = this.found;
    this.goTo(this.found[(this.at + step + length) % length].position);
  }

  // One that is not in the list yet, if there is one.
  async random() {
    const { examples } = await api.examples(this.table.name, { ...this.query, count: 2, seed: seed() });
    const position = examples.find(({ state }) => state !== now.shown?.answer.position.state);
    if (!position) return;
    this.add([position], Infinity);
    by('examples').querySelector('.found')?.append(...this.found.slice(-1).map(({ item }) => item));
    this.goTo(position);
    await this.draw(this.found.slice(-1));
  }

  goTo(position) {
    location.hash = link(this.table.name, position.state);
  }
}

// Remembers where the page was scrolled to, so that going back returns there.
function leave() {
  history.replaceState({ ...history.state, scroll: window.scrollY }, '');
}
