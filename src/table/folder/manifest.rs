//! The manifest of a folder of tiers: its game and its tiers, in JSON.

use std::ffi::OsStr;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::game::{Tier, wrong_name};
use crate::table::Stored;

/// The version of the manifest's layout.
pub(crate) const FORMAT: u32 = 1;

/// The name of the manifest.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The end of the names of files with a tier's discovered states, which exist until it is solved.
pub(crate) const STATES: &str = ".states";

/// The manifest of a folder of tiers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: u32,
    pub(crate) game: String,
    pub(crate) parameters: Json,
    /// Whether the tables store outcomes only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) outcomes_only: bool,
    pub(crate) tiers: Vec<ManifestTier>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ManifestTier {
    pub(crate) name: String,
    pub(crate) leads_to: Vec<String>,
    /// The number of states that were discovered in the tier; `None` if a formula numbers them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) states: Option<u64>,
}

impl Manifest {
    pub(crate) fn new<G: Stored>(game: &G, tiers: Vec<Tier>) -> Result<Manifest, String> {
        Manifest::of(game.name(), serde_json::to_value(game), tiers)
    }

    /// The manifest of the game with this name. Compiled once for all games.
    fn of(
        game: &str,
        parameters: Result<Json, serde_json::Error>,
        tiers: Vec<Tier>,
    ) -> Result<Manifest, String> {
        let parameters = parameters.map_err(|error| error.to_string())?;
        if let Some(problem) = wrong_name(&tiers) {
            return Err(problem);
        }
        let name = |&tier: &usize| {
            tiers.get(tier).map_or_else(|| format!("number {tier}"), |tier| tier.name.clone())
        };
        let entry = |Tier { name: own, leads_to }: &Tier| ManifestTier {
            name: own.clone(),
            leads_to: leads_to.iter().map(name).collect(),
            states: None,
        };
        let tiers = tiers.iter().map(entry).collect();
        let game = game.to_owned();
        Ok(Manifest { format: FORMAT, game, parameters, outcomes_only: false, tiers })
    }

    /// Adds the number of states that were discovered in each tier.
    pub(crate) fn with_states(mut self, states: Vec<u64>) -> Manifest {
        for (tier, states) in self.tiers.iter_mut().zip(states) {
            tier.states = Some(states);
        }
        self
    }

    /// Whether the states were discovered, and no formula numbers them. It is so for all tiers or for
    /// none.
    pub(crate) fn has_states(&self) -> bool {
        self.tiers.first().is_some_and(|tier| tier.states.is_some())
    }

    /// Whether both are of one game, with equal parameters and equal tiers.
    pub(crate) fn is_of_same_game(&self, other: &Manifest) -> bool {
        let Manifest { format, game, parameters, outcomes_only: _, tiers } = self;
        let same = |(one, other): (&ManifestTier, &ManifestTier)| {
            (&one.name, &one.leads_to) == (&other.name, &other.leads_to)
        };
        (format, game, parameters, tiers.len())
            == (&other.format, &other.game, &other.parameters, other.tiers.len())
            && tiers.iter().zip(&other.tiers).all(same)
    }

    /// Whether the game of `larger` only goes further than this one, and has all of its tiers. Its
    /// parameters differ in those that `how_far` names.
    pub(crate) fn is_part_of(&self, larger: &Manifest, how_far: &[&str]) -> bool {
        fn sorted(tier: &ManifestTier) -> Vec<&str> {
            let mut names: Vec<&str> = tier.leads_to.iter().map(String::as_str).collect();
            names.sort_unstable();
            names
        }
        let known: HashMap<&str, &ManifestTier> =
            larger.tiers.iter().map(|tier| (&*tier.name, tier)).collect();
        let is_there = |tier: &ManifestTier| {
            known.get(&*tier.name).is_some_and(|other| sorted(tier) == sorted(other))
        };
        (self.format, &self.game) == (larger.format, &larger.game)
            && differ_in(&self.parameters, &larger.parameters, how_far)
            && !self.has_states()
            && self.tiers.iter().all(is_there)
    }

    /// Whether this is the game of a tier's header, whose parameters are JSON.
    pub(crate) fn is_of(&self, game: &str, parameters: &str) -> bool {
        let parameters = serde_json::from_str(parameters).ok();
        self.game == game && parameters.is_some_and(|other| are_equal(&self.parameters, &other))
    }

    /// Whether a file of this name stores the discovered states of a tier.
    pub(crate) fn is_states(&self, name: &OsStr) -> bool {
        let name = name.to_str().and_then(|name| name.strip_suffix(STATES));
        name.is_some_and(|name| self.has(name))
    }

    /// Whether there is a tier of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.tiers.iter().any(|tier| tier.name == name)
    }

    pub(crate) fn describe(&self) -> String {
        format!("{} {}", self.game, self.parameters)
    }
}

/// Whether the parameters of two games differ, and only in those with these names.
pub(crate) fn differ_in(one: &Json, other: &Json, names: &[&str]) -> bool {
    let (Json::Object(one), Json::Object(other)) = (one, other) else { return false };
    let is_there = |(key, value): (&String, &Json)| {
        names.contains(&&**key) || other.get(key).is_some_and(|other| are_equal(value, other))
    };
    one != other && one.keys().eq(other.keys()) && one.iter().all(is_there)
}

/// Whether two JSON values are equal. A 32-bit number has fewer digits in a text than as a value.
fn are_equal(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| are_equal(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            let is_there =
                |(key, value)| other.get(key).is_some_and(|other| are_equal(value, other));
            one.len() == other.len() && one.iter().all(is_there)
        }
        (Json::Number(one), Json::Number(other)) if one.is_f64() || other.is_f64() => {
            one.as_f64().map(|number| number as f32) == other.as_f64().map(|number| number as f32)
        }
        _ => one == other,
    }
}
