//! What several trials amount to together: means, verdicts, and how many trials had which
//! greatest lateness. For trials in virtual time and for recorded ones.

use crate::screen::wrapped;
use chronotap_analysis::lateness::{Bucket, histogram};
use chronotap_analysis::summary::Summary;
use chronotap_time::Nanos;

/// Means over trials of one trial file, for each input and stream.
pub fn means(trials: &[&Summary]) -> String {
    let title = &trials[0].title;
    let heading = format!("{} trials of \"{title}\", means over the trials", trials.len());
    let length = mean(trials.iter().map(|trial| Some(trial.length_s)));
    let mut lines = vec![wrapped(&heading, ""), format!("  length {length} s")];
    for i in 0..trials[0].taps.len() {
        lines.extend(taps_lines(trials, i));
    }
    for i in 0..trials[0].synchronization.len() {
        lines.extend(synchronization_lines(trials, i));
    }
    let failed = trials.iter().filter(|trial| !trial.verdict.passed).count();
    lines.push(format!("  timing verdict: {} passed, {failed} failed", trials.len() - failed));
    let unusable = trials.iter().filter(|trial| !trial.data.usable).count();
    lines.push(format!("  data: {} usable, {unusable} not usable", trials.len() - unusable));
    lines.join("\n")
}

/// How many trials had a greatest lateness in each range: the form in which Finney (2001)
/// reports 1320 trials. Ranges without a trial are left out.
pub fn greatest_lateness<'a>(trials: impl IntoIterator<Item = &'a Summary>) -> Vec<Bucket> {
    let greatest = |trial: &Summary| Some(trial.lateness.as_ref()?.max_us);
    let in_ns = |us: f64| Nanos::round_from_f64(us * 1e3);
    let all: Vec<Nanos> = trials.into_iter().filter_map(greatest).map(in_ns).collect();
    histogram(&all).into_iter().filter(|bucket| bucket.count > 0).collect()
}

/// The same in words.
pub fn greatest_lateness_lines(buckets: &[Bucket]) -> String {
    let of: u64 = buckets.iter().map(|bucket| bucket.count).sum();
    let mut lines = vec!["Greatest lateness of each trial".to_owned()];
    for Bucket { from_us, below_us, count } in buckets {
        let range = match (from_us, below_us) {
            (None, _) => "early".to_owned(),
            (Some(from), None) => format!("from {from} us"),
            (Some(from), Some(below)) => format!("{from} to below {below} us"),
        };
        let share = *count as f64 / of.max(1) as f64 * 100.0;
        lines.push(format!("  {range:<26} {count:>6} of {of} trials ({share:.1} %)"));
    }
    lines.join("\n")
}

fn taps_lines(trials: &[&Summary], i: usize) -> [String; 2] {
    let each = || trials.iter().map(|trial| &trial.taps[i]);
    let count = mean(each().map(|t| Some(t.taps as f64)));
    let iti = mean(each().map(|t| t.intervals.as_ref().map(|x| x.mean_ms)));
    let sd = mean(each().map(|t| t.intervals.as_ref().and_then(|x| x.sd_ms)));
    [
        format!("  {}: {count} taps", trials[0].taps[i].input),
        format!("    inter-tap interval: mean {iti} ms, SD {sd} ms"),
    ]
}

fn synchronization_lines(trials: &[&Summary], i: usize) -> [String; 2] {
    let each = || trials.iter().map(|trial| &trial.synchronization[i]);
    let first = &trials[0].synchronization[i];
    let matched = mean(each().map(|s| Some(s.matched as f64)));
    let missed = mean(each().map(|s| Some(s.missed as f64)));
    let asynchrony = mean(each().map(|s| s.asynchrony.as_ref().map(|x| x.mean_ms)));
    let sd = mean(each().map(|s| s.asynchrony.as_ref().and_then(|x| x.sd_ms)));
    let (input, pacing) = (&first.input, &first.pacing);
    let line = format!("{input} with {pacing}: matched {matched}, missed {missed}");
    [wrapped(&line, "  "), format!("    asynchrony: mean {asynchrony} ms, SD {sd} ms")]
}

/// Mean of those that have a value, with one decimal; a dash where none has.
fn mean(values: impl Iterator<Item = Option<f64>>) -> String {
    let values: Vec<f64> = values.flatten().collect();
    if values.is_empty() {
        return "-".into();
    }
    format!("{:.1}", values.iter().sum::<f64>() / values.len() as f64)
}
