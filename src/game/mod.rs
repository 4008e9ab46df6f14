//! What a game is: the rules, and nothing else.
//!
//! A [`Game`] knows its states and how play goes from one to the next. It has no storage, no
//! printing and no numbering in it; those are [`Indexed`](crate::Indexed),
//! [`Notation`](crate::Notation) and [`Stored`](crate::Stored), each optional and small.

mod successors;
mod turns;

use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::packed_word::Word;
pub use successors::VisitSuccessors;
pub(crate) use turns::{Turns, WriteState, one_line, write_debug};

/// One of the two players. [`Notation::player`](crate::Notation::player) has their names.
///
/// ```
/// use retrograde::Player;
///
/// assert_eq!(Player::First.opponent(), Player::Second);
/// assert_eq!(Player::BOTH[Player::Second.index()], Player::Second);
/// assert_eq!(Player::First.to_string(), "the first player");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Player {
    /// The player named first: white, the mouse, crosses.
    First,
    /// The player named second: black, the cat, noughts.
    Second,
}

impl Player {
    /// Both players, in order; `BOTH[player.index()] == player`.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The other player.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// "the first player" or "the second player".
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Player::First => "the first player",
            Player::Second => "the second player",
        })
    }
}

/// How play ends.
///
/// A game names the winner ([`Win`](Outcome::Win)), or says whether the player to move wins. Where
/// states do not say who is to move ([`Players::Unnamed`]), it can't name the winner.
///
/// ```
/// use std::cmp::Ordering;
///
/// use retrograde::{Outcome, Player};
///
/// let outcome = Outcome::Win(Player::Second);
/// assert_eq!(outcome.winner(), Some(Player::Second));
/// assert_eq!(outcome.for_mover(Some(Player::First)), Ordering::Less);
/// assert_eq!(Outcome::MoverLoses.to_string(), "a loss for the player to move");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// This player wins and the other loses.
    Win(Player),
    /// Nobody wins.
    Draw,
    /// The player to move wins.
    MoverWins,
    /// The player to move loses: the one who has just moved wins.
    MoverLoses,
}

impl Outcome {
    /// The winner, if the outcome names one.
    #[inline]
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Outcome::Win(player) => Some(player),
            Outcome::Draw | Outcome::MoverWins | Outcome::MoverLoses => None,
        }
    }

    /// The outcome for the player to move: `Less` for a loss, `Equal` for a draw, `Greater` for a
    /// win. `mover` is that player, or `None` where states do not say who is to move.
    #[must_use]
    pub fn for_mover(self, mover: Option<Player>) -> Ordering {
        match self {
            Outcome::Draw => Ordering::Equal,
            Outcome::MoverWins => Ordering::Greater,
            Outcome::MoverLoses => Ordering::Less,
            Outcome::Win(winner) if Some(winner) == mover => Ordering::Greater,
            Outcome::Win(_) => Ordering::Less,
        }
    }
}

/// As people say it: "a win for the first player", "a draw", "a loss for the player to move".
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(player) => write!(f, "a win for {player}"),
            Outcome::Draw => f.pad("a draw"),
            Outcome::MoverWins => f.pad("a win for the player to move"),
            Outcome::MoverLoses => f.pad("a loss for the player to move"),
        }
    }
}

/// Whether the states of a game say who is to move, and whether its tables distinguish the two
/// players: see [`Game::PLAYERS`].
///
/// ```
/// # mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
/// # use games::{Nim, TugOfWar};
/// # use retrograde::Game;
/// use retrograde::{Outcome, Player, Players, Solver};
///
/// // A heap of nim does not say who is to move; in a tug of war, the state does.
/// assert_eq!((Nim::PLAYERS, TugOfWar::PLAYERS), (Players::Unnamed, Players::Distinct));
/// let nim = Nim { counters: 21 };
/// assert_eq!(Solver::new(&nim).solve()?.verdict(&21)?.outcome, Outcome::MoverWins);
/// let tug_of_war = Solver::new(&TugOfWar).solve()?;
/// let verdict = tug_of_war.verdict(&(1, Player::First))?;
/// assert_eq!(verdict.outcome, Outcome::Win(Player::First));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    /// A state says who is to move ([`Game::turn`]), and tables count the wins of each player.
    Distinct,
    /// A state says who is to move, but its index does not: a state and its mirror image with the
    /// players exchanged share an index. Tables then count wins and losses of the player to move,
    /// and not of each player.
    Folded,
    /// A state does not say who is to move, and turns alternate. Moves and the end of play are the
    /// same for both players, as in nim, or where states have "the mover's pieces and the
    /// opponent's". Such a game has no [`Game::turn`]. Its outcomes are [`Outcome::MoverWins`],
    /// [`Outcome::MoverLoses`] and draws, and its endless play is a draw.
    Unnamed,
    /// One player makes every move, as in a puzzle. Without it,
    /// [`laws::check`](crate::laws::check) reports a turn that never changes as a mistake.
    Solitary,
}

