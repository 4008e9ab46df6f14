//! Bars and curves of characters, for figures that are shown as text.

use std::env;

use crate::game::summary::AtDistance;

/// The width of the bar of 100 %, and of the widest curve, in columns.
const BAR: u64 = 20;
const CURVE: usize = 20;

/// The characters that a terminal shows.
pub(super) struct Characters {
    /// From the least to the greatest part of a column that is filled.
    eighths: &'static [char],
    /// From the lowest to the highest.
    heights: &'static [char],
}

impl Characters {
    /// Blocks, or letters where the locale says that the output is not UTF-8.
    pub(super) fn of_locale() -> Characters {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"];
        let locale =
            names.iter().find_map(|name| env::var(name).ok().filter(|text| !text.is_empty()));
        let is_utf8 = |text: String| text.to_lowercase().replace('-', "").contains("utf8");
        if locale.is_none_or(is_utf8) { Characters::blocks() } else { Characters::ascii() }
    }

    fn blocks() -> Characters {
        Characters {
            eighths: &['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
            heights: &['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
        }
    }

    fn ascii() -> Characters {
        Characters { eighths: &['#'], heights: &['.', ':', '-', '=', '+', '*', '#', '@'] }
    }

    /// A share in percent, and a bar of that length. Every share above 0 has a bar. A share of less
    /// than everything is written as less than 100 %.
    pub(super) fn share(&self, count: u64, of: u64) -> String {
        let (count, of) = (u128::from(count), u128::from(of.max(1)));
        let percent = (200 * count + of) / (2 * of);
        let percent = match percent {
            0 if count > 0 => "<1 %".into(),
            100 if count < of => ">99 %".into(),
            percent => format!("{percent} %"),
        };
        let parts = self.eighths.len() as u128;
        let filled = (count * u128::from(BAR) * parts).div_ceil(of).min(u128::from(BAR) * parts);
        let mut bar =
            self.eighths[self.eighths.len() - 1].to_string().repeat((filled / parts) as usize);
        if let Some(rest) = ((filled % parts) as usize).checked_sub(1) {
            bar.push(self.eighths[rest]);
        }
        format!("{percent:>5}  {bar}").trim_end().to_owned()
    }

    /// How many states have each distance, from 0 to the longest, on a logarithmic scale.
    /// Neighbouring distances share a column where there are too many of them.
    pub(super) fn curve(&self, distances: &[AtDistance]) -> String {
        let longest = distances.last().map_or(0, |at| at.plies) as usize;
        let columns = (longest + 1).min(CURVE);
        let mut counts = vec![0_u64; columns];
        for at in distances {
            let column = at.plies as usize * columns / (longest + 1);
            let count = &mut counts[column.min(columns - 1)];
            *count = count.saturating_add(at.won).saturating_add(at.lost);
        }
        let most = counts.iter().max().map_or(1.0, |&most| (most.max(2) as f64).ln());
        let highest = self.heights.len() - 1;
        let height = |&count: &u64| match count {
            0 => ' ',
            count => {
                let height = (count as f64).ln() / most * highest as f64;
                self.heights[(height.round() as usize).min(highest)]
            }
        };
        counts.iter().map(height).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        let (blocks, ascii) = (Characters::blocks(), Characters::ascii());
        assert_eq!(blocks.share(0, 220), "  0 %");
        assert_eq!(blocks.share(76, 220), " 35 %  ███████");
        assert_eq!(blocks.share(1, 16), "  6 %  █▎");
        assert_eq!(ascii.share(76, 220), " 35 %  #######");
        assert_eq!(ascii.share(1, 1_000_000), " <1 %  #");
        assert_eq!(ascii.share(999_999, 1_000_000), format!(">99 %  {}", "#".repeat(20)));
        assert_eq!(ascii.share(7, 7), format!("100 %  {}", "#".repeat(20)));
        assert_eq!(ascii.share(u64::MAX, 0).chars().filter(|letter| *letter == '#').count(), 20);
        assert_eq!(ascii.share(0, 0), "  0 %");
    }

    #[test]
    fn a_curve_has_a_column_a_distance_or_fewer() {
        let at = |plies, won, lost| AtDistance { plies, won, lost };
        let blocks = Characters::blocks();
        assert_eq!(blocks.curve(&[at(0, 1, 0), at(1, 100, 0), at(3, 5_000, 5_000)]), "▁▅ █");
        let many: Vec<AtDistance> = (0..1_000).map(|plies| at(plies, 1, 1)).collect();
        assert_eq!(Characters::ascii().curve(&many), "@".repeat(CURVE));
        assert_eq!(blocks.curve(&[at(0, 1, 0)]), "▁");
    }
}
