//! The game by a numbering of all positions, whether play comes to them or not, and by its moves
//! backwards.

use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, Player, Repeats, scheme,
};
use serde::{Deserialize, Serialize};

use super::numbering::Numbering;
use super::{
    Gobblet, GobbletError, GobbletParameters, Position, SETS, SIZES, Uncovered, all_rows, has_row,
    squares,
};
use crate::shared;

/// Gobblet Gobblers, with its positions numbered by a formula and its moves backwards.
///
/// To compare the two: its table takes less time and memory than that of [`Gobblet`], but has positions that
/// play does not come to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "GobbletParameters", into = "GobbletParameters")]
pub struct NumberedGobblet {
    game: Gobblet,
    numbering: Numbering,
}

impl NumberedGobblet {
    /// The game of these pieces and rules.
    ///
    /// # Errors
    /// As [`Gobblet::new`].
    pub fn new(parameters: GobbletParameters) -> Result<NumberedGobblet, GobbletError> {
        let game = Gobblet::new(parameters)?;
        let numbering = Numbering::new(parameters.pieces()).expect("fewer than 2^64 indices");
        Ok(NumberedGobblet { game, numbering })
    }

    /// Whether a symmetry of the board keeps the pieces of a player. If none does, different moves of the
    /// other player are between different indices.
    #[inline]
    fn is_symmetric(&self, position: &Position, player: Player) -> bool {
        let own = position.pieces.map(|sets| usize::from(sets[player.index()]) % SETS);
        let mut images = self.game.images.iter();
        images.any(|images| own.iter().all(|&set| usize::from(images[set]) == set))
    }
}

impl Game for NumberedGobblet {
    type State = Position;
    const PREDECESSORS: bool = true;

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        self.game.terminal(position)
    }

    #[inline]
    fn moves(&self, position: &Position, visit: impl FnMut(Position)) {
        self.game.moves(position, visit);
    }

    #[inline]
    fn degree(&self, position: &Position) -> Option<u64> {
        let mut count = 0;
        let add = |_, _, targets: u16| count += u64::from(targets.count_ones());
        self.game.each_piece(position, add);
        (!self.is_symmetric(position, position.turn.opponent())).then_some(count)
    }

    #[inline]
    fn predecessors(&self, position: &Position, mut visit: impl FnMut(Position)) {
        let (after, mover, other) = (position.passed(), position.turn.opponent(), position.turn);
        for size in 0..SIZES {
            let own = after.pieces[size][mover.index()];
            for to in squares(own & !after.with_larger_than(size)) {
                let lifted = after.toggled(size, to);
                // Play was not over before. So the piece came from a square where it covered all rows.
                let tops = lifted.tops(other);
                if !has_row(tops) {
                    visit(lifted);
                }
                for from in squares(after.free(size) & all_rows(tops)) {
                    let before = lifted.toggled(size, from);
                    if self.game.to_cover(&before, tops) & to != 0 {
                        visit(before);
                    }
                }
            }
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        self.game.roots()
    }

    #[inline]
    fn no_moves(&self, position: &Position) -> Option<Outcome> {
        self.game.no_moves(position)
    }
}

impl Indexed for NumberedGobblet {
    const PREDECESSOR_INDICES: bool = true;

    fn len(&self) -> u64 {
        self.numbering.len()
    }

    #[inline]
    fn index(&self, position: &Position) -> u64 {
        self.numbering.index(position)
    }

    /// Where all rows have to be covered, the player to move has none.
    #[inline]
    fn unindex(&self, index: u64) -> Option<Position> {
        let is_position = |position: &Position| match self.game.parameters.uncovered {
            Uncovered::All => !has_row(position.tops(position.turn)),
            Uncovered::First => true,
        };
        self.numbering.position(index).filter(is_position)
    }

    #[inline]
    fn predecessor_indices(
        &self,
        position: &Position,
        mut visit: impl FnMut(u64, Player),
    ) -> Repeats {
        let (image, index_of) = self.numbering.beside(position);
        self.predecessors(&image, |before| visit(index_of(&before), before.turn));
        match self.is_symmetric(position, position.turn) {
            true => Repeats::Maybe,
            false => Repeats::Never,
        }
    }
}

impl Numbered for NumberedGobblet {
    type Numberings = scheme::Dense;
}

impl Notation for NumberedGobblet {
    fn player(&self, player: Player) -> &str {
        self.game.player(player)
    }

    fn write_state(&self, position: &Position) -> String {
        self.game.write_state(position)
    }

    fn parse_state(&self, text: &str) -> Result<Position, NotationError> {
        self.game.parse_state(text)
    }

    fn write_move(&self, from: &Position, to: &Position) -> String {
        self.game.write_move(from, to)
    }
}

shared::shipped! {
    NumberedGobblet, "gobblet-numbered": "Gobblet Gobblers by a formula, with its moves backwards",
    example: "--small 1 --medium 1 --large 1",
    states: "as those of gobblet: L-m.s/.../.S.,black",
    parameters: GobbletParameters,
    made: NumberedGobblet::new, GobbletError,
    kept: |game| game.game.parameters,
}
