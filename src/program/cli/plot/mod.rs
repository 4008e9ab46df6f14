//! Plots of how many positions are won and lost at each distance, or by each number of points, as SVG
//! and as a page.

mod page;

pub(super) use page::page;

use std::fmt::Write as _;

use indicatif::HumanCount;

use crate::game::scene::Escaped;
use crate::game::summary::{AtDistance, Summary};
use crate::program::cli::output::{number_of, plies};

/// The colours of the plot, in light and in dark surroundings.
const STYLE: &str = include_str!("plot.css");

/// The size of the picture, and the room around what is plotted.
const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 130.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 76.0;
const BOTTOM: f64 = 52.0;

/// The height of the wins, and of the losses below them.
const HALF: f64 = (HEIGHT - TOP - BOTTOM) / 2.0;

/// Where wins end and losses begin.
const BASE: f64 = TOP + HALF;

/// How high the bar of one position is, in powers of ten.
const ONE: f64 = 0.35;

/// The widest bar.
const WIDEST: f64 = 28.0;

/// Why there is nothing to plot.
const NO_DISTANCE: &str = "No position has a distance: none is won or lost by force.";
const NO_POINTS: &str = "No position is won or lost.";

/// The bars of a plot, from left to right.
struct Bars {
    /// What they count by, as an axis says it.
    axis: &'static str,
    rows: Vec<Row>,
}

/// The bars at one place.
struct Row {
    /// The plies, or the points that are won or lost by.
    at: u32,
    /// The place in words.
    name: String,
    won: u64,
    lost: u64,
}

impl Bars {
    /// The bars of a table: by points where it has points, else by distance.
    fn new(summary: &Summary) -> Bars {
        if summary.points.is_empty() {
            let row = |at: &AtDistance| Row {
                at: at.plies,
                name: plies(at.plies),
                won: at.won,
                lost: at.lost,
            };
            return Bars { axis: "plies", rows: summary.distances.iter().map(row).collect() };
        }
        let most = summary.points.iter().map(|at| at.points.unsigned_abs()).max().unwrap_or(0);
        let count = |points: i32| {
            let found = summary.points.iter().find(|at| i32::from(at.points) == points);
            found.map_or(0, |at| at.states)
        };
        let row = |points: u16| {
            let [won, lost] = [i32::from(points), -i32::from(points)].map(count);
            let name = format!("by {points} point{}", if points == 1 { "" } else { "s" });
            Row { at: points.into(), name, won, lost }
        };
        let rows = (1..=most).map(row).filter(|row| row.won > 0 || row.lost > 0);
        Bars { axis: "points", rows: rows.collect() }
    }
}

/// The most figures at an axis.
const FIGURES_ACROSS: u32 = 16;
const FIGURES_UP: i32 = 6;

/// The wins of the player to move upwards and the losses downwards, at each distance or by each number
/// of points, on a logarithmic scale. `name` says which game or tier it is of.
pub(super) fn svg(name: &str, summary: &Summary) -> String {
    let (title, description) = (title(name, summary), description(summary));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\" aria-label=\"{0}\">\n<title>{0}</title>\n<desc>{1}</desc>\n\
         <style>{STYLE}</style>\n<rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n",
        Escaped(&title),
        Escaped(&description),
    );
    text(&mut svg, "heading", LEFT, 30.0, &title);
    text(&mut svg, "", LEFT, 52.0, &description);
    let bars = Bars::new(summary);
    match bars.rows.last() {
        Some(last) => draw(&mut svg, &bars, last.at),
        None => {
            let middle = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
            let nothing = if summary.points.is_empty() { NO_DISTANCE } else { NO_POINTS };
            text(&mut svg, "middle", middle, BASE, nothing);
        }
    }
    svg + "</svg>\n"
}

/// What is plotted: a game or a tier, its states, and its longest win.
fn title(name: &str, summary: &Summary) -> String {
    let longest = summary
        .longest()
        .map_or(String::new(), |longest| format!(", longest win {}", plies(longest)));
    format!("{name}: {}{longest}", number_of(summary.states(), "position"))
}

