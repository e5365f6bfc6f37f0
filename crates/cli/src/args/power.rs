//! What `chronotap power` may be told.

use super::options::longest;
use chronotap_core::time::Nanos;
use clap::Args;
use std::path::PathBuf;

/// Rehearse a study again and again: how often would it find what it looks for?
///
/// Simulated participants do the study's trials with conditions, in virtual time and on all
/// processors. You say how their parameters differ between people and between conditions. In
/// each study every contrast is estimated over participants, with its 95 % interval: paired if
/// they have both levels, otherwise as two groups (Welch). It counts as found if the interval
/// does not contain 0. The command prints the share of studies that find it, with Wilson's
/// interval. Ctrl-C stops and reports the studies done so far.
#[derive(Args, Debug)]
#[command(after_long_help = chronotap_config::trial_files::performers::models())]
pub struct Power {
    /// The experiment file
    #[arg(value_name = "STUDY")]
    pub file: PathBuf,
    /// How many studies
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub studies: u32,
    /// How many participants each study has [default: as many as it plans]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub participants: Option<u32>,
    /// The effect to look for, `STATISTIC: FACTOR LEVEL - LEVEL`, such as "mean asynchrony:
    /// delay 200 ms - 0 ms"; can be given several times [default: that of the study's [outcome]]
    #[arg(long, value_name = "CONTRAST")]
    pub contrast: Vec<String>,
    /// How a parameter differs at one level, such as "delay 200 ms: mean - 15 +- 5 ms" (the
    /// second number is the SD between participants); can be given several times
    #[arg(long, value_name = "FACTOR LEVEL: PARAMETER + AMOUNT")]
    pub difference: Vec<String>,
    /// Who taps, such as "tapper, mean = -30 +- 10 ms"; see docs/participants.md [default: adults]
    #[arg(long, value_name = "MODEL")]
    pub simulate: Option<String>,
    /// Seed of the first study; each further study has one more [default: the study's]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Longest virtual time of a trial, such as "90 s" or "5 min"; the trial ends there [default: 60
    /// min; a trial that nothing ends needs one]
    #[arg(long = "for", value_name = "TIME", value_parser = longest)]
    pub longest: Option<Nanos>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}
