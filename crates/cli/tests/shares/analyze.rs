//! An analysis that several computers share.

use super::{TRIAL, assert_same, place_of, printed, refused, run, simulated, tree};
use chronotap_testkit_cli::program::Workspace;
use std::fs;

/// Two groups, two delays and their contrast, and a stream that comes and goes, so that trials have stretches.
const STUDY: &str = "title = \"Shared\"\ntask = \"shared\"\nseed = 3\ntrial = \"t.toml\"\n\
    [between]\ngroup = [\"near\", \"far\"]\n\
    [factor]\ndelay = [\"0 ms\", \"100 ms\"]\n\
    [set]\nfeedback.f.delay = { factor = \"delay\" }\n\
    [outcome]\nof = \"mean asynchrony\"\nover = \"delay\"\n\
    [[contrast]]\nname = \"late\"\nof = \"mean interval\"\nover = \"delay\"\nlevels = [\"100 ms\", \"0 ms\"]\n\
    [[step]]\nname = \"main\"\nrepetitions = 2\nshuffle = \"all\"\n";

/// Five people, twenty trials of 20 beats and a continuation; one trial that cannot be read, one that was changed.
fn place() -> Workspace {
    let place = place_of(STUDY);
    let silent =
        "[[when]]\nbeat = 21\nset.pacing.m.audible = false\n[[when]]\nbeat = 30\nend = true\n";
    let trial = TRIAL.split("[[when]]").next().unwrap().to_owned() + silent;
    place.file("t.toml", trial);
    simulated(&place, "d", "--participants 5");
    let events = |label: &str, run: u32| {
        place.path(&format!("d/sub-{label}/beh/sub-{label}_task-shared_run-0{run}_events.tsv"))
    };
    let (damaged, changed) = (events("02", 3), events("04", 1));
    let text = fs::read_to_string(&damaged).unwrap();
    fs::write(&damaged, &text[..text.len() / 2]).unwrap();
    let text = fs::read_to_string(&changed).unwrap();
    let tap = text.lines().find(|line| line.contains("\ttap\t")).unwrap();
    let mut cells: Vec<&str> = tap.split('\t').collect();
    cells[7] = if cells[7] == "99" { "98" } else { "99" }; // its velocity
    fs::write(&changed, text.replace(tap, &cells.join("\t"))).unwrap();
    place
}

