//! Checks the laws on a sample of the states before each solve, within a time limit.

use std::ops::Range;
use std::time::{Duration, Instant};

use rand::RngExt;
use rand::seq::IteratorRandom;

use crate::error::{BrokenLaw, Law};
use crate::game::value::MAX_POINTS;
use crate::game::{Game, Outcome, Players};
use crate::laws::checker::{Checker, Comparison};
use crate::laws::view::NumberingView;
use crate::laws::writing::Writing;
use crate::numbering::Numbering;

/// The number of indices that are checked, spread over all indices, if there is enough time.
const SPREAD: u64 = 1 << 12;

/// The number of plies of random play, if there is enough time.
const PLIES: u64 = 1 << 10;

/// The number of indices that are always checked.
const LEAST: u64 = 8;

/// The exits of one index in so many are always checked, of [`SPREAD`] indices at most. Tiers are
/// small, and the time for each is short, but a solve that believes a wrong exit says nothing.
const EXITS_OF_ONE_IN: u64 = 32;

/// The number of roots from which random play begins.
const STARTS: usize = 64;

/// The number of plies after which random play starts over.
const GAME: u64 = 128;

/// If fewer states than this have moves, a turn that never changes may be right.
const FEW_STATES: u64 = 24;

/// Checks the laws on roots, on indices that are spread over `window`, and along random play from
/// the first roots. Takes roughly `time`.
///
/// # Errors
/// The first broken law that is found.
pub(crate) fn check_sample<N: Numbering>(
    numbering: &N,
    window: Range<u64>,
    time: Duration,
) -> Result<(), BrokenLaw> {
    check_view(numbering, window, time)
}

/// Refuses a game without roots, with an impossible outcome of endless play, or with points and rules
/// that only wins and losses can have.
///
/// # Errors
/// When it is such a game.
pub(crate) fn check_game<G: Game>(game: &G) -> Result<(), BrokenLaw> {
    match game.endless() {
        Outcome::Draw => {}
        Outcome::Win(_) if G::PLAYERS != Players::Unnamed => {}
        outcome => {
            let text = format!(
                "`Game::endless` returns `Outcome::{outcome:?}`: expected a draw or the win of a named \
                 player, and only a draw where states do not say who is to move"
            );
            return Err(BrokenLaw::new(Law::Players, [], text));
        }
    }
    if G::POINTS {
        let points = game.max_points();
        if points > MAX_POINTS {
            let text =
                format!("`Game::max_points` returns {points}: expected at most {MAX_POINTS}");
            return Err(BrokenLaw::new(Law::Points, [], text));
        }
        let refuse = |rule, expected| {
            let text = format!("a game with points can't have {rule}: {expected}");
            Err(BrokenLaw::new(Law::Points, [], text))
        };
        if game.endless() != Outcome::Draw {
            return refuse(
                "a winner of endless play",
                "endless play gains nothing for either player, so that `Game::endless` is a draw",
            );
        }
        if game.ply_limit().is_some() {
            return refuse("a ply limit", "`Game::ply_limit` returns `None`");
        }
    }
    game.roots().into_iter().next().map_or(Err(BrokenLaw::no_roots()), |_| Ok(()))
}

