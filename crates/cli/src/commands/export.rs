//! `chronotap export`: tables as CSV, Parquet or a workbook, recorded trials as Standard MIDI Files and as
//! data files of FTAP.

#[cfg(feature = "parquet")]
mod workbooks;

use crate::Verdict;
use crate::args::{Export, Format};
use crate::screen::{Progress, say};
use anyhow::{Context, Result, bail};
use chronotap_core::text::nearest;
use chronotap_data::exchange::abs::abs_file;
use chronotap_data::exchange::{ExchangeError, Frame, Values, write_csv};
use chronotap_data::playback::midi_file;
use chronotap_data::record::read_events;
use chronotap_data::tables::Withdrawn;
use chronotap_data::tables::names::SOURCE;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn export(args: &Export) -> Result<Verdict> {
    match args.format {
        #[cfg(feature = "parquet")]
        Format::Xlsx => workbooks::export(args),
        #[cfg(not(feature = "parquet"))]
        Format::Xlsx => Err(ExchangeError::NoParquet.into()),
        _ => each_table(args),
    }
}

/// A file for each table.
fn each_table(args: &Export) -> Result<Verdict> {
    let (tables, people) = without_withdrawn(tables(args)?)?;
    // What stands in the way is told before anything is written.
    if let Some((_, there)) = tables.iter().find(|(_, to)| chronotap_core::files::is_there(to)) {
        return Err(ExchangeError::Exists(there.clone()).into());
    }
    let mut progress = Progress::new(200);
    for (done, (from, to)) in tables.iter().enumerate() {
        if !args.quiet {
            progress.show(&format!("{done} of {} tables", tables.len()));
        }
        let folder = to.parent().unwrap_or(&args.to);
        chronotap_core::files::create_folder(folder)
            .with_context(|| format!("--to {}: cannot make the folder", folder.display()))?;
        match args.format {
            Format::Csv => write_csv(&frame(from)?, to)?,
            Format::Parquet => write_parquet(&frame(from)?, to)?,
            Format::Midi => write(to, &midi_file(&read_events(from)?))?,
            Format::Ftap => write(to, abs_file(&read_events(from)?).as_bytes())?,
            Format::Xlsx => unreachable!("workbooks are of several tables"),
        }
    }
    progress.end();
    if !args.quiet {
        let what = match args.format {
            Format::Midi => "MIDI files",
            Format::Ftap => "FTAP files",
            Format::Csv | Format::Parquet | Format::Xlsx => "tables",
        };
        say(format!("{}: {} {what}", args.to.display(), tables.len()));
        people.into_iter().for_each(say);
    }
    Ok(Verdict::Passed)
}

/// The tables without those of participants who withdrew and whose data were kept, and a sentence
/// about these.
fn without_withdrawn(mut tables: Tables) -> Result<(Tables, Option<String>)> {
    let first = tables[0].0.clone();
    let mut people = BTreeSet::new();
    let mut failed = Ok(());
    tables.retain(|(table, _)| match Withdrawn::around(table) {
        Ok(withdrawn) => {
            let labels = table.iter().filter_map(|part| part.to_str()?.strip_prefix("sub-"));
            let labels = labels.filter_map(|label| label.split(['_', '.']).next());
            let theirs: Vec<&str> = labels.filter(|label| withdrawn.has(label)).collect();
            people.extend(theirs.iter().map(|label| (*label).to_owned()));
            theirs.is_empty()
        }
        Err(error) => {
            failed = Err(error);
            true
        }
    });
    failed?;
    if tables.is_empty() {
        bail!("{}: whoever is in it withdrew, so nothing is left to export", first.display());
    }
    Ok((tables, Withdrawn::sentence(people.len())))
}

/// A table without the rows of those who withdrew.
fn frame(table: &Path) -> Result<Frame> {
    let withdrawn = Withdrawn::around(table)?;
    let frame = Frame::read(table)?;
    let whose = ["participant_id", "participant"];
    let column = frame.columns.iter().find(|column| whose.contains(&&*column.name));
    let Some(Values::Text(labels)) = column.map(|column| &column.values) else { return Ok(frame) };
    let theirs = |row: usize| labels.get(row).is_some_and(|label| withdrawn.has(label));
    let kept = (0..frame.rows).map(|row| u32::from(!theirs(row))).collect::<Vec<_>>();
    Ok(frame.repeated(0, &kept))
}

