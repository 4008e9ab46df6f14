//! Every command of the README's tour prints what the README says.

use std::process::Command;

#[test]
fn the_tour_of_the_readme_is_true() {
    let readme = include_str!("../../README.md");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut commands = 0;
    for block in readme.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").expect("the block ends");
        for session in block.split("$ ").filter(|session| !session.is_empty()) {
            let (command, expected) = session.split_once('\n').unwrap_or((session, ""));
            let arguments = command.strip_prefix("retrograde ").expect("a command of ours");
            let output = Command::new("sh")
                .args(["-c", &format!("\"$RETROGRADE\" {arguments}")])
                .env("RETROGRADE", env!("CARGO_BIN_EXE_retrograde"))
                .current_dir(folder.path())
                .output()
                .expect("a shell");
            let printed = String::from_utf8(output.stdout).expect("text");
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{command}: {complaint}");
            assert_eq!(without_seconds(&printed), without_seconds(expected), "{command}");
            commands += 1;
        }
    }
    assert!(commands > 5, "the README has a tour");
}

/// How long something takes is another number every time.
fn without_seconds(text: &str) -> String {
    let line = |line: &str| {
        let cut = [" solved in ", " explored in "].iter().find_map(|cut| line.split_once(cut));
        cut.map_or(line, |(before, _)| before).to_owned()
    };
    text.lines().map(|text| line(text.trim_end()) + "\n").collect()
}
