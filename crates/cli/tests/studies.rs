//! Whole studies by the program: rehearsed, run in real time, interrupted, looked after; and
//! the BIDS validator on what they leave.

use chronotap_design::Experiment;
use chronotap_testkit::{left_to_all, pass_over};
use chronotap_testkit_cli::program::{ANY_LATENESS, SHORT_TRIAL, Workspace, start, wait_until};
use rustix::process::Signal;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const STUDY: &str = "\
title = \"Short\"
task = \"short\"
participants = 3
seed = 1
trial = \"trial.toml\"
[factor]
tempo = [\"20 ms\", \"30 ms\"]
[set]
pacing.metronome.interval = { factor = \"tempo\" }
[participant]
age = { question = \"Age in years\", number = [18, 99] }
[[step]]
text = \"Please tap.\"
[[step]]
name = \"main\"
repetitions = 2
shuffle = \"all\"
gap = \"10 ms\"
";

fn place() -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", STUDY);
    place.file("trial.toml", SHORT_TRIAL);
    place
}

/// What the validator says that a laboratory could not cure by filling in what only it knows.
fn complaints(dataset: &Path) -> Option<Vec<String>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let found = Command::new(format!("{root}/scripts/bids-validator.sh")).output().unwrap();
    let program = String::from_utf8(found.stdout).unwrap();
    if !found.status.success() {
        return None;
    }
    let said = Command::new(program.trim()).args(["--format", "json"]).arg(dataset).output();
    let said: serde_json::Value = serde_json::from_slice(&said.unwrap().stdout).unwrap();
    let ours = |issue: &&serde_json::Value| {
        let word = |key: &str| issue[key].as_str().unwrap_or_default().to_owned();
        let about_us =
            ["SIDECAR_KEY_RECOMMENDED", "JSON_KEY_RECOMMENDED"].contains(&&*word("code"));
        let theirs = ["CogAtlasID", "CogPOID", "HEDVersion", "License", "SourceDatasets"];
        let institution = word("subCode").starts_with("Institution");
        // They are in the description of each table of trials. As text in that of events they are an
        // error to the validator for JavaScript.
        let of_the_task = ["TaskName", "TaskDescription", "Instructions"];
        let elsewhere =
            word("location").ends_with("_events.tsv") && of_the_task.contains(&&*word("subCode"));
        let filled_in = theirs.contains(&&*word("subCode")) || institution;
        let authors = ["NO_AUTHORS", "TOO_FEW_AUTHORS"].contains(&&*word("code"));
        word("severity") == "error" || !(authors || (about_us && (filled_in || elsewhere)))
    };
    let issues = said["issues"]["issues"].as_array().unwrap();
    Some(issues.iter().filter(ours).map(ToString::to_string).collect())
}

/// What a study says of those who made it, and what BIDS calls it.
const CREDITS: &str = r#"
authors = ["A. One", "B. Two"]
license = "CC-BY-4.0"
acknowledgements = "To all who tapped."
funding = "A fund, grant 7"
ethics = ["A committee, 2026-7"]
reference = "C. Three (2001)"
"#;

#[test]
fn who_made_a_study_stands_in_the_description_of_its_dataset() {
    let place = place();
    place.file("study.toml", format!("{CREDITS}{STUDY}"));
    assert_eq!(place.run("simulate study.toml --data d --quiet").code, Some(0));
    let described = |name: &str| -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(place.path(name)).unwrap()).unwrap()
    };
    let about = described("d/dataset_description.json");
    assert_eq!(about["Authors"], serde_json::json!(["A. One", "B. Two"]));
    assert_eq!(about["License"], "CC-BY-4.0");
    assert_eq!(about["Acknowledgements"], "To all who tapped.");
    assert_eq!(about["Funding"], serde_json::json!(["A fund, grant 7"]));
    assert_eq!(about["EthicsApprovals"], serde_json::json!(["A committee, 2026-7"]));
    assert_eq!(about["ReferencesAndLinks"], serde_json::json!(["C. Three (2001)"]));
    let events = described("d/task-short_events.json");
    let all = events.as_object().unwrap();
    assert!(all.contains_key("StimulusPresentation") && all.values().all(|one| one.is_object()));
    match complaints(&place.path("d")) {
        Some(complaints) => assert_eq!(complaints, Vec::<String>::new()),
        None => pass_over("no BIDS validator"),
    }
    place.file("study.toml", format!("authors = [3]\n{STUDY}"));
    let said = place.run("check study.toml");
    assert!(said.code == Some(1) && said.err.contains("authors must be text"), "{said:?}");
}

