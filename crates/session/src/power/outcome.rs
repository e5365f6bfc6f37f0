//! [`rehearse_outcomes`]: what a study itself is for, and the contrasts that it plans, looked for in rehearsals exactly as `analyze` would find
//! it: whole sessions with practice, staircases, answers and trials that are done again, and of their tables the
//! outcome and contrasts that the experiment file states, or that were asked.

use super::{ContrastError, FoundByStudy, Power, PowerError, Tested};
use crate::described::with_differences;
use crate::level::factors;
use crate::outcome::is_cut_off;
use crate::rehearse::{
    Rehearsal, RehearsalStop, RehearseError, RehearsedSession, rehearse, rehearse_in_parts, sources,
};
use crate::study::Study;
use crate::table::TsvTable;
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_config::trial_files::TrialFile;
use chronotap_data::record::observed;
use chronotap_data::tables::{
    Analysis, Outcome, OutcomeFound, Sources, Stands, THRESHOLD, TrialRow, measure_values,
    outcome_of, outcomes_of, statistics_of,
};
use chronotap_design::Experiment;
use chronotap_simulate::Computed;

/// The studies, and what was looked for in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looked {
    pub sought: Vec<Sought>,
    pub found: Vec<FoundByStudy>,
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// What is compared, where anything is.
    pub called: String,
    /// Whether it is held against a value, mostly 0, which is no effect.
    pub is_effect: bool,
    /// That value.
    pub against: f64,
}

/// Whether a contrast that is asked for names what the study has.
///
/// # Errors
/// The first [`ContrastError`].
pub fn check_asked(experiment: &Experiment, asked: &Outcome) -> Result<(), ContrastError> {
    let factors = factors(experiment);
    let questions = experiment.questions.iter().map(|question| question.name.clone());
    let threshold = (!experiment.staircases.is_empty()).then(|| THRESHOLD.to_owned());
    asked.check(&questions.chain(threshold).collect::<Vec<_>>(), &factors)
}

/// Rehearses the studies, one after the other on all processors. `progress` is told how many are done; where
/// `stop` says so, those that are done are what there is.
///
/// # Errors
/// The first [`PowerError`].
pub fn rehearse_outcomes(
    study: &Study,
    outcomes: &[Outcome],
    power: &Power,
    progress: &(dyn Fn(u32) + Sync),
    stop: RehearsalStop<'_>,
) -> Result<Looked, PowerError> {
    let differences: Vec<String> = power.differences.iter().map(ToString::to_string).collect();
    let model = with_differences(&power.model, &differences, &study.experiment)?;
    let labels: Vec<String> =
        (1..=power.participants).map(|k| study.label(&k.to_string())).collect::<Result<_, _>>()?;
    let (wires, longest) = (power.wires.clone(), power.longest);
    let rehearsal = Rehearsal { labels, model, wires, longest, stops_when_cut: false, limit: None };
    let sought = |of: &Outcome| Sought { called: of.to_string(), is_effect: false, against: 0.0 };
    let sought = outcomes.iter().map(sought).collect();
    let mut looked = Looked { sought, found: Vec::new() };
    for (done, k) in (1..).zip(power.own()) {
        let seed = power.seed.wrapping_add(k.into());
        let mut experiment = study.experiment.clone();
        experiment.seed = seed;
        let study = Study::of(experiment)?;
        let rehearsed = rehearse(&study, &rehearsal, stop, keeping(outcomes));
        if stop() {
            break;
        }
        let rehearsed = rehearsed?;
        one(&mut looked, outcomes, seed, &study, &rehearsed.people, rehearsed.sessions)?;
        progress(done);
    }
    Ok(looked)
}

/// What is kept of a session: the rows of its trials, whether their data can be used, and how many were cut off.
#[derive(Clone, Debug, Default)]
struct Kept {
    rows: Vec<TrialRow>,
    usable: Vec<bool>,
    cut: usize,
}

/// Keeps of each trial what these outcomes take.
fn keeping(outcomes: &[Outcome]) -> impl Fn(&mut Kept, usize, &TrialFile, &Computed) + Sync {
    let all = statistics_of(outcomes);
    move |kept, _, file, finished| {
        let observed = observed(&file.trial, &finished.entries, &finished.circumstances);
        kept.rows.extend(measure_values(kept.usable.len(), &observed, &all));
        kept.usable.push(finished.summary.data.usable);
        kept.cut += usize::from(is_cut_off(&finished.summary));
    }
}

