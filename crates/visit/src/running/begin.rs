//! How a session begins: what is assigned, what is written before the first trial, and what
//! is looked at before it goes on.

use super::measured::{self, Measured};
use super::{Session, SessionError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::text::nearest;
use chronotap_core::time::wall_clock_now;
use chronotap_data::record::PROGRAM;
use chronotap_data::tables::names::PARTICIPANTS;
use chronotap_design::{DueVisit, Ends, Experiment, FieldAnswers, Plan};
use chronotap_session::{
    assign,
    attrition::Attrition,
    checksum::sha256,
    dataset::{Dataset, People, Person},
    frontend::{Announcement, Doubt, Frontend, WhyOutOfTurn},
    journal::lines_of,
    line::{Began, Line, SESSION_JOURNAL_VERSION},
    moment,
    study::Study,
    visit::Visit,
    who::Who,
};
use std::path::Path;

/// Seconds by which clocks differ without anybody having set them.
const SET_BACK_S: f64 = 60.0;

pub(super) fn refuse_withdrawn<D: AnyDisk>(
    dataset: &Dataset<D>,
    who: &Who,
) -> Result<(), SessionError> {
    match dataset.has_withdrawn(&who.label)? {
        true => Err(SessionError::Withdrawn { label: who.label.clone() }),
        false => Ok(()),
    }
}

/// Who takes a label over from somebody else would go on with their session, on a disk that does not tell
/// capital letters from small ones.
pub(super) fn refuse_alike<D: AnyDisk>(
    dataset: &Dataset<D>,
    who: &Who,
) -> Result<(), SessionError> {
    match dataset.alike(&who.label)? {
        Some(there) => Err(SessionError::Alike { label: who.label.clone(), there }),
        None => Ok(()),
    }
}

/// A journal that was renamed is still that of whoever began it.
pub(super) fn refuse_renamed(
    place: &Visit,
    study: &Study,
    began: &Began,
) -> Result<(), SessionError> {
    let due = study.place(&began.participant, began.session).journal();
    let path = place.journal();
    if due == path { Ok(()) } else { Err(SessionError::Renamed { path, due }) }
}

/// Who takes no further part begins no session. One that an answer ended has nothing left to do, and may
/// be looked at again.
pub(super) fn refuse_left<D: AnyDisk>(
    dataset: &Dataset<D>,
    place: &Visit,
) -> Result<(), SessionError> {
    let Some(how) = dataset.attrition(&place.label)? else { return Ok(()) };
    let path = place.journal();
    let is_over = how != Attrition::DroppedOut
        && dataset.has(&path)
        && !lines_of(&dataset.root().join(&path), dataset.bytes(&path))?.is_empty();
    match is_over {
        true => Ok(()),
        false => Err(SessionError::Left { label: place.label.clone(), how }),
    }
}

/// A journal of a newer version is refused before anything else is looked at or written.
pub(super) fn refuse_newer<D: AnyDisk>(
    dataset: &Dataset<D>,
    place: &Visit,
) -> Result<(), SessionError> {
    let path = place.journal();
    if dataset.has(&path) {
        lines_of(&dataset.root().join(&path), dataset.bytes(&path))?;
    }
    Ok(())
}

/// What somebody else tapped would stand as the work of this simulated participant.
pub(crate) fn refuse_other_tapper<D: AnyDisk>(
    dataset: &Dataset<D>,
    place: &Visit,
    taps: &str,
) -> Result<(), SessionError> {
    let path = place.journal();
    if !dataset.has(&path) {
        return Ok(());
    }
    let lines = lines_of(&dataset.root().join(&path), dataset.bytes(&path))?;
    let tapped = lines.first().and_then(|line| match line {
        Line::Began(began) => began.simulated.clone(),
        _ => None,
    });
    match tapped.filter(|tapped| tapped != taps) {
        Some(tapped) => Err(SessionError::OtherTapper { label: place.label.clone(), tapped }),
        None => Ok(()),
    }
}

/// The files of the study that have changed, where the experimenter goes on with them.
pub(super) fn changed_files<D: AnyDisk>(
    study: &Study,
    dataset: &Dataset<D>,
    who: &Who,
) -> Result<Vec<String>, SessionError> {
    let _lock = dataset.lock()?;
    let files = refuse_changed(study, dataset, who)?;
    dataset.keep_study(&study.about)?;
    if !dataset.has(Path::new(PARTICIPANTS)) {
        dataset.keep_people(&study.about.columns)?;
    }
    Ok(files)
}

/// The same, and nothing is kept of the study.
pub(super) fn refuse_changed<D: AnyDisk>(
    study: &Study,
    dataset: &Dataset<D>,
    who: &Who,
) -> Result<Vec<String>, SessionError> {
    let files = dataset.changed_files(&study.about)?;
    match files.is_empty() || who.changed_is_fine {
        true => Ok(files),
        false => Err(SessionError::Changed { files }),
    }
}

/// What a session that is under way began with, and the plan that it follows, also as it was
/// written.
pub(super) fn again<D: AnyDisk>(
    study: &Study,
    dataset: &Dataset<D>,
    place: &Visit,
    began: Began,
    who: &Who,
) -> Result<(Began, Plan, String), SessionError> {
    refuse_other_cell(who, &began.cell)?;
    if let Some(step) = who.from.clone() {
        return Err(SessionError::FromUnderWay { step, label: who.label.clone() });
    }
    let path = place.plan_as_json();
    let other = || {
        let path = dataset.root().join(&path).display().to_string();
        SessionError::OtherPlan { path }
    };
    let text = match dataset.has(&path) {
        true => dataset.text(&path).map_err(|_| other())?,
        false => planned_again(study, &began).ok_or_else(other)?,
    };
    let is_kept = |text: &str| sha256(text.trim_end().as_bytes()) == began.plan;
    // Behind a plan for the group that was about to be noted, the one until there still holds.
    let text = match is_kept(&text) || !began.waits {
        true => text,
        false => planned_again(study, &began).ok_or_else(other)?,
    };
    let plan: Plan = serde_json::from_str(&text).map_err(|_| other())?;
    if !is_kept(&text) {
        return Err(other());
    }
    refuse_other_steps(study, &plan, who)?;
    Ok((began, plan, text))
}

/// A plan names steps and factors by their places in the experiment file: with others there, it
/// would run these, and levels would stand under other names.
fn refuse_other_steps(study: &Study, plan: &Plan, who: &Who) -> Result<(), SessionError> {
    if plan.factors != study.experiment.factor_names() {
        let (factors, label) = (plan.factors.clone(), who.label.clone());
        return Err(SessionError::OtherFactors { factors, label });
    }
    match plan.steps.iter().find(|step| !study.has_step(step)) {
        Some(step) => {
            Err(SessionError::OtherSteps { step: step.name.clone(), label: who.label.clone() })
        }
        None => Ok(()),
    }
}

/// The plan again, as it follows from the study.
fn planned_again(study: &Study, began: &Began) -> Option<String> {
    let plan = study.plan(&began.person(), began.session).ok()?;
    Some(format!("{}\n", plan.json()))
}

/// Assigns what is to be assigned, and writes the plan.
pub(super) fn new<D: AnyDisk>(
    study: &Study,
    dataset: &Dataset<D>,
    place: &Visit,
    who: &Who,
    frontend: &mut dyn Frontend,
) -> Result<(Began, Plan, String), SessionError> {
    let (person, answers) = person(study, dataset, who, frontend)?;
    let despite = out_of_turn(study, dataset, who)?;
    if let Some(why) = &despite
        && !frontend.confirm(&Doubt::OutOfTurn(why.clone()))?
    {
        return Err(SessionError::NotBegun);
    }
    let plan = study.plan(&person, who.session)?;
    let from = who.from.as_deref().map(|step| step_of(&plan, step)).transpose()?;
    let text = format!("{}\n", plan.json());
    dataset.replace(&place.plan_as_json(), text.as_bytes())?;
    dataset.replace(&place.plan(), plan.tsv().as_bytes())?;
    let began = Began {
        version: SESSION_JOURNAL_VERSION,
        at: wall_clock_now(),
        program: PROGRAM.into(),
        participant: person.label,
        session: who.session,
        cell: person.cell,
        cell_was_named: !who.cell.is_empty(),
        k: person.k,
        plan: sha256(text.trim_end().as_bytes()),
        experiment: study.about.files.first().map_or_else(String::new, |file| file.0.clone()),
        files: study.about.checksums(),
        answers,
        simulated: who.simulated.clone(),
        by: who.by.clone(),
        from,
        language: study.language(),
        despite: despite.map(|why| why.said()),
        waits: person.waits,
        ports: who.ports.clone(),
    };
    Ok((began, plan, text))
}

/// Why the session is out of its turn; `None` where it is not, and of simulated participants, who come when
/// they are told.
pub(super) fn out_of_turn<D: AnyDisk>(
    study: &Study,
    dataset: &Dataset<D>,
    who: &Who,
) -> Result<Option<WhyOutOfTurn>, SessionError> {
    let Some(before) = who.session.checked_sub(1).filter(|n| *n > 0 && who.simulated.is_none())
    else {
        return Ok(None);
    };
    let path = study.place(&who.label, before).journal();
    if !dataset.has(&path) {
        return Ok(Some(WhyOutOfTurn::Unfinished { session: before }));
    }
    let lines = lines_of(&dataset.root().join(&path), dataset.bytes(&path))?;
    let end = lines.iter().find_map(|line| match line {
        Line::Completed { at } => Some(at.clone()),
        _ => None,
    });
    let Some(end) = end else { return Ok(Some(WhyOutOfTurn::Unfinished { session: before })) };
    let visit = study.experiment.visits.iter().find(|visit| visit.after == before);
    Ok(visit.and_then(|visit| off(visit, before, &end)))
}

/// How the present lies to the times of a visit.
fn off(visit: &DueVisit, session: u32, end: &str) -> Option<WhyOutOfTurn> {
    let since = moment::seconds_since(end)?;
    let is_to_come = |due: &String| moment::seconds_since(due).is_some_and(|since| since < 0.0);
    if let Some(due) = moment::due(visit, end).filter(is_to_come) {
        return Some(WhyOutOfTurn::Early { session, due });
    }
    let most = visit.at_most.filter(|most| since > most.as_secs_f64())?;
    Some(WhyOutOfTurn::Late { session, until: moment::later(end, most)? })
}

/// Whether [`new`] would begin a session; nothing is written.
pub(super) fn try_new<D: AnyDisk>(
    study: &Study,
    dataset: Option<&Dataset<D>>,
    who: &Who,
) -> Result<(), SessionError> {
    measured::refuse_named(&study.experiment, who)?;
    let columns = &study.about.columns;
    let mut people = dataset.map_or_else(|| Ok(People::none(columns)), |d| d.people(columns))?;
    dataset.map_or(Ok(()), |dataset| dataset.settle_attrition(&mut people))?;
    let person = match known(people.find(&who.label), who)? {
        Some(known) => known,
        None => assign::assign(&study.experiment, &people.assigned(), who)?,
    };
    let plan = study.plan(&person, who.session)?;
    who.from.as_deref().map_or(Ok(()), |step| step_of(&plan, step).map(drop))
}

/// The participant as the dataset knows them, if it does; `None` of a new one, who begins with session 1.
fn known(person: Option<Person>, who: &Who) -> Result<Option<Person>, SessionError> {
    if let Some(known) = person {
        refuse_other_cell(who, &known.cell)?;
        return match known.waits && who.session > 1 {
            true => Err(SessionError::NoFirstSession { label: who.label.clone() }),
            false => Ok(Some(known)),
        };
    }
    match who.session {
        1 => Ok(None),
        _ => Err(SessionError::NoFirstSession { label: who.label.clone() }),
    }
}

/// The step of this name in a plan, by its place in the experiment file.
fn step_of(plan: &Plan, name: &str) -> Result<usize, SessionError> {
    if let Some(step) = plan.steps.iter().find(|step| step.name == name) {
        return Ok(step.index);
    }
    let known: Vec<String> = plan.steps.iter().map(|step| step.name.clone()).collect();
    let near = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    Err(SessionError::NoStep { step: name.to_owned(), known, near })
}

/// The participant as the dataset knows them, and the answers that decided their groups; a new one
/// is assigned and written down.
fn person<D: AnyDisk>(
    study: &Study,
    dataset: &Dataset<D>,
    who: &Who,
    frontend: &mut dyn Frontend,
) -> Result<(Person, FieldAnswers), SessionError> {
    let (experiment, columns) = (&study.experiment, &study.about.columns);
    measured::refuse_named(experiment, who)?;
    let later = groups_come_later(experiment, who);
    if let Some(known) = known(dataset.person(&who.label, columns)?, who)? {
        if who.session > 1 || (later && known.waits) {
            return Ok((known, FieldAnswers::new()));
        }
        let measured = Measured::ask(experiment, &known.cell, frontend)?;
        let answers = measured.answers_of(experiment, &known)?;
        return Ok((known, answers));
    }
    let measured = match later {
        true => Measured::choose(experiment, &who.cell, frontend)?,
        false => Measured::ask(experiment, &who.cell, frontend)?,
    };
    let groups = measured.shown(experiment);
    if !frontend.confirm(&Doubt::NewParticipant { label: who.label.clone(), groups })? {
        return Err(SessionError::NotBegun);
    }
    let _lock = dataset.lock()?;
    let mut people = dataset.people(columns)?;
    dataset.settle_attrition(&mut people)?;
    let who = Who { cell: measured.levels.clone(), ..who.clone() };
    let assigned = assign::assign(experiment, &people.assigned(), &who)?;
    let person = match later {
        true => Person { label: who.label, cell: who.cell, waits: true, ..Person::default() },
        false => assigned,
    };
    people.add(&person);
    dataset.write_people(&people)?;
    let answers = match later {
        true => FieldAnswers::new(),
        false => measured.answers_of(experiment, &person)?,
    };
    Ok((person, answers))
}

/// Whether the group follows from answers that the participant gives in the session. Simulated
/// participants answer as the group has it that they were given before.
fn groups_come_later(experiment: &Experiment, who: &Who) -> bool {
    let in_session = who.session == 1 && who.simulated.is_none() && who.from.is_none();
    in_session && experiment.steps_before_groups().is_some()
}

fn refuse_other_cell(
    who: &Who,
    assigned: &std::collections::BTreeMap<String, String>,
) -> Result<(), SessionError> {
    for (factor, named) in &who.cell {
        let assigned = assigned.get(factor).cloned().unwrap_or_default();
        if assigned != *named {
            let (label, factor, named) = (who.label.clone(), factor.clone(), named.clone());
            return Err(SessionError::OtherCell { label, factor, named, assigned });
        }
    }
    Ok(())
}

impl<D: AnyDisk> Session<'_, D> {
    /// Takes in what the journal has, brings the tables up to it, and settles a trial that
    /// was cut short.
    pub(super) fn take_up(
        &mut self,
        changed: Vec<String>,
        frontend: &mut dyn Frontend,
    ) -> Result<(), SessionError> {
        self.tables.add_plan();
        for place in 0..self.journal.lines().len() {
            let line = &self.journal.lines()[place];
            self.course.take(line);
            self.tables.take(line);
        }
        self.dataset.make_folder(&self.place.beh())?;
        self.remember_ways();
        self.remove_leftovers()?;
        let has_trials = |line: &Line| matches!(line, Line::TrialBegan(_));
        if self.journal.lines().iter().any(has_trials) {
            self.describe_trials()?;
        }
        if self.resumed && !self.course.is_completed() {
            self.confirm_pause(frontend)?;
            let (at, program, by) = (wall_clock_now(), PROGRAM.to_owned(), self.by.clone());
            let version = SESSION_JOURNAL_VERSION;
            let language = self.study.language();
            let ports = self.ports.clone();
            self.record(Line::Resumed { at, program, by, changed, version, language, ports })?;
            self.settle_open_trial()?;
            self.tell_settled(frontend);
        }
        self.fill_fields()?;
        self.note_leaving()?;
        self.tables.restore(self.dataset)?;
        self.keep(frontend)
    }

    /// Notes in the table of participants that an answer ended the participation, where one did.
    pub(super) fn note_leaving(&self) -> Result<(), SessionError> {
        if self.course.stopped().is_none_or(|stopped| stopped.ends != Ends::Participation) {
            return Ok(());
        }
        self.keep_people()?;
        let _lock = self.dataset.lock()?;
        let mut people = self.dataset.people(&self.study.about.columns)?;
        let label = &self.place.label;
        if people.leave(label, self.dataset.attrition(label)?) {
            self.dataset.write_people(&people)?;
        }
        Ok(())
    }

    /// Describes the table of trials. One that never comes has no description: BIDS calls that a mistake.
    pub(super) fn describe_trials(&self) -> Result<(), SessionError> {
        self.keep_folders()?;
        let description = self.study.trials_description(self.dataset.is_simulated());
        Ok(self.dataset.replace(&self.place.table_description(), description.as_bytes())?)
    }

    /// Asks before a session goes on after a long pause.
    fn confirm_pause(&mut self, frontend: &mut dyn Frontend) -> Result<(), SessionError> {
        let since = self.journal.lines().iter().rev().find_map(Line::at).unwrap_or_default();
        if chronotap_session::moment::seconds_since(since)
            .is_some_and(|seconds| seconds < -SET_BACK_S)
        {
            frontend.tell(&Announcement::Remark(&format!(
                "The clock of this computer was set back: it reads {}, and the session was left at \
                 {since}. Set it right before you go on, for the times in the data are as it reads \
                 them; the order of trials does not depend on it.",
                wall_clock_now()
            )));
        }
        let long = self.study.experiment.ask_after;
        if chronotap_session::moment::seconds_since(since).is_some_and(|s| s > long.as_secs_f64()) {
            let doubt = Doubt::LongPause { since: since.to_owned() };
            if !frontend.confirm(&doubt)? {
                return Err(SessionError::NotBegun);
            }
        }
        Ok(())
    }

    /// Writes the answers to the participant's fields into the table of participants.
    pub(super) fn fill_fields(&self) -> Result<(), SessionError> {
        let answers: Vec<(&str, &str)> =
            chronotap_session::line::fields(self.journal.lines()).collect();
        if answers.is_empty() {
            return Ok(());
        }
        self.keep_folders()?;
        self.keep_people()?;
        let columns = &self.study.about.columns;
        Ok(self.dataset.fill_in(&self.place.label, &answers, columns)?)
    }
}
