//! Groups that are no draw: chosen by the experimenter, or following from answers.

use crate::kit::mistakes;
use chronotap_design::{Experiment, FieldAnswers, Origin, ParticipantField};
use std::collections::BTreeMap;

fn text(between: &str) -> String {
    format!(
        "{between}\n[participant]\n\
         training = {{ question = \"Years?\", number = [0, 60] }}\n\
         plays = {{ question = \"What?\", choice = [\"piano\", \"drums\", \"nothing\"] }}\n\
         feels = {{ question = \"How?\", scale = [1, 7] }}\n\
         email = {{ question = \"Where?\", optional = true }}\n\
         [[step]]\nname = \"a\"\ntrial = \"sync.toml\"\n"
    )
}

fn study(between: &str) -> Experiment {
    crate::kit::study(&text(between))
}

fn answers(given: &[(&str, &str)]) -> FieldAnswers {
    given.iter().map(|(name, answer)| ((*name).to_owned(), (*answer).to_owned())).collect()
}

fn group(study: &Experiment, given: &[(&str, &str)]) -> Option<String> {
    study.levels_from(&answers(given)).pop().map(|(_, level)| level)
}

#[test]
fn a_level_follows_from_an_answer_at_and_on_both_sides_of_the_border() {
    let study =
        study("between.group = { musician = \"training >= 6\", nonmusician = \"training < 6\" }");
    let of = |training: &str| group(&study, &[("training", training)]).unwrap();
    assert_eq!(["6", "6.0", "60"].map(of), ["musician"; 3]);
    assert_eq!(["5.99", "0"].map(of), ["nonmusician"; 2]);
    assert_eq!(group(&study, &[]), None);
}

#[test]
fn all_conditions_of_a_level_must_hold_and_the_first_level_that_fits_counts() {
    let study = study(
        "between.group = { pianist = [\"training >= 6\", \"plays = piano\"], \
         player = \"training > 0\", other = \"otherwise\" }",
    );
    let of = |training, plays| group(&study, &[("training", training), ("plays", plays)]).unwrap();
    assert_eq!(of("6", "piano"), "pianist");
    assert_eq!(of("6", "drums"), "player");
    assert_eq!(of("0", "piano"), "other");
    let deciding: Vec<&str> = study.deciding().map(|field| field.name.as_str()).collect();
    assert_eq!(deciding, ["training", "plays"]);
}

#[test]
fn whoever_is_simulated_answers_as_their_group_does_also_where_no_draw_hits_it() {
    let study = study(
        "between.group = { exactly = \"training = 7\", more = \"training > 7\", less = \"otherwise\" }",
    );
    for wanted in ["exactly", "more", "less"] {
        let levels = BTreeMap::from([("group".to_owned(), wanted.to_owned())]);
        let seldom = |_: &ParticipantField, _: u32| Some("0".to_owned());
        let often =
            |field: &ParticipantField, again: u32| Some(field.answer.drawn(u64::from(again) * 7));
        for found in [study.answers_of(&levels, seldom), study.answers_of(&levels, often)] {
            assert_eq!(study.levels_from(&found.unwrap())[0].1, wanted);
        }
    }
}

#[test]
fn what_the_experimenter_chooses_is_told_from_what_is_drawn() {
    let study = study(
        "between.hand = [\"left\", \"right\"]\n\
         between.group = { levels = [\"patient\", \"control\"], chosen = true }\n\
         between.drug = { levels = [\"a\", \"b\"] }",
    );
    let origins: Vec<&Origin> = study.between.iter().map(|factor| &factor.origin).collect();
    assert_eq!(origins, [&Origin::Drawn, &Origin::Chosen, &Origin::Drawn]);
    assert_eq!(study.cells(), 8);
}

#[test]
fn groups_that_do_not_take_everybody_in_are_refused_with_the_cure() {
    let cases = [
        (
            "{ a = \"training >= 6\", b = \"training < 5\" }",
            "no level for who answers training = 5",
        ),
        (
            "{ a = \"training >= 6\", b = \"training > 5\", c = \"training < 9\", d = \"otherwise\" }",
            "no answer gives the level d",
        ),
        ("{ a = \"trainig >= 6\", b = \"otherwise\" }", "did you mean \"training\"?"),
        (
            "{ a = \"training >= old\", b = \"otherwise\" }",
            "nobody can answer training with \"old\"",
        ),
        ("{ a = \"plays > piano\", b = \"otherwise\" }", "plays is no number, and has no order"),
        ("{ a = \"plays = flute\", b = \"otherwise\" }", "nobody can answer plays with \"flute\""),
        ("{ a = \"email = x\", b = \"otherwise\" }", "email may be left open"),
        ("{ a = \"training\", b = \"otherwise\" }", "a condition such as \"training >= 6\""),
        ("{ a = \"otherwise\", b = \"training > 3\" }", "is not the last level"),
        ("{ a = \"training > 3\" }", "has one level"),
        ("{ levels = [\"a\", \"b\"], choosen = true }", "did you mean \"chosen\"?"),
        ("{ chosen = true }", "levels"),
    ];
    for (group, expected) in cases {
        let found = mistakes(&text(&format!("between.group = {group}")));
        assert!(found.contains(expected), "{group}: {found}");
    }
}

#[test]
fn a_scale_is_covered_by_whole_numbers_and_a_choice_by_its_words() {
    let scale = "between.group = { a = \"feels >= 4\", b = \"feels <= 3\" }";
    assert_eq!(study(scale).cells(), 2);
    let words = "between.group = { a = \"plays = piano\", b = \"plays = drums\", \
                 c = \"plays = nothing\" }";
    assert_eq!(study(words).cells(), 3);
}

/// Nobody knows the group of participant 01 before that person has answered.
#[test]
fn the_overview_says_what_decides_the_groups_of_its_orders() {
    let steps = "[factor]\nhand = [\"left\", \"right\"]\n";
    let asked = "between.group = { musician = \"training >= 6\", nonmusician = \"otherwise\" }\n\
                 between.site = { levels = [\"A\", \"B\"], chosen = true }\n";
    let text = text(&format!("{asked}{steps}"));
    let order = "shuffle = \"none\"\nblock = { by = \"hand\", order = \"latin\" }\n";
    let page = chronotap_design::overview(&crate::kit::study(&format!("{text}{order}"))).render();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "it is decided when a person comes: group by the answer to training, site as the experimenter says.";
    assert!(page.contains(&format!("Orders As if every group came in turn; {said}")), "{page}");
}
