// The page: one position at a time. One answer of the server feeds everything that is said of it.

import { showAbout, theme } from './about.js';
import * as address from './address.js';
import * as api from './api.js';
import { boardNote, clearWrong, noteGame, say, scrollUp, showModes, showTable, showValue, showWrong } from './banner.js';
import { Board } from './board.js';
import { Chart } from './chart.js';
import { by, enable, make, onPress } from './dom.js';
import { TableView } from './histogram.js';
import { onKey, showKeys } from './keys.js';
import { ask, inOrder, perfectMove, showGame, showLine, showMoves } from './lists.js';
import { isPrefix, lookUp } from './replay.js';
import { Run } from './run.js';
import { SetUp } from './setup.js';
import { headline, mover, number, turn } from './words.js';

// How long the perfect player and a running line wait before each ply, in milliseconds.
const PAUSE = 650;

// Nothing is said of waiting before so many milliseconds.
const PATIENCE = 200;

const catalog = { program: 'retrograde', version: '', tables: [] };

// What is shown: `steps` are the positions of the game, `cursor` is the one on the board, and `answer`
// is what the server says of it.
let shown = null;

// What is to be shown next; that of the latest request, or `shown`.
let goal = null;

let flip = false;
// Whether a key is held down: then the positions passed make no entries of the browser's history.
let held = false;
// 0: a person plays both sides; 1 or -1: the first or the second player, against the perfect one.
let side = 0;
let request = new AbortController();

const point = (move) => (hand.isOpen ? hand.board : board).preview(move);
const board = new Board(by('board'), { play, ask: (moves) => ask(moves, { play, point }), tell });
const hand = new SetUp({
  look: (state) => go({ table: hand.table, steps: [{ state }], cursor: 0, flip: hand.flip }, { how: 'leave', byHand: true }),
  none: () => {
    request.abort();
    goal = shown;
    for (const id of ['value', 'moves', 'line', 'game']) by(id).hidden = true;
  },
  done: ({ state }) => go({ table: hand.table, steps: [{ state }], cursor: 0, flip: hand.flip }).then(() => reply()),
  cancel: cancelSetUp,
  tell,
});
const chart = new Chart(by('chart'), { go: goTo });
const tableView = new TableView();
const running = new Run(playSteps, PAUSE);

function tell(text) {
  by('live').textContent = text;
}

// Asks for the position at `next.cursor` and shows it. An answer that comes after a later question is
// dropped. `how` says what becomes of the address: `push` makes an entry of the browser's history,
// `replace` makes none, `leave` leaves the address as it is.
async function go(next, { how = 'push', failed = notice, byHand = false } = {}) {
  request.abort();
  request = new AbortController();
  const { signal } = request;
  goal = next;
  const { table, steps, cursor } = next;
  const waiting = setTimeout(() => {
    document.body.classList.add('waiting');
    if (!shown) by('notice').replaceChildren(make('p', {}, 'Asking the server…'));
  }, PATIENCE);
  try {
    const answer = await api.position(table.name, steps[cursor].state, next.flip, signal);
    if (signal.aborted) return false;
    const known = [...steps];
    known[cursor] = { ...steps[cursor], ...answer.position };
    show({ ...next, steps: known, answer }, how, byHand);
    return true;
  } catch (error) {
    if (error.name === 'AbortError' || signal.aborted) return false;
    if (!(error instanceof api.Problem)) throw error;
    stop();
    goal = shown;
    failed(error, () => go(next, { how, failed, byHand }), next);
    return false;
  } finally {
    clearTimeout(waiting);
    if (!signal.aborted) document.body.classList.remove('waiting');
  }
}

