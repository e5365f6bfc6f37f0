//! The files of a gathering: those of taps and of trials grow while trials are read or rehearsed.

use super::{Gathering, Part, PartTaker, SCHEMA_VERSION, places, trials};
use crate::exchange::parquet::Growing;
use crate::exchange::tap_columns::{TapColumns, which};
use crate::exchange::{ExchangeError, Frame};
use crate::tables::{Analysis, SourceTable, Sources, TrialRow, analyze_into};
use std::fs::File;
use std::io;
use std::path::PathBuf;

type Done<T> = Result<T, ExchangeError>;

/// The trials of a dataset and their taps.
pub(super) fn of_dataset(
    gathering: &Gathering<'_>,
    name: &str,
    sources: &Sources,
    progress: &(dyn Fn(&str, usize) + Sync),
) -> Done<Analysis> {
    let which = which(sources, sources.trials.iter());
    let (path, mut analysis) = (file(gathering, "taps", name)?, Analysis::default());
    let write = |file: &mut File| {
        let (mut growing, mut first) = (Growing::new(file, facts("taps")), 0);
        let mut take = |taps: TapColumns| {
            gathering.unless_stopped().map_err(io::Error::other)?;
            let trials = taps.trials();
            first += trials;
            growing.add(taps.frame(&which, first - trials))
        };
        let told = |done| progress(name, done);
        analysis = analyze_into(sources, &gathering.how, &told, &mut take)?;
        growing.close()
    };
    let written = chronotap_core::files::replace(&path, write);
    gathering.unless_stopped()?;
    written.map_err(ExchangeError::write(&path))?;
    let (path, places) = (file(gathering, "trials", name)?, places(&analysis));
    let all: Vec<&TrialRow> = analysis.rows.iter().collect();
    crate::exchange::parquet::write_columns(
        &trials(&which, &places, &all, &analysis),
        &path,
        &facts("trials"),
    )?;
    Ok(analysis)
}

/// The same of a study that is rehearsed: its table of participants, how many taps and trials.
pub(super) fn of_study<E: From<ExchangeError>>(
    gathering: &Gathering<'_>,
    name: &str,
    rehearse: impl FnOnce(&mut PartTaker<'_>) -> Result<String, E>,
) -> Result<(String, usize, usize), E> {
    let [taps_path, trials_path] =
        [file(gathering, "taps", name)?, file(gathering, "trials", name)?];
    let mut done: Option<Result<String, E>> = None;
    let mut count = (0, 0);
    let write = |taps: &mut File| {
        chronotap_core::files::replace(&trials_path, |trials| {
            let mut growing = Both {
                gathering,
                taps: Growing::new(taps, facts("taps")),
                trials: Growing::new(trials, facts("trials")),
                count: (0, 0),
            };
            let rehearsed = rehearse(&mut |part, tables, people| growing.add(part, tables, people));
            let refused = rehearsed.is_err();
            done = Some(rehearsed);
            if refused {
                return Err(io::ErrorKind::Interrupted.into());
            }
            count = growing.count;
            growing.taps.close()?;
            growing.trials.close()
        })
    };
    let written = chronotap_core::files::replace(&taps_path, write);
    let people = match done {
        Some(rehearsed) => rehearsed?,
        None => String::new(), // no file could be made; the next line says why
    };
    written.map_err(ExchangeError::write(&taps_path))?;
    Ok((people, count.0, count.1))
}

/// The two files of a study that is rehearsed.
struct Both<'a> {
    gathering: &'a Gathering<'a>,
    taps: Growing<'a>,
    trials: Growing<'a>,
    count: (usize, usize),
}

impl Both<'_> {
    fn add(&mut self, part: Part, tables: &[SourceTable], people: &SourceTable) -> Done<()> {
        self.gathering.unless_stopped()?;
        let sources = Sources::of_tables(tables, people)?;
        let used = sources.trials.iter().zip(&part.verdicts);
        let with_unusable = self.gathering.how.with_unusable;
        let used = used.map(|(source, of)| source.counts && (of.data || with_unusable)).collect();
        let analysis = Analysis {
            rows: part.rows,
            used,
            verdicts: part.verdicts.into_iter().map(Some).collect(),
            ..Analysis::default()
        };
        let which = which(&sources, sources.trials.iter());
        let taps = part.taps.frame(&which, 0);
        self.count.0 += taps.rows;
        self.count.1 += sources.trials.len();
        let out = &self.gathering.out;
        self.taps.add(taps).map_err(ExchangeError::write(out))?;
        let all: Vec<&TrialRow> = analysis.rows.iter().collect();
        let trials = trials(&which, &places(&analysis), &all, &analysis).frame();
        self.trials.add(trials).map_err(ExchangeError::write(out))
    }
}

/// The table of participants.
pub(super) fn of_people(gathering: &Gathering<'_>, name: &str, people: &Frame) -> Done<()> {
    let path = file(gathering, "participants", name)?;
    crate::exchange::write_parquet(people, &path, &facts("participants"))
}

fn facts(table: &'static str) -> Vec<(&'static str, String)> {
    vec![("chronotap.table", table.to_owned()), ("chronotap.schema", SCHEMA_VERSION.to_string())]
}

/// The file of a table; its folder is made.
fn file(gathering: &Gathering<'_>, table: &str, name: &str) -> Done<PathBuf> {
    let folder = gathering.out.join(table).join(format!("dataset={name}"));
    chronotap_core::files::create_folder(&folder).map_err(ExchangeError::write(&folder))?;
    Ok(folder.join("part-0.parquet"))
}