/// What one rehearsal of the study comes to, of each of these outcomes; `None` where no trial has a value.
///
/// # Errors
/// The first [`PowerError`].
pub fn rehearsed_outcomes(
    study: &Study,
    outcomes: &[Outcome],
    rehearsal: &Rehearsal,
) -> Result<Vec<Option<OutcomeFound>>, PowerError> {
    let rehearsed = rehearse(study, rehearsal, &|| false, keeping(outcomes))?;
    let (sources, analysis, _) = analyzed(study, &rehearsed.people, rehearsed.sessions)?;
    let of = |outcome: &Outcome| outcome_of(outcome.clone(), &sources, &analysis);
    outcomes.iter().map(|outcome| of(outcome).map_err(|_| PowerError::Nothing)).collect()
}

/// What one rehearsal of the study comes to, of all that it states, corrected for its number as in an analysis.
///
/// # Errors
/// The first [`PowerError`].
pub fn rehearsed_study(
    study: &Study,
    rehearsal: &Rehearsal,
) -> Result<Vec<OutcomeFound>, PowerError> {
    let stated = &study.experiment.outcomes;
    let rehearsed = rehearse(study, rehearsal, &|| false, keeping(stated))?;
    let (sources, analysis, _) = analyzed(study, &rehearsed.people, rehearsed.sessions)?;
    outcomes_of(stated, &sources, &analysis).map_err(|_| PowerError::Nothing)
}

/// The tables of one rehearsal of the study, with what its own outcome and contrasts take, as a report has them of
/// a dataset. `done` is told how many people have done everything; it ends at the next trial where `stop` says so.
///
/// # Errors
/// The first [`PowerError`].
pub fn rehearsed_tables(
    study: &Study,
    rehearsal: &Rehearsal,
    done: &dyn Fn(u32),
    stop: RehearsalStop<'_>,
) -> Result<(Sources, Analysis), PowerError> {
    let keep = keeping(&study.experiment.outcomes);
    let (mut sessions, mut people) = (Vec::new(), 0);
    let table = rehearse_in_parts(study, (rehearsal, stop), 1, keep, |_, more| {
        sessions.extend(more);
        people += 1;
        done(people);
        Ok::<_, RehearseError>(())
    })?;
    let (sources, analysis, _) = analyzed(study, &table, sessions)?;
    Ok((sources, analysis))
}

/// The tables of a rehearsal and what follows from its trials, and how many of them were cut off.
fn analyzed(
    study: &Study,
    people: &TsvTable,
    sessions: Vec<RehearsedSession<Kept>>,
) -> Result<(Sources, Analysis, usize), PowerError> {
    let tables = sessions.iter().map(|one| &one.trials);
    let sources = sources(study, people, tables).map_err(|_| PowerError::Nothing)?;
    let (mut analysis, mut cut, mut usable) = (Analysis::default(), 0, Vec::new());
    for mut session in sessions {
        let before = usable.len();
        session.kept.rows.iter_mut().for_each(|row| row.source += before);
        analysis.rows.append(&mut session.kept.rows);
        usable.append(&mut session.kept.usable);
        cut += session.kept.cut;
    }
    analysis.used = sources
        .trials
        .iter()
        .zip(&usable)
        .map(|(source, usable)| source.counts && *usable)
        .collect();
    Ok((sources, analysis, cut))
}

fn one(
    looked: &mut Looked,
    outcomes: &[Outcome],
    seed: u64,
    study: &Study,
    people: &TsvTable,
    sessions: Vec<RehearsedSession<Kept>>,
) -> Result<(), PowerError> {
    let (sources, analysis, cut) = analyzed(study, people, sessions)?;
    let all = outcomes_of(outcomes, &sources, &analysis).map_err(|_| PowerError::Nothing)?;
    let estimates = outcomes.iter().zip(&mut looked.sought).map(|(outcome, sought)| {
        let found = all.iter().find(|found| found.outcome == *outcome);
        let effect = found.and_then(|found| Some((found, found.effect()?)));
        let (found, effect) =
            effect.ok_or(NoEstimate::TooFew { what: "people", needed: 2, found: 0 })?;
        let holm = if outcome.stands == Stands::Planned { " (after Holm)" } else { "" };
        let (called, is_effect) = (found.what() + holm, found.is_effect());
        *sought = Sought { called, is_effect, against: found.against() };
        Ok(Tested { estimate: effect.estimate, finds: found.finds() })
    });
    let estimates = estimates.collect();
    looked.found.push(FoundByStudy { seed, estimates, trials: analysis.used.len(), cut });
    Ok(())
}
