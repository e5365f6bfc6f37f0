//! [`write`]: the tables as files, each with a description of its columns, and beside them a
//! record of what was done, by which the same command gives the same bytes again.

mod conditions;
mod contrasts;
mod own_outcome;
mod record;
mod trials;
mod which;
mod wide;

use crate::tables::analyze::analyze_into;
use crate::tables::cells::{end, heading, prefix};
use crate::tables::columns::{Column, OF_TAPS};
use crate::tables::outcome::{OutcomeFound, Stands, check_asked, outcomes};
use crate::tables::psychometric::{self, fits};
use crate::tables::taps::{Both, TapText};
use crate::tables::{Analysis, AnalysisOptions, Source, Sources, TablesError, TapSink};
use conditions::{about_conditions, conditions};
pub use contrasts::table as table_of_tests;
pub use record::{AnalysisRecord, FileSum};
use record::{Done, sums};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
pub use trials::DATA;
use trials::{about_trials, put_trials};
use which::{about_which, which};
use wide::{Wide, whole};

#[derive(Clone, Debug, PartialEq)]
pub struct WrittenTables {
    pub folder: PathBuf,
    /// The tables, the largest first, each with its number of rows.
    pub tables: Vec<(PathBuf, usize)>,
    /// The record of what was done.
    pub record: PathBuf,
    /// What the study came to, where it states what it is for; then its contrasts, and those that were asked.
    pub outcomes: Vec<OutcomeFound>,
}

/// The name of the record.
pub const RECORD: &str = "analysis.json";
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
    how: &AnalysisOptions,
    made_by: (&str, &[String]),
    take: &mut (dyn FnMut(T) -> io::Result<()> + Send),
) -> Result<(Analysis, WrittenTables), TablesError> {
    check_asked(sources, &how.asked)?;
    let analysis = write_taps(folder, sources, how, &|_| {}, take)?;
    let written = write_others(folder, sources, how, &analysis, made_by)?;
    write_record(folder, sources, how, &analysis, made_by, &[])?;
    Ok((analysis, written))
}

/// Analyzes the trials and writes the table of taps into a folder, which is made where it is
/// missing. An analysis that is there is replaced; anything else is not. The taps go on to `take`,
/// too, as they are written. `progress` is told how many trials are done.
///
/// # Errors
/// [`TablesError::Exists`] and [`TablesError::Write`].
pub fn write_taps<T: TapSink>(
    folder: &Path,
    sources: &Sources,
    how: &AnalysisOptions,
    progress: &(dyn Fn(usize) + Sync),
    take: &mut (dyn FnMut(T) -> io::Result<()> + Send),
) -> Result<Analysis, TablesError> {
    chronotap_core::files::create_folder(folder).map_err(refused(folder))?;
    refuse_others(folder)?;
    let mut analysis = Analysis::default();
    let all = |file: &mut File| {
        analysis = put_taps(file, sources, how, progress, take)?;
        Ok(())
    };
    place(&folder.join(format!("{TAPS}.tsv")), all)?;
    Ok(analysis)
}

