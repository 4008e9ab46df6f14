//! One cell, and the effect of updates on it.

use std::sync::Mutex;

use bytemuck::Pod;
use hashbrown::HashMap;

use crate::game::value::{DRAW, LOSS, WIN};

/// A cell of one width.
pub(crate) trait Cell: Pod + Eq + Send + Sync {
    /// The highest count of open successors: the state has this number or more. [`OverflowCounts`]
    /// stores the rest. Open cells are 1..=`SATURATED`; an unused index is 0.
    const SATURATED: Self;
    /// [`SATURATED`](Cell::SATURATED) as a `u64`.
    const HIGHEST_COUNT: u64;
    /// Whether there is a wider cell.
    const CAN_WIDEN: bool;

    /// The cell of an open state with `degree` open successors.
    fn open(degree: u64) -> Self;

    /// The cell of a state where play is over, by its packed value, whose distance is 0 or 1.
    fn ended(packed: u16) -> Self;

    /// The cell with a code that `Cells::code` returned.
    fn of_code(code: u16) -> Self;

    /// Whether the state's value is not known yet.
    fn is_open(self) -> bool;

    /// An open cell with one successor fewer; with none left it equals an unused index. The result
    /// for other cells is not [countable](Cell::is_countable).
    fn less_one(self) -> Self;

    /// Whether this is [`less_one`](Cell::less_one) of an open cell below
    /// [`SATURATED`](Cell::SATURATED).
    fn is_countable(self) -> bool;
}

macro_rules! cell {
    ($cell:ty, $saturated:expr, $can_widen:expr, $ended:expr) => {
        impl Cell for $cell {
            const SATURATED: $cell = $saturated;
            const HIGHEST_COUNT: u64 = $saturated as u64;
            const CAN_WIDEN: bool = $can_widen;

            #[inline]
            fn open(degree: u64) -> $cell {
                degree.min(Self::HIGHEST_COUNT) as $cell
            }

            #[inline]
            fn ended(packed: u16) -> $cell {
                $ended(packed)
            }

            #[inline]
            fn of_code(code: u16) -> $cell {
                code as $cell
            }

            #[inline]
            fn is_open(self) -> bool {
                self.wrapping_sub(1) < Self::SATURATED
            }

            #[inline]
            fn is_countable(self) -> bool {
                self < Self::SATURATED - 1
            }

            #[inline]
            fn less_one(self) -> $cell {
                self.wrapping_sub(1)
            }
        }
    };
}

// Only games without points have cells of this width while play is not over.
cell!(u8, 63, true, |end| match end {
    WIN => 64,
    LOSS => 65,
    DRAW => 66,
    _ if end < LOSS => 67,
    _ if end < DRAW => 68,
    _ => 69,
});
cell!(u16, WIN - 1, false, |end| end);

/// The number of open successors beyond the count in a cell, by index. Few states have more
/// successors than [`Cell::SATURATED`].
#[derive(Debug, Default)]
pub(crate) struct OverflowCounts(pub(super) Mutex<HashMap<u64, u64>>);

impl OverflowCounts {
    pub(crate) fn new(entries: impl IntoIterator<Item = (u64, u64)>) -> OverflowCounts {
        OverflowCounts(Mutex::new(entries.into_iter().collect()))
    }

    /// Adds entries for states that have none yet.
    pub(crate) fn extend(&mut self, entries: impl IntoIterator<Item = (u64, u64)>) {
        self.entries().extend(entries);
    }

    /// The number of entries.
    pub(crate) fn count(&self) -> usize {
        self.entries().len()
    }

    /// The entries, in ascending order.
    pub(crate) fn listed(&self) -> Vec<(u64, u64)> {
        let mut listed: Vec<_> = self.entries().iter().map(|(&key, &more)| (key, more)).collect();
        listed.sort_unstable();
        listed
    }

    pub(in crate::solve) fn entries(&self) -> std::sync::MutexGuard<'_, HashMap<u64, u64>> {
        // A panic elsewhere ends the run anyway.
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Takes one from the overflow count of a state; `false` if the state has none.
    fn take_one(&self, index: u64) -> bool {
        let mut entries = self.entries();
        let Some(count) = entries.get_mut(&index) else { return false };
        *count -= 1;
        if *count == 0 {
            entries.remove(&index);
        }
        true
    }
}

