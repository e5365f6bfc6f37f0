//! A small dataset, recorded in virtual time: three simulated participants, two tempi, shifts
//! of the metronome, a continuation, a trial without taps, one whose file is broken.

use chronotap_analysis::observed::Answers;
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::Tappers;
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    Circumstances, Footer, Header, Names, RunnerMode, TrialText, summarize, write_events,
};
use chronotap_data::tables::{AnalysisOptions, Sources, analyze_with_courses};
use chronotap_engine::Engine;
use chronotap_report::{RecordedTrials, trials_page};
use chronotap_simulate::{FarEnd, Wire, virtual_time};
use chronotap_trial::Ports;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// A metronome with a phase shift every nine beats, and a continuation.
fn trial(interval: &str) -> String {
    let mut text = format!(
        "title = \"Shifts at {interval}\"\n[pacing.metronome]\ninterval = \"{interval}\"\n\
         beats = 60\n[feedback.tone]\n"
    );
    for (beat, shift) in [(12, "50 ms"), (21, "-50 ms"), (30, "50 ms"), (39, "-50 ms")] {
        text += &format!("[[pacing.metronome.change]]\nat = {beat}\nphase_shift = \"{shift}\"\n");
    }
    text + "[[when]]\ntime = \"45 s\"\nend = true\n"
}

fn record(folder: &Path, name: &str, interval: &str, model: &str, seed: u64) {
    let text = trial(interval);
    let file = TrialFile::parse(&text, "shifts.toml").unwrap();
    let tappers = Tappers::from_spec(model, &["input".to_owned()], seed).unwrap();
    let header = Header {
        program: "chronotap 0.1.0".into(),
        trial_file: TrialText { name: "shifts.toml".into(), text: text.clone() },
        title: format!("Shifts at {interval}"),
        seed,
        started: "2026-01-01T10:00:00Z".into(),
        mode: RunnerMode::RealTime,
        machine: json!({ "kernel_release": "6.1.0-rt7", "preemption": "PREEMPT_RT" }),
        rights: json!({ "granted": { "items": [
            { "what": "real-time priority", "asked": "SCHED_FIFO 80", "granted": true, "got": "SCHED_FIFO 80" },
            { "what": "memory lock", "asked": "all memory", "granted": false, "got": "none" },
        ] } }),
        limit_ns: 1_000_000,
        names: Names::of(&file.trial, &[]),
        ..Header::default()
    };
    let trial = Arc::new(file.trial.clone());
    let mut rig = Ports::new(trial.inputs.len(), trial.outputs.len());
    let far_end = FarEnd::Performer(Box::new(tappers));
    rig.add(Box::new(Wire::new(Some(0), far_end)), &[0], &[0]).unwrap();
    let mut entries = Vec::new();
    let engine = Engine::new(trial, seed);
    virtual_time::run(engine, rig, Nanos::from_secs(60), &mut |entry| entries.push(entry));
    let answers = Answers { pairs: Some(vec![(0, 0)]), ..Answers::default() };
    let limit = Nanos::from_millis(1);
    let seen = Circumstances { limit, answers, ..Circumstances::default() };
    let summary = summarize(&header.title, &file.trial, &entries, &seen);
    let footer = Footer { summary: serde_json::to_value(summary).unwrap(), ..Footer::default() };
    write_events(folder, name, &header, &entries, &footer, false).unwrap();
}

/// The dataset in a folder.
pub fn dataset(folder: &Path) {
    for (number, mean) in (1..).zip([-30, -45, -15]) {
        let label = format!("{number:02}");
        let beh = folder.join(format!("sub-{label}/beh"));
        fs::create_dir_all(&beh).unwrap();
        let mut table =
            "trial\tstep\tblock\trepetition\tattempt\tcounts\ttempo\tseed\tevents_file\n"
                .to_owned();
        for run in 1..=4u64 {
            let tempo = if run % 2 == 0 { "400 ms" } else { "600 ms" };
            let name = format!("sub-{label}_task-shifts_run-{run:02}");
            let silent = if (number, run) == (3, 4) { ", miss = 0.9, after = 59" } else { "" };
            let model = format!("tapper, mean = {mean} ms, alpha = 0.4{silent}");
            record(&beh, &name, tempo, &model, 10 * number + run);
            // One person was given the first trial again.
            let counts = (number, run) != (2, 1);
            let (trial, attempt) = if (number, run) == (2, 3) { (1, 2) } else { (run, 1) };
            table += &format!(
                "{trial}\tmain\t1\t1\t{attempt}\t{counts}\t{tempo}\t1\tsub-{label}/beh/{name}_events.tsv\n"
            );
        }
        fs::write(beh.join(format!("sub-{label}_task-shifts_beh.tsv")), table).unwrap();
    }
    fs::write(folder.join("sub-01/beh/sub-01_task-shifts_run-02_events.tsv"), "broken\n").unwrap();
}

/// The page of a dataset.
pub fn page(folder: &Path) -> String {
    let sources = Sources::find(&[folder.to_owned()]).unwrap();
    let how = AnalysisOptions::default();
    let (analysis, courses) = analyze_with_courses(&sources, &how, &|_| {});
    trials_page(&RecordedTrials {
        title: "Shifts of the metronome",
        sources: &sources,
        how: &how,
        analysis: &analysis,
        courses: &courses,
        study: chronotap_report::study(folder),
        program: "chronotap 0.1.0",
        command: &["report".to_owned(), "shifts".to_owned()],
    })
}
