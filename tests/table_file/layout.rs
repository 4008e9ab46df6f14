//! The layout of a file, written a second time from its description: to take tables apart, and to
//! put forged ones together whose checksums are right.

use twox_hash::XxHash3_64;

pub(crate) const MARK: &[u8; 8] = b"\x89RTB\r\n\x1a\n";
pub(crate) const FRAME_BYTES: usize = 76;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) checksum: u64,
}

impl Section {
    pub(crate) fn of(offset: u64, bytes: &[u8]) -> Section {
        Section { offset, length: bytes.len() as u64, checksum: XxHash3_64::oneshot(bytes) }
    }

    fn write(self, to: &mut Vec<u8>) {
        [self.offset, self.length, self.checksum].iter().for_each(|&number| put(to, number));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) version: u32,
    pub(crate) file_length: u64,
    pub(crate) header: Section,
    pub(crate) directory: Section,
}

impl Frame {
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        bytes.extend(self.version.to_le_bytes());
        put(&mut bytes, self.file_length);
        self.header.write(&mut bytes);
        self.directory.write(&mut bytes);
        let checksum = XxHash3_64::oneshot(&bytes);
        put(&mut bytes, checksum);
        bytes
    }
}

/// A block and the bytes that stand for its first state, in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct States {
    pub(crate) block: Vec<u8>,
    pub(crate) first: Vec<u8>,
}

/// The records of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) header: Vec<u8>,
    pub(crate) values: Vec<Vec<u8>>,
    pub(crate) states: Vec<States>,
}

impl Parts {
    /// Takes an intact file apart.
    pub(crate) fn of(file: &[u8]) -> Parts {
        let mut frame = Reader(&file[8..]);
        assert_eq!((frame.u32(), frame.u64()), (1, file.len() as u64));
        let (header, directory) = (frame.section(), frame.section());
        let bytes = |section: Section| {
            let bytes = &file[section.offset as usize..][..section.length as usize];
            assert_eq!(Section::of(section.offset, bytes), section);
            bytes.to_vec()
        };
        let directory = bytes(directory);
        let mut directory = Reader(&directory);
        let values = (0..directory.u64()).map(|_| bytes(directory.section())).collect();
        let states = (0..directory.u64())
            .map(|_| {
                let block = bytes(directory.section());
                let length = directory.u64() as usize;
                States { block, first: directory.take(length).to_vec() }
            })
            .collect();
        assert!(directory.0.is_empty());
        Parts { header: bytes(header), values, states }
    }

    /// The file of these parts.
    pub(crate) fn to_file(&self) -> Vec<u8> {
        self.to_file_with(|_| {}, |_| {})
    }

    /// The file of these parts, with changes to the directory and then to the frame that their
    /// checksums agree with.
    pub(crate) fn to_file_with(
        &self,
        change_directory: impl FnOnce(&mut Vec<u8>),
        change_frame: impl FnOnce(&mut Frame),
    ) -> Vec<u8> {
        let mut file = vec![0; FRAME_BYTES];
        let mut append = |bytes: &[u8]| {
            let section = Section::of(file.len() as u64, bytes);
            file.extend(bytes);
            section
        };
        let header = append(&self.header);
        let values: Vec<Section> = self.values.iter().map(|block| append(block)).collect();
        let blocks: Vec<Section> = self.states.iter().map(|part| append(&part.block)).collect();
        let mut directory = Vec::new();
        put(&mut directory, values.len() as u64);
        values.iter().for_each(|section| section.write(&mut directory));
        put(&mut directory, blocks.len() as u64);
        for (section, part) in blocks.iter().zip(&self.states) {
            section.write(&mut directory);
            put_bytes(&mut directory, &part.first);
        }
        change_directory(&mut directory);
        let directory = append(&directory);
        let mut frame = Frame { version: 1, file_length: file.len() as u64, header, directory };
        change_frame(&mut frame);
        file[..FRAME_BYTES].copy_from_slice(&frame.to_bytes());
        file
    }

    /// Where the number of states stands in the header.
    pub(crate) fn len_at(&self) -> usize {
        let mut header = Reader(&self.header);
        for _ in ["game", "parameters"] {
            let length = header.u64() as usize;
            header.take(length);
        }
        header.u32();
        self.header.len() - header.0.len()
    }

    /// Changes the number of states in the header.
    pub(crate) fn set_len(&mut self, len: u64) {
        let at = self.len_at();
        self.header[at..at + 8].copy_from_slice(&len.to_le_bytes());
    }

    /// The packed value at a number of the first block.
    pub(crate) fn value(&self, number: usize) -> u16 {
        let at = VALUES_AT + 2 * number;
        u16::from_le_bytes([self.values[0][at], self.values[0][at + 1]])
    }

    pub(crate) fn set_value(&mut self, number: usize, packed: u16) {
        let at = VALUES_AT + 2 * number;
        self.values[0][at..at + 2].copy_from_slice(&packed.to_le_bytes());
    }
}

/// Where the values begin in their block, behind the number of the first, the layout and their length
/// in bytes.
pub(crate) const VALUES_AT: usize = 20;

/// A block of states of uneven width, as it is in the file.
pub(crate) fn uneven_states(first: u64, ends: &[u32], states: &[u8]) -> Vec<u8> {
    let mut block = Vec::new();
    put(&mut block, first);
    block.extend(1_u32.to_le_bytes());
    put(&mut block, ends.len() as u64);
    ends.iter().for_each(|end| block.extend(end.to_le_bytes()));
    put_bytes(&mut block, states);
    block
}

/// A block of states of even width, as it is in the file.
pub(crate) fn even_states(first: u64, width: u32, states: &[u8]) -> Vec<u8> {
    let mut block = Vec::new();
    put(&mut block, first);
    block.extend(0_u32.to_le_bytes());
    block.extend(width.to_le_bytes());
    put_bytes(&mut block, states);
    block
}

/// A plain block of values, as it is in the file.
pub(crate) fn values(first: u64, packed: &[u8]) -> Vec<u8> {
    let mut block = Vec::new();
    put(&mut block, first);
    block.extend(0_u32.to_le_bytes());
    put_bytes(&mut block, packed);
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
