//! When rules act and what they do: rule 2 of the trial file, conditions, actions.

use chronotap_data::record::TrialType;
use chronotap_testkit_simulate::times::seconds;
use chronotap_testkit_simulate::trial::trial;

#[test]
fn a_rule_acts_before_the_sound_of_the_tap_that_fires_it() {
    let text = r#"
        [feedback.f]
        duration = "10 ms"
        [[when]]
        tap = 2
        set.feedback.f.delay = "200 ms"
        [[when]]
        time = "5 s"
        end = true"#;
    trial(text).taps("1 .1 60 90\n 2 .1 60 90\n 3 .1 60 90").play().expect_of(
        "feedback|trigger",
        "1 feedback f 1 60/90@1 for 0.01 <tap1
         2 trigger when-1 1 <tap2
         2.2 feedback f 2 60/90@1 for 0.01 <tap2
         3.2 feedback f 3 60/90@1 for 0.01 <tap3
         5 trigger when-2 2",
    );
}

#[test]
fn rules_of_one_instant_act_in_file_order_whatever_fires_them() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        [feedback.f]
        duration = "10 ms"
        [[when]]
        tap = 2
        mark = "tap"
        [[when]]
        time = "1 s"
        mark = "time"
        [[when]]
        beat = 1
        mark = "beat"
        [[when]]
        silence = "1 s"
        end = true
        [[when]]
        note = 62
        set.feedback.f.pitch = { fixed = 40 }
        [[when]]
        time = "1 s"
        set.feedback.f.pitch = { fixed = 41 }
        set.pacing.m.tone.note = 50"#;
    // The key of tap 1 comes up in the very nanosecond of tap 2, beat 1 and time 1 s.
    trial(text).taps("0.6 0.4 60 90\n 1 .01 62 80").play().expect(
        "0.6 tap input 1 60/90@1 for 0.4
         0.6 feedback f 1 60/90@1 for 0.01 <tap1
         1 release input 60/64@1 <tap1
         1 tap input 2 62/80@1 for 0.01
         1 trigger when-1 1 <tap2
         1 marker tap 1 <trigger1
         1 trigger when-2 2
         1 marker time 2 <trigger2
         1 trigger when-3 3
         1 marker beat 3 <trigger3
         1 trigger when-5 5 <tap2
         1 trigger when-6 6
         1 pacing m 1 50/100@1 for 0.03
         1 feedback f 2 41/80@1 for 0.01 <tap2
         1.01 release input 62/64@1 <tap2
         1.5 pacing m 2 50/100@1 for 0.03
         2 trigger when-4 4
         2 end trigger <trigger4",
    );
}

#[test]
fn taps_of_one_instant_come_one_after_the_other_each_with_its_rules() {
    let text = r#"
        [feedback.f]
        duration = "10 ms"
        [[when]]
        tap = 2
        set.feedback.f.pitch = { fixed = 40 }
        [[when]]
        time = "3 s"
        end = true"#;
    trial(text).taps("1 .1 60 90\n 1 .1 62 90\n 1 .1 64 90").play().expect_of(
        "feedback",
        "1 feedback f 1 60/90@1 for 0.01 <tap1
         1 feedback f 2 40/90@1 for 0 <tap2
         1 feedback f 3 40/90@1 for 0.01 <tap3",
    );
}

#[test]
fn several_conditions_must_all_hold() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        audible = false
        [[when]]
        tap = 2
        time = "3.2 s"
        mark = "tap, then time"
        [[when]]
        tap = 3
        beat = 2
        mark = "beat, then tap"
        [[when]]
        all = [{ tap = 1 }, { any = [{ time = "9 s" }, { beat = 4 }] }]
        mark = "nested"
        [[when]]
        any = [{ time = "3.3 s" }, { tap = 4 }]
        end = true"#;
    trial(text).taps("1 .1 60 90\n 2 .1 60 90\n 3 .1 60 90").play().expect_of(
        "trigger|marker|end",
        "2.5 trigger when-3 3
         2.5 marker nested 3 <trigger3
         3 trigger when-2 2 <tap3
         3 marker beat, then tap 2 <trigger2
         3.2 trigger when-1 1
         3.2 marker tap, then time 1 <trigger1
         3.3 trigger when-4 4
         3.3 end trigger <trigger4",
    );
}

