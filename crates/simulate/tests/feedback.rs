//! The tones that taps cause: rules 3, 4, 5, 9 and 12 of the trial file.

use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_data::record::TrialType;
use chronotap_engine::perturbation::{Perturbation, PerturbedPart};
use chronotap_engine::signal::Sent;
use chronotap_testkit_simulate::performers::{control, note_off, note_on};
use chronotap_testkit_simulate::trial::trial;

/// What `[feedback.f]` with these lines sounds for these taps, until 30 s.
fn feedback(lines: &str, taps: &str, expected: &str) {
    let text = format!("[feedback.f]\n{lines}\n[[when]]\ntime = \"30 s\"\nend = true");
    trial(&text).taps(taps).play().expect_of("feedback", expected);
}

#[test]
fn feedback_follows_the_tap_by_exactly_the_delay_and_is_as_long_as_the_key_was_held() {
    let text = "[feedback.f]\ndelay = \"200 ms\"\n[[when]]\ntime = \"3 s\"\nend = true";
    trial(text).taps("1.000000001 0.123456789 60 90\n 2 0.5 62 1").play().expect(
        "1.000000001 tap input 1 60/90@1 for 0.123456789
         1.12345679 release input 60/64@1 <tap1
         1.200000001 feedback f 1 60/90@1 for 0.123456789 <tap1
         2 tap input 2 62/1@1 for 0.5
         2.2 feedback f 2 62/1@1 for 0.5 <tap2
         2.5 release input 62/64@1 <tap2
         3 trigger when-1 1
         3 end trigger <trigger1",
    );
}

#[test]
fn a_key_that_is_up_before_its_tone_begins_still_sounds_as_long_as_it_was_held() {
    let taps = "1 0.01 60 90\n 2 0 61 90";
    let rows = "1.5 feedback f 1 60/90@1 for 0.01 <tap1
                2.5 feedback f 2 61/90@1 for 0 <tap2";
    feedback("delay = \"500 ms\"", taps, rows);
}

#[test]
fn a_fixed_duration_counts_from_the_deadline_of_the_onset() {
    let rows = "1.25 feedback f 1 60/90@1 for 0.1 <tap1";
    feedback("delay = \"250 ms\"\nduration = \"100 ms\"", "1 2 60 90", rows);
}

#[test]
fn a_tone_keeps_the_delay_note_and_channel_it_began_with() {
    let text = r#"
        [feedback.f]
        delay = "100 ms"
        [[when]]
        time = "1.3 s"
        set.feedback.f.delay = "900 ms"
        set.feedback.f.channel = 5
        set.feedback.f.pitch = { fixed = 40 }
        set.feedback.f.sounding = false
        [[when]]
        time = "4 s"
        end = true"#;
    trial(text)
        .taps("1 0.6 60 90\n 2 0.6 60 90")
        .play()
        .expect_of("feedback", "1.1 feedback f 1 60/90@1 for 0.6 <tap1");
}

#[test]
fn an_onset_on_a_sounding_note_ends_the_earlier_tone_whose_release_is_dropped() {
    let text = r#"
        [feedback.f]
        pitch = { fixed = 64 }
        duration = "300 ms"
        [[when]]
        time = "4 s"
        end = true"#;
    trial(text).taps("1 0.05 60 90\n 1.2 0.05 61 90\n 1.5 0.05 62 90").play().expect_of(
        "feedback",
        "1 feedback f 1 64/90@1 for 0.2 <tap1
         1.2 feedback f 2 64/90@1 for 0.3 <tap2
         1.5 feedback f 3 64/90@1 for 0.3 <tap3",
    );
}

#[test]
fn overlapping_keys_that_sound_one_note_each_end_only_their_own_tone() {
    // Key 60 is let go while the tone of key 61, on the same note, sounds on.
    let taps = "1 0.5 60 90\n 1.2 0.8 61 91";
    let rows = "1 feedback f 1 64/90@1 for 0.2 <tap1
                1.2 feedback f 2 64/91@1 for 0.8 <tap2";
    feedback("pitch = { fixed = 64 }", taps, rows);
}

