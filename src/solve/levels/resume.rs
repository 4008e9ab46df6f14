//! Saving an analysis in a checkpoint, and resuming it from there.

use bytemuck::cast_slice_mut;

use crate::error::SolveError;
use crate::runtime::frontier::Frontier;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{Progress, Resumed};
use crate::solve::checkpoint::{Arrays, Checkpointing, LevelsSnapshot, SegmentPlace, Snapshot};
use crate::solve::graph::incoming::{Incoming, LONGEST, Segment};
use crate::solve::levels::cells::{Cells, OverflowCounts};
use crate::solve::levels::{Analysis, Levels};
use crate::value::MAX_PLIES;

impl Analysis {
    /// Saves the analysis between two levels. The next frontier is saved where it is not empty, which
    /// it is but before the first level of a pass. Neither is saved where levels do not walk them.
    pub(crate) fn save<L: Levels>(
        &self,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let place = |(pass, distance, segment): (_, _, &Segment)| {
            let messages = segment.messages.len() as u32;
            SegmentPlace { pass, distance, base: segment.base, messages }
        };
        let snapshot = LevelsSnapshot {
            len: self.cells.len(),
            walks: L::WALKS,
            pass: self.pass,
            level: self.level,
            palette: self.cells.palette().map(<[u16]>::to_vec),
            overflow: self.cells.overflow.listed(),
            counts: self.counts.clone(),
            incoming: self.incoming.each().map(place).collect(),
            drawn_ends: self.drawn_ends,
            stopped_early: self.stopped_early,
            settled: self.settled,
            uniform: self.uniform,
        };
        let mut arrays = vec![self.cells.as_bytes()];
        if L::WALKS {
            arrays.push(self.frontier.as_bytes());
        }
        let messages = self.incoming.each().map(|(_, _, segment)| &segment.messages[..]);
        arrays.extend(messages.map(bytemuck::cast_slice::<u32, u8>));
        checkpoints.save(&Snapshot::Levels(Box::new(snapshot)), &arrays, pool)
    }

    /// What to report when the analysis is resumed.
    pub(crate) fn resumed(&self) -> Progress {
        let &Analysis { level, settled, of, .. } = self;
        Progress::Resumed(Resumed::Levels { level, settled, of })
    }

    /// The analysis that [`save`](Analysis::save) saved.
    pub(crate) fn resume(
        snapshot: LevelsSnapshot,
        arrays: &mut dyn Arrays,
    ) -> Result<Analysis, SolveError> {
        let LevelsSnapshot { len, walks, pass, level, palette, overflow, counts, .. } = snapshot;
        let mut cells = saved_cells(len, palette.as_deref(), arrays)?;
        cells.overflow = OverflowCounts::new(overflow);
        let frontier = match walks {
            true => Frontier::filled(len, |bytes| arrays.fill(bytes).map_err(SolveError::from))?,
            false => Some(Frontier::empty(len)?),
        };
        let Some(frontier) = frontier else {
            return Err(arrays.malformed("has states beyond the last".into()).into());
        };
        let mut incoming = Incoming::default();
        for SegmentPlace { pass, distance, base, messages: count } in snapshot.incoming {
            let mut messages = vec![0; (count as usize).min(LONGEST)];
            arrays.fill(cast_slice_mut(&mut messages))?;
            incoming
                .push(pass, distance, Segment { base, messages }, len)
                .map_err(|problem| arrays.malformed(problem))?;
        }
        arrays.finish()?;
        let mut overflow = cells.overflow.listed().into_iter();
        let figures = [snapshot.settled, snapshot.drawn_ends].into_iter();
        let impossible = figures
            .chain(snapshot.stopped_early)
            .chain(counts.figures())
            .any(|figure| figure > len)
            || overflow.any(|(index, more)| index >= len || more == 0)
            || level > MAX_PLIES;
        if impossible {
            return Err(arrays.malformed("has figures that can't be".into()).into());
        }
        Ok(Analysis {
            pass,
            level,
            cells,
            frontier,
            next: Frontier::empty(len)?,
            of: counts.states.iter().sum(),
            counts,
            incoming,
            drawn_ends: snapshot.drawn_ends,
            stopped_early: snapshot.stopped_early,
            settled: snapshot.settled,
            uniform: snapshot.uniform,
        })
    }
}

/// The cells that a checkpoint has, with this palette.
///
/// # Errors
/// When the palette or the cells can't be those of an analysis, and those of reading.
pub(crate) fn saved_cells(
    len: u64,
    palette: Option<&[u16]>,
    arrays: &mut dyn Arrays,
) -> Result<Cells, SolveError> {
    let Some(mut cells) = Cells::like(len, palette)? else {
        return Err(arrays.malformed("has a palette that no cells can have".into()).into());
    };
    arrays.fill(cells.as_bytes_mut())?;
    match cells.are_in_palette() {
        true => Ok(cells),
        false => Err(arrays.malformed("has cells that are not in its palette".into()).into()),
    }
}
