// Asks the workers of a site, where there is no server. What may take long has a worker of its own. What the
// page shows first is there ready made, and takes no worker.

const waiting = new Map();
let number = 0;
let workers = new Map();

// The ready answers about tables, by the names of these.
let firsts = new Map();

async function read(address, options) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(`The web host answered ${response.status} for “${address.split('?')[0]}”.`);
  return response.json();
}

// The address of a file that is written with its version behind it.
function versioned(file) {
  const at = file.lastIndexOf('?');
  return `${file.slice(0, at).split('/').map(encodeURIComponent).join('/')}${file.slice(at)}`;
}

// Web hosts tell versions of a file apart by the second, so that one of the same second would be taken for
// that of the cache.
const FRESH = { cache: 'no-store' };

// The contents of the site.
let site;

// Looks at the site, as if the page was just opened. Workers know parts of files that may be others now.
function begin() {
  for (const worker of workers.values()) worker.terminate();
  for (const resolve of waiting.values()) resolve({ status: 0, body: 'The site was published anew.' });
  waiting.clear();
  workers = new Map();
  firsts = new Map();
  site = read('site.json', FRESH);
  site.catch(() => {});
}

begin();

function workerOf(name) {
  if (!workers.has(name)) {
    const worker = new Worker('worker.js', { name });
    worker.onmessage = ({ data }) => {
      waiting.get(data.number)?.(data);
      waiting.delete(data.number);
    };
    workers.set(name, worker);
  }
  return workers.get(name);
}

// Whether the host has another site by now.
async function isOther(known) {
  try {
    const there = await read('site.json', FRESH);
    return JSON.stringify(there) !== JSON.stringify(await known);
  } catch {
    return false;
  }
}

// A line of a table with no more bytes is read whole at once.
const SMALL = 4 << 20;

const isSlow = (question) => /^(line|game|examples)(\?|$)/.test(question);

// The answer about a table, or the list of tables, as the server would give it. The list says of each table
// only what the front page shows. Of a line there may be the beginning alone, unless the whole is asked for.
// Where that fails since the site was published anew, the answer has a tag that is none of its tables.
export async function send(path, signal, whole = false) {
  if (path === 'tables') {
    const last = await site.catch(() => null);
    if (!last || last.unfinished) begin();
  }
  const known = site;
  const { list, unfinished } = await known;
  if (unfinished) throw new Error('It is not finished: “retrograde publish” was stopped, or is at work.');
  signal?.throwIfAborted();
  if (path === 'tables') return { status: 200, body: structuredClone(list) };
  try {
    const answer = await sendAbout(await known, path, signal, whole);
    if (answer.status < 500 || !(await isOther(known))) return answer;
  } catch (error) {
    if (error.name === 'AbortError' || !(await isOther(known))) throw error;
  }
  if (site === known) begin();
  return { status: 503, tag: 'anew', body: null };
}

async function sendAbout({ list, tables }, path, signal, whole) {
  const [, encoded, question = ''] = path.match(/^tables\/([^/]+)\/?(.*)$/);
  const name = decodeURIComponent(encoded);
  const listed = list.tables.find((one) => one.name === name);
  if (!listed) return { status: 404, body: { code: 'unknown-table', detail: `no table is called "${name}"` } };
  const isWhole = whole || listed.bytes <= SMALL;
  const ready = await readyAnswer(tables[name].first, listed, question, isWhole);
  signal?.throwIfAborted();
  if (ready) return { status: 200, body: ready };
  if (tables[name].positions) {
    const { Ready } = await import('./ready.js');
    const { table } = await firstOf(tables[name].first, listed);
    return structuredClone(await new Ready(table, tables[name].positions).answer(question, whole));
  }
  const { status, body } = await ask(listed, tables[name].files, question, signal, isWhole);
  if (status === 0) throw new Error(body);
  return { status, body: JSON.parse(body) };
}

// The answers about a table that are there ready made.
async function firstOf(file, { name, identity }) {
  if (!firsts.has(name)) {
    const reading = read(versioned(file));
    firsts.set(name, reading);
    reading.catch(() => firsts.delete(name));
  }
  const first = await firsts.get(name);
  if (first.table.identity !== identity) throw new Error('It has another table of this name now.');
  return first;
}

// The answer that is there ready made; null for any other question.
async function readyAnswer(file, listed, question, isWhole) {
  const state = `state=${encodeURIComponent(listed.start)}`;
  const kind = { '': 'table', stats: 'stats', [`position?${state}&brief=true`]: 'start', [`line?${state}`]: 'line' }[question];
  if (!kind) return null;
  const answer = structuredClone((await firstOf(file, listed))[kind]);
  return kind === 'line' && isWhole && answer?.end === 'cut' ? null : answer;
}

function ask({ name, identity }, files, question, signal, whole) {
  const worker = workerOf(isSlow(question) ? 'slow' : 'quick');
  const asked = ++number;
  return new Promise((resolve, reject) => {
    waiting.set(asked, resolve);
    signal?.addEventListener('abort', () => {
      worker.postMessage({ drop: asked });
      waiting.delete(asked);
      reject(signal.reason);
    });
    worker.postMessage({ number: asked, name, identity, files: versioned(files), question, whole });
  });
}
