// A game looked through: every ply judged, the mistakes named with what would have kept the result.

import * as api from './api.js';
import { by, make, onPress } from './dom.js';
import { write } from './notation.js';
import { isMistake } from './person.js';
import { Reader, Unclear } from './reader.js';
import { save } from './share.js';
import { now } from './state.js';
import { capital, inOrder, mover, names, number, plies, several } from './words.js';

// Longer games are not looked up: each ply is a question to the server.
const MOST_PLIES = 2000;

const VERBS = { win: 'wins', draw: 'draws', loss: 'loses' };

// What a move is worth, and how far the end is.
export function judged(move) {
  if (move.total !== undefined) return `is worth ${move.total > 0 ? '+' : ''}${move.total}`;
  const isFar = move.worth !== 'draw' && move.plies !== null && move.plies !== undefined;
  return `${VERBS[move.worth]}${isFar ? ` in ${plies(move.plies + 1)}` : ''}`;
}

export class Review {
  // `show` shows a game, `goToLine` a ply of it.
  constructor({ show, goToLine }) {
    Object.assign(this, { show, goToLine, running: null, game: null });
    onPress(by('open-review'), () => this.open());
    onPress(by('review-go'), () => this.read());
    onPress(by('review-save'), () => this.save());
    onPress(by('review-close'), () => this.close());
    by('review-file').addEventListener('change', async () => {
      const [file] = by('review-file').files;
      if (file) by('review-text').value = await file.text();
    });
    by('review').addEventListener('close', () => this.running?.abort());
  }

  open() {
    const { shown } = now;
    if (!shown) return;
    by('review-text').value = shown.steps.length > 1 ? write(shown.table, shown.steps) : '';
    by('review-error').textContent = '';
    by('review').showModal();
  }

  save() {
    const { table, steps } = now.shown;
    save(`${table.name}.${table.game === 'chess' ? 'pgn' : 'txt'}`, new Blob([write(table, steps)], { type: 'text/plain' }));
  }

  close() {
    by('report').hidden = true;
  }

  // A position is shown. The report goes when it is one of another game.
  shown({ game }) {
    if (game !== this.game) this.close();
  }

  // Reads the text, and shows its game.
  async read() {
    const { table, flip, answer } = now.shown;
    const game = new Reader(by('review-text').value, table, placesOf(answer.picture));
    const error = by('review-error');
    if (game.isEmpty) {
      error.textContent = 'Write the moves of a game first, or load a file.';
      return;
    }
    this.running?.abort();
    this.running = new AbortController();
    error.textContent = '';
    try {
      const { steps, asked } = await this.follow(table, game, this.running.signal);
      by('review').close();
      if (await this.show({ table, steps, cursor: steps.length - 1, flip })) this.report(table, steps, asked);
    } catch (problem) {
      if (problem.name !== 'AbortError') error.textContent = problem.message;
      if (!(problem instanceof api.Problem) && problem.name !== 'AbortError') throw problem;
    }
  }

  // Looks up each position of a game.
  async follow(table, game, signal) {
    const ask = (state) => api.moves(table.name, state, signal);
    const saysStart = game.start !== null;
    const steps = [];
    const asked = [];
    let step = { state: game.start ?? table.start };
    for (;;) {
      let answer = await ask(step.state);
      // The first line of a game that says no start may be one.
      if (steps.length === 0 && !saysStart && !game.fits(inOrder(answer)) && game.line) {
        const first = await ask(game.line).catch(() => null);
        if (first) game.begin();
        answer = first ?? answer;
      }
      asked.push(answer);
      steps.push({ ...step, ...answer.position });
      const move = next(game, answer, steps, table);
      if (!move) return { steps, asked };
      if (steps.length > MOST_PLIES) throw new api.Problem(`The game has more than ${number(MOST_PLIES)} plies: no more are looked up.`);
      step = { ...move };
      if (steps.length % 20 === 0) by('review-error').textContent = `${plies(steps.length)} looked up…`;
    }
  }

  // Says what each side did, and lists the mistakes.
  report(table, steps, asked) {
    this.game = now.shown.game;
    const mistakes = [];
    const sides = new Map([[1, { plies: 0, best: 0, mistakes: 0 }], [-1, { plies: 0, best: 0, mistakes: 0 }]]);
    for (let ply = 1; ply < steps.length; ply += 1) {
      const side = sides.get(mover(steps[ply - 1], ply - 1, table));
      const [step, before] = [steps[ply], asked[ply - 1]];
      side.plies += 1;
      if (step.best) side.best += 1;
      if (!isMistake(step, before.position)) continue;
      side.mistakes += 1;
      const kept = inOrder(before).find((move) => move.best);
      mistakes.push(make('li', {}, make('button', { type: 'button', onclick: () => this.goToLine(steps, ply) },
        `ply ${ply}: ${step.move} ${judged(step)}; ${kept.move} ${judged(kept)}`)));
    }
    const called = names(table, steps[0]);
    const lines = [...sides].filter(([, side]) => side.plies > 0).map(([side, done]) => make('p', {},
      `${capital(called[side === 1 ? 0 : 1])}: ${several(done.plies, 'move', 'moves')}, ${number(done.best)} of them best, `
      + `${done.mistakes === 0 ? 'no mistake' : several(done.mistakes, 'mistake', 'mistakes')}.`));
    by('report-sides').replaceChildren(...lines);
    by('report-mistakes').replaceChildren(...mistakes);
    by('report').hidden = false;
    by('report').scrollIntoView({ block: 'nearest' });
  }
}

// The next move of a game, or none at its end.
function next(game, answer, steps, table) {
  try {
    return game.next(inOrder(answer));
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    const isFirst = steps.length === 1 && game.start === null;
    const what = table.game === 'chess' ? 'PGN has no FEN' : 'text names no start';
    const begins = isFirst ? ` The ${what}, so the game begins where this table does: ${steps[0].state}.` : '';
    throw new api.Problem(`Ply ${steps.length}: ${error.message}${begins}`);
  }
}

// The names of the places of a picture. Where it is turned for the mover, they are not those of each move.
const placesOf = (picture) => (picture?.places.some(({ opposite }) => opposite !== undefined && opposite !== null) ? []
  : picture?.places.map(({ name }) => name) ?? []);
