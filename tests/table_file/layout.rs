//! The layout of a file, implemented a second time from its description. It takes tables apart, and
//! makes forged ones with right checksums.

use twox_hash::XxHash3_64;

pub(crate) const MARK: &[u8; 8] = b"\x89RTB\r\n\x1a\n";
pub(crate) const FRAME_BYTES: usize = 92;
const PAGE_SECTIONS: usize = 256;
const BLOCK_VALUES: u64 = 262_144;
const BLOCK_STATES: u64 = 16_384;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) checksum: u64,
}

impl Section {
    pub(crate) const NONE: Section = Section { offset: 0, length: 0, checksum: 0 };

    /// The section of the header.
    pub(crate) fn of(offset: u64, bytes: &[u8]) -> Section {
        Section { offset, length: bytes.len() as u64, checksum: XxHash3_64::oneshot(bytes) }
    }

    /// The section of another part of a table. `header` is the checksum of the table's header.
    fn within(header: u64, offset: u64, bytes: &[u8]) -> Section {
        let checksum = checksum(header, offset, bytes);
        Section { offset, length: bytes.len() as u64, checksum }
    }

    fn write(self, to: &mut Vec<u8>) {
        [self.offset, self.length, self.checksum].iter().for_each(|&number| put(to, number));
    }
}

fn checksum(header: u64, offset: u64, bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(header.wrapping_add(offset), bytes)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) version: u32,
    pub(crate) file_length: u64,
    pub(crate) header: Section,
    pub(crate) dictionary: Section,
    pub(crate) values: u64,
    pub(crate) states: u64,
}

impl Frame {
    pub(crate) fn of(file: &[u8]) -> Frame {
        let mut frame = Reader(&file[8..FRAME_BYTES]);
        let frame = Frame {
            version: frame.u32(),
            file_length: frame.u64(),
            header: frame.section(),
            dictionary: frame.section(),
            values: frame.u64(),
            states: frame.u64(),
        };
        assert_eq!(frame.to_bytes(), &file[..FRAME_BYTES]);
        frame
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        bytes.extend(self.version.to_le_bytes());
        put(&mut bytes, self.file_length);
        self.header.write(&mut bytes);
        self.dictionary.write(&mut bytes);
        put(&mut bytes, self.values);
        put(&mut bytes, self.states);
        let checksum = XxHash3_64::oneshot(&bytes);
        put(&mut bytes, checksum);
        bytes
    }
}

/// The parts of a file that was written without compression, or with an uncompressed header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// 2 for a game with points, else 1.
    pub(crate) version: u32,
    /// Begins with the byte that stands for no compression.
    pub(crate) header: Vec<u8>,
    pub(crate) dictionary: Option<Vec<u8>>,
    pub(crate) values: Vec<Vec<u8>>,
    /// The blocks of all levels, beginning with the states.
    pub(crate) states: Vec<Vec<u8>>,
}

impl Parts {
    /// Takes an intact file apart.
    pub(crate) fn of(file: &[u8]) -> Parts {
        let header = Frame::of(file).header;
        let bytes = &file[header.offset as usize..][..header.length as usize];
        Parts::with_header(file, bytes.to_vec())
    }

