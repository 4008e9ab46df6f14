//! Random pieces on small boards with all goals: the value of every position.

use std::collections::BTreeSet;

use retrograde::laws::{Laws, Scope};
use retrograde::{Notation, Solver, Value, scheme};
use retrograde_games::chess::{BareKing, Chess, ChessParameters, Variant, Worth};

use super::plain::{Atom, Board, Part, Plain};
use crate::brute_force::{Rules, solve_in_rounds};

const ATOMS: [Atom; 22] = [
    Atom { text: "W", steps: &[(1, 0), (-1, 0), (0, 1), (0, -1)] },
    Atom { text: "F", steps: &[(1, 1), (-1, 1), (1, -1), (-1, -1)] },
    Atom { text: "D", steps: &[(2, 0), (-2, 0), (0, 2), (0, -2)] },
    Atom { text: "A", steps: &[(2, 2), (-2, 2), (2, -2), (-2, -2)] },
    Atom { text: "H", steps: &[(3, 0), (-3, 0), (0, 3), (0, -3)] },
    Atom { text: "N", steps: KNIGHT },
    Atom {
        text: "C",
        steps: &[(3, 1), (-3, 1), (3, -1), (-3, -1), (1, 3), (-1, 3), (1, -3), (-1, -3)],
    },
    Atom {
        text: "Z",
        steps: &[(3, 2), (-3, 2), (3, -2), (-3, -2), (2, 3), (-2, 3), (2, -3), (-2, -3)],
    },
    Atom { text: "G", steps: &[(3, 3), (-3, 3), (3, -3), (-3, -3)] },
    Atom { text: "fW", steps: &[(0, 1)] },
    Atom { text: "bW", steps: &[(0, -1)] },
    Atom { text: "sW", steps: &[(1, 0), (-1, 0)] },
    Atom { text: "frW", steps: &[(0, 1), (1, 0)] },
    Atom { text: "vD", steps: &[(0, 2), (0, -2)] },
    Atom { text: "fF", steps: &[(1, 1), (-1, 1)] },
    Atom { text: "lF", steps: &[(-1, 1), (-1, -1)] },
    Atom { text: "brF", steps: &[(1, -1)] },
    Atom { text: "fN", steps: &[(1, 2), (-1, 2)] },
    Atom { text: "fsN", steps: &[(2, 1), (-2, 1)] },
    Atom { text: "bhN", steps: &[(1, -2), (-1, -2), (2, -1), (-2, -1)] },
    Atom { text: "lN", steps: &[(-2, 1), (-2, -1)] },
    Atom { text: "K", steps: KING },
];

const KNIGHT: &[(i32, i32)] =
    &[(2, 1), (-2, 1), (2, -1), (-2, -1), (1, 2), (-1, 2), (1, -2), (-1, -2)];
