//! The types of packed states: 8 or 16 bytes.

use std::fmt::Debug;
use std::hash::Hash;

use bytemuck::Pod;

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

/// The type of a packed state ([`PackedState::Word`](crate::PackedState::Word)): `u64` or `u128`.
pub trait Word: sealed::Sealed + Pod + Ord + Hash + Debug + Send + Sync {
    /// Whether states may need more than 64 bits.
    #[doc(hidden)]
    const IS_WIDE: bool;

    #[doc(hidden)]
    fn to_u128(self) -> u128;

    /// The lowest bits of `wide`.
    #[doc(hidden)]
    fn of_u128(wide: u128) -> Self;
}

impl Word for u64 {
    const IS_WIDE: bool = false;

    #[inline]
    fn to_u128(self) -> u128 {
        self.into()
    }

    #[inline]
    fn of_u128(wide: u128) -> u64 {
        wide as u64
    }
}

impl Word for u128 {
    const IS_WIDE: bool = true;

    #[inline]
    fn to_u128(self) -> u128 {
        self
    }

    #[inline]
    fn of_u128(wide: u128) -> u128 {
        wide
    }
}
