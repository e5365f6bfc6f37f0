//! A trial in a test: its text, who taps, and the rows that must come of it.
//!
//! Every trial runs in virtual time on a wire that takes no time, is written to
//! events files, read back and replayed; [`Setup::play`] fails where the replay
//! differs, a tone is left hanging, or anything is a nanosecond late. So a test
//! need only state what it is about. The rows it expects are worked out by hand
//! from the rules of docs/trial-files.md, never copied from the program.

#![allow(dead_code, clippy::unwrap_used)] // each test file uses its own part of this

use chronotap_engine::Engine;
use chronotap_experiment::TrialFile;
use chronotap_experiment::performers::Script;
use chronotap_midi::{Channel, Message, U7};
use chronotap_record::{
    Flag, Footer, Header, Mode, Names, Row, TrialType, difference, read_events, rows, write_events,
};
use chronotap_rehearsal::{FarEnd, Wire};
use chronotap_rehearsal::{Rig, replay, virtual_time};
use chronotap_signal::{Heard, Performer, Sent};
use chronotap_time::Nanos;
use std::sync::Arc;

/// A trial that is about to run.
pub struct Setup {
    file: TrialFile,
    performer: Option<Box<dyn Performer>>,
    seed: u64,
    until: Nanos,
}

/// A trial that was run.
pub struct Played {
    /// Its rows, as in the events file.
    pub rows: Vec<Row>,
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

