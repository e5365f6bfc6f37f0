//! `chronotap timing tap-to-sound`: from its arguments to what is measured, live or in a
//! recording.

use super::audio_tests::{calibration, counted};
use super::recording;
use super::told::{TellingProbe, ToldOptions};
use crate::CommandVerdict;
use crate::args::TapToSoundArgs;
use crate::says::{Says, Terminal};
use crate::screen::say;
use anyhow::{Context, Result, bail};
use chronotap_bench::timing::SampleStatistic::{Max, Mean, Median, Min, P99, Sd};
use chronotap_bench::timing::tap_to_sound::{
    BesideInput, Channels, Distances, INTERVAL, OpenPort, ScriptedPad, distances,
};
use chronotap_bench::timing::{
    Histogram, SampleStatistic, Statistics, TapToSoundTest, TestRefusal,
};
use chronotap_config::trial_files::performers::{Script, Tappers};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::Port;
use chronotap_linux::cards::CardName;
use chronotap_linux::ports::{EarName, SensorName, Spec, ToneName, WireName};
use chronotap_rig::laboratory::virtual_ear;
use chronotap_simulate::{FarEnd, VirtualEar, Wire};
use std::path::Path;
use std::sync::Arc;

pub fn tap_to_sound(args: &TapToSoundArgs) -> Result<CommandVerdict> {
    if let Some(wav) = &args.wav {
        return analyse(wav, args.threshold());
    }
    let test = test(args)?;
    let options = of_channels(args.sound_channel, args.tap_channel)
        .and("threshold_db", args.threshold)
        .and_file("calibration", args.calibration.as_deref());
    counted("tap-to-sound", &args.suite, || TellingProbe {
        test: test.clone(),
        options: options.clone(),
    })
}

fn test(args: &TapToSoundArgs) -> Result<TapToSoundTest> {
    let wanted = PadTest {
        input: args.input.as_deref(),
        beside: &[],
        scripted: args.strikes.as_deref().map(simulated).transpose()?,
        card: args.card.clone(),
        period: args.period,
        rate: args.rate,
        sound_channel: args.sound_channel,
        tap_channel: args.tap_channel,
        taps: args.taps,
    };
    let test = wanted.test()?;
    Ok(TapToSoundTest {
        longest: args.duration.or(test.longest),
        threshold: args.threshold(),
        calibration: args.calibration.as_deref().map(calibration).transpose()?,
        ..test
    })
}

/// The inputs of the card, where they are not those that the manual connects.
pub fn of_channels(sound: u8, tap: Option<u8>) -> ToldOptions {
    ToldOptions::default()
        .and("sound_channel", (sound != 1).then_some(sound))
        .and("tap_channel", tap.filter(|tap| *tap != 2))
}

/// What the test and the passport have in common.
pub struct PadTest<'a> {
    pub input: Option<&'a str>,
    /// What is struck together with the pad.
    pub beside: &'a [String],
    pub scripted: Option<ScriptedPad>,
    pub card: CardName,
    pub period: Option<u32>,
    pub rate: Option<u32>,
    pub sound_channel: u8,
    pub tap_channel: Option<u8>,
    pub taps: Option<u32>,
}

impl PadTest<'_> {
    pub fn test(self) -> Result<TapToSoundTest> {
        let tap = self.tap_channel.map(|channel| usize::from(channel) - 1);
        let channels = Channels { sound: usize::from(self.sound_channel) - 1, tap };
        if tap == Some(channels.sound) {
            bail!("--tap-channel {}: the sound comes back there; name another", self.sound_channel);
        }
        let PadTest { card, period: period_frames, rate: rate_hz, scripted, .. } = self;
        let (input, open) = match (self.input, &scripted) {
            (_, Some(pad)) => ("simulated pad", scripted_wire(pad)),
            (Some(input), None) => (input, opening(input)?),
            (None, None) => bail!("--in PORT: which port do the taps come in at?"),
        };
        let opened = |(place, port): (u16, &String)| beside(place, port, scripted.as_ref());
        let beside = (1..).zip(self.beside).map(opened).collect::<Result<Vec<_>>>()?;
        // One message more than the pad sends, so that it ends after its last strike, heard or not.
        let taps = scripted.as_ref().map_or(self.taps, |pad| Some(pad.messages() + 1));
        Ok(TapToSoundTest {
            input: input.to_owned(),
            open,
            card: ToneName { card, rate_hz, period_frames, ..ToneName::default() },
            channels,
            taps,
            longest: scripted.as_ref().map(|pad| pad.ends() + Nanos::from_secs(1)),
            threshold: None,
            calibration: None,
            scripted,
            beside,
        })
    }
}

