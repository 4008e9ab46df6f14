//! Discovered states that several processes share: each has those of a range of keys, its window.

/// What a process knows of the states that all processes share.
#[derive(Clone, Debug)]
pub struct KeyWindow<K> {
    /// Which of the windows is that of this process.
    own: usize,
    /// The index of the first state here.
    first: u64,
    /// How many states all processes have.
    all: u64,
    /// The greatest key of each window but the last, ascending.
    lasts: Vec<K>,
}

/// The key of a state that another process has, if any has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForeignKey {
    /// The process whose window the key is in.
    pub(crate) owner: u32,
    pub(crate) key: u128,
}

/// Where a state is, as one of several processes sees it.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// It has this index.
    Here(u64),
    /// Another process finds it by its key.
    Elsewhere(ForeignKey),
    /// It has no index.
    Nowhere,
}

/// Finds states by the keys that other processes send.
pub trait FindKeys: Sync {
    /// How many bytes a key takes.
    fn width(&self) -> usize;

    /// The index of the state with this key, if it is here.
    fn find(&self, key: u128) -> Option<u64>;

    /// Where the state with this key is.
    fn place(&self, key: u128) -> Place;
}

impl<K: Ord> KeyWindow<K> {
    /// The window `own` of `all` states, from the index `first` on. `lasts` are the greatest keys of all
    /// windows but the last.
    pub(crate) fn new(own: usize, first: u64, all: u64, lasts: Vec<K>) -> KeyWindow<K> {
        KeyWindow { own, first, all, lasts }
    }

    /// The index of the first state here.
    #[inline]
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// How many states all processes have.
    #[inline]
    pub(crate) fn all(&self) -> u64 {
        self.all
    }

    /// The process whose window a key is in; `None` if it is this one.
    #[inline]
    pub(crate) fn other_owner(&self, key: &K) -> Option<u32> {
        // There are few windows, and counting needs no branch.
        let owner: usize = self.lasts.iter().map(|last| usize::from(last < key)).sum();
        (owner != self.own).then_some(owner as u32)
    }
}
