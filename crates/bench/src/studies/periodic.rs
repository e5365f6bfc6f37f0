//! [`PeriodicTest`]: Varoquaux's test. Interrupts at a rate f; how far is the interval
//! between two of them from 1/f, and what would an oscillator made of them be worth?
//!
//! Beside the historic figure stands the lateness against perfect beats ([`BeatGrid`]), and
//! each run is repeated with the cure of jitter that the study proposes ([`Cure`]). What
//! loads the machine meanwhile is started by the caller.

mod beat;
mod grid;
mod line;
mod lost;
mod record;
mod series;
mod source;

pub use crate::mechanisms::DeviceError;
pub use beat::PeriodBeat;
pub use grid::BeatGrid;
pub use line::ToggledLine;
pub use record::{Cure, Record, WARM_UP};
pub use series::{deviations, lost, skipped};
pub use source::{Beats, InterruptSource, SourceError};

use crate::timing::{
    Length, Placement, Probe, RealTimer, SampleSeries, Scheduling, TestFound, TestRefusal, TestRun,
    ThreadError, measure,
};
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::{Heartbeat, Usage};
use series::Run;
use source::nominal_ns;
use std::io;

/// The rates of the test, in Hz.
pub const RATES_HZ: [u32; 8] = [64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodicTest {
    /// Where the interrupts come from; those that are missing here are left out. By
    /// default all.
    pub sources: Vec<InterruptSource>,
    /// Rates in Hz, 1 to 8192; by default 64, 1024 and 8192 for a quick test, else all
    /// powers of two from 64 to 8192.
    pub rates_hz: Option<Vec<u32>>,
    /// By default SCHED_FIFO 80.
    pub scheduling: Scheduling,
    /// What loads the machine meanwhile, for the conditions.
    pub load: String,
    /// How long each run takes; by default what the length says.
    pub duration: Option<Nanos>,
}

impl Default for PeriodicTest {
    fn default() -> PeriodicTest {
        PeriodicTest {
            sources: InterruptSource::ALL.to_vec(),
            rates_hz: None,
            scheduling: Scheduling::Fifo(80),
            load: "none".into(),
            duration: None,
        }
    }
}

/// Why interrupts at a rate cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum PeriodicError {
    /// So many a second.
    #[error("a rate is 1 to 8192 Hz, not {0}")]
    Rate(u32),
    /// No source was named.
    #[error("no source was named")]
    NoSource,
    /// None of the sources can be used.
    #[error("{}", joined(.0))]
    NoneUsable(Vec<SourceError>),
    /// A source cannot be started.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The threads could not be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// No thread came to its end.
    #[error("no thread measured")]
    NoThread,
    /// A wait failed.
    #[error("{} at {rate_hz} Hz: {error}", source_of_beats.name())]
    Wait {
        /// Of this source.
        source_of_beats: InterruptSource,
        /// At this rate.
        rate_hz: u32,
        /// What the system said.
        error: io::Error,
    },
    /// What the loop itself takes could not be measured.
    #[error(transparent)]
    Overhead(io::Error),
}

fn joined(all: &[SourceError]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Probe for PeriodicTest {
    fn name(&self) -> &'static str {
        "periodic"
    }

    fn available(&self) -> Result<(), TestRefusal> {
        Ok(self.check()?)
    }

    fn duration(&self, length: Length) -> Nanos {
        let rates = self.rates(length);
        let warm_up = |rate: &u32| Nanos::from_secs(1) * WARM_UP as i64 / i64::from(*rate);
        let of_rates: Nanos = rates.iter().map(|rate| self.one_run(length) + warm_up(rate)).sum();
        of_rates * (2 * self.usable().len() as i64)
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        match self.available() {
            Ok(()) => self.measure(course),
            Err(why) => TestFound::unavailable(self.name(), course.words_for(&*why)),
        }
    }
}

impl PeriodicTest {
    /// Whether any source can give interrupts at these rates.
    fn check(&self) -> Result<(), PeriodicError> {
        let rates = self.rates_hz.iter().flatten();
        if let Some(rate) = rates.copied().find(|rate| !(1..=8_192).contains(rate)) {
            return Err(PeriodicError::Rate(rate));
        }
        let refusals: Vec<SourceError> =
            self.sources.iter().filter_map(|source| source.available().err()).collect();
        match self.usable().is_empty() {
            true if refusals.is_empty() => Err(PeriodicError::NoSource),
            true => Err(PeriodicError::NoneUsable(refusals)),
            false => Ok(()),
        }
    }

    fn one_run(&self, length: Length) -> Nanos {
        self.duration.unwrap_or(Nanos::from_secs(length.pick(1, 2, 30)))
    }

    fn rates(&self, length: Length) -> Vec<u32> {
        let by_length = length.pick(vec![64, 1_024, 8_192], RATES_HZ.to_vec(), RATES_HZ.to_vec());
        let mut rates = self.rates_hz.clone().unwrap_or(by_length);
        rates.sort_unstable();
        rates
    }

    fn usable(&self) -> Vec<InterruptSource> {
        self.sources.iter().copied().filter(|source| source.available().is_ok()).collect()
    }

