// The tiers of a table, such as a hundred chess endings, side by side: a list that can be filtered and sorted.

import { by, make, replace } from './dom.js';
import { number, several } from './words.js';

// A column: its title, what it is sorted by, and what is written, which is the same in most.
const COLUMNS = [
  { title: 'tier', of: ({ tier }) => tier },
  { title: 'positions', of: ({ states }) => states },
  { title: 'won', of: ({ won }) => won },
  { title: 'lost', of: ({ lost }) => lost },
  { title: 'drawn', of: ({ drawn }) => drawn },
  { title: 'longest', of: ({ longest_plies: plies }) => plies ?? -1, written: ({ longest_plies: plies }) => plies ?? '–' },
];

export class TierList {
  // `choose` shows the tier of a name.
  constructor(choose) {
    this.choose = choose;
    by('tier-filter').addEventListener('input', () => this.draw());
  }

  close() {
    by('tier-list').hidden = true;
  }

  show(tiers) {
    const sorted = by('tier-list').hidden ? {} : { column: this.column, falls: this.falls };
    Object.assign(this, { column: null, falls: false, tiers, ...sorted });
    by('tier-list').hidden = tiers.length < 2;
    by('tier-list-title').textContent = `compare all ${number(tiers.length)} tiers`;
    this.draw();
  }

  draw() {
    const words = by('tier-filter').value.toLowerCase().split(/\s+/);
    const isMeant = ({ tier, described }) => words.every((word) => `${tier} ${described ?? ''}`.toLowerCase().includes(word));
    const rows = this.tiers.filter(isMeant);
    const { column, falls } = this;
    if (column) {
      const order = (one, other) => (column.of(one) < column.of(other) ? -1 : Number(column.of(one) > column.of(other)));
      rows.sort((one, other) => (falls ? order(other, one) : order(one, other)));
    }
    replace(by('tier-columns'), COLUMNS.map((one) => this.heading(one)), () => [...by('tier-columns').querySelectorAll('button')]
      .find(({ textContent }) => textContent === column?.title));
    by('tier-rows').replaceChildren(...rows.map((row) => this.row(row)));
    by('tier-found').textContent = rows.length === this.tiers.length
      ? 'Won and lost are for the player to move; the longest win is in plies.'
      : `${several(rows.length, 'tier', 'tiers')} of ${number(this.tiers.length)}.`;
  }

  heading(column) {
    const isSorted = column === this.column;
    const press = () => {
      // Numbers fall at first, names rise.
      this.falls = isSorted ? !this.falls : column !== COLUMNS[0];
      this.column = column;
      this.draw();
    };
    return make('th', { scope: 'col', 'aria-sort': isSorted ? (this.falls ? 'descending' : 'ascending') : 'none' },
      make('button', { type: 'button', onclick: press }, column.title));
  }

  row(tier) {
    const [, ...figures] = COLUMNS;
    const written = ({ of, written: text = (row) => number(of(row)) }) => make('td', {}, text(tier));
    return make('tr', {},
      make('th', { scope: 'row' }, make('button', { type: 'button', title: tier.described ?? null, onclick: () => this.choose(tier.tier) }, tier.tier)),
      ...figures.map(written));
  }
}