#[test]
fn a_later_tap_may_sound_first_and_each_tone_ends_by_its_own_delay() {
    // The key goes down twice before it comes up at 1.3 s, which ends both tones.
    let lines = "delay = { list = [\"500 ms\", \"100 ms\"] }";
    let rows = "1.2 feedback f 2 60/80@1 for 0.2 <tap2
                1.5 feedback f 1 60/90@1 for 0.3 <tap1";
    feedback(lines, "1 0.3 60 90\n 1.1 0.2 60 80", rows);
}

#[test]
fn a_release_and_an_onset_of_one_instant_come_in_that_order() {
    // The tone of tap 1 ends at 1.2 s by itself, when that of tap 2 begins.
    let lines = "pitch = { fixed = 64 }\nduration = \"200 ms\"";
    let rows = "1 feedback f 1 64/90@1 for 0.2 <tap1
                1.2 feedback f 2 64/90@1 for 0.2 <tap2";
    feedback(lines, "1 0.05 60 90\n 1.2 0.05 60 90", rows);
}

#[test]
fn onsets_of_one_instant_come_as_pacing_feedback_masking_in_file_order() {
    let text = r#"
        [masking.n2]
        rate = "1 per s"
        start = "1 s"
        notes = "C3"
        velocity = { fixed = 50 }
        [masking.n1]
        rate = "1 per s"
        start = "1 s"
        notes = "D3"
        velocity = { fixed = 50 }
        [feedback.late]
        delay = "500 ms"
        channel = 2
        duration = "20 ms"
        [feedback.now]
        duration = "20 ms"
        [pacing.b]
        interval = "1 s"
        tone = { note = 70 }
        [pacing.a]
        interval = "500 ms"
        [[when]]
        time = "1.1 s"
        end = true"#;
    let rows = "1 pacing b 1 70/100@1 for 0.03
         1 pacing a 1 76/100@1 for 0.03
         1 feedback late 1 60/90@2 for 0.02 <tap1
         1 feedback now 2 61/91@1 for 0.02 <tap2
         1 masking n2 1 48/50@1 for 0.05
         1 masking n1 1 50/50@1 for 0.05";
    let kinds = "pacing|feedback|masking";
    trial(text)
        .taps("0.5 0.05 60 90\n 1 0.05 61 91")
        .play()
        .expect_of(kinds, &format!("0.5 feedback now 1 60/90@1 for 0.02 <tap1\n{rows}"));
}

#[test]
fn the_keys_of_a_chord_sound_in_the_order_in_which_they_came() {
    let taps = "1 0.3 64 90\n 1 0.2 60 80\n 1 0.1 67 70";
    let rows = "1 feedback f 1 64/90@1 for 0.3 <tap1
                1 feedback f 2 60/80@1 for 0.2 <tap2
                1 feedback f 3 67/70@1 for 0.1 <tap3";
    feedback("", taps, rows);
}

#[test]
fn one_tap_feeds_every_channel_it_passes_the_filter_of() {
    let text = r#"
        [feedback.left]
        from = { notes = "A0..B3" }
        [feedback.right]
        from = { notes = "C4..C8", velocities = "64..127" }
        channel = 2
        delay = "100 ms"
        [feedback.drum]
        from = { channel = 10 }
        channel = "as played"
        [feedback.all]
        pitch = { fixed = 20 }
        channel = 3
        duration = "10 ms"
        [[when]]
        time = "10 s"
        end = true"#;
    trial(text).taps("1 .1 59 90\n 2 .1 60 64\n 3 .1 60 63\n 4 .1 109 90 10").play().expect_of(
        "feedback",
        "1 feedback left 1 59/90@1 for 0.1 <tap1
         1 feedback all 1 20/90@3 for 0.01 <tap1
         2 feedback all 2 20/64@3 for 0.01 <tap2
         2.1 feedback right 2 60/64@2 for 0.1 <tap2
         3 feedback all 3 20/63@3 for 0.01 <tap3
         4 feedback drum 4 109/90@10 for 0.1 <tap4
         4 feedback all 4 20/90@3 for 0.01 <tap4",
    );
}

