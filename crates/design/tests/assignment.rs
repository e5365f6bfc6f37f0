//! Labels, cells between participants, places in them, and seeds.

use crate::kit::{plan, study, with_step};
use chronotap_design::Participant;
use std::collections::HashSet;

const BETWEEN: &str =
    "participants = 24\n[between]\nhand = [\"left\", \"right\"]\nage = [\"young\", \"old\"]";

#[test]
fn numbers_are_padded_to_the_digits_of_participants() {
    let few = study(&with_step("participants = 8", ""));
    assert_eq!(few.label("7").unwrap(), "07");
    assert_eq!(few.label("007").unwrap(), "07");
    assert_eq!(few.label("123").unwrap(), "123");
    assert_eq!(few.label("P7").unwrap(), "P7");
    let many = study(&with_step("participants = 1000", ""));
    assert_eq!(many.label("7").unwrap(), "0007");
    for wrong in ["", "sub-07", "a b", "ä"] {
        assert!(few.label(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn cells_fill_evenly_and_places_count_within_them() {
    let study = study(&with_step(BETWEEN, ""));
    assert_eq!(study.cells(), 4);
    let mut counts = [0; 4];
    for label in 1..=24 {
        let participant = study.participant(&label.to_string(), &[]).unwrap();
        assert_eq!(participant.k, counts[participant.cell]);
        counts[participant.cell] += 1;
        assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1);
    }
    assert_eq!(counts, [6; 4]);
}

#[test]
fn equal_cells_are_drawn_and_not_taken_in_turn() {
    let study = study(&with_step(BETWEEN, ""));
    let first: Vec<usize> =
        (1..=24).map(|label| study.participant(&label.to_string(), &[]).unwrap().cell).collect();
    let rounds: HashSet<&[usize]> = first.chunks(4).collect();
    assert!(rounds.len() > 2, "{first:?}");
}

#[test]
fn an_experimenter_may_name_the_cell() {
    let study = study(&with_step(BETWEEN, ""));
    let named = [("hand".to_owned(), "right".to_owned())];
    assert_eq!(study.cells_with(&named).unwrap(), [2, 3]);
    let participant = study.participant("1", &named).unwrap();
    assert!(study.cell(participant.cell).contains(&named[0]));
    let wrong = [("hnad".to_owned(), "right".to_owned())];
    assert!(study.cells_with(&wrong).unwrap_err().to_string().contains("did you mean \"hand\"?"));
    let wrong = [("hand".to_owned(), "both".to_owned())];
    assert!(study.cells_with(&wrong).unwrap_err().to_string().contains("left, right"));
}

#[test]
fn seeds_are_below_two_to_the_fifty_third_and_differ() {
    let study = study(&with_step("", "repetitions = 500"));
    let mut seen = HashSet::new();
    for label in ["1", "2"] {
        for (_, trial) in plan(&study, label).trials() {
            assert!(trial.seed < 1 << 53);
            assert!(seen.insert(trial.seed));
        }
    }
    assert_ne!(study.trial_seed("01", 1, "main", 1, 1), study.trial_seed("01", 1, "main", 1, 2));
}

#[test]
fn what_is_drawn_does_not_depend_on_who_came_before() {
    let top = format!("{BETWEEN}\n[factor]\nload = [1, 2, 3, 4]");
    let study =
        study(&with_step(&top, "repetitions = 3\nshuffle = \"all\"\ngap = [\"1 s\", \"3 s\"]"));
    let at = |cell, k| study.plan(&Participant { label: "07".to_owned(), cell, k }, 1).unwrap();
    let (one, other) = (at(0, 0), at(3, 5));
    let drawn = |plan: &chronotap_design::Plan| -> Vec<(u64, i64, Option<usize>)> {
        plan.trials().map(|(_, trial)| (trial.seed, trial.gap_ns, trial.condition)).collect()
    };
    assert_eq!(drawn(&one), drawn(&other));
    assert!(drawn(&one).iter().all(|(_, gap, _)| (1_000_000_000..=3_000_000_000).contains(gap)));
}

#[test]
fn a_trial_file_keeps_its_seed_only_where_the_step_says_so() {
    let seeds = |same: &str| -> HashSet<u64> {
        let step = format!("trial = \"seeded.toml\"\nrepetitions = 3\n{same}");
        plan(&study(&with_step("", &step)), "1").trials().map(|(_, trial)| trial.seed).collect()
    };
    assert_eq!(seeds("same_seed = true"), HashSet::from([99]));
    assert_eq!(seeds("").len(), 3);
    let found = crate::kit::mistakes(&with_step("", "same_seed = true"));
    assert!(found.contains("names no seed"), "{found}");
}

#[test]
fn a_plan_is_hashed_and_read_back() {
    let study = study(&with_step(BETWEEN, "repetitions = 3"));
    let plan = plan(&study, "7");
    let read: chronotap_design::Plan = serde_json::from_str(&plan.json()).unwrap();
    assert_eq!(read, plan);
    assert_eq!(read.hash(), plan.hash());
    assert_eq!(plan.hash().len(), 64);
}
