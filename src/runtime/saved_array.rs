//! Arrays of a checkpoint, as they are written.

/// Makes the bytes of an array.
type MakeBytes<'a> = dyn Fn() -> Result<Vec<u8>, String> + Send + Sync + 'a;

/// An array of a checkpoint, as it is written.
pub(crate) enum SavedArray<'a> {
    /// These bytes.
    Bytes(&'a [u8]),
    /// Bytes that are made when they are written, behind their number: memory has no room for all such
    /// arrays at once.
    Made {
        /// About how many bytes there are.
        about: u64,
        make: Box<MakeBytes<'a>>,
    },
}

/// A part of an array that is written as a whole.
#[derive(Clone, Copy)]
pub(crate) enum SavedPiece<'s> {
    Bytes(&'s [u8]),
    Made { about: u64, make: &'s MakeBytes<'s> },
}

/// How many bytes of keys, without what they refer to, are saved together.
const LIST: usize = 1 << 18;

/// How many keys are saved together in an array that is made.
pub(crate) const fn keys_a_list<K>() -> usize {
    let width = if size_of::<K>() > 0 { size_of::<K>() } else { 1 };
    if width < LIST { LIST / width } else { 1 }
}

impl<'a> SavedArray<'a> {
    /// The array of a number of keys, whose bytes are made when they are written.
    pub(crate) fn of_keys<K>(
        keys: usize,
        make: impl Fn() -> Result<Vec<u8>, String> + Send + Sync + 'a,
    ) -> SavedArray<'a> {
        SavedArray::Made { about: (keys * size_of::<K>()) as u64, make: Box::new(make) }
    }

    /// The array in pieces of at most this number of bytes, unless it is still to be made.
    pub(crate) fn pieces(&self, longest: usize) -> Vec<SavedPiece<'_>> {
        match self {
            SavedArray::Bytes(bytes) => bytes.chunks(longest).map(SavedPiece::Bytes).collect(),
            SavedArray::Made { about, make } => {
                vec![SavedPiece::Made { about: *about, make: &**make }]
            }
        }
    }
}

impl SavedPiece<'_> {
    /// About how many bytes it has.
    pub(crate) fn about(&self) -> u64 {
        match self {
            SavedPiece::Bytes(bytes) => bytes.len() as u64,
            SavedPiece::Made { about, .. } => *about,
        }
    }
}
