//! Games that are solved tier by tier.

use std::collections::HashMap;
use std::ops::Range;

#[cfg(doc)]
use crate::game::Indexed;
use crate::game::{Game, NoRows, Player, Repeats, Rows, Turns, VisitSuccessors};

/// One tier of a [`Tiered`] game: a set of states that moves leave only towards earlier tiers.
///
/// ```
/// # use kit::games::TwoHeaps;
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
    /// first a letter or digit. No other tier has this name, in capitals or not, since some disks do not
    /// tell them apart. None is called `manifest`, as the file that lists the tiers.
    pub name: String,
    /// The other tiers that moves lead to, by their places in the solving order, each before this
    /// one.
    pub leads_to: Vec<usize>,
}

/// Says which tier can't have its name, and why: see [`Tier::name`]. `None` if all can.
pub(crate) fn wrong_name(tiers: &[Tier]) -> Option<String> {
    let mut known = HashMap::new();
    tiers.iter().find_map(|Tier { name, .. }| {
        let wrong = match known.insert(name.to_ascii_lowercase(), name) {
            Some(other) if other == name => return Some(format!("two tiers are called {name}")),
            Some(other) => {
                format!("another is called \"{other}\", which is the same file on some disks")
            }
            None if !is_tier_name(name) => {
                "expected letters, digits, -, _, + and ., the first a letter or digit".into()
            }
            None if name.eq_ignore_ascii_case("manifest") => {
                "that is the file that lists the tiers".into()
            }
            None => return None,
        };
        Some(format!("a tier can't be called \"{name}\": {wrong}"))
    })
}

/// Whether a tier can have this name, by its characters: see [`Tier::name`].
pub(crate) fn is_tier_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_+.".contains(c))
}

