//! The arguments of commands that take a recorded trial as it was: play; and what of it is
//! wanted.

use super::options::{PortNames, RealTime, Show, ports, time};
use chronotap_playback::{Excerpt, Layer};
use chronotap_time::Nanos;
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
    pub ports: PortNames,
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
    /// taps]
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
    /// The tones that triggers played
    Triggers,
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
        };
        let only: Vec<Layer> = self.only.iter().map(layer).collect();
        let layers = if only.is_empty() { Layer::HEARD.to_vec() } else { only };
        Excerpt { layers, from: self.from, rate: self.rate }
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