#[test]
fn a_rehearsed_study_is_a_valid_dataset_that_proves_itself() {
    let place = place();
    let said = place.run("simulate study.toml --data d");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("3 simulated participants, 3 sessions, 12 trials"), "{said:?}");
    assert_eq!(place.run("verify d").code, Some(0));
    assert!(place.run("status d").out.contains("3 of 3 planned sessions are complete"));
    match complaints(&place.path("d")) {
        Some(complaints) => assert_eq!(complaints, Vec::<String>::new()),
        None => pass_over("no BIDS validator"),
    }
}

#[test]
fn a_session_stopped_in_the_middle_of_real_time_goes_on_and_stays_valid() {
    let place = place();
    let run = format!(
        "run study.toml --participant 1 --data d --simulate tapper --ordinary {ANY_LATENESS}"
    );
    let dry = place.run(&format!("{run} --dry"));
    assert_eq!(dry.code, Some(0), "{dry:?}");
    assert!(!place.path("d").exists());
    let said = place.run(&run);
    assert!(said.out.contains("trial 4 of 4") && said.out.contains("complete"), "{said:?}");
    let journal = place.path("d/sourcedata/sub-01/sub-01_task-short_journal.jsonl");
    // As if it had been killed when its third trial had just begun.
    let text = std::fs::read_to_string(&journal).unwrap();
    let third = text.match_indices("trial_began").nth(2).unwrap().0;
    let end = third + text[third..].find('\n').unwrap() + 1;
    std::fs::write(&journal, &text[..end]).unwrap();
    for run in 3..=4 {
        for end in ["tsv", "json"] {
            let name = format!("d/sub-01/beh/sub-01_task-short_run-{run:02}_events.{end}");
            std::fs::remove_file(place.path(&name)).unwrap();
        }
    }
    let status = place.run("status d");
    assert!(status.out.contains("2 of 4 planned trials"), "{status:?}");
    let again = place.run(&run);
    assert!(again.out.contains("goes on, 2 of 4"), "{again:?}");
    assert!(again.out.contains("(attempt 2)"), "{again:?}");
    let verified = place.run("verify d");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    match complaints(&place.path("d")) {
        Some(complaints) => assert_eq!(complaints, Vec::<String>::new()),
        None => pass_over("no BIDS validator"),
    }
}

#[test]
fn a_session_that_is_stopped_leaves_a_valid_dataset() {
    let place = place();
    let run = format!(
        "run study.toml --participant 1 --data d --simulate tapper --ordinary {ANY_LATENESS}"
    );
    let running = start(place.chronotap(run.split(' ')));
    let journal = place.path("d/sourcedata/sub-01/sub-01_task-short_journal.jsonl");
    let text = || std::fs::read_to_string(&journal).unwrap_or_default();
    wait_until("a trial has ended", || text().contains("trial_ended"));
    running.signal(Signal::INT);
    running.wait();
    assert!(!text().contains("\"completed\""), "it was too quick: {}", text());
    assert_eq!(place.run("verify d").code, Some(0));
    match complaints(&place.path("d")) {
        Some(complaints) => assert_eq!(complaints, Vec::<String>::new()),
        None => pass_over("no BIDS validator"),
    }
}

#[test]
fn without_a_terminal_a_missing_answer_names_its_option() {
    let place = place();
    let run = "run study.toml --participant 1 --data d --ordinary --in wire --out wire";
    let said = place.run(run);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--answer age="), "{said:?}");
    let said = place.run(&format!("{run} --answer age=7"));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("a number from 18 to 99"), "{said:?}");
    let said = place.run(&format!("{run} --answer age=23 {ANY_LATENESS}"));
    assert!(said.out.contains("trial 4 of 4"), "{said:?}");
    let people = std::fs::read_to_string(place.path("d/participants.tsv")).unwrap();
    assert_eq!(people, "participant_id\tk\tage\nsub-01\t0\t23\n");
}

