//! Checks a stored table: every value against the values of its successors.
//!
//! The check is a proof of the whole table. It trusts the rules and the numbering of the game, but
//! no part of the solver; this module must not import the solver. First a sample of the laws for
//! rules and numbering is checked.
//!
//! For each state, the check computes the value that follows from the stored values of its
//! successors, and compares it with the stored one. For a terminal state, the rules give the value.
//! `rank.rs` defines the order in which a player prefers values. If no state differs, all values
//! are right:
//!
//! - A forced value (a win, a loss, or a draw in which play ends) of distance `d` needs a successor
//!   of distance `d - 1`, and no successor that its player prefers. So by induction over the
//!   distance, starting from the terminal states, each forced value is right.
//! - Endless play needs a successor with endless play, and no successor that its player prefers. So
//!   a player who wants endless play can continue it forever, and the other player can force
//!   nothing better.
//!
//! For a table of outcomes, the check shows less: the outcomes agree with each other. Without
//! distances, a win that is put off forever looks like a win. Nor can all figures of the header be
//! compared: see `figures.rs`.

mod batches;
mod bounds;
mod by_pages;
mod chunk;
mod figures;
mod files;
mod group;
mod in_memory;
mod pages;
mod rank;
mod source;
mod state_check;
mod stored;
mod successors;
mod table_check;

use std::fmt;
use std::fs::File;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::error::TableError;
use crate::game::notation::Notation;
use crate::game::summary::{Counts, Summary};
use crate::game::{Game, WriteState as WriteStateOf, write_debug};
use crate::laws::check_sample;
use crate::numbering::discovered::{FoundKeys, KeyForm};
use crate::numbering::indexing::{Indexing, Indices, Lookup, Tiering};
use crate::numbering::scheme::Numbered;
use crate::numbering::{Numbering, Part, SolvedTier, StateForm};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{OnProgress, Progress, unheard};
use crate::table::folder::find_tier;
use crate::table::keys::load_indices;
use crate::table::open::TableFile;
use crate::table::parts::TableParts;
use crate::table::storage::Storage;
use crate::table::{PartsVisitor, Stored, Table};
use batches::BatchCheck;
use figures::check_figures;
use files::{TierFiles, of_another_tier};
use state_check::{StateCheck, WriteState};
use table_check::TableCheck;

impl<S: Storage> Table<S> {
    /// Checks the whole table: every checksum, that listed states are sorted and include the roots,
    /// every value against the values of its successors in any tier, and the figures of the
    /// headers. Returns the number of states that were checked. Errors show states in their `Debug`
    /// form.
    ///
    /// For a table of outcomes, two things can't be checked. A win that is put off forever looks
    /// like a win. And the numbers of states at the single distances in the header
    /// ([`Summary::distances`](crate::Summary::distances)) are not compared: only distance 0, the
    /// sums, and whether there is a gap.
    ///
    /// Holds the values of a tier and of the tiers that it leads to in memory, and their listed
    /// states, or as much as [`memory`](Table::memory) allows.
    ///
    /// The check calls the rules for listed states. In a forged file these may be states that the
    /// game would never make. If the rules can't handle them, refuse such states when they are
    /// read, with [`PackedState::is_packed`](crate::PackedState::is_packed) or `#[serde(try_from = ...)]`.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// use retrograde::Table;
    ///
    /// let table = Table::open(&path)?;
    /// assert_eq!(table.verify(&Nim { counters: 21 })?, 22);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first thing that is wrong, a tier without a table among them; and when the table is not of
    /// this game.
    pub fn verify<G: Stored + Numbered>(&self, game: &G) -> Result<u64, TableError> {
        self.verifier(game).verify()
    }

    /// Makes what checks the whole table as [`verify`](Table::verify) does, with options.
    pub fn verifier<'t, G: Stored + Numbered>(&'t self, game: &'t G) -> Verifier<'t, G, S> {
        Verifier { table: self, game, only: None, write: write_debug, progress: unheard() }
    }
}

/// A check of a whole table or of one tier, with its options: see [`Table::verifier`].
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// use std::ops::ControlFlow;
///
/// use retrograde::Table;
///
/// let game = Nim { counters: 21 };
/// let table = Table::open(&path)?;
/// let mut reports = 0;
/// let verifier = table.verifier(&game).notation().on_progress(|_| {
///     reports += 1;
///     ControlFlow::Continue(())
/// });
/// assert_eq!(verifier.verify()?, 22);
/// assert!(reports > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the table is not checked before `verify` is called"]
pub struct Verifier<'t, G: Game, S = File> {
    table: &'t Table<S>,
    game: &'t G,
    only: Option<String>,
    write: WriteStateOf<G>,
    progress: Box<OnProgress<'t>>,
}

