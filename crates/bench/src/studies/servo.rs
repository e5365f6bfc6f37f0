//! [`ServoTest`]: the computer as a servo loop. Varoquaux (2006) expected that "if we correct
//! for this jitter the computer can act as a servo loop up to 1 kHz", and left it to be tried.
//!
//! Background: a loop that is woken at each beat acts late, by a part that is always there and
//! a part that differs. The first shifts the phase, the second is noise.
//! Solution: the loop reads the clock when it is awake, takes that for the error of its own
//! phase, and asks for its next wake-up so much earlier: an integrator, which sees neither its
//! future nor the system's. Beside it the same loop runs open, asking always for the beat.
//! Why it works: the constant part of the lateness is the integrator's to find, so that the
//! phase goes to 0; the jitter is what no such loop can remove.
//!
//! Real-time contract of [`act`]: the measuring thread; no allocation, lock or system call but
//! the sleep and the clock; bounded by the number of beats.

use crate::timing::{
    Histogram, Length, Part, Placement, Probe, Quantity, RealTimer, SampleSeries, Scheduling,
    TestFound, TestRefusal, TestRun, Timed, Timer, doubts, measure,
};
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::Heartbeat;

/// The loop's rates where none are named: the study's last step is 1 kHz.
const RATES_HZ: [u32; 3] = [10, 100, 1_000];
/// What the integrator takes of each error, as a share.
const GAIN: i64 = 16;
/// A beat that is later than this share of the period teaches the integrator no more than it.
const MOST: i64 = 10;
/// Beats until the integrator has found the phase: the error is then below 1 in 50.
const SETTLING: usize = 64;

/// The test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServoTest {
    /// Rates of the loop in Hz, 1 to 8192.
    pub rates_hz: Option<Vec<u32>>,
    /// By default SCHED_FIFO 80.
    pub scheduling: Scheduling,
    /// How long each run takes; by default what the length says.
    pub duration: Option<Nanos>,
}

impl Default for ServoTest {
    fn default() -> ServoTest {
        ServoTest { rates_hz: None, scheduling: Scheduling::Fifo(80), duration: None }
    }
}

/// A loop that cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a loop's rate is 1 to 8192 Hz, not {0}")]
pub struct ServoRate(pub u32);

/// What the loop did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Acts {
    /// From each beat to when the loop acted on it, after it had settled.
    pub late: Vec<Nanos>,
    /// Beats that went by while the loop was not awake.
    pub skipped: u64,
    /// How much before the beat it asked to be woken in the end.
    pub ahead: Nanos,
    beats: usize,
}

impl Acts {
    /// Room for so many beats.
    pub fn of(beats: usize) -> Acts {
        Acts { late: Vec::with_capacity(beats), beats, ..Acts::default() }
    }
}

/// Lets the loop run for its beats, after those in which it settles.
pub fn act(
    timer: &mut impl Timer,
    period: Nanos,
    closed: bool,
    acts: &mut Acts,
    mut go_on: impl FnMut() -> bool,
) {
    let beats = acts.beats + SETTLING;
    let mut due = timer.now() + period * 2;
    let mut n = 0;
    while n < beats && go_on() {
        timer.sleep_until(due - acts.ahead);
        let error = timer.now() - due; // read
        if closed {
            let most = period / MOST;
            acts.ahead =
                (acts.ahead + error.clamp(-most, most) / GAIN).clamp(Nanos::ZERO, period / 2);
        }
        let acted = timer.now() - due; // computed, and acted
        if n >= SETTLING {
            acts.late.push(acted); // there is room
        }
        let missed = (acted.0 / period.0.max(1)).max(0);
        acts.skipped += missed as u64;
        due += period * (missed + 1);
        n += 1;
    }
}

