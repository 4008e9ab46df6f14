//! The properties of the schemes.

/// The properties of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemeInfo {
    /// The name, on the command line and for people.
    pub name: &'static str,
    /// How the scheme numbers the states, in a few words.
    pub summary: &'static str,
    /// Whether the scheme solves the game tier by tier.
    pub has_tiers: bool,
    /// Whether the scheme discovers the states, so that they depend on where play begins.
    pub discovers: bool,
    /// Whether several processes share the states out. Otherwise each discovers all of them.
    pub is_shared: bool,
}

/// All schemes.
pub const ALL: [SchemeInfo; 6] = [DENSE, HASHED, PACKED, TIERS, PACKED_TIERS, HASHED_TIERS];

pub(crate) const DENSE: SchemeInfo = SchemeInfo {
    name: "dense",
    summary: "by a formula",
    has_tiers: false,
    discovers: false,
    is_shared: true,
};
pub(crate) const HASHED: SchemeInfo = SchemeInfo {
    name: "hashed",
    summary: "the reachable states",
    discovers: true,
    is_shared: false,
    ..DENSE
};
pub(crate) const PACKED: SchemeInfo = SchemeInfo {
    name: "packed",
    summary: "the reachable states, 8 or 16 bytes each",
    discovers: true,
    ..DENSE
};
pub(crate) const TIERS: SchemeInfo = SchemeInfo {
    name: "tiers",
    summary: "by a formula, one tier after another",
    has_tiers: true,
    ..DENSE
};
pub(crate) const PACKED_TIERS: SchemeInfo = SchemeInfo {
    name: "packed-tiers",
    summary: "the reachable states, one tier after another",
    has_tiers: true,
    ..PACKED
};

pub(crate) const HASHED_TIERS: SchemeInfo =
    SchemeInfo { name: "hashed-tiers", is_shared: false, ..PACKED_TIERS };

impl SchemeInfo {
    /// The scheme of this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<SchemeInfo> {
        ALL.into_iter().find(|scheme| scheme.name == name)
    }
}
