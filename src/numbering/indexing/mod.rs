//! The ways to index the states of a game, as pairs of two choices: whether the game is divided
//! into tiers ([`Tiering`]), and how the states of a tier are found ([`Lookup`]).
//!
//! A game without tiers is a game of one tier, so solving and checking are written once.

mod lookup;
mod tiering;

use std::marker::PhantomData;

pub use self::lookup::{Discover, Discovered, Formula, Lookup, TierFormula};
pub use self::tiering::{ByTier, Tiering, Untiered};
use crate::game::{
    Game, Indexed, NoRows, Player, Repeats, Rows, TierIndexed, Tiered, Turns, VisitSuccessors,
};
use crate::numbering::discovered::Encoding;
use crate::numbering::interface::successors_by_moves;
use crate::numbering::kind::NumberingKind;
use crate::numbering::part::Part;

/// One concrete way to index the states of a game: a [`Tiering`] and a [`Lookup`].
pub trait Indexing<G: Game>: Sized + 'static {
    /// Whether the game is divided into tiers.
    type Tiering: Tiering<G>;

    /// How the states of a tier are found.
    type Lookup: Lookup<G>;

    /// Whether the game computes the indices of successors itself.
    const HAS_SUCCESSOR_INDICES: bool = false;

    /// The data from which indices and states are computed. If a loop takes this as an argument,
    /// the compiler sees that no write of the loop changes it, and keeps its fields in registers.
    /// This saves a tenth of the time for a game with a short formula.
    type Context<'g>
    where
        G: 'g;

    /// The context of a part.
    fn context<'p, 'g>(part: &'p Part<'g, G, Self>) -> &'p Self::Context<'g>;

    /// The game, the tier, and the search structure for its states.
    fn parts_of<'p, 'g>(context: &'p Self::Context<'g>) -> (&'p G, usize, &'p Indices<G, Self>)
    where
        G: 'g;

    /// The name of this numbering in the table of a tier.
    fn kind(tier: usize) -> NumberingKind {
        let tier = Self::Tiering::HAS_TIERS.then_some(tier);
        NumberingKind::new(Self::Lookup::FORM, tier)
    }

    /// The length of a run of indices: see [`TierIndexed::run_len`].
    fn run_len(game: &G, tier: usize) -> u64 {
        let _ = (game, tier);
        1
    }

    /// The moves of a tier by rows: see [`TierIndexed::tier_rows`].
    fn rows(game: &G, tier: usize) -> Option<impl Rows> {
        let _ = (game, tier);
        None::<NoRows>
    }

    /// Whether the game computes the indices of predecessors itself.
    const HAS_PREDECESSOR_INDICES: bool = false;

    /// Visits the indices of the predecessors of a state in its tier, and who is to move there.
    #[inline(always)]
    fn predecessor_indices(
        game: &G,
        tier: usize,
        indices: &Indices<G, Self>,
        state: &G::State,
        mut visit: impl FnMut(u64, Player),
    ) -> Repeats {
        Self::Tiering::predecessors(game, tier, state, |before| {
            if Self::Tiering::tier(game, &before) == tier
                && let Some(index) = Self::Lookup::index(indices, game, tier, &before)
            {
                visit(index, game.next_mover(&before));
            }
        });
        Repeats::unless(Self::Tiering::DISTINCT)
    }

    /// Visits the successors of a state of the part, by index if they have one in the part.
    #[inline]
    fn successors(
        part: &Part<'_, G, Self>,
        state: &G::State,
        visitor: &mut impl VisitSuccessors<G::State>,
    ) {
        successors_by_moves(part, state, visitor);
    }
}

/// The search structure for the states of one tier: [`Lookup::Indices`].
pub(crate) type Indices<G, I> = <<I as Indexing<G>>::Lookup as Lookup<G>>::Indices;

/// The key by which a table file is searched: [`Lookup::Key`].
pub(crate) type KeyOf<G, I> = <<I as Indexing<G>>::Lookup as Lookup<G>>::Key;

/// Work that is done in one [`Indexing`] of a game, for any indexing.
pub trait IndexingVisitor<G: Game> {
    /// The result of the work.
    type Output;

    /// Does the work.
    fn visit<I: Indexing<G>>(self) -> Self::Output;
}

