//! Simulated participants against the theory they are made of: the variances of
//! linear phase correction, the noise-free answers to perturbations, and what a
//! participant does when pacing starts, falls silent, or feedback is late.

use chronotap_config::trial_files::performers::{Model, SimulatedParticipant, Tappers};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::ActionKind;
use chronotap_engine::signal::{Heard, Performer, Sent};

const MS: i64 = 1_000_000;

fn tone(kind: ActionKind, number: u32, at: i64) -> Heard {
    let (note, velocity) = (U7::clamped(76), U7::clamped(100));
    let message = Message::NoteOn { channel: Channel::ONE, note, velocity };
    Heard { at: Nanos(at), kind, number, input: Some(0), output: 0, message: Some(message) }
}

/// Plays the beats (ns) to the performer until `end`, each tap answered by a feedback
/// tone after `delay`; what it sent.
fn play(performer: &mut dyn Performer, beats: &[i64], end: i64, delay: Option<i64>) -> Vec<Sent> {
    let mut coming: Vec<Heard> = beats
        .iter()
        .zip(1..)
        .map(|(at, number)| tone(ActionKind::Pacing(0), number, *at))
        .collect();
    coming.reverse();
    let mut sent = Vec::new();
    loop {
        let heard = coming.last().map(|heard| heard.at.0).unwrap_or(i64::MAX);
        let next = performer.next().map_or(i64::MAX, |at| at.0);
        if heard.min(next) >= end {
            return sent;
        }
        if heard <= next {
            coming.pop().into_iter().for_each(|heard| performer.hear(heard));
            continue;
        }
        let out = performer.send().unwrap();
        assert_eq!(out.at.0, next, "a message left at another time than announced");
        if let (Message::NoteOn { .. }, Some(delay)) = (out.message, delay) {
            let feedback = tone(ActionKind::Feedback(0), 0, out.at.0 + delay);
            let place = coming.partition_point(|other| other.at > feedback.at);
            coming.insert(place, feedback);
        }
        sent.push(out);
    }
}

fn presses(sent: &[Sent]) -> Vec<i64> {
    let pressed = sent.iter().filter(|sent| matches!(sent.message, Message::NoteOn { .. }));
    pressed.map(|sent| sent.at.0).collect()
}

fn isochronous(interval: i64, count: i64) -> Vec<i64> {
    (1..=count).map(|beat| beat * interval).collect()
}

fn model(spec: &str) -> Model {
    Model::from_spec(spec, &["input".to_string()]).unwrap()
}

/// Asynchronies, in ms, of taps to the beats from beat `from` (counted from 1) on,
/// tap for beat.
fn asynchronies(spec: &str, beats: &[i64], from: usize) -> Vec<f64> {
    let mut participant = SimulatedParticipant::new(model(spec), 1);
    let end = beats[beats.len() - 1] + 200 * MS;
    let taps = presses(&play(&mut participant, beats, end, None));
    let first = beats.len() - taps.len(); // the first taps answer beat `after + 1`
    let pairs = taps.iter().zip(&beats[first..]).skip(from - 1 - first);
    pairs.map(|(tap, beat)| (tap - beat) as f64 / 1e6).collect()
}

fn variance_and_lag_1(x: &[f64]) -> (f64, f64) {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    let cov1 = x.windows(2).map(|w| (w[0] - mean) * (w[1] - mean)).sum::<f64>() / n;
    (variance, cov1 / variance)
}

fn assert_near(got: &[f64], expected: &[f64], what: &str) {
    for (k, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((got - expected).abs() < 1e-4, "{what}, tap {k}: {got} ms, not {expected}");
    }
    assert!(got.len() >= expected.len(), "{what}: too few taps");
}

/// Stationary variance and lag-1 autocorrelation of asynchronies for clock SD 10 ms
/// and motor SD 5 ms: var A = (sT² + 2 alpha sM²) / (alpha (2 − alpha)), and
/// cov1 = (1 − alpha) var A − sM² (Vorberg & Wing 1996; Vorberg & Schulze 2002).
#[test]
fn asynchronies_have_the_variance_and_autocorrelation_of_linear_phase_correction() {
    for alpha in [0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5] {
        let spec = format!("steady, alpha = {alpha}, clock = 10 ms, motor = 5 ms");
        let found = asynchronies(&spec, &isochronous(500 * MS, 60_000), 100);
        let variance = (100.0 + 2.0 * alpha * 25.0) / (alpha * (2.0 - alpha));
        let lag_1 = (1.0 - alpha) - 25.0 / variance;
        let (got_variance, got_lag_1) = variance_and_lag_1(&found);
        let off = (got_variance / variance - 1.0).abs();
        assert!(off < 0.06, "alpha {alpha}: variance {got_variance} ms², not {variance}");
        assert!((got_lag_1 - lag_1).abs() < 0.02, "alpha {alpha}: r1 {got_lag_1}, not {lag_1}");
    }
}