/// A game whose states are cut into tiers, which are solved one after the other. Only one tier and
/// those that its moves lead to have to be in memory.
///
/// The states of a tier are indexed by a formula ([`TierIndexed`]), or discovered and packed
/// ([`PackedState`](crate::PackedState)): [`scheme::Tiers`](crate::scheme::Tiers) has both.
///
/// Methods name a tier by its place in [`tiers`](Tiered::tiers). Typical tiers are the material on a
/// chessboard, or the number of stones.
///
/// ```
/// # use retrograde::{Game, Tier, Tiered};
/// # struct TwoHeaps { heaps: [u64; 2] }
/// # impl Game for TwoHeaps { kit::rules_of_two_heaps!(); }
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
///
/// A tier that all moves leave is solved in one pass, by one process and if a formula indexes its states.
/// The engine notices that. For other tiers, a game that tells more is solved faster. Here, every move
/// takes counters, so none stays in a tier:
///
/// ```
/// # use retrograde::{Game, PackedState, Tiered, laws::Laws, scheme};
/// # struct TwoHeaps { heaps: [u64; 2] }
/// # impl Game for TwoHeaps { kit::rules_of_two_heaps!(); }
/// impl Tiered for TwoHeaps {
/// # kit::tiers_of_two_heaps!();
///     const TIER_PREDECESSORS: bool = true;
///
///     fn tier_predecessors(&self, _: usize, _: &[u64; 2], _: impl FnMut([u64; 2])) {}
///
///     fn exits(&self, _: usize, heaps: &[u64; 2], visit: impl FnMut([u64; 2])) {
///         self.moves(heaps, visit);
///     }
///
///     fn tier_degree(&self, _: usize, _: &[u64; 2]) -> Option<u64> {
///         Some(0)
///     }
/// }
/// # impl PackedState for TwoHeaps {
/// #     type Word = u64;
/// #     fn pack(&self, &[a, b]: &[u64; 2]) -> u64 { a << 32 | b }
/// #     fn unpack(&self, word: u64) -> [u64; 2] { [word >> 32, word & 0xFFFF_FFFF] }
/// # }
/// # let game = TwoHeaps { heaps: [3, 3] };
/// assert!(Laws::new(&game).check_as::<scheme::Tiers<scheme::Packed>>().is_ok());
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
    /// only in a tier. By default, as `DISTINCT` says.
    const TIER_DISTINCT: bool = Self::DISTINCT;

    /// Visits every state of the tier `tier` that has a move to `state`, which is in that tier too.
    /// As in [`Game::predecessors`], terminal states, undiscovered states and states of unused indices
    /// may be visited. By default it visits all predecessors that are in the tier.
    #[inline]
    fn tier_predecessors(
        &self,
        tier: usize,
        state: &Self::State,
        mut visit: impl FnMut(Self::State),
    ) {
        const {
            assert!(
                Self::PREDECESSORS || !Self::TIER_PREDECESSORS,
                "`TIER_PREDECESSORS` is true: write `Tiered::tier_predecessors`, too"
            );
        }
        self.predecessors(state, |before| {
            if self.tier(&before) == tier {
                visit(before);
            }
        });
    }

    /// Visits the state after each exit of `state`, which is a legal move that leaves its tier,
    /// `tier`. A game may override it where exits, such as captures, are found faster than by
    /// listing all moves. Never called for a terminal state.
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
/// # use retrograde::{Game, Solver, TierIndexed, Tiered, Value, scheme};
/// # struct TwoHeaps { heaps: [u64; 2] }
/// # impl Game for TwoHeaps { kit::rules_of_two_heaps!(); }
/// # impl Tiered for TwoHeaps { kit::tiers_of_two_heaps!(); }
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
    ///
    /// ```
    /// # use kit::games::TwoHeaps;
    /// use retrograde::TierIndexed;
    ///
    /// let mut states = Vec::new();
    /// let game = TwoHeaps { heaps: [3, 3] };
    /// game.tier_states(2, 0..game.tier_len(2), |index, heaps| states.push((index, heaps)));
    /// assert_eq!(states, [(0, [0, 2]), (1, [1, 1]), (2, [2, 0])]);
    /// ```
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
        const {
            assert!(
                !Self::TIER_PREDECESSOR_INDICES,
                "`TIER_PREDECESSOR_INDICES` is true: write `TierIndexed::tier_predecessor_indices`, too"
            );
        }
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
    /// uses it instead of [`moves`](Game::moves), and so does the solve of a tier that all moves leave.
    /// [`laws::check`](crate::laws::check) compares the two.
    #[inline]
    fn tier_successor_indices(
        &self,
        tier: usize,
        state: &Self::State,
        visitor: &mut impl VisitSuccessors<Self::State>,
    ) {
        const {
            assert!(
                !Self::TIER_SUCCESSOR_INDICES,
                "`TIER_SUCCESSOR_INDICES` is true: write `TierIndexed::tier_successor_indices`, too"
            );
        }
        self.moves(state, |next| match self.tier(&next) == tier {
            true => visitor.stay(self.tier_index(tier, &next), self.next_mover(&next)),
            false => visitor.leave(next),
        });
    }

    /// The moves of a tier by [rows](Rows) of 64 indices, where the game tells of them. In a row one piece may
    /// stand on each of 64 squares in turn, and a step of another piece leads from all of them to another row.
    /// Chess endings take a quarter to a half of the time by rows. By default there are none.
    ///
    /// Used by one process that has room for three bits an index more, where endless play is a draw, play has no
    /// points, and no play stops one ply before its end. [`laws::check`](crate::laws::check) compares rows with moves.
    ///
    /// ```
    /// use retrograde::{Player, Row, Rows};
    ///
    /// /// A token that steps around a ring of 64 places, and the player who moves it: rows 0 and 1.
    /// struct Ring;
    ///
    /// impl Rows for Ring {
    ///     fn row(&self, row: u64) -> Option<Row> {
    ///         Some(Row { states: u64::MAX, turn: Player::BOTH[row as usize] })
    ///     }
    ///
    ///     fn predecessors(&self, row: u64, states: u64, mut visit: impl FnMut(u64, u64)) {
    ///         visit(1 - row, states.rotate_right(1));
    ///     }
    ///
    ///     fn without_step_to(&self, row: u64, states: u64, mut targets: impl FnMut(u64) -> u64) -> u64 {
    ///         states & !targets(1 - row).rotate_right(1)
    ///     }
    ///
    ///     /// No move leaves the ring.
    ///     fn exits(&self, _: u64, _: u64, _: impl FnMut(u64, usize, u64)) {}
    /// }
    ///
    /// let mut before = Vec::new();
    /// Ring.predecessors(0, 1 << 5, |row, states| before.push((row, states)));
    /// assert_eq!(before, [(1, 1 << 4)]);
    /// assert_eq!(Ring.without_step_to(1, u64::MAX, |_| 1 << 5), !(1 << 4));
    /// ```
    fn tier_rows(&self, tier: usize) -> Option<impl Rows> {
        let _ = tier;
        None::<NoRows>
    }

    /// The length of a run of a tier's indices, a power of two: from 0 on, the indices are cut into
    /// runs of this length. Where the successors of a state are in few runs, a game overrides it, and
    /// `tier_successor_indices` leaves out runs that do not matter ([`VisitSuccessors::run_matters`]). Runs
    /// of fewer than 1,024 indices are too short to be of use.
    #[inline]
    fn run_len(&self, tier: usize) -> u64 {
        let _ = tier;
        1
    }
}
