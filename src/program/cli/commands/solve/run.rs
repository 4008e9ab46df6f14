//! A run of `solve`, by this process alone or as one of several. Only here the library is called to
//! solve.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use bytesize::ByteSize;
use clap::ArgMatches;
use indicatif::HumanCount;

use crate::error::TableError;
use crate::numbering::scheme::{Numberings as _, Scheme, SchemeInfo, SchemeVisitor};
use crate::program::cli::commands::resources;
use crate::program::cli::commands::solve::checkpoints;
use crate::program::cli::commands::solve::solved::Solved;
use crate::program::cli::commands::solve::together::{Joined, Member};
use crate::program::cli::commands::solve::work::{Done, Target};
use crate::program::cli::numberings::in_scheme;
use crate::program::cli::session::Session;
use crate::program::cli::wording::Wording;
use crate::program::cli::{CliError, Registered};
use crate::solve::{Solution, Solver};
use crate::table::write::{TableWriter, bytes_to_write};
use crate::table::{Checkpoints, Destination, Table};

/// A run of `solve`.
pub(super) struct Run<'r, G> {
    pub(super) shared: &'r Arc<G>,
    pub(super) game: &'r G,
    pub(super) numbering: &'r str,
    pub(super) options: &'r ArgMatches,
    /// The part of this process in a run of several; `None` if it solves alone.
    member: Option<Member>,
    checkpoints: Option<Checkpoints>,
    begin: Instant,
}

impl<'r, G: Registered> Run<'r, G> {
    /// The run that the options describe, by this process alone.
    pub(super) fn new(
        shared: &'r Arc<G>,
        numbering: &'r str,
        options: &'r ArgMatches,
    ) -> Run<'r, G> {
        let begin = Instant::now();
        Run { shared, game: shared, numbering, options, member: None, checkpoints: None, begin }
    }

    /// Finds out whether this process is one of several.
    pub(super) fn take_part(&mut self, session: &Session) -> Result<(), CliError> {
        self.member = Member::of(self.options)?;
        if self.member.is_some() && self.writes() {
            note_not_shared::<G>(self.numbering, session);
        }
        Ok(())
    }

    /// Whether this process writes the tables and prints the figures: it is alone, or the first of
    /// several.
    pub(super) fn writes(&self) -> bool {
        self.member.as_ref().is_none_or(Member::writes)
    }

    /// Opens the checkpoints, joins the other processes if there are any, and solves the game.
    ///
    /// # Errors
    /// The outer error is one of preparing the run, the inner one of solving.
    pub(super) fn solve(
        &mut self,
        target: Target<'_>,
        session: &mut Session,
    ) -> Result<Result<Done<'r, G>, TableError>, CliError> {
        let Run { game, numbering, options, member, checkpoints, begin, .. } = self;
        *checkpoints = checkpoints::open(options, |folder| match member {
            Some(member) => member.checkpoints(folder),
            None => Checkpoints::in_folder(folder),
        })?;
        *begin = Instant::now();
        let mut solver = resources::solver(*game, options);
        let mut joined = None;
        if let Some(member) = member {
            joined = Some(member.join(*game, numbering, checkpoints.is_some(), session)?);
            solver = member.share(solver, options);
        }
        if let Some(checkpoints) = checkpoints {
            solver = solver.checkpoints(checkpoints).map_err(CliError::failed)?;
        }
        let done = in_scheme(numbering, SolveAs { joined, solver, target, session })?;
        if let Some(sent) = done.as_ref().ok().filter(|_| self.writes()).and_then(|done| done.sent)
        {
            let (messages, bytes) = (HumanCount(sent.messages), ByteSize::b(sent.bytes));
            let bytes = bytes.display().iec();
            session.note(&format!("the processes sent each other {messages} messages in {bytes}"));
        }
        Ok(done)
    }

    /// How long it has taken to solve the game.
    pub(super) fn seconds_until(&self, solved: Instant) -> f64 {
        solved.duration_since(self.begin).as_secs_f64()
    }

    /// The error of the command for a run that failed. It says where the progress is.
    pub(super) fn failed(&self, error: TableError, folder: Option<&PathBuf>) -> CliError {
        let checkpoints = self.checkpoints.as_ref();
        let error = match &self.member {
            Some(member) => match member.failed(error, folder, checkpoints) {
                Ok(failed) => return failed,
                Err(error) => error,
            },
            None => error,
        };
        match folder {
            // Until the states are discovered, the folder has no table.
            Some(folder)
                if error.is_interrupted()
                    && checkpoints.is_some()
                    && Table::open(folder).is_err() =>
            {
                checkpoints::interrupted(checkpoints)
            }
            Some(folder) => checkpoints::failed_in(folder, error),
            None => checkpoints::failed(error, checkpoints),
        }
    }

    /// Saves a solution that could not be written. The first error is the one that is reported.
    pub(super) fn save(&mut self, solution: &Solution<'_, G>, session: &mut Session) {
        if let Some(checkpoints) = &mut self.checkpoints {
            let report = &mut |progress| {
                let _ = session.report(progress);
            };
            let _ = checkpoints.save_reporting(solution, report);
        }
    }

    /// Prints the result, and ends the run.
    pub(super) fn report(self, solved: Solved<'_>, session: &mut Session) -> Result<(), CliError> {
        solved.report(self.game.name(), &Wording::new(self.game), session)?;
        self.clear()
    }

    /// Removes the checkpoints, once the answer is printed and the table is written.
    pub(super) fn clear(self) -> Result<(), CliError> {
        self.checkpoints.map_or(Ok(()), Checkpoints::clear).map_err(CliError::failed)
    }
}

