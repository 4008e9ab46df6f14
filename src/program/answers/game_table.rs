//! Answers about one table of one game: the only part that knows the game's type.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ops::ControlFlow::{Break, Continue};
use std::ops::Range;

use crate::error::{QueryError, TableError};
use crate::game::notation::Notation;
use crate::game::scene::{Put, Scene};
use crate::game::value::{Value, Verdict};
use crate::game::{Game, Player, Players, Turns as _};
use crate::numbering::scheme::Numbered;
use crate::program::answers::IsLate;
use crate::program::answers::examples::{Found, Kind, Search};
#[cfg(not(target_family = "wasm"))]
use crate::program::answers::facts::Judged;
use crate::program::answers::facts::{About, Answers, Facts};
use crate::program::answers::position::{Line, Look, Move, Position, Step, Wanted};
use crate::program::answers::problem::Problem;
use crate::program::answers::setup::{Asked, SetUp};
use crate::program::asking::{start, verdicts_until};
use crate::program::wording::{Wording, tell_moves_apart};
use crate::query::view::View;
use crate::query::{Assessed, Prober, points_of_move};
use crate::table::{Storage, Stored, Table};

/// A line of play is cut after this many plies.
const LONGEST_LINE: usize = 2_000;

/// Opens a table for questions.
pub(crate) fn open<G, S>(
    game: G,
    table: Table<S>,
    about: About,
) -> Result<Box<dyn Answers>, TableError>
where
    G: Notation + Stored + Numbered + Send + 'static,
    S: Storage + 'static,
{
    let prober = table.prober(game)?;
    let game = prober.game();
    let start = start(prober.view());
    let scene = start.as_ref().and_then(|start| game.scene(start));
    let has_pictures = scene.is_some();
    let tiers = table.tiers()?;
    let facts = Facts {
        words: Wording::new(game),
        game: table.game_name().to_owned(),
        rules_in_words: game.rules().unwrap_or_else(|| about.about.to_string()),
        about,
        has_rules: true,
        parameters: table.parameters(),
        numbering: table.numbering()?.name(),
        bytes: table.size_on_disk()?,
        rules: prober.rules(),
        has_distances: prober.has_distances(),
        has_pictures,
        board_turns: scene.is_some_and(|scene| scene.has_places_of_mover()),
        can_pass: start.as_ref().is_some_and(|start| game.with_other_mover(start).is_some()),
        can_be_set_up: has_pictures && !game.kit().is_empty(),
        start: start.as_ref().map(|start| game.write_state(start)),
        described_tiers: tiers.iter().map(|tier| game.describe_tier(&tier.name)).collect(),
        tiers,
        has_tiers: table.numbering()?.tier().is_some(),
    };
    let tiers = prober.tiers();
    let indices = tiers.last().map_or(0, |(_, indices)| indices.end);
    let tiers = if facts.has_tiers { tiers } else { Vec::new() };
    Ok(Box::new(GameTable { prober, tiers, indices, facts }))
}

/// A table and its game of a known type.
struct GameTable<G: Game> {
    prober: Prober<G>,
    /// The tiers, if there are any, and the ranges of their indices.
    tiers: Vec<(String, Range<u64>)>,
    /// How many indices there are, unused ones included.
    indices: u64,
    facts: Facts,
}

impl<G: Notation + Stored + Numbered> GameTable<G> {
    fn game(&self) -> &G {
        self.prober.game()
    }

    fn position(&self, state: &G::State, verdict: Verdict) -> Position {
        let game = self.game();
        Position {
            state: game.write_state(state),
            to_move: game.named_mover(state),
            verdict,
            is_over: is_over(game, state),
            note: None,
        }
    }

    /// The position that a person wrote as this text.
    fn written(&self, text: &str, state: &G::State, verdict: Verdict) -> Position {
        let note = self.game().note(text, &verdict);
        Position { note, ..self.position(state, verdict) }
    }

    /// In a game with points, what a move is worth to the player who makes it.
    fn points(&self, from: &G::State, to: &Assessed<G::State>) -> Option<i16> {
        let game = self.game();
        points_of_move(game, game.mover(from), to).map(Value::points)
    }

    /// The outcome of a move for the player who makes it.
    fn worth(&self, from: &G::State, to: &Assessed<G::State>) -> Ordering {
        if let Some(points) = self.points(from, to) {
            return points.cmp(&0);
        }
        let mover = self.game().named_mover(from);
        let worth = to.verdict.outcome.for_mover(mover);
        // If states do not name the player to move, the verdict is for the player after the move.
        if mover.is_some() { worth } else { worth.reverse() }
    }

