// Mistakes as people make them: those that cost little are more likely than those that cost much.

// How strong a program with mistakes is: how often it makes one where there is one to make, and how much the cost
// of a mistake frightens it off.
export const STRENGTHS = {
  careful: { often: 0.1, fear: 6 },
  human: { often: 0.25, fear: 3.5 },
  hasty: { often: 0.5, fear: 2 },
};

// An end in so many plies is as far from one at once as from one that never comes.
const FAR = 10;

// The worth of a move to the player who makes it, from -2 to 2: a quick win is worth more than a slow one, and a
// loss far ahead more than one at once.
function worthOf({ worth, plies, total }, most) {
  if (total !== undefined) return (2 * total) / most;
  if (worth === 'draw') return 0;
  const near = 1 + FAR / (FAR + (plies ?? FAR));
  return worth === 'win' ? near : -near;
}

// One of the moves that are not best, or nothing where all are.
export function mistake(moves, { fear }) {
  const most = Math.max(1, ...moves.map(({ total }) => Math.abs(total ?? 0)));
  const best = Math.max(...moves.map((move) => worthOf(move, most)));
  const likely = moves.filter((move) => !move.best)
    .map((move) => ({ move, weight: Math.exp(fear * (worthOf(move, most) - best)) }))
    .sort((one, other) => other.weight - one.weight);
  let left = Math.random() * likely.reduce((sum, { weight }) => sum + weight, 0);
  return likely.find(({ weight }) => {
    left -= weight;
    return left < 0;
  })?.move ?? likely[likely.length - 1]?.move;
}
