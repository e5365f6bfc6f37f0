//! When beats come and what they sound: rules 1, 5 and 7 of the trial file.

use chronotap_data::record::TrialType::Pacing;
use chronotap_testkit_simulate::times::{assert_onsets, ms, nearest};
use chronotap_testkit_simulate::trial::trial;

/// Onsets of the only stream `m` under these lines, until `end` s.
fn beats_until(end: i64, lines: &str) -> Vec<i64> {
    let text = format!("[pacing.m]\n{lines}\n[[when]]\ntime = \"{end} s\"\nend = true");
    trial(&text).play().onsets(Pacing, "m")
}

/// Onsets in milliseconds, which they must be exactly.
fn millis_until(end: i64, lines: &str) -> Vec<i64> {
    let exact = |ns: i64| {
        assert_eq!(ns % 1_000_000, 0, "{ns} ns");
        ns / 1_000_000
    };
    beats_until(end, lines).into_iter().map(exact).collect()
}

#[test]
fn twenty_beats_sound_where_beat_21_is_to_be_silent_and_beat_51_ends_the_trial() {
    let played = trial(
        r#"
        [pacing.metronome]
        interval = "500 ms"
        tone = { channel = 10, note = 76, velocity = 100, duration = "30 ms" }
        [[when]]
        beat = 21
        set.pacing.metronome.audible = false
        [[when]]
        beat = 51
        end = true"#,
    )
    .play();
    let onset = |k: i64| {
        let half_seconds = k + 1;
        if half_seconds % 2 == 0 {
            format!("{}", half_seconds / 2)
        } else {
            format!("{}.5", half_seconds / 2)
        }
    };
    let sounding: String = (1..=20)
        .map(|k| format!("{} pacing metronome {k} 76/100@10 for 0.03\n", onset(k)))
        .collect();
    let silent: String =
        (21..=50).map(|k| format!("{} silent metronome {k} inaudible\n", onset(k))).collect();
    let end = "26 trigger when-2 2\n26 end trigger <trigger2";
    played.expect(&format!("{sounding}11 trigger when-1 1\n{silent}{end}"));
}

#[test]
fn a_third_of_1600_ms_coincides_with_1600_ms_for_ten_hours() {
    let played = trial(
        r#"
        [pacing.third]
        interval = "1600 ms / 3"
        [pacing.whole]
        interval = "1600 ms"
        [pacing.half]
        interval = "800 ms"
        [[when]]
        time = "36000 s"
        end = true"#,
    )
    .until(40_000)
    .play();
    let beats: i128 = 67_499; // (36000 - 1) s / (1600 ms / 3), the last before the end
    let exact: Vec<i64> =
        (0..beats).map(|k| 1_000_000_000 + nearest(k * 1_600_000_000, 3)).collect();
    let third = played.onsets(Pacing, "third");
    assert_onsets(&third, &exact);
    let whole = played.onsets(Pacing, "whole");
    assert_eq!(whole.len(), 22_500);
    assert!(whole.iter().zip(third.iter().step_by(3)).all(|(a, b)| a == b));
    assert!(played.onsets(Pacing, "half").iter().step_by(2).eq(whole.iter()));
}

#[test]
fn beats_at_140_bpm_are_rounded_once_each_for_ten_hours() {
    let text = "[pacing.m]\ntempo = \"140 bpm\"\n[[when]]\ntime = \"36000 s\"\nend = true";
    let found = trial(text).until(40_000).play().onsets(Pacing, "m");
    let exact: Vec<i64> =
        (0..83_998).map(|k| 1_000_000_000 + nearest(k * 60_000_000_000, 140)).collect();
    assert_onsets(&found, &exact);
}

#[test]
fn three_against_two_coincide_at_every_common_beat() {
    let played = trial(
        r#"
        [pacing.three]
        interval = "400 ms"
        tone = { note = 76, channel = 1 }
        [pacing.two]
        interval = "600 ms"
        tone = { note = 60, channel = 2 }
        [[when]]
        beat.two = 4
        end = true"#,
    )
    .play();
    played.expect(
        "1 pacing three 1 76/100@1 for 0.03
         1 pacing two 1 60/100@2 for 0.03
         1.4 pacing three 2 76/100@1 for 0.03
         1.6 pacing two 2 60/100@2 for 0.03
         1.8 pacing three 3 76/100@1 for 0.03
         2.2 pacing three 4 76/100@1 for 0.03
         2.2 pacing two 3 60/100@2 for 0.03
         2.6 pacing three 5 76/100@1 for 0.03
         2.8 trigger when-1 1
         2.8 end trigger <trigger1",
    );
}

