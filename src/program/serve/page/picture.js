// A picture of the server, whose places can be touched: by click, drag and key.

import { svg } from './dom.js';
import { SIGNS } from './words.js';

// How far a pointer moves, in pixels, before a press is a drag.
const DRAG = 7;

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// What is made of it says what a touch does (`touch`), which places can be dragged from (`canDrag`), what
// a drag does (`take`, `drop`), what is drawn over the board (`marks`), and other keys (`key`).
export class Picture {
  constructor(root) {
    this.root = root;
    this.forget();
    root.addEventListener('keydown', (event) => this.onKey(event));
    root.addEventListener('click', (event) => this.onClick(event));
    // A place that was clicked has no focus: the arrows then still go back and forward.
    root.addEventListener('mousedown', (event) => {
      if (!this.image?.contains(event.target)) return;
      event.preventDefault();
      document.activeElement?.blur();
    });
    root.addEventListener('pointerdown', (event) => this.onDown(event));
    root.addEventListener('pointermove', (event) => this.onMove(event));
    root.addEventListener('pointerup', (event) => this.onUp(event));
    root.addEventListener('pointercancel', () => this.endDrag());
    // A finger that drags a piece does not scroll the page. Parts of an SVG heed no `touch-action`.
    root.addEventListener('touchmove', (event) => {
      if (this.drag && event.cancelable) event.preventDefault();
    }, { passive: false });
    root.addEventListener('pointerover', (event) => this.hover(this.placeOf(event.target)));
    root.addEventListener('pointerleave', () => this.hover(null));
    root.addEventListener('focusin', (event) => this.focused(this.placeOf(event.target)));
    root.addEventListener('focusout', () => this.focused(null));
  }

  forget() {
    this.hovered = null;
    this.focusedAt = null;
    this.previewed = null;
    this.drag = null;
    this.picture = null;
    this.elements = new Map();
  }

  // Puts a picture on the page. Says whether it is one. The focus is left to `focusAgain`.
  load(picture) {
    const parsed = new DOMParser().parseFromString(picture.svg, 'image/svg+xml').documentElement;
    if (parsed.nodeName !== 'svg') return false;
    this.picture = picture;
    this.image = document.importNode(parsed, true);
    this.image.setAttribute('role', 'group');
    for (const element of this.image.querySelectorAll('.place')) {
      const place = Number(element.getAttribute('data-place'));
      this.elements.set(place, element);
      element.setAttribute('role', 'button');
    }
    this.taken = new Set([...this.image.querySelectorAll('.piece')]
      .map((piece) => Number(piece.getAttribute('data-at'))));
    if (!this.elements.has(this.current)) this.current = this.elements.keys().next().value;
    this.over = svg('g', { class: 'over', 'aria-hidden': 'true' });
    this.image.append(this.over);
    this.root.className = 'board';
    this.root.replaceChildren(this.image);
    return true;
  }

  // Takes the picture off the page.
  clear() {
    this.endDrag();
    this.forget();
    this.root.replaceChildren();
  }

  hasFocus() {
    return this.root.contains(document.activeElement);
  }

  focusAgain() {
    this.elements.get(this.current)?.focus({ preventScroll: true });
  }

  // Shows a move without making it, or none.
  preview(move) {
    this.previewed = move;
    this.draw();
  }

  placeOf(target) {
    const element = target instanceof Element ? target.closest('.place') : null;
    return element && this.root.contains(element) ? Number(element.getAttribute('data-place')) : null;
  }

  hover(place) {
    if (place === this.hovered) return;
    this.hovered = place;
    this.draw();
  }

  focused(place) {
    this.focusedAt = place;
    if (place !== null) this.roveTo(place);
    this.draw();
  }

  roveTo(place) {
    this.elements.get(this.current)?.setAttribute('tabindex', '-1');
    this.current = place;
    this.elements.get(place)?.setAttribute('tabindex', '0');
  }

  onClick(event) {
    const place = this.placeOf(event.target);
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    if (place !== null) this.touch(place);
  }

  nameOf(place) {
    return this.picture.places[place]?.name ?? `place ${place}`;
  }

