//! Discovered states that several processes share: each has the states of a range of keys, its
//! window.

/// The windows of all processes, as one process knows them.
#[derive(Clone, Debug)]
pub struct KeyWindow<K> {
    /// The number of this process's window.
    own: usize,
    /// The index of the first state of this process.
    first: u64,
    /// The number of states of all processes.
    all: u64,
    /// The greatest key of each window but the last, ascending.
    lasts: Vec<K>,
}

/// The key of a state that only another process can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForeignKey {
    /// The process whose window contains the key.
    pub(crate) owner: u32,
    pub(crate) key: u128,
}

/// The location of a state, as one of several processes sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// It has this index.
    Here(u64),
    /// Another process finds it by its key.
    Elsewhere(ForeignKey),
    /// It has no index.
    Nowhere,
}

/// Finds states by keys that other processes send.
pub trait FindKeys: Sync {
    /// The length of a key in bytes.
    fn width(&self) -> usize;

    /// The index of the state with this key, if this process has it.
    fn find(&self, key: u128) -> Option<u64>;

    /// The location of the state with this key.
    fn locate(&self, key: u128) -> Location;
}

impl<K: Ord> KeyWindow<K> {
    /// The window number `own` of `all` states; its first index is `first`. `lasts` are the
    /// greatest keys of all windows but the last.
    pub(crate) fn new(own: usize, first: u64, all: u64, lasts: Vec<K>) -> KeyWindow<K> {
        KeyWindow { own, first, all, lasts }
    }

    /// The index of the first state of this process.
    #[inline]
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// The number of states of all processes.
    #[inline]
    pub(crate) fn all(&self) -> u64 {
        self.all
    }

    /// The process whose window contains a key; `None` if it is this one.
    #[inline]
    pub(crate) fn other_owner(&self, key: &K) -> Option<u32> {
        // There are few windows, and counting them needs no branch.
        let owner: usize = self.lasts.iter().map(|last| usize::from(last < key)).sum();
        (owner != self.own).then_some(owner as u32)
    }
}
