//! Configuration files of FTAP as they are given to the program.

use chronotap_testkit::program::Place;
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
const MANUAL: &str = include_str!("../../../examples/ftap_rhythm.ftap");

#[test]
fn a_configuration_file_runs_as_it_is_and_its_recording_replays() {
    let place = Place::of(PROGRAM);
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
    let place = Place::of(PROGRAM);
    place.file("rhythm", MANUAL.replace("MSPB 250", "MSPB 250\nSPLIT_POINT 60"));
    let said = place.run("import-ftap rhythm -o rhythm.toml");
    assert_eq!((said.code, said.out.as_str()), (Some(0), "Trial: rhythm.toml\n"), "{said:?}");
    assert!(said.err.contains("rhythm: line 12: SPLIT_POINT is no keyword"), "{said:?}");
    let trial = fs::read_to_string(place.path("rhythm.toml")).expect("it was written");
    assert!(trial.contains("#   line 12: SPLIT_POINT 60"), "{trial}");
    assert_eq!(place.run("check rhythm.toml").code, Some(0));
    let again = place.run("import-ftap rhythm -o rhythm.toml");
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("it exists; name another file"), "{again:?}");
    assert_eq!(place.run("import-ftap rhythm -o rhythm.toml --force").code, Some(0));
    assert_eq!(place.run("import-ftap rhythm").out, trial);
}

#[test]
fn mistakes_are_told_with_their_line_and_the_exit_status_is_that_of_the_command() {
    let place = Place::of(PROGRAM);
    place.file("wrong", MANUAL.replace("FEED_DMODE 1", "FEED_DMODE 2"));
    for (command, code) in [("check", 1), ("simulate", 2), ("import-ftap", 2)] {
        let said = place.run(&format!("{command} wrong"));
        assert_eq!(said.code, Some(code), "{said:?}");
        assert!(said.err.contains("wrong:8: FEED_DMODE 2 is a mode that no public"), "{said:?}");
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
fn the_help_names_every_reading() {
    let said = Place::of(PROGRAM).run("import-ftap --help");
    for reading in ["count=positions", "split=60", "metronome-trigger=after-tone"] {
        assert!(said.out.contains(reading), "{said:?}");
    }
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
}
