//! Graphs as people give them: JSON lists of neighbours, edge lists, DIMACS and graph6.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::graph6;
use super::{Lists, MOST_NODES};

/// The neighbours of the nodes of a graph in JSON.
///
/// # Errors
/// When it is no list of lists of numbers: with the line and the column.
pub(crate) fn lists_of_json(text: &str) -> Result<Lists, String> {
    let lists: Vec<Vec<Node>> = serde_json::from_str(text).map_err(|error| {
        format!("expected a list of lists of nodes like [[1,3],[0],[3],[0,2]]: {error}")
    })?;
    Ok(lists.into_iter().map(|list| list.into_iter().map(|node| node.0).collect()).collect())
}

/// The neighbours of the nodes of a graph in any format, which its first line tells.
///
/// # Errors
/// The first thing that is wrong, with its line and column.
pub(crate) fn lists_of_text(text: &str, directed: bool) -> Result<Lists, String> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().map_or("", str::trim);
    if graph6::is_graph(first) {
        if lines.next().is_some() {
            return Err("line 2: expected one graph; for a file of many, use --graphs".into());
        }
        return lists_of_word(first, directed).map_err(|error| format!("line 1, {error}"));
    }
    if first.starts_with('[') {
        return lists_of_json(text);
    }
    match first.starts_with("c ") || first.starts_with("p ") {
        true => Edges::of_dimacs(text, directed),
        false => Edges::of_list(text, directed),
    }
}

/// The neighbours of the nodes of a graph in graph6, with the header or without, or in JSON.
///
/// # Errors
/// The first thing that is wrong, with its column.
pub(crate) fn lists_of_word(word: &str, directed: bool) -> Result<Lists, String> {
    if word.starts_with('[') && !graph6::is_graph(word) {
        return lists_of_json(word);
    }
    if directed {
        return Err("column 1: graphs in graph6 have no directions: leave out --directed".into());
    }
    let header = if word.starts_with(graph6::HEADER) { graph6::HEADER.len() } else { 0 };
    let in_column = |(column, error)| format!("column {}: {error}", column + header);
    graph6::read(&word[header..]).map_err(in_column)
}

/// A graph in a word: in graph6, or in JSON if its edges lead one way only.
pub(crate) fn written(lists: &[Vec<i64>], directed: bool) -> String {
    let written = if directed { None } else { graph6::write(lists) };
    written.unwrap_or_else(|| {
        let lists = lists.iter().map(|list| {
            format!("[{}]", list.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
        });
        format!("[{}]", lists.collect::<Vec<_>>().join(","))
    })
}

/// The edges of a graph, as they are read line by line.
struct Edges {
    lists: Lists,
    directed: bool,
}

impl Edges {
    /// Reads a line `FROM TO` for each edge, nodes from 0. A node alone in its line is a node, and
    /// what follows `#` is a comment.
    fn of_list(text: &str, directed: bool) -> Result<Lists, String> {
        let mut edges = Edges { lists: Vec::new(), directed };
        let most = MOST_NODES - 1;
        for (number, line) in text.lines().enumerate() {
            let words = Words { number: number + 1, line };
            let found: Vec<(usize, &str)> =
                words.all(line.split('#').next().unwrap_or("")).collect();
            let node = |place| words.number_in(place, 0, most, "a node");
            match found[..] {
                [] => {}
                [one] => edges.reach(node(one)?),
                [from, to] => edges.join(&words, from.0, [node(from)?, node(to)?])?,
                [_, _, third, ..] => {
                    let expected = "expected the two nodes of an edge";
                    return Err(words.wrong(third, expected));
                }
            }
        }
        Ok(edges.finish())
    }

    /// Reads DIMACS: `c` a comment, `p edge NODES EDGES` first, and `e FROM TO` for each edge, nodes
    /// from 1. The number of edges is not looked at: files count them once or twice.
    fn of_dimacs(text: &str, directed: bool) -> Result<Lists, String> {
        let mut edges = Edges { lists: Vec::new(), directed };
        let mut nodes = None;
        for (number, line) in text.lines().enumerate() {
            let words = Words { number: number + 1, line };
            let found: Vec<(usize, &str)> = words.all(line).collect();
            match (&found[..], nodes) {
                ([], _) | ([(_, "c"), ..], _) => {}
                ([(_, "p"), _, count, ..], None) => {
                    let count = words.number_in(*count, 0, MOST_NODES, "the number of nodes")?;
                    edges.lists.resize(count, Vec::new());
                    nodes = Some(count);
                }
                ([(_, "e" | "a"), from, to], Some(nodes)) => {
                    let node = |place| words.number_in(place, 1, nodes, "a node");
                    let ends = [node(*from)? - 1, node(*to)? - 1];
                    edges.join(&words, from.0, ends)?;
                }
                ([first, ..], None) => {
                    return Err(words.wrong(*first, "expected a line p edge NODES EDGES first"));
                }
                ([first, ..], Some(_)) => {
                    return Err(words.wrong(*first, "expected an edge: e FROM TO"));
                }
            }
        }
        match nodes {
            Some(_) => Ok(edges.finish()),
            None => Err("expected a line p edge NODES EDGES".into()),
        }
    }

    /// Makes sure that the node is there.
    fn reach(&mut self, node: usize) {
        if self.lists.len() <= node {
            self.lists.resize(node + 1, Vec::new());
        }
    }

    fn join(&mut self, words: &Words<'_>, at: usize, ends: [usize; 2]) -> Result<(), String> {
        let [from, to] = ends;
        if from == to {
            let problem = "an edge from a node to itself: expected none";
            return Err(format!("{}: {problem}", words.place(at)));
        }
        self.reach(from.max(to));
        self.lists[from].push(to as i64);
        if !self.directed {
            self.lists[to].push(from as i64);
        }
        Ok(())
    }

    /// The lists, where an edge that was given twice, or from both ends, is once.
    fn finish(mut self) -> Lists {
        for list in &mut self.lists {
            list.sort_unstable();
            list.dedup();
        }
        self.lists
    }
}

/// A line, whose words are numbers.
struct Words<'t> {
    /// The number of the line, from 1.
    number: usize,
    line: &'t str,
}

impl<'t> Words<'t> {
    /// The words of a beginning of the line, each with the byte where it begins.
    fn all(&self, part: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
        let start = self.line.as_ptr() as usize;
        part.split_whitespace().map(move |word| (word.as_ptr() as usize - start, word))
    }

    fn place(&self, at: usize) -> String {
        let column = self.line[..at].chars().count() + 1;
        format!("line {}, column {column}", self.number)
    }

    fn wrong(&self, (at, word): (usize, &str), expected: &str) -> String {
        let short: String = word.chars().take(20).collect();
        format!("{}: {short:?}: {expected}", self.place(at))
    }

    fn number_in(
        &self,
        word: (usize, &str),
        least: usize,
        most: usize,
        what: &str,
    ) -> Result<usize, String> {
        match usize::from_str(word.1) {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(self.wrong(word, &format!("expected {what} from {least} to {most}"))),
        }
    }
}

/// The number of a node as a person writes it. It may be wrong in any way.
struct Node(i64);

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl Visitor<'_> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number of a node")
    }

    fn visit_i64<E: Error>(self, node: i64) -> Result<Node, E> {
        Ok(Node(node))
    }

    fn visit_u64<E: Error>(self, node: u64) -> Result<Node, E> {
        Ok(Node(i64::try_from(node).unwrap_or(i64::MAX)))
    }
}