    /// The move from one state to another.
    fn play(&self, from: &G::State, to: &Assessed<G::State>, is_best: bool) -> Move {
        let (game, places) = (self.game(), self.facts.has_pictures);
        Move {
            played: game.write_move(from, &to.state),
            to: self.position(&to.state, to.verdict),
            worth: self.worth(from, to),
            gained: self.points(from, to).map(|total| [to.gain, total]),
            is_best,
            replies: None,
            places: if places { game.move_places(from, &to.state) } else { Vec::new() },
            other_places: if places { game.other_move_places(from, &to.state) } else { Vec::new() },
        }
    }

    fn line(
        &self,
        solved: &View<'_, G>,
        state: &G::State,
        plies: usize,
    ) -> Result<Line, QueryError> {
        let game = self.game();
        let line = solved.line_within(state, plies.min(LONGEST_LINE))?;
        let scores = line.scores(game);
        let steps = line.positions.windows(2).zip(&line.alternatives).zip(1..);
        let steps = steps.map(|((pair, others), ply): (_, usize)| {
            let from = &pair[0].state;
            let other = |to: &Assessed<G::State>| {
                [game.write_move(from, &to.state), game.write_state(&to.state)]
            };
            Step {
                step: self.play(from, &pair[1], true),
                alternatives: others.iter().map(other).collect(),
                score: scores.as_ref().map(|scores| scores[ply]),
            }
        });
        Ok(Line { steps: steps.collect(), end: line.end })
    }

    /// The state that a text describes, or the start.
    fn read(&self, text: Option<&str>) -> Result<G::State, Problem> {
        match text {
            Some(text) => {
                let state = self.game().parse_state(text);
                state.map_err(|error| Problem::not_a_state(text, error))
            }
            None => start(self.prober.view()).ok_or_else(|| {
                Problem::bad_request("the game has no start position: name the state with ?state=")
            }),
        }
    }

    /// Whether the state fits a search in the conditions beside its value.
    fn matches(
        &self,
        solved: &View<'_, G>,
        search: &Search<'_>,
        state: &G::State,
    ) -> Result<bool, QueryError> {
        let game = self.game();
        match search.kind {
            Kind::OnlyMove => {
                let moves = solved.ranked_moves(state)?.moves;
                let winning = moves.iter().filter(|to| self.worth(state, to).is_gt());
                Ok(winning.count() == 1)
            }
            Kind::LostForBoth => {
                let Some(passed) = game.with_other_mover(state) else { return Ok(false) };
                match solved.verdict(&passed) {
                    Ok(verdict) => Ok(verdict.outcome.for_mover(game.named_mover(&passed)).is_lt()),
                    Err(QueryError::NotInTable { .. }) => Ok(false),
                    Err(error) => Err(error),
                }
            }
            _ => Ok(true),
        }
    }

    /// The position of a picture with this player to move, or the reason why there is none.
    fn set_up_for(
        &self,
        scene: &Scene,
        mover: Option<Player>,
    ) -> Result<Result<Position, String>, Problem> {
        let game = self.game();
        let state = match game.set_up(scene, mover.unwrap_or(Player::First)) {
            Ok(state) => state,
            Err(error) => return Ok(Err(error.to_string())),
        };
        match game.named_mover(&state) {
            Some(other) if Some(other) != mover => {
                let is = self.facts.words.with_verb(other, "is", "are");
                return Ok(Err(format!("with these pieces, {is} to move")));
            }
            _ => {}
        }
        match self.prober.verdict(&state) {
            Ok(verdict) => Ok(Ok(self.position(&state, verdict))),
            Err(QueryError::NotInTable { .. }) => {
                Ok(Err("play never comes to this position, so the table does not have it".into()))
            }
            Err(error) => Err(Problem::of_query(error, &game.write_state(&state))),
        }
    }
}

/// Whether there is no move.
fn is_over<G: Notation>(game: &G, state: &G::State) -> bool {
    if game.terminal(state).is_some() {
        return true;
    }
    let mut moves = 0_usize;
    game.moves(state, |_| moves += 1);
    moves == 0
}