/// The rules of a finite two-player game of perfect information.
///
/// Four methods are required: whose [`turn`](Game::turn) it is, whether play is over
/// ([`terminal`](Game::terminal)), the legal [`moves`](Game::moves), and where play starts
/// ([`roots`](Game::roots)). Everything else has the usual meaning by default and is one line to
/// change: what a player without a move gets, what endless play is worth, a limit on the number of
/// plies, symmetries, a faster way backwards.
///
/// Successors are handed to a visitor instead of being returned, so that the compiler can turn the
/// analysis over any game into the loop that one would write for that game alone. Write plain
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
    /// [`degree`](Game::degree) or an [`tier_degree`](Tiered::tier_degree), moves are not
    /// counted, and may repeat an index all the same. [`laws::check`](crate::laws::check) checks
    /// the promise.
    const DISTINCT: bool = false;

    /// Who is to move in `state`. Turns need not alternate: a double move or a pass is a state
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
    /// state is 1 instead of 0. Called for terminal states alone; false by default.
    ///
    /// ```
    /// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use retrograde::{Game, Outcome, Solver, Value, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # rules_of_nim!(without an end);
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

    /// How many distinct indices the moves from a state lead to, if the game knows that without
    /// listing them. Never called for a terminal state. With [`PREDECESSORS`](Game::PREDECESSORS)
    /// the moves are then never listed while solving.
    ///
    /// ```
    /// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use retrograde::{Game, laws::Laws, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # rules_of_nim!();
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

    /// Promises that no win and no draw takes more plies than this; `None` by default. Where
    /// distances are short, the engine solves with one byte a state in any case. With the promise
    /// it knows so beforehand, and allows for one byte where memory is limited. A broken promise
    /// takes more memory than planned, and the values are right all the same.
    ///
    /// ```
    /// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use retrograde::{Game, Solver, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # rules_of_nim!();
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
    /// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use retrograde::{Game, laws::Laws, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # rules_of_nim!();
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
        let _ = (state, visit);
    }

    /// The outcome of a state that is not terminal and has no legal move: stalemate. `None`, the
    /// default, promises that there is no such state; solving a game with one is then an error.
    ///
    /// ```
    /// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use retrograde::{Game, Outcome, Solver, Value, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # rules_of_nim!(without an end);
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

    /// What endless play is worth, which never reaches a terminal state: a draw (the default) or a
    /// win of a named player. Always a draw where states do not say who is to move
    /// ([`Players::Unnamed`]).
    ///
    /// ```
    /// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use retrograde::{Game, Outcome, Player, Solver, scheme};
    /// # struct TugOfWar;
    /// impl Game for TugOfWar {
    /// # rules_of_tug_of_war!();
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
    /// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use retrograde::{Game, Solver, Value, scheme};
    /// # struct Nim { counters: u64 }
    /// impl Game for Nim {
    /// # rules_of_nim!();
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
    /// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use retrograde::{Game, Solver, scheme};
    /// # struct TwoHeaps { heaps: [u64; 2] }
    /// impl Game for TwoHeaps {
    /// # rules_of_two_heaps!();
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

/// Whether the indices that a game visits for one state may repeat: see
/// [`Indexed::predecessor_indices`].
///
/// ```
/// # mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
/// # use games::Nim;
/// use retrograde::{Indexed, Repeats};
///
/// let mut before = Vec::new();
/// let repeats = Nim { counters: 21 }.predecessor_indices(&5, |index, _| before.push(index));
/// assert_eq!((before, repeats), (vec![6, 7, 8], Repeats::Never));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// No two of them are the same.
    Never,
    /// Some may be the same. The engine looks for repetitions and counts each index once.
    Maybe,
}

