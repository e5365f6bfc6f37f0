//! The arguments of `chronotap align`.

use super::options::time;
use chronotap_core::time::Nanos;
use chronotap_data::alignment::{KINDS, OnsetColumns, OnsetUnit};
use chronotap_data::record::TrialType;
use clap::Args;
use std::path::PathBuf;

/// Put recorded trials and the recording of another device on one clock, afterwards.
///
/// FILE is the events file of a trial; several of one session are aligned together. --recorder is what an EEG
/// amplifier, a scanner, a camera system or a sound recorder has: a table with a line for each code
/// that it received, or the sound itself. The events of the trial, their codes and the intervals between
/// them are found again there, although clocks drift, some are missing, others are there
/// besides, and the recorder may have begun late. It prints when each trial begins on the recorder's clock
/// and by how much the clocks drift apart, with 95 % intervals, and which events are missing or
/// none of ours.
///
/// The exit status is 1 if the two are not alike, or if they fit at two places nearly equally well:
/// then no alignment is given. See docs/recorders.md.
#[derive(Args, Debug)]
pub struct Align {
    /// Events files, NAME_events.tsv, each with its .json beside it
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// What the other recorder has: a table of onsets and codes (tabs, commas or semicolons between columns, whose names
    /// are in the first line), markers of BrainVision (.vmrk), or a sound (.wav, .flac)
    #[arg(long, value_name = "FILE")]
    pub recorder: PathBuf,
    /// The events that it has: code, pacing, feedback, masking or tap; can be given several times. Those other
    /// than code are aligned by their times alone [default: code; of a sound pacing, feedback and masking]
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub events: Vec<TrialType>,
    /// Align each trial by itself, as if others were recorded on another day
    #[arg(long)]
    pub each: bool,
    #[command(flatten)]
    pub table: TableColumns,
    /// Two events are one if they are at most so far apart on one clock
    #[arg(long, value_name = "TIME", default_value = "5 ms", value_parser = tolerance)]
    pub tolerance: Nanos,
    /// By how much the clocks may drift apart, in parts per million, 0 to 10000
    #[arg(long, value_name = "PPM", default_value_t = 500.0, value_parser = ppm)]
    pub most_drift: f64,
    /// Write all events of the trials with their onsets on the recorder's clock to this new file
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Replace the file of --write if it is there
    #[arg(long, requires = "write")]
    pub force: bool,
    /// Print as JSON, one line for each alignment
    #[arg(long)]
    pub json: bool,
}

/// How the table of the other recorder is read.
#[derive(Args, Debug)]
#[command(next_help_heading = "The recorder's table")]
pub struct TableColumns {
    /// Column of the onsets [default: the first of onset, time, sample, latency and the like]
    #[arg(long, value_name = "COLUMN")]
    pub onset: Option<String>,
    /// Column of the codes, whose number may stand behind a word, as in "S 10" [default: the first of
    /// code, value, trigger, trial_type, type]
    #[arg(long, value_name = "COLUMN")]
    pub code: Option<String>,
    /// Leave the codes in the table alone, and align by times
    #[arg(long, conflicts_with = "code")]
    pub no_codes: bool,
    /// Unit of the onsets [default: by the name of their column, as in sample or onset_ms; otherwise s]
    #[arg(long, value_name = "UNIT", value_parser = ["s", "ms", "us", "samples"])]
    pub unit: Option<String>,
    /// Samples a second, for onsets that are counted in samples
    #[arg(long = "rate", value_name = "HZ", value_parser = rate_mhz)]
    pub rate_mhz: Option<u32>,
}

impl TableColumns {
    /// As the reader takes them.
    pub fn columns(&self) -> OnsetColumns {
        let unit = self.unit.as_deref().and_then(OnsetUnit::of);
        OnsetColumns {
            onset: self.onset.clone(),
            code: self.code.clone(),
            unit,
            rate_mhz: self.rate_mhz,
            without_codes: self.no_codes,
        }
    }
}

fn kind(text: &str) -> Result<TrialType, String> {
    let known = KINDS.into_iter().find(|kind| kind.word() == text);
    known.ok_or_else(|| {
        let names = KINDS.map(TrialType::word);
        format!("it is one of {}", names.join(", "))
    })
}

fn tolerance(text: &str) -> Result<Nanos, String> {
    let within = Nanos::from_micros(1)..=Nanos::from_secs(1);
    time(text).and_then(|time| match within.contains(&time) {
        true => Ok(time),
        false => Err("write a time from 1 us to 1 s, such as \"5 ms\"".to_owned()),
    })
}

fn ppm(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|ppm| (0.0..=10_000.0).contains(ppm));
    number.ok_or_else(|| "write a number from 0 to 10000".to_owned())
}

/// Samples in a thousand seconds: rates such as 512 and 1953.125 are whole numbers of them.
fn rate_mhz(text: &str) -> Result<u32, String> {
    let number: Option<f64> = text.parse().ok().filter(|hz| (0.001..=1e6).contains(hz));
    number
        .map(|hz| (hz * 1e3).round() as u32)
        .ok_or_else(|| "write a rate in Hz, such as 1000".to_owned())
}
