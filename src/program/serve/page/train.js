// Training: tasks are asked one after the other, drawn from the table or named by an address.

import * as address from './address.js';
import * as api from './api.js';
import { by, make, onPress } from './dom.js';
import { smallPicture } from './front.js';
import { person } from './person.js';
import { judged } from './review.js';
import { keepLevel, keepOpen, levelAt, openAt } from './session.js';
import { copy } from './share.js';
import { now } from './state.js';
import { Tasks, taskAt } from './tasks.js';
import { inOrder, number, plies } from './words.js';

// After so many right answers in a row it gets harder, after so many wrong ones easier.
const HARDER = 3;
const EASIER = 2;

const BUTTONS = ['task-show', 'task-next', 'task-end'];

export class Training {
  // `page` shows positions (`go`), draws the one shown anew (`render`), says who plays
  // (`showPerson`), and takes a list of examples away (`closeExamples`).
  constructor(page) {
    Object.assign(this, { page, isOpen: false, task: null });
    onPress(by('open-train'), () => (this.isOpen ? this.end() : now.shown?.table.has_distances && this.begin(now.shown.table)));
    onPress(by('task-show'), () => this.giveUp());
    onPress(by('task-next'), () => this.next());
    onPress(by('task-end'), () => this.end());
  }

  // Begins with the tasks of a set, or draws them.
  async begin(table, set = null) {
    this.page.closeExamples();
    this.start(table, { set, right: 0, asked: [], missed: [], before: { side: person.side } });
    await this.next();
  }

  // `known` is what is known of the training: the set of tasks, those that were asked, and how they went.
  start(table, known) {
    const { level, row, seen } = levelAt(table);
    Object.assign(this, { isOpen: true, table, task: null, level, row, seen, ...known, drawn: new Tasks(table, seen) });
    by('training').hidden = false;
    by('task-summary').replaceChildren();
    by('open-train').setAttribute('aria-pressed', 'true');
    for (const id of BUTTONS) by(id).hidden = false;
  }

  // Another table is opened, or the page again: what was asked before a reload is asked again.
  opened(table) {
    if (this.isOpen && this.table === table) {
      // A set of tasks came with the table.
      this.before = { side: person.side };
      person.side = this.side;
      return;
    }
    by('training').hidden = true;
    if (this.isOpen) this.stop();
    const known = openAt(table);
    if (!known) return;
    this.start(table, known);
    const last = known.isAnswered === false ? known.asked[known.asked.length - 1] : null;
    person.asks = last !== null;
    this.page.showPerson();
    if (last) this.ask((signal) => taskAt(last, table, signal), true);
    else this.say('Press “next” for a task.', '');
  }

  keep() {
    const { table, set, right, asked, missed, before, task } = this;
    keepLevel(table, this);
    keepOpen({ name: table.name, identity: table.identity, set, right, asked, missed, before, isAnswered: !task || task.tries > 0 });
  }

  // Leaves the training, and says how it went. What was shown before is not shown again.
  end() {
    if (!this.isOpen) return;
    const { table, task } = this;
    // A task that was not tried is none.
    if (task?.tries === 0) this.asked.pop();
    const { right, asked, missed } = this;
    this.stop();
    for (const id of BUTTONS) by(id).hidden = true;
    by('task').textContent = asked.length === 0 ? 'Training is over.' : `${number(right)} of ${number(asked.length)} right.`;
    by('task-note').textContent = '';
    by('task-count').textContent = '';
    by('task-summary').replaceChildren(
      ...(missed.length > 0 ? [make('p', {}, 'To look at again:'), this.boards(table, missed)] : []),
      ...(asked.length > 0 ? [make('div', { class: 'buttons' }, this.copier(table, asked, 'copy these tasks as a link', 'copy-tasks'),
        missed.length > 0 ? this.copier(table, missed, 'only those to look at again', 'copy-missed') : null)] : []),
    );
    this.page.render();
  }

  // A small board of each task, which leads there.
  boards(table, tasks) {
    const item = ({ state }) => {
      const board = make('div', { class: 'small board', 'aria-hidden': 'true' });
      const to = make('a', { href: address.link(table.name, state) }, state);
      board.addEventListener('click', () => to.click());
      api.position(table.name, state, now.flip).then(({ picture }) => picture && smallPicture(board, picture, ''), () => {});
      return make('li', {}, board, to);
    };
    return make('ol', { class: 'found' }, ...tasks.map(item));
  }