#[test]
fn a_phase_shift_moves_its_beat_and_all_later_ones() {
    let lines = "interval = \"500 ms\"\n[[pacing.m.change]]\nat = 3\nphase_shift = \"50 ms\"";
    assert_eq!(millis_until(4, lines), [1000, 1500, 2050, 2550, 3050, 3550]);
}

#[test]
fn an_onset_shift_moves_its_beat_alone() {
    let lines = "interval = \"500 ms\"\n[[pacing.m.change]]\nat = [2, 4]\nonset_shift = \"-30 ms\"";
    assert_eq!(millis_until(4, lines), [1000, 1470, 2000, 2470, 3000, 3500]);
}

#[test]
fn shifts_of_one_beat_and_of_several_changes_add_up() {
    let lines = r#"
        interval = "500 ms"
        [[pacing.m.change]]
        at = [2, 5]
        phase_shift = "-40 ms"
        onset_shift = "15 ms"
        [[pacing.m.change]]
        at = 5
        onset_shift = "100 ms"
        [[pacing.m.change]]
        at = 6
        phase_shift = "7 ms""#;
    // Grid: 1000 1460 1960 2460 2920 3427 3927; beat 2 is 15 late, beat 5 115 late.
    assert_eq!(millis_until(4, lines), [1000, 1475, 1960, 2460, 3035, 3427, 3927]);
}

#[test]
fn the_first_beat_can_be_shifted_too() {
    let lines = "interval = \"500 ms\"\n[[pacing.m.change]]\nat = 1\nphase_shift = \"-250 ms\"";
    assert_eq!(millis_until(2, lines), [750, 1250, 1750]);
}

#[test]
fn no_shift_takes_the_first_beat_before_the_start_of_the_trial_or_its_tap() {
    let lines = "interval = \"500 ms\"\nstart = \"0 s\"\n\
                 [[pacing.m.change]]\nat = 1\nonset_shift = \"-100 ms\"";
    assert_eq!(millis_until(2, lines), [0, 500, 1000, 1500]);
    let text = "[pacing.m]\ninterval = \"500 ms\"\nstart = \"first tap\"\n\
                jitter = { uniform = [\"-20 ms\", \"-10 ms\"] }\n\
                [[when]]\nbeat = 2\nend = true";
    let played = trial(text).taps("1.2 .1 60 90").play();
    assert_eq!(played.onsets(Pacing, "m"), [ms(1200)]);
}

#[test]
fn a_new_interval_is_the_one_from_its_beat_to_the_next() {
    let lines = "interval = \"500 ms\"\n[[pacing.m.change]]\nat = 3\ninterval = \"550 ms\"";
    assert_eq!(millis_until(4, lines), [1000, 1500, 2000, 2550, 3100, 3650]);
}

#[test]
fn a_new_interval_over_five_beats_gets_there_in_five_equal_steps() {
    let lines =
        "interval = \"500 ms\"\n[[pacing.m.change]]\nat = 2\ninterval = \"550 ms\"\nover = 5";
    // Intervals after beat 2: 510 520 530 540 550 550.
    assert_eq!(millis_until(5, lines), [1000, 1500, 2010, 2530, 3060, 3600, 4150, 4700]);
}

#[test]
fn steps_that_are_no_whole_nanoseconds_are_exact_all_the_same() {
    let lines =
        "interval = \"500 ms\"\n[[pacing.m.change]]\nat = 2\ninterval = \"600 ms\"\nover = 3";
    // 533.3333.., 566.6666.., 600 ms: 1.5 s + 1.1 s is exact again.
    let expected = [1_000_000_000, 1_500_000_000, 2_033_333_333, 2_600_000_000, 3_200_000_000];
    assert_eq!(beats_until(4, lines)[..5], expected);
}

