// The table: how many positions have which value, and examples of them.

import { Problem, stats as askStats } from './api.js';
import { by, make, replace, sayInstead, svg } from './dom.js';
import { Examples } from './examples.js';
import { TierList } from './tiers.js';
import { SIGNS, capital, number, plies, several, signed } from './words.js';

const HEIGHT = 74;

// Room for the pointer at the bar that is lit.
const TOP = 11;

const WIDEST = 120;
const NARROWEST = 7;

export class TableView {
  constructor() {
    this.stats = null;
    this.examples = new Examples();
    this.list = new TierList((tier) => {
      by('tier').value = tier;
      this.chose();
      by('counts').scrollIntoView({ block: 'nearest' });
    });
    by('tier').addEventListener('change', () => this.chose());
    by('histogram').addEventListener('keydown', (event) => this.onKey(event));
    new ResizeObserver(() => this.resized()).observe(by('histogram'));
  }

  chose() {
    this.examples.close();
    this.showCounts();
    this.drawBars();
  }

  // Shows a table of which nothing is known yet but what the list of tables says.
  open(table) {
    Object.assign(this, { table, stats: null, position: null, focus: null });
    this.examples.open(table);
    by('table').hidden = false;
    by('counts').textContent = `${several(table.states, 'position', 'positions')}.`;
    by('histogram').replaceChildren();
    by('histogram-note').textContent = '';
    by('tier-label').hidden = true;
    this.list.close();
    this.showKinds();
  }

  // Asks for the figures, and shows them while `isShown` says that they are those of the table shown. Without
  // it, no position of the table is shown, and an error would be one too many.
  async load(table, isShown = null) {
    try {
      const stats = await askStats(table.name);
      if (isShown ? isShown() : this.table === table && !this.stats) this.show(stats);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (isShown?.()) this.failed(error, () => this.load(table, isShown));
    }
  }

  failed(problem, again) {
    by('histogram-note').replaceChildren(`${problem.message} `,
      make('button', { type: 'button', onclick: again }, 'try again'));
  }

  show(stats) {
    this.stats = stats;
    const tiers = stats.tiers ?? [];
    by('tier-label').hidden = tiers.length < 2;
    by('tier').replaceChildren(make('option', { value: '' }, 'all'),
      ...tiers.map(({ tier, described }) => make('option', { value: tier },
        described && described !== tier ? `${tier}: ${described}` : tier)));
    this.list.show(tiers);
    this.showCounts();
    this.showKinds();
    this.drawBars();
  }

  showCounts() {
    const stats = this.chosen();
    const said = [several(stats.states, 'position', 'positions')];
    for (const [player, count] of Object.entries(stats.wins)) said.push(`${number(count)} ${this.wonBy(player)}`);
    said.push(`${number(stats.draws)} drawn`);
    // These are won, lost or drawn too, as endless play and the limit are worth.
    if (stats.endless > 0) said.push(`endless play decides ${number(stats.endless)} of them`);
    if (stats.beyond_ply_limit > 0) said.push(`the ply limit decides ${number(stats.beyond_ply_limit)} of them`);
    if (stats.longest_plies !== null && !this.stats.outcomes_only) said.push(this.longest(stats));
    by('counts').textContent = `${said.join(' · ')}.`;
  }

  // “Longest wins” lists those of the player to move, which may be shorter.
  longest({ longest_plies: most, distances }) {
    const last = distances[distances.length - 1];
    const whose = last?.won === 0 ? ', by the player who is not to move' : '';
    return `the longest win takes ${plies(most)}${whose}`;
  }

  wonBy(player) {
    if (player === 'mover') return 'won by the player to move';
    if (player === 'opponent') return 'lost by the player to move';
    return `won by ${player}`;
  }

  // Lights the bar of a position, which is in this tier.
  light(position, tier) {
    this.position = position;
    this.tier = tier;
    if (this.stats) this.drawBars(false);
  }

