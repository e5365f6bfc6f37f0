//! The tables of an analysis once more, as Parquet beside their text.

use super::Asked;
use crate::exchange::columns::{
    Columns, measure_columns, owned_text_column, part_columns, text_column, truth_column,
    which_columns,
};
use crate::exchange::{ExchangeError, Frame, Growing, Stated, TapColumns};
use crate::tables::{Analysis, DATA, DOUBTS, MARKS, TablesError, TrialRow, WrittenTables};
use chronotap_analysis::verdict::word as timing;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

impl Asked<'_> {
    /// The table of taps, as text and as Parquet.
    pub(super) fn taps(&self) -> Result<Analysis, ExchangeError> {
        let (path, mut done) = (self.beside("taps"), None);
        let write = |file: &mut File| {
            let analyzed = self.taps_into(file);
            let refused = analyzed.is_err();
            done = Some(analyzed);
            if refused { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
        };
        let placed = chronotap_core::files::replace(&path, write);
        let done = done.transpose()?;
        placed.map_err(ExchangeError::write(&path))?;
        Ok(done.expect("a file that has its place was written"))
    }

    fn taps_into(&self, file: &mut File) -> Result<Analysis, ExchangeError> {
        let which = self.which()?;
        let (mut growing, mut first) = (Growing::new(file, Vec::new()), 0);
        let mut take = |taps: TapColumns| {
            self.unless_stopped()?;
            let trials = taps.trials();
            first += trials;
            growing.add(taps.frame(&which, first - trials))
        };
        let Asked { folder, sources, how, progress, .. } = *self;
        let done = crate::tables::write_taps(folder, sources, how, progress, &mut take)?;
        growing.close().map_err(ExchangeError::write(self.folder))?;
        Ok(done)
    }

    /// The other tables; the paths are those of all four as Parquet.
    pub(super) fn others(
        &self,
        analysis: &Analysis,
    ) -> Result<(WrittenTables, Vec<PathBuf>), ExchangeError> {
        let beside = ["taps", "trials", "wide", "conditions"].map(|table| self.beside(table));
        let text = || self.others_as_text(analysis);
        let written = meanwhile(text, || self.trials(&beside[1], analysis))?;
        self.wide(&beside[2], analysis)?;
        let conditions = Frame::read_with(&written.tables[3].0, &self.factors())?;
        crate::exchange::write_parquet(&conditions, &beside[3], &[])?;
        Ok((written, beside.into()))
    }

    fn beside(&self, table: &str) -> PathBuf {
        self.folder.join(format!("desc-{table}_beh.parquet"))
    }

    /// The columns of the factors.
    fn factors(&self) -> Vec<String> {
        crate::tables::factor_columns(&self.sources.factors)
    }

    /// The levels of the factors.
    fn stated(&self) -> Stated {
        let mut stated = Stated::default();
        for (column, levels) in self.factors().iter().zip(&self.sources.stated) {
            stated.add(column, levels.iter().map(String::as_str));
        }
        stated
    }

    /// What says which trial it is, a row for each. A level is text, also where all levels that
    /// were recorded look like numbers: others may not.
    fn which(&self) -> Result<Frame, ExchangeError> {
        let sources = self.sources;
        let text = crate::tables::trials_of(sources, sources.trials.iter());
        Frame::parse_with(self.folder, &String::from_utf8_lossy(&text), &self.factors())
    }

    /// The table of trials as Parquet, with the same columns and cells as its text.
    fn trials(&self, path: &Path, analysis: &Analysis) -> Result<(), ExchangeError> {
        self.rows(path, &self.which()?, &analysis.rows.iter().collect::<Vec<_>>(), analysis)
    }

    /// The same of the wide table. Levels are numbers where all that the study states are: no other table
    /// joins it.
    fn wide(&self, path: &Path, analysis: &Analysis) -> Result<(), ExchangeError> {
        let text = crate::tables::wide_of(self.sources)?;
        let text = String::from_utf8_lossy(&text);
        let which = Frame::parse_stated(self.folder, &text, &self.stated())?;
        let whole = analysis.rows.iter().filter(|row| row.stretch.is_none());
        self.rows(path, &which, &whole.collect::<Vec<_>>(), analysis)
    }

    /// A table with a row for each of these; `which` has the first cells of each trial.
    fn rows(
        &self,
        path: &Path,
        which: &Frame,
        all: &[&TrialRow],
        analysis: &Analysis,
    ) -> Result<(), ExchangeError> {
        let places: Vec<usize> = all.iter().map(|row| row.source).collect();
        let mut columns = which_columns(which, &places);
        let word = |yes: bool, words: [&'static str; 2]| words[usize::from(!yes)];
        let of = |row: &TrialRow| analysis.verdicts[row.source];
        columns.extend([
            text_column("timing", all, move |row| Some(timing(of(row)?.timing))),
            text_column("data", all, move |row| Some(word(of(row)?.data, DATA))),
            truth_column("used", all, |row| Some(analysis.used[row.source])),
        ]);
        columns.extend(part_columns(all));
        columns.extend(measure_columns(all));
        columns.push(owned_text_column(DOUBTS, all, |row, words| {
            words.push(row.interval_doubts().as_deref());
        }));
        columns.push(owned_text_column(MARKS, all, |row, words| {
            words.push(row.marks().as_deref());
        }));
        crate::exchange::parquet::write_columns(&Columns { columns, rows: all.len() }, path, &[])
    }
}

/// Calls both at one time; what the first gives.
fn meanwhile<T>(
    first: impl FnOnce() -> Result<T, TablesError>,
    other: impl FnOnce() -> Result<(), ExchangeError> + Send,
) -> Result<T, ExchangeError> {
    std::thread::scope(|scope| {
        let other = scope.spawn(other);
        let first = first();
        other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(first?)
    })
}
