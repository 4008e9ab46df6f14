//! Schemes: the ways to number a game's states.
//!
//! | scheme | a game needs | its states are |
//! | --- | --- | --- |
//! | [`Dense`] | [`Indexed`](crate::Indexed) | all states to which its formula gives an index |
//! | [`Hashed`] | states that derive `Hash`, `Ord`, `Serialize`, `Deserialize` | the states that play can reach, discovered and stored as they are |
//! | [`Packed`] | [`PackedState`](crate::PackedState) | the states that play can reach, stored in 8 or 16 bytes each |
//! | [`Tiers<Dense>`](Tiers) | [`Tiered`](crate::Tiered) and [`TierIndexed`](crate::TierIndexed) | all states of each tier, by a formula |
//! | [`Tiers<Packed>`](Tiers) | [`Tiered`](crate::Tiered) and [`PackedState`](crate::PackedState) | the states of each tier that play can reach |
//! | [`Tiers<Hashed>`](Tiers) | [`Tiered`](crate::Tiered), and states as for [`Hashed`] | the same, stored as they are |
//!
//! A game lists its schemes in [`Numbered::Numberings`], the usual one first. Solving uses the
//! usual scheme. A table is opened in the scheme that it was made with, which the game must list.
//! `solve_as`, `survey_as` and `check_as` take another scheme as their type argument.

use std::hash::Hash;
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use crate::game::packed_word::Word;
use crate::game::{self, Game, Indexed, TierIndexed, Tiered};
pub use crate::numbering::info::{ALL, SchemeInfo};

use crate::numbering::discovered::{PackedIn, Unpacked};
use crate::numbering::indexing::{
    Indexing, IndexingVisitor, Tierwise, TierwiseDiscovered, Whole, WholeDiscovered,
};
use crate::numbering::info::{DENSE, HASHED, HASHED_TIERS, PACKED, PACKED_TIERS, TIERS};
use crate::numbering::kind::NumberingKind;

mod sealed {
    pub trait Sealed {}
}

use sealed::Sealed;

/// A game with a list of the schemes in which it can be solved.
///
/// ```
/// # use retrograde::{Game, Indexed};
/// use retrograde::{Numbered, scheme};
/// # struct Nim { counters: u64 }
/// # impl Game for Nim { kit::rules_of_nim!(); }
/// # impl Indexed for Nim { kit::indices_of_nim!(); }
///
/// impl Numbered for Nim {
///     type Numberings = (scheme::Dense, scheme::Hashed);
/// }
/// ```
pub trait Numbered: Game + Sized {
    /// The [schemes](self) of the game: one, or a tuple of up to five, the usual one first.
    type Numberings: Numberings<Self>;

    /// Schemes that only some builds of a program compile. Default: none.
    const OPTIONAL: OptionalSchemes = OptionalSchemes { names: &[], needs: "" };
}

/// Schemes that only some builds of a program compile. Errors and help say how to have them.
///
/// ```
/// use retrograde::scheme::{self, OptionalSchemes};
/// # use retrograde::{Game, Indexed, Numbered};
/// # struct Nim { counters: u64 }
/// # impl Game for Nim { kit::rules_of_nim!(); }
/// # impl Indexed for Nim { kit::indices_of_nim!(); }
///
/// impl Numbered for Nim {
///     #[cfg(not(feature = "numberings"))]
///     type Numberings = scheme::Dense;
///     #[cfg(feature = "numberings")]
///     type Numberings = (scheme::Dense, scheme::Hashed);
///     const OPTIONAL: OptionalSchemes =
///         OptionalSchemes { names: &["hashed"], needs: "the feature `numberings`" };
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionalSchemes {
    /// The names of these schemes. They are the same in all builds.
    pub names: &'static [&'static str],
    /// The build that has them, as in "the feature `numberings`".
    pub needs: &'static str,
}

/// The usual scheme of a game: the first of [`Numbered::Numberings`]. Generic code names it, as in
/// `solve_as::<Usual<G>>()`.
///
/// ```
/// use retrograde::error::LawError;
/// use retrograde::laws::{Laws, Report};
/// use retrograde::scheme::Usual;
/// use retrograde::{Notation, Numbered};
///
/// fn check<G: Numbered + Notation>(game: &G) -> Result<Report, LawError> {
///     Laws::new(game).notation().check_as::<Usual<G>>()
/// }
/// ```
pub type Usual<G> = <<G as Numbered>::Numberings as Numberings<G>>::Usual;

/// A way to number the states of a game. The types of [this module](self) are the only schemes.
pub trait Scheme<G: Game>: Sealed {
    /// The properties of the scheme.
    const INFO: SchemeInfo;

