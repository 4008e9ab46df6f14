//! The rules of a game, and nothing else.
//!
//! A [`Game`] knows its states and how play goes from one to the next. It has no storage, no
//! printing and no numbering in it; those are [`Indexed`](crate::Indexed),
//! [`Notation`](crate::Notation) and [`Stored`](crate::Stored), each optional and small.

pub mod board;
mod indexed;
pub(crate) mod notation;
mod packed;
pub(crate) mod packed_word;
mod players;
pub(crate) mod preference;
mod rows;
pub mod scene;
mod successors;
pub(crate) mod summary;
mod tiered;
mod turns;
pub(crate) mod value;

use std::fmt::Debug;
use std::ops::ControlFlow;

pub use indexed::{Indexed, Repeats};
pub use packed::PackedState;
pub use players::{Outcome, Player, Players};
pub(crate) use rows::NoRows;
pub use rows::{Row, Rows};
pub use successors::VisitSuccessors;
pub use tiered::{Tier, TierIndexed, Tiered};
pub(crate) use tiered::{is_tier_name, wrong_name};
pub(crate) use turns::{Turns, WriteState, debug_parts, one_line, write_debug};

/// The rules of a finite two-player game of perfect information.
///
/// Four methods are required: whose [`turn`](Game::turn) it is, whether play is over
/// ([`terminal`](Game::terminal)), the legal [`moves`](Game::moves), and where play starts
/// ([`roots`](Game::roots)). Everything else has the usual meaning by default and is one line to
/// change: what a player without a move gets, what endless play is worth, a limit on the number of
/// plies, symmetries, a faster way backwards.
///
/// Successors are handed to a visitor instead of being returned, so that the compiler can turn the
/// analysis over any game into the loop that one would write for that one game. Write plain
/// loops that call `visit`, or an iterator that ends in `.for_each(visit)`.
///
/// [`laws::check`](crate::laws::check) checks the laws that the methods have to obey.
///
/// ```
/// use retrograde::{Game, Outcome, Player, Solver, scheme};
///
/// /// The players push a marker to and fro on the places 0 to 4, one step a move.
/// struct TugOfWar;
///
/// impl Game for TugOfWar {
///     type State = (u32, Player); // where the marker is, and who is to move
///
///     fn turn(&self, &(_, player): &Self::State) -> Player {
///         player
///     }
///
///     fn terminal(&self, &(place, _): &Self::State) -> Option<Outcome> {
///         match place {
///             0 => Some(Outcome::Win(Player::First)),
///             4 => Some(Outcome::Win(Player::Second)),
///             _ => None,
///         }
///     }
///
///     fn moves(&self, &(place, player): &Self::State, visit: impl FnMut(Self::State)) {
///         [place - 1, place + 1].map(|place| (place, player.opponent())).into_iter().for_each(visit);
///     }
///
///     fn roots(&self) -> impl IntoIterator<Item = Self::State> {
///         [(2, Player::First)]
///     }
/// }
///
/// let solution = Solver::new(&TugOfWar).solve_as::<scheme::Hashed>()?;
/// assert_eq!(solution.verdict(&(2, Player::First))?.to_string(), "draw by endless play");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Game: Sync {
    /// A position together with the side to move: all that the rest of play depends on.
    type State: Clone + Eq + Debug + Send + Sync;

    /// Whether [`predecessors`](Game::predecessors) is written. Where it is not, the engine
    /// collects reverse edges from the moves, which take 1 to 4 bytes of memory an edge and 4 bytes a
    /// state while it solves. Where memory is short, it collects them in several passes over the moves.
    /// Where there is no room for them at all, it goes through the moves at every level.
    ///
    /// A game that sets this without the method does not compile:
    ///
    /// ```compile_fail
    /// # use retrograde::{Game, Solver, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # kit::rules_of_nim!();
    ///     const PREDECESSORS: bool = true;
    /// }
    /// Solver::new(&Nim { counters: 21 }).solve_as::<scheme::Hashed>()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    const PREDECESSORS: bool = false;

    /// Whether states say who is to move, and whether tables distinguish the players.
    /// [`laws::check`](crate::laws::check) checks the answer.
    const PLAYERS: Players = Players::Distinct;

    /// Promises that neither the moves nor the predecessors of a state ever have two states that
    /// share an index: the same state twice, or two that are the same by symmetry.
    ///
    /// Without the promise the engine removes repetitions itself. With it, and with
    /// [`predecessors`](Game::predecessors), the engine counts moves without a look at where they
    /// lead; solving then does not notice a move to a state without an index. Where the game has a
    /// [`degree`](Game::degree) or a [`tier_degree`](Tiered::tier_degree), moves are not
    /// counted, and may repeat an index all the same. [`laws::check`](crate::laws::check) checks
    /// the promise.
    const DISTINCT: bool = false;

    /// Whether players gain points, so that it matters how many points a player wins by. Such a
    /// game says what its moves [`gain`](Game::gain) and what its ends are worth
    /// ([`Outcome::Points`]), and promises [`max_points`](Game::max_points). Its values are
    /// [`Value::Points`](crate::Value::Points), or endless play, which gains nothing for either
    /// player.
    ///
    /// ```
    /// use retrograde::{Game, Outcome, PackedState, Players, Solver, Tier, Tiered, Value, scheme};
    ///
    /// /// Two counters at most are taken at a time from the end of a row. They have values.
    /// struct Row(Vec<i16>);
    ///
    /// impl Game for Row {
    ///     type State = usize; // how many counters are left
    ///     const PLAYERS: Players = Players::Unnamed;
    ///     const POINTS: bool = true;
    ///
    ///     fn terminal(&self, &left: &usize) -> Option<Outcome> {
    ///         (left == 0).then_some(Outcome::Draw)
    ///     }
    ///
    ///     fn moves(&self, &left: &usize, visit: impl FnMut(usize)) {
    ///         (1..=left.min(2)).map(|taken| left - taken).for_each(visit);
    ///     }
    ///
    ///     fn gain(&self, &before: &usize, &after: &usize) -> i16 {
    ///         self.0[after..before].iter().sum()
    ///     }
    ///
    ///     fn max_points(&self) -> u16 {
    ///         self.0.iter().map(|value| value.unsigned_abs()).sum()
    ///     }
    ///
    ///     fn roots(&self) -> impl IntoIterator<Item = usize> {
    ///         [self.0.len()]
    ///     }
    /// }
    ///
    /// /// A move that gains points has to leave its tier.
    /// impl Tiered for Row {
    ///     fn tiers(&self) -> Vec<Tier> {
    ///         let tier = |left| Tier { name: format!("{left} left"), leads_to: (0..left).collect() };
    ///         (0..=self.0.len()).map(tier).collect()
    ///     }
    ///
    ///     fn tier(&self, &left: &usize) -> usize {
    ///         left
    ///     }
    /// }
    ///
    /// impl PackedState for Row {
    ///     type Word = u64;
    ///
    ///     fn pack(&self, &left: &usize) -> u64 {
    ///         left as u64
    ///     }
    ///
    ///     fn unpack(&self, word: u64) -> usize {
    ///         word as usize
    ///     }
    /// }
    ///
    /// let row = Row(vec![3, 7, 4, 2]);
    /// let solution = Solver::new(&row).solve_as::<scheme::Tiers<scheme::Packed>>()?;
    /// assert_eq!(solution.value(&2)?, Value::Points { points: 10, plies: 1 });
    /// // Whoever takes 2 leaves 7 and 4 to the other, and whoever takes 4, too, leaves 7 and 3.
    /// assert_eq!(solution.value(&4)?, Value::Points { points: -4, plies: 2 });
    /// assert_eq!(solution.verdict(&4)?.to_string(), "the player to move loses by 4 in 2 plies");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    const POINTS: bool = false;

    /// The player to move in `state`. Turns need not alternate: a double move or a pass is a state
    /// whose successor has the same or another player to move.
    ///
    /// Required, except in a game whose states do not say who is to move ([`Players::Unnamed`]). A
    /// game without either does not compile.
    #[inline]
    fn turn(&self, state: &Self::State) -> Player {
        const {
            assert!(
                matches!(Self::PLAYERS, Players::Unnamed),
                "write `Game::turn`, or declare that states do not say who is to move: \
                 `const PLAYERS: Players = Players::Unnamed`"
            );
        }
        let _ = state;
        Player::First
    }

    /// The outcome, if play is over in `state`.
    fn terminal(&self, state: &Self::State) -> Option<Outcome>;

    /// Whether play stops in a terminal state one ply before the real end, which then is certain.
    /// Some games, for example, are over as soon as a king can be captured. The distance of such a
    /// state is 1 instead of 0. Called only for terminal states; false by default.
    ///
    /// ```
    /// # use retrograde::{Game, Outcome, Solver, Value, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # kit::rules_of_nim!(without an end);
    ///     /// Nobody has to take the last counters.
    ///     fn terminal(&self, &heap: &u64) -> Option<Outcome> {
    ///         (heap <= 3).then_some(Outcome::MoverWins)
    ///     }
    ///
    ///     fn stops_early(&self, _: &u64) -> bool {
    ///         true
    ///     }
    /// }
    /// # let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve_as::<scheme::Hashed>()?;
    /// assert_eq!(solution.value(&3)?, Value::Win(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn stops_early(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Visits the state after each legal move. Never called for a terminal state. The same state
    /// may be visited more than once (unless [`DISTINCT`](Game::DISTINCT) promises otherwise); it
    /// counts once.
    fn moves(&self, state: &Self::State, visit: impl FnMut(Self::State));

    /// Whether [`prepare`](Game::prepare) is written.
    const PREPARES: bool = false;

    /// Prepares the answers about these states. While states are discovered, verified, or checked by
    /// [`laws`](crate::laws), each thread calls this with some of them (1 to 33,000), and then asks
    /// [`terminal`](Game::terminal), [`turn`](Game::turn) and [`moves`](Game::moves) about them in this
    /// order. `Break` ends the work as an interruption does.
    ///
    /// For games whose rules cost less for many states at once, such as rules in another language. A
    /// game sets [`PREPARES`](Game::PREPARES), and answers about states that it has not prepared, too.
    ///
    /// ```
    /// # use retrograde::{Game, Solver, scheme};
    /// use std::ops::ControlFlow;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// static PREPARED: AtomicUsize = AtomicUsize::new(0);
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # kit::rules_of_nim!();
    ///     const PREPARES: bool = true;
    ///
    ///     fn prepare(&self, states: &[u64]) -> ControlFlow<()> {
    ///         PREPARED.fetch_add(states.len(), Ordering::Relaxed);
    ///         ControlFlow::Continue(())
    ///     }
    /// }
    /// Solver::new(&Nim { counters: 21 }).solve_as::<scheme::Hashed>()?;
    /// assert_eq!(PREPARED.load(Ordering::Relaxed), 22);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn prepare(&self, states: &[Self::State]) -> ControlFlow<()> {
        const { assert!(!Self::PREPARES, "`PREPARES` is true: write `Game::prepare`, too") };
        let _ = states;
        ControlFlow::Continue(())
    }

    /// How many distinct indices the moves from a state lead to, if the game knows that without
    /// listing them. Never called for a terminal state. With [`PREDECESSORS`](Game::PREDECESSORS)
    /// the moves are then never listed while solving.
    ///
    /// ```
    /// # use retrograde::{Game, laws::Laws, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # kit::rules_of_nim!();
    ///     fn degree(&self, &heap: &u64) -> Option<u64> {
    ///         Some(heap.min(3))
    ///     }
    /// }
    /// # let game = Nim { counters: 21 };
    /// assert!(Laws::new(&game).check_as::<scheme::Hashed>().is_ok());
    /// ```
    fn degree(&self, state: &Self::State) -> Option<u64> {
        let _ = state;
        None
    }

    /// How many points more than the opponent the player to move in `state` gains with the move to
    /// `next`; 0 by default. Called only in games with [points](Game::POINTS).
    ///
    /// A move that gains or loses points must lead to another tier ([`Tiered`]), so that players
    /// can't repeat it for ever. Solving and [`laws::check`](crate::laws::check) find a move
    /// that does not. A game without tiers tells all its points with the end
    /// ([`Outcome::Points`]): its states then contain the score so far.
    fn gain(&self, state: &Self::State, next: &Self::State) -> i16 {
        let _ = (state, next);
        0
    }

    /// In a game with [points](Game::POINTS), promises that no end of play, and no move to another
    /// tier with all that follows, is worth more points to either player than this. At most
    /// [`MAX_POINTS`](crate::query::MAX_POINTS).
    ///
    /// A table stores points and plies together in 16 bits: the fewer points, the more plies fit
    /// (1,002 with 24 points, 505 with 48). Required in games with points, and called only there.
    fn max_points(&self) -> u16 {
        const {
            assert!(
                !Self::POINTS,
                "write `Game::max_points`: how many points a player can gain at most"
            );
        }
        0
    }

    /// Promises that no win and no draw takes more plies than this; `None` by default. Where
    /// distances are short, the engine solves with one byte a state in any case. With the promise
    /// it knows so beforehand, and allows for one byte where memory is limited. A broken promise
    /// takes more memory than planned, and the values are right all the same.
    ///
    /// ```
    /// # use retrograde::{Game, Solver, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # kit::rules_of_nim!();
    ///     /// Each ply takes a counter or more.
    ///     fn max_plies(&self) -> Option<u32> {
    ///         u32::try_from(self.counters).ok()
    ///     }
    /// }
    /// # let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve_as::<scheme::Hashed>()?;
    /// assert!(solution.summary().longest() <= game.max_plies());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn max_plies(&self) -> Option<u32> {
        None
    }

    /// The states where play can start. The first is the start position that people see. Discovery
    /// starts from all of them; the dense numbering needs none.
    ///
    /// A single root is an array of one: `[start]`. Many roots are an iterator that makes them one by
    /// one: the engine never has all of them in a list. Each search and each check iterates anew, and
    /// expects the same roots.
    fn roots(&self) -> impl IntoIterator<Item = Self::State>;

    /// Visits every state that has a move to `state`. States that are terminal, that were never
    /// discovered, or whose index is unused may be visited too: the engine ignores them.
    ///
    /// ```
    /// # use retrograde::{Game, laws::Laws, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # kit::rules_of_nim!();
    ///     const PREDECESSORS: bool = true;
    ///     const DISTINCT: bool = true;
    ///
    ///     fn predecessors(&self, &heap: &u64, visit: impl FnMut(u64)) {
    ///         (1..=3).map(|taken| heap + taken).filter(|&heap| heap <= self.counters).for_each(visit);
    ///     }
    /// }
    /// # let game = Nim { counters: 21 };
    /// assert!(Laws::new(&game).check_as::<scheme::Hashed>().is_ok());
    /// ```
    fn predecessors(&self, state: &Self::State, visit: impl FnMut(Self::State)) {
        const {
            assert!(!Self::PREDECESSORS, "`PREDECESSORS` is true: write `Game::predecessors`, too");
        }
        let _ = (state, visit);
    }

    /// The outcome of a state that is not terminal and has no legal move: stalemate. `None`, the
    /// default, promises that there is no such state; solving a game with one is then an error.
    ///
    /// ```
    /// # use retrograde::{Game, Outcome, Solver, Value, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # kit::rules_of_nim!(without an end);
    ///     fn terminal(&self, _: &u64) -> Option<Outcome> {
    ///         None
    ///     }
    ///
    ///     fn no_moves(&self, _: &u64) -> Option<Outcome> {
    ///         Some(Outcome::MoverLoses)
    ///     }
    /// }
    /// # let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve_as::<scheme::Hashed>()?;
    /// assert_eq!(solution.value(&0)?, Value::Loss(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn no_moves(&self, state: &Self::State) -> Option<Outcome> {
        let _ = state;
        None
    }

    /// The outcome of endless play, which never reaches a terminal state: a draw (the default) or a
    /// win of a named player. Always a draw where states do not say who is to move
    /// ([`Players::Unnamed`]).
    ///
    /// ```
    /// # use retrograde::{Game, Outcome, Player, Solver, scheme};
    /// # struct TugOfWar;
    /// impl Game for TugOfWar {
    /// # kit::rules_of_tug_of_war!();
    ///     fn endless(&self) -> Outcome {
    ///         Outcome::Win(Player::Second)
    ///     }
    /// }
    /// let solution = Solver::new(&TugOfWar).solve_as::<scheme::Hashed>()?;
    /// let verdict = solution.verdict(&(2, Player::First))?;
    /// assert_eq!(verdict.to_string(), "the second player wins by endless play");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn endless(&self) -> Outcome {
        Outcome::Draw
    }

    /// The greatest number of plies that play may take, counted from the position that is probed;
    /// `None`, the default, for no limit. Play that is not over by then is worth what
    /// [`endless`](Game::endless) play is worth. Tables have the distances without the limit, and
    /// verdicts apply it. Where endless play is a win and play can end in a draw too, a limit that
    /// could cut anything off is an error.
    ///
    /// ```
    /// # use retrograde::{Game, Solver, Value, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # kit::rules_of_nim!();
    ///     fn ply_limit(&self) -> Option<u32> {
    ///         Some(10)
    ///     }
    /// }
    /// # let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve_as::<scheme::Hashed>()?;
    /// assert_eq!(solution.value(&21)?, Value::Win(11));
    /// assert_eq!(solution.verdict(&21)?.to_string(), "draw by the ply limit");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn ply_limit(&self) -> Option<u32> {
        None
    }

    /// The representative of a state under the game's symmetries, by which discovered states are
    /// stored. The exchange of colours can be one of the symmetries, since values are for the
    /// player to move.
    ///
    /// ```
    /// # use retrograde::{Game, Solver, scheme};
    /// # struct TwoHeaps { heaps: [u64; 2] }
    /// impl Game for TwoHeaps {
    /// # kit::rules_of_two_heaps!();
    ///     /// It makes no difference which heap is the first.
    ///     fn canonical(&self, &[a, b]: &[u64; 2]) -> [u64; 2] {
    ///         [a.min(b), a.max(b)]
    ///     }
    /// }
    /// # let game = TwoHeaps { heaps: [3, 3] };
    /// let solution = Solver::new(&game).solve_as::<scheme::Hashed>()?;
    /// assert_eq!(solution.summary().states(), 10); // instead of 4 * 4
    /// assert_eq!(solution.value(&[3, 1])?, solution.value(&[1, 3])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn canonical(&self, state: &Self::State) -> Self::State {
        state.clone()
    }
}