/// Writes the other tables, the descriptions and a record into the same folder. `command` is
/// what was asked for, word by word; `program` its name and version. The record is complete with
/// [`write_record`].
///
/// # Errors
/// [`TablesError::Write`].
pub fn write_others(
    folder: &Path,
    sources: &Sources,
    how: &AnalysisOptions,
    analysis: &Analysis,
    (program, command): (&str, &[String]),
) -> Result<WrittenTables, TablesError> {
    let path = |name: &str, end: &str| folder.join(format!("{name}.{end}"));
    let record = folder.join(RECORD);
    // Already here, so that tables which are cut short are known for what they are.
    let files = BTreeMap::new();
    let done = Done { sources, how, analysis, program, command, files };
    place(&record, |file| record::put(file, FORMAT, &done))?;
    place_bytes(&folder.join("dataset_description.json"), &dataset(program))?;
    let ignored = folder.join(IGNORED.0);
    if !chronotap_core::files::is_there(&ignored) {
        place_bytes(&ignored, IGNORED.1.as_bytes())?;
    }
    place_bytes(&path(TAPS, "json"), &pretty(&about_taps(sources)))?;
    let wide = Wide::of(sources)?;
    place(&path(WIDE, "tsv"), |file| wide.write(file, analysis))?;
    place_bytes(&path(WIDE, "json"), &pretty(&wide.about()))?;
    let rows = [analysis.counts.taps, analysis.rows.len(), whole(analysis).len()];
    let rows = rows.into_iter().chain([analysis.conditions.len()]);
    let tables = TABLES.map(|name| path(name, "tsv"));
    let mut tables: Vec<(PathBuf, usize)> = tables.into_iter().zip(rows).collect();
    let outcomes = outcomes(sources, analysis, &how.asked)?;
    tables.extend(write_measured(folder, sources, analysis, &outcomes)?);
    Ok(WrittenTables { folder: folder.to_owned(), tables, record, outcomes })
}

/// Writes the tables that need no recorded trial, so that those of a rehearsal can be written too: of
/// trials and conditions, and of what not every study has, which are given with their numbers of rows.
///
/// # Errors
/// [`TablesError`].
pub fn write_measured(
    folder: &Path,
    sources: &Sources,
    analysis: &Analysis,
    outcomes: &[OutcomeFound],
) -> Result<Vec<(PathBuf, usize)>, TablesError> {
    let path = |name: &str, end: &str| folder.join(format!("{name}.{end}"));
    place(&path(TRIALS, "tsv"), |file| put_trials(file, sources, analysis))?;
    place_bytes(&path(TRIALS, "json"), &pretty(&about_trials(sources)))?;
    place_bytes(&path(CONDITIONS, "tsv"), &conditions(sources, analysis))?;
    place_bytes(&path(CONDITIONS, "json"), &pretty(&about_conditions(sources)))?;
    let is_of_study = |found: &&OutcomeFound| found.outcome.stands == Stands::Outcome;
    let outcome = outcomes.first().filter(is_of_study).filter(|found| !found.rows.is_empty());
    let tested = contrasts::tested(outcomes);
    let fits = fits(sources)?;
    let fits = (!fits.is_empty()).then_some(&fits);
    let of_some = [
        (
            OUTCOME,
            outcome.map(|of| (own_outcome::table(of), own_outcome::about(of), of.rows.len())),
        ),
        (CONTRASTS, tested.map(|of| (contrasts::table(of), contrasts::about(), of.len()))),
        (PSYCHOMETRIC, fits.map(|of| (psychometric::table(of), psychometric::about(of), of.len()))),
    ];
    let mut tables = Vec::new();
    for (name, table) in of_some {
        let Some((table, about, rows)) = table else {
            for end in ["tsv", "json"] {
                let _ = std::fs::remove_file(path(name, end)); // of an analysis of another study
            }
            continue;
        };
        place_bytes(&path(name, "tsv"), &table)?;
        place_bytes(&path(name, "json"), &pretty(&about))?;
        tables.push((path(name, "tsv"), rows));
    }
    Ok(tables)
}

/// Writes the record once more when all files are there, with the checksum of each; `beside` are
/// those that were written from the same analysis in another form.
///
/// # Errors
/// [`TablesError::Write`].
pub fn write_record(
    folder: &Path,
    sources: &Sources,
    how: &AnalysisOptions,
    analysis: &Analysis,
    (program, command): (&str, &[String]),
    beside: &[PathBuf],
) -> Result<(), TablesError> {
    let own = table_names().filter(|name| !name.ends_with(".parquet"));
    let own = own.map(|name| folder.join(name));
    let is_of_some = |path: &PathBuf| {
        path.file_stem()
            .is_some_and(|stem| OF_SOME.iter().any(|name| stem.to_string_lossy() == **name))
    };
    let there = |path: &PathBuf| !is_of_some(path) || chronotap_core::files::is_there(path);
    let all: Vec<PathBuf> = own.filter(there).chain(beside.iter().cloned()).collect();
    let files = sums(&all).map_err(refused(folder))?;
    let done = Done { sources, how, analysis, program, command, files };
    place(&folder.join(RECORD), |file| record::put(file, FORMAT, &done))
}

