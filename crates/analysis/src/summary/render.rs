//! The summary as plain text, at most 80 columns wide; and what each of its numbers is, for
//! whoever asks.

mod notes;

use super::{Summary, Synchronization, Taps};
use crate::described::Described;
use crate::lateness::{Bucket, Lateness};
use crate::observed::SystemCounts;
use crate::reproduction::Reproduction;
use crate::sound::SoundCard;
use crate::statistics::of_asynchronies::{MEAN_ASYNCHRONY, SD_ASYNCHRONY};
use crate::statistics::of_intervals::{CV_INTERVAL, MEAN_INTERVAL, SD_INTERVAL};
use crate::wing_kristofferson::WingKristofferson;
use chronotap_core::text::broken;
use std::fmt::{Display, Formatter, Result, Write};

/// Widest bar of the histogram.
const BAR: usize = 40;
/// So many intervals of a reproduced rhythm are shown.
const INTERVALS: usize = 24;

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        wrapped(f, "", &format!("Summary of \"{}\"", self.title))?;
        wrapped(f, "  ", &format!("{:.3} s, ended by: {}", self.length_s, self.ending))?;
        for taps in &self.taps {
            write_taps(f, taps)?;
        }
        for synchronization in &self.synchronization {
            write_synchronization(f, synchronization)?;
        }
        for reproduction in &self.reproduction {
            write_reproduction(f, reproduction)?;
        }
        if let Some(why) = &self.answered_by {
            wrapped(f, "\n", why)?;
        }
        write_timing(f, self)?;
        write_verdict(f, self)
    }
}

impl Summary {
    /// What the words of the text mean: those that stand in it, and no others.
    pub fn notation(&self) -> String {
        let mut text = String::new();
        // Writing into a string does not fail.
        let _ = notes::write_notation(&mut text, self);
        text.trim_end().to_owned()
    }
}

fn write_taps(f: &mut Formatter<'_>, taps: &Taps) -> Result {
    wrapped(f, "\n", &format!("Taps at \"{}\": {}", taps.input, taps.taps))?;
    if let Some(intervals) = &taps.intervals {
        write_intervals(f, "inter-tap interval", intervals)?;
    }
    for within in &taps.stretches {
        // Of a trial that is one stretch everything stands above.
        if let Some(intervals) = within.intervals.as_ref().filter(|_| taps.stretches.len() > 1) {
            write_intervals(f, &format!("  in {}", within.stretch), intervals)?;
        }
        if let Some(levels) = &within.wing_kristofferson {
            write_levels(f, levels)?;
        }
    }
    Ok(())
}

/// A label of twenty columns; a longer one has a line of its own.
fn write_label(f: &mut Formatter<'_>, label: &str) -> Result {
    if label.chars().count() > 20 {
        wrapped(f, "  ", label)?;
        return write!(f, "  {:<20}", "");
    }
    write!(f, "  {label:<20}")
}

fn write_intervals(f: &mut Formatter<'_>, label: &str, intervals: &Described) -> Result {
    let [mean, sd] = [&MEAN_INTERVAL, &SD_INTERVAL].map(|one| or_dash(intervals.of(one), 3));
    let cv = or_dash(intervals.of(&CV_INTERVAL).map(|cv| 100.0 * cv), 2);
    write_label(f, label)?;
    writeln!(f, " mean {mean:>9} ms  SD {sd:>8} ms  CV {cv:>5} %  n {}", intervals.n())
}

fn write_levels(f: &mut Formatter<'_>, levels: &WingKristofferson) -> Result {
    let WingKristofferson { n, excluded, clock_unbiased_ms2, motor_unbiased_ms2, .. } = levels;
    let raw = (*clock_unbiased_ms2, *motor_unbiased_ms2);
    write_variances(f, "    variance", raw, levels.r1)?;
    if let Some(less) = levels.detrended {
        let variances = (less.clock_unbiased_ms2, less.motor_unbiased_ms2);
        write_variances(f, "    less drift", variances, less.r1)?;
    }
    let outside = levels.detrended.is_some_and(|less| !less.admissible);
    if !levels.admissible || outside {
        wrapped(f, "      ", OUTSIDE)?;
    }
    if *excluded > 0 {
        wrapped(
            f,
            "      ",
            &format!("of {n} intervals; {excluded} excluded (missed or doubled taps)"),
        )?;
    }
    Ok(())
}

/// Beside estimates of which one is below 0, or whose r1 is not between -0.5 and 0.
const OUTSIDE: &str = "outside the model (a variance below 0, or r1 not between -0.5 and 0): good for means over runs only";

