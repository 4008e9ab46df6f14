//! Chess endings against published figures (`tests/data/chess`) and against rules that look at one
//! square after the other.

mod draw;
mod laws;
#[allow(dead_code, reason = "only values are changed here")]
#[path = "../../../table_file/layout.rs"]
mod layout;
mod mailbox;
mod moves;
mod notation;
mod published;
mod successors;
mod whole;

use retrograde_games::chess::{Chess, Material};

fn chess(material: &str) -> Chess {
    Chess::new(&Material::parse(material).unwrap())
}