/// All states, by the game's formula.
#[derive(Debug)]
pub enum Whole {}

impl<G: Indexed> Indexing<G> for Whole {
    type Tiering = Untiered;
    type Lookup = Formula;
    type Context<'g>
        = G
    where
        G: 'g;

    #[inline]
    fn context<'p, 'g>(part: &'p Part<'g, G, Self>) -> &'p G {
        part.game
    }

    #[inline(always)]
    fn parts_of<'p, 'g>(game: &'p G) -> (&'p G, usize, &'p ())
    where
        G: 'g,
    {
        (game, 0, &())
    }

    const HAS_PREDECESSOR_INDICES: bool = G::PREDECESSOR_INDICES;

    #[inline(always)]
    fn predecessor_indices(
        game: &G,
        _: usize,
        (): &(),
        state: &G::State,
        visit: impl FnMut(u64, Player),
    ) -> Repeats {
        const {
            assert!(
                G::PREDECESSORS || !G::PREDECESSOR_INDICES,
                "`Indexed::PREDECESSOR_INDICES` is true: write `Game::predecessors`, too, and set \
                 `Game::PREDECESSORS`, so that the one can be checked by the other"
            );
        }
        game.predecessor_indices(state, visit)
    }
}

macro_rules! context_is_part {
    () => {
        type Context<'g>
            = Part<'g, G, Self>
        where
            G: 'g;

        #[inline]
        fn context<'p, 'g>(part: &'p Part<'g, G, Self>) -> &'p Part<'g, G, Self> {
            part
        }

        #[inline(always)]
        fn parts_of<'p, 'g>(part: &'p Part<'g, G, Self>) -> (&'p G, usize, &'p Indices<G, Self>)
        where
            G: 'g,
        {
            (part.game, part.tier, &part.indices)
        }
    };
}

/// All states that play can reach.
#[derive(Debug)]
pub struct WholeDiscovered<E>(PhantomData<E>);

impl<G: Game, E: Encoding<G>> Indexing<G> for WholeDiscovered<E> {
    type Tiering = Untiered;
    type Lookup = Discovered<E>;
    context_is_part!();
}

/// The states of each tier, by the game's formula.
#[derive(Debug)]
pub enum Tierwise {}

impl<G: TierIndexed> Indexing<G> for Tierwise {
    type Tiering = ByTier;
    type Lookup = TierFormula;
    const HAS_PREDECESSOR_INDICES: bool = G::TIER_PREDECESSOR_INDICES;
    const HAS_SUCCESSOR_INDICES: bool = G::TIER_SUCCESSOR_INDICES;
    context_is_part!();

    #[inline(always)]
    fn predecessor_indices(
        game: &G,
        tier: usize,
        (): &(),
        state: &G::State,
        visit: impl FnMut(u64, Player),
    ) -> Repeats {
        const {
            assert!(
                G::TIER_PREDECESSORS || !G::TIER_PREDECESSOR_INDICES,
                "`TierIndexed::TIER_PREDECESSOR_INDICES` is true: write \
                 `Tiered::tier_predecessors`, too, and set `Tiered::TIER_PREDECESSORS`, so \
                 that the one can be checked by the other"
            );
        }
        game.tier_predecessor_indices(tier, state, visit)
    }

    fn rows(game: &G, tier: usize) -> Option<impl Rows> {
        game.tier_rows(tier)
    }

    fn run_len(game: &G, tier: usize) -> u64 {
        if G::TIER_SUCCESSOR_INDICES { game.run_len(tier) } else { 1 }
    }

    #[inline]
    fn successors(
        part: &Part<'_, G, Self>,
        state: &G::State,
        visitor: &mut impl VisitSuccessors<G::State>,
    ) {
        // A constant condition, so that only one of the two is compiled.
        if G::TIER_SUCCESSOR_INDICES {
            part.game.tier_successor_indices(part.tier, state, visitor);
        } else {
            successors_by_moves(part, state, visitor);
        }
    }
}

/// The states of each tier that play can reach.
#[derive(Debug)]
pub struct TierwiseDiscovered<E>(PhantomData<E>);

impl<G: Tiered, E: Encoding<G>> Indexing<G> for TierwiseDiscovered<E> {
    type Tiering = ByTier;
    type Lookup = Discovered<E>;
    context_is_part!();
}
