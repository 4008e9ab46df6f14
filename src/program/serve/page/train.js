// Tasks: to find the only move that keeps the value, or to win what is won.

import * as address from './address.js';
import * as api from './api.js';
import { any, seed } from './chance.js';
import { by, make, onPress } from './dom.js';
import { person } from './person.js';
import { judged } from './review.js';
import { now } from './state.js';
import { capital, inOrder, number, plies } from './words.js';

// After so many right answers in a row it gets harder, after so many wrong ones easier.
const HARDER = 3;
const EASIER = 2;

// So many positions are drawn for a task, of which one that suits the level is taken.
const DRAWN = 8;

// So many kinds of tasks and distances are tried.
const TRIES = 24;

const KEPT = { win: 'won', draw: 'drawn', loss: 'lost' };
const VERBS = { win: 'wins', draw: 'draws' };

export class Training {
  // `page` shows positions (`go`), draws the one shown anew (`render`), plays (`playSteps`), has the program
  // move (`reply`), and says who plays (`showPerson`).
  constructor(page) {
    Object.assign(this, { page, isOpen: false, task: null });
    onPress(by('open-train'), () => (this.isOpen ? this.end() : this.begin()));
    onPress(by('task-show'), () => this.giveUp());
    onPress(by('task-next'), () => this.next());
    onPress(by('task-end'), () => this.end());
  }

  async begin() {
    const { shown } = now;
    if (!shown?.table.has_distances) return;
    Object.assign(this, {
      isOpen: true, table: shown.table, before: { ...person }, level: 1, row: 0,
      right: 0, asked: 0, missed: [],
      // Kinds of tasks and distances that brought none.
      barren: new Set(),
    });
    by('training').hidden = false;
    by('task-summary').replaceChildren();
    by('open-train').setAttribute('aria-pressed', 'true');
    for (const id of ['task-show', 'task-next', 'task-end']) by(id).hidden = false;
    await this.next();
  }

  // Leaves the training, and says how it went. What was shown before is not shown again.
  end() {
    if (!this.isOpen) return;
    this.stop();
    for (const id of ['task-show', 'task-next', 'task-end']) by(id).hidden = true;
    by('task').textContent = this.asked === 0 ? 'Training is over.' : `${number(this.right)} of ${number(this.asked)} right.`;
    by('task-note').textContent = '';
    by('task-count').textContent = '';
    const missed = this.missed.map((state) => make('li', {}, make('a', { href: address.link(this.table.name, state) }, state)));
    by('task-summary').replaceChildren(...(missed.length > 0 ? [make('p', {}, 'To look at again:'), make('ol', {}, ...missed)] : []));
    this.page.render();
  }

  // Closes it without a word, where another table is opened.
  close() {
    by('training').hidden = true;
    if (this.isOpen) this.stop();
  }

  stop() {
    this.isOpen = false;
    this.task = null;
    this.request?.abort();
    by('open-train').setAttribute('aria-pressed', 'false');
    Object.assign(person, { side: this.before.side, asks: false });
    this.page.showPerson();
  }

  async next() {
    this.request?.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    const { table } = this;
    this.task = null;
    this.say('Looking for a task…', '');
    try {
      const task = await this.draw(signal);
      if (signal.aborted) return;
      if (!task) {
        this.say('This table has no position for a task.', '');
        return;
      }
      person.side = task.side;
      person.asks = true;
      this.page.showPerson();
      if (!(await this.page.go({ table, steps: [{ state: task.state }], cursor: 0, flip: task.side === -1 }))) return;
      this.task = task;
      this.asked += 1;
      this.say(task.text, '');
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (!(error instanceof api.Problem)) throw error;
      this.say(error.message, 'Press “next” to try again.');
    }
  }

  say(task, note) {
    by('task').textContent = task;
    by('task-note').textContent = note;
    by('task-count').textContent = this.asked === 0 ? ''
      : `${number(this.right)} of ${number(this.asked)} right · level ${number(this.level)}`;
    by('task-show').hidden = !this.task;
  }

