//! `explore`: counts the reachable states of a game without solving it.

use serde_json::{Value as Json, json};

use crate::program::{SMALL_GRAPH, retrograde};

#[test]
fn tic_tac_toe_is_explored_ply_by_ply() {
    // Published: 5,478 positions and 16,167 moves. The positions by plies are 1, 9, 72, 252, 756,
    // 1260, 1520, 1140, 390, 78.
    let by_ply = [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78];
    for threads in ["1", "3"] {
        let statistics = retrograde(&["explore", "mnk", "--json", "--threads", threads]).json();
        let states: Vec<u64> = statistics["plies"]
            .as_array()
            .unwrap()
            .iter()
            .map(|ply| ply["states"].as_u64().unwrap())
            .collect();
        assert_eq!(states, by_ply);
        assert_eq!((&statistics["game"], &statistics["states"]), (&json!("mnk"), &json!(5478)));
        assert_eq!((&statistics["moves"], &statistics["terminal"]), (&json!(16_167), &json!(958)));
        assert_eq!(statistics["widest"], json!({ "ply": 6, "states": 1520 }));
        assert_eq!(
            (&statistics["fewest_moves"], &statistics["most_moves"]),
            (&json!(1), &json!(9))
        );
        let mean = statistics["mean_moves"].as_f64().unwrap();
        assert!((mean - 16_167.0 / (5478.0 - 958.0)).abs() < 1e-9);
    }
    let text = retrograde(&["explore", "mnk"]).answer();
    for part in ["mnk: 5,478 states explored in ", "widest, at ply 6", "1,520", "16,167"] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn a_game_with_its_own_numbering_is_explored_from_its_start() {
    let explore = |options: &[&str]| {
        let explore = ["explore", "cat-mouse", "--json", "-q", "--graph"];
        retrograde(&[&explore[..], options].concat()).json()
    };
    let statistics = explore(&[SMALL_GRAPH]);
    // Mouse 1, cat 2, mouse to move: it goes to the hole or to node 3, and so on.
    let by_hand = reached_by_hand();
    let plies: Vec<&Json> = statistics["plies"].as_array().unwrap().iter().collect();
    assert_eq!(plies.iter().map(|ply| &ply["states"]).collect::<Vec<_>>(), by_hand);
    assert_eq!(statistics["longest_shortest_path"], json!(by_hand.len() - 1));
}

/// The numbers of positions of the small graph by ply, from a search of the test's own.
fn reached_by_hand() -> Vec<u64> {
    let graph: [&[u8]; 4] = [&[1, 3], &[0], &[3], &[0, 2]];
    let mut seen = vec![(1, 2, true)];
    let mut ply = seen.clone();
    let mut counts = Vec::new();
    while !ply.is_empty() {
        counts.push(ply.len() as u64);
        let mut next = Vec::new();
        for &(mouse, cat, mouse_moves) in &ply {
            if mouse == 0 || mouse == cat {
                continue;
            }
            for &to in graph[usize::from(if mouse_moves { mouse } else { cat })] {
                let after = if mouse_moves { (to, cat, false) } else { (mouse, to, true) };
                if (mouse_moves || to != 0) && !seen.contains(&after) {
                    seen.push(after);
                    next.push(after);
                }
            }
        }
        ply = next;
    }
    counts
}
