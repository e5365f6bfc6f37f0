//! The music of a recorded trial again: the same parts of the file at the times achieved.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_data::playback::{Excerpt, Layer, Passage, add_music, midi_file, trial_of};
use chronotap_data::record::{Checksum, Footer, Header, Names, Recording, TrialType};
use chronotap_engine::Engine;
use chronotap_engine::action::ActionKind;
use chronotap_testkit_simulate::song::trial_of_a_song;
use chronotap_testkit_simulate::trial::trial;
use midly::{MetaMessage, MidiMessage, Smf, TrackEventKind};
use std::sync::Arc;

const CLICKS: &str = "[pacing.clicks]\ninterval = \"1 s\"\nbeats = 2\n";

/// A song with clicks beside it, as it was recorded.
fn recorded(more: &str) -> (Recording, TrialFile) {
    let text = trial_of_a_song("song", &format!("{CLICKS}{more}"));
    let file = TrialFile::parse(&text, "t.toml").unwrap();
    let names = Names::of(&file.trial, &[]);
    let rows = trial(&text).play().rows;
    let (checksum, bytes, explained) = (Checksum::Absent, (0, 0), true);
    let header = Header { names, ..Header::default() };
    (Recording { header, footer: Footer::default(), rows, checksum, bytes, explained }, file)
}

/// Times and places of the parts, and the end, in ms.
fn told(passages: &[Passage]) -> Vec<(Vec<(i64, i64)>, i64)> {
    let in_ms = |at: Nanos| at.0 / 1_000_000;
    let one = |passage: &Passage| {
        let parts = passage.parts.iter().map(|(at, place)| (in_ms(*at), in_ms(*place)));
        (parts.collect(), in_ms(passage.end))
    };
    passages.iter().map(one).collect()
}

#[test]
fn music_that_sounded_without_a_break_is_one_passage_from_its_beginning_to_its_end() {
    let (recording, file) = recorded("");
    let music = Excerpt::default().music(&recording, &file);
    assert_eq!(told(&music), [(vec![(1000, 0), (1400, 400), (1900, 900), (2500, 1500)], 3000)]);
    let none = Excerpt { layers: vec![Layer::Taps], ..Excerpt::default() };
    assert_eq!(none.music(&recording, &file), []);
}

#[test]
fn an_excerpt_begins_in_the_middle_of_a_part() {
    let (recording, file) = recorded("");
    let later = Excerpt { from: Nanos::from_millis(1_500), ..Excerpt::default() };
    let music = later.music(&recording, &file);
    assert_eq!(told(&music), [(vec![(0, 500), (400, 900), (1000, 1500)], 1500)]);
    let after = Excerpt { from: Nanos::from_secs(3), ..Excerpt::default() };
    assert_eq!(after.music(&recording, &file), []);
}

#[test]
fn what_was_silent_is_silent_again_and_a_song_begun_twice_begins_twice() {
    let silenced = "[[when]]\nbeat.song = 2\nset.pacing.song.audible = false\n\
                    [[when]]\nbeat.song = 3\nset.pacing.song.audible = true";
    let (recording, file) = recorded(silenced);
    let music = Excerpt::default().music(&recording, &file);
    let expected = [(vec![(1000, 0), (1400, 400)], 1900), (vec![(2500, 1500)], 3000)];
    assert_eq!(told(&music), expected);
    let (recording, file) = recorded("[[when]]\ntime = \"2 s\"\nstart = \"song\"");
    let music = Excerpt::default().music(&recording, &file);
    assert_eq!(music.len(), 2, "{:?}", told(&music));
    assert_eq!(told(&music)[1].0[..2], [(2000, 0), (2400, 400)]);
}

#[test]
fn the_trial_that_plays_it_has_the_same_parts_at_the_same_times_beside_the_tones() {
    let (recording, file) = recorded("");
    let excerpt = Excerpt::default();
    let music = excerpt.music(&recording, &file);
    let mut tones = excerpt.tones(&recording).unwrap();
    tones.retain(|tone| !music.iter().any(|passage| passage.events.contains(&tone.event_id)));
    assert_eq!(tones.len(), 2, "the clicks");
    let (outputs, later) = (&recording.header.names.outputs, Nanos::from_millis(500));
    let mut again = trial_of("again", &tones, outputs, later, Nanos::from_millis(1)).unwrap();
    add_music(&mut again, &music, &file, later);
    let recorded = again.recorded();
    assert_eq!((recorded.len(), recorded[0].sha256), (1, "abc"));
    assert_eq!(recorded[0].beats, [0, 400, 900, 1_500].map(Nanos::from_millis));
    let mut engine = Engine::new(Arc::new(again.trial.clone()), 1);
    let (mut parts, mut clicks, mut end) = (Vec::new(), 0, None);
    engine.advance(Nanos::from_secs(60), &mut |action| match (action.kind, action.message) {
        (ActionKind::Pacing(0), Some(Message::NoteOn { .. })) => {
            parts.push((action.number, action.deadline - later));
        }
        (ActionKind::End(_), _) => end = Some(action.deadline - later),
        (_, Some(Message::NoteOn { .. })) => clicks += 1,
        _ => {}
    });
    let expected = [(1, 1_000), (2, 1_400), (3, 1_900), (4, 2_500)];
    assert_eq!(parts, expected.map(|(n, at)| (n, Nanos::from_millis(at))));
    assert_eq!((clicks, end), (2, Some(Nanos::from_secs(3))));
}

#[test]
fn a_midi_file_has_the_annotated_beats_as_notes_and_the_beginning_as_a_marker() {
    let (recording, _) = recorded("");
    let bytes = midi_file(&recording).unwrap();
    let (mut notes, mut markers) = (Vec::new(), Vec::new());
    for track in &Smf::parse(&bytes).unwrap().tracks {
        let (mut name, mut tick) = (String::new(), 0);
        for event in track {
            tick += event.delta.as_int();
            match event.kind {
                TrackEventKind::Meta(MetaMessage::TrackName(text)) => {
                    name = String::from_utf8_lossy(text).into_owned();
                }
                TrackEventKind::Meta(MetaMessage::Marker(text)) => {
                    markers.push((String::from_utf8_lossy(text).into_owned(), tick));
                }
                TrackEventKind::Midi { message: MidiMessage::NoteOn { .. }, .. }
                    if name == "song" =>
                {
                    notes.push(tick);
                }
                _ => {}
            }
        }
    }
    assert_eq!(notes, [28_000, 38_000, 50_000]);
    assert_eq!(markers[0], ("song".to_owned(), 20_000));
    assert!(recording.rows.iter().any(|row| row.trial_type == TrialType::Pacing));
}
