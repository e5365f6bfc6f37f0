//! Pacing that follows the taps: rule 8 of the trial file, with corrections worked
//! out by hand.

use chronotap_data::record::TrialType::Pacing;
use chronotap_testkit_simulate::times::{assert_onsets, ms, nearest};
use chronotap_testkit_simulate::trial::trial;

/// Onsets in nanoseconds of a partner at 500 ms with this `adapt`, for taps at
/// these times in seconds.
fn partner(adapt: &str, taps: &[&str]) -> Vec<i64> {
    partner_at("500 ms", adapt, taps)
}

fn partner_at(interval: &str, adapt: &str, taps: &[&str]) -> Vec<i64> {
    let text = format!(
        "[pacing.m]\ninterval = \"{interval}\"\nadapt = {{ {adapt} }}\n\
         [[when]]\ntime = \"5 s\"\nend = true"
    );
    let presses: String = taps.iter().map(|at| format!("{at} 0.001 60 90\n")).collect();
    trial(&text).taps(&presses).play().onsets(Pacing, "m")
}

#[test]
fn early_late_missing_and_double_taps_correct_the_next_beat_by_a_quarter() {
    // Beat 1 at 1 s, 40 ms early: 1.5 s - 10 ms. Beat 2 at 1.49, 20 ms late:
    // 1.99 s + 5 ms. Beat 3 at 1.995, no tap. Beat 4 at 2.495, taps 50 ms early and
    // 20 ms late: the nearer counts, 2.995 s + 5 ms. Beat 5 at 3 s, no tap.
    let found = partner("phase = 0.25", &["0.96", "1.51", "2.445", "2.515"]);
    let expected = [1_000, 1_490, 1_995, 2_495, 3_000, 3_500, 4_000, 4_500];
    assert_eq!(found, expected.map(ms));
}

#[test]
fn a_tap_exactly_half_an_interval_away_counts_on_either_side() {
    // Beat 1 at 1 s, tap at 1.25 s: A = 250 ms, beat 2 at 1.5625 s. A tap at 1.3125 s
    // is 250 ms before it: beat 3 at 2.0625 - 0.0625 s.
    let found = partner("phase = 0.25", &["1.25", "1.3125"]);
    assert_eq!(found[..3], [1_000_000_000, 1_562_500_000, 2_000_000_000]);
}

#[test]
fn a_tap_a_nanosecond_further_belongs_to_the_next_beat() {
    // 249,999,999 ns before beat 2: a quarter of it is 62,499,999.75.
    let found = partner("phase = 0.25", &["1.250000001"]);
    assert_eq!(found[..3], [1_000_000_000, 1_500_000_000, 1_937_500_000]);
}

#[test]
fn a_tap_before_the_first_beat_counts() {
    let found = partner("phase = 0.25", &["0.8"]);
    assert_eq!(found[..2], [1_000_000_000, 1_450_000_000]);
    let too_early = partner("phase = 0.25", &["0.7"]);
    assert_eq!(too_early[..2], [1_000_000_000, 1_500_000_000]);
}

#[test]
fn of_two_taps_equally_near_the_earlier_counts() {
    let found = partner("phase = 0.5", &["0.9", "1.1"]);
    assert_eq!(found[..2], [1_000_000_000, 1_450_000_000]);
}

#[test]
fn the_nearest_tap_counts_however_many_follow_it() {
    let taps: Vec<String> = (0..20).map(|k| format!("1.{}", 10 + k)).collect();
    let taps: Vec<&str> = taps.iter().map(String::as_str).collect(); // 1.10 to 1.29
    // A = 100 ms for beat 1.
    assert_eq!(partner("phase = 1.0", &taps)[1], 1_600_000_000);
}

#[test]
fn at_most_bounds_the_phase_correction_to_either_side() {
    // A = 250 ms, so 62.5 ms, bounded to 20; then A = -180 ms, so -45, bounded.
    let found = partner("phase = 0.25, at_most = \"20 ms\"", &["1.25", "1.34"]);
    assert_eq!(found[..3], [1_000_000_000, 1_520_000_000, 2_000_000_000]);
}