#[test]
fn the_mean_asynchrony_is_the_one_aimed_at() {
    let found = asynchronies("tapper", &isochronous(500 * MS, 20_000), 10);
    let mean = found.iter().sum::<f64>() / found.len() as f64;
    let sd = variance_and_lag_1(&found).0.sqrt();
    assert!((mean + 30.0).abs() < 1.0, "mean {mean} ms");
    assert!((20.0..30.0).contains(&sd), "SD {sd} ms");
}

#[test]
fn a_poor_tapper_keeps_to_fast_beats_and_does_not_fall_into_a_multiple_of_them() {
    let beats = isochronous(300 * MS, 20_000);
    let mut participant = SimulatedParticipant::new(model("beginner, double = 0"), 1);
    let taps = presses(&play(&mut participant, &beats, 6_000_000 * MS, None));
    assert!((19_000..20_000).contains(&taps.len()), "{} taps", taps.len());
}

#[test]
fn a_phase_shift_is_corrected_by_half_of_what_remains() {
    let mut beats = isochronous(600 * MS, 30);
    beats[15..].iter_mut().for_each(|beat| *beat += 50 * MS);
    let found = asynchronies("steady", &beats, 14);
    assert_near(&found, &[0.0, 0.0, -50.0, -25.0, -12.5, -6.25, -3.125], "phase shift");
}

#[test]
fn a_single_shifted_onset_moves_the_next_tap_by_alpha_times_the_shift() {
    let mut beats = isochronous(600 * MS, 30);
    beats[15] += 50 * MS;
    let found = asynchronies("steady", &beats, 14);
    assert_near(&found, &[0.0, 0.0, -50.0, 25.0, 12.5, 6.25], "onset shift");
}

#[test]
fn a_tempo_step_is_followed_as_the_theory_says_with_and_without_period_correction() {
    let beats: Vec<i64> =
        (1..=40i64).map(|k| 600 * k - 50 * (k - 15).max(0)).map(|t| t * MS).collect();
    let without = asynchronies("steady", &beats, 15);
    assert_near(&without, &[0.0, 50.0, 75.0, 87.5, 93.75], "beta 0");
    assert!((without[without.len() - 1] - 100.0).abs() < 0.01, "steady asynchrony is d / alpha");
    let with = asynchronies("steady, beta = 0.2", &beats, 16);
    let expected =
        [50.0, 65.0, 59.5, 44.85, 28.555, 14.6965, 4.82795, -1.071915, -3.8074645, -4.4137464];
    assert_near(&with, &expected, "beta 0.2");
}

#[test]
fn tapping_goes_on_at_its_own_period_when_the_pacing_falls_silent() {
    let mut participant = SimulatedParticipant::new(model("steady"), 1);
    let taps = presses(&play(&mut participant, &isochronous(400 * MS, 10), 8_000 * MS, None));
    let expected: Vec<i64> = (4..20).map(|k| k * 400 * MS).collect();
    assert_eq!(taps, expected);
}

/// Wing & Kristofferson 1973: lag-0 and lag-1 autocovariance of intervals are
/// sC² + 2 sM² and −sM².
#[test]
fn continuation_intervals_have_the_two_levels_of_wing_and_kristofferson() {
    let spec = "steady, clock = 20 ms, motor = 8 ms";
    let mut participant = SimulatedParticipant::new(model(spec), 3);
    let taps = presses(&play(&mut participant, &isochronous(500 * MS, 5), 20_000_000 * MS, None));
    let intervals: Vec<f64> = taps.windows(2).map(|w| (w[1] - w[0]) as f64 / 1e6).collect();
    let (c0, r1) = variance_and_lag_1(&intervals[5..]);
    assert!((c0 / (400.0 + 128.0) - 1.0).abs() < 0.05, "variance {c0} ms²");
    assert!((r1 + 64.0 / 528.0).abs() < 0.02, "r1 {r1}");
}

#[test]
fn the_first_tap_answers_the_beat_after_those_waited_for() {
    for (after, first) in [(1, 1_000), (2, 1_500), (3, 2_000), (8, 4_500)] {
        let mut participant =
            SimulatedParticipant::new(model(&format!("steady, after = {after}")), 1);
        let taps = presses(&play(&mut participant, &isochronous(500 * MS, 20), 9_000 * MS, None));
        assert_eq!(taps[0], first * MS, "after {after}");
    }
}

