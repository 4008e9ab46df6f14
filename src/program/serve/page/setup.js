// Setting up a position by hand: pieces are put on the picture, moved and taken away, and a player is
// chosen who is to move. The server says which position that is, or why it is none.

import * as api from './api.js';
import { by, enable, make, onPress } from './dom.js';
import { Picture } from './picture.js';
import { capital } from './words.js';

// The tool that takes pieces away; the others are numbers of kinds.
const TAKE = 'take';

// How far a pointer moves, in pixels, before a press is a drag.
const DRAG = 7;

// The pieces after one of this kind is put on a place. `isReserve` says of a place whether it has any
// number of pieces.
function withPiece(pieces, place, kind, { kinds, shared, isReserve }) {
  const stays = (piece) => {
    if (kinds[kind].single && piece.kind === kind) return false;
    return piece.place !== place || isReserve(place) || (shared && piece.kind !== kind);
  };
  return [...pieces.filter(stays), { place, kind, count: 1 }];
}

// The pieces without the one in front on a place.
function without(pieces, place) {
  const at = pieces.findLastIndex((piece) => piece.place === place);
  if (at < 0) return pieces;
  const left = { ...pieces[at], count: pieces[at].count - 1 };
  return [...pieces.slice(0, at), ...(left.count > 0 ? [left] : []), ...pieces.slice(at + 1)];
}

// The picture that pieces are put on. What is done to it is said to `on`.
class HandBoard extends Picture {
  constructor(root, on) {
    super(root);
    this.on = on;
  }

  show({ picture, pieces }, { chosen, tool }) {
    const at = this.focusedAt ?? this.current ?? 0;
    const hadFocus = this.hasFocus();
    this.endDrag();
    this.forget();
    this.current = at;
    this.load(picture);
    this.image.setAttribute('aria-describedby', 'hand-help');
    this.movable = new Set(pieces.map((piece) => piece.place));
    this.choose(chosen, tool);
    if (hadFocus) this.focusAgain();
  }

  // Marks the place of the piece that is about to be moved.
  choose(chosen, tool) {
    this.chosen = chosen;
    for (const [place, element] of this.elements) {
      element.classList.toggle('source', tool !== null || chosen !== null || this.movable.has(place));
      element.classList.toggle('whole', this.movable.has(place));
      element.setAttribute('aria-label',
        `${this.picture.places[place].description}${place === chosen ? '; touched' : ''}`);
      element.setAttribute('tabindex', place === this.current ? '0' : '-1');
    }
    this.draw();
  }

  isReserve(place) {
    return Boolean(this.elements.get(place)?.matches('.reserve'));
  }

  marks() {
    return [this.chosen, this.hovered].filter((place) => place !== null && place !== undefined)
      .map((place, at) => this.ring(place, at === 0 && place === this.chosen ? 'chosen' : 'last'));
  }

  touch(place) { this.on.touch(place); }

  canDrag(place) { return this.movable.has(place); }

  take(place) { this.on.take(place); }

  drop(from, to) { this.on.drop(from, to); }

  key(key) {
    if (key !== 'Delete' && key !== 'Backspace') return false;
    this.on.drop(this.current, null);
    return true;
  }
}

export class SetUp {
  // `look` shows what a position is worth, `none` that there is none, `done` leaves with the position,
  // `cancel` without; `tell` says a text.
  constructor({ look, none, done, cancel, tell }) {
    Object.assign(this, { look, none, done, cancel, tell });
    this.isOpen = false;
    this.board = new HandBoard(by('hand-board'), {
      touch: (place) => this.touch(place),
      take: (place) => this.choose({ chosen: place }),
      drop: (from, to) => {
        if (to !== null && to !== from) this.move(from, to);
        else if (to === null) this.takeAway(from);
        else this.choose({});
      },
    });
    onPress(by('hand-done'), () => this.done(this.position));
    onPress(by('hand-cancel'), () => this.cancel());
    onPress(by('hand-clear'), () => this.ask({ pieces: [] }));
    onPress(by('hand-start'), () => this.ask({ state: this.table.start }));
  }

