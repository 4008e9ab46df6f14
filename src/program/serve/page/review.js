// A game looked through: every ply judged, the mistakes named with what would have kept the result.

import * as api from './api.js';
import { by, make, onPress } from './dom.js';
import { named, parse, write } from './notation.js';
import { isMistake } from './person.js';
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
  // `show` shows a game, `goTo` a ply of it.
  constructor({ show, goTo }) {
    Object.assign(this, { show, goTo, running: null });
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

  // Reads the text, and shows its game.
  async read() {
    const { table, flip } = now.shown;
    const game = parse(by('review-text').value);
    const error = by('review-error');
    if (game.moves.length === 0 && game.start === null) {
      error.textContent = 'Write a move on each line first, or load a file.';
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

  // Looks up each position of a game. Where a game says no start, its first line may be one.
  async follow(table, { start, moves }, signal) {
    if (moves.length > MOST_PLIES) throw new api.Problem(`The game has ${number(moves.length)} plies: at most ${number(MOST_PLIES)} are looked up.`);
    const steps = [{ state: start ?? table.start }];
    const asked = [];
    for (let ply = 0; ply <= moves.length; ply += 1) {
      const answer = await api.moves(table.name, steps[ply].state, signal);
      asked.push(answer);
      steps[ply] = { ...steps[ply], ...answer.position };
      if (ply === moves.length) break;
      const possible = inOrder(answer);
      const move = named(possible, moves[ply], table.game === 'chess');
      if (!move && ply === 0 && start === null) {
        const first = await api.moves(table.name, moves[0], signal).catch(() => null);
        if (first) return this.follow(table, { start: moves[0], moves: moves.slice(1) }, signal);
      }
      if (!move) {
        const known = possible.slice(0, 12).map((one) => one.move).join(', ');
        const more = possible.length > 12 ? ', …' : '';
        const there = possible.length === 0 ? 'Play is over there.' : `The moves there are ${known}${more}.`;
        throw new api.Problem(`Ply ${ply + 1}: “${moves[ply]}” is no move there. ${there}`);
      }
      steps.push({ ...move });
      by('review-error').textContent = ply % 20 === 19 ? `${plies(ply + 1)} looked up…` : '';
    }
    return { steps, asked };
  }

  // Says what each side did, and lists the mistakes.
  report(table, steps, asked) {
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
      mistakes.push(make('li', {}, make('button', { type: 'button', onclick: () => this.goTo(ply) },
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
