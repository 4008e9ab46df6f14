//! `publish`: writes a site for a static web host, where people look at tables without a server.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bytesize::ByteSize;
use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use serde_json::json;

use crate::error::Grouped;
use crate::program::answers::problem::Problem;
use crate::program::answers::questions;
use crate::program::answers::tables::{NamedTable, Tables};
use crate::program::cli::CliError;
use crate::program::cli::commands::serve::add_table;
use crate::program::cli::entry::Entry;
use crate::program::cli::open_table::OpenTable;
use crate::program::cli::session::Session;
use crate::program::web::positions::{MOST_POSITIONS, Texts};
use crate::program::web::site::{self, First, SiteTable};
use crate::program::web::{Marked, marked};

/// For what modules are compiled.
const TARGET: &str = "wasm32-unknown-unknown";

/// So many plies of the line from the start are ready made: as many as the page shows at once.
const FIRST_PLIES: u32 = 48;

/// The longest file that is taken for a module, in bytes.
const LONGEST_MODULE: u64 = 1 << 28;

// The options of `publish`, as its help shows them.
#[derive(Args)]
#[group(skip)]
struct Options {
    /// Table files or folders of tiers that `solve --output` wrote
    #[arg(value_name = "PATH", required = true, num_args = 1..)]
    tables: Vec<PathBuf>,
    /// The folder of the site: a new one, or one that `publish` made before
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// The module of a game, if it is not where it was built
    #[arg(long, value_name = "FILE")]
    module: Vec<PathBuf>,
}

pub(super) fn command() -> Command {
    let about = "Write a site with tables for any static web host: the page, without a server";
    Options::augment_args(Command::new("publish")).about(about)
}

pub(in crate::program::cli) fn run(
    entries: &[Box<dyn Entry>],
    build: Option<&str>,
    arguments: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let options = Options::from_arg_matches(arguments).map_err(CliError::usage)?;
    let Options { tables: paths, output, module } = options;
    check_output(&output)?;
    let mut tables = Tables::default();
    let mut published = Vec::new();
    for path in &paths {
        let table = OpenTable::open(path)?;
        let (game, files) = (table.table.game_name().to_owned(), table.table.file_names());
        let name = add_table(&mut tables, entries, table, session)?;
        let named = tables.named(&name).map_err(|problem| refused(&name, problem))?;
        let (identity, first) = (named.identity.clone(), first(named));
        let path = path.clone();
        published.push(SiteTable { name, identity, game, texts: None, path, files, first });
    }
    let modules = modules(&published, &module, build)?;
    for SiteTable { name, game, texts, .. } in &mut published {
        if !modules.contains_key(game) {
            let of_table = |problem| refused(name, problem);
            let answers = &tables.named(name).map_err(of_table)?.answers;
            let Some(found) = Texts::find(&**answers).map_err(of_table)? else {
                return Err(no_module(game, &folders(), None, build));
            };
            let states = Grouped(found.len());
            *texts = Some(found);
            let how = build.map_or_else(String::new, |build| {
                format!("; for a smaller site, {}", how_to_build(game, build))
            });
            session.note(&format!(
                "{name}: there is no module of {game} for browsers, so {states} positions are written \
                 beside the table{how}"
            ));
        }
    }
    let written = site::write(&output, &published, &modules, &tables);
    let bytes = written.map_err(CliError::failed)?;
    session.answer(
        || json!({ "tables": published.len(), "modules": modules.len(), "bytes": bytes }),
        || {
            let (count, output) = (published.len(), output.display());
            let tables = if count == 1 { "table" } else { "tables" };
            let bytes = ByteSize::b(bytes).display().si();
            format!("wrote {output}: {count} {tables}, {bytes}\n")
        },
    )?;
    session.note(
        "any static web host serves the folder; one that knows range requests sends of a table only \
         what is looked at",
    );
    Ok(())
}

/// The answers that the page shows of a table at first. What the table does not have is null.
fn first(table: &NamedTable) -> First {
    let ask = |question: &str, query: &str| {
        let answered = questions::read(question, Some(query))
            .and_then(|question| question.answer(table, &|| false));
        answered.map_or_else(|_| "null".to_owned(), |reply| reply.body)
    };
    let line = ask("line", &format!("plies={FIRST_PLIES}"));
    First {
        table: table.json(),
        stats: ask("stats", ""),
        start: ask("position", "brief=true"),
        line,
    }
}

/// The error of a table that can't be read.
fn refused(name: &str, problem: Problem) -> CliError {
    CliError::failed(format!("{name}: {}", problem.detail)).coded(problem.code)
}

