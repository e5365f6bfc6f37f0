//! Options that several commands have: ports, who taps, what is printed, and how times are read.

use chronotap_core::time::{Exact, Nanos};
use chronotap_data::shares::Shard;
use clap::Args;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Which ports the trial's inputs and outputs are bound to.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Ports")]
pub struct PortOptions {
    /// Port of an input, with the input's name if there are several
    #[arg(long = "in", value_name = "[NAME=]PORT")]
    pub inputs: Vec<String>,
    /// Port of an output, with the output's name if there are several
    #[arg(long = "out", value_name = "[NAME=]PORT")]
    pub outputs: Vec<String>,
}

/// Who taps, where it is not a person.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Performer")]
pub struct TapperOptions {
    /// A simulated participant, such as "tapper" or "tapper, mean = -40 ms"; see
    /// docs/participants.md
    #[arg(long, value_name = "MODEL", conflicts_with = "performer")]
    pub simulate: Option<String>,
    /// A table of key presses to play: onset, duration, note, velocity; or the
    /// events file of a recorded trial
    #[arg(long, value_name = "FILE")]
    pub performer: Option<PathBuf>,
}

/// What is printed.
#[derive(Args, Debug, Clone, Copy, Default)]
#[command(next_help_heading = "Output")]
pub struct Show {
    /// Print the summary as JSON, one line for each trial
    #[arg(long)]
    pub json: bool,
    /// Print only errors
    #[arg(long, short, conflicts_with = "json")]
    pub quiet: bool,
    /// Explain the summary's terms below it
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub notation: bool,
}

/// A time with its unit, as in the files.
pub fn time(text: &str) -> Result<Nanos, String> {
    let time = chronotap_config::trial_files::reading::time(text);
    time.map(Exact::round).map_err(|fault| format!("{}; {}", fault.message, fault.cure))
}

/// The longest time of a trial: with its unit, or in seconds, at most 136 years.
pub fn longest(text: &str) -> Result<Nanos, String> {
    let whole = text.parse::<u32>().map(|seconds| Nanos::from_secs(seconds.into()));
    match whole.or_else(|_| time(text))? {
        time if time > Nanos::ZERO => Ok(time),
        _ => Err("write a time above 0, such as \"90 s\"".to_owned()),
    }
}

/// Frames per second, as a whole number.
pub fn frames_per_second(text: &str) -> Result<u32, String> {
    const RANGE: RangeInclusive<u32> = 8_000..=192_000;
    match text.parse() {
        Ok(rate) if RANGE.contains(&rate) => Ok(rate),
        _ => Err(match rate_meant(text).filter(|rate| RANGE.contains(rate)) {
            Some(rate) => format!("write {rate}"),
            None => "write a whole number from 8000 to 192000, such as 44100".to_owned(),
        }),
    }
}

/// The rate of frames that people mean who write 44.1, 48k, 48 kHz, 44100 Hz or rate=48000.
fn rate_meant(text: &str) -> Option<u32> {
    let text = text.trim().to_ascii_lowercase();
    let bare = text.strip_prefix("rate=").unwrap_or(&text);
    let number = bare.trim_end_matches("hz").trim_end().trim_end_matches('k').trim_end();
    let number: f64 = number.replace(',', ".").parse().ok()?;
    let thousands = number < 1_000.0;
    Some((if thousands { number * 1_000.0 } else { number }).round() as u32)
}

/// A share of the work, such as `2/8`.
pub fn shard(text: &str) -> Result<Shard, String> {
    let both = text.split_once('/').map(|(part, of)| (part.parse(), of.parse()));
    match both {
        Some((Ok(part @ 1..), Ok(of))) if part <= of => Ok(Shard { part: part - 1, of }),
        _ => Err("write which share of how many, such as 2/8; the first is 1/8".to_owned()),
    }
}

/// The limit of a verdict: with its unit, or in microseconds.
pub fn limit(text: &str) -> Result<Nanos, String> {
    bounded(text, US, Nanos(1)..=Nanos::from_secs(3_600))
}

/// How soon a tap after the last one is none of its own: with its unit, or in milliseconds.
pub fn debounce(text: &str) -> Result<Nanos, String> {
    // The option had the unit in its name once, and took fractions.
    let bare = text.parse::<f64>().ok().map(|ms| Nanos::round_from_f64(ms * 1e6));
    match bare.map_or_else(|| time(text), Ok)? {
        time if time > Nanos::ZERO => Ok(time),
        _ => Err("write a time above 0, such as \"40 ms\", or leave the option out".to_owned()),
    }
}

/// How long something is measured or lasts: with its unit, or in seconds.
pub fn lasting(text: &str) -> Result<Nanos, String> {
    bounded(text, S, Nanos::from_millis(100)..=Nanos::from_secs(1_000_000))
}

/// The same in whole seconds, up to a day.
pub fn whole_seconds(text: &str) -> Result<u32, String> {
    let time = bounded(text, S, Nanos::from_secs(1)..=Nanos::from_secs(86_400))?;
    Ok((time.0 / S.0) as u32)
}

/// What a bare number counts, where an option had the unit in its name.
pub const US: Nanos = Nanos::from_micros(1);
const S: Nanos = Nanos::from_secs(1);

/// A time within bounds: with its unit as in the files, or a whole number of `unit`, as
/// options took it that had the unit in their names.
pub fn bounded(text: &str, unit: Nanos, within: RangeInclusive<Nanos>) -> Result<Nanos, String> {
    let bare = text.parse::<i64>().ok();
    let time = match bare {
        Some(number) => number.checked_mul(unit.0).map(Nanos).unwrap_or(Nanos(i64::MAX)),
        None => time(text)?,
    };
    let said = |at: &Nanos| spoken(at.0 as f64);
    match within.contains(&time) {
        true => Ok(time),
        false => {
            Err(format!("write a time from {} to {}", said(within.start()), said(within.end())))
        }
    }
}

/// A time as people read it, with three or four digits and its unit: `25.3 us`.
fn spoken(ns: f64) -> String {
    let amount = ns.abs();
    let (value, unit) = match amount {
        a if a < 999.5 => (ns, "ns"),
        a if a < 999_950.0 => (ns / 1e3, "us"),
        a if a < 999_950_000.0 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let digits = match value.abs() {
        v if unit == "ns" && v >= 10.0 => 0,
        v if v < 9.995 => 2,
        _ => 1,
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_of_frames_is_told_as_the_number_that_was_meant() {
        assert_eq!(frames_per_second("44100"), Ok(44_100));
        for (written, meant) in [
            ("44.1", "44100"),
            ("44,1", "44100"),
            ("48k", "48000"),
            ("48 kHz", "48000"),
            ("rate=48kHz", "48000"),
            ("44100 Hz", "44100"),
            ("48000.0", "48000"),
        ] {
            assert_eq!(frames_per_second(written), Err(format!("write {meant}")), "{written}");
        }
        for wrong in ["fast", "7999", "-44100", "1e9", ""] {
            assert!(
                frames_per_second(wrong).unwrap_err().contains("from 8000 to 192000"),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_time_has_its_unit_or_that_of_the_option() {
        assert_eq!(limit("500"), Ok(Nanos::from_micros(500)));
        assert_eq!(limit("0.5 ms"), Ok(Nanos::from_micros(500)));
        assert_eq!(lasting("2 min"), Ok(Nanos::from_secs(120)));
        assert_eq!(whole_seconds("90"), Ok(90));
        assert!(lasting("0").unwrap_err().contains("100.0 ms to"));
        assert!(limit("-3").is_err() && limit("2 furlongs").is_err());
    }
}
