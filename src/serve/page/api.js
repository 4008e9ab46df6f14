// Asks the server. Every failure becomes a Problem, whose message is a sentence for people.

export class Problem extends Error {
  constructor(message, { status = 0, gone = false } = {}) {
    super(message);
    this.status = status;
    this.gone = gone;
  }
}

// Answers about positions do not change while the server runs, so going back asks nothing.
const KEPT = 80;
const kept = new Map();

async function ask(path, query = {}, signal) {
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

const table = (name) => `tables/${encodeURIComponent(name)}`;

export const tables = () => ask('tables');

export async function position(name, state, flip, signal) {
  const key = JSON.stringify([name, state, flip]);
  if (kept.has(key)) return kept.get(key);
  const answer = await ask(`${table(name)}/position`, { state, flip: flip && 'true' }, signal);
  kept.set(key, answer);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return answer;
}

// `pieces` are put instead of those of a state. Of a kind there are at most 99 on one place.
export const setUp = (name, { state, pieces, flip }, signal) => {
  const written = pieces?.map(({ place, kind, count }) => `${place}.${kind}${count > 1 ? `.${Math.min(count, 99)}` : ''}`);
  return ask(`${table(name)}/setup`, { state, pieces: written?.join(','), flip: flip && 'true' }, signal);
};

export const moves = (name, state, signal) => ask(`${table(name)}/moves`, { state }, signal);

const counted = new Map();

// Asked once for each table.
export function stats(name) {
  if (!counted.has(name)) {
    const answer = ask(`${table(name)}/stats`);
    counted.set(name, answer);
    answer.catch(() => counted.delete(name));
  }
  return counted.get(name);
}

export const examples = (name, query, signal) => ask(`${table(name)}/examples`, query, signal);
