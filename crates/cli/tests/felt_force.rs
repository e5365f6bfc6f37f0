//! A rehearsal with a virtual sensor of force: its force is kept, and the tables of the analysis have it.

use chronotap_testkit_cli::program::Workspace;
use std::fs;
use std::path::Path;

const TRIAL: &str = "[pacing.metronome]\ninterval = \"500 ms\"\nbeats = 12\n[feedback.tone]\n\
                     [[when]]\ntime = \"7 s\"\nend = true\n";

/// The cells of a column.
fn column(table: &Path, name: &str) -> Vec<String> {
    let text = fs::read_to_string(table).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let place = rows[0].iter().position(|one| *one == name).unwrap_or_else(|| panic!("no {name}"));
    rows[1..].iter().map(|row| row[place].to_owned()).collect()
}

fn numbers(cells: &[String]) -> Vec<f64> {
    cells.iter().filter_map(|cell| cell.parse().ok()).collect()
}

#[test]
fn a_rehearsal_with_a_virtual_sensor_has_the_force_of_its_taps_and_their_statistics() {
    let place = Workspace::of(env!("CARGO_BIN_EXE_chronotap"));
    place.file("sync.toml", TRIAL);
    let said = place.run("simulate sync.toml --seed 1 --quiet --in sensor:virtual --out wire");
    assert_eq!(said.code, Some(0), "{said:?}");
    let name = "data/sync_run-01_recording-input_physio";
    assert!(place.path(&format!("{name}.tsv.gz")).exists());
    assert!(place.path(&format!("{name}.json")).exists());
    let said = place.run("analyze data --to out");
    assert_eq!(said.code, Some(0), "{said:?}");
    let taps = place.path("out/desc-taps_beh.tsv");
    let (peaks, dwells) = (numbers(&column(&taps, "peak_force")), column(&taps, "dwell_ns"));
    // Nine beats from the fourth on, and one tap more, which is not released before the trial is over.
    assert_eq!((peaks.len(), dwells.len()), (9, 10), "{peaks:?}");
    let trials = place.path("out/desc-trials_beh.tsv");
    let of = |name: &str| numbers(&column(&trials, name))[0];
    assert_eq!(of("force_taps"), peaks.len() as f64);
    let mean = peaks.iter().sum::<f64>() / peaks.len() as f64;
    assert!((of("mean_peak_force") - mean).abs() < 1e-6 * mean, "{mean}");
    let ms: Vec<f64> = numbers(&dwells).iter().map(|ns| ns / 1e6).collect();
    let mean = ms.iter().sum::<f64>() / ms.len() as f64;
    let squares: f64 = ms.iter().map(|ms| (ms - mean).powi(2)).sum();
    let sd = (squares / (ms.len() - 1) as f64).sqrt();
    assert!((of("mean_dwell_ms") - mean).abs() < 1e-6 * mean, "{mean}");
    assert!((of("sd_dwell_ms") - sd).abs() < 1e-6 * (1.0 + sd), "{sd}");
    assert_eq!(place.run("replay data/sync_run-01_events.tsv").code, Some(0));
}
