//! How values are packed into 16 bits.

use crate::game::value::{MAX_PLIES, MAX_POINTS, Value};

// A packed value has its kind in the two highest bits, and the plies in the others. Points divide
// the room of the three kinds among themselves: see `Scale`.
const PLIES: u16 = MAX_PLIES as u16;
/// The packed form for an unused index.
pub(crate) const UNUSED: u16 = 0;
/// The packed form of [`Value::Endless`].
pub(crate) const ENDLESS: u16 = 1;
/// The packed form of [`Value::Win`] is this plus the distance.
pub(crate) const WIN: u16 = 0x4000;
/// The packed form of [`Value::Loss`] is this plus the distance.
pub(crate) const LOSS: u16 = 0x8000;
/// The packed form of [`Value::Draw`] is this plus the number of plies.
pub(crate) const DRAW: u16 = 0xC000;

/// 16 bits that are the packed form of no value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotAValue(pub(crate) u16);

/// How the values of a game are packed into 16 bits: without points, or with points up to a
/// promised number.
///
/// An unused index is 0 and endless play is 1. All other values are 2^14 and more: first the wins by
/// one point, by rising plies, then the losses by one point, then the wins and the losses by two
/// points and so on, and the draws at the end. Each of these runs is equally long. A game without
/// points has the runs of a game where one point is the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    /// The most points; 0 without points.
    points: u16,
    /// The length of a run.
    run: u16,
}

/// The number of plies in a packed win, loss or draw, in a game without points.
#[inline]
pub(crate) fn packed_plies(packed: u16) -> u32 {
    u32::from(packed & PLIES)
}

impl Scale {
    /// The packing of a game without points.
    pub(crate) const PLAIN: Scale = Scale { points: 0, run: PLIES + 1 };

    /// The packing of values with at most this many points, from 1 to [`MAX_POINTS`].
    pub(crate) fn with_points(points: u16) -> Scale {
        let points = points.clamp(1, MAX_POINTS);
        Scale { points, run: (u16::MAX - WIN + 1) / (2 * points + 1) }
    }

    /// Whether values have points.
    #[inline]
    pub(crate) fn has_points(self) -> bool {
        self.points > 0
    }

    /// The most points of a value. A win is one point.
    pub(crate) fn most_points(self) -> u16 {
        self.points.max(1)
    }

    /// The most plies of a value.
    pub(crate) fn most_plies(self) -> u32 {
        u32::from(self.run) - 1
    }

    /// The packed values of the states of distance 0 that are won and lost by this many points; for 0
    /// points twice the draw.
    pub(crate) fn ends(self, points: u16) -> [u16; 2] {
        let run = |at: u16| WIN + at * self.run;
        match points {
            0 => [run(2 * self.most_points()); 2],
            points => [run(2 * points - 2), run(2 * points - 1)],
        }
    }

    /// Whether a value fits.
    pub(crate) fn fits(self, value: Value) -> bool {
        value.points().unsigned_abs() <= self.most_points()
            && value.plies().is_none_or(|plies| plies <= self.most_plies())
    }

    /// The value in 16 bits, as tables store it. It has to [fit](Scale::fits).
    #[inline]
    pub(crate) fn pack(self, value: Value) -> u16 {
        debug_assert!(self.fits(value), "{value:?}");
        let (end, plies) = match value {
            Value::Win(plies) => (WIN, plies),
            Value::Loss(plies) => (LOSS, plies),
            Value::Draw(plies) => (DRAW, plies),
            Value::Endless => (ENDLESS, 0),
            Value::Points { points, plies } => {
                (self.ends(points.unsigned_abs())[usize::from(points < 0)], plies)
            }
        };
        end + plies as u16
    }

    /// The value with this [packed](Scale::pack) form; `None` for an unused index.
    ///
    /// # Errors
    /// When it is the packed form of no value.
    #[inline]
    pub(crate) fn unpack(self, packed: u16) -> Result<Option<Value>, NotAValue> {
        let plies = u32::from(packed & PLIES);
        match packed & !PLIES {
            0 => {
                return match packed {
                    UNUSED => Ok(None),
                    ENDLESS => Ok(Some(Value::Endless)),
                    _ => Err(NotAValue(packed)),
                };
            }
            _ if self.has_points() => {}
            WIN => return Ok(Some(Value::Win(plies))),
            LOSS => return Ok(Some(Value::Loss(plies))),
            _ => return Ok(Some(Value::Draw(plies))),
        }
        let (at, plies) = ((packed - WIN) / self.run, u32::from((packed - WIN) % self.run));
        let points = (at / 2 + 1) as i16;
        let points = match at {
            _ if at > 2 * self.points => return Err(NotAValue(packed)),
            _ if at == 2 * self.points => 0,
            _ if at % 2 == 0 => points,
            _ => -points,
        };
        Ok(Some(Value::Points { points, plies }))
    }

    /// Whether a packed value has a distance other than 0.
    pub(crate) fn has_plies(self, packed: u16) -> bool {
        packed != self.without_plies(packed)
    }

    /// The packed form of a value without its distance.
    pub(crate) fn without_plies(self, packed: u16) -> u16 {
        match packed {
            ..WIN => packed,
            _ if !self.has_points() => packed & !PLIES,
            _ => packed - (packed - WIN) % self.run,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_survives_packing_and_no_two_share_a_number() {
        let mut seen = std::collections::HashSet::from([UNUSED]);
        let every_distance = (0..=MAX_PLIES)
            .flat_map(|plies| [Value::Win(plies), Value::Loss(plies), Value::Draw(plies)]);
        for value in every_distance.chain([Value::Endless]) {
            assert_eq!(Scale::PLAIN.unpack(Scale::PLAIN.pack(value)).unwrap(), Some(value));
            assert!(seen.insert(Scale::PLAIN.pack(value)));
        }
        assert_eq!(seen.len(), 2 + 3 * (1 << 14));
        assert!(Scale::PLAIN.unpack(UNUSED).unwrap().is_none());
        for packed in 2..WIN {
            assert!(Scale::PLAIN.unpack(packed).is_err());
        }
    }

    #[test]
    fn points_and_plies_survive_packing_whatever_the_most_points_are() {
        for most in [1, 2, 24, 48, 511] {
            let scale = Scale::with_points(most);
            let mut packed: Vec<u16> = vec![UNUSED, ENDLESS];
            for points in -(most as i16)..=most as i16 {
                for plies in 0..=scale.most_plies() {
                    let value = Value::Points { points, plies };
                    let at = scale.pack(value);
                    assert_eq!(scale.unpack(at).unwrap(), Some(value));
                    let end = Value::Points { points, plies: 0 };
                    assert_eq!(scale.without_plies(at), scale.pack(end));
                    packed.push(at);
                }
                assert!(!scale.fits(Value::Points { points, plies: scale.most_plies() + 1 }));
            }
            assert!(!scale.fits(Value::Points { points: most as i16 + 1, plies: 0 }));
            packed.sort_unstable();
            assert!(packed.is_sorted_by(|one, next| one < next), "{most}");
            let values = (0..=u16::MAX).filter(|&packed| scale.unpack(packed).is_ok()).count();
            assert_eq!(values, packed.len(), "{most}");
        }
        assert_eq!(Scale::with_points(24).most_plies(), 1_002);
        assert_eq!(Scale::with_points(1).ends(1), [WIN, LOSS]);
    }
}
