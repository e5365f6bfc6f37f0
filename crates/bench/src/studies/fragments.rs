//! [`FragmentsTest`]: Senoner's latencytest (1999; Phillips 2000). A player that computes
//! for a share of each fragment's time and then writes the fragment to the sound device:
//! how far is each cycle from the time that a fragment plays?
//!
//! The device has n fragments of b bytes; a write blocks until one of them is free. The
//! time from one write's return to the next (his white line) should be a fragment's
//! (yellow); where it is longer than the whole buffer (red) the sound drops out. The
//! time of the computing (green) should be what was calibrated: where it grows although
//! the thread has real-time priority, something else has the processor. The computing is
//! a fixed number of turns and not a fixed time, so that a processor that slows down
//! shows. The device is an ALSA one, or the timer in its place ([`Buffer`]), which nobody
//! hears; what loads the machine besides is started by the caller, one run for each load.

mod buffer;
mod outlet;
mod player;
mod series;
mod tone;
mod work;

pub use buffer::Buffer;
pub use player::{PlayedCycles, Player, StretchMaxima};
pub use work::{Work, calibrate};

use crate::timing::{
    Length, Placement, Probe, RealTimer, Scheduling, TestFound, TestRefusal, TestRun, Timer,
    measure, usable_cores,
};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{CardName, Fragments};
use outlet::Outlet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

const FRAGMENTS: RangeInclusive<u32> = 2..=64;
const BYTES: RangeInclusive<u32> = 64..=65_536;
const RATES_HZ: RangeInclusive<u32> = 8_000..=192_000;
/// More would leave the machine no time of its own.
const MOST_PERCENT: u32 = 90;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FragmentsTest {
    /// The device: an ALSA one, or `virtual`, the timer, which is the default.
    pub card: CardName,
    /// Fragments of the device's buffer, 2 to 64; his example had 3.
    pub fragments: u32,
    /// Bytes of a fragment, of 4 for each frame; his example had 256.
    pub bytes: u32,
    /// Share of a fragment's time that is computed, in percent, 0 to 90; his was 80.
    pub cpu_percent: u32,
    /// Frames a second; his was 44,100.
    pub rate_hz: u32,
    /// By default SCHED_FIFO 80.
    pub scheduling: Scheduling,
    /// Where it plays; by default on the last core.
    pub core: usize,
    /// How long; by default what the length says.
    pub duration: Option<Nanos>,
    /// What it plays, over and over: 16 bits, left and right; by default a quiet tone.
    pub sound: Option<Arc<[u8]>>,
}

impl Default for FragmentsTest {
    fn default() -> FragmentsTest {
        FragmentsTest {
            card: CardName::Virtual(None),
            fragments: 3,
            bytes: 256,
            cpu_percent: 80,
            rate_hz: 44_100,
            scheduling: Scheduling::Fifo(80),
            core: usable_cores().last().copied().unwrap_or(0),
            duration: None,
            sound: None,
        }
    }
}

/// Why fragments cannot be played as was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FragmentsRefusal {
    /// So many fragments.
    #[error("a device has 2 to 64 fragments, not {0}")]
    Fragments(u32),
    /// Fragments of so many bytes.
    #[error("a fragment has 64 to 65536 bytes, 4 for each frame, not {0}")]
    Bytes(u32),
    /// So much to compute, in percent.
    #[error("0 to 90 % can be computed, not {0} %")]
    Computing(u32),
    /// So many frames a second.
    #[error("a rate is 8000 to 192000 Hz, not {0}")]
    Rate(u32),
    /// The sound to be played is empty.
    #[error("there is no sound in it")]
    Silent,
}

impl Probe for FragmentsTest {
    fn name(&self) -> &'static str {
        "fragments"
    }

    fn available(&self) -> Result<(), TestRefusal> {
        self.check()?;
        Outlet::open(&self.card, self.shape())?;
        Ok(())
    }

    fn duration(&self, length: Length) -> Nanos {
        self.duration.unwrap_or(Nanos::from_secs(length.pick(5, 30, 300)))
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        let opened =
            || -> Result<Outlet, TestRefusal> { Ok(Outlet::open(&self.card, self.shape())?) };
        match self.available().and_then(|()| opened()) {
            Ok(outlet) => self.measure(outlet, course),
            Err(why) => TestFound::unavailable(self.name(), course.words_for(&*why)),
        }
    }
}

