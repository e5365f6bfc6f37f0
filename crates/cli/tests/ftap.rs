//! Configuration files of FTAP as they are given to the program.

use chronotap_testkit_cli::program::Workspace;
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
const MANUAL: &str = include_str!("../../../examples/ftap_rhythm.ftap");

#[test]
fn a_configuration_file_runs_as_it_is_and_its_recording_replays() {
    let place = Workspace::of(PROGRAM);
    place.file("rhythm", MANUAL);
    let said = place.run("simulate rhythm --seed 3 -q");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    place.replays("rhythm");
    let checked = place.run("check rhythm");
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(checked.out.contains("beat 92 of metronome: end the trial"), "{checked:?}");
    let tones = place.run("check rhythm --reading count=tones");
    assert!(tones.out.contains("beat 122 of metronome: end the trial"), "{tones:?}");
}

#[test]
fn an_import_gives_a_trial_file_and_writes_over_none() {
    let place = Workspace::of(PROGRAM);
    place.file("rhythm", MANUAL.replace("MSPB 250", "MSPB 250\n# a remark"));
    let said = place.run("import-ftap rhythm -o rhythm.toml");
    assert_eq!((said.code, said.out.as_str()), (Some(0), "Trial: rhythm.toml\n"), "{said:?}");
    let trial = fs::read_to_string(place.path("rhythm.toml")).expect("it was written");
    assert!(trial.contains("#   line 12: # a remark"), "{trial}");
    assert_eq!(place.run("check rhythm.toml").code, Some(0));
    let again = place.run("import-ftap rhythm -o rhythm.toml");
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("it exists; name another file"), "{again:?}");
    assert_eq!(place.run("import-ftap rhythm -o rhythm.toml --force").code, Some(0));
    assert_eq!(place.run("import-ftap rhythm").out, trial);
}

#[test]
fn masking_is_refused_unless_it_is_dropped_by_name() {
    let place = Workspace::of(PROGRAM);
    place.file("masked", MANUAL.replace("MSPB 250", "MSPB 250\nMASK_ON 1"));
    for (command, code) in [("check", 1), ("simulate", 2), ("import-ftap", 2)] {
        let said = place.run(&format!("{command} masked"));
        assert_eq!(said.code, Some(code), "{said:?}");
        assert!(said.err.contains("masked:12: MASK_ON is no keyword"), "{said:?}");
        assert!(said.err.contains("--without masking"), "{said:?}");
        let said = place.run(&format!("{command} masked --without masking"));
        assert_eq!(said.code, Some(0), "{said:?}");
        let told = if command == "check" { &said.out } else { &said.err };
        assert!(told.contains("dropped with masking"), "{said:?}");
    }
    let said = place.run("simulate masked --without maskng");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("did you mean \"masking\"?"), "{said:?}");
    assert!(said.err.contains("random-delay"), "the names are listed: {said:?}");
    place.file("trial.toml", "[pacing.m]\ninterval = \"500 ms\"\n");
    assert_eq!(place.run("check trial.toml --without masking").code, Some(2));
}

#[test]
fn mistakes_are_told_with_their_line_and_the_exit_status_is_that_of_the_command() {
    let place = Workspace::of(PROGRAM);
    place.file("wrong", MANUAL.replace("FEED_DMODE 1", "FEED_DMODE 2"));
    for (command, code) in [("check", 1), ("simulate", 2), ("import-ftap", 2)] {
        let said = place.run(&format!("{command} wrong"));
        assert_eq!(said.code, Some(code), "{said:?}");
        assert!(said.err.contains("wrong:8: FEED_DMODE 2 is a mode that is not"), "{said:?}");
    }
    place.file("trial.toml", "[pacing.m]\ninterval = \"500 ms\"\n");
    let said = place.run("check trial.toml --reading count=tones");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("trial.toml is a trial file, which leaves nothing open"), "{said:?}");
    let said = place.run("import-ftap trial.toml");
    assert!(said.err.contains("no line of it begins with a keyword of FTAP"), "{said:?}");
    let said = place.run("import-ftap wrong --reading cuont=tones");
    assert!(said.err.contains("did you mean \"count\"?"), "{said:?}");
}

