//! Chess endings, compared with published figures (`tests/data/chess`) and with rules that go
//! square by square.

mod all;
mod counts;
mod draw;
mod fairy;
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
