//! What `chronotap import-taps` may be told.

use super::options::time;
use crate::says::parsed;
use chronotap_audio::sensor::{Polarity, SENSORS, Sensor, sensor_named};
use chronotap_core::time::Nanos;
use chronotap_data::exchange::taps::{
    FileKind, HowHeard, KINDS, Mains, Place, StimulusInterval, TimeUnit, kind_named,
};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::path::PathBuf;

/// Make a dataset of taps that another program recorded.
///
/// Reads tables (tabs, commas or semicolons between cells), logs of TeensyTap and Tap Arduino, REPP's
/// analyses, data files of FTAP, Standard MIDI Files, and sound recordings (WAV, FLAC). The kind of file is told by its content, and said. The
/// dataset is new; `analyze`, `report`, `gather`, `summary`, `export`, `status`, `verify` and
/// `withdraw` take it like one of your own studies. It says that another program recorded it, from which file
/// each trial comes, and what is not known; the verdict on the timing is `unknown`.
///
/// Of a table, say which columns have what, and in which unit: s, ms, us, ns, or samples at 44100 Hz. A
/// file with a line for each event also needs the rows that count: --taps "time in ms where event = tap".
/// Of a sound, say which channel has what: --taps "channel 2" --stimuli "channel 1".
/// See docs/other-data.md and docs/sound-card-taps.md.
#[derive(Args, Debug)]
#[command(after_long_help = kinds())]
pub struct ImportTaps {
    /// The files; all of one kind
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The folder of the new dataset; it must be empty or not exist
    #[arg(long, value_name = "DATASET")]
    pub data: PathBuf,
    /// The kind of files [default: told by their content]
    #[arg(long = "as", value_name = "KIND", value_parser = words())]
    pub kind: Option<String>,
    /// Title of the dataset [default: the name of its folder]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Name of the task, of letters and digits, in the names of files
    #[arg(long, value_name = "LABEL", default_value = "tapping")]
    pub task: String,
    /// Onsets of taps: a column and its unit; of a MIDI file a track, channel or note; of a sound a channel
    #[arg(long, value_name = "COLUMN in UNIT", value_parser = parsed::<Place>, help_heading = "Where things are")]
    pub taps: Option<Place>,
    /// Onsets of stimuli, the same way
    #[arg(long, value_name = "COLUMN in UNIT", value_parser = parsed::<Place>, help_heading = "Where things are")]
    pub stimuli: Option<Place>,
    /// A file with the stimuli of FILE; with several FILEs give it for each, in their order, or once
    /// for all
    #[arg(long, value_name = "FILE", help_heading = "Where things are")]
    pub stimuli_file: Vec<PathBuf>,
    /// Asynchronies, in place of onsets; needs --interval
    #[arg(long, value_name = "COLUMN in UNIT", value_parser = parsed::<Place>, requires = "interval",
        conflicts_with_all = ["taps", "stimuli"], help_heading = "Where things are")]
    pub asynchronies: Option<Place>,
    /// Time between stimuli: one for all, as "600 ms", or a column and its unit
    #[arg(long, value_name = "TIME|COLUMN in UNIT", value_parser = parsed::<StimulusInterval>, requires = "asynchronies",
        help_heading = "Where things are")]
    pub interval: Option<StimulusInterval>,
    /// Column with the number of the stimulus, from 1, of each asynchrony [default: each row is the next one]
    #[arg(
        long,
        value_name = "COLUMN",
        requires = "asynchronies",
        help_heading = "Where things are"
    )]
    pub beat_column: Option<String>,
    /// Whose taps all of these are
    #[arg(
        long,
        value_name = "LABEL",
        conflicts_with = "participant_column",
        help_heading = "Where things are"
    )]
    pub participant: Option<String>,
    /// Column that says whose taps they are
    #[arg(long, value_name = "COLUMN", help_heading = "Where things are")]
    pub participant_column: Option<String>,
    /// Column with the number or name of the trial
    #[arg(long, value_name = "COLUMN", help_heading = "Where things are")]
    pub trial_column: Option<String>,
    /// Columns with conditions, which `analyze` then groups by
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Where things are")]
    pub condition_columns: Vec<String>,
    /// A comma is the decimal sign
    #[arg(long, help_heading = "Where things are")]
    pub decimal_comma: bool,
    /// The rows of a trial are not in the order of time
    #[arg(long, help_heading = "Where things are")]
    pub unsorted: bool,
    /// Of FTAP's data files: what their columns hold, as for `import-ftap`
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Where things are"
    )]
    pub columns: Vec<String>,
    /// Of Tap Arduino: the unit of its times, ms or us
    #[arg(long, value_name = "UNIT", value_parser = unit, help_heading = "Where things are")]
    pub unit: Option<TimeUnit>,
    /// Of Tap Arduino: the reading above which a tap begins [default: 5, as in its sketch]
    #[arg(long, value_name = "N", help_heading = "Where things are")]
    pub threshold: Option<u32>,
    #[command(flatten)]
    pub hearing: HearingArgs,
}

