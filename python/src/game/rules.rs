//! The rules of a game in Python.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use hashbrown::HashMap;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit};
use retrograde::{Outcome, Player, Tier};
use serde_json::Value as Json;

use super::ask::{blame, short};
use super::ends::{Ends, outcome};
use super::kept::Kept;
use super::moves::MOST_SUCCESSORS;
use super::numbers::NumberState;
use super::packed::{self, PackedWord};
use super::plain::{Class, Form};
use super::prepared::State;
use super::state::PlainState;
use super::symmetries::{BitSymmetries, Symmetries};
use super::tiers::{self, HasTier as _, InTier};
use super::turned::Reading;

/// For how many roots it is remembered who is to move.
const REMEMBERED: usize = 1 << 16;

/// About how many successors a batch has.
const IN_BATCH: usize = 1 << 20;

/// How many states the first batch has, before the number of their successors is known.
const FIRST_BATCH: usize = 1 << 10;

/// How many rules there were before, which makes an identity.
static RULES: AtomicUsize = AtomicUsize::new(1);

/// The answers of a game about many states: ends, the places of parents, successors, turns, and gains.
type AllAnswers<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

/// The answers that are kept, by the form of states.
#[derive(Default)]
pub(super) struct AllKept {
    pub(super) plain: Kept<PlainState>,
    pub(super) numbers: Kept<NumberState>,
    pub(super) words: Kept<PackedWord>,
    pub(super) plain_in_tiers: Kept<InTier<PlainState>>,
    pub(super) words_in_tiers: Kept<InTier<PackedWord>>,
}

/// The panic payload that carries a Python exception out of a rule.
pub(super) struct Raised(pub(super) PyErr);

/// Ends the work of this thread: the engine asks rules that can't fail, so that nothing but unwinding leads out
/// of it. [`guarded`](super::guarded) stands at its other end.
pub(super) fn fail(raised: PyErr) -> ! {
    std::panic::resume_unwind(Box::new(Raised(raised)))
}

