//! Checks the names of moves, and compares the pictures before and after moves.

use std::collections::HashMap;

use crate::game::notation::{Notation, touched_between};
use crate::game::scene::{Across, Scene};
use crate::game::{Game, Turns as _};

/// The number of moves below which pictures show nothing about the board.
const FEW_MOVES: u64 = 16;

/// The ways in which the other player may see a board, each with the same colours and with exchanged ones.
const VIEWS: [(Across, bool); 6] = [
    (Across::Same, false),
    (Across::Same, true),
    (Across::Turned, false),
    (Across::Turned, true),
    (Across::Mirrored, false),
    (Across::Mirrored, true),
];

/// The number of places that differ between the pictures before and after moves, in each view of the
/// picture after it. Only moves count whose names are the default ones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Changes {
    moves: u64,
    /// In the view that the scenes are marked with.
    marked: u64,
    /// In each of `VIEWS`; `None` if the board has no such view.
    viewed: [Option<u64>; VIEWS.len()],
    /// The least index of a state with a move that changes less in a view than in the marked one.
    pub(super) first: [Option<u64>; VIEWS.len()],
    /// The least index of a state with moves of the same name.
    pub(super) shared: Option<u64>,
}

/// The lesser of two indices.
fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    [one, other].into_iter().flatten().min()
}

impl Changes {
    pub(super) fn add(&mut self, more: &Changes) {
        let shared = least(self.shared, more.shared);
        if self.moves == 0 {
            *self = *more;
        } else if more.moves > 0 {
            self.moves += more.moves;
            self.marked += more.marked;
            for (sum, more) in self.viewed.iter_mut().zip(more.viewed) {
                *sum = sum.zip(more).map(|(sum, more)| sum + more);
            }
            for (first, more) in self.first.iter_mut().zip(more.first) {
                *first = least(*first, more);
            }
        }
        self.shared = shared;
    }

    /// The view in which moves change clearly less than in the marked one, if there is one.
    pub(super) fn better(&self) -> Option<usize> {
        let seen = |view: usize| Some((self.viewed[view]?, view));
        let (least, view) = (0..VIEWS.len()).filter_map(seen).min()?;
        (self.moves >= FEW_MOVES && least < self.marked * 3 / 4).then_some(view)
    }
}

/// Looks at the names of the moves from a state, and compares the pictures.
pub(super) type LookAtNames<G> =
    fn(&G, (u64, &<G as Game>::State), &[<G as Game>::State]) -> Changes;

/// Says which moves from a state have the same name, or which changes less in a view.
pub(super) type NameWrong<G> =
    fn(&G, &<G as Game>::State, &[<G as Game>::State], view: Option<usize>) -> Option<String>;

pub(super) fn look_at_names<G: Notation>(
    game: &G,
    (index, state): (u64, &G::State),
    successors: &[G::State],
) -> Changes {
    let names = names(game, state, successors);
    let mut changes = Changes::default();
    for (next, name) in successors.iter().zip(&names) {
        if let Some((more, _)) = compare(game, state, next, name) {
            let first = more.viewed.map(|seen| (seen? < more.marked).then_some(index));
            changes.add(&Changes { first, ..more });
        }
    }
    let shared = same_name(successors, &names).map(|_| index);
    Changes { shared, ..changes }
}

/// The names of the moves from a state.
fn names<G: Notation>(game: &G, state: &G::State, successors: &[G::State]) -> Vec<String> {
    successors.iter().map(|next| game.write_move(state, next)).collect()
}

/// The states that two moves of the same name lead to, and the name.
fn same_name<'s, S: PartialEq>(
    successors: &'s [S],
    names: &'s [String],
) -> Option<(&'s S, &'s S, &'s str)> {
    let (one, other) =
        first_shared(names, &|one, other| successors.get(one) != successors.get(other))?;
    Some((successors.get(one)?, successors.get(other)?, &names[other]))
}

/// The places of two equal names that `differ`: the first one, and the first after it. Compiled once for
/// all games.
fn first_shared(names: &[String], differ: &dyn Fn(usize, usize) -> bool) -> Option<(usize, usize)> {
    let mut named: HashMap<&str, usize> = HashMap::new();
    names.iter().enumerate().find_map(|(at, name)| {
        let first = *named.entry(name).or_insert(at);
        differ(first, at).then_some((first, at))
    })
}

/// The picture before a move, and what the move changes on it; `None` if the move has another name than
/// its places give it, or the same player moves again.
fn compare<G: Notation>(
    game: &G,
    from: &G::State,
    to: &G::State,
    name: &str,
) -> Option<(Changes, Scene)> {
    let (before, after) = (game.scene(from)?, game.scene(to)?);
    let mover = game.named_mover(from);
    if mover.is_some() && game.named_mover(to) == mover {
        return None;
    }
    if before.name_touched(&touched_between(game, from, to)).as_deref() != Some(name) {
        return None;
    }
    let viewed = VIEWS
        .map(|(across, exchanges)| Some(before.differing(&after.seen_across(across, exchanges)?)));
    let marked = before.differing(&after.seen_by_other());
    Some((Changes { moves: 1, marked, viewed, ..Changes::default() }, before))
}

pub(super) fn name_wrong<G: Notation>(
    game: &G,
    state: &G::State,
    successors: &[G::State],
    view: Option<usize>,
) -> Option<String> {
    let names = names(game, state, successors);
    let Some(view) = view else {
        let (one, other, name) = same_name(successors, &names)?;
        let [state, one, other] = [state, one, other].map(|state| game.write_state(state));
        return Some(format!(
            "from {state}, the moves to {one} and to {other} are both named \"{name}\": let \
             `write_move` give each a name of its own"
        ));
    };
    let (across, exchanges) = VIEWS[view];
    let wrong = successors.iter().zip(&names).find_map(|(next, name)| {
        let (changes, scene) = compare(game, state, next, name)?;
        (changes.viewed[view]? < changes.marked).then_some((next, name, scene))
    });
    let (next, name, scene) = wrong?;
    let sees = match across {
        Across::Same => "the same board",
        Across::Turned => "the board turned round",
        Across::Mirrored => "the board with its rows exchanged",
    };
    let colours = if exchanges { "exchanged" } else { "the same" };
    let (places, sides) = (across != Across::Same, exchanges);
    let needs = |is_needed: bool, is_marked: bool, method: &str| match (is_needed, is_marked) {
        (true, false) => Some(format!("mark the scene with `Scene::{method}`")),
        (false, true) => Some(format!("leave out `Scene::{method}`")),
        _ => None,
    };
    let places = match places && scene.has_places_of_mover() {
        true if scene.is_marked_as_seen(across) => None,
        true => Some("let `Scene::set_places_of_mover` give the places of such a board".into()),
        false => needs(places, scene.has_places_of_mover(), "set_places_of_mover"),
    };
    let sides = needs(sides, scene.has_sides_of_mover(), "set_sides_of_mover");
    let advice: Vec<String> = places.into_iter().chain(sides).collect();
    let [from, to] = [state, next].map(|one| game.write_state(one));
    Some(format!(
        "the picture before the move from {from} to {to}, which is named \"{name}\", and those before other \
         moves change less if the other player sees {sees}, with colours {colours}: {}",
        advice.join(" and ")
    ))
}
