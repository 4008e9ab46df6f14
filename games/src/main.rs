//! The shipped binary: the command line over the games of this crate.

fn main() -> std::process::ExitCode {
    retrograde_games::registry().main()
}
