//! The result of a check of the laws.

/// The counts of a successful check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of states.
    pub states: u64,
    /// The number of moves from these states.
    pub moves: u64,
    /// The number of predecessors of these states; 0 if the game provides none.
    pub predecessors: u64,
    /// The number of states from which a sample was drawn: the first ones found, in the order of
    /// their distance from the roots. `None` if all states were discovered, or have a formula.
    pub drawn_from: Option<u64>,
}
