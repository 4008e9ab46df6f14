use std::collections::BTreeSet;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::runtime::scratch::Scratch;

/// Gathers random keys for some plies, and compares the set with another one ply by ply.
fn check(gathering: u64, most: u64, recuts: bool, scratch: Option<&Arc<Scratch>>) {
    let mut random = SmallRng::seed_from_u64(gathering + most);
    let files = scratch.map(|scratch| Arc::new(KeyFiles::new(scratch, 0)));
    let room = KeyRoom { gathering, files };
    room.files.iter().for_each(|files| files.note(1));
    let mut keys = Ordered::<u64>::new(&room).unwrap();
    // The memory of all changes.
    let mut taken = 0;
    let note = |taken: &mut u64, change: Change| *taken = *taken + change.after - change.before;
    let mut known = BTreeSet::new();
    for ply in 0..12_u64 {
        let mut found = BTreeSet::new();
        for _ in 0..kit::few(6, 30) {
            // Keys of a ply lie near each other, and are repeated.
            let some: Vec<u64> = (0..2000)
                .map(|_| (ply / 2) * 50_000 + random.random_range(0..most).pow(2) % 300_000)
                .collect();
            for &key in &some {
                note(&mut taken, keys.gather(keys.bucket_of(&key), &[key]).unwrap());
            }
            found.extend(some.into_iter().filter(|key| !known.contains(key)));
        }
        for bucket in 0..keys.buckets.len() {
            if ply % 2 == 0 {
                note(&mut taken, keys.settle(bucket, false).unwrap());
            }
            note(&mut taken, keys.settle(bucket, true).unwrap());
        }
        assert_eq!(taken, keys.bytes());
        let lens = (0..MOST_BUCKETS).map(|bucket| keys.lens(bucket));
        let lens = lens.fold([0; 2], |sum, lens| [sum[0] + lens[0], sum[1] + lens[1]]);
        assert_eq!(lens, [known.len() as u64, found.len() as u64]);
        let mut frontier = Vec::new();
        for bucket in 0..keys.buckets.len() {
            let mut copies = Vec::new();
            keys.copy(bucket, 0..keys.lens(bucket)[1] as usize, &mut copies);
            assert!(copies.iter().all(|key| keys.bucket_of(key) == bucket));
            frontier.extend(copies);
        }
        assert!(frontier.iter().eq(&found));
        known.extend(found);
        assert_eq!(keys.len(), known.len() as u64);
        if recuts {
            let bounds = keys.even_bounds();
            let buckets = (0..=bounds.len()).map(|bucket| keys.cut(&bounds, bucket).unwrap());
            keys = keys.recut(bounds.clone(), buckets.collect());
            taken = keys.bytes();
            assert!(known.len() < 100_000 || !bounds.is_empty());
            assert!(!keys.is_uneven() || bounds.is_empty());
        }
    }
    assert_eq!(keys.gathered.load(Ordering::Relaxed), 0);
    if recuts {
        for threads in [1, 3] {
            let list = Ordered::of([known.iter().copied().collect(), vec![], vec![]], &room);
            assert!(list.unwrap().unwrap().into_list(threads).unwrap().iter().eq(&known));
        }
        assert!(keys.into_list(2).unwrap().iter().eq(&known));
        return;
    }
    let keys = keys.into_keys().unwrap();
    if most > 2000 {
        assert_eq!(keys.in_memory(), if scratch.is_some() { 0 } else { keys.bytes() });
    }
    let mut all = Vec::new();
    keys.each(0..keys.len(), |_, key| all.push(key));
    assert!(all.iter().eq(&known));
}

#[test]
fn the_keys_of_each_ply_are_those_that_are_new() {
    for gathering in [0, 1 << 15, 1 << 40] {
        for most in [20, 2000, 1 << 30] {
            check(gathering, most, false, None);
            check(gathering, most, true, None);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn keys_in_scratch_files_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::in_folder(folder.path(), 0);
    for gathering in [1 << 15, 1 << 40] {
        for recuts in [false, true] {
            check(gathering, 1 << 30, recuts, Some(&scratch));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn keys_stay_in_memory_if_it_has_room_for_them_and_the_disk_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Scratch::in_folder(&folder.path().join("none"), 0);
    let keys: Vec<u64> = (0..100_000).map(|key| key * key).collect();
    for (most, has_room) in [(0, false), (1 << 20, true)] {
        let files = KeyFiles::new(&missing, most);
        files.note(2 * most + 1);
        let room = KeyRoom { gathering: 1 << 20, files: Some(Arc::new(files)) };
        let set = Ordered::of([keys.clone(), vec![], vec![]], &room).unwrap().unwrap();
        assert!(set.bytes() > 0);
        match set.into_keys() {
            Ok(found) => assert!(has_room && found.list().unwrap() == keys),
            Err(error) => assert!(!has_room && matches!(error, SolveError::Scratch { .. })),
        }
    }
}
