//! The plots of `stats`, and which files they may replace.

use std::process::Command;

use crate::program::Folder;

fn text(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).expect("text")
}

/// Checks that the elements of a text in XML are closed in order.
#[track_caller]
fn assert_well_formed(text: &str) {
    let mut open = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        let name = tag.split([' ', '/']).find(|name| !name.is_empty()).expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{text}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_plot_has_a_bar_for_every_distance() {
    let folder = Folder::with_small_table();
    folder.run(&["solve", "mnk", "-o", "board.rtb"]).answer();
    for table in ["table.rtb", "board.rtb"] {
        let stats = folder.run(&["stats", table, "--svg", "plot.svg", "--json"]).json();
        let svg = text(&folder, "plot.svg");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert_well_formed(&svg);
        let distances = stats["distances"].as_array().expect("a list");
        assert_eq!(svg.matches("<g class=\"at\">").count(), distances.len());
        for at in distances {
            let plies = at["plies"].as_u64().expect("plies");
            let unit = if plies == 1 { "ply" } else { "plies" };
            assert!(svg.contains(&format!("<title>{plies} {unit}: ")), "{svg}");
        }
    }
    let printed = folder.run(&["stats", "table.rtb", "--svg", "plot.svg"]).answer();
    assert!(printed.contains("24 states") && printed.contains("\nwrote plot.svg: "), "{printed}");
}

#[test]
fn the_page_has_a_plot_and_the_counts_of_every_tier() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).answer();
    folder.run(&["stats", "rook", "--html", "rook.html", "--svg", "rook.svg"]).answer();
    let page = text(&folder, "rook.html");
    assert!(page.starts_with("<!doctype html>\n") && page.contains("<html lang=\"en\">"), "{page}");
    // One plot for all, and one for each of the two tiers, except that KvK has no distances.
    assert_eq!(page.matches("<svg ").count(), 3);
    assert_eq!(page.matches("<table>").count(), 2);
    assert_eq!(page.matches("No position has a distance").count(), 1);
    assert!(page.contains("<h2>KRvK</h2>") && page.contains("<th scope=\"row\">32</th>"), "{page}");
    assert!(
        !page.contains("http://") || page.matches("http://").count() == 3,
        "nothing is fetched"
    );
    folder.run(&["stats", "rook/KRvK.rtb", "--svg", "tier.svg"]).answer();
    assert!(text(&folder, "tier.svg").contains("32 plies: 0 won, "));
}

#[test]
fn files_of_others_are_replaced_only_by_force() {
    let folder = Folder::with_small_table();
    folder.write("letter.txt", "dear reader");
    folder.write("page.html", "<!doctype html>\n<p>mine</p>\n");
    let stats = |options: &[&str]| folder.run(&[&["stats", "table.rtb"], options].concat());
    for (option, name) in [
        ("--svg", "letter.txt"),
        ("--html", "letter.txt"),
        ("--html", "page.html"),
        ("--svg", "page.html"),
        ("--svg", "table.rtb"),
    ] {
        let before = folder.contents();
        stats(&[option, name]).assert_refused(1, &[name, "--force"]);
        assert!(folder.contents() == before, "{option} {name}");
    }
    stats(&["--svg", "-"]).assert_refused(2, &["the output of the program goes there"]);
    stats(&["--svg", "same", "--html", "./same"]).assert_refused(2, &["can't both be in same"]);
    stats(&["--force"]).assert_refused(2, &["--force"]);
    let nowhere = stats(&["--svg", "no/folder.svg"]);
    assert_eq!(nowhere.code, Some(1), "{nowhere:#?}");
    assert!(nowhere.stderr.contains("error: no/folder.svg: "), "{nowhere:#?}");
    stats(&["--svg", "letter.txt", "--html", "page.html", "--force"]).answer();
    assert!(text(&folder, "letter.txt").starts_with("<svg "));
    // Now these files are plots.
    stats(&["--svg", "letter.txt", "--html", "page.html"]).answer();
}

#[test]
fn solving_ends_in_shares_of_at_most_80_columns() {
    let folder = Folder::new();
    let solve = |locale: &str| {
        let mut command: Command = folder.command(&["solve", "chess", "KRvK"]);
        let output = command.env("LC_ALL", locale).output().expect("it starts");
        String::from_utf8(output.stdout).expect("text")
    };
    let (blocks, letters) = (solve("en_US.UTF-8"), solve("C"));
    assert!(blocks.contains("  44 %  ████████▊\n"), "{blocks}");
    assert!(letters.contains("  44 %  #########\n") && letters.is_ascii(), "{letters}");
    for text in [blocks, letters] {
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(!text.contains('\u{1b}') && !text.contains("play it with"), "{text}");
    }
}
