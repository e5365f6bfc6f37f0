//! A group that follows from answers is known only when the participant has given them, after welcome and
//! consent: until then nothing is assigned, and whoever declines never had a group. Ended anywhere in
//! between, the session goes on to the same group.

use crate::common::{dataset, run_open, study};
use chronotap_design::{Ends, FieldAnswers};
use chronotap_session::status::status;
use chronotap_session::verify::verify;
use chronotap_session::{
    Announcement, AnsweredBy, Asks, Attrition, Dataset, Doubt, Drawn, Ending, Frontend,
    FrontendError, Line, Person, Prompt, Reply, SessionDisk, Study, Who, Wish,
};
use chronotap_visit::{Session, SessionError};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// `before` stands before the step that asks about the person.
fn text(before: &str) -> String {
    format!(
        "task = \"t\"\nparticipants = 4\nseed = 1\ntrial = \"trial.toml\"\n\
         [between]\nhand = [\"left\", \"right\"]\n\
         group = {{ musician = \"training >= 6\", other = \"otherwise\" }}\n\
         [participant]\ntraining = {{ question = \"Years?\", number = [0, 60] }}\n\
         [question.consent]\ntext = \"Do you take part?\"\nchoice = [\"yes\", \"no\"]\n\
         [[step]]\ntext = \"Welcome.\"\n\
         [[step]]\nask = [\"consent\"]\nstop_if = {{ consent = \"no\" }}\n{before}\
         [[step]]\nask = \"participant\"\n\
         [[step]]\nname = \"main\"\n\
         [[step]]\nname = \"extra\"\ntrial = \"trial.toml\"\nonly = {{ group = \"musician\" }}\n"
    )
}

/// A person, who answers as they are told to.
struct Answering {
    answers: FieldAnswers,
    did: Vec<String>,
    drawn: Drawn,
}

impl Frontend for Answering {
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        self.did.push(text.to_owned());
        Ok(())
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        let who = if prompt.asks == Asks::Participant { "participant" } else { "experimenter" };
        let answer = self.answers[prompt.name].clone();
        self.did.push(format!("{who}: {} {answer}", prompt.name));
        Ok(Reply { answer, by: AnsweredBy::Person })
    }
    fn pause(
        &mut self,
        span: chronotap_core::time::Nanos,
        why: chronotap_session::Pause,
    ) -> Result<(), FrontendError> {
        self.drawn.pause(span, why)
    }
    fn is_attended(&self) -> bool {
        false
    }
    fn beckoned(&mut self) -> bool {
        true
    }
    fn wish(&mut self) -> Option<Wish> {
        None
    }
    fn confirm(&mut self, doubt: &Doubt) -> Result<bool, FrontendError> {
        if let Doubt::NewParticipant { groups, .. } = doubt {
            self.did.push(format!("new {groups:?}"));
        }
        Ok(true)
    }
    fn missed(
        &mut self,
        practice: &chronotap_session::NotReached,
    ) -> Result<chronotap_session::AfterPractice, FrontendError> {
        self.drawn.missed(practice)
    }
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.drawn.choose()
    }
    fn tell(&mut self, told: &Announcement<'_>) {
        match told {
            Announcement::Opened(opened) if !opened.cell.is_empty() => {
                let cell: Vec<&str> = opened.cell.iter().map(|(_, level)| &**level).collect();
                self.did.push(format!("group {}", cell.join(" ")));
            }
            Announcement::TrialNext(next) => self.did.push(format!("trial of {}", next.step)),
            _ => {}
        }
    }
}

fn answering(consent: &str, training: &str) -> Answering {
    let answers = [("consent", consent), ("training", training)];
    let answers = answers.map(|(name, answer)| (name.to_owned(), answer.to_owned())).into();
    Answering { answers, did: Vec::new(), drawn: Drawn::new(1, "01", 1) }
}

/// A real person: simulated ones have their groups beforehand.
fn who(label: &str) -> Who {
    Who { label: label.into(), simulated: None, ..crate::common::who() }
}

fn sits(
    (root, study): (&Path, &Study),
    label: &str,
    frontend: &mut Answering,
) -> Result<Ending, SessionError> {
    let dataset = dataset(root, study);
    let mut session = Session::open(study, &dataset, &who(label), frontend)?;
    run_open(&mut session, study, frontend)
}

