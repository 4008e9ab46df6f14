//! Solved tiers that only later tiers need are dropped before others are loaded, not after.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::game::value::Value;
use crate::game::{TierIndexed, Tiered};
use crate::numbering::TierValues;
use crate::numbering::indexing::Tierwise;
use crate::solve::plan::NOT_SAVED;
use crate::solve::tiers::memory::{ExitsSize, StatesSize};

/// The states of a tier.
const LEN: u64 = 1 << 24;

/// Four large tiers in which play is over, and three of one state each, which lead to two of those.
const LEADS_TO: [&[usize]; 7] = [&[], &[], &[], &[], &[0, 1], &[2, 3], &[0, 1]];

struct Doors;

impl Game for Doors {
    /// The tier, and the place there.
    type State = (usize, u64);
    const PLAYERS: crate::Players = crate::Players::Unnamed;

    fn terminal(&self, &(tier, _): &(usize, u64)) -> Option<Outcome> {
        LEADS_TO[tier].is_empty().then_some(Outcome::MoverLoses)
    }

    fn moves(&self, &(tier, at): &(usize, u64), mut visit: impl FnMut((usize, u64))) {
        LEADS_TO[tier].iter().for_each(|&next| visit((next, at)));
    }

    fn roots(&self) -> impl IntoIterator<Item = (usize, u64)> {
        [(6, 0)]
    }
}

impl Tiered for Doors {
    fn tiers(&self) -> Vec<Tier> {
        let tiers = LEADS_TO.iter().zip(0..);
        tiers.map(|(to, at)| Tier { name: format!("{at}"), leads_to: to.to_vec() }).collect()
    }

    fn tier(&self, &(tier, _): &(usize, u64)) -> usize {
        tier
    }
}

impl TierIndexed for Doors {
    fn tier_len(&self, tier: usize) -> u64 {
        if LEADS_TO[tier].is_empty() { LEN } else { 1 }
    }

    fn tier_index(&self, _: usize, &(_, at): &(usize, u64)) -> u64 {
        at
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<(usize, u64)> {
        Some((tier, index))
    }
}

/// The values of a large tier, which count as memory as long as they are there.
#[derive(Debug)]
struct Large(Arc<AtomicU64>);

impl TierValues for Large {
    fn value(&self, _: u64) -> Option<Value> {
        Some(Value::Loss(0))
    }

    fn bytes(&self) -> u64 {
        LEN
    }
}

impl Drop for Large {
    fn drop(&mut self) {
        self.0.fetch_sub(LEN, Ordering::Relaxed);
    }
}

/// Solved tiers in files: the large ones from the beginning.
#[derive(Default)]
struct Files {
    in_memory: Arc<AtomicU64>,
    most: u64,
    loaded: Vec<usize>,
}

impl TierStore<Doors, Tierwise> for Files {
    type Error = SolveError;

    fn kept(&self) -> Kept {
        Kept::InFiles
    }

    fn size(&self, tier: usize, _: Option<&RecordedMoves>) -> TierSize {
        let is_solved = LEADS_TO[tier].is_empty();
        let incoming = ExitsSize { bytes: 0, all_leave: !is_solved };
        TierSize { len: Doors.tier_len(tier), states: StatesSize::default(), incoming, is_solved }
    }

    fn find(
        &mut self,
        tier: usize,
        _: &mut WorkerPool<'_>,
    ) -> Result<Option<TierFigures>, SolveError> {
        let figures = || TierFigures {
            name: format!("{tier}"),
            summary: Default::default(),
            bytes: None,
            found: true,
        };
        Ok(LEADS_TO[tier].is_empty().then(figures))
    }

    fn indices(&mut self, _: usize, _: &KeyForm) -> Result<(), SolveError> {
        Ok(())
    }

    fn load(
        &mut self,
        tier: usize,
        _: bool,
        _: &KeyForm,
        _: Option<&Arc<Scratch>>,
        _: &mut WorkerPool<'_>,
    ) -> Result<SolvedTier<Doors, Tierwise>, SolveError> {
        self.most = self.most.max(self.in_memory.fetch_add(LEN, Ordering::Relaxed) + LEN);
        self.loaded.push(tier);
        Ok(SolvedTier { indices: (), values: Arc::new(Large(Arc::clone(&self.in_memory))) })
    }

    fn save(
        &mut self,
        _: usize,
        _: SolvedPart<'_, Doors>,
        _: &mut WorkerPool<'_>,
    ) -> Result<Option<u64>, SolveError> {
        Ok(None)
    }

    fn hand_over(&mut self, _: usize, _: &Arc<Cells>) {}

    fn bytes(&self) -> u64 {
        0
    }
}

/// Solves all tiers within this many bytes.
fn solved_within(bytes: u64) -> Files {
    let memory = Some(bytes);
    let limits = SolveLimits { memory, states: None, saving: NOT_SAVED, scratch: false };
    let write = |_: &Doors, state: &(usize, u64)| format!("{state:?}");
    let resources = Resources { threads: 1, limits, write, parts: write };
    let mut files = Files::default();
    let mut progress = |_| std::ops::ControlFlow::Continue(());
    let mut pool = WorkerPool::new(1, &mut progress);
    TierRun::<Doors, Tierwise>::new(&Doors, resources, None)
        .run(None, &mut files, &mut pool)
        .unwrap();
    files
}

#[test]
fn tiers_for_later_are_kept_as_long_as_there_is_room() {
    let files = solved_within(5 * LEN);
    assert_eq!((files.most, files.loaded), (4 * LEN, vec![0, 1, 2, 3]));
}

#[test]
fn tiers_for_later_make_room_before_others_are_loaded() {
    let files = solved_within(3 * LEN);
    assert_eq!((files.most, files.loaded), (2 * LEN, vec![0, 1, 2, 3, 0, 1]));
}
