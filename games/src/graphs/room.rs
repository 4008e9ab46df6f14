//! Makes room in the layout of a graph: moves nodes away from each other, and from edges that are
//! not their own.

use std::f64::consts::PI;

pub(super) type Point = [f64; 2];
pub(super) type Edge = [usize; 2];

/// The least distance between two nodes, in sides of a cell.
const NODES_APART: f64 = 0.8;

/// The least distance of a node from an edge of others, in sides of a cell. A nearer node seems to
/// be on the edge.
const CLEAR: f64 = 0.45;

/// The least distance that still looks clear.
const JUST_CLEAR: f64 = 0.32;

/// How often nodes are moved at most, and the most pairs of a node and an edge that are compared
/// for it.
const ROUNDS: usize = 80;
const EFFORT: usize = 20_000_000;

/// The farthest that a node is moved at once.
const LONGEST_STEP: f64 = 0.3;

/// The number of directions that are tried for the picture's width.
const DIRECTIONS: u16 = 90;

/// The position of a node beside an edge: the vector from the nearest point of the edge to the
/// node, its length, and the place of this point on the edge, from 0 to 1. `None` if the node is
/// beyond an end, or beyond `reach`.
fn beside(node: Point, [[x1, y1], [x2, y2]]: [Point; 2], reach: f64) -> Option<(Point, f64, f64)> {
    let [x, y] = node;
    let is_far =
        |at: f64, one: f64, other: f64| at < one.min(other) - reach || at > one.max(other) + reach;
    if is_far(x, x1, x2) || is_far(y, y1, y2) {
        return None;
    }
    let [right, down] = [x2 - x1, y2 - y1];
    let along = ((x - x1) * right + (y - y1) * down) / (right * right + down * down).max(1e-9);
    let away = [x - (x1 + along * right), y - (y1 + along * down)];
    let distance = away[0].hypot(away[1]);
    ((0.0..=1.0).contains(&along) && distance < reach).then_some((away, distance, along))
}

/// Moves nodes that are too near to others or to edges, little by little.
pub(super) fn make_room(points: &mut [Point], edges: &[Edge]) {
    let rounds = EFFORT / (points.len() * (points.len() + edges.len())).max(1);
    for _ in 0..rounds.min(ROUNDS) {
        let steps = steps(points, edges);
        let longest = steps.iter().map(|step| step[0].hypot(step[1])).fold(0.0, f64::max);
        if longest < 1e-3 {
            break;
        }
        for (point, step) in points.iter_mut().zip(steps) {
            let part = (LONGEST_STEP / step[0].hypot(step[1]).max(1e-9)).min(1.0);
            *point = [point[0] + part * step[0], point[1] + part * step[1]];
        }
    }
}

/// The step of each node to make room.
fn steps(points: &[Point], edges: &[Edge]) -> Vec<Point> {
    let mut steps = vec![[0.0; 2]; points.len()];
    let mut push = |node: usize, [right, down]: Point, part: f64| {
        steps[node][0] += part * right;
        steps[node][1] += part * down;
    };
    for (node, &point) in points.iter().enumerate() {
        for &[from, to] in edges.iter().filter(|edge| !edge.contains(&node)) {
            let ends = [points[from], points[to]];
            let Some((away, distance, along)) = beside(point, ends, CLEAR) else { continue };
            let away = if distance > 1e-3 {
                away.map(|part| part / distance)
            } else {
                // On the edge itself, both sides are equally good.
                let [right, down] = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
                let length = right.hypot(down).max(1e-9);
                [-down / length, right / length]
            };
            let lack = 0.5 * (CLEAR - distance);
            push(node, away, lack);
            push(from, away, -lack * (1.0 - along));
            push(to, away, -lack * along);
        }
        for (other, &[x, y]) in points[..node].iter().enumerate() {
            let away = [point[0] - x, point[1] - y];
            let distance = away[0].hypot(away[1]).max(1e-6);
            if distance < NODES_APART {
                let part = 0.5 * (NODES_APART - distance) / distance;
                push(node, away, part);
                push(other, away, -part);
            }
        }
    }
    steps
}

/// The number of times that a node seems to be on an edge that is not its own.
pub(super) fn misleading(points: &[Point], edges: &[Edge]) -> usize {
    let on = |node: usize, &[from, to]: &Edge| {
        node != from
            && node != to
            && beside(points[node], [points[from], points[to]], JUST_CLEAR).is_some()
    };
    (0..points.len()).map(|node| edges.iter().filter(|edge| on(node, edge)).count()).sum()
}

/// The points turned so that the picture is small, and wide rather than high. The first point is on
/// the left and in the upper half.
pub(super) fn laid_flat(points: &[Point]) -> Vec<Point> {
    let turned = |direction: u16| -> Vec<Point> {
        let (sine, cosine) = (PI * f64::from(direction) / f64::from(DIRECTIONS)).sin_cos();
        points.iter().map(|[x, y]| [x * cosine - y * sine, x * sine + y * cosine]).collect()
    };
    let mut best = (f64::INFINITY, points.to_vec());
    for turned in (0..DIRECTIONS).map(turned) {
        let [width, height] = [0, 1].map(|axis| {
            let [least, most] = extent(&turned, axis);
            most - least
        });
        // With the border, and slightly better than the best one so far.
        let area = (width + 1.0) * (height + 1.0);
        if width >= height && area < best.0 - 1e-6 {
            best = (area, turned);
        }
    }
    let (_, mut points) = best;
    for axis in 0..2 {
        let sum: f64 = extent(&points, axis).into_iter().sum();
        if points.first().is_some_and(|first| 2.0 * first[axis] > sum) {
            points.iter_mut().for_each(|point| point[axis] = sum - point[axis]);
        }
    }
    points
}

/// The least and the greatest value of one coordinate.
fn extent(points: &[Point], axis: usize) -> [f64; 2] {
    let all = || points.iter().map(|point| point[axis]);
    [all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max)]
}
