//! The generator by itself: frames, periods, ramps, ears, room.

use super::*;
use assert_no_alloc::assert_no_alloc;
use chronotap_core::time::Nanos;
use proptest::prelude::*;

const RATE_HZ: u32 = 48_000;

/// Plays cues in periods of these lengths, one after the other, over and over.
fn play(cues: &[Cue], frames: usize, periods: &[usize]) -> [Vec<f32>; 2] {
    let mut generator = Generator::new(RATE_HZ, Vec::new());
    cues.iter().for_each(|cue| generator.cue(cue));
    let [mut left, mut right] = [vec![0.0; frames], vec![0.0; frames]];
    let (mut first, mut turn) = (0, 0);
    while first < frames {
        let end = (first + periods[turn % periods.len()]).min(frames);
        let outputs = &mut [&mut left[first..end], &mut right[first..end]];
        let frame = first as u64;
        let mut period = Period { frame, rate_hz: RATE_HZ, inputs: &[], outputs };
        assert_no_alloc(|| generator.process(&mut period));
        (first, turn) = (end, turn + 1);
    }
    [left, right]
}

fn begin(frame: u64, key: u64, timbre: Timbre) -> Cue {
    let sound = Sound { level_db: 0.0, ..Sound::new(timbre) };
    Cue { frame, key, sound: Some(sound) }
}

fn end(frame: u64, key: u64) -> Cue {
    Cue { frame, key, sound: None }
}

fn first_heard(sound: &[f32]) -> Option<usize> {
    sound.iter().position(|sample| sample.abs() > 0.0)
}

#[test]
fn a_stroke_is_at_its_peak_at_its_frame() {
    for timbre in [Timbre::Click, Timbre::Woodblock(1_000.0), Timbre::Drum(80.0)] {
        let [left, _] = play(&[begin(777, 1, timbre)], 2_000, &[64]);
        assert_eq!(first_heard(&left), Some(777));
        assert!((left[777] - 1.0).abs() < 1e-6);
    }
}

#[test]
fn a_tone_begins_at_its_frame_and_has_faded_out_a_ramp_after_its_end() {
    let cues = [begin(100, 1, Timbre::Sine(1_000.0)), end(2_000, 1)];
    let [left, _] = play(&cues, 4_000, &[64]);
    assert_eq!(first_heard(&left), Some(100));
    let last = left.iter().rposition(|sample| sample.abs() > 0.0).unwrap();
    assert!((2_000 + 236..=2_000 + 240).contains(&last), "{last}");
    let peak = left[500..1_900].iter().fold(0.0_f32, |peak, s| peak.max(s.abs()));
    // The nearest that 48 frames a cycle come to the peak, half a frame beside it.
    assert!((0.997..=1.0).contains(&peak), "{peak}");
}

#[test]
fn a_level_of_minus_20_db_is_a_tenth() {
    let sound = Some(Sound { level_db: -20.0, ..Sound::new(Timbre::Click) });
    let [left, _] = play(&[Cue { frame: 3, key: 1, sound }], 64, &[64]);
    assert!((left[3] - 0.1).abs() < 1e-6);
}

#[test]
fn an_ear_hears_only_its_own() {
    for (ears, heard) in [(Ears::Left, [true, false]), (Ears::Right, [false, true])] {
        let sound = Some(Sound { ears, ..Sound::new(Timbre::Pink) });
        let both = play(&[Cue { frame: 0, key: 1, sound }], 64, &[16]);
        assert_eq!(both.map(|ear| first_heard(&ear).is_some()), heard);
    }
}

#[test]
fn a_single_output_has_what_either_ear_would_hear() {
    let mut generator = Generator::new(RATE_HZ, Vec::new());
    let sound = Some(Sound { ears: Ears::Right, ..Sound::new(Timbre::Click) });
    generator.cue(&Cue { frame: 0, key: 1, sound });
    let mut only = [0.0; 8];
    let outputs = &mut [&mut only[..]];
    generator.process(&mut Period { frame: 0, rate_hz: RATE_HZ, inputs: &[], outputs });
    assert!(only[0] > 0.0);
}