function show(next, how, byHand = false) {
  if (!byHand) hand.close();
  const opened = shown?.table !== next.table;
  const before = shown;
  shown = next;
  goal = next;
  flip = next.flip;
  const { table, steps, cursor, answer } = next;
  const { position } = answer;
  by('notice').replaceChildren();
  // It asks about moves of the position that was shown before.
  by('ask').close();
  clearWrong();
  const written = address.write(next);
  if (how !== 'leave' && written !== location.hash) {
    try {
      history[how === 'push' ? 'pushState' : 'replaceState'](null, '', written);
    } catch { /* some browsers allow only so many a minute */ }
  }
  if (opened) {
    side = 0;
    showModes(table, position);
  }

  for (const id of ['value', 'play', 'moves', 'line']) by(id).hidden = false;
  by('play').classList.remove('empty');
  showTable(table);
  showValue(answer, table);
  if (opened) board.current = 0;
  if (!byHand) board.show(answer, steps[cursor]);
  by('board-note').textContent = byHand ? '' : boardNote(answer, isPerfectToMove());
  showMoves(answer, { play, point });
  showLine(answer, table, { go: playLine, point });
  showGame(steps, cursor, { go: goTo });
  chart.show(steps, cursor, answer, table);
  const typed = by('state');
  if (document.activeElement !== typed || typed.value === before?.answer.position.state) typed.value = position.state;
  enable(by('start'), cursor > 0);
  enable(by('back'), cursor > 0);
  enable(by('forward'), cursor + 1 < steps.length);
  enable(by('step'), Boolean(answer.line?.line.length));
  by('flip').hidden = !answer.picture;
  by('flip').setAttribute('aria-pressed', String(flip));
  document.title = `${headline(position)} – ${table.name} – retrograde`;
  const came = steps[cursor].move && before && before.cursor + 1 === cursor ? `${steps[cursor].move}. ` : '';
  tell(`${came}${headline(position)}. ${turn(position)}`);
  if (opened) {
    tableView.open(table);
    tableView.load(table, () => shown?.table === table);
  }
  tableView.light(position, answer.tier);
}

// Something went wrong with a position that was asked for: what, and what to do next.
function notice(problem, again, next) {
  const actions = [];
  if (problem.gone || problem.status >= 500 || problem.status === 408) {
    actions.push(make('button', { type: 'button', onclick: again }, 'try again'));
  } else if (next) {
    if (next.table.start && next.steps[next.cursor].state !== next.table.start) {
      actions.push(make('a', { href: address.link(next.table.name, next.table.start) }, 'go to the start position'));
    }
    openEmpty(next);
  }
  say(problem.message, actions);
}

// A table of which no position can be shown: it has its field and its examples.
function openEmpty(next) {
  const { table } = next;
  if (shown?.table === table) return;
  shown = null;
  goal = null;
  for (const id of ['value', 'moves', 'line', 'game']) by(id).hidden = true;
  by('play').hidden = false;
  by('play').classList.add('empty');
  by('state').value = next.steps[next.cursor].state ?? '';
  showTable(table);
  tableView.open(table);
  tableView.load(table);
}

// --- playing

function play(move) {
  stop();
  playSteps([move]).then(() => reply(true));
}

// Plays moves from the position shown. What was played there before is kept if it is the same.
function playSteps(moves, how) {
  const { steps, cursor } = shown;
  const isSame = moves.every((move, at) => steps[cursor + 1 + at]?.state === move.state
    && steps[cursor + 1 + at]?.move === move.move);
  const next = isSame ? steps : [...steps.slice(0, cursor + 1), ...moves.map((move) => ({ ...move }))];
  return go({ ...shown, steps: next, cursor: cursor + moves.length }, { how });
}

function playLine(count) {
  stop();
  playSteps(shown.answer.line.line.slice(0, count));
}

function isMine() {
  const { cursor, table } = shown;
  return mover(shown.answer.position, cursor, table) === side;
}

const isPerfectToMove = () => side !== 0 && !isMine();

let replying = null;

// Has the perfect player move, if it is its turn. Where play went on from here before, someone looks
// at that game, unless `always` is set.
function reply(always = false) {
  clearTimeout(replying);
  if (side === 0 || !shown || shown !== goal || shown.answer.position.over || isMine()) return;
  if (!always && shown.cursor + 1 < shown.steps.length) return;
  const from = shown;
  replying = setTimeout(() => {
    if (shown !== from || goal !== from || side === 0) return;
    const move = perfectMove(shown.answer.moves, shown.steps[shown.cursor + 1]);
    // No entry of its own: the browser's Back takes back both.
    if (move) playSteps([move], 'replace').then(() => reply());
  }, PAUSE);
}

function goTo(ply) {
  stop();
  const { steps, cursor } = goal ?? shown;
  if (ply < steps.length) {
    if (ply >= 0 && ply !== cursor) go({ ...(goal ?? shown), cursor: ply }, { how: held ? 'replace' : 'push' }).then(() => reply());
  } else if (goal === shown) {
    playLine(ply - cursor);
  }
}

