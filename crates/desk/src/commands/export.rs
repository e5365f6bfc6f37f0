//! `chronotap export`: tables as CSV, Parquet or a workbook, recorded trials as Standard MIDI Files and as
//! data files of FTAP.

#[cfg(feature = "parquet")]
mod workbooks;

use crate::CommandVerdict;
use crate::args::{Export, Format};
use crate::commands::{tell_aside, unless_withdrawn};
use crate::says::{Says, Terminal};
use crate::screen::{Progress, say};
use anyhow::{Context, Result, anyhow, bail};
use chronotap_core::files::{is_dropping, real};
use chronotap_core::text::nearest;
use chronotap_data::exchange::abs::abs_file;
use chronotap_data::exchange::{ExchangeError, Frame, Values, write_csv};
use chronotap_data::playback::midi_file;
use chronotap_data::record::{Recording, read_events};
use chronotap_data::tables::names::SOURCE;
use chronotap_data::tables::{Around, Aside, Withdrawn, aside_below, refuse_exchanged};
use chronotap_words::commands as words;
use clap::ValueEnum;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn export(args: &Export) -> Result<CommandVerdict> {
    refuse_file(&args.to)?;
    match args.format {
        #[cfg(not(feature = "parquet"))]
        Format::Xlsx | Format::Parquet => Err(ExchangeError::NoParquet.into()),
        #[cfg(feature = "parquet")]
        Format::Xlsx => workbooks::export(args),
        _ => each_table(args),
    }
}

/// An error for a folder that is named as a file of some format: nobody looks for a folder there.
fn refuse_file(to: &Path) -> Result<()> {
    let ending = to.extension().and_then(|ending| ending.to_str());
    let format = Format::value_variants().iter().find(|one| Some(one.ending().0) == ending);
    match format.filter(|_| !to.is_dir()) {
        Some(format) => bail!(words::folder_named_as_a_file(to, format.ending().1)),
        None => Ok(()),
    }
}

/// A file for each table.
fn each_table(args: &Export) -> Result<CommandVerdict> {
    let (tables, aside) = tables(args)?;
    let around = Around::of(&tables.iter().map(|(table, _)| table).collect::<Vec<_>>())?;
    let (tables, people) = without_withdrawn(tables)?;
    refuse_exchanged(&tables.iter().map(|(table, _)| table).collect::<Vec<_>>())?;
    // What stands in the way is told before anything is written.
    if let Some((_, there)) = tables.iter().find(|(_, to)| chronotap_core::files::is_there(to)) {
        return Err(ExchangeError::Exists(there.clone()).into());
    }
    if args.format.is_of_trials() {
        for (from, _) in &tables {
            of_trial(from, ExchangeError::refuse_keyless)?;
        }
    }
    let written = write_each(args, &tables);
    let made: Vec<PathBuf> = tables.iter().map(|(_, to)| to.clone()).collect();
    let gone = around.withdrew_meanwhile()?;
    unless_withdrawn(gone, &made).inspect_err(|_| remove_empty(&args.to, &made))?;
    written?;
    if !args.quiet {
        let what = match args.format {
            Format::Midi => "MIDI files",
            Format::Ftap => "FTAP files",
            Format::Csv | Format::Parquet | Format::Xlsx => "tables",
        };
        say(format!("{}: {} {what}", args.to.display(), tables.len()));
        people.into_iter().for_each(say);
    }
    Ok(CommandVerdict::of(tell_aside(&aside)))
}

/// Removes the folders below `to` that had these files and are empty: their names are labels.
fn remove_empty(to: &Path, made: &[PathBuf]) {
    let folders: BTreeSet<&Path> = made
        .iter()
        .flat_map(|path| path.ancestors().skip(1).take_while(|folder| *folder != to))
        .filter(|folder| folder.starts_with(to))
        .collect();
    for folder in folders.iter().rev() {
        let _ = std::fs::remove_dir(folder); // what is not empty has files of others, and stays
    }
}

/// Writes the file of each table.
fn write_each(args: &Export, tables: &Tables) -> Result<()> {
    let mut progress = Progress::new(200);
    for (done, (from, to)) in tables.iter().enumerate() {
        if !args.quiet {
            progress.show(&format!("{done} of {} tables", tables.len()));
        }
        let folder = to.parent().unwrap_or(&args.to);
        chronotap_core::files::create_folder(folder)
            .with_context(|| words::cannot_make_folder_in("--to", folder))?;
        match args.format {
            Format::Csv => write_csv(&frame(from)?, to)?,
            Format::Parquet => write_parquet(&frame(from)?, to)?,
            Format::Midi => write(to, &of_trial(from, midi_file)?)?,
            Format::Ftap => write(to, of_trial(from, abs_file)?.as_bytes())?,
            Format::Xlsx => unreachable!("workbooks are of several tables"),
        }
    }
    progress.end();
    Ok(())
}

/// A recorded trial in another form; an error names it.
fn of_trial<T>(from: &Path, form: fn(&Recording) -> Result<T, ExchangeError>) -> Result<T> {
    form(&read_events(from)?)
        .map_err(|error| anyhow!("{}: {}", from.display(), error.says(Terminal)))
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
        bail!(words::nothing_left_to_export(&first));
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

fn tables(args: &Export) -> Result<(Tables, Vec<Aside>)> {
    let (ending, _) = args.format.ending();
    let (mut found, mut all_aside) = (Vec::new(), Vec::new());
    for path in &args.paths {
        if !path.is_dir() {
            refuse_other_files(path, args.format)?;
            let name = path.file_name().context("a table has a name")?;
            found.push((path.clone(), args.to.join(name).with_extension(ending)));
            continue;
        }
        let mut inside = Vec::new();
        list(path, &mut inside).with_context(|| format!("{}: cannot read it", path.display()))?;
        refuse_links_out(path, &inside)?;
        let aside = aside_below(path)?;
        let below = |table: &Path| table.strip_prefix(path).unwrap_or(table).to_owned();
        inside.retain(|table| !aside.iter().any(|one| one.has(&below(table))));
        let to = |table: &Path| args.to.join(below(table)).with_extension(ending);
        found.extend(inside.iter().map(|table| (table.clone(), to(table))));
        all_aside.extend(aside);
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
    Ok((found, all_aside))
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

/// An error for a table that is a link out of the folder: what it leads to is none of it.
fn refuse_links_out(folder: &Path, tables: &[PathBuf]) -> Result<()> {
    let whole = real(folder)?;
    let leads_out = |table: &&PathBuf| real(table).is_ok_and(|target| !target.starts_with(&whole));
    match tables.iter().find(leads_out) {
        Some(table) => bail!(
            "{}: is a link to a file outside of the folder; remove it, or name that file by itself",
            table.display()
        ),
        None => Ok(()),
    }
}

/// Every table below a folder; hidden folders and what a program left in `sourcedata` are no
/// part of it.
fn list(folder: &Path, tables: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for item in std::fs::read_dir(folder)? {
        let item = item?;
        let (path, name) = (item.path(), item.file_name().to_string_lossy().into_owned());
        // A link to a folder is not followed: it may lead back.
        if item.file_type()?.is_dir() {
            if name != SOURCE && !name.starts_with('.') && !is_dropping(&item.file_name()) {
                list(&path, tables)?;
            }
        } else if name.ends_with(".tsv") && !is_dropping(&item.file_name()) {
            tables.push(path);
        }
    }
    Ok(())
}
