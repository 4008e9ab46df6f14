//! Tables without faults, and the errors for the wrong game.

use std::fs;

use retrograde::error::QueryError;
use retrograde::query::Rules;
use retrograde::table::NumberingKind;
use retrograde::{Outcome, Player, Solver, Table, TableError, scheme};

use crate::games::{HOLE, Lie, Name, Small, Strip, Tree};
use crate::layout::{Frame, Parts, Section, put, put_bytes};
use crate::{dense, explored, plain, saved, verify_small};

#[test]
fn a_dense_table_says_what_the_solver_said() {
    let game = Small::<u32>::new(Lie::None);
    let solution = Solver::new(&game).solve().unwrap();
    let table = Table::from_bytes(dense(Lie::None)).unwrap();
    let header = table.header().unwrap();
    assert_eq!((header.game.as_str(), header.parameters.as_str()), ("small", r#"{"nodes":14}"#));
    assert_eq!((header.numbering, header.len), (NumberingKind::Dense, 14));
    assert_eq!(header.rules, Rules::new(Outcome::Draw, None));
    assert_eq!(header.summary, *solution.summary());

    let prober = table.prober(game.clone()).unwrap();
    assert_eq!(prober.rules(), header.rules);
    for state in game.states() {
        assert_eq!(
            prober.index_and_value(&state).unwrap(),
            solution.index_and_value(&state).unwrap()
        );
        assert_eq!(prober.moves(&state).unwrap(), solution.moves(&state).unwrap());
        assert_eq!(prober.line(&state).unwrap(), solution.line(&state).unwrap());
    }
    for missing in [HOLE, 14, 1_000_000] {
        let error = prober.index_and_value(&missing).unwrap_err();
        assert!(matches!(error, QueryError::NotInTable { .. }), "{error}");
    }
    verify_small::<u32>(dense(Lie::None)).unwrap();
}

fn explored_table_says_what_the_solver_said<S: Name>() {
    let game = Small::<S>::new(Lie::None);
    let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
    let table = Table::from_bytes(explored::<S>(Lie::None)).unwrap();
    let header = table.header().unwrap();
    assert_eq!((header.numbering, header.len), (NumberingKind::Hashed, 13));
    assert_eq!(header.summary, *solution.summary());

    let prober = table.prober(game.clone()).unwrap();
    for (index, state) in (0..).zip(game.states()) {
        let value = solution.value(&state).unwrap();
        assert_eq!(prober.index_and_value(&state).unwrap(), (index, value));
        assert_eq!(prober.moves(&state).unwrap(), solution.moves(&state).unwrap());
        assert_eq!(prober.line(&state).unwrap(), solution.line(&state).unwrap());
    }
    for missing in [HOLE, 14, 95, 1_000_000] {
        let error = prober.index_and_value(&S::of(missing)).unwrap_err();
        assert!(matches!(error, QueryError::NotInTable { .. }), "{error}");
    }
    verify_small::<S>(explored::<S>(Lie::None)).unwrap();
}

#[test]
fn an_explored_table_says_what_the_solver_said() {
    explored_table_says_what_the_solver_said::<u32>();
}

#[test]
fn an_explored_table_of_states_of_uneven_width_says_what_the_solver_said() {
    explored_table_says_what_the_solver_said::<String>();
}

#[test]
fn the_same_game_makes_the_same_file() {
    assert_eq!(dense(Lie::None), dense(Lie::None));
    assert_eq!(explored::<String>(Lie::None), explored::<String>(Lie::None));
}

#[test]
fn a_file_is_laid_out_as_described() {
    for file in [dense(Lie::None), explored::<u32>(Lie::None), explored::<String>(Lie::None)] {
        assert_eq!(Parts::of(&file).to_file(), file);
    }
    let parts = Parts::of(&dense(Lie::None));
    let mut header = vec![0]; // not compressed
    put_bytes(&mut header, b"small");
    put_bytes(&mut header, br#"{"nodes":14}"#);
    header.extend(0_u32.to_le_bytes()); // the dense numbering
    put(&mut header, 14);
    header.extend(1_u32.to_le_bytes()); // endless play is a draw
    header.push(0); // no ply limit
    header.push(0); // distances, and not only outcomes
    // With the first player to move, 0, 2, 3 and 13 are won, 9 and 11 lost, and 5, 6 and 8 drawn.
    // Of these, 6 is endless.
    [4, 2, 3, 1, 0].into_iter().for_each(|figure| put(&mut header, figure));
    [1, 1, 2, 0, 0].into_iter().for_each(|figure| put(&mut header, figure));
    let distances = [(0_u32, 1, 1), (1, 2, 0), (2, 1, 2), (3, 1, 0)];
    put(&mut header, distances.len() as u64);
    for (plies, won, lost) in distances {
        header.extend(plies.to_le_bytes());
        put(&mut header, won);
        put(&mut header, lost);
    }
    // The states that the table remembers: all, with their indices.
    put(&mut header, 13);
    for node in (0..14_u64).filter(|&node| node != 12) {
        put_bytes(&mut header, &node.to_le_bytes());
        put_bytes(&mut header, node.to_string().as_bytes());
    }
    let (win, loss, draw) = (0x4000, 0x8000, 0xC000);
    #[rustfmt::skip]
    let packed: [u16; 14] = [
        win + 3, loss + 2, win + 1, win, draw + 1, draw, 1,
        draw + 3, draw + 2, loss, win + 1, loss + 2, 0, win + 2,
    ];
    // All values of the table, ascending. A byte stands for the place of a value.
    let palette =
        [0, 1, win, win + 1, win + 2, win + 3, loss, loss + 2, draw, draw + 1, draw + 2, draw + 3];
    put(&mut header, palette.len() as u64);
    palette.into_iter().for_each(|value: u16| header.extend(value.to_le_bytes()));
    header.push(0); // unused indices are not filled
    put(&mut header, 262_144); // values in a block
    put(&mut header, 16_384); // states in a block
    assert_eq!(parts.header, header);

    let places =
        packed.map(|value| palette.iter().position(|&other| other == value).unwrap() as u8);
    assert_eq!(parts.values, [[&[1], &places[..]].concat()]);
}

#[test]
fn a_table_of_another_game_or_of_other_parameters_is_refused() {
    let table = Table::from_bytes(dense(Lie::None)).unwrap();
    let error = table.prober(Tree::<u32>::new(14)).unwrap_err();
    let TableError::OtherGame { found, asked } = &error else { panic!("{error}") };
    assert_eq!((found.as_str(), asked.as_str()), (r#"small {"nodes":14}"#, r#"tree {"nodes":14}"#));

    let larger = Small::<u32> { nodes: 15, ..Small::new(Lie::None) };
    let error = table.prober(larger.clone()).unwrap_err();
    assert!(matches!(error, TableError::OtherGame { .. }), "{error}");
    let error = table.verify(&larger).unwrap_err();
    assert!(matches!(error, TableError::OtherGame { .. }), "{error}");

    let table = Table::from_bytes(explored::<String>(Lie::None)).unwrap();
    let larger = Small::<String> { nodes: 15, ..Small::new(Lie::None) };
    for error in [
        table.prober(larger.clone()).map(|_| ()).unwrap_err(),
        table.prober(Tree::<String>::new(14)).map(|_| ()).unwrap_err(),
        table.verify(&larger).unwrap_err(),
    ] {
        assert!(matches!(error, TableError::OtherGame { .. }), "{error}");
    }
}

#[test]
fn a_table_made_under_other_rules_is_refused() {
    let game = Small::<u32>::new(Lie::None);
    let table = Table::from_bytes(dense(Lie::EndlessWins)).unwrap();
    assert_eq!(table.header().unwrap().rules.endless, Outcome::Win(Player::First));
    let error = table.prober(game.clone()).unwrap_err();
    assert!(matches!(error, TableError::Malformed { .. }), "{error}");
    assert!(error.to_string().contains("rules"), "{error}");
}

/// Two blocks of values, one full and one not, and seventeen blocks of states.
const NODES: u32 = 262_144 + 10_000;

/// The indices on both sides of the borders of blocks.
fn borders() -> impl Iterator<Item = u64> {
    let around = |border: u64| border.saturating_sub(2)..border + 2;
    (0..=16).map(|block| block * 16_384).chain([NODES.into()]).flat_map(around)
}

#[test]
fn a_dense_table_of_several_blocks_is_read_at_their_borders() {
    let game = Tree::<u32>::new(NODES);
    let solution = Solver::new(&game).solve().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.rtb");
    plain(Solver::new(&game).solve().unwrap(), &path).unwrap();
    assert_eq!(Parts::of(&fs::read(&path).unwrap()).values.len(), 2);
    let mapped = Table::from_bytes(fs::read(&path).unwrap()).unwrap();
    solution.save(&path).unwrap();
    let table = Table::open(&path).unwrap();
    let small = Table::open(&path).unwrap().cache(0);
    let prober = table.prober(game.clone()).unwrap();
    for index in borders() {
        let state = index as u32;
        match prober.index_and_value(&state) {
            Ok(found) => assert_eq!(found, solution.index_and_value(&state).unwrap()),
            Err(error) => assert!(state >= NODES && matches!(error, QueryError::NotInTable { .. })),
        }
    }
    let (mapped, small) =
        (mapped.prober(game.clone()).unwrap(), small.prober(game.clone()).unwrap());
    for state in (0..NODES).step_by(7) {
        let expected = solution.value(&state).unwrap();
        assert_eq!(prober.value(&state).unwrap(), expected);
        // The first probe reads and checks the block, and later ones read in place.
        assert_eq!(mapped.value(&state).unwrap(), expected);
        assert_eq!(mapped.value(&state).unwrap(), expected);
        let far = NODES - 1 - state;
        assert_eq!(mapped.value(&far).unwrap(), solution.value(&far).unwrap());
    }
    for state in (0..NODES).step_by(9_999).chain([0, NODES - 1, 1]) {
        assert_eq!(small.value(&state).unwrap(), solution.value(&state).unwrap());
    }
    table.verify(&game).unwrap();
}

#[test]
fn a_table_with_a_dictionary_is_small_and_right() {
    let game = Strip::new(11 * 262_144);
    let solution = Solver::new(&game).solve().unwrap();
    let bytes = saved(|path| solution.save(path));
    assert_ne!(Frame::of(&bytes).dictionary, Section::NONE);
    // Without the dictionary, every block would have to repeat where play is over.
    assert!(bytes.len() < 200_000, "{} bytes", bytes.len());
    let table = Table::from_bytes(bytes).unwrap();
    table.verify(&game).unwrap();
    let prober = table.prober(game.clone()).unwrap();
    for state in (0..game.len).step_by(641) {
        match prober.value(&state) {
            Ok(value) => assert_eq!(value, solution.value(&state).unwrap()),
            Err(error) => {
                assert!(matches!(error, QueryError::NotInTable { .. }), "{error}");
                assert!(Strip::is_hole(state));
            }
        }
    }
    assert!(prober.value(&5).is_err());
}

fn several_explored_blocks_are_read_at_their_borders<S: Name>() {
    let game = Tree::<S>::new(NODES);
    let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
    let bytes = saved(|path| plain(Solver::new(&game).solve_as::<scheme::Hashed>().unwrap(), path));
    // Seventeen blocks of states, and one block with the first state of each of them.
    assert_eq!(Parts::of(&bytes).states.len(), 18);
    let compressed = saved(|path| solution.save(path));
    assert!(compressed.len() * 2 < bytes.len());
    let compressed = Table::from_bytes(compressed).unwrap();
    compressed.verify(&game).unwrap();
    let compressed = compressed.prober(game.clone()).unwrap();
    let table = Table::from_bytes(bytes).unwrap();
    let prober = table.prober(game.clone()).unwrap();
    let mut states: Vec<S> = (0..NODES).map(S::of).collect();
    states.sort_unstable();
    assert_eq!(solution.summary().states(), u64::from(NODES));
    for index in borders().filter(|&index| index < NODES.into()) {
        let state = &states[index as usize];
        assert_eq!(
            prober.index_and_value(state).unwrap(),
            solution.index_and_value(state).unwrap()
        );
        assert_eq!(prober.index_and_value(state).unwrap().0, index);
        assert_eq!(
            compressed.index_and_value(state).unwrap(),
            prober.index_and_value(state).unwrap()
        );
    }
    for missing in [NODES, NODES + 1, 999_999, u32::MAX].map(S::of) {
        let error = prober.index_and_value(&missing).unwrap_err();
        assert!(matches!(error, QueryError::NotInTable { .. }), "{error}");
    }
    table.verify(&game).unwrap();
}

#[test]
fn an_explored_table_of_several_blocks_is_read_at_their_borders() {
    if kit::PLAIN {
        return;
    }
    several_explored_blocks_are_read_at_their_borders::<u32>();
}

#[test]
fn an_explored_table_of_several_blocks_of_uneven_width_is_read_at_their_borders() {
    if kit::PLAIN {
        return;
    }
    several_explored_blocks_are_read_at_their_borders::<String>();
}
