//! A saved analysis: cells, frontiers, and incoming values. It is saved whole, or by several
//! processes in parts. A process that resumes reads its window, wherever the parts end.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{cast_slice, cast_slice_mut};

use crate::error::{CheckpointError, SolveError};
use crate::game::value::Scale;
use crate::runtime::frontier::{CHUNK, Frontier};
use crate::runtime::scratch::Scratch;
use crate::solve::cells::Cells;
use crate::solve::cells::cell::OverflowCounts;
use crate::solve::checkpoint::snapshot::{Arrays, SavedSnapshot, SegmentPlace, Snapshot};
use crate::solve::graph::incoming::{Incoming, LONGEST, Messages, Segment};
use crate::solve::plan::A_MESSAGE;

/// How many messages are read into memory before they are moved into a scratch file.
const SPILLED: usize = 8 * LONGEST;

/// A saved analysis, as far as a window of the indices needs it.
pub(crate) struct SavedLevels {
    /// The path for errors: of the file that lists the parts, or of the only file.
    path: String,
    /// The figures of the whole game.
    pub(crate) figures: Snapshot,
    window: Range<u64>,
    /// The parts that share indices with the window, ascending.
    parts: Vec<Part>,
}

/// The saved analysis of a range of the indices. All parts have to read their arrays in the same
/// order.
struct Part {
    indices: Range<u64>,
    overflow: Vec<(u64, u64)>,
    frontiers: u8,
    incoming: Vec<SegmentPlace>,
    arrays: Box<dyn Arrays>,
}

impl Part {
    /// The indices that the part shares with a window.
    fn shared(&self, window: &Range<u64>) -> Range<u64> {
        self.indices.start.max(window.start)..self.indices.end.min(window.end)
    }
}

impl SavedLevels {
    /// Creates the saved analysis from these figures and these parts, which have to cover the
    /// window.
    ///
    /// # Errors
    /// If the parts don't cover the window, or belong to another place of the solve.
    pub(crate) fn new(
        path: String,
        figures: Snapshot,
        window: Range<u64>,
        parts: Vec<SavedSnapshot>,
    ) -> Result<SavedLevels, SolveError> {
        let mut saved = SavedLevels { path, figures, window, parts: Vec::new() };
        let mut covered = saved.window.start;
        for SavedSnapshot { snapshot, arrays } in parts {
            let indices = snapshot.indices();
            let (overflow, frontiers, incoming) = match (snapshot, &saved.figures) {
                (Snapshot::Levels(levels), Snapshot::Levels(all))
                    if (levels.pass, levels.level) == (all.pass, all.level)
                        && levels.palette == all.palette =>
                {
                    (levels.overflow, levels.frontiers, levels.incoming)
                }
                (Snapshot::Settled { palette, .. }, Snapshot::Settled { palette: of_all, .. })
                    if palette == *of_all =>
                {
                    (Vec::new(), 0, Vec::new())
                }
                _ => {
                    return Err(arrays.malformed("is of another place of the solve".into()).into());
                }
            };
            let part = Part { indices, overflow, frontiers, incoming, arrays };
            let shared = part.shared(&saved.window);
            if shared.start != covered || shared.is_empty() {
                return Err(saved.malformed("its parts do not fit together".into()));
            }
            covered = shared.end;
            saved.parts.push(part);
        }
        match covered == saved.window.end {
            true => Ok(saved),
            false => Err(saved.malformed("it lacks a part".into())),
        }
    }

    fn len(&self) -> u64 {
        self.window.end - self.window.start
    }

