//! Solves an ending by the rules of another crate, and stores it: see docs/ADAPTING.md.
//!
//! ```text
//! cargo run --release --example adapted_solve -- small.rtb
//! ```

mod ending;
mod rules;

use retrograde::Solver;
use retrograde::laws::{self, Scope};

use ending::Ending;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected the name of a file to write")?;
    let ending = Ending { queen: false };
    laws::check(&ending, Scope::All)?;
    let solution = Solver::new(&ending).solve()?;
    solution.save(&path)?;
    let summary = solution.summary();
    println!("{path}: {} positions, {} won", summary.states(), summary.won());
    Ok(())
}

#[cfg(test)]
mod tests {
    use retrograde::{Table, Value};

    use super::*;
    use crate::rules::Position;

    #[test]
    fn the_ending_keeps_the_laws_and_has_the_values_that_one_sees_on_the_board() {
        for queen in [false, true] {
            let ending = Ending { queen };
            laws::check(&ending, Scope::All).unwrap();
            let solution = Solver::new(&ending).solve().unwrap();
            let folder = std::env::temp_dir().join(format!("adapted-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            let path = folder.join("small.rtb");
            solution.save(&path).unwrap();
            let table = Table::open(&path).unwrap();
            assert_eq!(table.game::<Ending>().unwrap().queen, queen);
            let other = Ending { queen: !queen };
            assert!(table.prober(other).is_err(), "a table of another ending");
            let states = table.verify(&ending);
            assert_eq!(states.unwrap(), solution.summary().states());
            let prober = table.prober(Ending { queen }).unwrap();
            std::fs::remove_dir_all(&folder).unwrap();
            let positions = [
                // The rook or queen mates on the upper row.
                ("k.../..../K..*/.... w", Value::Win(1)),
                ("k..*/..../K.../.... b", Value::Loss(0)),
                // A piece that stands beside the king and is not protected is captured.
                ("k.../.*../..../...K b", Value::Draw(1)),
                ("k.../..../..../...K w", Value::Draw(0)),
            ];
            for (text, value) in positions {
                let text = text.replace('*', if queen { "Q" } else { "R" });
                let mut position: Position = text.parse().unwrap();
                assert_eq!(position.to_string(), text);
                // As a program has it that plays a game.
                (position.halfmoves, position.fullmoves) = (17, 40);
                assert_eq!(prober.value(&position).unwrap(), value, "{text}");
            }
            // A queen also takes the square beside the corner.
            let stalemate = if queen { "k.../..Q./..../...K b" } else { "k.../..../KR../.... b" };
            let value = prober.value(&stalemate.parse().unwrap()).unwrap();
            assert_eq!(value, Value::Draw(0), "{stalemate}");
        }
    }
}
