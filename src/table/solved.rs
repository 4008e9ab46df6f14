//! Writes solved states to files.

use crate::error::TableError;
use crate::game::summary::Summary;
use crate::game::value::Rules;
use crate::numbering::NumberingKind;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::OnProgress;
use crate::solve::SolvedPart;
use crate::table::agree::of_first;
use crate::table::fingerprint::remember;
use crate::table::records::Header;
use crate::table::values::ReadValues;
use crate::table::write::{Body, Head, TableForm, TableWriter, UnnamedTable, help};
use crate::table::{Stored, parameters};

/// Writes a part that one process solved to a file, up to the file's name.
pub(crate) fn write_alone<G: Stored>(
    game: &G,
    part: SolvedPart<'_, G>,
    writer: TableWriter,
    progress: &mut OnProgress<'_>,
) -> Result<UnnamedTable, TableError> {
    let mut progress = |event| progress(event);
    let mut pool = WorkerPool::new(writer.thread_count(), &mut progress);
    let mut written = write_part(game, part, vec![writer], &mut pool)?;
    // One writer, one table.
    Ok(written.remove(0))
}

/// Writes a solved part by some writers, up to the names of the files. Among several
/// processes, the first has the writers and the others help it.
pub(crate) fn write_part<G: Stored>(
    game: &G,
    part: SolvedPart<'_, G>,
    writers: Vec<TableWriter>,
    pool: &mut WorkerPool<'_>,
) -> Result<Vec<UnnamedTable>, TableError> {
    let SolvedPart { kind, len, values, states, summary, witnesses } = part;
    let start = values.indices().start;
    let read: &ReadValues<'_> = &|first, packed| values.read(first - start, packed);
    let body = Body { len, read, scale: values.scale(), states };
    let forms = writers.iter().map(TableWriter::form).collect();
    let forms: Vec<TableForm> = of_first(pool.is_first().then_some(forms), pool)?;
    let mut writers = writers.into_iter();
    let mut written = Vec::new();
    for form in forms {
        let Some(writer) = writers.next() else {
            help(form, &body, pool)?;
            continue;
        };
        let header = header(game, kind, len, summary)?;
        let head = Head { header, remembered: remember(game, kind, witnesses) };
        written.push(writer.write(head, &body, pool)?);
    }
    Ok(written)
}

/// The header of a table with these figures.
fn header<G: Stored>(
    game: &G,
    numbering: NumberingKind,
    len: u64,
    summary: &Summary,
) -> Result<Header, TableError> {
    Ok(Header {
        game: game.name().into(),
        parameters: parameters(game)?,
        numbering,
        len,
        rules: Rules::of_game(game),
        outcomes_only: false,
        summary: summary.clone(),
    })
}
