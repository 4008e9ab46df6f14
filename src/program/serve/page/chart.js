// The value after each ply of the game: the sooner it is won, the farther from the middle.

import { by, make, sayInstead, svg } from './dom.js';
import { isMistake, person } from './person.js';
import { scoreAt, winnerOf } from './score.js';
import { capital, names, plies, several, signed, winner } from './words.js';

const SIDE = 10;

// Room for the names of the players above and below.
const NAMES = 20;

// The farthest win is drawn so far from the middle, as a part of the room above it.
const LEAST = 0.14;

// So much of best play is drawn ahead.
const AHEAD = 40;

export class Chart {
  // `go` is called with a ply of the game, or one of best play beyond its last.
  constructor(root, { go }) {
    Object.assign(this, { root, go, shown: null });
    this.slider = make('div', { class: 'curve', role: 'slider', tabindex: '0', 'aria-label': 'Value after each ply of this game' });
    this.label = make('p', { class: 'note', id: 'chart-note' });
    this.slider.setAttribute('aria-describedby', 'chart-note');
    this.above = make('span', { class: 'side above', 'aria-hidden': 'true' });
    this.below = make('span', { class: 'side below', 'aria-hidden': 'true' });
    this.slider.append(this.above, this.below);
    this.pointed = make('p', { class: 'note say', 'aria-hidden': 'true' });
    root.append(this.slider, make('div', { class: 'notes' }, this.label, this.pointed));
    this.slider.addEventListener('click', (event) => this.press(event));
    this.slider.addEventListener('pointermove', (event) => this.say(this.near(event)));
    this.slider.addEventListener('pointerleave', () => this.say(null));
    new ResizeObserver(() => this.draw()).observe(this.slider);
  }

  show(steps, cursor, answer, table) {
    // Best play is drawn where it goes on from the last ply of the game.
    const isLast = cursor === steps.length - 1;
    const ahead = isLast ? (answer.line?.line ?? []).slice(0, AHEAD) : [];
    const all = [...steps, ...ahead];
    const points = all.map((step, ply) => ({
      step,
      ...this.sideOf(all, ply, table),
      mistake: ply > 0 && ply < steps.length && isMistake(step, steps[ply - 1]) ? steps[ply - 1] : null,
    }));
    // A person who plays a side is above.
    const [first, second] = person.side === 0 ? names(table, steps[0]) : ['you', 'the program'];
    const how = table.max_points !== undefined ? 'more points for' : table.has_distances ? 'sooner won by' : 'won by';
    this.above.textContent = `↑ ${how} ${first}`;
    this.below.textContent = `↓ ${how} ${second}`;
    // Where nobody wins anywhere there is nothing to see but a line.
    this.slider.classList.toggle('flat', points.every(({ side }) => !side));
    this.shown = { points, played: steps.length, cursor, table };
    this.slider.setAttribute('aria-valuemin', '0');
    this.slider.setAttribute('aria-valuemax', String(steps.length - 1));
    this.slider.setAttribute('aria-valuenow', String(cursor));
    this.slider.setAttribute('aria-valuetext', this.text(cursor));
    this.draw();
    this.say(null);
  }

  // The winner from a ply on: 1 for whom is shown above. In a game with points that is the whole game, with what was
  // gained before, and `points` says by how many.
  sideOf(steps, ply, table) {
    const step = steps[ply];
    if (!step.outcome) return { side: null };
    const score = scoreAt(steps, ply, table);
    if (!score || score.whole === null) return { side: winner(step, ply, table) * (person.side || 1) };
    return { side: winnerOf(score) * (person.side || 1), points: Math.abs(score.whole) };
  }

  text(ply) {
    const { step, mistake } = this.shown.points[ply];
    const move = step.move ? `ply ${ply}, ${step.move}` : 'start of this game';
    const before = ply >= this.shown.played ? 'best play, ' : '';
    const wrong = mistake ? ` — a mistake: it gave away ${step.total === undefined ? `a ${mistake.value}` : several(signed(mistake) - step.total, 'point', 'points')}` : '';
    return `${before}${move}: ${step.verdict ?? 'value not known yet'}${wrong}`;
  }

