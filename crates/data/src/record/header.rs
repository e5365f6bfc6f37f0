//! [`Header`] and [`Footer`]: all that a data file says besides its events. The
//! header is written before the first event, so a trial that is cut short still
//! says what it was; the footer is written when it is over.

use crate::record::Names;
use chronotap_analysis::matching::MatchingRule;
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{SensorFacts, SketchFacts};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is known before the trial starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The program and its version, such as `chronotap 0.1.0`.
    pub program: String,
    /// The trial file, whole.
    pub trial_file: TrialText,
    /// Title of the trial.
    pub title: String,
    /// What the trial file says about itself under `description`; nothing where it says
    /// nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Everything random comes from it.
    pub seed: u64,
    /// Wall clock at the start, ISO 8601 with the offset from UTC.
    pub started: String,
    /// Which of the three runners.
    pub mode: RunnerMode,
    /// The machine: processor, kernel and the like.
    pub machine: Value,
    /// Real-time rights, asked for and granted.
    pub rights: Value,
    /// The clock that every time in the file was read from.
    pub clock: ClockUsed,
    /// What the names of the trial's inputs and outputs were bound to.
    pub ports: Vec<Binding>,
    /// Names of streams, channels, inputs, outputs and rules, by index.
    pub names: Names,
    /// Lateness of output above which the timing verdict fails, in nanoseconds.
    pub limit_ns: i64,
    /// Who taps: a person, a simulated participant with its parameters, a script.
    pub performer: Value,
    /// By which rule taps were matched to beats, in the columns from `fate` on and in the summary.
    /// Files of versions that had one rule do not say it.
    #[serde(default = "MatchingRule::unnamed", skip_serializing_if = "MatchingRule::is_unnamed")]
    pub matching: MatchingRule,
    /// HED tags of the trial's own: of kinds of events, which replace the usual ones, and of kinds and
    /// names, such as `pacing.metronome`, which add to them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hed: BTreeMap<String, String>,
    /// Where a trial comes from that another program recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<RecordedOrigin>,
}

/// Where a trial comes from that another program recorded, and how it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedOrigin {
    /// What kind of file it is, such as `TeensyTap`.
    pub format: String,
    /// The files, the one with the taps first.
    pub files: Vec<OriginFile>,
    /// The first line of the trial in that, from 1; 0 where it has no lines.
    pub line: usize,
    /// What the source calls the time at which the trial begins, in nanoseconds.
    pub zero_ns: i64,
    /// Where what was read stands in the source.
    pub columns: Vec<OriginColumn>,
    /// What the source does not say, a sentence each.
    pub unknown: Vec<String>,
    /// What the source says against its own timing, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
}

/// A file of another program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginFile {
    /// Its name, without the directory.
    pub name: String,
    /// The SHA-256 of its bytes.
    pub sha256: String,
}

/// Where something stands in a file of another program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginColumn {
    /// What it is here, such as `taps`.
    pub holds: String,
    /// The column, or whatever it is called there.
    pub column: String,
    /// Its unit; empty where it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// The trial file as it was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialText {
    /// Its name, without the directory.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

/// Which runner made the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunnerMode {
    /// Real ports, a real clock.
    #[default]
    #[serde(rename = "real time")]
    RealTime,
    /// A simulated participant, as fast as the machine can.
    #[serde(rename = "virtual time")]
    VirtualTime,
    /// The inputs of a recorded trial.
    #[serde(rename = "replay")]
    Replay,
    /// Another program recorded it: when its tones were asked for is not known.
    #[serde(rename = "imported")]
    Imported,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClockUsed {
    /// Its name, such as `CLOCK_MONOTONIC`.
    pub name: String,
    /// Its resolution as the system states it, in nanoseconds.
    pub resolution_ns: i64,
}

/// A name of the trial and the port it was bound to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Binding {
    /// Name in the trial file.
    pub name: String,
    /// `in` or `out`.
    pub direction: String,
    /// The port, as it was named on the command line.
    pub port: String,
    /// The audio server behind it, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audio: Option<Audio>,
    /// The sensor of force that it is, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensor: Option<SensorFacts>,
    /// The sketch of another laboratory that tells of taps, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sketch: Option<SketchFacts>,
    /// Of an output of a trial that aligns its outputs: by how much it waits for the slowest, in
    /// nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_ns: Option<i64>,
}

/// The audio server behind a port.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audio {
    /// Frames in its period.
    pub period_frames: u32,
    /// Frames a second.
    pub rate_hz: u32,
    /// Of an output: the constant by which every message is played after its deadline,
    /// in nanoseconds. 0 for an input, whose stamps are those of the frames.
    pub latency_ns: i64,
    /// The sound card, in words, where the port itself sounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// The text of the file that says which note makes which sound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sounds: Option<String>,
    /// What it plays from SoundFonts, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instruments: Vec<String>,
    /// The time code on a channel of the card, where there is some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ltc: Option<TimeCodeUsed>,
    /// How taps were heard on a channel of the card, where they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ear: Option<EarUsed>,
}

/// A channel of a sound card on which taps were heard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarUsed {
    /// The channel, from 1.
    pub channel: u8,
    /// How it listened, as it may stand in the name of the port.
    pub settings: String,
    /// What was kept of the sound: `taps`, `all` or `none`.
    pub record: String,
    /// How long after its first frame was at the converter a period was heard.
    pub behind_ns: i64,
    /// By how much the time of a frame may be wrong.
    pub uncertainty_ns: i64,
}

/// Linear time code on a channel of a sound card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeCodeUsed {
    /// The channel, from 1.
    pub channel: u8,
    /// Frames of time code a second.
    pub frames_per_second: u32,
    /// Its first frame, as `HH:MM:SS:FF`.
    pub first: String,
    /// The frame of the card with which that began.
    pub first_frame: u64,
}

impl Header {
    /// The constant latencies of the outputs from a deadline to the converter, in the trial's order.
    pub fn latencies(&self) -> Vec<Nanos> {
        let audio = |name: &String| {
            let bound = |port: &&Binding| port.direction == "out" && port.name == *name;
            self.ports.iter().find(bound)?.audio.as_ref()
        };
        let latency = |name| audio(name).map_or(Nanos::ZERO, |audio| Nanos(audio.latency_ns));
        self.names.outputs.iter().map(latency).collect()
    }
}

/// What is known when the trial is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Footer {
    /// Timing summary, counts and the like; an object.
    pub summary: Value,
    /// Events that found the queue full and are not in the file; 0 in a sound trial.
    pub dropped: u64,
    /// Present where the files were made from a journal left behind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovered: Option<Recovered>,
}

/// What recovery found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recovered {
    /// Whether the journal held the trial to its proper end.
    pub complete: bool,
    /// Bytes after the last whole line, which could not be used.
    pub unusable_bytes: u64,
    /// What is missing, in words.
    pub missing: Vec<String>,
}
