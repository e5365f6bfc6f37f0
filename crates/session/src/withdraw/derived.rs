//! What was computed from a dataset and lies in it: analyses are made anew without a participant,
//! reports and gathered tables are removed. All of it is pooled over participants, so that nothing
//! of it can stay as it is.

use super::somebody::{Somebody, Trace};
use super::walk::{Entry, Kind, walk};
use super::{Done, TakenOut, remove};
use crate::dataset::{Dataset, DatasetError};
use chronotap_core::files::{Disk as AnyDisk, real};
use chronotap_data::exchange::analyze;
use chronotap_data::record::PROGRAM;
use chronotap_data::tables::{AnalysisRecord, RECORD, Sources, table_names};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Brings everything that was computed up to date, without this participant.
pub(super) fn make_anew(
    dataset: &Dataset,
    somebody: &Somebody,
    done: &mut TakenOut,
) -> Result<(), DatasetError> {
    let files = walk(dataset, Path::new(""))?;
    let files: Vec<PathBuf> = files.into_iter().filter_map(file).collect();
    for path in files.iter().filter(|path| ends(path, ".html")) {
        if somebody.trace(&dataset.root().join(path), dataset.bytes(path)) == Some(Trace::Report) {
            remove(dataset, path)?;
            done.tell(path, Done::ReportRemoved);
        }
    }
    for path in files.iter().filter(|path| path.ends_with("gather.json")) {
        gathered(dataset, somebody, path, done)?;
    }
    for (path, record) in records(dataset, &files) {
        let folder = path.parent().unwrap_or(Path::new(""));
        let has_theirs = |table: &PathBuf| {
            let trace = somebody.trace(&dataset.root().join(table), dataset.bytes(table));
            matches!(trace, Some(Trace::Rows | Trace::Parquet))
        };
        let mut tables = table_names().map(|name| folder.join(name));
        if concerns(&record, somebody)
            || tables.any(|table| dataset.has(&table) && has_theirs(&table))
        {
            analysis(dataset, somebody, &path, &record, done)?;
        }
    }
    Ok(())
}

fn file(entry: Entry) -> Option<PathBuf> {
    (entry.kind == Kind::File).then_some(entry.path)
}

fn ends(path: &Path, end: &str) -> bool {
    path.to_string_lossy().ends_with(end)
}

/// The records of analyses among these files.
pub(crate) fn records<D: AnyDisk>(
    dataset: &Dataset<D>,
    files: &[PathBuf],
) -> Vec<(PathBuf, AnalysisRecord)> {
    let records = files.iter().filter(|path| path.ends_with(RECORD));
    let read =
        |path: &PathBuf| Some((path.clone(), AnalysisRecord::parse(&dataset.text(path).ok()?)?));
    records.filter_map(read).collect()
}

/// Whether an analysis has trials of theirs, or was cut short and may have.
fn concerns(record: &AnalysisRecord, somebody: &Somebody) -> bool {
    let has_theirs = record.events_files().any(|file| somebody.is_in(file.as_bytes()));
    has_theirs || record.files.as_ref().is_some_and(|files| files.is_empty())
}

/// The tables go first and the record last, so that whoever is cut short begins again.
fn analysis(
    dataset: &Dataset,
    somebody: &Somebody,
    path: &Path,
    record: &AnalysisRecord,
    done: &mut TakenOut,
) -> Result<(), DatasetError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    for name in table_names().map(|name| folder.join(name)).filter(|name| dataset.has(name)) {
        remove(dataset, &name)?;
    }
    let why = match again(dataset, somebody, folder, record) {
        Ok(()) => {
            done.tell(folder, Done::Analyzed);
            return Ok(());
        }
        Err(why) => why,
    };
    for name in table_names().map(|name| folder.join(name)).filter(|name| dataset.has(name)) {
        remove(dataset, &name)?;
    }
    remove(dataset, path)?;
    let command = record.command.join(" ");
    done.tell(folder, Done::AnalysisRemoved { why, command });
    Ok(())
}

/// Analyzes what the record has, as the record says; the error says why that cannot be.
fn again(
    dataset: &Dataset,
    somebody: &Somebody,
    folder: &Path,
    record: &AnalysisRecord,
) -> Result<(), String> {
    let how = record.how().ok_or("its rules are of another version")?;
    let mut sources = Sources::find(&[dataset.root().to_owned()]).map_err(|e| e.to_string())?;
    let wanted: BTreeSet<&str> = record.events_files().collect();
    let there: BTreeSet<&str> = sources.trials.iter().map(|trial| &*trial.shown).collect();
    let missing =
        wanted.iter().find(|file| !there.contains(*file) && !somebody.is_in(file.as_bytes()));
    if let Some(missing) = missing {
        return Err(format!("{missing} is no trial of the dataset as a whole"));
    }
    let wanted: BTreeSet<String> = wanted.into_iter().map(str::to_owned).collect();
    sources.trials.retain(|trial| wanted.contains(&trial.shown));
    sources.trials.retain(|trial| trial.participant.as_deref() != Some(&*somebody.label));
    if sources.trials.is_empty() {
        return Err("no trial of anybody else is in it".into());
    }
    let made_by = (PROGRAM, &record.command[..]);
    let analyzed =
        analyze(&dataset.root().join(folder), &sources, &how, made_by, &|| false, &|_| {});
    analyzed.map(|_| ()).map_err(|error| error.to_string())
}

/// Takes this dataset out of gathered tables, and whatever else there has rows of theirs.
fn gathered(
    dataset: &Dataset,
    somebody: &Somebody,
    path: &Path,
    done: &mut TakenOut,
) -> Result<(), DatasetError> {
    let Ok(mut record) = serde_json::from_slice::<Value>(&dataset.bytes(path).unwrap_or_default())
    else {
        return Ok(());
    };
    let (Some(datasets), true) =
        (record["datasets"].as_array().cloned(), record["format"] == "chronotap-gather")
    else {
        return Ok(());
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let whole = real(dataset.root()).unwrap_or_else(|_| dataset.root().to_owned());
    let own = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut kept = Vec::new();
    for told in datasets {
        let name = told["name"].as_str().unwrap_or_default().to_owned();
        let parts = ["taps", "trials", "participants"];
        let parts = parts.map(|table| folder.join(table).join(format!("dataset={name}")));
        let holds = |part: &PathBuf| {
            let inside = walk(dataset, part).unwrap_or_default().into_iter().filter_map(file);
            inside.into_iter().any(|file| {
                somebody.trace(&dataset.root().join(&file), dataset.bytes(&file)).is_some()
            })
        };
        let there: Vec<&PathBuf> = parts.iter().filter(|part| dataset.has_folder(part)).collect();
        let missing = name == own && there.len() < parts.len(); // by whom this was cut short
        if !missing && !there.iter().any(|part| holds(part)) {
            kept.push(told);
            continue;
        }
        for part in there {
            remove(dataset, part)?;
        }
        done.tell(folder, Done::GatheredRemoved(name));
    }
    if kept.is_empty() {
        for table in ["taps", "trials", "participants"].map(|table| folder.join(table)) {
            if dataset.names_in(&table).is_ok_and(|names| names.is_empty()) {
                remove(dataset, &table)?;
            }
        }
        return remove(dataset, path);
    }
    if record["datasets"].as_array() != Some(&kept) {
        record["datasets"] = kept.into();
        dataset.replace(path, format!("{record:#}\n").as_bytes())?;
    }
    Ok(())
}
