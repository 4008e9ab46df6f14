//! The errors of broken laws that the guide shows. Each is made by a heap of counters with one
//! mistake.

use retrograde::error::{BrokenLaw, LawError};
use retrograde::laws::{Law, Laws};
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::scheme::{self, Scheme};
use retrograde::{
    Game, Indexed, Notation, NotationError, Outcome, PackedState, Player, Players, Tier,
    TierIndexed, Tiered, VisitSuccessors,
};

use super::GUIDE;

/// Five counters. A player takes one or two, and the player who takes the last one wins. The
/// parameters say which promises the game makes.
#[derive(Clone, Copy)]
struct Heap<const NAMED: bool = false, const DISTINCT: bool = false, const POINTS: bool = false> {
    mistake: Option<Law>,
}

impl<const NAMED: bool, const DISTINCT: bool, const POINTS: bool> Heap<NAMED, DISTINCT, POINTS> {
    fn has(&self, mistake: Law) -> bool {
        self.mistake == Some(mistake)
    }
}

impl<const NAMED: bool, const DISTINCT: bool, const POINTS: bool> Game
    for Heap<NAMED, DISTINCT, POINTS>
{
    type State = u64;
    const PLAYERS: Players = if NAMED { Players::Distinct } else { Players::Unnamed };
    const PREDECESSORS: bool = true;
    const DISTINCT: bool = DISTINCT;
    const POINTS: bool = POINTS;

    fn turn(&self, _: &u64) -> Player {
        Player::First
    }

    fn terminal(&self, &heap: &u64) -> Option<Outcome> {
        let loses = match (NAMED, POINTS) {
            (true, _) => Outcome::Win(Player::Second),
            (false, true) => Outcome::Points(-1),
            (false, false) => Outcome::MoverLoses,
        };
        (heap == 0 && !self.has(Law::NoMoves)).then_some(loses)
    }

    fn moves(&self, &heap: &u64, mut visit: impl FnMut(u64)) {
        (1..=heap.min(2)).for_each(|taken| visit(heap - taken));
        if self.has(Law::Distinct) && heap > 0 {
            visit(heap - 1);
        }
    }

    fn predecessors(&self, &heap: &u64, visit: impl FnMut(u64)) {
        let most = if self.has(Law::Predecessors) { 1 } else { 2 };
        (1..=most).map(|taken| heap + taken).filter(|before| *before <= 5).for_each(visit);
    }

    fn gain(&self, _: &u64, _: &u64) -> i16 {
        i16::from(self.has(Law::Points))
    }

    fn max_points(&self) -> u16 {
        1
    }

    fn degree(&self, &heap: &u64) -> Option<u64> {
        self.has(Law::Degree).then_some(heap)
    }

    fn roots(&self) -> impl IntoIterator<Item = u64> {
        (!self.has(Law::Roots)).then_some(5)
    }

    fn canonical(&self, &heap: &u64) -> u64 {
        if self.has(Law::Symmetry) && heap == 4 { 3 } else { heap }
    }
}

impl<const NAMED: bool, const DISTINCT: bool, const POINTS: bool> Indexed
    for Heap<NAMED, DISTINCT, POINTS>
{
    fn len(&self) -> u64 {
        6
    }

    fn index(&self, &heap: &u64) -> u64 {
        if self.has(Law::Index) { heap / 2 } else { heap }
    }

    fn unindex(&self, index: u64) -> Option<u64> {
        Some(index)
    }
}

impl PackedState for Heap {
    type Word = u64;

    fn pack(&self, &heap: &u64) -> u64 {
        if self.has(Law::Packing) { heap & 0b11 } else { heap }
    }

    fn unpack(&self, packed: u64) -> u64 {
        packed
    }
}

impl Tiered for Heap {
    fn tiers(&self) -> Vec<Tier> {
        let least = |heap: usize| if self.has(Law::Tiers) { 1 } else { 2 }.min(heap);
        let tier = |heap| Tier {
            name: format!("heap-{heap}"),
            leads_to: (heap - least(heap)..heap).collect(),
        };
        (0..=5).map(tier).collect()
    }

    fn tier(&self, &heap: &u64) -> usize {
        heap as usize
    }
}

impl TierIndexed for Heap {
    fn tier_len(&self, _: usize) -> u64 {
        1
    }

    fn tier_index(&self, _: usize, _: &u64) -> u64 {
        0
    }