#[test]
fn what_would_mix_up_a_study_is_refused_with_its_cure() {
    let place = place();
    assert_eq!(place.run("simulate study.toml --data d --participants 2").code, Some(0));
    let wires = "--ordinary --in wire --out wire --answer age=23";
    let cases = [
        (format!("run study.toml --data d {wires}"), "--participant"),
        (format!("run study.toml --participant 3 --data d {wires}"), "simulated"),
        (format!("run trial.toml --participant 3 --data d {wires}"), "is a trial file"),
        (format!("run study.toml --participant sub-3 --data d {wires}"), "letters and digits"),
        (format!("run study.toml --participant 3 --session 2 --data e {wires}"), "--session"),
        (
            format!("run study.toml --participant 3 --between hand=left --data e {wires}"),
            "--between",
        ),
        ("verify nowhere".into(), "no dataset"),
        ("withdraw d --participant 9 --yes".into(), "not in this dataset"),
        ("withdraw d --participant 01".into(), "--yes"),
        ("backup d d/copy".into(), "elsewhere"),
    ];
    for (command, what) in cases {
        let said = place.run(&command);
        assert_eq!(said.code, Some(2), "{command}: {said:?}");
        assert!(said.err.contains(what), "{command}: {said:?}");
    }
    place.file("study.toml", STUDY.replace("Please tap.", "Tap!"));
    let changed = place.run("simulate study.toml --data d --participants 3");
    assert!(changed.err.contains("study.toml changed"), "{changed:?}");
}

#[test]
fn a_pipe_in_the_place_of_any_file_of_the_dataset_is_refused_by_name_and_costs_nothing() {
    let place = place();
    let simulate = "simulate study.toml --data d --participants 2";
    assert_eq!(place.run(simulate).code, Some(0));
    let journal = "sourcedata/sub-01/sub-01_task-short_journal.jsonl";
    let files =
        ["participants.tsv", "dataset_description.json", "sourcedata/dataset.lock", journal];
    for name in files {
        let (path, aside) = (place.path("d").join(name), place.path("aside"));
        std::fs::rename(&path, &aside).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let said = place.run(simulate);
        assert_eq!(said.code, Some(2), "{name}: {said:?}");
        assert!(said.err.contains(name) && said.err.contains("a pipe"), "{name}: {said:?}");
        std::fs::rename(&aside, &path).unwrap();
    }
    assert_eq!(place.run(simulate).code, Some(0));
    assert_eq!(place.run("verify d").code, Some(0));
}

#[test]
fn who_withdraws_is_gone_and_not_called_again() {
    let place = place();
    assert_eq!(place.run("simulate study.toml --data d").code, Some(0));
    assert_eq!(place.run("backup d copy").code, Some(0));
    assert_eq!(place.run("withdraw d --participant 02 --yes").code, Some(0));
    assert!(!place.path("d/sub-02").exists() && !place.path("d/sourcedata/sub-02").exists());
    assert_eq!(place.run("verify d").code, Some(0));
    let run = "run study.toml --participant 2 --data d --simulate tapper --ordinary";
    assert!(place.run(run).err.contains("withdrew"));
    assert_eq!(place.run("withdraw d --participant 03 --keep --yes").code, Some(0));
    let people = std::fs::read_to_string(place.path("d/participants.tsv")).unwrap();
    assert!(people.contains("withdrawn") && people.lines().count() == 3, "{people}");
    // The copy is a dataset of its own, and whole.
    assert_eq!(place.run("verify copy").code, Some(0));
}

#[test]
fn a_changed_file_is_found_by_verify() {
    let place = place();
    assert_eq!(place.run("simulate study.toml --data d --participants 1").code, Some(0));
    let table = place.path("d/sub-01/beh/sub-01_task-short_beh.tsv");
    let text = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, text.replacen("passed", "failed", 1)).unwrap();
    let said = place.run("verify d");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("does not follow from the journal"), "{said:?}");
}