/// The figures in one sentence.
fn description(summary: &Summary) -> String {
    let [won, lost, drawn] = [summary.won(), summary.lost(), summary.draws()].map(HumanCount);
    format!("For the player to move, {won} are won, {lost} are lost and {drawn} are drawn.")
}

fn text(svg: &mut String, class: &str, x: f64, y: f64, text: &str) {
    let text = Escaped(text);
    let _ = writeln!(svg, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>");
}

fn line(svg: &mut String, class: &str, y: f64) {
    let right = WIDTH - RIGHT;
    let _ = writeln!(
        svg,
        "<line class=\"{class}\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/>"
    );
}

/// Draws the axes and the bars. `longest` is the last place.
fn draw(svg: &mut String, Bars { axis, rows }: &Bars, longest: u32) {
    let most = rows.iter().map(|row| row.won.max(row.lost)).max().unwrap_or(0);
    // A plot of single positions is not as high as the picture.
    let powers = (most.max(10) as f64).log10();
    let height = |count: u64| match count {
        0 => 0.0,
        count => ((count as f64).log10() + ONE) / (powers + ONE) * HALF,
    };
    let last = powers.floor() as i32;
    let step = (last / FIGURES_UP + 1) as usize;
    for power in (0..=last).step_by(step) {
        let up = (f64::from(power) + ONE) / (powers + ONE) * HALF;
        for y in [BASE - up, BASE + up] {
            line(svg, "grid", y);
            text(svg, "end", LEFT - 8.0, y + 4.5, &power_of_ten(power));
        }
    }
    let upright = |svg: &mut String, class: &str, x: f64, y: f64, text: &str| {
        let _ = writeln!(
            svg,
            "<text class=\"middle {class}\" transform=\"translate({x} {y}) \
             rotate(-90)\">{text}</text>"
        );
    };
    upright(svg, "", 18.0, BASE, "positions (log scale)");
    upright(svg, "won", 40.0, BASE - HALF / 2.0, "won");
    upright(svg, "lost", 40.0, BASE + HALF / 2.0, "lost");
    let slot = (WIDTH - LEFT - RIGHT) / (f64::from(longest) + 1.0);
    let middle = |plies: u32| LEFT + (f64::from(plies) + 0.5) * slot;
    let width = (0.8 * slot).min(WIDEST);
    for Row { at, name, won, lost } in rows {
        let (up, down) = (height(*won), height(*lost));
        let [won, lost] = [*won, *lost].map(HumanCount);
        let _ = write!(svg, "<g class=\"at\"><title>{name}: {won} won, {lost} lost</title>");
        let left = middle(*at) - width / 2.0;
        for (class, top, height) in [("won", BASE - up, up), ("lost", BASE, down)] {
            if height > 0.0 {
                let _ = write!(
                    svg,
                    "<rect class=\"{class}\" x=\"{left:.2}\" y=\"{top:.1}\" width=\"{width:.2}\" \
                     height=\"{height:.1}\"/>"
                );
            }
        }
        svg.push_str("</g>\n");
    }
    line(svg, "axis", BASE);
    for plies in (0..=longest).step_by(step_across(longest) as usize) {
        text(svg, "middle", middle(plies), TOP + 2.0 * HALF + 18.0, &plies.to_string());
    }
    text(svg, "middle", LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 10.0, axis);
}

/// How far apart the figures below are: 1, 2 or 5 times a power of ten.
fn step_across(longest: u32) -> u32 {
    let mut step = 1;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
        if longest / step < FIGURES_ACROSS {
            break;
        }
        step = (f64::from(step) * factor) as u32;
    }
    step
}

