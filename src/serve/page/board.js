// The board: the server's picture, made playable by click, drag and key.

import { make, svg } from './dom.js';
import { meant, targets, touch } from './touch.js';
import { SIGNS, WORTH, after } from './words.js';

// How far a pointer moves, in pixels, before a press is a drag.
const DRAG = 7;

export class Board {
  // `play` is called with a move, `ask` with several that touch the same places, `tell` with a text.
  constructor(root, { play, ask, tell }) {
    Object.assign(this, { root, play, ask, tell });
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
    root.addEventListener('pointerover', (event) => this.hover(this.placeOf(event.target)));
    root.addEventListener('pointerleave', () => this.hover(null));
    root.addEventListener('focusin', (event) => this.focused(this.placeOf(event.target)));
    root.addEventListener('focusout', () => this.focused(null));
  }

  forget() {
    this.moves = [];
    this.touched = [];
    this.hovered = null;
    this.focusedAt = null;
    this.previewed = null;
    this.drag = null;
    this.picture = null;
    this.elements = new Map();
    this.stands = new Map();
  }

  // Shows an answer; `last` is the move that led to it.
  show(answer, last) {
    const at = this.focusedAt ?? this.current;
    const hadFocus = this.root.contains(document.activeElement);
    this.endDrag();
    this.forget();
    this.current = at ?? 0;
    const { won, drawn, lost } = answer.moves;
    this.moves = [...won, ...drawn, ...lost];
    if (!answer.picture) {
      this.showText(answer);
      if (hadFocus) this.root.querySelector('pre').focus({ preventScroll: true });
      return;
    }
    const parsed = new DOMParser().parseFromString(answer.picture.svg, 'image/svg+xml').documentElement;
    if (parsed.nodeName !== 'svg') {
      this.showText(answer);
      return;
    }
    this.picture = answer.picture;
    this.image = document.importNode(parsed, true);
    this.image.setAttribute('role', 'group');
    this.image.setAttribute('aria-describedby', 'board-help');
    for (const element of this.image.querySelectorAll('.place')) {
      const place = Number(element.getAttribute('data-place'));
      this.elements.set(place, element);
      element.setAttribute('role', 'button');
    }
    this.taken = new Set([...this.image.querySelectorAll('.piece')]
      .map((piece) => Number(piece.getAttribute('data-at'))));
    if (!this.elements.has(this.current)) this.current = this.elements.keys().next().value;
    const under = svg('g', { class: 'under', 'aria-hidden': 'true' });
    this.image.insertBefore(under, this.image.querySelector('.piece'));
    for (const place of new Set(last?.places ?? [])) under.append(this.ring(place, 'last'));
    this.over = svg('g', { class: 'over', 'aria-hidden': 'true' });
    this.image.append(this.over);
    this.root.className = 'board';
    this.root.replaceChildren(this.image);
    this.findColumns();
    this.update();
    if (hadFocus) this.elements.get(this.current)?.focus({ preventScroll: true });
  }

  showText(answer) {
    const text = make('pre', { tabindex: '0' });
    text.textContent = answer.text ?? answer.position.state;
    this.root.className = 'board text';
    this.root.replaceChildren(make('figure', { 'aria-label': 'The position as text' }, text));
  }

  // Shows a move without making it, or none.
  preview(move) {
    this.previewed = move;
    this.draw();
  }

  // Lets go of what is touched. Says whether anything was.
  letGo() {
    const was = this.touched.length > 0;
    this.endDrag();
    this.touched = [];
    this.update();
    return was;
  }

  placeOf(target) {
    const element = target instanceof Element ? target.closest('.place') : null;
    return element && this.root.contains(element) ? Number(element.getAttribute('data-place')) : null;
  }

