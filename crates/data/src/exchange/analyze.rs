//! [`analyze`]: the tables of an analysis as tab-separated text and, where the program has it, as
//! Parquet beside it. The taps go into both while they are read.

#[cfg(feature = "parquet")]
mod beside;

use crate::exchange::ExchangeError;
use crate::tables::{Analysis, AnalysisOptions, Sources, WrittenTables};
use std::path::{Path, PathBuf};

/// What was found, what was written, and the tables that are there once more as Parquet.
pub type Analyzed = Result<(Analysis, WrittenTables, Vec<PathBuf>), ExchangeError>;

/// Says that the end is asked for.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Is told how many trials are done.
pub type TrialsDone<'a> = &'a (dyn Fn(usize) + Sync);

/// What is asked for.
struct Asked<'a> {
    folder: &'a Path,
    sources: &'a Sources,
    how: &'a AnalysisOptions,
    made_by: (&'a str, &'a [String]),
    stop: Stop<'a>,
    progress: TrialsDone<'a>,
}

/// Analyzes trials into a folder. `made_by` is the name and version of the program, and what was
/// asked for, word by word. While trials are read it ends where `stop` says so, and leaves nothing
/// behind.
///
/// # Errors
/// [`ExchangeError::Tables`], [`ExchangeError::Write`] and [`ExchangeError::Interrupted`].
pub fn analyze(
    folder: &Path,
    sources: &Sources,
    how: &AnalysisOptions,
    made_by: (&str, &[String]),
    stop: Stop<'_>,
    progress: TrialsDone<'_>,
) -> Analyzed {
    let done = Asked { folder, sources, how, made_by, stop, progress }.all_tables();
    done.map_err(|error| if stop() { ExchangeError::Interrupted } else { error })
}

impl Asked<'_> {
    fn all_tables(&self) -> Analyzed {
        crate::tables::check_asked(self.sources, &self.how.asked)?;
        chronotap_core::files::create_folder(self.folder)
            .map_err(ExchangeError::write(self.folder))?;
        let analysis = self.taps()?;
        let (written, beside) = self.others(&analysis)?;
        let Asked { folder, sources, how, made_by, .. } = *self;
        crate::tables::write_record(folder, sources, how, &analysis, made_by, &beside)?;
        Ok((analysis, written, beside))
    }

    /// The tables that are made of an analysis, as text.
    fn others_as_text(
        &self,
        analysis: &Analysis,
    ) -> Result<WrittenTables, crate::tables::TablesError> {
        let Asked { folder, sources, how, made_by, .. } = *self;
        crate::tables::write_others(folder, sources, how, analysis, made_by)
    }

    /// An error where the end is asked for.
    fn unless_stopped(&self) -> std::io::Result<()> {
        if (self.stop)() { Err(std::io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }
}

#[cfg(not(feature = "parquet"))]
impl Asked<'_> {
    fn taps(&self) -> Result<Analysis, ExchangeError> {
        let none = &mut |_: crate::tables::NoTaps| self.unless_stopped();
        Ok(crate::tables::write_taps(self.folder, self.sources, self.how, self.progress, none)?)
    }

    fn others(&self, analysis: &Analysis) -> Result<(WrittenTables, Vec<PathBuf>), ExchangeError> {
        Ok((self.others_as_text(analysis)?, Vec::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_tells_of_each_trial_that_is_done() {
        let dir = tempfile::tempdir().unwrap();
        let source = |n: usize| crate::tables::Source {
            path: dir.path().join(format!("{n}_events.tsv")),
            ..crate::tables::Source::default()
        };
        let sources = Sources { trials: (0..7).map(source).collect(), ..Sources::default() };
        let told = std::sync::Mutex::new(Vec::new());
        let (how, folder) = (AnalysisOptions::default(), dir.path().join("tables"));
        analyze(&folder, &sources, &how, ("test", &[]), &|| false, &|done| {
            told.lock().unwrap().push(done);
        })
        .unwrap();
        let mut told = told.into_inner().unwrap();
        told.sort_unstable();
        assert_eq!(told, (1..=7).collect::<Vec<_>>(), "trials that cannot be read, too");
    }

    #[test]
    fn an_analysis_that_is_ended_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let source = crate::tables::Source {
            path: dir.path().join("none_events.tsv"),
            ..crate::tables::Source::default()
        };
        let sources = Sources { trials: vec![source], ..Sources::default() };
        let folder = dir.path().join("tables");
        let done = analyze(
            &folder,
            &sources,
            &AnalysisOptions::default(),
            ("test", &[]),
            &|| true,
            &|_| {},
        );
        assert!(matches!(done, Err(ExchangeError::Interrupted)), "{done:?}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }
}