#[test]
fn beats_of_several_streams_are_named_and_rests_count() {
    let text = r#"
        [pacing.three]
        interval = "400 ms"
        pattern = "x.."
        audible = false
        [pacing.two]
        interval = "600 ms"
        audible = false
        [[when]]
        beat.three = 3
        mark = "a rest"
        [[when]]
        beat.two = 2
        beat.three = 2
        mark = "both"
        [[when]]
        beat = { two = 3 }
        end = true"#;
    trial(text).play().expect(
        "1 silent three 1 inaudible
         1 silent two 1 inaudible
         1.4 silent three 2 rest
         1.6 trigger when-2 2
         1.6 marker both 2 <trigger2
         1.6 silent two 2 inaudible
         1.8 trigger when-1 1
         1.8 marker a rest 1 <trigger1
         1.8 silent three 3 rest
         2.2 trigger when-3 3
         2.2 end trigger <trigger3",
    );
}

#[test]
fn a_note_rule_acts_at_the_tap_of_that_key_and_only_on_its_input() {
    let text = r#"
        [input.left]
        [input.right]
        [feedback.f]
        duration = "10 ms"
        [[when]]
        note.right = "C2"
        set.feedback.f.sounding = false
        [[when]]
        note = 60
        mark = "again"
        repeat = true
        [[when]]
        time = "6 s"
        end = true"#;
    let taps = "1 .1 36 90 1 left\n 2 .1 60 90 1 left\n 3 .1 60 90 1 right\n \
                4 .1 36 90 1 right\n 5 .1 60 90 1 right";
    trial(text).taps(taps).play().expect_of(
        "feedback|trigger",
        "1 feedback f 1 36/90@1 for 0.01 <tap1
         2 trigger when-2 2 <tap2
         2 feedback f 2 60/90@1 for 0.01 <tap2
         3 trigger when-2 2 <tap1
         3 feedback f 1 60/90@1 for 0.01 <tap1
         4 trigger when-1 1 <tap2
         5 trigger when-2 2 <tap3
         6 trigger when-3 3",
    );
}

#[test]
fn silence_counts_from_the_start_and_then_from_the_last_tap() {
    let text = "[feedback.f]\n[[when]]\nsilence = \"2 s\"\nend = true";
    trial(text).play().expect("2 trigger when-1 1\n2 end trigger <trigger1");
    trial(text)
        .taps("1.5 .1 60 90\n 3.4 .1 60 90")
        .play()
        .expect_of("trigger|end", "5.4 trigger when-1 1\n5.4 end trigger <trigger1");
}

#[test]
fn a_tap_at_the_very_instant_breaks_the_silence() {
    let text = "[feedback.f]\n[[when]]\nsilence = \"2 s\"\nend = true";
    let played = trial(text).taps("2 .1 60 90").play();
    played.expect_of("end", "4 end trigger <trigger1");
    let played = trial(text).taps("2.000000001 .1 60 90").play();
    played.expect_of("end", "2 end trigger <trigger1");
}

#[test]
fn debounced_taps_do_not_break_a_silence_and_inputs_are_silent_apart() {
    let text = r#"
        [input.left]
        debounce = "500 ms"
        [input.right]
        [[when]]
        silence.left = "1 s"
        repeat = true
        mark = "silent"
        [[when]]
        time = "5 s"
        end = true"#;
    let taps = "0.5 .1 60 90 1 left\n 0.9 .1 60 90 1 left\n 1.2 .1 60 90 1 right\n \
                3 .1 60 90 1 left";
    trial(text).taps(taps).play().expect_of(
        "trigger",
        "1.5 trigger when-1 1
         4 trigger when-1 1
         5 trigger when-2 2",
    );
}

#[test]
fn a_rule_plays_a_tone_and_that_is_its_row() {
    let text = r#"
        [pacing.m]
        interval = "1 s"
        start = "1 s"
        [[when]]
        name = "bell"
        time = "1 s"
        play = { note = "C5", channel = 3, velocity = 80, duration = "250 ms" }
        mark = "rung"
        [[when]]
        time = "1.1 s"
        end = true"#;
    trial(text).play().expect(
        "1 trigger bell 1 72/80@3 for 0.1
         1 marker rung 1 <trigger1
         1 pacing m 1 76/100@1 for 0.03
         1.1 trigger when-2 2
         1.1 end trigger <trigger2",
    );
}

