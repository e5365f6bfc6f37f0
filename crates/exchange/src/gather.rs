//! [`gather`]: many datasets as partitioned Parquet, for queries over all of them. Three tables,
//! the same columns from every dataset: taps, trials (the statistics within trials, done once
//! and for all), participants. A file for each dataset and part, sorted by trial and time; times
//! are whole nanoseconds.
//!
//! ```text
//! OUT/gather.json                             version of the schema, rules, datasets
//! OUT/taps/dataset=NAME/part-0.parquet        a row for each tap
//! OUT/trials/dataset=NAME/part-0.parquet      a row for each trial, input, stream and stretch
//! OUT/participants/dataset=NAME/part-0.parquet  a row for each participant and column
//! ```

use crate::frame::Words;
use crate::tap_columns::{TapColumns, Which};
use crate::{Column, ExchangeError, Frame, Values};
use chronotap_tables::{Analysis, How, MEASURES, Sources, analyze_into};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Version of the three tables; raised when a column changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What was gathered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gathered {
    /// Datasets.
    pub datasets: usize,
    /// Trials that were read.
    pub trials: usize,
    /// Taps.
    pub taps: usize,
    /// Trials that could not be read, with the reason.
    pub unread: Vec<String>,
}

/// Gathers datasets into a folder, which must not be there yet, or be empty. `progress` is told
/// the dataset and how many of its trials are done.
///
/// # Errors
/// [`ExchangeError`].
pub fn gather(
    datasets: &[PathBuf],
    out: &Path,
    how: &How,
    progress: &(dyn Fn(&str, usize) + Sync),
) -> Result<Gathered, ExchangeError> {
    let names = names(datasets)?;
    if std::fs::read_dir(out).is_ok_and(|mut inside| inside.next().is_some()) {
        return Err(ExchangeError::Exists(out.to_owned()));
    }
    let mut sum = Gathered::default();
    let mut told = Vec::new();
    for (dataset, name) in datasets.iter().zip(&names) {
        let sources = Sources::find(std::slice::from_ref(dataset))?;
        let (analysis, parts): (Analysis, Vec<TapColumns>) =
            analyze_into(&sources, how, &|done| progress(name, done));
        for (part, taps) in parts.into_iter().enumerate() {
            put(&taps.frame(), out, ("taps", name, part))?;
        }
        put(&trials(&sources, &analysis), out, ("trials", name, 0))?;
        if let Some(people) = participants(dataset)? {
            put(&people, out, ("participants", name, 0))?;
        }
        sum.datasets += 1;
        sum.trials += analysis.counts.trials - analysis.counts.unread;
        sum.taps += analysis.counts.taps;
        sum.unread.extend(analysis.unread.iter().map(|unread| unread.why.clone()));
        told.push(json!({ "name": name, "folder": dataset, "taps": analysis.counts.taps,
            "trials": analysis.counts.trials, "unread": analysis.counts.unread }));
    }
    put_record(out, how, &told)?;
    Ok(sum)
}

/// The names of the datasets: those of their folders.
fn names(datasets: &[PathBuf]) -> Result<Vec<String>, ExchangeError> {
    let mut names: Vec<String> = Vec::new();
    for dataset in datasets {
        let whole = std::fs::canonicalize(dataset)
            .map_err(|source| ExchangeError::Read { path: dataset.clone(), source })?;
        let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // What has a meaning in the name of a partition does not stand in one.
        let name = name.replace(['/', '=', '%'], "-");
        if names.contains(&name) {
            return Err(ExchangeError::SameName(name));
        }
        names.push(name);
    }
    Ok(names)
}

#[cfg(feature = "parquet")]
fn put(
    frame: &Frame,
    out: &Path,
    (table, name, part): (&str, &str, usize),
) -> Result<(), ExchangeError> {
    let folder = out.join(table).join(format!("dataset={name}"));
    chronotap_files::create_folder(&folder).map_err(ExchangeError::write(&folder))?;
    let facts =
        [("chronotap.table", table.to_owned()), ("chronotap.schema", SCHEMA_VERSION.to_string())];
    crate::write_parquet(frame, &folder.join(format!("part-{part}.parquet")), &facts)
}

