//! [`Record`]: the measuring loop of the periodic test, and what it keeps of each beat;
//! [`Cure`]: Varoquaux's cure of jitter, "ask for the interrupt in advance, and block
//! the CPU by busy-waiting until the exact moment comes".
//!
//! A device's interrupts cannot be asked for in advance, since their phase is its own;
//! so the exact moments are put behind them instead: the grid of the earliest
//! interrupts, later by a guard that nearly all of them keep within.
//!
//! Real-time contract of [`Record::run`]: the measuring thread; between two beats one
//! wait, one clock read and one store, with the cure a spin of at most the guard; no
//! allocation, no lock, no page fault.

use super::beat::PeriodBeat;
use super::lost::{self, Phase};
use super::source::Beats;
use crate::timing::Timer;
use chronotap_core::time::Nanos;
use std::io;

/// Beats before the first that is kept: caches fill, and the cure finds the phase.
pub const WARM_UP: u64 = 16;

/// Busy-waiting until the exact moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cure {
    /// From one interrupt of the source to the next, in nanoseconds.
    pub step_ns: f64,
    /// How long after the earliest possible beat the exact moment is.
    pub guard: Nanos,
}

/// The beats of one run.
#[derive(Debug)]
pub struct Record {
    beats: Vec<PeriodBeat>,
    kept: usize,
    /// Time spent spinning.
    pub spun: Nanos,
    /// Beats that came after their exact moment, and were acted on at once.
    pub past_guard: u64,
}

impl Record {
    /// With room for so many beats, touched, so that storing them meets no page fault.
    pub fn new(beats: usize) -> Record {
        let untouched = PeriodBeat { at: Nanos::MIN, interrupts: 1, lost: 0 };
        Record { beats: vec![untouched; beats], kept: 0, spun: Nanos::ZERO, past_guard: 0 }
    }

    /// The beats that were kept.
    pub fn beats(&self) -> &[PeriodBeat] {
        &self.beats[..self.kept]
    }

    /// Waits for beats until all are kept or `go_on` says no; it is asked after each.
    ///
    /// # Errors
    /// What the source answered.
    pub fn run(
        &mut self,
        source: &mut dyn Beats,
        timer: &mut impl Timer,
        cure: Option<&Cure>,
        mut go_on: impl FnMut() -> bool,
    ) -> io::Result<()> {
        let (mut beat, mut phase) = (0u64, Phase::unknown());
        let (mut warm_up, counts_all) = (WARM_UP, source.counts_all());
        let last = WARM_UP + self.beats.len() as u64; // skipped ones count: time is bounded
        while beat < last && self.kept < self.beats.len() && go_on() {
            let interrupts = match source.wait() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                answer => answer?,
            };
            let now = timer.now();
            beat += interrupts;
            let grid = cure.map_or(Nanos::ZERO, |cure| cure.grid(beat));
            if warm_up > 0 {
                warm_up -= 1;
                phase.begin(now - grid);
                continue;
            }
            let (mut at, mut lost) = (now, 0);
            if let Some(cure) = cure {
                if !counts_all {
                    lost = phase.follow(now - grid, cure.step());
                }
                at = self.spin(timer, now, phase.earliest() + grid + cure.guard);
            }
            self.beats[self.kept] = PeriodBeat { at, interrupts, lost };
            self.kept += 1;
        }
        Ok(())
    }

    /// Writes into the beats of a run without the cure how many interrupts were lost before
    /// each, for a source that does not count all; with the cure the run itself looks.
    pub fn find_lost(&mut self, period: Nanos) {
        lost::find(&mut self.beats[..self.kept], period);
    }

    fn spin(&mut self, timer: &mut impl Timer, begin: Nanos, exact: Nanos) -> Nanos {
        self.past_guard += u64::from(begin >= exact);
        let mut now = begin;
        while now < exact {
            std::hint::spin_loop();
            now = timer.now();
        }
        self.spun += now - begin;
        now
    }
}

impl Cure {
    fn grid(&self, beat: u64) -> Nanos {
        Nanos((self.step_ns * beat as f64) as i64)
    }

    fn step(&self) -> Nanos {
        Nanos::round_from_f64(self.step_ns)
    }
}
