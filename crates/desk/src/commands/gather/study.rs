//! A study that is rehearsed and gathered: its trials are run in virtual time and measured where
//! they end; neither events files nor tables of taps are written.

use crate::args::RehearsalArgs;
use crate::longest;
use crate::rehearsed::rehearsal;
use anyhow::{Context, Result};
use chronotap_config::trial_files::TrialFile;
use chronotap_data::exchange::{Gathering, Levels, RehearsedPart};
use chronotap_data::record::observed;
use chronotap_data::tables::names::PARTICIPANTS;
use chronotap_data::tables::{AnalysisOptions, SourceTable, TrialVerdicts, measure};
use chronotap_session::rehearse::{Rehearsal, RehearsalStop, RehearsedSession, rehearse_in_parts};
use chronotap_session::{Study, TsvTable, is_cut_off};
use chronotap_simulate::Computed;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A study and how it is rehearsed.
pub struct GatheredStudy {
    path: PathBuf,
    study: Study,
    rehearsal: Rehearsal,
}

impl GatheredStudy {
    /// Its factors.
    pub fn levels(&self) -> Levels {
        let (columns, mut levels) = (&self.study.about.columns, Levels::default());
        for factor in columns.factors.iter().chain(&columns.between) {
            levels.add(&factor.name, factor.levels.iter().map(|(level, _)| &**level));
        }
        levels
    }
}

/// So many participants are rehearsed before their taps are written: enough for all processors.
const AT_ONCE: usize = 16;

/// Reads a study; what cannot be opened or tapped is refused before anything is run.
pub fn read(path: &Path, args: &RehearsalArgs) -> Result<GatheredStudy> {
    let study = Study::read(path)
        .with_context(|| format!("{}: neither a dataset nor an experiment file", path.display()))?;
    let rehearsal = rehearsal(&study, args)?;
    Ok(GatheredStudy { path: path.to_owned(), study, rehearsal })
}

/// Rehearses it into the gathering, and says where trials were cut off at the bound. `progress` is
/// told how many trials are done.
pub fn rehearse(
    asked: &GatheredStudy,
    how: &AnalysisOptions,
    gathering: &mut Gathering<'_>,
    progress: &(dyn Fn(&str, usize) + Sync),
    stop: RehearsalStop<'_>,
) -> Result<Option<String>> {
    let (study, rehearsal) = (&asked.study, &asked.rehearsal);
    let about = json!({ "participants": rehearsal.labels.len(), "model": rehearsal.model,
        "seed": study.experiment.seed });
    let name = asked.path.display().to_string();
    let (done, cut) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let keep = |part: &mut RehearsedPart, _: usize, file: &TrialFile, finished: &Computed| {
        take(part, how, file, finished);
        cut.fetch_add(usize::from(is_cut_off(&finished.summary)), Relaxed);
        progress(&name, done.fetch_add(1, Relaxed) + 1);
    };
    let gathered: Result<()> = gathering.study(&asked.path, about, |put| {
        let people =
            rehearse_in_parts(study, (rehearsal, stop), AT_ONCE, keep, |people, sessions| {
                let people = table(PARTICIPANTS, people);
                sessions.into_iter().try_for_each(|session: RehearsedSession<RehearsedPart>| {
                    put(session.kept, &[table("the table of trials", &session.trials)], &people)
                })?;
                Ok::<_, anyhow::Error>(())
            })?;
        Ok(String::from_utf8_lossy(&people.bytes()).into_owned())
    });
    gathered?;
    let (done, cut) = (done.load(Relaxed), cut.load(Relaxed));
    Ok((cut > 0).then(|| longest::cut_off(cut, done, rehearsal.longest)))
}

/// A trial that has just ended.
fn take(part: &mut RehearsedPart, how: &AnalysisOptions, file: &TrialFile, finished: &Computed) {
    let observed = observed(&file.trial, &finished.entries, &finished.circumstances);
    part.taps.begin_trial();
    let (rows, _) = measure(part.verdicts.len(), observed, how, &mut part.taps);
    part.rows.extend(rows);
    part.verdicts.push(TrialVerdicts {
        timing: finished.summary.verdict.passed,
        data: finished.summary.data.usable,
        changed: false,
    });
}

fn table(name: &str, table: &TsvTable) -> SourceTable {
    SourceTable {
        path: PathBuf::from(name),
        columns: table.columns.clone(),
        rows: table.rows.clone(),
    }
}
