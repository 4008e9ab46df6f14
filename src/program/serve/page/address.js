// The address of a position: `#TABLE/STATE?from=STATE&line=MOVE,MOVE&flip`. Each part is percent-encoded,
// with `+` for a blank. `from` is left out where the game begins at the table's start position. A link
// shows STATE whatever `line` says: the moves so far are looked up afterwards, and dropped if they do
// not lead there. `#TABLE/?train=STATE,win:STATE` is a set of tasks: to find the only move that keeps the value,
// or to win.

// Longer addresses are cut by browsers and by programs that pass links on.
const LONGEST = 6000;

// More moves than this are not looked up: the question would become too long.
export const MOST_MOVES = 500;

const encode = (text) => encodeURIComponent(text).replaceAll('%20', '+');

function decode(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

// `steps` are the positions of the game, the first of them without a move.
export function write({ table, steps, cursor, flip }) {
  const { name, start } = table;
  const options = [];
  if (flip) options.push('flip');
  let first = 0;
  for (let length = 0, ply = cursor; ply > 0; ply -= 1) {
    length += encode(steps[ply].move).length + 1;
    if (length > LONGEST || cursor - ply >= MOST_MOVES) {
      first = ply;
      break;
    }
  }
  if (cursor > first) {
    if (steps[first].state !== start) options.push(`from=${encode(steps[first].state)}`);
    options.push(`line=${steps.slice(first + 1, cursor + 1).map((step) => encode(step.move)).join(',')}`);
  }
  const query = options.length ? `?${options.join('&')}` : '';
  return `#${encode(name)}/${encode(steps[cursor].state)}${query}`;
}

// `state` is null where the table names no position.
export function link(name, state) {
  return state === null ? `#${encodeURIComponent(name)}` : `#${encode(name)}/${encode(state)}`;
}

export function read(hash) {
  const text = hash.replace(/^#/, '');
  const [path, query = ''] = split(text, '?');
  const [name, state = ''] = split(path, '/');
  const options = new Map(query.split('&').map((option) => split(option, '=')));
  const line = options.get('line');
  return {
    name: decode(name),
    state: decode(state),
    from: options.has('from') ? decode(options.get('from') ?? '') : null,
    line: line ? line.split(',').map(decode) : [],
    flip: options.has('flip'),
    tasks: (options.get('train') || null)?.split(',').map(readTask) ?? null,
  };
}

// The address of a set of tasks.
export const set = (name, tasks) => `#${encode(name)}/?train=${tasks
  .map(({ kind, state }) => `${kind === 'win' ? 'win:' : ''}${encode(state)}`).join(',')}`;

const readTask = (text) => (text.startsWith('win:') ? { kind: 'win', state: decode(text.slice(4)) }
  : { kind: 'only', state: decode(text) });

function split(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
