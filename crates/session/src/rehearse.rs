//! [`rehearse`]: a whole study in virtual time, in memory alone, for power analyses and for
//! programs that want tables and no files. Plans, courses, seeds and answers are those of a
//! dataset of simulated participants, so that the tables are the same; nothing is written.

use crate::assign::Places;
use crate::course::{Next, Task};
use crate::dataset::{People, Person};
use crate::described::levels;
use crate::drawn::Drawn;
use crate::frontend::{Avoid, FrontendError};
use crate::line::{AnsweredBy, Asked, GivenAnswer, Line};
use crate::observing::{self, Coming};
use crate::outcome::{self, Judged, StaircaseSetting};
use crate::processors::on_all;
use crate::results::{self, KeptResult};
use crate::study::StudyError;
use crate::tables::OF_FIELDS as OCCASION;
use crate::who::Who;
use crate::{Course, Study, Tables, TsvTable, Visit, tables};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::tables::{SourceTable, Sources, StudySays, TablesError};
use chronotap_design::{
    Answer, AssignError, Experiment, FieldAnswers, ParticipantField, Plan, PlannedTrial, Supplied,
};
use chronotap_simulate::{Computed, Tapper, VirtualRig, Wires, WiresError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Who is to be rehearsed or simulated, and how.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    /// The labels of the participants, in order.
    pub labels: Vec<String>,
    /// Who taps, as a description; distributions between participants included.
    pub model: String,
    /// The wires of all trials.
    pub wires: Wires,
    /// The longest that a trial may last.
    pub longest: Nanos,
    /// Whether no further participant is begun once a trial was cut off there: such trials take much
    /// room on the disk, and the next participant's would be cut off, too.
    pub stops_when_cut: bool,
    /// Lateness above which the timing verdict fails; the trial file's where `None`.
    pub limit: Option<Nanos>,
}

/// Why a study cannot be rehearsed.
#[derive(Debug, thiserror::Error)]
pub enum RehearseError {
    /// The study does not give a plan or a trial.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// Participants cannot be assigned.
    #[error(transparent)]
    Between(#[from] AssignError),
    /// A trial cannot be run.
    #[error(transparent)]
    Wires(#[from] WiresError),
    /// Nobody answered, or the end was asked for.
    #[error(transparent)]
    Frontend(#[from] FrontendError),
}

/// A study that was rehearsed.
#[derive(Clone, Debug)]
pub struct Rehearsed<K> {
    /// The table of participants.
    pub people: TsvTable,
    /// Every session, by participant.
    pub sessions: Vec<RehearsedSession<K>>,
}

/// A session that was rehearsed.
#[derive(Clone, Debug)]
pub struct RehearsedSession<K> {
    /// Whose, and which.
    pub place: Visit,
    /// Its table of trials. No files are behind it, though it names them.
    pub trials: TsvTable,
    /// What was kept of its trials.
    pub kept: K,
}

/// Says that the end is asked for.
pub type RehearsalStop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Simulates a study. After each trial `keep` takes what is wanted of it; it is told the row
/// that the trial has in its session's table. It ends at the next trial where `stop` says so.
///
/// # Errors
/// The first [`RehearseError`].
pub fn rehearse<K: Default + Send>(
    study: &Study,
    rehearsal: &Rehearsal,
    stop: RehearsalStop<'_>,
    keep: impl Fn(&mut K, usize, &TrialFile, &Computed) + Sync,
) -> Result<Rehearsed<K>, RehearseError> {
    let mut sessions = Vec::new();
    let at_once = rehearsal.labels.len().max(1);
    let people = rehearse_in_parts(study, (rehearsal, stop), at_once, keep, |_, more| {
        sessions.extend(more);
        Ok::<_, RehearseError>(())
    })?;
    Ok(Rehearsed { people, sessions })
}

/// The same, of so many participants `at_once`, so that a large study is never all in memory:
/// `take` gets their sessions, and their table of participants. Gives that of all participants.
///
/// # Errors
/// The first [`RehearseError`], or what `take` refuses.
pub fn rehearse_in_parts<K: Default + Send, E: From<RehearseError>>(
    study: &Study,
    (rehearsal, stop): (&Rehearsal, RehearsalStop<'_>),
    at_once: usize,
    keep: impl Fn(&mut K, usize, &TrialFile, &Computed) + Sync,
    mut take: impl FnMut(&TsvTable, Vec<RehearsedSession<K>>) -> Result<(), E>,
) -> Result<TsvTable, E> {
    let persons = assigned(study, &rehearsal.labels)?;
    let mut all = People::none(&study.about.columns);
    for persons in persons.chunks(at_once) {
        let mut people = People::none(&study.about.columns);
        persons.iter().for_each(|person| people.add(person));
        let ran = all_of(study, (rehearsal, stop), persons, &keep);
        let sessions = gathered(&mut people, ran.into_iter())?;
        take(people.table(), sessions)?;
        all.append(&people);
    }
    Ok(all.table().clone())
}

/// What these participants did, in their order, on all processors.
fn all_of<K: Default + Send>(
    study: &Study,
    (rehearsal, stop): (&Rehearsal, RehearsalStop<'_>),
    persons: &[Person],
    keep: &(impl Fn(&mut K, usize, &TrialFile, &Computed) + Sync),
) -> Vec<Result<Ran<K>, RehearseError>> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done = Mutex::new(Vec::with_capacity(persons.len()));
    let worker = || {
        while !failed.load(Relaxed) {
            let number = next.fetch_add(1, Relaxed); // a count on its own needs no order
            let Some(person) = persons.get(number) else { return };
            let run = participant(study, (rehearsal, stop), person, keep);
            failed.fetch_or(run.is_err(), Relaxed);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, run));
        }
    };
    on_all(persons.len(), worker);
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, run)| run).collect()
}