// Against the perfect player, a step back takes back its answer too.
function back() {
  if (!goal) return;
  const { steps, cursor, table } = goal;
  let ply = cursor - 1;
  if (side !== 0) {
    while (ply > 0 && mover(steps[ply], ply, table) !== side) ply -= 1;
  }
  goTo(Math.max(0, ply));
}

function forward() {
  if (goal && goal.cursor + 1 < goal.steps.length) goTo(goal.cursor + 1);
}

function oneBest() {
  stop();
  const step = goal === shown && (shown?.answer.line?.line[0] ?? inOrder(shown.answer.moves).find((move) => move.best));
  if (step) play(step);
}

function run() {
  if (running.current) {
    stop();
    return;
  }
  const line = shown?.answer.line?.line;
  if (!line?.length) return;
  clearTimeout(replying);
  running.start(line);
}

function stop() {
  clearTimeout(replying);
  running.stop();
}

function turnRound() {
  if (!shown?.answer.picture) return;
  if (hand.isOpen) {
    hand.turnRound(!hand.flip);
    return;
  }
  go({ ...goal, flip: !goal.flip }, { how: 'replace' });
}

// --- addresses

// Opens what the address says.
async function open() {
  stop();
  request.abort();
  goal = shown;
  document.body.classList.remove('waiting');
  const wanted = address.read(location.hash);
  const { tables } = catalog;
  if (tables.length === 0) {
    say('The server has no table. Start it with the path of one: retrograde serve park.rtb');
    return;
  }
  const table = wanted.name ? tables.find(({ name }) => name === wanted.name) : tables[0];
  if (!table) {
    hideAll();
    say(`There is no table “${wanted.name}” here. Open one of these: `,
      tables.map(({ name, start }) => make('a', { href: address.link(name, start) }, name)));
    return;
  }
  if (!wanted.state && (table.start === null || table.start === undefined)) {
    openEmpty({ table, steps: [{ state: '' }], cursor: 0 });
    say('This table names no position to start from. Set one up, or take one of the examples.');
    return;
  }
  const state = wanted.state || table.start;
  const from = wanted.from ?? table.start;
  const how = 'replace';
  if (shown?.table === table && isPrefix(shown.steps, from, wanted.line, state)) {
    go({ ...shown, cursor: wanted.line.length, flip: wanted.flip }, { how });
    return;
  }
  const alone = { table, steps: [{ state }], cursor: 0, flip: wanted.flip };
  const failed = (problem, again) => {
    if (!problem.gone) shown = null;
    notice(problem, again, alone);
  };
  const isTooLong = wanted.line.length > address.MOST_MOVES;
  if (isTooLong) wanted.line = [];
  if (!(await go(alone, { how: wanted.line.length > 0 ? 'leave' : how, failed }))) return;
  scrollUp();
  if (isTooLong) noteGame(`The address has more than ${number(address.MOST_MOVES)} moves, so they are left out.`);
  if (wanted.line.length > 0) await replay(table, from, wanted.line);
  reply();
}

// Puts the moves that the address names before the game shown.
async function replay(table, from, line) {
  const { state } = shown.answer.position;
  const isWanted = () => shown?.table === table && shown.steps[0].state === state;
  const found = await lookUp(table, from, line, state, isWanted);
  if (!found) return;
  // A position that was asked for meanwhile comes first.
  while (goal !== shown) await new Promise((done) => { setTimeout(done, 50); });
  if (!isWanted()) return;
  if (found.isLost) {
    history.replaceState(null, '', address.write(shown));
    noteGame('The moves so far in the address do not lead to this position, so they are left out.');
    return;
  }
  const { cursor } = shown;
  const [first, ...later] = shown.steps;
  const { steps } = found;
  steps[line.length] = { ...steps[line.length], ...first };
  show({ ...shown, steps: [...steps, ...later], cursor: cursor + line.length }, 'replace');
}

function hideAll() {
  shown = null;
  goal = null;
  for (const id of ['value', 'play', 'moves', 'line', 'game', 'table']) by(id).hidden = true;
}

// --- controls

