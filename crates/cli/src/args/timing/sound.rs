//! The tests of sound after `chronotap timing`. The comments are the help texts.

use super::scheduled::Scheduled;
use super::suite::Suite;
use super::tap_to_sound::decibels;
use crate::args::options::lasting;
use crate::says::parsed;
use chronotap_bench::studies::dsp::{Plugin, TrackLayout};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{CardName, PortJoin};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// How much sound can be computed without a drop-out (Vignati et al. 2022).
///
/// Finds, for each period, number of tracks and kind of plugin, the largest number of instances
/// on each track without a missed period (three clean runs). Also gives the mean DSP load
/// there, the load of one instance, and the cost of handing work to the tracks' threads. A
/// track is a real-time thread on a processor of its own, and a timer takes the place of a
/// sound card. With --card, the card's callback is the first track and waits for the others, and
/// the card itself reports the periods it missed. The study also used `--load vignati`. It says
/// before it begins how long it will take: on two processors about two minutes with --quick, and
/// half an hour in normal length.
#[derive(Args, Debug)]
pub struct DspArgs {
    /// The sound card in whose callback the instances are computed: `jack`,
    /// `alsa:hw:CARD,DEVICE`, or `virtual`; it plays silence. Its own periods are used unless
    /// --periods names others that it offers; `virtual` has those used without a card [default:
    /// no card, a timer]
    #[arg(long, value_name = "CARD", value_parser = parsed::<CardName>)]
    pub card: Option<CardName>,
    /// Frames of a period, 8 to 8192, such as 64,256 [default: 16 to 512, in a quick test
    /// 64,256]
    #[arg(long, value_name = "FRAMES,...", value_delimiter = ',')]
    pub periods: Vec<u32>,
    /// Numbers of tracks, 1 to 64, each a thread on a core of its own; beyond the number of cores
    /// some share one, which the results say [default: 1 to all cores, in a quick test 1 and all;
    /// with --card 1]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub tracks: Vec<usize>,
    /// What an instance computes: `light` and `heavy` are networks of 8 and 16 delay lines,
    /// `designer-light` and `designer-heavy` the reverberators of Vignati et al. (2022), `cpu`
    /// needs no memory, `cache` hardly anything else, `lv2:URI` is an LV2 plugin that is
    /// installed, `lv2:` alone lists those [default: light,heavy, in a full test all six]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = parsed::<Plugin>)]
    pub plugins: Vec<Plugin>,
    /// Frames per second, 8000 to 384000 [default: 48000, with --card the card's]
    #[arg(long, value_name = "HZ")]
    pub rate: Option<u32>,
    /// How often to search for each limit; the result says how well the searches agree
    /// [default: 3, in a full test 1]
    #[arg(long, value_name = "N")]
    pub searches: Option<u32>,
    /// How the instances of a track are connected: each gets the same noise, or the sound of
    /// the one before it
    #[arg(long, value_name = "HOW", default_value = "parallel", value_parser = arrangements())]
    pub arrangement: TrackLayout,
    /// How long each of the three confirming runs takes, such as "2 min"; runs of the search take
    /// a fifth of it; a number alone counts s [default: 1 s, 2 s or 10 min by length]
    #[arg(long, alias = "seconds", value_name = "TIME", value_parser = lasting)]
    pub duration: Option<Nanos>,
    #[command(flatten)]
    pub thread: ThreadArgs,
    #[command(flatten)]
    pub suite: Suite,
}

/// Whether a player writes its sound in time (Senoner's latencytest; Phillips 2000).
///
/// Plays a tone in fragments: it computes for a share of each fragment's time, writes the
/// fragment, and waits until the next is free. The result gives the shares of cycles within 1
/// and 2 ms of the ideal, the shares of computing within 0.1 and 0.2 ms, the greatest values,
/// overruns, late writes and drop-outs, and latencytest's plot. A timer takes the place of a
/// sound card unless --card names one. Senoner's five loads are `--load senoner-x11` and so on;
/// see `chronotap load`.
#[derive(Args, Debug)]
pub struct FragmentsArgs {
    /// The sound card: `alsa:hw:CARD,DEVICE`, which plays a quiet tone in 16 bits, left and
    /// right; or `virtual`, the timer
    #[arg(long, value_name = "CARD", default_value = "virtual", value_parser = parsed::<CardName>)]
    pub card: CardName,
    /// Fragments of the device's buffer, 2 to 64; of a sound card, its periods. With several
    /// numbers or sizes, such as 2,3,4, every combination is run, and the page has a table
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [3])]
    pub fragments: Vec<u32>,
    /// Bytes of a fragment, 64 to 65536; a frame has 4
    #[arg(long, value_name = "BYTES,...", value_delimiter = ',', default_values_t = [256])]
    pub bytes: Vec<u32>,
    /// Share of a fragment's time spent computing, in percent, 0 to 90
    #[arg(long, value_name = "PERCENT", default_value_t = 80)]
    pub cpu: u32,
    /// Frames per second, 8000 to 192000
    #[arg(long, value_name = "HZ", default_value_t = 44_100)]
    pub rate: u32,
    /// WAV file to play over and over instead of a quiet tone; of the same rate, up to 10
    /// minutes
    #[arg(long, value_name = "FILE")]
    pub wav: Option<PathBuf>,
    /// How long it plays, such as "2 min"; a number alone counts s [default: 5 s, 30 s or 5 min by
    /// length]
    #[arg(long, alias = "seconds", value_name = "TIME", value_parser = lasting)]
    pub duration: Option<Nanos>,
    /// The processor to play on, from 0 [default: the last]
    #[arg(long, value_name = "N")]
    pub core: Option<usize>,
    #[command(flatten)]
    pub scheduled: Scheduled,
    #[command(flatten)]
    pub suite: Suite,
}