impl Repeats {
    /// `Never` for a game that promises distinct neighbours.
    pub(crate) const fn unless(distinct: bool) -> Repeats {
        if distinct { Repeats::Never } else { Repeats::Maybe }
    }
}

/// A dense numbering of a game's states: a formula from states to 0..`len` and back.
///
/// With it no state is hashed, and only the value of a state is stored. `index` may fold
/// symmetries: several states may share an index, and `unindex` gives the canonical one of them.
///
/// ```
/// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
/// # use retrograde::{Game, Indexed, Solver, Value, scheme};
/// # struct Nim { counters: u64 }
/// # impl Game for Nim { rules_of_nim!(); }
/// impl Indexed for Nim {
///     fn len(&self) -> u64 {
///         self.counters + 1
///     }
///
///     fn index(&self, &heap: &u64) -> u64 {
///         heap
///     }
///
///     fn unindex(&self, index: u64) -> Option<u64> {
///         Some(index)
///     }
/// }
/// # let game = Nim { counters: 21 };
/// let solution = Solver::new(&game).solve_as::<scheme::Dense>()?;
/// assert_eq!(solution.index_and_value(&5)?, (5, Value::Win(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Indexed: Game {
    /// How many indices there are, unused ones included.
    fn len(&self) -> u64;

    /// Whether there are no indices.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of a state of the game: below [`len`](Indexed::len).
    fn index(&self, state: &Self::State) -> u64;

    /// The canonical state of an index below [`len`](Indexed::len), or `None` for an unused index,
    /// which has no state.
    fn unindex(&self, index: u64) -> Option<Self::State>;

    /// Visits the states of a range of indices in ascending order, each with its index, and leaves
    /// out unused indices. Passes over all states call it. A game may override it where the next
    /// state is found faster than by [`unindex`](Indexed::unindex).
    ///
    /// ```
    /// # mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use games::Nim;
    /// use retrograde::Indexed;
    ///
    /// let game = Nim { counters: 21 };
    /// assert!(!game.is_empty());
    /// let mut last = Vec::new();
    /// game.states(20..game.len(), |index, heap| last.push((index, heap)));
    /// assert_eq!(last, [(20, 20), (21, 21)]);
    /// ```
    #[inline]
    fn states(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Self::State)) {
        for index in indices {
            if let Some(state) = self.unindex(index) {
                visit(index, state);
            }
        }
    }

    /// Whether [`predecessor_indices`](Indexed::predecessor_indices) is written. Few games need it.
    const PREDECESSOR_INDICES: bool = false;

    /// Visits the index of every state that has a move to `state`, and who is to move there: what
    /// [`predecessors`](Game::predecessors) visits, by index. The turn is ignored where states do not
    /// say who is to move ([`Players::Unnamed`]).
    ///
    /// A game overrides it, and sets [`PREDECESSOR_INDICES`](Indexed::PREDECESSOR_INDICES), where
    /// making each state and then finding its index costs much: where symmetries are folded, the
    /// pieces that do not move are folded once for all predecessors
    /// ([`Folded::fold_lead`](crate::index::Folded::fold_lead)). It returns whether indices that it visited
    /// may repeat, which [`laws::check`](crate::laws::check) checks.
    ///
    /// ```
    /// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use retrograde::{Game, Indexed, Player, Repeats, laws::Laws, scheme};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim {
    /// # rules_of_nim!();
    /// #     const PREDECESSORS: bool = true;
    /// #     const DISTINCT: bool = true;
    /// #     fn predecessors(&self, &heap: &u64, visit: impl FnMut(u64)) {
    /// #         (heap + 1..=self.counters.min(heap + 3)).for_each(visit);
    /// #     }
    /// # }
    /// impl Indexed for Nim {
    /// # indices_of_nim!();
    ///     const PREDECESSOR_INDICES: bool = true;
    ///
    ///     fn predecessor_indices(&self, &heap: &u64, mut visit: impl FnMut(u64, Player)) -> Repeats {
    ///         let last = self.counters.min(heap + 3);
    ///         (heap + 1..=last).for_each(|index| visit(index, Player::First));
    ///         Repeats::Never
    ///     }
    /// }
    /// # let game = Nim { counters: 21 };
    /// assert!(Laws::new(&game).check_as::<scheme::Dense>().is_ok());
    /// ```
    #[inline]
    fn predecessor_indices(
        &self,
        state: &Self::State,
        mut visit: impl FnMut(u64, Player),
    ) -> Repeats {
        self.predecessors(state, |before| visit(self.index(&before), self.next_mover(&before)));
        Repeats::unless(Self::DISTINCT)
    }
}