#[test]
fn a_stream_that_a_rule_starts_fires_the_rule_of_its_first_beat_at_once() {
    let text = r#"
        [pacing.a]
        interval = "500 ms"
        beats = 2
        [pacing.b]
        interval = "300 ms"
        start = "when started"
        [[when]]
        beat.b = 1
        mark = "b begins"
        [[when]]
        beat.a = 2
        start = "b"
        [[when]]
        beat.b = 3
        stop = ["b", "a"]
        [[when]]
        time = "3 s"
        end = true"#;
    trial(text).play().expect(
        "1 pacing a 1 76/100@1 for 0.03
         1.5 trigger when-2 2
         1.5 trigger when-1 1
         1.5 marker b begins 1 <trigger1
         1.5 pacing a 2 76/100@1 for 0
         1.5 pacing b 1 76/100@1 for 0.03
         1.8 pacing b 2 76/100@1 for 0.03
         2.1 trigger when-3 3
         3 trigger when-4 4
         3 end trigger <trigger4",
    );
}

#[test]
fn a_delay_ramp_begins_with_its_tap_and_goes_by_the_taps_time_stamps() {
    let text = r#"
        [feedback.f]
        duration = "50 ms"
        [[when]]
        tap = 2
        ramp.feedback.f.delay = { to = "70 ms", over = "20 s" }
        [[when]]
        time = "40 s"
        end = true"#;
    let taps = "1 .1 60 90\n 2 .1 60 90\n 7 .1 60 90\n 9 .1 60 90\n 22 .1 60 90\n 30 .1 60 90";
    // 70 ms x 5/20 = 17.5; x 7/20 = 24.5; at 20 s and later 70.
    trial(text).taps(taps).play().expect_of(
        "feedback",
        "1 feedback f 1 60/90@1 for 0.05 <tap1
         2 feedback f 2 60/90@1 for 0.05 <tap2
         7.0175 feedback f 3 60/90@1 for 0.05 <tap3
         9.0245 feedback f 4 60/90@1 for 0.05 <tap4
         22.07 feedback f 5 60/90@1 for 0.05 <tap5
         30.07 feedback f 6 60/90@1 for 0.05 <tap6",
    );
}

#[test]
fn a_value_set_in_the_course_of_a_ramp_ends_it() {
    let text = r#"
        [feedback.f]
        duration = "50 ms"
        delay = "100 ms"
        [[when]]
        time = "0 s"
        ramp.feedback.f.delay = { to = "200 ms", over = "10 s" }
        [[when]]
        time = "5 s"
        set.feedback.f.delay = "10 ms"
        [[when]]
        time = "20 s"
        end = true"#;
    trial(text).taps("4 .1 60 90\n 5 .1 60 90\n 9 .1 60 90").play().expect_of(
        "feedback",
        "4.14 feedback f 1 60/90@1 for 0.05 <tap1
         5.01 feedback f 2 60/90@1 for 0.05 <tap2
         9.01 feedback f 3 60/90@1 for 0.05 <tap3",
    );
}

#[test]
fn velocities_pitches_and_fractions_are_ramped() {
    let text = r#"
        [feedback.f]
        velocity = { fixed = 40 }
        pitch = { transpose = 0 }
        delay = { fraction = 0.0 }
        duration = "50 ms"
        [pacing.m]
        interval = "1 s"
        tone = { velocity = 20 }
        [[when]]
        time = "1 s"
        ramp.feedback.f.velocity.fixed = { to = 100, over = "6 s" }
        ramp.feedback.f.pitch.transpose = { to = 12, over = "6 s" }
        ramp.feedback.f.delay.fraction = { to = 0.6, over = "6 s" }
        ramp.pacing.m.tone.velocity = { to = 80, over = "4 s", shape = "exponential" }
        [[when]]
        time = "5.5 s"
        end = true"#;
    // Half way at 4 s: 70, 6 semitones, 0.3 x 2 s. 20 to 80 over 4 s: twice every 2 s.
    trial(text).taps("2 .1 60 90\n 4 .1 60 90").play().expect_of(
        "feedback|pacing",
        "1 pacing m 1 76/20@1 for 0.03
         2 pacing m 2 76/28@1 for 0.03
         2 feedback f 1 62/50@1 for 0.05 <tap1
         3 pacing m 3 76/40@1 for 0.03
         4 pacing m 4 76/57@1 for 0.03
         4.6 feedback f 2 66/70@1 for 0.05 <tap2
         5 pacing m 5 76/80@1 for 0.03",
    );
}

