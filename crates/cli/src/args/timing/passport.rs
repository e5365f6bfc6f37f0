//! What may stand after `chronotap passport`. The comments are the help texts.

use super::suite::Suite;
use crate::says::parsed;
use chronotap_linux::cards::CardName;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// The parts of a passport, in their order.
pub const PARTS: [&str; 4] = ["pad", "loop", "roundtrip", "wakeup"];

/// Measure a pad, an interface and a computer as one, for others to compare.
///
/// Takes about ten minutes with a pad, a cable and a contact microphone on the pad. Gives one
/// file (LABEL_passport_run-NN.json) and one page: how long the pad takes from strike to
/// message, how many taps it misses and doubles by force, how long a tap takes to its sound,
/// the loop test, the sound card's round trip, and wake-ups. Publish both; with --compare, whoever
/// has another passport sets them side by side. See docs/passport.md.
///
/// Connect the card's first output to its first input, and the microphone to its second. A part
/// whose device is neither named nor given when you are asked is left out, and the passport
/// says so.
///
/// To see how it works without any device, name a table of strikes: --strikes.
#[derive(Args, Debug)]
pub struct PassportArgs {
    /// The pad's port, as in `chronotap run`
    #[arg(long = "in", value_name = "PORT")]
    pub input: Option<String>,
    /// An `ear:` or `sensor:` that is struck together with the pad, to be compared with it; can be
    /// given several times
    #[arg(long, value_name = "PORT")]
    pub beside: Vec<String>,
    /// The sound card that plays and records: `jack`, `alsa:hw:CARD,DEVICE`, or
    /// `virtual:loop:FRAMES:GAIN`
    #[arg(long, value_name = "CARD", value_parser = parsed::<CardName>)]
    pub card: Option<CardName>,
    /// Frames of a period [default: the card's]
    #[arg(long, value_name = "FRAMES")]
    pub period: Option<u32>,
    /// Frames per second [default: the card's]
    #[arg(long, value_name = "HZ")]
    pub rate: Option<u32>,
    /// The input, from 1, to which the sound comes back
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub sound_channel: u8,
    /// The input, from 1, of the microphone on the pad
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub tap_channel: u8,
    /// A port whose output is connected to its input, for the loop test, such as `alsa:Drum
    /// Pad`; write IN=OUT if they are two ports; can be given several times
    #[arg(long, value_name = "PORT")]
    pub looped: Vec<String>,
    /// How many messages of the pad to wait for, 5 to 100000 [default: 50, 200 or 1000 by length]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(5..=100_000))]
    pub taps: Option<u32>,
    /// A simulated pad instead of one: a table of strikes; see docs/passport.md
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "taps"])]
    pub strikes: Option<PathBuf>,
    /// What to measure: `pad`, `loop`, `roundtrip`, `wakeup`, with commas [default: all]
    #[arg(long, value_name = "PART,...", value_delimiter = ',', value_parser = PossibleValuesParser::new(PARTS), hide_possible_values = true)]
    pub parts: Vec<String>,
    /// What the pad is, with its settings, for the passport's head; likewise `--about NAME=TEXT`
    #[arg(long, value_name = "TEXT")]
    pub pad: Option<String>,
    /// What else a reader must know, as `module=Roland TM-2`; can be given several times
    #[arg(long, value_name = "NAME=TEXT", value_parser = named)]
    pub about: Vec<(String, String)>,
    /// Measure nothing; set these passports side by side
    #[arg(long, value_name = "FILE", num_args = 2.., conflicts_with_all = ["input", "beside", "card", "looped", "strikes", "parts", "pad", "about"])]
    pub compare: Vec<String>,
    #[command(flatten)]
    pub suite: Suite, // last, since its headings hold for what follows
}

fn named(text: &str) -> Result<(String, String), String> {
    match text.split_once('=').map(|(name, said)| (name.trim(), said.trim())) {
        Some((name, said)) if !name.is_empty() && !said.is_empty() => {
            Ok((name.to_owned(), said.to_owned()))
        }
        _ => Err("write NAME=TEXT, as in module=Roland TM-2".into()),
    }
}
