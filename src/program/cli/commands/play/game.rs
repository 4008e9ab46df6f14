//! A game between a person and perfect play: whose turn it is, the answers, and the texts.

use std::cmp::Ordering;

use console::style;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::game::value::{DecidedBy, Rules, Verdict};
use crate::game::{Outcome, Player};
use crate::program::cli::CliError;
use crate::program::cli::commands::play::board::{Board, View};
use crate::program::cli::commands::play::typed::{Choices, Command, HELP, Typed};
use crate::program::cli::output::{columns, plies, wrapped};
use crate::program::cli::wording::{Position, Wording};

/// The most plies of best play that are shown.
const LONGEST_LINE: usize = 500;

/// What a person should know who plays from a table without distances.
const OUTCOMES_ONLY: &str = "The table has outcomes only: perfect play never gives a win or a draw \
                             away, but may go round in circles.";

/// A table that is played from.
pub(in crate::program::cli::commands) struct Played<'t> {
    pub(in crate::program::cli::commands) game: &'t str,
    pub(in crate::program::cli::commands) words: &'t Wording,
    pub(in crate::program::cli::commands) rules: Rules,
    pub(in crate::program::cli::commands) has_distances: bool,
}

/// Which sides the person plays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sides {
    One(Player),
    /// Two people play.
    Both,
}

/// What comes after a line is typed.
pub(super) enum Next {
    /// This is shown, and the person is asked again.
    Ask(String),
    End,
}

/// A ply that was played.
struct Ply {
    mover: Player,
    /// The position before it.
    state: String,
    /// The points that it gained for the player who moved.
    gain: i16,
}

/// A game that is played.
pub(super) struct Match<'g> {
    played: &'g Played<'g>,
    board: &'g mut dyn Board,
    sides: Sides,
    random: Option<SmallRng>,
    is_quiet: bool,
    plies: Vec<Ply>,
    /// The position on the board. Winners are named even if the table does not name them.
    view: View,
    choices: Choices,
    /// The verdict on the first position.
    start: Verdict,
}

