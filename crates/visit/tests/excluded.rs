//! Who gives an answer by which the study leaves people out is in no table of an analysis, with the reason, and
//! nobody who is simulated gives it. A session that was begun out of its turn is told there, too.

use crate::common::{dataset, run_open, study};
use chronotap_data::tables::{Excluded, Sources};
use chronotap_session::{
    Announcement, Drawn, Frontend, FrontendError, Prompt, Reply, Study, Who, Wish,
};
use chronotap_visit::Session;
use std::path::Path;
use tempfile::tempdir;

const STUDY: &str = "task = \"t\"\nparticipants = 8\nseed = 1\ntrial = \"trial.toml\"\n\
    [exclude]\ninattentive = \"catch != blue\"\n\"too old\" = \"age > 70\"\n\
    [participant]\nage = { question = \"Age?\", number = [18, 99] }\n\
    [question.catch]\ntext = \"Choose blue.\"\nchoice = [\"red\", \"green\", \"blue\"]\n\
    [[step]]\nname = \"main\"\ntrial = \"trial.toml\"\nask = \"catch\"\n";

/// Answers with this age and these colours, one after another.
struct Answering {
    age: &'static str,
    catch: Vec<&'static str>,
    drawn: Drawn,
}

impl Frontend for Answering {
    fn show_text(&mut self, _: &str) -> Result<(), FrontendError> {
        Ok(())
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        let by = self.drawn.ask(prompt)?.by;
        let answer = match prompt.name {
            "age" => self.age,
            _ => self.catch.pop().unwrap_or("blue"),
        };
        Ok(Reply { answer: answer.into(), by })
    }
    nobody_is_there!(drawn);
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.drawn.choose()
    }
    fn tell(&mut self, _: &Announcement<'_>) {}
}

fn sits(root: &Path, study: &Study, label: &str, (age, catch): (&'static str, &'static str)) {
    let dataset = dataset(root, study);
    let who = Who { label: label.into(), ..crate::common::who() };
    let drawn = Drawn::new(1, label, 1);
    let mut frontend = Answering { age, catch: vec![catch], drawn };
    let mut session = Session::open(study, &dataset, &who, &mut frontend).unwrap();
    run_open(&mut session, study, &mut frontend).unwrap();
}

#[test]
fn who_answers_so_is_left_out_with_the_first_reason_that_holds() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path();
    for (label, answers) in [
        ("01", ("30", "blue")),
        ("02", ("30", "red")),
        ("03", ("80", "blue")),
        ("04", ("80", "green")),
        ("05", ("70", "blue")),
    ] {
        sits(root, &study, label, answers);
    }
    let sources = Sources::find(&[root.to_owned()]).unwrap();
    let left: Vec<_> =
        sources.trials.iter().map(|trial| trial.participant.clone().unwrap()).collect();
    assert_eq!(left, ["01", "05"]);
    let due = [("02", "inattentive"), ("03", "too old"), ("04", "inattentive")];
    let due = due.map(|(label, reason)| (label.to_owned(), reason.to_owned())).into();
    assert_eq!(sources.excluded, Excluded { people: due });
    assert_eq!(Excluded::of_dataset(root).unwrap(), sources.excluded);
    let said = sources.left_out().unwrap();
    assert!(said.contains("3 participants") && said.contains("inattentive (02, 04)"), "{said}");
    // The same of single files of the dataset.
    let files: Vec<_> = sources
        .excluded
        .people
        .keys()
        .map(|label| root.join(study.place(label, 1).events(1)))
        .collect();
    assert!(Sources::find(&files).is_err(), "all are left out");
}

#[test]
fn nobody_who_is_simulated_is_left_out() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    for label in 1..=12 {
        let label = format!("{label:02}");
        let dataset = dataset(dir.path(), &study);
        let who = Who { label: label.clone(), ..crate::common::who() };
        let mut drawn = Drawn::new(study.experiment.seed, &label, 1);
        let mut session = Session::open(&study, &dataset, &who, &mut drawn).unwrap();
        run_open(&mut session, &study, &mut drawn).unwrap();
    }
    assert_eq!(Excluded::of_dataset(dir.path()).unwrap(), Excluded::default());
}
