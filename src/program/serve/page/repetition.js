// A position that is there for the third time: endless play decides it, and whoever plays may stop there.

import { by, make } from './dom.js';
import { person } from './person.js';
import { now } from './state.js';

const TIMES = 3;

const ORDINALS = { 3: 'third', 4: 'fourth', 5: 'fifth' };

// How often a position was there in its game.
const timesOf = ({ steps, cursor }) =>
  steps.slice(0, cursor + 1).filter(({ state }) => state === steps[cursor].state).length;

const isThird = (shown) => !shown.answer.position.over && timesOf(shown) >= TIMES;

export class Repetition {
  // `stop` stops whatever plays by itself, `render` shows the position again, `reply` lets the program move.
  constructor({ stop, render, reply, tell }) {
    Object.assign(this, { stop, render, reply, tell, ended: null, wentOn: null });
  }

  // Whether the person stopped at the position shown.
  isEnded() {
    return now.shown !== null && this.ended === now.shown;
  }

  // Whether the program waits until the person stops or goes on.
  waits() {
    const { shown } = now;
    return this.isEnded() || (person.side !== 0 && shown !== null && isThird(shown) && this.wentOn !== shown);
  }

  // A sentence, and buttons to stop or to go on. Nothing where it is not the third time.
  offer() {
    const { shown } = now;
    if (!isThird(shown)) return null;
    const times = timesOf(shown);
    const { table } = shown;
    const decided = table.max_points !== undefined ? 'endless play gains nothing more'
      : table.endless === 'draw' ? 'drawn by endless play' : `${table.endless} has won by endless play`;
    const there = `The position is there for the ${ORDINALS[times] ?? `${times}th`} time: ${decided}. `;
    const button = (name, onclick) => make('button', { type: 'button', onclick }, name);
    if (this.isEnded()) return [there, 'Play was stopped here. ', button('go on', () => this.goOn())];
    if (this.wentOn === shown) return [there];
    return [there, button('stop', () => this.end()), ' ', button('go on', () => this.goOn())];
  }

  end() {
    this.stop();
    this.ended = now.shown;
    this.render();
    this.tell(by('game-note').textContent);
  }

  goOn() {
    this.ended = null;
    this.wentOn = now.shown;
    this.render();
    this.reply(true);
  }
}
