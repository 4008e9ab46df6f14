//! Small games with points whose values can be seen by eye.

use kit::random_game::{Mirror, NONE, State};
use retrograde::scheme::{Dense, Tiers};
use retrograde::{Outcome, Player, Solver, Value};

use super::compare::solved;
use super::game::{FOLDED, Move, Node, Plan, PointGame, Recipe};

use Player::{First, Second};

/// A node of `owner` with moves, each to a node with a gain.
pub(crate) fn moves(owner: Player, moves: &[(u16, i16)]) -> Node {
    let step = |&(to, gain): &(u16, i16)| Move { to, flip: false, gain };
    let moves = moves.iter().map(step).collect();
    Node { owner, terminal: None, early: false, moves, stuck: Outcome::Draw }
}

/// A node where play is over, with points for its owner.
pub(crate) fn end(owner: Player, points: i16) -> Node {
    Node { terminal: Some(Outcome::Points(points)), ..moves(owner, &[]) }
}

/// A game of these nodes in two tiers: half of the nodes in each, the earlier first.
pub(crate) fn in_two_tiers(nodes: Vec<Node>) -> Plan {
    let recipe = Recipe {
        seed: 0,
        nodes: nodes.len(),
        tiers: 2,
        mirror: Mirror::None,
        doubles: true,
        gains: true,
        degree: false,
        most: None,
    };
    Plan { recipe, nodes }
}

/// The values of such a game.
fn values(nodes: Vec<Node>) -> Vec<Value> {
    let plan = in_two_tiers(nodes);
    let game = PointGame::<NONE, false, FOLDED>(plan.clone());
    let solution = Solver::new(&game).solve_as::<Tiers<Dense>>().unwrap();
    let state = |node| State { node, flipped: false };
    let values: Vec<Value> =
        (0..plan.nodes.len() as u16).map(|node| solution.value(&state(node)).unwrap()).collect();
    let expected: Vec<Value> = solved(&plan, true).into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, expected);
    values
}

fn points(points: i16, plies: u32) -> Value {
    Value::Points { points, plies }
}

#[test]
fn what_is_gained_before_play_goes_on_for_ever_takes_one_ply() {
    let values = values(vec![
        moves(First, &[(1, 0)]),
        moves(Second, &[(0, 0)]),
        moves(First, &[(0, 2)]),
        moves(Second, &[(0, 0)]),
    ]);
    assert_eq!(values, [Value::Endless, Value::Endless, points(2, 1), Value::Endless]);
}

#[test]
fn gains_and_later_losses_may_cancel_out() {
    let values = values(vec![
        end(Second, 2),
        end(Second, -2),
        moves(First, &[(0, 2)]),
        moves(First, &[(1, -2), (2, 0)]),
    ]);
    assert_eq!(values, [points(2, 0), points(-2, 0), points(0, 1), points(0, 2)]);
}

#[test]
fn a_player_rather_goes_on_for_ever_than_lose_points() {
    let values = values(vec![
        end(Second, 1),
        end(Second, 0),
        moves(First, &[(3, 0), (0, 0), (0, 0)]),
        moves(Second, &[(2, 0)]),
    ]);
    assert_eq!(values[2..], [Value::Endless, Value::Endless]);
}

#[test]
fn a_draw_that_either_player_may_avoid_by_endless_play_is_endless() {
    let values = values(vec![
        end(Second, 0),
        end(Second, 0),
        moves(First, &[(3, 0), (0, 0)]),
        moves(Second, &[(2, 0)]),
    ]);
    assert_eq!(values[2..], [Value::Endless, Value::Endless]);
}

#[test]
fn who_gains_hurries_and_the_other_delays() {
    let values = values(vec![
        end(Second, -3),
        end(Second, -3),
        end(Second, -2),
        end(Second, -3),
        // The first player gains 3 points at once, or later.
        moves(First, &[(5, 0), (0, 0), (2, 1)]),
        // The second player delays the loss by a ply, and may not give more.
        moves(Second, &[(4, 0), (0, -3)]),
        moves(Second, &[(3, 3), (5, 0)]),
        moves(First, &[(6, 0)]),
    ]);
    assert_eq!(values[4..], [points(3, 1), points(-3, 2), points(0, 1), points(0, 2)]);
}

#[test]
fn a_player_who_is_to_move_again_keeps_the_points() {
    let values = values(vec![
        end(First, 1),
        end(First, -1),
        moves(First, &[(0, 1), (1, 3)]),
        moves(First, &[(2, 0)]),
    ]);
    assert_eq!(values[2..], [points(2, 1), points(2, 2)]);
}
