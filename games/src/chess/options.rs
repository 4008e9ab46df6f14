//! How chess endings are set up on the command line.

use retrograde::cli::{CliError, Registered};

use super::{Chess, Material, notation};

/// The options of chess endings.
#[derive(Debug, clap::Args)]
pub struct ChessOptions {
    /// The men of both sides, kings included, like KQvKR: at most five
    #[arg(value_name = "MATERIAL", default_value = "KQvKR", conflicts_with = "named")]
    material: String,
    /// The men, as an option instead of an argument
    #[arg(long = "material", id = "named", value_name = "MATERIAL")]
    named: Option<String>,
}

impl Registered for Chess {
    const ABOUT: &'static str = "Chess endings of up to five men, with distances to mate";
    const EXAMPLE: &'static str = "KQvKR";
    const STATES: &'static str = notation::EXAMPLE_IN_WORDS;
    const LAWS_ARE_TESTED: bool = true;
    type Options = ChessOptions;

    fn from_options(options: ChessOptions) -> Result<Chess, CliError> {
        let ChessOptions { material, named } = options;
        let text = named.unwrap_or(material);
        Material::parse(&text).map(|material| Chess::new(&material)).map_err(CliError::usage)
    }
}
