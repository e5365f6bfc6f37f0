//! Long measurements of wake-ups in stretches: what was measured is on the disk after each, so
//! that a run that was ended, or killed, goes on where it stopped.

use super::files::read;
use super::plan::TestPlan;
use anyhow::{Result, bail};
use chronotap_bench::studies::Load;
use chronotap_bench::studies::loads::LoadLimits;
use chronotap_bench::timing::{
    Length, Probe, Quantity, Results, SampleSeries, TestFound, WakeupTest,
};
use chronotap_core::time::Nanos;
use chronotap_linux::machine::{BelowRoot, Facts, Root};

/// A stretch: no more is lost by a kill.
const STRETCH: Nanos = Nanos::from_secs(300);
/// What a series tells of its load besides the name, where it is not as usual.
const LOAD_MANNERS: [&str; 3] = ["load_size_mb", "load_sync", "load_card"];

/// The stretches that make `whole` of a test, less what is `done`; one where nothing is left, so
/// that there are results.
pub fn of(test: &WakeupTest, whole: Nanos, done: Nanos) -> Vec<Box<dyn Probe>> {
    let mut left = (whole - done).max(Nanos::from_millis(1));
    if test.stop_above.is_some() {
        // Where it ends before its time, nothing follows.
        return vec![Box::new(WakeupTest { duration: Some(left), ..test.clone() })];
    }
    let mut all: Vec<Box<dyn Probe>> = Vec::new();
    while left > Nanos::ZERO {
        // The last one takes the rest, so that none is very short.
        let span = if left < STRETCH * 2 { left } else { STRETCH };
        all.push(Box::new(WakeupTest { duration: Some(span), ..test.clone() }));
        left -= span;
    }
    all
}

/// Reads the results of a run that ended early, with which this test goes on.
pub fn earlier(file: &str, test: &WakeupTest) -> Result<Results> {
    let mut results = read(file)?;
    let kernel = |facts: Option<&Facts>| facts.and_then(|facts| facts.kernel.release.clone());
    let (then, now) = (kernel(results.machine.as_ref()), Facts::read(&Root::system()));
    if then != kernel(Some(&now)) {
        bail!("--resume {file}: it was measured on another kernel or machine; begin a new run");
    }
    if !results.tests.iter().any(|found| is_of(found, test)) {
        bail!(
            "--resume {file}: it has no wake-ups every {} us on these cores; give the options of \
             that run",
            test.interval.as_micros_f64()
        );
    }
    results.interrupted = false;
    results.tests.iter_mut().for_each(|found| found.interrupted = false);
    Ok(results)
}

fn is_of(found: &TestFound, test: &WakeupTest) -> bool {
    let core = |core: &usize| {
        let name = core.to_string();
        found
            .series
            .iter()
            .any(|one| place(one) == Some(name.as_str()) && interval(one) == Some(test.interval))
    };
    found.test == test.name() && test.cores.iter().all(core)
}

/// How much of each run of a test beside this load stands in results: that of the core that has
/// the least, of all its runs together, which may differ by half a stretch.
pub fn done(results: &Results, test: &WakeupTest, (load, limits): (Load, &LoadLimits)) -> Nanos {
    let told = limits.conditions(load);
    let runs = test.duration(Length::Full).0 / test.one_run(Length::Full).0.max(1);
    let of_core = |core: &usize| {
        let core = core.to_string();
        let of = results.series(Quantity::CorrectedLateness).map(|(_, series)| series);
        let of = of.filter(|one| one.condition("load") == Some(load.name()));
        let of = of.filter(|one| {
            LOAD_MANNERS.iter().all(|name| {
                let told = told.iter().find(|(told, _)| told == name);
                one.condition(name) == told.map(|(_, value)| value.as_str())
            })
        });
        let of = of.filter(|one| place(one) == Some(core.as_str()));
        of.filter(|one| interval(one) == Some(test.interval)).map(passed).sum::<Nanos>()
    };
    test.cores.iter().map(of_core).min().unwrap_or_default() / runs.max(1)
}

/// The core, or the thread where the kernel chose its core.
fn place(series: &SampleSeries) -> Option<&str> {
    series.condition("core").or_else(|| series.condition("thread"))
}