/// Makes every share, and names the files, in another order than they were made in.
fn shared(place: &Workspace, asked: &str, of: usize, name: &str) -> String {
    let one = |share: usize| {
        let file = format!("{name}-{share}-of-{of}");
        printed(place, &format!("analyze d {asked} --shard {share}/{of} --output {file}"));
        file
    };
    (1..=of).rev().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn however_the_trials_are_shared_the_tables_are_the_same_to_the_byte() {
    let place = place();
    let cleaned = "--slips --debounce 40?ms --first-taps 2 --interval-outliers 1.5 \
        --asynchrony-outliers 2.1 --window 0.3";
    let asked = "--with-unusable --contrast mean?interval:?group?near?-?far";
    for (name, rules, more) in [("plain", "", ""), ("cleaned", cleaned, ""), ("asked", "", asked)] {
        let alone = run(&place, &format!("analyze d {rules} {more} --to tables"));
        assert_eq!(alone.code, Some(1), "a trial cannot be read: {alone:?}");
        let whole = tree(&place.path("tables"));
        assert!(whole.len() > 8, "{:?}", whole.keys());
        for of in [1, 2, 3, 7, 25] {
            let files = shared(&place, rules, of, name);
            fs::remove_dir_all(place.path("tables")).unwrap();
            let said =
                run(&place, &format!("analyze d {rules} {more} --to tables --shares {files}"));
            assert_eq!(
                (said.code, said.out, said.err),
                (Some(1), alone.out.clone(), alone.err.clone())
            );
            assert_same(&tree(&place.path("tables")), &whole, &format!("{name}, {of} shares"));
        }
    }
}

#[test]
fn shares_of_the_events_files_that_are_named_are_shares_too() {
    let place = place();
    let files = (1..=3).map(|run| format!("d/sub-01/beh/sub-01_task-shared_run-0{run}_events.tsv"));
    let files = files.collect::<Vec<_>>().join(" ");
    printed(&place, &format!("analyze {files} --to alone"));
    for share in 1..=2 {
        printed(&place, &format!("analyze {files} --shard {share}/2 --output {share}"));
    }
    let one = printed(&place, &format!("analyze {files} --to one --shares 1 2"));
    assert!(one.contains("one/desc-taps_beh.tsv"), "{one}");
    let mut both = ["alone", "one"].map(|folder| tree(&place.path(folder)));
    for tree in &mut both {
        let record = tree.get_mut(std::path::Path::new("analysis.json")).unwrap();
        *record = String::from_utf8(record.clone()).unwrap().replace("\"alone\"", "\"one\"").into();
    }
    assert_same(&both[1], &both[0], "the folder is named otherwise");
}

#[test]
fn shares_that_make_no_whole_are_refused_and_nothing_is_written() {
    let place = place();
    shared(&place, "", 2, "a");
    shared(&place, "--slips", 2, "slips");
    shared(&place, "--window 0.3", 2, "window");
    shared(&place, "", 3, "third");
    let shares = |files: &str| {
        let said = refused(&place, &format!("analyze d --to tables --shares {files}"));
        assert!(!place.path("tables").exists(), "{files}");
        said
    };
    let says = |files: &str, words: &str| {
        let said = shares(files);
        assert!(said.contains(words), "{files}: {said}");
    };
    says("a-1-of-2", "--shares: of 2 shares there lack 2; name all shares");
    says("a-1-of-2 a-2-of-2 a-1-of-2", "share 1 is in a-1-of-2 and in a-1-of-2; name each");
    says("a-1-of-2 third-2-of-3", "third-2-of-3: the number of shares not as in a-1-of-2");
    says(
        "a-1-of-2 slips-2-of-2",
        "slips-2-of-2: what is left out is not as it is asked now; repeat",
    );
    says("a-1-of-2 window-2-of-2", "window-2-of-2: --window is not as it is asked now");
    says("s.toml", "s.toml: no share of an analysis");
    says("nowhere", "nowhere: ");
    let text = fs::read_to_string(place.path("a-1-of-2")).unwrap();
    place.file("cut", text.lines().take(5).collect::<Vec<_>>().join("\n") + "\n");
    says("cut a-2-of-2", "cut: no share of an analysis: it has no end; name what");
    place.file("other", text.replacen("\"data\":true", "\"data\":false", 1));
    says("other a-2-of-2", "other: no share of an analysis: it was changed after it was written");
    let program = text.split("\"program\":\"").nth(1).unwrap().split('"').next().unwrap();
    place.file("old", text.replacen(program, "chronotap 0.0.1", 1));
    says("old a-2-of-2", "old: made by chronotap 0.0.1, and this is");
    let events = place.path("d/sub-05/beh/sub-05_task-shared_run-04_events.tsv");
    for file in [&events, &events.with_extension("json")] {
        // One digit, so that the length is as it was.
        let text = fs::read_to_string(file).unwrap();
        let other = text.replacen('7', "8", 1);
        assert!(other != text && other.len() == text.len(), "{}", file.display());
        fs::write(file, other).unwrap();
        says("a-1-of-2 a-2-of-2", "run-04_events.tsv was changed since; make the share again");
        fs::write(file, text).unwrap();
    }
    fs::remove_file(&events).unwrap();
    says("a-1-of-2 a-2-of-2", "a-2-of-2: ");
    let four =
        (1..=4).map(|run| format!("d/sub-01/beh/sub-01_task-shared_run-{run:02}_events.tsv"));
    let four = four.collect::<Vec<_>>().join(" ");
    let said = refused(&place, &format!("analyze {four} --to tables --shares a-1-of-2 a-2-of-2"));
    assert!(said.contains("a-1-of-2: not of the 4 trials that are named; name"), "{said}");
}

#[test]
fn a_share_replaces_no_file_and_has_no_tables() {
    let place = place();
    place.file("there", "mine");
    let said = refused(&place, "analyze d --shard 1/2 --output there");
    assert!(said.contains("--output: there is there already; name another file"), "{said}");
    assert_eq!(fs::read_to_string(place.path("there")).unwrap(), "mine");
    assert!(refused(&place, "analyze d --shard 1/2").contains("--output"));
    assert!(refused(&place, "analyze d --shard 3/2 --output x").contains("such as 2/8"));
    assert!(refused(&place, "analyze d --shard 1/2 --output x --to t").contains("--to"));
    let said = refused(&place, "analyze d --shard 1/2 --output d/sub-01/x");
    assert!(said.contains("lies in the dataset d, where nobody who withdraws"), "{said}");
    assert!(!place.path("d/sub-01/x").exists());
    let said = printed(&place, "analyze d --shard 2/3 --output x");
    assert_eq!(said, "share 2 of 3: 7 trials of 20; written: x\n");
    assert!(!place.path("d/derivatives").exists());
}
