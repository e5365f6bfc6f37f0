//! A trial in a test: its text, who taps, and the rows that must come of it.
//!
//! Every trial runs in virtual time on a wire that takes no time, is written to
//! events files, read back and replayed; [`Setup::play`] fails where the replay
//! differs, a tone is left hanging, or anything is a nanosecond late. So a test
//! need only state what it is about. The rows it expects are worked out by hand
//! from the rules of docs/trial-meaning.md, never copied from the program.

mod trial_rows;

use crate::performers::Messages;
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::{Script, Tappers};
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    Flag, Footer, Header, Names, Row, RunnerMode, TrialText, TrialType, difference, matching_rule,
    read_events, rows, rows_of, write_events,
};
use chronotap_engine::Engine;
use chronotap_engine::signal::{Performer, Sent};
use chronotap_simulate::{FarEnd, Wire, replay, virtual_time};
use chronotap_trial::Ports;
use std::sync::Arc;

pub use trial_rows::TrialRows;

/// A trial that is about to run.
pub struct Setup {
    file: TrialFile,
    performer: Option<Box<dyn Performer>>,
    seed: u64,
    until: Nanos,
}

/// The trial of a file's text; it runs for an hour at most, with seed 1.
pub fn trial(text: &str) -> Setup {
    let file = TrialFile::parse(text, "trial.toml").unwrap_or_else(|wrong| panic!("{wrong}"));
    let seed = file.seed.unwrap_or(1);
    Setup { file, performer: None, seed, until: Nanos::from_secs(3_600) }
}

impl Setup {
    /// Key presses, one a line: onset and hold in seconds, note, velocity, and where
    /// needed channel and input.
    pub fn taps(mut self, presses: &str) -> Setup {
        let mut table = "onset\tduration\tnote\tvelocity\tchannel\tinput\n".to_owned();
        for line in presses.lines().filter(|line| !line.trim().is_empty()) {
            let mut fields: Vec<&str> = line.split_whitespace().collect();
            fields.resize(6, "n/a");
            table += &(fields.join("\t") + "\n");
        }
        let inputs: Vec<String> = self.file.trial.inputs.iter().map(|i| i.name.clone()).collect();
        let script = Script::parse(&table, "taps", &inputs).unwrap_or_else(|e| panic!("{e}"));
        self.performer = Some(Box::new(script));
        self
    }

    /// Simulated participants, by their descriptions; they draw with the trial's seed so far.
    pub fn participants(mut self, described: &str) -> Setup {
        let tappers = Tappers::at_trial(described, &self.file, self.seed);
        self.performer = Some(Box::new(tappers.unwrap_or_else(|wrong| panic!("{wrong}"))));
        self
    }

    /// Any messages, each at its time on its input, ascending.
    pub fn messages(mut self, sent: Vec<Sent>) -> Setup {
        self.performer = Some(Box::new(Messages::new(sent)));
        self
    }

    /// Another seed.
    pub fn seed(mut self, seed: u64) -> Setup {
        self.seed = seed;
        self
    }

    /// The trial is stopped here, in seconds, where nothing ends it before.
    pub fn until(mut self, seconds: i64) -> Setup {
        self.until = Nanos::from_secs(seconds);
        self
    }

    /// Runs the trial and checks what holds of every trial.
    ///
    /// # Panics
    /// Where something that must hold of every trial does not.
    pub fn play(self) -> TrialRows {
        let header = self.header();
        let trial = Arc::new(self.file.trial);
        let count = |n: usize| (0..n as u16).collect::<Vec<u16>>();
        let (inputs, outputs) = (count(trial.inputs.len()), count(trial.outputs.len()));
        let far_end = self.performer.map_or(FarEnd::Silence, FarEnd::Performer);
        let mut rig = Ports::new(inputs.len(), outputs.len());
        rig.add(Box::new(Wire::new(Some(0), far_end)), &inputs, &outputs).unwrap();
        let engine = Engine::new(Arc::clone(&trial), self.seed);
        let mut entries = Vec::new();
        let outcome = virtual_time::run(engine, rig, self.until, &mut |e| entries.push(e));
        assert_eq!(outcome.lost, 0, "tones or inputs were lost");
        let dir = tempfile::tempdir().unwrap();
        let footer = Footer::default();
        let saved = write_events(dir.path(), "trial", &header, &entries, &footer, false).unwrap();
        let recording = read_events(&saved.tsv).unwrap();
        assert_eq!(recording.rows, rows_of(&header, &entries), "read back as written");
        assert_eq!(recording.contradiction(), None, "the table agrees with itself");
        let again = replay::run(Engine::new(trial, self.seed), &recording);
        let differs = difference(&recording.rows, &rows(&header.names, &again));
        assert!(differs.is_none(), "the replay differs: {}", differs.unwrap());
        recording.rows.iter().for_each(must_be_sound);
        TrialRows { summary: recording.summary().ok(), rows: recording.rows }
    }

    fn header(&self) -> Header {
        let text = self.file.source.clone();
        let trial_file = TrialText { name: "trial.toml".into(), text };
        Header {
            trial_file,
            seed: self.seed,
            mode: RunnerMode::VirtualTime,
            names: Names::of(&self.file.trial, &self.file.rule_details()),
            matching: matching_rule(&self.file),
            ..Header::default()
        }
    }
}

/// What holds of every row in virtual time.
fn must_be_sound(row: &Row) {
    let outputs = [TrialType::Pacing, TrialType::Feedback, TrialType::Masking];
    let unheard = [TrialType::Silent, TrialType::Muted, TrialType::Cancelled];
    if unheard.contains(&row.trial_type) {
        return assert_eq!(row.achieved, None);
    }
    assert_eq!(Some(row.onset), row.achieved, "{row:?}");
    if row.deadline.is_some() {
        assert_eq!(row.deadline, row.achieved, "{row:?}");
    }
    if outputs.contains(&row.trial_type) {
        assert!(row.duration.is_some_and(|d| d >= Nanos::ZERO), "left hanging: {row:?}");
        assert_eq!(row.release_deadline, row.release_achieved, "{row:?}");
    }
    let debounced = (row.flag == Some(Flag::Debounced)).then_some(Flag::Debounced);
    assert_eq!(row.flag, debounced, "{row:?}");
}
