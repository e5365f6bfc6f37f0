//! A simulation that several computers share: however it is split, the whole is what one computer makes.

use super::{assert_same, place_of, simulated, tree};
use chronotap_testkit_cli::program::{Workspace, names_in, start};
use std::fs;

/// Two groups that are drawn, a question about the person, and two delays of two trials each.
const STUDY: &str = "title = \"Shared\"\ntask = \"shared\"\nseed = 3\ntrial = \"t.toml\"\n\
    [between]\ngroup = [\"near\", \"far\"]\n\
    [participant]\nage = { question = \"Age?\", number = [18, 99] }\n\
    [factor]\ndelay = [\"0 ms\", \"100 ms\"]\n\
    [set]\nfeedback.f.delay = { factor = \"delay\" }\n\
    [[step]]\nask = \"participant\"\n\
    [[step]]\nname = \"main\"\nrepetitions = 2\nshuffle = \"all\"\n";

fn place() -> Workspace {
    place_of(STUDY)
}

#[test]
fn however_the_work_is_shared_the_whole_is_the_same_to_the_byte() {
    let place = place();
    simulated(&place, "whole", "--participants 5");
    let whole = tree(&place.path("whole"));
    assert!(whole.len() > 5 * 4 * 2, "{} files", whole.len());
    for of in [1, 2, 3, 5] {
        let mut shares: Vec<String> = Vec::new();
        for part in 1..=of {
            let data = format!("share-{part}-of-{of}");
            simulated(&place, &data, &format!("--participants 5 --shard {part}/{of}"));
            shares.insert(0, data); // named in another order than they were made in
        }
        let said = place.run(&format!("merge {} merged-{of}", shares.join(" ")));
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.contains("5 participants"), "{said:?}");
        let merged = tree(&place.path(&format!("merged-{of}")));
        assert_same(&merged, &whole, &format!("{of} shares"));
    }
    let analyzed = place.run("analyze merged-3");
    assert_eq!(analyzed.code, Some(0), "{analyzed:?}");
    assert_eq!(place.run("verify merged-3").code, Some(0));
}

#[test]
fn shares_that_make_no_whole_are_refused_by_name_and_leave_nothing() {
    let place = place();
    for part in 1..=3 {
        simulated(&place, &format!("share-{part}"), &format!("--participants 5 --shard {part}/3"));
    }
    simulated(&place, "other", "--participants 6 --shard 3/3");
    let there = names_in(&place.path("."));
    let refused = |of: &str, why: &str| {
        let said = place.run(&format!("merge {of}"));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(why), "{said:?}");
        assert_eq!(names_in(&place.path(".")), there);
    };
    refused(
        "share-1 share-3 w",
        "no share has data of participant 02, nor of 1 other; name all shares",
    );
    refused("share-1 share-2 w", "no share has data of participant 03; name all shares");
    refused("share-1 share-2 share-2 share-3 w", "participant 02 is in share-2 and in share-2");
    refused("share-1 share-2 other w", "participants.tsv: not the same in share-1 and other");
    refused("share-1 share-2 share-3 other", "other: is there already");
    refused("share-1 share-2 share-3 share-1/w", "share-1/w: lies within share-1");
    refused("share-1 share-2 nowhere w", "nowhere: there is no dataset here");
    fs::write(place.path("share-2/README.md"), "another study").unwrap();
    refused("share-1 share-2 share-3 w", "README.md: not the same in share-1 and share-2");
}

#[test]
fn the_date_of_the_data_is_the_one_that_is_stated() {
    let place = place();
    simulated(&place, "d", "--participants 1");
    let scans = fs::read_to_string(place.path("d/sub-01/sub-01_scans.tsv")).unwrap();
    assert!(scans.contains("2026-11-20T13:04:05"), "{scans}");
    let header = place.path("d/sub-01/beh/sub-01_task-shared_run-01_events.json");
    let header = fs::read_to_string(header).unwrap();
    for of_a_moment in ["load_average", "wall_clock"] {
        assert!(!header.contains(of_a_moment), "{of_a_moment} differs from run to run");
    }
    let mut wrong = place.chronotap(["simulate", "s.toml", "--data", "e"]);
    wrong.env("SOURCE_DATE_EPOCH", "yesterday");
    let said = start(wrong).wait();
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("SOURCE_DATE_EPOCH: write whole seconds since 1970"), "{said:?}");
}

#[test]
fn a_share_that_there_is_not_is_refused() {
    let place = place();
    let refused = |more: &str, why: &str| {
        let said = place.run(&format!("simulate {more}"));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(why), "{said:?}");
        assert!(!place.path("data").exists());
    };
    for wrong in ["0/3", "4/3", "3", "1/0", "a/b"] {
        refused(&format!("s.toml --shard {wrong}"), "such as 2/8");
    }
    refused("s.toml --participants 5 --shard 6/6", "5 participants cannot be shared among 6");
    refused("t.toml --shard 1/2", "t.toml is a trial file");
}

#[test]
fn a_share_of_another_command_is_told_where_it_belongs() {
    let place = place();
    place.file("measured-1", "{\"format\":\"chronotap-analysis-share\"}\n");
    let said = place.run("merge measured-1 measured-2 whole");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("measured-1: a file, and merge takes the datasets"), "{said:?}");
    assert!(said.err.contains("to the same command with --shares"), "{said:?}");
    assert!(!place.path("whole").exists());
}
