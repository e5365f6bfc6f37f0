//! What `check` doubts of a study: factors that nothing uses, and practice that no trial can pass.

use crate::kit::study;

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