#[test]
fn a_change_in_the_course_of_another_begins_where_that_one_stands() {
    let lines = r#"
        interval = "500 ms"
        [[pacing.m.change]]
        at = 2
        interval = "600 ms"
        over = 4
        [[pacing.m.change]]
        at = 4
        interval = "350 ms"
        over = 2"#;
    // 500 | 525 550 | from 550: 450 350 350
    assert_eq!(millis_until(4, lines), [1000, 1500, 2025, 2575, 3025, 3375, 3725]);
}

#[test]
fn an_interval_step_adds_up_at_every_third_beat() {
    let lines = "interval = \"500 ms\"\n[[pacing.m.change]]\nevery = 3\ninterval_step = \"20 ms\"";
    // 500 500 | 520 520 520 | 540 540 540
    assert_eq!(millis_until(5, lines), [1000, 1500, 2000, 2520, 3040, 3560, 4100, 4640]);
}

#[test]
fn an_exponential_change_goes_in_equal_ratios() {
    let lines = "interval = \"400 ms\"\n[[pacing.m.change]]\nat = 1\ninterval = \"800 ms\"\n\
                 over = 2\nshape = \"exponential\"";
    // 400 ms x sqrt 2 = 565.685424949.. ms, then 800 ms.
    let expected = [1_000_000_000, 1_565_685_425, 2_365_685_425, 3_165_685_425];
    assert_eq!(beats_until(4, lines)[..4], expected);
}

#[test]
fn an_interval_set_at_a_beat_is_the_one_that_follows_it() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "500 ms"
        [[when]]
        beat = 3
        set.pacing.m.interval = "1600 ms / 3"
        [[when]]
        beat = 8
        set.pacing.m.tempo = "140 bpm"
        [[when]]
        time = "6 s"
        end = true"#,
    )
    .play();
    let third = |k: i128| 2_000_000_000 + nearest(k * 1_600_000_000, 3);
    // Beat 8 is 2 s + 5 x 1600/3 ms = 4666.66.. ms; then 140 bpm.
    let fast = |k: i128| nearest(4_666_666_666 * 21 + 14 + k * 9_000_000_000, 21);
    let mut expected = vec![ms(1000), ms(1500)];
    expected.extend((0..5).map(third));
    expected.extend((0..4).map(fast));
    assert_eq!(played.onsets(Pacing, "m"), expected);
}

#[test]
fn a_ramp_over_beats_reaches_a_third_of_1600_ms_exactly() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "500 ms"
        [[when]]
        beat = 2
        ramp.pacing.m.interval = { to = "1600 ms / 3", over = 2 }
        [[when]]
        time = "3000 s"
        end = true"#,
    )
    .play();
    // Beat 3 is at 1.5 s + (500 + 1600/3)/2 ms, then every 1600/3 ms.
    let beat = |k: i128| nearest(6 * 1_500_000_000 + 3_100_000_000 + k * 3_200_000_000, 6);
    let found = played.onsets(Pacing, "m");
    let expected: Vec<i64> = (0..found.len() as i128 - 2).map(beat).collect();
    assert_onsets(&found[2..], &expected);
    assert!(found.len() > 5_000);
}

#[test]
fn a_ramp_over_a_time_takes_the_interval_as_it_is_at_each_beat() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "500 ms"
        [[when]]
        beat = 3
        ramp.pacing.m.interval = { to = "700 ms", over = "1 s" }
        [[when]]
        time = "5 s"
        end = true"#,
    )
    .play();
    // At 2 s: 500; at 2.5 s, half way: 600; at 3.1 s and later: 700.
    let expected = [1000, 1500, 2000, 2500, 3100, 3800, 4500].map(ms);
    assert_eq!(played.onsets(Pacing, "m"), expected);
}

#[test]
fn a_tempo_reached_over_a_time_is_exact_from_then_on() {
    let played = trial(
        r#"
        [pacing.m]
        tempo = "120 bpm"
        [[when]]
        time = "1 s"
        ramp.pacing.m.tempo = { to = "140 bpm", over = "1 ms" }
        [[when]]
        time = "1000 s"
        end = true"#,
    )
    .play();
    // Beat 1 is at 1 s, where the ramp begins; beat 2 at 1.5 s has 140 bpm.
    let found = played.onsets(Pacing, "m");
    let beat = |k: i128| 1_500_000_000 + nearest(k * 60_000_000_000, 140);
    let expected: Vec<i64> = (0..found.len() as i128 - 1).map(beat).collect();
    assert_onsets(&found[1..], &expected);
}

