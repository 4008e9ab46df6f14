//! Answers about one table of one game: the only part that knows the game's type.

use std::cmp::Ordering;
use std::ops::Range;

use crate::error::{QueryError, TableError};
use crate::game::notation::Notation;
use crate::game::scene::{Put, Scene};
use crate::game::value::{Value, Verdict};
use crate::game::{Game, Player, Players, Turns as _};
use crate::numbering::scheme::Numbered;
use crate::program::answers::IsLate;
use crate::program::answers::examples::{Found, Search};
#[cfg(not(target_family = "wasm"))]
use crate::program::answers::facts::Judged;
use crate::program::answers::facts::{About, Answers, Facts};
use crate::program::answers::opening::{opening, pieces};
use crate::program::answers::position::{Line, Look, Move, Position, Step, Wanted};
use crate::program::answers::problem::Problem;
use crate::program::answers::setup::{Asked, SetUp};
use crate::program::asking::verdicts_until;
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
    let solved = table.tiers()?;
    let pieces = pieces(&prober.tiers(), &solved);
    let start = opening(&prober, &pieces);
    let scene = start.as_ref().and_then(|start| game.scene(start));
    let has_pictures = scene.is_some();
    let tiers = solved;
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
        #[cfg(not(target_family = "wasm"))]
        names_movers: G::PLAYERS != Players::Unnamed,
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
    Ok(Box::new(GameTable { prober, tiers, pieces, indices, facts }))
}

/// A table and its game of a known type.
pub(super) struct GameTable<G: Game> {
    pub(super) prober: Prober<G>,
    /// The tiers, if there are any, and the ranges of their indices.
    pub(super) tiers: Vec<(String, Range<u64>)>,
    /// The ranges of the indices that are solved.
    pub(super) pieces: Vec<Range<u64>>,
    /// How many indices there are, unused ones included.
    indices: u64,
    pub(super) facts: Facts,
}

impl<G: Notation + Stored + Numbered> GameTable<G> {
    pub(super) fn game(&self) -> &G {
        self.prober.game()
    }

    pub(super) fn position(&self, state: &G::State, verdict: Verdict) -> Position {
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
    pub(super) fn worth(&self, from: &G::State, to: &Assessed<G::State>) -> Ordering {
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
                only: line.only[ply - 1],
                score: scores.as_ref().map(|scores| scores[ply]),
            }
        });
        Ok(Line { steps: steps.collect(), end: line.end })
    }

    /// The state after the move of this name, which is the next one of a game after `ply` others.
    fn after(&self, from: &G::State, ply: usize, wanted: &str) -> Result<G::State, Problem> {
        let game = self.game();
        let mut moves: Vec<(String, String, G::State)> = Vec::new();
        if game.terminal(from).is_none() {
            game.moves(from, |to| {
                if !moves.iter().any(|(.., known)| *known == to) {
                    moves.push((game.write_move(from, &to), game.write_state(&to), to));
                }
            });
        }
        tell_moves_apart(&mut moves, |(name, state, _)| (name, state));
        let found = moves.iter().position(|(name, ..)| name == wanted);
        found.map(|at| moves.swap_remove(at).2).ok_or_else(|| {
            let ply = ply + 1;
            let wrong = format!("ply {ply}: \"{wanted}\" is no move in {}", game.write_state(from));
            Problem::invalid_value("moves", wanted, wrong)
        })
    }

    /// The move between two states of a game.
    fn played(
        &self,
        solved: &View<'_, G>,
        from: &G::State,
        to: &G::State,
    ) -> Result<Move, QueryError> {
        let ranked = solved.ranked_moves(from)?;
        let mut moves = ranked.moves.iter().enumerate();
        let found = moves.find(|(_, one)| one.state == *to);
        let (at, to) = found.ok_or_else(|| QueryError::not_in_table(to))?;
        Ok(self.play(from, to, at < ranked.best_count))
    }

    /// The state that a text describes, or the start.
    fn read(&self, text: Option<&str>) -> Result<G::State, Problem> {
        match text {
            Some(text) => {
                let state = self.game().parse_state(text);
                state.map_err(|error| Problem::not_a_state(text, error))
            }
            None => opening(&self.prober, &self.pieces).ok_or_else(|| {
                Problem::bad_request("the game has no start position: name the state with ?state=")
            }),
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
            Err(error) if error.lacks_state() => {
                let problem = Problem::of_query(error, &game.write_state(&state));
                Ok(Err(problem.detail))
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
        let position = match text {
            Some(text) => self.written(text, &state, verdict),
            None => self.position(&state, verdict),
        };
        let mut look = Look::of(position, Vec::new());
        if let Some(ranked) = ranked {
            let ranked = ranked.map_err(failed)?;
            let moves = ranked.moves.iter().enumerate();
            look.moves =
                moves.map(|(at, to)| self.play(&state, to, at < ranked.best_count)).collect();
            // A page without a server would read much for it.
            if wanted.replies && cfg!(not(target_family = "wasm")) {
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

    fn follow(
        &self,
        text: Option<&str>,
        moves: &[String],
        is_late: IsLate<'_>,
    ) -> Result<Look, Problem> {
        let game = self.game();
        let prober = View { is_late, ..self.prober.view() };
        // First all states, which takes the rules alone.
        let mut states = vec![self.read(text)?];
        for (ply, wanted) in moves.iter().enumerate() {
            let next = self.after(&states[ply], ply, wanted)?;
            states.push(next);
        }
        let failed = |error| Problem::of_query(error, &game.write_state(&states[0]));
        let verdict = prober.verdict(&states[0]);
        // All are looked up even if one fails: who fetches parts of files then learns of all that lack.
        let (mut played, mut wrong) = (Vec::new(), None);
        for (pair, name) in states.windows(2).zip(moves) {
            match self.played(&prober, &pair[0], &pair[1]) {
                Ok(one) => played.push(Move { played: name.clone(), ..one }),
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        let position = match text {
            Some(text) => self.written(text, &states[0], verdict.map_err(failed)?),
            None => self.position(&states[0], verdict.map_err(failed)?),
        };
        match wrong {
            Some(error) => Err(failed(error)),
            None => Ok(Look::of(position, played)),
        }
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
        self.find(search)
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
    fn movers(&self, indices: &[u64]) -> Result<Vec<Option<Player>>, Problem> {
        let mover = |&index: &u64| {
            let state = self.prober.state(index);
            let state = state.map_err(|error| Problem::of_query(error.into(), ""))?;
            Ok(state.and_then(|state| self.game().named_mover(&state)))
        };
        indices.iter().map(mover).collect()
    }
}
