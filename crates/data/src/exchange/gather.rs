//! [`gather`]: many datasets as partitioned Parquet, for queries over all of them. Three tables,
//! the same columns of the same kinds from every dataset: taps, trials (the statistics within trials,
//! done once and for all), participants. Factors have columns of their own ([`Factors`]). A folder for
//! each dataset, with files of so many rows, sorted by trial and time; times are whole nanoseconds. A
//! study that is rehearsed comes in part by part ([`RehearsedPart`]), without files of its trials; of neither
//! are all taps in memory at one time. The folder has its name when all is in it and nobody in it withdrew meanwhile.
//!
//! ```text
//! OUT/gather.json                               version of the schema, rules, datasets
//! OUT/taps/dataset=NAME/part-0.parquet          a row for each tap
//! OUT/trials/dataset=NAME/part-0.parquet        a row for each trial, input, stream and stretch
//! OUT/participants/dataset=NAME/part-0.parquet  a row for each participant
//! ```

mod folder;
mod people;

use crate::exchange::columns::{
    Columns, measure_columns, part_columns, truth_column, which_columns,
};
pub(crate) use crate::exchange::factors::Factors;
pub use crate::exchange::factors::Levels;
use crate::exchange::tap_columns::TapColumns;
use crate::exchange::{ExchangeError, Frame, Stop};
use crate::tables::names::PARTICIPANTS;
use crate::tables::{
    Analysis, AnalysisOptions, Around, Aside, Excluded, Source, SourceTable, Sources, TrialRow,
    TrialVerdicts, UnreadError, Withdrawn, same_trials,
};
use chronotap_core::files::real;
use chronotap_core::text::shared;
use folder::Folder;
use people::People;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Version of the three tables; raised when a column changes its meaning.
pub const SCHEMA_VERSION: u32 = 3;

/// What was gathered.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    pub datasets: usize,
    /// Trials that were read.
    pub trials: usize,
    pub taps: usize,
    /// Trials that could not be read, with the reason.
    pub unread: Vec<Arc<UnreadError>>,
    /// Participants who withdrew and whose data were kept: they are left out.
    pub withdrawn: usize,
    /// What else lies in the datasets and is left out.
    pub aside: Vec<Aside>,
    /// Participants whom the studies leave out by their answers.
    pub excluded: Excluded,
}

/// Trials of a study that is rehearsed, with their taps. They need no files.
#[derive(Clone, Debug, Default)]
pub struct RehearsedPart {
    pub taps: TapColumns,
    /// The rows of the table of trials; their source is the place of the trial in this part.
    pub rows: Vec<TrialRow>,
    /// Of each trial, the verdicts.
    pub verdicts: Vec<TrialVerdicts>,
}

/// A folder that datasets are gathered into.
pub struct Gathering<'a> {
    out: PathBuf,
    folder: Folder,
    around: Around,
    how: AnalysisOptions,
    factors: Factors,
    people: People,
    told: Vec<Value>,
    names: Vec<String>,
    sum: Gathered,
    stop: Stop<'a>,
}

/// Gathers datasets into a folder, which must not be there yet, or be empty. `progress` is told
/// the dataset and how many of its trials are done.
///
/// # Errors
/// [`ExchangeError`].
pub fn gather(
    datasets: &[PathBuf],
    out: &Path,
    how: &AnalysisOptions,
    progress: &(dyn Fn(&str, usize) + Sync),
) -> Result<Gathered, ExchangeError> {
    let mut gathering = Gathering::begin(out, how, &levels_of(datasets)?, &|| false)?;
    datasets.iter().try_for_each(|dataset| gathering.dataset(dataset, progress))?;
    gathering.end()
}

/// The factors of these datasets.
///
/// # Errors
/// [`ExchangeError::Tables`] where one is no dataset, [`ExchangeError::Twice`] where two hold one trial.
pub fn levels_of<P: AsRef<Path>>(datasets: &[P]) -> Result<Levels, ExchangeError> {
    let mut levels = Levels::default();
    let mut all = Vec::new();
    for dataset in datasets {
        let sources = Sources::find(&[dataset.as_ref().to_owned()])?;
        levels.append(&Levels::of(&sources));
        all.push(sources);
    }
    refuse_twice(&all)?;
    Ok(levels)
}

/// An error where two datasets hold one trial, as a dataset and its backup do.
fn refuse_twice(all: &[Sources]) -> Result<(), ExchangeError> {
    let of = |sources: &'_ Sources| sources.dataset.clone().unwrap_or_default();
    let trials = all.iter().flat_map(|one| one.trials.iter().map(move |trial| (one, trial)));
    let (whose, trials): (Vec<&Sources>, Vec<&Source>) = trials.unzip();
    match same_trials(&trials).first() {
        None => Ok(()),
        Some((second, first)) => Err(ExchangeError::Twice {
            trial: trials[*second].shown.clone(),
            first: of(whose[*first]),
            second: of(whose[*second]),
        }),
    }
}

