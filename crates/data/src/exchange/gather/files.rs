//! The files of a gathering: those of taps and of trials are written while trials are read or rehearsed.

use super::{Gathering, PartTaker, RehearsedPart, SCHEMA_VERSION, places, trials};
use crate::exchange::parquet::Parts;
use crate::exchange::tap_columns::{TapColumns, which};
use crate::exchange::{ExchangeError, Frame};
use crate::tables::{Analysis, SourceTable, Sources, TrialRow, analyze_into};
use std::io;

type Done<T> = Result<T, ExchangeError>;

/// The trials of a dataset and their taps.
pub(super) fn of_dataset(
    gathering: &Gathering<'_>,
    name: &str,
    sources: &Sources,
    progress: &(dyn Fn(&str, usize) + Sync),
) -> Done<Analysis> {
    let which = which(sources, &gathering.factors);
    let mut parts = parts(gathering, "taps", name)?;
    let (mut refused, mut first) = (None, 0);
    let mut take = |taps: TapColumns| {
        let trials = taps.trials();
        first += trials;
        let frame = taps.frame(&which, first - trials);
        gathering.unless_stopped().and_then(|()| parts.add(frame)).map_err(|error| {
            refused = Some(error);
            io::ErrorKind::Interrupted.into()
        })
    };
    let told = |done| progress(name, done);
    let analysis = analyze_into(sources, &gathering.how, &told, &mut take);
    refused.map_or(Ok(()), Err)?;
    let analysis = analysis.map_err(ExchangeError::write(&gathering.out))?;
    parts.close()?;
    let places = places(&analysis);
    let all: Vec<&TrialRow> = analysis.rows.iter().collect();
    let mut parts = self::parts(gathering, "trials", name)?;
    parts.add_columns(&trials(&which, &places, &all, &analysis))?;
    parts.close()?;
    Ok(analysis)
}

/// The same of a study that is rehearsed: its table of participants, how many taps and trials.
pub(super) fn of_study<E: From<ExchangeError>>(
    gathering: &Gathering<'_>,
    name: &str,
    rehearse: impl FnOnce(&mut PartTaker<'_>) -> Result<String, E>,
) -> Result<(String, usize, usize), E> {
    let [taps, trials] = ["taps", "trials"].map(|table| parts(gathering, table, name));
    let mut growing = Both { gathering, taps: taps?, trials: trials?, count: (0, 0) };
    let people = rehearse(&mut |part, tables, people| growing.add(part, tables, people));
    gathering.unless_stopped()?;
    let people = people?;
    let (taps, trials) = growing.count;
    growing.taps.close()?;
    growing.trials.close()?;
    Ok((people, taps, trials))
}

/// The two tables of a study that is rehearsed.
struct Both<'a> {
    gathering: &'a Gathering<'a>,
    taps: Parts,
    trials: Parts,
    count: (usize, usize),
}

impl Both<'_> {
    fn add(
        &mut self,
        part: RehearsedPart,
        tables: &[SourceTable],
        people: &SourceTable,
    ) -> Done<()> {
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
        let which = which(&sources, &self.gathering.factors);
        let taps = part.taps.frame(&which, 0);
        self.count.0 += taps.rows;
        self.count.1 += sources.trials.len();
        self.taps.add(taps)?;
        let all: Vec<&TrialRow> = analysis.rows.iter().collect();
        self.trials.add_columns(&trials(&which, &places(&analysis), &all, &analysis))
    }
}

/// The table of participants.
pub(super) fn of_people(gathering: &Gathering<'_>, name: &str, people: Frame) -> Done<()> {
    let mut parts = parts(gathering, "participants", name)?;
    parts.add(people)?;
    parts.close()
}

/// The files of a table; their folder is made.
fn parts(gathering: &Gathering<'_>, table: &'static str, name: &str) -> Done<Parts> {
    Parts::new(gathering.folder.path().join(table).join(format!("dataset={name}")), facts(table))
}

fn facts(table: &'static str) -> Vec<(&'static str, String)> {
    vec![("chronotap.table", table.to_owned()), ("chronotap.schema", SCHEMA_VERSION.to_string())]
}
