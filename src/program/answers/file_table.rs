//! Answers about a table without the rules of its game: the figures and values in its files.

use std::ops::Range;

use crate::error::TableError;
use crate::game::value::Rules;
use crate::game::{Outcome, Player};
use crate::program::answers::IsLate;
use crate::program::answers::examples::{Found, Search};
use crate::program::answers::facts::{About, Answers, Facts, Judged};
use crate::program::answers::position::{Look, Position, Wanted};
use crate::program::answers::problem::Problem;
use crate::program::answers::setup::{Asked, SetUp};
use crate::program::wording::Wording;
use crate::table::{Storage, Table};

/// Opens a table for the questions that its files alone answer. `lacks` says that the rules are missing,
/// and where they may be found; it is the answer to all other questions.
pub(crate) fn open<S: Storage + 'static>(
    table: Table<S>,
    lacks: String,
) -> Result<Box<dyn Answers>, TableError> {
    let tiers = table.tiers()?;
    let numbering = table.numbering()?;
    let facts = Facts {
        words: Wording::without_rules(),
        game: table.game_name().to_owned(),
        about: About { about: "".into(), notation: "".into() },
        has_rules: false,
        rules_in_words: String::new(),
        parameters: table.parameters(),
        numbering: numbering.name(),
        bytes: table.size_on_disk()?,
        rules: table.rules()?.unwrap_or(Rules::new(Outcome::Draw, None)),
        has_distances: !table.has_outcomes_only(),
        has_pictures: false,
        board_turns: false,
        names_movers: false,
        can_pass: false,
        can_be_set_up: false,
        start: None,
        described_tiers: tiers.iter().map(|_| None).collect(),
        tiers,
        has_tiers: numbering.tier().is_some(),
    };
    let indices = table.index_count()?;
    Ok(Box::new(FileTable { table, indices, facts, lacks }))
}

/// A table of an unknown game.
struct FileTable<S> {
    table: Table<S>,
    indices: u64,
    facts: Facts,
    lacks: String,
}

impl<S> FileTable<S> {
    fn lack<T>(&self) -> Result<T, Problem> {
        Err(Problem::lacks_rules(&self.facts.game, &self.lacks))
    }
}

impl<S: Storage + 'static> Answers for FileTable<S> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn look(&self, _: Option<&str>, _: Wanted, _: IsLate<'_>) -> Result<Look, Problem> {
        self.lack()
    }

    fn follow(&self, _: Option<&str>, _: &[String], _: IsLate<'_>) -> Result<Look, Problem> {
        self.lack()
    }

    fn look_at_all(
        &self,
        states: &[String],
        _: IsLate<'_>,
    ) -> Vec<Option<Result<Position, Problem>>> {
        states.iter().map(|_| Some(self.lack())).collect()
    }

    fn set_up(&self, _: &Asked) -> Result<SetUp, Problem> {
        self.lack()
    }

    fn search(&self, _: &Search<'_>) -> Result<Found, Problem> {
        self.lack()
    }

    fn judge_all(
        &self,
        _: &[&str],
        _: IsLate<'_>,
    ) -> Result<Vec<Result<Judged, Problem>>, Problem> {
        self.lack()
    }

    fn indices(&self) -> u64 {
        self.indices
    }

    fn packed_values(&self, indices: Range<u64>, values: &mut Vec<u16>) -> Result<(), Problem> {
        match self.table.packed_values(indices) {
            Ok(read) => *values = read,
            Err(error) if error.needs_rules() => return self.lack(),
            Err(error) => return Err(Problem::of_query(error.into(), "")),
        }
        Ok(())
    }

    fn states(&self, _: Range<u64>) -> Result<Vec<Option<String>>, Problem> {
        self.lack()
    }

    fn movers(&self, _: &[u64]) -> Result<Vec<Option<Player>>, Problem> {
        self.lack()
    }
}
