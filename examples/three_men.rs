//! Three men's morris, a game in tiers. On a board of 3 x 3 points, both players drop three men one
//! after the other, then move one man at a time along a line to a neighbouring free point. Three men
//! in a row win, and so does leaving the other player without a move.
//!
//! A man that was dropped never comes back to the hand. So the count of men on the board names a tier,
//! and each tier is solved with only itself and the next one in memory.

use retrograde::{
    Game, Outcome, Packed, Players, Query, Solvable, Solver, Stored, Table, Tier, Tiered, scheme,
};
use serde::{Deserialize, Serialize};

/// How many men there are when all are dropped.
const ALL_MEN: u32 = 6;

/// The points of each row, column and diagonal, a bit a point, in reading order.
const ROWS: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The neighbours of each point along the lines of the board.
const NEIGHBOURS: [u64; 9] = [0o32, 0o25, 0o62, 0o121, 0o757, 0o424, 0o230, 0o520, 0o260];

#[derive(Serialize, Deserialize)]
struct ThreeMen {}

/// The men of the player to move, then those of the other.
type Board = (u64, u64);

fn men(&(own, other): &Board) -> u32 {
    (own | other).count_ones()
}

/// The points of a set, each as a set of its own.
fn points(set: u64) -> impl Iterator<Item = u64> {
    (0..9).map(|point| 1 << point).filter(move |point| set & point != 0)
}

impl Game for ThreeMen {
    type State = Board;
    const PLAYERS: Players = Players::Unnamed;

    fn terminal(&self, &(_, other): &Board) -> Option<Outcome> {
        let has_row = ROWS.iter().any(|row| other & row == *row);
        has_row.then_some(Outcome::MoverLoses)
    }

    fn moves(&self, board: &Board, mut visit: impl FnMut(Board)) {
        let &(own, other) = board;
        let free = 0o777 & !(own | other);
        if men(board) < ALL_MEN {
            points(free).for_each(|to| visit((other, own | to)));
            return;
        }
        for from in points(own) {
            let reach = NEIGHBOURS[from.trailing_zeros() as usize];
            points(reach & free).for_each(|to| visit((other, own ^ from | to)));
        }
    }

    fn roots(&self) -> Vec<Board> {
        vec![(0, 0)]
    }

    fn no_moves(&self, _: &Board) -> Option<Outcome> {
        Some(Outcome::MoverLoses)
    }
}

impl Tiered for ThreeMen {
    /// The full board first, since all drops lead towards it.
    fn tiers(&self) -> Vec<Tier> {
        let tier = |men: u32| Tier {
            name: format!("{men}-men"),
            leads_to: (ALL_MEN - men)
                .checked_sub(1)
                .map(|tier| tier as usize)
                .into_iter()
                .collect(),
        };
        (0..=ALL_MEN).rev().map(tier).collect()
    }

    fn tier(&self, board: &Board) -> usize {
        (ALL_MEN - men(board)) as usize
    }
}

impl Packed for ThreeMen {
    type Word = u64;

    fn pack(&self, &(own, other): &Board) -> u64 {
        own << 9 | other
    }

    fn unpack(&self, packed: u64) -> Board {
        (packed >> 9, packed & 0o777)
    }
}

impl Solvable for ThreeMen {
    type Numberings = (scheme::Tiers<scheme::Packed>, scheme::Packed);
}

impl Stored for ThreeMen {
    const NAME: &'static str = "three-men";
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (game, folder) = (ThreeMen {}, std::env::temp_dir().join("three-men"));
    for tier in Solver::new(&game).solve_into(&folder)? {
        println!("{}: {} positions", tier.name, tier.summary.states());
    }
    let table = Table::open(&folder)?;
    let verdict = table.prober(&game)?.verdict(&(0, 0))?;
    println!(
        "on the empty board, the outcome is {:?} in {:?} plies",
        verdict.outcome, verdict.plies
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::laws;

    #[test]
    fn tiers_and_the_whole_game_agree_and_keep_the_laws() {
        laws::check(&ThreeMen {}, laws::Scope::All).unwrap();
        let tiers = Solver::new(&ThreeMen {}).solve().unwrap();
        let whole = Solver::new(&ThreeMen {}).solve_as::<scheme::Packed>().unwrap();
        assert_eq!(tiers.summary(), whole.summary());
        assert_eq!(tiers.value(&(0, 0)).unwrap(), whole.value(&(0, 0)).unwrap());
        // A known result: the first player wins by taking the centre.
        assert_eq!(tiers.verdict(&(0, 0)).unwrap().outcome, Outcome::MoverWins);
        let centre = tiers.moves(&(0, 0)).unwrap().swap_remove(0);
        assert_eq!(centre.state, (0, 0o20));
    }
}
