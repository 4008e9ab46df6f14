//! How errors write numbers of bytes.

use std::fmt;

/// A number of bytes as errors write it: with a unit where it is large, and exactly, as in `10 MB
/// (10,000,000 bytes)`.
pub(crate) struct Bytes(pub(crate) u64);

/// The units, each a thousand times the one before.
const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0;
        if bytes == u64::MAX {
            // `u64::MAX` stands for "too many to count".
            return f.write_str("more than 18.4 EB");
        }
        if bytes < 1_000 {
            return write!(f, "{bytes} bytes");
        }
        let (mut tenths, mut unit) = (u128::from(bytes) * 10 / 1_000, 0);
        while tenths >= 10_000 {
            (tenths, unit) = (tenths / 1_000, unit + 1);
        }
        write!(f, "{}", tenths / 10)?;
        if tenths < 1_000 && tenths % 10 > 0 {
            write!(f, ".{}", tenths % 10)?;
        }
        write!(f, " {} ({} bytes)", UNITS[unit], Grouped(bytes))
    }
}

/// A number with a comma before every three digits.
pub(crate) struct Grouped(pub(crate) u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_a_unit_and_are_exact() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1_000, "1 kB (1,000 bytes)"),
            (1_590, "1.5 kB (1,590 bytes)"),
            (999_999, "999 kB (999,999 bytes)"),
            (10_000_000, "10 MB (10,000,000 bytes)"),
            (555_123_456, "555 MB (555,123,456 bytes)"),
            (u64::MAX - 1, "18.4 EB (18,446,744,073,709,551,614 bytes)"),
            (u64::MAX, "more than 18.4 EB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }
}
