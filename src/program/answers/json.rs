//! Answers as JSON. `docs/HTTP.md` describes the fields.

use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::game::scene::{Drawing, Put, Scene};
use crate::game::summary::Summary;
use crate::program::answers::examples::{Found, Search};
use crate::program::answers::facts::Facts;
use crate::program::answers::position::{Line, Look, Move, Position, Step, value, worth};
use crate::program::answers::setup::SetUp;
use crate::program::wording::{VerdictJson, Wording, line_end};
use crate::query::Replies;
use crate::solve::TierFigures;

/// A position.
#[derive(Serialize)]
pub(crate) struct PositionJson<'a> {
    state: &'a str,
    to_move: Option<&'a str>,
    value: &'static str,
    #[serde(flatten)]
    judged: VerdictJson<'a>,
    over: bool,
    verdict: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

pub(crate) fn position<'a>(words: &'a Wording, position: &'a Position) -> PositionJson<'a> {
    PositionJson {
        state: &position.state,
        to_move: position.to_move.map(|player| words.player(player)),
        value: value(position),
        judged: words.json(position.verdict),
        over: position.is_over,
        verdict: words.verdict(position.verdict),
        note: position.note.as_deref(),
    }
}

/// A move: the position after it, and more.
#[derive(Serialize)]
struct MoveJson<'a> {
    r#move: &'a str,
    worth: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<i16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<i16>,
    best: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    replies: Option<Replies>,
    places: &'a [usize],
    other_places: &'a [Vec<usize>],
    #[serde(flatten)]
    to: PositionJson<'a>,
}

fn played<'a>(words: &'a Wording, played: &'a Move) -> MoveJson<'a> {
    MoveJson {
        r#move: &played.played,
        worth: worth(played.worth),
        gain: played.gained.map(|[gain, _]| gain),
        total: played.gained.map(|[_, total]| total),
        best: played.is_best,
        replies: played.replies,
        places: &played.places,
        other_places: &played.other_places,
        to: position(words, &played.to),
    }
}

/// The moves, grouped by their outcome.
fn groups(words: &Wording, moves: &[Move]) -> Map<String, Json> {
    let group = |name: &str, wanted: std::cmp::Ordering| {
        let group = moves.iter().filter(|one| one.worth == wanted);
        (name.to_owned(), json!(group.map(|one| played(words, one)).collect::<Vec<_>>()))
    };
    use std::cmp::Ordering::{Equal, Greater, Less};
    [group("won", Greater), group("drawn", Equal), group("lost", Less)].into_iter().collect()
}

pub(crate) fn moves(words: &Wording, look: &Look) -> Json {
    let mut object = Map::from_iter([("position".into(), json!(position(words, &look.position)))]);
    object.extend(groups(words, &look.moves));
    Json::Object(object)
}

/// The moves of a game, in order.
pub(crate) fn game(words: &Wording, look: &Look) -> Json {
    let moves: Vec<_> = look.moves.iter().map(|one| played(words, one)).collect();
    json!({ "position": position(words, &look.position), "moves": moves })
}

fn step(words: &Wording, Step { step, alternatives, only, score }: &Step) -> Json {
    let mut object = json!(played(words, step));
    let others =
        alternatives.iter().map(|[played, state]| json!({ "move": played, "state": state }));
    object["alternatives"] = others.collect();
    object["only"] = (*only).into();
    if let Some(score) = score {
        object["score"] = (*score).into();
    }
    object
}

fn line_fields(facts: &Facts, line: &Line) -> Map<String, Json> {
    let (end, repeats) = line_end(line.end);
    let steps: Vec<Json> = line.steps.iter().map(|one| step(&facts.words, one)).collect();
    Map::from_iter([
        ("line".into(), steps.into()),
        ("end".into(), end.into()),
        ("repeats_ply".into(), repeats.into()),
        ("endless".into(), facts.endless().into()),
    ])
}

pub(crate) fn line(facts: &Facts, look: &Look) -> Json {
    let position = json!(position(&facts.words, &look.position));
    let mut object = Map::from_iter([("position".into(), position)]);
    if let Some(line) = &look.line {
        object.extend(line_fields(facts, line));
    }
    Json::Object(object)
}

/// Everything about a position.
pub(crate) fn look(facts: &Facts, look: &Look, flipped: bool) -> Json {
    let words = &facts.words;
    let line = look.line.as_ref().map(|line| Json::Object(line_fields(facts, line)));
    json!({
        "position": position(words, &look.position),
        "moves": groups(words, &look.moves),
        "line": line,
        "picture": picture(facts, look, flipped),
        "text": look.text,
        "tier": look.tier,
    })
}

/// The picture of a position for the page, which has the colours.
fn picture(facts: &Facts, look: &Look, flipped: bool) -> Option<Json> {
    let title = title(facts, &look.position);
    Some(drawn(&facts.words, look.scene.as_ref()?, &title, flipped))
}

fn drawn(words: &Wording, scene: &Scene, title: &str, flipped: bool) -> Json {
    let picture = scene.picture(&drawing(words, title, flipped, false));
    let players = players(words);
    let place = |(number, [x, y]): (usize, &[f32; 2])| {
        let place = &scene.places[number];
        let description = scene.describe(number, players);
        let mut fields = json!({ "name": place.name, "description": description, "x": x, "y": y });
        if let Some(opposite) = scene.opposites.get(number) {
            fields["opposite"] = (*opposite).into();
        }
        fields
    };
    let [width, height] = picture.size;
    json!({
        "svg": picture.svg,
        "width": width,
        "height": height,
        "places": picture.centres.iter().enumerate().map(place).collect::<Vec<_>>(),
    })
}