#[test]
fn every_ready_made_study_is_checked_rehearsed_and_valid() {
    if left_to_all() {
        return;
    }
    let place = Workspace::of(PROGRAM);
    let mut validated = true;
    for paradigm in chronotap_design::PARADIGMS {
        let name = paradigm.name;
        assert_eq!(place.run(&format!("new {name}")).code, Some(0), "{name}");
        for command in COMMANDS {
            let said = place.run(&command.replace("NAME", name));
            assert_eq!(said.code, Some(0), "{command}, {name}: {said:?}");
        }
        one_column_of_each_name(&place.path(name), name);
        rehearse_a_contrast(&place, name);
        match complaints(&place.path(&format!("{name}/d"))) {
            Some(complaints) => assert_eq!(complaints, Vec::<String>::new(), "{name}"),
            None => validated = false,
        }
    }
    if !validated {
        pass_over("no BIDS validator");
    }
}

/// `power` on the first two levels of its first factor, where it has one.
fn rehearse_a_contrast(place: &Workspace, name: &str) {
    let study = place.path(&format!("{name}/study.toml"));
    let factors = Experiment::read(&study).unwrap().factors;
    let Some(factor) = factors.iter().find(|factor| factor.levels.len() > 1) else { return };
    let (of, levels) = (&factor.name, &factor.levels);
    let contrast = format!("taps: {of} {} - {}", levels[0], levels[1]);
    let args = ["power", &study.to_string_lossy(), "--studies", "1", "--participants", "2"];
    let said = start(place.chronotap(args.into_iter().chain(["--contrast", &contrast]))).wait();
    match name {
        // Its trials take up a result that only a real session has.
        "spontaneous-tempo" => {
            assert!(said.err.contains("takes up") || said.err.contains("take up"), "{said:?}")
        }
        _ => assert_eq!(said.code, Some(0), "{name}, {contrast}: {said:?}"),
    }
}

/// What a laboratory does with a study, in this order.
const COMMANDS: [&str; 7] = [
    "check NAME/study.toml",
    "simulate NAME/study.toml --participants 1 --data NAME/d",
    "verify NAME/d",
    "analyze NAME/d",
    "report NAME/d --quiet",
    "export NAME/d --to NAME/csv --quiet",
    "verify NAME/d",
];

/// No table of the dataset and none that was exported has two columns of one name.
fn one_column_of_each_name(folder: &Path, study: &str) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(folder).unwrap() {
            let path = item.unwrap().path();
            let (name, separator) = match path.extension().and_then(|ending| ending.to_str()) {
                Some("tsv") => (path.file_name().unwrap().to_owned(), '\t'),
                Some("csv") => (path.file_name().unwrap().to_owned(), ','),
                _ => {
                    folders.extend(path.is_dir().then_some(path));
                    continue;
                }
            };
            assert!(!name.to_string_lossy().ends_with(".part"), "{path:?}");
            let text = std::fs::read_to_string(&path).unwrap();
            let mut columns: Vec<&str> =
                text.lines().next().unwrap_or_default().split(separator).collect();
            let count = columns.len();
            columns.sort_unstable();
            columns.dedup();
            assert_eq!(columns.len(), count, "{study}: {path:?} has two columns of one name");
        }
    }
}

/// A study, an effect that its page says people show, and the sign of it. Where the effect is
/// small beside the noise of tapping, people without noise show it.
const DIRECTIONS: [(&str, &str, &str, bool); 4] = [
    ("delayed-feedback", "mean asynchrony: delay 70 ms - 0 ms", "tapper", false),
    ("altered-feedback", "mean interval: feedback delayed - normal", "tapper", true),
    (
        "isolated-perturbation",
        "mean interval: delay 50 ms - 0 ms",
        "tapper, clock = 0 ms, motor = 0 ms",
        true,
    ),
    ("adaptive-tapping", "mean interval: final 675 ms - 525 ms", "tapper", true),
];

