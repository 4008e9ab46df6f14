//! The values of a solved tier that several processes share, each with a part.

use std::sync::Arc;

use crate::game::value::Value;
use crate::numbering::TierValues;
use crate::runtime::peers::Windows;
use crate::solve::cells::Cells;

/// The values of a solved tier, as far as this process owns them.
#[derive(Debug)]
pub(crate) struct SharedValues {
    pub(crate) windows: Windows,
    /// The values of this process's window.
    pub(crate) values: Arc<Cells>,
}

impl TierValues for SharedValues {
    #[inline]
    fn value(&self, index: u64) -> Option<Value> {
        let window = self.windows.own_window();
        let place = index.checked_sub(window.start).filter(|_| index < window.end)?;
        TierValues::value(&*self.values, place)
    }

    fn bytes(&self) -> u64 {
        self.values.bytes()
    }

    fn are_shared(&self) -> bool {
        true
    }

    fn other_owner(&self, index: u64) -> Option<u32> {
        let owner = self.windows.of(index)?;
        (owner != self.windows.own()).then_some(owner as u32)
    }
}
