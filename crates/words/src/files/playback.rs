//! What is said of a recorded trial that is to be played again.

use crate::{Says, Sentences, Surface, row, with};
use chronotap_data::playback::{OffRange, TooManyTones};

pub(super) const ROWS: &[Sentences] = &[row::<OffRange>(), row::<TooManyTones>()];

impl Says for TooManyTones {
    fn says(&self, _: Surface) -> String {
        let TooManyTones(_) = self;
        with(self, "choose fewer with --only or begin later with --from")
    }
}

impl Says for OffRange {
    fn says(&self, _: Surface) -> String {
        let OffRange { .. } = self;
        with(self, "move the taps less with --transpose-taps")
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    vec![Box::new(TooManyTones(60_001)), Box::new(OffRange { key: 60, note: 128 })]
}
