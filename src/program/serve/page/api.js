// Asks the server, or the workers of a site. Every failure becomes a Problem, whose message is a sentence for
// people. The page decides by its other fields.

export const isSite = document.documentElement.dataset.site !== undefined;
const site = isSite ? import('./site.js') : null;
const send = isSite ? async (...asked) => (await site).send(...asked) : sendToServer;

export class Problem extends Error {
  constructor(message, { status = 0, code = null, gone = false } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.gone = gone;
  }
}

// The sentence for when the tables are others than those that were listed.
export const OTHER = isSite ? 'The site was published anew.' : 'The server has another table of this name now.';

// What tells each table from another one of its name, as the server said when the tables were listed.
const identities = new Map();

// Whether tables have distances, and so lines.
const hasDistances = new Map();

// The tables that were listed, by their names.
const listed = new Map();

// Called when the server has another table of a name: it was started again. Or the site was published
// anew.
let renew = () => {};

export function onOtherTable(does) {
  renew = does;
}

// Answers about positions that were shown before. They are right as long as the table is the same.
const KEPT = 80;
const kept = new Map();

// Makes sure that an answer is of the table that was listed. What is known of another one is dropped. A tag
// may have become a weak one on its way.
function checkTable(name, tag) {
  if (!tag || tag.replace(/^W\//, '') === identities.get(name)) return;
  identities.delete(name);
  kept.clear();
  counted.clear();
  renew();
  throw new Problem(OTHER, { gone: true });
}

async function ask(path, query = {}, signal, name = null, whole = false) {
  const words = Object.entries(query)
    .filter(([name, value]) => value !== undefined && value !== null && value !== false && (value !== '' || name === 'pieces'))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  let answer;
  try {
    answer = await send(`${path}${words.length ? '?' : ''}${words.join('&')}`, signal, whole);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(isSite ? `The site can’t be read. ${sentence(error.message)}`
      : 'The server does not answer. Look whether “retrograde serve” still runs.', { gone: true });
  }
  const { status, tag, body } = answer;
  if (name !== null) checkTable(name, tag);
  if (status === 200 && body) return body;
  const detail = body?.detail ?? body?.title ?? `The server answered ${status}, without saying why.`;
  throw new Problem(sentence(String(detail)), { status, code: body?.code ?? null });
}

async function sendToServer(path, signal) {
  const response = await fetch(`api/${path}`, { signal, headers: { accept: 'application/json' } });
  let body = null;
  try {
    body = await response.json();
  } catch (error) {
    if (error.name === 'AbortError') throw error;
  }
  return { status: response.status, tag: response.headers.get('etag'), body };
}

export function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

// Asks about a table.
async function askTable(name, question, query, signal, whole) {
  await complete(name);
  return ask(`tables/${encodeURIComponent(name)}/${question}`, query, signal, name, whole);
}

// The list of a site says of a table only what the front page shows. The rest comes before its first answer.
export async function complete(name) {
  const table = listed.get(name);
  if (!isSite || !table || table.rules !== undefined) return;
  Object.assign(table, await ask(`tables/${encodeURIComponent(name)}`, {}, undefined, name));
}

export async function tables() {
  const answer = await ask('tables');
  identities.clear();
  for (const table of answer.tables) {
    identities.set(table.name, `"${table.identity}"`);
    hasDistances.set(table.name, table.has_distances);
    listed.set(table.name, table);
  }
  return answer;
}

// What was shown before is there at once. Whether it is still right is asked meanwhile: the browser has the
// answer too, and the server says only that the table is the same.
export async function position(name, state, flip, signal) {
  const key = JSON.stringify([name, state, flip]);
  // An answer whose line never came is asked for again.
  const isWhole = kept.get(key)?.line || !hasDistances.get(name);
  if (isSite && kept.has(key) && isWhole) return kept.get(key);
  const asked = askPosition(name, state, flip, signal);
  if (!isSite && kept.has(key)) {
    asked.catch(() => {});
    return kept.get(key);
  }
  const answer = await asked;
  kept.set(key, answer);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return answer;
}

async function askPosition(name, state, flip, signal) {
  const answer = await askTable(name, 'position', { state, flip: flip && 'true', brief: isSite && 'true' }, signal);
  if (isSite && hasDistances.get(name)) readLine(name, answer, signal);
  return answer;
}

// A position for a small board: without its line, which can take longest.
export const glance = (name, state, flip, signal) =>
  askTable(name, 'position', { state, flip: flip && 'true', brief: 'true' }, signal);

// The moves of a game from a state, each as among the moves of its position.
export const game = (name, state, moves, signal) =>
  askTable(name, 'game', { state, moves: JSON.stringify(moves) }, signal);

// Much of a site would be read for a line: its beginning comes later, and the rest when it is asked for.
export function readLine(name, answer, signal, whole = false) {
  answer.later = askTable(name, 'line', { state: answer.position.state }, signal, whole).then(({ position, ...line }) => {
    answer.line = line;
  }, (problem) => {
    answer.failed = problem.message;
  }).finally(() => {
    answer.later = null;
  });
}

// `pieces` are put instead of those of a state. Of a kind there are at most 99 on one place.
export const setUp = (name, { state, pieces, flip }, signal) => {
  const written = pieces?.map(({ place, kind, count }) => `${place}.${kind}${count > 1 ? `.${Math.min(count, 99)}` : ''}`);
  return askTable(name, 'setup', { state, pieces: written?.join(','), flip: flip && 'true' }, signal);
};

export const moves = (name, state, signal) => askTable(name, 'moves', { state }, signal);

const counted = new Map();

// Asked once for each table.
export function stats(name) {
  if (!counted.has(name)) {
    const answer = askTable(name, 'stats');
    counted.set(name, answer);
    answer.catch(() => counted.delete(name));
  }
  return counted.get(name);
}

export const examples = (name, query, signal) => askTable(name, 'examples', query, signal);
