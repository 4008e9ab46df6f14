//! Symmetries that a game lists as data, on the places of its states or on the bits of its words.

use std::ops::Range;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::plain::{self, BYTES, Bytes, Class, LONG, TEXT, TUPLE};

/// All symmetries of a game but the one that changes nothing.
pub(super) struct Symmetries {
    /// The number of places.
    places: usize,
    /// For each symmetry the place from which each place is filled, and the number of its exchange.
    all: Vec<(Vec<usize>, usize)>,
    /// The exchanges of letters, of which the first exchanges nothing.
    exchanges: Vec<Vec<[Bytes; 2]>>,
}

/// A symmetry as Python lists it: places, and pairs of letters, numbers or other data.
type Listed<'py> = (Vec<usize>, Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>);

/// The letters, bytes or items at the places of a state.
type Items<'b> = SmallVec<[&'b [u8]; 64]>;

impl Symmetries {
    /// Reads what `retrograde.symmetry` has made of the list of a game; `None` without symmetries.
    pub(super) fn read(listed: &Bound<'_, PyAny>, classes: &[Class]) -> PyResult<Option<Self>> {
        let listed: Vec<Listed<'_>> = listed.extract()?;
        let Some(places) = listed.first().map(|(places, _)| places.len()) else { return Ok(None) };
        let mut exchanges = vec![Vec::new()];
        let mut all = Vec::with_capacity(listed.len());
        for (from, pairs) in listed {
            let data = |one: &Bound<'_, PyAny>| {
                let mut bytes = Bytes::new();
                plain::write(one, classes, 0, &mut bytes).map(|()| bytes)
            };
            let pairs = pairs.iter().map(|(one, other)| Ok([data(one)?, data(other)?]));
            let pairs: Vec<[Bytes; 2]> = pairs.collect::<PyResult<_>>()?;
            let known = exchanges.iter().position(|known| *known == pairs);
            all.push((from, known.unwrap_or(exchanges.len())));
            if known.is_none() {
                exchanges.push(pairs);
            }
        }
        Ok(Some(Symmetries { places, all, exchanges }))
    }

    /// An error if neither the state nor a part of it has the places.
    pub(super) fn check_places(&self, state: &[u8]) -> PyResult<()> {
        let expected = || format!("expected the {} places that `symmetries` move", self.places);
        let part = Part::find(state, self.places);
        part.map(|_| ()).ok_or_else(|| PyValueError::new_err(expected()))
    }

    /// The least of the states that are the same as this one by symmetry, if it has the places.
    pub(super) fn least(&self, state: &[u8]) -> PyResult<Bytes> {
        let wrong = || {
            let problem = format!(
                "they are of {} places, but neither the state nor a part of it has so many: texts, bytes and \
                 tuples have places. List permutations of those, or write canonical(state) instead",
                self.places
            );
            PyValueError::new_err(problem)
        };
        let part = Part::find(state, self.places).ok_or_else(wrong)?;
        let items = part.items(state).ok_or_else(wrong)?;
        let exchanged: Vec<Items<'_>> =
            self.exchanges.iter().map(|pairs| exchange(&items, pairs, part.kind)).collect();
        let (mut least, mut of) = (None, &exchanged[0]);
        for (places, exchange) in &self.all {
            let candidate = &exchanged[*exchange];
            let before = (0..items.len())
                .map(|place| of[least.map_or(place, |known: &Vec<usize>| known[place])]);
            if places.iter().map(|&from| candidate[from]).lt(before) {
                (least, of) = (Some(places), candidate);
            }
        }
        match least {
            None => Ok(state.into()),
            Some(places) => {
                part.with(state, &places.iter().map(|&from| of[from]).collect::<Items<'_>>())
            }
        }
    }
}

/// Items after an exchange.
fn exchange<'b>(items: &[&'b [u8]], pairs: &'b [[Bytes; 2]], kind: u8) -> Items<'b> {
    // A letter of a text, and a number of bytes, have no first byte of their own.
    let bare = |data: &'b Bytes| match kind {
        TEXT => &data[1..],
        // A zero has no bytes behind the first.
        BYTES if data.len() == 1 => &[0],
        BYTES => &data[1..],
        _ => &data[..],
    };
    let other = |item: &&'b [u8]| {
        let found = pairs.iter().find(|[one, _]| bare(one) == *item);
        found.map_or(*item, |[_, other]| bare(other))
    };
    items.iter().map(other).collect()
}