/// How a sound is listened to.
#[derive(Args, Debug)]
#[command(next_help_heading = "Of a sound recording")]
pub struct HearingArgs {
    /// Hear taps and markers as that program does: repp, of recordings with its markers; needs the JSON of
    /// its stimulus as --stimuli-file
    #[arg(long, value_name = "PROGRAM", value_parser = ["repp"], requires = "stimuli_file",
        conflicts_with_all = ["sensor", "level", "release", "gap", "polarity", "hum", "stimuli"])]
    pub reading: Option<String>,
    /// What the taps were taken up with [default: contact]
    #[arg(long, value_name = "SENSOR", value_parser = sensors())]
    pub sensor: Option<String>,
    /// The level from which on a tap is found, in dB of full scale, -120 to 0 [default: found
    /// from its noise and its loud parts]
    #[arg(long, value_name = "DB", allow_negative_numbers = true, value_parser = level)]
    pub level: Option<f64>,
    /// The share of this level to which a tap falls before there is another, 0.05 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = release)]
    pub release: Option<f64>,
    /// The least time between two taps, 10 ms to 10 s [default: 80 ms]
    #[arg(long, value_name = "TIME", value_parser = gap)]
    pub gap: Option<Nanos>,
    /// Which way the signal goes when a tap begins [default: of a force sensor that in which taps
    /// are stronger; otherwise either]
    #[arg(long, value_name = "WAY", value_parser = ["either", "up", "down"])]
    pub polarity: Option<String>,
    /// The mains whose hum is taken off, in Hz [default: 50 or 60 where that makes the noise less]
    #[arg(long, value_name = "HZ", value_parser = ["none", "50", "60"])]
    pub hum: Option<String>,
}

impl HearingArgs {
    /// As the reader takes them.
    pub fn hearing(&self) -> HowHeard {
        HowHeard {
            sensor: self.sensor.as_deref().and_then(sensor_named),
            level_db: self.level,
            release: self.release,
            gap: self.gap,
            polarity: self.polarity.as_deref().map(|way| match way {
                "up" => Polarity::Up,
                "down" => Polarity::Down,
                _ => Polarity::Either,
            }),
            mains: self.hum.as_deref().map(|hz| hz.parse().map_or(Mains::None, Mains::Hz)),
            as_repp: self.reading.is_some(),
        }
    }
}

fn sensors() -> PossibleValuesParser {
    let value = |sensor: &Sensor| PossibleValue::new(sensor.word).help(sensor.about);
    PossibleValuesParser::new(SENSORS.iter().map(value))
}

fn level(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches("dB").trim().parse().ok();
    number
        .filter(|db| (-120.0..=0.0).contains(db))
        .ok_or_else(|| "write a level from -120 to 0, such as -30".to_owned())
}

fn release(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|share| (0.05..=1.0).contains(share));
    number.ok_or_else(|| "write a share from 0.05 to 1".to_owned())
}

fn gap(text: &str) -> Result<Nanos, String> {
    let within = Nanos::from_millis(10)..=Nanos::from_secs(10);
    time(text).and_then(|time| match within.contains(&time) {
        true => Ok(time),
        false => Err("write a time from 10 ms to 10 s, such as \"80 ms\"".to_owned()),
    })
}

impl ImportTaps {
    /// The kind that was named.
    pub fn kind(&self) -> Option<&'static FileKind> {
        self.kind.as_deref().and_then(kind_named)
    }
}

fn words() -> PossibleValuesParser {
    PossibleValuesParser::new(KINDS.iter().map(|kind| kind.word))
}

fn unit(words: &str) -> Result<TimeUnit, String> {
    TimeUnit::of(words).ok_or_else(|| "units are s, ms, us and ns".to_owned())
}

/// Every kind of file.
fn kinds() -> String {
    let row = |kind: &FileKind| format!("  {:<12} {}\n", kind.word, kind.about);
    let rows: String = KINDS.iter().map(row).collect();
    format!("Kinds of files (--as):\n{}", rows.trim_end())
}
