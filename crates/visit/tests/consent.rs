//! Who reads, consents and is asked in which order is as the file has it; an answer that a study stops at
//! ends the session with its text, and nothing of a trial is there.

use crate::common::{dataset, lines, rows, run_open, study, who};
use chronotap_design::Ends;
use chronotap_session::{
    Announcement, Drawn, Ending, Frontend, FrontendError, Line, Prompt, Reply, Study, Wish,
};
use chronotap_visit::Session;
use tempfile::tempdir;

/// `may` are the answers that there are.
fn text(may: &str, rest: &str) -> String {
    format!(
        "task = \"t\"\nparticipants = 2\nseed = 1\ntrial = \"trial.toml\"\n\
         [factor]\ndelay = [\"0 ms\", \"5 ms\"]\n[set]\nfeedback.tone.delay = {{ factor = \"delay\" }}\n\
         [participant]\nage = {{ question = \"Age?\", number = [18, 99] }}\n\
         ears = {{ question = \"Do you hear well?\", choice = [\"yes\", \"no\"] }}\n\
         [question.consent]\ntext = \"Do you take part?\"\nchoice = {may}\n\
         [[step]]\ntext = \"Welcome.\"\n\
         [[step]]\nask = [\"consent\"]\nstop_if = {{ consent = \"no\" }}\nstop_text = \"Goodbye.\"\n\
         [[step]]\nask = \"participant\"\n{rest}\
         [[step]]\nname = \"main\"\nshuffle = \"none\"\n"
    )
}

/// Answers as it is told, and remembers what the session does.
struct Answering {
    answers: Vec<(&'static str, &'static str)>,
    did: Vec<String>,
    drawn: Drawn,
}

fn answering(answers: &[(&'static str, &'static str)]) -> Answering {
    Answering { answers: answers.to_vec(), did: Vec::new(), drawn: Drawn::new(1, "01", 1) }
}

impl Frontend for Answering {
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        self.did.push(text.to_owned());
        Ok(())
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        let given = self.answers.iter().find(|(name, _)| *name == prompt.name);
        let reply = self.drawn.ask(prompt)?;
        let answer = given.map_or(reply.answer, |(_, answer)| (*answer).to_owned());
        self.did.push(format!("{}: {answer}", prompt.name));
        Ok(Reply { answer, by: reply.by })
    }
    nobody_is_there!(drawn);
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.drawn.choose()
    }
    fn tell(&mut self, told: &Announcement<'_>) {
        match told {
            Announcement::TrialNext(next) => self.did.push(format!("trial {}", next.trial)),
            Announcement::Remark(text) => self.did.push((*text).to_owned()),
            _ => {}
        }
    }
}

/// What a session did that was to end so.
fn did_to(
    due: Ending,
    study: &Study,
    answers: &[(&'static str, &'static str)],
) -> (Vec<String>, Vec<Line>, usize) {
    let dir = tempdir().unwrap();
    let dataset = dataset(dir.path(), study);
    let mut frontend = answering(answers);
    let mut session = Session::open(study, &dataset, &who(), &mut frontend).unwrap();
    assert_eq!(run_open(&mut session, study, &mut frontend).unwrap(), due);
    let done = session.opened().done;
    drop(session);
    // The same command again has nothing to do, and shows nothing.
    let mut again = answering(&[]);
    let mut session = Session::open(study, &dataset, &who(), &mut again).unwrap();
    assert!(session.is_completed());
    assert_eq!(run_open(&mut session, study, &mut again).unwrap(), due);
    assert_eq!(
        again.did.iter().filter(|one| !one.contains("so the participation ends")).count(),
        0
    );
    (frontend.did, lines(dir.path(), study), done)
}

/// The same of one that comes to the end of its plan.
fn did(study: &Study, answers: &[(&'static str, &'static str)]) -> (Vec<String>, Vec<Line>, usize) {
    did_to(Ending::Completed, study, answers)
}

/// That an answer ended the participation.
const ENDED: Ending = Ending::Answered(Ends::Participation);

#[test]
fn texts_questions_and_what_is_asked_about_the_person_come_in_the_order_of_the_file() {
    let study = study(&text("[\"yes\", \"no\"]", ""));
    let (did, _, done) = did(&study, &[("consent", "yes"), ("age", "30"), ("ears", "yes")]);
    let expected = ["Welcome.", "consent: yes", "age: 30", "ears: yes", "trial 1", "trial 2"];
    assert_eq!((did, done), (expected.map(str::to_owned).to_vec(), 2));
}

#[test]
fn without_consent_the_session_ends_with_its_text_and_a_record() {
    let study = study(&text("[\"yes\", \"no\"]", ""));
    let (did, lines, done) = did_to(ENDED, &study, &[("consent", "no")]);
    let said = "consent was answered with \"no\", so the participation ends";
    assert_eq!(did, ["Welcome.", "consent: no", "Goodbye.", said]);
    assert_eq!(done, 0, "no trial is done");
    assert!(matches!(lines.last(), Some(Line::Completed { .. })));
    assert!(!lines.iter().any(|line| matches!(line, Line::TrialBegan(_))));
}