impl<'a> Gathering<'a> {
    /// Into this folder, which must not be there yet, or be empty; `levels` are those of all that is
    /// gathered. It ends where `stop` says so: then nothing is left.
    ///
    /// # Errors
    /// [`ExchangeError::Exists`].
    pub fn begin(
        out: &Path,
        how: &AnalysisOptions,
        levels: &Levels,
        stop: Stop<'a>,
    ) -> Result<Self, ExchangeError> {
        if cfg!(not(feature = "parquet")) {
            return Err(ExchangeError::NoParquet);
        }
        if std::fs::read_dir(out).is_ok_and(|mut inside| inside.next().is_some()) {
            return Err(ExchangeError::Exists(out.to_owned()));
        }
        if chronotap_core::files::is_there(out) && !out.is_dir() {
            return Err(ExchangeError::Exists(out.to_owned()));
        }
        let folder = Folder::of(out).map_err(ExchangeError::write(out))?;
        let (out, how) = (out.to_owned(), how.clone());
        let (around, people, told, names, sum) = Default::default();
        let factors = Factors::new(levels);
        Ok(Gathering { out, folder, around, how, factors, people, told, names, sum, stop })
    }

    /// An error where the end is asked for.
    fn unless_stopped(&self) -> Result<(), ExchangeError> {
        if (self.stop)() { Err(ExchangeError::NotMade(self.out.clone())) } else { Ok(()) }
    }

    /// Adds the trials of a dataset.
    ///
    /// # Errors
    /// [`ExchangeError`].
    pub fn dataset(
        &mut self,
        dataset: &Path,
        progress: &(dyn Fn(&str, usize) + Sync),
    ) -> Result<(), ExchangeError> {
        let name = self.name(dataset)?;
        self.around.append(Around::of(&[dataset])?);
        let sources = Sources::find(&[dataset.to_owned()])?;
        let analysis = files::of_dataset(self, &name, &sources, progress);
        // Who withdraws takes files away, also unfinished ones: that is the cause, whatever failed by it.
        let analysis = analysis.or_else(|error| self.unless_withdrawn().and(Err(error)))?;
        let people = dataset.join(PARTICIPANTS);
        if chronotap_core::files::is_there(&people) {
            let text = chronotap_core::files::read_to_string(&people)
                .map_err(ExchangeError::read(&people))?;
            let withdrawn = Withdrawn::around(dataset)?;
            let out = |label: &str| withdrawn.has(label) || sources.excluded.has(label);
            self.people.add(&name, &text, out);
        }
        self.sum.withdrawn += sources.withdrawn.len();
        self.sum.aside.extend(sources.aside.iter().cloned());
        let named =
            |(label, reason): (&String, &String)| (format!("{name}/{label}"), reason.clone());
        self.sum.excluded.people.extend(sources.excluded.people.iter().map(named));
        let counts = analysis.counts;
        self.tell(&name, dataset, None, (counts.taps, counts.trials, counts.unread));
        self.sum.unread.extend(analysis.unread.iter().map(|unread| Arc::clone(&unread.why)));
        Ok(())
    }

