//! [`analyze`]: the tables of an analysis as tab-separated text and, where the program has it, as
//! Parquet beside it. The taps go into both while they are read.

use crate::ExchangeError;
#[cfg(feature = "parquet")]
use crate::columns::{
    Columns, Numbers, measure_columns, owned_text_column, part_columns, text_column, truth_column,
    which_columns,
};
use chronotap_tables::{Analysis, How, Sources, Written};
#[cfg(feature = "parquet")]
use chronotap_tables::{DATA, DOUBTS, Source, TIMING, TrialRow};
use std::path::{Path, PathBuf};

/// What was found, what was written, and the tables that are there once more as Parquet.
pub type Analyzed = Result<(Analysis, Written, Vec<PathBuf>), ExchangeError>;

/// Analyzes trials into a folder. `made_by` is the name and version of the program, and what was
/// asked for, word by word. While trials are read it ends where `stop` says so, and leaves nothing
/// behind.
///
/// # Errors
/// [`ExchangeError::Tables`], [`ExchangeError::Write`] and [`ExchangeError::Interrupted`].
pub fn analyze(
    folder: &Path,
    sources: &Sources,
    how: &How,
    made_by: (&str, &[String]),
    stop: &(dyn Fn() -> bool + Sync),
) -> Analyzed {
    let done = all_tables(folder, sources, how, made_by, stop);
    done.map_err(|error| if stop() { ExchangeError::Interrupted } else { error })
}

/// An error where the end is asked for.
fn unless(stop: &(dyn Fn() -> bool + Sync)) -> std::io::Result<()> {
    if stop() { Err(std::io::ErrorKind::Interrupted.into()) } else { Ok(()) }
}

#[cfg(not(feature = "parquet"))]
fn all_tables(
    folder: &Path,
    sources: &Sources,
    how: &How,
    made_by: (&str, &[String]),
    stop: &(dyn Fn() -> bool + Sync),
) -> Analyzed {
    let none = &mut |_: chronotap_tables::NoTaps| unless(stop);
    let (analysis, written) = chronotap_tables::write(folder, sources, how, made_by, none)?;
    Ok((analysis, written, Vec::new()))
}

#[cfg(feature = "parquet")]
fn all_tables(
    folder: &Path,
    sources: &Sources,
    how: &How,
    made_by: (&str, &[String]),
    stop: &(dyn Fn() -> bool + Sync),
) -> Analyzed {
    chronotap_files::create_folder(folder).map_err(ExchangeError::write(folder))?;
    let path = |table: &str| folder.join(format!("desc-{table}_beh.parquet"));
    let beside = ["taps", "trials", "conditions"].map(path);
    let analysis = taps(&beside[0], folder, sources, how, stop)?;
    let text = || chronotap_tables::write_others(folder, sources, how, &analysis, made_by);
    let written = meanwhile(text, || trials(&beside[1], folder, sources, &analysis))?;
    crate::write_parquet(&crate::Frame::read(&written.tables[2].0)?, &beside[2], &[])?;
    Ok((analysis, written, beside.into()))
}

/// Calls both at one time; what the first gives.
#[cfg(feature = "parquet")]
fn meanwhile<T>(
    first: impl FnOnce() -> Result<T, chronotap_tables::TablesError>,
    other: impl FnOnce() -> Result<(), ExchangeError> + Send,
) -> Result<T, ExchangeError> {
    std::thread::scope(|scope| {
        let other = scope.spawn(other);
        let first = first();
        other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(first?)
    })
}

/// The table of taps, as text and as Parquet.
#[cfg(feature = "parquet")]
fn taps(
    path: &Path,
    folder: &Path,
    sources: &Sources,
    how: &How,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Analysis, ExchangeError> {
    let mut done = None;
    let write = |file: &mut std::fs::File| {
        let analyzed = taps_into(file, folder, sources, how, stop);
        let refused = analyzed.is_err();
        done = Some(analyzed);
        if refused { Err(std::io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    };
    let placed = chronotap_files::replace(path, write);
    let done = done.transpose()?;
    placed.map_err(ExchangeError::write(path))?;
    Ok(done.expect("a file that has its place was written"))
}

#[cfg(feature = "parquet")]
fn taps_into(
    file: &mut std::fs::File,
    folder: &Path,
    sources: &Sources,
    how: &How,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Analysis, ExchangeError> {
    let which = which(folder, sources, sources.trials.iter())?;
    let (mut growing, mut first) = (crate::Growing::new(file, Vec::new()), 0);
    let mut take = |taps: crate::TapColumns| {
        unless(stop)?;
        let trials = taps.trials();
        first += trials;
        growing.add(taps.frame(&which, first - trials))
    };
    let done = chronotap_tables::write_taps(folder, sources, how, &mut take)?;
    growing.close().map_err(ExchangeError::write(folder))?;
    Ok(done)
}

/// What says which trial it is, a row for each.
#[cfg(feature = "parquet")]
fn which<'a>(
    folder: &Path,
    sources: &Sources,
    trials: impl Iterator<Item = &'a Source>,
) -> Result<crate::Frame, ExchangeError> {
    let text = chronotap_tables::trials_of(sources, trials);
    crate::Frame::parse(folder, &String::from_utf8_lossy(&text))
}

/// The table of trials as Parquet, with the same columns and cells as its text.
#[cfg(feature = "parquet")]
fn trials(
    path: &Path,
    folder: &Path,
    sources: &Sources,
    analysis: &Analysis,
) -> Result<(), ExchangeError> {
    let (mut places, mut there): (Vec<usize>, Vec<usize>) = Default::default();
    for row in &analysis.rows {
        if there.last() != Some(&row.source) {
            there.push(row.source);
        }
        places.push(there.len() - 1);
    }
    // The kind of a column follows from the cells that stand in the table: not from trials that
    // have no row.
    let which = which(folder, sources, there.iter().map(|place| &sources.trials[*place]))?;
    let mut columns = which_columns(&which, &places);
    let word = |yes: bool, words: [&'static str; 2]| words[usize::from(!yes)];
    let of = |row: &TrialRow| analysis.verdicts[row.source];
    columns.extend([
        text_column("timing", analysis, move |row| Some(word(of(row)?.timing, TIMING))),
        text_column("data", analysis, move |row| Some(word(of(row)?.data, DATA))),
        // A column without cells is one of text.
        match analysis.rows.is_empty() {
            true => text_column("used", analysis, |_| None),
            false => truth_column("used", analysis, |row| Some(analysis.used[row.source])),
        },
    ]);
    columns.extend(part_columns(analysis));
    columns.extend(measure_columns(analysis, Numbers::AsTheyAre));
    columns.push(owned_text_column(DOUBTS, analysis, |row, words| {
        words.push(row.interval_doubts().as_deref());
    }));
    crate::parquet::write_columns(&Columns { columns, rows: analysis.rows.len() }, path, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_that_is_ended_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let source = chronotap_tables::Source {
            path: dir.path().join("none_events.tsv"),
            ..chronotap_tables::Source::default()
        };
        let sources = Sources { trials: vec![source], ..Sources::default() };
        let folder = dir.path().join("tables");
        let done = analyze(&folder, &sources, &How::default(), ("test", &[]), &|| true);
        assert!(matches!(done, Err(ExchangeError::Interrupted)), "{done:?}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }
}
