//! What the tests of sessions share: a small study, a session of it in virtual time, and a
//! dataset in a folder of its own.
#![allow(dead_code, clippy::unwrap_used)] // not every test needs all; a study that fails has failed

use chronotap_core::time::Nanos;
use chronotap_design::Experiment;
use chronotap_session::{
    Dataset, Drawn, Ending, Frontend, Line, SessionDisk, Study, Who, read_lines,
};
use chronotap_simulate::{InRealTime, Tapper, VirtualTrials, Wires};
use chronotap_visit::{Equipment, Session, SessionError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What of a [`Frontend`] nobody is asked for who is not there: it is the same in every test. `$drawn` is
/// the field with the [`Drawn`].
#[macro_export]
macro_rules! nobody_is_there {
    ($drawn:tt) => {
        fn pause(
            &mut self,
            span: chronotap_core::time::Nanos,
            why: chronotap_session::Pause,
        ) -> Result<(), chronotap_session::FrontendError> {
            self.$drawn.pause(span, why)
        }
        fn is_attended(&self) -> bool {
            false
        }
        fn beckoned(&mut self) -> bool {
            true
        }
        fn wish(&mut self) -> Option<chronotap_session::Wish> {
            None
        }
        fn confirm(
            &mut self,
            doubt: &chronotap_session::Doubt,
        ) -> Result<bool, chronotap_session::FrontendError> {
            self.$drawn.confirm(doubt)
        }
        fn missed(
            &mut self,
            practice: &chronotap_session::NotReached,
        ) -> Result<chronotap_session::AfterPractice, chronotap_session::FrontendError> {
            self.$drawn.missed(practice)
        }
    };
}

/// Five beats at 100 ms; a trial takes 0.6 s of virtual time.
pub const TRIAL: &str = "\
[input.pad]
[pacing.metronome]
interval = \"100 ms\"
tone = { note = 76, duration = \"5 ms\" }
[feedback.tone]
pitch = { fixed = \"E4\" }
duration = \"10 ms\"
[[when]]
beat = 9
end = true
";

/// Two blocks of three trials, with everything that stands between trials.
pub const STUDY: &str = "\
title = \"A small study\"
task = \"small\"
participants = 4
seed = 3
trial = \"trial.toml\"
[factor]
tempo = [\"90 ms\", \"110 ms\"]
delay = [\"0 ms\", \"5 ms\", \"10 ms\"]
[between]
hand = [\"left\", \"right\"]
[set]
pacing.metronome.interval = { factor = \"tempo\" }
feedback.tone.delay = { factor = \"delay\" }
[participant]
age = { question = \"Age in years\", number = [18, 99] }
[question.effort]
text = \"How hard was that?\"
scale = [1, 7]
[question.tempo_liked]
text = \"Did you like it?\"
choice = [\"yes\", \"no\"]
[[step]]
text = \"Welcome.\"
[[step]]
name = \"main\"
block = { by = \"tempo\", order = \"latin\", ask = [\"tempo_liked\"] }
repetitions = 1
shuffle = \"all\"
gap = \"1 s\"
rest = { every = 2, for = \"10 s\" }
ask = [\"effort\"]
[[step]]
text = \"Thank you.\"
";

/// A study from the text of its experiment file; its trial file is [`TRIAL`].
pub fn study(text: &str) -> Study {
    let files = vec![("trial.toml".to_owned(), TRIAL.to_owned())];
    Study::of(Experiment::parse(text, "study.toml", &files).unwrap()).unwrap()
}

/// Virtual wires for all trials of a study.
pub fn wires(study: &Study) -> Wires {
    let (inputs, outputs) = study.inputs_and_outputs();
    Wires::unthrottled(&inputs, &outputs)
}

/// What runs trials of a study in virtual time.
pub fn trials(study: &Study) -> VirtualTrials {
    VirtualTrials::new(&wires(study), Nanos::from_secs(60), Arc::default()).unwrap()
}

/// The dataset of a study with simulated participants, on a disk that need not be waited for.
pub fn dataset(root: &Path, study: &Study) -> Dataset {
    let disk = SessionDisk::that_syncs_at_the_end();
    Dataset::open_or_make(root, &study.about, true, disk).unwrap()
}

/// Participant 01, simulated.
pub fn who() -> Who {
    let simulated = Some("tapper".to_owned());
    Who { label: "01".into(), session: 1, simulated, by: "test".into(), ..Who::default() }
}

/// Runs a session of participant 01 in virtual time, with drawn answers.
pub fn sit(study: &Study, dataset: &Dataset) -> Result<Ending, SessionError> {
    let mut frontend = Drawn::new(study.experiment.seed, "01", 1);
    let mut session = Session::open(study, dataset, &who(), &mut frontend)?;
    run_open(&mut session, study, &mut frontend)
}

/// Runs an open session in virtual time.
pub fn run_open(
    session: &mut Session<'_>,
    study: &Study,
    frontend: &mut dyn Frontend,
) -> Result<Ending, SessionError> {
    run_in(session, study, frontend, None)
}

/// The same, with what is asked of the system.
pub fn run_in(
    session: &mut Session<'_>,
    study: &Study,
    frontend: &mut dyn Frontend,
    in_real_time: Option<&dyn InRealTime>,
) -> Result<Ending, SessionError> {
    let mut laboratory = trials(study);
    let mut equipment = Equipment {
        laboratory: &mut laboratory,
        in_real_time,
        tapper: &Tapper::Simulated("tapper".into()),
        limit: None,
        sinks: &[],
    };
    session.run(&mut equipment, frontend)
}

/// Where the journal of participant 01 is.
pub fn journal(root: &Path, study: &Study) -> PathBuf {
    root.join(study.place("01", 1).journal())
}

/// What the journal of participant 01 says.
pub fn lines(root: &Path, study: &Study) -> Vec<Line> {
    read_lines(&journal(root, study)).unwrap()
}

/// The rows of the table of trials as step, trial, attempt and counts.
pub fn rows(root: &Path, study: &Study) -> Vec<(String, String, String, String)> {
    let text = std::fs::read_to_string(root.join(study.place("01", 1).table())).unwrap();
    let table = chronotap_session::TsvTable::parse(&text).unwrap();
    let cell = |row, name| table.cell(row, name).unwrap_or("n/a").to_owned();
    let of =
        |row| (cell(row, "step"), cell(row, "trial"), cell(row, "attempt"), cell(row, "counts"));
    table.rows.iter().map(of).collect()
}
