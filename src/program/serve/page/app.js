// The page: one position at a time. One answer of the server feeds everything that is said of it.

import { showAbout, showRules, theme } from './about.js';
import * as address from './address.js';
import * as api from './api.js';
import { boardNote, clearWrong, said, say, showModes, showPerson, showTable, showValue, showWrong } from './banner.js';
import { Board } from './board.js';
import { Chart } from './chart.js';
import { by, enable, make, onPress } from './dom.js';
import { TableView } from './histogram.js';
import { onKey, showKeys } from './keys.js';
import { BestPlay } from './line.js';
import { ask, showGame, showMoves } from './lists.js';
import { Program } from './opponent.js';
import { hide, isMine, keep, person, recall, seen, seesValues } from './person.js';
import { Repetition } from './repetition.js';
import { Review } from './review.js';
import { Run } from './run.js';
import { SetUp } from './setup.js';
import { listenToShare } from './share.js';
import { now } from './state.js';
import { Training } from './train.js';
import { follow, showVariations } from './variations.js';
import { hideAll, open } from './visit.js';
import { inOrder, mover, turn } from './words.js';

// How long the program and a running line wait before each ply, in milliseconds.
const PAUSE = 650;

// Nothing is said of waiting before so many milliseconds.
const PATIENCE = 200;
const WAITING = api.isSite ? 'Reading the table…' : 'Asking the server…';

// Whether a key is held down: then the positions passed make no entries of the browser's history.
let held = false;
let request = new AbortController();

const point = (move) => (hand.isOpen ? hand.board : board).preview(move);
const board = new Board(by('board'), { play, ask: (moves) => ask(moves, { play, point }), tell, why: whyNoMove });
const hand = new SetUp({
  look: (state) => go({ table: hand.table, steps: [{ state }], cursor: 0, flip: hand.flip }, { how: 'leave', byHand: true }),
  none: () => {
    request.abort();
    now.goal = now.shown;
    for (const id of ['value', 'chart', 'moves', 'line', 'game']) by(id).hidden = true;
  },
  done: ({ state }) => go({ table: hand.table, steps: [{ state }], cursor: 0, flip: hand.flip }).then(() => { tableView.examples.close(); reply(); }),
  cancel: cancelSetUp,
  tell,
});
const bestPlay = new BestPlay({ chart: new Chart(by('chart'), { go: goTo }), go: playLine, point });
const repetition = new Repetition({ stop, render, reply, tell });
const tableView = new TableView();
const running = new Run(playSteps, PAUSE);
const program = new Program({
  isToMove: isProgramToMove,
  // No entry of its own: the browser's Back takes back both.
  play: (move) => playSteps([move], 'replace').then(() => reply()),
  failed: (problem) => notice(problem, () => reply(true)),
  pause: PAUSE,
});
const page = { go, show, render, notice, openEmpty, reply, showPerson, train: (table, set) => training.begin(table, set), closeExamples: () => tableView.examples.close() };
const training = new Training(page);
const review = new Review({ show: (next) => { stop(); tableView.examples.close(); return go(next); }, goToLine });

// Whether the picture is to be turned round. One that shows the board as the player to move sees it is turned
// after every ply, so that the board stays.
const isFlipped = ({ table, cursor, flip }) => flip !== Boolean(table.board_turns && cursor % 2 === 1);

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
  now.goal = next;
  const { table, steps, cursor } = next;
  const waiting = setTimeout(() => {
    document.body.classList.add('waiting');
    if (!now.shown) by('notice').replaceChildren(make('p', {}, WAITING));
  }, PATIENCE);
  try {
    const answer = await api.position(table.name, steps[cursor].state, isFlipped(next), signal);
    if (signal.aborted) return false;
    const known = [...steps];
    known[cursor] = { ...steps[cursor], ...answer.position };
    show({ ...next, steps: known, answer }, how, byHand);
    bestPlay.showLater(answer);
    return true;
  } catch (error) {
    if (error.name === 'AbortError' || signal.aborted) return false;
    if (!(error instanceof api.Problem)) throw error;
    stop();
    now.goal = now.shown;
    failed(error, () => go(next, { how, failed, byHand }), next);
    return false;
  } finally {
    clearTimeout(waiting);
    if (!signal.aborted) document.body.classList.remove('waiting');
  }
}

