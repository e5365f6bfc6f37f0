//! Every ready-made study answers its title: rehearsed by as many people as such a study has, its outcome and contrasts lie
//! where they were published to lie, and the sentences stand in the manual. The people are those of every rehearsal.

use crate::published::{adults, study};
use chronotap_data::tables::{OutcomeFound, Stands};
use chronotap_design::{
    EXPECTED, InRehearsal, IntervalLies, OUTCOME, PARADIGMS, Paradigm, TITLES, Title,
};
use chronotap_session::power::rehearsed_study;
use chronotap_testkit::left_to_all;

const PEOPLE: u32 = 24;
const MANUAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/paradigms");

fn answer(paradigm: &Paradigm) -> &'static Title {
    TITLES.iter().find(|answer| answer.study == paradigm.name).unwrap()
}

fn named<'a>(found: &'a [OutcomeFound], name: &str) -> Option<&'a OutcomeFound> {
    found.iter().find(|found| match found.outcome.stands {
        Stands::Outcome => name == OUTCOME,
        _ => found.outcome.name == name,
    })
}

/// Why it is not as published.
fn refuted(found: &[OutcomeFound], name: &str, is: IntervalLies) -> Option<String> {
    let Some(effect) = named(found, name).and_then(OutcomeFound::effect) else {
        return Some(format!("{name}: no answer"));
    };
    let of = effect.estimate;
    let holds = match is {
        IntervalLies::Above(bound) => of.low > bound,
        IntervalLies::Below(bound) => of.high < bound,
        IntervalLies::Within(least, most) => (least..=most).contains(&of.value),
    };
    (!holds).then(|| format!("{name}: {} [{}, {}], not {is:?}", of.value, of.low, of.high))
}

/// Its answers in plain words, in the order of the table; of a study whose people do not give it that.
fn sentences(found: &[OutcomeFound], answer: &Title) -> String {
    let told = answer.by.iter().map(|(name, _)| named(found, name).and_then(OutcomeFound::plain));
    let said: Vec<String> = told.map(|said| said.expect("each answer has its words")).collect();
    if said.is_empty() { "simulated people do not answer it".to_owned() } else { said.join(" ") }
}

/// 24 people of every study: about a seventh of what `published` costs.
#[test]
fn every_ready_made_study_answers_its_title_in_the_manual_as_kept() {
    if left_to_all() {
        return;
    }
    let (mut wrong, mut rows) = (Vec::new(), String::new());
    for paradigm in PARADIGMS {
        let (study, answer) = (study(paradigm.files), answer(paradigm));
        let found = rehearsed_study(&study, &adults(&study, PEOPLE)).unwrap();
        let refuted = answer.by.iter().filter_map(|(name, is)| refuted(&found, name, *is));
        wrong.extend(refuted.map(|why| format!("{}: {why}", paradigm.name)));
        let (name, question, cannot) = (paradigm.name, paradigm.question, answer.cannot);
        let said = sentences(&found, answer);
        rows += &format!("| [{name}]({name}.md) | {question} | {said} | {cannot} |\n");
    }
    assert_eq!(wrong, Vec::<String>::new());
    let head = "| study | what it asks | what 24 simulated adults answer | what it cannot show |\n|---|---|---|---|\n";
    chronotap_kept::assert_block(format!("{MANUAL}/README.md"), head, rows.trim_end(), "\n\n## ");
}

/// Where 24 people are too few for a sign, the page of the study says so.
#[test]
fn what_24_people_do_not_tell_stands_on_the_page() {
    for title in TITLES {
        let open = |(_, is): &(&str, IntervalLies)| matches!(is, IntervalLies::Within(least, _) if (-40.0..=0.0).contains(least));
        let page = std::fs::read_to_string(format!("{MANUAL}/{}.md", title.study)).unwrap();
        let told = page.contains("\nWith 24 people ");
        // A range that begins at 0 may also be that of a place, whose interval is given.
        assert!(
            told || !title.by.iter().any(open) || title.study == "virtual-partner",
            "{}",
            title.study
        );
    }
}

/// Where simulated people do not give the answer the page says so, and why.
#[test]
fn a_study_without_an_answer_says_so_on_its_page() {
    for paradigm in PARADIGMS.iter().filter(|paradigm| answer(paradigm).by.is_empty()) {
        let page = std::fs::read_to_string(format!("{MANUAL}/{}.md", paradigm.name)).unwrap();
        let of_study = EXPECTED.iter().filter(|of| of.study == paradigm.name);
        let mut why = of_study.filter_map(|of| match of.rehearsed {
            InRehearsal::Cannot(_) => Some(of.rehearsed.to_string()),
            _ => None,
        });
        assert!(why.any(|why| page.contains(&why)), "{}", paradigm.name);
    }
}
