//! Tables that nothing is wrong with, and what the wrong game is told.

use std::fs;

use retrograde::{
    Numbering, NumberingKind, Outcome, Player, Query, QueryError, Rules, Solver, TableError,
    Tablebase,
};

use crate::games::{HOLE, Lie, Name, Small, Tree};
use crate::layout::{Parts, put, put_bytes};
use crate::{dense, explored, saved, unheard, verify_dense, verify_explored};

#[test]
fn a_dense_table_says_what_the_solver_said() {
    let game = Small::<u32>::new(Lie::None);
    let solution = Solver::new(&game).dense().unwrap();
    let table = Tablebase::from_storage(dense(Lie::None)).unwrap();
    let header = table.header();
    assert_eq!((header.game.as_str(), header.parameters.as_str()), ("small", r#"{"nodes":14}"#));
    assert_eq!((header.numbering, header.len), (NumberingKind::Dense, 14));
    assert_eq!(header.rules, Rules { endless: Outcome::Draw, ply_limit: None });
    assert_eq!(header.summary, *solution.summary());

    let prober = table.dense(&game).unwrap();
    assert_eq!(prober.rules(), header.rules);
    for state in game.states() {
        assert_eq!(prober.find(&state).unwrap(), solution.find(&state).unwrap());
        assert_eq!(prober.moves(&state).unwrap(), solution.moves(&state).unwrap());
        assert_eq!(prober.line(&state).unwrap(), solution.line(&state).unwrap());
    }
    for missing in [HOLE, 14, 1_000_000] {
        let error = prober.find(&missing).unwrap_err();
        assert!(matches!(error, QueryError::NotInTable { .. }), "{error}");
    }
    verify_dense(dense(Lie::None)).unwrap();
}

fn explored_table_says_what_the_solver_said<S: Name>() {
    let game = Small::<S>::new(Lie::None);
    let solution = Solver::new(&game).explored().unwrap();
    let table = Tablebase::from_storage(explored::<S>(Lie::None)).unwrap();
    assert_eq!((table.header().numbering, table.header().len), (NumberingKind::Explored, 13));
    assert_eq!(table.header().summary, *solution.summary());

    let prober = table.explored(&game).unwrap();
    for (number, state) in (0..).zip(game.states()) {
        let value = solution.value(&state).unwrap();
        assert_eq!(prober.find(&state).unwrap(), (number, value));
        assert_eq!(prober.moves(&state).unwrap(), solution.moves(&state).unwrap());
        assert_eq!(prober.line(&state).unwrap(), solution.line(&state).unwrap());
    }
    for missing in [HOLE, 14, 95, 1_000_000] {
        let error = prober.find(&S::of(missing)).unwrap_err();
        assert!(matches!(error, QueryError::NotInTable { .. }), "{error}");
    }
    verify_explored::<S>(explored::<S>(Lie::None)).unwrap();
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
    let mut header = Vec::new();
    put_bytes(&mut header, b"small");
    put_bytes(&mut header, br#"{"nodes":14}"#);
    header.extend(0_u32.to_le_bytes()); // the dense numbering
    put(&mut header, 14);
    header.extend(1_u32.to_le_bytes()); // endless play is a draw
    header.push(0); // no ply limit
    // First to move: 0, 2, 3 and 13 won, 9 and 11 lost, 5, 6 and 8 drawn, of which 6 is endless.
    [4, 2, 3, 1, 0].into_iter().for_each(|figure| put(&mut header, figure));
    [1, 1, 2, 0, 0].into_iter().for_each(|figure| put(&mut header, figure));
    let distances = [(0_u32, 1, 1), (1, 2, 0), (2, 1, 2), (3, 1, 0)];
    put(&mut header, distances.len() as u64);
    for (plies, won, lost) in distances {
        header.extend(plies.to_le_bytes());
        put(&mut header, won);
        put(&mut header, lost);
    }
    assert_eq!(parts.header, header);

    let (win, loss, draw) = (0x4000, 0x8000, 0xC000);
    #[rustfmt::skip]
    let packed: [u16; 14] = [
        win + 3, loss + 2, win + 1, win, draw + 1, draw, 1,
        draw + 3, draw + 2, loss, win + 1, loss + 2, 0, win + 2,
    ];
    let packed: Vec<u8> = packed.into_iter().flat_map(u16::to_le_bytes).collect();
    assert_eq!(parts.values, [crate::layout::values(0, &packed)]);
}

#[test]
fn a_table_of_another_game_or_of_other_parameters_is_refused() {
    let table = Tablebase::from_storage(dense(Lie::None)).unwrap();
    let error = table.dense(&Tree::<u32>::new(14)).unwrap_err();
    let TableError::OtherGame { found, asked } = &error else { panic!("{error}") };
    assert_eq!((found.as_str(), asked.as_str()), (r#"small {"nodes":14}"#, r#"tree {"nodes":14}"#));

    let larger = Small::<u32> { nodes: 15, ..Small::new(Lie::None) };
    let error = table.dense(&larger).unwrap_err();
    assert!(matches!(error, TableError::OtherGame { .. }), "{error}");
    let error = table.verify_dense(&larger, &mut unheard).unwrap_err();
    assert!(matches!(error, TableError::OtherGame { .. }), "{error}");

    let table = Tablebase::from_storage(explored::<String>(Lie::None)).unwrap();
    let larger = Small::<String> { nodes: 15, ..Small::new(Lie::None) };
    for error in [
        table.explored(&larger).map(|_| ()).unwrap_err(),
        table.explored(&Tree::<String>::new(14)).map(|_| ()).unwrap_err(),
        table.verify_explored(&larger, &mut unheard).unwrap_err(),
    ] {
        assert!(matches!(error, TableError::OtherGame { .. }), "{error}");
    }
}

#[test]
fn a_table_of_the_other_numbering_is_refused() {
    use NumberingKind::{Dense, Explored};
    let game = Small::<u32>::new(Lie::None);
    let table = Tablebase::from_storage(dense(Lie::None)).unwrap();
    for error in [
        table.explored(&game).map(|_| ()).unwrap_err(),
        table.verify_explored(&game, &mut unheard).unwrap_err(),
    ] {
        let TableError::OtherNumbering { found: Dense, asked: Explored } = error else {
            panic!("{error}")
        };
    }
    let table = Tablebase::from_storage(explored::<u32>(Lie::None)).unwrap();
    for error in [
        table.dense(&game).map(|_| ()).unwrap_err(),
        table.verify_dense(&game, &mut unheard).unwrap_err(),
    ] {
        let TableError::OtherNumbering { found: Explored, asked: Dense } = error else {
            panic!("{error}")
        };
    }
}

#[test]
fn a_table_made_under_other_rules_is_refused() {
    let game = Small::<u32>::new(Lie::None);
    let table = Tablebase::from_storage(dense(Lie::EndlessWins)).unwrap();
    assert_eq!(table.header().rules.endless, Outcome::Win(Player::First));
    let error = table.dense(&game).unwrap_err();
    assert!(matches!(error, TableError::Malformed { .. }), "{error}");
    assert!(error.to_string().contains("rules"), "{error}");
}

/// Three blocks that are full, and one that is not.
const NODES: u32 = 3 * 16_384 + 1000;

/// The places at both sides of the borders of blocks.
fn borders() -> impl Iterator<Item = u64> {
    let around = |border: u64| border.saturating_sub(2)..border + 2;
    (0..=3).map(|block| block * 16_384).chain([NODES.into()]).flat_map(around)
}

#[test]
fn a_dense_table_of_several_blocks_is_read_at_their_borders() {
    let game = Tree::<u32>::new(NODES);
    let solution = Solver::new(&game).dense().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.rtb");
    solution.save(&path).unwrap();
    let table = Tablebase::open(&path).unwrap();
    assert_eq!(Parts::of(&fs::read(&path).unwrap()).values.len(), 4);
    let prober = table.dense(&game).unwrap();
    for number in borders() {
        let state = number as u32;
        match prober.find(&state) {
            Ok(found) => assert_eq!(found, solution.find(&state).unwrap()),
            Err(error) => assert!(state >= NODES && matches!(error, QueryError::NotInTable { .. })),
        }
    }
    for state in (0..NODES).step_by(7) {
        assert_eq!(prober.value(&state).unwrap(), solution.value(&state).unwrap());
    }
    table.verify_dense(&game, &mut unheard).unwrap();
}

fn several_explored_blocks_are_read_at_their_borders<S: Name>() {
    let game = Tree::<S>::new(NODES);
    let solution = Solver::new(&game).explored().unwrap();
    let bytes = saved(|path| solution.save(path));
    assert_eq!(Parts::of(&bytes).states.len(), 4);
    let table = Tablebase::from_storage(bytes).unwrap();
    let prober = table.explored(&game).unwrap();
    let mut states: Vec<S> = (0..NODES).map(S::of).collect();
    states.sort_unstable();
    assert_eq!(solution.numbering().len(), u64::from(NODES));
    for number in borders().filter(|&number| number < NODES.into()) {
        let state = &states[number as usize];
        assert_eq!(prober.find(state).unwrap(), solution.find(state).unwrap());
        assert_eq!(prober.find(state).unwrap().0, number);
    }
    for missing in [NODES, NODES + 1, 99_999, u32::MAX].map(S::of) {
        let error = prober.find(&missing).unwrap_err();
        assert!(matches!(error, QueryError::NotInTable { .. }), "{error}");
    }
    table.verify_explored(&game, &mut unheard).unwrap();
}

#[test]
fn an_explored_table_of_several_blocks_is_read_at_their_borders() {
    several_explored_blocks_are_read_at_their_borders::<u32>();
}

#[test]
fn an_explored_table_of_several_blocks_of_uneven_width_is_read_at_their_borders() {
    several_explored_blocks_are_read_at_their_borders::<String>();
}