#[test]
fn a_ready_made_study_rehearses_to_the_direction_that_its_page_states() {
    let place = Workspace::of(PROGRAM);
    for (name, contrast, model, positive) in DIRECTIONS {
        assert_eq!(place.run(&format!("new {name}")).code, Some(0), "{name}");
        let study = format!("{name}/study.toml");
        let args = ["power", &study, "--studies", "2", "--participants", "3", "--json"];
        let more = ["--contrast", contrast, "--simulate", model];
        let said = start(place.chronotap(args.into_iter().chain(more))).wait();
        let found: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        let found = &found["contrasts"][0];
        let (mean, opposite) = (found["mean"].as_f64().unwrap(), &found["opposite"]);
        assert_eq!(mean > 0.0, positive, "{name}, {contrast}: {mean}");
        assert_eq!(*opposite, serde_json::json!(0), "{name}, {contrast}");
    }
}

#[test]
fn power_and_simulate_say_what_their_people_assume() {
    let place = place();
    let said = place.run("simulate study.toml --data d --participants 1");
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let assumed =
        "adults, alpha = 0.45 +- 0.12, alpha_grows = 0.2, beta = 0.03 +- 0.012, clock = 0 ms";
    assert!(one_line(&said.out).contains(&format!("They assume: {assumed}")), "{said:?}");
    let args = ["power", "study.toml", "--studies", "1", "--contrast"];
    let more = ["taps: tempo 20 ms - 30 ms", "--simulate", "tapper, mean = -20 +- 5 ms"];
    let said = start(place.chronotap(args.into_iter().chain(more))).wait();
    let out = one_line(&said.out);
    assert!(out.contains("they assume: tapper, alpha = 0.5"), "{said:?}");
    assert!(out.contains("mean = -20 +- 5 ms") && out.contains("paced_feedback = -0.3"), "{out}");
}

/// As datasets were recorded before the tables of an analysis had columns of these names.
#[test]
fn an_old_dataset_with_a_factor_named_as_a_column_is_analyzed_with_one_column_of_each_name() {
    let place = place();
    assert_eq!(place.run("simulate study.toml --data d --participants 2").code, Some(0));
    for (name, old) in [("beat", "tempo"), ("onset_ns", "beat"), ("alpha_low", "onset_ns")] {
        for label in ["01", "02"] {
            let table = place.path(&format!("d/sub-{label}/beh/sub-{label}_task-short_beh.tsv"));
            let text = std::fs::read_to_string(&table).unwrap();
            let renamed = text.replacen(&format!("\t{old}\t"), &format!("\t{name}\t"), 1);
            std::fs::write(&table, renamed).unwrap();
        }
        let said = place.run("analyze d");
        assert_eq!(said.code, Some(0), "{name}: {said:?}");
        assert!(said.err.contains(&format!("factor_{name}")), "{said:?}");
        one_column_of_each_name(&place.path("d/derivatives"), name);
        let folder = place.path("d/derivatives/chronotap");
        for table in ["taps", "trials", "conditions"] {
            let text = std::fs::read_to_string(folder.join(format!("desc-{table}_beh.tsv")));
            let text = text.unwrap();
            let column = format!("factor_{name}");
            let at = text.lines().next().unwrap().split('\t').position(|c| c == column).unwrap();
            let levels = |level| text.lines().any(|line| line.split('\t').nth(at) == Some(level));
            assert!(levels("20 ms") && levels("30 ms"), "{name}: {table}");
        }
        assert_eq!(place.run("report d --quiet").code, Some(0));
        assert_eq!(place.run(&format!("export d --to {name} --quiet --as parquet")).code, Some(0));
    }
}

