//! [`Watch`]: what the card's thread lets others see: which frame is when, what was
//! missed.
//!
//! Real-time contract: every access is wait-free, from any thread; no system call.

use crate::Shape;
use chronotap_time::Nanos;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize};

/// How many xruns may wait to be seen.
const REMEMBERED: usize = 256;

/// A frame, and when it is at the converter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its number.
    pub frame: u64,
    /// Estimated time at the converter, raw CLOCK_MONOTONIC.
    pub at: Nanos,
}

/// A card under way.
#[derive(Debug)]
pub struct Watch {
    frame_ns: f64,
    period_frames: u64,
    playback: Nanos,
    began: [(AtomicI64, AtomicU64); 4], // the last periods: due time, first frame
    latest: AtomicUsize,
    xruns: AtomicU64,
    xrun_at: [AtomicI64; REMEMBERED], // of the last xruns, in a ring
    gone: AtomicBool,
    origin: AtomicI64,            // of the trial's clock; i64::MIN before it starts
    xruns_before: AtomicU64,      // before it
    pub(crate) untold: AtomicU64, // callbacks that found the queue full
}

impl Watch {
    pub(crate) fn new(shape: &Shape) -> Watch {
        Watch {
            frame_ns: 1e9 / f64::from(shape.rate_hz.max(1)),
            period_frames: shape.period_frames.into(),
            playback: shape.playback_latency(),
            began: Default::default(),
            latest: AtomicUsize::new(0),
            xruns: AtomicU64::new(0),
            xrun_at: [const { AtomicI64::new(0) }; REMEMBERED],
            gone: AtomicBool::new(false),
            origin: AtomicI64::new(i64::MIN),
            xruns_before: AtomicU64::new(0),
            untold: AtomicU64::new(0),
        }
    }

    /// When the last period was due, raw CLOCK_MONOTONIC, and its first frame. A place is
    /// written again only three periods later, so that both belong together.
    pub fn latest(&self) -> (Nanos, u64) {
        let (at, frame) = &self.began[self.latest.load(Acquire) % 4];
        (Nanos(at.load(Relaxed)), frame.load(Relaxed))
    }

    /// Whether a period has begun at all.
    pub fn has_begun(&self) -> bool {
        self.latest().0 > Nanos::ZERO
    }

    /// The place of a frame, as the last period lets one expect.
    pub fn place_of(&self, frame: u64) -> Place {
        let (due, first) = self.latest();
        let ahead = frame.wrapping_sub(first) as i64;
        let at = due + Nanos::round_from_f64(ahead as f64 * self.frame_ns) + self.playback;
        Place { frame, at }
    }

    /// The frame that is at the converter nearest to a time, but none of the period that
    /// began last, which has been computed already.
    pub fn place_at(&self, at: Nanos) -> Place {
        let (due, first) = self.latest();
        let ahead = ((at - self.playback - due).0 as f64 / self.frame_ns).round();
        let ahead = (ahead as i64).max(self.period_frames as i64);
        let at = due + Nanos::round_from_f64(ahead as f64 * self.frame_ns) + self.playback;
        Place { frame: first.saturating_add_signed(ahead), at }
    }

    /// Periods that the card missed.
    pub fn xruns(&self) -> u64 {
        self.xruns.load(Acquire)
    }

    /// Those since the trial's clock started.
    pub fn xruns_since_origin(&self) -> u64 {
        self.xruns().saturating_sub(self.xruns_before.load(Relaxed))
    }

    /// When the xrun of that number, from 0, was noticed.
    pub fn xrun_at(&self, number: u64) -> Nanos {
        Nanos(self.xrun_at[number as usize % REMEMBERED].load(Relaxed))
    }

    /// Whether the card is gone.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Acquire)
    }

    /// Callbacks that found no room in the queue and are not told.
    pub fn untold(&self) -> u64 {
        self.untold.load(Relaxed)
    }

    /// The trial's clock counts from here, raw CLOCK_MONOTONIC.
    pub fn set_origin(&self, origin: Nanos) {
        self.xruns_before.store(self.xruns(), Relaxed);
        self.origin.store(origin.0, Release);
    }

    /// Where the trial's clock counts from, once it has started.
    pub fn origin(&self) -> Option<Nanos> {
        Some(Nanos(self.origin.load(Acquire))).filter(|origin| origin.0 != i64::MIN)
    }

    pub(crate) fn begin(&self, due: Nanos, first: u64) {
        let next = self.latest.load(Relaxed).wrapping_add(1);
        let (at, frame) = &self.began[next % 4];
        at.store(due.0, Relaxed);
        frame.store(first, Relaxed);
        self.latest.store(next, Release);
    }

    /// One more xrun. Only one thread calls it.
    pub(crate) fn add_xrun(&self, at: Nanos) {
        let count = self.xruns.load(Relaxed);
        self.xrun_at[count as usize % REMEMBERED].store(at.0, Relaxed);
        self.xruns.store(count + 1, Release);
    }

    pub(crate) fn set_gone(&self) {
        self.gone.store(true, Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch() -> Watch {
        let watch = Watch::new(&Shape {
            rate_hz: 50_000, // a frame is 20 us
            period_frames: 64,
            playback_latency_frames: 64,
            ..Shape::default()
        });
        watch.begin(Nanos::from_millis(100), 6_400);
        watch
    }

    #[test]
    fn a_frame_s_time_and_a_time_s_frame_are_each_other_s_inverse() {
        let watch = watch();
        for frame in [6_464, 6_465, 7_000, 100_000] {
            assert_eq!(watch.place_at(watch.place_of(frame).at).frame, frame);
        }
        assert_eq!(watch.place_of(6_400).at, Nanos::from_micros(101_280));
    }

    #[test]
    fn what_comes_too_late_goes_into_the_next_period() {
        let place = watch().place_at(Nanos::from_millis(90));
        assert_eq!(place, Place { frame: 6_464, at: Nanos::from_micros(102_560) });
    }

    #[test]
    fn xruns_are_kept_with_their_times() {
        let watch = watch();
        (1..=300).for_each(|us| watch.add_xrun(Nanos::from_micros(us)));
        assert_eq!((watch.xruns(), watch.xrun_at(299)), (300, Nanos::from_micros(300)));
    }
}
