// A game as text: moves, one a line, or PGN for chess. `Reader` reads it again.

// The number before a move, if it has one. In chess it is that of a pair of plies, elsewhere that of the ply.
// `isFirst` says that nothing stands before it.
export function numberOf(table, steps, ply, isFirst = ply === 1) {
  if (table.game !== 'chess') return `${ply}.`;
  const [, turn, , , , count] = steps[0].state.split(' ');
  const before = ply - (turn === 'w' ? 1 : 0);
  const number = (Number(count) || 1) + Math.floor(before / 2);
  return before % 2 === 0 ? `${number}.` : isFirst ? `${number}…` : '';
}

// The text of a game.
export function write(table, steps) {
  const [first, ...played] = steps;
  const moves = played.map((step) => step.move);
  if (table.game !== 'chess') {
    const start = first.state === table.start ? [] : [`start: ${first.state}`];
    return [`# ${table.name}: ${table.about ?? table.game}`, ...start, ...moves, ''].join('\n');
  }
  const words = moves.flatMap((move, at) => [numberOf(table, steps, at + 1).replace('…', '...'), move].filter(Boolean));
  return `[Event "${table.name}"]\n[SetUp "1"]\n[FEN "${first.state}"]\n[Result "*"]\n\n${[...words, '*'].join(' ')}\n`;
}
