//! The commands of the pages, and their output.

use std::path::Path;

use crate::{check_or_bless, printed, read};

#[test]
fn the_commands_of_the_readme_print_what_it_shows() {
    check_page("README.md", 4);
}

#[test]
fn the_commands_of_the_guide_print_what_it_shows() {
    check_page("docs/GUIDE.md", 3);
}

fn check_page(path: &str, least: usize) {
    check_or_bless(path, &with_outputs(&read(path), least));
}

/// The page with the present output of its commands, of which there must be at least `least`. All
/// commands of the `console` blocks run in order and in one folder.
pub(crate) fn with_outputs(page: &str, least: usize) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (mut text, mut commands) = (String::new(), 0);
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("```console\n") {
        let (block, after) = after.split_once("```").expect("the block ends");
        text += before;
        text += "```console\n";
        for session in sessions(block) {
            let (command, shown) = session.split_once('\n').unwrap_or((&session, ""));
            text += &format!("$ {command}\n{}", as_printed(command, shown, folder.path()));
            commands += 1;
        }
        text += "```";
        rest = after;
    }
    assert!(commands >= least, "the page has {commands} commands");
    text + rest
}

/// The commands of a block without their prompts, each with the shown output.
fn sessions(block: &str) -> Vec<String> {
    let mut sessions: Vec<String> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => sessions.push(format!("{command}\n")),
            None => {
                *sessions.last_mut().expect("a block begins with a command") += &format!("{line}\n")
            }
        }
    }
    sessions
}

/// The output of a command, or the shown output if only the time differs.
fn as_printed(command: &str, shown: &str, folder: &Path) -> String {
    let printed = printed(command, folder, 100);
    let same = without_seconds(&printed) == without_seconds(shown);
    if same { shown.to_owned() } else { without_trailing_blanks(&printed) }
}

fn without_trailing_blanks(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The text without the durations, which change every time.
fn without_seconds(text: &str) -> String {
    let line = |line: &str| {
        let cut = [" solved in ", " explored in "].iter().find_map(|cut| line.split_once(cut));
        cut.map_or(line, |(before, _)| before).to_owned()
    };
    text.lines().map(|text| line(text.trim_end()) + "\n").collect()
}
