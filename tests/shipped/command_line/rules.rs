//! The rules of the games in words.

use crate::program::retrograde;

/// The words of an example, which single quotes hold together.
fn words(example: &str) -> Vec<String> {
    let quoted = example.split('\'').enumerate();
    let words = quoted.flat_map(|(part, text)| match part % 2 {
        1 => vec![text.to_owned()],
        _ => text.split_whitespace().map(str::to_owned).collect(),
    });
    words.collect()
}

fn rules(game: &str, options: &[&str]) -> String {
    let arguments = [&["rules", game, "--json"], options].concat();
    retrograde(&arguments).json()["rules"].as_str().expect("a text").to_owned()
}

#[test]
fn every_game_says_its_rules_in_a_few_sentences() {
    for game in retrograde(&["games", "--json"]).json()["games"].as_array().unwrap() {
        let (name, example) = (game["game"].as_str().unwrap(), game["example"].as_str().unwrap());
        let options = words(example);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let rules = rules(name, &options);
        let sentences = rules.matches(['.', '!', '?']).count();
        assert!((3..=12).contains(&sentences) && rules.ends_with('.'), "{name}: {rules}");
        let begin = rules.split(". ").filter_map(|sentence| sentence.chars().next());
        assert!(begin.into_iter().all(char::is_uppercase), "{name}: {rules}");
        assert!(!rules.contains("  ") && !rules.contains(".."), "{name}: {rules}");
        let shown = retrograde(&[&["rules", name], &options[..]].concat()).answer();
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
        let shown: Vec<&str> = shown.split_whitespace().collect();
        assert_eq!(shown.join(" "), rules);
    }
}

#[test]
fn the_rules_follow_the_options() {
    let games: [(&str, &[&str], &[&str]); 15] = [
        ("awari", &["--seeds", "1"], &["at most 1 seed on the board", "only if there is no other"]),
        ("awari", &["--grand-slam", "captures-nothing"], &["9 seeds", "captures nothing."]),
        ("awari", &["--grand-slam", "captures"], &["may capture all seeds"]),
        ("bobail", &["-n", "4", "--rules", "flexible"], &["5 columns and 4 rows", "any number"]),
        ("chess", &["KRvK"], &["begin as KRvK", "no castling"]),
        ("connect-four", &["-m", "6", "-k", "3"], &["6 columns and 4 rows", "3 discs in a row"]),
        ("dobutsu", &["--no-giraffes"], &["a lion, an elephant and a chick"]),
        ("gobblet", &["--small", "0", "--large", "1"], &["in reserve: 1 large, 2 medium."]),
        ("hexapawn", &["-m", "1", "-n", "4"], &["1 column and 4 rows", "1 pawn in"]),
        ("kalah", &["--houses", "1"], &["a row of 1 house with 3 seeds", "takes the rest."]),
        ("kalah", &["--ends", "side-empty"], &["as soon as one side is empty"]),
        ("mnk", &["-n", "4"], &["3 columns and 4 rows", "3 marks in a row"]),
        ("morris", &["--board", "seven"], &["17 points", "7 men", "cross"]),
        ("morris", &["--flying"], &["three men left may move one to any empty point"]),
        ("morris", &["--sliding"], &["on an empty point, or move a man along a line"]),
    ];
    for (game, options, says) in games {
        let rules = rules(game, options);
        says.iter().for_each(|part| assert!(rules.contains(part), "no \"{part}\" in {rules}"));
    }
    assert!(!rules("dobutsu", &["--no-giraffes"]).contains("giraffe"));
    assert!(!rules("morris", &[]).contains("cross"));
}
