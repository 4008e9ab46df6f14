// A game as text: moves, one a line, or PGN for chess.

const isTag = (line) => /^\[\w+ ".*"\]$/.test(line);

// The form of a text: where the game begins, if the text says so, and the moves by their names.
export function parse(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.some((line) => isTag(line) || /^1\./.test(line)) ? parsePgn(lines) : parseLines(lines);
}

function parseLines(lines) {
  const said = lines.filter((line) => line && !line.startsWith('#'));
  const start = said[0]?.match(/^start:\s*(.*)$/i)?.[1] ?? null;
  return { start, moves: start === null ? said : said.slice(1) };
}

// Comments, variations, numbers, signs of what a move is worth and the result are left out.
function parsePgn(lines) {
  const fen = lines.find((line) => /^\[FEN /i.test(line))?.match(/"(.*)"/)[1] ?? null;
  let text = lines.filter((line) => !isTag(line)).map((line) => line.replace(/;.*$/, '')).join(' ');
  text = text.replace(/\{[^}]*\}/g, ' ');
  for (let before = null; before !== text;) {
    before = text;
    text = text.replace(/\([^()]*\)/g, ' ');
  }
  const words = text.replace(/\d+\.(\.\.)?/g, ' ').split(/\s+/).filter(Boolean);
  return { start: fen, moves: words.filter((word) => !/^(\$\d+|1-0|0-1|1\/2-1\/2|\*)$/.test(word)) };
}

// Chess moves have signs that say nothing of which move it is, and may say more than needed of where a piece stood.
const plain = (move) => move.replace(/[+#!?]+$/, '').replace(/0/g, 'O').replace(/[x:-]/g, '').replace('=', '');

function isSame(move, text) {
  const [, piece, from, to] = plain(text).match(/^([KQRBN]?)([a-h]?[1-8]?)([a-h][1-8][QRBN]?)$/) ?? [];
  const other = plain(move).match(/^([KQRBN]?)([a-h]?[1-8]?)([a-h][1-8][QRBN]?)$/);
  if (!to || !other) return plain(move) === plain(text);
  const agrees = from.includes(other[2]) || other[2].includes(from);
  return piece === other[1] && to === other[3] && agrees;
}

// The move of this name.
export function named(moves, text, isChess) {
  const exact = moves.find((move) => move.move === text)
    ?? moves.find((move) => move.move.toLowerCase() === text.toLowerCase());
  if (exact || !isChess) return exact;
  const same = moves.filter((move) => isSame(move.move, text));
  return same.length === 1 ? same[0] : undefined;
}

// The text of a game, which `parse` reads again.
export function write(table, steps) {
  const [first, ...played] = steps;
  const moves = played.map((step) => step.move);
  if (table.game !== 'chess') {
    const start = first.state === table.start ? [] : [`start: ${first.state}`];
    return [`# ${table.name}: ${table.about ?? table.game}`, ...start, ...moves, ''].join('\n');
  }
  const [, turn, , , , count] = first.state.split(' ');
  const words = [];
  let number = Number(count) || 1;
  moves.forEach((move, at) => {
    const isWhite = (at % 2 === 0) === (turn === 'w');
    if (isWhite || at === 0) words.push(`${number}${isWhite ? '.' : '...'}`);
    words.push(move);
    if (!isWhite) number += 1;
  });
  return `[Event "${table.name}"]\n[SetUp "1"]\n[FEN "${first.state}"]\n[Result "*"]\n\n${[...words, '*'].join(' ')}\n`;
}
