//! `docs/park.svg`: a position of the README's Cat and Mouse, and what each of its moves is worth.
//! `docs/park.url` is the same picture as a link, for pages that can have no files beside them.

use std::fmt::Write;

use serde_json::Value;

use crate::{check_or_bless, printed, read, run};

/// Where each node is drawn.
const NODES: [(i32, i32); 11] = [
    (50, 130),  // 0, the hole
    (420, 60),  // 1
    (590, 200), // 2
    (330, 100), // 3
    (330, 30),  // 4
    (240, 65),  // 5
    (150, 130), // 6
    (370, 200), // 7
    (450, 135), // 8
    (480, 200), // 9
    (250, 200), // 10
];

/// Where the value of the move to a node is written: right of it, or below it.
const BESIDE: [usize; 1] = [8];

/// The position in the picture.
const POSITION: (usize, usize) = (7, 2);

#[test]
fn the_picture_shows_what_the_table_says() {
    let readme = read("README.md");
    let solve = readme.lines().find_map(|line| line.strip_prefix("$ retrograde solve cat-mouse "));
    let solve = solve.expect("the README solves Cat and Mouse");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = run(&format!("retrograde solve cat-mouse {solve}"), folder.path(), 80);
    assert!(made.status.success());
    let graph = solve.split('\'').nth(1).expect("a graph in quotes");
    let edges: Vec<Vec<usize>> = serde_json::from_str(graph).expect("a graph");
    let (mouse, cat) = POSITION;
    let moves = format!("retrograde moves park.rtb {mouse},{cat},mouse --json");
    let moves = printed(&moves, folder.path(), 80);
    let picture = draw(&edges, &serde_json::from_str(&moves).expect("JSON"));
    check_or_bless("docs/park.svg", &picture);
    check_or_bless("docs/park.url", &as_link(&picture));
}

fn draw(edges: &[Vec<usize>], answer: &Value) -> String {
    let (mouse, cat) = POSITION;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"660\" height=\"290\" viewBox=\"0 0 660 290\" \
         font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\">\n\
         <defs>\n\
         <marker id=\"m\" orient=\"auto\" refX=\"4\" refY=\"3\" markerWidth=\"5\" markerHeight=\"6\">\
         <path d=\"M0 0 5 3 0 6z\" fill=\"#0b5fa5\"/></marker>\n\
         <marker id=\"c\" orient=\"auto\" refX=\"4\" refY=\"3\" markerWidth=\"5\" markerHeight=\"6\">\
         <path d=\"M0 0 5 3 0 6z\" fill=\"#b34700\"/></marker>\n\
         </defs>\n\
         <rect width=\"660\" height=\"290\" rx=\"8\" fill=\"#fff\"/>\n",
    );
    let title = format!("mouse to move: {}", worth(&answer["position"]));
    let _ = writeln!(svg, "<text x=\"330\" y=\"275\" font-weight=\"bold\">{title}</text>");
    for (from, targets) in edges.iter().enumerate() {
        for &to in targets.iter().filter(|to| **to > from) {
            let ((x1, y1), (x2, y2)) = (NODES[from], NODES[to]);
            let _ = writeln!(
                svg,
                "<path d=\"M{x1} {y1} {x2} {y2}\" stroke=\"#999\" stroke-width=\"2\"/>"
            );
        }
    }
    for step in answer["moves"].as_array().expect("a list of moves") {
        let to = step["state"].as_str().and_then(|state| state.split(',').next());
        let to: usize = to.and_then(|node| node.parse().ok()).expect("the mouse's node");
        svg += &arrow(mouse, to, step);
    }
    for (node, (x, y)) in NODES.into_iter().enumerate() {
        let (fill, ink, text) = match node {
            0 => ("#444", "#fff", "hole".to_owned()),
            _ if node == mouse => ("#0b5fa5", "#fff", "mouse".to_owned()),
            _ if node == cat => ("#b34700", "#fff", "cat".to_owned()),
            _ => ("#eee", "#222", node.to_string()),
        };
        let radius = if text.len() > 2 { 24 } else { 15 };
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>");
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" fill=\"{ink}\">{text}</text>", y + 5);
        if text.len() > 2 {
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" fill=\"#222\">{node}</text>", y - 29);
        }
    }
    svg + "</svg>\n"
}

/// The arrow of a move, and what the move is worth.
fn arrow(from: usize, to: usize, step: &Value) -> String {
    let ((x1, y1), (x2, y2)) = (NODES[from], NODES[to]);
    let (dx, dy) = (f64::from(x2 - x1), f64::from(y2 - y1));
    let part = 1.0 - 20.0 / dx.hypot(dy);
    let end = (f64::from(x1) + part * dx, f64::from(y1) + part * dy);
    let (color, head) =
        if step["outcome"] == "mouse" { ("#0b5fa5", "m") } else { ("#b34700", "c") };
    let (x, y, anchor) = match BESIDE.contains(&to) {
        true => (x2 + 22, y2 + 5, "start"),
        false => (x2, y2 + 34, "middle"),
    };
    format!(
        "<path d=\"M{x1} {y1} {:.0} {:.0}\" stroke=\"{color}\" stroke-width=\"4\" \
         marker-end=\"url(#{head})\"/>\n\
         <text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{color}\">{}</text>\n",
        end.0,
        end.1,
        worth(step)
    )
}

fn worth(value: &Value) -> String {
    let (winner, plies) = (&value["outcome"], &value["plies"]);
    let unit = if *plies == 1 { "ply" } else { "plies" };
    format!("{} wins in {plies} {unit}", winner.as_str().expect("a winner"))
}

/// The picture as a `data:` link, by which the definition of a link in a page can name it.
fn as_link(svg: &str) -> String {
    let mut link = String::from("data:image/svg+xml,");
    for byte in svg.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'/' | b':' | b'=' | b',' => {
                link.push(byte.into());
            }
            _ => {
                let _ = write!(link, "%{byte:02X}");
            }
        }
    }
    link + "\n"
}
