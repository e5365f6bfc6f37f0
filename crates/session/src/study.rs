//! [`Study`]: an experiment, and what a session and a dataset need of it: plans, trials,
//! columns, instructions.

use crate::columns::{Column, Columns, statistics};
use crate::course::Next;
use crate::dataset::{About, Dataset, Person};
use crate::described;
use crate::difference::DifferenceError;
use crate::line;
use crate::models;
use crate::visit::Visit;
use crate::waiting;
use chronotap_config::trial_files::performers::{
    Model, POPULATIONS, ParticipantSpecError, StaircaseLevel, expanded,
};
use chronotap_config::trial_files::{Problem, Problems, TrialFile};
use chronotap_core::files::Disk;
use chronotap_design::question::Meaning;
use chronotap_design::{
    Answer, AssignError, Doing, Experiment, Factor, Files, Folder, Participant, Plan, PlanError,
    PlannedStep, PlannedTrial, RecordedFolder, Staircase, Supplied, TrialError, pictures_in,
};
use chronotap_simulate::{Tapper, TapperError};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// An experiment that can be run.
#[derive(Debug)]
pub struct Study {
    /// The study in the language in which it is shown.
    pub experiment: Experiment,
    /// The study in its own language, where that is another one: plans are made of it.
    own: Option<Box<Experiment>>,
    /// What a dataset says of it.
    pub about: About,
    trials: Vec<TrialFile>, // one of each step, to know inputs and columns
    made: Mutex<HashMap<String, Arc<TrialFile>>>,
}

/// Different trials that are kept in memory.
const MADE_AT_MOST: usize = 1_000;

/// Why an experiment does not give a plan or a trial.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The experiment file or one that it names has mistakes. Correct them.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// There is no plan. Its own error says why.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A trial cannot be made as it is planned. Its own error says why.
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// The study is not in this language.
    #[error("the study is not in the language \"{language}\"")]
    Language {
        language: String,
        /// Those that it is in, its own first.
        known: Vec<String>,
    },
    /// The session was begun in another language, and goes on in that.
    #[error("{wanted}: the session was begun in the language {begun}")]
    OtherLanguage { begun: String, wanted: String },
    /// The levels between participants that the dataset has are not those of the experiment.
    #[error("participant {label}: participants.tsv has levels that the experiment does not have")]
    Cell { label: String },
}

impl Study {
    /// Whether a text is that of an experiment file: it has steps.
    pub fn is_one(text: &str) -> bool {
        Experiment::is_one(text)
    }