/// The rules of a game in Python, and what was found out about it beforehand.
pub(super) struct Rules {
    /// A number that no other rules have.
    identity: usize,
    name: String,
    about: String,
    pub(super) states: String,
    in_words: String,
    parameters: Json,
    players: [String; 2],
    pub(super) is_named: bool,
    pub(super) ends: Ends,
    no_moves: Option<Outcome>,
    endless: Outcome,
    ply_limit: Option<u32>,
    classes: Vec<Class>,
    pub(super) terminal: Py<PyAny>,
    pub(super) moves: Py<PyAny>,
    turn: Option<Py<PyAny>>,
    /// Answers about many states, in a game in batches.
    answer_all: Option<Py<PyAny>>,
    turns_of: Option<Py<PyAny>>,
    pub(super) symmetries: Option<Symmetries>,
    pub(super) bit_symmetries: Option<BitSymmetries>,
    /// The method that finds the state that stands for all that are the same by symmetry.
    pub(super) canonical: Option<Py<PyAny>>,
    /// The method that finds the place of the tier of a state, or of many.
    pub(super) tier: Option<Py<PyAny>>,
    pub(super) tiers: Vec<Tier>,
    pub(super) root_tiers: Vec<u32>,
    /// The method that says how many points a move gains.
    gain: Option<Py<PyAny>>,
    pub(super) write: Py<PyAny>,
    pub(super) parse: Py<PyAny>,
    /// Whether `parse` reads numbers and tuples as Python writes them.
    pub(super) reads_plain_texts: bool,
    pub(super) draw: Option<Py<PyAny>>,
    pub(super) board: Option<Py<PyAny>>,
    pub(super) write_move: Option<Py<PyAny>>,
    /// Whether the class itself writes or reads states.
    pub(super) has_notation: bool,
    roots: Vec<PlainState>,
    root_words: Vec<PackedWord>,
    /// What a rule raised while answers were prepared.
    failure: Mutex<Option<PyErr>>,
    /// Who is to move in the states that were met, so that this is asked once.
    turns: Mutex<HashMap<PlainState, u8>>,
    /// The same for the first roots, which are asked about again and again.
    turns_of_roots: HashMap<PlainState, u8>,
    pub(super) kept: AllKept,
    /// Whether all states that were met are numbers.
    has_numbers: AtomicBool,
    /// How many states of a game in batches are asked about at once.
    batch: AtomicUsize,
    /// How the board follows the player to move, once that is known.
    reading: OnceLock<Reading>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An attribute that may be None.
fn optional<'py, T>(described: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
{
    let value = described.getattr(name)?;
    if value.is_none() { Ok(None) } else { value.extract().map(Some).map_err(Into::into) }
}

impl Rules {
    /// Reads what `retrograde._games` has found out.
    pub(super) fn read(described: &Bound<'_, PyAny>) -> PyResult<Rules> {
        let text = |name: &str| described.getattr(name)?.extract::<String>();
        let function = |name: &str| described.getattr(name).map(Bound::unbind);
        let turn: Option<Py<PyAny>> = optional(described, "turn")?;
        let answer_all: Option<Py<PyAny>> = optional(described, "answer_all")?;
        let turns_of: Option<Py<PyAny>> = optional(described, "turns_of")?;
        let is_named = turn.is_some() || turns_of.is_some();
        let py = described.py();
        let ends: Bound<'_, PyType> = described.getattr("end_type")?.cast_into()?;
        let most: Option<u16> = optional(described, "points")?;
        let ends = Ends { is_named, points: most, end_type: ends.unbind() };
        let no_moves = match (optional(described, "no_moves")?, most) {
            (Some(points), Some(_)) => Some(Outcome::Points(points)),
            (Some(code), None) => Some(outcome(code.into(), is_named)?),
            (None, _) => None,
        };
        let endless: i64 = described.getattr("endless")?.extract()?;
        let parameters = serde_json::from_str(&text("parameters")?);
        let classes = classes(&described.getattr("classes")?)?;
        let symmetries = described.getattr("symmetries")?;
        let (symmetries, bit_symmetries) = match answer_all {
            None => (Symmetries::read(&symmetries, &classes)?, None),
            Some(_) => (None, BitSymmetries::read(&symmetries)?),
        };
        let mut rules = Rules {
            identity: RULES.fetch_add(1, Relaxed),
            name: text("name")?,
            about: text("about")?,
            states: text("states")?,
            in_words: text("in_words")?,
            parameters: parameters.map_err(|error| PyValueError::new_err(error.to_string()))?,
            players: described.getattr("players")?.extract()?,
            is_named,
            ends,
            no_moves,
            endless: outcome(endless, is_named)?,
            ply_limit: optional(described, "ply_limit")?,
            classes,
            terminal: function("terminal")?,
            moves: function("moves")?,
            turn,
            answer_all,
            turns_of,
            symmetries,
            bit_symmetries,
            canonical: optional(described, "canonical")?,
            tier: optional(described, "tier")?,
            tiers: tiers::read(&described.getattr("tiers")?)?,
            root_tiers: Vec::new(),
            gain: optional(described, "gain")?,
            write: function("write")?,
            parse: function("parse")?,
            reads_plain_texts: described.getattr("reads_plain_texts")?.extract()?,
            draw: optional(described, "draw")?,
            board: optional(described, "board")?,
            write_move: optional(described, "write_move")?,
            has_notation: described.getattr("has_notation")?.extract()?,
            roots: Vec::new(),
            root_words: Vec::new(),
            failure: Mutex::default(),
            turns: Mutex::default(),
            turns_of_roots: HashMap::default(),
            kept: AllKept::default(),
            has_numbers: AtomicBool::new(false),
            batch: AtomicUsize::new(FIRST_BATCH),
            reading: OnceLock::new(),
        };
        rules.read_roots(&described.getattr("roots")?)?;
        let are_numbers = rules.roots.iter().all(|root| root.number().is_some());
        rules.has_numbers.store(are_numbers, Relaxed);
        if rules.is_batched() {
            rules.root_tiers = PackedWord::tiers(py, &rules, &rules.root_words)?;
            rules.try_out::<PackedWord>(py)?;
        } else {
            rules.root_tiers = PlainState::tiers(py, &rules, &rules.roots)?;
            rules.try_out::<PlainState>(py)?;
        }
        Ok(rules)
    }