const FOUR: &str = "1 .1 60 90\n 2 .1 62 90\n 3 .1 64 90\n 4 .1 65 90";

/// The notes that four taps on 60, 62, 64, 65 sound.
fn four(lines: &str, notes: [u8; 4]) {
    let row = |k: usize| format!("{0} feedback f {0} {1}/90@1 for 0.1 <tap{0}\n", k + 1, notes[k]);
    feedback(lines, FOUR, &(0..4).map(row).collect::<String>());
}

#[test]
fn a_serial_shift_sounds_the_pitch_of_so_many_taps_before() {
    four("pitch = { shift = -1 }", [60, 60, 62, 64]);
    four("pitch = { shift = -3 }", [60, 62, 64, 60]);
}

#[test]
fn a_sequence_advances_with_every_tap_and_begins_again() {
    four("pitch = { sequence = [50, 52, \"E3\"] }", [50, 52, 52, 50]);
}

#[test]
fn pitches_are_fixed_transposed_mirrored_or_looked_up() {
    four("pitch = { fixed = \"E4\" }", [64; 4]);
    four("pitch = { transpose = -12 }", [48, 50, 52, 53]);
    four("pitch = { mirror = \"D4\" }", [64, 62, 60, 59]);
    four("pitch = { table = { C4 = \"D4\", 64 = 10 } }", [62, 62, 10, 65]);
}

#[test]
fn pitches_stay_within_midi() {
    four("pitch = { transpose = 100 }", [127; 4]);
    four("pitch = { transpose = -100 }", [0; 4]);
    four("pitch = { mirror = 10 }", [0; 4]);
    four("pitch = { mirror = 127 }", [127; 4]);
}

#[test]
fn a_history_goes_on_while_the_channel_is_silent() {
    let text = r#"
        [feedback.shift]
        pitch = { shift = -1 }
        sounding = false
        [feedback.sequence]
        pitch = { sequence = [40, 41, 42] }
        sounding = false
        channel = 2
        [feedback.list]
        delay = { list = ["0 ms", "100 ms", "200 ms"] }
        sounding = false
        channel = 3
        [[when]]
        tap = 3
        set.feedback.shift.sounding = true
        set.feedback.sequence.sounding = true
        set.feedback.list.sounding = true
        [[when]]
        time = "10 s"
        end = true"#;
    trial(text).taps(FOUR).play().expect_of(
        "feedback",
        "3 feedback shift 3 62/90@1 for 0.1 <tap3
         3 feedback sequence 3 42/90@2 for 0.1 <tap3
         3.2 feedback list 3 64/90@3 for 0.1 <tap3
         4 feedback shift 4 64/90@1 for 0.1 <tap4
         4 feedback sequence 4 40/90@2 for 0.1 <tap4
         4 feedback list 4 65/90@3 for 0.1 <tap4",
    );
}

#[test]
fn a_history_is_of_the_taps_that_pass_the_filter() {
    let text = r#"
        [feedback.right]
        from = { notes = "C4..C8" }
        pitch = { shift = -1 }
        [feedback.half]
        from = { notes = "C4..C8" }
        delay = { fraction = 0.5 }
        channel = 2
        [[when]]
        time = "10 s"
        end = true"#;
    trial(text)
        .taps("1 .1 60 90\n 2 .1 40 90\n 3 .1 64 90\n 3.4 .1 40 90\n 4 .1 65 90")
        .play()
        .expect_of(
            "feedback",
            "1 feedback right 1 60/90@1 for 0.1 <tap1
         1 feedback half 1 60/90@2 for 0.1 <tap1
         3 feedback right 3 60/90@1 for 0.1 <tap3
         4 feedback right 5 64/90@1 for 0.1 <tap5
         4 feedback half 3 64/90@2 for 0.1 <tap3
         4.5 feedback half 5 65/90@2 for 0.1 <tap5",
        );
}