/// One tier of a [`Tiered`] game: a set of states that moves leave only towards earlier tiers.
///
/// ```
/// # mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
/// # use games::TwoHeaps;
/// use retrograde::{Tier, Tiered};
///
/// // Nim with two heaps, whose tiers have the states with equally many counters.
/// let tiers = TwoHeaps { heaps: [1, 2] }.tiers();
/// assert_eq!(tiers.len(), 4);
/// assert_eq!(tiers[2], Tier { name: "2-left".into(), leads_to: vec![0, 1] });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// The name of the tier, and of its table's file: letters, digits, `-`, `_`, `+` and `.`, the
    /// first a letter or digit.
    pub name: String,
    /// The other tiers that moves lead to, by their places in the solving order, each before this
    /// one.
    pub leads_to: Vec<usize>,
}

/// A game whose states are cut into tiers, which are solved one after the other. Only one tier and
/// those that its moves lead to have to be in memory.
///
/// The states of a tier are indexed by a formula ([`TierIndexed`]), or discovered and packed
/// ([`PackedState`]): [`scheme::Tiers`](crate::scheme::Tiers) has both.
///
/// Methods name a tier by its place in [`tiers`](Tiered::tiers). Typical tiers are the material on a
/// chessboard, or the number of stones.
///
/// ```
/// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
/// # use retrograde::{Game, Tier, Tiered};
/// # struct TwoHeaps { heaps: [u64; 2] }
/// # impl Game for TwoHeaps { rules_of_two_heaps!(); }
/// impl Tiered for TwoHeaps {
///     fn tiers(&self) -> Vec<Tier> {
///         let tier = |sum| Tier { name: format!("{sum}-left"), leads_to: (0..sum).collect() };
///         (0..=self.tier(&self.heaps)).map(tier).collect()
///     }
///
///     fn tier(&self, &[a, b]: &[u64; 2]) -> usize {
///         (a + b) as usize
///     }
/// }
///
/// assert_eq!(TwoHeaps { heaps: [3, 3] }.tiers().len(), 7);
/// ```
pub trait Tiered: Game {
    /// The tiers in solving order: moves from a tier stay in it, or lead to earlier ones.
    fn tiers(&self) -> Vec<Tier>;

    /// The tier of a state.
    fn tier(&self, state: &Self::State) -> usize;

    /// Whether [`tier_predecessors`](Tiered::tier_predecessors) visits predecessors. By default
    /// it does where the game has [`Game::PREDECESSORS`]. A game that only computes predecessors
    /// inside a tier sets this to true, and leaves `Game::PREDECESSORS` false. Solved without its
    /// tiers, it is then solved like a game without predecessors.
    const TIER_PREDECESSORS: bool = Self::PREDECESSORS;

    /// Promises what [`DISTINCT`](Game::DISTINCT) does, for the moves and the predecessors that stay
    /// in a tier alone. By default, as `DISTINCT` says.
    const TIER_DISTINCT: bool = Self::DISTINCT;

    /// Visits every state of the tier `tier` that has a move to `state`, which is in that tier too.
    /// As in [`Game::predecessors`], terminal and undiscovered states and those of unused indices
    /// may be visited. By default it visits those of all predecessors that are in the tier.
    #[inline]
    fn tier_predecessors(
        &self,
        tier: usize,
        state: &Self::State,
        mut visit: impl FnMut(Self::State),
    ) {
        self.predecessors(state, |before| {
            if self.tier(&before) == tier {
                visit(before);
            }
        });
    }

