//! Carrying out a plan: each test beside its load, with progress. The results are on
//! the disk after each test, so that no later one can lose them.

use super::beside::Beside;
use super::ending;
use super::files::TestFiles;
use super::plan::{TestPlan, TestStep};
use super::stretches;
use crate::CommandVerdict;
use crate::args::Suite;
use crate::commands::take_over_ctrl_c;
use crate::says;
use crate::screen::{Progress, remark};
use anyhow::{Result, bail};
use chronotap_bench::studies::Load;
use chronotap_bench::studies::loads::LoadLimits;
use chronotap_bench::timing::{Length, Probe, Results, TestFound, TestRun};
use chronotap_core::time::Nanos;
use chronotap_data::record::PROGRAM;
use chronotap_linux::machine::{BelowRoot, Facts, Root};
use chronotap_linux::realtime::Interrupt;
use std::io::{IsTerminal, stderr};
use std::path::Path;

/// Runs the tests of a plan, and writes what they found.
pub fn run(plan: &TestPlan, args: &Suite) -> Result<CommandVerdict> {
    plan.check()?;
    let earlier = plan.earlier.as_ref().map(|earlier| earlier.label.as_str());
    let label = label(args.label.as_deref().or(earlier))?;
    let (length, limits) = (args.length.chosen(), args.limits());
    let interrupt = take_over_ctrl_c()?;
    announce(plan, length);
    let (files, mut results) = begin(&args.output, &label, plan.name, length)?;
    if let Some(earlier) = &plan.earlier {
        results = Results { label, ..earlier.clone() };
    }
    results.about.clone_from(&plan.about);
    // Until it has come to its end, which a kill keeps it from.
    results.interrupted = true;
    remark(format!("results: {}", files.path(".json").display()));
    for step in &plan.steps {
        if interrupt.requested() {
            break;
        }
        carry_out(step, (length, &limits), interrupt, &mut |found| {
            match plan.in_stretches {
                true => stretches::add(&mut results, named(found, step.load, &limits)),
                false => add(&mut results, (step.load, &limits), found),
            }
            files.keep(&results)
        })?;
    }
    results.interrupted = interrupt.requested();
    if let Some(first) = results.tests.first_mut() {
        first.notes.extend(plan.left_out.iter().cloned());
    }
    ending::end(args, &files, &results)
}

/// Results of this machine with nothing measured yet, and their files.
pub fn begin(dir: &Path, label: &str, test: &str, length: Length) -> Result<(TestFiles, Results)> {
    let began = chronotap_core::time::wall_clock_now();
    let machine = Some(Facts::read(&Root::system()));
    let results = Results { machine, ..Results::begin(PROGRAM, label, &began, length) };
    let files = TestFiles::reserve(dir, label, test)?;
    files.keep(&results)?;
    Ok((files, results))
}

/// What is about to happen and for how long, before anything starts.
fn announce(plan: &TestPlan, length: Length) {
    let name = plan.name;
    let time = announced(plan.duration(length), plan.longest(length));
    remark(format!("timing {name}: about {time}; Ctrl-C ends it and keeps what was measured"));
    plan.left_out.iter().for_each(|sentence| remark(crate::screen::wrapped(sentence, "")));
}

/// `2 min`, and how long it may take where the machine is disturbed.
fn announced(usual: Nanos, longest: Nanos) -> String {
    match spoken_duration(usual) {
        usual_time if longest <= usual => usual_time,
        usual_time => format!("{usual_time}, up to {} if disturbed", spoken_duration(longest)),
    }
}

/// The tests of a step beside its load.
fn carry_out(
    step: &TestStep,
    (length, limits): (Length, &LoadLimits),
    interrupt: Interrupt,
    take: &mut dyn FnMut(TestFound) -> Result<()>,
) -> Result<()> {
    let noted = |probe: &dyn Probe, note: String| TestFound {
        notes: vec![note],
        ..TestFound::of(probe.name())
    };
    let beside = match Beside::start(step.load, step.longest(length), limits) {
        Ok(beside) => beside,
        Err(why) => {
            remark(crate::screen::wrapped(&why, ""));
            return step
                .probes
                .iter()
                .try_for_each(|probe| take(noted(probe.as_ref(), why.clone())));
        }
    };
    let mut done: Vec<&dyn Probe> = Vec::new();
    for probe in step.probes.iter().map(AsRef::as_ref) {
        if interrupt.requested() {
            break;
        }
        take(one(probe, step.load, length, interrupt))?;
        done.push(probe);
    }
    let Some(note) = beside.end() else { return Ok(()) };
    done.into_iter().try_for_each(|probe| take(noted(probe, note.clone())))
}

/// Runs one test. On a terminal a line shows how far it is; elsewhere there is one
/// line for each test.
fn one(probe: &dyn Probe, load: Load, length: Length, interrupt: Interrupt) -> TestFound {
    let name = probe.name();
    if let Err(why) = probe.available() {
        remark(format!("{name}: not available"));
        return TestFound::unavailable(name, says::of(&*why));
    }
    let seconds = probe.duration(length).as_secs_f64();
    if !stderr().is_terminal() {
        let time = announced(probe.duration(length), probe.longest(length));
        remark(format!("{name}: about {time}"));
    }
    let mut line = Progress::new(u32::MAX);
    let mut tell = |at: &chronotap_bench::timing::TestProgress| {
        let left = (seconds * (1.0 - at.done)).max(0.0);
        let done = at.done * 100.0;
        line.show(&format!("{name}: {done:3.0} %, {left:.0} s left; {}; Ctrl-C keeps it", at.what));
    };
    let mut course = TestRun::new(length, interrupt, &mut tell);
    (course.load, course.words) = (load.name(), says::of);
    let found = probe.run(&mut course);
    line.end();
    found
}

