//! [`correct`]: what was entered about a participant was wrong. Their answers and groups are put
//! right, with the reason, and the label is kept: the plan is made anew where no trial was run, and
//! after that only a group that changes nothing of the trials can be corrected.

use crate::assign::place_for;
use crate::checksum::sha256;
use crate::dataset::{Dataset, DatasetError, Person};
use crate::held::refuse_other_levels;
use crate::journal::{OpenJournal, OpenJournalError};
use crate::kept::{KeptError, KeptSession, journals_of, unfinished_correction};
use crate::line::{Corrected, Line, fields};
use crate::study::StudyError;
use crate::tables::seal;
use crate::visit::Visit;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::text::nearest;
use chronotap_core::time::wall_clock_now;
use chronotap_data::tables::names::CORRECTION;
use chronotap_design::{Experiment, Factor, FieldAnswers, Origin, Plan};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What is to be put right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParticipantCorrection {
    /// The participant's label, padded.
    #[serde(rename = "participant")]
    pub label: String,
    /// What holds now: answers to fields of the participant, and groups that were chosen.
    pub values: FieldAnswers,
    pub reason: String,
    /// Who corrects it.
    pub by: String,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorrectionOutcome {
    /// What changed: name, what it was, what it is.
    pub changed: Vec<(String, String, String)>,
    /// Sessions that were planned anew; none where the group stays.
    pub planned: usize,
    /// Trials that had been run, and belong to another group now.
    pub trials: usize,
}

/// Why nothing was corrected.
#[derive(Debug, thiserror::Error)]
pub enum CorrectError {
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    #[error(transparent)]
    Kept(#[from] KeptError),
    #[error(transparent)]
    Journal(#[from] OpenJournalError),
    #[error(transparent)]
    Study(#[from] StudyError),
    /// Nobody has this label, or they have not begun.
    #[error("participant {label} has begun no session")]
    Nobody { label: String },
    #[error("participant {label} withdrew from this study")]
    Withdrawn { label: String },
    #[error("participant {label} has a session under way")]
    Running { label: String },
    /// Neither a field of the participant nor a group that is chosen.
    #[error("{name}: the study asks no such thing about participants")]
    Unknown {
        name: String,
        /// What can be corrected.
        known: Vec<String>,
        /// The one that was probably meant.
        near: Option<String>,
    },
    /// An answer that may not be given, or a level that there is not.
    #[error("{name}={given}: expected {expected}")]
    Refused { name: String, given: String, expected: String },
    /// The level was drawn, and nobody entered it.
    #[error("{factor}: its levels are drawn, so that nobody entered a wrong one")]
    Drawn { factor: String },
    /// The level follows from answers. Correct these.
    #[error("{factor}: it follows from the answer to {}", fields.join(" and "))]
    Follows { factor: String, fields: Vec<String> },
    /// Trials were run that the other group has differently.
    #[error(
        "participant {label} has done {trials} trials, and with {} step \"{step}\" is another",
        levels.iter().map(|(name, level)| format!("{name}={level}")).collect::<Vec<_>>().join(", ")
    )]
    Done {
        label: String,
        trials: usize,
        levels: Vec<(String, String)>,
        /// The first step that differs.
        step: String,
    },
    /// All of it stands there already.
    #[error("participant {label}: nothing of this is new")]
    Nothing { label: String },
    /// Every correction says why.
    #[error("a correction has a reason")]
    NoReason,
}

/// Puts right what was entered about somebody.
///
/// # Errors
/// [`CorrectError`]; nothing was changed then, but where the disk failed: whoever comes next goes on.
pub fn correct<D: AnyDisk>(
    dataset: &Dataset<D>,
    correction: &ParticipantCorrection,
) -> Result<CorrectionOutcome, CorrectError> {
    if let Some((finished, outcome)) = finish(dataset)?
        && finished.label == correction.label
        && finished.values == correction.values
    {
        return Ok(outcome);
    }
    put_right(dataset, correction)
}

/// The correction that was cut short, where one was.
pub(crate) fn unfinished<D: AnyDisk>(dataset: &Dataset<D>) -> Option<ParticipantCorrection> {
    serde_json::from_str(&dataset.text(Path::new(CORRECTION)).ok()?).ok()
}

/// Finishes a correction that was cut short: between its line in a journal and the table of participants
/// they differ, and the next session would follow the one and be counted by the other.
///
/// # Errors
/// [`CorrectError`], where it cannot be finished.
pub fn finish<D: AnyDisk>(
    dataset: &Dataset<D>,
) -> Result<Option<(ParticipantCorrection, CorrectionOutcome)>, CorrectError> {
    let path = Path::new(CORRECTION);
    if !dataset.has(path) {
        return Ok(None);
    }
    drop(dataset.lock()?); // whoever corrects at this moment comes to the end
    if !dataset.has(path) {
        return Ok(None);
    }
    // One that is not whole was cut short before anything else was written.
    let Some(correction) = unfinished(dataset) else {
        dataset.told(path, dataset.disk.remove(&dataset.root().join(path)))?;
        return Ok(None);
    };
    let outcome = match put_right(dataset, &correction) {
        Ok(outcome) => outcome,
        // All of it stood there already.
        Err(CorrectError::Nothing { .. }) => {
            dataset.told(path, dataset.disk.remove(&dataset.root().join(path)))?;
            CorrectionOutcome::default()
        }
        Err(error) => return Err(error),
    };
    let label = &correction.label;
    dataset.remark(format!("participant {label}: a correction that was cut short is finished"));
    Ok(Some((correction, outcome)))
}

/// The same for what concerns other things: where it cannot be finished, only that it is there is told.
pub(crate) fn finish_first<D: AnyDisk>(dataset: &Dataset<D>) -> Result<(), KeptError> {
    match finish(dataset) {
        Ok(_) => Ok(()),
        Err(_) => unfinished_correction(dataset).map_or(Ok(()), Err),
    }
}

fn put_right<D: AnyDisk>(
    dataset: &Dataset<D>,
    correction: &ParticipantCorrection,
) -> Result<CorrectionOutcome, CorrectError> {
    let label = &correction.label;
    if correction.reason.trim().is_empty() {
        return Err(CorrectError::NoReason);
    }
    if dataset.withdrawn()?.contains(label) {
        return Err(CorrectError::Withdrawn { label: label.clone() });
    }
    let nobody = || CorrectError::Nobody { label: label.clone() };
    if journals_of(dataset, label)?.is_empty() {
        return Err(nobody()); // a lock would make them a folder
    }
    let whoever = Visit { label: label.clone(), session: None, task: String::new() };
    let running = || CorrectError::Running { label: label.clone() };
    let _held = dataset.lock_participant(&whoever)?.ok_or_else(running)?;
    let _lock = dataset.lock()?;
    let sessions = sessions(dataset, label)?;
    // Of one that was cut short some tables are still those of before: they were held when it began.
    if unfinished_correction(dataset).is_none() {
        let hold = |kept: &KeptSession| refuse_other_levels(dataset, &kept.place, &kept.plan);
        sessions.iter().try_for_each(hold)?;
    }
    let first = sessions.first().ok_or_else(nobody)?;
    let columns = &first.study.about.columns;
    let mut people = dataset.people(columns)?;
    let is = people.find(label).ok_or_else(nobody)?;
    let experiment = &first.study.experiment;
    // The table is written last: what it has not yet is new, also where a journal has it.
    let had = Entered { levels: is.cell.clone(), answers: people.answers(label, experiment) };
    let corrected = Entered::new(experiment, &had, known(&sessions), correction)?;
    let new = person(&sessions, &people.assigned(), &is, &corrected)?;
    let regrouped = new.cell != is.cell;
    let plans: Vec<Option<Plan>> = match regrouped {
        true => sessions.iter().map(|kept| plan(kept, &new).map(Some)).collect::<Result<_, _>>()?,
        false => vec![None; sessions.len()],
    };
    // From here until the table is written, whoever comes next has to go on.
    let pending = serde_json::to_string(correction).unwrap_or_default();
    dataset.replace(Path::new(CORRECTION), pending.as_bytes())?;
    for (kept, plan) in sessions.iter().zip(&plans) {
        write(dataset, kept, plan.as_ref(), &new, &corrected, correction)?;
    }
    let changed = had.changes(&corrected);
    for (name, _, now) in &changed {
        people.fill(label, name, now);
    }
    people.fill(label, "k", &new.k.to_string());
    dataset.write_people(&people)?;
    let path = Path::new(CORRECTION);
    dataset.told(path, dataset.disk.remove(&dataset.root().join(path)))?;
    let (planned, trials) = if regrouped { (sessions.len(), trials(&sessions)) } else { (0, 0) };
    Ok(CorrectionOutcome { changed, planned, trials })
}

/// The sessions that somebody began, in order.
fn sessions<D: AnyDisk>(
    dataset: &Dataset<D>,
    label: &str,
) -> Result<Vec<KeptSession>, CorrectError> {
    let mut all = Vec::new();
    for journal in journals_of(dataset, label)? {
        all.extend(KeptSession::read(dataset, &journal)?);
    }
    all.sort_by_key(|kept| kept.began.session);
    Ok(all)
}

fn trials(sessions: &[KeptSession]) -> usize {
    let is_one = |line: &&Line| matches!(line, Line::TrialBegan(_));
    sessions.iter().map(|kept| kept.lines.iter().filter(is_one).count()).sum()
}

/// What is entered of somebody: levels between participants, and answers.
#[derive(Clone, Debug, Default)]
struct Entered {
    levels: FieldAnswers,
    answers: FieldAnswers,
}

/// What was answered about somebody.
fn known(sessions: &[KeptSession]) -> FieldAnswers {
    let all = sessions.iter().flat_map(|kept| fields(&kept.lines));
    all.map(|(name, answer)| (name.to_owned(), answer.to_owned())).collect()
}

impl Entered {
    /// What holds after a correction.
    fn new(
        experiment: &Experiment,
        had: &Entered,
        answers: FieldAnswers,
        correction: &ParticipantCorrection,
    ) -> Result<Entered, CorrectError> {
        let mut entered = Entered { levels: had.levels.clone(), answers };
        for (name, given) in &correction.values {
            if let Some(field) = experiment.fields.iter().find(|field| field.name == *name) {
                let refused = |expected| refused(name, given, expected);
                let answer = field.answer.accept(given).map_err(refused)?;
                entered.answers.insert(name.clone(), answer);
            } else {
                entered.levels.insert(name.clone(), level(experiment, name, given)?);
            }
        }
        let follow = experiment.levels_from(&entered.answers).into_iter();
        // Whose group is still to come gets it in their session.
        entered.levels.extend(follow.filter(|(factor, _)| had.levels.contains_key(factor)));
        match had.changes(&entered).is_empty() {
            true => Err(CorrectError::Nothing { label: correction.label.clone() }),
            false => Ok(entered),
        }
    }

    /// The answers that the journal of this session takes in: all are asked in the first.
    fn given_in(&self, correction: &ParticipantCorrection, session: u32) -> FieldAnswers {
        let given = |name: &String| Some((name.clone(), self.answers.get(name)?.clone()));
        let all = correction.values.keys().filter(|_| session == 1);
        all.filter_map(given).collect()
    }

    /// What differs: name, before, after.
    fn changes(&self, after: &Entered) -> Vec<(String, String, String)> {
        let of = |before: &FieldAnswers, after: &FieldAnswers| -> Vec<(String, String, String)> {
            let old = |name: &String| before.get(name).cloned().unwrap_or_default();
            let all = after.iter().map(|(name, now)| (name.clone(), old(name), now.clone()));
            all.filter(|(_, old, now)| old != now).collect()
        };
        [of(&self.levels, &after.levels), of(&self.answers, &after.answers)].concat()
    }
}

fn refused(name: &str, given: &str, expected: String) -> CorrectError {
    CorrectError::Refused { name: name.to_owned(), given: given.to_owned(), expected }
}

fn level(experiment: &Experiment, name: &str, given: &str) -> Result<String, CorrectError> {
    let Some(factor) = experiment.between.iter().find(|factor| factor.name == *name) else {
        return Err(unknown(experiment, name));
    };
    match &factor.origin {
        Origin::Drawn => Err(CorrectError::Drawn { factor: name.to_owned() }),
        Origin::Follows(_) => {
            let mut fields: Vec<String> = factor.origin.fields().map(str::to_owned).collect();
            fields.dedup();
            Err(CorrectError::Follows { factor: name.to_owned(), fields })
        }
        Origin::Chosen if factor.place(given).is_some() => Ok(given.to_owned()),
        Origin::Chosen => {
            let levels: Vec<String> = factor.levels.iter().map(ToString::to_string).collect();
            Err(refused(name, given, format!("one of {}", levels.join(", "))))
        }
    }
}

fn unknown(experiment: &Experiment, name: &str) -> CorrectError {
    let chosen = |factor: &&Factor| factor.origin == Origin::Chosen;
    let fields = experiment.fields.iter().map(|field| field.name.clone());
    let factors = experiment.between.iter().filter(chosen).map(|factor| factor.name.clone());
    let known: Vec<String> = factors.chain(fields).collect();
    let near = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    CorrectError::Unknown { name: name.to_owned(), known, near }
}

/// Cell and place from now on. In another cell the place is the lowest that is free there; who has
/// done trials keeps theirs, and with it the orders.
fn person(
    sessions: &[KeptSession],
    people: &[Person],
    is: &Person,
    entered: &Entered,
) -> Result<Person, CorrectError> {
    let mut new = Person { cell: entered.levels.clone(), ..is.clone() };
    if new.cell == is.cell {
        return Ok(new);
    }
    let trials = trials(sessions);
    if trials == 0 {
        let others: Vec<Person> =
            people.iter().filter(|one| one.label != is.label).cloned().collect();
        new.k = place_for(&others, &new.cell);
        return Ok(new);
    }
    for kept in sessions {
        if let Some(step) = differs(&kept.plan, &plan(kept, &new)?) {
            let levels = new.cell.clone().into_iter();
            let levels = levels.filter(|(name, level)| is.cell.get(name) != Some(level)).collect();
            return Err(CorrectError::Done { label: is.label.clone(), trials, levels, step });
        }
    }
    Ok(new)
}

/// The first step whose trials are others, but for the levels between participants.
fn differs(one: &Plan, other: &Plan) -> Option<String> {
    for (a, b) in one.steps.iter().zip(&other.steps) {
        let blocks = a.blocks.iter().map(|block| (block.block, &block.level));
        let blocks = blocks.eq(b.blocks.iter().map(|block| (block.block, &block.level)));
        let trials = a.trials.iter().map(|of| one.within(of));
        let trials = trials.eq(b.trials.iter().map(|of| other.within(of)));
        if a.index != b.index || a.name != b.name || !blocks || !trials {
            return Some(a.name.clone());
        }
    }
    let longer = one.steps.get(other.steps.len()).or(other.steps.get(one.steps.len()));
    longer.map(|step| step.name.clone())
}

fn plan(kept: &KeptSession, person: &Person) -> Result<Plan, CorrectError> {
    Ok(kept.study.plan(person, kept.began.session)?)
}

/// Writes the plan, where it is another, the line of the journal, and the tables that follow from
/// both. A plan that stays is not made again: an earlier version may have planned otherwise.
fn write<D: AnyDisk>(
    dataset: &Dataset<D>,
    kept: &KeptSession,
    plan: Option<&Plan>,
    person: &Person,
    entered: &Entered,
    correction: &ParticipantCorrection,
) -> Result<(), CorrectError> {
    let place = &kept.place;
    let path: PathBuf = place.journal();
    let mut journal = OpenJournal::open(&dataset.root().join(&path), &dataset.disk)?;
    let text = plan.map(|plan| format!("{}\n", plan.json()));
    let sum = text.as_ref().map(|text| sha256(text.trim_end().as_bytes()));
    let line = Corrected {
        at: wall_clock_now(),
        by: correction.by.clone(),
        reason: correction.reason.trim().to_owned(),
        cell: person.cell.clone(),
        k: person.k,
        plan: sum.unwrap_or_else(|| kept.began.plan.clone()),
        answers: entered.given_in(correction, kept.began.session),
    };
    if let (Some(plan), Some(text)) = (plan, text) {
        dataset.replace(&place.plan_as_json(), text.as_bytes())?;
        dataset.replace(&place.plan(), plan.tsv().as_bytes())?;
    }
    // Whoever goes on with what was cut short finds the line here already.
    let same = |known: &Corrected| Corrected { at: line.at.clone(), ..known.clone() } == line;
    let there = matches!(journal.lines().last(), Some(Line::Corrected(known)) if same(known));
    if !there {
        journal.add(&dataset.disk, Line::Corrected(Box::new(line)))?;
    }
    drop(journal);
    let Some(kept) = KeptSession::read(dataset, &path)? else { return Ok(()) };
    let mut tables = kept.tables();
    tables.restore(dataset)?;
    if kept.course().is_completed() {
        seal(&mut tables, place, dataset)?;
    }
    Ok(())
}