    /// Adds a study that is rehearsed meanwhile: `rehearse` hands on part after part, each with
    /// the tables of trials of its sessions, and at last the table of participants as text. `about`
    /// says how it was rehearsed.
    ///
    /// # Errors
    /// What `rehearse` gives, and [`ExchangeError`].
    pub fn study<E: From<ExchangeError>>(
        &mut self,
        study: &Path,
        about: Value,
        rehearse: impl FnOnce(&mut PartTaker<'_>) -> Result<String, E>,
    ) -> Result<(), E> {
        let name = self.name(study)?;
        let (people, taps, trials) = files::of_study(self, &name, rehearse)?;
        self.people.add(&name, &people, |_| false);
        self.tell(&name, study, Some(about), (taps, trials, 0));
        Ok(())
    }

    /// Writes who took part, and the record of what was gathered, and gives the folder its name.
    ///
    /// # Errors
    /// [`ExchangeError::Withdrew`] and [`ExchangeError::Write`]; nothing stays then.
    pub fn end(mut self) -> Result<Gathered, ExchangeError> {
        for (name, frame) in self.people.frames(self.factors.names()) {
            files::of_people(&self, name, frame)?;
        }
        put_record(self.folder.path(), &self.how, &self.told)?;
        self.unless_withdrawn()?;
        self.folder.finish(&self.out).map_err(ExchangeError::write(&self.out))?;
        // Whoever withdrew in this moment found nothing to remove yet.
        self.unless_withdrawn().inspect_err(|_| self.folder.remove(&self.out))?;
        Ok(self.sum)
    }

    /// An error where somebody withdrew since their dataset was read.
    fn unless_withdrawn(&self) -> Result<(), ExchangeError> {
        match self.around.withdrew_meanwhile()? {
            gone if gone.is_empty() => Ok(()),
            gone => Err(ExchangeError::Withdrew(gone)),
        }
    }

    /// What the partition is called: as the folder, or as the file of the study.
    fn name(&mut self, dataset: &Path) -> Result<String, ExchangeError> {
        let whole = real(dataset)
            .map_err(|source| ExchangeError::Read { path: dataset.to_owned(), source })?;
        let name = if whole.is_dir() { whole.file_name() } else { whole.file_stem() };
        let name = name.unwrap_or_default().to_string_lossy().into_owned();
        // What has a meaning in the name of a partition does not stand in one.
        let name = name.replace(['/', '=', '%'], "-");
        if self.names.contains(&name) {
            return Err(ExchangeError::SameName(name));
        }
        self.names.push(name.clone());
        Ok(name)
    }

    fn tell(
        &mut self,
        name: &str,
        from: &Path,
        rehearsed: Option<Value>,
        (taps, trials, unread): (usize, usize, usize),
    ) {
        self.sum.datasets += 1;
        self.sum.trials += trials - unread;
        self.sum.taps += taps;
        let folder = shared(&from.to_string_lossy());
        let mut told = json!({ "name": name, "folder": folder, "taps": taps, "trials": trials,
            "unread": unread });
        if let (Some(about), Some(told)) = (rehearsed, told.as_object_mut()) {
            told.insert("rehearsed".into(), about);
        }
        self.told.push(told);
    }
}

/// Takes a part of a study that is rehearsed, the tables of trials of its sessions, and the table
/// of participants.
pub type PartTaker<'a> =
    dyn FnMut(RehearsedPart, &[SourceTable], &SourceTable) -> Result<(), ExchangeError> + 'a;

#[cfg(not(feature = "parquet"))]
mod files {
    //! Without Parquet there is nothing to gather into; [`Gathering::begin`] has said so.
    use super::*;

    type Done<T> = Result<T, ExchangeError>;

    pub(super) fn of_dataset(
        _: &Gathering<'_>,
        _: &str,
        _: &Sources,
        _: &(dyn Fn(&str, usize) + Sync),
    ) -> Done<Analysis> {
        Err(ExchangeError::NoParquet)
    }

    pub(super) fn of_study<E: From<ExchangeError>>(
        _: &Gathering<'_>,
        _: &str,
        _: impl FnOnce(&mut PartTaker<'_>) -> Result<String, E>,
    ) -> Result<(String, usize, usize), E> {
        Err(ExchangeError::NoParquet.into())
    }

    pub(super) fn of_people(_: &Gathering<'_>, _: &str, _: Frame) -> Done<()> {
        Err(ExchangeError::NoParquet)
    }
}

#[cfg(feature = "parquet")]
mod files;

/// The table of trials; `which` has a row for each trial, `places` the trial of each row.
fn trials<'a>(
    which: &'a Frame,
    places: &'a [usize],
    all: &'a [&'a TrialRow],
    analysis: &'a Analysis,
) -> Columns<'a> {
    let of = |row: &TrialRow| analysis.verdicts[row.source];
    let truths = [
        truth_column("timing_passed", all, move |row| of(row)?.timing),
        truth_column("data_usable", all, move |row| of(row).map(|v| v.data)),
        truth_column("used", all, |row| Some(analysis.used[row.source])),
    ];
    let mut columns = which_columns(which, places);
    columns.extend(part_columns(all));
    columns.extend(truths);
    columns.extend(measure_columns(all));
    Columns { columns, rows: analysis.rows.len() }
}

/// The trial of each row.
fn places(analysis: &Analysis) -> Vec<usize> {
    analysis.rows.iter().map(|row| row.source).collect()
}

fn put_record(out: &Path, how: &AnalysisOptions, datasets: &[Value]) -> Result<(), ExchangeError> {
    let record = json!({
        "format": "chronotap-gather",
        "version": SCHEMA_VERSION,
        "program": crate::record::PROGRAM,
        "rules": how.rules.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "window": how.window,
        "datasets": datasets,
    });
    let path = out.join("gather.json");
    let text = format!("{record:#}\n");
    chronotap_core::files::replace(&path, |file| file.write_all(text.as_bytes()))
        .map_err(ExchangeError::write(&path))
}