    /// Visits the state after each exit of `state`, which is a legal move that leaves its tier,
    /// `tier`. A game may override it where exits, such as captures, are found faster than by
    /// listing all moves. Never called for a terminal state.
    ///
    /// ```
    /// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
    /// # use retrograde::{Game, PackedState, Tiered, laws::Laws, scheme};
    /// # struct TwoHeaps { heaps: [u64; 2] }
    /// # impl Game for TwoHeaps { rules_of_two_heaps!(); }
    /// impl Tiered for TwoHeaps {
    /// # tiers_of_two_heaps!();
    ///     /// Each move takes counters, so none stays in a tier.
    ///     fn exits(&self, _: usize, heaps: &[u64; 2], visit: impl FnMut([u64; 2])) {
    ///         self.moves(heaps, visit);
    ///     }
    ///
    ///     fn tier_degree(&self, _: usize, _: &[u64; 2]) -> Option<u64> {
    ///         Some(0)
    ///     }
    ///
    ///     const TIER_PREDECESSORS: bool = true;
    ///
    ///     fn tier_predecessors(&self, _: usize, _: &[u64; 2], _: impl FnMut([u64; 2])) {}
    /// }
    /// # impl PackedState for TwoHeaps {
    /// #     type Word = u64;
    /// #     fn pack(&self, &[a, b]: &[u64; 2]) -> u64 { a << 32 | b }
    /// #     fn unpack(&self, word: u64) -> [u64; 2] { [word >> 32, word & 0xFFFF_FFFF] }
    /// # }
    /// # let game = TwoHeaps { heaps: [3, 3] };
    /// assert!(Laws::new(&game).check_as::<scheme::Tiers<scheme::Packed>>().is_ok());
    /// ```
    #[inline]
    fn exits(&self, tier: usize, state: &Self::State, mut visit: impl FnMut(Self::State)) {
        self.moves(state, |next| {
            if self.tier(&next) != tier {
                visit(next);
            }
        });
    }

    /// How many distinct indices of the tier `tier` the moves from a state of that tier lead to, if
    /// the game knows that without listing them. It is to a tier what [`Game::degree`] is to a
    /// whole game. Never called for a terminal state.
    #[inline]
    fn tier_degree(&self, tier: usize, state: &Self::State) -> Option<u64> {
        let _ = (tier, state);
        None
    }
}

/// A dense numbering of the states of each tier of a game: a formula to 0..`tier_len` and back. It
/// is to a tier what [`Indexed`] is to a whole game.
///
/// ```
/// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
/// # use retrograde::{Game, Solver, TierIndexed, Tiered, Value, scheme};
/// # struct TwoHeaps { heaps: [u64; 2] }
/// # impl Game for TwoHeaps { rules_of_two_heaps!(); }
/// # impl Tiered for TwoHeaps { tiers_of_two_heaps!(); }
/// impl TierIndexed for TwoHeaps {
///     fn tier_len(&self, tier: usize) -> u64 {
///         tier as u64 + 1
///     }
///
///     fn tier_index(&self, _: usize, &[a, _]: &[u64; 2]) -> u64 {
///         a
///     }
///
///     fn tier_unindex(&self, tier: usize, a: u64) -> Option<[u64; 2]> {
///         Some([a, tier as u64 - a])
///     }
/// }
/// # let game = TwoHeaps { heaps: [3, 3] };
/// let solution = Solver::new(&game).solve_as::<scheme::Tiers<scheme::Dense>>()?;
/// assert_eq!(solution.value(&[3, 1])?, Value::Win(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait TierIndexed: Tiered {
    /// How many indices a tier has, unused ones included.
    fn tier_len(&self, tier: usize) -> u64;

    /// The index of a state in its tier `tier`: below [`tier_len`](TierIndexed::tier_len). As in
    /// [`Indexed::index`], states that are the same by symmetry may share an index.
    fn tier_index(&self, tier: usize, state: &Self::State) -> u64;

    /// The canonical state of an index of a tier, or `None` for an unused index.
    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Self::State>;

    /// Visits the states of a range of a tier's indices in ascending order, each with its index, and
    /// leaves out unused indices. A game may override it where the next state is found faster than by
    /// [`tier_unindex`](TierIndexed::tier_unindex).
    #[inline]
    fn tier_states(
        &self,
        tier: usize,
        indices: Range<u64>,
        mut visit: impl FnMut(u64, Self::State),
    ) {
        for index in indices {
            if let Some(state) = self.tier_unindex(tier, index) {
                visit(index, state);
            }
        }
    }

    /// Whether [`tier_predecessor_indices`](TierIndexed::tier_predecessor_indices) is written.
    const TIER_PREDECESSOR_INDICES: bool = false;

    /// Visits the index in the tier `tier` of every state of that tier that has a move to `state`,
    /// which is in it too, and who is to move there. It is to
    /// [`tier_predecessors`](Tiered::tier_predecessors) what [`Indexed::predecessor_indices`] is
    /// to [`Game::predecessors`].
    #[inline]
    fn tier_predecessor_indices(
        &self,
        tier: usize,
        state: &Self::State,
        mut visit: impl FnMut(u64, Player),
    ) -> Repeats {
        self.tier_predecessors(tier, state, |before| {
            visit(self.tier_index(tier, &before), self.next_mover(&before));
        });
        Repeats::unless(Self::TIER_DISTINCT)
    }

    /// Whether [`tier_successor_indices`](TierIndexed::tier_successor_indices) is written. Few games need it:
    /// chess and the morris family do, since verifying them spends most of its time on moves.
    const TIER_SUCCESSOR_INDICES: bool = false;

    /// Visits what each legal move from a state of the tier `tier` leads to: successors in that tier by
    /// their indices. A game overrides it where it computes indices without making the states. Never
    /// called for a terminal state.
    ///
    /// With [`TIER_SUCCESSOR_INDICES`](TierIndexed::TIER_SUCCESSOR_INDICES), [`Table::verify`](crate::Table::verify)
    /// uses it instead of [`moves`](Game::moves), and [`laws::check`](crate::laws::check) compares the two.
    #[inline]
    fn tier_successor_indices(
        &self,
        tier: usize,
        state: &Self::State,
        visitor: &mut impl VisitSuccessors<Self::State>,
    ) {
        self.moves(state, |next| match self.tier(&next) == tier {
            true => visitor.stay(self.tier_index(tier, &next), self.next_mover(&next)),
            false => visitor.leave(next),
        });
    }

    /// The length of a run of a tier's indices, a power of two: from 0 on, the indices are cut into
    /// runs of so many. Where the successors of a state are in few runs, a game overrides it, and
    /// `tier_successor_indices` leaves out runs that do not matter ([`VisitSuccessors::run_matters`]). Runs
    /// of fewer than 1,024 indices are too short to be of use.
    #[inline]
    fn run_len(&self, tier: usize) -> u64 {
        let _ = tier;
        1
    }
}