#[test]
fn a_sinusoid_swings_the_intervals() {
    let lines = "interval = \"500 ms\"\nsinusoid = { amplitude = \"30 ms\", beats = 4 }";
    // Intervals 500 530 500 470, again and again.
    assert_eq!(millis_until(4, lines), [1000, 1500, 2030, 2530, 3000, 3500]);
}

#[test]
fn a_pattern_counts_rests_accents_and_takes_notes_and_channels_in_turn() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "250 ms"
        pattern = "xX. x"
        notes = [60, ["D4", 65], 64]
        channels = [1, 2]
        [[when]]
        beat = 8
        end = true"#,
    )
    .play();
    played.expect(
        "1 pacing m 1 60/100@1 for 0.03
         1.25 pacing m 2 62/127@2 for 0.03
         1.25 pacing m 2 65/127@2 for 0.03
         1.5 silent m 3 rest
         1.75 pacing m 4 60/100@2 for 0.03
         2 pacing m 5 62/100@1 for 0.03
         2 pacing m 5 65/100@1 for 0.03
         2.25 pacing m 6 64/127@2 for 0.03
         2.5 silent m 7 rest
         2.75 trigger when-1 1
         2.75 end trigger <trigger1",
    );
}

#[test]
fn an_accent_has_its_own_note_and_velocity() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "1 s"
        pattern = "Xx"
        accent = { note = "C6", velocity = 120 }
        beats = 3
        [[when]]
        time = "4 s"
        end = true"#,
    )
    .play();
    played.expect_of(
        "pacing",
        "1 pacing m 1 84/120@1 for 0.03
         2 pacing m 2 76/100@1 for 0.03
         3 pacing m 3 84/120@1 for 0.03",
    );
}

#[test]
fn a_stream_after_another_begins_where_that_would_have_gone_on() {
    let played = trial(
        r#"
        [pacing.first]
        interval = "1600 ms / 3"
        beats = 2
        [pacing.second]
        interval = "500 ms"
        start = { after = "first" }
        beats = 2
        [pacing.third]
        interval = "500 ms"
        start = { after = "second", delay = "250 ms" }
        beats = 1
        [[when]]
        time = "5 s"
        end = true"#,
    )
    .play();
    assert_eq!(played.onsets(Pacing, "first"), [1_000_000_000, 1_533_333_333]);
    assert_eq!(played.onsets(Pacing, "second"), [2_066_666_667, 2_566_666_667]);
    assert_eq!(played.onsets(Pacing, "third"), [3_316_666_667]);
}

#[test]
fn streams_begin_with_the_first_tap_and_a_delay_after_the_third() {
    let played = trial(
        r#"
        [pacing.with]
        interval = "400 ms"
        start = "first tap"
        beats = 3
        [pacing.later]
        interval = "1 s"
        start = { tap = 3, delay = "50 ms" }
        beats = 1
        [feedback.tone]
        [[when]]
        time = "3 s"
        end = true"#,
    )
    .taps("0.7 0.1 60 90\n 1.2 0.1 60 90\n 1.7 0.1 60 90")
    .play();
    played.expect_of(
        "pacing|feedback",
        "0.7 pacing with 1 76/100@1 for 0.03
         0.7 feedback tone 1 60/90@1 for 0.1 <tap1
         1.1 pacing with 2 76/100@1 for 0.03
         1.2 feedback tone 2 60/90@1 for 0.1 <tap2
         1.5 pacing with 3 76/100@1 for 0.03
         1.7 feedback tone 3 60/90@1 for 0.1 <tap3
         1.75 pacing later 1 76/100@1 for 0.03",
    );
}