    /// The form of this scheme, or its form for states of up to 8 bytes.
    #[doc(hidden)]
    type Narrow: Indexing<G>;

    /// The form of this scheme for longer states, if it has one.
    #[doc(hidden)]
    type Wide: Indexing<G>;

    /// Whether the scheme has a form for longer states. It comes first in conditions: where it is
    /// false, nothing is compiled for them.
    #[doc(hidden)]
    const HAS_WIDE: bool = false;

    /// Whether the states of a game take the form for longer states.
    #[doc(hidden)]
    fn is_wide(game: &G) -> bool {
        let _ = game;
        false
    }

    /// This scheme, or the other one if this one has tiers.
    #[doc(hidden)]
    type UntieredOr<S: Scheme<G>>: Scheme<G>;

    /// Runs the visitor in the form of this scheme that fits the game.
    #[doc(hidden)]
    fn visit<V: IndexingVisitor<G>>(game: &G, visitor: V) -> V::Output {
        if Self::HAS_WIDE && Self::is_wide(game) {
            visitor.visit::<Self::Wide>()
        } else {
            visitor.visit::<Self::Narrow>()
        }
    }

    /// Runs the visitor in the form of this scheme that a table was made with. Returns the visitor
    /// if the table was made with another scheme.
    #[doc(hidden)]
    fn visit_kind<V: IndexingVisitor<G>>(kind: NumberingKind, visitor: V) -> Result<V::Output, V> {
        let tier = kind.tier().map_or(0, |tier| tier as usize);
        if kind == Self::Narrow::kind(tier) {
            Ok(visitor.visit::<Self::Narrow>())
        } else if Self::HAS_WIDE && kind == Self::Wide::kind(tier) {
            Ok(visitor.visit::<Self::Wide>())
        } else {
            Err(visitor)
        }
    }
}

/// All states to which the game's formula gives an index: [`Indexed`](crate::Indexed). Only the
/// value of a state is stored.
#[derive(Clone, Copy, Debug)]
pub enum Dense {}

/// The states that play can reach from the roots, discovered and found by hashing. The game needs
/// no formula. Each state takes its own size plus 6 to 12 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Hashed {}

/// The states that play can reach from the roots, each stored in 8 or 16 bytes:
/// [`PackedState`](crate::PackedState).
#[derive(Clone, Copy, Debug)]
pub enum Packed {}

/// A game solved tier by tier: [`Tiers<Dense>`] with a formula for each tier, [`Tiers<Packed>`] and
/// [`Tiers<Hashed>`] with the states of each tier that play can reach. Only the current tier and the tiers that its
/// moves lead to must be in memory.
#[derive(Clone, Copy, Debug)]
pub struct Tiers<S>(PhantomData<S>, std::convert::Infallible);

impl Sealed for Dense {}
impl Sealed for Hashed {}
impl Sealed for Packed {}
impl<S: Sealed> Sealed for Tiers<S> {}

impl<G: Indexed> Scheme<G> for Dense {
    const INFO: SchemeInfo = DENSE;
    type Narrow = Whole;
    type Wide = Whole;
    type UntieredOr<S: Scheme<G>> = Dense;
}

impl<G: Game> Scheme<G> for Hashed
where
    G::State: Hash + Ord + Serialize + DeserializeOwned,
{
    const INFO: SchemeInfo = HASHED;
    type Narrow = WholeDiscovered<Unpacked>;
    type Wide = WholeDiscovered<Unpacked>;
    type UntieredOr<S: Scheme<G>> = Hashed;
}

impl<G: game::PackedState> Scheme<G> for Packed {
    const INFO: SchemeInfo = PACKED;
    type Narrow = WholeDiscovered<PackedIn<u64>>;
    type Wide = WholeDiscovered<PackedIn<u128>>;
    type UntieredOr<S: Scheme<G>> = Packed;
    const HAS_WIDE: bool = G::Word::IS_WIDE;

    fn is_wide(game: &G) -> bool {
        !game.fits_u64()
    }
}

impl<G: TierIndexed> Scheme<G> for Tiers<Dense> {
    const INFO: SchemeInfo = TIERS;
    type Narrow = Tierwise;
    type Wide = Tierwise;
    type UntieredOr<S: Scheme<G>> = S;
}

impl<G: Tiered + game::PackedState> Scheme<G> for Tiers<Packed> {
    const INFO: SchemeInfo = PACKED_TIERS;
    type Narrow = TierwiseDiscovered<PackedIn<u64>>;
    type Wide = TierwiseDiscovered<PackedIn<u128>>;
    type UntieredOr<S: Scheme<G>> = S;
    const HAS_WIDE: bool = G::Word::IS_WIDE;

    fn is_wide(game: &G) -> bool {
        !game.fits_u64()
    }
}