/// How long sound takes from an output of the card to an input, to a thousandth of a frame.
///
/// Connect the card's first output to its first input, by a cable or within the server.
/// Thirteen tones are played at -14 dB; their phases give the delay, up to 65,536 frames. There
/// is no result if the level is too low, samples are clipped, or readings disagree; the exit
/// status is then 1.
///
/// If there is an instrument in between, measure it alone first and give its results as
/// --calibration: they are subtracted. --wav analyses a recording instead, and --tones writes
/// the tones to play for it.
#[derive(Args, Debug)]
pub struct RoundtripArgs {
    /// The sound card: `jack`, `alsa:hw:CARD,DEVICE`, or `virtual:loop:FRAMES:GAIN` to see how
    /// it works [default: jack if a server runs]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true, value_parser = parsed::<CardName>)]
    pub card: CardName,
    /// What a JACK server joins the output and the input to: its `card`; the one to the
    /// other, `self`, to measure the server alone; or the card's `monitor`, for PipeWire
    #[arg(long, value_name = "PORTS", default_value = "card", value_parser = joins())]
    pub join: PortJoin,
    /// Periods to measure, in frames; a JACK server has only its own [default: the card's; for
    /// a virtual card 16 to 512]
    #[arg(long, value_name = "FRAMES,...", value_delimiter = ',')]
    pub periods: Vec<u32>,
    /// Frames per second [default: the card's]
    #[arg(long, value_name = "HZ")]
    pub rate: Option<u32>,
    /// How long each period is measured, such as "10 s"; a number alone counts s [default: 2 s, 5
    /// s or 30 s by length]
    #[arg(long, alias = "seconds", value_name = "TIME", value_parser = lasting)]
    pub duration: Option<Nanos>,
    /// Results (NAME.json) of the instrument in between measured alone, to subtract
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Analyse a recording instead: with one channel, it must begin when the tones of --tones
    /// began; with two, the second is compared with the first
    #[arg(long, value_name = "FILE", conflicts_with_all = ["periods", "calibration", "tones"])]
    pub wav: Option<PathBuf>,
    /// Write ten seconds of the tones to a new WAV file instead, at --rate or 48000 Hz
    #[arg(long, value_name = "FILE", conflicts_with_all = ["periods", "calibration"])]
    pub tones: Option<PathBuf>,
    #[command(flatten)]
    pub suite: Suite,
}

/// How evenly another program plays: its clicks as a card hears them (Phillips 2000).
///
/// Let the program play clicks at one interval, such as a metronome's, into a cable to an input,
/// a loopback card, or, on PipeWire, the card itself (`--card jack --join monitor`). Gives each
/// distance minus the interval, clicks that did not come, and clicks that came besides. --wav
/// analyses a recording instead.
#[derive(Args, Debug)]
pub struct PlayerArgs {
    /// The sound card: `jack`, or `alsa:hw:CARD,DEVICE` [default: jack if a server runs]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true, value_parser = parsed::<CardName>)]
    pub card: CardName,
    /// What a JACK server joins the input to: its `card`, or the card's `monitor`, for PipeWire
    #[arg(long, value_name = "PORTS", default_value = "card", value_parser = joins())]
    pub join: PortJoin,
    /// The input, from 1, at which the clicks are heard
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub channel: u8,
    /// Frames of a period [default: the card's]
    #[arg(long, value_name = "FRAMES")]
    pub period: Option<u32>,
    /// Frames per second [default: the card's]
    #[arg(long, value_name = "HZ")]
    pub rate: Option<u32>,
    /// From one click to the next, as the player means it; a number alone counts s [default: the
    /// median of what is heard]
    #[arg(long, value_name = "TIME", value_parser = lasting)]
    pub interval: Option<Nanos>,
    /// How long to listen; a number alone counts s [default: 10 s, 1 min or 10 min by length]
    #[arg(long, alias = "seconds", value_name = "TIME", value_parser = lasting)]
    pub duration: Option<Nanos>,
    /// What a click must exceed, in dB full scale, -90 to -1 [default: 12 dB above the noise
    /// at the beginning, at least -60]
    #[arg(long, value_name = "DB", allow_negative_numbers = true, value_parser = decibels)]
    pub threshold: Option<f32>,
    /// Analyse the first channel of a recording instead; it begins with a quarter of a second of
    /// silence
    #[arg(long, value_name = "FILE", conflicts_with_all = ["card", "join", "channel", "period", "rate", "duration"])]
    pub wav: Option<PathBuf>,
    #[command(flatten)]
    pub suite: Suite,
}

/// `parallel` or `series`.
fn arrangements() -> impl TypedValueParser<Value = TrackLayout> {
    let of = |name: String| match name.as_str() {
        "series" => TrackLayout::Series,
        _ => TrackLayout::Parallel,
    };
    PossibleValuesParser::new(["parallel", "series"]).map(of)
}

/// `card`, `self` or `monitor`.
fn joins() -> impl TypedValueParser<Value = PortJoin> {
    let of = |name: String| match name.as_str() {
        "self" => PortJoin::Itself,
        "monitor" => PortJoin::Monitor,
        _ => PortJoin::Card,
    };
    PossibleValuesParser::new(["card", "self", "monitor"]).map(of)
}

/// How the threads of a test are scheduled, and where.
#[derive(Args, Debug)]
pub struct ThreadArgs {
    #[command(flatten)]
    pub scheduled: Scheduled,
    /// Processors to use, from 0, such as 2,3 [default: isolated ones first, then from the
    /// last]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub cores: Vec<usize>,
}
