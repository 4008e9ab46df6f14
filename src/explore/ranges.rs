//! The states of a ply, and how they are divided among threads and slices.

use std::ops::Range;

/// Some states of a ply: their shard, and their places in the shard.
pub(super) type ShardRange = (usize, Range<usize>);

/// Cuts a ply into tasks of `states` states each; the last task may have fewer.
pub(super) fn cut(ply: Vec<ShardRange>, states: usize) -> Vec<Vec<ShardRange>> {
    let mut parts = vec![Vec::new()];
    let mut room = states;
    for (shard, mut places) in ply {
        while !places.is_empty() {
            if room == 0 {
                parts.push(Vec::new());
                room = states;
            }
            let end = places.end.min(places.start + room);
            room -= end - places.start;
            if let Some(part) = parts.last_mut() {
                part.push((shard, places.start..end));
            }
            places.start = end;
        }
    }
    parts
}

/// Takes the first `states` states of a ply, or all that are left.
pub(super) fn take_states(rest: &mut Vec<ShardRange>, mut states: usize) -> Vec<ShardRange> {
    let mut taken = Vec::new();
    while states > 0
        && let Some((shard, places)) = rest.last_mut()
    {
        let start = places.end - places.len().min(states);
        states -= places.end - start;
        if start < places.end {
            taken.push((*shard, start..places.end));
        }
        places.end = start;
        if places.start == places.end {
            rest.pop();
        }
    }
    taken
}
