//! [`status`]: who did what, what is missing, what failed its timing, and how the groups are
//! balanced. Nothing is written.

use crate::attrition::Attrition;
use crate::course::Task;
use crate::dataset::{Dataset, DatasetError, Person};
use crate::import::people_of;
use crate::kept::{KeptError, KeptSession, journals, unfinished_correction};
use crate::line::{Line, SessionPorts};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_design::Ends;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A dataset at a glance.
#[derive(Debug, Default, Serialize)]
pub struct Status {
    /// The title of the study.
    pub title: String,
    /// The name of its experiment file.
    #[serde(skip)]
    pub experiment: String,
    /// Participants that are planned.
    pub planned: u32,
    /// Sessions of each participant that are planned.
    pub sessions: u32,
    /// Whether nobody tapped.
    pub simulated: bool,
    /// Whether conditions are kept from the experimenter.
    #[serde(skip)]
    pub blind: bool,
    /// Every session that began.
    pub began: Vec<SessionStatus>,
    /// Who withdrew.
    pub withdrawn: Vec<String>,
    /// Who takes no further part otherwise, and how they left.
    pub left: BTreeMap<String, Attrition>,
    /// How many participants each cell has, without those who withdrew, declined or dropped out.
    pub cells: BTreeMap<String, usize>,
    /// What there is of another program's trials, where they are none of a study.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportedTrials>,
    /// What could not be read. Whoever shows it says it in words.
    #[serde(skip)]
    pub problems: Vec<KeptError>,
}

/// Trials of another program at a glance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportedTrials {
    /// Which program or format they come from.
    pub format: String,
    pub participants: usize,
    pub trials: usize,
    /// Trials whose data cannot be used.
    pub unusable: usize,
}

/// A session at a glance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SessionStatus {
    /// The participant's label.
    pub label: String,
    /// The session, from 1.
    pub session: u32,
    /// The cell and the place in squares.
    pub cell: String,
    /// The place in squares; `None` where the experimenter is blind, because it tells the order.
    pub k: Option<u32>,
    /// Whether it came to the end of its plan.
    pub complete: bool,
    /// What an answer ended, so that the rest of the plan was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ends>,
    /// Planned trials that are done.
    pub done: usize,
    /// Planned trials; steps of unknown length are not counted.
    pub planned: usize,
    /// What became of its trials.
    #[serde(flatten)]
    pub tally: Tally,
    /// Why it was out of its turn, where somebody decided to begin all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub despite: Option<String>,
    /// What comes next, or which answer ended it, in words; empty where nothing does.
    pub next: String,
    /// When it began, and when something last happened in it, in UTC.
    pub began: String,
    pub last: String,
    /// Who ran it.
    pub by: String,
    /// When the next session is due at the earliest, in UTC; `None` where the study does not say, this one is not
    /// complete, or the next has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_due: Option<String>,
    /// The ports that it had last, where somebody taps.
    #[serde(skip_serializing_if = "SessionPorts::are_none")]
    pub ports: SessionPorts,
}

/// What became of the trials of a session, every attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Trials that came to their end.
    pub trials: usize,
    /// Of these, trials whose timing failed.
    pub timing_failed: usize,
    /// Of these, trials whose data cannot be used.
    pub unusable: usize,
    /// Trials that the experimenter had run again.
    pub repeated: usize,
    /// Trials that were cut short or ended by hand.
    pub cut_short: usize,
    /// Trials that were left out.
    pub skipped: usize,
}

impl Tally {
    /// From the journal of a session.
    pub fn of(lines: &[Line]) -> Tally {
        let mut tally = Tally::default();
        for line in lines {
            match line {
                Line::TrialEnded(ended) if ended.interrupted => tally.cut_short += 1,
                Line::TrialEnded(ended) => {
                    tally.trials += 1;
                    tally.timing_failed += usize::from(!ended.timing_passed);
                    tally.unusable += usize::from(!ended.data_usable);
                }
                Line::TrialCut { .. } => tally.cut_short += 1,
                Line::Repeated { .. } => tally.repeated += 1,
                Line::Skipped { .. } => tally.skipped += 1,
                _ => {}
            }
        }
        tally
    }
}

/// Looks at a dataset.
///
/// # Errors
/// [`DatasetError`] where it cannot be read at all.
pub fn status<D: AnyDisk>(dataset: &Dataset<D>) -> Result<Status, DatasetError> {
    let mut status = Status { simulated: dataset.is_simulated(), ..Status::default() };
    status.withdrawn = dataset.withdrawn()?;
    if let Some(format) = dataset.imported_from() {
        status.title = dataset.title().unwrap_or_default();
        status.imported = Some(imported(dataset, format)?);
        return Ok(status);
    }
    let mut columns = None;
    for journal in journals(dataset)? {
        match KeptSession::read(dataset, &journal) {
            Ok(Some(kept)) => {
                let experiment = &kept.study.experiment;
                status.title.clone_from(&experiment.title);
                status.experiment.clone_from(&kept.began.experiment);
                status.blind |= experiment.blind;
                (status.planned, status.sessions) = (experiment.participants, experiment.sessions);
                if columns.is_none() {
                    columns = Some(kept.study.about.columns.clone());
                }
                status.began.push(session(&kept));
            }
            Ok(None) => {}
            Err(error) => status.problems.push(error),
        }
    }
    status.problems.extend(unfinished_correction(dataset));
    if let Some(columns) = columns {
        let mut people = dataset.people(&columns)?;
        dataset.settle_attrition(&mut people)?;
        let all = people.all();
        status.cells = cells(&all);
        let left = |person: &Person| Some((person.label.clone(), person.attrition?));
        status.left = all.iter().filter(|person| !person.withdrawn).filter_map(left).collect();
    }
    status.forget_due();
    if status.blind {
        status.hide_groups();
    }
    Ok(status)
}