/// The part of a state that has the places.
struct Part {
    /// The kind of the rows: [`TEXT`], [`BYTES`] or [`TUPLE`].
    kind: u8,
    /// The rows of the part, of which there may be one: each with its head.
    rows: SmallVec<[Range<usize>; 8]>,
}

impl Part {
    /// The state itself, its rows, or the first part of it that has so many places.
    fn find(state: &[u8], places: usize) -> Option<Part> {
        let own = plain::skip_class(state, 0)?;
        if let Some(part) = Part::at(state, own, places) {
            return Some(part);
        }
        if state[own] & !LONG != TUPLE {
            return None;
        }
        let parts = plain::parts(state, own)?;
        parts.iter().find_map(|part| Part::at(state, plain::skip_class(state, part.start)?, places))
    }

    /// The data that begin here, if they have so many places, in one row or in several.
    fn at(state: &[u8], start: usize, places: usize) -> Option<Part> {
        let kind = state.get(start)? & !LONG;
        if !matches!(kind, TEXT | BYTES | TUPLE) {
            return None;
        }
        if plain::count(state, start)? == places {
            let end = plain::end(state, start)?;
            return Some(Part { kind, rows: std::iter::once(start..end).collect() });
        }
        if kind != TUPLE {
            return None;
        }
        let rows = plain::parts(state, start)?;
        let kind = state.get(rows.first()?.start)? & !LONG;
        let mut sum = 0;
        for row in &rows {
            if state[row.start] & !LONG != kind || !matches!(kind, TEXT | BYTES | TUPLE) {
                return None;
            }
            sum += plain::count(state, row.start)?;
        }
        (sum == places).then_some(Part { kind, rows })
    }

    fn items<'b>(&self, state: &'b [u8]) -> Option<Items<'b>> {
        let mut items = Items::new();
        for row in &self.rows {
            items.extend(plain::parts(state, row.start)?.into_iter().map(|part| &state[part]));
        }
        Some(items)
    }

    /// The state with these items at its places.
    fn with(&self, state: &[u8], mut items: &[&[u8]]) -> PyResult<Bytes> {
        let mut bytes = Bytes::new();
        let mut last = 0;
        for row in &self.rows {
            bytes.extend_from_slice(&state[last..row.start]);
            let count = plain::count(state, row.start).unwrap_or(0);
            let (own, rest) = items.split_at(count.min(items.len()));
            let length =
                if self.kind == TEXT { own.iter().map(|one| one.len()).sum() } else { count };
            plain::with_length(self.kind, length, &mut bytes)?;
            own.iter().for_each(|item| bytes.extend_from_slice(item));
            (items, last) = (rest, row.end);
        }
        bytes.extend_from_slice(&state[last..]);
        Ok(bytes)
    }
}

/// Symmetries on the bits of words: for each and for each byte of a word, where the bits of the byte go.
pub(super) struct BitSymmetries {
    /// The bits that move.
    mask: u64,
    all: Vec<Vec<[u64; 256]>>,
}

impl BitSymmetries {
    /// Reads what `retrograde.symmetry` has made of the list of a game; `None` without symmetries.
    pub(super) fn read(listed: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let listed: Vec<Listed<'_>> = listed.extract()?;
        let Some(bits) = listed.first().map(|(places, _)| places.len()) else { return Ok(None) };
        let table = |(places, _): &Listed<'_>| {
            let mut table = vec![[0; 256]; bits.div_ceil(8)];
            for (to, &from) in places.iter().enumerate() {
                for (byte, moved) in table[from / 8].iter_mut().enumerate() {
                    *moved |= ((byte >> (from % 8) & 1) as u64) << to;
                }
            }
            table
        };
        let mask = u64::MAX >> (64 - bits);
        Ok(Some(BitSymmetries { mask, all: listed.iter().map(table).collect() }))
    }

    /// The least of the words that are the same as this one by symmetry.
    pub(super) fn least(&self, word: u64) -> u64 {
        let bytes = (word & self.mask).to_le_bytes();
        let moved = |table: &Vec<[u64; 256]>| {
            table.iter().zip(bytes).fold(0, |moved, (one, byte)| moved | one[usize::from(byte)])
        };
        let least = self.all.iter().map(moved).min();
        word & !self.mask | least.map_or(word & self.mask, |least| least.min(word & self.mask))
    }
}
