//! Any example's and any ready-made study's trial can be drawn, alike each time, and no file is lost for it.

use chronotap_testkit_cli::program::{Workspace, start};
use rustix::process::Signal;
use std::path::Path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

#[test]
fn every_example_can_be_drawn() {
    let place = Workspace::of(PROGRAM);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut drawn = 0;
    for folder in [examples.clone(), examples.join("delay-study"), examples.join("german-study")] {
        for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_none_or(|ending| ending != "toml" && ending != "ftap") {
                continue;
            }
            let command = format!("check {} --picture p.svg --force", file.display());
            let said = place.run(&command);
            assert_eq!(said.code, Some(0), "{command}: {said:?}");
            let svg = std::fs::read_to_string(place.path("p.svg")).unwrap();
            let whole = svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n");
            assert!(whole && !svg.contains("NaN") && svg.contains("<desc>The trial "), "{command}");
            drawn += 1;
        }
    }
    assert!(drawn > 25, "{drawn}");
}

#[test]
fn a_picture_takes_the_place_of_no_file_unasked() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", "[pacing.m]\ninterval = \"500 ms\"\n[[when]]\nbeat = 5\nend = true\n");
    assert_eq!(place.run("check t.toml --picture a.svg").code, Some(0));
    let first = std::fs::read(place.path("a.svg")).unwrap();
    let same = place.run("check t.toml --picture b.svg");
    assert!(same.code == Some(0) && std::fs::read(place.path("b.svg")).unwrap() == first);
    for (command, told) in [
        ("check t.toml --seed 7 --picture a.svg", "--picture a.svg: already there, and nothing is"),
        ("check t.toml --picture a.png", "--picture a.png: a picture is an SVG file; name one"),
        ("check t.toml t.toml --picture c.svg", "--picture: it is of one trial; name one file"),
        ("check t.toml --picture c.svg --step main", "--step main: t.toml is a trial file"),
    ] {
        let said = place.run(command);
        assert!(said.code == Some(2) && said.err.contains(told), "{command}: {said:?}");
    }
    assert_eq!(std::fs::read(place.path("a.svg")).unwrap(), first);
    assert_eq!(place.run("check t.toml --seed 7 --picture a.svg --force").code, Some(0));
    assert_ne!(std::fs::read(place.path("a.svg")).unwrap(), first, "other taps");
}

#[test]
fn of_a_study_the_step_that_is_named_is_drawn() {
    let place = Workspace::of(PROGRAM);
    let study = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/delay-study/study.toml");
    let study = study.display();
    for step in ["practice", "main"] {
        let said = place.run(&format!("check {study} --picture {step}.svg --step {step}"));
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let [one, other] =
        ["practice.svg", "main.svg"].map(|name| std::fs::read(place.path(name)).unwrap());
    assert_ne!(one, other);
    let said = place.run(&format!("check {study} --picture c.svg --step nosuch"));
    let told = "--step nosuch: no step of this name has trials; those that have are \"practice\", \"main\"";
    assert!(said.code == Some(2) && said.err.contains(told), "{said:?}");
}

#[test]
fn an_interrupted_rehearsal_says_how_to_go_on_and_goes_on() {
    let place = Workspace::of(PROGRAM);
    let study = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/delay-study/study.toml");
    let command = format!("simulate {} --participants 40 --data d", study.display());
    let running = start(place.chronotap(command.split(' ')));
    chronotap_testkit_cli::program::wait_until("data", || place.path("d/sub-01").exists());
    running.signal(Signal::INT);
    let said = running.wait();
    let told =
        "of 40 participants are done; give the same command again, and it goes on from there";
    assert!(said.code == Some(2) && said.err.contains(told), "{said:?}");
    assert_eq!(place.run(&command).code, Some(0));
    assert_eq!(place.run("verify d").code, Some(0));
}
