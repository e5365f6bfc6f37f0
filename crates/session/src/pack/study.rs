//! [`stage_study`]: a study with all its files, the plan of every session, and the tables of a rehearsal,
//! by which whoever opens it sees that it does there what it did here.

use super::dataset::{new_file, whole};
use super::effects::{PackEffect, effects};
use super::manifest::{DATASET, Manifest, OfStudy, PLANS, PackedDevice, REHEARSAL, STUDY};
use super::{Differences, PackError, PackStop, refused, unless_stopped};
use crate::assign::Places;
use crate::dataset::Dataset;
use crate::kept::{KeptSession, journals};
use crate::rehearse::{Rehearsal, RehearseError, Rehearsed, rehearse, sources};
use crate::study::Study;
use crate::who::Who;
use chronotap_config::trial_files::{TrialFile, files_in};
use chronotap_core::files::{self, Unfinished, inside, slashes};
use chronotap_data::record::observed;
use chronotap_data::tables::{
    Analysis, AnalysisOptions, NoTaps, OutcomeFound, Sources, TrialRow, TrialVerdicts, measure,
    outcomes_of, write_measured,
};
use chronotap_design::{ClosedFolder, Folder};
use chronotap_simulate::Computed;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Lays out a study below `root`: the files that the experiment file at `path` names, and what follows from
/// them. `rehearsal` says who is rehearsed; it is asked for the study as it was laid out.
///
/// # Errors
/// [`PackError`].
pub fn stage_study<E: From<PackError>>(
    path: &Path,
    root: &Path,
    rehearsal: &dyn Fn(&Study) -> Result<Rehearsal, E>,
    stop: PackStop<'_>,
) -> Result<Manifest, E> {
    let study = Study::read(path).map_err(PackError::from)?;
    copy_files(&study, path, &root.join(STUDY))?;
    let experiment = name_of(path);
    let files = ClosedFolder(Folder(root.join(STUDY)));
    let staged = Study::read_from(&files, &experiment).map_err(PackError::from)?;
    let rehearsal = rehearsal(&staged)?;
    make(&staged, &rehearsal, root, stop)?;
    Ok(Manifest {
        devices: devices(&staged),
        study: Some(OfStudy {
            experiment,
            participants: u32::try_from(rehearsal.labels.len()).unwrap_or(u32::MAX),
            model: rehearsal.model.clone(),
            longest_ns: rehearsal.longest.0,
        }),
        ..Manifest::of(&staged)
    })
}

/// Makes plans and tables of an unpacked study again, and compares them. Gives what differs, and the effects that
/// the rehearsal has.
///
/// # Errors
/// [`PackError`].
pub fn check_study(
    root: &Path,
    manifest: &Manifest,
    study: &Study,
    rehearsal: &Rehearsal,
    stop: PackStop<'_>,
) -> Result<(Differences, Vec<PackEffect>, Manifest), PackError> {
    let again = Unfinished::beside(root).map_err(refused(root))?;
    let effects = make(study, rehearsal, again.path(), stop)?;
    let mut differences = Differences::default();
    for path in made(root)?.union(&made(again.path())?) {
        let (packed, again) = (root.join(path), again.path().join(path));
        differences.compare(path, &packed, &again).map_err(refused(&packed))?;
    }
    let follows = Manifest { devices: devices(study), ..Manifest::of(study) };
    differences.claims(manifest, &follows);
    Ok((differences, effects, follows))
}

/// The study of an unpacked pack, which may be anybody's: nothing is read but what was unpacked. `None` of a
/// finished one.
///
/// # Errors
/// [`PackError::Study`], also where it names a file outside of its folder.
pub fn study_of_pack(root: &Path, manifest: &Manifest) -> Result<Option<Study>, PackError> {
    let Some(of) = &manifest.study else { return Ok(None) };
    let files = ClosedFolder(Folder(root.join(STUDY)));
    Ok(Some(Study::read_from(&files, &of.experiment)?))
}

/// The study of an unpacked dataset, as it was run last.
///
/// # Errors
/// [`PackError`].
pub fn study_of_dataset(root: &Path) -> Result<Option<Study>, PackError> {
    let dataset = Dataset::open(&root.join(DATASET))?;
    let mut last = None;
    for journal in journals(&dataset)? {
        last = KeptSession::read(&dataset, &journal)?.map(|kept| kept.study).or(last);
    }
    Ok(last)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The plans and tables below a folder.
fn made(root: &Path) -> Result<BTreeSet<PathBuf>, PackError> {
    let mut all = BTreeSet::new();
    for folder in [PLANS, REHEARSAL] {
        let whole = root.join(folder);
        let entries = match std::fs::read_dir(&whole) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.map_err(refused(&whole))?,
        };
        for entry in entries {
            let entry = entry.map_err(refused(&whole))?;
            all.insert(Path::new(folder).join(entry.file_name()));
        }
    }
    Ok(all)
}