#[test]
fn period_correction_changes_the_interval_for_good() {
    // A = 30: 503. Beat 2 at 1.503, tap 50 before: 498. Beat 3 at 2.001; 2.499; ...
    let found = partner("period = 0.1", &["1.03", "1.453"]);
    let expected = [1_000, 1_503, 2_001, 2_499, 2_997, 3_495, 3_993, 4_491, 4_989];
    assert_eq!(found, expected.map(ms));
}

#[test]
fn phase_and_period_add_up_and_at_most_bounds_the_phase_alone() {
    // A = 30: interval 503, phase 7.5: beat 2 at 1.5105; then 503 each.
    let found = partner("phase = 0.25, period = 0.1", &["1.03"]);
    assert_eq!(found[..3], [1_000_000_000, 1_510_500_000, 2_013_500_000]);
    let found = partner("phase = 0.25, period = 0.1, at_most = \"2 ms\"", &["1.03"]);
    assert_eq!(found[..3], [1_000_000_000, 1_505_000_000, 2_008_000_000]);
}

#[test]
fn within_bounds_the_interval() {
    let found = partner("period = 0.5, within = [\"490 ms\", \"505 ms\"]", &["1.03", "1.4"]);
    // 515 is kept at 505; A = -105 ms would make 452.5, kept at 490.
    assert_eq!(found[..4], [1_000, 1_505, 1_995, 2_485].map(ms));
}

#[test]
fn results_are_the_nearest_nanosecond() {
    // 533,333,333.33.. + 0.1 x 4 = 533,333,333.73..: rounded once, up.
    let found = partner_at("1600 ms / 3", "period = 0.1", &["1.000000004"]);
    assert_eq!(found[..2], [1_000_000_000, 1_533_333_334]);
    // A quarter of 30,000,001 ns is 7,500,000.25; of 30,000,002 it is ..0.5, up.
    assert_eq!(partner("phase = 0.25", &["1.030000001"])[1], 1_507_500_000);
    assert_eq!(partner("phase = 0.25", &["1.030000002"])[1], 1_507_500_001);
}

#[test]
fn a_partner_follows_only_its_own_input_and_only_accepted_taps() {
    let text = r#"
        [input.pad]
        debounce = "100 ms"
        [input.other]
        [pacing.m]
        interval = "500 ms"
        adapt = { to = "pad", phase = 0.5 }
        [[when]]
        time = "3 s"
        end = true"#;
    // The tap at 1.02 s comes from the other input; that at 1.01 s is debounced.
    let taps = "0.92 .01 60 90 1 pad\n 1.01 .01 60 90 1 pad\n 1.02 .01 60 90 1 other";
    let found = trial(text).taps(taps).play().onsets(Pacing, "m");
    assert_eq!(found[..2], [1_000_000_000, 1_460_000_000]);
}

#[test]
fn a_rule_sets_and_ramps_the_corrections() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        adapt = { phase = 0.0 }
        [[when]]
        beat = 2
        set.pacing.m.adapt.phase = 1.0
        [[when]]
        beat = 4
        ramp.pacing.m.adapt.phase = { to = 0.0, over = "1 s" }
        [[when]]
        time = "5 s"
        end = true"#;
    let taps = "1.1 .01 60 90\n 1.6 .01 60 90\n 3.2 .01 60 90";
    // Beat 2 at 1.5, A = 100: beat 3 at 2.1; beat 4 at 2.6; beat 5 at 3.1, where the
    // ramp of one second from beat 4 is half way: A = 100, so 50: beat 6 at 3.65.
    let found = trial(text).taps(taps).play().onsets(Pacing, "m");
    assert_eq!(found[..6], [1_000, 1_500, 2_100, 2_600, 3_100, 3_650].map(ms));
}

