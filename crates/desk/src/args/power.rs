//! What `chronotap power` may be told.

use super::options::{longest, shard};
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use clap::Args;
use std::path::PathBuf;
use std::str::FromStr;

/// Numbers of participants, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleCounts(pub Vec<u32>);

/// A range has at most so many numbers between its ends.
const POINTS: u32 = 8;

impl FromStr for PeopleCounts {
    type Err = String;

    fn from_str(text: &str) -> Result<PeopleCounts, String> {
        let count = |text: &str| {
            let count = text.trim().parse().ok().filter(|count| (2..=100_000).contains(count));
            count.ok_or_else(|| {
                format!("\"{text}\" is no number from 2 to 100000; write 20, 8,12,16 or 8..40")
            })
        };
        let mut counts = match text.split_once("..") {
            Some((first, last)) => between(count(first)?, count(last)?),
            None => text.split(',').map(count).collect::<Result<Vec<u32>, String>>()?,
        };
        counts.sort_unstable();
        counts.dedup();
        if counts.is_empty() {
            return Err("the range ends before it begins; write 8..40".to_owned());
        }
        Ok(PeopleCounts(counts))
    }
}

/// Both ends, and numbers between them at equal distances.
fn between(first: u32, last: u32) -> Vec<u32> {
    let step = last.saturating_sub(first).div_ceil(POINTS).max(1) as usize;
    (first..=last).step_by(step).chain((first <= last).then_some(last)).collect()
}

/// Rehearse a study again and again: how often would it find what it looks for?
///
/// Simulated participants do the study's trials with conditions, in virtual time and on all
/// processors. You say how their parameters differ between people and between conditions. In
/// each study every contrast is estimated over participants, with its 95 % interval: paired if
/// they have both levels, otherwise as two groups (Welch). It counts as found if the interval
/// does not contain 0, a planned contrast if its probability after Holm is at most 0.05. The command
/// prints the share of studies that find it, with Wilson's
/// interval. Ctrl-C stops and reports the studies done so far.
#[derive(Args, Debug)]
#[command(after_long_help = chronotap_config::trial_files::performers::models())]
pub struct PowerArgs {
    /// The experiment file
    #[arg(value_name = "STUDY")]
    pub file: PathBuf,
    /// How many studies
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub studies: u32,
    /// How many participants each study has; several numbers (8,12,16), or a range (8..40) of which up to nine
    /// are taken, give a curve [default: as many as it plans]
    #[arg(long, value_name = "N")]
    pub participants: Option<PeopleCounts>,
    /// The effect to look for, `STATISTIC: FACTOR LEVEL - LEVEL [by FACTOR LEVEL - LEVEL]`, such as "mean
    /// asynchrony: delay 200 ms - 0 ms", or `STATISTIC: slope over FACTOR`; can be given several times
    /// [default: the study's [outcome] and its [[contrast]]s]
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
    /// Longest virtual time of a trial, such as "90 s" or "5 min"; the trial ends there; a number
    /// alone counts s [default: 60 min; a trial that nothing ends needs one]
    #[arg(long = "for", value_name = "TIME", value_parser = longest)]
    pub longest: Option<Nanos>,
    /// Rehearse a share of the studies, such as 2/8, every eighth from the second on, and write what they found
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "output", conflicts_with = "json")]
    pub shard: Option<Shard>,
    /// File to be made of the share
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub output: Option<PathBuf>,
    /// Put all shares together, and print what one computer would; what was asked stands in them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all =
        ["shard", "studies", "participants", "contrast", "difference", "simulate", "seed", "longest"])]
    pub shares: Vec<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;

    #[test]
    fn numbers_of_participants_are_one_several_or_a_range() {
        let read = |text: &str| text.parse::<PeopleCounts>().map(|counts| counts.0);
        assert_eq!(read("20"), Ok(vec![20]));
        assert_eq!(read("16, 8,8"), Ok(vec![8, 16]));
        assert_eq!(read("8..40"), Ok(vec![8, 12, 16, 20, 24, 28, 32, 36, 40]));
        assert_eq!(read("10..30"), Ok(vec![10, 13, 16, 19, 22, 25, 28, 30]));
        assert_eq!(read("5..7"), Ok(vec![5, 6, 7]));
        for wrong in ["", "1", "0..4", "9..8", "8..", "8...9", "8;9", "100001", "-3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