#[test]
fn without_any_pacing_it_starts_by_itself() {
    let mut participant =
        SimulatedParticipant::new(model("steady, wait = 2 s, interval = 250 ms"), 1);
    let taps = presses(&play(&mut participant, &[], 3_000 * MS, None));
    assert_eq!(taps, [2_000 * MS, 2_250 * MS, 2_500 * MS, 2_750 * MS]);
}

#[test]
fn a_melody_begins_at_its_first_note_and_ends_after_its_last() {
    let mut participant = SimulatedParticipant::new(model("steady, note = C4 E4 G4, taps = 5"), 1);
    let sent = play(&mut participant, &isochronous(500 * MS, 20), 20_000 * MS, None);
    let notes = sent.iter().filter_map(|sent| match sent.message {
        Message::NoteOn { note, .. } => Some(note.get()),
        _ => None,
    });
    assert_eq!(notes.collect::<Vec<_>>(), [60, 64, 67, 60, 64]);
    assert_eq!(sent.len(), 10, "the last key is released too");
}

#[test]
fn late_feedback_makes_the_next_tap_late_by_its_share() {
    let mut participant = SimulatedParticipant::new(model("steady, feedback = 0.25"), 1);
    let taps =
        presses(&play(&mut participant, &isochronous(500 * MS, 3), 6_000 * MS, Some(80 * MS)));
    let taps = &taps[1..]; // the first still has the pacing
    assert!(taps.len() > 4);
    assert!(taps.windows(2).all(|w| w[1] - w[0] == 520 * MS), "{taps:?}");
}

/// Whatever phase and period correction do, the asynchrony that is aimed at moves by the share.
#[test]
fn in_synchronization_a_delay_moves_the_mean_asynchrony_by_its_share() {
    for correction in
        ["alpha = 0.5, beta = 0", "alpha = 0.3, beta = 0.2", "alpha = 0.9, beta = 0.05"]
    {
        for (share, delay) in [(-0.3, 60), (-0.3, 0), (0.25, 40), (-1.0, 30)] {
            let spec = format!("tapper, {correction}, paced_feedback = {share}");
            let mut participant = SimulatedParticipant::new(model(&spec), 5);
            let beats = isochronous(500 * MS, 2_000);
            let taps = presses(&play(&mut participant, &beats, 1_000_000 * MS, Some(delay * MS)));
            let paced = taps.iter().filter(|tap| (20_000 * MS..990_000 * MS).contains(*tap));
            let asynchrony = |tap: &i64| ((tap + 250 * MS) % (500 * MS) - 250 * MS) as f64 / 1e6;
            let all: Vec<f64> = paced.map(asynchrony).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let due = -30.0 + share * delay as f64;
            assert!((mean - due).abs() < 3.0, "{spec}, {delay} ms: {mean} and not {due}");
        }
    }
}

#[test]
fn feedback_of_others_does_not_put_off_a_tap_for_ever() {
    let mut participant =
        SimulatedParticipant::new(model("beginner, feedback = 0.5, double = 0"), 1);
    let mut taps = 0;
    for number in 1..=200u32 {
        let at = i64::from(number) * 400 * MS;
        while participant.next().is_some_and(|next| next.0 < at) {
            let sent = participant.send().unwrap();
            taps += usize::from(matches!(sent.message, Message::NoteOn { .. }));
        }
        participant.hear(tone(ActionKind::Pacing(0), number, at));
        for delay in [0, 100, 200, 300] {
            participant.hear(tone(ActionKind::Feedback(0), number, at + delay * MS));
        }
    }
    assert!(taps > 80, "{taps} taps to 200 beats");
}

#[test]
fn every_press_is_released_and_no_key_is_pressed_while_it_is_down() {
    let spec = "beginner, double = 0.3, miss = 0.2, hold = 400 ms, hold_sd = 150 ms, note = 60 62";
    let mut participant = SimulatedParticipant::new(model(spec), 9);
    let sent = play(&mut participant, &isochronous(450 * MS, 2_000), 900_000 * MS, None);
    let mut down = None;
    for one in &sent {
        match one.message {
            Message::NoteOn { note, velocity, .. } => {
                assert_eq!(
                    down.replace(note),
                    None,
                    "pressed while another was down at {}",
                    one.at
                );
                assert!(velocity.get() > 0);
            }
            Message::NoteOff { note, .. } => assert_eq!(down.take(), Some(note)),
            other => panic!("{other:?}"),
        }
    }
    assert!(sent.windows(2).all(|w| w[0].at <= w[1].at));
}

