//! The example in the README is the one that is compiled and run.

#[test]
fn the_readme_shows_the_example_as_it_is() {
    let readme = include_str!("../README.md");
    let example = include_str!("../examples/nim.rs");
    assert!(readme.contains(&format!("```rust\n{example}```")), "examples/nim.rs has changed");
    assert!(example.lines().count() < 60);
}
