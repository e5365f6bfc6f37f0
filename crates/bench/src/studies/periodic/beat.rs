//! [`PeriodBeat`]: what is kept of one beat of the periodic test.

use chronotap_core::time::Nanos;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeriodBeat {
    /// When the program acted on it.
    pub at: Nanos,
    /// Interrupts since the beat before, as the source counts them: 1 where none was skipped.
    pub interrupts: u64,
    /// Interrupts since the beat before that the source did not count, as the phase tells;
    /// below 0 where that was told too soon and is taken back.
    pub lost: i64,
}
