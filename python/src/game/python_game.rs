//! A game in Python as a game of the engine.

use std::ops::ControlFlow;
use std::sync::Arc;

use pyo3::prelude::*;
use retrograde::board::Grid;
use retrograde::cli::{CliError, Registered};
use retrograde::scene::{Piece, Scene};
use retrograde::table::Stored;
use retrograde::{
    Game, Notation, NotationError, Numbered, Outcome, PackedState, Player, Players, scheme,
};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ask::{blame, short};
use super::numbers::NumberState;
use super::packed::PackedWord;
use super::prepared::{Answers, Batch, State};
use super::rules::{Rules, fail};
use super::state::PlainState;
use super::tiers::InTier;
use super::turned::{self, is_empty, letters};

/// How many successors of a state are told at once, if it has very many.
const PORTION: usize = 1 << 14;

/// A game with states of a form. `NAMED`: states say who is to move. `POINTS`: ends tell points.
pub(super) struct Adapted<S, const NAMED: bool, const POINTS: bool> {
    rules: Arc<Rules>,
    state: std::marker::PhantomData<fn() -> S>,
}

impl<S, const NAMED: bool, const POINTS: bool> Clone for Adapted<S, NAMED, POINTS> {
    fn clone(&self) -> Self {
        Adapted::new(&self.rules)
    }
}

impl<S, const NAMED: bool, const POINTS: bool> Adapted<S, NAMED, POINTS> {
    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(super) fn new(rules: &Arc<Rules>) -> Self {
        Adapted { rules: Arc::clone(rules), state: std::marker::PhantomData }
    }
}

impl<S: State, const NAMED: bool, const POINTS: bool> Adapted<S, NAMED, POINTS> {
    /// Gives the answers about a state to `work`: those that are at hand or kept, or else what the rules say now.
    fn with_answers<T>(&self, state: &S, work: impl FnOnce(&Answers<S>, usize) -> T) -> T {
        let rules = &*self.rules;
        let asked = S::with_prepared(|prepared| match prepared.borrow().find(rules, state) {
            Some((answers, at)) => Ok(work(answers, at)),
            None => Err(work),
        });
        asked.unwrap_or_else(|work| self.ask_on(state, work))
    }

    /// Asks about the states that wait from this one on. If it is not among them, asks about this one, unless
    /// the answers are kept.
    fn ask_on<T>(&self, state: &S, work: impl FnOnce(&Answers<S>, usize) -> T) -> T {
        let rules = &*self.rules;
        let waiting = S::with_prepared(|all| all.borrow().waiting(rules, state));
        let is_waiting = waiting.is_some();
        let kept = if is_waiting { None } else { S::kept(rules).find(state) };
        let (batch, at) = kept.unwrap_or_else(|| {
            let (states, first) = waiting.unwrap_or_else(|| (Arc::new(vec![state.clone()]), 0));
            (Batch::ask(rules, states, first).unwrap_or_else(|raised| fail(raised)), 0)
        });
        let done = work(batch.answers(), at);
        S::with_prepared(|prepared| {
            // A rule that asks a table may stand in the middle of its work.
            if let Ok(mut prepared) = prepared.try_borrow_mut() {
                match is_waiting {
                    true => prepared.wait(rules, batch),
                    false => prepared.take(rules, batch, at),
                }
            }
        });
        done
    }

    /// Visits the successors of a state that has more of them than are kept.
    fn visit_all(&self, state: &S, visit: &mut impl FnMut(S)) {
        let rules = &*self.rules;
        let mut told = || {
            let mut moves = Python::attach(|py| rules.all_moves(&state.data(py, rules)?))?;
            loop {
                let next = Python::attach(|py| moves.next(py, rules, PORTION))?;
                if next.is_empty() {
                    return Ok(());
                }
                next.into_iter().for_each(&mut *visit);
            }
        };
        told().unwrap_or_else(|raised| fail(raised));
    }

    /// An exception about the symmetries of a state.
    fn blamed(&self, state: &S, raised: PyErr) -> PyErr {
        Python::attach(|py| {
            let data = state.data(py, &self.rules);
            let shown = data.map_or_else(|_| String::new(), |data| short(&data));
            blame(py, raised, "symmetries", &shown)
        })
    }

    /// What `work` makes of the data of a state.
    fn with_data<T>(&self, state: &S, work: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        let rules = &*self.rules;
        let made = Python::attach(|py| work(&state.data(py, rules)?));
        made.unwrap_or_else(|raised| fail(raised))
    }
}

impl<S: State, const NAMED: bool, const POINTS: bool> Game for Adapted<S, NAMED, POINTS> {
    type State = S;

    const PLAYERS: Players = if NAMED { Players::Distinct } else { Players::Unnamed };
    const POINTS: bool = POINTS;
    const PREPARES: bool = true;

    fn turn(&self, state: &S) -> Player {
        if NAMED && state.is_second() { Player::Second } else { Player::First }
    }

