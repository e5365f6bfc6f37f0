//! [`CardWatch`]: what the card's thread lets others see: which frame is when, what was
//! missed.
//!
//! Real-time contract: every access is bounded, from any thread; no system call.
//!
//! What the frame clock and the xruns promise is theirs. `gone` and `origin` are stored
//! with `Release` and loaded with `Acquire`: who sees that the card is gone sees its last
//! period, and who sees the origin sees the count of xruns before it. `untold` and `silenced`
//! are counts that nothing else is read with, and need no order. A server may change its period and
//! with it the latency; each is read for itself: in the midst of a change a frame is expected by the
//! old one or by the new one, and the card corrects what was said of it.

use crate::cards::changes::{Lone, NoticedChanges};
use crate::cards::frames::{FrameClock, PeriodStart, Xruns};
use crate::cards::shape::CardShape;
use chronotap_core::time::Nanos;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64};

/// A frame, and when it is at the converter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameTime {
    pub frame: u64,
    /// Estimated time at the converter, raw CLOCK_MONOTONIC.
    pub at: Nanos,
}

/// A card under way.
#[derive(Debug)]
pub struct CardWatch {
    frame_ns: f64,
    period_frames: AtomicU64,
    playback: AtomicI64, // ns
    clock: FrameClock,
    xruns: Xruns,
    pub(crate) changes: NoticedChanges,
    pub(crate) lone: Lone,
    gone: AtomicBool,
    origin: AtomicI64,            // of the trial's clock; i64::MIN before it starts
    xruns_before: AtomicU64,      // before it
    pub(crate) untold: AtomicU64, // callbacks that found the queue full
    pub(crate) silenced: AtomicU64, // frames that were no number
}

impl CardWatch {
    pub(crate) fn new(shape: &CardShape) -> CardWatch {
        CardWatch {
            frame_ns: 1e9 / f64::from(shape.rate_hz.max(1)),
            period_frames: AtomicU64::new(shape.period_frames.into()),
            playback: AtomicI64::new(shape.playback_latency().0),
            clock: FrameClock::default(),
            xruns: Xruns::default(),
            changes: NoticedChanges::default(),
            lone: Lone::default(),
            gone: AtomicBool::new(false),
            origin: AtomicI64::new(i64::MIN),
            xruns_before: AtomicU64::new(0),
            untold: AtomicU64::new(0),
            silenced: AtomicU64::new(0),
        }
    }

    /// When the last period was due, and its first frame. `None` where it is not known,
    /// see [`FrameClock::last`]; the card's own thread always knows.
    pub fn last_period(&self) -> Option<PeriodStart> {
        self.clock.last()
    }

    /// The place of a frame, as the last period lets one expect, where that is known.
    pub fn place_of(&self, frame: u64) -> Option<FrameTime> {
        let last = self.last_period()?;
        let ahead = frame.wrapping_sub(last.frame) as i64;
        Some(FrameTime { frame, at: self.at_converter(last, ahead) })
    }

    /// The frame that is at the converter nearest to a time, but none of the period that
    /// began last, which has been computed already. `None` where no period is known.
    pub fn place_at(&self, at: Nanos) -> Option<FrameTime> {
        let last = self.last_period()?;
        let ahead = ((at - self.playback() - last.at).0 as f64 / self.frame_ns).round();
        let ahead = (ahead as i64).max(self.period_frames() as i64);
        let frame = last.frame.saturating_add_signed(ahead);
        Some(FrameTime { frame, at: self.at_converter(last, ahead) })
    }

    fn at_converter(&self, period: PeriodStart, ahead_frames: i64) -> Nanos {
        period.at + Nanos::round_from_f64(ahead_frames as f64 * self.frame_ns) + self.playback()
    }

    /// Frames of a period, as the card runs now.
    pub fn period_frames(&self) -> u64 {
        self.period_frames.load(Relaxed)
    }

    /// From the time at which a period is due to when its first frame is at the converter, as the
    /// card says now.
    pub fn playback(&self) -> Nanos {
        Nanos(self.playback.load(Relaxed))
    }