fn write_variances(
    f: &mut Formatter<'_>,
    label: &str,
    (clock, motor): (f64, f64),
    r1: f64,
) -> Result {
    writeln!(f, "  {label:<20} clock {clock:>7.1} ms2  motor {motor:>6.1} ms2  r1 {r1:>6.3}")
}

fn write_synchronization(f: &mut Formatter<'_>, s: &Synchronization) -> Result {
    wrapped(f, "\n", &format!("\"{}\" against pacing \"{}\"", s.input, s.pacing))?;
    let counts = format!(
        "beats {}  matched {}  missed {}{}  extra {}  unpaced {}",
        s.beats,
        s.matched,
        s.missed,
        listened(s.listened),
        s.extra,
        s.unpaced
    );
    writeln!(f, "  {counts}")?;
    write_asynchrony(f, "asynchrony", s.asynchrony.as_ref())?;
    if s.stretches.len() < 2 {
        return Ok(());
    }
    for within in &s.stretches {
        let (beats, matched, missed, extra) =
            (within.beats, within.matched, within.missed, within.extra);
        write_label(f, &format!("  in {}", within.stretch))?;
        let listened = listened(within.listened);
        writeln!(f, " beats {beats}  matched {matched}  missed {missed}{listened}  extra {extra}")?;
        write_asynchrony(f, "    asynchrony", within.asynchrony.as_ref())?;
    }
    Ok(())
}

/// Beats before the first tap, where there were any.
fn listened(count: usize) -> String {
    if count > 0 { format!("  listened {count}") } else { String::new() }
}

fn write_asynchrony(f: &mut Formatter<'_>, label: &str, a: Option<&Described>) -> Result {
    let Some(a) = a else { return Ok(()) };
    let [mean, sd] = [&MEAN_ASYNCHRONY, &SD_ASYNCHRONY].map(|one| or_dash(a.of(one), 3));
    writeln!(f, "  {label:<20} mean {mean:>9} ms  SD {sd:>8} ms")
}

fn write_reproduction(f: &mut Formatter<'_>, r: &Reproduction) -> Result {
    wrapped(f, "\n", &format!("\"{}\" reproduces \"{}\"", r.input, r.pacing))?;
    let Reproduction { rounds, complete, missing, extra, .. } = r;
    writeln!(f, "  rounds {rounds}  complete {complete}  taps missing {missing}  extra {extra}")?;
    for interval in r.intervals.iter().take(INTERVALS) {
        let label = format!("{:.3} ms", interval.heard_ms);
        let (error, sd, n) = (interval.error_ms, or_dash(interval.sd_ms, 3), interval.n);
        write_label(f, &format!("{:>3} {label:>16}", interval.number))?;
        writeln!(f, " error {error:>+8.3} ms  SD {sd:>8} ms  n {n}")?;
    }
    match r.intervals.len().saturating_sub(INTERVALS) {
        0 => Ok(()),
        more => wrapped(f, "  ", &format!("{more} more intervals are in the data file")),
    }
}

fn write_timing(f: &mut Formatter<'_>, summary: &Summary) -> Result {
    f.write_str("\nTiming\n")?;
    match &summary.lateness {
        Some(lateness) => write_lateness(f, lateness)?,
        None if summary.verdict.passed.is_none() => f.write_str("  not known\n")?,
        None => f.write_str("  nothing sounded\n")?,
    }
    for latency in &summary.latencies {
        let constant = format!(
            "after a constant {:.1} us at \"{}\", of its audio, not counted above",
            latency.latency_us, latency.output
        );
        wrapped(f, "  ", &constant)?;
    }
    summary.sound_cards.iter().try_for_each(|card| write_sound_card(f, card))?;
    if summary.sound_cards.is_empty() && (summary.xruns > 0 || !summary.latencies.is_empty()) {
        writeln!(f, "  {:<20} {} xruns", "audio server", summary.xruns)?;
    }
    if let Some(s) = &summary.services {
        let label = "between services";
        write!(f, "  {label:<20} mean {:>8.1} us  max {:.1} us  n {}", s.mean_us, s.max_us, s.n)?;
        let over = s.over_1_ms.map(|over| format!("  over 1 ms: {over}"));
        writeln!(f, "{}", over.unwrap_or_default())?;
    }
    if let Some(system) = &summary.system {
        write_system(f, system)?;
    }
    Ok(())
}