/// The names of all tables that an analysis may have, with their descriptions.
pub fn table_names() -> impl Iterator<Item = String> {
    let with_ends = |name: &str| ["tsv", "json", "parquet"].map(|end| format!("{name}.{end}"));
    TABLES.into_iter().chain(OF_SOME).flat_map(with_ends)
}

/// The table of taps, while the trials are read.
fn put_taps<T: TapSink>(
    file: &mut File,
    sources: &Sources,
    how: &AnalysisOptions,
    progress: &(dyn Fn(usize) + Sync),
    take: &mut (dyn FnMut(T) -> io::Result<()> + Send),
) -> io::Result<Analysis> {
    let mut out = Vec::new();
    heading(&mut out, tap_headings(sources));
    file.write_all(&out)?;
    analyze_into(sources, how, progress, &mut |Both(text, more): Both<TapText, T>| {
        file.write_all(&text.out)?;
        take(more)
    })
}

fn refused(path: &Path) -> impl Fn(std::io::Error) -> TablesError + '_ {
    |source| TablesError::Write { path: path.to_owned(), source }
}

/// Only an analysis is replaced by an analysis.
fn refuse_others(folder: &Path) -> Result<(), TablesError> {
    let ours = chronotap_core::files::read_to_string(&folder.join(RECORD)).ok();
    if ours.is_some_and(|text| AnalysisRecord::parse(&text).is_some()) {
        return Ok(());
    }
    let own = [RECORD, "dataset_description.json"].map(str::to_owned);
    let mut all = own.into_iter().chain(table_names()).map(|name| folder.join(name));
    let there = all.find(|path| chronotap_core::files::is_there(path));
    there.map_or(Ok(()), |path| Err(TablesError::Exists { path }))
}

/// Whole or not at all.
fn place(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), TablesError> {
    chronotap_core::files::replace(path, write).map_err(refused(path))
}

fn place_bytes(path: &Path, bytes: &[u8]) -> Result<(), TablesError> {
    place(path, |file| file.write_all(bytes))
}

/// What stands beside the tables and BIDS has no names for, as a validator wants to be told; and where.
const IGNORED: (&str, &str) = (".bidsignore", "analysis.json\nreport.html\n*.parquet\n");

/// The names of the tables.
const TAPS: &str = "desc-taps_beh";
const TRIALS: &str = "desc-trials_beh";
const WIDE: &str = "desc-wide_beh";
const CONDITIONS: &str = "desc-conditions_beh";
/// That of a study which states what it is for.
const OUTCOME: &str = "desc-outcome_beh";
/// That of a study with contrasts.
const CONTRASTS: &str = "desc-contrasts_beh";
/// That of a study with staircases.
const PSYCHOMETRIC: &str = "desc-psychometric_beh";
/// Tables that not every study has.
const OF_SOME: [&str; 3] = [OUTCOME, CONTRASTS, PSYCHOMETRIC];
const TABLES: [&str; 4] = [TAPS, TRIALS, WIDE, CONDITIONS];

/// The headings of the table of taps.
fn tap_headings(sources: &Sources) -> Vec<String> {
    let columns = OF_TAPS.iter().map(|column| column.name.to_owned());
    which(sources).into_iter().chain(columns).collect()
}

fn about_taps(sources: &Sources) -> Value {
    let mut about = about_which(sources);
    about.extend(OF_TAPS.iter().map(Column::described));
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

/// The cells that stand before verdicts and measures in the wide table, a line for each trial, with a
/// heading.
///
/// # Errors
/// [`TablesError`] where a table of the dataset cannot be read.
pub fn wide_of(sources: &Sources) -> Result<Vec<u8>, TablesError> {
    Ok(Wide::of(sources)?.rows_of_trials())
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