    fn read_roots(&mut self, roots: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = roots.py();
        let failed = |raised| blame(py, raised, "roots", "");
        if self.is_batched() {
            let roots = roots.cast::<PyBytes>()?;
            let turns = self.turns_of(py, roots);
            let words = turns.and_then(|turns| packed::read_roots(roots, &turns, self.is_named));
            self.root_words = words.map_err(failed)?;
            return Ok(());
        }
        for (count, root) in roots.try_iter()?.enumerate() {
            if count == MOST_SUCCESSORS {
                let problem = format!("yields more than {MOST_SUCCESSORS} states");
                return Err(failed(PyValueError::new_err(problem)));
            }
            if count % REMEMBERED == 0 {
                py.check_signals()?;
            }
            let state = root.and_then(|root| PlainState::of_data(&root, self)).map_err(failed)?;
            self.roots.push(state);
            if count < REMEMBERED {
                self.turns_of_roots.extend(std::mem::take(&mut *lock(&self.turns)));
            } else {
                lock(&self.turns).clear();
            }
        }
        self.forget();
        Ok(())
    }

    /// A number that no other rules have.
    pub(super) fn identity(&self) -> usize {
        self.identity
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn about(&self) -> &str {
        &self.about
    }

    /// How states are written.
    pub(super) fn states(&self) -> &str {
        &self.states
    }

    pub(super) fn in_words(&self) -> &str {
        &self.in_words
    }

    pub(super) fn parameters(&self) -> &Json {
        &self.parameters
    }

    pub(super) fn player(&self, player: Player) -> &str {
        &self.players[player.index()]
    }

    /// Whether states are numbers, as far as is known, and found as such.
    pub(super) fn has_numbers(&self) -> bool {
        let suits = !self.is_batched() && !self.has_tiers() && !self.has_points();
        suits && self.has_numbers.load(Relaxed)
    }

    /// Notes that a state is no number.
    pub(super) fn leave_numbers(&self) {
        self.has_numbers.store(false, Relaxed);
    }

    pub(super) fn is_batched(&self) -> bool {
        self.answer_all.is_some()
    }

    pub(super) fn is_named(&self) -> bool {
        self.is_named
    }

    pub(super) fn has_points(&self) -> bool {
        self.ends.points.is_some()
    }

    /// Whether some states may stand for others.
    pub(super) fn has_symmetries(&self) -> bool {
        self.symmetries.is_some() || self.bit_symmetries.is_some() || self.canonical.is_some()
    }

    /// Whether moves gain points.
    pub(super) fn has_gains(&self) -> bool {
        self.gain.is_some()
    }

    pub(super) fn has_tiers(&self) -> bool {
        self.tier.is_some()
    }

    /// The points that a move gains for whoever makes it.
    pub(super) fn gain_of(
        &self,
        before: &Bound<'_, PyAny>,
        after: &Bound<'_, PyAny>,
    ) -> PyResult<i16> {
        let Some(gain) = &self.gain else { return Ok(0) };
        let py = before.py();
        let most = i64::from(self.points().unwrap_or(0));
        let told =
            gain.bind(py).call1((before, after)).and_then(|gain| match gain.extract::<i64>() {
                Ok(points) if points.abs() <= most => Ok(points as i16),
                _ => {
                    let expected = format!(
                        "expected points from {} to {most}: raise `points` for more",
                        -most
                    );
                    Err(PyValueError::new_err(format!("returned {}: {expected}", short(&gain))))
                }
            });
        let asked = || format!("{}, {}", short(before), short(after));
        told.map_err(|raised| blame(py, raised, "gain", &asked()))
    }

    pub(super) fn points(&self) -> Option<u16> {
        self.ends.points
    }

    pub(super) fn no_moves(&self) -> Option<Outcome> {
        self.no_moves
    }

    pub(super) fn endless(&self) -> Outcome {
        self.endless
    }

    pub(super) fn ply_limit(&self) -> Option<u32> {
        self.ply_limit
    }

    pub(super) fn classes(&self) -> &[Class] {
        &self.classes
    }

    pub(super) fn roots(&self) -> &[PlainState] {
        &self.roots
    }

    pub(super) fn root_words(&self) -> &[PackedWord] {
        &self.root_words
    }

    /// Remembers what a rule raised while answers were prepared, if it is the first.
    pub(super) fn remember(&self, raised: PyErr) {
        lock(&self.failure).get_or_insert(raised);
    }

    /// What a rule raised while answers were prepared, since the last call.
    pub(super) fn take_failure(&self) -> Option<PyErr> {
        lock(&self.failure).take()
    }

    /// Frees what was kept of answers.
    pub(super) fn forget(&self) {
        *lock(&self.turns) = HashMap::default();
        self.kept.plain.forget();
        self.kept.numbers.forget();
        self.kept.words.forget();
        self.kept.plain_in_tiers.forget();
        self.kept.words_in_tiers.forget();
    }

    /// The player to move in a state, 0 or 1. `state` is the same with nobody to move.
    pub(super) fn turn_of(&self, data: &Bound<'_, PyAny>, state: &PlainState) -> PyResult<u8> {
        let Some(turn) = &self.turn else { return Ok(0) };
        let known = self.turns_of_roots.get(state).copied();
        if let Some(turn) = known.or_else(|| lock(&self.turns).get(state).copied()) {
            return Ok(turn);
        }
        let py = data.py();
        let asked = turn.bind(py).call1((data,)).and_then(|turn| match turn.extract() {
            Ok(player @ (0_i64 | 1)) => Ok(player as u8),
            _ => {
                let problem =
                    format!("returned {}: expected FIRST or SECOND (0 or 1)", short(&turn));
                Err(PyTypeError::new_err(problem))
            }
        });
        let player = asked.map_err(|raised| blame(py, raised, "turn", &short(data)))?;
        lock(&self.turns).insert(state.clone(), player);
        Ok(player)
    }

    /// The answers about many states, which are the bytes of numbers.
    pub(super) fn answer_all<'py>(
        &self,
        py: Python<'py>,
        numbers: &Bound<'py, PyBytes>,
    ) -> PyResult<AllAnswers<'py>> {
        let Some(answer_all) = &self.answer_all else {
            return Err(PyTypeError::new_err("the game does not answer in batches"));
        };
        answer_all.bind(py).call1((numbers,))?.extract()
    }