#[test]
fn a_list_of_onsets_is_played_once_and_can_be_shifted() {
    let lines = r#"
        onsets = ["0 s", "600 ms", "1.1 s", "1.9 s"]
        start = "500 ms"
        [[pacing.m.change]]
        at = 2
        phase_shift = "10 ms"
        [[pacing.m.change]]
        at = 3
        onset_shift = "-100 ms""#;
    assert_eq!(millis_until(5, lines), [500, 1110, 1510, 2410]);
}

#[test]
fn a_silent_stream_counts_on_and_sounds_again_in_place() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "500 ms"
        audible = false
        [[when]]
        beat = 3
        set.pacing.m.audible = true
        [[when]]
        beat = 5
        end = true"#,
    )
    .play();
    played.expect(
        "1 silent m 1 inaudible
         1.5 silent m 2 inaudible
         2 trigger when-1 1
         2 pacing m 3 76/100@1 for 0.03
         2.5 pacing m 4 76/100@1 for 0.03
         3 trigger when-2 2
         3 end trigger <trigger2",
    );
}

#[test]
fn a_tone_longer_than_the_interval_ends_where_the_next_begins() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "500 ms"
        tone = { duration = "700 ms" }
        beats = 3
        [[when]]
        time = "5 s"
        end = true"#,
    )
    .play();
    played.expect_of(
        "pacing",
        "1 pacing m 1 76/100@1 for 0.5
         1.5 pacing m 2 76/100@1 for 0.5
         2 pacing m 3 76/100@1 for 0.7",
    );
}

#[test]
fn the_same_note_on_two_outputs_or_channels_is_two_notes() {
    let played = trial(
        r#"
        [output.left]
        [output.right]
        [pacing.a]
        interval = "500 ms"
        tone = { duration = "300 ms" }
        beats = 1
        output = "left"
        [pacing.b]
        interval = "500 ms"
        start = "1.1 s"
        beats = 1
        output = "right"
        [pacing.c]
        interval = "500 ms"
        start = "1.1 s"
        beats = 1
        output = "left"
        tone = { channel = 2 }
        [[when]]
        time = "5 s"
        end = true"#,
    )
    .play();
    played.expect_of(
        "pacing",
        "1 pacing a 1 76/100@1>left for 0.3
         1.1 pacing b 1 76/100@1>right for 0.03
         1.1 pacing c 1 76/100@2>left for 0.03",
    );
}

#[test]
fn a_rule_starts_and_stops_a_stream_at_its_instant() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "400 ms"
        start = "when started"
        [[when]]
        time = "700 ms"
        start = "m"
        [[when]]
        beat = 3
        stop = "m"
        [[when]]
        time = "3 s"
        end = true"#,
    )
    .play();
    played.expect(
        "0.7 trigger when-1 1
         0.7 pacing m 1 76/100@1 for 0.03
         1.1 pacing m 2 76/100@1 for 0.03
         1.5 trigger when-2 2
         3 trigger when-3 3
         3 end trigger <trigger3",
    );
}

#[test]
fn a_stream_that_is_started_again_plays_its_changes_again() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "500 ms"
        beats = 4
        [[pacing.m.change]]
        at = 2
        phase_shift = "50 ms"
        [[pacing.m.change]]
        at = 3
        interval = "300 ms"
        [[when]]
        time = "4 s"
        start = "m"
        [[when]]
        time = "7 s"
        end = true"#,
    )
    .play();
    let once = [0, 550, 1050, 1350];
    let expected: Vec<i64> = [1000, 4000].iter().flat_map(|s| once.map(|t| ms(s + t))).collect();
    assert_eq!(played.onsets(Pacing, "m"), expected);
}

#[test]
fn what_a_rule_set_holds_when_the_stream_is_started_again() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "500 ms"
        beats = 2
        [[when]]
        time = "3 s"
        set.pacing.m.interval = "300 ms"
        start = "m"
        [[when]]
        time = "5 s"
        end = true"#,
    )
    .play();
    assert_eq!(played.onsets(Pacing, "m"), [1000, 1500, 3000, 3300].map(ms));
}

