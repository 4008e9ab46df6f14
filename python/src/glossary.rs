//! The words that a class in Python has for what messages of the engine call by its own names.

use retrograde::cli::Glossary;
use retrograde::error::Law;

pub(crate) const GLOSSARY: Glossary = Glossary {
    // Longer terms come before those that they contain.
    terms: &[
        ("`laws::check`", "`retrograde.laws(game)`"),
        (
            "pack them (`PackedState`), number them by a formula (`Indexed`), or in tiers (`Tiered`)",
            "divide them into tiers (`tier`)",
        ),
        ("`Tiered`", "`tier`"),
        ("`Tiered::tier`", "`tier`"),
        ("`Tiered::tiers`", "`leads_to`"),
        (
            "index and unindex are each other's inverse",
            "moves lead to states that are found from the roots",
        ),
        ("states that share an index", "states that are the same by symmetry"),
        (
            " share an index (by a symmetry, or because their indices collide)",
            " are the same by symmetry",
        ),
        (
            "number the turn too, or set `Game::PLAYERS` to `Players::Folded` if each is the mirror image of \
             the other",
            "leave `turn` out",
        ),
        (
            "set `Game::PLAYERS` to `Players::Unnamed`, and if one player makes all moves, to \
             `Players::Solitary`",
            "leave `turn` out",
        ),
        ("`Game::PLAYERS`", "`turn`"),
        ("`Game::endless`", "`endless`"),
        ("`Game::max_points`", "`points`"),
        ("`Game::no_moves`", "`no_moves`"),
        ("`Game::ply_limit`", "`ply_limit`"),
        ("`Game::roots`", "`roots`"),
    ],
    advice: &[
        (Law::Symmetry, OF_SYMMETRIES),
        (Law::Index, OF_SYMMETRIES),
        (Law::Tiers, "Where `leads_to` lists no tiers, they are numbers that no move makes larger"),
    ],
};

const OF_SYMMETRIES: &str = "Look at `symmetries` or `canonical`: states that are the same have the same \
                             ends, and moves to the same states, for the player to move. symmetry.exchange \
                             suits colours that belong to nobody, and symmetry.planes turns all boards of a \
                             state. Without symmetries, see whether `moves` answers the same each time";
