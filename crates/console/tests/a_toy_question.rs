//! A kind of question that is none of the program's, added by the steps that docs/adding.md gives:
//! what experiment files, frontends, simulated participants, tables and pages do for the kinds that there
//! are they do for this one.

use chronotap_config::trial_files::reading::Default::{Is, Not};
use chronotap_config::trial_files::reading::{Field, Key, KeyKind as Holds, Part};
use chronotap_console::{Command, CommandRefusal, PageFrontend, PageState, Role};
use chronotap_core::time::Nanos;
use chronotap_design::question::{
    Answer, AnswerForm, Meaning, QuestionKind, QuestionKinds, ReadQuestion,
};
use chronotap_design::{Experiment, Words, reference_asking};
use chronotap_linux::realtime::Interrupt;
use chronotap_session::rehearse::{Rehearsal, rehearse};
use chronotap_session::{AnsweredBy, Asks, Frontend, Prompt, Study};
use chronotap_simulate::Wires;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;

// Step 1: the kind.
#[derive(Debug, PartialEq)]
struct Stars {
    most: usize,
    colour: String,
}

static KIND: QuestionKind = QuestionKind {
    form: "stars",
    keys: &[
        Key::new("question.NAME", "stars", Holds::Count(2, 10), Not("none"))
            .means("The answer is so many stars at most, at least one.", "stars = 5"),
        Key::new("question.NAME", "colour", Holds::Text, Is("\"gold\""))
            .means("The colour of the stars.", "colour = \"silver\""),
    ],
    read: ReadQuestion::Keys(read),
    examples: || vec![Stars { most: 5, colour: "gold".into() }.into()],
};

fn read(part: &Part<'_>) -> Option<Answer> {
    let most = part.read("stars", Field::count)? as usize;
    let colour = part.read("colour", Field::text)?;
    Some(Stars { most, colour }.into())
}

impl AnswerForm for Stars {
    fn kind(&self) -> &'static QuestionKind {
        &KIND
    }

    fn accepts(&self, given: &str) -> bool {
        (1..=self.most).contains(&given.len()) && given.chars().all(|c| c == '*')
    }

    fn expected(&self, words: &Words) -> String {
        words.filled("one_of", &[("choices", &format!("* to {}", "*".repeat(self.most)))])
    }

    fn drawn(&self, number: u64) -> String {
        "*".repeat(1 + number as usize % self.most)
    }

    fn meaning(&self) -> Meaning {
        let levels = (1..=self.most).map(|n| ("*".repeat(n), format!("{n} {}", self.colour)));
        Meaning { levels: levels.collect(), ..Meaning::default() }
    }

    fn shown(&self) -> Vec<(&'static str, Value)> {
        vec![("most", json!(self.most)), ("colour", json!(self.colour))]
    }
}

// Step 2: the table.
fn kinds() -> QuestionKinds {
    QuestionKinds::standard().with(&KIND)
}

// Step 3: the drawing.
const DRAWN: &str = "stars: {colour: string, most: number},";

// Step 4: the manual.
const TOLD: &str = "stars\n    whole number, 2 to 10; default: none\n";

const TRIAL: &str = "[input.pad]\n[pacing.metronome]\ninterval = \"100 ms\"\nbeats = 5\n\
                     [[when]]\ntime = \"600 ms\"\nend = true\n";

fn text(question: &str) -> String {
    format!(
        "task = \"t\"\ntrial = \"trial.toml\"\n[factor]\nload = [\"a\", \"b\", \"c\"]\n\
         [question.liked]\ntext = \"How good?\"\n{question}\n\
         [[step]]\nname = \"main\"\nshuffle = \"all\"\nask = \"liked\"\n"
    )
}

fn parsed(text: &str) -> Result<Experiment, String> {
    let files = vec![("trial.toml".to_owned(), TRIAL.to_owned())];
    let read = Experiment::parse_asking(text, "study.toml", &files, &kinds());
    read.map_err(|problems| problems.to_string())
}

fn stars() -> Answer {
    parsed(&text("stars = 3")).unwrap().questions[0].answer.clone()
}

fn file(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap()
}

#[test]
fn the_steps_on_the_page_are_those_followed_here() {
    let said = file("docs/adding.md");
    let (_, steps) = said.split_once("## To add a kind of question").unwrap();
    let (steps, _) = steps.split_once("\n## ").unwrap();
    let numbered = steps.lines().filter_map(|line| line.split_once(". **"));
    let numbered: Vec<String> = numbered
        .map(|(number, step)| format!("// Step {number}: {}", step.split("**").next().unwrap()))
        .collect();
    let here = include_str!("a_toy_question.rs").lines();
    let here = here.filter(|line| line.starts_with("// Step "));
    assert_eq!(numbered, here.collect::<Vec<_>>());
}

