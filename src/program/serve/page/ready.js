// Answers about a small table without the module of its game: all positions lie beside it. The hash of a
// position says which file has it.

const KEPT = 100;
const kept = new Map();

// A line is gone on with for so many plies, if its reader does not ask for all. Each may be in another file.
const BEGINNING = 12;

// Of so few files all may be read at once.
const FEW = 100;
const LONGEST = 2000;

async function read(address) {
  if (!kept.has(address)) {
    const reading = (async () => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`The web host answered ${response.status} for “${address.split('?')[0]}”.`);
      return new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).json();
    })();
    kept.set(address, reading);
    reading.catch(() => kept.delete(address));
    if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  }
  return kept.get(address);
}

class Missing extends Error {}

// The points that a position is worth to whoever moves in it.
const gained = ({ value, points }) => (value === 'loss' ? -points : points);

const inOrder = ({ won, drawn, lost }) => [...won, ...drawn, ...lost];

// Whether every other move gives away a win or a draw.
const isOnly = ({ won, drawn, lost }) => (won.length === 1 && drawn.length + lost.length > 0)
  || (won.length === 0 && drawn.length === 1 && lost.length > 0);

export class Ready {
  constructor(table, { files, version }) {
    Object.assign(this, { table, files, version });
  }

  read(name) {
    return read(`positions/${encodeURIComponent(this.table.name)}/${name}.bin?${this.version}`);
  }

  async look(state) {
    const wanted = state ?? this.table.start;
    let hash = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(wanted)) hash = Math.imul(hash ^ byte, 0x01000193);
    const found = (await this.read((hash >>> 0) % this.files))[wanted];
    if (!found) throw new Missing(`“${wanted}” is not among the positions of this table as they are written here`);
    return found;
  }

  // A picture from the numbers of its lines.
  async picture(numbers) {
    if (!numbers) return numbers;
    const lines = await this.read('lines');
    const { svg, places } = numbers;
    return {
      ...numbers,
      svg: svg.map((number) => lines[number]).join('\n'),
      places: places.map((number) => JSON.parse(lines[number])),
    };
  }

  // The answer to a question, with its status.
  async answer(question, whole) {
    const [kind, query] = question.split('?');
    const asked = new URLSearchParams(query);
    const state = asked.get('state') ?? undefined;
    try {
      switch (kind) {
        case 'probe': return { status: 200, body: (await this.look(state)).position };
        case 'moves': {
          const { position, moves } = await this.look(state);
          return { status: 200, body: { position, ...moves } };
        }
        case 'position': {
          const { flipped, picture, ...answer } = await this.look(state);
          return { status: 200, body: { ...answer, picture: await this.picture(asked.has('flip') ? flipped : picture) } };
        }
        case 'line': return { status: 200, body: await this.line(state, Number(asked.get('plies') ?? (whole || this.files <= FEW ? LONGEST : BEGINNING))) };
        case 'game': return { status: 200, body: await this.game(state, JSON.parse(asked.get('moves') ?? '[]')) };
        case 'examples': return { status: 200, body: await this.examples(asked) };
        default: return { status: 404, body: { code: 'not-found', detail: 'this site has no answer to that question' } };
      }
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      return { status: 404, body: { code: 'not-in-table', detail: error.message } };
    }
  }

  async line(state, most) {
    let look = await this.look(state);
    const { position } = look;
    const line = [];
    const seen = new Map([[position.state, 0]]);
    const isFirst = (one) => (position.to_move === null ? line.length % 2 === 0 : one.to_move === position.to_move);
    const hasPoints = position.points !== undefined;
    let score = 0;
    const ended = (end, repeats = null) => ({ position, line, end, repeats_ply: repeats, endless: this.table.endless });
    while (line.length < Math.min(most, LONGEST)) {
      const best = inOrder(look.moves).filter((move) => move.best);
      if (best.length === 0) return ended('over');
      const step = { ...best[0], alternatives: best.slice(1).map(({ move, state: to }) => ({ move, state: to })), only: isOnly(look.moves) };
      if (hasPoints) {
        score += isFirst(look.position) ? step.gain : -step.gain;
        step.score = score;
      }
      line.push(step);
      look = await this.look(step.state);
      if (look.position.over) {
        if (hasPoints) step.score += isFirst(look.position) ? gained(look.position) : -gained(look.position);
        return ended('over');
      }
      if (seen.has(step.state)) return ended('repetition', seen.get(step.state));
      seen.set(step.state, line.length);
    }
    return ended('cut');
  }

  async game(state, names) {
    const { position } = await this.look(state);
    const moves = [];
    for (const name of names) {
      const at = moves.length === 0 ? position.state : moves.at(-1).state;
      const move = inOrder((await this.look(at)).moves).find((one) => one.move === name);
      if (!move) throw new Missing(`ply ${moves.length + 1}: “${name}” is no move in ${at}`);
      moves.push(move);
    }
    return { position, moves };
  }

  async examples(asked) {
    const { values, tiers, positions } = await this.read('list');
    const number = (name) => (asked.has(name) ? Number(asked.get(name)) : null);
    const [points, tier, count] = [number('points'), asked.get('tier'), number('count') ?? 20];
    const usual = points === null ? 'longest-win' : points > 0 ? 'win' : points < 0 ? 'loss' : 'draw';
    const kind = asked.get('kind') ?? usual;
    const wanted = { 'longest-win': 'win', 'only-move': 'win', 'longest-loss': 'loss' }[kind] ?? kind;
    const isOf = (value) => (wanted === 'endless' ? value.decided_by === 'endless'
      : value.value === wanted && (wanted === 'draw' || value.decided_by === 'play'));
    let found = positions.map(([state, value, inTier, only]) => ({ state, value: values[value], inTier, only }))
      .filter(({ value, inTier, only }) => isOf(value) && (!tier || tiers[inTier] === tier)
        && (points === null || gained(value) === points) && (kind !== 'only-move' || only));
    let plies = number('plies');
    if (kind.startsWith('longest')) plies = found.reduce((most, { value }) => Math.max(most, value.plies ?? 0), 0);
    if (plies !== null) found = found.filter(({ value }) => value.plies === plies);
    const seed = number('seed');
    const from = seed === null ? number('from') ?? 0 : 0;
    if (seed !== null) {
      // Some from all over, other ones for each seed.
      const step = Math.max(1, Math.floor(found.length / count));
      found = found.filter((_, at) => at % step === Math.floor(seed) % step);
    }
    const shown = found.slice(from, from + count);
    const next = from + count < found.length && seed === null ? from + count : null;
    return {
      kind, plies, tier: tier ?? null, complete: true, scanned_to: next,
      ...(points === null ? {} : { points }),
      examples: shown.map(({ state, value }) => ({ ...value, state })),
    };
  }
}