fn person((root, study): (&Path, &Study), label: &str) -> Person {
    dataset(root, study).people(&study.about.columns).unwrap().find(label).unwrap()
}

#[test]
fn the_participant_is_asked_after_welcome_and_consent_and_then_has_a_group() {
    let (dir, study) = (tempdir().unwrap(), study(&text("")));
    let here = (dir.path(), &study);
    let mut frontend = answering("yes", "9");
    assert_eq!(sits(here, "01", &mut frontend).unwrap(), Ending::Completed);
    let Person { cell, k, waits, .. } = person(here, "01");
    assert_eq!((&*cell["group"], k, waits), ("musician", 0, false));
    let hand = &cell["hand"];
    let due = [
        "new []".to_owned(),
        "Welcome.".into(),
        "participant: consent yes".into(),
        "participant: training 9".into(),
        format!("group {hand} musician"),
        "trial of main".into(),
        "trial of extra".into(),
    ];
    assert_eq!(frontend.did, due);
    assert_eq!(verify(&dataset(dir.path(), &study)).unwrap().problems.len(), 0);
    let mut other = answering("yes", "2");
    assert_eq!(sits(here, "02", &mut other).unwrap(), Ending::Completed);
    assert!(!other.did.contains(&"trial of extra".to_owned()), "{:?}", other.did);
}

#[test]
fn who_declines_before_never_had_a_group() {
    let (dir, study) = (tempdir().unwrap(), study(&text("")));
    let here = (dir.path(), &study);
    let mut frontend = answering("no", "9");
    let ended = sits(here, "01", &mut frontend).unwrap();
    assert_eq!(ended, Ending::Answered(Ends::Participation));
    let Person { cell, waits, attrition, .. } = person(here, "01");
    assert!(cell.is_empty() && waits, "{cell:?}");
    assert_eq!(attrition, Some(Attrition::Declined));
    let table = fs::read_to_string(dir.path().join("participants.tsv")).unwrap();
    assert!(table.contains("sub-01\tn/a\tn/a\tn/a\t"), "{table}");
    let found = status(&dataset(dir.path(), &study)).unwrap();
    assert_eq!((found.cells.len(), found.began[0].k), (0, None));
    assert_eq!(verify(&dataset(dir.path(), &study)).unwrap().problems.len(), 0);
}

/// A session on a disk that takes so many operations.
fn run_on(root: &Path, study: &Study, operations: u32) -> Result<Ending, SessionError> {
    let disk = SessionDisk::that_is_full_after(operations);
    let dataset = Dataset::open_or_make(root, &study.about, true, disk)?;
    let mut frontend = answering("yes", "9");
    let mut session = Session::open(study, &dataset, &who("01"), &mut frontend)?;
    run_open(&mut session, study, &mut frontend)
}

/// Every write of the disk fails once, and the same command goes on.
#[test]
fn cut_short_anywhere_it_goes_on_to_one_group_and_one_place() {
    let study = study(&text(""));
    for operations in 0..200 {
        let dir = tempdir().unwrap();
        let here = (dir.path(), &study);
        let cut = run_on(dir.path(), &study, operations).is_err();
        assert_eq!(sits(here, "01", &mut answering("yes", "9")).unwrap(), Ending::Completed);
        let Person { cell, k, .. } = person(here, "01");
        assert_eq!((&*cell["group"], k), ("musician", 0), "after {operations}");
        let problems = verify(&dataset(dir.path(), &study)).unwrap().problems;
        assert_eq!(problems.len(), 0, "after {operations}: {problems:?}");
        if !cut {
            let lines = crate::common::lines(dir.path(), &study);
            let assigned = lines.iter().filter(|line| matches!(line, Line::Assigned(_))).count();
            assert_eq!(assigned, 1);
            return;
        }
    }
    panic!("it never came to its end");
}

#[test]
fn a_step_before_it_that_needs_the_group_has_it_asked_for_before_the_session() {
    let before = "[[step]]\ntext = \"You are a {group}.\"\n";
    let (dir, study) = (tempdir().unwrap(), study(&text(before)));
    let mut frontend = answering("yes", "9");
    sits((dir.path(), &study), "01", &mut frontend).unwrap();
    assert_eq!(frontend.did[0], "experimenter: training 9");
    assert_eq!(frontend.did[1], "new [(\"group\", \"musician\")]");
}