/// The sessions of one participant, and the answers to its fields.
type Ran<K> = (Vec<RehearsedSession<K>>, Vec<GivenAnswer>);

fn gathered<K>(
    people: &mut People,
    runs: impl Iterator<Item = Result<Ran<K>, RehearseError>>,
) -> Result<Vec<RehearsedSession<K>>, RehearseError> {
    let mut sessions = Vec::new();
    for run in runs {
        let (ran, fields) = run?;
        for field in fields {
            let label = ran.first().map_or("", |session| &session.place.label);
            people.fill(label, &field.name, &field.answer);
        }
        sessions.extend(ran);
    }
    Ok(sessions)
}

/// Assigns in the order of the labels, so that threads do not decide it.
fn assigned(study: &Study, labels: &[String]) -> Result<Vec<Person>, RehearseError> {
    let mut places = Places::new(&study.experiment);
    let who = |label: &String| Who { label: label.clone(), session: 1, ..Who::default() };
    labels.iter().map(|label| Ok(places.assign(&who(label))?)).collect()
}

fn participant<K: Default>(
    study: &Study,
    (rehearsal, stop): (&Rehearsal, RehearsalStop<'_>),
    person: &Person,
    keep: &impl Fn(&mut K, usize, &TrialFile, &Computed),
) -> Result<Ran<K>, RehearseError> {
    let label = &person.label;
    let model = study.model(&rehearsal.model, label);
    let tapper = Tapper::Simulated(model);
    let mut laboratory = VirtualRig::new(&rehearsal.wires, rehearsal.longest)?;
    let (mut sessions, mut fields, mut earlier) = (Vec::new(), Vec::new(), Vec::new());
    for session in 1..=study.experiment.sessions {
        let plan = Arc::new(study.plan(person, session)?);
        let mut one = One::new(study, plan, label, session);
        one.earlier.clone_from(&earlier);
        if session == 1 {
            one.know(drawn_answers(&study.experiment, person));
        }
        let mut kept = K::default();
        one.run((rehearsal, stop), &mut laboratory, &tapper, &mut |row, file, finished| {
            keep(&mut kept, row, file, finished);
        })?;
        fields.append(&mut one.fields);
        earlier = one.results();
        sessions.push(RehearsedSession {
            place: one.place,
            trials: one.tables.trials().clone(),
            kept,
        });
    }
    Ok((sessions, fields))
}

/// One session of one participant.
struct One<'a> {
    study: &'a Study,
    plan: Arc<Plan>,
    place: Visit,
    course: Course<'a>,
    tables: Tables,
    drawn: Drawn,
    fields: Vec<GivenAnswer>,
    earlier: Vec<KeptResult>, // results of the sessions before
    said: Vec<KeptResult>,    // in place of results, the last first
}

