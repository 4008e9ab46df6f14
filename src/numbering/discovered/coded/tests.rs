use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;

/// Lists of ascending keys with gaps of all kinds.
fn lists() -> Vec<Vec<u64>> {
    let mut random = SmallRng::seed_from_u64(0);
    let mut lists: Vec<Vec<u64>> = vec![
        vec![],
        vec![0],
        vec![u64::MAX],
        vec![0, u64::MAX],
        (0..1000).collect(),
        (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]).collect(),
        (0..4).flat_map(|far| (0..2000).map(move |at| (far << 60) + 2 * at)).collect(),
    ];
    for bits in [1, 2, 3, 5, 9, 17, 33, 50] {
        let mut key = 0_u64;
        lists.push(
            (0..1000)
                .map(|_| {
                    key += 1 + (random.random::<u64>() >> (64 - bits));
                    key
                })
                .collect(),
        );
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    lists
}

fn check<K: CodedKey>(keys: &[K], others: &[K]) {
    let coded = CodedKeys::of(keys).unwrap();
    assert_eq!(coded.len(), keys.len() as u64);
    for (place, &key) in keys.iter().enumerate() {
        assert_eq!(coded.get(place as u64), Some(key));
    }
    assert_eq!(coded.get(keys.len() as u64), None);
    for start in [0, 1, keys.len() / 3, keys.len()] {
        for end in [keys.len(), keys.len() / 2 + 1, start] {
            let (start, end) = (start.min(keys.len()), end.min(keys.len()));
            let mut read = Vec::new();
            coded.each(start as u64..end as u64, |place, key| read.push((place, key)));
            let expected = keys.get(start..end).unwrap_or_default();
            let expected: Vec<(u64, K)> = (start as u64..).zip(expected.iter().copied()).collect();
            assert!(read == expected);
        }
    }
    for &key in others {
        assert_eq!(coded.lower_bound(key), keys.partition_point(|it| *it < key) as u64);
    }
    let mut sought: Vec<K> = others.to_vec();
    sought.sort_unstable();
    for to in [None, sought.get(sought.len() / 2).copied()] {
        let until = to.map_or(keys.len(), |to| keys.partition_point(|it| *it < to));
        let mut cursor = Cursor::between(&coded, K::from(0), to);
        for &key in &keys[..until] {
            assert_eq!(cursor.peek(), Some(key));
            cursor.advance();
        }
        assert_eq!(cursor.peek(), None);
        for step in [1, 7, 300] {
            let mut cursor = Cursor::between(&coded, K::from(0), to);
            for &key in sought.iter().step_by(step) {
                cursor.seek(key);
                let place = keys[..until].partition_point(|it| *it < key);
                assert_eq!(cursor.peek(), keys[..until].get(place).copied());
            }
        }
    }
    let arrays = coded.arrays().map(<[u8]>::to_vec);
    let mut read = arrays.iter();
    let words = arrays[1].len() as u64 / 8;
    let again = CodedKeys::<K>::read([coded.len(), words], None, &mut |array| {
        array.copy_from_slice(read.next().unwrap());
        Ok(())
    });
    assert!(again.unwrap().is_some_and(|again| again.arrays().concat() == arrays.concat()));
    let lookup = CodedLookup::of(coded).unwrap();
    let mut places = vec![1; others.len()];
    lookup.find_all(others, &mut places);
    for (key, place) in others.iter().zip(places) {
        let expected = keys.binary_search(key).ok().map(|place| place as u64);
        assert_eq!(lookup.find(*key), expected);
        assert_eq!(place, expected.unwrap_or(NOWHERE));
    }
}

#[test]
fn every_key_is_found_at_its_place_and_no_other_is() {
    for keys in lists() {
        let around = |&key: &u64| [key.wrapping_sub(1), key, key.wrapping_add(1)];
        let others: Vec<u64> =
            keys.iter().flat_map(around).chain([0, 1, 1 << 63, u64::MAX]).collect();
        check(&keys, &others);
        for shift in [0, 1, 40, 64] {
            let wide = |keys: &[u64]| keys.iter().map(|&key| u128::from(key) << shift).collect();
            let (keys, mut others): (Vec<u128>, Vec<u128>) = (wide(&keys), wide(&others));
            others.extend(keys.iter().map(|key| key ^ 1 << 20));
            others.push(u128::MAX);
            check(&keys, &others);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_keys_are_found(
        mut keys in proptest::collection::vec(any::<u128>(), 0..600),
        shift in 0_u32..127,
        others in proptest::collection::vec(any::<u128>(), 0..50),
    ) {
        keys.iter_mut().for_each(|key| *key >>= shift);
        keys.sort_unstable();
        keys.dedup();
        let others: Vec<u128> = others.into_iter().map(|key| key >> shift).collect();
        check(&keys, &others);
        let mut narrow: Vec<u64> = keys.iter().map(|&key| key as u64).collect();
        narrow.sort_unstable();
        narrow.dedup();
        check(&narrow, &others.iter().map(|&key| key as u64).collect::<Vec<_>>());
    }
}

#[test]
fn damaged_arrays_are_refused_or_the_code_of_other_keys() {
    let mut random = SmallRng::seed_from_u64(2);
    let mut refused = 0;
    for keys in lists() {
        let wide: Vec<u128> = keys.iter().map(|&key| u128::from(key) << 50).collect();
        let (narrow, wide) = (CodedKeys::of(&keys).unwrap(), CodedKeys::of(&wide).unwrap());
        for _ in 0..200 {
            refused += u64::from(damage(&narrow, &mut random));
            refused += u64::from(damage(&wide, &mut random));
        }
    }
    assert!(refused > 1000);
}

/// Damages a byte, or leaves the last word out, and reads the keys. Returns whether they are refused.
fn damage<K: CodedKey>(keys: &CodedKeys<K>, random: &mut SmallRng) -> bool {
    let mut arrays = keys.arrays().map(<[u8]>::to_vec);
    let at = random.random_range(0..2);
    if arrays[at].is_empty() || random.random_range(0..20) == 0 {
        let short = arrays[1].len() - 8;
        arrays[1].truncate(short);
    } else {
        let byte = random.random_range(0..arrays[at].len());
        arrays[at][byte] ^= 1 << random.random_range(0..8);
    }
    let (mut read, words) = (arrays.iter(), arrays[1].len() as u64 / 8);
    let again = CodedKeys::<K>::read([keys.len(), words], None, &mut |array| {
        array.copy_from_slice(read.next().unwrap());
        Ok(())
    });
    let Some(again) = again.unwrap() else { return true };
    let mut before = None;
    again.each(0..again.len(), |_, key| {
        assert!(before < Some(key));
        before = Some(key);
    });
    false
}

#[test]
fn close_keys_take_little_memory() {
    let mut random = SmallRng::seed_from_u64(1);
    let keys: Vec<u64> = (0..200_000_u64).filter(|_| random.random_range(0..10) < 3).collect();
    let coded = CodedKeys::of(&keys).unwrap();
    // A bit for each of ten thirds of places, and the heads.
    assert!(coded.bytes() * 8 < keys.len() as u64 * 6, "{}", coded.bytes());
}
