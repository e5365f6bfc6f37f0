//! What `chronotap recover` says and leaves, of a journal that is only cut off and of one that is
//! damaged; and what any command that writes does where a link stands in the way.

use chronotap_data::record::journal::{Chain, put_entry, put_header};
use chronotap_testkit_cli::program::Workspace;
use chronotap_testkit_data::tiny::{header, tiny};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// A place with the journal of a trial that came to no end.
fn left_behind(damage: Option<usize>) -> (Workspace, PathBuf) {
    let place = Workspace::of(PROGRAM);
    let (mut bytes, mut chain) = (Vec::new(), Chain::default());
    put_header(&mut bytes, &mut chain, &header()).unwrap();
    let first = bytes.len();
    tiny().iter().for_each(|entry| put_entry(&mut bytes, &mut chain, entry));
    if let Some(at) = damage {
        bytes[first + at] = b'?';
    }
    let journal = place.file("tiny.journal", bytes);
    place.is_foreign("tiny_events.json"); // its header is that of the test kit
    (place, journal)
}

fn missing(place: &Workspace) -> String {
    let json: Value =
        serde_json::from_slice(&fs::read(place.path("tiny_events.json")).unwrap()).unwrap();
    json["Chronotap"]["footer"]["recovered"]["missing"].to_string()
}

#[test]
fn a_journal_that_is_cut_off_costs_at_most_what_is_said_and_goes() {
    let (place, journal) = left_behind(None);
    let said = place.run("recover tiny.journal");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    assert!(!journal.exists());
    assert!(missing(&place).contains("at most the last 10 ms are missing"));
}

#[test]
fn a_journal_that_is_damaged_is_kept_and_it_is_said_what_is_missing() {
    let (place, journal) = left_behind(Some(80));
    let before = fs::read(&journal).unwrap();
    let said = place.run("recover tiny.journal");
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in
        ["damaged, and therefore kept", "missing: events between", "damaged bytes from line"]
    {
        assert!(said.err.contains(part), "{said:?}");
    }
    assert_eq!(fs::read(&journal).unwrap(), before);
    let table = fs::read_to_string(place.path("tiny_events.tsv")).unwrap();
    assert!(table.contains("behind gap"), "{table}");
    let missing = missing(&place);
    assert!(missing.contains("damaged bytes") && !missing.contains("10 ms"), "{missing}");
}

#[test]
fn a_link_in_the_way_of_what_is_written_is_never_followed() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", "[pacing.beats]\ninterval = \"100 ms\"\n[feedback.tone]\n[[when]]\ntime = \"2 s\"\nend = true\n");
    let said = place.run("simulate t.toml --data d");
    assert_eq!(said.code, Some(0), "{said:?}");
    let theirs = place.file("theirs", "theirs");
    let table = "d/t_run-01_events.tsv";
    for (command, folder) in [
        (format!("export {table} --to csv"), "csv"),
        (format!("export {table} --as midi --to midi"), "midi"),
        (format!("analyze {table} --to tables"), "tables"),
        (format!("report {table} --to page/page.html"), "page"),
    ] {
        fs::create_dir_all(place.path(folder)).unwrap();
        let said = place.run(&command);
        assert!(said.code != Some(2), "{command}: {said:?}");
        let written: Vec<PathBuf> =
            fs::read_dir(place.path(folder)).unwrap().map(|item| item.unwrap().path()).collect();
        assert!(!written.is_empty(), "{command}: {said:?}");
        for path in &written {
            fs::remove_file(path).unwrap();
            std::os::unix::fs::symlink(&theirs, path).unwrap();
        }
        let _ = place.run(&command); // it may refuse
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs", "{command}");
    }
}