/// The picture of a position with its colours; `None` for a game without pictures.
pub(crate) fn svg(facts: &Facts, look: &Look, flipped: bool) -> Option<String> {
    let title = title(facts, &look.position);
    Some(look.scene.as_ref()?.to_svg(&drawing(&facts.words, &title, flipped, true)))
}

fn title(facts: &Facts, position: &Position) -> String {
    let to_move =
        position.to_move.map(|player| format!(", {} to move", facts.words.player(player)));
    format!("{}{}", facts.about.about, to_move.unwrap_or_default())
}

fn drawing<'a>(words: &'a Wording, title: &'a str, flipped: bool, with_style: bool) -> Drawing<'a> {
    Drawing::default().players(players(words)).flipped(flipped).style(with_style).title(title)
}

fn players(words: &Wording) -> [&str; 2] {
    crate::game::Player::BOTH.map(|player| words.player(player))
}

/// The facts about a table.
pub(crate) fn table(name: &str, identity: &str, facts: &Facts) -> Json {
    let words = &facts.words;
    let summary = Summary::sum(facts.tiers.iter().map(|tier| &tier.summary));
    let tiers: Vec<&str> = match facts.has_tiers {
        true => facts.tiers.iter().map(|tier| tier.name.as_str()).collect(),
        false => Vec::new(),
    };
    let mut object = json!({
        "name": name,
        "identity": identity,
        "game": facts.game,
        "about": facts.about.about,
        "rules": facts.rules_in_words,
        "parameters": facts.parameters,
        "players": players(words),
        "players_told_apart": words.tell_players_apart(),
        "states": summary.states(),
        "bytes": facts.bytes,
        "numbering": facts.numbering,
        "has_distances": facts.has_distances,
        "has_pictures": facts.has_pictures,
        "board_turns": facts.board_turns,
        "can_pass": facts.can_pass,
        "can_be_set_up": facts.can_be_set_up,
        "ply_limit": facts.rules.ply_limit,
        "endless": facts.endless(),
        "longest_plies": summary.longest(),
        "start": facts.start,
        "notation": facts.about.notation,
        "tiers": tiers,
    });
    if !facts.has_rules {
        object["has_rules"] = false.into();
    }
    if let Some(end) = words.counted_in_moves() {
        object["counted_in_moves"] = end.into();
    }
    if let Some(most) = facts.rules.points {
        object["max_points"] = most.into();
    }
    object
}

/// The figures of a table.
pub(crate) fn stats(facts: &Facts) -> Json {
    let summary = Summary::sum(facts.tiers.iter().map(|tier| &tier.summary));
    let tiers: Vec<Json> = match facts.has_tiers {
        true => {
            let described = facts.tiers.iter().zip(&facts.described_tiers);
            described.map(|(tier, words)| figures_of(tier, words.as_deref())).collect()
        }
        false => Vec::new(),
    };
    let mut object = json!({
        "game": facts.game,
        "parameters": facts.parameters,
        "numbering": facts.numbering,
    });
    facts.words.add_figures(&mut object, &summary);
    object["tiers"] = tiers.into();
    object["bytes"] = json!(facts.bytes);
    object["outcomes_only"] = json!(!facts.has_distances);
    object
}

fn figures_of(tier: &TierFigures, described: Option<&str>) -> Json {
    let TierFigures { name, summary, .. } = tier;
    let mut object = json!({
        "tier": name,
        "described": described,
        "states": summary.states(),
        "won": summary.won(),
        "lost": summary.lost(),
        "drawn": summary.draws(),
        "longest_plies": summary.longest(),
        "distances": summary.distances,
    });
    if !summary.points.is_empty() {
        object["points"] = json!(summary.points);
    }
    object
}

pub(crate) fn examples(words: &Wording, search: &Search<'_>, found: &Found) -> Json {
    let mut object = json!({
        "kind": search.kind.name(),
        "plies": search.plies,
        "tier": search.tier,
        "examples": found.positions.iter().map(|one| position(words, one)).collect::<Vec<_>>(),
        "complete": found.is_complete,
        "scanned_to": found.stopped_at,
    });
    if let Some(points) = search.points {
        object["points"] = points.into();
    }
    object
}

/// A picture that is being set up, the pieces for it, and its possible positions.
pub(crate) fn set_up(facts: &Facts, set_up: &SetUp, flipped: bool) -> Json {
    let words = &facts.words;
    let title = format!("{}, being set up", facts.game);
    let kinds = set_up.kit.pieces.iter().map(|kind| {
        json!({
            "name": kind.piece.name(),
            "player": kind.piece.side().map(|player| words.player(player)),
            "single": kind.is_single,
            "svg": set_up.scene.icon(&kind.piece),
        })
    });
    let mut pieces = set_up.kit.put_on(&set_up.scene);
    // As they are drawn: of a stack, the last one is in front.
    pieces.sort_by_key(|put| set_up.kit.pieces[put.kind].piece.percent);
    let pieces = pieces
        .iter()
        .map(|Put { place, kind, count }| json!({ "place": place, "kind": kind, "count": count }));
    let turns = set_up.turns.iter().map(|(player, found)| {
        json!({
            "to_move": player.map(|player| words.player(player)),
            "position": found.as_ref().ok().map(|one| position(words, one)),
            "problem": found.as_ref().err(),
        })
    });
    json!({
        "kinds": kinds.collect::<Vec<_>>(),
        "shared": set_up.kit.shares,
        "pieces": pieces.collect::<Vec<_>>(),
        "turns": turns.collect::<Vec<_>>(),
        "picture": drawn(words, &set_up.scene, &title, flipped),
    })
}
