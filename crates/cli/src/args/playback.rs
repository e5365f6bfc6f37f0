//! The arguments of commands that take a recorded trial as it was: play; and what of it is
//! wanted.

use super::options::{PortOptions, RealTime, Show, ports, time};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;
use chronotap_data::playback::{Excerpt, Layer};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Play a recorded trial again as it was, on any output.
///
/// Every tone comes at its recorded time, with its note, velocity and length. Nothing is drawn
/// at random, and nothing is recorded. Outputs that you do not name play on the sound card.
/// Controllers and bend are not played. The exit status is 1 if the timing verdict fails.
#[derive(Args, Debug)]
#[command(after_long_help = ports())]
pub struct Play {
    /// The events file of the trial, NAME_events.tsv, with its .json beside it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub excerpt: ExcerptArgs,
    #[command(flatten)]
    pub ports: PortOptions,
    #[command(flatten)]
    pub realtime: RealTime,
    #[command(flatten)]
    pub show: Show,
}

/// What of a recorded trial is wanted.
#[derive(Args, Debug)]
#[command(next_help_heading = "Excerpt")]
pub struct ExcerptArgs {
    /// What to play, such as "taps,pacing" [default: all that was heard, so everything except
    /// taps and moments]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_enum)]
    pub only: Vec<LayerName>,
    /// Begin here, such as "10 s"; tones that began earlier are left out
    #[arg(long, value_name = "TIME", value_parser = moment, default_value = "0 s")]
    pub from: Nanos,
    /// How much faster than recorded; 0.5 takes twice as long
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    pub rate: f64,
    /// Play each beat of the music as the tone of its stream, if the music file is missing
    #[arg(long)]
    pub tones_for_music: bool,
    /// MIDI channel of the taps, 1 to 16 [default: that on which they came]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub tap_channel: Option<u8>,
    /// How many semitones higher than their keys the taps sound, -127 to 127
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i8).range(-127..=127))]
    pub transpose_taps: Option<i8>,
    /// MIDI channel of the moments, 1 to 16 [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub moment_channel: Option<u8>,
    /// MIDI note of the moments, 0 to 127 [default: 120]
    #[arg(long, value_name = "NOTE", value_parser = clap::value_parser!(u8).range(0..=127))]
    pub moment_note: Option<u8>,
}

/// The words of [`Layer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LayerName {
    /// The participant's key presses, each as the note of its key
    Taps,
    /// The tones of pacing streams
    Pacing,
    /// The tones that taps caused
    Feedback,
    /// The tones of masking streams
    Masking,
    /// The tones that rules played
    Triggers,
    /// The moments at which rules acted, each as a tone of 50 ms on the first output
    Moments,
}

impl ExcerptArgs {
    /// What is wanted.
    pub fn excerpt(&self) -> Excerpt {
        let layer = |name: &LayerName| match name {
            LayerName::Taps => Layer::Taps,
            LayerName::Pacing => Layer::Pacing,
            LayerName::Feedback => Layer::Feedback,
            LayerName::Masking => Layer::Masking,
            LayerName::Triggers => Layer::Triggers,
            LayerName::Moments => Layer::Moments,
        };
        let only: Vec<Layer> = self.only.iter().map(layer).collect();
        let layers = if only.is_empty() { Layer::HEARD.to_vec() } else { only };
        let usual = Excerpt::default();
        let channel = |number: Option<u8>| number.and_then(Channel::new);
        let moment = (
            channel(self.moment_channel).unwrap_or(usual.moment.0),
            self.moment_note.and_then(U7::new).unwrap_or(usual.moment.1),
        );
        Excerpt {
            layers,
            from: self.from,
            rate: self.rate,
            tap_channel: channel(self.tap_channel),
            tap_semitones: self.transpose_taps.unwrap_or(0),
            moment,
        }
    }

    /// The first option that concerns what is not played, with the word that would have it played.
    pub fn without_use(&self) -> Option<(&'static str, &'static str)> {
        let options = [
            ("--tap-channel", self.tap_channel.is_some(), LayerName::Taps, "taps"),
            ("--transpose-taps", self.transpose_taps.is_some(), LayerName::Taps, "taps"),
            ("--moment-channel", self.moment_channel.is_some(), LayerName::Moments, "moments"),
            ("--moment-note", self.moment_note.is_some(), LayerName::Moments, "moments"),
        ];
        let idle =
            |(_, given, layer, _): &(_, bool, LayerName, _)| *given && !self.only.contains(layer);
        options.into_iter().find(idle).map(|(option, .., word)| (option, word))
    }
}

/// A moment of the trial, with its unit.
fn moment(text: &str) -> Result<Nanos, String> {
    let moment = time(text)?;
    let sound = "the trial begins at 0 s: write a time from there on, such as \"10 s\"";
    (moment >= Nanos::ZERO).then_some(moment).ok_or_else(|| sound.to_owned())
}

/// From a hundredth to a hundred times.
fn factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| (0.01..=100.0).contains(factor));
    factor.ok_or_else(|| "write a number from 0.01 to 100, such as 0.5".to_owned())
}
