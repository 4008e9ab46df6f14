//! How chess endings are set up on the command line.

use retrograde::cli::CliError;

use super::{BareKing, Chess, ChessParameters, Variant, Worth};
use crate::{Start, Started};

/// The options of chess endings.
#[derive(Debug, clap::Args)]
pub struct ChessOptions {
    /// The men of both sides, like KQvKR: at most five. Letters: king K, queen Q, rook R, bishop B,
    /// knight N, pawn P, amazon A, cannon C, dabbaba D, chancellor E, ferz F, grasshopper G, archbishop H,
    /// bison I, buffalo J, camel L, commoner M, gold O, silver S, nightrider T, wazir W, alfil Y, zebra Z
    #[arg(value_name = "MATERIAL", default_value = "KQvKR", conflicts_with = "named")]
    material: String,
    /// The men, as an option instead of an argument
    #[arg(long = "material", id = "named", value_name = "MATERIAL")]
    named: Option<String>,
    /// All endings of at most this many men, 3 to 5, in place of those of some material
    #[arg(long, value_name = "MEN", conflicts_with_all = ["material", "named", "piece", "board", "variant"])]
    #[arg(conflicts_with_all = ["stalemate", "bare_king", "double_step", "promote", "hill"])]
    all: Option<String>,
    /// A letter that stands for another piece, by its name or in Betza's notation, as in A=QN or
    /// X=princess. K=N makes kings that move as knights
    #[arg(long, value_name = "LETTER=PIECE", value_delimiter = ',')]
    piece: Vec<String>,
    /// The files and ranks of the board, from 3x3 to 10x10 [default: 8x8]
    #[arg(long, value_name = "FILESxRANKS")]
    board: Option<String>,
    /// The variant, which says how play ends [default: chess]
    #[arg(long, value_enum, value_name = "NAME")]
    variant: Option<Variant>,
    /// The worth of stalemate for the player who has no move [default: as in the variant]
    #[arg(long, value_enum, value_name = "WORTH")]
    stalemate: Option<Worth>,
    /// The meaning of a king without other men while the other side has some [default: as in the variant]
    #[arg(long, value_enum, value_name = "MEANING")]
    bare_king: Option<BareKing>,
    /// The rank of the pawns' double step, counted from their side, or none [default: 2 on boards of 6 ranks
    /// and more, none in shatranj and makruk]
    #[arg(long, value_name = "RANK|none", value_parser = double_step)]
    double_step: Option<u8>,
    /// The letters of the pieces that pawns become, as in QN [default: Q, R, B, N and the other pieces of
    /// MATERIAL and --piece; Q in shatranj, M in makruk]
    #[arg(long, value_name = "LETTERS")]
    promote: Option<String>,
    /// The squares on which a king wins in king-of-the-hill, as in d4,e4 [default: those in the middle]
    #[arg(long, value_name = "SQUARES")]
    hill: Option<String>,
    #[command(flatten)]
    start: Start,
}

/// The rank of a double step, or 0 for none.
fn double_step(text: &str) -> Result<u8, String> {
    match text.parse() {
        _ if text == "none" => Ok(0),
        Ok(rank @ 1..) => Ok(rank),
        _ => Err("expected a rank, counted from the pawns' side, or none".into()),
    }
}

impl ChessOptions {
    /// The game that they describe.
    pub(super) fn game(self) -> Result<Chess, CliError> {
        let ChessOptions {
            board, variant, stalemate, bare_king, double_step, promote, hill, ..
        } = self;
        let mut pieces = std::collections::BTreeMap::new();
        for text in &self.piece {
            let letter = text.split_once('=').and_then(|(letter, piece)| {
                let mut letters = letter.chars();
                letters.next().filter(|_| letters.next().is_none()).map(|letter| (letter, piece))
            });
            let Some((letter, piece)) = letter else {
                let problem = "expected a letter, = and a piece, as in A=QN";
                return Err(CliError::usage(format!("--piece: \"{text}\": {problem}")));
            };
            if pieces.insert(letter, piece.to_owned()).is_some() {
                return Err(CliError::usage(format!("--piece: {letter} is named twice")));
            }
        }
        let all = self.all.map(|men| format!("all-{men}"));
        let material = all.or(self.named).unwrap_or(self.material);
        let parameters = ChessParameters {
            material,
            pieces,
            board,
            variant,
            stalemate,
            bare_king,
            double_step,
            promote,
            hill,
        };
        Chess::try_from(Started { parameters, start: self.start.start }).map_err(CliError::usage)
    }
}