#[test]
fn jitter_of_onsets_stays_in_its_bounds_and_leaves_the_grid_alone() {
    let lines = "interval = \"500 ms\"\njitter = { uniform = [\"-20 ms\", \"30 ms\"] }";
    let found = beats_until(200, lines);
    let off: Vec<i64> = found.iter().zip(0..).map(|(at, k)| at - ms(1_000 + 500 * k)).collect();
    assert!(off.iter().all(|off| (ms(-20)..=ms(30)).contains(off)), "{off:?}");
    assert!(off.iter().any(|off| *off < ms(-15)) && off.iter().any(|off| *off > ms(25)));
}

#[test]
fn jitter_of_intervals_adds_up() {
    let lines = "interval = \"500 ms\"\njitter = { normal = \"20 ms\", moves = \"interval\" }";
    let found = beats_until(300, lines);
    let intervals: Vec<i64> = found.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(intervals.iter().all(|i| (ms(440)..=ms(560)).contains(i)), "{intervals:?}");
    let strays = found.iter().zip(0..).any(|(at, k)| (at - ms(1_000 + 500 * k)).abs() > ms(60));
    assert!(strays, "a random walk leaves the bounds of one step");
}

#[test]
fn shifts_at_drawn_beats_keep_their_distances() {
    let lines = r#"
        interval = "500 ms"
        [[pacing.m.change]]
        every = { from = 8, to = 12 }
        after = 20
        onset_shift = "50 ms""#;
    let found = beats_until(500, lines);
    let late = |(at, k): (&i64, i64)| (*at == ms(1_050 + 500 * k)).then_some(k + 1);
    let shifted: Vec<i64> = found.iter().zip(0..).filter_map(late).collect();
    assert!((28..=32).contains(&shifted[0]), "{shifted:?}");
    assert!(shifted.windows(2).all(|pair| (8..=12).contains(&(pair[1] - pair[0]))));
    assert!(shifted.len() > 70);
}

#[test]
fn a_stream_takes_its_interval_from_the_participants_own_taps() {
    let text = r#"
        [pacing.m]
        interval = { from_taps = [2, 5] }
        start = { tap = 5, delay = "one interval" }
        beats = 4
        [[when]]
        time = "10 s"
        end = true"#;
    // From tap 2 at 1.1 s to tap 5 at 2.1 s: a third of a second, exactly.
    let taps =
        "0.1 0.01 60 9\n1.1 0.01 60 9\n1.4 0.01 60 9\n1.8 0.01 60 9\n2.1 0.01 60 9\n2.2 0.01 60 9";
    let played = trial(text).taps(taps).play();
    let expected: Vec<i64> =
        (1..=4).map(|k| nearest(2_100_000_000 * 3 + k * 1_000_000_000, 3)).collect();
    assert_onsets(&played.onsets(Pacing, "m"), &expected);
}

#[test]
fn own_tempo_follows_one_input_and_may_be_set_afterwards() {
    let text = r#"
        [input.left]
        [input.right]
        [pacing.m]
        interval = { from_taps = [1, 2], input = "right" }
        start = { tap.right = 3 }
        [[when]]
        beat = 3
        set.pacing.m.interval = "250 ms"
        [[when]]
        beat = 5
        end = true"#;
    let taps = "1 0.01 60 9 1 right\n1.2 0.01 60 9 1 left\n1.6 0.01 60 9 1 right\n1.7 0.01 60 9 1 left\n3 0.01 60 9 1 right";
    let played = trial(text).taps(taps).play();
    assert_onsets(&played.onsets(Pacing, "m"), &[ms(3_000), ms(3_600), ms(4_200), ms(4_450)]);
}

#[test]
fn taps_that_come_at_once_give_no_interval_below_a_millisecond() {
    let text = "[pacing.m]\ninterval = { from_taps = [1, 3] }\nstart = { tap = 3 }\nbeats = 3\n\
                [[when]]\ntime = \"5 s\"\nend = true";
    let taps = "1 0.01 60 9\n1 0.01 61 9\n1 0.01 62 9";
    let played = trial(text).taps(taps).play();
    assert_onsets(&played.onsets(Pacing, "m"), &[ms(1_000), ms(1_001), ms(1_002)]);
}

