//! Recordings as pacing: `audio` and `beats_from`, as the trial's text keeps them.

use chronotap_analysis::statistics::of_asynchronies::MEAN_ASYNCHRONY;
use chronotap_data::record::TrialType::Pacing;
use chronotap_testkit_simulate::song::trial_of_a_song;
use chronotap_testkit_simulate::times::ms;
use chronotap_testkit_simulate::trial::trial;

/// A recording of 2 s whose beats are 0.4, 0.9 and 1.5 s after its beginning, at 1 s.
fn song(more: &str) -> String {
    trial_of_a_song("m", more)
}

#[test]
fn each_beat_sounds_from_its_time_to_the_next_and_the_last_to_the_end_of_the_file() {
    let played = trial(&song("")).play();
    let rows: Vec<_> = played.rows.iter().filter(|row| row.trial_type == Pacing).collect();
    let told: Vec<_> =
        rows.iter().map(|row| (row.number, row.onset.0, row.duration.map(|d| d.0))).collect();
    let expected = [
        (None, ms(1_000), Some(ms(400))),
        (Some(1), ms(1_400), Some(ms(500))),
        (Some(2), ms(1_900), Some(ms(600))),
        (Some(3), ms(2_500), Some(ms(500))),
    ];
    assert_eq!(told, expected);
}

#[test]
fn taps_have_asynchronies_to_the_annotated_beats_and_not_to_the_beginning() {
    let taps = "1.02 .01 60 90\n1.38 .01 60 90\n1.91 .01 60 90\n2.47 .01 60 90";
    let played = trial(&song("")).taps(taps).play();
    let found = &played.summary().synchronization[0];
    assert_eq!((found.beats, found.matched), (3, 3));
    let asynchrony = found.asynchrony.as_ref().unwrap();
    assert!((asynchrony.of(&MEAN_ASYNCHRONY).unwrap() + 40.0 / 3.0).abs() < 1e-9, "{asynchrony:?}");
}

#[test]
fn clicks_and_feedback_of_the_same_note_do_not_cut_the_music_short() {
    // The tone of a stream is note 76 on channel 1, of music too.
    let clicks = "[pacing.clicks]\ninterval = \"300 ms\"\nbeats = 4\n[feedback.f]\n";
    let played = trial(&song(clicks)).taps("1.55 .1 76 90\n2.6 .1 76 90").play();
    let of_music = |row: &&chronotap_data::record::Row| row.name.as_deref() == Some("m");
    let lengths: Vec<_> =
        played.rows.iter().filter(of_music).filter_map(|row| row.duration.map(|d| d.0)).collect();
    assert_eq!(lengths, [ms(400), ms(500), ms(600), ms(500)]);
}

#[test]
fn music_that_is_silenced_keeps_its_beats() {
    let silenced = "[[when]]\nbeat = 2\nset.pacing.m.audible = false\n\
                    [[when]]\nbeat = 3\nset.pacing.m.audible = true";
    let played = trial(&song(silenced)).play();
    assert_eq!(played.onsets(Pacing, "m"), [1_000, 1_400, 2_500].map(ms));
    let started = "start = \"when started\"\n[[when]]\ntime = \"2 s\"\nstart = \"m\"";
    let played = trial(&song(started)).play();
    assert_eq!(played.onsets(Pacing, "m"), [2_000, 2_400, 2_900, 3_500].map(ms));
}
