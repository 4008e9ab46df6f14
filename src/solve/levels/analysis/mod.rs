//! The analysis: pass after pass and level after level, with any way to compute a level. It is
//! compiled only once.

mod resume;

use crate::error::SolveError;
use crate::game::Player;
use crate::game::summary::Counts;
use crate::runtime::cuts::equal_cuts;
use crate::runtime::frontier::{CHUNK, Frontier};
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::solve::cells::Cells;
use crate::solve::cells::cell::LevelCodes;
use crate::solve::checkpoint::Checkpointing;
use crate::solve::checkpoint::snapshot::Ends;
use crate::solve::graph::incoming::{Incoming, Pass};
use crate::solve::graph::initial_state::InitialState;
use crate::solve::levels::applied::{Applied, PassKind};
use crate::solve::levels::step::{LevelCounts, Levels, Step};
use crate::solve::plan::MemoryNeeds;

/// The state of an analysis between two levels.
pub(crate) struct Analysis {
    /// Whether levels walk the frontier: [`Levels::walks`].
    walks: bool,
    /// The pass and the level that come next.
    pass: Pass,
    level: u32,
    cells: Cells,
    frontier: Frontier,
    /// The frontier of the level after `level`.
    next: Frontier,
    counts: Counts,
    incoming: Incoming,
    /// The number of states where play is over, or stops one ply early.
    ends: Vec<Ends>,
    /// The number of settled states.
    settled: u64,
    /// The number of all states.
    of: u64,
    /// `Some(true)` if the last level settled only wins, `Some(false)` if only losses. The next
    /// level then most likely settles only the other kind.
    uniform: Option<bool>,
}

impl Analysis {
    /// The analysis before its first level.
    pub(crate) fn begin(walks: bool, initial: InitialState) -> Result<Analysis, SolveError> {
        let InitialState { cells, frontier, early, mut counts, incoming, .. } = initial;
        let of = counts.states.iter().sum();
        let settled = counts.settled();
        let most = cells.scale().most_points();
        let [over, early_ends] = [0, 1].map(|distance| {
            let of_points = |points| counts.of_distance(points, distance);
            (0..=most).map(of_points).collect::<Vec<_>>()
        });
        let ends = over.into_iter().zip(early_ends);
        let ends = ends.map(|(over, early)| Ends { over, early }).collect();
        let [frontier, next] = if walks {
            // States of distance 1 are counted when they are walked.
            counts.reset(1);
            [frontier, early]
        } else {
            [Frontier::empty(cells.len())?, Frontier::empty(cells.len())?]
        };
        Ok(Analysis {
            walks,
            pass: Pass(most),
            level: 0,
            cells,
            frontier,
            next,
            counts,
            incoming,
            ends,
            settled,
            of,
            uniform: None,
        })
    }