    /// Takes an intact file with a compressed header apart, and gives the parts this header
    /// instead.
    pub(crate) fn with_header(file: &[u8], stored: Vec<u8>) -> Parts {
        let frame = Frame::of(file);
        assert!([1, 2].contains(&frame.version));
        assert_eq!(frame.file_length, file.len() as u64);
        let bytes =
            |section: Section| file[section.offset as usize..][..section.length as usize].to_vec();
        let header = bytes(frame.header);
        assert_eq!(Section::of(frame.header.offset, &header), frame.header);
        let seed = frame.header.checksum;
        let part = |section: Section| {
            let bytes = bytes(section);
            assert_eq!(Section::within(seed, section.offset, &bytes), section);
            bytes
        };
        let sections = |mut offset: u64, mut count: usize| {
            let mut parts = Vec::new();
            while count > 0 {
                let here = count.min(PAGE_SECTIONS);
                let (sections, stored) = file[offset as usize..].split_at(24 * here);
                let expected = checksum(seed, offset, sections).to_le_bytes();
                assert_eq!(stored[..8], expected);
                let mut sections = Reader(sections);
                parts.extend((0..here).map(|_| part(sections.section())));
                offset += 24 * here as u64 + 8;
                count -= here;
            }
            parts
        };
        let dictionary = (frame.dictionary != Section::NONE).then(|| part(frame.dictionary));
        let parts = Parts {
            version: frame.version,
            header: stored,
            dictionary,
            values: Vec::new(),
            states: Vec::new(),
        };
        let len = parts.len();
        let values = sections(frame.values, len.div_ceil(BLOCK_VALUES) as usize);
        let mut blocks = 0;
        let mut level = if frame.states == 0 { 0 } else { len };
        while level > 0 {
            level = level.div_ceil(BLOCK_STATES);
            blocks += level as usize;
            if level == 1 {
                break;
            }
        }
        Parts { values, states: sections(frame.states, blocks), ..parts }
    }

    /// The file of these parts.
    pub(crate) fn to_file(&self) -> Vec<u8> {
        self.to_file_with(|_| {}, |_| {})
    }

    /// The file of these parts, with changes to the sections in the directories of values and
    /// states, and then to the frame. The checksums agree with the changes.
    pub(crate) fn to_file_with(
        &self,
        change_sections: impl Fn(&mut [Section]),
        change_frame: impl FnOnce(&mut Frame),
    ) -> Vec<u8> {
        let mut file = vec![0; FRAME_BYTES];
        let header = Section::of(FRAME_BYTES as u64, &self.header);
        file.extend(&self.header);
        let seed = header.checksum;
        let append = |file: &mut Vec<u8>, bytes: &[u8]| {
            let section = Section::within(seed, file.len() as u64, bytes);
            file.extend(bytes);
            section
        };
        let dictionary =
            self.dictionary.as_ref().map_or(Section::NONE, |bytes| append(&mut file, bytes));
        let mut append_all = |blocks: &[Vec<u8>]| {
            let mut sections: Vec<Section> =
                blocks.iter().map(|block| append(&mut file, block)).collect();
            change_sections(&mut sections);
            let start = file.len() as u64;
            for page in sections.chunks(PAGE_SECTIONS) {
                let offset = file.len();
                page.iter().for_each(|section| section.write(&mut file));
                let checksum = checksum(seed, offset as u64, &file[offset..]);
                put(&mut file, checksum);
            }
            start
        };
        let values = append_all(&self.values);
        let states = if self.states.is_empty() { 0 } else { append_all(&self.states) };
        let file_length = file.len() as u64;
        let version = self.version;
        let mut frame = Frame { version, file_length, header, dictionary, values, states };
        change_frame(&mut frame);
        file[..FRAME_BYTES].copy_from_slice(&frame.to_bytes());
        file
    }

    /// The place of the number of states in the header.
    pub(crate) fn len_at(&self) -> usize {
        assert_eq!(self.header[0], 0);
        let mut header = Reader(&self.header[1..]);
        for _ in ["game", "parameters"] {
            let length = header.u64() as usize;
            header.take(length);
        }
        // A tier also stores its number.
        if (4..=6).contains(&header.u32()) {
            header.u32();
        }
        self.header.len() - header.0.len()
    }

    fn len(&self) -> u64 {
        Reader(&self.header[self.len_at()..]).u64()
    }

    /// Changes the number of states in the header.
    pub(crate) fn set_len(&mut self, len: u64) {
        let at = self.len_at();
        self.header[at..at + 8].copy_from_slice(&len.to_le_bytes());
    }

    /// The place of the two tallies of five figures. They follow the number of states, the rules,
    /// and whether the table has only outcomes.
    pub(crate) fn tallies_at(&self) -> usize {
        let rules_at = self.len_at() + 8;
        // The outcome of endless play and the winner, if there is one, and then whether there is a
        // limit.
        let endless = if Reader(&self.header[rules_at..]).u32() == 0 { 8 } else { 4 };
        assert_eq!(self.header[rules_at + endless], 0);
        rules_at + endless + 1 + 1
    }