    fn terminal(&self, state: &S) -> Option<Outcome> {
        self.with_answers(state, |answers, at| answers.ends[at])
    }

    fn moves(&self, state: &S, mut visit: impl FnMut(S)) {
        let is_long = self.with_answers(state, |answers, at| {
            answers.successors(at).iter().cloned().for_each(&mut visit);
            answers.is_long(at)
        });
        if is_long {
            self.visit_all(state, &mut visit);
        }
    }

    fn prepare(&self, states: &[S]) -> ControlFlow<()> {
        let rules = &*self.rules;
        match Batch::ask(rules, Arc::new(states.to_vec()), 0) {
            Ok(batch) => {
                S::with_prepared(|prepared| prepared.borrow_mut().wait(rules, batch));
                ControlFlow::Continue(())
            }
            Err(raised) => {
                rules.remember(raised);
                ControlFlow::Break(())
            }
        }
    }

    fn canonical(&self, state: &S) -> S {
        let rules = &*self.rules;
        if !rules.has_symmetries() {
            return state.clone();
        }
        if rules.canonical.is_none() {
            let least = state.least(rules).map_err(|raised| self.blamed(state, raised));
            return least.unwrap_or_else(|raised| fail(raised)).unwrap_or_else(|| state.clone());
        }
        let prepared = S::with_prepared(|prepared| {
            // A rule that asks a table may stand in the middle of its work.
            prepared.try_borrow().ok().and_then(|all| all.canonical(rules, state).cloned())
        });
        prepared.unwrap_or_else(|| {
            let asked = Python::attach(|py| S::canonical(py, rules, std::slice::from_ref(state)));
            asked.unwrap_or_else(|raised| fail(raised)).pop().unwrap_or_else(|| state.clone())
        })
    }

    fn no_moves(&self, _: &S) -> Option<Outcome> {
        self.rules.no_moves()
    }

    fn endless(&self) -> Outcome {
        self.rules.endless()
    }

    fn ply_limit(&self) -> Option<u32> {
        self.rules.ply_limit()
    }

    fn gain(&self, before: &S, after: &S) -> i16 {
        let rules = &*self.rules;
        if !rules.has_gains() {
            return 0;
        }
        let prepared = S::with_prepared(|prepared| {
            prepared.try_borrow().ok().and_then(|all| all.gain(rules, before, after))
        });
        prepared.unwrap_or_else(|| {
            self.with_data(before, |data| rules.gain_of(data, &after.data(data.py(), rules)?))
        })
    }

    fn max_points(&self) -> u16 {
        self.rules.points().unwrap_or(0)
    }

    fn roots(&self) -> impl IntoIterator<Item = S> {
        S::roots(&self.rules)
    }
}

impl<S: State, const NAMED: bool, const POINTS: bool> Notation for Adapted<S, NAMED, POINTS> {
    fn player(&self, player: Player) -> &str {
        self.rules.player(player)
    }

    fn rules(&self) -> Option<String> {
        Some(self.rules.in_words().to_owned())
    }

    fn write_state(&self, state: &S) -> String {
        self.with_data(state, |data| self.rules.write(data))
    }

    fn write_parts(&self, state: &S) -> String {
        state.parts(&self.rules)
    }

    fn parse_state(&self, text: &str) -> Result<S, NotationError> {
        let rules = &*self.rules;
        let read = || {
            let state = match S::of_plain_text(text, rules) {
                Some(state) => state,
                None => Python::attach(|py| S::of_text(py, text, rules))?,
            };
            // A state is none of the game if no state stands for it by symmetry.
            state.check_places(rules)?;
            if rules.canonical.is_some() {
                Python::attach(|py| S::canonical(py, rules, std::slice::from_ref(&state)))?;
            }
            Ok(state)
        };
        read().map_err(|raised: PyErr| {
            let told = Python::attach(|py| raised.value(py).to_string());
            NotationError::new(format!("\"{text}\": {told}"))
        })
    }

    fn draw(&self, state: &S) -> String {
        let drawn = self.with_data(state, |data| self.rules.draw(data));
        let rows = || self.with_data(state, |data| self.rules.board(data));
        let drawn = drawn.or_else(|| rows().map(|rows| rows.join("\n")));
        drawn.unwrap_or_else(|| self.write_state(state))
    }

    fn scene(&self, state: &S) -> Option<Scene> {
        let rows = self.with_data(state, |data| self.rules.board(data))?;
        let columns = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        if columns == 0 {
            return None;
        }
        let mut scene = Grid::new(columns as u32, rows.len() as u32).scene();
        for (row, letters) in rows.iter().enumerate() {
            for (column, letter) in letters.chars().enumerate() {
                if let Some(piece) = piece(letter) {
                    scene.put(row * columns + column, piece);
                }
            }
        }
        Some(scene)
    }

