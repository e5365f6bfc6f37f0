//! The round trip without a card of ours: tones to play, and what was recorded of them.

use crate::CommandVerdict;
use crate::says::{Says, Terminal};
use crate::screen::say;
use anyhow::{Context, Result, bail};
use chronotap_audio::meter::SineSum;
use chronotap_audio::wav::WavFile;
use chronotap_bench::timing::roundtrip::{RoundTrip, listen};
use hound::{SampleFormat, WavSpec, WavWriter};
use std::io::{BufReader, BufWriter};
use std::path::Path;

/// How long the tones are.
const TONES_S: u32 = 10;
/// A recording is held in memory: an hour at 48 kHz is 1.4 GB.
const LONGEST_S: u32 = 600;

/// `chronotap timing roundtrip --wav FILE`. No round trip is a failed check.
pub fn analyse(path: &Path) -> Result<CommandVerdict> {
    let (channels, rate_hz) = read(path).with_context(|| format!("--wav {}", path.display()))?;
    let mut trips = Vec::new();
    for (n, channel) in channels.iter().enumerate() {
        match listen(channel, f64::from(rate_hz)) {
            Ok(trip) => trips.push(trip),
            Err(why) => {
                say(format!("channel {}: {}", n + 1, why.says(Terminal)));
                return Ok(CommandVerdict::of(false));
            }
        }
    }
    for (n, trip) in trips.iter().enumerate() {
        say(format!("channel {}: {}", n + 1, described(trip, rate_hz)));
    }
    if let [reference, looped] = &trips[..] {
        let frames = looped.reading.frames - reference.reading.frames;
        say(format!("channel 2 after channel 1: {}", in_both(frames, rate_hz)));
    }
    Ok(CommandVerdict::of(true))
}

/// `chronotap timing roundtrip --tones FILE`.
pub fn write(path: &Path, rate_hz: u32) -> Result<CommandVerdict> {
    let context = || format!("--tones {}", path.display());
    let spec = WavSpec {
        channels: 1,
        sample_rate: rate_hz,
        bits_per_sample: 32,
        sample_format: SampleFormat::Float,
    };
    let mut tones = vec![0.0; (TONES_S * rate_hz) as usize];
    SineSum::new().render(&mut tones);
    let file = chronotap_core::files::create_new(path).with_context(context)?;
    let mut wav = WavWriter::new(BufWriter::new(file), spec).with_context(context)?;
    for sample in tones {
        wav.write_sample(sample).with_context(context)?;
    }
    wav.finalize().with_context(context)?;
    say(format!("{}: {TONES_S} s of tones at {rate_hz} Hz", path.display()));
    Ok(CommandVerdict::of(true))
}

fn described(trip: &RoundTrip, rate_hz: u32) -> String {
    let reading = &trip.reading;
    let inverted = if reading.inverted { ", upside down" } else { "" };
    let (sd, gain) = (trip.sd_frames(), 20.0 * reading.gain.log10());
    format!("{} (SD {sd:.4} frames, {gain:+.1} dB{inverted})", in_both(reading.frames, rate_hz))
}

fn in_both(frames: f64, rate_hz: u32) -> String {
    format!("{frames:.3} frames, {:.4} ms", frames * 1e3 / f64::from(rate_hz))
}

/// The first two channels, full scale being 1, and the rate.
pub fn read(path: &Path) -> Result<(Vec<Vec<f32>>, u32)> {
    let file = chronotap_core::files::open(path)?;
    let wav = WavFile::open(BufReader::new(file))?;
    let (all, rate_hz) = (usize::from(wav.channels()), wav.rate_hz());
    if wav.frames() > u64::from(LONGEST_S) * u64::from(rate_hz) {
        bail!("it lasts more than {LONGEST_S} s; ten are enough");
    }
    let samples = wav.samples()?;
    let channel = |n: usize| samples.iter().skip(n).step_by(all).copied().collect();
    Ok(((0..all.min(2)).map(channel).collect(), rate_hz))
}
