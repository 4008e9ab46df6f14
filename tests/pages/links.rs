//! Links between the pages lead somewhere: to a file that is there, and to a heading of it.

use std::fs;
use std::path::{Path, PathBuf};

const PAGES: [&str; 5] = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benches", "docs"];

#[test]
fn links_between_the_pages_lead_to_a_file_and_to_a_heading() {
    let root = kit::repository();
    let (mut links, mut broken) = (0, Vec::new());
    for page in PAGES.iter().flat_map(|name| pages(&root.join(name))) {
        let text = read(&page);
        for target in targets(&text).filter(|target| !target.contains("://")) {
            links += 1;
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let to = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            let leads_there = match heading {
                "" => to.exists(),
                heading => headings(&read(&to)).any(|other| other == heading),
            };
            if !leads_there {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(links > 60, "{links} links");
}

/// The pages of a folder, or the page itself.
fn pages(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("a folder of pages");
    let files = entries.map(|entry| entry.expect("an entry").path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

fn read(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_default()
}

/// The lines of a page that are not code.
fn lines(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Where the links of a page lead.
fn targets(page: &str) -> impl Iterator<Item = &str> {
    let links = lines(page).flat_map(|line| line.split("](").skip(1));
    links.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

/// The headings of a page, as links name them.
fn headings(page: &str) -> impl Iterator<Item = String> {
    let headings = lines(page).filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept =
            title.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        kept.collect::<String>().replace(' ', "-")
    })
}
