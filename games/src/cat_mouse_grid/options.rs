//! How Cat and Mouse II is set up on the command line.

use retrograde::cli::{CliError, read_text};

use super::{CatMouseGrid, CatMouseGridParameters};

/// The options of Cat and Mouse II.
#[derive(Debug, clap::Args)]
pub struct CatMouseGridOptions {
    /// The grid: its rows of #.CMF as JSON like ["M.C...F"]; or a file with that or with one row a
    /// line, or - for standard input
    #[arg(long, value_name = "JSON|FILE|-")]
    grid: String,
    /// The greatest length of the cat's jumps, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 1)]
    cat_jump: u32,
    /// The greatest length of the mouse's jumps, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 1)]
    mouse_jump: u32,
    /// The number of plies that the mouse may take to win
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    ply_limit: u32,
}

impl CatMouseGridOptions {
    /// The game that they describe.
    pub(super) fn game(self) -> Result<CatMouseGrid, CliError> {
        let CatMouseGridOptions { grid, cat_jump, mouse_jump, ply_limit } = self;
        let text = read_text("--grid", &grid)?;
        let grid = if text.trim_start().starts_with('[') {
            serde_json::from_str(&text).map_err(|error| {
                let expected = "expected a list of rows like [\"M.C...F\"]";
                CliError::usage(format!("--grid: {expected}: {error}"))
            })?
        } else {
            text.trim_end().lines().map(|row| row.trim_end().to_owned()).collect()
        };
        CatMouseGrid::new(CatMouseGridParameters { grid, cat_jump, mouse_jump, ply_limit })
            .map_err(CliError::usage)
    }
}