/// Refuses a folder that is somebody else's.
fn check_output(output: &Path) -> Result<(), CliError> {
    let shown = output.display();
    if output.exists() && !output.is_dir() {
        return Err(CliError::usage(format!(
            "{shown}: not a folder: name a new folder for the site with --output"
        )));
    }
    if output.is_dir() && !site::is_site(output).map_err(CliError::failed)? {
        let contents = site::CONTENTS;
        return Err(CliError::failed(format!(
            "{shown}: the folder has files, but no {contents} of an earlier site: name a new folder \
             with --output"
        )));
    }
    Ok(())
}

/// The files of the modules of the tables' games, by the games' names.
fn modules(
    tables: &[SiteTable],
    named: &[PathBuf],
    build: Option<&str>,
) -> Result<BTreeMap<String, PathBuf>, CliError> {
    let mut found = BTreeMap::new();
    for path in named {
        let failed = |problem: String| CliError::failed(format!("{}: {problem}", path.display()));
        let module = read_module(path).map_err(failed)?;
        let Some(Marked { version, game }) = marked(&module) else {
            return Err(failed(
                "not a module of a game: the macro retrograde::web_module! makes one".into(),
            ));
        };
        check_version(version).map_err(failed)?;
        found.insert(game.to_owned(), path.clone());
    }
    let (folders, built) = (folders(), built());
    for SiteTable { game, .. } in tables {
        if found.contains_key(game) {
            continue;
        }
        let (mut others, mut newest) = (None, None);
        for path in &built {
            let Ok(module) = read_module(path) else { continue };
            match marked(&module) {
                Some(mark) if mark.game != game => {}
                Some(mark) if check_version(mark.version).is_ok() => {
                    newest = Some(path.clone());
                    break;
                }
                Some(mark) => others = check_version(mark.version).err(),
                None => {}
            }
        }
        let states = |table: &SiteTable| table.first.table["states"].as_u64();
        let is_small = |table: &SiteTable| {
            table.game != *game || states(table).is_some_and(|states| states <= MOST_POSITIONS)
        };
        match newest {
            Some(path) => drop(found.insert(game.clone(), path)),
            None if others.is_none() && tables.iter().all(is_small) => {}
            None => return Err(no_module(game, &folders, others, build)),
        }
    }
    found.retain(|game, _| tables.iter().any(|table| table.game == *game));
    Ok(found)
}

fn read_module(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = fs::metadata(path).map_err(|error| format!("can't find the module: {error}"))?;
    if !metadata.is_file() || metadata.len() > LONGEST_MODULE {
        return Err("not a module of a game".into());
    }
    fs::read(path).map_err(|error| format!("can't read the module: {error}"))
}

/// Refuses a module of another version of the library.
fn check_version(version: &str) -> Result<(), String> {
    let own = env!("CARGO_PKG_VERSION");
    match version == own {
        true => Ok(()),
        false => {
            Err(format!("made with retrograde {version}, and this program is {own}: build it anew"))
        }
    }
}

/// The folders in which cargo may have put modules: below the target folder of this program, and of the
/// folder where it runs.
fn folders() -> Vec<PathBuf> {
    let program = env::current_exe().ok();
    let own = program.as_deref().and_then(Path::parent).and_then(Path::parent);
    let mut targets = vec![PathBuf::from("target")];
    targets.extend(own.map(Path::to_owned));
    let profiles = ["web", "release", "debug"].map(|profile| Path::new(TARGET).join(profile));
    let folders = targets.iter().flat_map(|target| profiles.each_ref().map(|one| target.join(one)));
    folders.flat_map(|folder| [folder.join("examples"), folder]).collect()
}

/// The modules that cargo made, the newest first.
fn built() -> Vec<PathBuf> {
    let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in folders().iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten()
    {
        let path = entry.path();
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        if let (true, Ok(changed)) = (path.extension().is_some_and(|end| end == "wasm"), changed) {
            files.push((changed, path));
        }
    }
    files.sort_by(|one, other| other.cmp(one));
    files.into_iter().map(|(_, path)| path).collect()
}

/// The error for a game without a module.
fn no_module(
    game: &str,
    folders: &[PathBuf],
    other: Option<String>,
    build: Option<&str>,
) -> CliError {
    let found = match other {
        Some(problem) => format!("the module of {game} is {problem}"),
        None => {
            let looked =
                folders.first().and_then(|folder| folder.parent()).unwrap_or(Path::new("."));
            format!("there is no module of {game} for browsers in {}", looked.display())
        }
    };
    let most = Grouped(MOST_POSITIONS);
    let how = match build {
        Some(build) => how_to_build(game, build),
        None => {
            "rules in Rust can have one, as the guide shows: name its file with --module".into()
        }
    };
    CliError::failed(format!("{found}, which a table of more than {most} positions needs: {how}"))
}

/// Says how a module of a game is built.
fn how_to_build(game: &str, build: &str) -> String {
    format!(
        "build it with `{}`, once `rustup target add {TARGET}` has run; or name its file with --module",
        build.replace("GAME", game)
    )
}
