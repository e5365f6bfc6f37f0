//! [`check_dataset`]: every table of a dataset that was packed, worked out again and compared.
//!
//! Only raw data go in: journals, plans, the study's files, and the events files of trials. They are put
//! into a folder of their own, where no table of the pack is, and everything else is made there as it was
//! made first: the tables of sessions and of participants from the journals, those of the analysis from
//! these and the events.

use super::dataset::{DERIVED, Devices, add_devices, analyzed, listed};
use super::effects::{PackEffect, effects};
use super::manifest::{DATASET, Manifest, OfDataset, PackedDevice};
use super::{Differences, PackError, PackStop, persons, refused, unless_stopped};
use crate::dataset::Dataset;
use crate::kept::{KeptError, KeptSession, journals};
use crate::study::Study;
use crate::verify::{DatasetProblem, Verified, verify_telling};
use crate::withdraw::{Kind, walk};
use chronotap_core::files::{self, Unfinished};
use chronotap_data::record::PROGRAM;
use chronotap_data::tables::names::{PARTICIPANTS, SOURCE};
use chronotap_data::tables::{AnalysisRecord, EXCLUDED, RECORD};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Works out again everything that follows from the raw data of an unpacked dataset. Gives what differs,
/// what was verified besides, the effects that the data have, and the manifest that follows; nothing follows from a
/// journal that cannot be read. `told` hears how many participants of how many
/// are verified.
///
/// # Errors
/// [`PackError`] where nothing can be worked out.
pub fn check_dataset(
    root: &Path,
    manifest: &Manifest,
    stop: PackStop<'_>,
    told: &mut dyn FnMut(usize, usize),
) -> Result<(Differences, Verified, Vec<PackEffect>, Option<Manifest>), PackError> {
    let packed = Dataset::open(&root.join(DATASET))?;
    let mut found = Differences::default();
    let mut verified = verify_telling(&packed, told)?;
    let problems = std::mem::take(&mut verified.problems);
    if problems.iter().any(|problem| matches!(problem, DatasetProblem::Kept(_))) {
        // Of a journal that cannot be read nothing follows.
        problems.into_iter().for_each(|problem| found.add(problem));
        return Ok((found, verified, Vec::new(), None));
    }
    let folder = Unfinished::beside(root).map_err(refused(root))?;
    raw(&packed, folder.path(), stop)?;
    let again = Dataset::open(folder.path())?;
    let (study, counts) = tables(&again, manifest)?;
    if !manifest.persons {
        carry_over_excluded(&packed, &again)?;
    }
    let record = packed.text(&Path::new(DERIVED).join(RECORD)).unwrap_or_default();
    let how = AnalysisRecord::parse(&record).and_then(|record| record.how()).unwrap_or_default();
    unless_stopped(stop)?;
    let (sources, analysis, written) = analyzed(again.root(), &how)?;
    let effects = effects(&study.experiment, &written.outcomes, (&sources, &analysis))?;
    let follows = Manifest {
        persons: manifest.persons || tells_of_persons(&packed)?,
        devices: devices(&again)?,
        dataset: Some(counts.with(&analysis)),
        ..Manifest::of(&study)
    };
    found.claims(manifest, &follows);
    for path in compared(&packed, &again, manifest)? {
        unless_stopped(stop)?;
        let [one, other] = [&packed, &again].map(|dataset| dataset.root().join(&path));
        let shown = Path::new(DATASET).join(&path);
        let both = files::is_there(&one) && files::is_there(&other);
        match path == Path::new(PARTICIPANTS) && both {
            true => found.compare_by_name(&shown, &one, &other),
            false => found.compare(&shown, &one, &other),
        }
        .map_err(refused(&one))?;
    }
    problems.into_iter().for_each(|problem| found.add(problem));
    Ok((found, verified, effects, Some(follows)))
}

/// Puts the raw data of a dataset into another folder.
fn raw(packed: &Dataset, to: &Path, stop: PackStop<'_>) -> Result<(), PackError> {
    for entry in walk(packed, Path::new(""))? {
        if entry.kind != Kind::File || !is_raw(&entry.path) {
            continue;
        }
        unless_stopped(stop)?;
        let (from, to) = (packed.root().join(&entry.path), to.join(&entry.path));
        let parent = to.parent().unwrap_or(Path::new(""));
        files::create_folder_unsynced(parent).map_err(refused(parent))?;
        // Nothing is written into it: a second name is as good as a copy, where there are any.
        let named = fs::hard_link(&from, &to);
        named.or_else(|_| fs::copy(&from, &to).map(drop)).map_err(refused(&to))?;
    }
    Ok(())
}

