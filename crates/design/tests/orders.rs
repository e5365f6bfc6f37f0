//! In which order trials and blocks come: shuffles and their scope, squares, constraints.

use crate::kit::{column, mistakes, plan, plan_in, study, with_step};
use chronotap_design::{Experiment, Method, Plan, PlannedTrial};
use std::collections::{HashMap, HashSet};

const FACTORS: &str = "participants = 12\n[factor]\ntempo = [\"400 ms\", \"600 ms\"]\n\
                       delay = [\"0 ms\", \"70 ms\", \"200 ms\"]\n";

fn cells(plan: &Plan, trial: &PlannedTrial) -> Vec<String> {
    plan.cells(trial).map(|(_, cell)| cell.to_owned()).collect()
}

fn each_repetition(plan: &Plan) -> HashMap<(u32, u32), Vec<Vec<String>>> {
    let mut groups: HashMap<(u32, u32), Vec<Vec<String>>> = HashMap::new();
    for (_, trial) in plan.trials() {
        groups.entry((trial.block, trial.repetition)).or_default().push(cells(plan, trial));
    }
    groups
}

#[test]
fn each_repetition_holds_every_condition_once() {
    let study = study(&with_step(FACTORS, "repetitions = 5\nshuffle = \"each repetition\""));
    let plan = plan(&study, "3");
    let groups = each_repetition(&plan);
    assert_eq!(groups.len(), 5);
    for group in groups.values() {
        assert_eq!(group.iter().collect::<HashSet<_>>().len(), 6);
    }
    let repetitions: Vec<u32> = plan.trials().map(|(_, trial)| trial.repetition).collect();
    assert!(repetitions.is_sorted());
}

#[test]
fn in_one_shuffle_the_repetition_is_which_occurrence_it_is() {
    let study = study(&with_step(FACTORS, "repetitions = 4\nshuffle = \"all\""));
    let plan = plan(&study, "3");
    let mut seen: HashMap<Vec<String>, u32> = HashMap::new();
    for (_, trial) in plan.trials() {
        let count = seen.entry(cells(&plan, trial)).or_default();
        *count += 1;
        assert_eq!(trial.repetition, *count);
    }
    assert!(seen.values().all(|count| *count == 4));
}

#[test]
fn every_block_has_all_repetitions_of_its_conditions() {
    let step =
        "block = { by = \"tempo\", order = \"shuffle\" }\nrepetitions = 3\nshuffle = \"all\"";
    let study = study(&with_step(FACTORS, step));
    let orders: HashSet<Vec<String>> = (1..=12)
        .map(|label| {
            let plan = plan(&study, &label.to_string());
            assert_eq!(plan.steps[0].blocks.len(), 2);
            let tempi = column(&plan, "tempo");
            assert!(tempi[..9].iter().all(|tempo| *tempo == tempi[0]));
            let mut delays = column(&plan, "delay")[..9].to_vec();
            delays.sort();
            assert_eq!(
                delays,
                ["0 ms", "0 ms", "0 ms", "200 ms", "200 ms", "200 ms", "70 ms", "70 ms", "70 ms"]
            );
            vec![tempi[0].clone(), tempi[9].clone()]
        })
        .collect();
    assert_eq!(orders.len(), 2);
}

fn orders_of_blocks(study: &Experiment, participants: u32) -> Vec<Vec<String>> {
    let order = |label: u32| {
        let plan = plan(study, &label.to_string());
        let blocks = plan.steps[0].blocks.iter();
        blocks.map(|block| block.level.clone().unwrap().1).collect()
    };
    (1..=participants).map(order).collect()
}

#[test]
fn the_block_order_of_a_latin_square_is_row_k() {
    let top = "participants = 6\n[factor]\nload = [\"a\", \"b\", \"c\"]";
    let study = study(&with_step(top, "block = { by = \"load\", order = \"latin\" }"));
    let orders = orders_of_blocks(&study, 4);
    assert_eq!(orders, [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["a", "b", "c"]]);
}