    /// Whether what it played on is connected with nothing any more.
    pub fn is_lone(&self) -> bool {
        self.lone.outputs() != 0
    }

    /// The same of inputs and outputs.
    pub fn lone(&self) -> &Lone {
        &self.lone
    }

    /// What others changed at the card's server.
    pub fn changes(&self) -> &NoticedChanges {
        &self.changes
    }

    /// Periods that the card missed.
    pub fn xruns(&self) -> u64 {
        self.xruns.count()
    }

    /// Those since the trial's clock started.
    pub fn xruns_since_origin(&self) -> u64 {
        self.xruns().saturating_sub(self.xruns_before.load(Relaxed))
    }

    /// Tells when each xrun from `next` on was noticed, see [`Xruns::tell_from`].
    pub fn tell_xruns(&self, next: &mut u64, tell: impl FnMut(Nanos)) -> u64 {
        self.xruns.tell_from(next, tell)
    }

    /// Whether the card is gone.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Acquire)
    }

    /// Callbacks that found no room in the queue and are not told.
    pub fn untold(&self) -> u64 {
        self.untold.load(Relaxed)
    }

    /// Frames that were no number (NaN) or infinite as they left the process, and were
    /// silenced.
    pub fn silenced(&self) -> u64 {
        self.silenced.load(Relaxed)
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

    /// A period begins. Only the card's thread calls it.
    pub(crate) fn begin(&self, due: Nanos, frame: u64) {
        self.clock.begin(PeriodStart { at: due, frame });
    }

    /// One more xrun. Only one thread calls it: the card's, or that of a server's notices.
    pub(crate) fn add_xrun(&self, at: Nanos) {
        self.xruns.add(at);
    }

    /// The period has so many frames from now on; whether that is another number.
    pub(crate) fn set_period(&self, frames: u32) -> bool {
        self.period_frames.swap(frames.into(), Relaxed) != u64::from(frames)
    }

    /// The card states this latency from now on; whether that is another one.
    pub(crate) fn set_playback(&self, latency: Nanos) -> bool {
        self.playback.swap(latency.0, Relaxed) != latency.0
    }

    pub(crate) fn set_gone(&self) {
        self.gone.store(true, Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch() -> CardWatch {
        let watch = CardWatch::new(&CardShape {
            rate_hz: 50_000, // a frame is 20 us
            period_frames: 64,
            playback_latency_frames: 64,
            ..CardShape::default()
        });
        watch.begin(Nanos::from_millis(100), 6_400);
        watch
    }

    #[test]
    fn a_frame_s_time_and_a_time_s_frame_are_each_other_s_inverse() {
        let watch = watch();
        for frame in [6_464, 6_465, 7_000, 100_000] {
            let place = watch.place_of(frame).unwrap();
            assert_eq!(watch.place_at(place.at), Some(place));
        }
        assert_eq!(watch.place_of(6_400).unwrap().at, Nanos::from_micros(101_280));
    }

    #[test]
    fn what_comes_too_late_goes_into_the_next_period() {
        let place = watch().place_at(Nanos::from_millis(90));
        assert_eq!(place, Some(FrameTime { frame: 6_464, at: Nanos::from_micros(102_560) }));
    }

    #[test]
    fn before_the_first_period_no_place_is_known() {
        let watch = CardWatch::new(&CardShape::default());
        assert_eq!((watch.place_of(0), watch.place_at(Nanos::ZERO)), (None, None));
    }

    #[test]
    fn xruns_are_counted_from_the_origin_on_and_told_with_their_times() {
        let (watch, mut next, mut told) = (watch(), 0, Vec::new());
        watch.add_xrun(Nanos::from_micros(1));
        watch.set_origin(Nanos::from_micros(2));
        watch.add_xrun(Nanos::from_micros(3));
        assert_eq!((watch.xruns(), watch.xruns_since_origin()), (2, 1));
        assert_eq!(watch.tell_xruns(&mut next, |at| told.push(at)), 0);
        assert_eq!(told, [Nanos::from_micros(1), Nanos::from_micros(3)]);
    }
}