impl Probe for ServoTest {
    fn name(&self) -> &'static str {
        "servo"
    }

    fn available(&self) -> Result<(), TestRefusal> {
        let strange =
            self.rates(Length::Quick).into_iter().find(|rate| !(1..=8_192).contains(rate));
        strange.map_or(Ok(()), |rate| Err(ServoRate(rate).into()))
    }

    fn duration(&self, length: Length) -> Nanos {
        let settling = |rate: &u32| period(*rate) * SETTLING as i64;
        let rates = self.rates(length);
        rates.iter().map(|rate| (self.one_run(length) + settling(rate)) * 2).sum()
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        if let Err(why) = self.available() {
            return TestFound::unavailable(self.name(), course.words_for(&*why));
        }
        let mut found = TestFound::of(self.name());
        let rates = self.rates(course.length);
        let loops: Vec<(u32, bool)> =
            rates.into_iter().flat_map(|rate| [(rate, false), (rate, true)]).collect();
        for (part, (rate, closed)) in Part::of_each(&loops) {
            if course.interrupted() {
                break;
            }
            course.tell(&format!("{} at {rate} Hz", named(*closed)), part.at(0.0));
            self.one(*rate, *closed, course, &mut found);
        }
        found.interrupted = course.interrupted();
        found
    }
}

impl ServoTest {
    fn rates(&self, length: Length) -> Vec<u32> {
        let usual = || length.pick(RATES_HZ[1..].to_vec(), RATES_HZ.to_vec(), RATES_HZ.to_vec());
        self.rates_hz.clone().unwrap_or_else(usual)
    }

    fn one_run(&self, length: Length) -> Nanos {
        self.duration.unwrap_or(Nanos::from_secs(length.pick(2, 10, 60)))
    }

    fn one(&self, rate_hz: u32, closed: bool, course: &mut TestRun<'_>, found: &mut TestFound) {
        let (period, interrupt) = (period(rate_hz), course.interrupt);
        let beats = (self.one_run(course.length).0 / period.0).max(1) as usize;
        let placement = [Placement::any(self.scheduling)];
        let timed = measure(
            &placement,
            course,
            |_| {},
            |_, heart: &Heartbeat| {
                let mut acts = Acts::of(beats);
                act(&mut RealTimer, period, closed, &mut acts, || {
                    heart.beat();
                    !interrupt.requested()
                });
                acts
            },
        );
        match timed {
            Err(error) => found.notes.push(course.words_for(&error)),
            Ok(timed) => timed.iter().for_each(|one| self.add(rate_hz, closed, one, found)),
        }
    }

    fn add(&self, rate_hz: u32, closed: bool, timed: &Timed<Acts>, found: &mut TestFound) {
        doubts::of_thread(timed, "servo", found);
        let (rate, scheduling) = (rate_hz.to_string(), self.scheduling.to_string());
        let conditions =
            [("rate_hz", &*rate), ("loop", named(closed)), ("scheduling", &*scheduling)];
        let series = series(&timed.value, rate_hz, &conditions);
        let figure = |name: &str| series.figures.get(name).copied().unwrap_or_default();
        doubts::note(
            found,
            format!(
                "{rate_hz} Hz, {}: phase {:.2} degrees, jitter {:.2} degrees, {} beats skipped",
                named(closed),
                figure("phase_deg"),
                figure("jitter_deg"),
                timed.value.skipped
            ),
        );
        found.series.push(series);
    }
}

fn named(closed: bool) -> &'static str {
    if closed { "closed" } else { "open" }
}

fn period(rate_hz: u32) -> Nanos {
    Nanos::from_secs(1) / i64::from(rate_hz.max(1))
}

/// Phase and jitter as parts of the loop's own period, a whole one being 360 degrees.
fn series(acts: &Acts, rate_hz: u32, conditions: &[(&str, &str)]) -> SampleSeries {
    let acted = Histogram::of(acts.late.iter().copied());
    let degrees = |ns: f64| ns * f64::from(rate_hz) * 360.0 / 1e9;
    let (mean, sd) = (acted.mean_ns().unwrap_or_default(), acted.sd_ns().unwrap_or_default());
    SampleSeries::of(Quantity::Lateness, conditions, late_of_all(acts, period(rate_hz)))
        .with("phase_deg", degrees(mean))
        .with("jitter_deg", degrees(sd))
        .with("skipped_beats", acts.skipped as f64)
        .with("ahead_ns", acts.ahead.0 as f64)
}