const KING: &[(i32, i32)] = &[(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];

const VARIANTS: [Variant; 9] = [
    Variant::Chess,
    Variant::Atomic,
    Variant::Giveaway,
    Variant::KingOfTheHill,
    Variant::Losers,
    Variant::Makruk,
    Variant::RacingKings,
    Variant::Shatranj,
    Variant::Selfmate,
];

/// Numbers that look random (S. Vigna, "splitmix64", 2015).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ word >> 31) % limit as u64) as usize
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A random piece, and its text.
fn piece(random: &mut Random) -> (String, Vec<Part>) {
    let (mut text, mut parts) = (String::new(), Vec::new());
    for _ in 0..=random.below(2) {
        let atom = random.of(&ATOMS);
        let (mut most, mut hop) = (random.of(&[1, 1, 0, 2, 3]), None);
        let (moves, takes) = random.of(&[(true, true), (true, true), (true, false), (false, true)]);
        if !moves {
            text.push('c');
        }
        if !takes {
            text.push('m');
        }
        if random.one_in(4) {
            (most, hop) = (0, Some(random.of(&['g', 'p'])));
            text.extend(hop);
        }
        text += atom.text;
        if most != 1 {
            text += &most.to_string();
        }
        parts.push(Part { atom, most, moves, takes, hop });
    }
    (text, parts)
}

fn part(text: &'static str, moves: bool, takes: bool) -> Part {
    let atom = ATOMS.into_iter().find(|atom| atom.text == text).expect("an atom");
    Part { atom, most: 1, moves, takes, hop: None }
}

/// All boards with these men and those that play comes to. Calls `refused` with each that can't be.
fn boards(plain: &Plain, men: &[char], mut refused: impl FnMut(&Board)) -> Vec<Board> {
    let cells = (plain.files * plain.ranks) as usize;
    let mut placings = vec![vec![' '; cells]];
    for &man in men {
        let put = |placing: Vec<char>| {
            let free: Vec<usize> = (0..cells).filter(|&at| placing[at] == ' ').collect();
            free.into_iter().map(move |at| {
                let mut placing = placing.clone();
                placing[at] = man;
                placing
            })
        };
        placings = placings.into_iter().flat_map(put).collect();
    }
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for squares in placings {
        for white_moves in [true, false] {
            let board = Board { squares: squares.clone(), white_moves, passed: None };
            if !plain.can_be(&board) {
                refused(&board);
                continue;
            }
            let passed = plain.may_be_passed(&board).into_iter();
            found.extend(passed.map(|over| plain.with_right(board.clone(), over)));
            found.push(board);
        }
    }
    while let Some(board) = found.pop() {
        if known.insert(board.clone()) && plain.over(&board).is_none() {
            found.extend(plain.after(&board));
        }
    }
    known.into_iter().collect()
}

/// A random game, by its parameters and by plain rules, with its men.
fn random_game(random: &mut Random, variant: Variant) -> (ChessParameters, Plain, Vec<char>) {
    let men = 3 + random.below(2);
    let own_pawns = match variant {
        Variant::Shatranj => Some((1, vec!['Q'])),
        Variant::Makruk => Some((3, vec!['M'])),
        _ => None,
    };
    let has_pawns = own_pawns.is_some() || random.one_in(2);
    let has_double_step = has_pawns && own_pawns.is_none() && random.one_in(2);
    // Pawns of makruk, and double steps, need five ranks.
    let ranks = match variant == Variant::Makruk || has_double_step {
        true => 5,
        false => random.of(kit::few(&[3, 4], &[3, 4, 5])),
    };
    let files = random.of(if men == 3 { kit::few(&[3, 4], &[3, 4, 5]) } else { &[3] });
    // One side captures the other's pawn en passant.
    let men = if ranks == 5 && !has_double_step { 3 } else { men };
    let royal = variant != Variant::Giveaway;
    let mut parameters = ChessParameters::default();
    let mut pieces = Vec::new();
    for letter in ['X', 'Y'] {
        let (text, parts) = piece(random);
        parameters.pieces.insert(letter, text);
        pieces.push((letter, parts));
    }
    // Ferzes, pawns and most kings are known.
    if random.one_in(4) {
        let (text, parts) = piece(random);
        parameters.pieces.insert('K', text);
        pieces.push(('K', parts));
    } else {
        pieces.push(('K', vec![part("K", true, true)]));
    }
    pieces.push(('M', vec![part("F", true, true)]));
    pieces.push(('Q', vec![part("F", true, true)]));
    pieces.push(('P', vec![part("fW", true, false), part("fF", false, true)]));
    let mut sides =
        if royal { ["K".to_owned(), "K".to_owned()] } else { [String::new(), String::new()] };
    let letters = match (has_pawns, has_double_step) {
        (_, true) => ['P', 'P', 'X'],
        (true, _) => ['X', 'P', 'Y'],
        _ => ['X', 'X', 'Y'],
    };
    for at in 0..men - if royal { 2 } else { 0 } {
        let side = if royal && !has_double_step { random.below(2) } else { at % 2 };
        sides[side].push(random.of(&letters));
    }
    let bare = match variant {
        Variant::Losers => BareKing::Wins,
        Variant::Shatranj => BareKing::LosesUnlessBoth,
        _ => BareKing::PlaysOn,
    };
    let stalemate = match variant {
        Variant::Losers | Variant::Giveaway => Worth::Won,
        Variant::Shatranj => Worth::Lost,
        _ => Worth::Drawn,
    };
    if random.one_in(2) {
        parameters.stalemate = Some(random.of(&[Worth::Won, Worth::Drawn, Worth::Lost]));
    }
    // A side of a bare king would have lost or won at the start.
    if royal && sides.iter().all(|side| side.len() > 1) && random.one_in(2) {
        use BareKing::{Loses, LosesUnlessBoth, PlaysOn, Wins};
        parameters.bare_king = Some(random.of(&[Loses, LosesUnlessBoth, PlaysOn, Wins]));
    }
    let has_pawns = sides.iter().any(|side| side.contains('P'));
    let promotion =
        own_pawns.unwrap_or_else(|| (1, random.of(&["X", "XY", "YX"]).chars().collect()));
    if has_pawns && !matches!(variant, Variant::Shatranj | Variant::Makruk) {
        parameters.promote = Some(promotion.1.iter().collect());
        parameters.double_step = Some(if has_double_step { 2 } else { 0 });
    }
    let hill = (variant == Variant::KingOfTheHill && random.one_in(2)).then(|| {
        vec![random.below((files * ranks) as usize), random.below((files * ranks) as usize)]
    });
    parameters.hill = hill.as_ref().map(|hill| {
        let name = |&square: &usize| {
            let file = char::from(b'a' + (square as i32 % files) as u8);
            format!("{file}{}", square as i32 / files + 1)
        };
        hill.iter().map(name).collect::<Vec<_>>().join(",")
    });
    let (stalemate, bare) =
        (parameters.stalemate.unwrap_or(stalemate), parameters.bare_king.unwrap_or(bare));
    parameters.material = sides.join("v");
    parameters.board = Some(format!("{files}x{ranks}"));
    parameters.variant = Some(variant);
    let [white, black] = sides;
    let men = white.chars().chain(black.to_lowercase().chars()).collect();
    let promotion = if has_pawns { promotion } else { (0, Vec::new()) };
    let double_step = has_double_step.then_some(1);
    let plain =
        Plain { files, ranks, pieces, variant, stalemate, bare, promotion, double_step, hill };
    (parameters, plain, men)
}

/// Plain rules with all moves listed once, by the numbers of the boards.
struct Listed {
    over: Vec<Option<Value>>,
    after: Vec<Vec<usize>>,
}

impl Rules for Listed {
    type Board = usize;

    fn over(&self, &board: &usize) -> Option<Value> {
        self.over[board]
    }

    fn after(&self, &board: &usize) -> Vec<usize> {
        self.after[board].clone()
    }
}

impl Listed {
    /// The boards are in ascending order.
    fn new(plain: &Plain, boards: &[Board]) -> Listed {
        let over: Vec<_> = boards.iter().map(|board| plain.over(board)).collect();
        let number = |board: &Board| boards.binary_search(board).expect("a board");
        let after = boards.iter().zip(&over).map(|(board, over)| match over {
            Some(_) => Vec::new(),
            None => plain.after(board).iter().map(number).collect(),
        });
        Listed { after: after.collect(), over }
    }
}

/// Compares the value of every position, and the positions that can't be.
fn compare(game: &Chess, plain: &Plain, men: &[char]) -> usize {
    let boards = boards(plain, men, |board| {
        let fen = plain.fen(board);
        assert!(game.parse_state(&fen).is_err(), "{fen}");
    });
    let numbers: Vec<usize> = (0..boards.len()).collect();
    let values = solve_in_rounds(&Listed::new(plain, &boards), &numbers);
    let solution = Solver::new(game).threads(1).solve();
    let solution = solution.unwrap_or_else(|error| panic!("{:?}: {error}", game.parameters()));
    let packed = Solver::new(game).threads(1).solve_as::<scheme::Packed>().unwrap();
    let mut reached = 0;
    for (number, board) in boards.iter().enumerate() {
        let fen = plain.fen(board);
        let state = game.parse_state(&fen).unwrap();
        assert_eq!(game.write_state(&state), fen);
        assert_eq!(solution.value(&state).unwrap(), values[&number], "{fen}");
        if let Ok(value) = packed.value(&state) {
            assert_eq!(value, values[&number], "{fen}");
            reached += 1;
        }
    }
    assert!(reached > 0, "the root at least");
    boards.len()
}

/// From this number of placings on, a game is large.
const LARGE: usize = 25_000;

/// The most large games that are tried, by effort.
const MOST_LARGE: [u32; 3] = [0, 0, u32::MAX];

fn try_games(variant: Variant) {
    let (mut decided, mut tried, mut large) = (0, 0, 0);
    for seed in 0.. {
        if tried == kit::cases(64) {
            break;
        }
        let mut random = Random(seed << 8 | variant as u64);
        let (parameters, plain, men) = random_game(&mut random, variant);
        // Brute force takes a minute where there are many positions.
        if ((plain.files * plain.ranks) as usize).pow(men.len() as u32) > LARGE {
            large += 1;
            if large > kit::by_effort(MOST_LARGE) {
                continue;
            }
        }
        tried += 1;
        let about = format!("seed {seed}: {parameters:?}");
        let game = match Chess::try_from(parameters) {
            Ok(game) => game,
            Err(error) => {
                let error = error.to_string();
                assert!(error.contains("play is over before a move"), "{about}: {error}");
                continue;
            }
        };
        decided += compare(&game, &plain, &men);
        let scope = Scope::Sample { states: 100, seed };
        let laws = Laws::new(&game).scope(scope).notation().check();
        laws.unwrap_or_else(|error| panic!("{about}: {error}"));
    }
    assert!(decided > 100, "{decided} positions");
}

macro_rules! tests {
    ($($name:ident: $variant:expr,)*) => {
        $(#[test]
        fn $name() {
            try_games($variant);
        })*
    };
}

tests! {
    random_pieces_with_mate: VARIANTS[0],
    random_pieces_in_atomic_chess: VARIANTS[1],
    random_pieces_in_giveaway: VARIANTS[2],
    random_pieces_with_a_hill: VARIANTS[3],
    random_pieces_in_losers: VARIANTS[4],
    random_pieces_in_makruk: VARIANTS[5],
    random_pieces_in_racing_kings: VARIANTS[6],
    random_pieces_in_shatranj: VARIANTS[7],
    random_pieces_with_selfmate: VARIANTS[8],
}
