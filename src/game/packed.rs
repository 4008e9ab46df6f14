//! States that pack into 8 or 16 bytes.

use crate::game::Game;
use crate::game::packed_word::Word;

/// A game whose states pack into 8 or 16 bytes. Discovered states then take that much memory or
/// less, and are found faster than by hashing: see [`scheme::Packed`](crate::scheme::Packed).
///
/// ```
/// # use retrograde::{Game, PackedState, Solver, scheme};
/// # struct TwoHeaps { heaps: [u64; 2] }
/// # impl Game for TwoHeaps { kit::rules_of_two_heaps!(); }
/// impl PackedState for TwoHeaps {
///     type Word = u64;
///
///     fn pack(&self, &[a, b]: &[u64; 2]) -> u64 {
///         a << 32 | b
///     }
///
///     fn unpack(&self, word: u64) -> [u64; 2] {
///         [word >> 32, word & 0xFFFF_FFFF]
///     }
/// }
/// # let game = TwoHeaps { heaps: [3, 3] };
/// assert!(game.is_packed(game.pack(&[3, 1])));
/// assert_eq!(Solver::new(&game).solve_as::<scheme::Packed>()?.summary().states(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PackedState: Game {
    /// The type of a packed state: `u64`, or `u128` where some parameters of the game need more
    /// than 64 bits.
    type Word: Word;

    /// Whether all states of this game, with its parameters, fit into 64 bits, so that 8 bytes a
    /// state are enough. Called only where [`Word`](PackedState::Word) is `u128`. A state that does not
    /// fit after all is an error when it is discovered.
    ///
    /// ```
    /// # use retrograde::{Game, PackedState, Solver, scheme};
    /// # struct TwoHeaps { heaps: [u64; 2] }
    /// # impl Game for TwoHeaps { kit::rules_of_two_heaps!(); }
    /// impl PackedState for TwoHeaps {
    ///     type Word = u128;
    /// # fn pack(&self, &[a, b]: &[u64; 2]) -> u128 { u128::from(a) << 32 | u128::from(b) }
    /// # fn unpack(&self, word: u128) -> [u64; 2] { [(word >> 32) as u64, word as u32 as u64] }
    ///
    ///     /// Each heap has 32 bits.
    ///     fn fits_u64(&self) -> bool {
    ///         self.heaps.iter().all(|&counters| u32::try_from(counters).is_ok())
    ///     }
    /// }
    /// # let game = TwoHeaps { heaps: [3, 3] };
    /// let solution = Solver::new(&game).solve_as::<scheme::Packed>()?;
    /// assert_eq!(solution.numbering().to_string(), "packed (8 bytes a state)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn fits_u64(&self) -> bool {
        false
    }

    /// The packed form of a state. Different states have different packed forms.
    ///
    /// States that are close in play should be close in the order of their packed forms, where that
    /// is possible: what changes rarely belongs in the high bits.
    fn pack(&self, state: &Self::State) -> Self::Word;

    /// The state with this packed form, which [`pack`](PackedState::pack) made.
    fn unpack(&self, packed: Self::Word) -> Self::State;

    /// Whether [`pack`](PackedState::pack) makes this word of some state that the rules can be asked about. Tables
    /// are not to be trusted, so that words from files are asked about first. By default the word is unpacked
    /// and packed again, which any word has to stand.
    fn is_packed(&self, word: Self::Word) -> bool {
        self.pack(&self.unpack(word)) == word
    }
}
