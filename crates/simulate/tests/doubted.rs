//! What is doubted of taps that no participant makes, from a performance to the summary, and not of what
//! participants do; and that a recording is held against the doubts that its program knew.

use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::Script;
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    Circumstances, Footer, Header, Names, PROGRAM, RunnerMode, TrialText, answers, read_events,
    summarize, write_events,
};
use chronotap_engine::Engine;
use chronotap_engine::signal::Sent;
use chronotap_simulate::{FarEnd, SummaryProof, Wire, prove, virtual_time};
use chronotap_testkit_simulate::performers::note_on;
use chronotap_testkit_simulate::trial::trial;
use chronotap_trial::Ports;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PADS: &str = "[input.drum]\n[input.snare]\n[pacing.metronome]\ninterval = \"500 ms\"\n\
    [[when]]\nbeat = 21\nend = true\n";

/// Doubts about the data of a trial in which these keys are pressed.
fn doubts(text: &str, presses: &str) -> Vec<String> {
    trial(text).taps(presses).play().summary().data.doubts.clone()
}

/// A stroke on the drum each half second; the snare has taps so many ms later.
fn with_snare(later: impl Fn(u32) -> f64) -> String {
    let line = |n: u32| {
        let at = 0.5 * f64::from(n);
        let snare = at + later(n) / 1e3;
        format!("{at} 0.05 60 90 1 drum\n{snare} 0.05 62 12 1 snare\n")
    };
    (1..=20).map(line).collect()
}

#[test]
fn a_snare_that_feels_the_drum_is_doubted() {
    let found = doubts(PADS, &with_snare(|n| 3.0 + f64::from(n % 3) * 0.4));
    let due = "20 taps of input \"snare\" came 3.4 ms after one of input \"drum\"";
    assert!(found.len() == 1 && found[0].starts_with(due), "{found:?}");
}

#[test]
fn two_hands_that_tap_together_are_not_doubted() {
    for seed in 1..=20 {
        let played = trial(PADS).seed(seed).participants("tapper").play();
        assert!(played.summary().taps.iter().all(|input| input.taps >= 10), "seed {seed}");
        assert_eq!(played.summary().data.doubts, [""; 0], "seed {seed}");
    }
}

#[test]
fn keys_that_never_end_are_doubted_where_tones_last_as_long_as_keys() {
    let text = |duration: &str| {
        format!("[feedback.tone]\nduration = {duration}\n[[when]]\ntime = \"9 s\"\nend = true\n")
    };
    let presses = |n: i64| -> Vec<Sent> { (1..=n).map(|n| note_on(n * 500, 60, 90)).collect() };
    let found = |duration: &str, sent| {
        trial(&text(duration)).messages(sent).play().summary().data.doubts.clone()
    };
    let held = found("\"as played\"", presses(10));
    assert!(held.len() == 1 && held[0].starts_with("none of the 10 keys"), "{held:?}");
    assert_eq!(found("\"50 ms\"", presses(10)), [""; 0]);
    let released = [presses(10), vec![note_on(5_200, 60, 0)]].concat();
    assert_eq!(found("\"as played\"", released), [""; 0]);
}

/// The files of a trial in which the snare feels the drum, with its summary.
fn recorded(dir: &Path) -> PathBuf {
    let file = TrialFile::parse(PADS, "trial.toml").unwrap();
    let script = "onset\tduration\tnote\tvelocity\tchannel\tinput\n".to_owned()
        + &with_snare(|_| 3.0).replace(' ', "\t");
    let inputs = ["drum".to_owned(), "snare".to_owned()];
    let script = Script::parse(&script, "taps", &inputs).unwrap();
    let mut ports = Ports::new(2, file.trial.outputs.len());
    let outputs: Vec<u16> = (0..file.trial.outputs.len() as u16).collect();
    let wire = Wire::new(Some(0), FarEnd::Performer(Box::new(script)));
    ports.add(Box::new(wire), &[0, 1], &outputs).unwrap();
    let header = Header {
        program: PROGRAM.to_owned(),
        trial_file: TrialText { name: "trial.toml".into(), text: PADS.into() },
        title: file.title.clone(),
        seed: 1,
        mode: RunnerMode::VirtualTime,
        names: Names::of(&file.trial, &file.rule_details()),
        ..Header::default()
    };
    let trial = Arc::new(file.trial.clone());
    let (engine, mut entries) = (Engine::new(Arc::clone(&trial), 1), Vec::new());
    virtual_time::run(engine, ports, Nanos::from_secs(60), &mut |entry| entries.push(entry));
    let seen = Circumstances { answers: answers(&file), ..Circumstances::default() };
    let summary = summarize(&file.title, &trial, &entries, &seen);
    let footer = Footer { summary: serde_json::to_value(summary).unwrap(), ..Footer::default() };
    write_events(dir, "trial", &header, &entries, &footer, false).unwrap().tsv
}

/// What its program did not look for is no difference, and what it says that it looked for is one.
#[test]
fn a_recording_is_proved_by_the_doubts_that_its_program_knew() {
    let dir = tempfile::tempdir().unwrap();
    let mut recording = read_events(&recorded(dir.path())).unwrap();
    assert_eq!(prove(&recording).unwrap().summary, SummaryProof::Agrees);
    let data = recording.footer.summary["data"].as_object_mut().unwrap();
    assert_eq!(data["revision"], json!(1));
    assert_eq!(data["doubts"].as_array().unwrap().len(), 1);
    data["doubts"] = json!([]);
    assert!(matches!(prove(&recording).unwrap().summary, SummaryProof::Differs(_)));
    recording.footer.summary["data"].as_object_mut().unwrap().remove("revision");
    assert_eq!(prove(&recording).unwrap().summary, SummaryProof::Agrees);
    assert_eq!(recording.summary().unwrap().data.doubts, [""; 0]);
}
