//! What snapshots of the first pass and of the levels have in common: cells, frontiers, and incoming
//! values.

use bytemuck::{cast_slice, cast_slice_mut};

use crate::error::SolveError;
use crate::runtime::frontier::Frontier;
use crate::solve::checkpoint::{Arrays, SegmentPlace};
use crate::solve::graph::incoming::{Incoming, LONGEST, Segment};
use crate::solve::levels::cells::{Cells, OverflowCounts};

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

/// The overflow counts that a checkpoint has.
///
/// # Errors
/// When they can't be those of `len` states.
pub(crate) fn saved_overflow(
    len: u64,
    overflow: Vec<(u64, u64)>,
    arrays: &dyn Arrays,
) -> Result<OverflowCounts, SolveError> {
    if overflow.iter().any(|&(index, more)| index >= len || more == 0) {
        return Err(impossible(arrays));
    }
    Ok(OverflowCounts::new(overflow))
}

/// A frontier that a checkpoint has.
///
/// # Errors
/// When it has indices beyond the last, and those of reading.
pub(crate) fn saved_frontier(len: u64, arrays: &mut dyn Arrays) -> Result<Frontier, SolveError> {
    let frontier = Frontier::filled(len, |bytes| arrays.fill(bytes).map_err(SolveError::from))?;
    frontier.ok_or_else(|| arrays.malformed("has states beyond the last".into()).into())
}

/// Where the segments of incoming values belong.
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

/// The incoming values that a checkpoint has.
///
/// # Errors
/// When they can't be those of `len` states, and those of reading.
pub(crate) fn saved_incoming(
    len: u64,
    places: Vec<SegmentPlace>,
    arrays: &mut dyn Arrays,
) -> Result<Incoming, SolveError> {
    let mut incoming = Incoming::default();
    for SegmentPlace { pass, distance, base, messages: count } in places {
        let mut messages = vec![0; (count as usize).min(LONGEST)];
        arrays.fill(cast_slice_mut(&mut messages))?;
        incoming
            .push(pass, distance, Segment { base, messages }, len)
            .map_err(|problem| arrays.malformed(problem))?;
    }
    Ok(incoming)
}

/// The error for figures that can't be those of a solve.
pub(crate) fn impossible(arrays: &dyn Arrays) -> SolveError {
    arrays.malformed("has figures that can't be".into()).into()
}
