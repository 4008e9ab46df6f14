// Tasks of a table: positions where one move keeps the value, and positions that can be won.

import * as api from './api.js';
import { any, seed, shuffled } from './chance.js';
import { capital, inOrder, plies } from './words.js';

// So many positions are drawn for a task, of which one that suits the level is taken.
const DRAWN = 8;

// How much farther than suits the level the end may be, in plies: as near as there are any comes first.
const FARTHER = [0, 2, 8, Infinity, Infinity];

// A task is of another tier than so many before it, where there are as many.
const TIERS = 3;

const KEPT = { win: 'won', draw: 'drawn', loss: 'lost' };
const VERBS = { win: 'wins', draw: 'draws', loss: 'loses' };

// The task that a position gives, if it gives one of this kind. `moves` is what the server says of its moves.
export function taskOf(kind, { position, ...groups }, table) {
  const moves = inOrder(groups);
  const kept = groups[KEPT[position.value]];
  if (position.over || moves.length < 2 || kept.length === moves.length) return null;
  const side = position.to_move === table.players[1] ? -1 : 1;
  const task = { kind, state: position.state, position, side, hard: moves.length / kept.length, tries: 0 };
  if (kind === 'win') {
    if (position.value !== 'win') return null;
    const name = capital(position.to_move ?? 'The player to move');
    const far = position.plies === null ? '' : ` in ${plies(position.plies)}`;
    return { ...task, text: `${name} can win${far}. Win it.` };
  }
  return kept.length === 1 ? { ...task, text: `Only one move ${VERBS[position.value]}. Find it.` } : null;
}

// Asks for the task that this position gives. Where no kind is named, it is that of its value.
export async function taskAt({ kind, state }, table, signal) {
  const answer = await api.moves(table.name, state, signal);
  return (kind === 'win' ? null : taskOf('only', answer, table)) ?? taskOf('win', answer, table);
}

// Draws tasks of a table at random. None is drawn twice, as long as there are others.
export class Tasks {
  // `seen` has the states of those that were asked before.
  constructor(table, seen) {
    // Questions that brought none, and the tiers of the last tasks.
    Object.assign(this, { table, seen, barren: new Set(), last: [] });
  }

  // Positions of a distance that suits the level, and of these one where few or many moves keep the value.
  async draw(level, signal) {
    const stats = await api.stats(this.table.name);
    for (const isNew of [true, false]) {
      const task = await this.search(stats, level, isNew, signal);
      if (task) return task;
      this.barren.clear();
    }
    return null;
  }

  async search(stats, level, isNew, signal) {
    // Most tasks have one right move.
    const kinds = [...new Set(shuffled(['only', 'only', 'win', ...(stats.draws > 0 ? ['only-draw'] : [])]))];
    for (const part of this.parts(stats)) {
      for (const [kind, farther] of kinds.flatMap((one) => FARTHER.map((far) => [one, far]))) {
        const wanted = wantedOf(part, kind, 1 + 2 * level, farther);
        if (wanted === null || this.barren.has(JSON.stringify(wanted))) continue;
        const task = await this.find(wanted, kind, level, isNew, signal);
        if (!task) continue;
        this.last = [...this.last, part.tier].slice(-TIERS);
        return task;
      }
    }
    return null;
  }

  // The tiers in the order in which they are tried, or the whole table: those of the last tasks come last.
  parts({ tiers = [], ...whole }) {
    if (tiers.length === 0) return [whole];
    const at = ({ tier }) => this.last.lastIndexOf(tier);
    return shuffled(tiers).sort((one, other) => at(one) - at(other));
  }

  async find(wanted, kind, level, isNew, signal) {
    const { examples } = await api.examples(this.table.name, { ...wanted, count: DRAWN, seed: seed() }, signal);
    const fresh = examples.filter(({ state }) => !isNew || !this.seen.includes(state));
    const tasks = [];
    for (const { state } of fresh) {
      const task = taskOf(kind === 'win' ? 'win' : 'only', await api.moves(this.table.name, state, signal), this.table);
      if (task) tasks.push(task);
    }
    if (tasks.length === 0 && fresh.length === examples.length) this.barren.add(JSON.stringify(wanted));
    tasks.sort((one, other) => one.hard - other.hard);
    // Easy levels take the easier half.
    const half = Math.ceil(tasks.length / 2);
    return any(level < 3 ? tasks.slice(0, half) : tasks.slice(-half));
  }
}

// A question for positions of this kind that end in about so many plies; none where there are none.
function wantedOf({ tier, distances, drawn, draws }, kind, far, farther) {
  if (kind === 'only-draw') return (drawn ?? draws) > 0 ? { kind: 'draw', tier } : null;
  const near = (distances ?? []).filter(({ won, plies: at }) => won > 0 && at > 1
    && at <= far + farther && (at >= far - 4 || farther === Infinity));
  return near.length === 0 ? null : { kind: kind === 'only' ? 'only-move' : 'win', plies: any(near).plies, tier };
}