  // Begins with the pieces of a position.
  open(table, position, flip) {
    Object.assign(this, { table, flip, isOpen: true, position: null, answer: null, chosen: null, tool: null });
    this.wanted = position.to_move;
    this.toggle(true);
    return this.ask({ state: position.state });
  }

  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.request?.abort();
    const hadFocus = by('hand').contains(document.activeElement) || this.board.hasFocus();
    this.decided(null, '');
    this.toggle(false);
    this.board.clear();
    by('put').replaceChildren();
    if (hadFocus) by('by-hand').focus({ preventScroll: true });
  }

  toggle(on) {
    by('play').classList.toggle('setting-up', on);
    by('hand').hidden = !on;
    by('hand-board').hidden = !on;
    by('by-hand').setAttribute('aria-pressed', String(on));
  }

  turnRound(flip) {
    this.flip = flip;
    by('flip').setAttribute('aria-pressed', String(flip));
    return this.ask({ pieces: this.pieces });
  }

  // Asks which positions these pieces, or those of a state, may be.
  async ask({ state, pieces }) {
    this.request?.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    this.pieces = pieces ?? this.pieces;
    this.chosen = null;
    try {
      const answer = await api.setUp(this.table.name, { state, pieces, flip: this.flip }, signal);
      if (signal.aborted) return;
      const isFirst = this.answer === null;
      this.answer = answer;
      this.pieces = answer.pieces;
      this.board.show(answer, this);
      if (isFirst) this.showKinds();
      const { turns } = answer;
      const wanted = turns.find((turn) => turn.to_move === this.wanted) ?? turns[0];
      // Pieces may say who is to move.
      this.wanted = (wanted.position ? wanted : turns.find((turn) => turn.position) ?? wanted).to_move;
      this.showTurns();
      this.decide();
    } catch (error) {
      if (error.name === 'AbortError' || signal.aborted) return;
      if (!(error instanceof api.Problem)) throw error;
      this.refuse(error.message);
    }
  }

  // Shows what the position is worth with the player to move who is wanted, or why there is none.
  decide() {
    const { position, problem } = this.answer.turns.find((turn) => turn.to_move === this.wanted);
    if (!position) {
      this.refuse(api.sentence(problem));
      return;
    }
    this.decided(position, '');
    this.look(position.state);
  }

  decided(position, problem) {
    this.position = position;
    by('hand-problem').textContent = problem;
    by('no-position').hidden = !problem;
    enable(by('hand-done'), !problem);
  }

  refuse(problem) {
    this.decided(null, problem);
    this.tell(problem);
    this.none();
  }

  showKinds() {
    const button = (tool, name, content) => {
      const made = make('button', { type: 'button', title: name }, content, make('span', { class: 'unseen' }, name));
      made.dataset.tool = tool;
      made.addEventListener('click', () => {
        if (!this.dragged) this.choose({ tool: this.tool === tool ? null : tool });
      });
      return made;
    };
    const kinds = this.answer.kinds.map((kind, number) => {
      const name = kind.player && kind.player !== kind.name ? `${kind.player} ${kind.name}` : kind.name;
      const svg = new DOMParser().parseFromString(kind.svg, 'image/svg+xml').documentElement;
      svg.setAttribute('aria-hidden', 'true');
      const made = button(number, name, document.importNode(svg, true));
      this.dragFrom(made, number);
      return made;
    });
    by('put').replaceChildren(...kinds, button(TAKE, 'take away', make('span', { 'aria-hidden': 'true' }, '✕')));
    by('put').firstChild.focus({ preventScroll: true });
    this.choose({});
  }

  // Has a kind of piece dragged to the picture.
  dragFrom(button, kind) {
    let drag = null;
    const end = () => {
      drag?.ghost?.remove();
      drag = null;
    };
    button.addEventListener('pointerdown', (event) => {
      this.dragged = false;
      if (event.button !== 0 || !event.isPrimary) return;
      drag = { x: event.clientX, y: event.clientY };
      button.setPointerCapture(event.pointerId);
    });
    button.addEventListener('pointermove', (event) => {
      if (!drag || !event.isPrimary) return;
      if (!drag.ghost) {
        if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG) return;
        drag.ghost = make('div', { class: 'ghost', 'aria-hidden': 'true' }, button.firstChild.cloneNode(true));
        document.body.append(drag.ghost);
      }
      drag.ghost.style.left = `${event.clientX}px`;
      drag.ghost.style.top = `${event.clientY}px`;
      this.board.hover(this.board.under(event));
    });
    button.addEventListener('pointerup', (event) => {
      const place = drag?.ghost ? this.board.under(event) : null;
      this.dragged = Boolean(drag?.ghost);
      setTimeout(() => { this.dragged = false; }, 0);
      end();
      if (place !== null) this.put(place, kind);
    });
    button.addEventListener('pointercancel', end);
  }

  showTurns() {
    const { turns } = this.answer;
    const isNone = turns.every((turn) => !turn.position);
    const radio = ({ to_move: player, position, problem }) => {
      const input = make('input', { type: 'radio', name: 'turn', value: player });
      input.checked = player === this.wanted;
      input.addEventListener('change', () => {
        this.wanted = player;
        this.decide();
      });
      const says = isNone ? '' : api.sentence(position?.verdict ?? problem);
      return make('label', {}, input, `${player} to move`, make('span', { class: 'note' }, says));
    };
    const focused = by('turns').contains(document.activeElement);
    by('turns').replaceChildren(...(turns.length > 1 ? turns.map(radio) : []));
    by('turns').hidden = turns.length < 2;
    if (focused) by('turns').querySelector(':checked').focus();
  }

  // Takes a tool to hand, or touches a piece that is to be moved; or lets both go.
  choose({ tool = null, chosen = null }) {
    Object.assign(this, { tool, chosen });
    for (const button of by('put').children) {
      button.setAttribute('aria-pressed', String(button.dataset.tool === String(tool)));
    }
    this.board.choose(chosen, tool);
  }

  touch(place) {
    const { tool, chosen, pieces } = this;
    const isOn = pieces.some((piece) => piece.place === place);
    if (tool === TAKE) {
      this.takeAway(place);
    } else if (tool !== null) {
      const same = pieces.find((piece) => piece.place === place && piece.kind === tool);
      if (same && !this.board.isReserve(place)) this.takeAway(place);
      else this.put(place, tool);
    } else if (chosen === place) {
      this.choose({});
    } else if (chosen !== null) {
      this.move(chosen, place);
    } else if (isOn) {
      this.choose({ chosen: place });
      this.tell(`${this.board.nameOf(place)} touched. Touch where the piece goes.`);
    } else {
      this.tell('Choose a piece first.');
    }
  }

  rules() {
    return { ...this.answer, isReserve: (place) => this.board.isReserve(place) };
  }

  put(place, kind) {
    this.ask({ pieces: withPiece(this.pieces, place, kind, this.rules()) });
  }

  takeAway(place) {
    if (this.pieces.some((piece) => piece.place === place)) this.ask({ pieces: without(this.pieces, place) });
  }

  move(from, to) {
    const moved = this.pieces.findLast((piece) => piece.place === from);
    if (moved) this.ask({ pieces: withPiece(without(this.pieces, from), to, moved.kind, this.rules()) });
  }

  // Says whether there was anything to let go of.
  letGo() {
    const had = this.tool !== null || this.chosen !== null;
    this.choose({});
    return had;
  }

  // Takes the tool of this number to hand: 1 is the first kind of piece, 0 takes pieces away.
  pick(number) {
    const button = number === 0 ? by('put').lastChild : by('put').children[number - 1];
    if (button?.dataset.tool === TAKE && number !== 0) return;
    button?.click();
    if (button) this.tell(`${capital(button.title)}: ${this.tool === null ? 'put back' : 'in hand'}.`);
  }
}