#[test]
fn doubled_taps_come_20_to_60_ms_later_and_missed_ones_not_at_all() {
    let beats = isochronous(500 * MS, 4_000);
    let mut participant = SimulatedParticipant::new(model("steady, double = 0.1, miss = 0.2"), 5);
    let taps = presses(&play(&mut participant, &beats, 2_000_000 * MS, None));
    let gaps: Vec<i64> = taps.windows(2).map(|w| w[1] - w[0]).collect();
    let doubled = gaps.iter().filter(|gap| (20 * MS..=60 * MS).contains(*gap)).count();
    assert!(gaps.iter().all(|gap| *gap <= 60 * MS || *gap >= 440 * MS));
    assert!((240..400).contains(&doubled), "{doubled} of about 320");
    let taps = taps.len() - doubled;
    assert!((3_100..3_300).contains(&taps), "{taps} of about 3200");
}

#[test]
fn the_same_seed_gives_the_same_taps_and_another_seed_others() {
    let beats = isochronous(500 * MS, 60);
    let mut participant = SimulatedParticipant::new(model("beginner"), 11);
    let first = play(&mut participant, &beats, 40_000 * MS, None);
    participant.reset(11);
    assert_eq!(play(&mut participant, &beats, 40_000 * MS, None), first);
    participant.reset(12);
    assert_ne!(play(&mut participant, &beats, 40_000 * MS, None), first);
}

#[test]
fn a_chord_counts_as_one_beat() {
    let mut participant = SimulatedParticipant::new(model("steady"), 1);
    for beat in 1..=3u32 {
        for _ in 0..3 {
            participant.hear(tone(ActionKind::Pacing(0), beat, i64::from(beat) * 500 * MS));
        }
    }
    assert_eq!(participant.next(), Some(Nanos::from_millis(2_000)));
}

#[test]
fn two_participants_tap_on_their_inputs_in_the_order_of_time() {
    let inputs = ["left".to_string(), "right".to_string()];
    let spec = "tapper, input = left; tapper, input = right, mean = 0 ms";
    let mut tappers = Tappers::from_spec(spec, &inputs, 1).unwrap();
    let sent = play(&mut tappers, &isochronous(500 * MS, 40), 20_200 * MS, None);
    assert!(sent.windows(2).all(|w| w[0].at <= w[1].at));
    let on =
        |input| presses(&sent.iter().filter(|s| s.input == input).copied().collect::<Vec<_>>());
    assert_eq!((on(0).len(), on(1).len()), (37, 37));
    assert_ne!(on(0), on(1));
}

#[test]
fn noise_that_grows_with_the_interval_has_the_variance_of_webers_law() {
    for interval in [300, 500, 900] {
        let spec = format!(
            "steady, clock = 8 ms, weber = 0.03, motor = 6 ms, interval = {interval} ms, wait = 0 ms"
        );
        let mut participant = SimulatedParticipant::new(model(&spec), 3);
        let taps = presses(&play(&mut participant, &[], 20_000 * interval * MS, None));
        let intervals: Vec<f64> = taps.windows(2).map(|w| (w[1] - w[0]) as f64 / 1e6).collect();
        let found = variance_and_lag_1(&intervals);
        let clock = 64.0 + (0.03 * interval as f64).powi(2);
        let variance = clock + 2.0 * 36.0;
        assert!(
            (found.0 / variance - 1.0).abs() < 0.05,
            "{interval} ms: {} for {variance}",
            found.0
        );
        assert!((found.1 + 36.0 / variance).abs() < 0.03, "{interval} ms: lag 1 {}", found.1);
    }
}

#[test]
fn feedback_delay_makes_taps_earlier_in_synchronization_and_slower_in_continuation() {
    let spec = "steady, feedback = 0.1, paced_feedback = -0.2";
    let mut participant = SimulatedParticipant::new(model(spec), 1);
    let beats = isochronous(500 * MS, 60);
    let taps = presses(&play(&mut participant, &beats, 60_000 * MS, Some(50 * MS)));
    // The share of the delay: -0.2 x 50 ms.
    let paced = taps.iter().filter(|tap| (20_000 * MS..29_900 * MS).contains(*tap));
    for tap in paced {
        let asynchrony = (tap + 250 * MS) % (500 * MS) - 250 * MS;
        assert!((asynchrony + 10 * MS).abs() < MS / 100, "{asynchrony}");
    }
    // Alone, each interval is longer by 0.1 x 50 ms.
    let alone: Vec<i64> = taps.into_iter().filter(|tap| *tap > 35_000 * MS).collect();
    assert!(alone.windows(2).all(|two| two[1] - two[0] == 505 * MS), "{:?}", &alone[..3]);
}
