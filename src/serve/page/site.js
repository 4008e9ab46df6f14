// Asks the workers of a site, where there is no server. What may take long has a worker of its own.

const workers = ['quick', 'slow'].map((name) => new Worker('worker.js', { name }));
const waiting = new Map();
let number = 0;

for (const worker of workers) {
  worker.onmessage = ({ data }) => {
    waiting.get(data.number)?.(data);
    waiting.delete(data.number);
  };
}

const address = (name, { version }) => `${name.split('/').map(encodeURIComponent).join('/')}?${version}`;

async function read(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`The web host answered ${response.status} for “${name}”.`);
  return response.json();
}

const site = read('site.json');
site.catch(() => {});

// A line of a table with no more bytes is read whole at once.
const SMALL = 4 << 20;

const isSlow = (question) => /^(line|examples)(\?|$)/.test(question);

// The answer about a table, or the list of tables, as the server would give it. Of a line there may be the
// beginning alone, unless the whole is asked for.
export async function send(path, signal, whole = false) {
  const { list, starts, files, unfinished } = await site;
  if (unfinished) throw new Error('It is not finished: “retrograde publish” was stopped.');
  signal?.throwIfAborted();
  if (path === 'tables') return { status: 200, body: list };
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
