//! The results that a trial of a session takes up: those of this session, those of the
//! participant's earlier sessions, and, where one is missing or leads out of its bounds, what
//! the experimenter says in its place.

use super::{Session, SessionError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_design::{Plan, PlannedTrial, with_results};
use chronotap_session::{
    Dataset, Visit,
    frontend::Frontend,
    journal::lines_of,
    line::Asked,
    results::{KeptResult, said, wanted},
    study::Study,
    tables::Tables,
    who::Who,
};
use std::sync::Arc;

/// The results of the participant's sessions before this one, the latest first.
pub(super) fn earlier<D: AnyDisk>(
    study: &Study,
    dataset: &Dataset<D>,
    who: &Who,
) -> Result<Vec<KeptResult>, SessionError> {
    let mut found = Vec::new();
    for session in (1..who.session).rev() {
        let place = study.place(&who.label, session);
        if dataset.has(&place.journal()) {
            found.extend(of_session(study, dataset, &place)?);
        }
    }
    Ok(found)
}

fn of_session<D: AnyDisk>(
    study: &Study,
    dataset: &Dataset<D>,
    place: &Visit,
) -> Result<Vec<KeptResult>, SessionError> {
    let lines = lines_of(&dataset.root().join(place.journal()), dataset.bytes(&place.journal()))?;
    let path = dataset.root().join(place.plan_as_json());
    let text = dataset.text(&place.plan_as_json()).unwrap_or_default();
    let Ok(plan) = serde_json::from_str::<Plan>(&text) else {
        return Err(SessionError::OtherPlan { path: path.display().to_string() });
    };
    let mut tables = Tables::new(place, Arc::new(plan), &study.about.columns);
    lines.iter().for_each(|line| tables.take(line));
    Ok(tables.results().into_iter().chain(said(&lines)).collect())
}

impl<D: AnyDisk> Session<'_, D> {
    /// A text with the results that it names, those of a trial before those of its step: times in whole
    /// milliseconds. Of one that there is not there is a dash.
    pub(super) fn with_results(&self, text: &str, run: Option<u32>) -> String {
        let of_run = run.map_or(Vec::new(), |run| self.tables.results_of(run));
        let all = [of_run, self.tables.results(), self.earlier.clone()].concat();
        with_results(text, |step, name| {
            let found = all.iter().find(|kept| kept.0 == step && kept.1 == name);
            match found.map(|kept| kept.2) {
                None => "\u{2013}".to_owned(),
                Some(ns) if self.study.experiment.is_time(step, name) => {
                    format!("{:.0} ms", ns / 1e6).replace("-0 ms", "0 ms").replace('-', "\u{2212}")
                }
                Some(value) => plain(value),
            }
        })
    }

    /// The results that a trial takes up; one that is missing is asked for.
    pub(super) fn results_for(
        &mut self,
        planned: &PlannedTrial,
        frontend: &mut dyn Frontend,
    ) -> Result<Vec<KeptResult>, SessionError> {
        let mut taken: Vec<KeptResult> = Vec::new();
        for wanted in wanted(&self.study.experiment, planned) {
            let measured = [self.tables.results(), self.earlier.clone()].concat();
            let mut value = wanted.fitting(&measured, &said(self.journal.lines()));
            if value.is_none() {
                let question = wanted.question(&measured);
                self.ask(&wanted.name(), &question, &wanted.answer(), Asked::Result, frontend)?;
                value = wanted.fitting(&[], &said(self.journal.lines()));
            }
            taken.extend(value.map(|value| wanted.kept(value)));
        }
        Ok(taken)
    }
}

/// A number with at most two decimals.
fn plain(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "\u{2212}") }
}
