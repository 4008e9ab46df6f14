// Asks the server. Every failure becomes a Problem, whose message is a sentence for people.

export class Problem extends Error {
  constructor(message, { status = 0, gone = false } = {}) {
    super(message);
    this.status = status;
    this.gone = gone;
  }
}

// What tells each table from another one of its name, as the server said when the tables were listed.
const identities = new Map();

// What is done when the server has another table of a name: it was started again.
let renew = () => {};

export function onOtherTable(does) {
  renew = does;
}

// Answers about positions that were shown before. They are right as long as the table is the same.
const KEPT = 80;
const kept = new Map();

// Makes sure that an answer is of the table that was listed. What is known of another one is dropped.
function checkTable(name, response) {
  const tag = response.headers.get('etag');
  if (!tag || tag === identities.get(name)) return;
  identities.delete(name);
  kept.clear();
  counted.clear();
  renew();
  throw new Problem('The server has another table of this name now.', { gone: true });
}

async function ask(path, query = {}, signal, name = null) {
  const words = Object.entries(query)
    .filter(([name, value]) => value !== undefined && value !== null && value !== false && (value !== '' || name === 'pieces'))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const address = `api/${path}${words.length ? '?' : ''}${words.join('&')}`;
  let response;
  try {
    response = await fetch(address, { signal, headers: { accept: 'application/json' } });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem('The server does not answer. Look whether “retrograde serve” still runs.', { gone: true });
  }
  if (name !== null) checkTable(name, response);
  let body = null;
  try {
    body = await response.json();
  } catch (error) {
    if (error.name === 'AbortError') throw error;
  }
  if (response.ok && body) return body;
  const detail = body?.detail ?? body?.title
    ?? `The server answered ${response.status} ${response.statusText}, without saying why.`;
  throw new Problem(sentence(String(detail)), { status: response.status });
}

export function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

// Asks about a table.
const askTable = (name, question, query, signal) =>
  ask(`tables/${encodeURIComponent(name)}/${question}`, query, signal, name);

export async function tables() {
  const answer = await ask('tables');
  identities.clear();
  for (const { name, identity } of answer.tables) identities.set(name, `"${identity}"`);
  return answer;
}

// What was shown before is there at once. Whether it is still right is asked meanwhile: the browser has the
// answer too, and the server says only that the table is the same.
export async function position(name, state, flip, signal) {
  const key = JSON.stringify([name, state, flip]);
  const asked = askTable(name, 'position', { state, flip: flip && 'true' }, signal);
  if (kept.has(key)) {
    asked.catch(() => {});
    return kept.get(key);
  }
  const answer = await asked;
  kept.set(key, answer);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return answer;
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
