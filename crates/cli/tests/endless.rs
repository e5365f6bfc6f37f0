//! A simulated trial that would never end fills no disk: it is refused before anything is made, or
//! ends at its bound, which is said.

use chronotap_testkit_cli::program::Workspace;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// Nothing ends it.
const ENDLESS: &str = "[input.pad]\n[pacing.m]\ninterval = \"500 ms\"\n[feedback.tone]\n";
/// A tap may end it.
const BY_TAP: &str = "[input.pad]\n[pacing.m]\ninterval = \"500 ms\"\n[feedback.tone]\n\
                      [[when]]\ntap = 5\nend = true\n";
const STUDY: &str = "\
title = \"One trial\"
task = \"one\"
participants = 8
seed = 1
trial = \"t.toml\"
[[step]]
name = \"main\"
repetitions = 1
";

fn place(trial: &str) -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", trial);
    place.file("study.toml", STUDY);
    place
}

#[test]
fn what_check_says_never_ends_is_refused_before_anything_is_made() {
    let place = place(ENDLESS);
    let commands =
        ["simulate t.toml --data d", "render t.toml -o t.wav", "simulate study.toml --data d"];
    for command in commands {
        let said = place.run(command);
        assert_eq!(said.code, Some(2), "{command}: {said:?}");
        let told = said.err.contains("t.toml: nothing ends") && said.err.contains("--for");
        assert!(told, "{command}: {said:?}");
    }
    assert!(!place.path("d").exists() && !place.path("t.wav").exists());
}

#[test]
fn a_trial_that_nothing_ends_is_simulated_for_as_long_as_it_is_said_and_that_is_told() {
    let place = place(ENDLESS);
    let trial = place.run("simulate t.toml --for 5s --repeat 3 --data d");
    assert_eq!(trial.code, Some(1), "{trial:?}");
    assert!(trial.err.contains("3 of 3 trials were still running after 5 s"), "{trial:?}");
    let study = place.run("simulate study.toml --for 5s --data e");
    assert_eq!(study.code, Some(1), "{study:?}");
    assert!(study.out.contains("8 simulated participants"), "all of them: {study:?}");
    assert!(study.err.contains("8 of 8 trials were still running after 5 s"), "{study:?}");
    assert_eq!(place.run("verify e").code, Some(0));
    let gathered = place.run("gather study.toml g --for 5s");
    assert_eq!(gathered.code, Some(1), "{gathered:?}");
    assert!(gathered.err.contains("8 of 8 trials were still running after 5 s"), "{gathered:?}");
}

#[test]
fn power_says_which_of_its_trials_were_cut_off() {
    let place = place(ENDLESS);
    let factor = "[factor]\ndelay = [\"0 ms\", \"200 ms\"]\n[set]\n\
                  feedback.tone.delay = { factor = \"delay\" }\n[[step]]";
    let study = STUDY.replace("[[step]]", factor) + "shuffle = \"all\"\n";
    place.file("study.toml", &study);
    let power = |more: &[&str]| {
        let args = ["power", "study.toml", "--studies", "2", "--participants", "3", "--for", "5s"];
        let contrast = ["--contrast", "taps: delay 200 ms - 0 ms"];
        let args = args.iter().chain(&contrast).chain(more);
        chronotap_testkit_cli::program::start(place.chronotap(args.copied())).wait()
    };
    let said = power(&[]);
    assert!(said.err.contains("12 of 12 trials were still running after 5 s"), "{said:?}");
    let said = power(&["--json"]);
    let found: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&found["trials"], &found["cut"]), (&6.into(), &12.into()));
    assert!(said.err.contains("12 of 12 trials"), "{said:?}");
}

#[test]
fn a_trial_that_a_tap_may_end_is_simulated_and_ends_by_it() {
    let place = place(BY_TAP);
    for command in ["simulate t.toml --data d", "simulate study.toml --data e"] {
        let said = place.run(command);
        assert!(said.code != Some(2) && !said.err.contains("still running"), "{said:?}");
    }
}

/// Nobody taps, so that nothing ends it: the bound does, and no further one is begun.
#[test]
fn a_trial_whose_tap_never_comes_ends_at_the_bound_and_no_other_follows() {
    let place = place(BY_TAP);
    place.file("nobody.tsv", "onset\tduration\tnote\tvelocity\n0.1\t0.01\t60\t90\n");
    let said = place.run("simulate t.toml --performer nobody.tsv --repeat 200 --data d");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("were still running after 60 min"), "{said:?}");
    let tables = std::fs::read_dir(place.path("d")).unwrap();
    let tables = tables.filter(|f| f.as_ref().unwrap().path().extension().unwrap() == "tsv");
    assert!(tables.count() < 64, "one for each processor, and no more");
}
