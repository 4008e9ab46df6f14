// Best play from the position shown: as a line, and in the chart.

import { readLine } from './api.js';
import { by, enable } from './dom.js';
import { showLine } from './lists.js';
import { seen } from './person.js';
import { now } from './state.js';

export class BestPlay {
  // `go` is called with the number of plies of the line to play, `point` with a move to point at.
  constructor({ chart, go, point }) {
    Object.assign(this, { chart, go, point });
  }

  // Nothing else changes when a line comes later: one may be playing a move by then.
  show() {
    const { table, steps, cursor, answer: whole } = now.shown;
    const answer = seen(whole, cursor, table, steps);
    if (!answer.isPlain) showLine(answer, table, { go: this.go, point: this.point, readOn: () => this.readOn() });
    this.chart.show(steps, cursor, whole, table);
    enable(by('step'), !answer.isPlain && Boolean(whole.line?.line.length));
  }

  // The line of a site comes later.
  showLater(answer) {
    answer.later?.then(() => {
      if (now.shown?.answer === answer) this.show();
    });
  }

  readOn() {
    const { table, answer } = now.shown;
    readLine(table.name, answer, undefined, true);
    this.showLater(answer);
    this.show();
  }
}
