//! A session in another language than that of the study: read in one, recorded in the other.

use crate::common::{dataset, study, who};
use chronotap_session::{
    Announcement, AnsweredBy, Dataset, Drawn, Frontend, FrontendError, Line, Prompt, Reply, Study,
    StudyError, Who, Wish, read_lines,
};
use chronotap_visit::Session;
use tempfile::tempdir;

const STUDY: &str = "task = \"t\"\nsessions = 2\ntrial = \"trial.toml\"\n\
    [participant]\nhand = { question = \"Which hand?\", choice = [\"left\", \"right\"] }\n\
    [question.liked]\ntext = \"Liked?\"\nchoice = [\"yes\", \"no\"]\n\
    [[step]]\nname = \"welcome\"\ntext = \"Welcome.\"\n\
    [[step]]\nname = \"main\"\nshuffle = \"none\"\nask = \"liked\"\n\
    [translation.de.step.welcome]\ntext = \"Willkommen.\"\n\
    [translation.de.participant]\n\
    hand = { question = \"Welche Hand?\", choice = [\"links\", \"rechts\"] }\n\
    [translation.de.question.liked]\ntext = \"Schön?\"\nchoice = [\"ja\", \"nein\"]\n";

/// Somebody who answers in German, and notes what they read.
struct German {
    drawn: Drawn,
    read: Vec<String>,
}

impl Frontend for German {
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        self.read.push(prompt.text.to_owned());
        let given = match prompt.text {
            "Welche Hand?" => "rechts",
            "Schön?" => "nein",
            _ => "no",
        };
        let answer = prompt.answer.accept(given).unwrap();
        Ok(Reply { answer, by: AnsweredBy::Person })
    }
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        self.read.push(text.trim().to_owned());
        Ok(())
    }
    fn tell(&mut self, said: &Announcement<'_>) {
        self.drawn.tell(said);
    }
    nobody_is_there!(drawn);
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.drawn.choose()
    }
}

fn german(session: u32) -> German {
    German { drawn: Drawn::new(1, "01", session), read: Vec::new() }
}

fn spoken(wanted: Option<&str>, dataset: &Dataset, session: u32) -> Study {
    study(STUDY).for_session(wanted, Some(dataset), "01", session).unwrap()
}

fn run(study: &Study, dataset: &Dataset, session: u32) -> Vec<String> {
    let mut frontend = german(session);
    let who = Who { session, ..who() };
    let mut open = Session::open(study, dataset, &who, &mut frontend).unwrap();
    crate::common::run_open(&mut open, study, &mut frontend).unwrap();
    frontend.read
}

#[test]
fn a_participant_reads_one_language_and_the_data_have_the_words_of_the_study() {
    let dir = tempdir().unwrap();
    let dataset = dataset(dir.path(), &study(STUDY));
    let read = run(&spoken(Some("de"), &dataset, 1), &dataset, 1);
    assert_eq!(read, ["Welche Hand?", "Willkommen.", "Schön?"]);
    let people = std::fs::read_to_string(dir.path().join("participants.tsv")).unwrap();
    assert!(people.contains("\tright") && !people.contains("rechts"), "{people}");
    let place = study(STUDY).place("01", 1);
    let table = std::fs::read_to_string(dir.path().join(place.table())).unwrap();
    let mut rows = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let headings = rows.next().unwrap();
    let row = rows.next().unwrap();
    let cell = |name: &str| row[headings.iter().position(|one| *one == name).unwrap()];
    assert_eq!((cell("liked"), cell("language")), ("no", "de"));
    let description = dir.path().join(place.table_description());
    let description = std::fs::read_to_string(description).unwrap();
    assert!(description.contains("Liked?") && !description.contains("Schön?"));
}

#[test]
fn a_session_that_goes_on_keeps_its_language_and_the_next_one_may_have_another() {
    let dir = tempdir().unwrap();
    let dataset = dataset(dir.path(), &study(STUDY));
    run(&spoken(Some("de"), &dataset, 1), &dataset, 1);
    assert_eq!(spoken(None, &dataset, 2).experiment.words.language, "de");
    let second = spoken(Some("en"), &dataset, 2);
    let who = Who { session: 2, ..who() };
    drop(Session::open(&second, &dataset, &who, &mut german(2)).unwrap());
    let other = study(STUDY).for_session(Some("de"), Some(&dataset), "01", 2).unwrap_err();
    let StudyError::OtherLanguage { begun, wanted } = other else { panic!("{other}") };
    assert_eq!((&*begun, &*wanted), ("en", "de"));
    let read = run(&spoken(None, &dataset, 2), &dataset, 2);
    assert_eq!(read[0], "Welcome.");
    let journal = dir.path().join(study(STUDY).place("01", 2).journal());
    let languages: Vec<String> = read_lines(&journal)
        .unwrap()
        .iter()
        .filter_map(|line| match line {
            Line::Began(began) => began.language.clone(),
            Line::Resumed { language, .. } => language.clone(),
            _ => None,
        })
        .collect();
    assert_eq!(languages, ["en", "en"]);
    let problems = chronotap_session::verify::verify(&dataset).unwrap().problems;
    assert!(problems.is_empty(), "{problems:?}");
}

#[test]
fn a_language_that_the_study_does_not_have_is_refused_with_those_that_it_has() {
    let dir = tempdir().unwrap();
    let dataset = dataset(dir.path(), &study(STUDY));
    let refused = study(STUDY).for_session(Some("fr"), Some(&dataset), "01", 1).unwrap_err();
    let StudyError::Language { language, known } = refused else { panic!("{refused}") };
    assert_eq!((language.as_str(), known), ("fr", vec!["en".to_owned(), "de".to_owned()]));
}

#[test]
fn whoever_read_a_language_that_the_study_has_no_longer_reads_no_other_unasked() {
    let dir = tempdir().unwrap();
    let dataset = dataset(dir.path(), &study(STUDY));
    run(&spoken(Some("de"), &dataset, 1), &dataset, 1);
    let french = STUDY.replace("translation.de", "translation.fr");
    let begin = |wanted| study(&french).for_session(wanted, Some(&dataset), "01", 2);
    let refused = begin(None).unwrap_err();
    assert!(matches!(&refused, StudyError::Language { language, .. } if language == "de"));
    assert_eq!(begin(Some("en")).unwrap().experiment.words.language, "en");
}
