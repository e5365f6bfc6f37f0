//! [`write`]: the tables as files, each with a description of its columns, and beside them a
//! record of what was done, by which the same command gives the same bytes again.

mod record;

use crate::cells::{end, heading, number, text};
use crate::in_order::in_order;
use crate::source::PLACE;
use crate::tables::{analyze_into, count, prefix};
use crate::taps::{Both, COLUMNS, TapText};
use crate::{Analysis, How, MEASURES, Measure, Source, Sources, TablesError, TapSink, TrialRow};
use record::Done;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The folder.
    pub folder: PathBuf,
    /// The tables, the largest first, each with its number of rows.
    pub tables: Vec<(PathBuf, usize)>,
    /// The record of what was done.
    pub record: PathBuf,
}

/// The name of the record.
const RECORD: &str = "analysis.json";
/// The name of its format.
const FORMAT: &str = "chronotap-analysis";

/// Analyzes the trials and writes all tables, descriptions and the record, as [`write_taps`] and
/// [`write_others`].
///
/// # Errors
/// [`TablesError::Exists`] and [`TablesError::Write`].
pub fn write<T: TapSink>(
    folder: &Path,
    sources: &Sources,
    how: &How,
    made_by: (&str, &[String]),
    take: &mut (dyn FnMut(T) -> io::Result<()> + Send),
) -> Result<(Analysis, Written), TablesError> {
    let analysis = write_taps(folder, sources, how, take)?;
    let written = write_others(folder, sources, how, &analysis, made_by)?;
    Ok((analysis, written))
}

/// Analyzes the trials and writes the table of taps into a folder, which is made where it is
/// missing. An analysis that is there is replaced; anything else is not. The taps go on to `take`,
/// too, as they are written.
///
/// # Errors
/// [`TablesError::Exists`] and [`TablesError::Write`].
pub fn write_taps<T: TapSink>(
    folder: &Path,
    sources: &Sources,
    how: &How,
    take: &mut (dyn FnMut(T) -> io::Result<()> + Send),
) -> Result<Analysis, TablesError> {
    chronotap_files::create_folder(folder).map_err(refused(folder))?;
    refuse_others(folder)?;
    let mut analysis = Analysis::default();
    let all = |file: &mut File| {
        analysis = put_taps(file, sources, how, take)?;
        Ok(())
    };
    place(&folder.join(format!("{TAPS}.tsv")), all)?;
    Ok(analysis)
}

/// Writes the other tables, the descriptions and the record into the same folder. `command` is
/// what was asked for, word by word; `program` its name and version.
///
/// # Errors
/// [`TablesError::Write`].
pub fn write_others(
    folder: &Path,
    sources: &Sources,
    how: &How,
    analysis: &Analysis,
    (program, command): (&str, &[String]),
) -> Result<Written, TablesError> {
    let path = |name: &str, end: &str| folder.join(format!("{name}.{end}"));
    let record = folder.join(RECORD);
    let done = Done { sources, how, analysis, program, command };
    place(&record, |file| record::put(file, FORMAT, &done))?;
    place_bytes(&folder.join("dataset_description.json"), &dataset(program))?;
    let ignored = folder.join(IGNORED.0);
    if !chronotap_files::is_there(&ignored) {
        place_bytes(&ignored, IGNORED.1.as_bytes())?;
    }
    place_bytes(&path(TAPS, "json"), &pretty(&about_taps(sources)))?;
    place(&path(TRIALS, "tsv"), |file| put_trials(file, sources, analysis))?;
    place_bytes(&path(TRIALS, "json"), &pretty(&about_trials(sources)))?;
    place_bytes(&path(CONDITIONS, "tsv"), &conditions(sources, analysis))?;
    place_bytes(&path(CONDITIONS, "json"), &pretty(&about_conditions(sources)))?;
    let rows = [analysis.counts.taps, analysis.rows.len(), analysis.conditions.len()];
    let tables = [TAPS, TRIALS, CONDITIONS].map(|name| path(name, "tsv"));
    let tables = tables.into_iter().zip(rows).collect();
    Ok(Written { folder: folder.to_owned(), tables, record })
}

/// The table of taps, while the trials are read.
fn put_taps<T: TapSink>(
    file: &mut File,
    sources: &Sources,
    how: &How,
    take: &mut (dyn FnMut(T) -> io::Result<()> + Send),
) -> io::Result<Analysis> {
    let mut out = Vec::new();
    let columns = COLUMNS.map(|(name, _, _)| name.to_owned());
    heading(&mut out, which(sources).into_iter().chain(columns));
    file.write_all(&out)?;
    analyze_into(sources, how, &|_| {}, &mut |Both(text, more): Both<TapText, T>| {
        file.write_all(&text.out)?;
        take(more)
    })
}

