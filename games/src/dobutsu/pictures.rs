//! The animals as they are drawn: paths in squares of 100 by 100, whose gaps run the other way round.

/// A lion's head with its mane.
pub(super) const LION: &str = "M50 2L59 11L71 7L75 19L88 20L86 33L97 39L90 50L97 61L86 67L88 80L75 81L71 93L59 89 \
    L50 98L41 89L29 93L25 81L12 80L14 67L3 61L10 50L3 39L14 33L12 20L25 19L29 7L41 11z \
    M19 52a31 31 0 1 0 62 0a31 31 0 1 0 -62 0zM23 52a27 27 0 1 1 54 0a27 27 0 1 1 -54 0z \
    M36 47a4 4 0 1 0 8 0a4 4 0 1 0 -8 0zM56 47a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z \
    M43 58L50 66L57 58z";

/// An elephant's head from the front.
pub(super) const ELEPHANT: &str = "M1 38a17 20 0 1 1 34 0a17 20 0 1 1 -34 0zM65 38a17 20 0 1 1 34 0a17 20 0 1 1 -34 0z \
    M24 40a26 26 0 1 1 52 0a26 26 0 1 1 -52 0zM42 58H58V84Q58 95 47 95H36V85H42z \
    M36 37a4 4 0 1 0 8 0a4 4 0 1 0 -8 0zM56 37a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";

/// The head and neck of a giraffe.
pub(super) const GIRAFFE: &str = "M56 12L60 2L68 11Q86 18 86 30Q86 39 74 39L66 38L58 96H28L42 32Q44 15 56 12z \
    M60 23a4 4 0 1 0 8 0a4 4 0 1 0 -8 0zM47 50a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z \
    M39 68a5 5 0 1 0 10 0a5 5 0 1 0 -10 0zM44 84a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";

/// A chick.
pub(super) const CHICK: &str = "M17 58a31 31 0 1 1 62 0a31 31 0 1 1 -62 0zM76 50L96 58L76 67zM44 30L48 12L55 29z \
    M38 86H44V97H38zM54 86H60V97H54zM55 49a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z \
    M28 60Q40 80 56 68Q46 58 28 60z";

/// A hen with its comb.
pub(super) const HEN: &str = "M20 62a30 30 0 1 1 60 0a30 30 0 1 1 -60 0zM26 66L4 34L36 44z \
    M51 34a17 17 0 1 1 34 0a17 17 0 1 1 -34 0zM56 22L60 5L66 17L73 3L77 17L86 10L83 27z \
    M83 30L99 38L83 45zM40 88H46V98H40zM56 88H62V98H56zM69 32a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z \
    M32 62Q46 84 64 68Q52 58 32 62z";
