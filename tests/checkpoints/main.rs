//! A solve that is interrupted, however often and wherever, ends in the same file.

#[allow(dead_code, reason = "used whole by other tests")]
#[path = "../random_games/game.rs"]
mod game;
mod hostile;
mod interrupted;
mod memory;
mod refused;
mod stairs;
mod walk;
#[allow(dead_code, reason = "used whole by other tests")]
#[path = "../same_table/web.rs"]
mod web;
