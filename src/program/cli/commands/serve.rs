//! `serve`: answers questions about tables over HTTP, and shows tables on a page.

use std::net::SocketAddr;
use std::path::PathBuf;

use axum::http::{HeaderValue, Uri};
use bytesize::ByteSize;
use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use serde_json::json;

use crate::program::answers::tables::Tables;
use crate::program::cli::CliError;
use crate::program::cli::commands::amounts;
use crate::program::cli::entry::{self, Entry};
use crate::program::cli::open_table::OpenTable;
use crate::program::cli::session::{self, Session};
use crate::program::serve::{Settings, Stop, serve, table_name};

/// Where a server listens by default: only this machine can reach it.
const LISTEN: &str = "127.0.0.1:8913";

// The options of `serve`, as its help shows them.
#[derive(Args)]
#[group(skip)]
struct Options {
    /// Table files or folders of tiers that `solve --output` wrote
    #[arg(value_name = "PATH", required = true, num_args = 1..)]
    tables: Vec<PathBuf>,
    /// Where to listen. Port 0 takes any free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = LISTEN)]
    listen: SocketAddr,
    /// Let pages of this origin read the answers, as in https://example.org; * for all
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    cors: Vec<HeaderValue>,
    /// Another name of this server, besides its addresses and localhost
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// How much memory the values of each table may take, as in 64MB
    #[arg(long, value_name = "SIZE", default_value = "64MiB", allow_negative_numbers = true)]
    #[arg(value_parser = amounts::parse_size)]
    cache: ByteSize,
}

pub(super) fn command() -> Command {
    let about = "Show tables on a page, and answer questions about them over HTTP";
    Options::augment_args(Command::new("serve")).about(about)
}

/// An origin that a browser may send.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let is_origin =
        text.parse::<Uri>().is_ok_and(|uri| match (uri.scheme_str(), uri.authority()) {
            (None | Some(""), _) | (_, None) => false,
            (Some(scheme), Some(host)) => {
                text == format!("{scheme}://{host}") && !text.contains('@')
            }
        });
    match HeaderValue::from_str(text) {
        Ok(value) if is_origin || text == "*" => Ok(value),
        _ => Err("expected * or an origin without a path, as in https://example.org".into()),
    }
}

/// Adds a table that is to be looked at. Returns its name.
pub(super) fn add_table(
    tables: &mut Tables,
    entries: &[Box<dyn Entry>],
    table: OpenTable<'_>,
    session: &mut Session,
) -> Result<String, CliError> {
    let path = table.path;
    table.check_is_whole()?;
    if let Some(unsolved) = table.check_tiers()? {
        session.note(&unsolved);
    }
    let answers = entry::of_table(entries, &table)?.serve(table)?;
    let name = table_name(path)
        .ok_or_else(|| CliError::usage(format!("{}: the path has no name", path.display())))?;
    tables.add(&name, answers).map_err(CliError::usage)?;
    Ok(name)
}

/// Opens tables to be asked. `cache` is how many bytes of values of each are kept in memory.
fn open_all(
    entries: &[Box<dyn Entry>],
    paths: &[PathBuf],
    cache: Option<usize>,
    session: &mut Session,
) -> Result<Tables, CliError> {
    let mut tables = Tables::default();
    for path in paths {
        let mut table = OpenTable::open(path)?;
        if let Some(bytes) = cache {
            table.table = table.table.cache(bytes);
        }
        add_table(&mut tables, entries, table, session)?;
    }
    Ok(tables)
}

fn cannot_listen(listen: SocketAddr) -> impl Fn(std::io::Error) -> CliError {
    move |error| {
        CliError::failed(format!(
            "can't listen on {listen}: {error}; name another address of this machine with \
             --listen, such as 127.0.0.1:0 for any free port"
        ))
    }
}

/// Serves tables for a program, until it stops the server. Calls `ready` with the address.
pub(in crate::program::cli) fn run_for_program(
    entries: &[Box<dyn Entry>],
    paths: &[PathBuf],
    listen: SocketAddr,
    secret: Option<String>,
    stop: &Stop,
    ready: impl FnOnce(SocketAddr),
    session: &mut Session,
) -> Result<(), CliError> {
    let tables = open_all(entries, paths, None, session)?;
    let report = session::print_beside;
    let settings = Settings { listen, origins: Vec::new(), hosts: Vec::new(), secret, report };
    serve(tables, settings, stop, ready).map_err(cannot_listen(listen))
}

pub(in crate::program::cli) fn run(
    entries: &[Box<dyn Entry>],
    arguments: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let options = Options::from_arg_matches(arguments).map_err(CliError::usage)?;
    let Options { tables: paths, listen, cors: origins, allow_host: hosts, cache } = options;
    let cache = usize::try_from(cache.as_u64()).unwrap_or(usize::MAX);
    let tables = open_all(entries, &paths, Some(cache), session)?;
    let settings = Settings { listen, origins, hosts, secret: None, report: session::print_beside };
    if !listen.ip().is_loopback() {
        session.note("whoever reaches this address can ask about the tables: there is no password");
    }
    let stop = Stop::new();
    let on_signal = stop.clone();
    // Without a handler, Ctrl-C ends the program at once, and only answers are lost.
    let _ = ctrlc::set_handler(move || {
        if on_signal.stop() {
            std::process::exit(1);
        }
    });
    let mut printed = Ok(());
    let ready = |address: SocketAddr| {
        let url = format!("http://{address}/");
        printed = session
            .answer(|| json!({ "url": url }), || format!("serving at {url} (Ctrl-C stops)\n"));
        // Without the address, nobody could use the server.
        if printed.is_err() {
            stop.stop();
        }
    };
    serve(tables, settings, &stop, ready).map_err(cannot_listen(listen))?;
    printed?;
    if !session.is_quiet() {
        session::print_beside("stopped");
    }
    Ok(())
}
