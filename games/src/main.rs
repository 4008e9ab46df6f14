//! The shipped binary: the command line over the games of this crate.

fn main() -> std::process::ExitCode {
    retrograde_games::registry()
        .modules(
            "cargo build --target wasm32-unknown-unknown --profile web -p retrograde-web --example GAME",
        )
        .main()
}
