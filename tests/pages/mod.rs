//! The pages show code, errors and figures as they are.

mod laws;
mod links;
mod slips;

use std::fs;

const README: &str = include_str!("../../README.md");
const GUIDE: &str = include_str!("../../docs/GUIDE.md");
const ADAPTING: &str = include_str!("../../docs/ADAPTING.md");
const PICTURES: &str = include_str!("../../docs/PICTURES.md");

#[test]
fn the_readme_shows_the_example_as_it_is() {
    let example = include_str!("../../examples/nim.rs");
    assert!(README.contains(&format!("```rust\n{example}```")), "examples/nim.rs has changed");
    assert!(example.lines().count() < 60);
    assert!(README.lines().count() <= 170, "the README has {} lines", README.lines().count());
}

/// The parts of examples on the pages are shown with `rust,ignore`: the examples compile and test
/// them. So are files that need other files, whose first line is their name: `tests/shipped/pages`
/// builds them. All other code is compiled on its page.
#[test]
fn the_pages_show_parts_of_the_examples_as_they_are() {
    let examples: Vec<String> = ["examples", "examples/adapted"]
        .iter()
        .flat_map(|folder| {
            let folder = kit::repository().join(folder);
            fs::read_dir(folder).expect("examples")
        })
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .map(|path| fs::read_to_string(path).expect("a file"))
        .collect();
    for page in [GUIDE, ADAPTING, PICTURES] {
        let parts: Vec<&str> = page.split("```rust,ignore\n").skip(1).collect();
        assert!(!parts.is_empty());
        let is_file = |part: &&str| part.starts_with("// src/") || part.starts_with("// web/src/");
        for part in parts.into_iter().filter(|part| !is_file(part)) {
            let (part, _) = part.split_once("```").expect("the block ends");
            assert!(
                examples
                    .iter()
                    .any(|example| without_indent(example).contains(&without_indent(part))),
                "no example has this part of a page:\n{part}"
            );
        }
    }
}

#[test]
fn a_game_of_an_authors_own_has_its_picture_in_ten_lines() {
    let example = include_str!("../../examples/chomp.rs");
    let (_, picture) = example.split_once("    fn scene(").expect("a picture");
    let (body, _) = picture.split_once("\n    }\n").expect("the picture ends");
    // The closing brace is a line too.
    assert_eq!(body.lines().count() + 1, 10, "{body}");
    for page in [README, PICTURES, example] {
        assert!(page.contains("ten lines"));
    }
}

/// Pages of rustdoc have no files beside them, so the README's link contains the picture.
#[test]
fn the_link_of_the_picture_is_the_picture() {
    let picture = include_bytes!("../../docs/page.png");
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let encode = |three: &[u8]| -> String {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let letter = |at: usize| match at <= three.len() {
            true => char::from(letters[(bits >> (18 - 6 * at)) as usize % 64]),
            false => '=',
        };
        (0..4).map(letter).collect()
    };
    let encoded: String = picture.chunks(3).map(encode).collect();
    let link = include_str!("../../docs/page.url").trim_end();
    assert_eq!(link, format!("data:image/png;base64,{encoded}"));
}

fn without_indent(code: &str) -> String {
    code.lines().map(|line| line.trim_start().to_owned() + "\n").collect()
}

/// The README's tables are an excerpt: each of their figures is also on a page of all figures. Both are
/// made by `benches/figures`, which finds its places by markers.
#[test]
fn the_figures_of_the_readme_are_those_of_the_page_of_figures() {
    let figures = include_str!("../../docs/PERFORMANCE.md");
    let (_, section) = README.split_once("<!-- figures: summary -->\n").expect("a marker");
    let (section, _) = section.split_once("<!-- end -->\n").expect("its end");
    let endings = include_str!("../../docs/ENDINGS.md");
    let tables: Vec<&str> = section.split("\n\n").filter(|part| part.starts_with("| ")).collect();
    assert_eq!(tables.len(), 2);
    let rows = tables.iter().flat_map(|table| table.lines().skip(2));
    for cell in rows.flat_map(|row| row.split('|').skip(3)).map(str::trim) {
        // Behind it, in brackets, is how many times as fast that is.
        let figure = cell.split(" (").next().expect("a first part");
        let is_known = [figures, endings].iter().any(|page| page.contains(figure));
        assert!(is_known, "docs/PERFORMANCE.md and docs/ENDINGS.md do not have {figure}");
    }
    let begun = figures.matches("<!-- figures: ").count();
    assert!(begun > 10 && begun == figures.matches("<!-- end -->").count(), "{begun} markers");
}
