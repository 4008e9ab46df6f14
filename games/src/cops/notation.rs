//! How people write the positions of cops and robbers, and what they look like.

use retrograde::board;
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{Notation, NotationError, Player};

use super::placings::Cops as Nodes;
use super::{Beat, COPS, Cops, MOST_COPS, NOWHERE, Passing, ROBBER};
use crate::graphs::picture;
use crate::shared;

/// A policeman's cap: a path in a square of 100 by 100, whose gaps run the other way round.
const CAP: &str = "M6 40Q12 22 50 16Q88 22 94 40L80 56Q50 48 20 56zM20 62Q50 54 80 62L78 74Q90 76 92 84 \
    Q50 74 8 84Q10 76 22 74zM50 26L44 40L50 44L56 40z";

/// A mask over the eyes of a face.
const MASK: &str = "M50 8a42 42 0 1 0 0.1 0zM14 36Q50 28 86 36Q88 60 70 60Q56 60 50 50Q44 60 30 60Q12 60 14 36z \
    M36 76Q50 68 64 76L62 80Q50 74 38 80z";

/// The names of the cops, who are pieces of their own: several may be on one node.
const NAMES: [&str; MOST_COPS] =
    ["cop", "second cop", "third cop", "fourth cop", "fifth cop", "sixth cop"];

/// The cop of this number in ascending order of the nodes.
fn cop(number: usize) -> Piece {
    Piece::disc(NAMES[number]).with_path(CAP).of(COPS)
}

fn robber() -> Piece {
    Piece::disc("robber").with_path(MASK).of(ROBBER)
}

/// A sorted list in words: `0+3`.
fn written(nodes: &[u16]) -> String {
    nodes.iter().map(u16::to_string).collect::<Vec<_>>().join("+")
}

/// The nodes that are in one sorted list and not in the other, as often as they are there more.
fn without(nodes: &[u16], others: &[u16]) -> Vec<u16> {
    let mut left = others.to_vec();
    let is_more = |node: &&u16| match left.iter().position(|other| other == *node) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    };
    nodes.iter().filter(is_more).copied().collect()
}

impl Cops {
    /// The graph without anybody, if there is a picture of it.
    fn drawn_graph(&self) -> Option<&Scene> {
        self.drawn.get_or_init(|| picture(&self.graph)).as_ref()
    }

    fn parse_node(&self, text: &str) -> Result<u16, NotationError> {
        let last = self.graph.nodes() - 1;
        match text.trim().parse() {
            Ok(node) if usize::from(node) <= last => Ok(node),
            _ => {
                let message = format!("\"{text}\" is not a node: the nodes are 0 to {last}");
                Err(NotationError::new(message))
            }
        }
    }

    /// The state of cops on these nodes, if they are there, and a robber on that one.
    fn placed(
        &self,
        nodes: &[u16],
        robber: Option<u16>,
        turn: Player,
    ) -> Result<Beat, NotationError> {
        let (expected, found) = (self.cops, nodes.len());
        let problem = match (found, robber, turn) {
            (0, None, Player::First) => return Ok(self.start()),
            (0, None, Player::Second) => "the cops choose their nodes before the robber".to_owned(),
            (0, Some(_), _) => "the robber is there before the cops".to_owned(),
            _ if found != expected => {
                let [found, expected] =
                    [found, expected].map(|cops| shared::number_of(cops as u32, "cop", "cops"));
                format!("{found}, but the game has {expected}")
            }
            (_, None, Player::First) => "the robber chooses a node before the cops move".to_owned(),
            _ => {
                let mut cops: Nodes = [0; MOST_COPS];
                cops[..expected].copy_from_slice(nodes);
                cops[..expected].sort_unstable();
                return Ok(Beat { cops, robber: robber.unwrap_or(NOWHERE), turn });
            }
        };
        Err(NotationError::new(problem))
    }
}

impl Notation for Cops {
    fn player(&self, player: Player) -> &str {
        ["cops", "robber"][player.index()]
    }

    fn rules(&self) -> Option<String> {
        let nodes = shared::number_of(self.graph.nodes() as u32, "node", "nodes");
        let cops = shared::number_of(self.cops as u32, "cop", "cops");
        let cops_move = match (self.passing, self.lazy) {
            (Passing::Both | Passing::Cops, false) => "Each cop moves along an edge or stays.",
            (Passing::Both | Passing::Cops, true) => "At most one cop moves along an edge.",
            (_, false) => "Each cop moves along an edge.",
            (_, true) => "One cop moves along an edge.",
        };
        let runs = match self.robber_speed {
            1 => "moves along an edge".to_owned(),
            speed => format!("runs along up to {speed} edges and not past a cop"),
        };
        let stays = match self.passing {
            Passing::Both | Passing::Robber => ", or stays",
            Passing::Cops | Passing::Nobody => "",
        };
        Some(format!(
            "A graph has {nodes}. The cops choose the nodes on which they start, {cops} in all, and several \
             may share one. Then the robber chooses a node. They move in turns, the cops first. {cops_move} \
             The robber {runs}{stays}. Someone without an edge to move along stays. The cops win if one of \
             them is on the robber's node. If that never happens, the robber wins. Both choices are plies: \
             a robber who is caught in round t, from the start, is caught in ply 2t + 1."
        ))
    }