    /// Reads the cells, with this palette.
    ///
    /// # Errors
    /// If the palette or the cells can't belong to an analysis, or reading fails.
    pub(crate) fn cells(
        &mut self,
        palette: Option<&[u16]>,
        scale: Scale,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Cells, SolveError> {
        let Some(cells) = Cells::like(self.len(), palette, scale, scratch)? else {
            return Err(self.malformed("has a palette that no cells can have".into()));
        };
        let mut cells = cells.starting_at(self.window.start);
        let width = if palette.is_some() { 1 } else { 2 };
        let bytes = cells.as_bytes_mut();
        for part in &mut self.parts {
            let shared = part.shared(&self.window);
            let own = (shared.start - self.window.start) * width;
            let length = (shared.end - shared.start) * width;
            let stretch = &mut bytes[own as usize..(own + length) as usize];
            let all = (part.indices.end - part.indices.start).saturating_mul(width);
            part.arrays.fill_from(all, (shared.start - part.indices.start) * width, stretch)?;
        }
        match cells.are_in_palette() {
            true => Ok(cells),
            false => Err(self.malformed("has cells that are not in its palette".into())),
        }
    }

    /// Takes the overflow counts.
    ///
    /// # Errors
    /// If they don't fit their parts.
    pub(crate) fn overflow(&mut self) -> Result<OverflowCounts, SolveError> {
        let mut all = Vec::new();
        for part in &mut self.parts {
            let overflow = std::mem::take(&mut part.overflow);
            if overflow.iter().any(|(index, more)| !part.indices.contains(index) || *more == 0) {
                return Err(impossible(&*part.arrays));
            }
            all.extend(overflow.into_iter().filter(|(index, _)| self.window.contains(index)));
        }
        Ok(OverflowCounts::new(all))
    }

    /// Reads the frontier with this number; it is empty if fewer frontiers were saved.
    ///
    /// # Errors
    /// If it has indices beyond the last one, or reading fails.
    pub(crate) fn frontier(
        &mut self,
        number: u8,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Frontier, SolveError> {
        let window = self.window.clone();
        let frontier = Frontier::filled(self.len(), scratch, |bytes| {
            let of_chunks = |indices: u64| indices.div_ceil(CHUNK).saturating_mul(CHUNK / 8);
            for part in self.parts.iter_mut().filter(|part| number < part.frontiers) {
                // Parts and windows begin at multiples of a chunk.
                let shared = part.shared(&window);
                let own = ((shared.start - window.start) / 8) as usize;
                let length = of_chunks(shared.end - shared.start) as usize;
                let stretch = &mut bytes[own..own + length];
                let all = of_chunks(part.indices.end - part.indices.start);
                part.arrays.fill_from(all, (shared.start - part.indices.start) / 8, stretch)?;
            }
            Ok::<_, SolveError>(())
        })?;
        frontier.ok_or_else(|| self.malformed("has states beyond the last".into()))
    }

    /// The bytes of the incoming values.
    pub(crate) fn incoming_bytes(&self) -> u64 {
        let places = self.parts.iter().flat_map(|part| &part.incoming);
        places.map(|place| u64::from(place.messages) * A_MESSAGE).sum()
    }

    /// Reads the incoming values.
    ///
    /// # Errors
    /// If they don't fit their parts, or reading fails.
    pub(crate) fn incoming(
        &mut self,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Incoming, SolveError> {
        let (mut incoming, mut in_memory) = (Incoming::default(), 0);
        for part in &mut self.parts {
            for place in std::mem::take(&mut part.incoming) {
                let SegmentPlace { pass, distance, base, messages: count } = place;
                let mut messages = vec![0; (count as usize).min(LONGEST)];
                part.arrays.fill(cast_slice_mut(&mut messages))?;
                in_memory += messages.len();
                let segment = Segment { base, messages: Messages::InMemory(messages) };
                incoming
                    .push(pass, distance, segment, &part.indices, &self.window)
                    .map_err(|problem| part.arrays.malformed(problem))?;
                if let Some(scratch) = scratch.filter(|_| in_memory >= SPILLED) {
                    incoming.spill(scratch)?;
                    in_memory = 0;
                }
            }
        }
        Ok(incoming)
    }

    /// Makes sure that all arrays of all parts were read.
    ///
    /// # Errors
    /// If there are more arrays.
    pub(crate) fn finish(&mut self) -> Result<(), SolveError> {
        Ok(self.parts.iter_mut().try_for_each(|part| part.arrays.finish())?)
    }

    /// The error for data that was read completely and makes no sense.
    pub(crate) fn malformed(&self, problem: String) -> SolveError {
        CheckpointError::Damaged { path: self.path.clone(), problem }.into()
    }

    /// The error for figures that no solve has.
    pub(crate) fn impossible(&self) -> SolveError {
        self.malformed(IMPOSSIBLE.into())
    }

    /// The error for a solve that can't be resumed without its reverse edges.
    pub(crate) fn needs_edges(&self) -> SolveError {
        CheckpointError::NeedsEdges { path: self.path.clone() }.into()
    }
}

const IMPOSSIBLE: &str = "has figures that can't be";

fn impossible(arrays: &dyn Arrays) -> SolveError {
    arrays.malformed(IMPOSSIBLE.into()).into()
}

/// Where the segments of incoming values belong, in the order in which they are saved.
pub(crate) fn places(incoming: &Incoming) -> Vec<SegmentPlace> {
    let place = |(pass, distance, segment): (_, _, &Segment)| {
        let messages = segment.messages.len() as u32;
        SegmentPlace { pass, distance, base: segment.base, messages }
    };
    incoming.each().map(place).collect()
}

/// The messages of the segments of incoming values, in the order of their [`places`].
pub(crate) fn messages(incoming: &Incoming) -> impl Iterator<Item = &[u8]> {
    incoming.each().map(|(_, _, segment)| cast_slice(&segment.messages))
}
