//! What members of populations do besides linear correction, against answers worked out by hand: what grows with the
//! interval, changes that are noticed, trends, beats without tones, own tones, wrong keys, drifts, correction that is not
//! linear, missed taps.

use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::{Model, SimulatedParticipant, Tappers};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{ActionKind, Silence};
use chronotap_engine::signal::{Heard, Performer};

const MS: i64 = 1_000_000;

fn event(kind: ActionKind, number: u32, at: i64, note: i64) -> Heard {
    let (note, velocity) = (U7::clamped(note), U7::clamped(100));
    let message = Message::NoteOn { channel: Channel::ONE, note, velocity };
    let sounds = !matches!(kind, ActionKind::SilentBeat(..));
    Heard {
        at: Nanos(at),
        kind,
        number,
        input: Some(0),
        output: 0,
        message: sounds.then_some(message),
    }
}

/// The taps and their keys while all this is heard; with `own` each tap sounds at once, with this note.
fn play(performer: &mut dyn Performer, mut coming: Vec<Heard>, own: Option<i64>) -> Vec<(i64, u8)> {
    coming.sort_by_key(|heard| std::cmp::Reverse(heard.at));
    let mut taps = Vec::new();
    while let Some(heard) = coming.last().copied() {
        match performer.next().filter(|next| *next < heard.at) {
            None => {
                coming.pop();
                performer.hear(heard);
            }
            Some(_) => {
                let sent = performer.send().unwrap();
                let Message::NoteOn { note, .. } = sent.message else { continue };
                taps.push((sent.at.0, note.get()));
                if let Some(own) = own {
                    performer.hear(event(ActionKind::Feedback(0), 0, sent.at.0, own));
                }
            }
        }
    }
    taps
}

/// Beats at the ends of these intervals in ms, the first after the first.
fn beats(intervals: &[i64]) -> Vec<Heard> {
    let mut at = 0;
    let ends = intervals.iter().map(|interval| {
        at += interval * MS;
        at
    });
    ends.zip(1..).map(|(at, number)| event(ActionKind::Pacing(0), number, at, 76)).collect()
}

/// The last asynchronies in ms, of taps to the last beats but one, so that late taps are there, too.
fn last(spec: &str, intervals: &[i64], count: usize, own: Option<i64>) -> Vec<f64> {
    let model = Model::from_spec(spec, &[]).unwrap();
    let mut with_one_more = intervals.to_vec();
    with_one_more.push(400);
    let beats = beats(&with_one_more);
    let taps = play(&mut SimulatedParticipant::new(model, 1), beats.clone(), own);
    let of = |heard: &Heard| {
        let after = taps.partition_point(|(at, _)| *at < heard.at.0);
        let both = taps[after.saturating_sub(1)..].iter().take(2);
        let near = both.min_by_key(|(at, _)| (at - heard.at.0).abs()).unwrap();
        (near.0 - heard.at.0) as f64 / 1e6
    };
    beats[intervals.len() - count..intervals.len()].iter().map(of).collect()
}

fn assert_near(got: &[f64], expected: &[f64]) {
    let off = got.iter().zip(expected).map(|(got, expected)| (got - expected).abs());
    assert!(
        got.len() == expected.len() && off.fold(0.0, f64::max) < 1e-3,
        "{got:?}, not {expected:?}"
    );
}

fn sd(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / values.len() as f64).sqrt()
}

#[test]
fn the_mean_goes_with_the_square_of_the_interval_up_to_3_s() {
    // -30 - 8 (t² - 0.36) with t in seconds.
    for (interval, mean) in
        [(600, -30.0), (1200, -38.64), (300, -27.84), (3000, -99.12), (4000, -99.12)]
    {
        let found =
            last("steady, wait = 1 h, mean = -30 ms, mean_grows = -8 ms", &[interval; 12], 2, None);
        assert_near(&found, &[mean, mean]);
    }
}

#[test]
fn correction_grows_with_the_interval() {
    // At 1 s alpha is 0.5 + 0.25 · 0.4 = 0.6: of a shift 0.4 is left each time; at 600 ms the half.
    for (interval, left) in [(1000, [-50.0, -20.0, -8.0]), (600, [-50.0, -25.0, -12.5])] {
        let mut intervals = vec![interval; 15];
        intervals[12] += 50;
        assert_near(&last("steady, alpha_grows = 0.25", &intervals, 3, None), &left);
    }
}

