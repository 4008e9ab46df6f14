//! Writes a site: the page, tables, and the modules that answer about them, for any static web host.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use twox_hash::XxHash3_64;

use crate::error::TableError;
use crate::program::answers::problem::Problem;
use crate::program::answers::tables::Tables;
use crate::program::serve::page::{FILES, File, SITE_FILES};
use crate::program::web::positions::{self, Failed, Positions, Texts};
use crate::table::lock::{Lock, NoLock};
use crate::table::unfinished;

/// The file that says which tables a site has. The page reads it first, so it is short. It is written last.
pub(crate) const CONTENTS: &str = "site.json";

/// The list of all files beside those of the page, for the run that writes the site anew.
const WRITTEN: &str = "files.json";

/// The mark in [`CONTENTS`] of who made it. A folder whose file says something else is somebody else's.
const MADE_BY: &str = "retrograde publish";

/// The file that a run locks to keep others out of the folder.
const LOCK: &str = ".publish.lock";

/// The length of a piece of a file, as `worker.js` reads them.
const BEGINNING: u64 = 1024;

/// The rights of the page: it may only talk to its own host.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
                      style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'";

/// What the page says when its scripts do not run, as when it was opened without a host.
const AS_A_FILE: &str = "<p id=\"late\">If nothing comes: this page has to come from a web host. Opened as a file \
                         it can't read its tables. To try it, run <code>python3 -m http.server</code> in \
                         its folder, and open the address that this prints.</p>";

