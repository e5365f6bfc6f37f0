//! [`write`]: the tables as files, each with a description of its columns, and beside them a
//! record of what was done, by which the same command gives the same bytes again.

use crate::cells::{end, heading, number, text};
use crate::source::PLACE;
use crate::tables::{analyze_into, count, prefix};
use crate::taps::{Both, COLUMNS, TapText};
use crate::{Analysis, How, MEASURES, Measure, Sources, TABLES_VERSION, TablesError, TapSink};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
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

/// A file to be written: its name and its bytes.
type File = (String, Vec<u8>);

/// Analyzes the trials and writes tables, descriptions and record into a folder, which is made
/// where it is missing. An analysis that is there is replaced; anything else is not. `command` is
/// what was asked for, word by word; `program` its name and version. The taps go on to `take`,
/// too, as they are written.
///
/// # Errors
/// [`TablesError::Exists`] and [`TablesError::Write`].
pub fn write<T: TapSink>(
    folder: &Path,
    sources: &Sources,
    how: &How,
    (program, command): (&str, &[String]),
    take: &mut (dyn FnMut(T) -> io::Result<()> + Send),
) -> Result<(Analysis, Written), TablesError> {
    chronotap_files::create_folder(folder).map_err(refused(folder))?;
    refuse_others(folder)?;
    let taps = folder.join(format!("{TAPS}.tsv"));
    let mut analysis = Analysis::default();
    let all = |file: &mut std::fs::File| {
        analysis = write_taps(file, sources, how, take)?;
        Ok(())
    };
    chronotap_files::replace(&taps, all).map_err(refused(&taps))?;
    let tables = [trials(sources, &analysis), conditions(sources, &analysis)];
    let record = record(sources, how, &analysis, program, command);
    let mut written = vec![(taps, analysis.counts.taps)];
    let about = format!("{TAPS}.json");
    let mut files: Vec<File> =
        vec![(RECORD.to_owned(), record), dataset(program), (about, pretty(&about_taps(sources)))];
    let rows = [analysis.rows.len(), analysis.conditions.len()];
    for ((name, bytes, about), rows) in tables.into_iter().zip(rows) {
        written.push((folder.join(format!("{name}.tsv")), rows));
        files.push((format!("{name}.tsv"), bytes));
        files.push((format!("{name}.json"), pretty(&about)));
    }
    for (name, bytes) in &files {
        place(&folder.join(name), bytes)?;
    }
    let record = folder.join(RECORD);
    Ok((analysis, Written { folder: folder.to_owned(), tables: written, record }))
}