/// How late the loop acted on each beat: on those that went by while it was not awake, when it was
/// awake again.
fn late_of_all(acts: &Acts, period: Nanos) -> Histogram {
    let mut all = Histogram::new();
    for late in &acts.late {
        let missed = (late.0 / period.0.max(1)).max(0);
        (0..=missed).for_each(|beat| all.record(*late - period * beat));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wakes up late by a constant and, in turn, 0 to 6 times another; stalls once.
    struct Late {
        now: Nanos,
        constant: Nanos,
        step: Nanos,
        wakes: i64,
        stall: Option<(i64, Nanos)>,
    }

    impl Timer for Late {
        fn now(&mut self) -> Nanos {
            self.now
        }

        fn sleep_until(&mut self, at: Nanos) {
            let stall = self.stall.filter(|(wake, _)| *wake == self.wakes);
            let late = self.constant + self.step * (self.wakes % 7);
            self.now = self.now.max(at) + late + stall.map_or(Nanos::ZERO, |(_, long)| long);
            self.wakes += 1;
        }
    }

    const MS: Nanos = Nanos::from_millis(1);

    fn acts(closed: bool, stall: Option<(i64, Nanos)>) -> (Acts, SampleSeries) {
        let (constant, step) = (Nanos::from_micros(50), Nanos::from_micros(2));
        let mut timer = Late { now: Nanos::ZERO, constant, step, wakes: 0, stall };
        let mut acts = Acts::of(700);
        act(&mut timer, MS, closed, &mut acts, || true);
        let series = series(&acts, 1_000, &[]);
        (acts, series)
    }

    #[test]
    fn the_open_loop_is_late_by_the_mean_and_the_closed_one_has_no_phase() {
        let (open, series) = acts(false, None);
        // 50 us and 6 us on average: 0.056 periods of 1 ms, 20.16 degrees; SD of 0, 2 .. 12: 4 us.
        assert!((series.figures["phase_deg"] - 20.16).abs() < 1e-9, "{:?}", series.figures);
        assert!((series.figures["jitter_deg"] - 1.44).abs() < 0.01, "{:?}", series.figures);
        assert_eq!((open.late.len(), open.skipped, open.ahead), (700, 0, Nanos::ZERO));
        let (closed, series) = acts(true, None);
        assert!(series.figures["phase_deg"].abs() < 0.1, "{:?}", series.figures);
        assert!((series.figures["jitter_deg"] - 1.44).abs() < 0.2, "{:?}", series.figures);
        assert!((closed.ahead - Nanos::from_micros(56)).abs() < Nanos::from_micros(2));
    }

    #[test]
    fn a_stall_skips_beats_and_hardly_moves_the_phase() {
        let (stalled, series) = acts(true, Some((300, Nanos::from_micros(3_500))));
        assert_eq!(stalled.skipped, 3);
        // Each beat that went by is late too: by about 3.5, 2.5, 1.5 and 0.5 ms.
        assert_eq!(series.statistics.n, 703);
        let late = |limit: i64| series.histogram.at_least(Nanos::from_micros(limit));
        assert_eq!([400, 1_400, 2_400, 3_400].map(late), [4, 3, 2, 1]);
        // One beat of 3.5 ms among 700 is 5 us of the mean: 1.8 degrees.
        assert!(series.figures["phase_deg"] < 2.0, "{:?}", series.figures);
    }

    #[test]
    fn both_loops_of_each_rate_are_announced() {
        let test = ServoTest { rates_hz: Some(vec![64]), ..ServoTest::default() };
        // 2 s and 64 beats of 1/64 s, open and closed.
        assert_eq!(test.duration(Length::Quick), Nanos::from_secs(6));
        let strange = ServoTest { rates_hz: Some(vec![9_000]), ..ServoTest::default() };
        assert!(strange.available().is_err());
    }
}