#[test]
fn a_correction_that_is_set_holds_for_the_next_and_one_that_is_ramped_has_its_value_at_the_beat() {
    // Beat 2 at 1.5 s, the tap 100 ms later, the rule at 1.7 s, the decision at 1.75 s.
    let third = |act: &str, ramped: &str| {
        let text = format!(
            "[pacing.m]\ninterval = \"500 ms\"\nadapt = {{ phase = 0.0 }}\n{ramped}\
             [[when]]\ntime = \"1.7 s\"\n{act}\n[[when]]\ntime = \"3 s\"\nend = true"
        );
        trial(&text).taps("1.6 .01 60 90").play().onsets(Pacing, "m")[2]
    };
    let set = "set.pacing.m.adapt.phase = 1.0";
    assert_eq!(third(set, ""), ms(2_100));
    let ramp = "ramp.pacing.m.adapt.phase = { to = 1.0, over = \"1 ms\" }";
    assert_eq!(third(ramp, ""), ms(2_000), "at beat 2 it had not begun");
    let ramped = "[[when]]\ntime = \"0.5 s\"\n\
                  ramp.pacing.m.adapt.phase = { to = 0.5, over = \"2 s\" }\n";
    assert_eq!(third("mark = \"none\"", ramped), ms(2_025), "a quarter at 1.5 s");
    assert_eq!(third(set, ramped), ms(2_100), "what is set ends the ramp");
}

#[test]
fn perturbations_of_a_partner_are_heard_as_they_are() {
    // Beat 2 alone is 30 ms late; a tap with it has no asynchrony. Beat 4 and all
    // later ones are 50 ms later; a tap 50 ms before it has A = -50.
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        adapt = { phase = 0.5 }
        [[pacing.m.change]]
        at = 2
        onset_shift = "30 ms"
        [[pacing.m.change]]
        at = 4
        phase_shift = "50 ms"
        [[when]]
        time = "4 s"
        end = true"#;
    let found = trial(text).taps("1.53 .01 60 90\n 2.5 .01 60 90").play().onsets(Pacing, "m");
    assert_eq!(found[..5], [1_000, 1_530, 2_000, 2_550, 3_025].map(ms));
}

#[test]
fn a_beat_is_never_late_because_it_was_decided_late() {
    // A = -100 ms and a shift of -180 ms: 1.22 s, before the decision at 1.25 s.
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        adapt = { phase = 1.0 }
        [[pacing.m.change]]
        at = 2
        onset_shift = "-180 ms"
        [[when]]
        time = "2 s"
        end = true"#;
    let found = trial(text).taps("0.9 .01 60 90").play().onsets(Pacing, "m");
    assert_eq!(found[..2], [1_000, 1_250].map(ms));
}

#[test]
fn a_partner_of_two_tappers_follows_the_mean_of_their_asynchronies_by_their_weights() {
    let text = "[input.left]\n[input.right]\n[pacing.m]\ninterval = \"500 ms\"\n\
                adapt = { to = [\"left\", \"right\"], weights = [3, 1], phase = 0.5 }\n\
                [[when]]\ntime = \"3 s\"\nend = true";
    // Beat 1 at 1 s: 40 ms late and 40 ms early, mean 20 ms. Beat 2 at 1.51 s: the right one
    // alone, 40 ms early. Beat 3 at 1.99 s: nobody.
    let taps = "0.96 .1 60 90 1 right\n 1.04 .1 60 90 1 left\n 1.47 .1 60 90 1 right";
    let found = trial(text).taps(taps).play().onsets(Pacing, "m");
    assert_eq!(found[..4], [1_000, 1_510, 1_990, 2_490].map(ms));
}

#[test]
fn a_partner_follows_an_octet() {
    let names: Vec<String> = (1..=8).map(|n| format!("p{n}")).collect();
    let inputs: String = names.iter().map(|name| format!("[input.{name}]\n")).collect();
    let text = format!(
        "{inputs}[pacing.m]\ninterval = \"500 ms\"\nadapt = {{ to = {names:?}, phase = 0.5 }}\n\
         [[when]]\ntime = \"3 s\"\nend = true"
    );
    // Beat 1 at 1 s: 10, 20, ... 80 ms late, mean 45 ms; half of it is 22.5 ms.
    let taps: Vec<String> =
        (1..=8).map(|n| format!("{:.2} .1 60 90 1 p{n}", 1.0 + 0.01 * f64::from(n))).collect();
    let found = trial(&text).taps(&taps.join("\n")).play().onsets(Pacing, "m");
    assert_eq!(found[1] - found[0], ms(500) + 22_500_000);
}