#[test]
fn a_recorded_trial_is_exported_as_ftaps_data_and_read_again() {
    let place = Workspace::of(PROGRAM);
    place.file("rhythm", MANUAL);
    assert_eq!(place.run("simulate rhythm --seed 3 -q --data data").code, Some(0));
    let said = place.run("export data/rhythm_run-01_events.tsv --as ftap --to abs");
    assert_eq!((said.code, said.out.as_str()), (Some(0), "abs: 1 FTAP files\n"), "{said:?}");
    let file = "abs/rhythm_run-01_events.abs";
    let said = place.run(&format!("import-ftap {file} --data again"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let events = "again/rhythm_run-01_run-01_events.tsv";
    assert!(said.out.starts_with(&format!("Data: {events} (")), "{said:?}");
    let said = place.run(&format!("export {events} --as ftap --to twice"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let rest = |path: &str| {
        let text = fs::read_to_string(place.path(path)).expect("it was written");
        text.split_once('\n').expect("a first line").1.to_owned()
    };
    assert_eq!(rest("twice/rhythm_run-01_run-01_events.abs"), rest(file));
    let told = place.run(&format!("summary {events}"));
    assert!(told.out.contains("another program recorded it"), "{told:?}");
    assert_eq!(place.run(&format!("analyze {events} --to tables")).code, Some(0));
}

#[test]
fn a_data_file_needs_its_columns_and_options_of_the_other_kind_are_refused() {
    let place = Workspace::of(PROGRAM);
    place.file("t.abs", "12 7 K 60\n");
    let refused = |args: &str, what: &str| {
        let said = place.run(args);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(what), "{said:?}");
        assert!(!place.path("data").exists(), "nothing is written");
    };
    refused("import-ftap t.abs", "say it with --columns");
    refused("import-ftap t.abs --columns time,-,knid,note", "did you mean kind?");
    refused("import-ftap t.abs --columns time,kind,note", "t.abs:1: 4 cells");
    refused("import-ftap t.abs --output x.toml", "--data DIR");
    place.file("rhythm", MANUAL);
    refused("import-ftap rhythm --columns time,kind", "is no data file");
    assert_eq!(place.run("import-ftap t.abs --columns time,-,kind,note").code, Some(0));
}

#[test]
fn taps_are_played_on_another_channel_only_where_they_are_played() {
    let place = Workspace::of(PROGRAM);
    place.file("rhythm", MANUAL);
    place.file("taps.tsv", "onset\tduration\tnote\tvelocity\n1\t0.05\t60\t80\n");
    let simulated = place.run("simulate rhythm --performer taps.tsv --seed 1 -q --data data");
    assert_eq!(simulated.code, Some(0), "{simulated:?}");
    let play = |more: &str| {
        place.run(&format!(
            "play data/rhythm_run-01_events.tsv --out wire --rate 50 --ordinary --limit 1s {more}"
        ))
    };
    let said = play("--tap-channel 3");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--tap-channel: taps are not played"), "{said:?}");
    let said = play("--only taps --transpose-taps 68");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("a tap on note 60 would sound on note 128"), "{said:?}");
    let said = play("--only taps,moments --tap-channel 3 --transpose-taps -12 --moment-note 90");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("4 tones as they were"), "one tap and three rules: {said:?}");
}

#[test]
fn the_help_names_every_reading() {
    let said = Workspace::of(PROGRAM).run("import-ftap --help");
    for reading in ["count=positions", "split=60", "random-delay=0..250", "unordered-triggers"] {
        assert!(said.out.contains(reading), "{said:?}");
    }
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
}