#[test]
fn the_share_of_webers_law_grows_with_the_interval() {
    // At 1.2 s the clock's SD is (0.02 + 0.01 · 0.6) · 1200 = 31.2 ms; asynchronies have it over √0.75.
    let spec = "steady, weber = 0.02, weber_grows = 0.01";
    let found = sd(&last(spec, &[1200; 20_000], 19_000, None));
    assert!((found / 36.03 - 1.0).abs() < 0.03, "{found}");
}

#[test]
fn a_change_that_is_noticed_is_followed_at_once_and_a_smaller_one_by_phase_alone() {
    let step = |to: i64| [vec![600; 12], vec![to; 4]].concat();
    let spec = "steady, notice = 0.1, follow = 1";
    assert_near(&last(spec, &step(690), 4, None), &[-90.0, -45.0, -22.5, -11.25]);
    assert_near(&last(spec, &step(510), 4, None), &[90.0, 45.0, 22.5, 11.25]);
    assert_near(&last(spec, &step(630), 4, None), &[-30.0, -45.0, -52.5, -56.25]);
}

#[test]
fn a_trend_is_predicted_from_its_second_change_on() {
    let intervals = [vec![600; 12], vec![590, 580, 570, 560]].concat();
    let spec = "steady, anticipate = 1";
    assert_near(&last(spec, &intervals, 4, None), &[10.0, 25.0, 12.5, 6.25]);
    assert_near(&last("steady", &intervals, 4, None), &[10.0, 25.0, 42.5, 61.25]);
}

#[test]
fn where_taps_sound_they_are_later_by_what_is_stated() {
    let spec = "steady, heard = 10 ms, paced_feedback = 0";
    assert_near(&last(spec, &[600; 40], 1, Some(60)), &[10.0]);
    assert_near(&last(spec, &[600; 40], 1, None), &[0.0]);
}

const BETWEEN: &str = r#"
[input.pad]
[pacing.tones]
interval = "600 ms"
tone = { note = 76, channel = 10, velocity = 100, duration = "30 ms" }
answered_by = "none"
[pacing.between]
interval = "600 ms"
start = "300 ms"
audible = false
answered_by = "pad"
[[when]]
time = "60 s"
end = true
"#;

/// Asynchronies to beats every 600 ms that do not sound, with tones so long after them.
fn to_silent_beats(spec: &str, tones_after: i64, count: i64) -> Vec<f64> {
    let file = TrialFile::parse(BETWEEN, "between.toml").unwrap();
    let mut heard = Vec::new();
    for (number, beat) in (1..=count).map(|k| (k as u32, k * 600 * MS)) {
        heard.push(event(ActionKind::SilentBeat(1, Silence::Inaudible), number, beat, 0));
        heard.push(event(ActionKind::Pacing(0), number, beat + tones_after * MS, 76));
    }
    let taps = play(&mut Tappers::at_trial(spec, &file, 1).unwrap(), heard, None);
    let of = |(at, _): &(i64, u8)| {
        let beat = (at + 300 * MS).div_euclid(600 * MS) * 600 * MS;
        (at - beat) as f64 / 1e6
    };
    taps.iter().skip(20).map(of).collect()
}

#[test]
fn a_beat_without_a_tone_is_felt_with_noise_and_one_with_a_tone_is_not() {
    let spec = "steady, stream = 2, imagine = 0.05";
    // A' = A - α (A - ε), ε of 30 ms: the variance is α / (2 - α) · 900 = 300.
    let found = sd(&to_silent_beats(spec, 300, 20_000));
    assert!((found / 300f64.sqrt() - 1.0).abs() < 0.03, "{found}");
    assert!(to_silent_beats(spec, 1, 100).iter().all(|asynchrony| asynchrony.abs() < 1e-6));
}

#[test]
fn between_fast_tones_taps_slip_onto_them() {
    let last = |spec: &str| *to_silent_beats(spec, 290, 100).last().unwrap();
    // The tones are 290 ms after the beats.
    assert!((last("steady, stream = 2, slips_below = 601 ms") - 290.0).abs() < 0.01);
    assert!(last("steady, stream = 2, slips_below = 599 ms").abs() < 0.01);
}