  // Below the chart: what is pointed at, else what the whole shows.
  say(ply) {
    if (!this.shown) return;
    sayInstead(this.pointed, ply === null ? null : this.text(ply));
    if (ply !== null) return;
    const { points, played } = this.shown;
    const wrong = points.filter(({ mistake }) => mistake).length;
    const said = [];
    if (played > 1) said.push(`${plies(played - 1)} played`);
    if (wrong > 0) said.push(`${several(wrong, 'mistake', 'mistakes')} (?)`);
    const ahead = points.length > played ? ['Hollow: best play.'] : [];
    this.label.textContent = [...(said.length > 0 ? [`${capital(said.join(', '))}.`] : []), ...ahead].join(' ');
  }

  width() {
    return Math.max(120, this.slider.clientWidth);
  }

  height() {
    return Math.max(40, this.slider.clientHeight);
  }

  x(ply) {
    const last = Math.max(8, this.shown.points.length - 1);
    return SIDE + (ply * (this.width() - 2 * SIDE)) / last;
  }

  y({ step, side, points }) {
    const middle = this.height() / 2;
    if (!side) return middle;
    if (points !== undefined) {
      const most = Math.max(...this.shown.points.map((point) => point.points ?? 0));
      return middle - side * (points / most) * (middle - NAMES);
    }
    const longest = Math.max(1, ...this.shown.points.map((point) => (point.side ? point.step.plies ?? 0 : 0)));
    const unknown = this.shown.table.has_distances ? LEAST : 0.5;
    const far = step.plies === null || step.plies === undefined ? unknown
      : 1 - ((1 - LEAST) * step.plies) / longest;
    return middle - side * far * (middle - NAMES);
  }

  near(event) {
    if (!this.shown) return null;
    const x = event.clientX - this.slider.getBoundingClientRect().left;
    let nearest = 0;
    this.shown.points.forEach((_, ply) => {
      if (Math.abs(this.x(ply) - x) < Math.abs(this.x(nearest) - x)) nearest = ply;
    });
    return nearest;
  }

  press(event) {
    const ply = this.near(event);
    if (ply !== null) this.go(ply);
  }

  draw() {
    if (!this.shown) return;
    const { points, played, cursor } = this.shown;
    const [width, height] = [this.width(), this.height()];
    const image = svg('svg', { class: 'chart-image', width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
    image.append(svg('line', { class: 'middle', x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
    const known = points.map((point, ply) => ({ ...point, ply })).filter(({ side }) => side !== null);
    const path = (some) => some.map((point) => `${this.x(point.ply).toFixed(1)},${this.y(point).toFixed(1)}`).join(' ');
    const past = known.filter(({ ply }) => ply < played);
    if (past.length > 1) image.append(svg('polyline', { class: 'past', points: path(past) }));
    const future = known.filter(({ ply }) => ply >= played - 1);
    if (future.length > 1) image.append(svg('polyline', { class: 'future', points: path(future) }));
    for (const point of known) {
      const [x, y] = [this.x(point.ply), this.y(point)];
      const kind = point.ply === cursor ? 'now' : point.ply < played ? 'was' : 'will';
      image.append(svg('circle', { class: `dot ${kind}${point.mistake ? ' mistake' : ''}`, cx: x, cy: y, r: point.ply === cursor ? 5 : 3.2 }));
      if (point.mistake) {
        const above = y > height / 2 ? -1 : 1;
        image.append(svg('text', { class: 'wrong', x, y: y + (y < 24 ? 18 : y > height - 24 ? -9 : 18 * above) }, '?'));
      }
    }
    this.slider.querySelector('.chart-image')?.remove();
    this.slider.append(image);
  }
}