    fn move_places(&self, from: &S, to: &S) -> Vec<usize> {
        let rules = &*self.rules;
        if !rules.has_board() {
            return Vec::new();
        }
        let read = Python::attach(|py| {
            let reading = turned::reading::<S>(py, rules)?;
            if NAMED && reading.is_plain() {
                return Ok(None);
            }
            let boards = (letters(py, rules, from)?, letters(py, rules, to)?);
            let (Some(before), Some(after)) = boards else { return Ok(None) };
            Ok(Some(reading.touched(&before, &after)))
        });
        if let Some(places) = read.unwrap_or_else(|raised| fail(raised)) {
            return places;
        }
        match (self.scene(from), self.scene(to)) {
            (Some(before), Some(after)) => before.touched(&after, Some(self.turn(from))),
            _ => Vec::new(),
        }
    }

    fn write_move(&self, from: &S, to: &S) -> String {
        let written = self.with_data(from, |before| {
            self.rules.write_move(before, &to.data(before.py(), &self.rules)?)
        });
        if let Some(written) = written {
            return written;
        }
        let places = self.move_places(from, to);
        match self.scene(from).filter(|_| !places.is_empty()) {
            Some(scene) => {
                let names: Vec<&str> = places.iter().map(|&place| scene.name(place)).collect();
                names.join("-")
            }
            None => self.write_state(to),
        }
    }
}

/// The piece that a letter of a board stands for; `None` for an empty place.
fn piece(letter: char) -> Option<Piece> {
    Some(match letter {
        empty if is_empty(empty) => return None,
        'x' | 'X' => Piece::cross().of(Player::First),
        'o' | 'O' => Piece::nought().of(Player::Second),
        'w' | 'W' => Piece::disc("disc").of(Player::First),
        'b' | 'B' => Piece::disc("disc").of(Player::Second),
        letter => Piece::glyph(&letter.to_string(), &letter.to_string()),
    })
}

impl<S, const NAMED: bool, const POINTS: bool> Serialize for Adapted<S, NAMED, POINTS> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.rules.parameters().serialize(serializer)
    }
}

/// Only its class makes a game.
impl<'de, S, const NAMED: bool, const POINTS: bool> Deserialize<'de> for Adapted<S, NAMED, POINTS> {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("a game in Python is made by its class, not by a table"))
    }
}

impl<S: State, const NAMED: bool, const POINTS: bool> Stored for Adapted<S, NAMED, POINTS> {
    const NAME: &'static str = "python";

    fn name(&self) -> &str {
        self.rules.name()
    }

    fn state_text(&self, state: &S) -> String {
        self.write_state(state)
    }
}

impl<const NAMED: bool, const POINTS: bool> Numbered for Adapted<PlainState, NAMED, POINTS> {
    type Numberings = scheme::Hashed;
}

impl<const NAMED: bool, const POINTS: bool> Numbered for Adapted<NumberState, NAMED, POINTS> {
    type Numberings = scheme::Hashed;
}

impl<const NAMED: bool, const POINTS: bool> Numbered for Adapted<PackedWord, NAMED, POINTS> {
    type Numberings = scheme::Packed;
}

impl<const NAMED: bool, const POINTS: bool> Numbered
    for Adapted<InTier<PlainState>, NAMED, POINTS>
{
    type Numberings = scheme::Tiers<scheme::Hashed>;
}

impl<const NAMED: bool, const POINTS: bool> Numbered
    for Adapted<InTier<PackedWord>, NAMED, POINTS>
{
    type Numberings = scheme::Tiers<scheme::Packed>;
}

/// The word of a tier has the place of the tier above the number of the state.
impl<const NAMED: bool, const POINTS: bool> PackedState
    for Adapted<InTier<PackedWord>, NAMED, POINTS>
{
    type Word = u128;

    fn pack(&self, &InTier { tier, state }: &InTier<PackedWord>) -> u128 {
        u128::from(tier) << 64 | u128::from(state.0)
    }

    fn unpack(&self, word: u128) -> InTier<PackedWord> {
        InTier { tier: (word >> 64) as u32, state: PackedWord(word as u64) }
    }
}

impl<const NAMED: bool, const POINTS: bool> PackedState for Adapted<PackedWord, NAMED, POINTS> {
    type Word = u64;

    fn pack(&self, state: &PackedWord) -> u64 {
        state.0
    }

    fn unpack(&self, word: u64) -> PackedWord {
        PackedWord(word)
    }
}

/// A game that exists needs no options.
#[derive(clap::Args)]
pub(super) struct NoOptions {}

impl<S: State, const NAMED: bool, const POINTS: bool> Registered for Adapted<S, NAMED, POINTS>
where
    Self: Numbered,
{
    const ABOUT: &'static str = "a game in Python";
    const EXAMPLE: &'static str = "";
    const STATES: &'static str = "";
    type Options = NoOptions;

    const LAWS_ARE_TESTED: bool = true;

    fn from_options(_: NoOptions) -> Result<Self, CliError> {
        Err(CliError::usage("a game in Python is made by its class, not by options"))
    }
}
