//! The first pass by moves that were recorded while the states were discovered.

use crate::error::SolveError;
use crate::explore::{IndexedMoves, KeyedMoves, Said};
use crate::game::preference::{Preference, for_chooser};
use crate::game::{Game, Player};
use crate::numbering::Numbering;
use crate::numbering::discovered::Location;
use crate::solve::cells::cell::Cell;
use crate::solve::graph::first_pass::Initializer;
use crate::solve::graph::links::{Link, Neighbours};

/// How many records ahead a record is prefetched.
const RECORDS_AHEAD: u64 = 16;

impl<C: Cell> Initializer<'_, '_, '_, C> {
    /// Opens a state that is counted already, or settles it if play is over, by its record.
    #[inline]
    pub(super) fn recall<N: Numbering>(
        &mut self,
        numbering: &N,
        recorded: &IndexedMoves,
        index: u64,
        neighbours: &mut Neighbours,
    ) -> Result<(), SolveError> {
        recorded.prefetch(index + RECORDS_AHEAD);
        recorded.prefetch_moves(index + RECORDS_AHEAD / 4);
        let mover = recorded.mover(index);
        self.counts.states[mover.index()] += 1;
        neighbours.clear();
        let preference = Preference::new(mover, numbering.game().endless());
        let (mut best, mut leaves, mut is_known) = (None, false, true);
        let said = recorded.each_move(index, |tier, index, same_mover| match tier {
            None => neighbours.links.push(Link { index, same_mover }),
            Some(tier) => {
                leaves = true;
                match numbering.outside_at(tier, index) {
                    Some(value) => {
                        let value = for_chooser(value, same_mover);
                        best = Some(preference.better(best, value));
                    }
                    None => is_known = self.exits_are_known,
                }
            }
        });
        if said == Said::Open && is_known && !self.exits_are_known {
            self.incoming.add_exit(index, best, preference);
        }
        let exits = is_known.then_some(u64::from(leaves));
        self.take(numbering, said, (index, mover), exits, neighbours)
    }

    /// [`recall`](Initializer::recall), if several processes share the states. Keys then name the
    /// states to which moves lead.
    #[inline]
    pub(super) fn recall_by_keys<N: Numbering>(
        &mut self,
        numbering: &N,
        recorded: &KeyedMoves,
        index: u64,
        neighbours: &mut Neighbours,
    ) -> Result<(), SolveError> {
        recorded.prefetch(index + RECORDS_AHEAD);
        let mover = recorded.mover(index);
        self.counts.states[mover.index()] += 1;
        neighbours.clear();
        let keys = numbering.find_keys().filter(|_| N::CAN_BE_SHARED);
        let (mut leaves, mut is_known) = (false, true);
        let said = recorded.each_move(index, |tier, key, same_mover| match tier {
            None => {
                let place = keys.map_or(Location::Nowhere, |keys| keys.locate(key));
                is_known &= neighbours.add(place, same_mover);
            }
            Some(_) => leaves = true,
        });
        is_known &= !leaves || self.exits_are_known;
        let exits = is_known.then_some(u64::from(leaves));
        self.take(numbering, said, (index, mover), exits, neighbours)
    }

    /// Opens or settles the state of an index, in which `mover` is to move, as recorded. `exits` is
    /// 1 if the state has exits, which count as one successor. It is `None` if this process does
    /// not know a recorded value; the rules are then asked, and yield the value or the error.
    #[inline]
    fn take<N: Numbering>(
        &mut self,
        numbering: &N,
        said: Said,
        (index, mover): (u64, Player),
        exits: Option<u64>,
        neighbours: &mut Neighbours,
    ) -> Result<(), SolveError> {
        match (said, exits) {
            (Said::Ended(value), _) => self.end(index, value, mover),
            (Said::Open, Some(exits)) => {
                if !N::DISTINCT {
                    neighbours.keep_distinct();
                }
                self.open(index, neighbours.len() as u64 + exits, neighbours);
            }
            (Said::Open | Said::Nothing, _) => {
                if let Some(state) = numbering.state(index) {
                    self.slow_path(numbering, index, &state, neighbours)?;
                }
            }
        }
        Ok(())
    }
}
