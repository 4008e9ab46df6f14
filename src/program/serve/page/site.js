// Asks the workers of a site, where there is no server. What may take long has a worker of its own.

const waiting = new Map();
let number = 0;
let workers = [];

const address = (name, { version }) => `${name.split('/').map(encodeURIComponent).join('/')}?${version}`;

async function read(name, options) {
  const response = await fetch(name, options);
  if (!response.ok) throw new Error(`The web host answered ${response.status} for “${name}”.`);
  return response.json();
}

// Web hosts tell versions of a file apart by the second, so that one of the same second would be taken for
// that of the cache.
const FRESH = { cache: 'no-store' };

// The contents of the site.
let site;

// Looks at the site, as if the page was just opened. Workers know parts of files that may be others now.
function begin() {
  for (const worker of workers) worker.terminate();
  for (const resolve of waiting.values()) resolve({ status: 0, body: 'The site was published anew.' });
  waiting.clear();
  workers = ['quick', 'slow'].map((name) => {
    const worker = new Worker('worker.js', { name });
    worker.onmessage = ({ data }) => {
      waiting.get(data.number)?.(data);
      waiting.delete(data.number);
    };
    return worker;
  });
  site = read('site.json', FRESH);
  site.catch(() => {});
}

begin();

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

const isSlow = (question) => /^(line|examples)(\?|$)/.test(question);

// The answer about a table, or the list of tables, as the server would give it. Of a line there may be the
// beginning alone, unless the whole is asked for. Where that fails since the site was published anew, the
// answer has a tag that is none of its tables.
export async function send(path, signal, whole = false) {
  if (path === 'tables') {
    const last = await site.catch(() => null);
    if (!last || last.unfinished) begin();
  }
  const known = site;
  const { list, unfinished } = await known;
  if (unfinished) throw new Error('It is not finished: “retrograde publish” was stopped, or is at work.');
  signal?.throwIfAborted();
  if (path === 'tables') return { status: 200, body: list };
  try {
    const answer = await sendAbout(await known, path, signal, whole);
    if (answer.status < 500 || !(await isOther(known))) return answer;
  } catch (error) {
    if (error.name === 'AbortError' || !(await isOther(known))) throw error;
  }
  if (site === known) begin();
  return { status: 503, tag: 'anew', body: null };
}

async function sendAbout({ list, starts, files }, path, signal, whole) {
  const [, name, question] = path.match(/^tables\/([^/]+)\/(.*)$/);
  const table = decodeURIComponent(name);
  const { start, bytes } = list.tables.find((one) => one.name === table);
  const answered = ask(table, question, signal, whole || bytes <= SMALL);
  if (starts[table] && question === `position?state=${encodeURIComponent(start)}&brief=true`) {
    // Its answer is there ready made. The module has it, too, for what comes next.
    answered.catch(() => {});
    return { status: 200, body: await read(address(starts[table], files[starts[table]])) };
  }
  const { status, body } = await answered;
  if (status === 0) throw new Error(body);
  return { status, body: JSON.parse(body) };
}

function ask(name, question, signal, whole) {
  const worker = workers[Number(isSlow(question))];
  const asked = ++number;
  return new Promise((resolve, reject) => {
    waiting.set(asked, resolve);
    signal?.addEventListener('abort', () => {
      worker.postMessage({ drop: asked });
      waiting.delete(asked);
      reject(signal.reason);
    });
    worker.postMessage({ number: asked, name, question, whole });
  });
}
