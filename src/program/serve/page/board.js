// The board: the server's picture, made playable.

import { make, moves, svg } from './dom.js';
import { Picture } from './picture.js';
import { meant, targets, touch } from './touch.js';
import { after, capital, names, several, worth } from './words.js';

export class Board extends Picture {
  // `play` is called with a move, `ask` with several that touch the same places, `tell` with a text, and
  // `why` is asked why no move can be made now, if none can.
  constructor(root, { play, ask, tell, why }) {
    super(root);
    Object.assign(this, { play, ask, tell, why });
  }

  forget() {
    super.forget();
    this.moves = [];
    this.touched = [];
    this.stands = new Map();
  }

  // Shows an answer as the person sees it. `last` is the move that led to it, and `glides` says that it
  // was made just now.
  show(answer, last, glides, table) {
    const isDragged = this.isDropped;
    this.isDropped = false;
    const at = this.focusedAt ?? this.current;
    const hadFocus = this.hasFocus();
    this.endDrag();
    this.forget();
    this.current = at ?? 0;
    this.position = answer.position;
    // A move that can be made by way of other places is there once for each.
    this.moves = answer.list.flatMap((move) => [
      move, ...move.other_places.map((places) => ({ ...move, places }))]);
    if (!answer.picture || !this.load(answer.picture)) {
      this.showText(answer);
      if (hadFocus) this.root.querySelector('pre').focus({ preventScroll: true });
      return;
    }
    this.keepColours();
    this.fillStores(table);
    this.image.setAttribute('aria-describedby', 'board-help');
    const under = svg('g', { class: 'under', 'aria-hidden': 'true' });
    this.image.insertBefore(under, this.image.querySelector('.piece'));
    // Whoever made the last move saw its places from the other side of a board that is turned for the mover.
    const made = (last?.places ?? []).map((place) => this.picture.places[place]?.opposite ?? place);
    for (const place of new Set(made)) under.append(this.ring(place, 'last'));
    this.findColumns();
    this.update();
    if (hadFocus) this.focusAgain();
    if (glides && !isDragged) this.glide(made);
  }

  // Where a picture shows the pieces of the player to move and of the other, each player keeps a colour.
  keepColours() {
    if (!this.image.matches('.of-mover') || this.position.side === 1) return;
    for (const piece of this.image.querySelectorAll('.piece.first, .piece.second')) {
      piece.classList.toggle('first');
      piece.classList.toggle('second');
    }
  }

  // Writes what each player has gained into the stores of a picture that has some.
  fillStores(table) {
    const { score, side } = this.position;
    for (const store of this.image.querySelectorAll('.store')) {
      const isFirst = store.matches('.first') !== (this.image.matches('.of-mover') && side !== 1);
      const player = isFirst ? 0 : 1;
      const owner = names(table, this.position)[player];
      const points = score?.gained[player];
      const short = table.players_told_apart || this.position.to_move ? owner : ['first', 'second'][player];
      store.querySelector('.owner').textContent = short;
      store.querySelector('.points').textContent = points ?? '?';
      store.setAttribute('aria-label', `${capital(owner)}: ${points === undefined ? 'points not known' : several(points, 'point', 'points')}`);
    }
  }

  // Moves the piece that was moved to where it stands.
  glide([from, to]) {
    const piece = [...this.image.querySelectorAll(`.piece[data-at="${to}"]`)].pop();
    if (from === undefined || from === to || !piece || !moves()) return;
    const [begin, end] = [this.centre(from), this.centre(to)];
    piece.animate(
      { transform: [`translate(${begin.x - end.x}px, ${begin.y - end.y}px)`, 'none'] },
      { duration: 150, easing: 'ease-out' },
    );
  }

  showText(answer) {
    const text = make('pre', { tabindex: '0' });
    text.textContent = answer.text ?? answer.position.state;
    this.root.className = 'board text';
    this.root.replaceChildren(make('figure', { 'aria-label': 'The position as text' }, text));
  }

  // Lets go of what is touched. Says whether anything was.
  letGo() {
    const was = this.touched.length > 0;
    this.endDrag();
    this.touched = [];
    this.update();
    return was;
  }

  hover(at) {
    super.hover(this.stands.get(at) ?? at);
  }