/// Whether a file is data, or says what they are, and not what was made of them.
fn is_raw(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    if path.starts_with(SOURCE) {
        return !ends(&["_plan.tsv", "_checksums.sha256"]);
    }
    let of_data = !ends(&[".tsv"]) || ends(&["_events.tsv"]);
    of_data && !path.starts_with("derivatives")
}

/// The ports of all trials.
fn devices(again: &Dataset) -> Result<Vec<PackedDevice>, PackError> {
    let mut all = Devices::new();
    for entry in walk(again, Path::new(""))? {
        add_devices(&again.root().join(entry.path), &mut all);
    }
    Ok(listed(&all))
}

/// Makes the tables of all sessions and of participants from the journals. Gives the study as it was run last, and
/// how many people and sessions there are.
fn tables(again: &Dataset, manifest: &Manifest) -> Result<(Study, OfDataset), PackError> {
    let mut last = None;
    let (mut labels, mut counts) = (BTreeSet::new(), OfDataset::default());
    counts.simulated = true;
    for journal in journals(again)? {
        let Some(kept) = KeptSession::read(again, &journal)? else { continue };
        let [trials, scans, _] = kept.tables().files();
        for (path, bytes) in [trials, scans] {
            if bytes.iter().filter(|byte| **byte == b'\n').count() > 1 {
                again.make_folder(path.parent().unwrap_or(Path::new("")))?;
                again.replace(&path, &bytes)?;
            }
        }
        again.replace(&kept.place.plan(), kept.plan.tsv().as_bytes())?;
        labels.insert(kept.began.participant.clone());
        counts.sessions += 1;
        counts.simulated &= kept.began.simulated.is_some();
        last = Some(kept.study);
    }
    let study = last.ok_or_else(|| PackError::NoData { path: again.root().to_owned() })?;
    let mut columns = study.about.columns.clone();
    if !manifest.persons {
        columns.fields.clear();
    }
    again.keep_people(&columns)?;
    counts.participants = labels.len();
    Ok((study, counts))
}

/// Whether a journal has an answer about a person. That there is none proves nothing: nobody may have been asked.
fn tells_of_persons(packed: &Dataset) -> Result<bool, PackError> {
    for journal in journals(packed)? {
        let path = packed.root().join(&journal);
        let bytes = fs::read(&path).map_err(refused(&path))?;
        if persons::are_in(&path, bytes).map_err(KeptError::from)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whom the study leaves out by answers about persons cannot be worked out without them: the pack's word is
/// taken for it.
fn carry_over_excluded(packed: &Dataset, again: &Dataset) -> Result<(), PackError> {
    let path = Path::new(PARTICIPANTS);
    let said = packed.table(path)?.unwrap_or_default();
    if said.column(EXCLUDED).is_none() {
        return Ok(());
    }
    let mut people = again.table(path)?.unwrap_or_default();
    people.columns.push(EXCLUDED.into());
    for row in &mut people.rows {
        let theirs = said.rows.iter().find(|one| one.first() == row.first());
        row.push(theirs.and_then(|one| said.cell(one, EXCLUDED)).map(str::to_owned));
    }
    Ok(again.replace_table(path, &people)?)
}

/// The files that are compared: all tables, and what describes those of the analysis where the same
/// version makes them.
fn compared(
    packed: &Dataset,
    again: &Dataset,
    manifest: &Manifest,
) -> Result<BTreeSet<PathBuf>, PackError> {
    let mut all = BTreeSet::new();
    for dataset in [packed, again] {
        for entry in walk(dataset, Path::new(""))? {
            let path = entry.path;
            let is = |end: &str| path.extension().is_some_and(|of| of == end);
            let about = is("json") && path.starts_with(DERIVED) && manifest.program == PROGRAM;
            let table = is("tsv") && !is_raw(&path) && !is_heading(dataset, &path);
            if entry.kind == Kind::File && (table || about) {
                all.insert(path);
            }
        }
    }
    Ok(all)
}

/// Whether a table has no row: a session of which no trial was run may have it or not.
fn is_heading(dataset: &Dataset, path: &Path) -> bool {
    !path.starts_with("derivatives")
        && dataset.text(path).is_ok_and(|text| text.lines().count() < 2)
}
