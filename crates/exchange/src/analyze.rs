//! [`analyze`]: the tables of an analysis as tab-separated text and, where the program has it, as
//! Parquet beside it. The taps go into both while they are read.

use crate::ExchangeError;
use chronotap_tables::{Analysis, How, Sources, Written};
use std::path::{Path, PathBuf};

/// What was found, what was written, and the tables that are there once more as Parquet.
pub type Analyzed = Result<(Analysis, Written, Vec<PathBuf>), ExchangeError>;

/// Analyzes trials into a folder. `made_by` is the name and version of the program, and what was
/// asked for, word by word.
///
/// # Errors
/// [`ExchangeError::Tables`] and [`ExchangeError::Write`].
pub fn analyze(
    folder: &Path,
    sources: &Sources,
    how: &How,
    made_by: (&str, &[String]),
) -> Analyzed {
    all_tables(folder, sources, how, made_by)
}

#[cfg(not(feature = "parquet"))]
fn all_tables(folder: &Path, sources: &Sources, how: &How, made_by: (&str, &[String])) -> Analyzed {
    let none = &mut |_: chronotap_tables::NoTaps| Ok(());
    let (analysis, written) = chronotap_tables::write(folder, sources, how, made_by, none)?;
    Ok((analysis, written, Vec::new()))
}

#[cfg(feature = "parquet")]
fn all_tables(folder: &Path, sources: &Sources, how: &How, made_by: (&str, &[String])) -> Analyzed {
    chronotap_files::create_folder(folder).map_err(ExchangeError::write(folder))?;
    let path = folder.join("desc-taps_beh.parquet");
    let mut done = None;
    let write = |file: &mut std::fs::File| {
        let analyzed = with_taps(file, folder, sources, how, made_by);
        let refused = analyzed.is_err();
        done = Some(analyzed);
        if refused { Err(std::io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    };
    let placed = chronotap_files::replace(&path, write);
    let done = done.transpose()?;
    placed.map_err(ExchangeError::write(&path))?;
    let (analysis, written) = done.expect("a file that has its place was written");
    let mut beside = vec![path];
    for (table, _) in &written.tables[1..] {
        let path = table.with_extension("parquet");
        crate::write_parquet(&crate::Frame::read(table)?, &path, &[])?;
        beside.push(path);
    }
    Ok((analysis, written, beside))
}

/// All tables, and the taps into this file, too.
#[cfg(feature = "parquet")]
fn with_taps(
    file: &mut std::fs::File,
    folder: &Path,
    sources: &Sources,
    how: &How,
    made_by: (&str, &[String]),
) -> Result<(Analysis, Written), ExchangeError> {
    let text = chronotap_tables::trials_of(sources);
    let which = crate::Frame::parse(folder, &String::from_utf8_lossy(&text))?;
    let (mut growing, mut first) = (crate::Growing::new(file, Vec::new()), 0);
    let mut take = |taps: crate::TapColumns| {
        let trials = taps.trials();
        first += trials;
        growing.add(taps.frame(&which, first - trials))
    };
    let done = chronotap_tables::write(folder, sources, how, made_by, &mut take)?;
    growing.close().map_err(ExchangeError::write(folder))?;
    Ok(done)
}
