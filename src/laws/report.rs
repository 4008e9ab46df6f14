//! What a check of the laws comes to.

/// The counts of what a successful check has looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of states.
    pub states: u64,
    /// The number of moves from those states.
    pub moves: u64,
    /// The number of predecessors of those states; 0 where the game gives none.
    pub predecessors: u64,
    /// From how many states a sample was drawn, where not all were discovered: so many were found first,
    /// in the order of their distance from the roots. `None` where all states were discovered, or have a
    /// formula.
    pub drawn_from: Option<u64>,
}
