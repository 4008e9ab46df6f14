//! The engine from outside, in memory and in folders: one binary, so that what all of them use is compiled
//! once. Those that measure memory have their own: `table_file`, `decoding`.

mod checkpoints;
mod explored_tiers;
mod exploring;
mod laws;
mod long_games;
mod many_roots;
mod numberings;
mod once;
mod page;
mod pages;
mod pictures;
mod players;
mod points;
mod prepared;
mod random_games;
mod same_table;
mod scratch;
mod tiers;
