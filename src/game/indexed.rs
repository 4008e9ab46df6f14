//! A formula that numbers the states of a game.

use std::ops::Range;

use crate::game::{Game, Player, Turns};

/// Whether the indices that a game visits for one state may repeat: see
/// [`Indexed::predecessor_indices`].
///
/// ```
/// # use kit::games::Nim;
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
/// # use retrograde::{Game, Indexed, Solver, Value, scheme};
/// # struct Nim { counters: u64 }
/// # impl Game for Nim { kit::rules_of_nim!(); }
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
    /// # use kit::games::Nim;
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
    /// say who is to move ([`Players::Unnamed`](crate::Players::Unnamed)).
    ///
    /// A game overrides it, and sets [`PREDECESSOR_INDICES`](Indexed::PREDECESSOR_INDICES), where
    /// making each state and then finding its index costs much: where symmetries are folded, the
    /// pieces that do not move are folded once for all predecessors
    /// ([`Folded::fold_lead`](crate::index::Folded::fold_lead)). It returns whether indices that it visited
    /// may repeat, which [`laws::check`](crate::laws::check) checks.
    ///
    /// ```
    /// # use retrograde::{Game, Indexed, Player, Repeats, laws::Laws, scheme};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim {
    /// # kit::rules_of_nim!();
    /// #     const PREDECESSORS: bool = true;
    /// #     const DISTINCT: bool = true;
    /// #     fn predecessors(&self, &heap: &u64, visit: impl FnMut(u64)) {
    /// #         (heap + 1..=self.counters.min(heap + 3)).for_each(visit);
    /// #     }
    /// # }
    /// impl Indexed for Nim {
    /// # kit::indices_of_nim!();
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
        const {
            assert!(
                !Self::PREDECESSOR_INDICES,
                "`PREDECESSOR_INDICES` is true: write `Indexed::predecessor_indices`, too"
            );
        }
        self.predecessors(state, |before| visit(self.index(&before), self.next_mover(&before)));
        Repeats::unless(Self::DISTINCT)
    }
}
