//! Gobblet Gobblers by a numbering and its moves backwards, with the whole command line, to compare with the
//! game that is found by search.
//!
//! ```text
//! cargo run --release -p retrograde-games --features numberings --example gobblet-numbered -- \
//!     solve gobblet-numbered -o gobblet.rtb
//! ```

use std::process::ExitCode;

use retrograde::cli::Registry;
use retrograde_games::gobblet::NumberedGobblet;

fn main() -> ExitCode {
    Registry::new("gobblet-numbered", env!("CARGO_PKG_VERSION"))
        .register::<NumberedGobblet>()
        .main()
}