/// A game whose states pack into 8 or 16 bytes. Discovered states then take that much memory, and
/// are found faster than by hashing: see [`scheme::Packed`](crate::scheme::Packed).
///
/// ```
/// # #[macro_use] mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
/// # use retrograde::{Game, PackedState, Solver, scheme};
/// # struct TwoHeaps { heaps: [u64; 2] }
/// # impl Game for TwoHeaps { rules_of_two_heaps!(); }
/// impl PackedState for TwoHeaps {
///     type Word = u64;
///
///     fn pack(&self, &[a, b]: &[u64; 2]) -> u64 {
///         a << 32 | b
///     }
///
///     fn unpack(&self, word: u64) -> [u64; 2] {
///         [word >> 32, word & 0xFFFF_FFFF]
///     }
/// }
/// # let game = TwoHeaps { heaps: [3, 3] };
/// assert!(game.is_packed(game.pack(&[3, 1])));
/// assert_eq!(Solver::new(&game).solve_as::<scheme::Packed>()?.summary().states(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PackedState: Game {
    /// The type of a packed state: `u64`, or `u128` where some parameters of the game need more
    /// than 64 bits.
    type Word: Word;

    /// Whether all states of this game, with its parameters, fit into 64 bits, so that 8 bytes a
    /// state are enough. Called only where [`Word`](PackedState::Word) is `u128`. A state that does not
    /// fit after all is an error when it is discovered.
    fn fits_u64(&self) -> bool {
        false
    }

    /// The packed form of a state. Different states have different packed forms.
    ///
    /// States that are close in play should be close in the order of their packed forms, where that
    /// is possible: what changes rarely belongs in the high bits.
    fn pack(&self, state: &Self::State) -> Self::Word;

    /// The state with this packed form, which [`pack`](PackedState::pack) made.
    fn unpack(&self, packed: Self::Word) -> Self::State;

    /// Whether [`pack`](PackedState::pack) makes this word of some state that the rules can be asked about. Tables
    /// are not to be trusted, so that words from files are asked about first. By default the word is unpacked
    /// and packed again, which any word has to stand.
    fn is_packed(&self, word: Self::Word) -> bool {
        self.pack(&self.unpack(word)) == word
    }
}