/// A study that was begun by an older program goes on with the files that it was begun with.
#[test]
fn a_study_under_way_goes_on_with_a_name_that_check_refuses_of_a_new_one() {
    let place = place();
    assert_eq!(place.run("simulate study.toml --data d --participants 1").code, Some(0));
    let study = STUDY.replace("[factor]\ntempo", "[factor]\nbeat").replace("\"tempo\"", "\"beat\"");
    place.file("study.toml", &study);
    let refused = place.run("check study.toml");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("study.toml:7: beat is a factor and also"), "{refused:?}");
    assert_eq!(place.run("simulate study.toml --data d --participants 2").code, Some(2));
    // The kept study has that name now. A session that was recorded with another is refused; without
    // that session the study goes on.
    std::fs::write(place.path("d/sourcedata/study-01/study.toml"), &study).unwrap();
    let other = place.run("simulate study.toml --data d --participants 2");
    assert_eq!(other.code, Some(2), "{other:?}");
    assert!(other.err.contains("with the factors tempo"), "{other:?}");
    for folder in ["d/sub-01", "d/sourcedata/sub-01"] {
        std::fs::remove_dir_all(place.path(folder)).unwrap();
    }
    let goes_on = place.run("simulate study.toml --data d --participants 2");
    assert_eq!(goes_on.code, Some(0), "{goes_on:?}");
}

