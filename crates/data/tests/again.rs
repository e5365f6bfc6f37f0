//! A recorded trial again: its tones, at the times achieved.

use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_data::playback::{Excerpt, Layer, OffRange, TICKS_PER_SECOND, midi_file, trial_of};
use chronotap_data::record::{Entry, Recording, read_events, write_events};
use chronotap_engine::Engine;
use chronotap_engine::action::ActionKind;
use chronotap_testkit_data::tiny::{entry, footer, header, off, on, tiny};
use midly::{MetaMessage, MidiMessage, Smf, Timing, TrackEventKind};
use std::sync::Arc;

fn recorded() -> Recording {
    let dir = tempfile::tempdir().unwrap();
    let saved = write_events(dir.path(), "tiny", &header(), &tiny(), &footer(), false).unwrap();
    read_events(&saved.tsv).unwrap()
}

#[test]
fn what_was_heard_has_the_times_achieved_and_lost_tones_are_not_heard() {
    let tones = Excerpt::default().tones(&recorded()).unwrap();
    let told: Vec<_> =
        tones.iter().map(|tone| (tone.event_id, tone.at.0, tone.note.get())).collect();
    assert_eq!(told, [(1, 1_000_004_567, 76), (3, 1_020_004_567, 64), (11, 1_400_004_567, 50)]);
    assert_eq!(tones[0].length, Nanos::from_millis(30));
}

#[test]
fn an_excerpt_begins_where_it_is_told_and_lasts_as_long_as_its_rate_has_it() {
    let layers = vec![Layer::Taps, Layer::Feedback];
    let from = Nanos::from_millis(1_010);
    let half = Excerpt { layers, from, rate: 0.5, ..Excerpt::default() };
    let told: Vec<_> =
        half.tones(&recorded()).unwrap().iter().map(|tone| (tone.at.0, tone.length.0)).collect();
    // The debounced tap has no release: it lasts to the end.
    assert_eq!(told[..2], [(20_000_000, 140_000_000), (20_009_134, 200_000_000)]);
    assert_eq!((told.len(), told[2].0), (3, 60_000_000));
}

#[test]
fn taps_sound_on_another_channel_and_higher_or_are_refused_where_there_is_no_such_note() {
    let (layers, channel) = (vec![Layer::Taps], Channel::new(5));
    let higher = Excerpt { layers, tap_channel: channel, tap_semitones: 12, ..Excerpt::default() };
    let tones = higher.tones(&recorded()).unwrap();
    let told: Vec<_> = tones.iter().map(|tone| (tone.channel, tone.note.get())).collect();
    assert_eq!(told, [(channel.unwrap(), 72), (channel.unwrap(), 72)]);
    let off = Excerpt { tap_semitones: 68, ..higher }.tones(&recorded());
    assert_eq!(off, Err(OffRange { key: 60, note: 128 }));
}

#[test]
fn the_moments_of_rules_sound_whether_they_play_a_tone_or_not() {
    let note = U7::from_byte(99);
    let moment = (Channel::new(3).unwrap(), note);
    let moments = Excerpt { layers: vec![Layer::Moments], moment, ..Excerpt::default() };
    let tones = moments.tones(&recorded()).unwrap();
    let told: Vec<_> =
        tones.iter().map(|tone| (tone.event_id, tone.at.0, tone.channel, tone.note)).collect();
    // Rules acted at 1300 ms, and at 1400 ms with a tone; each 4.567 us after its deadline.
    let (at, channel) = ([1_300_004_567, 1_400_004_567], moment.0);
    assert_eq!(told, [(9, at[0], channel, note), (11, at[1], channel, note)]);
    let both = Excerpt { layers: vec![Layer::Moments, Layer::Triggers], ..Excerpt::default() };
    assert_eq!(both.tones(&recorded()).unwrap().len(), 3);
}

#[test]
fn the_trial_of_an_excerpt_plays_its_tones_at_its_times_and_ends() {
    let recording = recorded();
    let tones = Excerpt::default().tones(&recording).unwrap();
    let (outputs, later) = (&recording.header.names.outputs, Nanos::from_millis(500));
    let file = trial_of("again", &tones, outputs, later, Nanos::from_millis(1)).unwrap();
    let mut engine = Engine::new(Arc::new(file.trial.clone()), 1);
    let (mut begun, mut ended) = (Vec::new(), false);
    engine.advance(Nanos::from_secs(60), &mut |action| {
        if let Some(Message::NoteOn { note, velocity, .. }) = action.message {
            begun.push((action.deadline - later, note, velocity));
        }
        ended |= matches!(action.kind, ActionKind::End(_));
    });
    let expected: Vec<_> = tones.iter().map(|tone| (tone.at, tone.note, tone.velocity)).collect();
    assert_eq!((begun, ended), (expected, true));
}

