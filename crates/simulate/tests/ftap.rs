//! What configuration files of FTAP do once they are trial files. Times are worked out by
//! hand from FTAP's documents, in the readings that `docs/ftap.md` names.

use chronotap_config::ftap::{Readings, import};
use chronotap_data::record::TrialType::Pacing;
use chronotap_testkit_simulate::times::ms;
use chronotap_testkit_simulate::trial::{Setup, TrialRows, trial};

const MANUAL: &str = include_str!("../../../examples/ftap_rhythm.ftap");

fn setup(text: &str, readings: &[&str]) -> Setup {
    let readings = Readings::parse(readings).unwrap_or_else(|wrong| panic!("{wrong}"));
    let imported = import(text, "t.ftap", &readings).unwrap_or_else(|wrong| panic!("{wrong}"));
    trial(&imported.toml)
}

/// Onsets of the metronome, in milliseconds.
fn beats(played: &TrialRows) -> Vec<i64> {
    played.onsets(Pacing, "metronome").into_iter().map(|ns| ns / 1_000_000).collect()
}

#[test]
fn the_manuals_example_ends_at_metronome_count_92() {
    let played = setup(MANUAL, &[]).taps("7.7 0.05 60 80\n7.75 0.05 60 80\n20 0.5 62 30").play();
    // Positions 1 to 31 of XXXX.XX., one each 250 ms from 0 s on; count 32 is at 7.75 s, 92 at
    // 22.75 s.
    let heard = (0..31).filter(|k| [0, 1, 2, 3, 5, 6].contains(&(k % 8))).map(|k| 250 * k);
    assert_eq!(beats(&played), heard.collect::<Vec<i64>>());
    let first = played.named(Pacing, "metronome").next().expect("a beat");
    assert_eq!(first.duration.map(|length| length.0), Some(ms(30)));
    played.expect_of(
        "feedback|trigger|end",
        "7.75 trigger 1 1
         7.75 trigger 2 2
         8.025 feedback feed 2 76/90@1 for 0.1 <tap2
         20.275 feedback feed 3 76/90@1 for 0.1 <tap3
         22.75 trigger 3 3
         22.75 end trigger <trigger3",
    );
}

#[test]
fn counted_by_tones_the_manuals_example_ends_at_the_92nd_of_them() {
    let played = setup(MANUAL, &["count=tones"]).play();
    // Six tones in eight positions: tone 32 is position 42 (10.25 s), tone 92 position 122.
    played.expect_of("trigger 1|end", "10.25 trigger 1 1\n30.25 end trigger <trigger3");
    assert_eq!(beats(&played).len(), 31);
}

#[test]
fn counts_and_the_first_position_can_be_read_otherwise() {
    let played = setup(MANUAL, &["first-count=0", "first-beat=1000"]).play();
    played.expect_of("trigger 1|end", "9 trigger 1 1\n24 end trigger <trigger3");
}

#[test]
fn a_trigger_may_act_after_the_tone_of_its_position() {
    let text = "METRON_ON 1\nMSPB 500\nMET_LEN 10\nTRIGGER 1 M 3 METRON_ON 0\nTRIGGER 2 M 5 METRON_ON 1\n\
                TRIGGER 3 M 6 MET_NOTE 80\nTRIGGER 4 M 8 END_EXP 1\n";
    let before = setup(text, &[]).play();
    before.expect_of(
        "pacing|end",
        "0 pacing metronome 1 76/100@1 for 0.01
         0.5 pacing metronome 2 76/100@1 for 0.01
         2 pacing metronome 5 76/100@1 for 0.01
         2.5 pacing metronome 6 80/100@1 for 0.01
         3 pacing metronome 7 80/100@1 for 0.01
         3.5 end trigger <trigger4",
    );
    let after = setup(text, &["metronome-trigger=after-tone"]).play();
    after.expect_of(
        "pacing|end",
        "0 pacing metronome 1 76/100@1 for 0.01
         0.5 pacing metronome 2 76/100@1 for 0.01
         1 pacing metronome 3 76/100@1 for 0.01
         2.5 pacing metronome 6 76/100@1 for 0.01
         3 pacing metronome 7 80/100@1 for 0.01
         3.5 pacing metronome 8 80/100@1 for 0.001
         3.501 end trigger <trigger5",
    );
}

#[test]
fn a_new_tempo_holds_from_the_position_that_brings_it() {
    // The manual's way to two tones at once: 1 ms between positions 3 and 4.
    let text = "METRON_ON 1\nMSPB 500\nTRIGGER 1 M 3 MSPB 1\nTRIGGER 2 M 4 MSPB 500\n\
                TRIGGER 3 T 1700 MSPB 200\nTRIGGER 4 T 2500 END_EXP 0\n";
    assert_eq!(beats(&setup(text, &[]).play()), [0, 500, 1000, 1001, 1501, 2001, 2201, 2401]);
}

