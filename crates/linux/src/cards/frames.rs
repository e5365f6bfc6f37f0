//! [`FrameClock`] and [`Xruns`]: how a thread that is called once in each period tells other
//! threads which frame is when, and when periods were missed.
//!
//! Whoever drives the periods writes: a card's thread, or a thread of the JACK server, for
//! sound and for MIDI alike. This module does not know at what time a frame is heard.
//!
//! Real-time contract: every access is bounded and makes no system call; no allocation,
//! lock, log or panic. Writing is wait-free and never held up by those who read.

mod ring;

use chronotap_core::time::Nanos;
use ring::Ring;
use std::sync::atomic::{AtomicU64, Ordering, fence}; // for `ring`, too

/// Periods whose beginnings are kept. Who reads loses only where this many periods less
/// one pass between two of its instructions.
const PERIODS: usize = 16;
/// How often a beginning is read anew before the reader gives up.
const TRIES: usize = 8;
/// Xruns whose times are kept until somebody looks.
const REMEMBERED: usize = 256;

/// When a period began, and its first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeriodStart {
    /// Raw CLOCK_MONOTONIC.
    pub at: Nanos,
    /// The number of its first frame.
    pub frame: u64,
}

/// When the last period began. One thread at a time writes it, any number read it.
#[derive(Debug, Default)]
pub struct FrameClock(Ring<PERIODS, 2>);

impl FrameClock {
    /// A period begins. One thread at a time may call it.
    pub fn begin(&self, period: PeriodStart) {
        self.0.push([period.at.0.cast_unsigned(), period.frame]);
    }

    /// The last period. `None` where none has begun, and where this thread was held up in
    /// the middle of each of 8 tries until 15 further periods had begun: then it is not
    /// known which frame is when, and whoever asks must not guess.
    pub fn last(&self) -> Option<PeriodStart> {
        let [at, frame] = self.0.last(TRIES)?;
        Some(PeriodStart { at: Nanos(at.cast_signed()), frame })
    }
}

/// The periods that were missed, counted from 0, and when each was noticed. One thread at
/// a time adds to them, any number read them.
#[derive(Debug, Default)]
pub struct Xruns(Ring<REMEMBERED, 1>);

impl Xruns {
    /// One more, noticed then (raw CLOCK_MONOTONIC). One thread at a time may call it.
    pub fn add(&self, at: Nanos) {
        self.0.push([at.0.cast_unsigned()]);
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.0.pushed()
    }

    /// When the xrun of that number, from 0, was noticed (raw CLOCK_MONOTONIC). `None`
    /// where 256 more have come since and its time is forgotten, or where there was none.
    pub fn at(&self, number: u64) -> Option<Nanos> {
        self.0.entry(number).map(|[at]| Nanos(at.cast_signed()))
    }

    /// Tells the times of all xruns from `next` on, and moves `next` behind the last;
    /// gives how many times are forgotten.
    pub fn tell_from(&self, next: &mut u64, mut tell: impl FnMut(Nanos)) -> u64 {
        let numbers = *next..self.count().max(*next);
        *next = numbers.end;
        // Of more than can be kept, the oldest need no look.
        let kept = numbers.end.saturating_sub(REMEMBERED as u64).max(numbers.start);
        let mut forgotten = kept - numbers.start;
        for number in kept..numbers.end {
            match self.at(number) {
                Some(at) => tell(at),
                None => forgotten += 1,
            }
        }
        forgotten
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_known_before_the_first_period_and_then_the_last_one_is() {
        let clock = FrameClock::default();
        assert_eq!(clock.last(), None);
        for n in 0..100_u64 {
            let period = PeriodStart { at: Nanos(n as i64 - 50), frame: n * 64 };
            clock.begin(period);
            assert_eq!(clock.last(), Some(period));
        }
    }

    #[test]
    fn an_xrun_whose_time_was_written_over_is_known_to_be_forgotten() {
        let xruns = Xruns::default();
        (0..300).for_each(|us| xruns.add(Nanos::from_micros(us)));
        assert_eq!(xruns.count(), 300);
        assert_eq!((xruns.at(43), xruns.at(300)), (None, None));
        assert_eq!(xruns.at(44), Some(Nanos::from_micros(44)));
        assert_eq!(xruns.at(299), Some(Nanos::from_micros(299)));
    }

    #[test]
    fn each_xrun_is_told_once_or_counted_as_forgotten() {
        let (xruns, mut next, mut told) = (Xruns::default(), 0, Vec::with_capacity(400));
        (0..300).for_each(|us| xruns.add(Nanos::from_micros(us)));
        assert_no_alloc::assert_no_alloc(|| {
            assert_eq!(xruns.tell_from(&mut next, |at| told.push(at)), 44);
            assert_eq!(xruns.tell_from(&mut next, |at| told.push(at)), 0);
        });
        assert_eq!((next, told.len()), (300, 256));
        assert_eq!((told[0], told[255]), (Nanos::from_micros(44), Nanos::from_micros(299)));
    }
}
