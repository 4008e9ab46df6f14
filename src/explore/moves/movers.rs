//! The player to move in each state, in a bit an index.

use std::ops::Range;
use std::sync::Arc;

use crate::game::Player;
use crate::runtime::memory::Array;
use crate::runtime::scratch::Scratch;
use crate::runtime::{NoRoom, OutOfMemory};

/// The player to move in each state of a range of indices. Outside the range it is the first.
#[derive(Debug)]
pub(crate) struct Movers {
    first: u64,
    bits: Array<u64>,
}

impl Movers {
    /// The first player is to move in every state of these indices.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub(crate) fn all_first(indices: Range<u64>) -> Result<Movers, OutOfMemory> {
        let words = (indices.end - indices.start).div_ceil(64);
        Ok(Movers { first: indices.start, bits: Array::zeroed(words, "who is to move")? })
    }

    /// The first player is to move in every state of these indices. In a scratch file if there is a folder.
    ///
    /// # Errors
    /// If there is no room for them.
    pub(crate) fn all_first_in(
        indices: Range<u64>,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Movers, NoRoom> {
        let words = (indices.end - indices.start).div_ceil(64);
        Ok(Movers {
            first: indices.start,
            bits: Array::zeroed_in(words, "who is to move", scratch)?,
        })
    }

    /// The memory of `len` indices, in bytes.
    pub(crate) fn bytes(len: u64) -> u64 {
        len.div_ceil(64).saturating_mul(8)
    }

    /// The memory of these movers, in bytes.
    pub(crate) fn size(&self) -> u64 {
        size_of_val(&self.bits[..]) as u64
    }

    /// The first index.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// The player to move in the state of an index.
    #[inline]
    pub(crate) fn mover(&self, index: u64) -> Player {
        let place = index - self.first;
        match self.bits.get((place / 64) as usize) {
            Some(word) if word >> (place % 64) & 1 == 1 => Player::Second,
            _ => Player::First,
        }
    }

    /// A word for each 64 indices.
    pub(crate) fn words(&mut self) -> &mut [u64] {
        &mut self.bits
    }

    /// Sets the player to move at a place in some words. Without a word for it, nothing is noted.
    #[inline]
    pub(crate) fn note(words: &mut [u64], place: u64, mover: Player) {
        if let Some(word) = words.get_mut((place / 64) as usize) {
            *word |= (mover.index() as u64) << (place % 64);
        }
    }
}
