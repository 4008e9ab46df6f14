//! The shipped games: published figures, other implementations of their rules, and the laws.

mod awari;
mod boards;
mod bobail;
mod brute_force;
mod chess;
mod connect_four;
mod cops;
mod dobutsu;
mod dots_and_boxes;
mod gobblet;
mod kalah;
mod morris;
#[path = "../oracle.rs"]
mod oracle;
mod othello;
mod published;
mod pursuits;
mod quixo;
mod same_table;
mod scenes;
mod states;
