// A game as text: moves, one a line, or PGN for chess. `Reader` reads it again.

// The text of a game.
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
