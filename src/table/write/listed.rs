//! The listed states of a table, as each of the processes that make it reads them.

use std::ops::Range;

use crate::error::{SolveError, TableError};
use crate::numbering::discovered::ListedStates;
use crate::runtime::codec;
use crate::runtime::peers::Windows;
use crate::runtime::pool::WorkerPool;
use crate::table::records::BLOCK_STATES;
use crate::table::write::source::{shared, tails};

/// The name of a block of states in errors.
pub(crate) const STATES: &str = "a block of states";

/// The states of the own window, and earlier states that belong to the window's first block.
pub(crate) struct StateSource<'s> {
    own: &'s dyn ListedStates,
    /// The records that other processes have sent; `first` is the index of the first one.
    first: u64,
    handed: Vec<Vec<u8>>,
}

impl<'s> StateSource<'s> {
    /// Makes a source from the states of the own window. Each process sends the tail of its window
    /// to the process that makes the block in which the tail lies.
    ///
    /// # Errors
    /// When another process is lost, the run is cancelled, or a state can't be written.
    pub(crate) fn new(
        own: &'s dyn ListedStates,
        windows: &Windows,
        pool: &mut WorkerPool<'_>,
    ) -> Result<StateSource<'s>, TableError> {
        let mut source = StateSource { own, first: 0, handed: Vec::new() };
        if !pool.has_peers() {
            return Ok(source);
        }
        let malformed = |problem| TableError::malformed(STATES, problem);
        let mut packets = vec![Vec::new(); pool.processes()];
        for (tail, to) in tails(windows, BLOCK_STATES) {
            let Range { start, end } = shared(&tail, &windows.own_window());
            if to != pool.own() && start < end {
                let records = own.records(start, 1, end - start).map_err(malformed)?;
                packets[to] = codec::encode(&records).map_err(malformed)?;
            } else if to == pool.own() {
                source.first = tail.start;
            }
        }
        for packet in pool.exchange(packets).map_err(SolveError::from)? {
            if !packet.is_empty() {
                source.handed.extend(codec::decode::<Vec<Vec<u8>>>(&packet).map_err(malformed)?);
            }
        }
        Ok(source)
    }

    /// The number of states of all processes.
    pub(crate) fn len(&self) -> u64 {
        self.own.len()
    }

    /// The records of `count` indices, from `first` on in steps of `step`.
    ///
    /// # Errors
    /// When a record is neither here nor received, or a state can't be written.
    pub(crate) fn records(
        &self,
        first: u64,
        step: u64,
        count: u64,
    ) -> Result<Vec<Vec<u8>>, String> {
        let record = |index: u64| {
            let place = index.checked_sub(self.first).unwrap_or(u64::MAX);
            match self.handed.get(place as usize) {
                Some(record) => Ok(record.clone()),
                None => self.own.record(index),
            }
        };
        (0..count).map(|at| record(first + at * step)).collect()
    }
}