/// What of the page is different on a site, and what stands there instead.
fn changes() -> [(&'static str, String); 5] {
    let notice = "<div id=\"notice\" role=\"alert\"></div>";
    let charset = "<meta charset=\"utf-8\">";
    let script = "<script type=\"module\" src=\"app.js\"></script>";
    // It asks for what the page needs while the rest of the page comes.
    let first = script.replace("app.js", "site.js");
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    [
        ("<html lang=\"en\">", "<html lang=\"en\" data-site>".into()),
        (charset, format!("{charset}\n{policy}")),
        (script, format!("{first}\n{script}")),
        (notice, format!("{notice}\n  {AS_A_FILE}")),
        (" Everything it shows can also be asked at /api/tables.", String::new()),
    ]
}

/// A table for a site.
pub(crate) struct SiteTable {
    pub(crate) name: String,
    pub(crate) identity: String,
    pub(crate) game: String,
    /// The positions that are written beside it, if there is no module.
    pub(crate) texts: Option<Texts>,
    /// Where its file or folder is.
    pub(crate) path: PathBuf,
    /// The names of the files of a folder; `None` for a file.
    pub(crate) files: Option<Vec<String>>,
    /// What the page shows first.
    pub(crate) first: First,
}

/// What the page shows of a table at first: ready answers, which take no module. Texts in JSON stay as
/// they are: reading a number and writing it again may change it.
#[derive(Clone)]
pub(crate) struct First {
    /// What the table is.
    pub(crate) table: Json,
    pub(crate) stats: String,
    /// The start position, without its line; `null` if there is none.
    pub(crate) start: String,
    /// The beginning of the line from there; `null` if there is none.
    pub(crate) line: String,
}

impl First {
    fn text(&self) -> String {
        let First { table, stats, start, line } = self;
        format!("{{\"table\":{table},\"stats\":{stats},\"start\":{start},\"line\":{line}}}\n")
    }
}

/// What a site has: `site.json`.
#[derive(Serialize, Deserialize)]
#[serde(default)]
struct Contents {
    /// [`MADE_BY`].
    made_by: String,
    /// Whether not all of it is written.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unfinished: bool,
    /// The list of tables as the server would answer it, but of each table only [`LISTED`].
    list: Json,
    /// The files of each table, by the names of the tables.
    tables: BTreeMap<String, FilesOfTable>,
}

/// The facts about a table that the list of a site has.
const LISTED: [&str; 11] = [
    "name",
    "identity",
    "game",
    "about",
    "parameters",
    "states",
    "bytes",
    "has_distances",
    "board_turns",
    "max_points",
    "start",
];

/// The files about a table, each with the version behind its name.
#[derive(Serialize, Deserialize)]
struct FilesOfTable {
    /// The file with [`First`].
    first: String,
    /// The file with [`ListedTable`], where a module answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<String>,
    /// The positions of a table without a module.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Positions>,
}

impl Default for Contents {
    fn default() -> Contents {
        let (list, tables) = (Json::Null, BTreeMap::new());
        Contents { made_by: MADE_BY.to_owned(), unfinished: false, list, tables }
    }
}

/// What a worker has to know of a table.
#[derive(Serialize)]
struct ListedTable {
    identity: String,
    module: String,
    path: String,
    /// Of a folder, the file with the beginnings of its files, one behind the other, each of
    /// [`BEGINNING`] bytes at most: opening reads no more, and asks for them at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    beginnings: Option<String>,
    /// The names of the table's files, in the order of the beginnings.
    parts: Vec<String>,
    /// All of these files.
    files: BTreeMap<String, ListedFile>,
}

#[derive(Clone, Serialize)]
struct ListedFile {
    length: u64,
    /// Changes with the file, so that no copy of an old one is taken for it.
    version: String,
}

/// Whether `publish` made this folder, or a folder that it may fill: an empty one, or one with hidden
/// files alone.
///
/// # Errors
/// When the folder can't be read.
pub(crate) fn is_site(folder: &Path) -> Result<bool, TableError> {
    let failed = |error| TableError::at(folder)(TableError::io("look into the folder")(error));
    let entries = fs::read_dir(folder).map_err(failed)?;
    let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
    let names = names.collect::<io::Result<Vec<_>>>().map_err(failed)?;
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    Ok(names.iter().all(|name| is_hidden(name)) || contents(folder).is_some())
}

/// The contents of the site in a folder, if `publish` made it.
fn contents(folder: &Path) -> Option<Json> {
    let found: Json = serde_json::from_slice(&fs::read(folder.join(CONTENTS)).ok()?).ok()?;
    let is_ours = match found.get("made_by") {
        Some(made_by) => made_by == MADE_BY,
        None => is_of_first_form(&found),
    };
    is_ours.then_some(found)
}

/// Whether contents without a mark have exactly the fields that `publish` wrote before it marked them.
fn is_of_first_form(found: &Json) -> bool {
    const FIELDS: [&str; 4] = ["tables", "files", "list", "starts"];
    let Json::Object(fields) = found else { return false };
    FIELDS.iter().all(|field| fields.contains_key(*field))
        && fields.keys().all(|field| FIELDS.contains(&&**field) || field == "unfinished")
        && found["tables"].is_array()
        && found["files"].is_object()
        && found["starts"].is_object()
}

/// The files of the site in a folder, beside those of the page.
fn written(folder: &Path, contents: &Json) -> Vec<String> {
    let read = fs::read(folder.join(WRITTEN)).ok();
    let listed = read.and_then(|text| serde_json::from_slice::<Vec<String>>(&text).ok());
    // Earlier programs had the list among the contents.
    let earlier = contents["files"].as_object().into_iter().flat_map(|files| files.keys().cloned());
    listed.into_iter().flatten().chain(earlier).filter(|name| is_below(name)).collect()
}

/// Makes the folder where it is missing, and keeps other runs out of it.
fn lock(folder: &Path) -> Result<Lock, TableError> {
    let path = folder.join(LOCK);
    let failed = |path: &Path, action| {
        let path = path.to_owned();
        move |error| TableError::at(&path)(TableError::io(action)(error))
    };
    fs::create_dir_all(folder).map_err(failed(folder, "make the folder"))?;
    Lock::take(path.clone()).map_err(|no_lock| match no_lock {
        NoLock::Taken => TableError::at(folder)(TableError::InUse),
        NoLock::Failed(error) => failed(&path, "make the file")(error),
    })
}

/// Writes a site to a folder, which is made where it is missing. Files of an earlier site that this one
/// does not have are removed. `modules` are the files of the modules, by the names of their games, and
/// `list` is what the server would say of the tables. Returns the number of bytes of all files.
///
/// # Errors
/// When another run writes into the folder, or a file can't be read or written. The error names it.
pub(crate) fn write(
    folder: &Path,
    tables: &[SiteTable],
    modules: &BTreeMap<String, PathBuf>,
    opened: &Tables,
) -> Result<u64, TableError> {
    let _lock = lock(folder)?;
    // Meanwhile, and after a run that was stopped, some files are those of the earlier site.
    let before = contents(folder).unwrap_or_default();
    let earlier = written(folder, &before);
    let mut unfinished = before;
    if !unfinished.is_object() {
        unfinished = json!(Contents::default());
    }
    (unfinished["unfinished"], unfinished["made_by"]) = (true.into(), MADE_BY.into());
    put(folder, CONTENTS, &text(&unfinished))?;
    let contents = Contents { list: short(opened.list()), ..Contents::default() };
    let mut site = Site { folder, contents, files: BTreeMap::new(), bytes: 0 };
    for (game, from) in modules {
        let version = read(from, u64::MAX).map(|module| version_of(&module))?;
        site.copy(from, module(game), &version)?;
    }
    for table in tables {
        site.add(table, opened)?;
    }
    let Site { contents, files, mut bytes, .. } = site;
    for File { address, text, .. } in &*FILES {
        let name = if *address == "/" { "index.html" } else { address.trim_start_matches('/') };
        let mut text = text.clone();
        if *address == "/" {
            changes().into_iter().for_each(|(from, to)| text = text.replacen(from, &to, 1).into());
        }
        bytes += put(folder, name, text.as_bytes())?;
    }
    for (name, text) in SITE_FILES {
        bytes += put(folder, name, text.as_bytes())?;
    }
    bytes += put(folder, WRITTEN, &text(&json!(files.keys().collect::<Vec<_>>())))?;
    bytes += put(folder, CONTENTS, &text(&json!(contents)))?;
    for name in earlier.iter().filter(|name| !files.contains_key(*name)) {
        // A file that can't be removed is harmless. Folders are removed if they are empty.
        let path = folder.join(name);
        let mut above = path.ancestors().skip(1).take_while(|above| *above != folder);
        let _ = fs::remove_file(&path).and_then(|()| above.try_for_each(fs::remove_dir));
    }
    Ok(bytes)
}

/// The list of tables with [`LISTED`] of each.
fn short(mut list: Json) -> Json {
    for table in list["tables"].as_array_mut().into_iter().flatten() {
        if let Json::Object(facts) = table {
            facts.retain(|name, _| LISTED.contains(&&**name));
        }
    }
    list
}

/// A site that is being written.
struct Site<'s> {
    folder: &'s Path,
    contents: Contents,
    /// The files beside those of the page, by their names.
    files: BTreeMap<String, ListedFile>,
    bytes: u64,
}