/// The cells that one level writes for the states that it settles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelCodes<C> {
    /// For states that any one settled successor settles.
    pub(crate) any: C,
    /// For states that are settled once all their successors are.
    pub(crate) all: C,
}

/// The data that a level needs to apply updates to cells.
#[derive(Clone, Copy)]
pub(crate) struct Settling<'b, C> {
    pub(crate) codes: LevelCodes<C>,
    pub(crate) overflow: &'b OverflowCounts,
}

/// The effect of an update on a state. An update reports that one successor of the state is
/// settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Update {
    /// It settled nothing: the state waits for more updates, was settled before, or is an unused
    /// index.
    Nothing,
    /// It settled the state.
    Settled,
    /// It is not applied yet, because the state may have more open successors than its cell can
    /// count: [`Settling::apply_saturated`] applies it.
    Saturated,
}

impl<C: Cell> Settling<'_, C> {
    /// Updates the cell of a state one of whose successors is settled. With `any`, this settles an
    /// open state. Otherwise, only the last open successor settles the state, and any other lowers
    /// the count.
    ///
    /// This function calls nothing, not even rarely, so that the loops around it keep their
    /// variables in registers.
    #[inline(always)]
    pub(crate) fn apply(&self, cell: &mut C, any: bool) -> Update {
        let less = cell.less_one();
        if !less.is_countable() {
            return if *cell == C::SATURATED { Update::Saturated } else { Update::Nothing };
        }
        self.take_one(cell, less, any)
    }

    /// Updates the cell of a state that may be saturated; see [`apply`](Settling::apply). Never
    /// returns [`Update::Saturated`].
    #[cold]
    pub(crate) fn apply_saturated(&self, cell: &mut C, any: bool, index: u64) -> Update {
        match self.apply(cell, any) {
            Update::Saturated if !any && self.overflow.take_one(index) => Update::Nothing,
            Update::Saturated => self.take_one(cell, cell.less_one(), any),
            update => update,
        }
    }

    #[inline(always)]
    fn take_one(&self, cell: &mut C, less: C, any: bool) -> Update {
        if !any && less != C::zeroed() {
            *cell = less;
            return Update::Nothing;
        }
        *cell = if any { self.codes.any } else { self.codes.all };
        Update::Settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::value::{LOSS, WIN};

    /// The cell of a state with `degree` successors, updated for all but the last.
    fn all_but_the_last<C: Cell>(degree: u64, settling: Settling<'_, C>) -> C {
        let mut cell = C::open(degree);
        for _ in 1..degree {
            assert_eq!(settling.apply_saturated(&mut cell, false, 5), Update::Nothing);
        }
        cell
    }

    #[test]
    fn a_state_with_more_successors_than_a_cell_can_count_is_counted_to_the_last() {
        for degree in [1, 62, 63, 64, 65, 16_382, 16_383, 16_384, 70_000] {
            let overflow =
                |most: u64| OverflowCounts::new((degree > most).then(|| (5, degree - most)));
            let codes = LevelCodes { any: 100_u8, all: 101 };
            let settling = Settling { codes, overflow: &overflow(63) };
            let mut cell = all_but_the_last(degree, settling);
            let last = settling.apply_saturated(&mut cell, false, 5);
            assert_eq!(last, Update::Settled, "degree {degree}");
            assert_eq!(cell, 101);
            let codes = LevelCodes { any: WIN + 7, all: LOSS + 7 };
            let settling = Settling { codes, overflow: &overflow(16_383) };
            let mut cell = all_but_the_last(degree, settling);
            let last = settling.apply_saturated(&mut cell, false, 5);
            assert_eq!(last, Update::Settled, "degree {degree}");
            assert_eq!(cell, LOSS + 7);
        }
    }

    #[test]
    fn only_open_cells_are_settled() {
        let codes = LevelCodes { any: 100_u8, all: 101 };
        let settling = Settling { codes, overflow: &OverflowCounts::default() };
        for closed in [0, 64, 65, 255] {
            for any in [true, false] {
                let mut cell = closed;
                assert_eq!(settling.apply(&mut cell, any), Update::Nothing);
                assert_eq!(cell, closed);
            }
        }
        let mut cell = 2;
        assert_eq!(settling.apply(&mut cell, true), Update::Settled);
        assert_eq!(cell, 100);
    }
}
