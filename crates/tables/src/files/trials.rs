//! The table of trials: its rows, and the descriptions of its columns.

use super::columns::{about_part, about_which, described, put_part, which};
use crate::cells::{end, heading, number, prefix, text};
use crate::in_order::in_order;
use crate::{Analysis, MEASURES, Mark, Measure, Sources, TrialRow};
use serde_json::Value;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;

/// The table of trials. Its numbers are written on all processors: there are a hundred in a row.
pub(super) fn put_trials(
    file: &mut File,
    sources: &Sources,
    analysis: &Analysis,
) -> io::Result<()> {
    let mut out = Vec::new();
    heading(&mut out, headings(sources));
    let mut written = file.write_all(&out);
    let lines = |range: Range<usize>| {
        let mut out = Vec::with_capacity(range.len() * USUAL);
        analysis.rows[range].iter().for_each(|row| put_trial(&mut out, row, sources, analysis));
        out
    };
    in_order(analysis.rows.len(), AT_ONCE, lines, |lines| {
        written = std::mem::replace(&mut written, Ok(())).and_then(|()| file.write_all(&lines));
        written.is_ok()
    });
    written
}

/// The headings of the table of trials.
pub(super) fn headings(sources: &Sources) -> Vec<String> {
    let own = ["timing", "data", "used", "input", "against", "stretch"].map(str::to_owned);
    let columns = own.into_iter().chain(MEASURES.iter().flat_map(columns_of));
    let said = [DOUBTS.to_owned(), MARKS.to_owned()];
    which(sources).into_iter().chain(columns).chain(said).collect()
}

/// So many rows of the table of trials are written at a time by a processor, and so many bytes is
/// a row long.
const AT_ONCE: usize = 256;
const USUAL: usize = 1_500;

fn put_trial(out: &mut Vec<u8>, row: &TrialRow, sources: &Sources, analysis: &Analysis) {
    let word = |yes: bool, words: [&'static str; 2]| words[usize::from(!yes)];
    out.extend_from_slice(&prefix(&sources.trials[row.source]));
    let verdicts = analysis.verdicts[row.source];
    text(out, verdicts.map(|v| word(v.timing, TIMING)));
    text(out, verdicts.map(|v| word(v.data, DATA)));
    text(out, Some(word(analysis.used[row.source], ["true", "false"])));
    put_part(out, &row.input, row.against.as_deref(), row.stretch.as_deref());
    for (place, measure) in MEASURES.iter().enumerate() {
        number(out, row.value(place));
        if measure.interval.is_some() {
            let bounds = row.bounds(place);
            number(out, bounds.map(|[low, _]| low));
            number(out, bounds.map(|[_, high]| high));
        }
    }
    text(out, row.interval_doubts().as_deref());
    text(out, row.marks().as_deref());
    end(out);
}

/// The descriptions of its columns.
pub(super) fn about_trials(sources: &Sources) -> Value {
    let mut about = about_which(sources);
    about.insert("timing".into(), described("The recorded verdict on the timing.", ""));
    about.insert("data".into(), described("Whether the data were recorded as usable.", ""));
    about.insert("used".into(), described("Whether the trial goes into the conditions.", ""));
    about.extend(about_part());
    MEASURES.iter().for_each(|measure| about.extend(about_measure(measure)));
    let what = "Estimates whose 95 % intervals held the truth in less than 93 % of simulated runs of this length, with that share.";
    about.insert(DOUBTS.into(), described(what, ""));
    let marks: Vec<String> = Mark::ALL.iter().map(|mark| mark.about()).collect();
    let what = format!(
        "What casts doubt on a plain reading of the row, separated by semicolons: {}.",
        marks.join("; ")
    );
    about.insert(MARKS.into(), described(&what, ""));
    Value::Object(about)
}

/// The column that says which intervals hold the truth too seldom.
pub const DOUBTS: &str = "interval_doubts";
/// The column that says what casts doubt on a plain reading of a row.
pub const MARKS: &str = "marks";
/// The words for the verdict on the timing, and for that on the data; the good one first.
pub const TIMING: [&str; 2] = ["passed", "failed"];
/// See [`TIMING`].
pub const DATA: [&str; 2] = ["usable", "unusable"];

/// The columns of a measure in the table of trials.
fn columns_of(measure: &Measure) -> Vec<String> {
    let ends: &[&str] = if measure.interval.is_some() { &["", "_low", "_high"] } else { &[""] };
    ends.iter().map(|end| format!("{}{end}", measure.name)).collect()
}

fn about_measure(measure: &Measure) -> Vec<(String, Value)> {
    let doubts = measure.doubts().map_or(String::new(), |doubts| format!(" {doubts}"));
    let end = |which: &str| format!("{which} end of its 95 % interval.{doubts}");
    let what = [measure.about.to_owned(), end("Lower"), end("Upper")];
    let columns = columns_of(measure).into_iter().zip(what);
    columns.map(|(name, what)| (name, described(&what, measure.units))).collect()
}