  // Draws a task at random: positions of a distance that suits the level, and of these one where few or many
  // moves keep the value.
  async draw(signal) {
    const stats = await api.stats(this.table.name);
    const wins = (stats.distances ?? []).filter((row) => row.won > 0 && row.plies > 1).map((row) => row.plies);
    const farthest = 1 + 2 * this.level;
    const near = wins.filter((at) => at <= farthest && at >= farthest - 4);
    const kinds = ['only', 'only', 'win', ...(stats.draws > 0 ? ['hold'] : [])];
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      // What suits the level best comes first, then whatever there is.
      const kind = attempt < kinds.length ? any(kinds) : kinds[attempt % kinds.length];
      const at = any(near.length > 0 && attempt < kinds.length ? near : wins);
      const wanted = kind === 'hold' ? { kind: 'draw' } : { kind: kind === 'only' ? 'only-move' : 'win', plies: at };
      const key = JSON.stringify([kind, wanted]);
      if ((kind !== 'hold' && at === undefined) || this.barren.has(key)) continue;
      const { examples } = await api.examples(this.table.name, { ...wanted, count: DRAWN, seed: seed() }, signal);
      const tasks = [];
      for (const { state } of examples) {
        const answer = await api.moves(this.table.name, state, signal);
        const task = this.taskOf(kind, answer);
        if (task) tasks.push(task);
      }
      if (tasks.length === 0) this.barren.add(key);
      tasks.sort((one, other) => one.hard - other.hard);
      // Easy levels take the easier half.
      const half = Math.ceil(tasks.length / 2);
      const task = any(this.level < 3 ? tasks.slice(0, half) : tasks.slice(-half));
      if (task) return task;
    }
    return null;
  }

  // The task that a position gives, if it gives one of this kind.
  taskOf(kind, { position, ...groups }) {
    const moves = inOrder(groups);
    const kept = groups[KEPT[position.value]];
    if (position.over || moves.length < 2 || kept.length === moves.length) return null;
    const { players } = this.table;
    const side = position.to_move === players[1] ? -1 : 1;
    const task = { kind, state: position.state, position, side, hard: moves.length / kept.length };
    if (kind === 'win') {
      const name = position.to_move ?? 'The player to move';
      const text = `${capital(name)} can win in ${plies(position.plies)}. Win it.`;
      return { ...task, text };
    }
    if (kept.length !== 1) return null;
    return { ...task, text: `Only one move ${VERBS[position.value]}. Find it.`, answer: kept[0] };
  }

  // A move of the person. Says whether the page need not play it.
  takes(move) {
    const { task } = this;
    if (!task) return false;
    const isKept = move.worth === task.position.value;
    if (task.kind === 'win') {
      if (!isKept) this.wrong(move);
      return !isKept;
    }
    if (isKept) {
      this.done(true, `Right: ${move.move} ${judged(move)}.`);
      return false;
    }
    this.wrong(move);
    return true;
  }

  wrong(move) {
    const best = now.shown && inOrder(now.shown.answer.moves).find((one) => one.best);
    this.done(false, `${move.move} ${judged(move)}. ${best ? `${best.move} ${judged(best)}.` : ''}`);
    this.page.render();
  }

  giveUp() {
    if (!this.task) return;
    const best = inOrder(now.shown.answer.moves).find((one) => one.best);
    this.done(false, `${best.move} ${judged(best)}.`);
    this.page.render();
  }

  // A position is shown: a game that is won has been played to its end.
  shown(position, ply) {
    if (this.task?.kind !== 'win' || !position.over || ply === 0) return;
    const isWon = position.shade === 'win';
    this.done(isWon, isWon ? `Won in ${plies(ply)}.` : 'The win was given away.');
  }

  done(isRight, note) {
    const { task } = this;
    this.task = null;
    person.asks = false;
    if (isRight) this.right += 1;
    else this.missed.push(task.state);
    this.row = isRight ? Math.max(0, this.row) + 1 : Math.min(0, this.row) - 1;
    if (this.row >= HARDER) {
      this.level += 1;
      this.row = 0;
    } else if (this.row <= -EASIER) {
      this.level = Math.max(1, this.level - 1);
      this.row = 0;
    }
    this.say(task.text, `${isRight ? '✓' : '✗'} ${note}`);
    by('task-next').focus({ preventScroll: true });
  }
}