/// The table of taps, while the trials are read.
fn write_taps<T: TapSink>(
    file: &mut std::fs::File,
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
    let ours = ours.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    if ours.is_some_and(|record| record["format"] == FORMAT) {
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
fn place(path: &Path, bytes: &[u8]) -> Result<(), TablesError> {
    chronotap_files::replace(path, |file| file.write_all(bytes)).map_err(refused(path))
}

type Table = (&'static str, Vec<u8>, Value);

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
pub fn trials_of(sources: &Sources) -> Vec<u8> {
    let mut out = Vec::new();
    heading(&mut out, which(sources));
    for source in &sources.trials {
        out.extend_from_slice(&prefix(source));
        end(&mut out);
    }
    out
}

fn trials(sources: &Sources, analysis: &Analysis) -> Table {
    let mut out = Vec::new();
    let own = ["timing", "data", "used", "input", "against", "stretch"];
    let columns = own.into_iter().map(str::to_owned).chain(MEASURES.iter().flat_map(columns_of));
    heading(&mut out, which(sources).into_iter().chain(columns).chain([DOUBTS.to_owned()]));
    let word = |yes: bool, words: [&'static str; 2]| words[usize::from(!yes)];
    for row in &analysis.rows {
        out.extend_from_slice(&prefix(&sources.trials[row.source]));
        let verdicts = analysis.verdicts[row.source];
        text(&mut out, verdicts.map(|v| word(v.timing, ["passed", "failed"])));
        text(&mut out, verdicts.map(|v| word(v.data, ["usable", "unusable"])));
        text(&mut out, Some(word(analysis.used[row.source], ["true", "false"])));
        put_part(&mut out, &row.input, row.against.as_deref(), row.stretch.as_deref());
        for ((measure, value), bounds) in MEASURES.iter().zip(row.values).zip(row.bounds) {
            number(&mut out, value);
            if measure.interval.is_some() {
                number(&mut out, bounds.map(|[low, _]| low));
                number(&mut out, bounds.map(|[_, high]| high));
            }
        }
        text(&mut out, row.interval_doubts().as_deref());
        end(&mut out);
    }
    let mut about = about_which(sources);
    about.insert("timing".into(), described("The recorded verdict on the timing.", ""));
    about.insert("data".into(), described("Whether the data were recorded as usable.", ""));
    about.insert("used".into(), described("Whether the trial goes into the conditions.", ""));
    about.extend(about_part());
    MEASURES.iter().for_each(|measure| about.extend(about_measure(measure)));
    let what = "Estimates whose 95 % intervals held the truth in less than 93 % of simulated runs of this length, with that share.";
    about.insert(DOUBTS.into(), described(what, ""));
    (TRIALS, out, Value::Object(about))
}

/// The column that says which intervals hold the truth too seldom.
const DOUBTS: &str = "interval_doubts";

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

fn conditions(sources: &Sources, analysis: &Analysis) -> Table {
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
    let pooled = ["", "_low", "_high"].map(|end| format!("pooled_alpha{end}"));
    let columns = who.iter().chain(&sources.factors).chain(&part).cloned();
    heading(&mut out, columns.chain(measures).chain(pooled.clone()).chain(["no_alpha".to_owned()]));
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
    (CONDITIONS, out, about_conditions(sources, &pooled))
}

fn about_conditions(sources: &Sources, pooled: &[String; 3]) -> Value {
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
    about.extend(pooled.clone().map(|name| (name, described(what, ""))));
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
fn dataset(program: &str) -> File {
    let (name, version) = program.split_once(' ').unwrap_or((program, ""));
    let about = json!({
        "Name": "Tables of taps, trials and conditions",
        "BIDSVersion": "1.11.0",
        "DatasetType": "derivative",
        "GeneratedBy": [{ "Name": name, "Version": version }],
    });
    ("dataset_description.json".to_owned(), pretty(&about))
}

/// What was done: command, rules, counts, and of every trial its file with a checksum.
fn record(
    sources: &Sources,
    how: &How,
    analysis: &Analysis,
    program: &str,
    command: &[String],
) -> Vec<u8> {
    let counts = analysis.counts;
    let trial = |(place, source): (usize, &crate::Source)| {
        // What cannot be read is told under `unread`.
        let bytes = analysis.bytes[place].or_else(|| {
            let bytes = chronotap_files::read(&source.path).ok()?;
            Some((bytes.len(), crc32fast::hash(&bytes)))
        });
        let crc32 = bytes.map(|(_, crc32)| format!("{crc32:08x}"));
        let bytes = bytes.map(|(length, _)| length);
        json!({ "events_file": source.shown, "bytes": bytes, "crc32": crc32, "used": analysis.used[place],
            "changed": analysis.verdicts[place].map(|verdicts| verdicts.changed) })
    };
    let trials: Vec<Value> = sources.trials.iter().enumerate().map(trial).collect();
    let unread = analysis.unread.iter().map(|unread| unread.why.clone());
    pretty(&json!({
        "format": FORMAT,
        "version": TABLES_VERSION,
        "program": program,
        "command": command,
        "rules": how.rules.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "with_unusable": how.with_unusable,
        "matching": { "method": "closest first", "window": chronotap_analysis::matching::WINDOW },
        "counts": {
            "trials": counts.trials, "used": counts.used, "unread": counts.unread,
            "not_counting": counts.not_counting, "unusable": counts.unusable,
            "changed": counts.changed, "timing_failed": counts.timing_failed, "taps": counts.taps,
            "unlisted_events_files": sources.unlisted,
        },
        "unread": unread.collect::<Vec<_>>(),
        "trials": trials,
    }))
}