    fn write_state(&self, beat: &Beat) -> String {
        let cops = match self.cops_of(beat) {
            [] => "-".to_owned(),
            cops => written(cops),
        };
        let robber = match beat.robber {
            NOWHERE => "-".to_owned(),
            robber => robber.to_string(),
        };
        format!("{cops},{robber},{}", self.player(beat.turn))
    }

    fn parse_state(&self, text: &str) -> Result<Beat, NotationError> {
        let expected = "where the cops are, where the robber is and who moves";
        board::read_position(self, text, expected, |text| {
            let (places, turn) = board::split_turn(self, text)?;
            let (cops, robber) = places
                .split_once(',')
                .ok_or_else(|| NotationError::new("it does not say where all are"))?;
            let cops = match cops.trim() {
                "-" => Vec::new(),
                cops => {
                    let nodes = cops.split('+').map(|node| self.parse_node(node));
                    nodes.collect::<Result<_, _>>()?
                }
            };
            let robber = match robber.trim() {
                "-" => None,
                robber => Some(self.parse_node(robber)?),
            };
            self.placed(&cops, robber, turn)
        })
    }

    /// Who moves from where to where: `cops 0+3-1+3`, `robber 5-4`.
    fn write_move(&self, from: &Beat, to: &Beat) -> String {
        let mover = self.player(from.turn);
        if from.turn == ROBBER {
            return match (from.robber, to.robber) {
                (NOWHERE, to) => format!("{mover} to {to}"),
                (from, to) if from == to => format!("{mover} stays"),
                (from, to) => format!("{mover} {from}-{to}"),
            };
        }
        let [from, to] = [from, to].map(|beat| self.cops_of(beat));
        match from {
            [] => format!("{mover} to {}", written(to)),
            _ if from == to => format!("{mover} stay"),
            _ => format!("{mover} {}-{}", written(from), written(to)),
        }
    }

    fn draw(&self, beat: &Beat) -> String {
        let cops = match self.cops_of(beat) {
            [] => "cops nowhere".to_owned(),
            cops => format!("cops on {}", written(cops)),
        };
        let robber = match beat.robber {
            NOWHERE => "robber nowhere".to_owned(),
            robber => format!("robber on {robber}"),
        };
        format!("{cops}, {robber}; {} to move", self.player(beat.turn))
    }

    /// The graph, if it has at most 300 nodes and 3,000 edges.
    fn scene(&self, beat: &Beat) -> Option<Scene> {
        let mut scene = self.drawn_graph()?.clone();
        for (number, &node) in self.cops_of(beat).iter().enumerate() {
            scene.put(node.into(), cop(number));
        }
        if beat.robber != NOWHERE {
            scene.put(beat.robber.into(), robber());
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::singles((0..self.cops).map(cop).chain([robber()])).sharing()
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Beat, NotationError> {
        let places = |player: Player| {
            let own = scene.pieces().filter(move |(_, piece)| piece.side() == Some(player));
            own.map(|(place, _)| place as u16).collect::<Vec<u16>>()
        };
        let robber = match places(ROBBER)[..] {
            [] => None,
            [robber] => Some(robber),
            _ => return Err(NotationError::new("the robber is in several places at once")),
        };
        self.placed(&places(COPS), robber, turn)
    }

    /// From where to where, one cop after the other. Someone who stays is touched twice.
    fn move_places(&self, from: &Beat, to: &Beat) -> Vec<usize> {
        if self.drawn_graph().is_none() {
            return Vec::new();
        }
        let touched: Vec<u16> = match (from.turn, self.cops_of(from)) {
            (Player::Second, _) if from.robber == NOWHERE => vec![to.robber],
            (Player::Second, _) => vec![from.robber, to.robber],
            (Player::First, []) => self.cops_of(to).to_vec(),
            (Player::First, cops) if from.cops == to.cops => vec![cops[0]; 2],
            (Player::First, cops) => {
                let [left, entered] = [(cops, self.cops_of(to)), (self.cops_of(to), cops)]
                    .map(|(one, other)| without(one, other));
                left.into_iter().zip(entered).flat_map(|(left, entered)| [left, entered]).collect()
            }
        };
        touched.into_iter().map(usize::from).collect()
    }

    /// Cops choose their nodes in any order. Of two who move, the other one first, or each to the place
    /// of the other.
    fn other_move_places(&self, from: &Beat, to: &Beat) -> Vec<Vec<usize>> {
        let places = self.move_places(from, to);
        if self.cops_of(from).is_empty() {
            return match places[..] {
                [a, b] if a != b => vec![vec![b, a]],
                [a, b, c] => {
                    let mut orders = vec![
                        vec![a, c, b],
                        vec![b, a, c],
                        vec![b, c, a],
                        vec![c, a, b],
                        vec![c, b, a],
                    ];
                    orders.sort_unstable();
                    orders.dedup();
                    orders.retain(|order| *order != places);
                    orders
                }
                _ => Vec::new(),
            };
        }
        match places[..] {
            [a, b, c, d] => vec![vec![c, d, a, b], vec![a, d, c, b], vec![c, b, a, d]],
            _ => Vec::new(),
        }
    }

    fn with_other_mover(&self, beat: &Beat) -> Option<Beat> {
        (beat.robber != NOWHERE).then_some(Beat { turn: beat.turn.opponent(), ..*beat })
    }
}
