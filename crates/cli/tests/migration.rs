//! Data that earlier versions wrote are read by this one, and give the numbers that their rows give by
//! hand: trials, journals, and datasets of studies, one of each form that there was (`earlier/README.md`).

use chronotap_testkit_cli::program::{Output, Workspace};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
const EARLIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/earlier");

/// The datasets, by the day of the version that wrote each. All are of one study: two people, each with
/// one trial of 12 beats without and one with delayed feedback.
const DATASETS: [Dataset; 2] = [
    Dataset {
        of: "2026-11-22",
        trials: [
            ("sub-01", "0 ms", 10, -29.339_468, 17.078_489),
            ("sub-01", "70 ms", 10, -20.303_637, 8.222_048),
            ("sub-02", "0 ms", 10, -31.639_893, 20.637_068),
            ("sub-02", "70 ms", 10, -15.516_094, 21.981_425),
        ],
    },
    Dataset {
        of: "2026-11-26",
        trials: [
            ("sub-01", "0 ms", 10, -29.339_468, 17.078_489),
            ("sub-01", "70 ms", 10, -47.459_783, 9.020_944),
            ("sub-02", "0 ms", 10, -31.639_893, 20.637_068),
            ("sub-02", "70 ms", 10, -42.672_240, 28.073_072),
        ],
    },
];

struct Dataset {
    of: &'static str,
    /// Person, delay, taps, mean and SD of the asynchronies in ms: worked out in Python from the columns
    /// `trial_type`, `flag` and `achieved_ns` alone.
    trials: [(&'static str, &'static str, u32, f64, f64); 4],
}

/// A place with a copy of these data.
fn place_of(folder: &str) -> Workspace {
    let place = Workspace::of(PROGRAM);
    copy(&Path::new(EARLIER).join(folder), &place, folder);
    place
}

fn copy(from: &Path, place: &Workspace, to: &str) {
    fs::create_dir(place.path(to)).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let name = format!("{to}/{}", entry.file_name().to_string_lossy());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), place, &name),
            false => drop(place.file(&name, fs::read(entry.path()).unwrap())),
        }
    }
}

fn passed(place: &Workspace, args: &str) -> Output {
    let said = place.run(args);
    assert_eq!(said.code, Some(0), "{args}: {said:?}");
    said
}

/// The rows of a table by column.
fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let columns: Vec<String> = lines.next().unwrap().collect();
    lines.map(|cells| columns.iter().cloned().zip(cells).collect()).collect()
}

/// The one asynchrony of the trial in `trial`: the tap at 1.020000000 s, the beat at 1.000004567 s.
const ASYNCHRONY: &str = "asynchrony           mean    19.995 ms";

#[test]
fn a_trial_whose_table_calls_the_midi_channel_channel_is_read() {
    let place = place_of("trial");
    let table_of = fs::read_to_string(place.path("trial/tiny_events.tsv")).unwrap();
    assert!(table_of.starts_with("onset\tduration\ttrial_type\tname\tnumber\tchannel\t"));
    assert!(passed_or_failed(&place, "summary trial/tiny_events.tsv").contains(ASYNCHRONY));
    passed(&place, "report trial/tiny_events.tsv --to page.html");
    passed(&place, "analyze trial/tiny_events.tsv --to tables");
    let trials = table(&fs::read_to_string(place.path("tables/desc-trials_beh.tsv")).unwrap());
    let counts = ["taps", "debounced_taps"].map(|column| trials[0][column].as_str());
    assert_eq!((trials.len(), counts), (1, ["1", "1"]));
}

#[test]
fn a_journal_of_the_first_version_gives_the_trial() {
    let place = place_of("journal");
    passed(&place, "recover journal/tiny.journal");
    place.is_foreign("journal/tiny_events.json"); // its header is that of the journal
    let rows = table(&fs::read_to_string(place.path("journal/tiny_events.tsv")).unwrap());
    let onsets = |kind: &str| -> Vec<String> {
        let of = rows.iter().filter(|row| row["trial_type"] == kind);
        of.map(|row| row["onset"].clone()).collect()
    };
    assert_eq!(onsets("pacing"), ["1.000004567"]);
    assert_eq!(onsets("tap"), ["1.020000000", "1.040000000"]);
    assert_eq!(onsets("feedback"), ["1.020004567"]);
    assert!(passed_or_failed(&place, "summary journal/tiny_events.tsv").contains(ASYNCHRONY));
}

/// What is printed where the status says only whether the data were good.
fn passed_or_failed(place: &Workspace, args: &str) -> String {
    let said = place.run(args);
    assert!(matches!(said.code, Some(0 | 1)) && said.err.is_empty(), "{args}: {said:?}");
    said.out
}

#[test]
fn datasets_are_verified_and_every_trial_replays() {
    for Dataset { of, .. } in DATASETS {
        let place = place_of(of);
        passed(&place, &format!("verify {of}"));
        passed(&place, &format!("status {of}"));
        for (person, run) in [("01", 1), ("01", 2), ("02", 1), ("02", 2)] {
            let beh = format!("{of}/sub-{person}/beh");
            passed(
                &place,
                &format!("replay {beh}/sub-{person}_task-earlier_run-0{run}_events.tsv"),
            );
        }
    }
}

#[test]
fn datasets_are_analysed_to_the_numbers_that_their_rows_give() {
    for Dataset { of, trials } in DATASETS {
        let place = place_of(of);
        passed(&place, &format!("analyze {of}"));
        passed(&place, &format!("report {of}"));
        passed(&place, &format!("export {of} --to csv"));
        let name = format!("{of}/derivatives/chronotap/desc-trials_beh.tsv");
        let rows = table(&fs::read_to_string(place.path(&name)).unwrap());
        assert_eq!(rows.len(), trials.len(), "{of}");
        for (person, delay, taps, mean, sd) in trials {
            let of_trial =
                |row: &&BTreeMap<_, _>| row["participant_id"] == person && row["delay"] == delay;
            let row =
                rows.iter().find(of_trial).unwrap_or_else(|| panic!("{of}: {person} {delay}"));
            let number = |column: &str| row[column].parse::<f64>().unwrap();
            assert_eq!(row["taps"], taps.to_string(), "{of}: {row:?}");
            assert!((number("mean_asynchrony_ms") - mean).abs() < 1e-5, "{of}: {row:?}");
            assert!((number("sd_asynchrony_ms") - sd).abs() < 1e-5, "{of}: {row:?}");
        }
    }
}

#[test]
fn data_of_a_later_form_are_refused_with_the_version_that_reads_them() {
    let place = place_of("trial");
    let json = fs::read_to_string(place.path("trial/tiny_events.json")).unwrap();
    place.file("trial/tiny_events.json", json.replace("\"version\": 1", "\"version\": 2"));
    let said = place.run("summary trial/tiny_events.tsv");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.err.contains("read it with the version that wrote it (chronotap 0.1.0)"),
        "{said:?}"
    );
}
