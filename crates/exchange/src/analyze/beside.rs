//! The tables of an analysis once more, as Parquet beside their text.

use super::Asked;
use crate::columns::{
    Columns, Numbers, measure_columns, owned_text_column, part_columns, text_column, truth_column,
    which_columns,
};
use crate::{ExchangeError, Frame, Growing, TapColumns};
use chronotap_tables::{Analysis, DATA, DOUBTS, MARKS, TIMING, TablesError, TrialRow, Written};
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
        let placed = chronotap_files::replace(&path, write);
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
        let done = chronotap_tables::write_taps(self.folder, self.sources, self.how, &mut take)?;
        growing.close().map_err(ExchangeError::write(self.folder))?;
        Ok(done)
    }

    /// The other tables; the paths are those of all three as Parquet.
    pub(super) fn others(
        &self,
        analysis: &Analysis,
    ) -> Result<(Written, Vec<PathBuf>), ExchangeError> {
        let beside = ["taps", "trials", "conditions"].map(|table| self.beside(table));
        let text = || self.others_as_text(analysis);
        let written = meanwhile(text, || self.trials(&beside[1], analysis))?;
        let conditions = Frame::read_with(&written.tables[2].0, &self.factors())?;
        crate::write_parquet(&conditions, &beside[2], &[])?;
        Ok((written, beside.into()))
    }

    fn beside(&self, table: &str) -> PathBuf {
        self.folder.join(format!("desc-{table}_beh.parquet"))
    }

    /// The columns of the factors.
    fn factors(&self) -> Vec<String> {
        chronotap_tables::factor_columns(&self.sources.factors)
    }

    /// What says which trial it is, a row for each. A level is text, also where all levels that
    /// were recorded look like numbers: others may not.
    fn which(&self) -> Result<Frame, ExchangeError> {
        let sources = self.sources;
        let text = chronotap_tables::trials_of(sources, sources.trials.iter());
        Frame::parse_with(self.folder, &String::from_utf8_lossy(&text), &self.factors())
    }

    /// The table of trials as Parquet, with the same columns and cells as its text.
    fn trials(&self, path: &Path, analysis: &Analysis) -> Result<(), ExchangeError> {
        let places: Vec<usize> = analysis.rows.iter().map(|row| row.source).collect();
        let which = self.which()?;
        let mut columns = which_columns(&which, &places);
        let word = |yes: bool, words: [&'static str; 2]| words[usize::from(!yes)];
        let of = |row: &TrialRow| analysis.verdicts[row.source];
        columns.extend([
            text_column("timing", analysis, move |row| Some(word(of(row)?.timing, TIMING))),
            text_column("data", analysis, move |row| Some(word(of(row)?.data, DATA))),
            truth_column("used", analysis, |row| Some(analysis.used[row.source])),
        ]);
        columns.extend(part_columns(analysis));
        columns.extend(measure_columns(analysis, Numbers::AsTheyAre));
        columns.push(owned_text_column(DOUBTS, analysis, |row, words| {
            words.push(row.interval_doubts().as_deref());
        }));
        columns.push(owned_text_column(MARKS, analysis, |row, words| {
            words.push(row.marks().as_deref());
        }));
        crate::parquet::write_columns(&Columns { columns, rows: analysis.rows.len() }, path, &[])
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