fn refused(path: &Path) -> impl Fn(std::io::Error) -> TablesError + '_ {
    |source| TablesError::Write { path: path.to_owned(), source }
}

/// Only an analysis is replaced by an analysis.
fn refuse_others(folder: &Path) -> Result<(), TablesError> {
    let ours = chronotap_files::read_to_string(&folder.join(RECORD)).ok();
    if ours.is_some_and(|text| record::is_of(FORMAT, &text)) {
        return Ok(());
    }
    let own = [RECORD, "dataset_description.json"].map(str::to_owned);
    let tables = [TAPS, TRIALS, CONDITIONS].into_iter();
    let tables =
        tables.flat_map(|name| ["tsv", "json", "parquet"].map(|end| format!("{name}.{end}")));
    let mut all = own.into_iter().chain(tables).map(|name| folder.join(name));
    let there = all.find(|path| chronotap_files::is_there(path));
    there.map_or(Ok(()), |path| Err(TablesError::Exists { path }))
}

/// Whole or not at all.
fn place(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), TablesError> {
    chronotap_files::replace(path, write).map_err(refused(path))
}

fn place_bytes(path: &Path, bytes: &[u8]) -> Result<(), TablesError> {
    place(path, |file| file.write_all(bytes))
}

/// What stands beside the tables and BIDS has no names for, as a validator wants to be told; and where.
const IGNORED: (&str, &str) = (".bidsignore", "analysis.json\nreport.html\n*.parquet\n");

/// The names of the tables.
const TAPS: &str = "desc-taps_beh";
const TRIALS: &str = "desc-trials_beh";
const CONDITIONS: &str = "desc-conditions_beh";

fn about_taps(sources: &Sources) -> Value {
    let mut about = about_which(sources);
    about.extend(COLUMNS.map(|(name, units, what)| (name.to_owned(), described(what, units))));
    Value::Object(about)
}

/// The cells that stand before those of taps, a line for each trial, with a heading.
pub fn trials_of<'a>(sources: &Sources, trials: impl Iterator<Item = &'a Source>) -> Vec<u8> {
    let mut out = Vec::new();
    heading(&mut out, which(sources));
    for source in trials {
        out.extend_from_slice(&prefix(source));
        end(&mut out);
    }
    out
}

/// The table of trials. Its numbers are written on all processors: there are a hundred in a row.
fn put_trials(file: &mut File, sources: &Sources, analysis: &Analysis) -> io::Result<()> {
    let mut out = Vec::new();
    let own = ["timing", "data", "used", "input", "against", "stretch"];
    let columns = own.into_iter().map(str::to_owned).chain(MEASURES.iter().flat_map(columns_of));
    heading(&mut out, which(sources).into_iter().chain(columns).chain([DOUBTS.to_owned()]));
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
    end(out);
}

fn about_trials(sources: &Sources) -> Value {
    let mut about = about_which(sources);
    about.insert("timing".into(), described("The recorded verdict on the timing.", ""));
    about.insert("data".into(), described("Whether the data were recorded as usable.", ""));
    about.insert("used".into(), described("Whether the trial goes into the conditions.", ""));
    about.extend(about_part());
    MEASURES.iter().for_each(|measure| about.extend(about_measure(measure)));
    let what = "Estimates whose 95 % intervals held the truth in less than 93 % of simulated runs of this length, with that share.";
    about.insert(DOUBTS.into(), described(what, ""));
    Value::Object(about)
}

/// The column that says which intervals hold the truth too seldom.
pub const DOUBTS: &str = "interval_doubts";
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

fn conditions(sources: &Sources, analysis: &Analysis) -> Vec<u8> {
    let mut out = Vec::new();
    let who = ["participant", "session", "task", "step"].map(str::to_owned);
    let part = ["input", "against", "stretch", "trials"].map(str::to_owned);
    let measures = MEASURES.iter().flat_map(|measure| {
        let ends: &[&str] = match measure.interval {
            Some(_) => &["", "_sd", "_n", "_low", "_high"],
            None => &["", "_sd", "_n"],
        };
        ends.iter().map(|end| measure.name.to_owned() + end)
    });
    let columns = who.iter().chain(&sources.factors).chain(&part).cloned();
    heading(&mut out, columns.chain(measures).chain(pooled()).chain(["no_alpha".to_owned()]));
    for row in &analysis.conditions {
        row.who.iter().chain(&row.levels).for_each(|cell| text(&mut out, cell.as_deref()));
        put_part(&mut out, &row.input, row.against.as_deref(), row.stretch.as_deref());
        count(&mut out, row.trials);
        for (measure, mean) in MEASURES.iter().zip(&row.means) {
            number(&mut out, mean.mean);
            number(&mut out, mean.sd);
            count(&mut out, mean.n);
            if measure.interval.is_some() {
                let found = mean.interval();
                number(&mut out, found.map(|found| found.low));
                number(&mut out, found.map(|found| found.high));
            }
        }
        let alpha = row.alpha.as_ref().ok();
        number(&mut out, alpha.map(|alpha| alpha.value));
        number(&mut out, alpha.map(|alpha| alpha.low));
        number(&mut out, alpha.map(|alpha| alpha.high));
        text(&mut out, row.alpha.as_ref().err().map(ToString::to_string).as_deref());
        end(&mut out);
    }
    out
}

