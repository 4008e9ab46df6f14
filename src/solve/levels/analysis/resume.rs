//! Saving an analysis in a checkpoint, and resuming it from there.

use std::sync::Arc;

use crate::error::SolveError;
use crate::game::value::Scale;
use crate::runtime::frontier::Frontier;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{Progress, Resumed};
use crate::runtime::saved_array::SavedArray;
use crate::runtime::scratch::Scratch;
use crate::solve::checkpoint::Checkpointing;
use crate::solve::checkpoint::saved::{SavedLevels, messages, places};
use crate::solve::checkpoint::snapshot::{LevelsSnapshot, Snapshot};
use crate::solve::levels::analysis::Analysis;

impl Analysis {
    /// Saves the analysis between two levels.
    pub(crate) fn save(
        &self,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        // Levels that do not walk the frontiers leave both empty. Other levels leave the next one
        // empty, except before the first level of a pass.
        let frontiers = match self.next.occupied_words() {
            _ if !self.walks => 0,
            0 => 1,
            _ => 2,
        };
        let snapshot = LevelsSnapshot {
            indices: self.cells.indices(),
            walks: self.walks,
            pass: self.pass,
            level: self.level,
            frontiers,
            palette: self.cells.palette().map(<[u16]>::to_vec),
            overflow: self.cells.overflow.listed(),
            counts: self.counts.clone(),
            incoming: places(&self.incoming),
            ends: self.ends.clone(),
            settled: self.settled,
            uniform: self.uniform,
        };
        let mut arrays = vec![SavedArray::Bytes(self.cells.as_bytes())];
        let saved = [&self.frontier, &self.next].into_iter().take(frontiers.into());
        arrays.extend(saved.map(Frontier::as_bytes).map(SavedArray::Bytes));
        arrays.extend(messages(&self.incoming).map(SavedArray::Bytes));
        checkpoints.save(&Snapshot::Levels(Box::new(snapshot)), &arrays, pool)
    }

    /// The event that reports a resumed analysis.
    pub(crate) fn resumed(&self) -> Progress {
        let &Analysis { level, settled, of, .. } = self;
        Progress::Resumed(Resumed::Levels { level, settled, of })
    }

    /// The analysis that [`save`](Analysis::save) saved, from one or several processes. Any number
    /// of processes can resume it; each resumes its window.
    pub(crate) fn resume(
        snapshot: LevelsSnapshot,
        mut saved: SavedLevels,
        scale: Scale,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Analysis, SolveError> {
        let LevelsSnapshot { indices, walks, pass, level, palette, counts, .. } = snapshot;
        let mut cells = saved.cells(palette.as_deref(), scale, scratch)?;
        cells.overflow = saved.overflow()?;
        let (frontier, next) = (saved.frontier(0, scratch)?, saved.frontier(1, scratch)?);
        let incoming = saved.incoming(scratch)?;
        saved.finish()?;
        let len = indices.end;
        let of_ends = snapshot.ends.iter().flat_map(|ends| ends.over.into_iter().chain(ends.early));
        let is_impossible =
            of_ends.chain([snapshot.settled]).chain(counts.figures()).any(|figure| figure > len)
                || level > scale.most_plies()
                || pass.0 > scale.most_points();
        if is_impossible {
            return Err(saved.impossible());
        }
        Ok(Analysis {
            walks,
            pass,
            level,
            cells,
            frontier,
            next,
            of: counts.states.iter().sum(),
            counts,
            incoming,
            ends: snapshot.ends,
            settled: snapshot.settled,
            uniform: snapshot.uniform,
        })
    }
}
