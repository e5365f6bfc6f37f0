//! The table of trials: its rows, and the descriptions of its columns.

use super::which::{about_which, which};
use crate::tables::cells::{end, heading, number, prefix, text};
use crate::tables::columns::{
    Column, MARKS, PART, SAID, VERDICTS, about_part, described, put_part,
};
use crate::tables::in_order::in_order;
use crate::tables::{Analysis, Mark, Sources, TrialRow, measures};
use chronotap_analysis::statistics::Statistic;
use chronotap_analysis::verdict::word as timing;
use serde_json::{Map, Value};
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
    file.write_all(&out)?;
    let all: Vec<&TrialRow> = analysis.rows.iter().collect();
    put_rows(file, &all, analysis, |out, source| {
        out.extend_from_slice(&prefix(&sources.trials[source]));
    })
}

/// Rows of a table of trials, each behind what `first` puts for its trial.
pub(super) fn put_rows(
    file: &mut File,
    all: &[&TrialRow],
    analysis: &Analysis,
    first: impl Fn(&mut Vec<u8>, usize) + Sync,
) -> io::Result<()> {
    let mut written = Ok(());
    let lines = |range: Range<usize>| {
        let mut out = Vec::with_capacity(range.len() * USUAL);
        for row in &all[range] {
            first(&mut out, row.source);
            put_rest(&mut out, row, analysis);
            end(&mut out);
        }
        out
    };
    in_order(all.len(), AT_ONCE, lines, |lines| {
        written = std::mem::replace(&mut written, Ok(())).and_then(|()| file.write_all(&lines));
        written.is_ok()
    });
    written
}

/// The headings of the table of trials.
pub(super) fn headings(sources: &Sources) -> Vec<String> {
    which(sources).into_iter().chain(headings_of_rest()).collect()
}

/// Those behind the columns that say which trial it is.
pub(super) fn headings_of_rest() -> impl Iterator<Item = String> {
    let own = VERDICTS.iter().chain(&PART).map(|column| column.name.to_owned());
    let columns = own.chain(measures().iter().flat_map(|of| of.columns()));
    columns.chain(SAID.iter().map(|column| column.name.to_owned()))
}

/// So many rows of the table of trials are written at a time by a processor, and so many bytes is
/// a row long.
const AT_ONCE: usize = 256;
const USUAL: usize = 1_500;

/// The cells behind those that say which trial it is.
fn put_rest(out: &mut Vec<u8>, row: &TrialRow, analysis: &Analysis) {
    let word = |yes: bool, words: [&'static str; 2]| words[usize::from(!yes)];
    let verdicts = analysis.verdicts[row.source];
    text(out, verdicts.map(|v| timing(v.timing)));
    text(out, verdicts.map(|v| word(v.data, DATA)));
    text(out, Some(word(analysis.used[row.source], ["true", "false"])));
    put_part(out, &row.input, row.against.as_deref(), row.stretch.as_deref());
    for (place, measure) in measures().iter().enumerate() {
        number(out, row.value(place));
        if measure.is_estimated() {
            let bounds = row.bounds(place);
            number(out, bounds.map(|[low, _]| low));
            number(out, bounds.map(|[_, high]| high));
        }
    }
    text(out, row.interval_doubts().as_deref());
    text(out, row.marks().as_deref());
}

/// The descriptions of its columns.
pub(super) fn about_trials(sources: &Sources) -> Value {
    let mut about = about_which(sources);
    about.extend(about_rest());
    Value::Object(about)
}

/// Of those behind the columns that say which trial it is.
pub(super) fn about_rest() -> Map<String, Value> {
    let mut about: Map<String, Value> = VERDICTS.iter().map(Column::described).collect();
    about.extend(about_part());
    measures().iter().for_each(|measure| about.extend(about_measure(measure)));
    let [doubts, marks] = &SAID;
    about.extend([doubts.described()]);
    let all: Vec<String> = Mark::ALL.iter().map(|mark| mark.about()).collect();
    let what = format!("{}: {}.", marks.about, all.join("; "));
    about.insert(MARKS.into(), described(&what, ""));
    about
}

/// The words for the verdict on the data; the good one first.
pub const DATA: [&str; 2] = ["usable", "unusable"];

fn about_measure(measure: &Statistic) -> Vec<(String, Value)> {
    let doubts = measure.doubts().map_or(String::new(), |doubts| format!(" {doubts}"));
    let end = |which: &str| format!("{which} end of its 95 % interval.{doubts}");
    let what = [measure.about.to_owned(), end("Lower"), end("Upper")];
    let columns = measure.columns().zip(what);
    columns.map(|(name, what)| (name, described(&what, measure.unit.symbol()))).collect()
}