    fn tier_unindex(&self, tier: usize, _: u64) -> Option<u64> {
        Some(tier as u64)
    }

    const TIER_SUCCESSOR_INDICES: bool = true;

    fn tier_successor_indices(
        &self,
        _: usize,
        &heap: &u64,
        visitor: &mut impl VisitSuccessors<u64>,
    ) {
        let most = if self.has(Law::Successors) { 1 } else { 2 };
        (1..=heap.min(most)).for_each(|taken| visitor.leave(heap - taken));
    }
}

impl<const NAMED: bool, const DISTINCT: bool, const POINTS: bool> Notation
    for Heap<NAMED, DISTINCT, POINTS>
{
    fn write_state(&self, heap: &u64) -> String {
        heap.to_string()
    }

    fn parse_state(&self, text: &str) -> Result<u64, NotationError> {
        let most = if self.has(Law::Notation) { 4 } else { 5 };
        let heap = text.parse().ok().filter(|heap| *heap <= most);
        heap.ok_or_else(|| NotationError::new(format!("expected 0 to {most}")))
    }

    fn write_move(&self, &from: &u64, &to: &u64) -> String {
        if self.has(Law::MoveNames) { "take".into() } else { format!("take-{}", from - to) }
    }

    fn scene(&self, &heap: &u64) -> Option<Scene> {
        let mut scene = Scene::new();
        scene.reserve(0.0, 0.0, "heap");
        scene.put(0, Piece::disc("counter").times(heap as u32));
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::new([Piece::disc("counter")])
    }

    fn set_up(&self, scene: &Scene, _: Player) -> Result<u64, NotationError> {
        let heap = scene.pieces().map(|(_, counters)| u64::from(counters.count())).sum::<u64>();
        Ok(if self.has(Law::SetUp) { heap / 2 } else { heap })
    }
}

/// The error of a game that breaks this law, in a scheme that shows it.
fn error<S, const N: bool, const D: bool, const P: bool>(law: Law) -> LawError
where
    S: Scheme<Heap<N, D, P>>,
{
    let right = Laws::new(&Heap::<N, D, P> { mistake: None }).notation().check_as::<S>();
    assert!(N || right.is_ok(), "{law:?}: {right:?}");
    let wrong = Heap::<N, D, P> { mistake: Some(law) };
    Laws::new(&wrong).notation().check_as::<S>().expect_err("a broken law")
}

#[test]
fn the_guide_shows_the_error_of_each_law() {
    if kit::PLAIN {
        return;
    }
    type Tiers = scheme::Tiers<scheme::Dense>;
    let errors = [
        (Law::Predecessors, error::<scheme::Dense, false, false, false>(Law::Predecessors)),
        (Law::Index, error::<scheme::Dense, false, false, false>(Law::Index)),
        (Law::NoMoves, error::<scheme::Dense, false, false, false>(Law::NoMoves)),
        (Law::Symmetry, error::<scheme::Hashed, false, false, false>(Law::Symmetry)),
        (Law::Notation, error::<scheme::Dense, false, false, false>(Law::Notation)),
        (Law::MoveNames, error::<scheme::Dense, false, false, false>(Law::MoveNames)),
        (Law::SetUp, error::<scheme::Dense, false, false, false>(Law::SetUp)),
        (Law::Distinct, error::<scheme::Dense, false, true, false>(Law::Distinct)),
        (Law::Packing, error::<scheme::Packed, false, false, false>(Law::Packing)),
        (Law::Degree, error::<scheme::Dense, false, false, false>(Law::Degree)),
        (Law::Tiers, error::<Tiers, false, false, false>(Law::Tiers)),
        (Law::Successors, error::<Tiers, false, false, false>(Law::Successors)),
        (Law::Players, error::<scheme::Dense, true, false, false>(Law::Players)),
        (Law::Points, error::<scheme::Dense, false, false, true>(Law::Points)),
        (Law::Roots, error::<scheme::Dense, false, false, false>(Law::Roots)),
    ];
    for (expected, error) in errors {
        let LawError::Broken(BrokenLaw { law, counterexample, .. }) = error else {
            panic!("{error}")
        };
        assert_eq!(law, expected, "{counterexample}");
        let row = format!("| {law} | {counterexample} |");
        assert!(GUIDE.contains(&row), "the guide lacks this row:\n{row}");
    }
}