/// The keys that are pressed in turn.
fn keys(spec: &str, own: Option<i64>) -> Vec<u8> {
    let model = Model::from_spec(spec, &[]).unwrap();
    let taps = play(&mut SimulatedParticipant::new(model, 1), beats(&[500; 6_000]), own);
    taps.into_iter().map(|(_, key)| key).collect()
}

#[test]
fn a_wrong_key_is_that_of_a_neighbour() {
    let planned = [60, 76, 67, 64];
    let found = keys("steady, note = 60 76 67 64, wrong = 0.2", None);
    let wrong = found.iter().zip((0..4).cycle()).filter(|(key, place)| **key != planned[*place]);
    let wrong: Vec<(&u8, usize)> = wrong.collect();
    // Four standard errors of a share of 0.2 of 6,000.
    assert!((wrong.len() as f64 / found.len() as f64 - 0.2).abs() < 0.021, "{}", wrong.len());
    for (key, place) in wrong {
        let neighbours = [planned[(place + 1) % 4], planned[(place + 3) % 4]];
        assert!(neighbours.contains(key), "{key} at {place}");
    }
}

#[test]
fn the_tone_of_a_neighbour_confuses_and_the_own_one_does_not() {
    // Every tap sounds as 76: that is the own key at 76, and that of a neighbour at 60 and 67.
    let found = keys("steady, note = 60 76 67, confuse = 1", Some(76));
    let after = |place: usize| found.iter().skip(3 + place).step_by(3).copied();
    assert!(after(2).all(|key| key == 67), "after 76");
    assert!(after(1).all(|key| key != 76) && after(0).all(|key| key != 60), "after 60 and 67");
}

const HANDS: &str = r#"
[input.left]
[input.right]
[pacing.left]
interval = "600 ms"
tone = { note = 60, channel = 10, velocity = 100, duration = "30 ms" }
answered_by = "left"
[pacing.right]
interval = "600 ms"
tone = { note = NOTE, channel = 10, velocity = 100, duration = "30 ms" }
answered_by = "right"
[[when]]
time = "60 s"
end = true
"#;

/// How far the taps of the two hands of an average adult are apart: the SD, with tones of this note for the right.
fn hands_apart(note: &str) -> f64 {
    let file = TrialFile::parse(&HANDS.replace("NOTE", note), "hands.toml").unwrap();
    let mut hands = Tappers::at_trial("adults", &file, 1).unwrap();
    let both =
        |k: u32| [0, 1].map(|of| event(ActionKind::Pacing(of), k, i64::from(k) * 600 * MS, 60));
    let taps = play(&mut hands, (1..=4_000).flat_map(both).collect(), None);
    let at =
        |beat: i64| taps.iter().map(|(at, _)| *at).filter(move |at| (at - beat).abs() < 200 * MS);
    let apart = (20..3_990).filter_map(|k| {
        let both: Vec<i64> = at(k * 600 * MS).collect();
        <[i64; 2]>::try_from(both).ok().map(|[first, second]| (second - first) as f64 / 1e6)
    });
    let apart: Vec<f64> = apart.collect();
    (apart.iter().map(|apart| apart * apart).sum::<f64>() / apart.len() as f64).sqrt()
}

#[test]
fn two_hands_stay_together_more_so_where_their_tones_are_one_stream() {
    let (one, two) = (hands_apart("60"), hands_apart("81"));
    // Without each other they would be √2 · SD apart, about 40 ms.
    assert!(one < 0.9 * two && two < 0.9 * 40.0, "{one} {two}");
}

/// The mean product of deviations from `mean` so many taps apart.
fn covariance(values: &[f64], mean: f64, lag: usize) -> f64 {
    let both = values.iter().zip(&values[lag..]).map(|(a, b)| (a - mean) * (b - mean));
    both.sum::<f64>() / (values.len() - lag) as f64
}

