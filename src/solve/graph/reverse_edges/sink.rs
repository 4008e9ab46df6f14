//! Takes the edges that the first pass finds. Edges into this process's window go into buckets, and
//! edges into the window of another process into a packet for that process.
//!
//! A packet begins with the first source. It stores two numbers of each edge: the place of its
//! target within the window, in a fixed number of bytes, and the gap to the source of the edge
//! before, in a variable number. If processes share discovered states, a packet stores the key of
//! each target. The process that owns the state finds it.

use crate::numbering::discovered::FindKeys;
use crate::runtime::codec::{push_varint, take_varint};
use crate::runtime::peers::Windows;
use crate::solve::graph::links::{ForeignLink, Link, Links, Neighbours};
use crate::solve::graph::reverse_edges::EdgeWriter;

/// The edges that lead into one window.
#[derive(Debug, Default)]
pub(crate) struct EdgePacket {
    pub(crate) bytes: Vec<u8>,
    /// The number of edges.
    pub(crate) edges: u64,
    /// The source of the last edge.
    last: u64,
}

/// Takes the edges of some states.
pub(crate) struct EdgeSink<'p, 'm> {
    writer: EdgeWriter<'p, 'm>,
    /// The windows of all processes, and a packet for each; `None` without other processes.
    others: Option<(Windows, Vec<EdgePacket>)>,
    own: Links,
    /// The size of a target's key in bytes, if processes share discovered states.
    key_width: usize,
}

impl<'p, 'm> EdgeSink<'p, 'm> {
    /// A sink for all edges.
    pub(crate) fn new(writer: EdgeWriter<'p, 'm>) -> EdgeSink<'p, 'm> {
        EdgeSink { writer, others: None, own: Links::new(), key_width: 0 }
    }

    /// A sink that collects the edges into other windows in packets. `keys` finds states by their
    /// keys, if other processes send keys.
    pub(crate) fn among(
        writer: EdgeWriter<'p, 'm>,
        windows: Windows,
        keys: Option<&dyn FindKeys>,
    ) -> EdgeSink<'p, 'm> {
        let packets = windows.ends().iter().map(|_| EdgePacket::default()).collect();
        let key_width = keys.map_or(0, FindKeys::width);
        EdgeSink { writer, others: Some((windows, packets)), own: Links::new(), key_width }
    }

    /// Takes the edges from a state to its successors. States come in ascending order.
    #[inline]
    pub(crate) fn write(&mut self, source: u64, next: &Neighbours) {
        match &mut self.others {
            None => self.writer.write(source, &next.links),
            Some(_) => self.write_among(source, next),
        }
    }

    fn write_among(&mut self, source: u64, next: &Neighbours) {
        let Some((windows, packets)) = &mut self.others else { return };
        for &ForeignLink { key, same_mover } in &next.foreign {
            if let Some(packet) = packets.get_mut(key.owner as usize) {
                packet.push(source, key.key, same_mover, self.key_width);
            }
        }
        let first = windows.own_window().start;
        self.own.clear();
        for &link in &next.links {
            let window = windows.ends().iter().map(|&end| usize::from(end <= link.index)).sum();
            if window == windows.own() {
                self.own.push(Link { index: link.index - first, ..link });
            } else if let Some(packet) = packets.get_mut(window) {
                let of = windows.window(window);
                let width = width_of(of.end - of.start);
                let place = link.index - of.start;
                packet.push(source, place.into(), link.same_mover, width);
            }
        }
        self.writer.write(source, &self.own);
    }

    /// Takes the packets out, one for each window.
    pub(crate) fn take_packets(&mut self) -> Vec<EdgePacket> {
        let packets = self.others.iter_mut().flat_map(|(_, packets)| packets.iter_mut());
        packets.map(std::mem::take).collect()
    }

    /// The writer of the edges into this process's window.
    pub(crate) fn into_writer(self) -> EdgeWriter<'p, 'm> {
        self.writer
    }
}

impl EdgePacket {
    /// Adds an edge to the target with this number, which takes `width` bytes.
    fn push(&mut self, source: u64, target: u128, same_mover: bool, width: usize) {
        if self.bytes.is_empty() {
            self.bytes.extend_from_slice(&source.to_le_bytes());
            self.last = source;
        }
        self.bytes.extend_from_slice(&target.to_le_bytes()[..width]);
        let gap = u128::from(source - self.last) << 1 | u128::from(same_mover);
        self.last = source;
        push_varint(gap, &mut self.bytes);
        self.edges += 1;
    }
}

/// The size in bytes of the place of a target, in a window of `len` indices.
fn width_of(len: u64) -> usize {
    (u64::BITS - len.saturating_sub(1).leading_zeros()).div_ceil(8).max(1) as usize
}

/// Where the edges of packets lead.
#[derive(Clone, Copy)]
pub(crate) struct Targets<'k> {
    /// The first index of the window, and the number of its indices.
    pub(crate) first: u64,
    pub(crate) len: u64,
    /// The number of indices in all windows.
    pub(crate) all: u64,
    /// Finds targets by their keys, if packets contain keys.
    pub(crate) keys: Option<&'k dyn FindKeys>,
}

/// Writes the edges of a packet into a window, and returns their number. Packets of one process
/// come in the order of their sources. `None` if the bytes are not edges.
pub(crate) fn write_arrived(
    bytes: &[u8],
    writer: &mut EdgeWriter<'_, '_>,
    Targets { first: start, len, all, keys }: Targets<'_>,
) -> Option<u64> {
    let (first, mut rest) = bytes.split_first_chunk()?;
    let mut source = u64::from_le_bytes(*first);
    let width = keys.map_or(width_of(len), FindKeys::width);
    let mut edges = 0;
    while !rest.is_empty() {
        let (place, behind) = rest.split_at_checked(width)?;
        let mut wide = [0; 16];
        wide[..width].copy_from_slice(place);
        let target = u128::from_le_bytes(wide);
        let index = match keys {
            Some(keys) => keys.find(target)?.checked_sub(start)?,
            None => u64::try_from(target).ok()?,
        };
        rest = behind;
        let gap = u64::try_from(take_varint(&mut rest)?).ok()?;
        source = source.checked_add(gap >> 1)?;
        if index >= len || source >= all {
            return None;
        }
        writer.write(source, &[Link { index, same_mover: gap & 1 == 1 }]);
        edges += 1;
    }
    Some(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::graph::reverse_edges::EdgeMemory;

    #[test]
    fn what_is_no_packet_is_refused() {
        let mut memory = EdgeMemory::reserve(300, 300, 1 << 20).unwrap();
        let collector = memory.collector();
        let write = |bytes: &[u8]| {
            let mut writer = collector.writer(0..300);
            let targets = Targets { first: 0, len: 300, all: 300, keys: None };
            write_arrived(bytes, &mut writer, targets)
        };
        let mut packet = EdgePacket::default();
        for source in [3, 3, 290] {
            packet.push(source, 299, true, width_of(300));
        }
        assert_eq!(write(&packet.bytes), Some(3));
        for cut in [0, 7, 9, 10, 12] {
            assert_eq!(write(&packet.bytes[..cut]), None, "{cut}");
        }
        for bytes in [[9, 0, 0, 0, 0, 0, 0, 0, 44, 1, 0], [44, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]] {
            assert_eq!(write(&bytes), None);
        }
        assert_eq!(write(&[&[0; 10], &[0xff; 10][..], &[1]].concat()), None);
    }
}
