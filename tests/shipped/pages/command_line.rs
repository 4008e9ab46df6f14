//! `docs/OPTIONS.md`: the program's own help, of every command and every game.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use crate::{check_or_bless, printed};

const PAGE: &str = "docs/OPTIONS.md";

/// What the page begins with.
const HEAD: &str = "\
# Commands, options and games

[The command line](CLI.md) is a tour of the commands. This page lists the options of each. It is generated from
the help of the program: see [CONTRIBUTING.md](../CONTRIBUTING.md#pages).

- Every command takes `--json`, `--quiet` and `--help`. The first list explains them, and the others leave them
  out.
- A command that takes a game also takes the options of that game. It is shown for `chess`, whose lists include
  all options that are not of one game. [Games](#games) lists the options of each game.
";

/// The game whose options are shown for a command that takes options of a game. It has all the
/// options of the other games.
const EXAMPLE: &str = "chess";

/// Options that every command has, as its help lists them.
const OF_EVERY_COMMAND: [&str; 3] = ["--json", "-q, --quiet", "-h, --help"];

/// The width of the help on the page, in characters.
const COLUMNS: usize = 80;

#[test]
fn the_page_of_options_is_what_the_program_says() {
    check_or_bless(PAGE, &format!("{HEAD}\n{}", generated()));
}

fn generated() -> String {
    let overview = help("", COLUMNS);
    let mut page = format!("## Commands\n\n{}", block(&overview));
    for command in commands(&overview) {
        let _ = write!(page, "\n### `retrograde {command}`\n\n");
        let text = help(&command, COLUMNS);
        if text.contains("\nGames:\n") {
            let about = text.lines().next().unwrap_or_default();
            let of_example = help(&format!("{command} {EXAMPLE}"), COLUMNS);
            let _ = write!(page, "{about}. For `{EXAMPLE}`:\n\n");
            page += &block(&of_this_command(&of_example));
        } else {
            page += &block(&of_this_command(&text));
        }
    }
    page + "\n## Games\n" + &games()
}

/// The help of a command without the options that every command has.
fn of_this_command(help: &str) -> String {
    let (mut text, mut is_left_out) = (String::new(), false);
    for line in help.lines() {
        let entry = line.trim_start();
        let indent = line.len() - entry.len();
        // What an entry goes on with is farther to the right.
        if entry.is_empty() || entry.starts_with('-') && indent <= 6 {
            is_left_out = OF_EVERY_COMMAND.iter().any(|option| entry.starts_with(option));
        }
        if !is_left_out {
            text += line;
            text.push('\n');
        }
    }
    text.replace("\nOptions:\n\n", "\n").trim_end().trim_end_matches("\n\nOptions:").to_owned()
}

/// The options, an example and the notation of each game.
fn games() -> String {
    let games = printed("retrograde games --json", Path::new("."), COLUMNS);
    let games: Value = serde_json::from_str(&games).expect("JSON");
    let mut page = String::new();
    for game in games["games"].as_array().expect("a list of games") {
        let text = |field: &str| game[field].as_str().unwrap_or_default();
        let name = text("game");
        let _ = write!(page, "\n### `{name}`\n\n{}\n\n", text("about"));
        page += "| option | meaning | default |\n| --- | --- | --- |\n";
        let options = game["options"].as_array().expect("a list of options").iter();
        // Each command lists those that it alone has.
        let has_several =
            |option: &&Value| option["commands"].as_array().is_some_and(|all| all.len() > 1);
        for option in options.filter(has_several) {
            page += &row(option);
        }
        let example = format!("retrograde solve {name} {}", text("example"));
        let _ = write!(page, "\n- Example: `{}`\n", example.trim_end());
        let _ = writeln!(page, "- Positions: {}", escaped(text("positions")));
    }
    page
}

/// The row of an option in the table of its game.
fn row(option: &Value) -> String {
    let text = |field: &str| option[field].as_str().unwrap_or_default();
    let spelling = text("option");
    let spelling = match spelling.split_once(' ') {
        Some((_, argument)) if !spelling.starts_with('-') => argument,
        _ => spelling,
    };
    // The help of a numbering already contains its default.
    let (meaning, of_help) = text("help").split_once(" [default: ").unwrap_or((text("help"), ""));
    let default = match (text("default"), of_help) {
        ("", of_help) => of_help.trim_end_matches(']'),
        (default, _) => default,
    };
    let default = match (default, option["required"] == true) {
        ("", true) => "required".to_owned(),
        ("", false) => String::new(),
        (default, _) => format!("`{default}`"),
    };
    let choices = option["choices"].as_array().into_iter().flatten();
    let choices: Vec<&str> = choices.filter_map(Value::as_str).collect();
    let choices = match choices.is_empty() || meaning.contains(": ") {
        true => String::new(),
        false => format!(": {}", choices.join(", ")),
    };
    let meaning = meaning.to_owned() + &choices;
    format!("| `{}` | {} | {default} |\n", escaped(spelling), prose(&meaning))
}

/// The text of a cell that is not code: rustdoc takes what is in brackets for a link.
fn prose(text: &str) -> String {
    escaped(text).replace('[', "\\[").replace(']', "\\]")
}

/// Escapes the character that ends a cell of a table.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The commands that the overview lists, except `help`.
fn commands(overview: &str) -> Vec<String> {
    let (_, list) = overview.split_once("Commands:\n").expect("a list of commands");
    let list = list.lines().take_while(|line| !line.is_empty());
    // The continuation of a long line is indented further.
    let entries =
        list.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = entries.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

fn help(command: &str, columns: usize) -> String {
    printed(&format!("retrograde {command} --help"), Path::new("."), columns)
}

fn block(help: &str) -> String {
    let lines: String = help.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    format!("```text\n{}\n```\n", lines.trim_end())
}
