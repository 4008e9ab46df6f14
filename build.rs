//! Makes the pages of `docs/` and the README pages of rustdoc: the links between them become links
//! between its modules.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=README.md");
    println!("cargo::rerun-if-changed=docs");
    let out = env::var_os("OUT_DIR").expect("cargo names a folder for what is made");
    let mut pages = vec![Path::new("README.md").to_owned()];
    for entry in fs::read_dir("docs").expect("the pages are part of the package") {
        pages.push(entry.expect("the pages can be listed").path());
    }
    for page in pages.iter().filter(|page| page.extension().is_some_and(|kind| kind == "md")) {
        let text = fs::read_to_string(page).expect("a page can be read");
        let name = page.file_name().expect("a page has a name");
        let to_pages = if page.starts_with("docs") { "../" } else { "documentation/" };
        fs::write(Path::new(&out).join(name), with_links(&without_bare_fences(&text), to_pages))
            .expect("a page can be written");
    }
}

/// The text of a page whose blocks of code say that they are text: rustdoc takes others for Rust.
fn without_bare_fences(text: &str) -> String {
    let (mut result, mut is_inside) = (String::new(), false);
    for line in text.split_inclusive('\n') {
        let is_fence = line.starts_with("```");
        let is_bare = is_fence && !is_inside && line.trim_end() == "```";
        is_inside ^= is_fence;
        result.push_str(if is_bare { "```text\n" } else { line });
    }
    result
}

/// The text of a page whose links lead to pages of rustdoc. `to_pages` leads from the page to the
/// folder of all of them.
fn with_links(text: &str, to_pages: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((target, after)) = after.split_once(')') else { break };
        let start = before.rfind('[').unwrap_or(before.len());
        let is_picture = before[..start].ends_with('!');
        match target_in_rustdoc(target, to_pages) {
            Some(target) => result.extend([before, "](", &target, ")"]),
            None if is_picture => result.push_str(&before[..start - 1]),
            None => result.extend([&before[..start], &before[start + 1..]]),
        }
        rest = after;
    }
    result + rest
}

/// The target of a link in rustdoc; `None` if rustdoc does not have it.
fn target_in_rustdoc(target: &str, to_pages: &str) -> Option<String> {
    if target.starts_with('#') || target.contains("://") || !target.contains('.') {
        return Some(target.to_owned());
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    match path.rsplit('/').next()?.strip_suffix(".md")? {
        "README" => Some(format!("{to_pages}../index.html{anchor}")),
        "CONTRIBUTING" | "CHANGELOG" => None,
        page => Some(format!("{to_pages}{}/index.html{anchor}", page.to_lowercase())),
    }
}