#[test]
fn a_fraction_is_of_the_last_inter_tap_interval_rounded_to_the_nanosecond() {
    let taps = "1 .1 60 90\n 1.000000003 .1 61 90\n 2 .1 62 90";
    let rows = "1 feedback f 1 60/90@1 for 0.1 <tap1
                1.000000005 feedback f 2 61/90@1 for 0.1 <tap2
                2.499999999 feedback f 3 62/90@1 for 0.1 <tap3";
    // Half of 3 ns is 1.5, so 2; half of 999,999,997 ns is 499,999,998.5, so ..499.
    feedback("delay = { fraction = 0.5 }", taps, rows);
}

#[test]
fn a_list_of_delays_is_taken_in_turn() {
    let rows = "1 feedback f 1 60/90@1 for 0.1 <tap1
                2.15 feedback f 2 62/90@1 for 0.1 <tap2
                3 feedback f 3 64/90@1 for 0.1 <tap3
                4.15 feedback f 4 65/90@1 for 0.1 <tap4";
    feedback("delay = { list = [\"0 ms\", \"150 ms\"] }", FOUR, rows);
}

#[test]
fn velocities_are_scaled_and_kept_between_1_and_127() {
    let taps = "1 .1 60 100\n 2 .1 60 3\n 3 .1 60 127\n 4 .1 60 1";
    let rows = |v: [u8; 4]| -> String {
        let row = |k: usize| format!("{0} feedback f {0} 60/{1}@1 for 0.1 <tap{0}\n", k + 1, v[k]);
        (0..4).map(row).collect()
    };
    feedback("velocity = { scale = 1.5 }", taps, &rows([127, 5, 127, 2]));
    feedback("velocity = { scale = 0.1 }", taps, &rows([10, 1, 13, 1]));
    feedback("velocity = { fixed = 90 }", taps, &rows([90; 4]));
}

#[test]
fn single_taps_are_muted_or_perturbed() {
    let lines = r#"
        [[feedback.f.perturb]]
        at = 2
        mute = true
        [[feedback.f.perturb]]
        at = [3, 2]
        delay = "50 ms"
        pitch = { transpose = 1 }
        velocity = { fixed = 1 }
        duration = "10 ms""#;
    let rows = "1 feedback f 1 60/90@1 for 0.1 <tap1
                3.05 feedback f 3 65/1@1 for 0.01 <tap3
                4 feedback f 4 65/90@1 for 0.1 <tap4";
    feedback(lines, FOUR, rows);
}

#[test]
fn perturbations_of_one_tap_act_together_but_for_one_that_mutes() {
    let lines = r#"
        [[feedback.f.perturb]]
        at = [2, 3]
        delay = "50 ms"
        [[feedback.f.perturb]]
        at = [2, 3]
        delay = "70 ms"
        pitch = { transpose = 1 }
        [[feedback.f.perturb]]
        at = [3, 4]
        mute = true
        [[feedback.f.perturb]]
        at = 4
        velocity = { fixed = 1 }"#;
    let rows = "1 feedback f 1 60/90@1 for 0.1 <tap1
                2.05 feedback f 2 63/90@1 for 0.1 <tap2
                3.05 feedback f 3 65/90@1 for 0.1 <tap3";
    feedback(lines, FOUR, rows);
}

#[test]
fn every_second_tap_after_the_first_is_muted() {
    let lines = "[[feedback.f.perturb]]\nevery = 2\nafter = 1\nmute = true";
    let rows = "1 feedback f 1 60/90@1 for 0.1 <tap1
                2 feedback f 2 62/90@1 for 0.1 <tap2
                4 feedback f 4 65/90@1 for 0.1 <tap4";
    feedback(lines, FOUR, rows);
}

