//! What may stand after `chronotap timing tap-to-sound`. The comments are the help texts.

use super::suite::Suite;
use crate::args::options::lasting;
use crate::says::parsed;
use chronotap_core::time::Nanos;
use chronotap_linux::cards::CardName;
use clap::Args;
use std::path::PathBuf;

/// How long a tap takes to become a sound, and where that time goes.
///
/// Each tap at --in is answered by a click on the card, as a trial's feedback is. Connect the
/// card's first output to its first input, and point a microphone at the pad into its second
/// (--tap-channel 2). Wait a second, then tap, leaving half a second between taps. The result
/// gives the times of pad and interface, kernel, program, card and converter, and the total,
/// which is the distance of two onsets in one recording. There is no result if levels are too
/// low or clipped, or if taps and sounds do not match one by one; the exit status is then 1.
///
/// To see how it works without any device: `--in wire --card virtual:loop:1024:0.5`, where a
/// simulated hand taps.
#[derive(Args, Debug)]
pub struct TapToSoundArgs {
    /// The port at which taps come in, as in `chronotap run`
    #[arg(long = "in", value_name = "PORT", required_unless_present_any = ["wav", "strikes"])]
    pub input: Option<String>,
    /// A simulated pad instead of a port: a table of strikes, which sound at --tap-channel; see
    /// docs/passport.md
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "wav", "taps"], requires = "tap_channel")]
    pub strikes: Option<PathBuf>,
    /// The sound card that plays and records: `jack`, `alsa:hw:CARD,DEVICE`, or
    /// `virtual:loop:FRAMES:GAIN` [default: jack if a server runs]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true, value_parser = parsed::<CardName>)]
    pub card: CardName,
    /// Frames of a period [default: the card's]
    #[arg(long, value_name = "FRAMES")]
    pub period: Option<u32>,
    /// Frames per second [default: the card's]
    #[arg(long, value_name = "HZ")]
    pub rate: Option<u32>,
    /// The input, from 1, to which the sound comes back
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub sound_channel: u8,
    /// The input, from 1, at which the tap itself is heard [default: none; the total then
    /// begins at the tap's stamp]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub tap_channel: Option<u8>,
    /// How many taps, 5 to 100000 [default: 20, 100 or 1000 by length]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(5..=100_000))]
    pub taps: Option<u32>,
    /// End after this time even if taps are missing; a number alone counts s [default: 10 s and 2
    /// s for each tap]
    #[arg(long, alias = "seconds", value_name = "TIME", value_parser = lasting)]
    pub duration: Option<Nanos>,
    /// What an onset must exceed, in dB full scale, -90 to -1 [default: 12 dB above the noise
    /// at the beginning, at least -60]
    #[arg(long, value_name = "DB", allow_negative_numbers = true, value_parser = decibels)]
    pub threshold: Option<f32>,
    /// Results (NAME.json) of `timing roundtrip` on this card at this period: what it measured
    /// beyond the card's own latencies is shared between output and input
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Analyse a recording instead: the tap in channel 1, the sound in channel 2
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "card", "period", "rate", "taps", "duration", "calibration", "sound_channel", "tap_channel"])]
    pub wav: Option<PathBuf>,
    #[command(flatten)]
    pub suite: Suite, // last, since its headings hold for what follows
}

impl TapToSoundArgs {
    /// The threshold as a share of full scale.
    pub fn threshold(&self) -> Option<f32> {
        self.threshold.map(|db| 10f32.powf(db / 20.0))
    }
}

pub(super) fn decibels(text: &str) -> Result<f32, String> {
    let db: f32 = text.parse().map_err(|_| "it is a number of dB, as in -40".to_owned())?;
    let known = (-90.0..=-1.0).contains(&db);
    if known { Ok(db) } else { Err("it is -90 to -1 dB full scale, 0 is the loudest".into()) }
}