/// Copies the experiment file and all that it and its trial files name, as they stand on the disk.
fn copy_files(study: &Study, path: &Path, to: &Path) -> Result<(), PackError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let root = whole(here)?;
    for name in names(study, &name_of(path)) {
        let from = here.join(&name);
        let outside = || PackError::Outside { path: from.clone() };
        let name = inside(&name).ok_or_else(outside)?;
        if !whole(&from)?.starts_with(&root) {
            return Err(outside());
        }
        let mut file = files::open(&from).map_err(refused(&from))?;
        new_file(&to.join(name), |to| io::copy(&mut file, to).map(drop))?;
    }
    Ok(())
}

/// The names of all files of a study, from the folder of the experiment file, each once.
fn names(study: &Study, itself: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::from([itself.to_owned()]);
    all.extend(study.about.attached.iter().map(|(name, _)| name.clone()));
    for (name, text) in &study.experiment.files {
        let beside = Path::new(name).parent().unwrap_or(Path::new("")).to_owned();
        let attached = files_in(text).into_iter();
        all.extend(attached.map(|name| slashes(&beside.join(name))));
        all.insert(name.clone());
    }
    all
}

fn devices(study: &Study) -> Vec<PackedDevice> {
    let (inputs, outputs) = study.inputs_and_outputs();
    let of = |direction: &'static str| {
        move |name: &&str| PackedDevice {
            direction: direction.to_owned(),
            name: (*name).to_owned(),
            ports: Vec::new(),
        }
    };
    inputs.iter().map(of("in")).chain(outputs.iter().map(of("out"))).collect()
}

/// Makes plans and tables.
fn make(
    study: &Study,
    rehearsal: &Rehearsal,
    to: &Path,
    stop: PackStop<'_>,
) -> Result<Vec<PackEffect>, PackError> {
    plans(study, &rehearsal.labels, &to.join(PLANS), stop)?;
    let (sources, analysis, found) = rehearsed(study, rehearsal, stop)?;
    let folder = to.join(REHEARSAL);
    files::create_folder_unsynced(&folder).map_err(refused(&folder))?;
    write_measured(&folder, &sources, &analysis, &found)?;
    Ok(effects(&study.experiment, &found, (&sources, &analysis))?)
}

/// The effects that a rehearsal of a study in memory has.
///
/// # Errors
/// [`PackError`].
pub fn rehearsed_effects(
    study: &Study,
    rehearsal: &Rehearsal,
    stop: PackStop<'_>,
) -> Result<Vec<PackEffect>, PackError> {
    let (sources, analysis, found) = rehearsed(study, rehearsal, stop)?;
    Ok(effects(&study.experiment, &found, (&sources, &analysis))?)
}

fn plans(study: &Study, labels: &[String], to: &Path, stop: PackStop<'_>) -> Result<(), PackError> {
    let mut places = Places::new(&study.experiment);
    for label in labels {
        unless_stopped(stop)?;
        let who = Who { label: label.clone(), session: 1, ..Who::default() };
        let person = places.assign(&who).map_err(RehearseError::from)?;
        for session in 1..=study.experiment.sessions {
            let plan = study.plan(&person, session)?;
            let stem = study.place(label, session).stem();
            let path = |end: &str| to.join(format!("{stem}_plan.{end}"));
            new_file(&path("json"), |file| writeln!(file, "{}", plan.json()))?;
            new_file(&path("tsv"), |file| file.write_all(plan.tsv().as_bytes()))?;
        }
    }
    Ok(())
}

/// What is kept of a session: the rows of its trials, and the verdicts on each.
#[derive(Default)]
struct Kept {
    rows: Vec<TrialRow>,
    verdicts: Vec<TrialVerdicts>,
}

fn keep(kept: &mut Kept, _: usize, file: &TrialFile, finished: &Computed) {
    let observed = observed(&file.trial, &finished.entries, &finished.circumstances);
    let (rows, _) =
        measure(kept.verdicts.len(), observed, &AnalysisOptions::default(), &mut NoTaps);
    kept.rows.extend(rows);
    let summary = &finished.summary;
    let (timing, data) = (summary.verdict.passed, summary.data.usable);
    kept.verdicts.push(TrialVerdicts { timing, data, changed: false });
}

/// Rehearses a study in memory: its trials, what they measured, and what the study came to.
fn rehearsed(
    study: &Study,
    rehearsal: &Rehearsal,
    stop: PackStop<'_>,
) -> Result<(Sources, Analysis, Vec<OutcomeFound>), PackError> {
    let done = rehearse(study, rehearsal, stop, keep);
    unless_stopped(stop)?;
    let Rehearsed { people, sessions } = done?;
    let sources = sources(study, &people, sessions.iter().map(|one| &one.trials))?;
    let (mut rows, mut verdicts) = (Vec::new(), Vec::new());
    for session in sessions {
        let before = verdicts.len();
        let mut kept = session.kept.rows;
        kept.iter_mut().for_each(|row| row.source += before);
        rows.append(&mut kept);
        verdicts.extend(session.kept.verdicts);
    }
    let analysis = Analysis::of_rehearsal(&sources, rows, verdicts);
    let found = outcomes_of(&study.experiment.outcomes, &sources, &analysis)?;
    Ok((sources, analysis, found))
}