impl Site<'_> {
    fn add(&mut self, table: &SiteTable, opened: &Tables) -> Result<(), TableError> {
        let SiteTable { name, identity, game, path, files, first, .. } = table;
        let mut listed = ListedTable {
            identity: identity.clone(),
            module: module(game),
            path: format!("tables/{name}"),
            beginnings: None,
            parts: Vec::new(),
            files: BTreeMap::new(),
        };
        match files {
            Some(files) => {
                let mut beginnings = Vec::new();
                for file in files {
                    let (from, to) = (path.join(file), format!("{}/{file}", listed.path));
                    beginnings.extend(read(&from, BEGINNING)?);
                    self.copy(&from, to.clone(), identity)?;
                    listed.parts.push(to);
                }
                let to = format!("{}/beginnings", listed.path);
                self.put(&to, &beginnings, identity)?;
                listed.beginnings = Some(to);
            }
            None => {
                listed.path.push_str(".rtb");
                self.copy(path, listed.path.clone(), identity)?;
                listed.parts.push(listed.path.clone());
            }
        }
        if let Some(texts) = &table.texts {
            return self.add_positions(table, texts, opened);
        }
        let own = listed.parts.iter().chain(&listed.beginnings).chain([&listed.module]);
        let own = own.filter_map(|name| self.files.get_key_value(name));
        listed.files = own.map(|(name, file)| (name.clone(), file.clone())).collect();
        let about = FilesOfTable {
            first: self.put_text(format!("first/{name}.json"), &first.text())?,
            files: Some(self.put_text(format!("files/{name}.json"), &json!(listed).to_string())?),
            positions: None,
        };
        self.contents.tables.insert(name.clone(), about);
        Ok(())
    }

    /// Adds the positions of a table without a module.
    fn add_positions(
        &mut self,
        table: &SiteTable,
        texts: &Texts,
        opened: &Tables,
    ) -> Result<(), TableError> {
        let SiteTable { name, identity, path, .. } = table;
        let unread = |problem: Problem| {
            let cause = io::Error::other(problem.cause.unwrap_or(problem.detail));
            TableError::at(path)(TableError::io("read its positions")(cause))
        };
        let answers = &*opened.named(name).map_err(unread)?.answers;
        let mut put = |file: &str, bytes: &[u8]| {
            self.put(&format!("positions/{name}/{file}"), bytes, identity)
        };
        let files = positions::write(answers, texts, &mut put).map_err(|failed| match failed {
            Failed::Table(problem) => unread(problem),
            Failed::Writing(error) => error,
        })?;
        let mut first = table.first.clone();
        // Only the rules know these answers.
        for fact in ["can_be_set_up", "can_pass"] {
            first.table[fact] = false.into();
        }
        let about = FilesOfTable {
            first: self.put_text(format!("first/{name}.json"), &first.text())?,
            files: None,
            positions: Some(Positions { files, version: identity.clone() }),
        };
        self.contents.tables.insert(name.clone(), about);
        Ok(())
    }

    /// Puts a text into the folder. Returns its name with its version behind it.
    fn put_text(&mut self, name: String, text: &str) -> Result<String, TableError> {
        let version = version_of(text.as_bytes());
        self.put(&name, text.as_bytes(), &version)?;
        Ok(format!("{name}?{version}"))
    }

    fn copy(&mut self, from: &Path, name: String, version: &str) -> Result<(), TableError> {
        let unread = |error| TableError::at(from)(TableError::io("read it")(error));
        let mut file = fs::File::open(from).map_err(unread)?;
        let length = fill(self.folder, &name, &mut |to| io::copy(&mut file, to))?;
        self.list(name, length, version);
        Ok(())
    }

    fn put(&mut self, name: &str, bytes: &[u8], version: &str) -> Result<(), TableError> {
        let length = put(self.folder, name, bytes)?;
        self.list(name.to_owned(), length, version);
        Ok(())
    }

    fn list(&mut self, name: String, length: u64, version: &str) {
        self.files.insert(name, ListedFile { length, version: version.to_owned() });
        self.bytes += length;
    }
}