#[test]
fn a_perturbed_tap_is_released_by_its_own_delay() {
    let lines = "[[feedback.f.perturb]]\nat = 2\ndelay = \"400 ms\"";
    let rows = "1 feedback f 1 60/90@1 for 0.1 <tap1
                2.4 feedback f 2 62/90@1 for 0.1 <tap2
                3 feedback f 3 64/90@1 for 0.1 <tap3
                4 feedback f 4 65/90@1 for 0.1 <tap4";
    feedback(lines, FOUR, rows);
}

#[test]
fn muted_taps_count_and_enter_the_history() {
    let lines = "pitch = { shift = -1 }\n[[feedback.f.perturb]]\nat = 2\nmute = true";
    let rows = "1 feedback f 1 60/90@1 for 0.1 <tap1
                3 feedback f 3 62/90@1 for 0.1 <tap3
                4 feedback f 4 64/90@1 for 0.1 <tap4";
    feedback(lines, FOUR, rows);
}

#[test]
fn a_tap_too_soon_after_the_last_is_recorded_and_marked_and_gives_nothing() {
    let text = r#"
        [input.pad]
        debounce = "80 ms"
        [feedback.f]
        pitch = { shift = -1 }
        duration = "10 ms"
        [[when]]
        tap = 3
        end = true"#;
    trial(text)
        .taps(
            "1 .01 60 90\n 1.079999999 .01 61 90\n 1.08 .01 62 90\n 1.15 .01 63 90\n 1.3 .01 64 90",
        )
        .play()
        .expect(
            "1 tap pad 1 60/90@1 for 0.01
             1 feedback f 1 60/90@1 for 0.01 <tap1
             1.01 release pad 60/64@1 <tap1
             1.079999999 tap pad 61/90@1 for 0.01 debounced
             1.08 tap pad 2 62/90@1 for 0.01
             1.08 feedback f 2 60/90@1 for 0.01 <tap2
             1.089999999 release pad 61/64@1 <tap
             1.09 release pad 62/64@1 <tap2
             1.15 tap pad 63/90@1 for 0.01 debounced
             1.16 release pad 63/64@1 <tap
             1.3 tap pad 3 64/90@1
             1.3 trigger when-1 1 <tap3
             1.3 end trigger <trigger1",
        );
}

#[test]
fn a_note_on_of_velocity_0_is_a_release_and_no_tap() {
    let text = "[feedback.f]\n[[when]]\ntime = \"3 s\"\nend = true";
    let sent = vec![note_on(1_000, 60, 90), note_on(1_250, 60, 0), note_off(1_500, 60)];
    let rehearsed = trial(text).messages(sent).play();
    let releases = rehearsed.rows.iter().filter(|row| row.trial_type == TrialType::Release);
    let bytes: Vec<_> = releases.map(|row| row.message.unwrap().encode().0).collect();
    assert_eq!(bytes, [[0x90, 60, 0], [0x80, 60, 64]], "recorded in the form in which it came");
    rehearsed.expect(
        "1 tap input 1 60/90@1 for 0.25
         1 feedback f 1 60/90@1 for 0.25 <tap1
         1.25 release input 60/0@1 <tap1
         1.5 release input 60/64@1
         3 trigger when-1 1
         3 end trigger <trigger1",
    );
}

#[test]
fn controllers_pass_through_once_to_every_channel_that_hears_the_input() {
    let text = r#"
        [feedback.left]
        from = { notes = "A0..B3" }
        channel = 2
        [feedback.also_two]
        channel = 2
        delay = "300 ms"
        [feedback.as_played]
        channel = "as played"
        [[when]]
        time = "3 s"
        end = true"#;
    trial(text)
        .messages(vec![control(1_000, 4, 7, 100), control(1_500, 4, 64, 127)])
        .play()
        .expect(
            "1 control input b30764
         1 control left b10764 <control
         1 control as_played b30764 <control
         1.5 control input b3407f
         1.5 control left b1407f <control
         1.5 control as_played b3407f <control
         3 trigger when-1 1
         3 control left b14000
         3 control as_played b34000
         3 end trigger <trigger1",
        );
}