/// A power of ten in words and figures.
fn power_of_ten(power: i32) -> String {
    let (divided, unit) = match power {
        ..6 => (power, ""),
        6..9 => (power - 6, " million"),
        9..12 => (power - 9, " billion"),
        _ => return format!("1e{power}"),
    };
    format!("{}{unit}", HumanCount(10_u64.pow(divided.max(0) as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::summary::{AtPoints, Tally};

    fn summary(distances: &[(u32, u64, u64)]) -> Summary {
        let tally = Tally {
            won: distances.iter().map(|at| at.1).sum(),
            lost: distances.iter().map(|at| at.2).sum(),
            drawn: 5,
            ..Tally::default()
        };
        let at = |&(plies, won, lost): &(u32, u64, u64)| AtDistance { plies, won, lost };
        let distances = distances.iter().map(at).collect();
        Summary { by_mover: [tally, Tally::default()], distances, ..Summary::default() }
    }

    /// The numbers of an attribute of the elements of a class.
    fn numbers(svg: &str, class: &str, attribute: &str) -> Vec<f64> {
        let elements =
            svg.split('<').filter(|text| text.starts_with(&format!("rect class=\"{class}\"")));
        let value = |text: &str| {
            let (_, behind) = text.split_once(&format!(" {attribute}=\"")).unwrap();
            behind.split('"').next().unwrap().parse().unwrap()
        };
        elements.map(value).collect()
    }

    #[test]
    fn every_distance_has_a_bar_upwards_for_wins_and_downwards_for_losses() {
        let svg = svg("a <game>", &summary(&[(0, 1, 10), (1, 1_000, 0), (7, 0, 1)]));
        assert_eq!(svg.matches("<g class=\"at\">").count(), 3);
        assert!(svg.contains("7 plies: 0 won, 1 lost") && svg.contains(">plies<"), "{svg}");
        assert!(svg.contains("a &lt;game&gt;: 1,017 positions, longest win 7 plies"), "{svg}");
        let (won, lost) = (numbers(&svg, "won", "height"), numbers(&svg, "lost", "height"));
        // A power of ten is as high wherever it begins, and the highest bar fills its half.
        assert_eq!((won.len(), lost.len()), (2, 2));
        assert!((won[0] - lost[1]).abs() < 0.1, "{won:?} {lost:?}");
        assert!((won[1] - HALF).abs() < 0.1 && lost[0] > lost[1], "{won:?} {lost:?}");
        assert!(numbers(&svg, "won", "y").iter().all(|y| *y < BASE));
        assert!(numbers(&svg, "lost", "y").iter().all(|y| *y == BASE));
        let places = numbers(&svg, "lost", "x");
        assert!(places[0] > LEFT && places[1] < WIDTH - RIGHT, "{places:?}");
    }

    #[test]
    fn a_table_without_distances_says_so() {
        let svg = svg("game", &summary(&[]));
        assert!(svg.contains(NO_DISTANCE) && !svg.contains("class=\"at\""), "{svg}");
    }

    #[test]
    fn figures_at_the_axes_are_round_and_few() {
        for (longest, step) in
            [(0, 1), (15, 1), (16, 2), (31, 2), (32, 5), (130, 10), (16_383, 2_000)]
        {
            assert_eq!(step_across(longest), step, "{longest}");
        }
        let names: Vec<String> = [0, 3, 5, 6, 8, 10, 19].map(power_of_ten).into();
        assert_eq!(
            names,
            ["1", "1,000", "100,000", "1 million", "100 million", "10 billion", "1e19"]
        );
    }

    #[test]
    fn points_are_plotted_in_place_of_plies() {
        let at = |points, states| AtPoints { points, states };
        let points = vec![at(-4, 7), at(-1, 1), at(0, 9), at(4, 1_000)];
        let of_kalah = Summary { points, ..summary(&[(3, 5, 0)]) };
        let svg = svg("kalah", &of_kalah);
        assert!(svg.contains("by 4 points: 1,000 won, 7 lost"), "{svg}");
        assert!(svg.contains("by 1 point: 0 won, 1 lost"), "{svg}");
        assert!(svg.contains(">points</text>") && !svg.contains(">plies</text>"), "{svg}");
        assert_eq!(numbers(&svg, "won", "height").len(), 1);
    }
}