/// Drift D of 20 ms of which 0.9 is left with each tap (4.5 s of 4.5 s + 0.5 s), and half of each asynchrony
/// corrected: A' = A / 2 + D' / 2. The variance is 400 · 0.5 (1 + 0.45) / (1.5 (1 - 0.45)) = 351.5, and half the mean
/// square of a difference 1, 5 and 20 taps apart 12.1, 111.8 and 301.8: it goes on to rise where that of the noise of a
/// clock, of which half is left with each tap, has long been reached.
#[test]
fn a_slow_drift_lets_asynchronies_differ_the_more_the_further_they_are_apart() {
    let spec = "steady, drift = 20 ms, drifts_in = 4.5 s";
    let found = last(spec, &[500; 60_000], 59_900, None);
    let variance = covariance(&found, 0.0, 0);
    assert!((variance / 351.5 - 1.0).abs() < 0.06, "{variance}");
    for (lag, expected) in [(1, 12.1), (5, 111.8), (20, 301.8)] {
        let half = variance - covariance(&found, 0.0, lag);
        assert!((half / expected - 1.0).abs() < 0.07, "{lag}: {half}, not {expected}");
    }
}

#[test]
fn a_drift_is_there_from_the_first_tap_and_is_none_without_beats() {
    let first = |seed: u64| {
        let model = Model::from_spec("steady, after = 1, interval = 500 ms, drift = 20 ms", &[]);
        let mut one = SimulatedParticipant::new(model.unwrap(), seed);
        play(&mut one, beats(&[500; 3]), None)[0].0 as f64 / 1e6 - 1000.0
    };
    let found = sd(&(1..=4_000).map(first).collect::<Vec<f64>>());
    assert!((found / 20.0 - 1.0).abs() < 0.05, "{found}");
    let model = Model::from_spec("steady, drift = 20 ms, wait = 1 s, taps = 50", &[]).unwrap();
    let intervals = alone_for(&mut SimulatedParticipant::new(model, 1));
    assert!(intervals.len() == 49 && intervals.iter().all(|one| *one == 500.0), "{intervals:?}");
}

/// Steps W of 1 % of 500 ms: intervals l taps apart differ by a mean square of l · 25 ms² without other noise, and by
/// 2 · (10² + 2 · 5²) = 300 ms² more where the clock and the motor delay have SDs of 10 and 5 ms, whose parts of the
/// two are independent from l = 2 on.
#[test]
fn alone_the_period_wanders_so_that_intervals_differ_the_more_the_further_they_are_apart() {
    let differ = |more: &str, lag: usize| {
        let one = |seed: u64| {
            let spec = format!("steady, wait = 1 s, taps = 40, wanders = 0.01{more}");
            let mut alone = SimulatedParticipant::new(Model::from_spec(&spec, &[]).unwrap(), seed);
            let intervals = alone_for(&mut alone);
            let pairs = intervals.iter().zip(&intervals[lag..]).map(|(a, b)| (a - b).powi(2));
            pairs.sum::<f64>() / (intervals.len() - lag) as f64
        };
        (1..=2_000).map(one).sum::<f64>() / 2_000.0
    };
    for (lag, expected) in [(1, 25.0), (5, 125.0), (20, 500.0)] {
        let found = differ("", lag);
        assert!((found / expected - 1.0).abs() < 0.08, "{lag}: {found}, not {expected}");
    }
    for (lag, expected) in [(5, 425.0), (20, 800.0)] {
        let found = differ(", clock = 10 ms, motor = 5 ms", lag);
        assert!((found / expected - 1.0).abs() < 0.08, "{lag}: {found}, not {expected}");
    }
}

/// The intervals in ms of somebody who taps alone until the end.
fn alone_for(one: &mut SimulatedParticipant) -> Vec<f64> {
    let sent = std::iter::from_fn(|| one.send());
    let taps = sent.filter(|sent| matches!(sent.message, Message::NoteOn { .. }));
    let at: Vec<i64> = taps.map(|sent| sent.at.0).collect();
    at.windows(2).map(|two| (two[1] - two[0]) as f64 / 1e6).collect()
}

#[test]
fn the_period_does_not_wander_while_pacing_is_heard() {
    assert!(last("steady, wanders = 0.1", &[600; 60], 40, None).iter().all(|one| *one == 0.0));
}

/// Asynchronies after a shift of the beats by so many ms.
fn after_shift(spec: &str, by: i64) -> Vec<f64> {
    let mut intervals = vec![600; 15];
    intervals[12] += by;
    last(spec, &intervals, 3, None)
}

