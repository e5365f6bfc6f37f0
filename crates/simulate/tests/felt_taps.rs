//! Taps on a virtual sensor of force: its force is kept, and each tap has the peak, the rise and the dwell of
//! what the performer played.

use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::Script;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Recording, Row, TrialType, read_events};
use chronotap_engine::signal::Stamp;
use chronotap_simulate::{KeepData, Tapper, TrialRun, VirtualTrials, Wired, Wires, prove};
use std::path::Path;
use std::sync::Arc;

/// When taps begin and how long they last, in seconds, and their velocities.
const TAPS: [(f64, f64, u8); 4] =
    [(0.500_3, 0.05, 127), (1.1, 0.12, 64), (1.7, 0.03, 10), (2.95, 0.3, 90)];
/// The greatest sum of eight readings: 59 at the least, and 964 more of 127.
const PEAKS: [u32; 3] = [8 * 1_023, 8 * (59 + 485), 8 * (59 + 75)];

/// A trial of 3 s whose force is kept in this folder, read back.
fn kept(dir: &Path) -> Recording {
    let text = "[feedback.tone]\n[[when]]\ntime = \"3 s\"\nend = true\n";
    let file = TrialFile::parse(text, "trial.toml").unwrap();
    let (input, output) = (&file.trial.inputs[0].name, &file.trial.outputs[0]);
    let mut wires = Wires::unthrottled(&[input], &[output]);
    wires.inputs[0] =
        Wired { port: "sensor:virtual".into(), felt: true, ..wires.inputs[0].clone() };
    let mut table = "onset\tduration\tnote\tvelocity\n".to_owned();
    for (onset, held, velocity) in TAPS {
        table += &format!("{onset:.6}\t{held:.6}\t60\t{velocity}\n");
    }
    let script = Script::parse(&table, "taps", std::slice::from_ref(input)).unwrap();
    let tapper = Tapper::Scripted(script, "taps.tsv".into());
    let mut trials = VirtualTrials::new(&wires, Nanos::from_secs(60), Arc::default()).unwrap();
    let keep = KeepData::Files(dir, "felt");
    let run = TrialRun { file: &file, seed: 1, tapper: &tapper, limit: None, keep, sinks: &[] };
    let saved = trials.run(&run).unwrap().saved.unwrap().unwrap();
    assert_eq!(saved.forces, [dir.join("felt_recording-input_physio.tsv.gz")]);
    read_events(&saved.tsv).unwrap()
}

fn taps(recording: &Recording) -> Vec<&Row> {
    recording.rows.iter().filter(|row| row.trial_type == TrialType::Tap).collect()
}

#[test]
fn each_tap_has_the_peak_the_rise_and_the_dwell_that_were_played() {
    let dir = tempfile::tempdir().unwrap();
    let recording = kept(dir.path());
    let taps = taps(&recording);
    assert_eq!(taps.len(), TAPS.len());
    for ((tap, (onset, held, _)), peak) in taps.iter().zip(TAPS).zip(PEAKS) {
        let force = tap.force.unwrap();
        assert_eq!(
            (tap.stamp, tap.onset),
            (Some(Stamp::Device), Nanos::round_from_f64(onset * 1e9))
        );
        assert_eq!(force.peak, peak);
        assert_eq!(force.dwell, Nanos::round_from_f64(held * 1e9));
        // It rises for 10 ms, and the middle of the first row behind that is up to 1.5 ms later.
        assert!((10.4..11.5).contains(&force.rise.as_millis_f64()), "{force:?}");
    }
    assert_eq!(taps[3].force, None, "it was not released before the end");
    let proof = prove(&recording).unwrap();
    assert!(proof.holds(), "{:?}", proof.faults());
    assert_eq!(recording.contradiction(), None);
    let file = recording.trial_file().unwrap();
    let observed = recording.observed(&file).unwrap();
    let known = |tap: &chronotap_analysis::observed::Tap| tap.force.map(|force| force.peak);
    let all: Vec<_> = observed.taps[0].taps.iter().map(known).collect();
    assert_eq!(all, [Some(PEAKS[0]), Some(PEAKS[1]), Some(PEAKS[2]), None]);
}

#[test]
fn a_dataset_says_what_its_force_columns_are() {
    let dir = tempfile::tempdir().unwrap();
    kept(dir.path());
    let described = std::fs::read_to_string(dir.path().join("felt_events.json")).unwrap();
    let described: serde_json::Value = serde_json::from_str(&described).unwrap();
    let table = std::fs::read_to_string(dir.path().join("felt_events.tsv")).unwrap();
    let names: Vec<&str> = table.lines().next().unwrap().split('\t').collect();
    assert_eq!(names[names.len() - 3..], ["peak_force", "rise_ns", "dwell_ns"]);
    for name in names {
        assert!(described[name]["Description"].is_string(), "{name}");
    }
}
