//! The arguments of `chronotap level`.

use super::options::whole_seconds;
use clap::Args;

/// Play a steady sound to calibrate levels, or turn the meter's reading into a calibration.
///
/// Without --measured, a sound plays until its time is up: hold the sound level meter (with a
/// coupler, for headphones) to the ear and read it. With --measured, nothing sounds; the
/// command prints the lines to put into the file of sounds. Levels in that file can then be
/// given in dB SPL, such as "70 dB SPL"; see docs/sound.md. Begin softly.
#[derive(Args, Debug)]
pub struct LevelArgs {
    /// The sound card, such as tone:jack or "tone:alsa:hw:PCH,0?rate=48000"
    #[arg(long = "out", value_name = "PORT", default_value = "tone:")]
    pub output: String,
    /// The sound to play
    #[arg(long, value_name = "SOUND", default_value = "sine", value_parser = ["sine", "white noise", "pink noise"])]
    pub sound: String,
    /// Pitch of the sine in Hz, 20 to 20000; at 1000 Hz every weighting reads the same
    #[arg(long = "pitch", value_name = "HZ", default_value_t = 1_000.0)]
    pub pitch_hz: f64,
    /// Level in dB full scale, -120 to 0
    #[arg(long = "level", value_name = "DB", default_value_t = -20.0, allow_negative_numbers = true)]
    pub level_db: f32,
    /// In which ear it plays
    #[arg(long, value_name = "EAR", default_value = "both", value_parser = ["both", "left", "right"])]
    pub ear: String,
    /// How long it plays, 1 s to a day; a number alone counts s
    #[arg(long = "duration", alias = "seconds", value_name = "TIME", default_value = "30 s", value_parser = whole_seconds)]
    pub seconds: u32,
    /// What the meter read at this --level (and --ear), in dB SPL; nothing is played
    #[arg(long = "measured", value_name = "SPL")]
    pub measured_spl: Option<f64>,
}
