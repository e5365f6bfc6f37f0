//! What `check` doubts of a study: factors that nothing uses, and practice that no trial can pass.

use crate::kit::{SYNC, study};
use chronotap_design::Experiment;

/// Two factors; `tempo` sets the interval, and `rest` is what the file has besides.
fn text(rest: &str) -> String {
    format!(
        "trial = \"sync.toml\"\n[factor]\ntempo = [\"400 ms\", \"600 ms\"]\n\
         load = [\"low\", \"high\"]\n[set]\npacing.metronome.interval = {{ factor = \"tempo\" }}\n{rest}"
    )
}

const MAIN: &str = "[[step]]\nname = \"main\"\nshuffle = \"all\"\n";

fn warnings(text: &str, about: &str) -> usize {
    study(text).warnings.iter().filter(|warning| warning.contains(about)).count()
}

#[test]
fn a_factor_that_nothing_uses_is_told_and_one_that_anything_uses_is_not() {
    let unused = "nothing uses the factor load";
    assert_eq!(warnings(&text(MAIN), unused), 1);
    let limited = format!("{MAIN}only = {{ load = \"low\" }}\n");
    let blocks = "[[step]]\nname = \"main\"\nblock = { by = \"load\", order = \"latin\" }\nshuffle = \"all\"\n";
    for rest in [limited.as_str(), blocks] {
        assert_eq!(warnings(&text(rest), unused), 0, "{rest}");
    }
    let set = "feedback.tone.delay = { factor = \"load\" }\n";
    let set = text(&format!("{set}{MAIN}")).replace("\"low\", \"high\"", "\"0 ms\", \"9 ms\"");
    assert_eq!(warnings(&set, unused), 0);
}

#[test]
fn a_group_that_is_drawn_and_does_nothing_is_told_and_one_that_was_there_before_is_not() {
    let group = |between: &str| text(&format!("[between]\n{between}\n{MAIN}"));
    let unused = "nothing uses the factor hand";
    assert_eq!(warnings(&group("hand = [\"left\", \"right\"]"), unused), 1);
    let chosen = "hand = { levels = [\"left\", \"right\"], chosen = true }";
    assert_eq!(warnings(&group(chosen), unused), 0);
}

#[test]
fn a_picture_that_no_page_shows_is_told_with_its_line() {
    let text = "trial = \"sync.toml\"\n[[step]]\nsay = \"hello.md\"\n[[step]]\nname = \"main\"\n";
    let with = |hello: &str| {
        let files = [("sync.toml", SYNC), ("hello.md", hello)];
        let files: Vec<_> = files.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        Experiment::parse(text, "study.toml", &files).unwrap().warnings
    };
    assert_eq!(with("Tap.\n\n![a pad](pad.png)\n"), [""; 0]);
    for shown in ["![a pad](https://x.org/pad.png)", "![a pad](/home/pad.png)", "<img src=pad.png>"]
    {
        let found = with(&format!("Tap.\n\n{shown}\n"));
        assert_eq!(found.len(), 1, "{shown}: {found:?}");
        assert!(found[0].contains("hello.md:3: no page shows"), "{found:?}");
    }
}

#[test]
fn practice_that_no_trial_can_pass_is_told() {
    let practice = |until: &str| {
        text(&format!(
            "[[step]]\nname = \"practice\"\ntrial = \"practice.toml\"\nuntil = {until}\nat_most = 3\n{MAIN}"
        ))
    };
    let told = |until: &str| warnings(&practice(until), "its practice cannot be passed");
    assert_eq!(told("{ hits = 30, of = 40, within = \"80 ms\" }"), 1, "the trial has 21 beats");
    assert_eq!(told("{ hits = 8, of = 10, within = \"80 ms\" }"), 0);
    assert_eq!(told("{ if_all = [\"taps < 10\", \"taps > 12\"] }"), 1);
    assert_eq!(told("{ if_all = [\"taps < 10\", \"taps >= 10\"] }"), 1);
    assert_eq!(told("{ if_all = [\"taps <= 10\", \"taps >= 10\"] }"), 0);
    assert_eq!(told("{ if_all = [\"taps > 10\", \"sd asynchrony < 40 ms\"] }"), 0);
}

