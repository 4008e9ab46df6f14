//! The kinds of numberings in a table's header.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::numbering::info;

/// The numbering that a table was made with, as its header stores it.
///
/// ```
/// # use kit::games::Nim;
/// use retrograde::table::NumberingKind;
/// use retrograde::{Solver, scheme};
///
/// let game = Nim { counters: 21 };
/// let numbering = Solver::new(&game).solve_as::<scheme::Hashed>()?.numbering();
/// assert_eq!((numbering, numbering.name()), (NumberingKind::Hashed, "hashed"));
/// assert!(numbering.has_states());
/// assert_eq!(NumberingKind::Tier(3).tier(), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NumberingKind {
    /// The game's own formula: [`Indexed`](crate::Indexed).
    Dense,
    /// The states discovered from the roots, sorted. The index of a state is its place in this
    /// order.
    Hashed,
    /// Discovered states as in `Hashed`, each packed into 8 bytes.
    Packed8,
    /// Discovered states as in `Hashed`, each packed into 16 bytes.
    Packed16,
    /// One tier of a game, by a formula. The number is the tier's place in
    /// [`Tiered::tiers`](crate::Tiered::tiers).
    Tier(u32),
    /// One tier of a game, its states discovered and sorted, each packed into 8 bytes.
    TierPacked8(u32),
    /// One tier of a game, its states discovered and sorted, each packed into 16 bytes.
    TierPacked16(u32),
    /// One tier of a game, its states discovered and sorted, each as it is.
    TierHashed(u32),
}

/// How the states of a table are computed from their indices, or listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateForm {
    /// By a formula.
    Formula,
    /// The file lists them, as `serde` writes them.
    Unpacked,
    /// The file lists them, packed into 8 bytes each.
    Packed8,
    /// The file lists them, packed into 16 bytes each.
    Packed16,
}

impl NumberingKind {
    /// The kind for the states of a whole game, or of a tier.
    pub(crate) fn new(form: StateForm, tier: Option<usize>) -> NumberingKind {
        match (form, tier.map(|tier| tier as u32)) {
            (StateForm::Formula, None) => NumberingKind::Dense,
            (StateForm::Packed8, None) => NumberingKind::Packed8,
            (StateForm::Packed16, None) => NumberingKind::Packed16,
            (StateForm::Unpacked, None) => NumberingKind::Hashed,
            (StateForm::Formula, Some(tier)) => NumberingKind::Tier(tier),
            (StateForm::Packed8, Some(tier)) => NumberingKind::TierPacked8(tier),
            (StateForm::Packed16, Some(tier)) => NumberingKind::TierPacked16(tier),
            (StateForm::Unpacked, Some(tier)) => NumberingKind::TierHashed(tier),
        }
    }

    /// The form of the states in a table of this kind.
    pub(crate) fn form(self) -> StateForm {
        match self {
            NumberingKind::Dense | NumberingKind::Tier(_) => StateForm::Formula,
            NumberingKind::Hashed | NumberingKind::TierHashed(_) => StateForm::Unpacked,
            NumberingKind::Packed8 | NumberingKind::TierPacked8(_) => StateForm::Packed8,
            NumberingKind::Packed16 | NumberingKind::TierPacked16(_) => StateForm::Packed16,
        }
    }

    /// The name of its [scheme](crate::scheme): `dense`, `hashed`, `packed`, `tiers`,
    /// `packed-tiers` or `hashed-tiers`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match (self.form(), self.tier()) {
            (StateForm::Formula, None) => info::DENSE,
            (StateForm::Unpacked, None) => info::HASHED,
            (_, None) => info::PACKED,
            (StateForm::Formula, Some(_)) => info::TIERS,
            (StateForm::Unpacked, Some(_)) => info::HASHED_TIERS,
            (_, Some(_)) => info::PACKED_TIERS,
        }
        .name
    }

    /// The place of the tier in [`Tiered::tiers`](crate::Tiered::tiers); `None` for a whole game.
    #[must_use]
    pub fn tier(self) -> Option<u32> {
        match self {
            NumberingKind::Dense
            | NumberingKind::Hashed
            | NumberingKind::Packed8
            | NumberingKind::Packed16 => None,
            NumberingKind::Tier(tier)
            | NumberingKind::TierPacked8(tier)
            | NumberingKind::TierPacked16(tier)
            | NumberingKind::TierHashed(tier) => Some(tier),
        }
    }

    /// Whether the table lists its states, since no formula computes them.
    #[must_use]
    pub fn has_states(self) -> bool {
        self.form() != StateForm::Formula
    }
}

impl fmt::Display for NumberingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tier) = self.tier() {
            write!(f, "tier {tier}, ")?;
        }
        f.write_str(match self.form() {
            StateForm::Formula if self.tier().is_some() => "by a formula",
            StateForm::Formula => "dense",
            StateForm::Unpacked => "hashed",
            StateForm::Packed8 => "packed (8 bytes a state)",
            StateForm::Packed16 => "packed (16 bytes a state)",
        })
    }
}
