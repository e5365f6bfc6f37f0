//! Groups that are no draw: chosen by the experimenter, or following from what was answered, and
//! corrected with a reason.

use chronotap_testkit_cli::program::{ANY_LATENESS, Output, SHORT_TRIAL, Workspace};
use std::collections::BTreeMap;
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const STUDY: &str = "\
title = \"Short\"
task = \"short\"
participants = 12
seed = 1
trial = \"trial.toml\"
[between]
hand = [\"left\", \"right\"]
group = { musician = \"training >= 6\", nonmusician = \"training < 6\" }
clinic = { levels = [\"patient\", \"control\"], chosen = true }
[participant]
training = { question = \"Years of training?\", number = [0, 60] }
age = { question = \"Age?\", number = [18, 99] }
[factor]
delay = [\"0 ms\", \"5 ms\"]
[set]
feedback.tone.delay = { factor = \"delay\" }
[[step]]
name = \"main\"
order = \"latin\"
gap = \"10 ms\"
";

const TRIAL: &str = "[feedback.tone]\n";

fn studied(study: &str) -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", study);
    place.file("trial.toml", format!("{SHORT_TRIAL}{TRIAL}"));
    place
}

fn begin(place: &Workspace, label: &str, more: &str) -> Output {
    place.run(&format!(
        "run study.toml --participant {label} --data d --simulate tapper --ordinary {ANY_LATENESS}{more}"
    ))
}

/// The rows of a table, each by the names of its columns.
fn rows(place: &Workspace, path: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(place.path(path)).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let names: Vec<String> = lines.next().unwrap().collect();
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

fn person(place: &Workspace, label: &str) -> BTreeMap<String, String> {
    let id = format!("sub-{label}");
    let mut all = rows(place, "d/participants.tsv").into_iter();
    all.find(|row| row["participant_id"] == id).unwrap()
}

fn journal(place: &Workspace, label: &str) -> String {
    let path = format!("d/sourcedata/sub-{label}/sub-{label}_task-short_journal.jsonl");
    fs::read_to_string(place.path(&path)).unwrap()
}

#[test]
fn a_group_follows_from_the_answer_and_another_is_what_the_experimenter_says() {
    let place = studied(STUDY);
    for (label, training, clinic) in [("01", "6", "patient"), ("02", "5", "control")] {
        let said = begin(
            &place,
            label,
            &format!(" --answer training={training} --between clinic={clinic}"),
        );
        assert!(said.out.contains("The session is complete"), "{said:?}");
        let row = person(&place, label);
        let group = if training == "6" { "musician" } else { "nonmusician" };
        assert_eq!((&*row["group"], &*row["clinic"]), (group, clinic));
        assert_eq!(row["training"], training);
        let table = rows(&place, &format!("d/sub-{label}/beh/sub-{label}_task-short_beh.tsv"));
        assert!(table.iter().all(|row| row["group"] == group && row["clinic"] == clinic));
    }
    assert_eq!(place.run("verify d").code, Some(0));
}

#[test]
fn nobody_names_what_follows_and_nobody_begins_without_what_decides() {
    let place = studied(STUDY);
    let run = "run study.toml --participant 01 --data d --ordinary --in pad=wire --out wire";
    let named = place.run(&format!("{run} --between group=musician"));
    assert_eq!(named.code, Some(2));
    assert!(named.err.contains("group follows from the answer to training"), "{named:?}");
    assert!(named.err.contains("--answer training="), "{named:?}");
    let nothing = place.run(&format!("{run} --answer training=6"));
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.err.contains("Which clinic does the participant belong to?"), "{nothing:?}");
    assert!(nothing.err.contains("--answer clinic="), "{nothing:?}");
    let nothing = place.run(&format!("{run} --between clinic=patient"));
    assert!(nothing.err.contains("Years of training?"), "{nothing:?}");
    // The session is there and waits for the answer; nothing is assigned before it.
    let row = person(&place, "01");
    assert_eq!((&*row["group"], &*row["hand"], &*row["k"]), ("n/a", "n/a", "n/a"), "{row:?}");
    assert_eq!(row["clinic"], "patient");
}

#[test]
fn rehearsed_groups_are_balanced_and_everybody_answers_as_theirs_does() {
    let place = studied(STUDY);
    let said = place.run("simulate study.toml --participants 16 --data d");
    assert_eq!(said.code, Some(0), "{said:?}");
    let mut counts: BTreeMap<(String, String), u32> = BTreeMap::new();
    for row in rows(&place, "d/participants.tsv") {
        let training: f64 = row["training"].parse().unwrap();
        assert_eq!(row["group"], if training >= 6.0 { "musician" } else { "nonmusician" });
        *counts.entry((row["group"].clone(), row["clinic"].clone())).or_default() += 1;
    }
    assert_eq!(counts.values().copied().collect::<Vec<u32>>(), [4; 4]);
    assert_eq!(place.run("verify d").code, Some(0));
}

#[test]
fn a_group_that_changes_no_trial_is_corrected_with_its_reason_also_when_all_is_done() {
    let place = studied(STUDY);
    begin(&place, "01", " --answer training=5 --between clinic=patient");
    let before = person(&place, "01");
    assert_eq!(before["group"], "nonmusician");
    let trials = rows(&place, "d/sub-01/beh/sub-01_task-short_beh.tsv");
    let said = place.run("correct d --participant 01 --set training=15 --reason misheard --by AB");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("group: musician (was nonmusician)"), "{said:?}");
    let after = person(&place, "01");
    assert_eq!((&*after["group"], &*after["training"]), ("musician", "15"));
    assert_eq!((&after["k"], &after["hand"]), (&before["k"], &before["hand"]));
    let corrected = rows(&place, "d/sub-01/beh/sub-01_task-short_beh.tsv");
    for (old, new) in trials.iter().zip(&corrected) {
        let others = |row: &BTreeMap<String, String>| {
            row.iter()
                .filter(|(name, _)| *name != "group")
                .map(|(_, c)| c.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(others(old), others(new));
        assert_eq!(new["group"], "musician");
    }
    let line = journal(&place, "01");
    let line = line.lines().find(|line| line.contains("\"what\":\"corrected\"")).unwrap();
    assert!(line.contains("\"reason\":\"misheard\"") && line.contains("\"by\":\"AB\""), "{line}");
    let verified = place.run("verify d");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    // The same once more has nothing to do.
    let again = place.run("correct d --participant 01 --set training=15 --reason again");
    assert!(again.err.contains("nothing of this is new"), "{again:?}");
    // And the next of that group gets another place.
    begin(&place, "02", " --answer training=20 --between clinic=patient --between hand=left");
    assert_eq!(place.run("verify d").code, Some(0));
}

/// The same study, where musicians do more, and who does not consent does nothing.
fn unequal() -> Workspace {
    let consent = "[question.consent]\ntext = \"Do you take part?\"\nchoice = [\"yes\", \"no\"]\n";
    let first = "[[step]]\nask = [\"consent\"]\nstop_if = { consent = \"no\" }\n";
    let extra = "[[step]]\nname = \"extra\"\nonly = { group = \"musician\" }\norder = \"latin\"\ngap = \"10 ms\"\n";
    let study = STUDY.replace("[factor]", &format!("{consent}[factor]"));
    studied(&format!("{}{extra}", study.replace("[[step]]\n", &format!("{first}[[step]]\n"))))
}

#[test]
fn with_other_trials_a_group_is_corrected_before_the_first_and_refused_after_it() {
    let place = unequal();
    let begun =
        begin(&place, "01", " --answer training=5 --between clinic=patient --answer consent=no");
    assert_eq!(begun.code, Some(0), "{begun:?}");
    let said = place.run("correct d --participant 01 --set training=15 --reason misheard");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("1 session planned anew"), "{said:?}");
    assert_eq!(person(&place, "01")["group"], "musician");
    let plan = fs::read_to_string(place.path("d/sourcedata/sub-01/sub-01_task-short_plan.tsv"));
    assert!(plan.unwrap().contains("extra"));
    assert_eq!(place.run("verify d").code, Some(0));

    begin(&place, "02", " --answer training=5 --between clinic=patient --answer consent=yes");
    let before = journal(&place, "02");
    let refused = place.run("correct d --participant 02 --set training=15 --reason misheard");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("has done 2 trials"), "{refused:?}");
    assert!(refused.err.contains("step \"extra\""), "{refused:?}");
    assert_eq!(
        (person(&place, "02")["group"].clone(), journal(&place, "02")),
        ("nonmusician".into(), before)
    );
    assert_eq!(place.run("verify d").code, Some(0));
}

#[test]
fn what_cannot_be_corrected_is_refused_with_what_can() {
    let place = studied(STUDY);
    begin(&place, "01", " --answer training=5 --between clinic=patient");
    for (set, expected) in [
        ("hand=left", "its levels are drawn"),
        ("group=musician", "--set training=…"),
        ("trainig=3", "did you mean \"training\"?"),
        ("clinic=healthy", "expected one of patient, control"),
        ("training=61", "expected a number from 0 to 60"),
        ("age", "write --set NAME=VALUE"),
    ] {
        let said = place.run(&format!("correct d --participant 01 --set {set} --reason why"));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(expected), "{set}: {said:?}");
    }
    let nobody = place.run("correct d --participant 09 --set age=20 --reason why");
    assert!(nobody.err.contains("participant 09 has begun no session"), "{nobody:?}");
    let age =
        place.run("correct d --participant 01 --set age=44 --set clinic=control --reason why");
    assert_eq!(age.code, Some(0), "{age:?}");
    let row = person(&place, "01");
    assert_eq!((&*row["age"], &*row["clinic"]), ("44", "control"));
    let plan = place.path("d/sourcedata/sub-01/sub-01_task-short_plan.json");
    let (written, text) = (plan.metadata().unwrap().modified().unwrap(), fs::read(&plan).unwrap());
    let age = place.run("correct d --participant 01 --set age=45 --reason why");
    assert_eq!(age.out, "participant 01\n  age: 45 (was 44)\n", "the group stays, and the plan");
    assert_eq!(plan.metadata().unwrap().modified().unwrap(), written);
    assert_eq!(fs::read(&plan).unwrap(), text);
    assert_eq!(place.run("verify d").code, Some(0));
}
