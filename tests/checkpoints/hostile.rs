//! Checkpoints with right checksums and a record that was changed at random: they are refused, or
//! resumed to some end, without a panic.

use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use kit::cases;
use kit::web::{Plan, Web};
use retrograde::scheme::{Hashed, Packed, Scheme};
use retrograde::solve::Progress;
use retrograde::table::Checkpoints;
use retrograde::{Outcome, Player, SolveError, Solver, Stored};
use twox_hash::XxHash3_64;

use super::interrupted::stopped_in_its_first_levels;

/// Changes the record of a checkpoint, and corrects the checksums.
fn forge(intact: &[u8], random: u64) -> Vec<u8> {
    let word = |at: usize| u64::from_le_bytes(intact[at..at + 8].try_into().unwrap());
    let (length, before) = (word(16) as usize, word(24));
    let mut record = intact[32..32 + length].to_vec();
    let at = (random >> 8) as usize % length;
    match random % 4 {
        0 => record[at] ^= 1 << (random >> 40 & 7),
        1 => record[at] = (random >> 40) as u8,
        2 => record[at..].iter_mut().take(8).for_each(|byte| *byte = 0xFF),
        _ => record[at..].iter_mut().take(8).for_each(|byte| *byte = 0),
    }
    let checksum = XxHash3_64::oneshot(&record);
    let mut forged = intact[..24].to_vec();
    forged.extend(checksum.to_le_bytes());
    forged.extend(record);
    let mut at = 32 + length;
    while at < intact.len() {
        let piece = u32::from_le_bytes(intact[at..at + 4].try_into().unwrap()) as usize;
        let bytes = &intact[at + 12..at + 12 + piece];
        let seal = |seed: u64| XxHash3_64::oneshot_with_seed(seed.wrapping_add(at as u64), bytes);
        assert_eq!(seal(before), word(at + 4), "the layout is another");
        forged.extend(&intact[at..at + 4]);
        forged.extend(seal(checksum).to_le_bytes());
        forged.extend(bytes);
        at += 12 + piece;
    }
    forged
}

fn resume<G: Stored, S: Scheme<G>>(game: &G, folder: &Path) -> Result<u64, SolveError> {
    let mut checkpoints = Checkpoints::in_folder(folder)?;
    let solver = Solver::new(game).threads(1).checkpoints(&mut checkpoints)?;
    Ok(solver.solve_as::<S>()?.summary().states())
}

#[test]
fn forged_checkpoints_do_no_harm() {
    let (endless, reach) = (Outcome::Win(Player::First), None);
    let plan = Plan { seed: 7, size: 2_000, reach, endless, moves: 5, alternating: false };
    let game = Web::<true, true>::from(plan);
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::in_folder(folder.path()).unwrap();
    stopped_in_its_first_levels(&game, checkpoints);
    let names = ["states.checkpoint", "levels.checkpoint"];
    let intact = names.map(|name| fs::read(folder.path().join(name)).unwrap());
    let tried = cases(2_000);
    let mut refused = 0;
    for random in randoms(tried) {
        for (name, intact) in names.iter().zip(&intact) {
            fs::write(folder.path().join(name), intact).unwrap();
        }
        let which = (random >> 62 == 0) as usize ^ 1;
        refused += u32::from(is_refused::<_, Packed>(
            &game,
            folder.path(),
            names[which],
            &intact[which],
            random,
        ));
    }
    assert!(refused > tried / 2, "{refused} of {tried} were refused");
}

#[test]
fn forged_searches_do_no_harm() {
    are_harmless::<Packed>();
    are_harmless::<Hashed>();
}

fn are_harmless<S: Scheme<Web<false, true>>>() {
    let (endless, reach) = (Outcome::Draw, Some(100));
    let plan = Plan { seed: 7, size: 2_000, reach, endless, moves: 5, alternating: true };
    let game = Web::<false, true>::from(plan);
    let folder = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::in_folder(folder.path()).unwrap().interval(Duration::ZERO);
    let watch = |progress| match progress {
        Progress::Hashed { ply: 4, .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let solver = Solver::new(&game).checkpoints(&mut checkpoints).unwrap().on_progress(watch);
    let stopped = solver.solve_as::<S>().map(|_| ());
    assert_eq!(stopped, Err(SolveError::Interrupted));
    drop(checkpoints);
    let name = "states.checkpoint";
    let intact = fs::read(folder.path().join(name)).unwrap();
    let tried = cases(1_000);
    let refused = randoms(tried)
        .filter(|&random| is_refused::<_, S>(&game, folder.path(), name, &intact, random));
    let refused = refused.count();
    assert!(refused > tried as usize / 4, "{refused} of {tried} were refused");
}

/// Numbers that look random.
fn randoms(count: u32) -> impl Iterator<Item = u64> {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    (0..count).map(move |_| {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        random
    })
}

/// Whether a run refuses a checkpoint that was changed at random. It may come to any other end, but no
/// panic.
fn is_refused<G: Stored, S: Scheme<G>>(
    game: &G,
    folder: &Path,
    name: &str,
    intact: &[u8],
    random: u64,
) -> bool {
    fs::write(folder.join(name), forge(intact, random ^ random >> 33)).unwrap();
    let result = catch_unwind(AssertUnwindSafe(|| resume::<G, S>(game, folder)));
    let result = result.unwrap_or_else(|_| panic!("a panic from {random:#x}"));
    matches!(result, Err(SolveError::Checkpoint(_)))
}
