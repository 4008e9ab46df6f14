//! Three men's morris, a game in tiers. On a board of 3 x 3 points, both players drop three men one
//! after the other, then move one man at a time along a line to a neighbouring free point. Three men
//! in a row win, and so does leaving the other player without a move.
//!
//! A man that was dropped never comes back to the hand. So the count of men on the board names a tier,
//! and each tier is solved with only itself and the next one in memory. A formula gives a position its
//! index in its tier, the same for all turns and reflections of a board.
//!
//! `docs/GUIDE.md` explains it part by part.

use std::sync::Arc;

use retrograde::board::{self, Grid};
use retrograde::error::IndexError;
use retrograde::index::{Combinations, Folded, OnFreeCells, Orbits, Symmetries, singles};
use retrograde::scene::{Piece, Scene};
use retrograde::{
    Game, Notation, NotationError, Numbered, Outcome, PackedState, Player, Players, Solver, Stored,
    Table, Tier, TierIndexed, Tiered, scheme,
};
use serde::{Deserialize, Serialize};

/// How many men there are when all are dropped.
const ALL_MEN: u32 = 6;

/// The points of each row, column and diagonal, a bit a point, in reading order.
const ROWS: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The board, and the letters for the men of the player to move and of the other.
const GRID: Grid = Grid::new(3, 3).with_letters("xo");

/// The neighbours of each point along the lines of the board.
const NEIGHBOURS: [u64; 9] = [0o32, 0o25, 0o62, 0o121, 0o757, 0o424, 0o230, 0o520, 0o260];

/// The numbering of a tier: the mover's men up to symmetry, then the other's on the points left free.
type Men = Folded<Combinations, OnFreeCells<Combinations>>;

#[derive(Serialize, Deserialize)]
struct ThreeMen {
    /// The numbering of each tier.
    numberings: Vec<Men>,
}

impl ThreeMen {
    fn new() -> Result<ThreeMen, IndexError> {
        let board = Arc::new(Symmetries::rectangle(3, 3)?);
        let numbering = |men: u32| {
            let (own, other) = (men / 2, men - men / 2);
            let own_men = Orbits::new(Combinations::new(9, own)?, board.clone())?;
            let other_men = OnFreeCells::new(9, Combinations::new(9 - own, other)?)?;
            Folded::new(own_men, other_men)
        };
        let numberings: Result<Vec<Men>, IndexError> = (0..=ALL_MEN).rev().map(numbering).collect();
        Ok(ThreeMen { numberings: numberings? })
    }
}

/// The men of the player to move, then those of the other.
type Board = (u64, u64);

fn men(&(own, other): &Board) -> u32 {
    (own | other).count_ones()
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
            singles(free).for_each(|to| visit((other, own | to)));
            return;
        }
        for from in singles(own) {
            let reach = NEIGHBOURS[from.trailing_zeros() as usize];
            singles(reach & free).for_each(|to| visit((other, own ^ from | to)));
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = Board> {
        [(0, 0)]
    }

    fn no_moves(&self, _: &Board) -> Option<Outcome> {
        Some(Outcome::MoverLoses)
    }
}

impl Tiered for ThreeMen {
    const TIER_PREDECESSORS: bool = true;

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

    /// Takes back a move: one of the other player's men goes back to where it may have come from. A
    /// man that was dropped came from another tier.
    fn tier_predecessors(&self, _: usize, board: &Board, mut visit: impl FnMut(Board)) {
        let &(own, other) = board;
        if men(board) < ALL_MEN {
            return;
        }
        for to in singles(other) {
            let reach = NEIGHBOURS[to.trailing_zeros() as usize] & !(own | other);
            singles(reach).for_each(|from| visit((other ^ to | from, own)));
        }
    }
}

impl TierIndexed for ThreeMen {
    fn tier_len(&self, tier: usize) -> u64 {
        self.numberings[tier].len()
    }

    fn tier_index(&self, tier: usize, &board: &Board) -> u64 {
        self.numberings[tier].rank(board)
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Board> {
        self.numberings[tier].unrank(index)
    }
}

impl PackedState for ThreeMen {
    type Word = u64;

    fn pack(&self, &(own, other): &Board) -> u64 {
        own << 9 | other
    }

    fn unpack(&self, packed: u64) -> Board {
        (packed >> 9, packed & 0o777)
    }
}

impl Notation for ThreeMen {
    fn write_state(&self, &(own, other): &Board) -> String {
        GRID.write(|point, kind| [own, other][kind] >> point & 1 == 1)
    }

