//! An analysis in words, at most 80 columns wide: what was used and what was left out, then each
//! condition.

use crate::conditions::Condition;
use crate::measures::place;
use crate::{Analysis, Sources};
use chronotap_analysis::estimate::of_mean;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Most conditions that are shown; all of them stand in the table.
const SHOWN: usize = 40;

/// What came of an analysis, for people.
pub fn render(sources: &Sources, analysis: &Analysis) -> String {
    let mut out = String::new();
    put_counts(&mut out, sources, analysis);
    let groups = groups(analysis);
    for group in groups.iter().take(SHOWN) {
        put_condition(&mut out, sources, group);
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
    line(counts.not_counting, "attempt", " not used, because another one counts");
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
    for (name, what) in LEFT_OUT {
        line(analysis.in_all(name), what, " left out by the rules");
    }
}

/// What rules leave out: the measure, and one of it in words.
const LEFT_OUT: [(&str, &str); 3] = [
    ("left_out_taps", "tap"),
    ("left_out_intervals", "interval"),
    ("left_out_asynchronies", "asynchrony value"),
];

/// The rows of one condition, of all participants: whole trials, and stretches that nothing
/// paces.
fn groups(analysis: &Analysis) -> Vec<Vec<&Condition>> {
    let mut places = HashMap::new();
    let mut groups: Vec<Vec<&Condition>> = Vec::new();
    let shown = |row: &&Condition| row.stretch.is_none() || row.against.is_none();
    for row in analysis.conditions.iter().filter(shown) {
        let [_, _, _, step] = &row.who;
        let key = (step, &row.levels, &row.input, &row.against, &row.stretch);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(row);
    }
    groups
}

fn put_condition(out: &mut String, sources: &Sources, group: &[&Condition]) {
    let first = group[0];
    let levels = sources.factors.iter().zip(&first.levels);
    let mut parts: Vec<String> = first.who[3].iter().cloned().collect();
    parts
        .extend(levels.filter_map(|(factor, level)| Some(format!("{factor} {}", level.as_ref()?))));
    let against = first.against.as_ref().map(|stream| format!(" against {stream}"));
    parts.push(format!("{}{}", first.input, against.unwrap_or_default()));
    parts.extend(first.stretch.iter().map(|stretch| format!("in {stretch}")));
    let _ = writeln!(out, "\n{}", parts.join(", "));
    let trials: usize = group.iter().map(|row| row.trials).sum();
    let people = counted(of_each(group).len(), "participant");
    let _ = writeln!(out, "  {people}, {}", counted(trials, "trial"));
    put(out, group, "asynchrony", ["mean_asynchrony_ms", "sd_asynchrony_ms"]);
    put(out, group, "interval", ["mean_interval_ms", "sd_interval_ms"]);
    put(out, group, "repro. error", ["mean_reproduction_error_ms", "sd_reproduction_error_ms"]);
    if let (Some(missed), Some(beats)) = (over(group, "missed"), over(group, "beats")) {
        let share = if beats > 0.0 { 100.0 * missed / beats } else { 0.0 };
        let extra = over(group, "extra").unwrap_or(0.0);
        let _ = writeln!(
            out,
            "  missed       {share:>9.1} % of beats      extra taps {extra:>6.1} a trial"
        );
    }
}

fn put(out: &mut String, group: &[&Condition], what: &str, names: [&str; 2]) {
    let [mean, sd] = names;
    let Some(mean) = over(group, mean) else { return };
    let sd = over(group, sd).map_or("-".to_owned(), |sd| format!("{sd:.3}"));
    let _ = writeln!(out, "  {what:<12} mean {mean:>9.3} ms  SD in a trial {sd:>8} ms");
    let bounds = names.map(|name| interval(group, name));
    if let [Some(mean), Some(sd)] = bounds {
        let _ = writeln!(out, "  {:<12} 95 % {mean:>21}  {sd:>24}", "");
    }
}

/// The interval of the mean over participants; none below two of them.
fn interval(group: &[&Condition], name: &str) -> Option<String> {
    let found = of_mean("participants", &means(group, name)).ok()?;
    Some(format!("{:.3} to {:.3}", found.low, found.high))
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The mean over participants.
fn over(group: &[&Condition], name: &str) -> Option<f64> {
    let means = means(group, name);
    (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
}

/// One value of each participant: of several sessions or tasks, the mean of their means.
fn means(group: &[&Condition], name: &str) -> Vec<f64> {
    let place = place(name);
    let theirs = |rows: Vec<&Condition>| {
        let means: Vec<f64> = rows.iter().filter_map(|row| row.means[place].mean).collect();
        (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
    };
    of_each(group).into_values().filter_map(theirs).collect()
}

/// The rows of each participant.
fn of_each<'a>(group: &[&'a Condition]) -> BTreeMap<Option<&'a str>, Vec<&'a Condition>> {
    let mut each: BTreeMap<_, Vec<&Condition>> = BTreeMap::new();
    for row in group {
        each.entry(row.who[0].as_deref()).or_default().push(row);
    }
    each
}
