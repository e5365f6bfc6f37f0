//! `chronotap timing tap-to-sound`: from its arguments to what is measured, live or in a
//! recording.

use super::audio_tests::{calibration, counted};
use super::recording;
use crate::Verdict;
use crate::args::TapToSoundArgs;
use crate::screen::say;
use anyhow::{Context, Result, bail};
use chronotap_experiment::performers::Tappers;
use chronotap_ports::{Spec, ToneName, WireName};
use chronotap_rehearsal::{FarEnd, Wire};
use chronotap_signal::Port;
use chronotap_time::Nanos;
use chronotap_timing::tap_to_sound::{Channels, Distances, INTERVAL, OpenPort, distances};
use chronotap_timing::{Histogram, Statistics, TapToSoundTest, spoken};
use std::path::Path;
use std::sync::Arc;

/// Runs the command.
pub fn tap_to_sound(args: &TapToSoundArgs) -> Result<Verdict> {
    match (&args.wav, &args.input) {
        (Some(wav), _) => analyse(wav, args.threshold()),
        (None, Some(input)) => {
            let test = test(args, input)?;
            counted("tap-to-sound", &args.suite, || test.clone())
        }
        (None, None) => bail!("--in PORT: which port do the taps come in at?"),
    }
}

fn test(args: &TapToSoundArgs, input: &str) -> Result<TapToSoundTest> {
    let tap = args.tap_channel.map(|channel| usize::from(channel) - 1);
    let channels = Channels { sound: usize::from(args.sound_channel) - 1, tap };
    if tap == Some(channels.sound) {
        bail!("--tap-channel {}: the sound comes back there; name another", args.sound_channel);
    }
    let (card, rate_hz, period_frames) = (args.card.clone(), args.rate, args.period);
    Ok(TapToSoundTest {
        input: input.to_owned(),
        open: opening(input)?,
        card: ToneName { card, rate_hz, period_frames, ..ToneName::default() },
        channels,
        taps: args.taps,
        longest: args.duration,
        threshold: args.threshold(),
        calibration: args.calibration.as_deref().map(calibration).transpose()?,
    })
}

/// How the port is opened. At the far end of a wire sits a simulated hand.
fn opening(input: &str) -> Result<OpenPort> {
    let spec: Spec = input.parse().with_context(|| format!("--in {input}"))?;
    let far_end = spec.name::<WireName>().copied();
    if far_end.is_some_and(|wire| wire.looped) {
        bail!("--in {input}: nobody taps on a looped wire; `wire` has a simulated hand");
    }
    if spec.name::<ToneName>().is_some() {
        bail!("--in {input}: it sounds and takes no taps; name it with --card");
    }
    Ok(Arc::new(move || match far_end {
        Some(WireName { throttled, .. }) => wire(throttled),
        None => spec.open(&[(0, "pad")], &[]).map_err(|error| format!("{error:#}")),
    }))
}

/// Somebody who taps from the second second on, not quite evenly.
fn wire(throttled: bool) -> Result<Box<dyn Port>, String> {
    let hand = format!("tapper, wait = 1 s, interval = {} ms", INTERVAL.0 / 1_000_000);
    let hand = Tappers::from_spec(&hand, &["pad".to_owned()], 1);
    let hand = hand.map_err(|error| error.to_string())?;
    let baud = if throttled { None } else { Some(0) };
    Ok(Box::new(Wire::new(baud, FarEnd::Performer(Box::new(hand)))))
}

/// `--wav FILE`. No distance is a failed check.
fn analyse(path: &Path, threshold: Option<f32>) -> Result<Verdict> {
    let context = || format!("--wav {}", path.display());
    let (channels, rate_hz) = recording::read(path).with_context(context)?;
    let [tap, sound] = &channels[..] else {
        bail!("--wav {}: it has one channel; record the tap in 1, the sound in 2", path.display())
    };
    match distances(tap, sound, rate_hz, threshold) {
        Ok(found) => described(&found, rate_hz).into_iter().for_each(say),
        Err(why) => {
            say(crate::screen::wrapped(&format!("no figure: {why}"), ""));
            return Ok(Verdict::of(false));
        }
    }
    Ok(Verdict::of(true))
}

fn described(found: &Distances, rate_hz: u32) -> [String; 3] {
    let ns = |frames: &f64| Nanos::round_from_f64(frames * 1e9 / f64::from(rate_hz));
    let all = Statistics::of(&Histogram::of(found.frames.iter().map(ns)));
    let time = |ns: Option<f64>| ns.map_or("-".into(), spoken);
    let whole = |ns: Option<i64>| time(ns.map(|ns| ns as f64));
    let frames = found.frames.iter().sum::<f64>() / found.frames.len() as f64;
    [
        format!("{} taps, {} sounds, {} pairs", found.taps, found.sounds, found.frames.len()),
        format!(
            "tap to sound: {frames:.2} frames at {rate_hz} Hz, {} (SD {})",
            time(all.mean_ns),
            time(all.sd_ns)
        ),
        format!(
            "  min {}, median {}, p99 {}, max {}",
            whole(all.min_ns),
            whole(all.median_ns),
            whole(all.p99_ns),
            whole(all.max_ns)
        ),
    ]
}