  showKinds() {
    const { table, stats } = this;
    if (!table.has_distances) {
      replace(by('kinds'), []);
      return;
    }
    const kinds = [['longest-win', 'longest wins'], ['longest-loss', 'longest losses'], ['only-move', 'won by one move only']];
    if (table.can_pass) kinds.push(['lost-for-both', 'lost for whoever moves']);
    if (!stats || stats.endless > 0) {
      kinds.push(['endless', table.endless === 'draw' ? 'endless draws' : 'endless play']);
    }
    // Where each draw is an endless one, both lists would be the same.
    if (!stats || (stats.draws > 0 && (table.endless !== 'draw' || stats.draws > stats.endless))) {
      kinds.push(['draw', 'draws']);
    }
    replace(by('kinds'), kinds.map(([kind, name]) => make('button', {
      type: 'button',
      onclick: () => this.examples.find({ kind, tier: by('tier').value }, capital(name)),
    }, name)));
  }

  // The figures of the tier that is chosen, or of all. Those of a tier are for the player to move.
  chosen() {
    const name = by('tier').value;
    const tier = (this.stats.tiers ?? []).find((one) => one.tier === name);
    if (!tier) return this.stats;
    const { states, won, lost, drawn: draws, longest_plies, distances } = tier;
    const points = this.table.max_points === undefined ? [] : tier.points;
    return {
      states, wins: { mover: won, opponent: lost }, draws, endless: 0, beyond_ply_limit: 0, longest_plies, distances, points,
    };
  }

  // Which bar a position belongs to, such as "win 3". None is lit where another tier is shown.
  lit() {
    const { position } = this;
    const tier = by('tier').value;
    if (!position || (tier && tier !== this.tier)) return null;
    if (this.table.max_points !== undefined) return `${position.value} ${signed(position)}`;
    return position.plies === null || position.value === 'draw' ? null : `${position.value} ${position.plies}`;
  }

  // The bars, each with its place from the left, and whether it stands above the axis: by points where
  // the game has points, else by plies.
  barsOf(chosen) {
    if (this.table.max_points === undefined) {
      const bar = (at, worth, count, word) => ({
        name: `${worth} ${at}`, at, axis: at, worth, above: worth === 'win', count,
        label: `${word} in ${plies(at)}`,
        query: { kind: worth, plies: at },
      });
      return (chosen.distances ?? [])
        .flatMap(({ plies: at, won, lost }) => [bar(at, 'win', won, 'won'), bar(at, 'loss', lost, 'lost')])
        .filter(({ count }) => count > 0);
    }
    const rows = chosen.points ?? [];
    const least = rows[0]?.points ?? 0;
    return rows.map(({ points, states: count }) => {
      const worth = points > 0 ? 'win' : points < 0 ? 'loss' : 'draw';
      const word = { win: `won by ${points}`, draw: 'drawn', loss: `lost by ${-points}` }[worth];
      return {
        name: `${worth} ${points}`, at: points - least, axis: points, worth, above: true, count,
        label: word,
        query: { kind: worth, points },
      };
    });
  }

  resized() {
    const width = by('histogram').clientWidth;
    if (this.stats && width !== this.width) this.drawBars();
  }