#[test]
fn in_a_williams_square_every_block_follows_every_other_equally_often() {
    for (levels, participants) in [(4, 4), (3, 6), (5, 10)] {
        let names: Vec<String> = (0..levels).map(|level| format!("\"l{level}\"")).collect();
        let top = format!("participants = {participants}\n[factor]\nload = [{}]", names.join(", "));
        let study = study(&with_step(&top, "block = { by = \"load\", order = \"williams\" }"));
        let mut follows: HashMap<(String, String), u32> = HashMap::new();
        for order in orders_of_blocks(&study, participants) {
            for pair in order.windows(2) {
                *follows.entry((pair[0].clone(), pair[1].clone())).or_default() += 1;
            }
        }
        assert_eq!(follows.len() as u32, levels * (levels - 1));
        assert_eq!(follows.values().collect::<HashSet<_>>().len(), 1, "{levels}");
    }
}

#[test]
fn each_further_use_of_a_square_takes_the_next_row() {
    let top = "participants = 6\n[factor]\nload = [\"a\", \"b\", \"c\"]";
    let study = study(&with_step(top, "repetitions = 3\norder = \"latin\""));
    let second = column(&plan(&study, "2"), "load").join("");
    assert_eq!(second, "bcacababc");
    assert_eq!(plan(&study, "2").steps[0].blocks[0].method, Method::Square);
}

#[test]
fn two_squares_in_one_step_are_not_confounded() {
    let top = "participants = 6\n[factor]\ntempo = [\"x\", \"y\"]\nload = [\"a\", \"b\", \"c\"]";
    let step = "block = { by = \"tempo\", order = \"latin\" }\norder = \"latin\"";
    let study = study(&with_step(top, step));
    let mut seen = HashSet::new();
    for label in 1..=6u32 {
        let plan = plan(&study, &label.to_string());
        let (tempo, load) = (column(&plan, "tempo"), column(&plan, "load"));
        let k = label as usize - 1;
        assert_eq!(tempo[0], ["x", "y"][k % 2]);
        assert_eq!(load[0], ["a", "b", "c"][k / 2]);
        assert_eq!(load[3], ["a", "b", "c"][(k / 2 + 1) % 3]);
        seen.insert((tempo[0].clone(), load[0].clone()));
    }
    assert_eq!(seen.len(), 6);
}

#[test]
fn in_session_s_the_row_is_k_plus_s_minus_one() {
    let top = "participants = 6\nsessions = 3\n[factor]\nload = [\"a\", \"b\", \"c\"]";
    let study = study(&with_step(top, "order = \"latin\""));
    for (session, order) in [(1, "bca"), (2, "cab"), (3, "abc")] {
        assert_eq!(column(&plan_in(&study, "2", session), "load").join(""), order);
    }
}

#[test]
fn the_order_of_blocks_may_be_by_a_factor_between_participants() {
    let top = "participants = 4\n[factor]\nload = [\"a\", \"b\"]\n[between]\nhand = [\"left\", \"right\"]";
    let order = "{ by = \"hand\", left = [\"b\", \"a\"], right = [\"a\", \"b\"] }";
    let study = study(&with_step(top, &format!("block = {{ by = \"load\", order = {order} }}")));
    for label in ["1", "2", "3", "4"] {
        let plan = plan(&study, label);
        let first = if plan.between[0].1 == "left" { "b" } else { "a" };
        assert_eq!(column(&plan, "load")[0], first);
    }
}

#[test]
fn session_as_a_factor_has_one_level_in_each_session() {
    let top = "sessions = 2\n[factor]\ndrug = [\"placebo\", \"caffeine\"]\nload = [\"a\", \"b\"]\n\
               [session]\nby = \"drug\"\norder = \"latin\"";
    let study = study(&with_step(top, "shuffle = \"all\""));
    for (label, session, drug) in
        [("1", 1, "placebo"), ("1", 2, "caffeine"), ("2", 1, "caffeine"), ("2", 2, "placebo")]
    {
        let plan = plan_in(&study, label, session);
        assert_eq!(column(&plan, "drug"), [drug, drug]);
        assert_eq!(plan.factors, ["drug", "load"]);
    }
}

fn longest_run(column: &[String]) -> usize {
    column.chunk_by(|a, b| a == b).map(<[String]>::len).max().unwrap_or(0)
}