function show(next, how, byHand = false) {
  if (!byHand) hand.close();
  const before = now.shown;
  const opened = before?.table !== next.table;
  // The same for all positions of one game.
  next.game ??= {};
  now.shown = next;
  now.goal = next;
  now.flip = next.flip;
  const { table, steps, cursor, answer } = next;
  by('notice').replaceChildren();
  by('front').hidden = true;
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
    recall(table);
    training.opened(table);
    showModes(table, answer.position);
    board.current = 0;
    tableView.open(table);
  }
  const typed = by('state');
  if (document.activeElement !== typed || typed.value === before?.answer.position.state) typed.value = answer.position.state;
  const isNext = !opened && before.cursor + 1 === cursor && before.answer.position.state === steps[cursor - 1].state;
  render({ byHand, glides: isNext });
  const { position } = seen(answer, cursor, table, steps);
  const came = steps[cursor].move && isNext ? `${steps[cursor].move}. ` : '';
  tell(`${came}${said(position, table)}. ${turn(position)}`);
  if (opened) tableView.load(table, () => now.shown?.table === table);
  training.shown(position, cursor);
  if (!byHand) review.shown(next);
}

// Draws what is shown, as the person may see it.
function render({ byHand = hand.isOpen, glides = false } = {}) {
  if (!now.shown) return;
  const { table, steps, cursor, answer: whole, flip } = now.shown;
  const answer = seen(whole, cursor, table, steps);
  const { position } = answer;
  const { isPlain } = answer;
  for (const id of ['value', 'play', 'moves']) by(id).hidden = false;
  for (const id of ['line', 'chart']) by(id).hidden = !seesValues();
  by('play').classList.remove('empty');
  by('open-train').hidden = !table.has_distances;
  showTable(table);
  showValue(answer, table);
  if (!byHand) board.show(answer, steps[cursor], glides, table);
  by('board-note').textContent = byHand ? '' : boardNote(whole, isProgramToMove());
  showMoves(answer, { play, point });
  showGame(now.shown, { go: goTo, isPlain: !seesValues(), repetition: repetition.offer() });
  showVariations(now.shown, goToLine);
  bestPlay.show();
  enable(by('start'), cursor > 0);
  enable(by('back'), cursor > 0);
  enable(by('forward'), cursor + 1 < steps.length);
  by('flip').hidden = !whole.picture;
  by('flip').setAttribute('aria-pressed', String(flip));
  document.title = `${said(position, table)} – ${table.name} – retrograde`;
  tableView.light(seesValues() ? whole.position : null, whole.tier);
  tableView.examples.shown(position.state);
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
  if (now.shown?.table === table) return;
  hideAll();
  by('play').hidden = false;
  by('play').classList.add('empty');
  by('state').value = next.steps[next.cursor].state ?? '';
  showTable(table);
  tableView.open(table);
  tableView.load(table);
}

// --- playing

function play(move) {
  if (isProgramToMove() || repetition.isEnded()) {
    tell(whyNoMove());
    return;
  }
  stop();
  if (training.takes(move)) return;
  playSteps([move]).then(() => reply(true));
}

// Why nobody can move on the board now, if that is so.
function whyNoMove() {
  const { position } = now.shown.answer;
  if (position.over) return 'Play is over.';
  if (repetition.isEnded()) return 'Play was stopped here.';
  if (!isProgramToMove()) return null;
  return `It is the program’s turn.${seesValues() ? ' “One ply” makes its best move.' : ''}`;
}

// Plays moves from the position shown. What was played there before is kept, as a variation if it is another.
function playSteps(moves, how) {
  const { steps, cursor } = now.shown;
  const line = [...steps.slice(0, cursor + 1), ...moves.map((move) => ({ ...move }))];
  return go({ ...now.shown, ...follow(now.shown, line), cursor: cursor + moves.length }, { how });
}

// Goes to a ply of a line of the game shown, which may be a variation.
function goToLine(line, ply) {
  stop();
  if (now.goal === now.shown) go({ ...now.shown, ...follow(now.shown, line), cursor: ply }).then(() => reply());
}

function playLine(count) {
  stop();
  playSteps(now.shown.answer.line.line.slice(0, count));
}

function isProgramToMove() {
  const { cursor, table, answer } = now.shown;
  return !isMine(answer.position, cursor, table);
}

function reply(always) {
  if (repetition.waits()) return;
  program.reply(always);
}

function goTo(ply) {
  stop();
  const { steps, cursor } = now.goal ?? now.shown;
  if (ply < steps.length) {
    if (ply >= 0 && ply !== cursor) go({ ...(now.goal ?? now.shown), cursor: ply }, { how: held ? 'replace' : 'push' }).then(() => reply());
  } else if (now.goal === now.shown) {
    playLine(ply - cursor);
  }
}

// Against the program, a step back takes back its answer too.
function back() {
  if (!now.goal) return;
  const { steps, cursor, table } = now.goal;
  let ply = cursor - 1;
  if (person.side !== 0) {
    while (ply > 0 && mover(steps[ply], ply, table) !== person.side) ply -= 1;
  }
  goTo(Math.max(0, ply));
}

function forward() {
  const { goal } = now;
  if (goal && goal.cursor + 1 < goal.steps.length) goTo(goal.cursor + 1);
}

