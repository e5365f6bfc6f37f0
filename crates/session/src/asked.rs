//! What a session may ask, by the names that answers have, and whether answers that are given before it
//! begins would be taken: so that none is refused in its middle, behind trials that were run.

use crate::dataset::Person;
use crate::frontend::FrontendError;
use crate::results::wanted;
use crate::study::Study;
use chronotap_core::text::nearest;
use chronotap_design::{Answer, Doing, FieldAnswers, Origin, PlannedTrial};

/// What the experimenter says to a yes-or-no question: whether practice that missed its criterion goes on,
/// whether the tones are as they should be, whether a session begins out of its turn.
const YES_OR_NO: [&str; 6] = ["y", "yes", "go on", "n", "no", "stop"];

/// What may be answered.
enum May {
    Answer(Answer),
    /// One of these words.
    Word(Vec<String>),
    YesOrNo,
    /// A value in the place of a result of this step.
    Result,
}

impl Study {
    /// Everything that a session may ask, by the names that an answer has: fields, questions,
    /// results of earlier steps, steps of practice that may not reach their criterion, and
    /// whether the tones are as they should be (`tone`).
    pub fn asked(&self) -> Vec<String> {
        self.may_be_answered().into_iter().map(|(name, _)| name).collect()
    }

    /// Refuses an answer to what no session of this number asks, and one that would not be taken.
    ///
    /// # Errors
    /// [`FrontendError::NotAsked`] or [`FrontendError::Refused`]: the first in the order of the file.
    pub fn refuse_answers(&self, given: &FieldAnswers, session: u32) -> Result<(), FrontendError> {
        let all = self.may_be_answered();
        if let Some(name) = given.keys().find(|name| all.iter().all(|(known, _)| known != *name)) {
            let known: Vec<String> = all.into_iter().map(|(known, _)| known).collect();
            let near = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
            return Err(FrontendError::NotAsked { name: name.clone(), known, near });
        }
        for (name, may) in &all {
            let Some(given) = given.get(name) else { continue };
            self.accepted(name, may, given, session).map_err(|expected| {
                let (name, given) = (name.clone(), given.clone());
                FrontendError::Refused { name, given, expected }
            })?;
        }
        Ok(())
    }

    fn may_be_answered(&self) -> Vec<(String, May)> {
        let experiment = &self.experiment;
        let chosen = experiment.between.iter().filter(|one| one.origin == Origin::Chosen);
        let levels = |one: &chronotap_design::Factor| {
            May::Word(one.levels.iter().map(ToString::to_string).collect())
        };
        let groups = chosen.map(|one| (one.name.clone(), levels(one)));
        let answer = |name: &String, answer: &Answer| (name.clone(), May::Answer(answer.clone()));
        let fields = experiment.fields.iter().map(|field| answer(&field.name, &field.answer));
        let questions = experiment.questions.iter().map(|asked| answer(&asked.name, &asked.answer));
        let mut all: Vec<(String, May)> = groups.chain(fields).chain(questions).collect();
        for step in &experiment.steps {
            let Doing::Trials(trials) = &step.doing else { continue };
            let result = |name: &String| (format!("{}.{name}", step.name), May::Result);
            all.extend(trials.keep.iter().map(|keep| result(&keep.name)));
            all.extend(trials.practice.iter().map(|_| (step.name.clone(), May::YesOrNo)));
        }
        all.push(("tone".to_owned(), May::YesOrNo));
        all.extend((experiment.sessions > 1).then(|| ("turn".to_owned(), May::YesOrNo)));
        all
    }

    /// The error is what may be answered, in words.
    fn accepted(&self, name: &str, may: &May, given: &str, session: u32) -> Result<(), String> {
        match may {
            May::Answer(answer) => answer.accept(given).map(drop),
            May::Word(levels) if levels.iter().any(|level| level == given) => Ok(()),
            May::Word(levels) => Err(format!("one of {}", levels.join(", "))),
            May::YesOrNo if YES_OR_NO.contains(&&*given.trim().to_lowercase()) => Ok(()),
            May::YesOrNo => Err("yes or no".to_owned()),
            May::Result => self.serves(name, given, session),
        }
    }

    /// Whether a value serves in the place of a result wherever the trials of somebody take it up; of groups
    /// that differ in this, in one of them.
    fn serves(&self, name: &str, given: &str, session: u32) -> Result<(), String> {
        let mut refused = Ok(());
        for cell in 0..self.experiment.cells() {
            let cell = self.experiment.cell(cell).into_iter().collect();
            let somebody = Person { label: "1".into(), cell, ..Person::default() };
            let Ok(plan) = self.plan(&somebody, session) else { continue }; // told when it is made
            let mut trials = plan.steps.iter().flat_map(|step| &step.trials);
            match trials.try_for_each(|trial| self.serves_in(trial, name, given)) {
                Ok(()) => return Ok(()),
                Err(expected) => refused = Err(expected),
            }
        }
        refused
    }

    fn serves_in(&self, trial: &PlannedTrial, name: &str, given: &str) -> Result<(), String> {
        let mut uses = wanted(&self.experiment, trial).into_iter().filter(|one| one.name() == name);
        uses.try_for_each(|one| one.answer().accept(given).map(drop))
    }
}