    /// Reads an experiment file and all that it names.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn read(path: &Path) -> Result<Study, StudyError> {
        let mut study = Study::of(Experiment::read(path)?)?;
        let folder = Folder(path.parent().unwrap_or(Path::new("")).to_owned());
        study.about.attached = attached(&folder, &study.about.files)?;
        Ok(study)
    }

    /// The same for a session in this dataset, if there is one. A study that the dataset was begun
    /// with goes on with the names that it has, also where newer tables have columns of these names.
    ///
    /// # Errors
    /// As [`Study::read`].
    pub fn read_for<D: Disk>(
        path: &Path,
        dataset: Option<&Dataset<D>>,
    ) -> Result<Study, StudyError> {
        if !dataset.is_some_and(|dataset| dataset.was_begun_with(path)) {
            return Study::read(path);
        }
        let folder = Folder(path.parent().unwrap_or(Path::new("")).to_owned());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Study::read_from(&RecordedFolder(folder), &name)
    }

    /// The same for files that are anywhere.
    ///
    /// # Errors
    /// As [`Study::read`].
    pub fn read_from(files: &dyn Files, name: &str) -> Result<Study, StudyError> {
        let mut study = Study::of(Experiment::read_from(files, name)?)?;
        study.about.attached = attached(files, &study.about.files)?;
        Ok(study)
    }

    /// What is needed of a checked experiment.
    ///
    /// # Errors
    /// [`StudyError::Trial`].
    pub fn of(experiment: Experiment) -> Result<Study, StudyError> {
        let trials = experiment.one_of_each_step()?;
        let about = About {
            title: experiment.title.clone(),
            task: experiment.task.clone(),
            description: experiment.description.clone().unwrap_or_default(),
            instructions: instructions(&experiment),
            reference: experiment.reference.clone(),
            credits: experiment.credits.clone(),
            columns: columns(&experiment, &trials),
            coded: trials.iter().any(|file| file.trial.codes.is_some() || !file.hed.is_empty()),
            files: files(&experiment),
            attached: Vec::new(),
        };
        Ok(Study { experiment, own: None, about, trials, made: Mutex::default() })
    }

    /// The same study in one of its languages. What a dataset says of it stays in its own.
    ///
    /// # Errors
    /// [`StudyError::Language`].
    pub fn in_language(self, language: &str) -> Result<Study, StudyError> {
        match self.experiment.in_language(language) {
            Some(experiment) => {
                let own =
                    Some(Box::new(self.experiment)).filter(|own| own.words != experiment.words);
                Ok(Study {
                    experiment,
                    own,
                    about: self.about,
                    trials: self.trials,
                    made: self.made,
                })
            }
            None => {
                let known = self.experiment.languages().into_iter().map(str::to_owned).collect();
                Err(StudyError::Language { language: language.to_owned(), known })
            }
        }
    }

    /// In which language a session is: the one that is `wanted`, or else the one of the session as
    /// far as it got, or of the one before it, or the study's own.
    ///
    /// # Errors
    /// [`StudyError::Language`], also where the study has no longer that of before: whoever goes on in
    /// another one says so.
    pub fn for_session<D: Disk>(
        self,
        wanted: Option<&str>,
        dataset: Option<&Dataset<D>>,
        label: &str,
        session: u32,
    ) -> Result<Study, StudyError> {
        let before = || {
            let mut sessions = (1..=session).rev().map(|session| self.place(label, session));
            sessions.find_map(|place| line::language(&dataset?.lines(&place)?))
        };
        let begun = dataset
            .and_then(|dataset| line::language(&dataset.lines(&self.place(label, session))?));
        if let (Some(wanted), Some(begun)) = (wanted, begun)
            && wanted != begun
        {
            let (begun, wanted) = (begun, wanted.to_owned());
            return Err(StudyError::OtherLanguage { begun, wanted });
        }
        match wanted.map(str::to_owned).or_else(before) {
            Some(language) => self.in_language(&language),
            None => Ok(self),
        }
    }

    /// The language of its texts, where it has several.
    pub fn language(&self) -> Option<String> {
        self.experiment.is_translated().then(|| self.experiment.words.language.clone())
    }

    /// Where the files of a session are.
    pub fn place(&self, label: &str, session: u32) -> Visit {
        let session = (self.experiment.sessions > 1).then_some(session);
        Visit { label: label.to_owned(), session, task: self.about.task.clone() }
    }

    /// The names of all inputs and outputs of its trials, each once.
    pub fn inputs_and_outputs(&self) -> (Vec<&str>, Vec<&str>) {
        let mut names = (Vec::new(), Vec::new());
        for file in &self.trials {
            let inputs = file.trial.inputs.iter().map(|input| input.name.as_str());
            inputs.for_each(|name| add(&mut names.0, name));
            file.trial.outputs.iter().for_each(|name| add(&mut names.1, name));
        }
        names
    }

    /// A trial of each of its steps.
    pub fn trials(&self) -> &[TrialFile] {
        &self.trials
    }

    /// A label as it stands in the dataset: a number is padded.
    ///
    /// # Errors
    /// [`AssignError::Label`].
    pub fn label(&self, given: &str) -> Result<String, AssignError> {
        self.experiment.label(given)
    }

    /// The plan of a participant's session.
    ///
    /// # Errors
    /// [`StudyError::Plan`].
    pub fn plan(&self, person: &Person, session: u32) -> Result<Plan, StudyError> {
        planned(self.own.as_deref().unwrap_or(&self.experiment), person, session)
    }

    /// A plan with the texts that the participant reads, in the language of the session.
    ///
    /// # Errors
    /// As [`Study::plan`].
    pub fn shown(&self, plan: &Plan, person: &Person) -> Result<Plan, StudyError> {
        match self.own {
            Some(_) => {
                let read = planned(&self.experiment, person, plan.session)?;
                Ok(plan.clone().reading(read))
            }
            None => Ok(plan.clone()),
        }
    }

    /// Whether the step of a plan stands in the same place of the experiment file, and is of its kind.
    pub fn has_step(&self, planned: &PlannedStep) -> bool {
        let Some(step) = self.experiment.steps.get(planned.index) else { return false };
        let (trials, open) = match &step.doing {
            Doing::Trials(trials) => {
                (true, trials.practice.is_some() || !trials.staircases.is_empty())
            }
            _ => (false, false),
        };
        let fits = trials || planned.trials.is_empty();
        step.name == planned.name && fits && open == planned.open
    }

    /// The trial that the plan means, with everything that is set in it.
    ///
    /// # Errors
    /// [`StudyError::Trial`].
    pub fn trial(
        &self,
        planned: &PlannedTrial,
        known: &Supplied<'_>,
    ) -> Result<Arc<TrialFile>, StudyError> {
        let key = format!(
            "{} {:?} {:?} {:?}",
            planned.file, planned.settings, known.results, known.levels
        );
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = made.get(&key) {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(self.experiment.trial(planned, known)?);
        if made.len() >= MADE_AT_MOST {
            made.clear();
        }
        made.insert(key, Arc::clone(&file));
        Ok(file)
    }

    /// The seed of an attempt: every attempt has one of its own, unless the trial file names
    /// it for all.
    pub fn seed(&self, plan: &Plan, planned: &PlannedTrial, next: Next) -> u64 {
        let step = &self.experiment.steps[next.step];
        let same = matches!(&step.doing, Doing::Trials(trials) if trials.same_seed);
        let first = !plan.steps.iter().any(|s| s.index == next.step && s.open);
        if same || (first && next.attempt == 1) {
            return planned.seed;
        }
        let (label, session) = (&plan.participant, plan.session);
        self.experiment.trial_seed(label, session, &step.name, next.trial, next.attempt)
    }

    /// A staircase by its name.
    pub fn staircase(&self, name: &str) -> Option<&Staircase> {
        self.experiment.staircases.iter().find(|staircase| staircase.name == name)
    }

    /// The description of one simulated participant, distributions drawn.
    pub fn model(&self, model: &str, label: &str) -> String {
        models::drawn(&self.of_members(model), self.experiment.seed, label)
    }

    /// One description of a population stands for a person at the input of each member.
    fn of_members(&self, model: &str) -> String {
        let (people, differences) = model.split_at(model.find('|').unwrap_or(model.len()));
        let people = people.trim();
        let is_one = expanded(people) != people && !people.contains(';');
        if self.experiment.members.is_empty() || !is_one || people.contains("input") {
            return model.to_owned();
        }
        let of = |member: &String| format!("{people}, input = {member}");
        let all: Vec<String> = self.experiment.members.iter().map(of).collect();
        [&all.join("; "), " ", differences].concat()
    }

    /// Simulated participants where nobody says which.
    pub fn usual_model(&self) -> String {
        POPULATIONS[0].name.to_owned()
    }

    /// Whether every trial can be tapped by simulated participants of this description.
    ///
    /// # Errors
    /// [`TapperError::Model`].
    pub fn check_model(&self, model: &str) -> Result<(), TapperError> {
        let bad = |error: DifferenceError| ParticipantSpecError::BadValue {
            key: "a difference",
            value: model.to_owned(),
            expected: error.to_string(),
        };
        described::check(model, &self.experiment).map_err(bad)?;
        let model = models::in_trial(&self.model(described::model_of(model), "1"), 0);
        self.check_observer(&model)?;
        self.trials.iter().try_for_each(|file| Tapper::simulated(&model, file).map(drop))
    }

    /// Refuses an observer whose threshold is in another unit than the levels.
    fn check_observer(&self, model: &str) -> Result<(), TapperError> {
        let model = Model::from_spec(model, &[]).ok().filter(Model::is_observer);
        let Some(model) = model else { return Ok(()) };
        let Some(staircase) = of_another_unit(self, &model) else { return Ok(()) };
        let (name, is) = (&staircase.name, if staircase.timed { "a time" } else { "a number" });
        let given = [("threshold", model.observer.threshold), ("bias", model.observer.bias)];
        let other = |(_, level): &(_, Option<StaircaseLevel>)| {
            level.is_some_and(|level| level.is_time() != staircase.timed)
        };
        let (key, level) = given.into_iter().find(other).unwrap_or(given[0]);
        Err(TapperError::Model(ParticipantSpecError::BadValue {
            key,
            value: level.map_or_else(String::new, |level| level.to_string()),
            expected: format!("the level of the staircase {name} is {is}; give {is} here, too"),
        }))
    }

    /// A trial that hears all inputs until somebody ends it: to look at taps, and to wait for
    /// one. `None` where the study has no input.
    pub fn listening_trial(&self) -> Option<TrialFile> {
        let (inputs, outputs) = self.inputs_and_outputs();
        waiting::for_all_taps(&inputs, &outputs)
    }

    /// A trial with a few tones on each output, and the names of these outputs: to set the
    /// level. `None` where no stream sounds.
    pub fn tones(&self) -> Option<(TrialFile, Vec<String>)> {
        waiting::tones(&self.trials, &self.inputs_and_outputs().0)
    }

    /// The description of a session's table of trials.
    pub fn trials_description(&self, simulated: bool) -> String {
        crate::dataset::trials_description(&self.about, simulated)
    }
}