#[test]
fn an_answer_about_the_person_ends_the_session_too() {
    let rest = "stop_if = { ears = \"no\" }\n";
    let study = study(&text("[\"yes\", \"no\"]", rest));
    let (did, ..) = did_to(ENDED, &study, &[("consent", "yes"), ("age", "40"), ("ears", "no")]);
    let said = "ears was answered with \"no\", so the participation ends";
    let expected = [
        "Welcome.",
        "consent: yes",
        "age: 40",
        "ears: no",
        "Thank you. The session ends here.",
        said,
    ];
    assert_eq!(did, expected);
}

/// Who is rehearsed takes part wherever somebody may.
#[test]
fn simulated_participants_do_not_draw_what_ends_their_session() {
    let study = study(&text("[\"no\", \"yes\", \"nein\"]", ""));
    for label in 1..=20 {
        let mut drawn = Drawn::new(study.experiment.seed, &label.to_string(), 1);
        let question = &study.experiment.questions[0];
        let stops = ["no".to_owned(), "nein".to_owned()];
        let prompt = Prompt {
            name: "consent",
            text: "",
            answer: &question.answer,
            asks: chronotap_session::Asks::Participant,
            occasion: "once",
            avoid: chronotap_session::Avoid { stops: &stops, ..Default::default() },
        };
        assert_eq!(drawn.ask(&prompt).unwrap().answer, "yes");
    }
    let dir = tempdir().unwrap();
    crate::common::sit(&study, &dataset(dir.path(), &study)).unwrap();
    assert_eq!(rows(dir.path(), &study).len(), 2);
}

/// Who plays nothing is not asked what; who is asked may say nothing to what is optional. Tables say `n/a`
/// of both.
#[test]
fn a_question_is_asked_only_if_another_was_answered_so_and_may_be_left_out() {
    let text = "task = \"t\"\nparticipants = 2\nseed = 1\ntrial = \"trial.toml\"\n\
         [factor]\ndelay = [\"0 ms\", \"5 ms\"]\n[set]\nfeedback.tone.delay = { factor = \"delay\" }\n\
         [participant]\nplays = { question = \"Do you play?\", choice = [\"yes\", \"no\"] }\n\
         years = { question = \"For how many years?\", number = [0, 80], only_if = { plays = \"yes\" } }\n\
         email = { question = \"May we write to you?\", optional = true }\n\
         [question.noticed]\ntext = \"What did you notice?\"\nchoices = [\"sound\", \"light\", \"nothing\"]\n\
         [question.which]\ntext = \"Which sound?\"\nlines = true\nonly_if = { noticed = [\"sound\", \"sound; light\"] }\n\
         [[step]]\nname = \"main\"\nshuffle = \"none\"\n\
         [[step]]\nask = [\"noticed\", \"which\"]\n";
    let study = study(text);
    let asked = |answers: &[(&'static str, &'static str)]| -> Vec<String> {
        let (did, ..) = did(&study, answers);
        did.into_iter().filter(|one| !one.starts_with("trial")).collect()
    };
    let no = [("plays", "no"), ("email", ""), ("noticed", "light")];
    assert_eq!(asked(&no), ["plays: no", "email: ", "noticed: light"]);
    let yes = [
        ("plays", "yes"),
        ("years", "7"),
        ("email", "a@b"),
        ("noticed", "sound; light"),
        ("which", "a click\nor two"),
    ];
    let all =
        ["plays: yes", "years: 7", "email: a@b", "noticed: sound; light", "which: a click\nor two"];
    assert_eq!(asked(&yes), all);

    let dir = tempdir().unwrap();
    let dataset = dataset(dir.path(), &study);
    let mut frontend = answering(&no);
    let mut session = Session::open(&study, &dataset, &who(), &mut frontend).unwrap();
    run_open(&mut session, &study, &mut frontend).unwrap();
    let people = std::fs::read_to_string(dir.path().join("participants.tsv")).unwrap();
    let row: Vec<&str> = people.lines().nth(1).unwrap().split('\t').collect();
    let cell = |name: &str| {
        row[people.lines().next().unwrap().split('\t').position(|one| one == name).unwrap()]
    };
    assert_eq!((cell("plays"), cell("years"), cell("email")), ("no", "n/a", "n/a"));
}

/// What a participant is told of a result is what the journal keeps of it, in whole milliseconds.
#[test]
fn a_text_tells_the_participant_a_result_of_an_earlier_step() {
    let text = "task = \"t\"\nparticipants = 2\nseed = 1\ntrial = \"trial.toml\"\n\
         [[step]]\nname = \"own\"\nkeep = { tempo = \"mean interval\", hits = \"hit rate\" }\n\
         [[step]]\ntext = \"Your interval was {own.tempo}, your hits {own.hits}.\"\n";
    let study = study(text);
    let (did, lines, _) = did(&study, &[]);
    let kept = lines.iter().rev().find_map(|line| match line {
        Line::TrialEnded(ended) => Some(ended.kept.clone()),
        _ => None,
    });
    let kept = kept.unwrap();
    let tempo = format!("Your interval was {:.0} ms, your hits ", kept["tempo"] / 1e6);
    let told = did.iter().find(|one| one.starts_with("Your interval")).unwrap();
    assert!(told.starts_with(&tempo), "{told}, {kept:?}");
    let hits: f64 = told[tempo.len()..].trim_end_matches('.').parse().unwrap();
    assert!((hits - kept["hits"]).abs() < 0.006, "{told}, {kept:?}");
}