impl<G: Tiered> Scheme<G> for Tiers<Hashed>
where
    G::State: Hash + Ord + Serialize + DeserializeOwned,
{
    const INFO: SchemeInfo = HASHED_TIERS;
    type Narrow = TierwiseDiscovered<Unpacked>;
    type Wide = TierwiseDiscovered<Unpacked>;
    type UntieredOr<S: Scheme<G>> = S;
}

/// Work that is done in one scheme of a game, for any scheme.
#[doc(hidden)]
pub trait SchemeVisitor<G: Game> {
    /// The result of the work.
    type Output;

    /// Does the work.
    fn visit<S: Scheme<G>>(self) -> Self::Output;
}

/// A list of [schemes](self): one scheme, or a tuple of up to five, the usual one first.
pub trait Numberings<G: Game>: Sealed {
    /// The first scheme of the list.
    type Usual: Scheme<G>;

    /// The first scheme without tiers, or else the usual one.
    #[doc(hidden)]
    type Untiered: Scheme<G>;

    /// The name of each scheme.
    const NAMES: &'static [&'static str];

    /// Runs the visitor for the scheme with this name. Returns the visitor if there is none.
    #[doc(hidden)]
    fn visit_name<V: SchemeVisitor<G>>(name: &str, visitor: V) -> Result<V::Output, V>;

    /// Runs the visitor for the scheme that a table was made with. Returns the visitor if the list
    /// lacks this scheme.
    #[doc(hidden)]
    fn visit_kind<V: IndexingVisitor<G>>(kind: NumberingKind, visitor: V) -> Result<V::Output, V>;
}

fn visit_if_named<G: Game, S: Scheme<G>, V: SchemeVisitor<G>>(
    name: &str,
    visitor: V,
) -> Result<V::Output, V> {
    if name == S::INFO.name { Ok(visitor.visit::<S>()) } else { Err(visitor) }
}

macro_rules! list_of_one {
    ($scheme:ty) => {
        impl<G: Game> Numberings<G> for $scheme
        where
            $scheme: Scheme<G>,
        {
            type Usual = $scheme;
            type Untiered = $scheme;
            const NAMES: &'static [&'static str] = &[<$scheme as Scheme<G>>::INFO.name];

            fn visit_name<V: SchemeVisitor<G>>(name: &str, visitor: V) -> Result<V::Output, V> {
                visit_if_named::<G, $scheme, V>(name, visitor)
            }

            fn visit_kind<V: IndexingVisitor<G>>(
                kind: NumberingKind,
                visitor: V,
            ) -> Result<V::Output, V> {
                <$scheme as Scheme<G>>::visit_kind(kind, visitor)
            }
        }
    };
}

list_of_one!(Dense);
list_of_one!(Hashed);
list_of_one!(Packed);
list_of_one!(Tiers<Dense>);
list_of_one!(Tiers<Packed>);
list_of_one!(Tiers<Hashed>);

/// The first scheme without tiers of a list for a game, or else a scheme.
macro_rules! first_untiered {
    ($game:ident, $usual:ident: $first:ident $(, $other:ident)*) => {
        <$first as Scheme<$game>>::UntieredOr<first_untiered!($game, $usual: $($other),*)>
    };
    ($game:ident, $usual:ident:) => { $usual };
}

macro_rules! list_of_several {
    ($first:ident $(, $other:ident)*) => {
        impl<$first: Sealed $(, $other: Sealed)*> Sealed for ($first, $($other,)*) {}

        impl<Game_: Game, $first: Scheme<Game_> $(, $other: Scheme<Game_>)*> Numberings<Game_>
            for ($first, $($other,)*)
        {
            type Usual = $first;
            type Untiered = first_untiered!(Game_, $first: $first $(, $other)*);
            const NAMES: &'static [&'static str] = &[$first::INFO.name $(, $other::INFO.name)*];

            fn visit_name<V: SchemeVisitor<Game_>>(
                name: &str,
                visitor: V,
            ) -> Result<V::Output, V> {
                visit_if_named::<Game_, $first, V>(name, visitor)
                    $(.or_else(|visitor| visit_if_named::<Game_, $other, V>(name, visitor)))*
            }

            fn visit_kind<V: IndexingVisitor<Game_>>(
                kind: NumberingKind,
                visitor: V,
            ) -> Result<V::Output, V> {
                $first::visit_kind(kind, visitor)
                    $(.or_else(|visitor| $other::visit_kind(kind, visitor)))*
            }
        }
    };
}

list_of_several!(A);
list_of_several!(A, B);
list_of_several!(A, B, C);
list_of_several!(A, B, C, D);
list_of_several!(A, B, C, D, E);
