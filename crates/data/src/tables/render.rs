//! An analysis in words, at most 80 columns wide: what was used and what was left out, then each
//! condition.

use crate::tables::compared::{Compared, compared};
use crate::tables::{Analysis, Sources};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::statistics::Statistic;
use chronotap_analysis::statistics::of_asynchronies::{MEAN_ASYNCHRONY, SD_ASYNCHRONY};
use chronotap_analysis::statistics::of_beats::{
    BEATS, EXTRA, LEFT_OUT_ASYNCHRONIES, LISTENED, MISSED,
};
use chronotap_analysis::statistics::of_intervals::{MEAN_INTERVAL, SD_INTERVAL};
use chronotap_analysis::statistics::of_responses::{
    MEAN_REPRODUCTION_ERROR, SD_REPRODUCTION_ERROR,
};
use chronotap_analysis::statistics::of_taps::{LEFT_OUT_INTERVALS, LEFT_OUT_TAPS};
use std::fmt::Write;

/// Most conditions that are shown; all of them stand in the table.
const SHOWN: usize = 40;

/// What the differences are.
const PAIRED: &str = "
diff: mean less that of the first condition above with the same participants, by
  pairs within them. Intervals of means are over participants, none below ten.
";

/// What came of an analysis, for people.
pub fn render(sources: &Sources, analysis: &Analysis) -> String {
    let mut out = String::new();
    put_counts(&mut out, sources, analysis);
    let groups = compared(sources, analysis);
    for group in groups.iter().take(SHOWN) {
        put_condition(&mut out, sources, group, &groups);
    }
    if groups.iter().any(|group| group.first_within(&groups).is_some()) {
        out.push_str(PAIRED);
    }
    if groups.len() > SHOWN {
        let _ = writeln!(out, "\n… and {} more conditions, in the table", groups.len() - SHOWN);
    }
    out
}

fn put_counts(out: &mut String, sources: &Sources, analysis: &Analysis) {
    let counts = analysis.counts;
    let mut people: Vec<_> = sources.trials.iter().map(|trial| &trial.participant).collect();
    people.sort();
    people.dedup();
    let (trials, people) = (counted(counts.trials, "trial"), counted(people.len(), "participant"));
    let _ = writeln!(out, "{trials} of {people}, {}", counted(counts.taps, "tap"));
    let mut line = |count: usize, what: &str, then: &str| {
        if count > 0 {
            let _ = writeln!(out, "  {}{then}", counted(count, what));
        }
    };
    line(counts.used, "trial", " used");
    let replaced = counts.not_counting - counts.cut_short;
    line(replaced, "attempt", " not used, because another one counts");
    line(counts.cut_short, "attempt", " not used, cut short with no other that counts");
    line(counts.unusable, "trial", " with data that cannot be used");
    line(counts.unread, "trial", " that could not be read");
    line(counts.changed, "events file", " changed since it was written");
    line(counts.timing_failed, "trial", " used although the timing failed");
    line(
        counts.matched_otherwise,
        "trial",
        " recorded by an earlier rule of matching;\n    all are matched by the present one",
    );
    line(sources.unlisted, "events file", " not used, because not listed in a table of trials");
    if let Some(left_out) = sources.left_out() {
        let _ = writeln!(out, "  {left_out}");
    }
    let mut line = |count: usize, what: &str, then: &str| {
        if count > 0 {
            let _ = writeln!(out, "  {}{then}", counted(count, what));
        }
    };
    for (count, what) in LEFT_OUT {
        line(analysis.in_all(count), what, " left out by the rules");
    }
}

/// What rules leave out: the count, and one of it in words.
static LEFT_OUT: [(&Statistic, &str); 3] = [
    (&LEFT_OUT_TAPS, "tap"),
    (&LEFT_OUT_INTERVALS, "interval"),
    (&LEFT_OUT_ASYNCHRONIES, "asynchrony value"),
];