#[test]
fn each_position_has_its_channel() {
    let text = "METRON_ON 1\nMSPB 250\nMET_LEN 30\nMET_PATTERN_ARRAY 3 1 1 0\nMET_CHAN_ARRAY 3 1 2 3\n\
                TRIGGER 1 T 1100 END_EXP 0\n";
    setup(text, &[]).play().expect_of(
        "pacing",
        "0 pacing metronome 1 76/100@1 for 0.03
         0.25 pacing metronome 2 76/100@2 for 0.03
         0.75 pacing metronome 4 76/100@1 for 0.03
         1 pacing metronome 5 76/100@2 for 0.03",
    );
}

#[test]
fn a_keystroke_trigger_changes_its_own_keystroke_or_the_next() {
    let text = "FEED_ON 1\nFEED_LEN 20\nFEED_DVAL 100\nTRIGGER 1 K 2 FEED_DMODE 1\nTRIGGER 2 K 3 END_EXP 0\n";
    let taps = "1 0.05 60 80\n2 0.05 60 80\n3 0.05 60 80";
    setup(text, &[]).taps(taps).play().expect_of(
        "feedback|end",
        "1 feedback feed 1 60/80@1 for 0.02 <tap1
         2.1 feedback feed 2 60/80@1 for 0.02 <tap2
         3 end trigger <trigger2",
    );
    let next = setup(text, &["keystroke-trigger=next"]).taps(taps).play();
    next.expect_of("feedback 2|feedback feed 2", "2 feedback feed 2 60/80@1 for 0.02 <tap2");
}

#[test]
fn a_trigger_that_acts_after_its_tap_or_tone_yields_to_another_that_comes_before_the_next() {
    let text = "FEED_ON 1\nFEED_LEN 20\nTRIGGER 1 K 1 FEED_CHAN 5\nTRIGGER 2 T 1500 FEED_CHAN 7\n\
                TRIGGER 3 K 4 END_EXP 0\n";
    let taps = "1 0.05 60 80\n1.2 0.05 60 80\n2 0.05 60 80\n3 0.05 60 80";
    setup(text, &["keystroke-trigger=next"]).taps(taps).play().expect_of(
        "feedback",
        "1 feedback feed 1 60/80@1 for 0.02 <tap1
         1.2 feedback feed 2 60/80@5 for 0.02 <tap2
         2 feedback feed 3 60/80@7 for 0.02 <tap3",
    );
    let text = "METRON_ON 1\nMSPB 500\nMET_LEN 10\nTRIGGER 1 M 2 MET_NOTE 80\n\
                TRIGGER 2 T 1200 MET_NOTE 90\nTRIGGER 3 M 3 MET_NOTE 70\nTRIGGER 4 T 1900 END_EXP 1\n";
    setup(text, &["metronome-trigger=after-tone"]).play().expect_of(
        "pacing metronome",
        "0 pacing metronome 1 76/100@1 for 0.01
         0.5 pacing metronome 2 76/100@1 for 0.01
         1 pacing metronome 3 80/100@1 for 0.01
         1.5 pacing metronome 4 90/100@1 for 0.01",
    );
}

#[test]
fn the_sides_of_the_keyboard_have_a_channel_each() {
    // As in the manual's split keyboard: left at once, right through the second channel.
    let text = "FEED_ON 3\nFEED_VMODE 0\nFEED_LEN 0\nFEED2_ON 2\nFEED2_CHAN 2\nFEED2_DMODE 1\n\
                FEED2_DVAL 200\nTRIGGER 1 T 4000 FEED_ON 1\nTRIGGER 2 T 5000 FEED2_ON 0\n\
                TRIGGER 3 T 7000 END_EXP 0\n";
    let taps = "1 0.1 59 80\n2 0.1 60 80\n4.5 0.1 60 80\n6 0.1 60 80";
    setup(text, &[]).taps(taps).play().expect_of(
        "feedback",
        "1 feedback feed 1 59/80@1 for 0.1 <tap1
         2.2 feedback feed2 2 60/80@2 for 0.1 <tap2
         4.5 feedback feed 3 60/80@1 for 0.1 <tap3
         4.7 feedback feed2 3 60/80@2 for 0.1 <tap3
         6 feedback feed 4 60/80@1 for 0.1 <tap4",
    );
    let other = setup(text, &["low-side=2", "split=61"]).taps("1 0.1 61 80").play();
    other.expect_of("feedback", "1 feedback feed 1 61/80@1 for 0.1 <tap1");
}

