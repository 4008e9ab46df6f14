// Answers questions about the tables of a site. The module of a game answers; this reads the parts of files
// that it lacks, and keeps them.

// Files are read in pieces of this many bytes. The beginnings of a folder's files are of one piece each.
const PIECE = 1024;

// This many bytes of all files are kept.
const KEPT = 64 << 20;

// A line is read on as long as no more than this many bytes came for it, if its reader does not ask for all.
const ENOUGH = 256 << 10;

// A search ends after this many milliseconds, with what it found.
const LONGEST_SEARCH = 2000;

let kept = 0;

// The number of bytes that came so far.
let received = 0;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const address = (name) => name.split('/').map(encodeURIComponent).join('/');

// A file of the site, and what was read of it.
class File {
  constructor(name, { length, version }) {
    this.name = name;
    this.length = length;
    this.address = `${address(name)}?${version}`;
    this.pieces = new Map();
    this.coming = new Map();
  }

  // The pieces of these bytes that are not here.
  lacking(offset, length) {
    const lacking = [];
    for (let piece = Math.floor(offset / PIECE); piece * PIECE < offset + length; piece += 1) {
      if (!this.pieces.has(piece)) lacking.push(piece);
    }
    return lacking;
  }

  copy(offset, to) {
    for (let at = 0; at < to.length;) {
      const number = Math.floor((offset + at) / PIECE);
      const piece = this.pieces.get(number);
      const from = offset + at - number * PIECE;
      to.set(piece.subarray(from, from + to.length - at), at);
      at += piece.length - from;
    }
  }

  // What stands behind each other is asked for at once.
  runs(pieces) {
    const runs = [];
    for (const piece of [...new Set(pieces)].sort((one, other) => one - other)) {
      const last = runs.at(-1);
      if (last && last.end === piece) last.end += 1;
      else runs.push({ start: piece, end: piece + 1 });
    }
    return runs;
  }

  range({ start, end }) {
    return `bytes=${start * PIECE}-${Math.min(end * PIECE, this.length) - 1}`;
  }

  // Takes what the host sent: the range, or the whole file where the host knows no ranges.
  take({ start, end }, status, bytes) {
    const whole = status === 200;
    const expected = whole ? this.length : Math.min(end * PIECE, this.length) - start * PIECE;
    if ((!whole && status !== 206) || bytes.length !== expected) {
      throw new Error(`The web host answered ${status} for “${this.name}”, with ${bytes.length} of ${expected} bytes.`);
    }
    received += bytes.length;
    this.put(whole ? 0 : start, bytes);
  }

  put(first, bytes) {
    for (let at = 0; at < bytes.length; at += PIECE) {
      const number = first + at / PIECE;
      if (!this.pieces.has(number)) kept += PIECE;
      this.pieces.set(number, bytes.subarray(at, at + PIECE));
    }
  }

  async fetch(pieces) {
    const wanted = pieces.filter((piece) => !this.pieces.has(piece) && !this.coming.has(piece));
    for (const run of this.runs(wanted)) {
      const coming = (async () => {
        const response = await fetch(this.address, { headers: { range: this.range(run) } });
        this.take(run, response.status, new Uint8Array(await response.arrayBuffer()));
      })();
      for (let piece = run.start; piece < run.end; piece += 1) {
        this.coming.set(piece, coming);
        coming.finally(() => this.coming.delete(piece)).catch(() => {});
      }
    }
    await Promise.all(pieces.map((piece) => this.coming.get(piece)));
  }

  // Waits for pieces. Only a worker may.
  fetchNow(pieces) {
    for (const run of this.runs(pieces)) {
      const request = new XMLHttpRequest();
      request.open('GET', this.address, false);
      request.setRequestHeader('range', this.range(run));
      request.responseType = 'arraybuffer';
      request.send();
      this.take(run, request.status, new Uint8Array(request.response));
    }
  }

  async whole() {
    await this.fetch(this.lacking(0, this.length));
    const bytes = new Uint8Array(this.length);
    this.copy(0, bytes);
    return bytes;
  }

  // Drops what was read longest ago.
  drop() {
    for (const piece of this.pieces.keys()) {
      if (kept <= KEPT) return;
      this.pieces.delete(piece);
      kept -= PIECE;
    }
  }
}

// The files of all tables that were asked about.
const files = new Map();

// The known facts of each table, by the address of the file that says it.
const tables = new Map();

function tableAt(listing) {
  if (!tables.has(listing)) {
    const reading = (async () => {
      const response = await fetch(listing);
      if (!response.ok) throw new Error(`The web host answered ${response.status} for “${listing.split('?')[0]}”.`);
      const table = await response.json();
      for (const [name, file] of Object.entries(table.files)) {
        if (!files.has(name)) files.set(name, new File(name, file));
      }
      return table;
    })();
    tables.set(listing, reading);
    reading.catch(() => tables.delete(listing));
  }
  return tables.get(listing);
}

