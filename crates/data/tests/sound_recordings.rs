//! Sound recordings with a sensor on one channel and what was played on the other: their taps
//! and stimuli are where they were put, and what is wrong is refused with its reason.

use chronotap_audio::sensor::{TAP_SHAPES, sensor_named};
use chronotap_data::exchange::taps::{
    Events, HowHeard, ImportOptions, Mains, Onsets, Read, SourceFile, SourceOnset, TapsError,
    kind_of, read_taps,
};
use chronotap_testkit_audio::music::{SoundFileForm, flac, wav};
use proptest::prelude::*;

const RATE_HZ: u32 = 48_000;
const FORM: SoundFileForm = SoundFileForm { rate_hz: RATE_HZ, channels: 2, bits: 16 };
/// Each tap less its stimulus, in frames.
const EARLY: [f64; 6] = [-960.0, -240.5, -2_000.25, 480.0, -33.0, -1_200.0];

/// Two channels in turn: clicks half a second apart, and taps of this shape.
fn samples(shape: &str) -> Vec<i32> {
    let of = |word: &str| TAP_SHAPES.iter().find(|shape| shape.word == word).unwrap();
    let (mut played, mut sensed) = (vec![0.0; 5 * 48_000], vec![0.0; 5 * 48_000]);
    for (beat, early) in (0..).zip(EARLY) {
        let at = 48_000.0 + 24_000.0 * f64::from(beat);
        of("click").add(&mut played, at, 0.8, RATE_HZ);
        of(shape).add(&mut sensed, at + early, 0.4, RATE_HZ);
    }
    let sample = |level: &f32| (level * 32_767.0) as i32;
    played.iter().zip(&sensed).flat_map(|(left, right)| [sample(left), sample(right)]).collect()
}

fn file(bytes: Vec<u8>) -> SourceFile {
    SourceFile { name: "sub-07.wav".into(), bytes }
}

fn how(taps: &str, stimuli: &str) -> ImportOptions {
    let place = |words: &str| (!words.is_empty()).then(|| words.parse().unwrap());
    ImportOptions { taps: place(taps), stimuli: place(stimuli), ..ImportOptions::default() }
}

fn read(file: &SourceFile, how: &ImportOptions) -> Result<Read, TapsError> {
    read_taps(file, None, kind_of(file), how)
}

fn onsets(read: &Read) -> &Onsets {
    match &read.trials[0].events {
        Events::Onsets(onsets) => onsets,
        Events::Ftap(_) => panic!("a sound"),
    }
}

/// The onsets in frames.
fn frames(onsets: &[SourceOnset]) -> Vec<f64> {
    onsets.iter().map(|onset| onset.at.0 as f64 * 48e-6).collect()
}

#[test]
fn taps_and_stimuli_are_where_they_were_put_in_wav_and_flac() {
    for (shape, sensor, most) in
        [("click", "contact", 2.0), ("ring", "contact", 2.0), ("thump", "air", 10.0)]
    {
        let samples = samples(shape);
        let hearing = HowHeard { sensor: sensor_named(sensor), ..HowHeard::default() };
        let how = ImportOptions { hearing, ..how("channel 2", "channel 1") };
        let [one, other] = [wav(FORM, &samples), flac(FORM, &samples)]
            .map(|bytes| read(&file(bytes), &how).unwrap());
        assert_eq!(one, other);
        let found = onsets(&one);
        let (taps, stimuli) = (frames(&found.taps), frames(&found.stimuli));
        assert_eq!((taps.len(), stimuli.len()), (6, 6), "{shape}");
        for ((tap, stimulus), early) in taps.iter().zip(&stimuli).zip(EARLY) {
            assert!((tap - stimulus - early).abs() < most, "{shape}: {taps:?} {stimuli:?}");
        }
        assert_eq!(found.doubts, Vec::<String>::new());
    }
}

#[test]
fn what_was_asked_and_what_was_found_is_told_and_recorded() {
    let file = file(wav(FORM, &samples("click")));
    let found = read(&file, &how("channel 2", "")).unwrap();
    let column = &found.columns[0];
    assert_eq!((&*column.holds, &*column.unit), ("taps", "samples at 48000 Hz"));
    assert!(column.column.starts_with("channel 2, sensor contact: from -"), "{column:?}");
    assert!(column.column.contains("dB of full scale (found), over at 0.5 of it"), "{column:?}");
    assert!(column.column.ends_with("either way, no hum taken off (found)"), "{column:?}");
    assert!(found.told[0].starts_with("taps: channel 2, sensor contact"), "{:?}", found.told);
    let hearing =
        HowHeard { level_db: Some(-20.0), mains: Some(Mains::Hz(50)), ..HowHeard::default() };
    let asked = read(&file, &ImportOptions { hearing, ..how("channel 2", "") }).unwrap();
    assert!(asked.columns[0].column.contains("from -20.0 dB of full scale, over"), "{asked:?}");
    assert!(asked.columns[0].column.ends_with("hum of 50 Hz taken off"), "{asked:?}");
}

#[test]
fn taps_that_reach_full_scale_are_doubted() {
    let loud: Vec<i32> =
        samples("click").iter().map(|sample| (sample * 4).clamp(-32_768, 32_767)).collect();
    let found = read(&file(wav(FORM, &loud)), &how("channel 2", "")).unwrap();
    let doubts = &onsets(&found).doubts;
    assert_eq!(doubts.len(), 1, "{doubts:?}");
    assert!(doubts[0].starts_with("6 of 6 taps reach full scale"), "{doubts:?}");
}

#[test]
fn what_cannot_be_listened_to_is_refused_with_its_reason() {
    let good = wav(FORM, &samples("click"));
    let refused = |bytes: Vec<u8>, taps: &str| {
        let file = file(bytes);
        assert_eq!(kind_of(&file).word, "sound");
        read(&file, &how(taps, "")).unwrap_err()
    };
    assert!(matches!(refused(good.clone(), ""), TapsError::Channels { channels: 2, .. }));
    for place in ["channel 3", "channel 0", "channel 2 in ms", "pad", "channel 1 where x = y"] {
        assert!(matches!(refused(good.clone(), place), TapsError::Channel { .. }), "{place}");
    }
    let silent = vec![0; 48_000];
    assert!(matches!(refused(wav(FORM, &silent), "channel 1"), TapsError::Quiet { .. }));
    let slow = SoundFileForm { rate_hz: 1_000, ..FORM };
    assert!(matches!(refused(wav(slow, &silent), "channel 1"), TapsError::Rate { .. }));
    let cut = good[..good.len() / 2].to_vec();
    assert!(matches!(refused(cut, "channel 1"), TapsError::Sound { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn prop_a_damaged_recording_is_refused_or_read(
        at in 0usize..2_000,
        byte in any::<u8>(),
        length in 0usize..20_000,
        is_flac in any::<bool>(),
    ) {
        let samples = &samples("click")[..40_000];
        let mut bytes = if is_flac { flac(FORM, samples) } else { wav(FORM, samples) };
        let last = bytes.len() - 1;
        bytes[at.min(last)] = byte;
        bytes.truncate(length.max(64));
        if let Ok(read) = read(&file(bytes), &how("channel 2", "channel 1")) {
            prop_assert!(onsets(&read).taps.iter().all(|tap| tap.at.0 >= 0));
        }
    }
}
