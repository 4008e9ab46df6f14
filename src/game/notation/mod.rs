//! How people write and read the states of a game.

mod error;

pub use error::NotationError;

use crate::game::scene::{Kit, Scene};
use crate::game::value::Verdict;
use crate::game::{Game, Player, Turns as _};

/// How people write and read a game's states and moves. The command line needs only this beside
/// [`Game`].
///
/// ```
/// # use retrograde::{Game, Notation, NotationError};
/// # struct Nim { counters: u64 }
/// # impl Game for Nim { kit::rules_of_nim!(); }
/// impl Notation for Nim {
///     fn write_state(&self, heap: &u64) -> String {
///         heap.to_string()
///     }
///
///     fn parse_state(&self, text: &str) -> Result<u64, NotationError> {
///         let heap = text.parse().ok().filter(|&heap| heap <= self.counters);
///         heap.ok_or_else(|| NotationError::new(format!("expected 0 to {}", self.counters)))
///     }
/// }
/// let game = Nim { counters: 21 };
/// assert_eq!(game.parse_state("17"), Ok(17));
/// assert!(game.parse_state("22").is_err());
/// ```
pub trait Notation: Game {
    /// The name of a player: one lower-case word. Default: `first` and `second`.
    ///
    /// ```
    /// # use retrograde::{Game, Notation, NotationError, Player};
    /// # struct TugOfWar;
    /// # impl Game for TugOfWar { kit::rules_of_tug_of_war!(); }
    /// impl Notation for TugOfWar {
    /// # fn write_state(&self, state: &Self::State) -> String { format!("{state:?}") }
    /// # fn parse_state(&self, text: &str) -> Result<Self::State, NotationError> { Err(NotationError::new(text)) }
    ///     fn player(&self, player: Player) -> &str {
    ///         ["king", "peasants"][player.index()]
    ///     }
    /// }
    /// assert_eq!(TugOfWar.player(Player::First), "king");
    /// assert_eq!(Player::BOTH.map(|player| TugOfWar.is_plural(player)), [false, true]);
    /// ```
    fn player(&self, player: Player) -> &str {
        ["first", "second"][player.index()]
    }

    /// Whether the name of a player is a plural, such as `hounds`: hounds win, and white wins. Default:
    /// whether it ends in `s`, but not in `ss`.
    fn is_plural(&self, player: Player) -> bool {
        let name = self.player(player);
        name.len() > 1 && name.ends_with('s') && !name.ends_with("ss")
    }

    /// The rules for somebody who never played, in 3 to 12 plain sentences: the board, a move, a
    /// capture, who wins, and what endless play is worth. They follow the game's parameters. Default:
    /// none, and the game in a few words is shown instead.
    ///
    /// ```
    /// # use retrograde::{Game, Notation};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim { kit::rules_of_nim!(); }
    /// impl Notation for Nim {
    /// # kit::notation_of_nim!();
    ///     fn rules(&self) -> Option<String> {
    ///         let counters = self.counters;
    ///         Some(format!(
    ///             "A heap has {counters} counters. A move takes 1 to 3. Whoever takes the last wins."
    ///         ))
    ///     }
    /// }
    /// assert!(Nim { counters: 21 }.rules().is_some());
    /// ```
    fn rules(&self) -> Option<String> {
        None
    }

    /// The name of a forced end that people count in moves of the winner, such as "mate": "white wins in 31
    /// plies (mate in 16)". Default: none, and plies alone are told.
    fn counted_in_moves(&self) -> Option<&str> {
        None
    }

    /// The common property of the states of a tier, in a few words, where the [name](crate::Tier::name) of the
    /// tier does not say so itself. Default: none.
    fn describe_tier(&self, _name: &str) -> Option<String> {
        None
    }

    /// The state on one line, in the form that [`parse_state`](Notation::parse_state) reads back.
    fn write_state(&self, state: &Self::State) -> String;

