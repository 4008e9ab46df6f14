// What is left to chance.

export const any = (list) => list[Math.floor(Math.random() * list.length)];

// A number for which the server draws positions.
export const seed = () => Math.floor(Math.random() * 0x7fffffff);
