//! A module says in its file which game it is of, and which version of the library it was made with.

/// What stands before the version and the name of the game.
const BEFORE: &str = concat!("retrograde module for ", env!("CARGO_PKG_VERSION"), " of ");

/// What stands behind them.
const BEHIND: u8 = b'\n';

/// The length of the mark of a module for a game.
#[doc(hidden)]
#[must_use]
pub const fn mark_length(game: &str) -> usize {
    BEFORE.len() + game.len() + 1
}

/// The mark of a module for a game, in [`mark_length`] bytes.
#[doc(hidden)]
#[must_use]
pub const fn mark<const LENGTH: usize>(game: &str) -> [u8; LENGTH] {
    let mut mark = [BEHIND; LENGTH];
    let (before, _) = mark.split_at_mut(LENGTH - 1);
    let (before, name) = before.split_at_mut(BEFORE.len());
    before.copy_from_slice(BEFORE.as_bytes());
    name.copy_from_slice(game.as_bytes());
    mark
}

/// What the mark of a module says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marked<'m> {
    /// The version of the library that the module was made with.
    pub(crate) version: &'m str,
    /// The name of the game.
    pub(crate) game: &'m str,
}

/// The mark in the file of a module; `None` if there is none.
pub(crate) fn marked(module: &[u8]) -> Option<Marked<'_>> {
    let start = &BEFORE[..BEFORE.find(env!("CARGO_PKG_VERSION"))?];
    // The text is in the module a second time where it writes marks; there no name follows.
    let starts = module.windows(start.len()).enumerate();
    let mut marks = starts.filter(|(_, text)| *text == start.as_bytes()).filter_map(|(at, _)| {
        let mark = &module[at + start.len()..];
        let mark = &mark[..mark.iter().position(|byte| *byte == BEHIND)?];
        let (version, game) = std::str::from_utf8(mark).ok()?.split_once(" of ")?;
        Some(Marked { version, game })
    });
    marks.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_in_a_file() {
        let mark: [u8; mark_length("dots-and-boxes")] = mark("dots-and-boxes");
        let file = [b"\0asm\x01\0\0\0retrograde module for".as_slice(), &mark, b"\0\0"].concat();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(marked(&file), Some(Marked { version, game: "dots-and-boxes" }));
        assert_eq!(marked(b"\0asm\x01\0\0\0"), None);
        let other = b"retrograde module for 9.9.9 of chess\n";
        assert_eq!(marked(other), Some(Marked { version: "9.9.9", game: "chess" }));
    }
}