fn put_condition(out: &mut String, sources: &Sources, group: &Compared<'_>, all: &[Compared<'_>]) {
    let _ = writeln!(out, "\n{}", name(sources, group));
    let trials: usize = group.rows.iter().map(|row| row.trials).sum();
    let people = counted(group.rows.len(), "participant");
    let _ = writeln!(out, "  {people}, {}", counted(trials, "trial"));
    let first = group.first_within(all);
    for (what, both) in SHOWN_OF_EACH {
        put(out, group, first, what, both);
    }
    let over = |of: &Statistic| group.mean(of).map(|(mean, _)| mean);
    if let (Some(missed), Some(beats)) = (over(&MISSED), over(&BEATS)) {
        let asked = beats - over(&LISTENED).unwrap_or(0.0);
        let share = if asked > 0.0 { 100.0 * missed / asked } else { 0.0 };
        let extra = over(&EXTRA).unwrap_or(0.0);
        let _ = writeln!(
            out,
            "  missed       {share:>9.1} % of beats      extra taps {extra:>6.1} a trial"
        );
    }
}

/// What is shown of a condition: the word, the mean and the SD in a trial.
static SHOWN_OF_EACH: [(&str, [&Statistic; 2]); 3] = [
    ("asynchrony", [&MEAN_ASYNCHRONY, &SD_ASYNCHRONY]),
    ("interval", [&MEAN_INTERVAL, &SD_INTERVAL]),
    ("repro. error", [&MEAN_REPRODUCTION_ERROR, &SD_REPRODUCTION_ERROR]),
];

/// Session, step and levels; what was tapped against what.
fn name(sources: &Sources, group: &Compared<'_>) -> String {
    let first = group.rows[0];
    let [_, session, task, step] = &first.who;
    let levels = sources.factors.iter().zip(&first.levels);
    let tasks = sources.trials.iter().any(|trial| trial.task != *task);
    let mut parts: Vec<String> = session.iter().map(|label| format!("session {label}")).collect();
    parts.extend(task.iter().filter(|_| tasks).map(|task| format!("task {task}")));
    parts.extend(step.clone());
    parts
        .extend(levels.filter_map(|(factor, level)| Some(format!("{factor} {}", level.as_ref()?))));
    let against = first.against.as_ref().map(|stream| format!(" against {stream}"));
    parts.push(format!("{}{}", first.input, against.unwrap_or_default()));
    parts.extend(first.stretch.iter().map(|stretch| format!("in {stretch}")));
    parts.join(", ")
}

fn put(
    out: &mut String,
    group: &Compared<'_>,
    first: Option<&Compared<'_>>,
    what: &str,
    both: [&Statistic; 2],
) {
    let [of_mean, of_sd] = both.map(|of| group.mean(of));
    let Some((mean, bounds)) = of_mean else { return };
    let sd = of_sd.map_or("-".to_owned(), |(sd, _)| format!("{sd:.3}"));
    let _ = writeln!(out, "  {what:<12} mean {mean:>9.3} ms  SD in a trial {sd:>8} ms");
    if let (Some(mean), Some(sd)) = (bounds, of_sd.and_then(|(_, bounds)| bounds)) {
        let _ = writeln!(out, "  {:<12} 95 % {:>21}  {:>24}", "", ends(&mean), ends(&sd));
    }
    let less = first.and_then(|first| group.less(first, both[0]));
    if let Some((both, (difference, bounds))) = less {
        let bounds = bounds.map_or(String::new(), |found| format!(", 95 % {}", ends(&found)));
        let few = match group.rows.len() {
            all if all > both => format!(" ({both} of {all} have both)"),
            _ => String::new(),
        };
        let _ = writeln!(out, "  {:<12} diff {difference:>9.3} ms{bounds}{few}", "");
    }
}

fn ends(found: &Estimate) -> String {
    format!("{:.3} to {:.3}", found.low, found.high)
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