#[test]
fn constraints_hold_in_every_plan_also_across_repetitions() {
    let step = "repetitions = 6\nshuffle = \"each repetition\"\nat_most_in_a_row = { delay = 1, tempo = 2 }\n\
                not_first = { delay = \"200 ms\" }";
    let study = study(&with_step(FACTORS, step));
    for label in 1..=12 {
        let plan = plan(&study, &label.to_string());
        assert_eq!(longest_run(&column(&plan, "delay")), 1);
        assert!(longest_run(&column(&plan, "tempo")) <= 2);
        assert_ne!(column(&plan, "delay")[0], "200 ms");
        assert!(each_repetition(&plan).values().all(|group| group.len() == 6));
        assert_ne!(plan.steps[0].blocks[0].method, Method::Shuffle);
    }
}

#[test]
fn equal_levels_stay_apart_by_as_many_places_as_asked() {
    let top = "[factor]\nload = [\"a\", \"b\", \"c\", \"d\", \"e\"]";
    let study = study(&with_step(top, "repetitions = 8\nshuffle = \"all\"\napart = { load = 3 }"));
    let loads = column(&plan(&study, "1"), "load");
    for (place, load) in loads.iter().enumerate() {
        let near = &loads[place.saturating_sub(2)..place];
        assert!(!near.contains(load), "{loads:?}");
    }
}

#[test]
fn constraints_hold_within_blocks_and_not_across_them() {
    let step = "block = { by = \"tempo\", order = \"file\" }\nrepetitions = 2\nshuffle = \"all\"\n\
                not_first = { delay = [\"0 ms\", \"70 ms\"] }";
    let study = study(&with_step(FACTORS, step));
    let delays = column(&plan(&study, "1"), "delay");
    assert_eq!([&*delays[0], &*delays[6]], ["200 ms", "200 ms"]);
}

#[test]
fn what_cannot_be_satisfied_is_told_with_name_and_reason() {
    for (step, said) in [
        (
            "only = { delay = [\"0 ms\"] }\nshuffle = \"all\"\nat_most_in_a_row = { delay = 1 }",
            "at_most_in_a_row = { delay = 1 } cannot be satisfied: 2 of the 2 trials of a block have delay = 0 ms",
        ),
        ("shuffle = \"all\"\napart = { tempo = 3 }", "apart = { tempo = 3 } cannot be satisfied"),
        (
            "shuffle = \"all\"\nnot_first = { tempo = [\"400 ms\", \"600 ms\"] }",
            "not_first = { tempo = [\"400 ms\", \"600 ms\"] } cannot be satisfied",
        ),
        (
            "block = { by = \"tempo\", order = \"file\" }\nshuffle = \"all\"\nat_most_in_a_row = { tempo = 2 }",
            "names tempo, the factor of the blocks",
        ),
        ("order = \"latin\"\napart = { delay = 2 }", "stands beside order"),
        ("shuffle = \"none\"\nat_most_in_a_row = { tempo = 2 }", "the order of the file breaks"),
        ("shuffle = \"all\"\norder = \"latin\"", "gives both shuffle and order"),
        ("block = { by = \"tempo\" }\nshuffle = \"all\"", "in which order the blocks come"),
        ("shuffle = \"all\"\nat_most_in_a_row = { delays = 2 }", "did you mean \"delay\"?"),
    ] {
        let found = mistakes(&with_step(FACTORS, step));
        assert!(found.contains(said) && found.starts_with("study.toml:"), "{found}");
    }
}

#[test]
fn orders_differ_between_participants_and_sessions_and_are_drawn_alike_again() {
    let top = format!("sessions = 2\n{FACTORS}");
    let study = study(&with_step(&top, "repetitions = 3\nshuffle = \"all\""));
    let of = |label, session| plan_in(&study, label, session);
    assert_eq!(of("4", 1), of("04", 1));
    assert_ne!(column(&of("4", 1), "delay"), column(&of("5", 1), "delay"));
    assert_ne!(column(&of("4", 1), "delay"), column(&of("4", 2), "delay"));
}
