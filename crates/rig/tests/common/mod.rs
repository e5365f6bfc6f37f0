//! A trial in real time on ports of the test's own.

use chronotap_config::trial_files::TrialFile;
use chronotap_data::record::{Entry, Footer, Header, Names, RunnerMode, read_events, rows};
use chronotap_engine::Engine;
use chronotap_engine::signal::Port;
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::recorder::Recorder;
use chronotap_rig::runner::real_time::{self, RealTimeSettings, TrialOutcome};
use chronotap_simulate::replay;
use chronotap_trial::Ports;
use std::sync::Arc;

/// Runs a trial in real time on one port; gives its entries and what else it left.
/// Ends with a replay, which must agree.
pub fn run(text: &str, port: Box<dyn Port>) -> (Vec<Entry>, TrialOutcome) {
    let file = TrialFile::parse(text, "test.toml").expect("a trial");
    let trial = Arc::new(file.trial.clone());
    let inputs: Vec<u16> = (0..trial.inputs.len() as u16).collect();
    let outputs: Vec<u16> = (0..trial.outputs.len() as u16).collect();
    let mut rig = Ports::new(inputs.len(), outputs.len());
    rig.add(port, &inputs, &outputs).expect("room for one port");
    let dir = tempfile::tempdir().expect("a directory");
    let header = Header {
        mode: RunnerMode::RealTime,
        seed: 7,
        names: Names::of(&trial, &[]),
        ..Header::default()
    };
    let mut recorder = None;
    let outcome = real_time::run(
        Engine::new(Arc::clone(&trial), 7),
        rig,
        &RealTimeSettings { request: Request::trial(), spin: true, serve_every: None },
        Interrupt::without_signals().expect("an eventfd"),
        |_| {
            let (sender, started) =
                Recorder::start(dir.path(), "test", &header).expect("a journal");
            recorder = Some(started);
            sender
        },
        |_| {},
    )
    .expect("the trial runs");
    let mut recorder = recorder.expect("it was started");
    let entries = recorder.stop().expect("entries").iter().copied().collect::<Vec<_>>();
    let footer = Footer { summary: serde_json::json!({}), ..Footer::default() };
    let saved = recorder.finish(footer).expect("files");
    let recording = read_events(&saved.tsv).expect("readable");
    let replayed = replay::run(Engine::new(trial, 7), &recording);
    let difference =
        chronotap_data::record::difference(&recording.rows, &rows(&header.names, &replayed));
    assert_eq!(difference, None);
    (entries, outcome)
}