    /// Any messages, each at its time on its input, ascending.
    pub fn messages(mut self, sent: Vec<Sent>) -> Setup {
        self.performer = Some(Box::new(Messages { sent, place: 0 }));
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
    pub fn play(self) -> Played {
        let header = self.header();
        let trial = Arc::new(self.file.trial);
        let count = |n: usize| (0..n as u16).collect::<Vec<u16>>();
        let (inputs, outputs) = (count(trial.inputs.len()), count(trial.outputs.len()));
        let far_end = self.performer.map_or(FarEnd::Silence, FarEnd::Performer);
        let mut rig = Rig::new(inputs.len(), outputs.len());
        rig.add(Box::new(Wire::new(Some(0), far_end)), &inputs, &outputs).unwrap();
        let engine = Engine::new(Arc::clone(&trial), self.seed);
        let mut entries = Vec::new();
        let outcome = virtual_time::run(engine, rig, self.until, &mut |e| entries.push(e));
        assert_eq!(outcome.lost, 0, "tones or inputs were lost");
        let dir = tempfile::tempdir().unwrap();
        let footer = Footer::default();
        let saved = write_events(dir.path(), "trial", &header, &entries, &footer, false).unwrap();
        let recording = read_events(&saved.tsv).unwrap();
        assert_eq!(recording.rows, rows(&header.names, &entries), "read back as written");
        let again = replay::run(Engine::new(trial, self.seed), &recording);
        let differs = difference(&recording.rows, &rows(&header.names, &again));
        assert!(differs.is_none(), "the replay differs: {}", differs.unwrap());
        recording.rows.iter().for_each(must_be_sound);
        Played { rows: recording.rows }
    }

    fn header(&self) -> Header {
        let trial_file = chronotap_record::TrialText {
            name: "trial.toml".into(),
            text: self.file.source.clone(),
        };
        Header {
            trial_file,
            seed: self.seed,
            mode: Mode::VirtualTime,
            names: Names::of(&self.file.trial, &self.file.trigger_details()),
            ..Header::default()
        }
    }
}

/// What holds of every row in virtual time.
fn must_be_sound(row: &Row) {
    let outputs = [TrialType::Pacing, TrialType::Feedback, TrialType::Masking];
    if row.trial_type == TrialType::Cancelled {
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

impl Played {
    /// All rows, in the short form of [`short`].
    pub fn expect(&self, rows: &str) {
        self.expect_of("", rows);
    }

    /// The rows whose short form, after the onset, begins with one of `which`
    /// (separated by `|`).
    pub fn expect_of(&self, which: &str, rows: &str) {
        let expected: Vec<&str> = rows.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        let found = self.of(which);
        for (i, (a, b)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(a, b, "row {}: {}", i + 1, self.listing(&found));
        }
        assert_eq!(found.len(), expected.len(), "{}", self.listing(&found));
    }

    /// The short forms of some rows.
    pub fn of(&self, which: &str) -> Vec<String> {
        let wanted = |line: &String| {
            let (_, rest) = line.split_once(' ').unwrap();
            which.split('|').any(|start| rest.starts_with(start))
        };
        self.rows.iter().map(|row| self.short(row)).filter(wanted).collect()
    }

    /// Onsets in nanoseconds of the rows of a kind and name.
    pub fn onsets(&self, kind: TrialType, name: &str) -> Vec<i64> {
        self.named(kind, name).map(|row| row.onset.0).collect()
    }

    /// The rows of a kind and name.
    pub fn named<'a>(&'a self, kind: TrialType, name: &'a str) -> impl Iterator<Item = &'a Row> {
        let fits = move |row: &&Row| row.trial_type == kind && row.name.as_deref() == Some(name);
        self.rows.iter().filter(fits)
    }

    fn listing(&self, found: &[String]) -> String {
        format!("all of them:\n{}\n", found.join("\n"))
    }

    /// `ONSET KIND NAME NUMBER NOTE/VELOCITY@CHANNEL>PORT for DURATION <CAUSE`, in
    /// seconds without trailing zeros; what is missing or usual is left out: the
    /// port `input` or `output`, the duration of what has none.
    fn short(&self, row: &Row) -> String {
        let mut text = format!("{} {}", seconds(row.onset), row.trial_type.word());
        if let Some(name) = &row.name {
            text += &format!(" {name}");
        }
        if let Some(number) = row.number {
            text += &format!(" {number}");
        }
        text += &message(row);
        let port = row.port.as_deref().filter(|p| !["input", "output"].contains(p));
        if let Some(port) = port.filter(|p| row.name.as_deref() != Some(p)) {
            text += &format!(">{port}");
        }
        if let Some(duration) = row.duration.filter(|_| has_length(row)) {
            text += &format!(" for {}", seconds(duration));
        }
        if let Some(cause) = row.cause {
            let cause = self.rows.iter().find(|r| r.event_id == cause).expect("the cause");
            let number = cause.number.map_or(String::new(), |n| n.to_string());
            text += &format!(" <{}{number}", cause.trial_type.word());
        }
        if row.flag.is_some() {
            text += " debounced";
        }
        text
    }
}

fn has_length(row: &Row) -> bool {
    let sounds = row.trial_type == TrialType::Trigger && row.message.is_some();
    let kinds = [TrialType::Pacing, TrialType::Tap, TrialType::Feedback, TrialType::Masking];
    sounds || kinds.contains(&row.trial_type)
}

fn message(row: &Row) -> String {
    let channel = row.channel.map_or(String::new(), |c| format!("@{}", c.number()));
    match (row.note, row.velocity, row.message) {
        (Some(note), Some(velocity), _) => format!(" {}/{}{channel}", note.get(), velocity.get()),
        (_, _, Some(message)) => {
            let (bytes, length) = message.encode();
            let bytes: Vec<String> = bytes[..length].iter().map(|b| format!("{b:02x}")).collect();
            format!(" {}", bytes.join(""))
        }
        _ => String::new(),
    }
}

/// Seconds without trailing zeros, exactly.
pub fn seconds(time: Nanos) -> String {
    let text = time.to_string();
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Whole nanoseconds nearest to `num / den`, halves later: what a beat at that
/// exact time is rounded to.
pub fn nearest(num: i128, den: i128) -> i64 {
    i64::try_from((2 * num + den).div_euclid(2 * den)).unwrap()
}

/// Compares long lists of onsets and shows the first that differs.
pub fn assert_onsets(found: &[i64], expected: &[i64]) {
    if let Some(i) = found.iter().zip(expected).position(|(a, b)| a != b) {
        panic!("beat {}: found {} ns, expected {} ns", i + 1, found[i], expected[i]);
    }
    assert_eq!(found.len(), expected.len(), "number of beats");
}

/// Milliseconds in nanoseconds.
pub const fn ms(ms: i64) -> i64 {
    ms * 1_000_000
}

/// A controller message.
pub fn control(at_ms: i64, channel: u8, controller: u8, value: u8) -> Sent {
    let (controller, value) = (U7::from_byte(controller), U7::from_byte(value));
    let channel = Channel::new(channel).unwrap();
    let message = Message::Control { channel, controller, value };
    Sent { input: 0, at: Nanos::from_millis(at_ms), message }
}

/// A note-on with this velocity, as it comes; velocity 0 is a release.
pub fn note_on(at_ms: i64, note: u8, velocity: u8) -> Sent {
    let (note, velocity) = (U7::from_byte(note), U7::from_byte(velocity));
    let message = Message::NoteOn { channel: Channel::ONE, note, velocity };
    Sent { input: 0, at: Nanos::from_millis(at_ms), message }
}

/// A note-off.
pub fn note_off(at_ms: i64, note: u8) -> Sent {
    let (note, velocity) = (U7::from_byte(note), U7::from_byte(64));
    let message = Message::NoteOff { channel: Channel::ONE, note, velocity };
    Sent { input: 0, at: Nanos::from_millis(at_ms), message }
}

/// Sends a list of messages.
struct Messages {
    sent: Vec<Sent>,
    place: usize,
}

impl Performer for Messages {
    fn hear(&mut self, _: Heard) {}

    fn next(&self) -> Option<Nanos> {
        self.sent.get(self.place).map(|sent| sent.at)
    }

    fn send(&mut self) -> Option<Sent> {
        let sent = self.sent.get(self.place).copied()?;
        self.place += 1;
        Some(sent)
    }
}