#[test]
fn notes_bends_and_pedals_of_several_channels_keep_their_own_where_it_is_as_played() {
    let text = r#"
        [feedback.f]
        channel = "as played"
        delay = "50 ms"
        [[when]]
        time = "3 s"
        end = true"#;
    let on = |channel: u8, sent: Sent| {
        let message = sent.message.on_channel(Channel::new(channel).unwrap());
        Sent { message, ..sent }
    };
    let bend = |at_ms: i64, channel: u8| {
        let (channel, lsb, msb) = (Channel::new(channel).unwrap(), U7::ZERO, U7::from_byte(0x50));
        let message = Message::PitchBend { channel, lsb, msb };
        Sent { input: 0, at: Nanos::from_millis(at_ms), message }
    };
    let sent = vec![
        on(2, note_on(1_000, 60, 90)),
        on(3, note_on(1_100, 60, 80)),
        bend(1_200, 2),
        on(2, note_off(1_300, 60)),
        bend(1_350, 3),
        on(3, note_off(1_400, 60)),
        control(1_500, 3, 64, 127),
    ];
    trial(text).messages(sent).play().expect_of(
        "feedback|control",
        "1.05 feedback f 1 60/90@2 for 0.3 <tap1
         1.15 feedback f 2 60/80@3 for 0.3 <tap2
         1.2 control input e10050
         1.2 control f e10050 <control
         1.35 control input e20050
         1.35 control f e20050 <control
         1.5 control input b2407f
         1.5 control f b2407f <control
         3 control f b24000",
    );
}

#[test]
fn channel_mode_messages_are_recorded_and_never_sent_on() {
    let text = r#"
        [feedback.f]
        delay = "200 ms"
        duration = "300 ms"
        [feedback.late]
        channel = 2
        controllers = "with feedback"
        [[when]]
        time = "3 s"
        end = true"#;
    let modes =
        (119..=127).map(|controller| control(1_000 + i64::from(controller), 1, controller, 0));
    trial(text).messages(modes.collect()).play().expect_of(
        "control",
        "1.119 control input b07700
         1.119 control f b07700 <control
         1.119 control late b17700 <control
         1.12 control input b07800
         1.121 control input b07900
         1.122 control input b07a00
         1.123 control input b07b00
         1.124 control input b07c00
         1.125 control input b07d00
         1.126 control input b07e00
         1.127 control input b07f00",
    );
}

#[test]
fn two_inputs_count_their_taps_apart_and_feed_two_outputs() {
    let text = r#"
        [input.left]
        [input.right]
        [output.ear]
        [output.room]
        [feedback.near]
        from = { input = "left" }
        [feedback.far]
        from = { input = "right" }
        output = "room"
        [feedback.both]
        pitch = { shift = -1 }
        channel = 2
        [[when]]
        tap.right = 2
        end = true"#;
    let taps = "1 .1 60 90 1 right\n 2 .1 60 80 1 left\n 2.05 .1 60 70 1 left\n 3 .1 61 60 1 right";
    trial(text).taps(taps).play().expect_of(
        "tap|feedback",
        "1 tap right 1 60/90@1 for 0.1
         1 feedback far 1 60/90@1>room for 0.1 <tap1
         1 feedback both 1 60/90@2>ear for 0.1 <tap1
         2 tap left 1 60/80@1
         2 feedback near 1 60/80@1>ear for 0.05 <tap1
         2 feedback both 1 60/80@2>ear for 0.05 <tap1
         2.05 tap left 2 60/70@1 for 0.05
         2.05 feedback near 2 60/70@1>ear for 0.05 <tap2
         2.05 feedback both 2 60/70@2>ear for 0.05 <tap2
         3 tap right 2 61/60@1",
    );
}

