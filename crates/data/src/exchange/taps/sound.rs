//! Sound recordings: a sensor on one channel, and what was played, looped into another. How
//! taps are found, how exactly and how late, says [`chronotap_audio::sensor`].
//!
//! A recording is read twice: first to learn how loud its noise and its taps are, and then to find
//! them. What is found in that way, and what was asked, is told and recorded. Only one block is
//! decoded at a time.

use super::error::TapsError;
use super::{Events, ImportOptions, Onsets, Place, Read, SourceFile, SourceOnset, Taken};
use crate::record::OriginColumn;
use chronotap_audio::sensor::{
    Detector, FoundTap, Listening, Polarity, SENSORS, Sensor, Survey, Surveyed, sensor_named,
};
use chronotap_audio::tone::SampleError;
use chronotap_audio::{SoundFile, SoundForm};
use chronotap_core::time::Nanos;
use std::io::Cursor;

/// How a recording is to be listened to; what is not said is found, or as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HowHeard {
    pub sensor: Option<&'static Sensor>,
    /// In dB of full scale.
    pub level_db: Option<f64>,
    /// The share of the level to which a tap falls before there is another; from 0 to 1.
    pub release: Option<f64>,
    pub gap: Option<Nanos>,
    pub polarity: Option<Polarity>,
    pub mains: Option<Mains>,
    /// Whether taps and markers are those that REPP hears.
    pub as_repp: bool,
}

/// Whose hum is taken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mains {
    /// Nobody's.
    None,
    /// That of mains at so many hertz.
    Hz(u32),
}

/// The longest recording, in seconds: six hours.
const LONGEST_S: u64 = 21_600;
/// From the least rate at which the shortest time of a sensor is a few frames.
const RATES_HZ: std::ops::RangeInclusive<u32> = 4_000..=384_000;
/// Where the threshold is above half of the taps' level, they do not stand out (6 dB).
const STANDS_OUT: f64 = 0.5;

pub(super) fn looks_like(bytes: &[u8]) -> bool {
    let wave = bytes.get(8..12) == Some(b"WAVE");
    bytes.starts_with(b"fLaC")
        || wave && [b"RIFF", b"RF64", b"BW64"].iter().any(|kind| bytes.starts_with(*kind))
}

pub(super) fn read(file: &SourceFile, how: &ImportOptions) -> Result<Read, TapsError> {
    let form = form(file)?;
    let channel = |place: &Place| channel(file, place, form.channels);
    let stimuli = how.stimuli.as_ref().map(channel).transpose()?;
    let taps = match (&how.taps, form.channels) {
        (Some(place), _) => Some(channel(place)?),
        (None, 1) if stimuli.is_none() => Some(1),
        (None, channels) if stimuli.is_none() => {
            return Err(TapsError::Channels { name: file.name.clone(), channels });
        }
        (None, _) => None,
    };
    let mut read = Read { step_ns: 1_000_000_000 / i64::from(form.rate_hz), ..Read::default() };
    let mut onsets = Onsets::default();
    if let Some(number) = taps {
        let hearing = how.hearing;
        onsets.taps =
            heard(file, (number, form), hearing, ("taps", &mut read, &mut onsets.doubts))?;
    }
    if let Some(number) = stimuli {
        let hearing = HowHeard { sensor: sensor_named("cable"), ..HowHeard::default() };
        onsets.stimuli =
            heard(file, (number, form), hearing, ("stimuli", &mut read, &mut onsets.doubts))?;
    }
    read.trials.push(Taken {
        participant: how.participant.clone(),
        levels: vec![None; how.condition_columns.len()],
        events: Events::Onsets(onsets),
        ..Taken::default()
    });
    Ok(read)
}

/// What the file says of itself, where it can be listened to.
pub(super) fn form(file: &SourceFile) -> Result<SoundForm, TapsError> {
    let wrong = |error| TapsError::Sound { name: file.name.clone(), error };
    let form = SoundFile::open(Cursor::new(&*file.bytes)).map_err(wrong)?.form();
    if !RATES_HZ.contains(&form.rate_hz) {
        let (name, rate_hz) = (file.name.clone(), form.rate_hz);
        return Err(TapsError::Rate { name, rate_hz });
    }
    match form.frames / u64::from(form.rate_hz) >= LONGEST_S {
        true => Err(wrong(SampleError::Long(LONGEST_S))),
        false => Ok(form),
    }
}

/// The number of a channel, from 1, of `channel 2`.
pub(super) fn channel(file: &SourceFile, place: &Place, channels: u16) -> Result<u16, TapsError> {
    let plain = place.unit.is_none() && place.only.is_none();
    let number = place.column.strip_prefix("channel ").and_then(|word| word.trim().parse().ok());
    let number = number.filter(|number| plain && (1..=channels).contains(number));
    number.ok_or_else(|| {
        let asked = place.words();
        TapsError::Channel { name: file.name.clone(), asked, channels }
    })
}

