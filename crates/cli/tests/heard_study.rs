//! A whole study whose taps are heard by virtual sound cards: its recordings are kept as those of people are,
//! and every command treats them so.

use chronotap_audio::SoundFile;
use chronotap_testkit_cli::program::{Workspace, study_of, table};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Row;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// It lasts 3 s.
const TRIAL: &str = "\
[input.pad]
[pacing.metronome]
interval = \"400 ms\"
[[when]]
time = \"3 s\"
end = true
";
const TRIALS: [&str; 4] = [
    "01_task-heard_run-01",
    "01_task-heard_run-02",
    "02_task-heard_run-01",
    "02_task-heard_run-02",
];
/// Of a virtual card; a trial ends within a period.
const RATE_HZ: u64 = 48_000;
const PERIOD_FRAMES: u64 = 256;

/// The study, simulated into `d`; what the command said.
fn simulated(record: &str) -> (Workspace, String) {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", study_of("heard", 2));
    place.file("trial.toml", TRIAL);
    let said = place.run(&format!(
        "simulate study.toml --data d --in ear:virtual?record={record} --out wire:unthrottled"
    ));
    assert_eq!(said.code, Some(0), "{said:?}");
    (place, said.out)
}

fn events(trial: &str) -> String {
    format!("d/sub-{}/beh/sub-{trial}_events.tsv", &trial[..2])
}

fn sound(trial: &str) -> String {
    format!("d/sourcedata/sub-{}/beh/sub-{trial}_input-pad_sound.flac", &trial[..2])
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn sounds(folder: &Path) -> usize {
    files(folder).iter().filter(|path| path.to_string_lossy().contains("_sound.")).count()
}

#[test]
fn a_simulated_study_keeps_the_sound_of_each_trial_and_says_how_much() {
    let (place, said) = simulated("all");
    for trial in TRIALS {
        let flac = fs::File::open(place.path(&sound(trial))).unwrap();
        let frames = SoundFile::open(flac).unwrap().form().frames;
        assert!((frames as i64 - 3 * RATE_HZ as i64).unsigned_abs() <= PERIOD_FRAMES, "{frames}");
    }
    assert!(
        said.contains("input \"pad\": taps are heard on channel 1; all sound is recorded, up to"),
        "{said}"
    );
    // 4 trials of 3 s, 3 bytes a frame, which FLAC makes less.
    let (_, size) = said.split_once("Sound: ").unwrap();
    let (size, place_said) = size.split_once(" MB in ").unwrap();
    assert!((0.1..1.7).contains(&size.parse::<f64>().unwrap()), "{said}");
    assert!(place_said.starts_with("d/sourcedata"), "{said}");
    let all = TRIALS.map(events).join(" ");
    let said = place.run(&format!("ear {all}"));
    assert_eq!(
        (said.code, said.out.matches("the same as recorded").count()),
        (Some(0), 4),
        "{said:?}"
    );
    assert_eq!(place.run("verify d").code, Some(0));
}

#[test]
fn the_table_of_taps_says_whence_each_onset_is() {
    let (place, _) = simulated("taps");
    assert_eq!(place.run("analyze d").code, Some(0));
    let taps = table(&place.path("d/derivatives/chronotap/desc-taps_beh.tsv"));
    assert!(taps.len() >= 4 * 2, "{}", taps.len());
    let mut refined = HashMap::new();
    for trial in TRIALS {
        let told = table(&place.path(&events(trial)));
        let of = |row: &HashMap<String, String>| {
            let file = events(trial).replace("d/", "");
            ((file, row["event_id"].clone()), row["refined_ns"].clone())
        };
        refined.extend(told.iter().filter(|row| row["trial_type"] == "tap").map(of));
    }
    assert_eq!(taps.len(), refined.len());
    for tap in &taps {
        assert_eq!(tap["onset_source"], "refined");
        let key = (tap["events_file"].clone(), tap["event_id"].clone());
        assert_eq!(tap["onset_ns"], refined[&key], "{tap:?}");
    }
}

/// The cells of a column of a Parquet file.
fn column(path: &Path, name: &str) -> Vec<String> {
    let file = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let cell = |row: Row| {
        let mut columns = row.get_column_iter();
        let (_, field) = columns.find(|(known, _)| *known == name).unwrap();
        field.to_string().trim_matches('"').to_owned()
    };
    file.get_row_iter(None).unwrap().map(|row| cell(row.unwrap())).collect()
}

/// One tap has another word than all others, so that no column is right by chance.
#[test]
fn gathered_and_shared_tables_say_whence_each_onset_is_too() {
    let (place, _) = simulated("taps");
    let told = place.path(&events(TRIALS[1]));
    let text = fs::read_to_string(&told).unwrap();
    fs::write(&told, text.replacen("\trefined\t", "\tunconfirmed\t", 1)).unwrap();
    let said = place.run("analyze d --to whole");
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    let whole = table(&place.path("whole/desc-taps_beh.tsv"));
    let whole: Vec<String> = whole.iter().map(|row| row["onset_source"].clone()).collect();
    assert_eq!(whole.iter().filter(|word| *word == "unconfirmed").count(), 1, "{whole:?}");
    assert!(matches!(place.run("gather d g").code, Some(0 | 1)));
    assert_eq!(column(&place.path("g/taps/dataset=d/part-0.parquet"), "onset_source"), whole);
    for share in 1..=2 {
        let said = place.run(&format!("analyze d --shard {share}/2 --output {share}"));
        assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    }
    place.run("analyze d --to parts --shares 2 1");
    let parts = table(&place.path("parts/desc-taps_beh.tsv"));
    assert!(parts.iter().map(|row| &row["onset_source"]).eq(&whole));
}

#[test]
fn sound_of_a_simulated_study_is_neither_packed_nor_exported_and_goes_with_its_person() {
    let (place, _) = simulated("taps");
    assert_eq!(sounds(&place.path("d")), 8);
    let said = place.run("pack d --output d.zip");
    assert_eq!(said.code, Some(0), "{said:?}");
    let packed = fs::read(place.path("d.zip")).unwrap();
    let names = zip::ZipArchive::new(std::io::Cursor::new(packed)).unwrap();
    assert!(names.file_names().all(|name| !name.unwrap().contains("_sound.")));
    assert_eq!(place.run("export d --to out").code, Some(0));
    assert_eq!(sounds(&place.path("out")), 0);
    let said = place.run("withdraw d --participant 01 --yes");
    assert_eq!(said.code, Some(0), "{said:?}");
    let left = files(&place.path("d"));
    assert!(left.iter().all(|path| !path.to_string_lossy().contains("sub-01")), "{left:?}");
    assert_eq!(sounds(&place.path("d")), 4);
}
