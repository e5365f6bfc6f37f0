//! [`Player`]: computes, writes, and keeps what both took.
//!
//! Real-time contract of [`Player::run`]: the measuring thread; no allocation, no lock,
//! and no system call but the clock's and the device's.

use super::Buffer;
use crate::{Histogram, Timer};
use chronotap_time::Nanos;

/// Points of a line in the picture.
const POINTS: u64 = 500;

/// A player at work.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    /// The device.
    pub buffer: Buffer,
    /// How many fragments to play once the buffer is full.
    pub cycles: u64,
}

/// What the cycles took.
#[derive(Clone, Debug)]
pub struct Tally {
    /// From one write's return to the next.
    pub cycles: Histogram,
    /// The computing.
    pub loops: Histogram,
    /// Cycles that took longer than the whole buffer plays.
    pub overruns: u64,
    /// Writes that found the device with nothing left to play.
    pub dropouts: u64,
    /// The lines of his picture.
    pub kept: Kept,
}

/// The longest cycle and the longest computing of each stretch of the run, so that no
/// spike is lost in a picture.
#[derive(Clone, Debug)]
pub struct Kept {
    each: u64, // cycles of a stretch
    begin: Nanos,
    /// When, since the run began, and both times.
    pub points: Vec<(Nanos, Nanos, Nanos)>,
    seen: u64,
}

impl Player {
    /// Plays until all fragments are written or until told otherwise.
    pub fn run(
        &mut self,
        timer: &mut impl Timer,
        tally: &mut Tally,
        mut work: impl FnMut(),
        mut asked_on: impl FnMut() -> bool,
    ) {
        self.fill(timer);
        tally.kept.begin = timer.now();
        let mut last = tally.kept.begin;
        for _ in 0..self.cycles {
            if !asked_on() {
                return;
            }
            let begin = timer.now();
            work();
            let computed = timer.now() - begin;
            tally.dropouts += u64::from(self.buffer.write(timer));
            let end = timer.now();
            tally.add(end, end - last, computed, self.buffer.whole());
            last = end;
        }
    }

    /// Until a write blocks, cycles are short.
    fn fill(&mut self, timer: &mut impl Timer) {
        let fragments = self.buffer.whole().0 / self.buffer.fragment().0.max(1);
        for _ in 0..=fragments {
            self.buffer.write(timer);
        }
    }
}

impl Tally {
    /// For a run of so many cycles. Allocates all that it will need.
    pub fn new(cycles: u64) -> Tally {
        Tally {
            cycles: Histogram::new(),
            loops: Histogram::new(),
            overruns: 0,
            dropouts: 0,
            kept: Kept {
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
}

impl Kept {
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
