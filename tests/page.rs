//! The files of the page fit together, and keep to the rules of its server.

use std::collections::BTreeMap;
use std::fs;

/// The most bytes that all files may have together.
const LARGEST: usize = 250_000;

/// The text of each file, by its name.
fn files() -> BTreeMap<String, String> {
    let folder = kit::repository().join("src/program/serve/page");
    let read = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read_to_string(entry.path()).unwrap())
    };
    fs::read_dir(folder).unwrap().map(|entry| read(entry.unwrap())).collect()
}

/// Each text between `before` and `after`.
fn between<'t>(text: &'t str, before: &'t str, after: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(before).skip(1).filter_map(move |rest| Some(rest.split_once(after)?.0))
}

#[test]
fn the_page_is_small_and_each_of_its_files_is_in_the_program() {
    let files = files();
    assert!(files.values().map(String::len).sum::<usize>() < LARGEST);
    let program = include_str!("../src/program/serve/page.rs");
    for name in files.keys() {
        assert!(program.contains(&format!("include_str!(\"page/{name}\")")), "{name}");
    }
}

#[test]
fn what_a_file_of_the_page_names_is_there() {
    let files = files();
    let html = &files["index.html"];
    for (name, text) in &files {
        for import in between(text, "from './", "'") {
            assert!(files.contains_key(import), "{name} imports {import}");
        }
        for id in between(text, "by('", "')") {
            assert!(html.contains(&format!("id=\"{id}\"")), "{name} asks for #{id}");
        }
    }
    // What else a browser would ask for is in the one script.
    assert_eq!(html.matches("<script").count(), 1);
    assert_eq!(html.matches("<link rel=\"stylesheet\"").count(), 1);
    assert!(!html.contains("modulepreload"));
    for name in between(html, "src=\"", "\"").chain(between(html, "stylesheet\" href=\"", "\"")) {
        assert!(files.contains_key(name), "{name}");
    }
}

/// What makes one script of the modules reads lines.
#[test]
fn imports_and_exports_stand_on_one_line_each() {
    let files = files();
    let scripts = files.iter().filter(|(name, _)| name.ends_with(".js"));
    for (name, text) in scripts {
        let mut is_head = true;
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
            if line.starts_with("import ") {
                assert!(
                    is_head && line.contains(" from './") && line.ends_with("';"),
                    "{name}: {line}"
                );
            } else {
                is_head = false;
            }
            if let Some(declared) = line.strip_prefix("export ") {
                let kinds = ["const ", "class ", "function ", "async function "];
                let is_named = kinds.iter().any(|kind| {
                    let name = declared.strip_prefix(kind);
                    name.is_some_and(|name| name.starts_with(|first: char| first.is_alphabetic()))
                });
                assert!(is_named || name == "site.js", "{name}: {line}");
            }
            // Not all sites need all that `site.js` asks for, which stands alone.
            let imports_late = line.contains("= await import(") && name != "site.js";
            assert!(!line.starts_with("await ") && !imports_late, "{name}: {line}");
        }
        assert!(!imports(&files, name, name), "{name} imports itself");
    }
}

/// Whether a module imports another one, by way of others or not.
fn imports(files: &BTreeMap<String, String>, from: &str, wanted: &str) -> bool {
    let Some(text) = files.get(from) else { return false };
    between(text, "from './", "'").any(|next| next == wanted || imports(files, next, wanted))
}

#[test]
fn the_page_reads_no_text_as_code_or_markup_and_asks_no_other_server() {
    // The policy of the server forbids most of these, so a browser would ignore them.
    let forbidden = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        " style=",
        "onclick=",
        "@import",
    ];
    for (name, text) in files() {
        for word in forbidden {
            assert!(!text.contains(word), "{name}: {word}");
        }
        let elsewhere = text.matches("://").count();
        let namespaces = text.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(elsewhere, namespaces, "{name} names an address elsewhere");
    }
}
