// What is left to chance.

export const any = (list) => list[Math.floor(Math.random() * list.length)];

export const shuffled = (list) => list.map((one) => ({ one, at: Math.random() }))
  .sort((one, other) => one.at - other.at).map(({ one }) => one);

// A number for which the server draws positions.
export const seed = () => Math.floor(Math.random() * 0x7fffffff);