fn imported<D: AnyDisk>(
    dataset: &Dataset<D>,
    format: String,
) -> Result<ImportedTrials, DatasetError> {
    let mut found = ImportedTrials { format, ..ImportedTrials::default() };
    for place in people_of(dataset)? {
        let Some(table) = dataset.table(&place.table())? else { continue };
        found.participants += 1;
        found.trials += table.rows.len();
        let unusable = table.rows.iter().filter(|row| table.cell(row, "data") == Some("unusable"));
        found.unusable += unusable.count();
    }
    Ok(found)
}

/// What stands in the place of a group that the experimenter must not know.
const HIDDEN: &str = "hidden";

impl Status {
    /// Whoever asks how far a study has come runs its next session, too. With one participant more
    /// even the sizes of the groups would tell where they are.
    fn hide_groups(&mut self) {
        self.cells.clear();
        for session in self.began.iter_mut().filter(|session| !session.cell.is_empty()) {
            session.cell = HIDDEN.into();
        }
        self.began.iter_mut().for_each(|session| session.k = None);
    }

    /// A session that has begun is due no more.
    fn forget_due(&mut self) {
        let of = |one: &SessionStatus| (one.label.clone(), one.session);
        let begun: BTreeSet<(String, u32)> = self.began.iter().map(of).collect();
        for one in &mut self.began {
            if begun.contains(&(one.label.clone(), one.session + 1)) {
                one.next_due = None;
            }
        }
    }
}

fn cells(people: &[Person]) -> BTreeMap<String, usize> {
    let mut cells = BTreeMap::new();
    for person in people.iter().filter(|person| !person.withdrawn && person.has_a_place()) {
        *cells.entry(cell(&person.cell)).or_default() += 1;
    }
    cells
}

fn cell(cell: &BTreeMap<String, String>) -> String {
    let levels: Vec<String> = cell.iter().map(|(name, level)| format!("{name}={level}")).collect();
    levels.join(" ")
}

fn session(kept: &KeptSession) -> SessionStatus {
    let course = kept.course();
    let next = course.next_task();
    let (done, planned) = course.counted();
    SessionStatus {
        label: kept.began.participant.clone(),
        session: kept.began.session,
        cell: cell(&kept.began.cell),
        k: (!kept.began.waits).then_some(kept.began.k),
        complete: course.is_completed() && course.stopped().is_none(),
        ended: course.stopped().map(|stopped| stopped.ends),
        done,
        planned,
        tally: Tally::of(&kept.lines),
        despite: kept.began.despite.clone(),
        next: match course.stopped() {
            Some(stopped) => format!("{} was answered with {}", stopped.name, stopped.answer),
            None if next == Task::Nothing && kept.began.waits => "the group".into(),
            None => words(kept, &next),
        },
        began: kept.began.at.clone(),
        last: kept.lines.iter().rev().find_map(Line::at).unwrap_or_default().to_owned(),
        by: kept.began.by.clone(),
        next_due: next_due(kept),
        ports: SessionPorts::of(&kept.lines),
    }
}

/// When the study has the next session begin at the earliest.
fn next_due(kept: &KeptSession) -> Option<String> {
    if kept.course().stopped().is_some_and(|stopped| stopped.ends == Ends::Participation) {
        return None;
    }
    let end = kept.lines.iter().find_map(|line| match line {
        Line::Completed { at } => Some(at),
        _ => None,
    })?;
    let mut visits = kept.study.experiment.visits.iter();
    let visit = visits.find(|visit| visit.after == kept.began.session)?;
    crate::moment::due(visit, end)
}

fn words(kept: &KeptSession, next: &Task) -> String {
    let name = |step: usize| kept.study.experiment.steps[step].name.clone();
    match next {
        Task::Field { .. } => "questions about the participant".into(),
        Task::Question { name, .. } => format!("question {name}"),
        Task::Say { step, .. } => format!("the text of {}", name(*step)),
        Task::Rest { step, .. } => format!("a rest in {}", name(*step)),
        Task::Trial(next) => format!("trial {} of {}", next.trial, name(next.step)),
        Task::Decide { step, .. } => format!("how {} goes on", name(*step)),
        Task::Stop { step } => format!("{} did not reach its criterion", name(*step)),
        Task::Nothing => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_has_begun_is_due_no_more() {
        let one = |label: &str, session: u32| SessionStatus {
            label: label.to_owned(),
            session,
            next_due: Some("2026-12-07T13:45:00Z".to_owned()),
            ..SessionStatus::default()
        };
        let began = vec![one("01", 1), one("01", 2), one("02", 1)];
        let mut status = Status { began, sessions: 3, ..Status::default() };
        status.forget_due();
        let due: Vec<bool> = status.began.iter().map(|one| one.next_due.is_some()).collect();
        assert_eq!(due, [false, true, true]);
    }
}
