//! What a probe answers: states with their values, ranked moves, lines of best play.

use crate::game::value::{Value, Verdict};
use crate::game::{Game, Turns};

/// A state with its value and verdict.
///
/// ```
/// # use kit::games::Nim;
/// use retrograde::query::Assessed;
/// use retrograde::{Solver, Value};
///
/// let game = Nim { counters: 21 };
/// let solution = Solver::new(&game).solve()?;
/// let Assessed { state, index, value, verdict, .. } = solution.moves(&21)?.swap_remove(0);
/// assert_eq!((state, index, value), (20, 20, Some(Value::Loss(10))));
/// assert_eq!(verdict.plies, Some(10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assessed<S> {
    /// The state.
    pub state: S,
    /// Its index in the table. States that are the same by symmetry share an index.
    pub index: u64,
    /// Its value, for the player to move in it; `None` where the table has outcomes only.
    pub value: Option<Value>,
    /// Who wins from it, and in how many plies from this state. Where there is a ply limit, the plies
    /// played before this state count towards it.
    pub verdict: Verdict,
    /// In a game with points, what the move that leads here gains for the player who makes it:
    /// [`Game::gain`](crate::Game::gain). The value and the verdict do not contain it. 0 where no move
    /// leads here.
    pub gain: i16,
}

/// The moves of a state, best first.
///
/// ```
/// # use kit::games::Nim;
/// use retrograde::Solver;
///
/// let game = Nim { counters: 21 };
/// let ranked = Solver::new(&game).solve()?.ranked_moves(&21)?;
/// let best = &ranked.moves[..ranked.best_count];
/// assert_eq!((best.len(), best[0].state), (1, 20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RankedMoves<S> {
    /// The states that the moves lead to.
    pub moves: Vec<Assessed<S>>,
    /// How many of them, from the first, are equally good and better than all others: they have the same
    /// outcome after as many plies, as far as plies are known. 0 where play is over.
    pub best_count: usize,
    /// Whether there are several moves, and the first is the only one that wins; or, where none wins, the only
    /// one that draws.
    pub only: bool,
}

/// Best play from a state.
///
/// ```
/// # use kit::games::Nim;
/// use retrograde::Solver;
///
/// let game = Nim { counters: 21 };
/// let line = Solver::new(&game).solve()?.line(&5)?;
/// for (step, others) in line.positions.iter().skip(1).zip(&line.alternatives) {
///     println!("{} counters are left, and {} moves were as good", step.state, others.len());
/// }
/// // From 4, all moves lose in two plies.
/// assert_eq!((line.positions[1].state, line.alternatives[1].len()), (4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line<S> {
    /// The state where the line starts, and the state after each ply.
    pub positions: Vec<Assessed<S>>,
    /// For each ply, the states that other moves lead to which are as good as that of the line.
    pub alternatives: Vec<Vec<Assessed<S>>>,
    /// For each ply, whether every other move gives away a win or a draw: [`RankedMoves::only`].
    pub only: Vec<bool>,
    /// Why the line stops.
    pub end: LineEnd,
}

impl<S> Line<S> {
    /// In a game with points, how many points the player to move in the first position has gained more than
    /// the other, by each position of the line. Where play is over, what the end is worth is among them, so
    /// that the last score is what the first position is worth.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::Solver;
    ///
    /// let game = Nim { counters: 21 };
    /// let line = Solver::new(&game).solve()?.line(&5)?;
    /// assert_eq!(line.scores(&game), None, "nobody gains points in Nim");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scores<G: Game<State = S>>(&self, game: &G) -> Option<Vec<i32>> {
        let first = self.positions.first()?;
        first.verdict.points?;
        let is_first = |ply: usize| match game.named_mover(&self.positions[ply].state) {
            Some(mover) => Some(mover) == game.named_mover(&first.state),
            None => ply.is_multiple_of(2),
        };
        let for_first = |ply: usize, points: i16| match is_first(ply) {
            true => i32::from(points),
            false => -i32::from(points),
        };
        let gains = self.positions.iter().enumerate().map(|(ply, position)| match ply {
            0 => 0,
            _ => for_first(ply - 1, position.gain),
        });
        let mut score = 0;
        let mut scores: Vec<i32> = gains
            .map(|gain| {
                score += gain;
                score
            })
            .collect();
        let last = self.positions.len() - 1;
        if let (LineEnd::Over, Some(end)) = (self.end, self.positions[last].value) {
            scores[last] += for_first(last, end.points());
        }
        Some(scores)
    }
}

/// Why a line of play stops.
///
/// ```
/// # use kit::games::TugOfWar;
/// use retrograde::query::LineEnd;
/// use retrograde::{Player, Solver};
///
/// let solution = Solver::new(&TugOfWar).solve()?;
/// assert_eq!(solution.line(&(1, Player::First))?.end, LineEnd::Over);
/// // Nobody can pull the marker over, which comes back to where the line started.
/// let line = solution.line(&(2, Player::First))?;
/// assert_eq!((line.positions.len(), line.end), (3, LineEnd::Repetition { first: 0 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineEnd {
    /// Play is over.
    Over,
    /// The last step repeats an earlier one, up to symmetry, and play can repeat like this for ever.
    Repetition {
        /// The place of the earlier step in [`Line::positions`].
        first: usize,
    },
    /// No more plies are allowed.
    PlyLimit,
    /// The line is as long as was asked for, and goes on.
    Cut,
}
