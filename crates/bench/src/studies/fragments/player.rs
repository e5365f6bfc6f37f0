//! [`Player`]: computes, writes, and keeps what both took.
//!
//! Real-time contract of [`Player::run`]: the measuring thread; no allocation, no lock,
//! and no system call but the clock's and the device's.

use crate::timing::{Histogram, Timer};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{Fragments, Playback};
use rustix::io::Errno;

/// Points of a line in the picture.
const POINTS: u64 = 500;
/// A device that takes more than so many buffers at the beginning never fills.
const FILLINGS: u32 = 4;

/// A player at work.
pub struct Player<'a> {
    pub device: &'a mut dyn Playback,
    /// How it is set up.
    pub fragments: Fragments,
    /// What it is given, fragment by fragment, over and over; whole fragments of it.
    pub sound: &'a [u8],
    /// How many fragments to play once the buffer is full.
    pub cycles: u64,
}

/// What the cycles took.
#[derive(Clone, Debug)]
pub struct PlayedCycles {
    /// From one write's return to the next.
    pub cycles: Histogram,
    /// The computing.
    pub loops: Histogram,
    /// Cycles that took longer than the whole buffer plays.
    pub overruns: u64,
    /// Writes that found the device with nothing left to play.
    pub dropouts: u64,
    /// Writes that found a fragment free already, and something left to play.
    pub late: u64,
    /// The least that a write found left to play, where it found anything.
    pub least_left: Option<Nanos>,
    /// The lines of his picture.
    pub kept: StretchMaxima,
}

/// The longest cycle and the longest computing of each stretch of the run, so that no
/// spike is lost in a picture.
#[derive(Clone, Debug)]
pub struct StretchMaxima {
    each: u64, // cycles of a stretch
    begin: Nanos,
    /// When, since the run began, and both times.
    pub points: Vec<(Nanos, Nanos, Nanos)>,
    seen: u64,
}

impl<'a> Player<'a> {
    /// Plays until all fragments are written or until told otherwise.
    ///
    /// # Errors
    /// The device is gone or stands still; what was kept until then stands.
    pub fn run(
        &mut self,
        timer: &mut impl Timer,
        played: &mut PlayedCycles,
        mut work: impl FnMut(),
        mut asked_on: impl FnMut() -> bool,
    ) -> Result<(), Errno> {
        let filled = self.fill()?;
        played.kept.begin = timer.now();
        let mut last = played.kept.begin;
        for next in (filled..).take(usize::try_from(self.cycles).unwrap_or(usize::MAX)) {
            if !asked_on() {
                break;
            }
            let begin = timer.now();
            work();
            let computed = timer.now() - begin;
            let found = self.device.write(self.fragment(next))?;
            let end = timer.now();
            played.add(end, end - last, computed, self.fragments.whole());
            played.add_left(found.left, self.fragments);
            last = end;
        }
        Ok(())
    }

    /// Until a write finds the buffer full and blocks, cycles are short. A device may take
    /// more than its buffer at first, as into the packets of a USB card. Gives how many
    /// fragments were written.
    fn fill(&mut self) -> Result<usize, Errno> {
        let mut written = 0;
        for n in 0..=FILLINGS * self.fragments.count {
            let found = self.device.write(self.fragment(written))?;
            written += 1;
            let full = found.left.is_some_and(|left| !is_late(left, self.fragments));
            if n >= self.fragments.count && full {
                break;
            }
        }
        Ok(written)
    }

    /// The n-th fragment of the sound, which begins again at its end.
    fn fragment(&self, n: usize) -> &'a [u8] {
        let bytes = (self.fragments.frames * Fragments::BYTES_OF_A_FRAME) as usize;
        let pieces = (self.sound.len() / bytes.max(1)).max(1);
        let at = n % pieces * bytes;
        self.sound.get(at..at + bytes).unwrap_or(self.sound)
    }
}

/// Whether a fragment was free already when a write came that found so much left to play.
fn is_late(left: Nanos, fragments: Fragments) -> bool {
    left <= fragments.time_of(u64::from(fragments.count) - 1)
}

impl PlayedCycles {
    /// For a run of so many cycles. Allocates all that it will need.
    pub fn new(cycles: u64) -> PlayedCycles {
        PlayedCycles {
            cycles: Histogram::new(),
            loops: Histogram::new(),
            overruns: 0,
            dropouts: 0,
            late: 0,
            least_left: None,
            kept: StretchMaxima {
                each: cycles.div_ceil(POINTS).max(1),
                begin: Nanos::ZERO,
                points: Vec::with_capacity(POINTS as usize + 1),
                seen: 0,
            },
        }
    }

    fn add(&mut self, at: Nanos, cycle: Nanos, computed: Nanos, whole: Nanos) {
        self.cycles.record(cycle);
        self.loops.record(computed);
        self.overruns += u64::from(cycle > whole);
        self.kept.add(at, cycle, computed);
    }

    /// What the device said that it had left, which a late wake-up after the write does
    /// not change: late and heard are told apart by it, and not by the cycle.
    fn add_left(&mut self, left: Option<Nanos>, fragments: Fragments) {
        let Some(left) = left else {
            self.dropouts += 1;
            return;
        };
        self.late += u64::from(is_late(left, fragments));
        self.least_left = Some(self.least_left.map_or(left, |least| least.min(left)));
    }
}

impl StretchMaxima {
    fn add(&mut self, at: Nanos, cycle: Nanos, computed: Nanos) {
        let new = self.seen.is_multiple_of(self.each);
        self.seen += 1;
        let room = self.points.len() < self.points.capacity();
        match self.points.last_mut() {
            Some((_, longest, slowest)) if !new => {
                (*longest, *slowest) = ((*longest).max(cycle), (*slowest).max(computed));
            }
            _ if room => self.points.push((at - self.begin, cycle, computed)),
            _ => {} // the run is longer than was said
        }
    }
}
