//! `chronotap threshold` from outside: a simulated hand at the virtual card, and what it leaves in the
//! machine file.

use chronotap_testkit_cli::program::Workspace;
use std::fs::read_to_string;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

#[test]
fn the_threshold_of_a_sensor_is_found_by_test_taps_and_kept_in_the_machine_file() {
    let place = Workspace::of(PROGRAM);
    place.file("m.toml", "# booth 2\n[input]\npad = \"wire\"  # the left one\n");
    let said = place.run("threshold ear:virtual?sensor=force --name pad --machine m.toml --taps 5");
    assert_eq!(said.code, Some(0), "{said:?}");
    // The hand taps softly with peaks of -24 to -18 dB; a force of one half-wave has its level near them, and
    // noise of -70 dB has little of itself in that band.
    let between = said.out.lines().find_map(|line| line.strip_prefix("threshold ")).unwrap();
    let threshold: i32 = between.split_once(" dB: ").unwrap().0.parse().unwrap();
    assert!((-48..=-38).contains(&threshold), "{}", said.out);
    assert!(said.out.contains("soft taps") && said.out.contains("5 taps"), "{}", said.out);
    let kept = format!("pad = \"ear:virtual?sensor=force&threshold={threshold}\"  # the left one");
    let file = read_to_string(place.path("m.toml")).unwrap();
    assert_eq!(file, format!("# booth 2\n[input]\n{kept}\n"));
}

#[test]
fn tones_that_nobody_hears_change_no_threshold() {
    let place = Workspace::of(PROGRAM);
    let alone = place.run("threshold ear:virtual");
    let beside = place.run("threshold ear:virtual --out tone:virtual");
    assert_eq!((alone.code, beside.code), (Some(0), Some(0)), "{beside:?}");
    let last = |out: &str| out.lines().last().map(str::to_owned);
    assert_eq!(last(&alone.out), last(&beside.out));
    assert!(beside.out.contains("tones"), "{}", beside.out);
}

#[test]
fn what_is_no_sensor_and_a_machine_file_with_mistakes_are_refused_before_anything_is_heard() {
    let place = Workspace::of(PROGRAM);
    place.file("m.toml", "[input]\npad = 3\n");
    for (args, why) in [
        ("threshold wire", "it is no sensor on a sound card"),
        ("threshold ear:alsa:hw:97,0", "there is no such device"),
        ("threshold ear:virtual --name pad --machine m.toml", "m.toml:2: input.pad must be"),
        ("threshold ear:virtual --out wire", "nothing is at the far end"),
        ("threshold ear:virtual --taps 2", "from 3 to 50"),
    ] {
        let said = place.run(args);
        assert_eq!((said.code, &*said.out), (Some(2), ""), "{args}: {said:?}");
        assert!(said.err.contains(why), "{args}: {}", said.err);
    }
    assert_eq!(read_to_string(place.path("m.toml")).unwrap(), "[input]\npad = 3\n");
}