#[test]
fn a_midi_file_has_the_notes_and_markers_at_the_nearest_tick() {
    let bytes = midi_file(&recorded()).unwrap();
    let smf = Smf::parse(&bytes).unwrap();
    let mut notes = Vec::new();
    let mut texts = Vec::new();
    for track in &smf.tracks {
        let mut tick = 0;
        for event in track {
            tick += event.delta.as_int();
            match event.kind {
                TrackEventKind::Midi { message: MidiMessage::NoteOn { key, vel }, .. } => {
                    notes.push((key.as_int(), vel.as_int(), tick));
                }
                TrackEventKind::Meta(MetaMessage::Marker(text)) => {
                    texts.push((String::from_utf8_lossy(text).into_owned(), tick));
                }
                _ => {}
            }
        }
    }
    let second = u32::from(TICKS_PER_SECOND);
    assert_eq!(notes[0], (76, 100, second), "4.567 us are a tenth of a tick");
    assert!(notes.contains(&(60, 100, second * 102 / 100)), "{notes:?}");
    assert_eq!(texts[0], ("first\tmarker".to_owned(), second * 13 / 10));
    assert_eq!(smf.tracks.len(), 5, "markers, metronome, input, tone, trigger");
}

/// The notes of a file in the order of each track: whether they begin, the note and the tick.
fn order(bytes: &[u8]) -> Vec<(bool, u8, u32)> {
    let smf = Smf::parse(bytes).unwrap();
    let mut notes = Vec::new();
    for track in &smf.tracks {
        let mut tick = 0;
        for event in track {
            tick += event.delta.as_int();
            match event.kind {
                TrackEventKind::Midi { message: MidiMessage::NoteOn { key, .. }, .. } => {
                    notes.push((true, key.as_int(), tick));
                }
                TrackEventKind::Midi { message: MidiMessage::NoteOff { key, .. }, .. } => {
                    notes.push((false, key.as_int(), tick));
                }
                _ => {}
            }
        }
    }
    notes
}

fn written(entries: &[Entry]) -> Recording {
    let dir = tempfile::tempdir().unwrap();
    let saved = write_events(dir.path(), "tiny", &header(), entries, &footer(), false).unwrap();
    read_events(&saved.tsv).unwrap()
}

#[test]
fn a_key_that_is_let_go_within_a_tick_is_pressed_first_and_one_struck_again_is_let_go_first() {
    let at = |ns: i64| (Nanos(1_000_000_000 + ns), Some(Nanos(1_000_000_000 + ns)));
    let mut entries = vec![
        entry(1, ActionKind::Tap(0), (1, 0), (0, Some(0)), on(60)),
        entry(2, ActionKind::Release(0), (0, 1), (0, Some(0)), off(60)),
        entry(3, ActionKind::Tap(0), (2, 0), (0, Some(0)), on(60)),
        entry(4, ActionKind::Release(0), (0, 3), (0, Some(0)), off(60)),
    ];
    for (entry, ns) in entries.iter_mut().zip([1_000, 9_000, 9_001, 90_000]) {
        (entry.action.deadline, entry.achieved) = at(ns);
        entry.action.instant = entry.action.deadline;
    }
    let second = u32::from(TICKS_PER_SECOND);
    let due =
        [(true, 60, second), (false, 60, second), (true, 60, second), (false, 60, second + 2)];
    assert_eq!(order(&midi_file(&written(&entries)).unwrap()), due);
}

#[test]
fn a_file_of_a_long_trial_has_no_more_ticks_than_others_read() {
    let of = |seconds: i64| {
        let ms = seconds * 1_000;
        let tap = entry(1, ActionKind::Tap(0), (1, 0), (ms, Some(ms)), on(60));
        let bytes = midi_file(&written(&[tap])).unwrap();
        let Timing::Metrical(per_second) = Smf::parse(&bytes).unwrap().header.timing else {
            panic!("a quarter note has ticks");
        };
        (per_second.as_int(), order(&bytes)[0].2)
    };
    assert_eq!(of(499), (20_000, 9_980_000));
    assert_eq!(of(500), (10_000, 5_000_000));
    assert_eq!(of(3_600), (2_000, 7_200_000));
    assert_eq!(of(24 * 3_600), (100, 8_640_000));
}
