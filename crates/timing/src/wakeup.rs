//! [`WakeupTest`]: one thread per core that sleeps until absolute deadlines and counts
//! how late it wakes up, as cyclictest does.
//!
//! Beyond cyclictest: nanoseconds kept, missed periods counted apart and the
//! histogram that contains them beside the raw one, the latest wake-ups with what
//! happened around them, and a tuned run beside an untuned one, since cyclictest
//! holds the processors out of their idle states and so measures a tuned machine.
//! The loop is [`Schedule`], its counts [`WakeupCounts`]; what others measured is read in
//! `peers`.

mod counters;
mod greatest;
mod overhead;
mod run;
mod schedule;
mod series;
mod witness;

use crate::{Course, Found, Length, Probe, Scheduling, usable_cores};
use chronotap_time::Nanos;

pub use greatest::Greatest;
pub use schedule::{Schedule, WakeupCounts};

/// How many of the latest wake-ups of each core are kept.
const GREATEST: usize = 20;
/// How many of the first are kept in their order, for what only the order shows: a
/// minute at 1 ms, which is 1 MB a core.
const REMEMBERED: usize = 60_000;
/// Intervals that make sense: a shorter one leaves the machine no time of its own.
const INTERVALS: std::ops::RangeInclusive<Nanos> = Nanos::from_micros(50)..=Nanos::from_secs(1);

/// What to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WakeupTest {
    /// From one deadline to the next, 50 us to 1 s. By default 1 ms, cyclictest's.
    pub interval: Nanos,
    /// How much later than its neighbour each core begins; by default 500 us, so that
    /// two cores do not wake up at the same instant.
    pub distance: Nanos,
    /// By default SCHED_FIFO 80.
    pub scheduling: Scheduling,
    /// The cores to measure on, one thread each; by default all that may be used.
    pub cores: Vec<usize>,
    /// Whether to hold the cores out of deep idle states, as cyclictest does.
    pub idle_states: IdleStates,
    /// What loads the machine meanwhile, for the conditions.
    pub load: String,
    /// How long each run takes; by default what the length says.
    pub duration: Option<Nanos>,
}

/// Whether processors are held out of the idle states from which they wake up slowly
/// (`/dev/cpu_dma_latency`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdleStates {
    /// Held: the machine as a program that cares would have it.
    Held,
    /// Left: the machine as it is set up.
    Left,
    /// One run each.
    #[default]
    Both,
}

impl Default for WakeupTest {
    fn default() -> WakeupTest {
        WakeupTest {
            interval: Nanos::from_millis(1),
            distance: Nanos::from_micros(500),
            scheduling: Scheduling::Fifo(80),
            cores: usable_cores(),
            idle_states: IdleStates::default(),
            load: "none".into(),
            duration: None,
        }
    }
}

impl Probe for WakeupTest {
    fn name(&self) -> &'static str {
        "wakeup"
    }

    fn available(&self) -> Result<(), String> {
        if !INTERVALS.contains(&self.interval) {
            let us = self.interval.as_micros_f64();
            return Err(format!("an interval is 50 us to 1 s, not {us} us"));
        }
        let usable = usable_cores();
        match self.cores.iter().find(|core| !usable.contains(core)) {
            Some(core) => Err(format!("core {core} may not be used here; these may: {usable:?}")),
            None if self.cores.is_empty() => {
                Err(format!("no core was named; these may be used: {usable:?}"))
            }
            None => Ok(()),
        }
    }

    fn duration(&self, length: Length) -> Nanos {
        self.one_run(length) * self.idle_states.runs().len() as i64
    }

    fn run(&self, course: &mut Course<'_>) -> Found {
        match self.available() {
            Ok(()) => self.measure(course),
            Err(why) => Found::unavailable(self.name(), why),
        }
    }
}

impl WakeupTest {
    /// 5 s give 5,000 samples for each core; a minute 60,000, enough for a p99.9; half
    /// an hour 1.8 million. For the 10^8 of Vignati et al. give a duration.
    fn one_run(&self, length: Length) -> Nanos {
        let by_length = length.pick(5, 60, 1_800);
        self.duration.unwrap_or(Nanos::from_secs(by_length))
    }

    fn measure(&self, course: &mut Course<'_>) -> Found {
        let mut found = Found { test: self.name().into(), ..Found::default() };
        let runs = self.idle_states.runs();
        for (index, &held) in runs.iter().enumerate() {
            let part = (index as f64 / runs.len() as f64, 1.0 / runs.len() as f64);
            match run::run(self, held, part, course) {
                Ok(run) => series::add(self, held, &run, &mut found),
                Err(error) => found.notes.push(error.to_string()),
            }
            if course.interrupted() {
                break;
            }
        }
        found.interrupted = course.interrupted();
        found
    }
}

impl IdleStates {
    fn runs(self) -> &'static [bool] {
        match self {
            IdleStates::Held => &[true],
            IdleStates::Left => &[false],
            IdleStates::Both => &[true, false],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_measured_is_refused_with_what_can() {
        let with = |test: WakeupTest| test.available().unwrap_err();
        let short = WakeupTest { interval: Nanos::from_micros(10), ..WakeupTest::default() };
        assert!(with(short).contains("50 us to 1 s, not 10 us"));
        let absent = WakeupTest { cores: vec![1_000], ..WakeupTest::default() };
        assert!(with(absent).contains("core 1000 may not be used here; these may: [0"));
        let none = WakeupTest { cores: vec![], ..WakeupTest::default() };
        assert!(with(none).contains("no core was named"));
        assert_eq!(WakeupTest::default().available(), Ok(()));
    }

    #[test]
    fn both_runs_take_twice_as_long_as_one() {
        let held = WakeupTest { idle_states: IdleStates::Held, ..WakeupTest::default() };
        assert_eq!(held.duration(Length::Quick), Nanos::from_secs(5));
        assert_eq!(WakeupTest::default().duration(Length::Normal), Nanos::from_secs(120));
    }
}
