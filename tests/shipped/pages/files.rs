//! The files that a page shows whole, which make a crate in the folder of its commands.

use std::fs;
use std::path::Path;

use crate::{in_repository, read};

/// What the page has for the folder of the library.
const LIBRARY: &str = "\"../retrograde\"";

/// Writes the files of a part of a page. The first line of each names it, as in `// src/main.rs`.
pub(crate) fn write_files(part: &str, folder: &Path) {
    let mut lines = part.lines();
    while lines.any(|line| line.starts_with("```")) {
        let block = lines.by_ref().take_while(|line| !line.starts_with("```"));
        let text: String = block.map(|line| line.to_owned() + "\n").collect();
        let comment = text.lines().next().unwrap_or_default();
        let name = comment.strip_prefix("// ").or_else(|| comment.strip_prefix("# "));
        match name {
            Some("Cargo.toml") => write_manifest(&text, folder),
            Some("web/Cargo.toml") => {
                let library = format!("{:?}", in_repository(""));
                write(
                    &text.replace("\"../../retrograde\"", &library),
                    &folder.join("web/Cargo.toml"),
                );
            }
            Some(name) if name.starts_with("src/") || name.starts_with("web/src/") => {
                write(&text, &folder.join(name));
            }
            _ => {}
        }
    }
}

/// The crate is no part of this workspace. It has its versions and profile, so that libraries which
/// were built for the tests are not built again.
fn write_manifest(text: &str, folder: &Path) {
    assert!(text.contains(LIBRARY), "{text}");
    let library = format!("{:?}", in_repository(""));
    let workspace = read("Cargo.toml");
    let sections = workspace.split("\n[").filter(|section| section.starts_with("profile.dev"));
    let profile: String = sections.map(|section| format!("\n[{section}")).collect();
    // Its game is compiled as those of the workspace are.
    let profile = profile.replace("retrograde-games", "chomp");
    let own = if text.contains("[workspace]") { "" } else { "\n[workspace]\n" };
    let manifest = format!("{}{own}{profile}", text.replace(LIBRARY, &library));
    write(&manifest, &folder.join("Cargo.toml"));
    fs::copy(in_repository("Cargo.lock"), folder.join("Cargo.lock")).expect("a list of versions");
}

fn write(text: &str, path: &Path) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}