impl<G: Notation + Stored + Numbered + Send + 'static> Answers for GameTable<G> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn look(
        &self,
        text: Option<&str>,
        wanted: Wanted,
        is_late: IsLate<'_>,
    ) -> Result<Look, Problem> {
        let game = self.game();
        let prober = View { is_late, ..self.prober.view() };
        let state = self.read(text)?;
        let failed = |error| Problem::of_query(error, &game.write_state(&state));
        let verdict = prober.verdict(&state);
        let ranked = wanted.moves.then(|| prober.ranked_moves(&state));
        let verdict = verdict.map_err(failed)?;
        let mut look = Look {
            position: match text {
                Some(text) => self.written(text, &state, verdict),
                None => self.position(&state, verdict),
            },
            moves: Vec::new(),
            line: None,
            scene: None,
            text: String::new(),
            tier: None,
        };
        if let Some(ranked) = ranked {
            let ranked = ranked.map_err(failed)?;
            let moves = ranked.moves.iter().enumerate();
            look.moves =
                moves.map(|(at, to)| self.play(&state, to, at < ranked.best_count)).collect();
            // A page without a server would read much for it.
            if cfg!(not(target_family = "wasm")) {
                let replies = prober.replies(&ranked.moves).map_err(failed)?;
                for (one, replies) in look.moves.iter_mut().zip(replies) {
                    one.replies = replies;
                }
            }
            tell_moves_apart(&mut look.moves, |one| (&mut one.played, &one.to.state));
        }
        if let Some(plies) = wanted.line
            && (self.facts.has_distances || !wanted.moves)
        {
            look.line = Some(self.line(&prober, &state, plies).map_err(failed)?);
        }
        if wanted.picture {
            look.scene = game.scene(&state);
            look.text = game.draw(&state);
            let (index, _) = prober.index_and_kind(&state).map_err(failed)?;
            let tier = self.tiers.iter().find(|(_, indices)| indices.contains(&index));
            look.tier = tier.map(|(name, _)| name.clone());
        }
        Ok(look)
    }

    fn look_at_all(
        &self,
        texts: &[String],
        is_late: IsLate<'_>,
    ) -> Vec<Option<Result<Position, Problem>>> {
        // Loops in place of adapters: this is compiled for every game.
        let (game, mut states, mut problems) = (self.game(), Vec::new(), Vec::new());
        for text in texts {
            match game.parse_state(text) {
                Ok(state) => {
                    states.push(state);
                    problems.push(None);
                }
                Err(error) => problems.push(Some(Problem::not_a_state(text, error))),
            }
        }
        let mut verdicts = verdicts_until(self.prober.view(), &states, is_late).into_iter();
        let (mut states, mut positions) = (states.iter(), Vec::with_capacity(texts.len()));
        for (text, problem) in texts.iter().zip(problems) {
            positions.push(match problem {
                Some(problem) => Some(Err(problem)),
                None => states.next().zip(verdicts.next().flatten()).map(|found| match found {
                    (state, Ok(verdict)) => Ok(self.written(text, state, verdict)),
                    (state, Err(error)) => Err(Problem::of_query(error, &game.write_state(state))),
                }),
            });
        }
        positions
    }

    fn set_up(&self, asked: &Asked) -> Result<SetUp, Problem> {
        let game = self.game();
        let kit = game.kit();
        let text = if let Asked::Of(Some(text)) = asked { Some(&**text) } else { None };
        let begun = self.read(text)?;
        let drawn = game.scene(&begun).filter(|_| !kit.is_empty()).ok_or_else(|| {
            let detail = "positions of this game are written, not set up by hand";
            Problem::not_found(detail)
        })?;
        let scene = match asked {
            Asked::Of(_) => drawn,
            Asked::Pieces(put) => {
                let (places, kinds) = (drawn.place_count(), kit.pieces.len());
                if let Some(put) = put.iter().find(|put| put.place >= places || put.kind >= kinds) {
                    let Put { place, kind, .. } = put;
                    let detail = format!(
                        "pieces: kind {kind} on place {place}: expected kinds 0 to {} and places 0 \
                         to {}",
                        kinds - 1,
                        places - 1
                    );
                    return Err(Problem::bad_request(detail));
                }
                kit.rearranged(&drawn, put)
            }
        };
        let movers: &[Option<Player>] = match G::PLAYERS {
            Players::Unnamed => &[None],
            _ => &[Some(Player::First), Some(Player::Second)],
        };
        let mut turns = Vec::new();
        for &mover in movers {
            let found = match kit.crowded(&scene) {
                Some(place) => Err(format!("{} has more than one piece", scene.name(place))),
                None => self.set_up_for(&scene, mover)?,
            };
            turns.push((mover, found));
        }
        Ok(SetUp { kit, scene, turns })
    }

    fn search(&self, search: &Search<'_>) -> Result<Found, Problem> {
        let game = self.game();
        let prober = &self.prober;
        let timed = View { is_late: search.is_over, ..prober.view() };
        let rules = prober.rules();
        let indices = match search.tier {
            None => 0..self.indices,
            Some(wanted) => {
                self.facts.check_tier(wanted)?;
                let found = self.tiers.iter().find(|(name, _)| name == wanted);
                found.map_or(0..0, |(_, indices)| indices.clone())
            }
        };
        let has_distances = self.facts.has_distances;
        if search.needs_distances() && !has_distances {
            let error = QueryError::OutcomesOnly { asked: "a search for distances" };
            return Err(Problem::of_query(error, ""));
        }
        let mut found = Found { is_complete: true, ..Found::default() };
        let mut failed = None;
        let wanted = |value| search.is_late() || search.wants(value);
        let mut seen = HashSet::new();
        for (indices, enough) in search.ranges(indices) {
            if found.positions.len() >= search.count || !found.is_complete || failed.is_some() {
                break;
            }
            let enough = found.positions.len() + enough;
            let visited = prober.files().visit_in(indices, &wanted, &mut |index, state, value| {
                if search.is_late() {
                    (found.is_complete, found.stopped_at) = (false, Some(index));
                    return Break(());
                }
                if !search.wants(value) {
                    return Continue(());
                }
                match self.matches(&timed, search, &state) {
                    Ok(false) => return Continue(()),
                    Ok(true) => {}
                    Err(QueryError::Table(TableError::Interrupted)) => {
                        (found.is_complete, found.stopped_at) = (false, Some(index));
                        return Break(());
                    }
                    Err(error) => {
                        failed = Some(Problem::of_query(error, &game.write_state(&state)));
                        return Break(());
                    }
                }
                let mover = game.named_mover(&state);
                let verdict = match has_distances {
                    true => rules.judge(value, mover),
                    false => rules.judge_kind(value.kind(), mover),
                };
                // A ply limit may have decided otherwise.
                if search.suits(verdict.outcome.for_mover(mover), verdict) && seen.insert(index) {
                    found.positions.push(self.position(&state, verdict));
                }
                if found.positions.len() < enough {
                    return Continue(());
                }
                found.stopped_at = Some(index + 1);
                Break(())
            });
            visited.map_err(|error| Problem::of_query(error, ""))?;
        }
        if search.seed.is_some() {
            found.stopped_at = None;
        }
        failed.map_or(Ok(found), Err)
    }

    #[cfg(not(target_family = "wasm"))]
    fn judge_all(
        &self,
        texts: &[&str],
        is_late: IsLate<'_>,
    ) -> Result<Vec<Result<Judged, Problem>>, Problem> {
        let game = self.game();
        let (mut judged, mut places, mut states) = (Vec::new(), Vec::new(), Vec::new());
        // Whatever is not looked up in the end was interrupted.
        let late = || Problem::of_query(TableError::Interrupted.into(), "");
        for (at, text) in texts.iter().enumerate() {
            match game.parse_state(text) {
                Ok(state) => {
                    places.push(at);
                    states.push(state);
                    judged.push(Err(None));
                }
                Err(error) => judged.push(Err(Some(Problem::not_a_state(text, error)))),
            }
        }
        let verdicts = verdicts_until(self.prober.view(), &states, is_late);
        for ((at, state), verdict) in places.into_iter().zip(&states).zip(verdicts) {
            judged[at] = match verdict {
                None => Err(None),
                Some(Err(error)) => Err(Some(Problem::of_query(error, &game.write_state(state)))),
                Some(Ok(verdict)) => {
                    let worth = verdict.outcome.for_mover(game.named_mover(state));
                    let sign = if worth.is_lt() { -1 } else { 1 };
                    let points = verdict.points.map(|points| sign * points as i16);
                    Ok(Judged { worth, plies: verdict.plies, points })
                }
            };
        }
        Ok(judged.into_iter().map(|one| one.map_err(|error| error.unwrap_or_else(late))).collect())
    }

    #[cfg(not(target_family = "wasm"))]
    fn indices(&self) -> u64 {
        self.indices
    }

    #[cfg(not(target_family = "wasm"))]
    fn packed_values(&self, indices: Range<u64>, values: &mut Vec<u16>) -> Result<(), Problem> {
        values.clear();
        let read = self.prober.files().packed_values(indices, values);
        read.map_err(|error| Problem::of_query(error.into(), ""))
    }

    #[cfg(not(target_family = "wasm"))]
    fn states(&self, indices: Range<u64>) -> Result<Vec<Option<String>>, Problem> {
        let prober = &self.prober;
        let state = |index| {
            let state = prober.state(index);
            let state = state.map_err(|error| Problem::of_query(error.into(), ""))?;
            Ok(state.map(|state| self.game().write_state(&state)))
        };
        indices.map(state).collect()
    }

    #[cfg(not(target_family = "wasm"))]
    fn endless(&self, indices: &[u64]) -> Result<Vec<Ordering>, Problem> {
        let (prober, outcome) = (&self.prober, self.facts.rules.endless);
        let worth = |&index: &u64| {
            let state = prober.state(index);
            let state = state.map_err(|error| Problem::of_query(error.into(), ""))?;
            let mover = state.and_then(|state| self.game().named_mover(&state));
            Ok(outcome.for_mover(mover))
        };
        indices.iter().map(worth).collect()
    }
}