#[test]
fn an_experiment_file_asks_it_and_its_mistakes_are_told_as_those_of_the_others() {
    assert_eq!(stars(), Stars { most: 3, colour: "gold".into() }.into());
    let mistake = |question: &str| parsed(&text(question)).unwrap_err();
    let found = mistake("stars = 11");
    assert!(found.contains("question.liked.stars must be a whole number, 2 to 10"), "{found}");
    assert!(mistake("stars = 3\nscale = [1, 7]").contains("gives both scale and stars"));
    assert!(mistake("colour = \"red\"").contains("has colour but no stars"));
    assert!(mistake("stasr = 3").contains("did you mean \"stars\"?"));
    let files = vec![("trial.toml".to_owned(), TRIAL.to_owned())];
    let found = Experiment::parse(&text("stars = 3"), "study.toml", &files).unwrap_err();
    assert!(found.to_string().contains("unknown key \"stars\""), "the program has no such kind");
}

#[test]
fn it_is_accepted_and_refused_in_the_words_of_the_study() {
    assert_eq!(stars().accept(" ** "), Ok("**".to_owned()));
    assert_eq!(stars().accept("****"), Err("one of * to ***".to_owned()));
}

#[test]
fn simulated_participants_answer_it_and_the_table_describes_it() {
    let study = Study::of(parsed(&text("stars = 3")).unwrap()).unwrap();
    let (inputs, outputs) = study.inputs_and_outputs();
    let rehearsal = Rehearsal {
        labels: vec!["01".into(), "02".into()],
        model: "tapper".into(),
        wires: Wires::unthrottled(&inputs, &outputs),
        longest: Nanos::from_secs(60),
        stops_when_cut: true,
        limit: None,
    };
    let rehearsed = rehearse(&study, &rehearsal, &|| false, |(): &mut (), _, _, _| {}).unwrap();
    for session in rehearsed.sessions {
        let column = session.trials.column("liked").unwrap();
        assert_eq!(session.trials.rows.len(), 3);
        for row in &session.trials.rows {
            assert!(stars().accept(row[column].as_deref().unwrap()).is_ok(), "{row:?}");
        }
    }
    let column = &study.about.columns.questions[0];
    assert_eq!(column.levels[1], ("**".to_owned(), "2 gold".to_owned()));
}

#[test]
fn a_page_is_told_its_values_and_answers_it() {
    let page_state = PageState::new();
    let interrupt = Interrupt::without_signals().unwrap();
    let mut frontend = PageFrontend::new(&page_state, BTreeMap::new(), interrupt);
    let (answer, asks) = (&stars(), Asks::Participant);
    let prompt = Prompt {
        name: "liked",
        text: "How good?",
        answer,
        asks,
        occasion: "",
        avoid: Default::default(),
    };
    let before = page_state.look(|scene| scene.turn);
    let reply = thread::scope(|scope| {
        let asked = scope.spawn(|| frontend.ask(&prompt).unwrap());
        while page_state.look(|scene| scene.turn) == before {
            thread::yield_now();
        }
        let turn = before + 1;
        let shown = page_state.look(|scene| serde_json::to_value(&scene.phase).unwrap());
        assert_eq!(shown["answer"], json!({ "form": "stars", "most": 3, "colour": "gold" }));
        let answer = |text: &str| {
            page_state.obey(Role::Participant, Command::Answer { turn, answer: text.into() })
        };
        let sentence = "Please answer with one of * to ***.".to_owned();
        assert_eq!(answer("7"), Err(CommandRefusal::Answer { sentence }));
        assert_eq!(answer("***"), Ok(()));
        asked.join().unwrap()
    });
    assert_eq!((reply.answer.as_str(), reply.by), ("***", AnsweredBy::Person));
}

/// The tests that compare page and manual with the standard table would fail here.
#[test]
fn a_kind_that_page_and_manual_lack_is_missed_there() {
    assert!(!file("crates/console/pages/answers.js").contains(DRAWN));
    let (manual, with) = (file("docs/experiment-reference.md"), reference_asking(&kinds()));
    assert!(with.contains(TOLD) && !manual.contains(TOLD));
}