#[cfg(feature = "parquet")]
pub fn write_parquet(frame: &Frame, to: &Path) -> Result<(), ExchangeError> {
    chronotap_data::exchange::write_parquet(frame, to, &[])
}

#[cfg(not(feature = "parquet"))]
pub fn write_parquet(_: &Frame, _: &Path) -> Result<(), ExchangeError> {
    Err(ExchangeError::NoParquet)
}

fn write(to: &Path, bytes: &[u8]) -> Result<()> {
    let written = chronotap_core::files::place(to, false, |file| file.write_all(bytes));
    written.with_context(|| format!("{}: cannot write it", to.display()))
}

/// Each table and the file that it becomes.
type Tables = Vec<(PathBuf, PathBuf)>;

fn tables(args: &Export) -> Result<Tables> {
    let ending = match args.format {
        Format::Csv => "csv",
        Format::Parquet => "parquet",
        Format::Midi => "mid",
        Format::Ftap => "abs",
        Format::Xlsx => "xlsx",
    };
    let mut found = Vec::new();
    for path in &args.paths {
        if !path.is_dir() {
            refuse_other_files(path, args.format)?;
            let name = path.file_name().context("a table has a name")?;
            found.push((path.clone(), args.to.join(name).with_extension(ending)));
            continue;
        }
        let mut inside = Vec::new();
        list(path, &mut inside).with_context(|| format!("{}: cannot read it", path.display()))?;
        let to = |table: &Path| {
            let below = table.strip_prefix(path).unwrap_or(table);
            args.to.join(below).with_extension(ending)
        };
        found.extend(inside.iter().map(|table| (table.clone(), to(table))));
    }
    if args.format.is_of_trials() {
        found.retain(|(table, _)| table.to_string_lossy().ends_with("_events.tsv"));
    }
    if found.is_empty() {
        bail!("{}: no table (.tsv) is in it; name a dataset or tables", args.paths[0].display());
    }
    found.sort();
    let same = found.windows(2).find(|pair| pair[0].1 == pair[1].1);
    if let Some([(first, _), (second, _)]) = same {
        bail!("{} and {} would become one file", first.display(), second.display());
    }
    Ok(found)
}

/// An error for a file that is not what is exported, with what was probably meant.
fn refuse_other_files(path: &Path, format: Format) -> Result<()> {
    let (ending, what) = match format {
        Format::Midi | Format::Ftap => ("_events.tsv", "a table of events (NAME_events.tsv)"),
        Format::Csv | Format::Parquet | Format::Xlsx => (".tsv", "a table (.tsv)"),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // What is not there is told by whoever reads it.
    if name.ends_with(ending) || !path.exists() {
        return Ok(());
    }
    let cure = match tables_like(path, ending) {
        Some(meant) => format!("did you mean {}?", meant.display()),
        None if name.ends_with(".toml") => {
            format!("`chronotap simulate {}` and `run` leave some in data", path.display())
        }
        None => format!("name {what}, or the folder of a dataset"),
    };
    bail!("{}: this is not {what}; {cure}", path.display())
}

/// The table beside a file whose name is like the file's.
fn tables_like(path: &Path, ending: &str) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let inside = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names = inside.filter_map(|item| item.ok()?.file_name().into_string().ok());
    let tables: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
    let stem = path.file_stem()?.to_string_lossy();
    let meant = nearest(&format!("{stem}{ending}"), &tables)?;
    Some(path.with_file_name(meant))
}

/// Every table below a folder; hidden folders and what a program left in `sourcedata` are no
/// part of it.
fn list(folder: &Path, tables: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for item in std::fs::read_dir(folder)? {
        let item = item?;
        let (path, name) = (item.path(), item.file_name().to_string_lossy().into_owned());
        // A link to a folder is not followed: it may lead back.
        if item.file_type()?.is_dir() {
            if name != SOURCE && !name.starts_with('.') {
                list(&path, tables)?;
            }
        } else if name.ends_with(".tsv") {
            tables.push(path);
        }
    }
    Ok(())
}
