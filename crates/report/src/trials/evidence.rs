//! The timing of every trial: how far its worst output was from its deadline, what the verdicts
//! were, and which rights it had.

use super::words::{counted, grouped, kind, number, some_of};
use super::{RecordedTrials, odd};
use crate::html::{HtmlTable, element};
use crate::plot::{Axis, Plot, PlotLine};
use chronotap_data::record::RunnerMode;
use chronotap_data::tables::TimeCourse;

/// So many rows stand open; longer tables open at a click.
const OPEN: usize = 24;
/// So many trials have a row; a page with more would open slowly, and the tables have them.
const ROWS: usize = 2_000;

pub(super) fn section(of: &RecordedTrials<'_>) -> String {
    let all: Vec<(usize, &TimeCourse)> = odd::courses(of).collect();
    if all.is_empty() {
        return String::new();
    }
    element("p", &sentence(&all)) + &picture(&all) + &table(of, &all)
}

/// The outputs of trials in one sentence.
pub(super) fn sentence(all: &[(usize, &TimeCourse)]) -> String {
    let outputs: u64 = all.iter().map(|(_, course)| course.evidence.outputs).sum();
    let outputs = counted(usize::try_from(outputs).unwrap_or(usize::MAX), "output");
    let worst = all.iter().filter_map(|(_, course)| course.evidence.worst_us);
    let worst = worst.max_by(|a, b| a.abs().total_cmp(&b.abs()));
    let Some(worst) = worst else {
        let elsewhere = all.iter().any(|(_, course)| course.evidence.mode == RunnerMode::Imported);
        let nothing = "Nothing sounded in these trials.";
        return if elsewhere { NOT_KNOWN.into() } else { nothing.into() };
    };
    let passed = all.iter().filter(|(_, course)| course.evidence.failures.is_empty()).count();
    let way = if worst < 0.0 { "before" } else { "after" };
    format!(
        "Of {outputs} in {}, the worst came {} µs {way} its deadline; {} passed the limit they were held to.",
        counted(all.len(), "trial"),
        number(worst.abs(), 1),
        if passed == all.len() { "all trials".into() } else { counted(passed, "trial") }
    )
}

/// Said of trials that another program recorded.
pub(super) const NOT_KNOWN: &str =
    "How exactly in time their stimuli sounded and their taps were stamped is not known.";

fn picture(all: &[(usize, &TimeCourse)]) -> String {
    let lines: Vec<PlotLine> = [("worst output", 0), ("99 % of the outputs are within", 1)]
        .into_iter()
        .filter_map(|(name, which)| {
            let value = |(place, (_, course)): (usize, &(usize, &TimeCourse))| {
                let evidence = &course.evidence;
                let us = if which == 0 { evidence.worst_us? } else { evidence.p99_us? };
                Some((place as f64 + 1.0, us.abs().max(0.1)))
            };
            let points: Vec<(f64, f64)> = all.iter().enumerate().filter_map(value).collect();
            let every = points.len().div_ceil(POINTS).max(1);
            let points: Vec<_> = points.into_iter().step_by(every).collect();
            (!points.is_empty()).then(|| PlotLine::dots(name, points))
        })
        .collect();
    if lines.is_empty() || all.len() < 3 {
        return String::new();
    }
    let values = || lines.iter().flat_map(|line| line.points.iter().map(|(_, us)| *us));
    let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
    let plot = Plot {
        title: "Distance from the deadline, trial by trial".into(),
        description: format!("From {} to {} µs.", number(least, 1), number(most, 1)),
        x: Axis::linear("trial, in the order of the table", 0.0, all.len() as f64 + 1.0),
        y: Axis::logarithmic("µs", least / 1.5, most * 1.5),
        lines,
    };
    format!("<div class=\"plots\">\n{}</div>\n", plot.html())
}

/// So many trials are drawn.
const POINTS: usize = 1_000;

fn table(of: &RecordedTrials<'_>, all: &[(usize, &TimeCourse)]) -> String {
    let head = [
        "trial",
        "condition",
        "outputs",
        "worst (µs)",
        "99 % (µs)",
        "limit (µs)",
        "timing",
        "data",
        "used",
        "rights",
    ];
    let mut table = HtmlTable::new("Every trial", &head);
    for (place, course) in all.iter().take(ROWS) {
        table.row(row(of, *place, course));
    }
    let more = match all.len().saturating_sub(ROWS) {
        0 => String::new(),
        more => element("p", &format!("{} more are in the tables.", counted(more, "trial"))),
    };
    let open = if all.len() <= OPEN { " open" } else { "" };
    format!(
        "<details{open}><summary>Every trial ({})</summary>\n{}{more}</details>\n",
        grouped(all.len()),
        table.html()
    )
}

fn row(of: &RecordedTrials<'_>, place: usize, course: &TimeCourse) -> Vec<String> {
    let (source, evidence) = (&of.sources.trials[place], &course.evidence);
    let us = |value: Option<f64>| value.map_or("-".into(), |us| number(us, 1));
    let or = |list: &[String], good: &str| match list {
        [] => good.to_owned(),
        some => some_of(some, 2),
    };
    vec![
        source.shown.clone(),
        kind(of.sources, source),
        evidence.outputs.to_string(),
        us(evidence.worst_us),
        us(evidence.p99_us),
        evidence.limit_us.to_string(),
        match evidence.mode {
            RunnerMode::Imported if evidence.failures.is_empty() => "unknown".into(),
            _ => or(&evidence.failures, "passed"),
        },
        or(&evidence.reasons, "usable"),
        if of.analysis.used[place] { "yes" } else { "no" }.into(),
        rights(course),
    ]
}

/// What the trial had, in words.
pub(super) fn rights(course: &TimeCourse) -> String {
    let evidence = &course.evidence;
    match evidence.mode {
        RunnerMode::VirtualTime => "virtual time: none needed".into(),
        RunnerMode::Replay => "a replay: none needed".into(),
        RunnerMode::Imported => "recorded by another program: not known".into(),
        RunnerMode::RealTime if evidence.granted.is_empty() => "none granted".into(),
        RunnerMode::RealTime => evidence.granted.join("; "),
    }
}
