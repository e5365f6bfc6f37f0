//! The end of a trial: rule 6 of the trial file. Nothing is left sounding, nothing
//! that was due is lost from the data.

use chronotap_data::record::TrialType;
use chronotap_testkit_simulate::performers::control;
use chronotap_testkit_simulate::trial::trial;

#[test]
fn a_beat_that_ends_the_trial_is_not_played() {
    let text = "[pacing.m]\ninterval = \"500 ms\"\n[[when]]\nbeat = 3\nend = true";
    trial(text).play().expect(
        "1 pacing m 1 76/100@1 for 0.03
         1.5 pacing m 2 76/100@1 for 0.03
         2 trigger when-1 1
         2 end trigger <trigger1",
    );
}

#[test]
fn a_tap_that_ends_the_trial_is_recorded_and_not_answered() {
    let text = "[feedback.f]\ndelay = \"50 ms\"\n[[when]]\ntap = 2\nend = true";
    trial(text).taps("1 2 60 90\n 1.02 .01 62 90\n 1.03 .1 64 90").play().expect(
        "1 tap input 1 60/90@1
         1.02 tap input 2 62/90@1
         1.02 trigger when-1 1 <tap2
         1.02 end trigger <trigger1
         1.05 cancelled f 1 60/90@1 <tap1",
    );
}

#[test]
fn what_sounds_is_released_and_feedback_that_is_due_then_or_later_is_cancelled() {
    let text = r#"
        [feedback.now]
        [feedback.late]
        delay = "400 ms"
        channel = 2
        [feedback.later]
        delay = "1 s"
        channel = 3
        duration = "50 ms"
        [pacing.m]
        interval = "1 s"
        tone = { duration = "900 ms" }
        [masking.n]
        rate = "1 per s"
        start = "1.4 s"
        notes = 30
        velocity = { fixed = 60 }
        duration = "3 s"
        [[when]]
        time = "1.5 s"
        end = true"#;
    // Of tap 1, `late` sounds from 1.3 s; that of tap 2 is due at the end itself.
    trial(text).taps("0.9 5 60 90\n 1.1 .1 62 80").play().expect(
        "0.9 tap input 1 60/90@1
         0.9 feedback now 1 60/90@1 for 0.6 <tap1
         1 pacing m 1 76/100@1 for 0.5
         1.1 tap input 2 62/80@1 for 0.1
         1.1 feedback now 2 62/80@1 for 0.1 <tap2
         1.2 release input 62/64@1 <tap2
         1.3 feedback late 1 60/90@2 for 0.2 <tap1
         1.4 masking n 1 30/60@1 for 0.1
         1.5 trigger when-1 1
         1.5 cancelled late 2 62/80@2 <tap2
         1.5 end trigger <trigger1
         1.9 cancelled later 1 60/90@3 <tap1
         2.1 cancelled later 2 62/80@3 <tap2",
    );
}

#[test]
fn later_rules_of_the_last_instant_still_act() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        [[when]]
        beat = 2
        mark = "before"
        end = true
        [[when]]
        time = "1.5 s"
        mark = "after"
        [[when]]
        beat = 2
        play = { note = 60 }"#;
    trial(text).play().expect(
        "1 pacing m 1 76/100@1 for 0.03
         1.5 trigger when-1 1
         1.5 marker before 1 <trigger1
         1.5 trigger when-2 2
         1.5 marker after 2 <trigger2
         1.5 trigger when-3 3
         1.5 end trigger <trigger1",
    );
}

#[test]
fn a_trial_that_nothing_ends_runs_to_the_limit_it_is_given() {
    let played =
        trial("[pacing.m]\ninterval = \"700 ms\"\ntone = { duration = \"2 s\" }").until(2).play();
    played.expect(
        "1 pacing m 1 76/100@1 for 0.7
         1.7 pacing m 2 76/100@1 for 0.3
         2 end time limit",
    );
}

#[test]
fn the_limit_is_an_end_like_any_other_whatever_is_due_there() {
    let text = "[pacing.m]\ninterval = \"500 ms\"\n[feedback.f]\ndelay = \"100 ms\"";
    trial(text).taps("1.8 0 60 90\n 1.9 0 62 90\n 1.95 0 60 90").until(2).play().expect_of(
        "pacing m 3|feedback|cancelled|end",
        "1.9 feedback f 1 60/90@1 for 0 <tap1
         2 cancelled f 2 62/90@1 <tap2
         2 end time limit
         2.05 cancelled f 3 60/90@1 <tap3",
    );
}

#[test]
fn cancelled_tones_of_one_instant_stand_in_file_order() {
    let text = r#"
        [feedback.a]
        delay = "500 ms"
        duration = "50 ms"
        [feedback.b]
        delay = "500 ms"
        [[when]]
        time = "1.1 s"
        end = true"#;
    trial(text).taps("1 0 60 90").play().expect_of(
        "cancelled",
        "1.5 cancelled a 1 60/90@1 <tap1
         1.5 cancelled b 1 60/90@1 <tap1",
    );
}

#[test]
fn a_pedal_that_is_down_is_lifted() {
    let text = "[feedback.f]\nchannel = 3\n[[when]]\ntime = \"2 s\"\nend = true";
    let sent = vec![control(500, 1, 64, 127), control(600, 1, 64, 0), control(900, 1, 64, 90)];
    trial(text).messages(sent).play().expect_of(
        "control f",
        "0.5 control f b2407f <control
         0.6 control f b24000 <control
         0.9 control f b2405a <control
         2 control f b24000",
    );
}

#[test]
fn a_key_still_down_at_the_end_has_no_hold_time() {
    let text = "[feedback.f]\nduration = \"1 ms\"\n[[when]]\ntime = \"2 s\"\nend = true";
    let played = trial(text).taps("1.9 1 60 90").play();
    let tap = played.named(TrialType::Tap, "input").next().unwrap();
    assert_eq!((tap.duration, tap.release_achieved), (None, None));
}

#[test]
fn two_ends_of_one_instant_are_one_end_by_the_first() {
    let text = r#"
        [pacing.m]
        interval = "500 ms"
        [[when]]
        beat = 1
        end = true
        [[when]]
        time = "1 s"
        end = true"#;
    trial(text).play().expect(
        "1 trigger when-1 1
         1 trigger when-2 2
         1 end trigger <trigger1",
    );
}