/// The onsets in a channel; what was found of it is told, recorded and, if need be, doubted.
fn heard(
    file: &SourceFile,
    (number, form): (u16, SoundForm),
    hearing: HowHeard,
    (holds, read, doubts): (&str, &mut Read, &mut Vec<String>),
) -> Result<Vec<SourceOnset>, TapsError> {
    let rest = surveyed(file, (number, form), &hearing)?;
    let listening = listening(&hearing, &rest);
    let (mut detector, mut found) = (Detector::new(&listening, form.rate_hz), Vec::new());
    each(file, (number, form), &mut |block| detector.hear(block, &mut |tap| found.push(tap)))?;
    if found.is_empty() {
        let name = file.name.clone();
        let [threshold_db, noise_db, loud_db] =
            [listening.threshold, rest.noise, rest.taps].map(db);
        return Err(TapsError::Quiet { name, channel: number, threshold_db, noise_db, loud_db });
    }
    let column = format!("channel {number}, {}", words(&hearing, &listening));
    let levels = format!("noise {} dB, loud parts {} dB", db(rest.noise), db(rest.taps));
    read.told.push(format!("{holds}: {column}; {levels}"));
    let unit = format!("samples at {} Hz", form.rate_hz);
    read.columns.push(OriginColumn { holds: holds.into(), column, unit });
    doubts.extend(doubted(holds, &found, &listening, &rest));
    let onset = |tap: &FoundTap| {
        let ns = tap.frame / f64::from(form.rate_hz) * 1e9;
        SourceOnset::of(Nanos::round_from_f64(ns))
    };
    Ok(found.iter().map(onset).collect())
}

/// What the channel is like.
fn surveyed(
    file: &SourceFile,
    (number, form): (u16, SoundForm),
    hearing: &HowHeard,
) -> Result<Surveyed, TapsError> {
    let sensor = hearing.sensor.unwrap_or(&SENSORS[0]);
    let polarity = hearing.polarity.map(|polarity| [polarity]);
    let polarities = polarity.as_ref().map_or(sensor.polarities, |one| one.as_slice());
    let mains: &[Option<u32>] = match hearing.mains {
        None => &[None, Some(50), Some(60)],
        Some(Mains::None) => &[None],
        Some(Mains::Hz(hz)) => &[Some(hz)],
    };
    let mut survey = Survey::new(sensor, polarities, mains, form.rate_hz);
    each(file, (number, form), &mut |block| survey.hear(block))?;
    Ok(survey.rest())
}

fn listening(hearing: &HowHeard, rest: &Surveyed) -> Listening {
    let usual = Listening::to(hearing.sensor.unwrap_or(&SENSORS[0]), rest.threshold);
    let asked = hearing.level_db.map(|db| libm::pow(10.0, db / 20.0));
    Listening {
        threshold: asked.unwrap_or(usual.threshold),
        release: hearing.release.unwrap_or(usual.release),
        gap_s: hearing.gap.map_or(usual.gap_s, |gap| gap.0 as f64 / 1e9),
        polarity: rest.polarity,
        mains_hz: rest.mains_hz,
        ..usual
    }
}

/// How a channel was listened to, and what of it nobody said.
fn words(hearing: &HowHeard, listening: &Listening) -> String {
    let found = |asked: bool| if asked { "" } else { " (found)" };
    let way = match listening.polarity {
        Polarity::Either => "either way",
        Polarity::Up => "upwards",
        Polarity::Down => "downwards",
    };
    let hum = listening
        .mains_hz
        .map_or("no hum taken off".to_owned(), |hz| format!("hum of {hz} Hz taken off"));
    let choice = listening.sensor.polarities.len() > 1;
    format!(
        "sensor {}: from {} dB of full scale{}, over at {} of it, at least {} ms apart, {way}{}, {hum}{}",
        listening.sensor.word,
        db(listening.threshold),
        found(hearing.level_db.is_some()),
        listening.release,
        listening.gap_s * 1e3,
        found(hearing.polarity.is_some() || !choice),
        found(hearing.mains.is_some()),
    )
}

/// Why the onsets may be wrong.
fn doubted(holds: &str, found: &[FoundTap], listening: &Listening, rest: &Surveyed) -> Vec<String> {
    let clipped = found.iter().filter(|tap| tap.clipped).count();
    let all = found.len();
    let clips = (clipped > 0).then(|| {
        format!("{clipped} of {all} {holds} reach full scale, so that their peak is not known")
    });
    let faint = (listening.threshold > STANDS_OUT * rest.taps).then(|| {
        format!(
            "{holds} do not stand out: they are found from {} dB of full scale on, and the loud parts are at {} dB",
            db(listening.threshold),
            db(rest.taps)
        )
    });
    clips.into_iter().chain(faint).collect()
}

/// Hands on the samples of a channel, block by block; a file that holds more than it says is left.
fn each(
    file: &SourceFile,
    (number, form): (u16, SoundForm),
    take: &mut dyn FnMut(&[f32]),
) -> Result<(), TapsError> {
    let wrong = |error| TapsError::Sound { name: file.name.clone(), error };
    let sound = SoundFile::open(Cursor::new(&*file.bytes)).map_err(wrong)?;
    let (at, mut block, mut left) = (usize::from(number > 1), Vec::new(), form.frames);
    let mut blocks = |frames: &[[f32; 2]]| {
        left = left.checked_sub(frames.len() as u64).ok_or(SampleError::Long(LONGEST_S))?;
        block.clear();
        block.extend(frames.iter().map(|frame| frame[at]));
        take(&block);
        Ok(())
    };
    sound.each(&mut blocks).map_err(wrong)
}

/// A share of full scale in decibels, to a tenth.
fn db(share: f64) -> String {
    format!("{:.1}", 20.0 * libm::log10(share.max(1e-7)))
}