#[test]
fn controllers_follow_the_delay_and_the_pitch_of_the_feedback_where_the_file_says_so() {
    let text = r#"
        [feedback.late]
        delay = "200 ms"
        pitch = { transpose = 12 }
        controllers = "with feedback"
        [feedback.silent]
        channel = 2
        sounding = false
        controllers = "with feedback"
        [feedback.alone]
        channel = 3
        controllers = "off"
        [[when]]
        time = "3 s"
        end = true"#;
    let pressure = Message::PolyPressure {
        channel: Channel::ONE,
        note: U7::from_byte(60),
        pressure: U7::from_byte(9),
    };
    let pressed = Sent { input: 0, at: Nanos::from_millis(1_100), message: pressure };
    let before = control(500, 1, 7, 100);
    let last = control(2_900, 1, 7, 99);
    let sent = vec![before, note_on(1_000, 60, 90), pressed, note_off(1_400, 60), last];
    trial(text).messages(sent).play().expect_of(
        "control|feedback late",
        "0.5 control input b00764
         0.5 control late b00764 <control
         1.1 control input a03c09
         1.2 feedback late 1 72/90@1 for 0.4 <tap1
         1.3 control late a04809 <control
         2.9 control input b00763",
    );
}

#[test]
fn what_was_perturbed_and_what_was_muted_stands_in_the_table_with_its_size() {
    let text = r#"
        [feedback.f]
        delay = "20 ms"
        duration = "100 ms"
        [[feedback.f.perturb]]
        at = 2
        delay = "50 ms"
        pitch = { transpose = 2 }
        duration = "80 ms"
        [[feedback.f.perturb]]
        at = 3
        mute = true
        [[when]]
        time = "5 s"
        end = true"#;
    let played = trial(text).taps("1 .1 60 90\n 2 .1 60 90\n 3 .1 60 90\n 4 .1 60 90").play();
    let ms = Nanos::from_millis;
    let told = |kind, number| {
        let row = played.named(kind, "f").find(|row| row.number == Some(number)).unwrap();
        (row.perturbation, row.delay.unwrap(), row.pitch_shift.unwrap())
    };
    let parts = [
        PerturbedPart::Delay(ms(30)),
        PerturbedPart::Pitch(2),
        PerturbedPart::Duration(Some(ms(-20))),
    ];
    let altered = parts.iter().fold(Perturbation::NONE, |all, part| all.with(*part));
    assert_eq!(told(TrialType::Feedback, 1), (Perturbation::NONE, ms(20), 0));
    assert_eq!(told(TrialType::Feedback, 2), (altered, ms(50), 2));
    let muted = Perturbation::NONE.with(PerturbedPart::Mute);
    assert_eq!(told(TrialType::Muted, 3), (muted, ms(20), 0));
    assert_eq!(played.named(TrialType::Feedback, "f").count(), 3);
}

#[test]
fn a_perturbations_list_follows_its_own_occurrences_whatever_a_rule_sets() {
    let text = r#"
        [feedback.f]
        duration = "10 ms"
        [[feedback.f.perturb]]
        at = [2, 4, 6, 8]
        delay = { list = ["10 ms", "20 ms", "30 ms", "40 ms"] }
        pitch = { sequence = [70, 71, 72] }
        [[when]]
        tap = 5
        set.feedback.f.delay = "1 ms"
        set.feedback.f.pitch = { fixed = 50 }
        [[when]]
        tap = 9
        end = true"#;
    let taps: String = (1..=9).map(|second| format!("{second} .1 60 90\n")).collect();
    trial(text).taps(&taps).play().expect_of(
        "feedback",
        "1 feedback f 1 60/90@1 for 0.01 <tap1
         2.01 feedback f 2 70/90@1 for 0.01 <tap2
         3 feedback f 3 60/90@1 for 0.01 <tap3
         4.02 feedback f 4 71/90@1 for 0.01 <tap4
         5.001 feedback f 5 50/90@1 for 0.01 <tap5
         6.03 feedback f 6 72/90@1 for 0.01 <tap6
         7.001 feedback f 7 50/90@1 for 0.01 <tap7
         8.04 feedback f 8 70/90@1 for 0.01 <tap8",
    );
}
