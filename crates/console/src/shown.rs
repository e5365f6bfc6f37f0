//! [`ShownLine`]: what a session tells over its socket, one JSON object a line, each with a number
//! that only grows. Whoever comes back names the last number they saw.

use crate::scene::Scene;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownLine {
    /// Its number, from 1.
    pub id: u64,
    /// What it tells.
    #[serde(flatten)]
    pub shown: Shown,
}

/// What is told. Times of a trial are milliseconds since its start: they are for looking at,
/// the data have them to the nanosecond.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Shown {
    /// How the session stands.
    Scene(Box<Scene>),
    /// A trial is over.
    Trial(TrialShown),
    /// The whole summary of the trial that was told last, in lines.
    Summary { text: String },
    /// Something that the experimenter should know.
    Remark {
        /// When, UTC.
        at: String,
        text: String,
    },
    /// A trial has begun; events of an earlier one are to be forgotten.
    Begins {
        inputs: Vec<String>,
        /// Its pacing streams.
        streams: Vec<String>,
        /// Where its clock counts from, in milliseconds since 1970.
        origin_utc_ms: f64,
        /// Lateness above which the timing fails, in microseconds.
        limit_us: f64,
    },
    /// A beat sounded.
    Beat { stream: u16, at_ms: f64 },
    /// A tap that counts.
    Tap {
        input: u16,
        /// Its number, from 1.
        number: u32,
        at_ms: f64,
        /// Since the tap before it on this input.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        interval_ms: Option<f64>,
        /// Who took the time.
        stamp: String,
    },
    /// How a tap lay to the nearest beat, negative when early.
    Asynchrony {
        input: u16,
        number: u32,
        /// When the tap came.
        at_ms: f64,
        /// How far from the beat.
        ms: f64,
    },
    /// A running trial in numbers.
    Progress {
        /// Time since its start.
        at_s: f64,
        /// Taps of each input.
        taps: Vec<(String, u32)>,
        /// Time since the last tap, or the start.
        silent_s: f64,
        /// Greatest lateness of an output beyond its constant latency.
        latest_us: f64,
        /// Tones that were not played.
        lost: u32,
        /// Inputs that are closed.
        closed: Vec<String>,
        /// Inputs that lost messages, and how often.
        #[serde(default)]
        overruns: Vec<(String, u64)>,
        /// Frames of music that were silent, because they came too late.
        #[serde(default)]
        silent_frames: u64,
        /// Events that the recorder had no room for.
        #[serde(default)]
        dropped: u64,
        /// Why the disk does not take the data at the moment, and what to do; empty where it does.
        #[serde(default)]
        disk: String,
        /// Events that found no room here; the data have them.
        missed: u64,
    },
}

/// A trial that is over, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialShown {
    /// When it was over, UTC.
    pub at: String,
    pub step: String,
    /// The planned trial within the step.
    pub trial: u32,
    pub attempt: u32,
    /// Taps that count.
    pub taps: u64,
    /// Mean asynchrony; `None` where there is none, or the experimenter is blind.
    pub mean_ms: Option<f64>,
    /// Its standard deviation.
    pub sd_ms: Option<f64>,
    /// Whether the timing passed.
    pub timing_passed: bool,
    /// What is to be complained of, in sentences.
    pub complaints: Vec<String>,
    /// Where a staircase set its level, and the experimenter is not blind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track: Option<ShownTrackPoint>,
}

/// A trial of a staircase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShownTrackPoint {
    pub staircase: String,
    pub level: f64,
    /// The unit of the level; empty of plain numbers.
    pub unit: String,
    /// Whether the answer was right; `None` without one.
    pub right: Option<bool>,
    pub reversal: bool,
}
