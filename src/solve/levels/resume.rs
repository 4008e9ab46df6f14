//! An analysis as a checkpoint keeps it, and back.

use bytemuck::cast_slice_mut;

use crate::error::SolveError;
use crate::runtime::frontier::Frontier;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{Progress, Resumed};
use crate::solve::checkpoint::{Arrays, Between, Checkpointing, SegmentPlace, Stage};
use crate::solve::graph::incoming::{Incoming, LONGEST, Segment};
use crate::solve::levels::cells::{Beyond, Cells};
use crate::solve::levels::{Analysis, Levels};
use crate::value::MAX_PLIES;

impl Analysis {
    /// Keeps how far it has come. The next frontier is empty between two levels, and both are where
    /// levels do not walk.
    pub(crate) fn keep<L: Levels>(
        &self,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let place = |(pass, distance, segment): (_, _, &Segment)| {
            let messages = segment.messages.len() as u32;
            SegmentPlace { pass, distance, base: segment.base, messages }
        };
        let between = Between {
            len: self.cells.len(),
            walks: L::WALKS,
            pass: self.pass,
            level: self.level,
            palette: self.cells.palette().map(<[u16]>::to_vec),
            beyond: self.cells.beyond.listed(),
            counts: self.counts.clone(),
            entering: self.entering.each().map(place).collect(),
            drawn_ends: self.drawn_ends,
            stopped_early: self.stopped_early,
            settled: self.settled,
            all: self.all,
        };
        let mut arrays = vec![self.cells.as_bytes()];
        if L::WALKS {
            arrays.push(self.frontier.as_bytes());
        }
        let messages = self.entering.each().map(|(_, _, segment)| &segment.messages[..]);
        arrays.extend(messages.map(bytemuck::cast_slice::<u32, u8>));
        checkpoints.keep(&Stage::Between(Box::new(between)), &arrays, pool)
    }

    /// What to report when it is gone on with.
    pub(crate) fn resumed(&self) -> Progress {
        let &Analysis { level, settled, of, .. } = self;
        Progress::Resumed(Resumed::Levels { level, settled, of })
    }

    /// The analysis that was kept.
    pub(crate) fn resume(
        between: Between,
        arrays: &mut dyn Arrays,
    ) -> Result<Analysis, SolveError> {
        let Between { len, walks, pass, level, palette, beyond, counts, .. } = between;
        let mut cells = cells(len, palette.as_deref(), arrays)?;
        cells.beyond = Beyond::new(beyond);
        let frontier = match walks {
            true => Frontier::filled(len, |bytes| arrays.fill(bytes).map_err(SolveError::from))?,
            false => Some(Frontier::empty(len)?),
        };
        let Some(frontier) = frontier else {
            return Err(arrays.senseless("has states beyond the last".into()).into());
        };
        let mut entering = Incoming::default();
        for SegmentPlace { pass, distance, base, messages: count } in between.entering {
            let mut messages = vec![0; (count as usize).min(LONGEST)];
            arrays.fill(cast_slice_mut(&mut messages))?;
            entering
                .push(pass, distance, Segment { base, messages }, len)
                .map_err(|problem| arrays.senseless(problem))?;
        }
        arrays.finish()?;
        let mut beyond = cells.beyond.listed().into_iter();
        let figures = [between.settled, between.drawn_ends].into_iter();
        let impossible =
            figures.chain(between.stopped_early).chain(counts.figures()).any(|figure| figure > len)
                || beyond.any(|(number, more)| number >= len || more == 0)
                || level > MAX_PLIES;
        if impossible {
            return Err(arrays.senseless("has figures that can't be".into()).into());
        }
        Ok(Analysis {
            pass,
            level,
            cells,
            frontier,
            next: Frontier::empty(len)?,
            of: counts.states.iter().sum(),
            counts,
            entering,
            drawn_ends: between.drawn_ends,
            stopped_early: between.stopped_early,
            settled: between.settled,
            all: between.all,
        })
    }
}

/// The cells that were kept, with that book.
pub(crate) fn cells(
    len: u64,
    palette: Option<&[u16]>,
    arrays: &mut dyn Arrays,
) -> Result<Cells, SolveError> {
    let Some(mut cells) = Cells::like(len, palette)? else {
        return Err(arrays.senseless("has a book that is none".into()).into());
    };
    arrays.fill(cells.as_bytes_mut())?;
    match cells.are_in_book() {
        true => Ok(cells),
        false => Err(arrays.senseless("has cells that mean nothing".into()).into()),
    }
}
