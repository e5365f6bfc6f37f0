//! Answers that are given before a session begins are looked at before anything is run: each that would be
//! refused when it is asked for is refused then, and so is one to nothing.

use crate::common::study;
use chronotap_design::FieldAnswers;
use chronotap_session::FrontendError;

const STUDY: &str = "task = \"t\"\nparticipants = 2\nsessions = 2\nseed = 1\ntrial = \"trial.toml\"\n\
    [between]\nclinic = { levels = [\"patient\", \"control\"], chosen = true }\n\
    [participant]\nage = { question = \"Age?\", number = [18, 99] }\n\
    [question.effort]\ntext = \"How hard?\"\nscale = [1, 7]\n\
    [[step]]\nname = \"practice\"\ntrial = \"trial.toml\"\nuntil = { hits = 2, of = 4, within = \"40 ms\" }\n\
    at_most = 2\n\
    [[step]]\nname = \"own\"\ntrial = \"trial.toml\"\nkeep = { tempo = \"median interval\" }\n\
    [[step]]\nname = \"paced\"\ntrial = \"trial.toml\"\nask = [\"effort\"]\n\
    set.pacing.metronome.interval = { result = \"own.tempo\", times = 2, within = [\"10 ms\", \"100 ms\"] }\n";

fn given(name: &str, answer: &str) -> Result<(), FrontendError> {
    let given: FieldAnswers = [(name.to_owned(), answer.to_owned())].into();
    study(STUDY).refuse_answers(&given, 1)
}

#[test]
fn each_answer_that_would_be_refused_is_refused_beforehand() {
    let wrong = [
        ("age", "7"),
        ("effort", "11"),
        ("clinic", "visitor"),
        ("practice", "maybe"),
        ("tone", "loud"),
        ("turn", "later"),
        ("own.tempo", "70 ms"), // twice that is out of bounds
        ("own.tempo", "fast"),
    ];
    for (name, answer) in wrong {
        let refused = given(name, answer).unwrap_err();
        assert!(matches!(refused, FrontendError::Refused { .. }), "{name}={answer}: {refused}");
    }
}

#[test]
fn an_answer_to_nothing_is_refused_with_the_nearest_name() {
    let FrontendError::NotAsked { near, .. } = given("efort", "3").unwrap_err() else { panic!() };
    assert_eq!(near.as_deref(), Some("effort"));
}

#[test]
fn what_may_be_answered_is_taken() {
    let right = [
        ("age", "18"),
        ("effort", "7"),
        ("clinic", "patient"),
        ("practice", "Yes"),
        ("tone", "n"),
        ("turn", "yes"),
        ("own.tempo", "40 ms"),
    ];
    for (name, answer) in right {
        given(name, answer).unwrap_or_else(|error| panic!("{name}={answer}: {error}"));
    }
}