#[test]
fn correction_saturates_at_a_share_of_the_interval() {
    // 0.05 of 600 ms is 30 ms: of that and of less the half is corrected, of more 15 ms.
    let spec = "steady, saturates = 0.05";
    assert_near(&after_shift(spec, 20), &[-20.0, -10.0, -5.0]);
    assert_near(&after_shift(spec, 100), &[-100.0, -85.0, -70.0]);
    assert_near(&after_shift(spec, -100), &[100.0, 85.0, 70.0]);
    assert_near(&after_shift("steady", 100), &[-100.0, -50.0, -25.0]);
}

#[test]
fn late_taps_are_corrected_less_than_early_ones_where_correction_is_asymmetric() {
    // 0.5 · 1.2 of an early tap, 0.5 · 0.8 of a late one.
    let spec = "steady, asymmetry = 0.2";
    assert_near(&after_shift(spec, 50), &[-50.0, -20.0, -8.0]);
    assert_near(&after_shift(spec, -50), &[50.0, 30.0, 18.0]);
    let other = "steady, asymmetry = -0.2";
    assert_near(&after_shift(other, 50), &[-50.0, -30.0, -18.0]);
}

/// In noise, asymmetric correction makes taps later on average: by asymmetry · E|A|, to the first order.
#[test]
fn asymmetric_correction_moves_the_mean_by_its_share_of_the_mean_distance() {
    let found = last("steady, clock = 20 ms, asymmetry = 0.1", &[600; 60_000], 59_900, None);
    let mean = found.iter().sum::<f64>() / found.len() as f64;
    // SD √(400 / 0.75) = 23.09, of which √(2 / π) is the mean distance: 18.43.
    assert!((mean - 1.843).abs() < 0.35, "{mean}");
}

#[test]
fn a_noticed_change_to_longer_intervals_is_followed_more_than_one_to_shorter_ones() {
    let step = |to: i64| [vec![600; 12], vec![to; 3]].concat();
    let spec = "steady, notice = 0.1, follow = 0.4, follow_slower = 0.2";
    // Of 90 ms the period takes 0.6 at once where they are added, and 0.4 - 0.2 where they are taken off; half of the
    // asynchrony is corrected. -90 becomes -90 + 45 + 54 - 90 = -81; the 36 that are left are below a tenth: -40.5 - 36.
    assert_near(&last(spec, &step(690), 3, None), &[-90.0, -81.0, -76.5]);
    // 90 becomes 90 - 45 - 18 + 90 = 117; of the 72 that are left 0.2 are followed: 117 - 58.5 - 14.4 + 72 = 116.1.
    assert_near(&last(spec, &step(510), 3, None), &[90.0, 117.0, 116.1]);
}

#[test]
fn the_share_of_taps_stated_is_missed() {
    let model = Model::from_spec("steady, miss = 0.02", &[]).unwrap();
    let taps = play(&mut SimulatedParticipant::new(model, 1), beats(&[500; 40_000]), None);
    let gaps = taps.windows(2).filter(|two| two[1].0 - two[0].0 > 750 * MS).count();
    // Runs of missed taps make one gap: 0.02 · 0.98 of 40,000 taps, with a standard error of 28.
    assert!((gaps as f64 - 784.0).abs() < 112.0, "{gaps}");
}

/// Whatever the new parameters are, nothing happens before it is announced and every tap is in order.
#[test]
fn with_any_drift_and_correction_taps_come_in_order_and_go_on() {
    for seed in 0..200u64 {
        let share = |of: u64| (seed * of % 101) as f64 / 100.0;
        let spec = format!(
            "tapper, wanders = 0.05, drift = {} ms, drifts_in = {} ms, saturates = {}, asymmetry = {}, follow = 0.5, \
             notice = 0.02, follow_slower = {}, miss = {}",
            seed * 5,
            100 + seed * 90,
            share(7),
            2.0 * share(13) - 1.0,
            2.0 * share(29) - 1.0,
            0.5 * share(31),
        );
        let model = Model::from_spec(&spec, &[]).unwrap();
        let intervals: Vec<i64> =
            (0..400).map(|k| 300 + (k * 37 + seed as i64 * 11) % 500).collect();
        let taps = play(&mut SimulatedParticipant::new(model, seed), beats(&intervals), None);
        assert!(taps.windows(2).all(|two| two[1].0 - two[0].0 >= 10 * MS), "{spec}");
        assert!(taps.len() > 100, "{spec}: {}", taps.len());
    }
}
