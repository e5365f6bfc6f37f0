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
