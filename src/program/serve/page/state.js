// What the page shows.

export const now = {
  // The programs' tables, as the server lists them.
  catalog: { program: 'retrograde', version: '', tables: [] },
  // `steps` are the positions of the game, `cursor` is the one on the board, and `answer` is what the server
  // says of it.
  shown: null,
  // What is to be shown next: that of the latest request, or `shown`.
  goal: null,
  flip: false,
};