/// Whether a name in `site.json` stays within the folder of the site.
fn is_below(name: &str) -> bool {
    let mut parts = name.split('/');
    matches!(parts.next(), Some("tables" | "modules" | "first" | "files" | "positions" | "starts"))
        && parts.all(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':']))
}

fn module(game: &str) -> String {
    format!("modules/{game}.wasm")
}

fn text(json: &Json) -> Vec<u8> {
    format!("{json:#}\n").into_bytes()
}

fn version_of(bytes: &[u8]) -> String {
    format!("{:016x}", XxHash3_64::oneshot(bytes))
}

/// The first bytes of a file.
fn read(path: &Path, most: u64) -> Result<Vec<u8>, TableError> {
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| TableError::at(path)(TableError::io("read it")(error)))?;
    Ok(bytes)
}

/// Puts a file into the folder, whole or not at all. Returns its length.
fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<u64, TableError> {
    fill(folder, name, &mut |file| file.write_all(bytes).map(|()| bytes.len() as u64))
}

fn fill(
    folder: &Path,
    name: &str,
    fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<u64>,
) -> Result<u64, TableError> {
    let path = folder.join(name);
    let mut write = || -> io::Result<u64> {
        let (parent, own) = (path.parent().unwrap_or(folder), path.file_name().unwrap_or_default());
        fs::create_dir_all(parent)?;
        let mut file = unfinished::create(parent, own)?;
        let length = fill(&mut file)?;
        file.flush()?;
        unfinished::persist(file, &path)?;
        Ok(length)
    };
    write().map_err(|error| TableError::at(&path)(TableError::io("write it")(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_what_a_site_changes() {
        let page = FILES.iter().find(|file| file.address == "/").unwrap();
        for (from, _) in changes() {
            assert_eq!(page.text.matches(from).count(), 1, "{from}");
        }
    }

    #[test]
    fn names_lead_nowhere_else() {
        for name in ["tables/a.rtb", "tables/morris/6-4.rtb", "modules/chess.wasm"] {
            assert!(is_below(name), "{name}");
        }
        for name in ["", "tables/../x", "/tables/x", "index.html", "tables//x", "tables/c:\\x"] {
            assert!(!is_below(name), "{name}");
        }
    }
}