#[test]
fn parameters_of_tones_accents_inputs_and_filters_are_set() {
    let text = r#"
        [input.pad]
        [pacing.m]
        interval = "1 s"
        pattern = "xX"
        [feedback.f]
        duration = "10 ms"
        [[when]]
        time = "2.5 s"
        set.input.pad.debounce = "1 s"
        set.pacing.m.tone = { note = 50, channel = 9, duration = "100 ms" }
        set.pacing.m.accent.velocity = 110
        set.feedback.f.from.notes = "C4"
        set.feedback.f.channel = "as played"
        set.feedback.f.velocity = { scale = 0.5 }
        set.feedback.f.duration = "as played"
        [[when]]
        time = "5 s"
        end = true"#;
    let taps = "1.5 .1 61 90\n 1.6 .1 60 90\n 3 .3 60 90 4\n 3.5 .1 60 90\n 4.5 .1 61 90";
    trial(text).taps(taps).play().expect_of(
        "feedback|pacing|tap",
        "1 pacing m 1 76/100@1 for 0.03
         1.5 tap pad 1 61/90@1 for 0.1
         1.5 feedback f 1 61/90@1 for 0.01 <tap1
         1.6 tap pad 2 60/90@1 for 0.1
         1.6 feedback f 2 60/90@1 for 0.01 <tap2
         2 pacing m 2 76/127@1 for 0.03
         3 tap pad 3 60/90@4 for 0.3
         3 pacing m 3 50/100@9 for 0.1
         3 feedback f 3 60/45@4 for 0.3 <tap3
         3.5 tap pad 60/90@1 for 0.1 debounced
         4 pacing m 4 50/110@9 for 0.1
         4.5 tap pad 4 61/90@1 for 0.1",
    );
}

#[test]
fn a_beat_comes_once_however_often_its_stream_is_started() {
    // Times, beats and taps stay true once they have come, so they do not become true again.
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        beats = 2
        [[when]]
        beat = 2
        repeat = true
        mark = "second beat"
        [[when]]
        beat = 2
        time = "4 s"
        mark = "both"
        [[when]]
        time = "3 s"
        start = "m"
        [[when]]
        time = "3.2 s"
        stop = "m"
        [[when]]
        time = "5 s"
        end = true"#;
    trial(text).play().expect_of(
        "marker",
        "1.5 marker second beat 1 <trigger1
         4 marker both 2 <trigger2",
    );
}

#[test]
fn a_stream_that_starts_itself_at_its_first_beat_does_so_once_an_instant() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        [[when]]
        beat = 1
        repeat = true
        start = "m"
        [[when]]
        beat = 3
        end = true"#;
    trial(text).play().expect(
        "1 trigger when-1 1
         1 pacing m 1 76/100@1 for 0.03
         1.5 pacing m 2 76/100@1 for 0.03
         2 trigger when-2 2
         2 end trigger <trigger2",
    );
}

#[test]
fn a_stream_that_starts_itself_at_its_fourth_beat_does_so_once() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        notes = [60, 62, 64]
        [[when]]
        beat = 4
        repeat = true
        start = "m"
        [[when]]
        time = "5.2 s"
        end = true"#;
    let onsets = [60, 62, 64, 60, 62, 64, 60, 62, 64];
    let numbers = [1, 2, 3, 1, 2, 3, 4, 5, 6];
    let rows = onsets.iter().zip(numbers).enumerate().map(|(k, (note, beat))| {
        let at = seconds(chronotap_core::time::Nanos::from_millis(1_000 + 500 * k as i64));
        format!("{at} pacing m {beat} {note}/100@1 for 0.03\n")
    });
    trial(text).play().expect_of("pacing", &rows.collect::<String>());
}