impl<'a> One<'a> {
    fn new(study: &'a Study, plan: Arc<Plan>, label: &str, session: u32) -> One<'a> {
        let place = study.place(label, session);
        let tables = Tables::new(&place, Arc::clone(&plan), &study.about.columns);
        let course = Course::new(&study.experiment, Arc::clone(&plan));
        let drawn = Drawn::new(study.experiment.seed, label, session);
        let (fields, earlier, said) = (Vec::new(), Vec::new(), Vec::new());
        One { study, plan, place, course, tables, drawn, fields, earlier, said }
    }

    /// Does everything that the plan has; nothing waits for anybody.
    fn run(
        &mut self,
        (rehearsal, stop): (&Rehearsal, RehearsalStop<'_>),
        laboratory: &mut VirtualRig,
        tapper: &Tapper,
        keep: &mut dyn FnMut(usize, &TrialFile, &Computed),
    ) -> Result<(), RehearseError> {
        let (at, by) = (String::new, String::new);
        let mut row = 0;
        loop {
            let line = match self.course.next_task() {
                Task::Field { field } => {
                    let field = &self.study.experiment.fields[field];
                    self.answered(&field.name, &field.answer, Asked::Participant)?
                }
                Task::Question { name, asked } => {
                    let questions = &self.study.experiment.questions;
                    let question = questions.iter().find(|question| question.name == name);
                    let answer = &question.expect("a checked experiment has its questions").answer;
                    self.answered(&name, answer, asked)?
                }
                Task::Say { step, block, run, .. } => Line::Said { at: at(), step, block, run },
                Task::Rest { step, after, .. } => Line::Rested { at: at(), step, after },
                Task::Decide { step, .. } => {
                    Line::Decided { at: at(), step, go_on: true, again: false, by: by() }
                }
                Task::Trial(_) if stop() => {
                    return Err(RehearseError::Frontend(FrontendError::Interrupted));
                }
                Task::Trial(next) => {
                    let (file, finished) = self.trial(next, rehearsal, laboratory, tapper)?;
                    keep(row, &file, &finished);
                    row += 1;
                    laboratory.reuse(finished);
                    continue;
                }
                Task::Stop { .. } | Task::Nothing => return Ok(()),
            };
            self.take(&line);
        }
    }

    fn take(&mut self, line: &Line) {
        self.course.take(line);
        self.tables.take(line);
    }

    /// The answers that decided the groups.
    fn know(&mut self, answers: FieldAnswers) {
        for (name, answer) in answers {
            let (by, asked) = (AnsweredBy::Draw, Asked::Participant);
            let answered = GivenAnswer { at: String::new(), name, answer, by, asked };
            self.fields.push(answered.clone());
            self.take(&Line::Answered(answered));
        }
    }

    fn answered(
        &mut self,
        name: &str,
        answer: &Answer,
        asked: Asked,
    ) -> Result<Line, RehearseError> {
        let occasion = self.tables.occasion(asked);
        let avoid = self.course.avoided(name, asked);
        let answer = self.drawn.answer(name, &occasion, answer, avoid)?;
        let (at, name, by) = (String::new(), name.to_owned(), AnsweredBy::Draw);
        let answered = GivenAnswer { at, name, answer, by, asked };
        if asked == Asked::Participant {
            self.fields.push(answered.clone());
        }
        Ok(Line::Answered(answered))
    }

    fn trial(
        &mut self,
        next: Next,
        rehearsal: &Rehearsal,
        laboratory: &mut VirtualRig,
        tapper: &Tapper,
    ) -> Result<(Arc<TrialFile>, Computed), RehearseError> {
        let planned = tables::planned(&self.plan, next.step, next.trial);
        let planned = planned.map(|(_, trial)| trial.clone());
        let planned = planned.expect("the course names only planned trials");
        let level = next.staircase.and_then(|place| self.course.level(place));
        let file = self.file(&planned, level.as_slice())?;
        let seed = self.study.seed(&self.plan, &planned, next);
        let judged = self.staircase(next).zip(level.as_ref());
        let levels = levels(&self.plan, &planned);
        let label = &self.place.label;
        let coming =
            Coming { file: &file, planned: &planned, staircase: judged, seed, levels, label };
        let tapper = observing::tapper(self.study, tapper, &coming);
        self.take(&self.began(next, seed, level));
        let finished = laboratory.run((&file, seed, &tapper), rehearsal.limit)?;
        self.take(&self.ended(next, &file, &finished));
        Ok((file, finished))
    }

    fn file(
        &mut self,
        planned: &PlannedTrial,
        levels: &[(Vec<String>, String)],
    ) -> Result<Arc<TrialFile>, RehearseError> {
        let mut results = Vec::new();
        for wanted in results::wanted(&self.study.experiment, planned) {
            let measured = [self.tables.results(), self.earlier.clone()].concat();
            let mut value = wanted.fitting(&measured, &self.said);
            if value.is_none() {
                let line = self.answered(&wanted.name(), &wanted.answer(), Asked::Result)?;
                self.take(&line);
                self.said.splice(0..0, results::said(&[line]));
                value = wanted.fitting(&[], &self.said);
            }
            results.extend(value.map(|value| wanted.kept(value)));
        }
        Ok(self.study.trial(planned, &Supplied { results: &results, levels })?)
    }

    /// What later sessions take up, the latest first.
    fn results(&self) -> Vec<KeptResult> {
        [&self.tables.results()[..], &self.said, &self.earlier].concat()
    }

    fn began(&self, next: Next, seed: u64, level: Option<StaircaseSetting>) -> Line {
        let began = outcome::begins(next, seed, self.staircase(next), level);
        Line::TrialBegan(Box::new(began))
    }

    fn ended(&self, next: Next, file: &TrialFile, finished: &Computed) -> Line {
        let step = &self.study.experiment.steps[next.step];
        let staircase = self.staircase(next).and_then(|name| self.study.staircase(name));
        let judged = Judged { file, summary: &finished.summary, entries: &finished.entries };
        let mut ended = outcome::of(step, next.trial, staircase, &judged);
        if let (Some(place), Some(answer)) = (next.staircase, ended.answer) {
            ended.reversal = self.course.reverses(place, answer);
            ended.flags.extend(self.course.end_of_staircase(place, answer));
        }
        ended.run = next.run;
        ended.flags.push("simulated".into());
        Line::TrialEnded(Box::new(ended))
    }

    fn staircase(&self, next: Next) -> Option<&str> {
        next.staircase.and_then(|place| self.course.staircase(place))
    }
}

/// What a simulated participant answers to the fields that decide their groups.
pub fn drawn_answers(experiment: &Experiment, person: &Person) -> FieldAnswers {
    experiment.answers_of(&person.cell, draw(experiment, person)).unwrap_or_default()
}

fn draw(
    experiment: &Experiment,
    person: &Person,
) -> impl Fn(&ParticipantField, u32) -> Option<String> {
    let drawn = Drawn::new(experiment.seed, &person.label, 1);
    move |field, again| {
        let occasion = match again {
            0 => OCCASION.to_owned(),
            _ => format!("{OCCASION} {again}"),
        };
        let avoid = Avoid { excludes: &experiment.exclude, ..Avoid::default() };
        drawn.answer(&field.name, &occasion, &field.answer, avoid).ok()
    }
}

/// The tables of a rehearsal as those of a dataset are read, with the levels of factors in the order of the study.
///
/// # Errors
/// [`TablesError`] where a table lacks a column.
pub(crate) fn sources<'a>(
    study: &Study,
    people: &TsvTable,
    trials: impl Iterator<Item = &'a TsvTable>,
) -> Result<Sources, TablesError> {
    let trials: Vec<SourceTable> = trials.map(in_memory).collect();
    let mut sources = Sources::of_tables(&trials, &in_memory(people))?;
    let columns = &study.about.columns;
    let stated = |name: &String| {
        let mut all = columns.factors.iter().chain(&columns.between);
        let factor = all.find(|factor| factor.name == *name);
        factor.map_or_else(Vec::new, |factor| {
            factor.levels.iter().map(|(level, _)| level.clone()).collect()
        })
    };
    sources.stated = sources.factors.iter().map(stated).collect();
    sources.said = StudySays::of_text(&study.experiment.source).unwrap_or_default();
    Ok(sources)
}

fn in_memory(table: &TsvTable) -> SourceTable {
    let (columns, rows) = (table.columns.clone(), table.rows.clone());
    SourceTable { path: PathBuf::from("a rehearsal"), columns, rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = "\
task = \"t\"
participants = 2
seed = 1
trial = \"trial.toml\"
[staircase.late]
set = \"feedback.tone.delay\"
start = \"60 ms\"
rule = \"quest\"
width = \"60 ms\"
guess = 0.25
lapse = 0.1
between = [\"1 ms\", \"200 ms\"]
stop = \"12 trials\"
at_most = 40
correct = \"note C4\"
[[step]]
name = \"threshold\"
staircases = [\"late\"]
";
    const TRIAL: &str = "[pacing.metronome]\ninterval = \"500 ms\"\n[feedback.tone]\n\
                         duration = \"10 ms\"\n[[when]]\nbeat = 9\nend = true\n";

    /// Rehearsals took one right guess of two where the study says one of four.
    #[test]
    fn a_rehearsal_takes_guesses_and_lapses_as_the_study_says() {
        let files = vec![("trial.toml".to_owned(), TRIAL.to_owned())];
        let experiment = Experiment::parse(STUDY, "study.toml", &files).unwrap();
        let people = TsvTable::new(vec!["participant_id".to_owned()]);
        let study = Study::of(experiment).unwrap();
        let found = sources(&study, &people, std::iter::empty()).unwrap();
        assert_eq!(Some(found.said), StudySays::of_text(STUDY));
        assert_ne!(StudySays::of_text(STUDY), Some(StudySays::default()));
    }
}
