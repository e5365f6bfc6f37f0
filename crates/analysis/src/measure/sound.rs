//! The work of a sound card during a trial: how much of its time the sound took to compute.

use serde::{Deserialize, Serialize};

/// The callbacks of a sound card in numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SoundCard {
    /// The outputs that sound on it.
    pub outputs: Vec<String>,
    /// How often it called during the trial.
    pub callbacks: u64,
    /// Callbacks that are missing from the file of callbacks.
    pub lost: u64,
    /// Its period in microseconds.
    pub period_us: f64,
    /// Mean time in a callback / the period (DSP load).
    pub mean_load: f64,
    pub worst_load: f64,
    /// When that was, in seconds since the trial's start.
    pub worst_at_s: f64,
    /// The greatest time from a period's beginning to the call, in microseconds.
    pub latest_us: f64,
    /// Periods that were missed.
    pub xruns: u64,
}