/// An ear or a sensor beside the pad, as the input in this place; the pad is the first, 0. Of a simulated pad the
/// table says what comes from a virtual one.
fn beside(place: u16, port: &str, pad: Option<&ScriptedPad>) -> Result<BesideInput> {
    let spec: Spec = port.parse().with_context(|| format!("--beside {port}"))?;
    let (ear, sensor) = (spec.name::<EarName>(), spec.name::<SensorName>());
    let sense = match (ear, sensor) {
        (Some(_), _) => "ear",
        (_, Some(_)) => "sensor",
        _ => bail!("--beside {port}: name an `ear:` or a `sensor:`"),
    };
    let (ear, felt) = (ear.and_then(virtual_ear), sensor.is_some_and(SensorName::is_virtual));
    let open: OpenPort = match pad {
        Some(pad) if ear.is_some() || felt => virtual_beside(place, pad, ear, felt),
        None if ear.is_some() || felt => {
            bail!("--beside {port}: only a simulated pad (--strikes) strikes it, too")
        }
        _ => Arc::new(move || Ok(spec.open(&[(place, "beside")], &[])?)),
    };
    Ok(BesideInput { name: port.to_owned(), sense, open })
}

/// On a virtual card, or a virtual sensor, what the table has of an input beside the pad.
fn virtual_beside(place: u16, pad: &ScriptedPad, ear: Option<VirtualEar>, felt: bool) -> OpenPort {
    let names: Vec<String> = (0..=place).map(|n| n.to_string()).collect();
    let inputs = std::iter::once("input".to_owned()).chain(std::iter::repeat(place.to_string()));
    let presses = pad.presses_beside();
    let rows = presses.lines().zip(inputs).map(|(row, input)| format!("{row}\t{input}\n"));
    let presses: String = rows.collect();
    Arc::new(move || {
        let script = Script::parse(&presses, "strikes", &names)?;
        let wire = Wire::new(Some(0), FarEnd::Performer(Box::new(script)));
        let ears: Vec<(u16, VirtualEar)> = ear.map(|ear| (place, ear)).into_iter().collect();
        let pads: &[u16] = if felt { &[place] } else { &[] };
        Ok(Box::new(wire.heard_by(&ears).felt_by(pads)))
    })
}

/// Reads the table of a simulated pad.
pub fn simulated(path: &Path) -> Result<ScriptedPad> {
    let read = || -> Result<ScriptedPad> {
        Ok(ScriptedPad::parse(&chronotap_core::files::read_to_string(path)?)?)
    };
    read().with_context(|| format!("--strikes {}", path.display()))
}

/// The messages of a simulated pad, on a wire without a limit to its speed.
fn scripted_wire(pad: &ScriptedPad) -> OpenPort {
    let presses = pad.presses();
    Arc::new(move || {
        let script = Script::parse(&presses, "strikes", &["pad".to_owned()])?;
        Ok(Box::new(Wire::new(Some(0), FarEnd::Performer(Box::new(script)))))
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
        None => Ok(spec.open(&[(0, "pad")], &[])?),
    }))
}

/// Somebody who taps from the second second on, not quite evenly.
fn wire(throttled: bool) -> Result<Box<dyn Port>, TestRefusal> {
    let hand = format!("tapper, wait = 1 s, interval = {} ms", INTERVAL.0 / 1_000_000);
    let hand = Tappers::from_spec(&hand, &["pad".to_owned()], 1)?;
    let baud = if throttled { None } else { Some(0) };
    Ok(Box::new(Wire::new(baud, FarEnd::Performer(Box::new(hand)))))
}

/// `--wav FILE`. No distance is a failed check.
fn analyse(path: &Path, threshold: Option<f32>) -> Result<CommandVerdict> {
    let context = || format!("--wav {}", path.display());
    let (channels, rate_hz) = recording::read(path).with_context(context)?;
    let [tap, sound] = &channels[..] else {
        bail!("--wav {}: it has one channel; record the tap in 1, the sound in 2", path.display())
    };
    match distances(tap, sound, rate_hz, threshold) {
        Ok(found) => described(&found, rate_hz).into_iter().for_each(say),
        Err(why) => {
            say(crate::screen::wrapped(&format!("no figure: {}", why.says(Terminal)), ""));
            return Ok(CommandVerdict::of(false));
        }
    }
    Ok(CommandVerdict::of(true))
}

fn described(found: &Distances, rate_hz: u32) -> [String; 3] {
    let ns = |frames: &f64| Nanos::round_from_f64(frames * 1e9 / f64::from(rate_hz));
    let all = Statistics::of(&Histogram::of(found.frames.iter().map(ns)));
    let said = |which: SampleStatistic| which.said(&all);
    let frames = found.frames.iter().sum::<f64>() / found.frames.len() as f64;
    [
        format!("{} taps, {} sounds, {} pairs", found.taps, found.sounds, found.frames.len()),
        format!(
            "tap to sound: {frames:.2} frames at {rate_hz} Hz, {} (SD {})",
            said(Mean),
            said(Sd)
        ),
        format!(
            "  min {}, median {}, p99 {}, max {}",
            said(Min),
            said(Median),
            said(P99),
            said(Max)
        ),
    ]
}