/// The plan of a participant's session.
/// Whose group is not known yet is planned up to the answers from which it follows, which is the same in
/// all groups.
fn planned(experiment: &Experiment, person: &Person, session: u32) -> Result<Plan, StudyError> {
    let is = |(name, level): &(String, String)| match person.cell.get(name) {
        Some(own) => own == level,
        None => person.waits,
    };
    let cell = (0..experiment.cells())
        .find(|cell| experiment.cell(*cell).iter().all(is))
        .ok_or_else(|| StudyError::Cell { label: person.label.clone() })?;
    let participant = Participant { label: person.label.clone(), cell, k: person.k };
    let plan = experiment.plan(&participant, session)?;
    let steps = experiment.steps_before_groups().filter(|_| person.waits);
    Ok(match steps {
        Some(steps) => plan.until(steps, &person.cell),
        None => plan,
    })
}

fn add<'a>(names: &mut Vec<&'a str>, name: &'a str) {
    if !names.contains(&name) {
        names.push(name);
    }
}

/// The experiment file first, then all it names.
fn files(experiment: &Experiment) -> Vec<(String, String)> {
    let name = Path::new(&experiment.name).file_name().unwrap_or_default();
    let itself = (name.to_string_lossy().into_owned(), experiment.source.clone());
    std::iter::once(itself).chain(experiment.files.iter().cloned()).collect()
}