    /// The place of the number of distances. The distances follow, with 20 bytes each.
    pub(crate) fn distances_at(&self) -> usize {
        self.tallies_at() + 2 * 5 * 8
    }

    /// The place of the number of remembered states. These follow.
    pub(crate) fn remembered_at(&self) -> usize {
        let distances = Reader(&self.header[self.distances_at()..]).u64() as usize;
        self.distances_at() + 8 + 20 * distances
    }

    /// The place of the format of the blocks: the palette, whether unused indices are filled, and
    /// the lengths of blocks.
    pub(crate) fn format_at(&self) -> usize {
        let mut rest = Reader(&self.header[self.remembered_at()..]);
        for _ in 0..2 * rest.u64() {
            let length = rest.u64() as usize;
            rest.take(length);
        }
        self.header.len() - rest.0.len()
    }

    /// The values that bytes stand for.
    pub(crate) fn palette(&self) -> Vec<u16> {
        let mut arrangement = Reader(&self.header[self.format_at()..]);
        (0..arrangement.u64()).map(|_| arrangement.u16()).collect()
    }

    /// The packed values of the first block, which is not compressed.
    pub(crate) fn packed(&self) -> Vec<u16> {
        self.packed_in(0)
    }

    /// The packed values of any block.
    fn packed_in(&self, block: usize) -> Vec<u16> {
        let block = &self.values[block];
        match block[0] {
            0 => block[1..].chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
            1 => block[1..].iter().map(|&code| self.palette()[usize::from(code)]).collect(),
            layout => panic!("layout {layout}"),
        }
    }

    /// The packed value of a state by its index.
    pub(crate) fn value(&self, number: usize) -> u16 {
        let block_values = BLOCK_VALUES as usize;
        self.packed_in(number / block_values)[number % block_values]
    }

    /// Replaces the packed value of an index.
    pub(crate) fn set_value(&mut self, number: usize, packed: u16) {
        let (block, at) = (number / BLOCK_VALUES as usize, number % BLOCK_VALUES as usize);
        let mut values = self.packed_in(block);
        if values[at] != packed {
            values[at] = packed;
            self.values[block] = pairs(&values);
        }
    }
}

/// A block of values of two bytes each.
pub(crate) fn pairs(packed: &[u16]) -> Vec<u8> {
    let mut block = vec![0];
    packed.iter().for_each(|value| block.extend(value.to_le_bytes()));
    block
}

/// A block of states of uneven width, as a file stores it.
pub(crate) fn uneven_states(ends: &[u32], states: &[u8]) -> Vec<u8> {
    let mut block = vec![0];
    block.extend(1_u32.to_le_bytes());
    put(&mut block, ends.len() as u64);
    ends.iter().for_each(|end| block.extend(end.to_le_bytes()));
    put_bytes(&mut block, states);
    block
}

/// A block of states of even width, as a file stores it. With layout 2, `states` are differences.
pub(crate) fn even_states(layout: u32, width: u32, states: &[u8]) -> Vec<u8> {
    let mut block = vec![0];
    block.extend(layout.to_le_bytes());
    block.extend(width.to_le_bytes());
    put_bytes(&mut block, states);
    block
}

pub(crate) fn put(to: &mut Vec<u8>, number: u64) {
    to.extend(number.to_le_bytes());
}

pub(crate) fn put_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    put(to, bytes.len() as u64);
    to.extend(bytes);
}

/// Reads numbers from the front of some bytes.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (front, rest) = self.0.split_at(count);
        self.0 = rest;
        front
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take(2).try_into().unwrap())
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take(4).try_into().unwrap())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take(8).try_into().unwrap())
    }

    fn section(&mut self) -> Section {
        Section { offset: self.u64(), length: self.u64(), checksum: self.u64() }
    }
}
