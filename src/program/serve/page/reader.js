// A game that someone wrote, read word by word: which word means which of the moves that are possible there.

// One tag of a PGN, such as `[Event "x"]`.
const TAG = /\[\w+ "[^"\n]*"\]/g;

// The number of a move, and what stands behind it: `12.`, `12...`, `3)`, `12.e4`.
const NUMBER = /^\d+(?:\.+|…|\)|:)(.*)$/;

const RESULT = /^(1-0|0-1|1\/2-1\/2|½-½|\*)$/;

// Signs that say how good a move is, or something else that is no move.
const REMARK = /^(\$\d+|[!?+#=,;.…→]+|e\.p\.)$/;

// So many of the moves that are possible are named where a word means none.
const NAMED = 12;

// One sign for each kind of dash and cross.
const tidy = (text) => text.replace(/[‐‑‒–—−]/g, '-').replace(/×/g, 'x').toLowerCase();

// A move without signs that say nothing of which one it is. Numbers stay apart: 1-12 is not 11-2.
const bare = (text) => tidy(text).replace(/[!?+#.,;]+$/, '').replace(/(\d)[\s\-x:]+(?=\d)/g, '$1~').replace(/[\s\-x:*=]/g, '');

// A move of chess without what may be left out.
const plain = (move) => move.replace(/[+#!?.,;]+$/, '').replace(/0/g, 'O').replace(/[x:=()-]/g, '');

const PARTS = /^([KQRBN]?)([a-h]?[1-8]?)([a-h][1-8][QRBN]?)$/;

// Whether two texts name the same move of chess. One may say more of where the piece stood.
function isSame(move, text) {
  const [, piece, from, to] = plain(text).match(PARTS) ?? [];
  const other = plain(move).match(PARTS);
  if (!to || !other) return plain(move) === plain(text);
  return piece === other[1] && to === other[3] && (from.includes(other[2]) || other[2].includes(from));
}

const distinct = (moves) => moves.filter((move, at) => moves.findIndex((other) => other.state === move.state) === at);

// The first of these ways to understand a name that finds anything.
function first(moves, ways) {
  for (const way of ways) {
    const found = distinct(moves.filter(way));
    if (found.length > 0) return found;
  }
  return [];
}

export class Unclear extends Error {}

// Where no line says it, `start` is null: the game begins where the table does.
export class Reader {
  // `places` has the names of the places of the picture, by number, if it is the same for both players.
  constructor(text, table, places = []) {
    Object.assign(this, { players: table.players, isChess: table.game === 'chess', places, ply: 0, at: 0, wasPlayer: false });
    let lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line && !line.startsWith('#'));
    this.isPgn = lines.some((line) => line.match(TAG));
    this.start = null;
    if (this.isPgn) {
      // Of several games the first is read.
      const [header, ...moves] = games(lines);
      this.start = header.join(' ').match(/\[FEN "([^"]*)"\]/i)?.[1] ?? null;
      lines = moves;
    }
    const said = lines[0]?.match(/^start:\s*(.*)$/i)?.[1];
    if (said) {
      this.start = said;
      lines = lines.slice(1);
    }
    this.lines = lines;
    this.words = lines.flatMap((line, number) => line.split(/\s+/).map((word) => ({ word, number })));
  }

  get isEmpty() {
    return this.words.length === 0 && this.start === null;
  }

  // The first line, which may be a position.
  get line() {
    return this.lines[0] ?? '';
  }

  // Takes the first line as the position where the game begins.
  begin() {
    this.start = this.line;
    this.words = this.words.filter(({ number }) => number > 0);
    this.at = 0;
  }

  // Whether the next move is one of these, named in full.
  fits(moves) {
    const before = this.at;
    const found = this.search(this.namesOf(moves));
    this.at = before;
    return Boolean(found);
  }

  // The next move, one of these; none where the text is over.
  next(moves) {
    const names = this.namesOf(moves);
    while (this.at < this.words.length) {
      const found = this.search(names) ?? this.begun(names);
      if (!found) continue;
      this.at += found.count;
      this.ply += 1;
      this.wasPlayer = false;
      return found.move;
    }
    return null;
  }

  // The move that the next words name in full, and how many of them do. What says nothing is passed over.
  search(names) {
    while (this.at < this.words.length) {
      const found = this.whole(names);
      if (found || !this.skips()) return found;
    }
    return null;
  }

  // How each move may be called: as the game does, without the name of the player, and by its places.
  namesOf(moves) {
    return moves.map((move) => {
      const player = this.players.find((name) => move.move.startsWith(`${name} `));
      const promoted = this.isChess ? move.move.match(/=([QRBN])/)?.[1] ?? '' : '';
      const places = move.places.map((place) => this.places[place] ?? '?').join('-') + promoted;
      return {
        move,
        state: move.state,
        full: move.move,
        short: player ? move.move.slice(player.length + 1) : move.move,
        places: move.places.length > 1 ? places : null,
      };
    });
  }

  // The longest name first: it may have several words.
  whole(names) {
    const longest = Math.max(1, ...names.map(({ full }) => full.split(' ').length));
    for (let count = Math.min(longest, this.words.length - this.at); count > 0; count -= 1) {
      const text = this.words.slice(this.at, this.at + count).map(({ word }) => word).join(' ');
      const is = (same) => ({ full, short }) => same(full) || same(short);
      const found = first(names, [
        is((name) => name === text),
        is((name) => tidy(name) === tidy(text)),
        is((name) => bare(name) === bare(text) && bare(text) !== ''),
        ({ full }) => this.isChess && count === 1 && isSame(full, text),
        ({ places }) => places !== null && count === 1 && bare(places) === bare(text),
      ]);
      if (found.length === 1) return { move: found[0].move, count };
    }
    return null;
  }

  // Whether the next word says nothing of the game. Then it is passed over.
  skips() {
    const { word } = this.words[this.at];
    const numbered = word.match(NUMBER);
    const isLast = this.at === this.words.length - 1;
    const isPlayer = this.players.some((name) => tidy(name) === tidy(word).replace(/:$/, ''));
    if (numbered?.[1]) {
      this.words[this.at] = { ...this.words[this.at], word: numbered[1] };
    } else if (/^[{(]/.test(word) || (this.isChess && word.startsWith(';'))) {
      this.skipRemark();
    } else if (numbered || isPlayer || REMARK.test(word) || (isLast && RESULT.test(word)) || this.isCount()) {
      this.wasPlayer = isPlayer;
      this.at += 1;
    } else {
      return false;
    }
    return true;
  }

  // Whether the next word is the number of the next ply, or of the next pair of plies, before a move.
  isCount() {
    const { word, number } = this.words[this.at];
    const isAlone = this.words[this.at + 1]?.number !== number || this.wasPlayer;
    return !isAlone && /^\d+$/.test(word) && [this.ply + 1, Math.floor(this.ply / 2) + 1].includes(Number(word));
  }

  // Passes over a remark, which may have others inside: `{…}`, `(…)`, or `;` and the rest of its line.
  skipRemark() {
    const { number, word } = this.words[this.at];
    if (word.startsWith(';')) {
      while (this.words[this.at]?.number === number) this.at += 1;
      return;
    }
    const [open, close] = word.startsWith('{') ? ['{', '}'] : ['(', ')'];
    let depth = 0;
    for (; this.at < this.words.length; this.at += 1) {
      const signs = [...this.words[this.at].word];
      for (const [place, sign] of signs.entries()) {
        if (sign === open && (open === '(' || depth === 0)) depth += 1;
        if (sign === close) depth -= 1;
        if (depth > 0) continue;
        const rest = signs.slice(place + 1).join('');
        if (rest) this.words[this.at] = { number: this.words[this.at].number, word: rest };
        else this.at += 1;
        return;
      }
    }
  }

  // The only move that begins like the next word. A word of several moves is taken apart first: then there is none yet.
  begun(names) {
    if (this.at === this.words.length) return null;
    const { word, number } = this.words[this.at];
    const parts = word.split(/[,;]/).filter(Boolean);
    if (/[,;]/.test(word) && parts.length > 0) {
      this.words.splice(this.at, 1, ...parts.map((part) => ({ word: part, number })));
      return null;
    }
    names.sort((one, other) => one.short.localeCompare(other.short, 'en', { numeric: true }));
    const text = tidy(word).replace(/[!?+#.]+$/, '');
    const found = text === '' ? [] : distinct(names.filter(({ full, short }) => tidy(full).startsWith(text) || tidy(short).startsWith(text)));
    if (found.length === 1) return { move: found[0].move, count: 1 };
    const list = (some) => some.slice(0, NAMED).map(({ short }) => short).join(', ') + (some.length > NAMED ? ', …' : '');
    const what = found.length > 1 ? `can be ${list(found)}.` : 'is no move there.';
    const there = names.length === 0 ? ' Play is over there.' : found.length > 1 ? '' : ` The moves there are ${list(names)}.`;
    throw new Unclear(`“${word}” ${what}${there}`);
  }
}

// The tags of a PGN's first game, as one line of the result, and its other lines.
function games(lines) {
  const header = [];
  const moves = [];
  for (const line of lines) {
    const isHeader = /^\[\w+ "/.test(line);
    if (isHeader && moves.length > 0) break;
    if (isHeader) header.push(line);
    const rest = line.replace(TAG, ' ').trim();
    if (rest) moves.push(rest);
  }
  return [header, ...moves];
}
