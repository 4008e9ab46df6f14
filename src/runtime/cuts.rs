//! Ranges of equal length.

/// The length of each of `parts` ranges that together cover `0..len`: a multiple of `grain`, and at
/// least one.
pub(crate) fn equal_length(len: u64, parts: usize, grain: u64) -> u64 {
    len.div_ceil(parts.max(1) as u64).next_multiple_of(grain).max(grain)
}

/// Cuts `0..len` into at most `parts` ranges of equal length, a multiple of `grain`; the last range
/// may be shorter. Returns the ends of the ranges, ascending.
pub(crate) fn equal_cuts(len: u64, parts: usize, grain: u64) -> Vec<u64> {
    let step = equal_length(len, parts, grain);
    (1..=len.div_ceil(step).max(1)).map(|part| (part * step).min(len)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_cuts_cover_everything() {
        for (len, parts, grain) in [(0, 3, 64), (1, 3, 64), (100_000, 3, 64), (64, 1, 64)] {
            let cuts = equal_cuts(len, parts, grain);
            assert!(cuts.len() <= parts && cuts.is_sorted());
            assert_eq!(cuts.last(), Some(&len));
        }
    }
}