impl FragmentsTest {
    /// Whether a device can be set up so.
    ///
    /// # Errors
    /// [`FragmentsRefusal`].
    pub fn check(&self) -> Result<(), FragmentsRefusal> {
        if !FRAGMENTS.contains(&self.fragments) {
            return Err(FragmentsRefusal::Fragments(self.fragments));
        }
        if !BYTES.contains(&self.bytes) || !self.bytes.is_multiple_of(Fragments::BYTES_OF_A_FRAME) {
            return Err(FragmentsRefusal::Bytes(self.bytes));
        }
        if self.cpu_percent > MOST_PERCENT {
            return Err(FragmentsRefusal::Computing(self.cpu_percent));
        }
        if !RATES_HZ.contains(&self.rate_hz) {
            return Err(FragmentsRefusal::Rate(self.rate_hz));
        }
        let silent = self.sound.as_ref().is_some_and(|sound| sound.is_empty());
        if silent { Err(FragmentsRefusal::Silent) } else { Ok(()) }
    }

    /// How the device is set up.
    pub fn shape(&self) -> Fragments {
        let frames = self.bytes / Fragments::BYTES_OF_A_FRAME;
        Fragments { count: self.fragments, frames, rate_hz: self.rate_hz }
    }

    /// Fragments in a time, at least one.
    fn cycles_in(&self, span: Nanos) -> u64 {
        (span.0 / self.shape().fragment().0.max(1)).max(1) as u64
    }

    fn measure(&self, outlet: Outlet, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(self.name());
        let fragments = self.shape();
        let count = self.cycles_in(self.duration(course.length));
        // Everything that is written to is made here, before the memory is locked.
        let sound = match &self.sound {
            Some(sound) => tone::whole_fragments(sound, fragments),
            None => tone::fragment(fragments),
        };
        let kept = Mutex::new((outlet, PlayedCycles::new(count)));
        let (written, interrupt) = (AtomicU64::new(0), course.interrupt);
        let tell = |course: &mut TestRun<'_>| {
            let done = written.load(Ordering::Relaxed) as f64 / count as f64;
            course.tell("fragments", done);
        };
        let placement = [Placement::any(self.scheduling).on(self.core)];
        let timed = measure(&placement, course, tell, |_, heart| {
            let ideal = fragments.fragment() * i64::from(self.cpu_percent) / 100;
            let work = calibrate(&mut RealTimer, ideal);
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let (outlet, played) = &mut *kept;
            let device = outlet.device.as_mut();
            let mut player = Player { device, fragments, sound: &sound, cycles: count };
            let asked_on = || {
                heart.beat();
                written.fetch_add(1, Ordering::Relaxed);
                !interrupt.requested()
            };
            player.run(&mut RealTimer, played, || work.perform(), asked_on)
        });
        match timed {
            Err(error) => found.notes.push(course.words_for(&error)),
            Ok(timed) => {
                let (outlet, played) = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
                series::add(self, &outlet.card, &played, &timed, (course.load, &mut found));
            }
        }
        found.interrupted = course.interrupted();
        found
    }
}

/// Sleeps, or returns at once where the time has passed.
fn block(timer: &mut impl Timer, until: Nanos) {
    if until > timer.now() {
        timer.sleep_until(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_linux::cards::CardError;

    #[test]
    fn what_cannot_be_measured_is_refused_with_what_can() {
        let usual = FragmentsTest::default;
        let why = |test: FragmentsTest| test.check().unwrap_err();
        let fragments = FragmentsTest { fragments: 1, ..usual() };
        assert_eq!(why(fragments), FragmentsRefusal::Fragments(1));
        assert_eq!(why(FragmentsTest { bytes: 257, ..usual() }), FragmentsRefusal::Bytes(257));
        let computing = FragmentsTest { cpu_percent: 95, ..usual() };
        assert_eq!(why(computing), FragmentsRefusal::Computing(95));
        assert_eq!(why(FragmentsTest { rate_hz: 1, ..usual() }), FragmentsRefusal::Rate(1));
        let jack = FragmentsTest { card: CardName::Jack, ..usual() };
        let jack = jack.available().unwrap_err();
        assert!(matches!(jack.downcast_ref(), Some(CardError::NotOffered { .. })), "{jack:?}");
        assert!(usual().available().is_ok());
    }

    #[test]
    fn his_example_has_fragments_of_1_451_ms_and_a_buffer_of_4_354_ms() {
        let shape = FragmentsTest::default().shape();
        assert_eq!((shape.fragment(), shape.whole()), (Nanos(1_451_247), Nanos(4_353_741)));
    }
}
