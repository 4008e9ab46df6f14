//! The rules of a game in Python.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple, PyType};
use retrograde::{Outcome, Player};
use serde_json::Value as Json;

use super::ask::{blame, short};
use super::ends::{end, outcome};
use super::packed::{PackedWord, read_roots};
use super::plain::{Bytes, Class, Form};
use super::prepared::{Answers, State};
use super::state::PlainState;

/// The most states whose answers are kept: the engine asks about a sample of the states again.
const KEPT: usize = 1 << 16;

/// The most successors of a state.
const MOST_SUCCESSORS: usize = 1 << 24;

/// What a game answers about many states: ends, the places of parents, successors, and turns.
type AllAnswers<'py> =
    (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// What unwinds where a rule raised an exception.
pub(super) struct Raised(pub(super) PyErr);

/// Ends the work of this thread: the engine asks rules that can't fail, so that nothing but unwinding leads out
/// of it. [`guarded`](super::guarded) stands at its other end.
pub(super) fn fail(raised: PyErr) -> ! {
    std::panic::resume_unwind(Box::new(Raised(raised)))
}

/// The rules of a game in Python, and what was found out about it beforehand.
pub(super) struct Rules {
    name: String,
    about: String,
    states: String,
    in_words: String,
    parameters: Json,
    players: [String; 2],
    is_named: bool,
    points: Option<u16>,
    no_moves: Option<Outcome>,
    endless: Outcome,
    ply_limit: Option<u32>,
    classes: Vec<Class>,
    terminal: Py<PyAny>,
    moves: Py<PyAny>,
    turn: Option<Py<PyAny>>,
    /// Answers about many states, in a game in batches.
    answer_all: Option<Py<PyAny>>,
    turns_of: Option<Py<PyAny>>,
    write: Py<PyAny>,
    parse: Py<PyAny>,
    /// Whether `parse` reads numbers and tuples as Python writes them.
    reads_plain_texts: bool,
    draw: Option<Py<PyAny>>,
    board: Option<Py<PyAny>>,
    write_move: Option<Py<PyAny>>,
    roots: Vec<PlainState>,
    root_words: Vec<PackedWord>,
    /// What a rule raised while answers were prepared.
    failure: Mutex<Option<PyErr>>,
    /// Who is to move in the states that were met, so that this is asked once.
    turns: Mutex<HashMap<Bytes, u8>>,
    /// The same for the first roots, which are asked about again and again.
    turns_of_roots: HashMap<Bytes, u8>,
    kept: Mutex<HashMap<PlainState, Answers<PlainState>>>,
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
        let code: Option<i64> = optional(described, "no_moves")?;
        let endless: i64 = described.getattr("endless")?.extract()?;
        let parameters = serde_json::from_str(&text("parameters")?);
        let mut rules = Rules {
            name: text("name")?,
            about: text("about")?,
            states: text("states")?,
            in_words: text("in_words")?,
            parameters: parameters.map_err(|error| PyValueError::new_err(error.to_string()))?,
            players: described.getattr("players")?.extract()?,
            is_named,
            points: optional(described, "points")?,
            no_moves: code.map(|code| outcome(code, is_named)).transpose()?,
            endless: outcome(endless, is_named)?,
            ply_limit: optional(described, "ply_limit")?,
            classes: classes(&described.getattr("classes")?)?,
            terminal: function("terminal")?,
            moves: function("moves")?,
            turn,
            answer_all,
            turns_of,
            write: function("write")?,
            parse: function("parse")?,
            reads_plain_texts: described.getattr("reads_plain_texts")?.extract()?,
            draw: optional(described, "draw")?,
            board: optional(described, "board")?,
            write_move: optional(described, "write_move")?,
            roots: Vec::new(),
            root_words: Vec::new(),
            failure: Mutex::default(),
            turns: Mutex::default(),
            turns_of_roots: HashMap::default(),
            kept: Mutex::default(),
        };
        let roots = described.getattr("roots")?;
        if rules.is_batched() {
            let py = described.py();
            let roots = roots.cast_into::<PyBytes>()?;
            let turns = rules.turns_of(py, &roots);
            let words = turns.and_then(|turns| read_roots(&roots, &turns, is_named));
            rules.root_words = words.map_err(|raised| blame(py, raised, "roots", ""))?;
        } else {
            let mut found = Vec::new();
            for root in roots.try_iter()? {
                let root = root?;
                let state = PlainState::of_data(&root, &rules);
                found.push(state.map_err(|raised| blame(root.py(), raised, "roots", ""))?);
            }
            rules.roots = found;
            let turns = std::mem::take(&mut *lock(&rules.turns));
            rules.turns_of_roots = turns.into_iter().take(KEPT).collect();
            rules.forget();
        }
        Ok(rules)
    }

    /// A number that no other rules in memory have.
    pub(super) fn identity(&self) -> usize {
        std::ptr::from_ref(self).addr()
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

    pub(super) fn is_batched(&self) -> bool {
        self.answer_all.is_some()
    }

    pub(super) fn is_named(&self) -> bool {
        self.is_named
    }

    pub(super) fn has_points(&self) -> bool {
        self.points.is_some()
    }

    pub(super) fn points(&self) -> Option<u16> {
        self.points
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
        *lock(&self.kept) = HashMap::default();
    }

    /// Keeps answers: of the first states, or of all where points are told, since there the engine asks
    /// again about all.
    pub(super) fn keep(&self, states: &[PlainState], answers: &Answers<PlainState>) {
        let mut kept = lock(&self.kept);
        let most = if self.has_points() { usize::MAX } else { KEPT };
        for (at, state) in states.iter().enumerate().take(most.saturating_sub(kept.len())) {
            let successors = answers.successors(at).to_vec();
            let bounds = vec![successors.len()];
            let one = Answers { ends: vec![answers.ends[at]], bounds, successors };
            kept.insert(state.clone(), one);
        }
    }

    pub(super) fn kept(&self, state: &PlainState) -> Option<Answers<PlainState>> {
        lock(&self.kept).get(state).cloned()
    }

    /// Whether play is over in a state, and how.
    pub(super) fn end_of(&self, data: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
        let py = data.py();
        let returned = self.terminal.bind(py).call1((data,));
        returned
            .and_then(|returned| end(&returned, self.is_named, self.points))
            .map_err(|raised| blame(py, raised, "terminal", &short(data)))
    }

    /// Visits what `moves` returns or yields.
    pub(super) fn each_move<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        mut visit: impl FnMut(&Bound<'py, PyAny>) -> PyResult<()>,
    ) -> PyResult<()> {
        let py = data.py();
        let mut visit_all = || {
            let moves = self.moves.bind(py).call1((data,))?;
            if let Ok(moves) = moves.cast_exact::<PyList>() {
                return moves.iter().try_for_each(|next| visit(&next));
            }
            let Ok(moves) = moves.try_iter() else {
                let problem = format!(
                    "returned {}: expected the states after each move, in a list or by yield",
                    short(&moves)
                );
                return Err(PyTypeError::new_err(problem));
            };
            for (count, next) in moves.enumerate() {
                if count == MOST_SUCCESSORS {
                    let problem = format!("yields more than {MOST_SUCCESSORS} states");
                    return Err(PyValueError::new_err(problem));
                }
                visit(&next?)?;
            }
            Ok(())
        };
        visit_all().map_err(|raised| blame(py, raised, "moves", &short(data)))
    }

    /// Who is to move in a state, 0 or 1. `bytes` are those of its data.
    pub(super) fn turn_of(&self, data: &Bound<'_, PyAny>, bytes: &Bytes) -> PyResult<u8> {
        let Some(turn) = &self.turn else { return Ok(0) };
        let known = self.turns_of_roots.get(bytes).copied();
        if let Some(turn) = known.or_else(|| lock(&self.turns).get(bytes).copied()) {
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
        lock(&self.turns).insert(bytes.clone(), player);
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

    /// A state on one line.
    pub(super) fn write(&self, data: &Bound<'_, PyAny>) -> PyResult<String> {
        let py = data.py();
        let written = self.write.bind(py).call1((data,)).and_then(|text| text.extract());
        written.map_err(|raised| blame(py, raised, "write", &short(data)))
    }

    /// The data that a text stands for.
    pub(super) fn parse<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
        self.parse.bind(py).call1((text,))
    }

    /// Whether numbers and tuples are read as Python writes them.
    pub(super) fn reads_plain_texts(&self) -> bool {
        self.reads_plain_texts
    }

    /// A picture of a state in text, if the game draws one.
    pub(super) fn draw(&self, data: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let py = data.py();
        let Some(draw) = &self.draw else { return Ok(None) };
        let drawn = draw.bind(py).call1((data,)).and_then(|text| text.extract());
        drawn.map(Some).map_err(|raised| blame(py, raised, "draw", &short(data)))
    }

    /// The rows of a board, if the game has one.
    pub(super) fn board(&self, data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
        let py = data.py();
        let Some(board) = &self.board else { return Ok(None) };
        let rows = board.bind(py).call1((data,)).and_then(|rows| rows.extract());
        rows.map(Some).map_err(|raised| blame(py, raised, "board", &short(data)))
    }

    /// A move, if the game writes moves.
    pub(super) fn write_move(
        &self,
        before: &Bound<'_, PyAny>,
        after: &Bound<'_, PyAny>,
    ) -> PyResult<Option<String>> {
        let py = before.py();
        let Some(write_move) = &self.write_move else { return Ok(None) };
        let written = write_move.bind(py).call1((before, after)).and_then(|text| text.extract());
        written.map(Some).map_err(|raised| blame(py, raised, "write_move", &short(before)))
    }
}

/// The classes of which states are made: triples of a class, the name of its form, and its fields.
fn classes(described: &Bound<'_, PyAny>) -> PyResult<Vec<Class>> {
    let mut classes = Vec::new();
    for one in described.try_iter()? {
        let one = one?.cast_into::<PyTuple>()?;
        let (class, form, fields): (Bound<'_, PyType>, String, Vec<String>) = one.extract()?;
        let form = match &*form {
            "named tuple" => Form::NamedTuple,
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