/// What a run would refuse of the pictures and sounds that the texts of an experiment show.
pub fn unshown(experiment: &Experiment, beside: &dyn Files) -> Option<Problems> {
    attached(beside, &files(experiment)).err()
}

/// The pictures and sounds that the texts of a study show.
fn attached(
    files: &dyn Files,
    texts: &[(String, String)],
) -> Result<Vec<crate::dataset::Attached>, Problems> {
    let (mut all, mut problems) = (BTreeMap::new(), Vec::new());
    let shows = |place: usize, name: &str| place == 0 || !name.ends_with(".toml");
    for (_, (file, text)) in texts.iter().enumerate().filter(|(place, of)| shows(*place, &of.0)) {
        for name in pictures_in(text) {
            match files.attached(&name) {
                None => {}
                Some(Ok(bytes)) => drop(all.insert(name, Arc::from(bytes))),
                Some(Err(error)) => problems.push(Problem {
                    file: files.said(file),
                    line: line_of(text, &name),
                    column: 0,
                    message: format!("the picture or sound \"{name}\" cannot be read: {error}"),
                    cure: Some("put it beside the experiment file, or correct its name".into()),
                    nearest: None,
                }),
            }
        }
    }
    match problems.is_empty() {
        true => Ok(all.into_iter().collect()),
        false => Err(Problems::new(problems)),
    }
}

