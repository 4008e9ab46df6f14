//! Asks the table that `adapted_solve` has written about a position: see docs/ADAPTING.md.
//!
//! ```text
//! cargo run --release --example adapted_ask -- small.rtb 'k.../..../K..R/.... w'
//! ```

mod ending;
mod rules;

use retrograde::Table;

use ending::Ending;
use rules::Position;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, text] = &arguments[..] else {
        return Err("expected a table and a position, such as 'k.../..../K..R/.... w'".into());
    };
    let table = Table::open(path)?;
    let ending: Ending = table.game()?;
    let position: Position = text.parse()?;
    let prober = table.prober(ending)?;
    println!("for the player to move: {:?}", prober.value(&position)?);
    for next in prober.moves(&position)? {
        println!("{}  {:?}", next.state, prober.value(&next.state)?);
    }
    Ok(())
}