/// The study with a question and these keys in its main step, and what comes behind it.
fn asking(question: &str, main: &str, rest: &str) -> String {
    text(&format!("[question.effort]\ntext = \"How hard?\"\n{question}\n{MAIN}{main}\n{rest}"))
}

#[test]
fn a_question_that_is_never_asked_is_told() {
    let nothing_asks = "nothing asks the question effort";
    assert_eq!(warnings(&asking("", "", ""), nothing_asks), 1);
    assert_eq!(warnings(&asking("", "ask = \"effort\"", ""), nothing_asks), 0);
    let other = "only_if = { plays = \"yes\" }\n[question.plays]\ntext = \"Do you play?\"\nchoice = [\"yes\", \"no\"]";
    let never = "effort is never asked: no answer to plays comes before it (only_if)";
    let before = "ask = [\"plays\", \"effort\"]";
    assert_eq!(warnings(&asking(other, before, ""), never), 0);
    assert_eq!(warnings(&asking(other, "ask = \"effort\"", ""), never), 1, "no step asks it");
    let later = "[[step]]\nask = \"plays\"\n";
    assert_eq!(warnings(&asking(other, "ask = \"effort\"", later), never), 1);
    let two = format!("sessions = 2\n{}", asking(other, "ask = \"effort\"", later));
    assert_eq!(warnings(&two, never), 0, "asked in the session before");
    let circle = other.to_owned() + "\nonly_if = { effort = \"2\" }";
    assert_eq!(warnings(&asking(&circle, before, ""), "is never asked"), 2);
}

#[test]
fn a_rest_after_all_trials_and_a_limit_that_no_order_reaches_are_told() {
    let rest = |every: u32| {
        warnings(&asking("", &format!("rest = {{ every = {every} }}"), ""), "no rest comes")
    };
    assert_eq!((rest(3), rest(4)), (0, 1), "the step has four trials");
    let in_a_row = |n: u32| {
        let key = format!("at_most_in_a_row = {{ tempo = {n} }}");
        warnings(&asking("", &key, ""), "limits nothing: no block has more than 2")
    };
    assert_eq!((in_a_row(1), in_a_row(2)), (0, 1));
    let apart = "repetitions = 2\nat_most_in_a_row = { tempo = 3 }\napart = { tempo = 2 }";
    assert_eq!(warnings(&asking("", apart, ""), "and apart none"), 1);
}

#[test]
fn answers_that_end_every_session_are_told() {
    let stops = |answers: &str| {
        let rest = format!("[[step]]\nask = \"effort\"\nstop_if = {{ effort = {answers} }}\n");
        warnings(&asking("scale = [1, 3]", "", &rest), "so nobody goes on")
    };
    assert_eq!(stops("[\"1\", \"2\", \"3\"]"), 1);
    assert_eq!(stops("[\"1\", \"3\"]"), 0);
}

#[test]
fn a_comparison_that_every_trial_or_none_meets_is_told() {
    let redo = |test: &str| {
        let key = format!("redo = {{ if_any = [\"{test}\"], place = \"at once\" }}");
        text(&format!("{MAIN}{key}\n"))
    };
    for test in ["taps < 0", "sd asynchrony < 0 ms", "hit rate > 1"] {
        assert_eq!(warnings(&redo(test), "no trial has"), 1, "{test}");
    }
    assert_eq!(warnings(&redo("taps >= 0"), "every trial has"), 1);
    for test in ["taps <= 0", "taps < 1", "mean asynchrony < 0 ms", "hit rate < 100 %"] {
        assert_eq!(warnings(&redo(test), "trial has"), 0, "{test}");
    }
}