impl<'t, G: Stored + Numbered, S: Storage> Verifier<'t, G, S> {
    /// Writes states in errors in the game's notation. Default: their `Debug` output.
    pub fn notation(self) -> Self
    where
        G: Notation,
    {
        Verifier { write: G::write_state, ..self }
    }

    /// Calls `report` with the progress of the check. If it returns `Break`, the check ends with
    /// an error that says so ([`TableError::is_interrupted`]).
    pub fn on_progress(self, report: impl FnMut(Progress) -> ControlFlow<()> + 't) -> Self {
        Verifier { progress: Box::new(report), ..self }
    }

    /// Checks only the tier of this name: that each of its values follows from the stored values of
    /// its successors. Those in other tiers are taken as they are, so that all tiers, each checked by
    /// itself, are as good as the whole table, and a long check can be done in parts.
    ///
    /// ```
    /// # use kit::games::TwoHeaps;
    /// # let folder = tempfile::tempdir()?;
    /// use retrograde::{Solver, Table};
    ///
    /// let game = TwoHeaps { heaps: [3, 3] };
    /// Solver::new(&game).solve_into(&folder)?;
    /// let table = Table::open(&folder)?;
    /// assert_eq!(table.verifier(&game).only_tier("2-left").verify()?, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn only_tier(self, name: impl Into<String>) -> Self {
        Verifier { only: Some(name.into()), ..self }
    }

    /// Checks the table, or the tier. Returns how many states were checked.
    ///
    /// # Errors
    /// As [`Table::verify`], when the progress function interrupts, and when the game has no tier of
    /// the name given.
    pub fn verify(self) -> Result<u64, TableError> {
        let Verifier { table, game, only, write, mut progress } = self;
        let only = only.as_deref();
        table.with_parts(game, VerifyParts { game, only, write, progress: &mut *progress })
    }
}

impl<G: Game, S> fmt::Debug for Verifier<'_, G, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Verifier").finish_non_exhaustive()
    }
}

/// The time for checking the laws before a tier is checked.
const LOOK: Duration = Duration::from_millis(50);

struct VerifyParts<'t, 'p, G: Game> {
    game: &'t G,
    only: Option<&'t str>,
    write: WriteStateOf<G>,
    progress: &'t mut OnProgress<'p>,
}

impl<'t, G: Stored> PartsVisitor<'t, G> for VerifyParts<'t, '_, G> {
    type Output = u64;

    fn visit<I: Indexing<G>, P: TableParts + Send + 't>(self, parts: P) -> Result<u64, TableError> {
        let VerifyParts { game, only, write, progress } = self;
        let tiers = I::Tiering::tiers(game);
        let wanted = match only {
            None => 0..tiers.len(),
            Some(name) if !I::Tiering::HAS_TIERS => {
                let known = "none, since the table has no tiers".to_owned();
                return Err(TableError::NoSuchTier { name: name.to_owned(), known });
            }
            Some(name) => {
                let tier = find_tier(&tiers, name)?;
                tier..tier + 1
            }
        };
        let mut states = 0;
        for tier in wanted.clone() {
            if I::Tiering::HAS_TIERS {
                let (done, of) = ((tier - wanted.start) as u64, wanted.len() as u64);
                let event = Progress::Tier { done, of };
                if progress(event).is_break() {
                    return Err(parts.at(tier, TableError::Interrupted));
                }
            }
            let leads_to = tiers[tier].leads_to.iter().copied().filter(|&next| next < tier);
            let leads_to: Vec<usize> = leads_to.collect();
            let file = parts.file(tier)?;
            let verified = verify_tier::<G, I, P>(game, &parts, tier, &leads_to, write, progress);
            verified.map_err(|error| parts.at(tier, error))?;
            states += file.header().summary.states();
        }
        Ok(states)
    }
}

