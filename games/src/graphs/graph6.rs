//! The format graph6 of McKay's nauty: a simple undirected graph in a word of printable
//! characters, six bits each.
//!
//! The number of nodes comes first: one character up to 62 nodes, or `~` and three. The bits of the
//! upper triangle follow, column by column.

use super::{Lists, MOST_NODES};

/// The header that a file may begin with.
pub(crate) const HEADER: &str = ">>graph6<<";

/// The character of six zero bits, and of six ones.
const LEAST: u8 = b'?';
const MOST: u8 = b'~';

/// The length of a graph of 28 nodes, whose first character is that of lists in JSON.
const LIKE_JSON: usize = 64;

/// Whether a line is a graph in this format, and no list in JSON: it has the header, or no other
/// characters.
pub(super) fn is_graph(line: &str) -> bool {
    let has_characters = || line.bytes().all(|byte| (LEAST..=MOST).contains(&byte));
    let is_list = line.starts_with('[') && line.len() != LIKE_JSON;
    line.starts_with(HEADER) || !line.is_empty() && !is_list && has_characters()
}

/// The neighbours of the nodes of a graph, without the header.
///
/// # Errors
/// The first thing that is wrong, with its column from 1.
pub(super) fn read(word: &str) -> Result<Lists, (usize, String)> {
    let wrong = word.chars().enumerate().find(|(_, letter)| !('?'..='~').contains(letter));
    if let Some((at, letter)) = wrong {
        let problem = format!("{letter:?} is no character of graph6: expected one from ? to ~");
        return Err((at + 1, problem));
    }
    let six = |byte: &u8| usize::from(byte - LEAST);
    let (nodes, bits) = match word.as_bytes() {
        [] => return Err((1, "nothing there: expected a graph in graph6".into())),
        [b'~', b'~', ..] => {
            return Err((1, format!("too many nodes: expected at most {MOST_NODES}")));
        }
        [b'~', a, b, c, bits @ ..] => (six(a) << 12 | six(b) << 6 | six(c), bits),
        [b'~', rest @ ..] => {
            let found = rest.len();
            return Err((1, format!("{found} characters behind ~: expected at least 3")));
        }
        [nodes, bits @ ..] => (six(nodes), bits),
    };
    if nodes > MOST_NODES {
        return Err((1, format!("{nodes} nodes: expected at most {MOST_NODES}")));
    }
    let pairs = nodes * nodes.saturating_sub(1) / 2;
    let (found, expected) = (bits.len(), pairs.div_ceil(6));
    if found != expected {
        let problem = format!(
            "{found} characters behind the number of nodes: expected {expected} for {nodes} nodes"
        );
        return Err((word.len() - found + found.min(expected) + 1, problem));
    }
    let mut lists = vec![Vec::new(); nodes];
    let mut pair = 0;
    for column in 1..nodes {
        for row in 0..column {
            if six(&bits[pair / 6]) >> (5 - pair % 6) & 1 == 1 {
                lists[row].push(column as i64);
                lists[column].push(row as i64);
            }
            pair += 1;
        }
    }
    Ok(lists)
}

/// A graph as a word, without the header. `None` if it has more nodes than [`read`] takes, or an edge
/// to no node.
pub(super) fn write(lists: &[Vec<i64>]) -> Option<String> {
    let nodes = lists.len();
    let six = |bits: usize| char::from(LEAST + (bits & 63) as u8);
    let mut word = match nodes {
        0..=62 => String::from(six(nodes)),
        63..=MOST_NODES => ['~', six(nodes >> 12), six(nodes >> 6), six(nodes)].iter().collect(),
        _ => return None,
    };
    let pairs = nodes * nodes.saturating_sub(1) / 2;
    let mut bits = vec![0; pairs.div_ceil(6)];
    for (column, list) in lists.iter().enumerate() {
        for &row in list {
            let row = usize::try_from(row).ok().filter(|&row| row < nodes)?;
            if row < column {
                let pair = column * (column - 1) / 2 + row;
                bits[pair / 6] |= 1 << (5 - pair % 6);
            }
        }
    }
    word.extend(bits.into_iter().map(six));
    Some(word)
}