#[cfg(not(feature = "parquet"))]
fn put(_: &Frame, _: &Path, _: (&str, &str, usize)) -> Result<(), ExchangeError> {
    Err(ExchangeError::NoParquet)
}

/// Every row of the table of trials.
fn trials(sources: &Sources, analysis: &Analysis) -> Frame {
    let mut which = Which::default();
    let mut part: [Words; 3] = Default::default();
    let mut truths: [Vec<Option<bool>>; 3] = Default::default();
    let mut measures: Vec<Vec<Option<f64>>> = vec![Vec::new(); MEASURES.len()];
    for row in &analysis.rows {
        which.begin(&sources.trials[row.source], &sources.factors);
        which.push();
        let cells = [
            Some(row.input.as_str()),
            row.against.as_deref(),
            Some(row.stretch.as_deref().unwrap_or("all")),
        ];
        part.iter_mut().zip(cells).for_each(|(words, cell)| words.push(cell));
        let verdicts = analysis.verdicts[row.source];
        let holds =
            [verdicts.map(|v| v.timing), verdicts.map(|v| v.data), Some(analysis.used[row.source])];
        truths.iter_mut().zip(holds).for_each(|(cells, holds)| cells.push(holds));
        measures.iter_mut().zip(row.values).for_each(|(cells, value)| cells.push(value));
    }
    let text = ["input", "against", "stretch"].into_iter().zip(part);
    let truth = ["timing_passed", "data_usable", "used"].into_iter().zip(truths);
    let number = MEASURES.iter().map(|measure| measure.name).zip(measures);
    let mut columns = which.columns();
    columns.extend(text.map(|(name, words)| named(name, Values::Text(words))));
    columns.extend(truth.map(|(name, cells)| named(name, Values::Truth(cells))));
    columns.extend(number.map(|(name, cells)| named(name, Values::Number(cells))));
    Frame { columns, rows: analysis.rows.len() }
}

fn named(name: &str, values: Values) -> Column {
    Column { name: name.to_owned(), values }
}

/// The table of participants, a row for each cell: what is asked differs between datasets.
fn participants(dataset: &Path) -> Result<Option<Frame>, ExchangeError> {
    let path = dataset.join("participants.tsv");
    if !chronotap_files::is_there(&path) {
        return Ok(None);
    }
    let text = chronotap_files::read_to_string(&path)
        .map_err(|source| ExchangeError::Read { path: path.clone(), source })?;
    let mut cells: [Words; 3] = Default::default();
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<&str>>());
    let names = lines.next().unwrap_or_default();
    for line in lines {
        let label = line.first().map(|label| label.strip_prefix("sub-").unwrap_or(label));
        for (name, cell) in names.iter().zip(&line).skip(1) {
            cells[0].push(label);
            cells[1].push(Some(name));
            cells[2].push(Some(*cell).filter(|cell| *cell != chronotap_record::text::MISSING));
        }
    }
    let rows = cells[0].cells.len();
    let columns = ["participant", "name", "value"].into_iter().zip(cells);
    let columns = columns.map(|(name, words)| named(name, Values::Text(words))).collect();
    Ok(Some(Frame { columns, rows }))
}

fn put_record(out: &Path, how: &How, datasets: &[Value]) -> Result<(), ExchangeError> {
    let record = json!({
        "format": "chronotap-gather",
        "version": SCHEMA_VERSION,
        "program": chronotap_record::PROGRAM,
        "rules": how.rules.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "datasets": datasets,
    });
    let path = out.join("gather.json");
    let text = format!("{record:#}\n");
    chronotap_files::replace(&path, |file| file.write_all(text.as_bytes()))
        .map_err(ExchangeError::write(&path))
}