#[test]
fn rules_of_a_tap_and_of_the_beat_that_it_starts_act_in_file_order() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        start = "first tap"
        [[when]]
        beat = 1
        mark = "beat"
        [[when]]
        tap = 1
        mark = "tap"
        [[when]]
        beat = 2
        end = true"#;
    trial(text).taps("1 .1 60 90").play().expect_of(
        "marker",
        "1 marker beat 1 <trigger1
         1 marker tap 2 <trigger2",
    );
}

#[test]
fn a_stream_that_was_over_before_it_is_stopped_ended_when_it_was_over() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        beats = 2
        [[when]]
        tap = 1
        stop = "m"
        [[when]]
        taps_after = 1
        mark = "after"
        [[when]]
        time = "4 s"
        end = true"#;
    // It was over at 1.75 s, so the tap at 2 s is the first after it, and fires the rule.
    let played = trial(text).taps("2 .1 60 90").play();
    played
        .expect_of("trigger when-2|marker", "2 trigger when-2 2 <tap1\n2 marker after 2 <trigger2");
}

#[test]
fn a_key_or_a_silence_act_each_time_they_come() {
    let text = r#"
        [input.pad]
        [[when]]
        any = [{ note = "E4" }, { silence = "300 ms" }]
        repeat = true
        mark = "either"
        [[when]]
        time = "2 s"
        end = true"#;
    // At 1 s the key comes while the silence lasts, so nothing comes to hold anew.
    trial(text).taps("1 .1 64 90\n 1.2 .1 64 90\n 1.4 .1 60 90").play().expect_of(
        "marker",
        "0.3 marker either 1 <trigger1
         1.2 marker either 1 <trigger1
         1.7 marker either 1 <trigger1",
    );
}

#[test]
fn so_many_taps_after_a_stream_ends_are_counted_from_half_an_interval_after_its_last_beat() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        beats = 4
        [feedback.f]
        duration = "10 ms"
        [[when]]
        taps_after = 3
        end = true"#;
    // The last beat comes at 2.5 s, the end at 2.75 s: a tap at 2.75 s still belongs to it.
    let taps =
        "2 0.01 60 9\n2.6 0.01 60 9\n2.75 0.01 60 9\n2.751 0.01 60 9\n3.4 0.01 60 9\n3.9 0.01 60 9";
    trial(text).taps(taps).play().expect_of(
        "trigger|end",
        "3.9 trigger when-1 1 <tap6
         3.9 end trigger <trigger1",
    );
}

#[test]
fn taps_after_a_stream_are_counted_anew_where_it_starts_anew() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        beats = 2
        [[when]]
        time = "3 s"
        start = "m"
        [[when]]
        taps_after.m = 2
        mark = "two"
        [[when]]
        time = "8 s"
        end = true"#;
    // First run: beats at 1 and 1.5 s, over at 1.75 s; again: 3 and 3.5 s, over at 3.75 s.
    let taps = "2 0.01 60 9\n3.2 0.01 60 9\n3.7 0.01 60 9\n4 0.01 60 9\n4.5 0.01 60 9";
    trial(text).taps(taps).play().expect_of("marker", "4.5 marker two 2 <trigger2");
}

#[test]
fn a_stream_that_is_stopped_has_ended_and_inputs_are_told_apart() {
    let text = r#"
        [input.left]
        [input.right]
        [pacing.m]
        interval = "500 ms"
        [[when]]
        time = "2.2 s"
        stop = "m"
        [[when]]
        taps_after.m = { taps = 2, input = "right" }
        end = true"#;
    let taps = "1 0.01 60 9 1 right\n2.3 0.01 60 9 1 left\n2.4 0.01 60 9 1 right\n2.5 0.01 60 9 1 left\n3 0.01 60 9 1 right";
    trial(text).taps(taps).play().expect_of("end", "3 end trigger <trigger2");
}

#[test]
fn taps_after_a_list_of_onsets_wait_half_its_last_gap() {
    let text = "[pacing.m]\nonsets = [\"0 s\", \"300 ms\", \"1 s\"]\nstart = \"0 s\"\n\
                [[when]]\ntaps_after = 1\nend = true";
    let taps = "1.3 0.01 60 9\n1.36 0.01 60 9";
    trial(text).taps(taps).play().expect_of("end", "1.36 end trigger <trigger1");
}