  hover(at) {
    const place = this.stands.get(at) ?? at;
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

  touch(at) {
    const place = this.stands.get(at) ?? at;
    const { play, ask, touched } = touch(this.moves, this.touched, place);
    if (play || ask) {
      this.touched = [];
      this.update();
      if (play) this.play(play);
      else this.ask(ask);
      return;
    }
    const wasEmpty = this.touched.length === 0;
    this.touched = touched;
    this.update();
    if (touched.length > 0) {
      this.tell(`${this.nameOf(touched[touched.length - 1])} touched. ${targets(this.moves, touched).size} places go on.`);
    } else {
      this.tell(wasEmpty ? 'No move begins there.' : 'Let go.');
    }
  }

  nameOf(place) {
    return this.picture.places[place]?.name ?? `place ${place}`;
  }

  onKey(event) {
    if (this.elements.size === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (steps[event.key]) {
      const next = this.neighbour(...steps[event.key]);
      if (next !== null) this.elements.get(next).focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.touch(this.current);
    } else if (event.key === 'Escape' && this.touched.length > 0) {
      this.letGo();
      this.tell('Let go.');
    } else {
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
    if (meant(this.moves, [place]).some((move) => move.places.length > 1)) {
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
      this.touched = [drag.place];
      this.update();
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
    if (place !== null && place !== drag.place && targets(this.moves, [drag.place]).has(place)) {
      this.touched = [drag.place];
      this.touch(place);
    } else {
      this.letGo();
    }
  }

  endDrag() {
    if (this.drag?.moving) {
      this.drag.piece?.removeAttribute('transform');
      this.root.classList.remove('dragging');
    }
    this.drag = null;
  }

  // Where pieces fall, an empty cell stands for the only one of its column that takes a piece.
  findColumns() {
    this.stands = new Map();
    if (this.moves.length === 0 || this.moves.some((move) => move.places.length !== 1)) return;
    const ends = [...new Set(this.moves.map((move) => move.places[0]))];
    for (const [place, element] of this.elements) {
      if (ends.includes(place) || this.taken.has(place) || !element.matches('.cell:not(.wall)')) continue;
      const below = ends.filter((end) => Math.abs(this.centre(end).x - this.centre(place).x) < 1);
      if (below.length === 1) this.stands.set(place, below[0]);
    }
  }

  // Says anew what each place is and does.
  update() {
    const first = new Map();
    for (const move of this.moves) {
      if (move.places.length > 0) {
        first.set(move.places[0], [...(first.get(move.places[0]) ?? []), move]);
      }
    }
    const next = this.touched.length > 0 ? targets(this.moves, this.touched) : null;
    for (const [place, element] of this.elements) {
      const chosen = this.touched.includes(place);
      const target = next?.get(place);
      const starts = next ? [] : first.get(this.stands.get(place) ?? place) ?? [];
      element.classList.toggle('source', starts.length > 0);
      element.classList.toggle('whole', starts.some((move) => move.places.length > 1));
      element.classList.toggle('target', Boolean(target));
      element.classList.toggle('chosen', chosen);
      const described = this.picture.places[place]?.description ?? this.nameOf(place);
      const does = target ? this.does([target]) : this.does(starts);
      element.setAttribute('aria-label', [described, chosen ? 'touched' : '', does].filter(Boolean).join('; '));
      element.setAttribute('tabindex', place === this.current ? '0' : '-1');
      if (does) element.removeAttribute('aria-disabled');
      else element.setAttribute('aria-disabled', 'true');
    }
    this.draw();
  }

  does(moves) {
    if (moves.length === 0) return '';
    if (moves.length > 1) return `${moves.length} moves begin here, the best ${WORTH[moves[0].worth]}`;
    const rest = after(moves[0]);
    return `${moves[0].move} ${WORTH[moves[0].worth]}${rest ? `, ${rest}` : ''}`;
  }

  // Draws rings, signs and arrows over the board.
  draw() {
    if (!this.picture) return;
    const drawn = [];
    const pointed = this.hovered ?? this.stands.get(this.focusedAt) ?? this.focusedAt;
    if (this.previewed) {
      drawn.push(...this.arrow(this.previewed));
    } else {
      let touched = this.touched;
      if (touched.length === 0 && pointed !== null && meant(this.moves, [pointed]).length > 0) {
        touched = [pointed];
      }
      for (const place of this.touched) drawn.push(this.ring(place, 'chosen'));
      if (touched.length > 0) {
        for (const [place, move] of targets(this.moves, touched)) {
          const heavy = place === pointed;
          drawn.push(this.ring(place, `${move.worth}${heavy ? ' heavy' : ''}`), this.badge(place, move));
        }
      } else {
        // Moves of one place, such as stones put down, have no piece to point at.
        for (const [place, move] of targets(this.moves, [])) {
          if (meant(this.moves, [place]).every((other) => other.places.length === 1)) {
            drawn.push(this.badge(place, move));
          }
        }
      }
    }
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

  // The sign of what a move by way of a place is worth: in its middle, or in a corner beside a piece.
  badge(place, move) {
    const { x, y } = this.centre(place);
    const [left, top] = this.taken.has(place) ? [x + 19, y - 19] : [x, y];
    return svg('g', { class: `badge ${move.worth}${move.best ? ' best' : ''}` },
      svg('circle', { cx: left, cy: top, r: 10.5 }),
      svg('text', { x: left, y: top, 'font-size': 17 }, SIGNS[move.worth]));
  }

  arrow(move) {
    const { places, worth } = move;
    if (places.length === 0) return [];
    const drawn = [...new Set(places.slice(places.length > 1 && places[0] !== places[1] ? 1 : 0))]
      .map((place) => this.ring(place, `${worth} heavy`));
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
      drawn.push(svg('polygon', { class: `arrow ${worth}`, points }));
      drawn.push(this.badge(places[1], move));
    } else {
      drawn.push(this.badge(places[0], move));
    }
    return drawn;
  }
}
