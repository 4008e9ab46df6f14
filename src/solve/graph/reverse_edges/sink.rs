//! Where the first pass writes edges: into buckets, or, where they lead into the window of another
//! process, into packets for that.
//!
//! A packet begins with the first source. Of each edge it has the place of its target within the window,
//! in as many bytes as that needs, and the gap to the source of the edge before, in as few bytes as it
//! needs.

use crate::runtime::peers::Windows;
use crate::solve::graph::positions::{Link, Links};
use crate::solve::graph::reverse_edges::EdgeWriter;

/// The edges that lead into one window.
#[derive(Debug, Default)]
pub(crate) struct EdgePacket {
    pub(crate) bytes: Vec<u8>,
    /// How many edges there are.
    pub(crate) edges: u64,
    /// The source of the last edge.
    last: u64,
}

/// Takes the edges of some states.
pub(crate) struct EdgeSink<'p, 'm> {
    writer: EdgeWriter<'p, 'm>,
    /// The windows of all processes, and a packet for each, where there are other processes.
    others: Option<(Windows, Vec<EdgePacket>)>,
    own: Links,
}

impl<'p, 'm> EdgeSink<'p, 'm> {
    /// A sink for all edges.
    pub(crate) fn new(writer: EdgeWriter<'p, 'm>) -> EdgeSink<'p, 'm> {
        EdgeSink { writer, others: None, own: Links::new() }
    }

    /// A sink that puts the edges into other windows into packets.
    pub(crate) fn among(writer: EdgeWriter<'p, 'm>, windows: Windows) -> EdgeSink<'p, 'm> {
        let packets = windows.ends().iter().map(|_| EdgePacket::default()).collect();
        EdgeSink { writer, others: Some((windows, packets)), own: Links::new() }
    }

    /// Takes the edges from a state to its successors. States come in ascending order.
    #[inline]
    pub(crate) fn write(&mut self, source: u64, links: &[Link]) {
        match &mut self.others {
            None => self.writer.write(source, links),
            Some(_) => self.write_among(source, links),
        }
    }

    fn write_among(&mut self, source: u64, links: &[Link]) {
        let Some((windows, packets)) = &mut self.others else { return };
        let first = windows.own_window().start;
        self.own.clear();
        for &link in links {
            let window = windows.ends().iter().map(|&end| usize::from(end <= link.index)).sum();
            if window == windows.own() {
                self.own.push(Link { index: link.index - first, ..link });
            } else if let Some(packet) = packets.get_mut(window) {
                let of = windows.window(window);
                let width = width_of(of.end - of.start);
                let place = Link { index: link.index - of.start, ..link };
                packet.push(source, place, width);
            }
        }
        self.writer.write(source, &self.own);
    }

    /// Takes the packets out, one for each window.
    pub(crate) fn take_packets(&mut self) -> Vec<EdgePacket> {
        let packets = self.others.iter_mut().flat_map(|(_, packets)| packets.iter_mut());
        packets.map(std::mem::take).collect()
    }

    /// The writer of the edges that lead into the own window.
    pub(crate) fn into_writer(self) -> EdgeWriter<'p, 'm> {
        self.writer
    }
}

impl EdgePacket {
    fn push(&mut self, source: u64, link: Link, width: usize) {
        if self.bytes.is_empty() {
            self.bytes.extend_from_slice(&source.to_le_bytes());
            self.last = source;
        }
        self.bytes.extend_from_slice(&link.index.to_le_bytes()[..width]);
        let mut gap = (source - self.last) << 1 | u64::from(link.same_mover);
        self.last = source;
        while gap >= 0x80 {
            self.bytes.push(gap as u8 | 0x80);
            gap >>= 7;
        }
        self.bytes.push(gap as u8);
        self.edges += 1;
    }
}

/// How many bytes the place of a target takes in a window of so many indices.
fn width_of(len: u64) -> usize {
    (u64::BITS - len.saturating_sub(1).leading_zeros()).div_ceil(8).max(1) as usize
}

/// Writes the edges of a packet into a window of `len` indices, from sources below `all`; returns how many
/// they are. Packets of one process come in the order of their sources. `None` if these are no edges.
pub(crate) fn write_arrived(
    bytes: &[u8],
    writer: &mut EdgeWriter<'_, '_>,
    len: u64,
    all: u64,
) -> Option<u64> {
    let (first, mut rest) = bytes.split_first_chunk()?;
    let mut source = u64::from_le_bytes(*first);
    let width = width_of(len);
    let mut edges = 0;
    while !rest.is_empty() {
        let (place, behind) = rest.split_at_checked(width)?;
        let mut eight = [0; 8];
        eight[..width].copy_from_slice(place);
        let index = u64::from_le_bytes(eight);
        let (mut gap, mut shift) = (0, 0);
        rest = behind;
        loop {
            let (&byte, behind) = rest.split_first()?;
            rest = behind;
            gap |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
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
            write_arrived(bytes, &mut writer, 300, 300)
        };
        let mut packet = EdgePacket::default();
        for source in [3, 3, 290] {
            packet.push(source, Link { index: 299, same_mover: true }, width_of(300));
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