    fn measure(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(self.name());
        let refused = self.sources.iter().filter_map(|source| source.available().err());
        found.notes.extend(refused.map(|why| course.words_for(&why)));
        let rates = self.rates(course.length);
        let sources = self.usable();
        let runs = (sources.len() * rates.len()) as f64;
        for (place, source) in sources.iter().enumerate() {
            found.notes.extend(remark(*source).map(str::to_owned));
            for (n, rate_hz) in rates.iter().enumerate() {
                let done = (place * rates.len() + n) as f64 / runs;
                course.tell(&format!("{} at {rate_hz} Hz", source.name()), done);
                if let Err(why) = self.with_and_without_cure(*source, *rate_hz, course, &mut found)
                {
                    found.notes.push(course.words_for(&why));
                    break; // what one rate is refused for, a greater one is too
                }
            }
        }
        found.interrupted = course.interrupted();
        found
    }

    fn with_and_without_cure(
        &self,
        source: InterruptSource,
        rate_hz: u32,
        course: &mut TestRun<'_>,
        found: &mut TestFound,
    ) -> Result<(), PeriodicError> {
        if course.interrupted() {
            return Ok(());
        }
        let plain = self.one(source, rate_hz, None, course, found)?;
        found.series.extend(self.series_of(source, &plain));
        let cure = plain.cure().filter(|_| !course.interrupted());
        if let Some(cure) = cure {
            let cured = self.one(source, rate_hz, Some(cure), course, found)?;
            found.series.extend(self.series_of(source, &cured));
        }
        Ok(())
    }

    /// One run on a thread of its own.
    fn one(
        &self,
        source: InterruptSource,
        rate_hz: u32,
        cure: Option<Cure>,
        course: &mut TestRun<'_>,
        found: &mut TestFound,
    ) -> Result<Run, PeriodicError> {
        let interrupt = course.interrupt;
        let length = self.one_run(course.length).as_secs_f64();
        let beats = (length * f64::from(rate_hz)).ceil() as usize;
        let placement = [Placement::any(self.scheduling)];
        let on_thread = |_, heart: &Heartbeat| {
            let go_on = || {
                heart.beat();
                !interrupt.requested()
            };
            recorded(source, rate_hz, cure, beats, go_on)
        };
        let mut timed = measure(&placement, course, |_| {}, on_thread)?;
        let one = timed.pop().ok_or(PeriodicError::NoThread)?;
        // The same rights are asked for each run; the first answer is kept.
        found.grant.get_or_insert_with(|| one.grant.clone());
        let run = one.value?;
        let faults = run.usage.minor_faults + run.usage.major_faults;
        if faults > 0 {
            let what = source.name();
            found.notes.push(format!("{what} at {rate_hz} Hz: {faults} page faults meanwhile"));
        }
        Ok(run)
    }

    fn series_of(&self, source: InterruptSource, run: &Run) -> Vec<SampleSeries> {
        let rate_hz = run.rate_hz.to_string();
        let scheduling = self.scheduling.to_string();
        run.series(&[
            ("source", source.name()),
            ("rate_hz", &rate_hz),
            ("cure", if run.cure.is_some() { "on" } else { "off" }),
            ("scheduling", &scheduling),
            ("load", &self.load),
        ])
    }
}

/// Records so many beats, on the thread that it is called from.
fn recorded(
    source: InterruptSource,
    rate_hz: u32,
    cure: Option<Cure>,
    beats: usize,
    go_on: impl FnMut() -> bool,
) -> Result<Run, PeriodicError> {
    let overhead_ns = overhead().map_err(PeriodicError::Overhead)?;
    let mut record = Record::new(beats);
    let mut beats = source.start(rate_hz)?;
    let before = Usage::of_this_thread();
    record
        .run(beats.as_mut(), &mut RealTimer, cure.as_ref(), go_on)
        .map_err(|error| PeriodicError::Wait { source_of_beats: source, rate_hz, error })?;
    let usage = Usage::of_this_thread() - before;
    if cure.is_none() && !beats.counts_all() {
        record.find_lost(Nanos(nominal_ns(rate_hz, 1)));
    }
    Ok(Run { record, rate_hz, cure, overhead_ns, usage })
}

/// What a figure of this source does not say by itself.
fn remark(source: InterruptSource) -> Option<&'static str> {
    match source {
        InterruptSource::Rtc => Some(
            "/dev/rtc: since Linux 2.6.38 its periodic interrupt is a high-resolution timer of \
             the kernel, so this is a timer wake-up through the clock's device, its period in \
             whole nanoseconds; the skipped beats are those that the kernel counted",
        ),
        InterruptSource::Timerfd => Some(
            "timerfd: its period is whole nanoseconds; rates above 512 Hz are therefore up to \
             2.56 parts in a million too fast",
        ),
        InterruptSource::Hpet => Some(
            "/dev/hpet: the skipped beats are those that the driver counted; where it missed an \
             interrupt, all later beats come whole periods later, and so lost interrupts are found",
        ),
        InterruptSource::ClockNanosleep => None,
    }
}

/// What the loop takes for a beat that need not be waited for, in nanoseconds.
fn overhead() -> io::Result<f64> {
    struct AtOnce;
    impl Beats for AtOnce {
        fn wait(&mut self) -> io::Result<u64> {
            Ok(1)
        }
    }
    let mut record = Record::new(10_000);
    record.run(&mut AtOnce, &mut RealTimer, None, || true)?;
    let beats = record.beats();
    let passed = beats[beats.len() - 1].at - beats[0].at;
    Ok(passed.0 as f64 / (beats.len() - 1) as f64)
}
