//! One ending: its men, when play is over in it, and the endings that captures and promotions make of it.

use std::collections::BTreeMap;

use super::goal::BareKing;
use super::material::Material;
use super::numbering::{MOST_MEN, NOWHERE, Numbering, Squares};
use super::setup::Setup;

/// The end of play for everyone to move in an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// Play goes on.
    No,
    /// Play can't come here.
    Never,
    Draw,
    /// This side wins.
    Win(usize),
}

/// The change of a position by a move that leaves its ending.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) ending: u8,
    /// Whether the sides change places.
    pub(super) exchanges: bool,
    /// For each man of the next ending, its place in this one.
    from: [u8; MOST_MEN],
}

impl Change {
    pub(super) fn squares(&self, before: &Squares) -> Squares {
        self.from.map(|place| before.get(usize::from(place)).copied().unwrap_or(NOWHERE))
    }
}

/// A pawn that becomes another piece: its place, and the place of the piece among those of promotions.
pub(super) type Promotion = (usize, u8);

pub(super) struct Ending {
    pub(super) material: Material,
    pub(super) number: u8,
    pub(super) men: usize,
    /// The pieces by their numbers, in the order of the men's places.
    pub(super) kinds: [u8; MOST_MEN],
    /// The number of men of the first side, whose places come first.
    pub(super) split: usize,
    pub(super) kings: [Option<usize>; 2],
    /// Whether both sides have the same, and colours are folded.
    pub(super) is_symmetric: bool,
    /// By the side to move.
    pub(super) over: [Over; 2],
    /// The places that each belong to a man like the one before.
    like_before: [bool; MOST_MEN],
    pub(super) numbering: Numbering,
    /// Whether both sides have pawns, and these a double step.
    pub(super) has_en_passant: bool,
    /// Whether all men have tables, and these say who is in check.
    pub(super) has_tables: bool,
    /// The number of pieces that a pawn becomes.
    promotions: usize,
    /// By the men that are gone and by the promotion.
    changes: Vec<Option<Change>>,
}

/// The end of play that material alone decides, by the side to move.
fn over(setup: &Setup, kings: [Option<usize>; 2], counts: [usize; 2]) -> [Over; 2] {
    let goal = setup.goal;
    let is_bare = |side: usize| goal.royal && kings[side].is_some() && counts[side] == 1;
    let mut over = [Over::No; 2];
    for side in [0, 1] {
        let other = 1 - side;
        // The end that the other's last move has made.
        let mut is = |mine, others| (over[side], over[other]) = (mine, others);
        if goal.extinct && counts[side] == 0 {
            is(Over::Win(side), Over::Never);
        } else if goal.royal && kings[side].is_none() {
            is(Over::Win(other), Over::Never);
        } else if is_bare(side) && goal.bare != BareKing::PlaysOn {
            match goal.bare {
                _ if is_bare(other) => is(Over::Draw, Over::Draw),
                BareKing::Wins => is(Over::Win(side), Over::Never),
                BareKing::LosesUnlessBoth => is(Over::No, Over::Win(other)),
                BareKing::Loses | BareKing::PlaysOn => is(Over::Win(other), Over::Never),
            }
        }
    }
    over
}

impl Ending {
    pub(super) fn new(setup: &Setup, material: Material) -> Ending {
        let men = material.men();
        let split = material.sides[0].len();
        let (mut kinds, mut kings) = ([u8::MAX; MOST_MEN], [None; 2]);
        for (place, (kind, side)) in material.kinds().enumerate() {
            kinds[place] = kind;
            if setup.goal.royal && kind == setup.king {
                kings[side] = Some(place);
            }
        }
        let mut like_before = [false; MOST_MEN];
        for place in 1..men {
            like_before[place] = place != split && kinds[place - 1] == kinds[place];
        }
        let is_symmetric = setup.folds() && material.sides[0] == material.sides[1];
        let marked: Vec<u8> = material.kinds().map(|(kind, side)| 2 * kind + side as u8).collect();
        let symmetries = setup.symmetries(&kinds[..men]);
        let may_stand = |one, other| setup.kings_may_stand(one, other);
        let turns = if is_symmetric { 1 } else { 2 };
        Ending {
            number: 0,
            men,
            kinds,
            split,
            kings,
            is_symmetric,
            over: over(setup, kings, [split, men - split]),
            like_before,
            numbering: Numbering::new(setup.board, &symmetries, &marked, kings, may_stand, turns),
            has_tables: !setup.goal.atomic
                && kinds[..men].iter().all(|&kind| setup.tables.has(kind)),
            has_en_passant: setup.twice[0] != 0
                && material.sides.iter().all(|side| side.contains(&setup.pawn)),
            promotions: setup.promotions.len(),
            changes: Vec::new(),
            material,
        }
    }

    /// The side of the man in a place.
    #[inline(always)]
    pub(super) fn side_of(&self, place: usize) -> usize {
        usize::from(place >= self.split)
    }

    /// The places of a side's men.
    #[inline(always)]
    pub(super) fn places(&self, side: usize) -> std::ops::Range<usize> {
        if side == 0 { 0..self.split } else { self.split..self.men }
    }