#[test]
fn a_rehearsed_answer_is_one_that_a_person_may_give() {
    let place = place();
    let asked = "[question.share]\ntext = \"Which share?\"\nnumber = [0.2, 0.8]\n\
                 [question.hand]\ntext = \"Which hand?\"\nchoice = [\"left \", \"right \"]\n";
    let study = STUDY.replace("[[step]]\ntext", &format!("{asked}[[step]]\ntext"));
    place.file("study.toml", format!("{study}ask = [\"share\", \"hand\"]\n"));
    assert_eq!(place.run("simulate study.toml --data d --participants 1").code, Some(0));
    let table = place.path("d/sub-01/beh/sub-01_task-short_beh.tsv");
    let text = std::fs::read_to_string(table).unwrap();
    let mut rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let names = rows.next().unwrap();
    let at = |name: &str| names.iter().position(|column| *column == name).unwrap();
    for row in rows {
        let share: f64 = row[at("share")].parse().unwrap();
        assert!((0.2..=0.8).contains(&share), "{row:?}");
        assert!(["left", "right"].contains(&row[at("hand")]), "{row:?}");
    }
    let run = "run study.toml --participant 2 --data e --ordinary --in wire --out wire --dry";
    let said = place.run(&format!("{run} --answer hand=left --answer age=23"));
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// What `run` would refuse, `--dry` refuses in the same words, and it writes nothing.
#[test]
fn a_dry_run_refuses_what_a_run_refuses_and_leaves_everything_as_it_was() {
    let place = place();
    let study =
        STUDY.replace("[participant]", "[between]\nhand = [\"left\", \"right\"]\n[participant]");
    place.file("study.toml", &study);
    std::fs::create_dir(place.path("full")).unwrap();
    place.file("full/other.txt", "theirs");
    let tap = "--simulate tapper --ordinary";
    let run = |more: &str| format!("run study.toml --data d {tap} {ANY_LATENESS} {more}");
    assert_eq!(place.run(&run("--participant 1 --between hand=left")).code, Some(0));
    assert_eq!(place.run(&run("--participant 2")).code, Some(0));
    assert_eq!(place.run("withdraw d --participant 02 --yes").code, Some(0));
    let refused = |dry: &str, said: &str| {
        let before = listed(&place.path("."));
        let found = place.run(&format!("{dry} --dry"));
        assert_eq!(found.code, Some(2), "{dry}: {found:?}");
        assert!(found.err.contains(said), "{dry}: {found:?}");
        assert!(!found.out.contains("ready"), "{dry}: {found:?}");
        assert_eq!(listed(&place.path(".")), before, "{dry}");
        let real = place.run(dry);
        assert_eq!((real.code, &real.err), (Some(2), &found.err), "{dry}");
    };
    refused(&run("--participant 1 --between hand=right"), "leave the option out");
    refused(&run("--participant 3 --between hand=lefft"), "left");
    refused(&run("--participant 3 --between hans=left"), "hand");
    refused(&run("--participant 2"), "withdrew");
    let trial = |more: &str| format!("run trial.toml {tap} {more}");
    refused(&trial("--data full/other.txt"), "cannot make the directory");
    refused(&trial("--data t --session 2"), "only a study has sessions");
    refused(&format!("run study.toml --data full {tap} --participant 1"), "name another folder");
    refused(
        &format!(
            "run study.toml --data d --in wire --out wire {ANY_LATENESS} --ordinary --participant 4"
        ),
        "simulated",
    );
    place.file("study.toml", study.replace("Please tap.", "Tap!"));
    refused(&run("--participant 3"), "study.toml changed");
    let ready = place.run(&format!("{} --dry", run("--participant 3 --changed")));
    assert_eq!(ready.code, Some(0), "{ready:?}");
    let ready = place.run(&format!("run study.toml --data new {tap} --participant 1 --dry"));
    assert_eq!(ready.code, Some(0), "{ready:?}");
    assert!(!place.path("new").exists());
    let ready = place.run(&trial("--data new/deep --dry"));
    assert_eq!(ready.code, Some(0), "{ready:?}");
    assert!(ready.out.contains("nothing was run") && !place.path("new").exists(), "{ready:?}");
    let quiet = place.run(&trial("--data new --dry --quiet"));
    assert_eq!((quiet.code, &*quiet.out), (Some(0), ""), "{quiet:?}");
}

/// Every file below a folder with its bytes, but for the locks.
fn listed(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for item in std::fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        match path.is_dir() {
            true => all.extend(listed(&path)),
            false => all.push((path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    all.sort();
    all
}

/// Who was simulated read the first language of the study, whatever was meant.
#[test]
fn a_study_is_simulated_in_the_language_that_is_asked_for() {
    let place = place();
    let step = "[translation.de.step.step-1]\ntext = \"Bitte tippen.\"\n";
    let asked = "[translation.de.participant]\nage = { question = \"Alter in Jahren\" }\n";
    place.file("study.toml", format!("{STUDY}{step}{asked}"));
    for (language, wanted) in [("", "en"), (" --language de", "de")] {
        let said =
            place.run(&format!("simulate study.toml --participants 1 --data d-{wanted}{language}"));
        assert_eq!(said.code, Some(0), "{said:?}");
        let table = std::fs::read_to_string(
            place.path(&format!("d-{wanted}/sub-01/beh/sub-01_task-short_beh.tsv")),
        );
        let table = table.unwrap();
        let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let column = lines.next().unwrap().iter().position(|name| *name == "language").unwrap();
        assert!(lines.all(|row| row[column] == wanted), "{table}");
    }
    let unknown = place.run("simulate study.toml --data d-fr --language fr");
    assert!(unknown.err.contains("en, de") && unknown.code == Some(2), "{unknown:?}");
    let trial = place.run("simulate trial.toml --language de");
    assert!(trial.err.contains("--language: trial.toml is a trial file"), "{trial:?}");
}

/// Whoever checked a study found out at its first session, with a person waiting.
#[test]
fn check_refuses_a_picture_or_sound_that_is_not_there_with_the_text_and_its_line() {
    let place = place();
    place.file("study.toml", STUDY.replace("text = \"Please tap.\"", "say = \"welcome.md\""));
    place.file("welcome.md", "# Welcome\n\n![A hand](hand.png)\n\n![The tone](tone.wav)\n");
    let missing = place.run("check study.toml");
    assert_eq!(missing.code, Some(1), "{missing:?}");
    for (line, name) in [(3, "hand.png"), (5, "tone.wav")] {
        let said =
            format!("welcome.md:{line}: the picture or sound \"{name}\" cannot be read: No such");
        assert!(missing.err.contains(&said), "{missing:?}");
        place.file(name, "here");
    }
    assert_eq!(place.run("check study.toml").code, Some(0));
}

#[test]
fn a_trial_of_a_study_that_nothing_ends_is_told_with_the_last_line_of_its_file() {
    let place = place();
    let line = "[pacing.metronome]\ninterval = \"20 ms\"\n";
    place.file("trial.toml", line);
    let told = place.run("check study.toml");
    assert!(told.out.contains("! trial.toml:2: nothing ends this trial"), "{told:?}");
}
