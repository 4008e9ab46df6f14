//! What a folder says of itself.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::super::Stored;
use crate::game::{Tier, Tiered};

/// The version of the manifest's layout.
pub(super) const FORMAT: u32 = 1;

/// What a folder says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) format: u32,
    pub(super) game: String,
    pub(super) parameters: Json,
    /// Whether the tables have outcomes alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) outcomes_only: bool,
    pub(super) tiers: Vec<ManifestTier>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ManifestTier {
    pub(super) name: String,
    leads_to: Vec<String>,
}

impl Manifest {
    pub(super) fn of<G: Stored + Tiered>(game: &G) -> Result<Manifest, String> {
        let parameters = serde_json::to_value(game).map_err(|error| error.to_string())?;
        let tiers = game.tiers();
        if let Some(tier) = tiers.iter().find(|tier| !is_name(&tier.name)) {
            return Err(format!("a tier can't be called \"{}\"", tier.name));
        }
        let name = |&tier: &usize| {
            tiers.get(tier).map_or_else(|| format!("number {tier}"), |tier| tier.name.clone())
        };
        let entry = |Tier { name: own, leads_to }: &Tier| ManifestTier {
            name: own.clone(),
            leads_to: leads_to.iter().map(name).collect(),
        };
        let tiers = tiers.iter().map(entry).collect();
        let game = G::NAME.into();
        Ok(Manifest { format: FORMAT, game, parameters, outcomes_only: false, tiers })
    }

    /// Whether both are of the same game with the same parameters, cut into the same tiers.
    pub(super) fn is_of_same_game(&self, other: &Manifest) -> bool {
        let Manifest { format, game, parameters, outcomes_only: _, tiers } = self;
        (format, game, parameters, tiers)
            == (&other.format, &other.game, &other.parameters, &other.tiers)
    }

    pub(super) fn describe(&self) -> String {
        format!("{} {}", self.game, self.parameters)
    }
}

/// Whether a tier can be called so: see [`Tier::name`].
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_+.".contains(c))
}