  copier(table, tasks, name, id) {
    const button = make('button', { type: 'button', id }, name);
    button.addEventListener('click', async () => {
      await copy(`${location.href.split('#')[0]}${address.set(table.name, tasks)}`);
      by('task-note').textContent = 'The link is copied. Whoever opens it gets these tasks.';
    });
    return button;
  }

  stop() {
    this.isOpen = false;
    this.task = null;
    this.request?.abort();
    keepOpen(null);
    by('open-train').setAttribute('aria-pressed', 'false');
    Object.assign(person, { side: this.before.side, asks: false });
    this.page.showPerson();
  }

  // A task that is left without an answer was looked up.
  next() {
    if (this.task?.tries === 0) this.count(false);
    const { set, asked, table } = this;
    if (set && asked.length >= set.length) return this.end();
    return this.ask((signal) => (set ? taskAt(set[asked.length], table, signal) : this.drawn.draw(this.level, signal)));
  }

  // Asks the task that `find` finds, which was asked before a reload where it is the same.
  async ask(find, isSame = false) {
    this.request?.abort();
    this.request = new AbortController();
    const { table, request: { signal } } = this;
    const position = this.set?.[this.asked.length];
    this.task = null;
    this.say('Looking for a task…', '');
    try {
      const task = await find(signal);
      if (signal.aborted) return;
      if (!task) {
        if (position && !isSame) this.asked.push(position);
        this.say(position ? 'This position is no task.' : 'This table has no position for a task.', '');
        return;
      }
      this.side = task.side;
      person.side = task.side;
      person.asks = true;
      this.page.showPerson();
      if (!(await this.page.go({ table, steps: [{ state: task.state }], cursor: 0, flip: task.side === -1 }))) return;
      this.task = task;
      if (!isSame) {
        this.asked.push({ kind: task.kind, state: task.state });
        this.seen.push(task.state);
      }
      this.say(task.text, '');
      this.keep();
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (!(error instanceof api.Problem)) throw error;
      if (position && !isSame) this.asked.push(position);
      this.say(error.message, 'Press “next” to go on.');
    }
  }

  say(task, note) {
    const { asked: { length }, set } = this;
    const where = set ? `task ${number(length)} of ${number(set.length)}` : `level ${number(this.level)}`;
    by('task').textContent = task;
    by('task-note').textContent = note;
    by('task-count').textContent = length === 0 ? '' : `${number(this.right)} of ${number(length)} right · ${where}`;
    by('task-show').hidden = !this.task;
  }

  // A move of the person. Says whether the page need not play it.
  takes(move) {
    const { task } = this;
    if (!task) return false;
    if (move.worth === task.position.value) {
      if (task.kind !== 'win') this.done(true, `Right${again(task)}: ${move.move} ${judged(move)}.`);
      return false;
    }
    this.count(false);
    task.tries += 1;
    this.say(task.text, `✗ ${move.move} ${judged(move)}. Try again, or look at the answer.`);
    this.keep();
    return true;
  }

  giveUp() {
    const { task } = this;
    if (!task) return;
    const best = inOrder(now.shown.answer.moves).find((one) => one.best);
    this.done(false, `${best.move} ${judged(best)}.`);
    this.page.render();
  }

  // A position is shown: a game that is won has been played to its end.
  shown(position, ply) {
    const { task } = this;
    if (task?.kind !== 'win' || !position.over || ply === 0) return;
    const isWon = position.shade === 'win';
    this.done(isWon, isWon ? `Won in ${plies(ply)}${again(task)}.` : 'The win was given away.');
  }

  // Counts the first answer to a task.
  count(isRight) {
    if (this.task.tries > 0) return;
    if (isRight) this.right += 1;
    else this.missed.push(this.asked[this.asked.length - 1]);
    // The level is that of tasks that are drawn.
    if (this.set) return;
    this.row = isRight ? Math.max(0, this.row) + 1 : Math.min(0, this.row) - 1;
    if (this.row >= HARDER) {
      this.level += 1;
      this.row = 0;
    } else if (this.row <= -EASIER) {
      this.level = Math.max(1, this.level - 1);
      this.row = 0;
    }
  }

  // The task is over. An answer after the first one changes no score.
  done(isRight, note) {
    const { task } = this;
    this.count(isRight);
    this.task = null;
    person.asks = false;
    this.say(task.text, `${isRight ? '✓' : '✗'} ${note}`);
    this.keep();
    by('task-next').focus({ preventScroll: true });
  }
}

const again = ({ tries }) => (tries === 0 ? '' : `, at try ${number(tries + 1)}`);