/// Checks the file of one tier. The tiers that its moves lead to are checked by themselves.
fn verify_tier<G: Game, I: Indexing<G>, P: TableParts>(
    game: &G,
    parts: &P,
    tier: usize,
    leads_to: &[usize],
    write_state: WriteStateOf<G>,
    progress: &mut OnProgress<'_>,
) -> Result<(), TableError> {
    let write: &WriteState<'_, G> = &|state| write_state(game, state);
    let file = parts.file(tier)?;
    let mut report = |event| progress(event);
    let pool = &mut WorkerPool::new(file.limits.threads(), &mut report);
    let source = TierFiles::<G, I, P> { game, tier, leads_to, parts, write, indexing: PhantomData };
    source.check_roots()?;
    let own = I::Lookup::bytes_of_states(file.header().len);
    let bytes = leads_to.iter().try_fold(own, |bytes, &next| {
        let exit = parts.file(next)?;
        let states = I::Lookup::bytes_of_states(exit.header().len);
        // Lengths in files may be anything.
        Ok::<_, TableError>(bytes.saturating_add(states).saturating_add(exit.bytes_of_values()))
    })?;
    let summaries: Result<Vec<&Summary>, TableError> =
        leads_to.iter().map(|&next| Ok(&parts.file(next)?.header().summary)).collect();
    let summaries = summaries?;
    if file.is_too_much(bytes) {
        if I::Lookup::FORM == StateForm::Formula {
            let indices = I::Lookup::of_keys(FoundKeys::default())?;
            let part = Part::<G, I>::new(game, tier, indices, Vec::new()).writing(write_state);
            check_sample(&part, 0..part.len(), LOOK)?;
        }
        // States and values are read from files in batches.
        let state_check = StateCheck::new(game, file, write);
        let check = BatchCheck { state_check, source };
        let counts = check.check(file.limits.memory(), pool)?;
        // The next tier needs other blocks.
        parts.clear_cache();
        return check_figures(file.header(), &counts, summaries.into_iter());
    }
    let mut exits = vec![None; parts.count()];
    for &next in leads_to {
        let exit = load::<G, I, P>(game, parts, next, write);
        exits[next] = Some(exit.map_err(|error| parts.at(next, error))?);
    }
    let form = KeyForm::default();
    let indices = load_indices::<G, I, _>(file, game, &form, write, pool.on_progress())?;
    if I::Lookup::FORM != StateForm::Formula {
        check_listed::<G, I>(game, tier, &indices, write)?;
    }
    let part = Part::<G, I>::new(game, tier, indices, exits).writing(write_state);
    check_sample(&part, 0..part.len(), LOOK)?;
    let counts = file.verify(&part, write, pool)?;
    check_figures(file.header(), &counts, summaries.into_iter())
}

/// A solved tier, with every block checked.
fn load<G: Game, I: Indexing<G>, P: TableParts>(
    game: &G,
    parts: &P,
    tier: usize,
    write: &WriteState<'_, G>,
) -> Result<SolvedTier<G, I>, TableError> {
    let progress: &mut OnProgress<'_> = &mut |_| std::ops::ControlFlow::Continue(());
    let file = parts.file(tier)?;
    let indices = load_indices::<G, I, _>(file, game, &KeyForm::default(), write, progress)?;
    Ok(SolvedTier { indices, values: std::sync::Arc::new(file.load_values(progress)?) })
}

/// Checks that the listed states of a tier belong to it.
fn check_listed<G: Game, I: Indexing<G>>(
    game: &G,
    tier: usize,
    indices: &Indices<G, I>,
    write: &WriteState<'_, G>,
) -> Result<(), TableError> {
    let mut strange = None;
    let all = 0..I::Lookup::len(indices, game, tier);
    I::Lookup::states_in(indices, game, tier, all, |_, state| {
        if strange.is_none() && I::Tiering::tier(game, &state) != tier {
            strange = Some(state);
        }
    });
    strange.map_or(Ok(()), |state| Err(of_another_tier(&write(&state))))
}

impl<S: Storage> TableFile<S> {
    /// Checks every value against the values of its successors. Returns how many states have each
    /// value.
    fn verify<N: Numbering + Sync>(
        &self,
        numbering: &N,
        write_state: &WriteState<'_, N::Game>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Counts, TableError> {
        let state_check = StateCheck::new(numbering.game(), self, write_state);
        let check = TableCheck { numbering, state_check };
        // States in memory leave the rest of it for values.
        let memory = self.limits.memory().saturating_sub(numbering.bytes());
        match self.bytes_of(numbering.len()) <= memory {
            true => check.in_memory(pool),
            false => check.by_pages(memory, pool),
        }
    }

    /// Whether states and values of this many bytes need too much memory. Half of the memory is
    /// reserved for the values under check.
    fn is_too_much(&self, bytes: u64) -> bool {
        bytes > self.limits.memory() / 2
    }
}
