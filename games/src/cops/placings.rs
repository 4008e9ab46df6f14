//! Numbers the ways to put cops, who are all alike, on the nodes of a graph.

use super::MOST_COPS;

/// The places of the cops in ascending order; 0 behind the last cop.
pub(super) type Cops = [u16; MOST_COPS];

/// The multisets of `cops` of `nodes` nodes, in the order of the combinatorial number system.
#[derive(Clone, Debug)]
pub(super) struct Placings {
    nodes: u16,
    cops: usize,
    /// For each cop, and each node that it is on: how many placings of this cop and those before it
    /// are on lower nodes.
    before: Vec<Vec<u64>>,
    len: u64,
}

impl Placings {
    /// `None` if there are 2^64 or more.
    pub(super) fn new(nodes: u16, cops: usize) -> Option<Placings> {
        // Those of no cop on the first nodes, of one cop, and so on: each is a sum of the one before.
        let mut counts = vec![1_u64; usize::from(nodes) + 1];
        let mut before = Vec::with_capacity(cops);
        for _ in 0..cops {
            let mut sums = vec![0_u64];
            for count in &counts[1..] {
                sums.push(sums[sums.len() - 1].checked_add(*count)?);
            }
            before.push(sums[..usize::from(nodes)].to_vec());
            counts = sums;
        }
        Some(Placings { nodes, cops, before, len: counts[usize::from(nodes)] })
    }

    #[inline]
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The index of a placing.
    #[inline]
    pub(super) fn rank(&self, cops: &Cops) -> u64 {
        let before = self.before.iter().zip(cops);
        before.map(|(before, &node)| before[usize::from(node)]).sum()
    }

    /// The placing of an index below [`len`](Placings::len).
    #[inline]
    pub(super) fn unrank(&self, mut index: u64) -> Cops {
        let mut cops = [0; MOST_COPS];
        for cop in (0..self.cops).rev() {
            let before = &self.before[cop];
            let node = before.partition_point(|&before| before <= index) - 1;
            index -= before[node];
            cops[cop] = node as u16;
        }
        cops
    }

    /// The placing behind this one, if it is not the last.
    #[inline]
    pub(super) fn next(&self, cops: &mut Cops) {
        for cop in 0..self.cops {
            let limit = if cop + 1 < self.cops { cops[cop + 1] } else { self.nodes };
            if cops[cop] < limit {
                cops[cop] += 1;
                cops[..cop].fill(0);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placings_are_numbered_in_order_without_gaps() {
        for (nodes, cops, len) in
            [(1, 1, 1), (1, 6, 1), (5, 1, 5), (4, 2, 10), (7, 3, 84), (6, 6, 462)]
        {
            let placings = Placings::new(nodes, cops).unwrap();
            assert_eq!(placings.len(), len);
            let mut next = [0; MOST_COPS];
            for index in 0..len {
                let placing = placings.unrank(index);
                assert!(placing[..cops].is_sorted() && placing[cops..].iter().all(|&cop| cop == 0));
                assert_eq!((placings.rank(&placing), placing), (index, next));
                placings.next(&mut next);
            }
        }
        assert!(Placings::new(u16::MAX, 4).is_some());
        assert!(Placings::new(u16::MAX, 6).is_none());
    }
}
