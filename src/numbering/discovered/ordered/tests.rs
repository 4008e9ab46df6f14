use std::collections::BTreeSet;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;

/// Gathers random keys for some plies, and compares the set with another one ply by ply.
fn check(gathering: u64, most: u64, recuts: bool) {
    let mut random = SmallRng::seed_from_u64(gathering + most);
    let mut keys = Ordered::<u64>::new(gathering).unwrap();
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
            let list = Ordered::of([known.iter().copied().collect(), vec![], vec![]], gathering);
            assert!(list.unwrap().unwrap().into_list(threads).unwrap().iter().eq(&known));
        }
        assert!(keys.into_list(2).unwrap().iter().eq(&known));
        return;
    }
    let keys = keys.into_keys().unwrap();
    let mut all = Vec::new();
    keys.each(0..keys.len(), |_, key| all.push(key));
    assert!(all.iter().eq(&known));
}

#[test]
fn the_keys_of_each_ply_are_those_that_are_new() {
    for gathering in [0, 1 << 15, 1 << 40] {
        for most in [20, 2000, 1 << 30] {
            check(gathering, most, false);
            check(gathering, most, true);
        }
    }
}