// The module of a game.
class Module {
  constructor() {
    this.opened = new Map();
    // What the question lacks: pieces of each file. Without it, the module waits for each piece.
    this.lacking = null;
    this.failed = null;
    this.isLate = () => false;
  }

  async load(name) {
    const page = {
      file_length: (name, length) => files.get(this.text(name, length))?.length ?? -1,
      read_file: (name, length, offset, to, count) => Number(this.read(this.text(name, length), offset, to, count)),
      late: () => Number(this.isLate()),
    };
    const response = await fetch(files.get(name).address);
    if (!response.ok) throw new Error(`The web host answered ${response.status} for “${name}”.`);
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), { page });
    this.exports = instance.exports;
    return this;
  }

  bytes(start, length) {
    return new Uint8Array(this.exports.memory.buffer, start, length);
  }

  text(start, length) {
    return decoder.decode(this.bytes(start, length));
  }

  read(name, offset, to, length) {
    const file = files.get(name);
    const lacking = file.lacking(offset, length);
    if (lacking.length > 0) {
      if (this.lacking) {
        this.lacking.set(file, [...(this.lacking.get(file) ?? []), ...lacking]);
        return false;
      }
      try {
        file.fetchNow(lacking);
      } catch (error) {
        this.failed = error;
        return false;
      }
    }
    file.copy(offset, this.bytes(to, length));
    return true;
  }

  // Has the module answer once.
  call(does, question, { lacking = null, isLate = () => false }) {
    const written = encoder.encode(question);
    this.bytes(this.exports.room(written.length), written.length).set(written);
    Object.assign(this, { lacking, isLate, failed: null });
    const status = this.exports[does]();
    if (this.failed) throw this.failed;
    return { status, body: this.text(this.exports.answer_start(), this.exports.answer_length()) };
  }

  // Asks, fetches all that the answer lacks at once, and asks again until it lacks nothing.
  async ask(does, question, isDropped = () => false) {
    for (;;) {
      const lacking = new Map();
      const answer = this.call(does, question, { lacking });
      if (lacking.size === 0 || isDropped()) return answer;
      await Promise.all([...lacking].map(([file, pieces]) => file.fetch(pieces)));
    }
  }

  async begin(name, { path, beginnings, parts }) {
    if (beginnings) {
      const bytes = await files.get(beginnings).whole();
      let at = 0;
      for (const file of parts.map((one) => files.get(one))) {
        file.put(0, bytes.subarray(at, at + PIECE).slice(0, file.length));
        at += Math.min(PIECE, file.length);
      }
    }
    return this.ask('open_table', `${name}\n${path}\n${beginnings ? 'folder' : 'file'}`);
  }

  async open(name, table) {
    if (!this.opened.has(name)) {
      const opening = this.begin(name, table);
      this.opened.set(name, opening);
      opening.catch(() => this.opened.delete(name));
    }
    const answer = await this.opened.get(name);
    if (answer.status !== 200) this.opened.delete(name);
    return answer;
  }
}

const modules = new Map();

function moduleOf(name) {
  if (!modules.has(name)) {
    const loading = new Module().load(name);
    modules.set(name, loading);
    loading.catch(() => modules.delete(name));
  }
  return modules.get(name);
}

// The beginning of a line: one ply more, as long as little had to be read.
async function readLine(module, asked, isDropped) {
  const before = received;
  for (let plies = 1; ; ) {
    const here = received;
    const answer = await module.ask('ask', `${asked}&plies=${plies}`, isDropped);
    const isCut = answer.status === 200 && JSON.parse(answer.body).end === 'cut';
    if (!isCut || received - before > ENOUGH || isDropped()) return answer;
    plies += received === here ? plies : 1;
  }
}

async function answer({ name, identity, files: listing, question, whole }, isDropped) {
  const table = await tableAt(listing);
  if (table.identity !== identity) throw new Error('It has another table of this name now.');
  const module = await moduleOf(table.module);
  const opened = await module.open(name, table);
  if (opened.status !== 200) return opened;
  const asked = `${name}\n${question}`;
  try {
    const about = question.split('?', 1)[0];
    if (about === 'line' && !whole) return await readLine(module, asked, isDropped);
    if (about !== 'examples') return await module.ask('ask', asked, isDropped);
    // A search goes on where it is, and waits for each piece.
    const end = performance.now() + LONGEST_SEARCH;
    return module.call('ask', asked, { isLate: () => performance.now() > end });
  } catch (error) {
    // A module that has failed answers nothing any more.
    if (error instanceof WebAssembly.RuntimeError) modules.delete(table.module);
    throw error;
  } finally {
    files.forEach((file) => file.drop());
  }
}

const dropped = new Set();

onmessage = async ({ data }) => {
  const { number, drop } = data;
  if (drop !== undefined) {
    dropped.add(drop);
    return;
  }
  const isDropped = () => dropped.has(number);
  try {
    const { status, body } = isDropped() ? { status: 408, body: '{}' } : await answer(data, isDropped);
    postMessage({ number, status, body });
  } catch (error) {
    postMessage({ number, status: 0, body: error.message });
  }
  dropped.delete(number);
};