fn check_view<G: Game>(
    numbering: &dyn NumberingView<G>,
    window: Range<u64>,
    time: Duration,
) -> Result<(), BrokenLaw> {
    let begin = Instant::now();
    let mut checker = Checker::new(numbering, Writing::debug(), Comparison::Each, 0);
    // Tiers of the same length are checked at different places.
    let tier = numbering.kind().tier();
    let salt = u64::from(tier.unwrap_or(0)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    let exits = tier.map_or(0, |_| (window.end - window.start) / EXITS_OF_ONE_IN);
    for (done, index) in (0_u64..).zip(spread(window.clone(), salt)) {
        if done < LEAST || begin.elapsed() * 2 <= time {
            checker.check_for_value(index)?;
        } else if done < exits {
            checker.check_exits_of(index)?;
        } else {
            break;
        }
    }
    checker.check_roots(&|| begin.elapsed() * 4 > time * 3)?;
    let states = checker.seen.open;
    let mut starts: Vec<_> = numbering.game().roots().into_iter().take(STARTS).collect();
    if starts.iter().all(|root| numbering.is_elsewhere(root)) {
        starts.extend(spread(window, salt).filter_map(|index| numbering.state(index)).take(16));
    }
    let is_over = |_| begin.elapsed() > time;
    checker.play(&starts, &is_over)?;
    if states < FEW_STATES { Ok(()) } else { Checker::<G>::check_players(&checker.seen) }
}

/// Some indices of a window, spread over all of it. The first few of them are spread over it, too.
/// Their distances vary, so that they do not follow the layout of a formula. `salt` says which come
/// first.
fn spread(window: Range<u64>, salt: u64) -> impl Iterator<Item = u64> {
    let len = window.end - window.start;
    let count = len.min(SPREAD);
    let slots = count.next_power_of_two();
    // An odd step near the golden ratio reaches each slot once, and spreads the first few.
    let step = (slots as f64 / 1.618_033_988_749_895) as u64 | 1;
    let slot = move |at: u64| at.wrapping_add(salt).wrapping_mul(step) % slots;
    (0..slots).map(slot).filter(move |&slot| slot < count).map(move |slot| {
        let edge = |slot: u64| (u128::from(len) * u128::from(slot) / u128::from(count)) as u64;
        let (start, end) = (edge(slot), edge(slot + 1));
        // A multiple of the golden ratio, whose remainders are spread evenly.
        let offset = (slot ^ salt).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16;
        window.start + start + offset % (end - start).max(1)
    })
}

impl<G: Game> Checker<'_, G> {
    /// Checks the roots of the game, and the states along random play from them.
    pub(super) fn check_play(&mut self) -> Result<(), BrokenLaw> {
        self.check_roots(&|| false)?;
        let starts = self.game().roots().into_iter().sample(&mut self.random, STARTS);
        self.play(&starts, &|_| false)
    }

    /// Follows random play, and checks the states of this numbering.
    fn play(
        &mut self,
        starts: &[G::State],
        is_over: &dyn Fn(u64) -> bool,
    ) -> Result<(), BrokenLaw> {
        let Some(first) = starts.first() else { return Ok(()) };
        let mut at = first.clone();
        for ply in 0..PLIES {
            if is_over(ply) {
                break;
            }
            let mut successors = self.successors(&at);
            if successors.is_empty() || ply % GAME == GAME - 1 {
                at = starts[self.random.random_range(0..starts.len())].clone();
                continue;
            }
            let next = successors.swap_remove(self.random.random_range(0..successors.len()));
            self.see_turn(&at, &next);
            at = next;
            if !self.numbering.is_elsewhere(&at) {
                let (index, canonical) = self.representative(&at)?;
                self.check_symmetry(&at, &canonical)?;
                self.check_range(index)?;
                self.check_value(index, &canonical)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_sample_has_each_index_of_few_and_some_of_many() {
        for len in [0, 1, 2, 3, 64, 100, 4095, 4096] {
            let all: BTreeSet<u64> = spread(10..10 + len, len).collect();
            assert!(all.iter().copied().eq(10..10 + len), "{len}");
        }
        for len in [4097, 1 << 20, u64::MAX / 2] {
            let some: Vec<u64> = spread(5..5 + len, len % 7).collect();
            let distinct: BTreeSet<u64> = some.iter().copied().collect();
            assert_eq!((some.len(), distinct.len()), (4096, 4096), "{len}");
            // The first few are spread, too, and both parities are there.
            let early: BTreeSet<u64> =
                some[..64].iter().map(|index| (index - 5) / (len / 8)).collect();
            assert!(early.len() >= 8, "{len}: {early:?}");
            assert!(some[..64].iter().filter(|&&index| index % 2 == 0).count() > 16);
        }
    }
}