/// Onsets in milliseconds of the beats of `m`, a stream of 500 ms.
fn beats_of_m(lines: &str) -> Vec<i64> {
    let text = format!("[pacing.m]\ninterval = \"500 ms\"\n{lines}");
    let played = trial(&text).taps("2 .1 60 90").play();
    played.onsets(TrialType::Pacing, "m").into_iter().map(|at| at / 1_000_000).collect()
}

#[test]
fn what_a_rule_does_is_done_in_the_order_of_its_lines() {
    let rule = |first: &str, second: &str| {
        beats_of_m(&format!(
            "[[when]]\ntime = \"2.2 s\"\n{first}\n{second}\n[[when]]\ntime = \"4 s\"\nend = true"
        ))
    };
    let (ramp, start) = ("ramp.pacing.m.interval = { to = \"700 ms\", over = 2 }", "start = \"m\"");
    // Beats at 1, 1.5 and 2 s. Then 700 ms, to which the ramp was to go; or 600 and 700 ms on the way.
    assert_eq!(rule(ramp, start)[3..], [2_200, 2_900, 3_600]);
    assert_eq!(rule(start, ramp)[3..], [2_200, 2_800, 3_500]);
}

#[test]
fn a_stream_that_is_started_in_mid_ramp_has_its_goal_over_beats_and_goes_on_over_a_time() {
    let from = |over: &str| {
        beats_of_m(&format!(
            "[[when]]\ntime = \"1 s\"\nramp.pacing.m.interval = {{ to = \"900 ms\", over = {over} }}\n\
             [[when]]\ntime = \"2 s\"\nstart = \"m\"\n[[when]]\ntime = \"3.9 s\"\nend = true"
        ))
    };
    assert_eq!(from("8")[2..], [2_000, 2_900, 3_800], "600 ms at 1 s over 8 beats, then 900 ms");
    // 500 ms at 1 s and 900 ms at 5 s: 600 ms at 2 s, 660 ms at 2.6 s.
    assert_eq!(from("\"4 s\"")[2..], [2_000, 2_600, 3_260]);
}

#[test]
fn a_stop_before_the_first_beat_stops_what_is_under_way_and_nothing_else() {
    let starts = |start: &str, stop: &str| {
        let text = format!(
            "start = {start}\n[pacing.a]\ninterval = \"500 ms\"\nbeats = 2\ntone = {{ note = 50 }}\n\
             [[when]]\ntime = \"{stop}\"\nstop = \"m\"\n\
             [[when]]\ntime = \"3 s\"\nend = true"
        );
        beats_of_m(&text).first().copied()
    };
    // At a time: under way from the beginning.
    assert_eq!(starts("\"2 s\"", "1 s"), None);
    // The tap comes at 2 s, and the beat 500 ms after it.
    let tap = "{ tap = 1, delay = \"500 ms\" }";
    assert_eq!((starts(tap, "1 s"), starts(tap, "2.2 s")), (Some(2_500), None));
    // The other stream ends at 2 s: its beats are at 1 and 1.5 s.
    let after = "{ after = \"a\", delay = \"500 ms\" }";
    assert_eq!((starts(after, "1.2 s"), starts(after, "2.2 s")), (Some(2_500), None));
    // A rule starts it at 2 s.
    let by_rule = beats_of_m(
        "[[when]]\ntime = \"0.5 s\"\nstop = \"m\"\n[[when]]\ntime = \"2 s\"\nstart = \"m\"\n\
         [[when]]\ntime = \"2.2 s\"\nend = true",
    );
    assert_eq!(by_rule, [2_000]);
}

#[test]
fn of_fewer_beats_than_have_come_the_one_that_is_planned_is_the_last() {
    let lines = |at: &str| {
        format!("[[when]]\n{at}\nset.pacing.m.beats = 2\n[[when]]\ntime = \"6 s\"\nend = true")
    };
    assert_eq!(beats_of_m(&lines("time = \"2.7 s\"")), [1_000, 1_500, 2_000, 2_500, 3_000]);
    assert_eq!(beats_of_m(&lines("beat = 4")), [1_000, 1_500, 2_000, 2_500], "at a beat, that one");
}