    /// Who is to move in many states, a byte each; nothing in a game that does not name players.
    pub(super) fn turns_of<'py>(
        &self,
        py: Python<'py>,
        numbers: &Bound<'py, PyBytes>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        match &self.turns_of {
            None => Ok(PyBytes::new(py, &[])),
            Some(turns_of) => Ok(turns_of.bind(py).call1((numbers,))?.cast_into()?),
        }
    }

    pub(super) fn reading(&self) -> &OnceLock<Reading> {
        &self.reading
    }

    /// How many states of a game in batches are asked about at once.
    pub(super) fn batch(&self) -> usize {
        self.batch.load(Relaxed)
    }

    /// Fits the batches to how many successors the last one had.
    pub(super) fn fit_batch(&self, states: usize, successors: usize) {
        let fitting = states.saturating_mul(IN_BATCH) / successors.max(1);
        self.batch.store(fitting.max(1), Relaxed);
    }

    /// Visits all objects of Python that the rules hold.
    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.classes.iter().try_for_each(|class| visit.call(&class.class))?;
        visit.call(&self.ends.end_type)?;
        for one in [&self.terminal, &self.moves, &self.write, &self.parse] {
            visit.call(one)?;
        }
        let optional = [
            &self.turn,
            &self.answer_all,
            &self.turns_of,
            &self.canonical,
            &self.tier,
            &self.gain,
            &self.draw,
            &self.board,
            &self.write_move,
        ];
        optional.into_iter().try_for_each(|one| visit.call(one))
    }
}

/// The classes of which states are made: triples of a class, the name of its form, and its fields.
fn classes(described: &Bound<'_, PyAny>) -> PyResult<Vec<Class>> {
    let mut classes = Vec::new();
    for one in described.try_iter()? {
        let one = one?.cast_into::<PyTuple>()?;
        let (class, form, fields): (Bound<'_, PyType>, String, Vec<String>) = one.extract()?;
        let form = match &*form {
            "named tuple" => Form::NamedTuple(fields),
            "dataclass" => Form::Dataclass(fields),
            _ => Form::Enumeration,
        };
        classes.push(Class { class: class.unbind(), form });
    }
    if classes.len() > 256 {
        return Err(PyValueError::new_err("`state_types` lists more than 256 classes"));
    }
    Ok(classes)
}