#[test]
fn a_partner_that_anticipates_comes_where_the_next_tap_is_expected() {
    // The tapper speeds up by 20 ms an interval: 1.00, 1.48, 1.94. The partner does not correct;
    // its beats are at 1.0, 1.5, 2.0 s. After the third tap the next is expected at 2.38 s, and
    // half of the way there from 2.5 s is 2.44 s.
    let found = partner("anticipate = 0.5", &["1.00", "1.48", "1.94"]);
    assert_eq!(found[..4], [1_000, 1_500, 2_000, 2_440].map(ms));
    let wholly = partner("anticipate = 1.0", &["1.00", "1.48", "1.94"]);
    assert_eq!(wholly[3], ms(2_380));
    // The last interval again, 460 ms, is expected at 2.40 s; a quarter of the change at 2.395 s.
    let tracking = partner("anticipate = 1.0, extrapolate = 0.0", &["1.00", "1.48", "1.94"]);
    assert_eq!(tracking[3], ms(2_400));
    let mixed = partner("anticipate = 1.0, extrapolate = 0.25", &["1.00", "1.48", "1.94"]);
    assert_eq!(mixed[3], ms(2_395));
}

#[test]
fn a_partner_is_adam_with_all_its_parameters() {
    // van der Steen and Keller (2013), as docs/trial-meaning.md has it: alpha 0.4, beta 0.1, gamma 0.5,
    // m 0.5. The taps are on beats 1 and 2 and 50 ms early at beat 3, at 1.95 s: its period becomes
    // 500 - 5 = 495 ms, adaptation plans 2.0 + 0.495 - 0.020 = 2.475 s. Intervals were 500 and
    // 450 ms: anticipation expects 1.95 + 0.450 - 0.025 = 2.375 s. The joint plan is midway.
    let adam = "phase = 0.4, period = 0.1, anticipate = 0.5, extrapolate = 0.5";
    let found = partner(adam, &["1.0", "1.5", "1.95"]);
    assert_eq!(found[..4], [1_000, 1_500, 2_000, 2_425].map(ms));
}

#[test]
fn an_interval_set_between_two_beats_holds_from_the_later_beat_on() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        adapt = { phase = 0.5 }
        [[when]]
        time = "1.1 s"
        set.pacing.m.interval = "300 ms"
        [[when]]
        time = "3 s"
        end = true"#;
    // The tap is 40 ms late: beat 2 comes at 1 s + 500 + 20 ms, and then every 300 ms.
    let found = trial(text).taps("1.04 .01 60 90").play().onsets(Pacing, "m");
    assert_eq!(found[..4], [1_000, 1_520, 1_820, 2_120].map(ms));
}

#[test]
fn a_partner_at_140_bpm_that_nobody_plays_with_does_not_drift_in_an_hour() {
    let text = "[pacing.m]\ntempo = \"140 bpm\"\nadapt = { phase = 0.25, period = 0.1 }\n\
                [[when]]\ntime = \"3600 s\"\nend = true";
    let found = trial(text).until(4_000).play().onsets(Pacing, "m");
    let exact: Vec<i64> =
        (0..8_398).map(|k| 1_000_000_000 + nearest(k * 60_000_000_000, 140)).collect();
    assert_onsets(&found, &exact);
}

#[test]
fn a_partner_that_is_started_anew_expects_nothing_from_the_beats_before() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        adapt = { anticipate = 1.0 }
        [[when]]
        time = "2.2 s"
        start = "m"
        [[when]]
        time = "4 s"
        end = true"#;
    let taps = "1.0 .01 60 90\n1.48 .01 60 90\n1.94 .01 60 90\n2.2 .01 60 90";
    let found = trial(text).taps(taps).play().onsets(Pacing, "m");
    assert_eq!(found[3..6], [2_200, 2_700, 3_200].map(ms));
}
