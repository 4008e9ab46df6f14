// A line of best play that is shown ply by ply.

import { by } from './dom.js';

export class Run {
  // `play` plays moves, and says whether they are shown; `pause` is the time between two plies.
  constructor(play, pause) {
    this.play = play;
    this.pause = pause;
    this.current = null;
  }

  // The line is that of where it began: best play from later positions may take other equal moves.
  start(line) {
    let at = 0;
    const mine = {};
    this.current = mine;
    name('stop', '■ ');
    const next = async () => {
      if (this.current !== mine) return;
      // Going back leads to where the run began.
      const done = await this.play([line[at]], at === 0 ? 'push' : 'replace');
      at += 1;
      if (this.current !== mine) return;
      if (!done || at >= line.length) this.stop();
      else mine.timer = setTimeout(next, this.pause);
    };
    next();
  }

  stop() {
    if (!this.current) return;
    clearTimeout(this.current.timer);
    this.current = null;
    name('run', '▶▶ ');
  }
}

function name(text, sign) {
  by('run-name').textContent = text;
  by('run-sign').textContent = sign;
}