impl<'g> Match<'g> {
    /// A game from the position on the board. By default the person plays the one to move.
    pub(super) fn begin(
        played: &'g Played<'g>,
        board: &'g mut dyn Board,
        sides: Option<Sides>,
        seed: Option<u64>,
        is_quiet: bool,
    ) -> Result<Match<'g>, CliError> {
        let view = board.look()?;
        let mover = view.mover.unwrap_or(Player::First);
        let mut game = Match {
            played,
            board,
            sides: sides.unwrap_or(Sides::One(mover)),
            random: seed.map(SmallRng::seed_from_u64),
            is_quiet,
            plies: Vec::new(),
            start: view.position.verdict,
            view,
            choices: Choices::new([].into_iter(), ""),
        };
        game.look()?;
        game.start = game.view.position.verdict;
        Ok(game)
    }

    /// The text before the first move.
    pub(super) fn greeting(&mut self) -> Result<String, CliError> {
        let mut text = String::new();
        if !self.is_quiet {
            let game = self.played.game;
            text = format!("{game}: {}; type `help` for help\n", self.who_plays());
            if !self.played.has_distances {
                text += &wrapped("", OUTCOMES_ONLY.split(' '), "");
            }
        }
        Ok(text + &self.answered()?)
    }

    fn who_plays(&self) -> String {
        match self.sides {
            Sides::One(player) => {
                format!("you play {} against perfect play", self.name(player))
            }
            Sides::Both => "you play both sides".into(),
        }
    }

    fn name(&self, player: Player) -> &str {
        self.played.words.player(player)
    }

    /// Who is to move. If positions do not say it, players take turns.
    fn mover(&self) -> Player {
        let by_turns = Player::BOTH[self.plies.len() % 2];
        self.view.mover.unwrap_or(by_turns)
    }

    fn is_over(&self) -> bool {
        self.view.moves.is_empty()
    }

    fn is_persons(&self, player: Player) -> bool {
        self.sides == Sides::Both || self.sides == Sides::One(player)
    }

    /// Looks at the position on the board.
    fn look(&mut self) -> Result<(), CliError> {
        self.view = self.board.look()?;
        let mover = self.mover();
        name_winner(&mut self.view.position.verdict, mover);
        // Turns alternate where winners are not named.
        self.view.moves.iter_mut().for_each(|to| name_winner(&mut to.verdict, mover.opponent()));
        let moves = self.view.moves.iter().map(|to| to.played.as_deref().unwrap_or_default());
        self.choices = Choices::new(moves, self.played.words.player(mover));
        Ok(())
    }

    /// Makes a move. Returns a note if the position was there before.
    fn make(&mut self, at: usize) -> Result<String, CliError> {
        let (mover, state) = (self.mover(), self.view.position.state.clone());
        let gain = self.view.moves[at].gained.map_or(0, |[gain, _]| gain);
        self.plies.push(Ply { mover, state, gain });
        self.board.make(at);
        self.look()?;
        let state = &self.view.position.state;
        Ok(match self.plies.iter().position(|ply| ply.state == *state) {
            Some(first) => self.played.words.repeats(first, self.played.rules) + "\n",
            None => String::new(),
        })
    }

    fn go_back(&mut self, plies: usize) -> Result<(), CliError> {
        self.plies.truncate(plies);
        self.board.go_back(plies);
        self.look()
    }

    /// Has perfect play move while it is its turn, and shows the position then.
    fn answered(&mut self) -> Result<String, CliError> {
        let mut text = String::new();
        while !self.is_over() && !self.is_persons(self.mover()) {
            let at = match &mut self.random {
                Some(random) => random.random_range(0..self.view.as_first),
                None => 0,
            };
            text += &format!("perfect play: {}\n", self.written(at));
            let repeats = self.make(at)?;
            text += &repeats;
            // Perfect play makes all moves of a puzzle, which could go on for ever.
            if !repeats.is_empty() {
                break;
            }
        }
        Ok(text + &self.shown())
    }

    /// In a game with points, how many points the first player has gained more than the second so
    /// far.
    fn score(&self) -> Option<i32> {
        self.view.position.verdict.points?;
        let gained = |ply: &Ply| match ply.mover {
            Player::First => i32::from(ply.gain),
            Player::Second => -i32::from(ply.gain),
        };
        Some(self.plies.iter().map(gained).sum())
    }

    /// Who is ahead, and by how many points. Empty if nobody is.
    fn ahead(&self) -> String {
        let (leader, by) = match self.score() {
            None | Some(0) => return String::new(),
            Some(score @ 1..) => (Player::First, score),
            Some(score) => (Player::Second, -score),
        };
        let is = self.played.words.with_verb(leader, "is", "are");
        format!("{is} ahead by {by}\n")
    }

    /// A move in the game's notation.
    fn written(&self, at: usize) -> &str {
        self.view.moves[at].played.as_deref().unwrap_or_default()
    }

    /// The position on the board, with the moves or the result.
    fn shown(&self) -> String {
        let Position { picture, state, .. } = &self.view.position;
        let picture = match self.is_quiet {
            true => format!("{state}\n"),
            false => picture.clone(),
        };
        match self.is_over() {
            true => format!("{picture}{}\n", style(self.result()).bold()),
            false if self.is_quiet => picture,
            false => picture + &self.ahead() + &self.choices.list(),
        }
    }

    /// How the game ended, and how it would have ended with best play from its start.
    fn result(&self) -> String {
        let words = self.played.words;
        let verdict = self.view.position.verdict;
        let count = plies(self.plies.len() as u32);
        let worth = |outcome: Outcome| match outcome.winner() {
            Some(winner) => words.with_verb(winner, "has won", "have won"),
            None => "a draw".into(),
        };
        let limit = match verdict.decided_by {
            DecidedBy::PlyLimit => "the ply limit is reached, ",
            DecidedBy::Play | DecidedBy::Endless => "",
        };
        // The game stops before the end that its distances count to.
        let early = match verdict.plies {
            Some(left) if left > 0 && verdict.decided_by == DecidedBy::Play => {
                format!(", {} early: the end is certain", plies(left))
            }
            _ => String::new(),
        };
        let end = match self.final_score() {
            None => worth(verdict.outcome),
            Some(0) => "a draw".into(),
            Some(score) => {
                let winner = if score > 0 { Player::First } else { Player::Second };
                format!("{} by {}", worth(Outcome::Win(winner)), score.abs())
            }
        };
        let start = words.verdict(self.start);
        format!("over: {limit}{end} after {count}{early} (best play: {start})")
    }

    /// In a game with points that is over: the score with what the end is worth.
    fn final_score(&self) -> Option<i32> {
        let Verdict { outcome, points, .. } = self.view.position.verdict;
        let end = match outcome.winner() {
            Some(Player::First) => i32::from(points?),
            Some(Player::Second) => -i32::from(points?),
            None => 0,
        };
        Some(self.score()? + end)
    }

    /// The prompt.
    pub(super) fn prompt(&self) -> String {
        match self.is_over() {
            true => "over; back or quit> ".into(),
            false => format!("{}> ", self.name(self.mover())),
        }
    }

    /// Carries out a typed line.
    pub(super) fn take(&mut self, line: &str) -> Result<Next, CliError> {
        let text = match self.choices.read(line) {
            Typed::Nothing => String::new(),
            Typed::Unclear(text) => text,
            Typed::Move(at) => {
                let remark = self.remark(at);
                let repeats = self.make(at)?;
                remark + &repeats + &self.answered()?
            }
            Typed::Command(Command::Hint) => self.hint(),
            Typed::Command(Command::Value) => self.played.words.verdict(self.view.position.verdict),
            Typed::Command(Command::Moves) => self.moves(),
            Typed::Command(Command::Line) => self.line()?,
            Typed::Command(Command::Back) => self.back()?,
            Typed::Command(Command::Switch) => match self.sides {
                Sides::Both => "you play both sides already".into(),
                Sides::One(player) => {
                    self.sides = Sides::One(player.opponent());
                    format!("{}\n{}", self.who_plays(), self.answered()?)
                }
            },
            Typed::Command(Command::Help) => HELP.into(),
            Typed::Command(Command::Quit) => return Ok(Next::End),
        };
        Ok(Next::Ask(text))
    }

    /// What a move gave away, in one line. Empty if the move is as good as the best.
    fn remark(&self, at: usize) -> String {
        let moves = &self.view.moves;
        let (best, chosen) = (moves[0].verdict, moves[at].verdict);
        let worth = |verdict: Verdict| verdict.outcome.for_mover(Some(self.mover()));
        let name = |worth| match worth {
            Ordering::Less => "loss",
            Ordering::Equal => "draw",
            Ordering::Greater => "win",
        };
        let better = self.choices.short(0);
        if let (Some([_, could]), Some([_, is])) = (moves[0].gained, moves[at].gained)
            && is != could
        {
            let lost = i32::from(could) - i32::from(is);
            let points = if lost == 1 { "point" } else { "points" };
            return format!("a mistake: that gave {lost} {points} away; best was {better}\n");
        }
        let (could, is) = (worth(best), worth(chosen));
        if is < could {
            let (could, is) = (name(could), name(is));
            return format!("a mistake: that turned a {could} into a {is}; best was {better}\n");
        }
        match (could, best.plies, chosen.plies) {
            (Ordering::Greater, Some(best), Some(chosen)) if chosen > best => {
                let late = plies(chosen - best);
                format!("a mistake: that wins {late} later than {better}\n")
            }
            (Ordering::Less, Some(best), Some(chosen)) if chosen < best => {
                let soon = plies(best - chosen);
                format!("a mistake: that loses {soon} sooner than {better}\n")
            }
            _ => String::new(),
        }
    }

    /// The best moves, and what they lead to.
    fn hint(&self) -> String {
        let Some(best) = self.view.moves.first() else { return "play is over".into() };
        let names: Vec<&str> = (0..self.view.best).map(|at| self.choices.short(at)).collect();
        let verdict = self.played.words.verdict(best.verdict);
        let text = format!("{} (then {verdict})", names.join(", "));
        wrapped("best: ", text.split(' '), "")
    }

    /// All moves with their values, best first.
    fn moves(&self) -> String {
        if self.is_over() {
            return "play is over".into();
        }
        let row = |(at, to): (usize, &Position)| {
            let mark = if at < self.view.best { "best" } else { "" };
            let verdict = to.worth(self.played.words);
            [self.choices.number(at), self.choices.short(at).to_owned(), verdict, mark.to_owned()]
        };
        columns(&self.view.moves.iter().enumerate().map(row).collect::<Vec<_>>())
    }

    /// Best play from here to the end. The board is as before afterwards.
    fn line(&mut self) -> Result<String, CliError> {
        if !self.played.has_distances {
            return Ok("the table has outcomes only: best play to the end needs distances".into());
        }
        let (here, before) = (self.plies.len(), self.view.position.verdict);
        let (mut names, mut end) = (Vec::new(), String::new());
        while !self.is_over() && end.is_empty() && names.len() < LONGEST_LINE {
            // If play is endless, a move that repeats a position makes the line short.
            let is_seen =
                |to: &Position| self.plies[here..].iter().any(|ply| ply.state == to.state);
            let repeats = (0..self.view.as_first).find(|&at| is_seen(&self.view.moves[at]));
            let at = repeats.unwrap_or(0);
            names.push(self.written(at).to_owned() + ",");
            self.make(at)?;
            let state = &self.view.position.state;
            if let Some(first) = self.plies[here..].iter().position(|ply| ply.state == *state) {
                end = format!("then {}", self.played.words.repeats(first, self.played.rules));
            }
        }
        if self.is_over() {
            // With points, the end is worth only a part of what is gained from here on.
            let (outcome, by) = match before.points {
                Some(points @ 1..) => (before.outcome, format!(" by {points}")),
                Some(0) => (Outcome::Draw, String::new()),
                None => (self.view.position.verdict.outcome, String::new()),
            };
            end = match outcome.winner() {
                None => "then it is a draw".into(),
                Some(winner) => {
                    let won = self.played.words.with_verb(winner, "has won", "have won");
                    format!("then {won}{by}")
                }
            };
        } else if end.is_empty() {
            end = "and so on".into();
        }
        self.go_back(here)?;
        let words = names.iter().flat_map(|name| name.split(' ')).chain(end.split(' '));
        Ok(wrapped("best play: ", words, ""))
    }

    /// Takes back the person's last move and the answer.
    fn back(&mut self) -> Result<String, CliError> {
        let own = self.plies.iter().rposition(|ply| self.is_persons(ply.mover));
        let Some(own) = own else { return Ok("there is no move of yours to take back".into()) };
        self.go_back(own)?;
        Ok(self.shown())
    }
}

/// Names the winner of a position in which `mover` is to move.
fn name_winner(verdict: &mut Verdict, mover: Player) {
    verdict.outcome = match verdict.outcome {
        Outcome::MoverWins => Outcome::Win(mover),
        Outcome::MoverLoses => Outcome::Win(mover.opponent()),
        named => named,
    };
}
