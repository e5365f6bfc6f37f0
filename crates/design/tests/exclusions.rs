//! `[exclude]` names answers that the study asks for, and compares them as they can be compared.

use crate::kit::{mistakes, study};

fn text(exclude: &str) -> String {
    format!(
        "trial = \"sync.toml\"\n[exclude]\n{exclude}\n\
         [participant]\nage = {{ question = \"Age?\", number = [18, 99] }}\n\
         [question.catch]\ntext = \"Choose blue.\"\nchoice = [\"red\", \"blue\"]\n\
         [[step]]\nname = \"main\"\nask = \"catch\"\n"
    )
}

#[test]
fn rules_are_read_in_order_with_their_reasons() {
    let rules = study(&text(
        "inattentive = \"catch != blue\"\n\"too old\" = [\"age > 70\", \"catch = red\"]",
    ))
    .exclude;
    let said: Vec<String> = rules
        .iter()
        .map(|rule| {
            let needs: Vec<String> = rule.needs.iter().map(ToString::to_string).collect();
            format!("{}: {}", rule.reason, needs.join(" and "))
        })
        .collect();
    assert_eq!(said, ["inattentive: catch != blue", "too old: age > 70 and catch = red"]);
    assert_eq!(study(&text("")).exclude, []);
}

#[test]
fn a_rule_about_what_nobody_can_answer_is_a_mistake() {
    for (exclude, said) in [
        ("a = \"cach = red\"", "the study does not ask \"cach\""),
        ("a = \"catch = green\"", "nobody can answer catch with \"green\""),
        ("a = \"catch > red\"", "catch is no number, and has no order"),
        ("a = \"age > old\"", "nobody can answer age with \"old\""),
        ("a = \"age\"", "a condition on an answer"),
        ("a = []", "name at least one of the conditions"),
    ] {
        let found = mistakes(&text(exclude));
        assert!(found.contains(said), "{exclude}: {found}");
    }
}

#[test]
fn a_rule_that_leaves_out_nobody_or_everybody_is_doubted() {
    let told = |exclude: &str, said: &str| {
        study(&text(exclude)).warnings.iter().filter(|warning| warning.contains(said)).count()
    };
    for nobody in ["\"age > 120\"", "\"age < 18\"", "\"age = 17\"", "[\"age < 20\", \"age > 60\"]"]
    {
        assert_eq!(told(&format!("a = {nobody}"), "nobody"), 1, "{nobody}");
    }
    for everybody in ["\"age >= 18\"", "\"age != 120\"", "[\"age >= 18\", \"age <= 99\"]"] {
        assert_eq!(told(&format!("a = {everybody}"), "leaves out everybody"), 1, "{everybody}");
    }
    // What is asked after each trial may have several answers.
    for some in ["\"age > 98\"", "\"catch = red\"", "[\"catch = red\", \"catch = blue\"]"] {
        assert_eq!(told(&format!("a = {some}"), "leave"), 0, "{some}");
    }
}
