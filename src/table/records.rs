//! The records of a table's header.

use serde::{Deserialize, Serialize};

use crate::game::Outcome;
use crate::game::summary::{AtDistance, AtPoints, Summary, Tally};
use crate::game::value::{MAX_POINTS, Rules};
use crate::numbering::NumberingKind;
use crate::runtime::codec;
use crate::table::fingerprint::Remembered;

/// The header of a table: the game, the numbering, the rules and the statistics.
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
/// use retrograde::Table;
/// use retrograde::table::NumberingKind;
///
/// let table = Table::open(&path)?;
/// let header = table.header().expect("the table is a file");
/// assert_eq!((&*header.game, &*header.parameters), ("nim", r#"{"counters":21}"#));
/// assert_eq!((header.numbering, header.len), (NumberingKind::Dense, 22));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Header {
    /// The game's name: [`Stored::NAME`](super::Stored::NAME).
    pub game: String,
    /// The game with all its parameters, as JSON, so that a probe needs no other file.
    pub parameters: String,
    /// How the states are numbered.
    pub numbering: NumberingKind,
    /// The number of indices, unused ones included.
    pub len: u64,
    /// The rules that turn values into verdicts.
    pub rules: Rules,
    /// Whether the table stores outcomes only, without distances.
    pub outcomes_only: bool,
    /// How many states are won, lost and drawn, and at which distances.
    pub summary: Summary,
}

/// The format of all blocks of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BlockFormat {
    /// All values of the table, ascending, if one byte suffices to number them; otherwise empty.
    pub(crate) palette: Vec<u16>,
    /// Whether unused indices have arbitrary values.
    pub(crate) filled: bool,
    /// The number of values in a block, a power of two.
    pub(crate) block_values: u64,
    /// The number of states in a block, a power of two, if the table lists states.
    pub(crate) block_states: u64,
}

/// The usual number of values in a block: enough to compress well, few enough that a probe reads a
/// block in a third of a millisecond.
pub(crate) const BLOCK_VALUES: u64 = 1 << 18;

/// The number of states in a block.
pub(crate) const BLOCK_STATES: u64 = 1 << 14;

/// The contents of a file's header.
pub(crate) struct HeaderRecord {
    pub(crate) header: Header,
    pub(crate) remembered: Vec<Remembered>,
    pub(crate) format: BlockFormat,
}

/// What every table's header says of its game, in the order of the file.
#[derive(Serialize, Deserialize)]
struct GameRecord {
    game: String,
    parameters: String,
    numbering: NumberingKind,
    len: u64,
    endless: Outcome,
    ply_limit: Option<u32>,
    outcomes_only: bool,
    by_mover: [Tally; 2],
    distances: Vec<AtDistance>,
}

/// What the header of a table with points says beside that.
#[derive(Serialize, Deserialize)]
struct PointsRecord {
    /// The most points of a value.
    most: u16,
    /// How many states are worth how many points.
    counts: Vec<AtPoints>,
}

impl HeaderRecord {
    /// The bytes of the header.
    ///
    /// # Errors
    /// Why it can't be written.
    pub(crate) fn encode(self) -> Result<Vec<u8>, String> {
        let HeaderRecord { header, remembered, format } = self;
        let Header { game, parameters, numbering, len, rules, outcomes_only, summary } = header;
        let Rules { endless, ply_limit, points } = rules;
        let Summary { by_mover, distances, points: counts } = summary;
        let game = GameRecord {
            game,
            parameters,
            numbering,
            len,
            endless,
            ply_limit,
            outcomes_only,
            by_mover,
            distances,
        };
        match points {
            None => codec::encode(&(game, remembered, format)),
            Some(most) => codec::encode(&(game, remembered, format, PointsRecord { most, counts })),
        }
    }

    /// The header with these bytes, of a table with points or without.
    ///
    /// # Errors
    /// What is wrong.
    pub(crate) fn decode(bytes: &[u8], has_points: bool) -> Result<HeaderRecord, String> {
        type WithPoints = (GameRecord, Vec<Remembered>, BlockFormat, PointsRecord);
        let (game, remembered, format, points) = if has_points {
            let (game, remembered, format, points): WithPoints = codec::decode(bytes)?;
            (game, remembered, format, Some(points))
        } else {
            let (game, remembered, format) = codec::decode(bytes)?;
            (game, remembered, format, None)
        };
        let GameRecord {
            game,
            parameters,
            numbering,
            len,
            endless,
            ply_limit,
            outcomes_only,
            by_mover,
            distances,
        } = game;
        let (points, counts) = match points {
            None => (None, Vec::new()),
            Some(PointsRecord { most, .. }) if most > MAX_POINTS => {
                return Err(format!("has values of up to {most} points, {MAX_POINTS} at most"));
            }
            Some(PointsRecord { most, counts }) => (Some(most), counts),
        };
        let rules = Rules { endless, ply_limit, points };
        let summary = Summary { by_mover, distances, points: counts };
        let header = Header { game, parameters, numbering, len, rules, outcomes_only, summary };
        Ok(HeaderRecord { header, remembered, format })
    }
}

impl BlockFormat {
    /// Checks the figures, since files are not trusted.
    ///
    /// # Errors
    /// What is wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        // With one state to a block, the levels above the states would never end.
        let sizes = 2..=1 << 24;
        for (what, size) in [("values", self.block_values), ("states", self.block_states)] {
            if !sizes.contains(&size) || !size.is_power_of_two() {
                return Err(format!("has blocks of {size} {what}"));
            }
        }
        if !self.palette.is_sorted_by(|one, next| one < next) || self.palette.len() > 256 {
            return Err(format!(
                "has a palette of {} values that do not ascend",
                self.palette.len()
            ));
        }
        Ok(())
    }
}