#[test]
fn modes_and_their_numbers_are_followed_from_trigger_to_trigger() {
    let text = "FEED_ON 1\nFEED_LEN 10\nTRIGGER 1 T 1000 FEED_NOTE 70\nTRIGGER 2 T 2000 FEED_PMODE 1\n\
                TRIGGER 3 T 3000 FEED_NOTE 72\nTRIGGER 4 T 4000 FEED_PMODE 0\nTRIGGER 5 T 6000 END_EXP 0\n";
    let taps = "0.5 0.1 60 9\n1.5 0.1 60 9\n2.5 0.1 60 9\n3.5 0.1 60 9\n4.5 0.1 60 9";
    let played = setup(text, &[]).taps(taps).play();
    let notes: Vec<u8> = played
        .rows
        .iter()
        .filter(|row| row.trial_type.word() == "feedback")
        .filter_map(|row| row.note)
        .map(|note| note.get())
        .collect();
    assert_eq!(notes, [60, 60, 70, 72, 60]);
    played.expect_of("trigger 1|marker", "1 trigger 1 1\n1 marker FEED_NOTE 70 1 <trigger1");
}

#[test]
fn a_mode_and_its_number_that_count_different_things_hold_together_whichever_comes_first() {
    // The mode is switched by keystrokes, its number by time: at each keystroke both as they are then.
    let text = "FEED_ON 1\nFEED_LEN 10\nFEED_PMODE 0\nFEED_NOTE 70\nTRIGGER 1 K 2 FEED_PMODE 1\n\
                TRIGGER 2 T 2500 FEED_NOTE 71\nTRIGGER 3 K 6 FEED_PMODE 0\nTRIGGER 4 T 4500 FEED_NOTE 72\n\
                TRIGGER 5 T 9000 END_EXP 0\n";
    let notes = |times: [f64; 7]| {
        let taps: Vec<String> = times.iter().map(|s| format!("{s} 0.05 60 9")).collect();
        let played = setup(text, &[]).taps(&taps.join("\n")).play();
        let tones = played.rows.iter().filter(|row| row.trial_type.word() == "feedback");
        tones.filter_map(|row| row.note).map(|note| note.get()).collect::<Vec<_>>()
    };
    assert_eq!(notes([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), [60, 70, 71, 71, 72, 60, 60]);
    // All keystrokes before the first number; all after the last.
    assert_eq!(notes([0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 5.0]), [60, 70, 70, 70, 70, 60, 60]);
    assert_eq!(notes([5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0]), [60, 72, 72, 72, 72, 60, 60]);
}

#[test]
fn the_split_point_moves_and_both_voices_follow_it() {
    let text = "FEED_ON 3\nFEED2_ON 2\nFEED2_CHAN 2\nSPLIT_POINT 60\nFEED_LEN 9\nFEED2_LEN 9\n\
                TRIGGER 1 T 1500 SPLIT_POINT 70\nTRIGGER 2 K 3 FEED_ON 1\nTRIGGER 3 T 9000 END_EXP 0\n";
    setup(text, &[]).taps("1 0.1 65 80\n2 0.1 65 80\n3 0.1 75 80").play().expect_of(
        "feedback",
        "1 feedback feed2 1 65/80@2 for 0.009 <tap1
         2 feedback feed 2 65/80@1 for 0.009 <tap2
         3 feedback feed 3 75/80@1 for 0.009 <tap3
         3 feedback feed2 3 75/80@2 for 0.009 <tap3",
    );
}

#[test]
fn masking_sounds_while_it_is_on_as_the_user_says() {
    let text = "FEED_ON 1\nMASK_CHAN 3\nMASK_LEN 40\nMASK_VEL 30\nTRIGGER 1 T 1050 MASK_ON 1\n\
                TRIGGER 2 T 1250 MASK_CHAN 4\nTRIGGER 3 T 1450 MASK_ON 0\nTRIGGER 4 T 3000 END_EXP 0\n";
    setup(text, &["masking=10@50..50"]).play().expect_of(
        "masking",
        "1.1 masking mask 12 50/30@3 for 0.04
         1.2 masking mask 13 50/30@3 for 0.04
         1.3 masking mask 14 50/30@4 for 0.04
         1.4 masking mask 15 50/30@4 for 0.04",
    );
}

#[test]
fn a_trigger_sounds_its_tone() {
    let text = "FEED_ON 1\nTRIGGER 1 T 1500 PLAY_NOTE 84\nTRIGGER 2 T 3000 END_EXP 0\n";
    let played = setup(text, &["trigger-tone=PLAY_NOTE:2/90/300"]).play();
    played.expect_of("trigger 1", "1.5 trigger 1 1 84/90@2 for 0.3");
}
