//! Packed states that a file can contain although no game makes them. Each is either refused before
//! the rules are asked about it, or harmless to the rules.

use std::fs;

use kit::{Random, cases};
use retrograde::table::{Compression, Destination};
use retrograde::{Game, Notation, PackedState, Player, Solver, Table, TableError, scheme};
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters};
use retrograde_games::chess::{Chess, Material};
use retrograde_games::connect_four::{ConnectFour, ConnectFourParameters};
use retrograde_games::dobutsu::{Dobutsu, DobutsuParameters};
use retrograde_games::gobblet::{Gobblet, GobbletParameters, Uncovered};
use retrograde_games::hexapawn::{Hexapawn, HexapawnParameters};
use retrograde_games::mnk::{Mnk, MnkParameters};
use retrograde_games::morris::{Board, Morris, MorrisParameters};

use crate::layout::{Parts, even_states};

fn chess(material: &str) -> Chess {
    Chess::new(&Material::parse(material).unwrap())
}

/// States of random play.
fn played<G: Game>(game: &G, random: &mut Random) -> Vec<G::State> {
    let mut states: Vec<G::State> = game.roots().into_iter().collect();
    assert!(!states.is_empty());
    for _ in 0..20 {
        let mut state = states[0].clone();
        for _ in 0..60 {
            let mut next = Vec::new();
            if game.terminal(&state).is_none() {
                game.moves(&state, |state| next.push(state));
            }
            if next.is_empty() {
                break;
            }
            state = next.swap_remove(random.place(next.len()));
            states.push(state.clone());
        }
    }
    states
}

/// Asks the rules everything that `verify`, `stats` and the server ask about a state of a file.
/// Returns its successors.
fn ask<G: PackedState + Notation>(game: &G, state: &G::State) -> Vec<G::State> {
    let _: Player = game.turn(state);
    let mut next = Vec::new();
    if game.terminal(state).is_none() {
        game.moves(state, |state| next.push(state));
        if next.is_empty() {
            let _ = game.no_moves(state);
        }
    }
    let _ = game.canonical(state);
    let _ = (game.write_state(state), game.draw(state), game.scene(state));
    for to in next.iter().take(3) {
        let _ = (game.write_move(state, to), game.move_places(state, to));
    }
    next
}

/// Changes bits of packed states. Each word that the game calls packed must survive unpacking and
/// packing. The rules must withstand its state and the following ones.
fn assert_any_word_is_refused_or_stood<G: PackedState + Notation>(
    game: &G,
    word: fn(u128) -> G::Word,
) where
    G::Word: Into<u128>,
{
    let random = &mut Random(7);
    let states = played(game, random);
    for state in &states {
        let canonical = game.canonical(state);
        assert!(game.is_packed(game.pack(state)), "{}", game.write_state(state));
        assert!(game.is_packed(game.pack(&canonical)), "{}", game.write_state(&canonical));
    }
    let bits = 8 * size_of::<G::Word>();
    let (mut refused, tried) = (0, cases(8_000));
    for step in 0..tried {
        let mut bytes: u128 = match step % 4 {
            0 => u128::from(random.next()) << 64 | u128::from(random.next()),
            _ => game.pack(&states[random.place(states.len())]).into(),
        };
        for _ in 0..step % 4 {
            bytes ^= 1 << random.place(bits);
        }
        let packed = word(bytes);
        if !game.is_packed(packed) {
            refused += 1;
            continue;
        }
        let state = game.unpack(packed);
        assert!(game.pack(&state) == packed);
        ask(game, &state).iter().for_each(|next| drop(ask(game, next)));
    }
    assert!(refused > tried / 5, "{refused} of {tried}");
}

#[test]
fn the_games_refuse_words_that_are_no_states_or_stand_them() {
    let narrow = |word: u128| word as u64;
    for material in ["KvK", "KQvK", "KRRvKB", "KPPvK", "KPvKP", "KPPvKP", "KNvKN"] {
        assert_any_word_is_refused_or_stood(&chess(material), narrow);
    }
    for (small, medium, large, uncovered) in
        [(2, 2, 2, Uncovered::All), (2, 3, 1, Uncovered::First), (1, 0, 3, Uncovered::All)]
    {
        let game = Gobblet::new(GobbletParameters { small, medium, large, uncovered }).unwrap();
        assert_any_word_is_refused_or_stood(&game, narrow);
    }
    for (board, men, free) in
        [(Board::Six, 5, false), (Board::Nine, 3, true), (Board::Twelve, 4, false)]
    {
        let parameters = MorrisParameters { board, men, flying: free, sliding: free };
        assert_any_word_is_refused_or_stood(&Morris::new(parameters).unwrap(), narrow);
    }
    for (columns, rows) in [(3, 3), (5, 6), (10, 3)] {
        let game = Hexapawn::new(HexapawnParameters { columns, rows }).unwrap();
        assert_any_word_is_refused_or_stood(&game, narrow);
    }
    for (columns, rows, fold) in [(3, 3, false), (4, 4, true), (8, 8, true), (5, 2, true)] {
        let parameters = MnkParameters { columns, rows, in_a_row: 2, fold };
        let game = Mnk::new(parameters).unwrap();
        assert_any_word_is_refused_or_stood(&game, |word| word);
        let parameters = ConnectFourParameters { columns, rows: rows - 1, in_a_row: 2, fold };
        assert_any_word_is_refused_or_stood(&ConnectFour::new(parameters).unwrap(), narrow);
    }
    let game = Dobutsu::from(DobutsuParameters::default());
    assert_any_word_is_refused_or_stood(&game, narrow);
    let graph = vec![vec![1, 3], vec![0], vec![3], vec![0, 2]];
    let parameters = CatMouseParameters { graph, ..Default::default() };
    assert_any_word_is_refused_or_stood(&CatMouse::new(&parameters).unwrap(), narrow);
}

#[test]
fn states_that_no_game_makes_are_found_wherever_they_are_read() {
    let game = chess("KvK");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kings.rtb");
    let solution = Solver::new(&game).solve_as::<scheme::Packed>().unwrap();
    let destination = Destination::at(&path).compression(Compression::Plain);
    solution.save(destination).unwrap();
    let intact = Parts::of(&fs::read(&path).unwrap());
    assert_eq!(intact.states.len(), 1);
    // The states come after a byte, the layout, the width and the length.
    let (before, words) = intact.states[0].split_at(1 + 4 + 4 + 8);
    assert_eq!([before, words].concat(), even_states(0, 8, words));
    let (others, last) = words.split_at(words.len() - 8);
    let last = u64::from_le_bytes(last.try_into().unwrap());
    // States of an ending that does not exist, with a man in a fifth place, and with a bit without
    // meaning. All are greater than the others, so that the states stay sorted.
    for forged in [last | 200 << 48, last + (1 << 32), last | 1 << 63] {
        let words = [others, &forged.to_le_bytes()].concat();
        let parts = Parts { states: vec![even_states(0, 8, &words)], ..intact.clone() };
        for memory in [u64::MAX, 0] {
            let table = Table::from_bytes(parts.to_file()).unwrap().memory(memory);
            let error = table.verify(&game).unwrap_err();
            assert!(matches!(error, TableError::Malformed { .. }), "{error}");
            assert!(error.to_string().contains("which is no packed state"), "{error}");
            let prober = table.prober(game.clone()).unwrap();
            let searched = prober.states_with(|_| true).last().unwrap();
            assert!(searched.unwrap_err().to_string().contains("which is no packed state"));
        }
    }
}