    /// The size of the cells in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.cells.bytes()
    }

    /// The cells, to be changed only as long as they stay open or keep their values, and the values
    /// that have been applied.
    pub(crate) fn open_states(&mut self, endless_loser: Option<Player>) -> (&mut Cells, Applied) {
        let aim = match self.pass {
            Pass::DRAWN => PassKind::Drawn { endless_loser },
            _ => PassKind::Decided,
        };
        (&mut self.cells, Applied { aim, points: self.pass.0, plies: self.level })
    }

    /// Goes on with levels that walk the frontier, after levels that do not. The cells of open states
    /// have to count the moves that have not been applied.
    pub(crate) fn walk(&mut self, pool: &mut WorkerPool<'_>) -> Result<(), SolveError> {
        self.walks = true;
        // States are counted when they are walked.
        self.counts.reset_at(self.pass.0, self.level.max(1));
        (0..self.pass.0).for_each(|points| self.counts.reset_at(points, 1));
        self.fill_frontiers(pool)
    }

    /// The cells, and the number of states of each value.
    pub(crate) fn finish(self) -> (Cells, Counts) {
        (self.cells, self.counts)
    }

    /// Settles every state that can be settled. Returns false if the levels give way to others.
    /// `endless_loser` is the player who loses by endless play, if there is one.
    pub(crate) fn run(
        &mut self,
        levels: &mut dyn Levels,
        needs: &MemoryNeeds<'_>,
        endless_loser: Option<Player>,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<bool, SolveError> {
        let scale = self.cells.scale();
        // The first pass of a game without points has the frontiers of the first pass over the moves.
        let has_frontiers = !scale.has_points();
        while self.pass != Pass::DRAWN {
            if self.level == 0 && !has_frontiers {
                self.start_pass(pool)?;
            }
            if !self.pass(levels, needs, PassKind::Decided, checkpoints, pool)? {
                return Ok(false);
            }
            (self.pass, self.level) = (Pass(self.pass.0 - 1), 0);
            self.uniform = None;
            if self.pass == Pass::DRAWN {
                let Ends { over, early } = self.ends_of_pass();
                let is_empty = (over, early) == ([0; 2], [0; 2]);
                if is_empty && !self.has_incoming_draws(pool)? {
                    return Ok(true);
                }
                self.start_pass(pool)?;
            }
        }
        self.pass(levels, needs, PassKind::Drawn { endless_loser }, checkpoints, pool)
    }

    /// The ends of the pass.
    fn ends_of_pass(&self) -> Ends {
        self.ends.get(usize::from(self.pass.0)).copied().unwrap_or_default()
    }

    /// Fills the frontier with the ends of the pass, and the next one with the states where play stops
    /// one ply early, if levels walk them.
    fn start_pass(&mut self, pool: &mut WorkerPool<'_>) -> Result<(), SolveError> {
        let Ends { over, early } = self.ends_of_pass();
        if !self.walks || (over, early) == ([0; 2], [0; 2]) {
            return Ok(());
        }
        self.fill_frontiers(pool)
    }

    /// Fills the frontier with the states of the pass whose distance is the level, and the next one
    /// with those of the next distance.
    fn fill_frontiers(&mut self, pool: &mut WorkerPool<'_>) -> Result<(), SolveError> {
        let level = self.level;
        let [won, lost] = self.cells.scale().ends(self.pass.0).map(|end| end + level as u16);
        let (cells, len) = (&self.cells, self.cells.len());
        let size = Size::of_pass(len);
        let ends = equal_cuts(len, pool.threads(), CHUNK);
        let frontiers = self.frontier.whole().cut(&ends).into_iter();
        let tasks = frontiers.zip(self.next.whole().cut(&ends)).collect();
        let (settled, of) = (self.settled, self.of);
        let event = |_| Progress::Settling { level, settled, of, level_done: 0, level_of: len };
        pool.run(size, tasks, event, |((range, mut frontier), (_, mut next)), _| {
            for (index, place) in range.zip(0..) {
                let packed = cells.get(index as usize);
                if packed == won || packed == lost {
                    frontier.insert(place);
                } else if packed == won + 1 || packed == lost + 1 {
                    next.insert(place);
                }
            }
            Ok::<_, SolveError>(())
        })?;
        Ok(())
    }

    /// Computes level after level until nothing is left to settle in this pass, or the levels give
    /// way. Returns whether the pass is done.
    fn pass(
        &mut self,
        levels: &mut dyn Levels,
        needs: &MemoryNeeds<'_>,
        aim: PassKind,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<bool, SolveError> {
        let most_plies = self.cells.scale().most_plies();
        loop {
            let level = self.level;
            if self.lacks_codes() {
                self.check_widening(needs, checkpoints, pool)?;
            }
            let (counts, is_due) = self.level(levels, aim, checkpoints, pool)?;
            let mut settled = counts.all_settled();
            self.settled += settled;
            if level == 0 {
                settled += self.ends_of_pass().early.iter().sum::<u64>();
            }
            if settled > 0 && level >= most_plies {
                return Err(self.too_long());
            }
            // A level that settles nothing is the last one, unless exits have greater distances.
            self.level = if settled > 0 {
                level + 1
            } else {
                match self.next_incoming(level + 1, pool)? {
                    Some(distance) => distance - 1,
                    None => return Ok(true),
                }
            };
            std::mem::swap(&mut self.frontier, &mut self.next);
            if is_due {
                self.save(checkpoints, pool)?;
            }
            if levels.gives_way(&counts, pool) {
                return Ok(false);
            }
        }
    }

    /// The error for distances that do not fit.
    fn too_long(&self) -> SolveError {
        let scale = self.cells.scale();
        match scale.has_points() {
            false => SolveError::TooLong,
            true => SolveError::TooLongWithPoints {
                points: scale.most_points(),
                plies: scale.most_plies(),
            },
        }
    }

    /// Refuses to widen the cells if a process has no room for wide cells. All processes first save
    /// a checkpoint.
    fn check_widening(
        &self,
        needs: &MemoryNeeds<'_>,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let checked = needs.check_widening(self.level, self.incoming.bytes());
        let mut refused = [u64::from(checked.is_err())];
        pool.sum(&mut refused)?;
        if refused == [0] {
            return Ok(());
        }
        self.save(checkpoints, pool)?;
        checked?;
        Err(SolveError::PeerError { problem: "another process has too little memory".into() })
    }

    /// Whether exits of any process lead to draws.
    fn has_incoming_draws(&self, pool: &mut WorkerPool<'_>) -> Result<bool, SolveError> {
        let mut figures = [u64::from(self.incoming.has_any(Pass::DRAWN))];
        pool.sum(&mut figures)?;
        Ok(figures != [0])
    }

    /// The least distance beyond this one among the exits of all processes, in this pass.
    fn next_incoming(
        &self,
        distance: u32,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<u32>, SolveError> {
        let own = self.incoming.next_after(self.pass, distance);
        if !pool.has_peers() {
            return Ok(own);
        }
        let nowhere = u64::from(u32::MAX);
        let all = pool.gather_figures(&[own.map_or(nowhere, u64::from)])?;
        let least = all.into_iter().flatten().min().unwrap_or(nowhere);
        Ok((least < nowhere).then_some(least as u32))
    }

    /// The packed values of the states that the next level settles: first of those that any one
    /// successor settles, then of those that need all successors.
    fn packed(&self) -> [u16; 2] {
        let scale = self.cells.scale();
        // The level of the most plies would settle distances that do not fit. `pass` fails if it
        // settles any.
        let distance = (self.level + 1).min(scale.most_plies()) as u16;
        scale.ends(self.pass.0).map(|end| end + distance)
    }

    /// Whether the cells have to be widened before the next level.
    fn lacks_codes(&self) -> bool {
        let [any, all] = self.packed();
        let lacks = |packed| self.cells.code(packed).is_none();
        let new = usize::from(lacks(any)) + usize::from(any != all && lacks(all));
        self.cells.free_codes().is_some_and(|free| new > free)
    }

    /// Computes one level. Returns the counts of all processes together, and whether the processes
    /// save a checkpoint now.
    fn level(
        &mut self,
        levels: &mut dyn Levels,
        aim: PassKind,
        checkpoints: &Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(LevelCounts, bool), SolveError> {
        let level = self.level;
        let packed = self.packed();
        let new = packed.map(|packed| self.cells.code(packed).is_none());
        let codes = self.codes(packed);
        // A value without a code is the value of no state.
        let [won, _] = self.cells.scale().ends(self.pass.0);
        let won = self.cells.code(won + level as u16).unwrap_or(0);
        let incoming = self.incoming.take(self.pass, level + 1);
        let level_of = if self.walks { self.frontier.count() } else { self.cells.len() };
        let (settled, of) = (self.settled, self.of);
        let event = |done: u64| {
            let level_done = done.min(level_of);
            Progress::Settling { level, settled, of, level_done, level_of }
        };
        let step = Step {
            aim,
            points: self.pass.0,
            won,
            uniform: self.uniform,
            codes,
            level,
            states: level_of,
            incoming: &incoming,
            event: &event,
        };
        let frontiers = [&mut self.frontier, &mut self.next];
        let own = levels.level(step, &mut self.cells, frontiers, pool)?;
        let is_due = checkpoints.is_due(self.cells.bytes(), pool);
        let (level_counts, is_due) = own.of_all(is_due, pool)?;
        let mut of_next_distance = level_counts.settled;
        if level == 0 {
            let early = self.ends_of_pass().early;
            of_next_distance.iter_mut().zip(early).for_each(|(count, early)| *count += early);
        }
        self.uniform = match of_next_distance.map(|count| count > 0) {
            [true, false] => Some(true),
            [false, true] => Some(false),
            _ => None,
        };
        // Codes that no cell uses are free for later levels.
        for at in [1, 0] {
            let used =
                (0..2).any(|kind| packed[kind] == packed[at] && level_counts.settled[kind] > 0);
            if new[at] && !used {
                self.cells.remove_code(packed[at]);
            }
        }
        // States of distance 0 are counted already.
        let distance = level + u32::from(!self.walks);
        if distance > 0 {
            self.counts.add_at(self.pass.0, distance, &level_counts.walked);
        }
        Ok((level_counts, is_due))
    }

    /// The codes of two packed values. The cells are widened if there is no room for both.
    fn codes(&mut self, packed: [u16; 2]) -> LevelCodes<u16> {
        // Only the last code added can be removed again.
        let order = if self.uniform == Some(true) { [1, 0] } else { [0, 1] };
        if order.into_iter().any(|at| self.cells.add_code(packed[at]).is_none()) {
            self.cells.widen();
        }
        let code = |at: usize| self.cells.code(packed[at]).unwrap_or_default();
        LevelCodes { any: code(0), all: code(1) }
    }
}