/// The columns of phase correction.
fn pooled() -> [String; 3] {
    ["", "_low", "_high"].map(|end| format!("pooled_alpha{end}"))
}

fn about_conditions(sources: &Sources) -> Value {
    let mut about = about_which(sources);
    about.retain(|name, _| sources.factors.contains(name) || WHO.contains(&&**name));
    about.extend(about_part());
    about.insert("trials".into(), described("Trials that count and are used.", ""));
    for measure in MEASURES {
        let what = format!("Mean over trials. {}", measure.about);
        about.insert(measure.name.into(), described(&what, measure.units));
        let what = format!("SD between trials of `{}`.", measure.name);
        about.insert(format!("{}_sd", measure.name), described(&what, measure.units));
        let what = format!("Trials that have `{}`.", measure.name);
        about.insert(format!("{}_n", measure.name), described(&what, ""));
        if measure.interval.is_some() {
            for (end, which) in [("low", "Lower"), ("high", "Upper")] {
                let what = format!(
                    "{which} end of the 95 % interval of the mean over trials, by Student's t."
                );
                about.insert(format!("{}_{end}", measure.name), described(&what, measure.units));
            }
        }
    }
    let what = "Phase correction of all trials together, their means pooled; 95 % interval.";
    about.extend(pooled().map(|name| (name, described(what, ""))));
    about.insert("no_alpha".into(), described("Why there is no pooled alpha.", ""));
    Value::Object(about)
}

const WHO: [&str; 4] = ["participant", "session", "task", "step"];

fn put_part(out: &mut Vec<u8>, input: &str, against: Option<&str>, stretch: Option<&str>) {
    text(out, Some(input));
    text(out, against);
    text(out, Some(stretch.unwrap_or("all")));
}

fn about_part() -> [(String, Value); 3] {
    [
        ("input", "The input, by its name in the trial file."),
        ("against", "The pacing stream that it is measured against."),
        ("stretch", "The stretch of the trial, or `all` for the whole trial."),
    ]
    .map(|(name, what)| (name.to_owned(), described(what, "")))
}

/// The columns that say which trial it is.
fn which(sources: &Sources) -> Vec<String> {
    let before = ["participant", "session", "task"].into_iter().chain(PLACE).chain(["counts"]);
    let factors = sources.factors.iter().map(String::as_str);
    before.chain(factors).chain(["events_file"]).map(str::to_owned).collect()
}

fn about_which(sources: &Sources) -> Map<String, Value> {
    let mut about = Map::new();
    for name in which(sources) {
        let what = match &*name {
            "participant" => "The label of the participant.",
            "session" => "The label of the session.",
            "task" => "The task.",
            "trial" => "The planned trial within its step, from 1.",
            "step" => "The step of the experiment.",
            "block" => "The block within the step, from 1.",
            "repetition" => "Which occurrence of its condition it is.",
            "attempt" => "The attempt at this planned trial, from 1.",
            "counts" => "Whether this attempt is the one that counts.",
            "events_file" => "The events of the trial, from the dataset's folder.",
            _ => "A factor of the experiment.",
        };
        about.insert(name, described(what, ""));
    }
    about
}

fn described(what: &str, units: &str) -> Value {
    if units.is_empty() {
        json!({ "Description": what })
    } else {
        json!({ "Description": what, "Units": units })
    }
}

fn pretty(value: &Value) -> Vec<u8> {
    let mut out = serde_json::to_vec_pretty(value).expect("a value in memory is JSON");
    out.push(b'\n');
    out
}

/// What BIDS asks of a folder of derivatives.
fn dataset(program: &str) -> Vec<u8> {
    let (name, version) = program.split_once(' ').unwrap_or((program, ""));
    let about = json!({
        "Name": "Tables of taps, trials and conditions",
        "BIDSVersion": "1.11.0",
        "DatasetType": "derivative",
        "GeneratedBy": [{ "Name": name, "Version": version }],
    });
    pretty(&about)
}
