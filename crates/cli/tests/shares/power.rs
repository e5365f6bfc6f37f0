//! A power analysis that several computers share: however it is split, what is printed is what one computer prints.

use super::{place_of, printed, refused};
use chronotap_testkit_cli::program::Workspace;
use std::fs;

const STUDY: &str = "title = \"Shared\"\ntask = \"shared\"\nseed = 3\ntrial = \"t.toml\"\nparticipants = 3\n\
    [factor]\ndelay = [\"0 ms\", \"100 ms\"]\n\
    [set]\nfeedback.f.delay = { factor = \"delay\" }\n\
    [outcome]\nof = \"mean asynchrony\"\nover = \"delay\"\n\
    [[step]]\nname = \"main\"\nrepetitions = 2\nshuffle = \"all\"\n";

fn place() -> Workspace {
    place_of(STUDY)
}

/// Rehearses every share and names the files.
fn shared(place: &Workspace, asked: &str, of: usize, name: &str) -> String {
    let one = |share: usize| {
        let file = format!("{name}-{share}-of-{of}.json");
        printed(place, &format!("power s.toml {asked} --shard {share}/{of} --output {file}"));
        file
    };
    (1..=of).rev().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn however_the_studies_are_shared_the_same_is_printed_to_the_byte() {
    let place = place();
    // The outcome of the study, a curve of it, other people, and a contrast.
    let contrast =
        "--studies 5 --seed 18446744073709551614 --contrast mean?asynchrony:?delay?100?ms?-?0?ms";
    for (name, asked) in [
        ("outcome", "--studies 5 --participants 3"),
        ("curve", "--studies 4 --participants 2,3"),
        ("other", "--studies 3 --participants 3 --simulate tapper,?mean?=?-30?+-?10?ms"),
        ("contrast", contrast),
    ] {
        let run = |line: &str| printed(&place, line);
        let (text, json) =
            (run(&format!("power s.toml {asked}")), run(&format!("power s.toml {asked} --json")));
        for of in 1..=3 {
            let files: Vec<String> =
                (1..=of).rev().map(|share| format!("{name}-{share}-of-{of}.json")).collect();
            for (share, file) in (1..=of).rev().zip(&files) {
                run(&format!("power s.toml {asked} --shard {share}/{of} --output {file}"));
            }
            let all = files.join(" ");
            assert_eq!(run(&format!("power s.toml --shares {all}")), text, "{name}: {of} shares");
            assert_eq!(
                run(&format!("power s.toml --json --shares {all}")),
                json,
                "{name}: {of} shares"
            );
        }
    }
}

#[test]
fn what_only_an_analysis_of_whole_sessions_finds_is_shared_likewise() {
    let place = place();
    let planned = "[[contrast]]\nname = \"steady\"\nof = \"sd asynchrony\"\nover = \"delay\"\n\
         levels = [\"100 ms\", \"0 ms\"]\n";
    place.file("s.toml", format!("{STUDY}{planned}"));
    let asked = "--studies 3 --participants 2,3";
    let alone = printed(&place, &format!("power s.toml {asked} --json"));
    assert!(alone.contains("(after Holm)"), "{alone}");
    let files = shared(&place, asked, 2, "planned");
    assert_eq!(printed(&place, &format!("power s.toml --json --shares {files}")), alone);
}

#[test]
fn shares_that_are_missing_twice_or_of_another_analysis_are_refused_and_named() {
    let place = place();
    shared(&place, "--studies 4 --participants 2", 2, "a");
    shared(&place, "--studies 4 --participants 2 --seed 9", 2, "b");
    let (one, two) = ("a-1-of-2.json", "a-2-of-2.json");
    let shares = |files: &str| refused(&place, &format!("power s.toml --shares {files}"));
    assert!(shares(one).contains("--shares: of 2 shares there lack 2; name all shares"));
    let twice = shares(&format!("{one} {two} {one}"));
    assert!(
        twice.contains(&format!("share 1 is in {one} and in {one}; name each share once")),
        "{twice}"
    );
    let other = shares(&format!("{one} b-2-of-2.json"));
    assert!(other.contains(&format!("b-2-of-2.json: --seed not as in {one}; make all")), "{other}");
    assert!(shares("s.toml").contains("s.toml: no share of a power analysis"));
    assert!(shares("none.json").contains("none.json"));
    let text = fs::read_to_string(place.path(one)).unwrap();
    let program = text.split("\"program\":\"").nth(1).unwrap().split('"').next().unwrap();
    place.file("old.json", text.replace(program, "chronotap 0.0.1"));
    assert!(
        shares(&format!("old.json {two}"))
            .contains("old.json: made by chronotap 0.0.1, and this is")
    );
    place.file("s.toml", STUDY.replace("seed = 3", "seed = 4"));
    assert!(
        shares(&format!("{one} {two}")).contains(&format!("{one}: of another study than s.toml"))
    );
}

#[test]
fn a_share_replaces_no_file_and_has_at_least_one_study() {
    let place = place();
    place.file("there.json", "mine");
    let asked = "power s.toml --studies 2 --participants 2";
    let said = refused(&place, &format!("{asked} --shard 1/2 --output there.json"));
    assert!(said.contains("--output: there.json is there already; name another file"), "{said}");
    assert_eq!(fs::read_to_string(place.path("there.json")).unwrap(), "mine");
    let said = refused(&place, &format!("{asked} --shard 1/3 --output new.json"));
    assert!(
        said.contains("2 studies cannot be shared among 3 computers; make at most 2 shares"),
        "{said}"
    );
    assert!(!place.path("new.json").exists());
    assert!(refused(&place, &format!("{asked} --shard 1/2")).contains("--output"));
    assert!(refused(&place, &format!("{asked} --shares there.json")).contains("--shares"));
}