  touch(at) {
    const why = this.why();
    if (why) {
      this.refuse(at, why);
      return;
    }
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
    } else if (wasEmpty) {
      this.refuse(at, this.whyNot(at));
    } else {
      this.tell('Let go.');
    }
  }

  whyNot(place) {
    if (this.moves.every((move) => move.places.length === 0)) return 'Play from the list of moves.';
    const { to_move: mover } = this.position;
    const where = this.picture.places[place]?.description ?? this.nameOf(place);
    return `${where}: no move begins here${mover ? `. ${capital(mover)} to move.` : '.'}`;
  }

  // Says at a place why it can't be used.
  refuse(place, text) {
    this.tell(text);
    this.root.querySelector('.refusal')?.remove();
    const said = make('p', { class: 'refusal', 'aria-hidden': 'true' }, text);
    this.root.append(said);
    const shape = (this.elements.get(place) ?? this.image).getBoundingClientRect();
    const around = this.root.getBoundingClientRect();
    const half = said.offsetWidth / 2;
    const middle = shape.left + shape.width / 2 - around.left;
    said.style.left = `${Math.max(half, Math.min(around.width - half, middle))}px`;
    said.style.top = `${shape.bottom - around.top}px`;
    setTimeout(() => said.remove(), 3500);
  }

  key(key) {
    if (key !== 'Escape' || this.touched.length === 0) return false;
    this.letGo();
    this.tell('Let go.');
    return true;
  }

  canDrag(place) {
    return !this.why() && meant(this.moves, [place]).some((move) => move.places.length > 1);
  }

  take(place) {
    this.touched = [place];
    this.update();
  }

  drop(from, to) {
    if (to !== null && to !== from && targets(this.moves, [from]).has(to)) {
      this.touched = [from];
      this.isDropped = true;
      this.touch(to);
    } else {
      this.letGo();
      if (to !== null && to !== from) this.refuse(to, `No move leads from ${this.nameOf(from)} to ${this.nameOf(to)}.`);
    }
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
    const count = new Set(moves.map((move) => move.state)).size;
    if (count > 1) {
      const best = worth(moves[0]);
      return `${count} moves begin here${best ? `, the best ${best}` : ''}`;
    }
    const said = [worth(moves[0]), after(moves[0])].filter(Boolean).join(', ');
    return `${moves[0].move} ${said}`.trim();
  }

  // Where a move goes on after its second place, as a mill that captures does, the piece stands there
  // already: the one that was touched first, or one like those of the player to move.
  ahead() {
    for (const piece of this.image.querySelectorAll('.piece[transform]')) piece.removeAttribute('transform');
    const [first] = this.touched;
    const to = this.touched[this.touched.length - 1];
    if (first === undefined || this.taken.has(to) || this.drag?.moving) return [];
    const own = [...this.image.querySelectorAll(`.piece.${this.position.side === 1 ? 'first' : 'second'}`)];
    const piece = own.findLast((one) => Number(one.getAttribute('data-at')) === first) ?? own[0];
    if (!piece) return [];
    const [begin, end] = [this.centre(Number(piece.getAttribute('data-at'))), this.centre(to)];
    const shift = `translate(${end.x - begin.x} ${end.y - begin.y})`;
    if (this.touched.length > 1 && this.taken.has(first)) {
      piece.setAttribute('transform', shift);
      return [];
    }
    const ghost = piece.cloneNode(true);
    ghost.querySelector('.count')?.remove();
    ghost.setAttribute('class', `${piece.getAttribute('class')} ghostly`);
    ghost.setAttribute('transform', shift);
    ghost.removeAttribute('data-at');
    return [ghost];
  }

  marks() {
    const drawn = this.ahead();
    const pointed = this.hovered ?? this.stands.get(this.focusedAt) ?? this.focusedAt;
    let touched = this.touched;
    if (touched.length === 0 && pointed !== null && meant(this.moves, [pointed]).length > 0) {
      touched = [pointed];
    }
    for (const place of this.touched) drawn.push(this.ring(place, 'chosen'));
    if (touched.length > 0) {
      for (const [place, move] of targets(this.moves, touched)) {
        const heavy = place === pointed;
        drawn.push(this.ring(place, `${move.shade}${heavy ? ' heavy' : ''}`), this.badge(place, move));
      }
    } else {
      // Moves of one place, such as stones put down, have no piece to point at.
      for (const [place, move] of targets(this.moves, [])) {
        if (meant(this.moves, [place]).every((other) => other.places.length === 1)) {
          drawn.push(this.badge(place, move));
        }
      }
    }
    return drawn;
  }
}