  drawBars(moves = true) {
    const root = by('histogram');
    const bars = this.barsOf(this.chosen());
    const byPoints = this.table.max_points !== undefined;
    const note = by('histogram-note');
    if ((this.stats.outcomes_only && !byPoints) || bars.length === 0) {
      root.replaceChildren();
      note.textContent = this.stats.outcomes_only
        ? 'This table has outcomes only, so there are no plies to count by, and no examples to search for.'
        : 'No position is won or lost.';
      return;
    }
    this.width = root.clientWidth;
    const last = Math.max(...bars.map(({ at }) => at));
    const wide = Math.max(NARROWEST, Math.min(WIDEST, (this.width - 2) / (last + 1)));
    const most = Math.max(1, ...bars.map(({ count }) => count));
    const tall = (count) => 3 + ((HEIGHT - 3) * Math.log(count + 1)) / Math.log(most + 1);
    const lit = this.lit();
    const width = Math.max(wide * (last + 1), 10);
    const below = bars.some(({ above }) => !above) ? HEIGHT + TOP : 0;
    const height = HEIGHT + below + 18 + TOP;
    const image = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': byPoints ? 'Positions by points' : 'Positions won and lost, by plies' });
    this.bars = [];
    const middle = TOP + HEIGHT + 18;
    for (const one of bars) {
      const { worth, above, count } = one;
      const x = one.at * wide;
      const high = tall(count);
      const isLit = lit === one.name;
      const label = `${one.label}: ${several(count, 'position', 'positions')}${isLit ? ', the one shown is one of them' : ''}`;
      const bar = svg('g', { class: `bar ${worth}${isLit ? ' lit' : ''}`, role: 'button', tabindex: '-1', 'aria-label': label },
        svg('rect', { class: 'reach', x, y: above ? TOP : middle, width: wide, height: HEIGHT }),
        svg('rect', { class: 'body', x: x + wide * 0.09, y: above ? TOP + HEIGHT - high : middle, width: wide * 0.82, height: high, rx: 1.5 }),
        isLit ? svg('path', { class: 'pointer', d: pointer(x + wide / 2, above ? TOP + HEIGHT - high : middle + high, above ? -1 : 1) }) : null);
      const say = () => sayInstead(by('histogram-say'), `${capital(label)}. ${capital(WHOSE)}.`);
      const still = () => sayInstead(by('histogram-say'), null);
      bar.addEventListener('pointerenter', say);
      bar.addEventListener('focus', () => { say(); this.rove(bar); });
      bar.addEventListener('pointerleave', still);
      bar.addEventListener('blur', still);
      bar.addEventListener('click', () => this.findBar(one));
      this.bars.push({ ...one, bar });
      image.append(bar);
    }
    const every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((step) => step * wide > 30) ?? 2000;
    const first = bars[0].axis - bars[0].at;
    for (let at = 0; at <= last; at += 1) {
      if ((first + at) % every !== 0) continue;
      image.append(svg('text', { class: 'axis', x: at * wide + wide / 2, y: TOP + HEIGHT + 13 }, first + at));
    }
    const focused = root.contains(document.activeElement);
    const at = this.focus;
    root.replaceChildren(image);
    const current = this.bars.find(({ name }) => at === name)
      ?? this.bars.find(({ bar }) => bar.classList.contains('lit')) ?? this.bars[0];
    current?.bar.setAttribute('tabindex', '0');
    if (focused) current?.bar.focus({ preventScroll: true });
    const seen = this.bars.find(({ bar }) => bar.classList.contains('lit'));
    if (seen && moves) root.scrollLeft = seen.at * wide - this.width / 2;
    sayInstead(by('histogram-say'), null);
    note.textContent = byPoints
      ? 'Points that the player to move gains more than the other, from left to right, on a logarithmic scale.'
      : `Plies from left to right, on a logarithmic scale: ${SIGNS.win} won above, `
        + `${SIGNS.loss} lost below, for the player to move.`;
    if (this.table.has_distances) note.textContent += ' A bar shows examples of its positions.';
  }

  rove(bar) {
    for (const other of this.bars) other.bar.setAttribute('tabindex', other.bar === bar ? '0' : '-1');
    this.focus = this.bars.find((one) => one.bar === bar).name;
  }

  onKey(event) {
    const at = this.bars?.find(({ bar }) => bar === document.activeElement);
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    const same = this.bars.filter(({ above }) => above === at.above);
    const index = same.indexOf(at);
    let next = null;
    if (event.key === 'ArrowLeft') next = same[index - 1];
    else if (event.key === 'ArrowRight') next = same[index + 1];
    else if (event.key === 'Home') [next] = same;
    else if (event.key === 'End') next = same[same.length - 1];
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const up = event.key === 'ArrowUp';
      next = this.bars.filter((one) => one.above === up)
        .sort((one, other) => Math.abs(one.at - at.at) - Math.abs(other.at - at.at))[0];
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.findBar(at);
    } else {
      return;
    }
    next?.bar.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  findBar({ label, query, count }) {
    if (!this.table.has_distances) return;
    const title = `${capital(label)}, ${WHOSE}`;
    this.examples.find({ ...query, tier: by('tier').value }, title, count);
  }
}

const WHOSE = 'for the player to move';

function pointer(x, y, up) {
  return `M${x} ${y + 2 * up}l${-4} ${6 * up}h8z`;
}