/// The line of a text that shows this picture or sound, from 1; 0 where its words go over several.
fn line_of(text: &str, name: &str) -> usize {
    let shows = |line: &str| pictures_in(line).iter().any(|shown| shown == name);
    text.lines().position(shows).map_or(0, |place| place + 1)
}

/// Every text that is shown, one after another.
fn instructions(experiment: &Experiment) -> String {
    let texts = experiment.steps.iter().flat_map(|step| {
        let blocks = match &step.doing {
            Doing::Trials(trials) => trials.blocks.as_ref().and_then(|blocks| blocks.say.as_ref()),
            _ => None,
        };
        step.say.iter().chain(blocks).map(|text| text.text.trim().to_owned())
    });
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn columns(experiment: &Experiment, trials: &[TrialFile]) -> Columns {
    let factors = experiment.all_factors().into_iter().map(|factor| {
        let between = experiment.between.contains(factor);
        let about = if between { BETWEEN } else { "Factor within participants." };
        column_of(factor, about)
    });
    let fields = experiment.fields.iter();
    let questions = experiment.questions.iter();
    Columns {
        between: experiment.between.iter().map(|factor| column_of(factor, BETWEEN)).collect(),
        fields: fields.map(|f| column_of_answer(&f.name, &f.question, &f.answer)).collect(),
        factors: factors.collect(),
        statistics: statistics(trials.iter()),
        staircases: !experiment.staircases.is_empty(),
        language: experiment.is_translated().then(|| experiment.words.language.clone()),
        questions: questions.map(|q| column_of_answer(&q.name, &q.text, &q.answer)).collect(),
    }
}

const BETWEEN: &str = "Factor between participants.";

fn column_of(factor: &Factor, about: &str) -> Column {
    let levels: Vec<String> = factor.levels.iter().map(ToString::to_string).collect();
    Column::of_levels(&factor.name, about, &levels)
}

fn column_of_answer(name: &str, question: &str, answer: &Answer) -> Column {
    let Meaning { levels, remark } = answer.meaning();
    let between = if remark.is_empty() { "" } else { " " };
    let description = format!("{question}{between}{remark}");
    Column { levels, ..Column::new(name, &description) }
}

/// The staircase whose levels are no times where the observer's threshold is one, or the other way.
fn of_another_unit<'s>(study: &'s Study, model: &Model) -> Option<&'s Staircase> {
    let given = [model.observer.threshold, model.observer.bias].into_iter().flatten();
    let is_time: Vec<bool> = given.map(StaircaseLevel::is_time).collect();
    let differs = |staircase: &&Staircase| is_time.iter().any(|time| *time != staircase.timed);
    study.experiment.staircases.iter().find(differs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(labels: &[&str]) -> Answer {
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        chronotap_design::question::ScaleForm { least: 1, greatest: 3, labels }.into()
    }

    #[test]
    fn a_scale_is_described_by_the_words_at_its_ends_or_at_each_of_its_numbers() {
        let column = |labels: &[&str]| column_of_answer("effort", "How hard?", &scale(labels));
        assert!(column(&["easy", "hard"]).description.ends_with(" (1: easy, 3: hard)"));
        let all: Vec<_> = column(&["easy", "so", "hard"]).levels.into_iter().collect();
        assert_eq!(all.len(), 3);
        assert_eq!(all[1], ("2".to_owned(), "so".to_owned()));
        assert!(column(&[]).levels.is_empty());
    }
}