#[test]
fn what_finds_no_room_is_counted_and_what_is_too_loud_too() {
    let mut generator = Generator::new(RATE_HZ, Vec::new());
    let many = 0..VOICES as u64 + 3;
    many.for_each(|key| generator.cue(&begin(0, key, Timbre::Click)));
    let mut only = [0.0; 8];
    let outputs = &mut [&mut only[..]];
    generator.process(&mut Period { frame: 0, rate_hz: RATE_HZ, inputs: &[], outputs });
    assert_eq!(generator.lost(), 3);
    assert!(generator.clipped() > 0);
    assert!(only.iter().all(|sample| sample.abs() <= 1.0));
}

#[test]
fn a_sound_that_is_no_number_is_silenced_and_counted_and_spoils_nothing_after_it() {
    let mut generator = Generator::new(RATE_HZ, Vec::new());
    for (key, level_db) in [(1, f32::NAN), (2, f32::INFINITY)] {
        let sound = Some(Sound { level_db, ..Sound::new(Timbre::Click) });
        generator.cue(&Cue { frame: 0, key, sound });
    }
    generator.cue(&begin(100, 3, Timbre::Click));
    let [mut first, mut second] = [[0.0; 64]; 2];
    for (frame, only) in [(0, &mut first), (64, &mut second)] {
        let outputs = &mut [&mut only[..]];
        generator.process(&mut Period { frame, rate_hz: RATE_HZ, inputs: &[], outputs });
    }
    assert!(first == [0.0; 64] && second[36] == 1.0, "{second:?}");
    assert!(generator.silenced() >= 48, "{}", generator.silenced());
}

#[test]
fn a_voice_whose_frames_the_card_lost_begins_at_the_next_there_is() {
    let mut generator = Generator::new(RATE_HZ, Vec::new());
    generator.cue(&begin(10, 1, Timbre::Click));
    let mut only = [0.0; 8];
    let outputs = &mut [&mut only[..]];
    generator.process(&mut Period { frame: 512, rate_hz: RATE_HZ, inputs: &[], outputs });
    assert!((only[0] - 1.0).abs() < 1e-6);
}

fn any_timbre() -> impl Strategy<Value = Timbre> {
    prop_oneof![
        (50.0..4_000.0).prop_map(Timbre::Sine),
        (50.0..4_000.0).prop_map(Timbre::Complex),
        (50.0..4_000.0).prop_map(Timbre::Woodblock),
        (50.0..400.0).prop_map(Timbre::Drum),
        Just(Timbre::Click),
        Just(Timbre::White),
        Just(Timbre::Pink),
    ]
}

fn any_cues() -> impl Strategy<Value = Vec<Cue>> {
    let one = (any_timbre(), 0..3_000_u64, 0..3_000_u64, 0..20_000_000_i64);
    prop::collection::vec(one, 1..12).prop_map(|tones| {
        let cues = tones.into_iter().enumerate().flat_map(|(key, (timbre, at, length, rise))| {
            let rise = Nanos(rise);
            let sound = Some(Sound { rise, ..Sound::new(timbre) });
            let key = key as u64;
            [Cue { frame: at, key, sound }, end(at + length, key)]
        });
        cues.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prop_the_borders_of_periods_are_not_heard(
        cues in any_cues(),
        periods in prop::collection::vec(1..700_usize, 1..5),
    ) {
        let whole = play(&cues, 6_000, &[6_000]);
        let parts = play(&cues, 6_000, &periods);
        prop_assert!(whole == parts);
    }

    #[test]
    fn prop_no_sound_is_louder_than_its_level(timbre in any_timbre(), level in -60.0_f32..0.0) {
        let sound = Some(Sound { level_db: level, ..Sound::new(timbre) });
        let [left, _] = play(&[Cue { frame: 0, key: 9, sound }], 4_800, &[64]);
        let peak = left.iter().fold(0.0_f32, |peak, s| peak.max(s.abs()));
        let noise = matches!(timbre, Timbre::White | Timbre::Pink);
        let room = if noise { 4.0 } else { 1.0 }; // noise is measured by its power
        prop_assert!(peak <= 10_f32.powf(level / 20.0) * room * 1.000_01, "{peak}");
    }
}