/// Notes that each process discovers all states, if it does: states that are not packed have no
/// bytes that could be sent.
fn note_not_shared<G: Registered>(numbering: &str, session: &Session) {
    if SchemeInfo::named(numbering).is_none_or(|scheme| scheme.is_shared) {
        return;
    }
    let listed = G::Numberings::NAMES.iter().filter_map(|name| SchemeInfo::named(name));
    let mut shared = listed.filter(|scheme| scheme.discovers && scheme.is_shared);
    let hint = match shared.next() {
        Some(packed) => format!("--numbering {} shares them out", packed.name),
        None => "a game that implements PackedState can share them out".into(),
    };
    session
        .note(&format!("every process discovers all positions and holds them in memory: {hint}"));
}

/// Solves a game in a scheme.
struct SolveAs<'p, 'g, 'o, G: Registered> {
    /// The other processes, if there are any.
    joined: Option<Joined>,
    solver: Solver<'g, 'p, G>,
    target: Target<'o>,
    session: &'p mut Session,
}

impl<'g, G: Registered> SchemeVisitor<G> for SolveAs<'_, 'g, '_, G> {
    type Output = Result<Done<'g, G>, TableError>;

    fn visit<S: Scheme<G>>(self) -> Self::Output {
        let SolveAs { joined, solver, target, session } = self;
        let progress = |progress| session.report(progress);
        if let Some(joined) = joined {
            return joined.solve::<G, S>(solver, target, progress);
        }
        let solver = solver.on_progress(progress);
        let (tiers, solution) = match target {
            Target::Folder { path, tier, compression } => {
                let to = Destination::at(path).compression(compression);
                let to = match tier {
                    Some(tier) => to.only_tier(tier),
                    None => to,
                };
                (solver.solve_into_as::<S>(to)?, None)
            }
            Target::Files(files) => {
                let compresses = files.iter().any(TableWriter::compresses);
                let solver = if compresses { solver.saving(bytes_to_write) } else { solver };
                let solution = solver.solve_as::<S>()?;
                (solution.tiers().to_vec(), Some((solution, files)))
            }
        };
        Ok(Done { tiers, solved: Instant::now(), solution, written: Vec::new(), sent: None })
    }
}