fn write_sound_card(f: &mut Formatter<'_>, card: &SoundCard) -> Result {
    let SoundCard { callbacks, lost, xruns, worst_at_s, .. } = card;
    let [mean, worst] = [card.mean_load, card.worst_load].map(|load| 100.0 * load);
    let missing = if *lost > 0 { format!("  LOST {lost}") } else { String::new() };
    let label = "sound card";
    writeln!(f, "  {label:<20} load mean {mean:.1} %  worst {worst:.1} % at {worst_at_s:.3} s")?;
    writeln!(f, "  {:<20} n {callbacks}  {xruns} xruns{missing}", "")
}

fn write_lateness(f: &mut Formatter<'_>, lateness: &Lateness) -> Result {
    let Lateness { n, median_us, p99_us, max_us, over_limit, .. } = lateness;
    let label = "lateness of output";
    writeln!(f, "  {label:<20} median {median_us:.1} us  p99 {p99_us:.1} us  max {max_us:.1} us")?;
    writeln!(f, "  {:<20} n {n}  beyond the limit {over_limit}", "")?;
    let most = lateness.histogram.iter().map(|bucket| bucket.count).max().unwrap_or(0).max(1);
    let full: Vec<usize> = (0..lateness.histogram.len())
        .filter(|place| lateness.histogram[*place].count > 0)
        .collect();
    let (Some(first), Some(last)) = (full.first(), full.last()) else { return Ok(()) };
    for bucket in &lateness.histogram[*first..=*last] {
        write_bucket(f, bucket, most)?;
    }
    Ok(())
}

fn write_bucket(f: &mut Formatter<'_>, bucket: &Bucket, most: u64) -> Result {
    let label = match (bucket.from_us, bucket.below_us) {
        (Some(from), Some(below)) => format!("{from}-{below} us"),
        (Some(from), None) => format!("{from} us and later"),
        _ => "early".to_string(),
    };
    let bar = "#".repeat((bucket.count as u128 * BAR as u128).div_ceil(u128::from(most)) as usize);
    let gap = if bar.is_empty() { "" } else { " " };
    writeln!(f, "{label:>22} {:>8}{gap}{bar}", bucket.count)
}

fn write_system(f: &mut Formatter<'_>, system: &SystemCounts) -> Result {
    let SystemCounts { major_faults, minor_faults, voluntary_switches, involuntary_switches } =
        system;
    let faults = "page faults";
    writeln!(f, "  {faults:<20} major {major_faults}  minor {minor_faults}")?;
    let switches = "context switches";
    writeln!(
        f,
        "  {switches:<20} voluntary {voluntary_switches}  involuntary {involuntary_switches}"
    )
}

/// Timing passed and data usable are two statements.
const ONE_CLOCK: &str = "Clock: one, the sound card's; every beat came back by the loop, and asynchronies are numbers of its frames";

fn write_verdict(f: &mut Formatter<'_>, summary: &Summary) -> Result {
    let verdict = &summary.verdict;
    match verdict.passed {
        None => writeln!(f, "\nTiming: unknown")?,
        Some(passed) => {
            let word = if passed { "passed" } else { "FAILED" };
            writeln!(f, "\nTiming: {word} (limit {} us)", verdict.limit_us)?;
        }
    }
    verdict.reasons.iter().try_for_each(|reason| wrapped(f, "  ", reason))?;
    verdict.doubts.iter().try_for_each(|doubt| wrapped(f, "  ", &format!("doubt: {doubt}")))?;
    match summary.one_clock {
        Some(true) => wrapped(f, "", ONE_CLOCK)?,
        Some(false) => f.write_str("Clock: not one of taps and beats\n")?,
        None => {}
    }
    let data = &summary.data;
    match &data.reasons[..] {
        [] => f.write_str("Data: usable\n")?,
        [only] => wrapped(f, "", &format!("Data: not usable: {only}"))?,
        several => {
            f.write_str("Data: not usable\n")?;
            several.iter().try_for_each(|reason| wrapped(f, "  ", reason))?;
        }
    }
    data.doubts.iter().try_for_each(|doubt| wrapped(f, "  ", &format!("doubt: {doubt}")))
}

fn or_dash(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.decimals$}"))
}

/// Writes words to at most 80 columns, the lines after the first two further in.
/// A line feed at the beginning of the indent leaves a line empty.
fn wrapped(f: &mut impl Write, indent: &str, text: &str) -> Result {
    let within = indent.trim_start_matches('\n');
    f.write_str(&indent[..indent.len() - within.len()])?;
    writeln!(f, "{}", broken(text, within, &format!("{within}  ")).join("\n"))
}
