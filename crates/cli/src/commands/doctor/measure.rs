//! `chronotap doctor --measure`: how late threads wake up, one on each processor, for
//! a few seconds; before and after a change, or once. It is the wake-up test with the
//! processors' idle states left as they are, so that what they cost shows.

use crate::says;
use crate::screen::{Progress, say, wrapped};
use anyhow::{Result, bail};
use chronotap_bench::timing::{
    Histogram, IdleStates, Length, Probe, Quantity, Statistics, TestFound, TestRun, WakeupTest,
};
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::Interrupt;
use serde::Serialize;

const SECONDS: i64 = 5;

/// What was measured at one time.
#[derive(Debug, Serialize)]
pub struct MeasuredTime {
    /// When: as it is, after the changes.
    when: &'static str,
    /// Whether Ctrl-C ended it early.
    interrupted: bool,
    /// Lateness of wake-ups on all processors together.
    lateness: Statistics,
    /// Rights that were refused, and what the test has to say.
    notes: Vec<String>,
}

/// Measures with real-time priority where it is granted.
///
/// # Errors
/// Where the test cannot run here.
pub fn wakeups(when: &'static str, interrupt: Interrupt) -> Result<MeasuredTime> {
    let duration = Some(Nanos::from_secs(SECONDS));
    let test = WakeupTest { idle_states: IdleStates::Left, duration, ..WakeupTest::default() };
    let mut progress = Progress::new(20);
    let mut tell = |at: &chronotap_bench::timing::TestProgress| {
        progress.show(&format!("measuring wake-ups {when}: {:3.0} %", at.done * 100.0));
    };
    let mut course = TestRun::new(Length::Quick, interrupt, &mut tell);
    course.words = says::of;
    let found = test.run(&mut course);
    progress.end();
    if let Some(why) = &found.unavailable {
        bail!("--measure: {why}");
    }
    Ok(summary(when, found))
}

fn summary(when: &'static str, found: TestFound) -> MeasuredTime {
    let mut all = Histogram::new();
    let raw = found.series.iter().filter(|series| series.quantity == Quantity::Lateness);
    raw.for_each(|series| all.merge(&series.histogram));
    MeasuredTime {
        when,
        interrupted: found.interrupted,
        lateness: Statistics::of(&all),
        notes: found.notes,
    }
}

/// Prints them, one line each, and what there is to say once.
pub fn show(measured: &[MeasuredTime]) {
    if measured.is_empty() {
        return;
    }
    say(format!("Lateness of wake-ups, every 1 ms on each processor for {SECONDS} s, in us"));
    say(format!("  {:<20}{:>9}{:>10}{:>10}{:>10}", "", "median", "p99", "p99.9", "greatest"));
    for MeasuredTime { when, lateness, interrupted, .. } in measured {
        let us = |ns: Option<i64>| ns.map_or("-".into(), |ns| format!("{:.1}", ns as f64 / 1e3));
        let [median, p99, p999, max] =
            [lateness.median_ns, lateness.p99_ns, lateness.p999_ns, lateness.max_ns].map(us);
        let cut = if *interrupted { "  cut short" } else { "" };
        say(format!("  {when:<20}{median:>9}{p99:>10}{p999:>10}{max:>10}{cut}"));
    }
    if measured.len() > 1 {
        say("  One run each: repeat --measure alone to see how far two equal runs differ.");
    }
    let mut said: Vec<&String> = Vec::new();
    for note in measured.iter().flat_map(|one| &one.notes) {
        if !said.contains(&note) {
            say(wrapped(note, "  "));
            said.push(note);
        }
    }
}