function setUp(event) {
  event.preventDefault();
  stop();
  const field = by('state');
  const table = shown?.table ?? tableView.table;
  const text = field.value.trim();
  if (!text) {
    showWrong(`Write a position first${table.notation ? `: ${table.notation}` : ''}.`);
    return;
  }
  const next = { table, steps: [{ state: text }], cursor: 0, flip };
  go(next, {
    failed: (problem, again) => showWrong(problem.message, problem.gone
      ? [' ', make('button', { type: 'button', onclick: again }, 'try again')] : []),
  }).then((done) => {
    if (!done) return;
    field.value = shown.answer.position.state;
    reply();
  });
}

// What was shown when setting up by hand began, to come back to.
let beforeHand = null;

function setUpByHand() {
  if (hand.isOpen) {
    cancelSetUp();
    return;
  }
  const table = shown?.table ?? tableView.table;
  if (!table?.can_be_set_up || goal !== shown) return;
  stop();
  if (!shown) {
    go({ table, steps: [{ state: table.start }], cursor: 0, flip }).then((done) => done && setUpByHand());
    return;
  }
  beforeHand = shown;
  hand.open(shown.table, shown.answer.position, flip);
}

function cancelSetUp() {
  request.abort();
  show(beforeHand, 'leave');
}

// What keys do.
const does = {
  back,
  forward,
  first: () => goTo(0),
  last: () => goTo(goal.steps.length - 1),
  best: oneBest,
  number: playNumber,
  turnRound,
  byHand: setUpByHand,
  isByHand: () => hand.isOpen,
  pick: (count) => hand.pick(count),
  type: () => by('state').select(),
  letGo: () => {
    stop();
    const letGo = hand.isOpen ? hand.letGo() : board.letGo();
    point(null);
    return letGo;
  },
  // Without a position, only the keys that need none do something.
  run: (act, { key, repeat }) => {
    held = repeat;
    if (goal || key === '?' || key === '/') act();
    held = false;
  },
};

function playNumber(count) {
  const move = goal === shown && inOrder(shown.answer.moves)[count - 1];
  if (move) play(move);
}

function listen() {
  onPress(by('start'), () => goTo(0));
  onPress(by('back'), back);
  onPress(by('forward'), forward);
  onPress(by('flip'), turnRound);
  onPress(by('by-hand'), setUpByHand);
  onPress(by('step'), oneBest);
  onPress(by('run'), run);
  by('setup').addEventListener('submit', setUp);
  by('state').addEventListener('input', clearWrong);
  by('mode').addEventListener('change', () => {
    side = Number(by('mode').value);
    stop();
    by('board-note').textContent = boardNote(shown.answer, isPerfectToMove());
    reply(true);
  });
  by('tables').addEventListener('change', () => {
    const table = catalog.tables.find(({ name }) => name === by('tables').value);
    location.hash = address.link(table.name, table.start);
  });
  by('open-keys').addEventListener('click', () => showKeys());
  by('open-about').addEventListener('click', () => showAbout(catalog, shown?.table ?? tableView.table));
  document.addEventListener('keydown', (event) => onKey(event, does));
  window.addEventListener('popstate', open);
}

async function begin() {
  const waiting = setTimeout(() => say('Asking the server…'), PATIENCE);
  try {
    Object.assign(catalog, await api.tables());
  } catch (error) {
    clearTimeout(waiting);
    if (!(error instanceof api.Problem)) throw error;
    say(error.message, [make('button', { type: 'button', onclick: begin }, 'try again')]);
    return;
  }
  clearTimeout(waiting);
  by('notice').replaceChildren();
  by('pick').hidden = catalog.tables.length === 0;
  by('tables').replaceChildren(...catalog.tables.map(({ name }) => make('option', { value: name }, name)));
  await open();
}

let renewed = 0;

// The server was started again with another table of a name: nothing that was said before is right.
async function beginAnew() {
  // Two servers may take turns behind one address.
  if (Date.now() - renewed < 2000) return;
  renewed = Date.now();
  stop();
  hand.close();
  shown = null;
  goal = null;
  await begin();
  if (shown) say('The server has another table of this name now. What is shown here is what it says.');
}

history.scrollRestoration = 'manual';
theme();
listen();
api.onOtherTable(beginAnew);
begin();