/// The time of the periods that passed.
fn passed(series: &SampleSeries) -> Nanos {
    interval(series).unwrap_or_default() * series.statistics.n as i64
}

fn interval(series: &SampleSeries) -> Option<Nanos> {
    let us: f64 = series.condition("interval_us")?.parse().ok()?;
    Some(Nanos::round_from_f64(us * 1e3))
}

/// Adds a stretch: series of the same conditions go on.
pub fn add(results: &mut Results, found: TestFound) {
    let Some(earlier) = results.tests.iter_mut().find(|earlier| earlier.test == found.test) else {
        results.tests.push(found);
        return;
    };
    earlier.interrupted |= found.interrupted;
    for later in found.series {
        let same = |one: &&mut SampleSeries| {
            one.quantity == later.quantity && one.conditions == later.conditions
        };
        match earlier.series.iter_mut().find(same) {
            Some(series) => {
                let after = passed(series);
                series.go_on(later, after);
            }
            None => earlier.series.push(later),
        }
    }
    for note in found.notes {
        if !earlier.notes.contains(&note) {
            earlier.notes.push(note);
        }
    }
    if earlier.grant.is_none() {
        earlier.grant = found.grant;
    }
}

/// The whole plan, less what was done.
pub fn plan(
    chosen: super::plan::ChosenLoads,
    test: &WakeupTest,
    whole: Nanos,
    (earlier, limits): (Option<Results>, &LoadLimits),
) -> TestPlan {
    let done = |load| earlier.as_ref().map_or(Nanos::ZERO, |all| done(all, test, (load, limits)));
    let mut plan = TestPlan::of("wakeup", chosen, |load| of(test, whole, done(load)));
    // What is there already is not measured again.
    if earlier.is_some() {
        plan.steps.retain(|step| done(step.load) < whole);
    }
    plan.in_stretches = true;
    plan.earlier = earlier;
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_bench::timing::{Histogram, IdleStates};

    fn test() -> WakeupTest {
        let (interval, idle_states) = (Nanos::from_micros(200), IdleStates::Held);
        WakeupTest { interval, idle_states, cores: vec![0, 1], ..WakeupTest::default() }
    }

    fn found(core: &str, n: usize) -> TestFound {
        let conditions = [("core", core), ("interval_us", "200"), ("load", "none")];
        let series =
            |quantity| SampleSeries::of(quantity, &conditions, Histogram::of(vec![Nanos(9); n]));
        let series = vec![series(Quantity::Lateness), series(Quantity::CorrectedLateness)];
        TestFound { series, ..TestFound::of("wakeup") }
    }

    #[test]
    fn what_is_left_is_measured_in_stretches_that_sum_to_it() {
        let spans = |whole: i64, done: i64| {
            let all = of(&test(), Nanos::from_secs(whole), Nanos::from_secs(done));
            all.iter().map(|one| one.duration(Length::Full).as_secs_f64()).collect::<Vec<_>>()
        };
        assert_eq!(spans(5, 0), [5.0]);
        assert_eq!(spans(1_000, 0), [300.0, 300.0, 400.0]);
        assert_eq!(spans(1_000, 950), [50.0]);
    }

    #[test]
    fn series_go_on_and_the_least_core_says_how_far_it_is() {
        let mut results = Results::begin("chronotap", "", "", Length::Full);
        for (core, n) in [("0", 100), ("1", 100), ("0", 50), ("1", 49)] {
            add(&mut results, found(core, n));
        }
        assert_eq!(results.tests[0].series.len(), 4);
        assert_eq!(results.tests[0].series[0].statistics.n, 150);
        assert_eq!(
            done(&results, &test(), (Load::None, &LoadLimits::default())),
            Nanos::from_micros(200 * 149)
        );
        assert_eq!(
            done(&results, &test(), (Load::Contending, &LoadLimits::default())),
            Nanos::ZERO
        );
        let both = WakeupTest { idle_states: IdleStates::Both, ..test() };
        assert_eq!(
            done(&results, &both, (Load::None, &LoadLimits::default())),
            Nanos::from_micros(100 * 149)
        );
        assert!(is_of(&results.tests[0], &test()));
        let other = WakeupTest { interval: Nanos::from_millis(1), ..test() };
        assert!(!is_of(&results.tests[0], &other));
    }
}
