//! What participants read besides the texts of a study: its language and its words.

use crate::kit::{mistakes, study};
use chronotap_design::{Experiment, Words};
use std::path::Path;

const STEP: &str = "[[step]]\nname = \"main\"\ntrial = \"sync.toml\"\n";

fn with(top: &str, words: &str) -> String {
    format!("{top}{STEP}\n[words]\n{words}")
}

#[test]
fn words_that_are_not_given_are_english() {
    let english = study(STEP).words;
    assert_eq!(english, Words::default());
    assert_eq!((english.language.as_str(), english.get("go_on")), ("en", "Go on"));
    let own = study(&with("", "go_on = \"Next\"\n")).words;
    assert_eq!((own.get("go_on"), own.get("wait")), ("Next", "Please wait a moment."));
}

#[test]
fn a_word_that_nobody_knows_is_told_with_the_one_that_was_meant() {
    let found = mistakes(&with("", "goon = \"Next\"\n"));
    assert!(found.contains("\"goon\"") && found.contains("did you mean \"go_on\"?"), "{found}");
}

#[test]
fn what_is_filled_in_must_stand_in_a_text_and_nothing_else() {
    let found = mistakes(&with("", "number = \"eine Zahl\"\n"));
    assert!(found.contains("words.number lacks {least}"), "{found}");
    let found = mistakes(&with("", "wait = \"Moment, {name}\"\n"));
    assert!(found.contains("{name}, which nothing fills in; leave the braces out"), "{found}");
    let found = mistakes(&with("", "wait = \" \"\n"));
    assert!(found.contains("words.wait is empty"), "{found}");
}

#[test]
fn a_language_is_one_of_web_pages_and_should_have_all_its_words() {
    let found = mistakes(&with("language = \"German, of course\"\n", "go_on = \"Weiter\"\n"));
    assert!(found.contains("language must be a language as in web pages"), "{found}");
    let half = study(&with("language = \"pt-BR\"\n", "go_on = \"Continuar\"\n"));
    assert!(half.warnings[0].contains("[words] lacks or_press_a_pad"), "{:?}", half.warnings);
    assert!(study(&format!("language = \"en-GB\"\n{STEP}")).warnings.is_empty());
}

#[test]
fn the_example_has_every_word_in_its_language() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let german = Experiment::read(&examples.join("german-study/study.toml"));
    let german = german.unwrap_or_else(|problems| panic!("{problems}"));
    assert!(german.warnings.is_empty(), "{:?}", german.warnings);
    assert_eq!((german.words.language.as_str(), german.words.get("go_on")), ("de", "Weiter"));
    let expected = german.questions[0].answer.expected_in(&german.words);
    assert_eq!(expected, "eine ganze Zahl von 1 (sehr leicht) bis 7 (sehr schwer)");
}
