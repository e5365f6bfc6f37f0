//! What `chronotap power` may be told.

use super::options::longest;
use chronotap_time::Nanos;
use clap::Args;
use std::path::PathBuf;

/// Rehearse a study again and again: how often would it find what it looks for?
///
/// Simulated participants go through the trials with conditions of the study, in virtual time
/// and on all processors. Their parameters differ between people and between conditions as
/// you say. Of each study every contrast is estimated over participants (paired where they
/// have both levels, else by Welch) with its 95 % interval; it is found where the interval does
/// not hold 0. The share of studies that find it is printed with its interval by Wilson.
/// Ctrl-C ends with the studies that are done.
#[derive(Args, Debug)]
#[command(after_long_help = chronotap_experiment::performers::models())]
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
    /// What is looked for, `STATISTIC: FACTOR LEVEL - LEVEL`, as in "mean asynchrony: delay
    /// 200 ms - 0 ms"; may stand several times
    #[arg(long, value_name = "CONTRAST", required = true)]
    pub contrast: Vec<String>,
    /// How a parameter differs at one level, as in "delay 200 ms: mean - 15 +- 5 ms" (the
    /// second number is the SD between participants); may stand several times
    #[arg(long, value_name = "FACTOR LEVEL: PARAMETER + AMOUNT")]
    pub difference: Vec<String>,
    /// Who taps, as in "tapper, mean = -30 +- 10 ms"; see docs/participants.md
    #[arg(long, value_name = "MODEL", default_value = "tapper")]
    pub simulate: String,
    /// Seed of the first study; the next has one more [default: the study's]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Longest virtual time of a trial, as in "90 s" or "5 min"; it ends there
    #[arg(long = "for", value_name = "TIME", default_value = "60 min", value_parser = longest)]
    pub longest: Nanos,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}