    fn parse_state(&self, text: &str) -> Result<Board, NotationError> {
        board::read_position(self, text, GRID, |text| {
            let mut sets = [0; 2];
            GRID.read(text, |point, kind| sets[kind] |= 1 << point)?;
            let board = (sets[0], sets[1]);
            let [own, other] = sets.map(u64::count_ones);
            match men(&board) <= ALL_MEN && (own..=own + 1).contains(&other) {
                true => Ok(board),
                false => Err(NotationError::new(format!("{own} x and {other} o, who take turns"))),
            }
        })
    }

    fn scene(&self, &(own, other): &Board) -> Option<Scene> {
        let mut scene = GRID.scene();
        let man = Piece::disc("man");
        scene.put_on(own, &man.clone().of(Player::First));
        scene.put_on(other, &man.of(Player::Second));
        scene.set_sides_of_mover();
        Some(scene)
    }
}

impl Numbered for ThreeMen {
    type Numberings = (scheme::Tiers<scheme::Dense>, scheme::Tiers<scheme::Packed>, scheme::Packed);
}

impl Stored for ThreeMen {
    const NAME: &'static str = "three-men";
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (game, folder) = (ThreeMen::new()?, std::env::temp_dir().join("three-men"));
    for tier in Solver::new(&game).solve_into(&folder)? {
        println!("{}: {} positions", tier.name, tier.summary.states());
    }
    let table = Table::open(&folder)?;
    let verdict = table.prober(game)?.verdict(&(0, 0))?;
    println!(
        "on the empty board, the outcome is {:?} in {:?} plies",
        verdict.outcome, verdict.plies
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use retrograde::query::Assessed;
    use std::error::Error;
    use std::time::Duration;

    use super::*;
    use retrograde::laws::Laws;
    use retrograde::query::DecidedBy;
    use retrograde::table::Checkpoints;

    #[test]
    fn all_numberings_keep_the_laws_and_agree() {
        let game = ThreeMen::new().unwrap();
        Laws::new(&game).notation().check().unwrap();
        Laws::new(&game).check_as::<scheme::Tiers<scheme::Packed>>().unwrap();
        let folded = Solver::new(&game).solve().unwrap();
        let tiers = Solver::new(&game).solve_as::<scheme::Tiers<scheme::Packed>>().unwrap();
        let whole = Solver::new(&game).solve_as::<scheme::Packed>().unwrap();
        assert_eq!(tiers.summary(), whole.summary());
        let mut boards = 0;
        for found in whole.states_with(|_| true) {
            let Assessed { state: board, value, .. } = found.unwrap();
            assert_eq!(Some(folded.value(&board).unwrap()), value, "{board:?}");
            assert_eq!(Some(tiers.value(&board).unwrap()), value, "{board:?}");
            boards += 1;
        }
        assert_eq!(boards, whole.summary().states());
        assert!(boards > 2 * folded.summary().states());
        // A known result: the first player wins by taking the centre.
        assert_eq!(folded.verdict(&(0, 0)).unwrap().outcome, Outcome::MoverWins);
        let centre = folded.moves(&(0, 0)).unwrap().swap_remove(0);
        assert_eq!(centre.state, (0, 0o20));
    }

    #[test]
    fn limits_and_checkpoints_do_not_change_the_solution() -> Result<(), Box<dyn Error>> {
        let game = ThreeMen::new()?;
        let folder = tempfile::tempdir()?;
        let mut checkpoints =
            Checkpoints::in_folder(folder.path())?.interval(Duration::from_secs(600));
        let solver = Solver::new(&game).threads(2).memory(1 << 30).max_states(1_000_000);
        let solution = solver.checkpoints(&mut checkpoints)?.solve()?;
        assert_eq!(solution.summary(), Solver::new(&game).solve()?.summary());
        checkpoints.clear()?;
        Ok(())
    }

    #[test]
    fn play_between_the_best_need_not_end() -> Result<(), Box<dyn Error>> {
        let game = ThreeMen::new()?;
        let solution = Solver::new(&game).solve()?;
        // One man each: the mover's in a corner, the other's in the centre.
        let verdict = solution.verdict(&(0o1, 0o20))?;
        assert_eq!(verdict.outcome, Outcome::Draw);
        assert_eq!(verdict.decided_by, DecidedBy::Endless);
        Ok(())
    }
}