    /// The state with all its parts, in the form of derived `Debug`, which is the default. Where the
    /// states have no end, the error names the part that grows as this text does.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::Notation;
    ///
    /// assert_eq!(Nim { counters: 21 }.write_parts(&17), "17");
    /// ```
    fn write_parts(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// Reads the state that a person wrote.
    ///
    /// # Errors
    /// When the text is no state of this game. The error says what was expected.
    fn parse_state(&self, text: &str) -> Result<Self::State, NotationError>;

    /// A note on the verdict of a state that a person wrote, in a sentence: the text says something that the
    /// state does not contain, and that may change who wins. An example is the count of plies for a rule
    /// that the game does not have. `text` is one that [`parse_state`](Notation::parse_state) reads.
    /// Default: none.
    ///
    /// ```
    /// # use retrograde::{Game, Notation, Verdict};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim { kit::rules_of_nim!(); }
    /// impl Notation for Nim {
    /// # fn write_state(&self, heap: &u64) -> String { heap.to_string() }
    ///     /// Reads "17" and "17 in 5 minutes".
    ///     fn parse_state(&self, text: &str) -> Result<u64, retrograde::NotationError> {
    ///         let heap = text.split(' ').next().unwrap_or_default().parse();
    ///         heap.map_err(|_| retrograde::NotationError::new("expected a number"))
    ///     }
    ///
    ///     fn note(&self, text: &str, _: &Verdict) -> Option<String> {
    ///         text.contains("minutes").then(|| "time is not counted here".into())
    ///     }
    /// }
    /// ```
    fn note(&self, text: &str, verdict: &Verdict) -> Option<String> {
        let _ = (text, verdict);
        None
    }

    /// The position that the command line starts from where none is named. It need not be a root of
    /// the game. Default: the first root.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::Notation;
    ///
    /// assert_eq!(Nim { counters: 21 }.start(), Some(21));
    /// ```
    fn start(&self) -> Option<Self::State> {
        self.roots().into_iter().next()
    }

    /// Writes the move that leads from one state to another. Default: the names of the
    /// [places](Notation::move_places) that it touches, without reserves, as in `a2-a3`; the state that
    /// it leads to where there is no [scene](Notation::scene), or no place is touched. Where moves are chosen by their
    /// names, moves of the same name are written with the states that they lead to.
    ///
    /// ```
    /// # use retrograde::{Game, Notation};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim { kit::rules_of_nim!(); }
    /// impl Notation for Nim {
    /// # kit::notation_of_nim!();
    ///     fn write_move(&self, from: &u64, to: &u64) -> String {
    ///         format!("take-{}", from - to)
    ///     }
    /// }
    /// assert_eq!(Nim { counters: 21 }.write_move(&7, &4), "take-3");
    /// ```
    fn write_move(&self, from: &Self::State, to: &Self::State) -> String {
        let places = self.move_places(from, to);
        let scene = if places.is_empty() { None } else { self.scene(from) };
        let name = scene.and_then(|scene| scene.name_touched(&places));
        name.unwrap_or_else(|| self.write_state(to))
    }

    /// A picture of the state in text, of one line or several. Default: the state on one line.
    ///
    /// ```
    /// # use retrograde::{Game, Notation};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim { kit::rules_of_nim!(); }
    /// impl Notation for Nim {
    /// # kit::notation_of_nim!();
    ///     fn draw(&self, &heap: &u64) -> String {
    ///         "o ".repeat(heap as usize)
    ///     }
    /// }
    /// assert_eq!(Nim { counters: 21 }.draw(&3), "o o o ");
    /// ```
    fn draw(&self, state: &Self::State) -> String {
        self.write_state(state)
    }

    /// A picture of the state: places, lines, pieces. All states of a game have the same places.
    /// Default: none, and [`draw`](Notation::draw) is shown instead.
    ///
    /// ```
    /// # use retrograde::{Game, Notation};
    /// use retrograde::board::Grid;
    /// use retrograde::scene::{Piece, Scene};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim { kit::rules_of_nim!(); }
    /// impl Notation for Nim {
    /// # kit::notation_of_nim!();
    ///     fn scene(&self, &heap: &u64) -> Option<Scene> {
    ///         let mut scene = Grid::new(self.counters as u32, 1).scene();
    ///         (0..heap as usize).for_each(|place| scene.put(place, Piece::disc("counter")));
    ///         Some(scene)
    ///     }
    /// }
    /// let game = Nim { counters: 21 };
    /// assert_eq!(game.scene(&5).map(|scene| scene.pieces().count()), Some(5));
    /// assert_eq!(game.move_places(&5, &3), [3, 4]);
    /// assert_eq!(game.write_move(&5, &3), "d1-e1");
    /// ```
    fn scene(&self, state: &Self::State) -> Option<Scene> {
        let _ = state;
        None
    }

    /// The places of the [scene](Notation::scene) that a person touches to make the move from one state
    /// to another, in order: where a piece is taken up, where it is put down. By default they are found
    /// from what changes between the two scenes, both as the player sees them who moves: see
    /// [`Scene::touched`], and [`Scene::set_places_of_mover`] for a board that is turned for the player
    /// to move. Where moves touch the same places, a person is asked which is meant.
    ///
    /// ```
    /// # use retrograde::{Game, Notation};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim { kit::rules_of_nim!(); }
    /// impl Notation for Nim {
    /// # kit::notation_of_nim!();
    ///     /// The first of the counters that are taken.
    ///     fn move_places(&self, _: &u64, &to: &u64) -> Vec<usize> {
    ///         vec![to as usize]
    ///     }
    /// }
    /// assert_eq!(Nim { counters: 21 }.move_places(&5, &3), [3]);
    /// ```
    fn move_places(&self, from: &Self::State, to: &Self::State) -> Vec<usize> {
        touched_between(self, from, to)
    }

    /// Other places that make the same move when a person touches them, each list in order. Default: none.
    ///
    /// ```
    /// # use retrograde::{Game, Notation};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim { kit::rules_of_nim!(); }
    /// impl Notation for Nim {
    /// # kit::notation_of_nim!();
    ///     /// The last of the counters that are taken, then the first.
    ///     fn other_move_places(&self, &from: &u64, &to: &u64) -> Vec<Vec<usize>> {
    ///         vec![vec![from as usize - 1, to as usize]]
    ///     }
    /// }
    /// assert_eq!(Nim { counters: 21 }.other_move_places(&5, &2), [[4, 2]]);
    /// ```
    fn other_move_places(&self, from: &Self::State, to: &Self::State) -> Vec<Vec<usize>> {
        let _ = (from, to);
        Vec::new()
    }

    /// The pieces that a person sets up positions with, on the page that shows the game. They are those
    /// of the [scenes](Notation::scene). Pieces that are not of the kit stay where they are in the scene
    /// of the [start](Notation::start). Default: none, and positions can only be written.
    ///
    /// ```
    /// # use retrograde::{Game, Notation};
    /// use retrograde::scene::{Kit, Piece};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim { kit::rules_of_nim!(); }
    /// impl Notation for Nim {
    /// # kit::notation_of_nim!();
    ///     fn kit(&self) -> Kit {
    ///         Kit::new([Piece::disc("counter")])
    ///     }
    /// }
    /// assert!(!Nim { counters: 21 }.kit().is_empty());
    /// ```
    fn kit(&self) -> Kit {
        Kit::default()
    }

    /// The state that has this [scene](Notation::scene), with `turn` to move. A person has put pieces of
    /// the [kit](Notation::kit) on its places, one on each, unless the kit is [`sharing`](Kit::sharing);
    /// reserves have any number. Where the pieces say who is to move, or states do not say it, `turn`
    /// makes no difference. What the scene does not show is as it is in most positions.
    ///
    /// ```
    /// # use retrograde::{Game, Notation, NotationError, Player};
    /// # use retrograde::board::Grid;
    /// # use retrograde::scene::{Piece, Scene};
    /// # struct Nim { counters: u64 }
    /// # impl Game for Nim { kit::rules_of_nim!(); }
    /// impl Notation for Nim {
    /// # kit::notation_of_nim!();
    ///     fn set_up(&self, scene: &Scene, _: Player) -> Result<u64, NotationError> {
    ///         Ok(scene.pieces().count() as u64)
    ///     }
    /// }
    /// let mut scene = Grid::new(21, 1).scene();
    /// scene.put(3, Piece::disc("counter"));
    /// assert_eq!(Nim { counters: 21 }.set_up(&scene, Player::First), Ok(1));
    /// ```
    ///
    /// # Errors
    /// When there is no such state: a sentence for the person who set it up. Default: always.
    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Self::State, NotationError> {
        let _ = (scene, turn);
        Err(NotationError::new("positions of this game are written, not set up by hand"))
    }

    /// This position with the other player to move, if the game has that state. A search for positions
    /// that are lost for whoever moves compares the two. Default: none.
    ///
    /// ```
    /// # use retrograde::{Game, Notation, NotationError, Player};
    /// # struct TugOfWar;
    /// # impl Game for TugOfWar { kit::rules_of_tug_of_war!(); }
    /// impl Notation for TugOfWar {
    /// # fn write_state(&self, state: &Self::State) -> String { format!("{state:?}") }
    /// # fn parse_state(&self, text: &str) -> Result<Self::State, NotationError> { Err(NotationError::new(text)) }
    ///     fn with_other_mover(&self, &(place, player): &Self::State) -> Option<Self::State> {
    ///         Some((place, player.opponent()))
    ///     }
    /// }
    /// assert_eq!(TugOfWar.with_other_mover(&(2, Player::First)), Some((2, Player::Second)));
    /// ```
    fn with_other_mover(&self, state: &Self::State) -> Option<Self::State> {
        let _ = state;
        None
    }
}

/// The places that a move touches, found from the scenes before and after it; none without scenes.
pub(crate) fn touched_between<G: Notation + ?Sized>(
    game: &G,
    from: &G::State,
    to: &G::State,
) -> Vec<usize> {
    let (Some(before), Some(after)) = (game.scene(from), game.scene(to)) else {
        return Vec::new();
    };
    match game.named_mover(from) {
        // The other player sees the scene after the move.
        Some(mover) if game.named_mover(to) != Some(mover) => {
            before.touched(&after.seen_by_other(), Some(mover))
        }
        mover => before.touched(&after, mover),
    }
}