  onKey(event) {
    if (this.elements.size === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key]) {
      const next = this.neighbour(...STEPS[event.key]);
      if (next !== null) this.elements.get(next).focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.touch(this.current);
    } else if (!this.key(event.key)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // The nearest place in a direction; farther ones count less the more they are aside.
  neighbour(right, down) {
    const { places } = this.picture;
    const from = places[this.current];
    let best = null;
    let least = Infinity;
    for (const place of this.elements.keys()) {
      const [x, y] = [places[place].x - from.x, places[place].y - from.y];
      const along = x * right + y * down;
      const aside = Math.abs(x * down) + Math.abs(y * right);
      if (along > 1 && aside <= along * 1.5 && along + 2 * aside < least) {
        least = along + 2 * aside;
        best = place;
      }
    }
    return best;
  }

  onDown(event) {
    const place = this.placeOf(event.target);
    this.dragged = false;
    if (place === null || event.button !== 0 || !event.isPrimary) return;
    if (this.canDrag(place)) {
      this.drag = { place, x: event.clientX, y: event.clientY, id: event.pointerId, moving: false };
    }
  }

  onMove(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moving) {
      if (Math.hypot(x, y) < DRAG) return;
      drag.moving = true;
      this.root.setPointerCapture(drag.id);
      this.root.classList.add('dragging');
      const pieces = this.image.querySelectorAll(`.piece[data-at="${drag.place}"]`);
      // The piece drawn last is in front. A point without one is dragged as it is.
      drag.piece = pieces[pieces.length - 1];
      if (drag.piece) this.image.append(drag.piece);
      this.take(drag.place);
    }
    const scale = 1 / this.image.getScreenCTM().a;
    drag.piece?.setAttribute('transform', `translate(${(x * scale).toFixed(1)} ${(y * scale).toFixed(1)})`);
    this.hover(this.under(event));
  }

  under(event) {
    return this.placeOf(document.elementFromPoint(event.clientX, event.clientY));
  }

  onUp(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    const place = drag.moving ? this.under(event) : null;
    const { moving } = drag;
    this.endDrag();
    if (!moving) return;
    // The click that ends a drag is none.
    this.dragged = true;
    setTimeout(() => { this.dragged = false; }, 0);
    this.drop(drag.place, place);
  }

  endDrag() {
    if (this.drag?.moving) {
      this.drag.piece?.removeAttribute('transform');
      this.root.classList.remove('dragging');
    }
    this.drag = null;
  }

  // Draws rings, signs and arrows over the board.
  draw() {
    if (!this.picture) return;
    const drawn = this.previewed ? this.arrow(this.previewed) : this.marks();
    if (this.focusedAt !== null && this.elements.get(this.focusedAt)?.matches(':focus-visible')) {
      drawn.push(this.ring(this.focusedAt, 'focus'));
    }
    this.over.replaceChildren(...drawn);
  }

  centre(place) {
    return this.picture.places[place] ?? { x: 0, y: 0 };
  }

  ring(place, kind) {
    const { x, y } = this.centre(place);
    const round = this.elements.get(place)?.classList.contains('point');
    return round
      ? svg('circle', { class: `ring ${kind}`, cx: x, cy: y, r: 28 })
      : svg('rect', { class: `ring ${kind}`, x: x - 29, y: y - 29, width: 58, height: 58, rx: 9 });
  }

  // The sign of what a move by way of a place is worth, and how many plies or points: in the middle of the place, or
  // in a corner beside a piece.
  badge(place, move) {
    const { x, y } = this.centre(place);
    const [left, top] = this.taken.has(place) ? [x + 19, y - 19] : [x, y];
    const isPlain = move.shade === 'plain';
    const badge = svg('g', { class: `badge ${move.shade}${move.best ? ' best' : ''}` },
      svg('circle', { cx: left, cy: top, r: isPlain ? 6 : 10.5 }));
    if (isPlain) return badge;
    badge.append(svg('text', { x: left, y: top, 'font-size': 17 }, SIGNS[move.shade]));
    const far = move.total === undefined ? move.plies : Math.abs(move.total);
    if (far > 0) badge.append(svg('text', { class: 'far', x: left, y: top + 19, 'font-size': 13 }, far));
    return badge;
  }

  arrow(move) {
    const { places, shade } = move;
    if (places.length === 0) return [];
    const drawn = [...new Set(places.slice(places.length > 1 && places[0] !== places[1] ? 1 : 0))]
      .map((place) => this.ring(place, `${shade} heavy`));
    if (places.length > 1 && places[0] !== places[1]) {
      const [from, to] = [this.centre(places[0]), this.centre(places[1])];
      const length = Math.hypot(to.x - from.x, to.y - from.y);
      const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
      const begin = Math.min(14, length / 5);
      const end = length - Math.min(8, length / 8);
      const neck = end - Math.min(22, length / 3);
      const at = (along, aside) =>
        `${(from.x + x * along - y * aside).toFixed(1)},${(from.y + y * along + x * aside).toFixed(1)}`;
      const points = [at(begin, 4), at(neck, 4), at(neck, 13), at(end, 0), at(neck, -13), at(neck, -4),
        at(begin, -4)].join(' ');
      drawn.push(svg('polygon', { class: `arrow ${shade}`, points }));
      drawn.push(this.badge(places[1], move));
    } else {
      drawn.push(this.badge(places[0], move));
    }
    return drawn;
  }
}