    /// Whether the man in a place is like one beside it.
    pub(super) fn is_like_another(&self, place: usize) -> bool {
        self.like_before[place] || self.like_before.get(place + 1) == Some(&true)
    }

    /// Puts like men in ascending order.
    #[inline]
    pub(super) fn ordered(&self, mut squares: Squares) -> Squares {
        for end in 1..self.men {
            let mut place = end;
            while place > 0 && self.like_before[place] && squares[place - 1] > squares[place] {
                squares.swap(place - 1, place);
                place -= 1;
            }
        }
        squares
    }

    /// The material after these men are gone and a pawn is promoted, the place of each man here, and
    /// whether the sides change places. `None` where no move does that.
    fn after(
        &self,
        setup: &Setup,
        gone: u8,
        promoted: Option<Promotion>,
    ) -> Option<(Material, Change)> {
        let is_gone = |place: usize| gone >> place & 1 != 0;
        let lost = |side| self.places(side).filter(|&place| is_gone(place)).count();
        let has_lost_king = |side: usize| self.kings[side].is_some_and(is_gone);
        let is_possible = if gone == 0 {
            promoted.is_some()
        } else if setup.goal.atomic {
            // The man that captures is gone, too, and is no king.
            promoted.is_none()
                && lost(0) > 0
                && lost(1) > 0
                && !(has_lost_king(0) && has_lost_king(1))
        } else {
            gone.count_ones() == 1 && !has_lost_king(0) && !has_lost_king(1)
        };
        let is_pawn = |&(place, _): &Promotion| {
            place < self.men
                && self.kinds[place] == setup.pawn
                && !is_gone(place)
                && (gone == 0 || lost(1 - self.side_of(place)) == 1)
        };
        if !is_possible || promoted.as_ref().is_some_and(|promotion| !is_pawn(promotion)) {
            return None;
        }
        let kind = |place: usize| match promoted {
            Some((pawn, becomes)) if pawn == place => setup.promotions[usize::from(becomes)],
            _ => self.kinds[place],
        };
        let left: Vec<usize> = (0..self.men).filter(|&place| !is_gone(place)).collect();
        let side = |side| {
            let own = left.iter().filter(|&&place| self.side_of(place) == side);
            own.map(|&place| kind(place)).collect()
        };
        let (material, exchanges) = Material::new([side(0), side(1)], setup.folds());
        let mut order = left;
        order.sort_by_key(|&place| (self.side_of(place) ^ usize::from(exchanges), kind(place)));
        let mut from = [u8::MAX; MOST_MEN];
        from.iter_mut().zip(&order).for_each(|(from, &place)| *from = place as u8);
        Some((material, Change { ending: 0, exchanges, from }))
    }

    /// All captures and promotions that lead out of the ending.
    fn exits(&self, setup: &Setup) -> Vec<(u8, Option<Promotion>, Material, Change)> {
        let pawns = (0..self.men)
            .flat_map(|place| (0..setup.promotions.len()).map(move |at| Some((place, at as u8))));
        let promotions: Vec<_> = std::iter::once(None).chain(pawns).collect();
        let is_over = self.over.iter().all(|&over| over != Over::No);
        let gone = 0..if is_over { 0 } else { 1_u8 << self.men };
        let exits = gone.flat_map(|gone| promotions.iter().map(move |&promoted| (gone, promoted)));
        exits
            .filter_map(|(gone, promoted)| {
                let (material, change) = self.after(setup, gone, promoted)?;
                Some((gone, promoted, material, change))
            })
            .collect()
    }

    /// The material of the endings that captures and promotions lead to.
    pub(super) fn successors(&self, setup: &Setup) -> Vec<Material> {
        self.exits(setup).into_iter().map(|(_, _, material, _)| material).collect()
    }

    /// Finds the endings that captures and promotions lead to, and returns their numbers.
    pub(super) fn link(&mut self, setup: &Setup, numbers: &BTreeMap<Material, u8>) -> Vec<usize> {
        let mut leads_to = Vec::new();
        self.changes = vec![None; self.key(1 << MOST_MEN, None)];
        for (gone, promoted, material, change) in self.exits(setup) {
            let Some(&ending) = numbers.get(&material) else { continue };
            let key = self.key(gone, promoted);
            self.changes[key] = Some(Change { ending, ..change });
            leads_to.push(usize::from(ending));
        }
        leads_to.sort_unstable();
        leads_to.dedup();
        leads_to
    }

    /// Where the change is listed.
    #[inline(always)]
    fn key(&self, gone: u8, promoted: Option<Promotion>) -> usize {
        let promoted =
            promoted.map_or(0, |(pawn, becomes)| 1 + pawn * self.promotions + usize::from(becomes));
        usize::from(gone) * (1 + MOST_MEN * self.promotions) + promoted
    }

    /// The change after these men are gone and a pawn is promoted; `None` where no move does that.
    #[inline]
    pub(super) fn change(&self, gone: u8, promoted: Option<Promotion>) -> Option<&Change> {
        self.changes.get(self.key(gone, promoted))?.as_ref()
    }
}
