//! [`WakeupTest`]: one thread per core that sleeps until absolute deadlines and counts
//! how late it wakes up, as cyclictest does.
//!
//! Beyond cyclictest: nanoseconds kept, missed periods counted apart and the
//! histogram that contains them beside the raw one, the latest wake-ups with what
//! happened around them, and a tuned run beside an untuned one, since cyclictest
//! holds the processors out of their idle states and so measures a tuned machine.
//! The loop is [`Schedule`], its counts [`WakeupCounts`]; what others measured is read in
//! `peers`.

pub(super) mod counters;
mod greatest;
mod overhead;
mod run;
mod schedule;
mod series;
mod witness;

use crate::timing::{
    Length, Part, Probe, Scheduling, TestFound, TestRefusal, TestRun, usable_cores,
};
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::DeadlineTime;

pub use greatest::Greatest;
pub use schedule::{Schedule, WakeupCounts};

/// How many of the latest wake-ups of each core are kept.
const GREATEST: usize = 20;
/// How many of the first are kept in their order, for what only the order shows: a
/// minute at 1 ms, which is 1 MB a core.
const REMEMBERED: usize = 60_000;
/// Intervals that make sense: a shorter one leaves the machine no time of its own.
const INTERVALS: std::ops::RangeInclusive<Nanos> = Nanos::from_micros(50)..=Nanos::from_secs(1);

/// A thread of SCHED_DEADLINE needs some time to wake up at all.
const LEAST_RUNTIME: Nanos = Nanos::from_micros(2);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WakeupTest {
    /// From one deadline to the next, 50 us to 1 s. By default 1 ms, cyclictest's.
    pub interval: Nanos,
    /// How much later than its neighbour each core begins; by default 500 us, so that
    /// two cores do not wake up at the same instant.
    pub distance: Nanos,
    /// By default SCHED_FIFO 80. Threads of SCHED_DEADLINE are as many as there are cores, and the
    /// kernel chooses where each runs.
    pub scheduling: Scheduling,
    /// The cores to measure on, one thread each; by default all that may be used.
    pub cores: Vec<usize>,
    /// Whether to hold the cores out of deep idle states, as cyclictest does.
    pub idle_states: IdleStates,
    /// What loads the machine meanwhile, for the conditions.
    pub load: String,
    /// Ends each run at the first wake-up that is later than this; else at its time alone.
    pub stop_above: Option<Nanos>,
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

/// Why wake-ups cannot be measured as was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WakeupRefusal {
    /// The interval leaves the machine no time, or is longer than a test.
    #[error("an interval is 50 us to 1 s, not {} us", .0.as_micros_f64())]
    Interval(Nanos),
    /// Deadline scheduling with as much time as the interval has, or next to none.
    #[error("of each interval of {} us a thread can have 2 us to nine tenths, not {} us",
        interval.as_micros_f64(), runtime.as_micros_f64())]
    Runtime {
        /// What was asked for.
        runtime: Nanos,
        /// From deadline to deadline.
        interval: Nanos,
    },
    /// This program may not run on that core.
    #[error("core {core} may not be used here; these may: {usable:?}")]
    Core {
        /// The one that was asked for.
        core: usize,
        /// Those that may be used.
        usable: Vec<usize>,
    },
    /// No core was named.
    #[error("no core was named; these may be used: {usable:?}")]
    NoCore {
        /// Those that may be used.
        usable: Vec<usize>,
    },
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
            stop_above: None,
            duration: None,
        }
    }
}

impl Probe for WakeupTest {
    fn name(&self) -> &'static str {
        "wakeup"
    }

    fn available(&self) -> Result<(), TestRefusal> {
        Ok(self.check()?)
    }

    fn duration(&self, length: Length) -> Nanos {
        self.one_run(length) * self.idle_states.runs().len() as i64
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        match self.available() {
            Ok(()) => self.measure(course),
            Err(why) => TestFound::unavailable(self.name(), course.words_for(&*why)),
        }
    }
}

impl WakeupTest {
    /// Whether interval and cores can be had.
    fn check(&self) -> Result<(), WakeupRefusal> {
        if !INTERVALS.contains(&self.interval) {
            return Err(WakeupRefusal::Interval(self.interval));
        }
        if let Scheduling::Deadline(DeadlineTime { runtime_ns, .. }) = self.scheduling {
            let (runtime, interval) = (Nanos(runtime_ns as i64), self.interval);
            if !(LEAST_RUNTIME..=interval * 9 / 10).contains(&runtime) {
                return Err(WakeupRefusal::Runtime { runtime, interval });
            }
        }
        let usable = usable_cores();
        match self.cores.iter().find(|core| !usable.contains(core)) {
            Some(&core) => Err(WakeupRefusal::Core { core, usable }),
            None if self.cores.is_empty() => Err(WakeupRefusal::NoCore { usable }),
            None => Ok(()),
        }
    }

    /// Whether each thread stays on its core.
    fn is_pinned(&self) -> bool {
        !matches!(self.scheduling, Scheduling::Deadline(_))
    }

    /// How long each of its runs takes. 5 s give 5,000 samples for each core; a minute 60,000,
    /// enough for a p99.9; half an hour 1.8 million. For the 10^8 of Vignati et al. give a duration.
    pub fn one_run(&self, length: Length) -> Nanos {
        let by_length = length.pick(5, 60, 1_800);
        self.duration.unwrap_or(Nanos::from_secs(by_length))
    }

    fn measure(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(self.name());
        for (part, &held) in Part::of_each(self.idle_states.runs()) {
            let mut stopped = false;
            match run::run(self, held, part, course) {
                Ok(run) => {
                    stopped = run.stopped.is_some();
                    series::add(self, held, &run, &mut found);
                }
                Err(error) => found.notes.push(course.words_for(&error)),
            }
            if stopped || course.interrupted() {
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
        let with = |test: WakeupTest| test.check().unwrap_err();
        let interval = Nanos::from_micros(10);
        let short = WakeupTest { interval, ..WakeupTest::default() };
        assert_eq!(with(short), WakeupRefusal::Interval(interval));
        let (absent, usable) = (vec![1_000], usable_cores());
        let absent = with(WakeupTest { cores: absent, ..WakeupTest::default() });
        assert_eq!(absent, WakeupRefusal::Core { core: 1_000, usable: usable.clone() });
        let none = WakeupTest { cores: vec![], ..WakeupTest::default() };
        assert_eq!(with(none), WakeupRefusal::NoCore { usable });
        assert_eq!(WakeupTest::default().check(), Ok(()));
        let (runtime, period) = (Nanos::from_micros(950), Nanos::from_millis(1));
        let scheduling = Scheduling::Deadline(DeadlineTime::of(runtime, period));
        let greedy = with(WakeupTest { scheduling, ..WakeupTest::default() });
        assert_eq!(greedy, WakeupRefusal::Runtime { runtime, interval: period });
    }

    #[test]
    fn both_runs_take_twice_as_long_as_one() {
        let held = WakeupTest { idle_states: IdleStates::Held, ..WakeupTest::default() };
        assert_eq!(held.duration(Length::Quick), Nanos::from_secs(5));
        assert_eq!(WakeupTest::default().duration(Length::Normal), Nanos::from_secs(120));
    }
}