/// A test that ran beside several loads stands once, with all its series. Who began
/// the load knows its name, `none` too; a test that began its own has named them.
pub fn add(results: &mut Results, (load, limits): (Load, &LoadLimits), found: TestFound) {
    let found = named(found, load, limits);
    let Some(earlier) = results.tests.iter_mut().find(|earlier| earlier.test == found.test) else {
        results.tests.push(found);
        return;
    };
    earlier.interrupted |= found.interrupted;
    earlier.series.extend(found.series);
    let new = found.notes.into_iter().filter(|note| !earlier.notes.contains(note));
    let new: Vec<String> = new.collect();
    earlier.notes.extend(new);
    if earlier.grant.is_none() {
        earlier.grant = found.grant;
    }
}

/// With its load among the conditions, and what of that is not as usual.
fn named(mut found: TestFound, load: Load, limits: &LoadLimits) -> TestFound {
    for series in &mut found.series {
        let told = limits.conditions(load).into_iter();
        series.conditions.extend(told.map(|(name, value)| (name.to_owned(), value)));
        if load != Load::None || series.condition("load").is_none() {
            series.conditions.insert("load".into(), load.name().into());
        }
    }
    found
}

/// The label that was given, or the host's name.
pub fn label(given: Option<&str>) -> Result<String> {
    match given {
        Some(given) if given.trim().is_empty() => bail!("--label: a label has letters"),
        Some(given) => Ok(given.trim().to_owned()),
        None => Ok(rustix::system::uname().nodename().to_string_lossy().into_owned()),
    }
}

/// As people say it: `40 s`, `2 min 10 s`, `9 h 40 min`.
pub(super) fn spoken_duration(span: Nanos) -> String {
    let s = (span.as_secs_f64().round() as i64).max(1);
    let two = |large, unit, small, of| match small {
        0 => format!("{large} {unit}"),
        small => format!("{large} {unit} {small} {of}"),
    };
    match s {
        s if s < 60 => format!("{s} s"),
        s if s < 3_600 => two(s / 60, "min", s % 60, "s"),
        s => two(s / 3_600, "h", s % 3_600 / 60, "min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_bench::timing::{Histogram, Quantity, SampleSeries};

    #[test]
    fn durations_are_said_in_two_units_at_most() {
        let said = |s| spoken_duration(Nanos::from_secs(s));
        assert_eq!((said(0).as_str(), said(130).as_str()), ("1 s", "2 min 10 s"));
        assert_eq!((said(34_830).as_str(), said(120).as_str()), ("9 h 40 min", "2 min"));
    }

    #[test]
    fn a_time_that_depends_on_the_machine_is_said_with_its_end() {
        let said = |usual, longest| announced(Nanos::from_secs(usual), Nanos::from_secs(longest));
        assert_eq!(
            (said(58, 58), said(125, 271)),
            ("58 s".into(), "2 min 5 s, up to 4 min 31 s if disturbed".into())
        );
    }

    #[test]
    fn a_test_beside_two_loads_is_one_test_with_the_series_of_both() {
        let found = |load| TestFound {
            test: "wakeup".into(),
            series: vec![SampleSeries::of(Quantity::Lateness, &[("load", load)], Histogram::new())],
            ..TestFound::default()
        };
        let mut results = Results::begin("", "", "", Length::Quick);
        add(&mut results, (Load::None, &LoadLimits::default()), found("none"));
        add(&mut results, (Load::Contending, &LoadLimits::default()), found("none"));
        let loads: Vec<_> =
            results.tests[0].series.iter().map(|one| one.condition("load")).collect();
        assert_eq!(loads, [Some("none"), Some("contending")]);
    }

    #[test]
    fn files_of_another_size_are_another_load_and_those_of_the_usual_one_are_not() {
        let size = |load: Load, mb: Option<u64>| {
            let series = vec![SampleSeries::of(Quantity::Lateness, &[], Histogram::new())];
            let found = TestFound { series, ..TestFound::of("wakeup") };
            let limits = LoadLimits { size_mb: mb, ..LoadLimits::default() };
            named(found, load, &limits).series[0].condition("load_size_mb").map(str::to_owned)
        };
        assert_eq!(size(Load::SenonerWrite, Some(20)).as_deref(), Some("20"));
        assert_eq!(size(Load::SenonerWrite, Some(350)), None);
        assert_eq!(size(Load::Varoquaux, Some(350)).as_deref(), Some("350"));
        assert_eq!((size(Load::Varoquaux, None), size(Load::Vignati, Some(20))), (None, None));
        let said = |mb| Load::SenonerCopy.described(mb);
        assert_eq!(said(Some(20)), "copying a file of 20 MB over and over");
        assert_eq!(said(None), Load::SenonerCopy.describe());
    }

    #[test]
    fn an_idle_machine_is_named_and_the_load_of_a_test_that_began_its_own_stays() {
        let series =
            |of: &[(&str, &str)]| SampleSeries::of(Quantity::ClockStep, of, Histogram::new());
        let found = TestFound {
            test: "clock".into(),
            series: vec![series(&[]), series(&[("load", "arithmetic")])],
            ..TestFound::default()
        };
        let mut results = Results::begin("", "", "", Length::Quick);
        add(&mut results, (Load::None, &LoadLimits::default()), found);
        let loads: Vec<_> =
            results.tests[0].series.iter().map(|one| one.condition("load")).collect();
        assert_eq!(loads, [Some("none"), Some("arithmetic")]);
    }
}