// Plays a best move, for the program too.
function oneBest() {
  stop();
  const { shown, goal } = now;
  if (!shown || goal !== shown) return;
  if (!seesValues()) {
    tell('Values are hidden.');
    return;
  }
  const step = shown.answer.line?.line[0] ?? inOrder(shown.answer.moves).find((move) => move.best);
  if (step && !training.takes(step)) playSteps([step]).then(() => reply(true));
}

function run() {
  if (running.current) {
    stop();
    return;
  }
  const line = now.shown?.answer.line?.line;
  if (!line?.length) return;
  program.wait();
  running.start(line);
}

function stop() {
  program.wait();
  running.stop();
}

function turnRound() {
  if (!now.shown?.answer.picture) return;
  if (hand.isOpen) {
    hand.turnRound(!hand.flip);
    return;
  }
  go({ ...now.goal, flip: !now.goal.flip }, { how: 'replace' });
}

// Whom the person plays. The second player sees the board from the other side.
function takeSide() {
  person.side = Number(by('mode').value);
  stop();
  const { shown } = now;
  keep(shown.table);
  showPerson();
  const wanted = person.side === -1;
  const isTurned = person.side !== 0 && shown.answer.picture && shown.flip !== wanted;
  if (!isTurned) {
    render();
    reply(true);
    return;
  }
  go({ ...shown, flip: wanted }, { how: 'replace' }).then(() => reply(true));
}

function toggleValues() {
  if (person.asks) {
    training.giveUp();
    return;
  }
  hide(!person.hides);
  showPerson();
  render();
}

// Opens what the address says.
async function visit() {
  stop();
  request.abort();
  now.goal = now.shown;
  document.body.classList.remove('waiting');
  await open(page);
}

// --- controls

function setUp(event) {
  event.preventDefault();
  stop();
  const field = by('state');
  const table = now.shown?.table ?? tableView.table;
  const text = field.value.trim();
  if (!text) {
    showWrong(`Write a position first${table.notation ? `: ${table.notation}` : ''}.`);
    return;
  }
  const next = { table, steps: [{ state: text }], cursor: 0, flip: now.flip };
  go(next, {
    failed: (problem, again) => showWrong(problem.message, problem.gone
      ? [' ', make('button', { type: 'button', onclick: again }, 'try again')] : []),
  }).then((done) => {
    if (!done) return;
    tableView.examples.close();
    field.value = now.shown.answer.position.state;
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
  const { shown, goal, flip } = now;
  const table = goal?.table ?? tableView.table;
  if (!table?.can_be_set_up) return;
  stop();
  // A position that is still awaited is the one to begin with.
  if (!shown || goal !== shown) {
    go(goal ?? { table, steps: [{ state: table.start }], cursor: 0, flip }).then((done) => done && setUpByHand());
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
  last: () => goTo(now.goal.steps.length - 1),
  best: oneBest,
  number: playNumber,
  turnRound,
  byHand: setUpByHand,
  values: toggleValues,
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
    if (now.goal || key === '?' || key === '/') act();
    held = false;
  },
};

function playNumber(count) {
  const { shown, goal } = now;
  const move = goal === shown && seen(shown.answer, shown.cursor, shown.table).list[count - 1];
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
  onPress(by('values'), toggleValues);
  by('mode').addEventListener('change', takeSide);
  by('level').addEventListener('change', () => {
    person.level = by('level').value;
    keep(now.shown.table);
  });
  by('tables').addEventListener('change', () => {
    const table = now.catalog.tables.find(({ name }) => name === by('tables').value);
    location.hash = address.link(table.name, table.start);
  });
  by('open-keys').addEventListener('click', () => showKeys());
  by('open-about').addEventListener('click', () => showAbout(now.catalog, now.shown?.table ?? tableView.table));
  by('open-rules').addEventListener('click', () => showRules(now.shown?.table ?? tableView.table));
  listenToShare();
  document.addEventListener('keydown', (event) => onKey(event, does));
  window.addEventListener('popstate', async ({ state }) => {
    await visit();
    // Going back from an example leads to where the list was.
    if (state?.scroll !== undefined) window.scrollTo(0, state.scroll);
  });
}

async function begin() {
  const { catalog } = now;
  const waiting = setTimeout(() => say(WAITING), PATIENCE);
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
  await visit();
}

let renewed = 0;

// The server was started again with another table of a name: nothing that was said before is right.
async function beginAnew() {
  // Two servers may take turns behind one address.
  if (Date.now() - renewed < 2000) return;
  renewed = Date.now();
  stop();
  hand.close();
  now.shown = null;
  now.goal = null;
  await begin();
  if (now.shown) say(`${api.OTHER} What is shown here is what it says.`);
}

history.scrollRestoration = 'manual';
document.getElementById('late')?.remove();
theme();
listen();
api.onOtherTable(beginAnew);
begin();