#[test]
fn an_accent_with_a_note_of_its_own_sounds_that_where_steps_have_notes() {
    let played = trial(
        r#"
        [pacing.m]
        interval = "1 s"
        pattern = "Xx"
        notes = [["C4", "E4"], "G4"]
        accent = { note = "C6" }
        [[when]]
        beat = 3
        end = true"#,
    )
    .play();
    played.expect_of(
        "pacing",
        "1 pacing m 1 84/127@1 for 0.03
         2 pacing m 2 67/100@1 for 0.03",
    );
}

#[test]
fn a_tempo_ramp_steps_the_interval_over_beats_and_the_tempo_over_time() {
    let ramp = |over: &str| {
        let text = format!(
            "[pacing.m]\ninterval = \"1 s\"\n[[when]]\nbeat = 1\n\
             ramp.pacing.m.tempo = {{ to = \"120 bpm\", over = {over} }}\n\
             [[when]]\nbeat = 4\nend = true"
        );
        trial(&text).play().onsets(Pacing, "m")
    };
    // 60 to 120 bpm: over two beats 1000, 750, 500 ms. Over 2 s, at 1 s from its beginning, 90 bpm.
    assert_eq!(ramp("2"), [1_000, 1_750, 2_250].map(ms));
    assert_eq!(ramp("\"2 s\""), [1_000_000_000, 2_000_000_000, 2_666_666_667]);
}

/// Onsets of the beats of the stream `m` in a trial with these lines besides.
fn beats_of_m(lines: &str) -> Vec<i64> {
    let text = format!("[pacing.m]\ninterval = \"500 ms\"\n{lines}");
    trial(&text).taps("2 .1 60 90").play().named(Pacing, "m").map(|row| row.onset.0).collect()
}

#[test]
fn a_ramp_that_begins_before_the_stream_goes_from_what_the_interval_has_come_to_by_then() {
    // 500 ms at 0 s, 300 ms at 2 s; so 400 ms at 1 s, from which the second goes to 800 ms at 5 s.
    let ramps = "[[when]]\ntime = \"0 s\"\nramp.pacing.m.interval = { to = \"300 ms\", over = \"2 s\" }\n\
                 [[when]]\ntime = \"1 s\"\nramp.pacing.m.interval = { to = \"800 ms\", over = \"4 s\" }\n\
                 [[when]]\ntime = \"4 s\"\nend = true";
    let at = beats_of_m(&format!("start = \"3 s\"\n{ramps}"));
    assert_eq!(at[..2], [ms(3_000), ms(3_600)]);
    // The same over beats: 400, then by steps of 200 ms.
    let over_beats = ramps.replace("\"4 s\" }", "2 }");
    let at = beats_of_m(&format!("start = \"2 s\"\n{over_beats}"));
    assert_eq!(at[..3], [ms(2_000), ms(2_600), ms(3_400)]);
    // One interval after the tap at 2 s, in mid-ramp: 300 ms + a quarter of 4 s.
    let begun = "start = { tap = 1, delay = \"one interval\" }\n\
                 [[when]]\ntime = \"1 s\"\nramp.pacing.m.interval = { to = \"900 ms\", over = \"4 s\" }\n\
                 [[when]]\ntime = \"3 s\"\nend = true";
    assert_eq!(beats_of_m(begun)[0], ms(2_600));
}

#[test]
fn a_ramp_that_begins_between_two_runs_goes_from_the_interval_of_the_next() {
    // The change of the first run makes its interval 400 ms; the next begins with 500 ms again.
    let runs = |over: &str| {
        beats_of_m(&format!(
            "start = \"0 s\"\nbeats = 3\n[[pacing.m.change]]\nat = 1\ninterval_step = \"-100 ms\"\n\
             [[when]]\ntime = \"2 s\"\nramp.pacing.m.interval = {{ to = \"900 ms\", over = {over} }}\n\
             [[when]]\ntime = \"3 s\"\nstart = \"m\"\n[[when]]\ntime = \"5 s\"\nend = true"
        ))
    };
    // Over four beats: 600 and 700 ms, each less the step of 100 ms. Over 4 s: 600 at 3 s, 650 at 3.5 s.
    assert_eq!(runs("4")[3..], [3_000, 3_500, 4_100].map(ms));
    assert_eq!(runs("\"4 s\"")[3..], [3_000, 3_500, 4_050].map(ms));
}
