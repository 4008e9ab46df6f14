// A position that is there for the third time: endless play decides it, and whoever plays may stop there.

import { make } from './dom.js';
import { now } from './state.js';

const TIMES = 3;

// How often the position shown was there in this game.
const timesOf = ({ steps, cursor }) =>
  steps.slice(0, cursor + 1).filter(({ state }) => state === steps[cursor].state).length;

export const isThird = (shown) => Boolean(shown) && !shown.answer.position.over && timesOf(shown) >= TIMES;

const ORDINALS = { 3: 'third', 4: 'fourth', 5: 'fifth' };

// Says so, with buttons to stop or to go on. Nothing where it is not the third time.
export function offer(shown, { stop, goOn }) {
  if (!isThird(shown)) return null;
  const times = timesOf(shown);
  const { table } = shown;
  const ended = table.max_points !== undefined ? 'endless play gains nothing more'
    : table.endless === 'draw' ? 'drawn by endless play' : `${table.endless} has won by endless play`;
  const there = `The position is there for the ${ORDINALS[times] ?? `${times}th`} time: ${ended}. `;
  const button = (name, onclick) => make('button', { type: 'button', onclick }, name);
  if (now.ended === shown) return [there, 'Play was stopped here. ', button('go on', goOn)];
  if (now.wentOn === shown) return [there];
  return [there, button('stop', stop), ' ', button('go on', goOn)];
}
