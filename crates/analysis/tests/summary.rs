//! A whole trial's summary: its numbers, its text, and that poor data do no harm.

use chronotap_analysis::matching::{WINDOW, match_taps};
use chronotap_analysis::observed::{Observed, ObservedInput, ObservedStream, SystemCounts};
use chronotap_analysis::services::ServiceIntervals;
use chronotap_analysis::summary::Summary;
use chronotap_core::time::Nanos;
use proptest::prelude::*;

fn stream(name: &str, ms: impl IntoIterator<Item = i64>) -> ObservedStream<'_> {
    ObservedStream::steady(name, ms.into_iter().map(Nanos::from_millis))
}

fn input(name: &str, ms: impl IntoIterator<Item = i64>) -> ObservedInput<'_> {
    ObservedInput::tapped(name, ms.into_iter().map(Nanos::from_millis))
}

fn observed(lateness: &[Nanos]) -> Observed<'_> {
    let tapped = (3..50).map(|k| 1_000 + 500 * k - 30 + [0, 12, -7, 4][k as usize % 4]);
    Observed {
        title: "Synchronization-continuation, 500 ms",
        ending: "trigger",
        length: Nanos::from_secs(26),
        pacing: vec![stream("metronome", (0..20).map(|k| 1_000 + 500 * k))],
        taps: vec![input("input", tapped)],
        lateness,
        services: Some(ServiceIntervals {
            n: 300,
            mean_us: 86_000.0,
            max_us: 480_000.0,
            over_1_ms: None,
        }),
        system: Some(SystemCounts { voluntary_switches: 300, ..SystemCounts::default() }),
        limit: Nanos::from_millis(1),
        ..Observed::default()
    }
}

#[test]
fn a_synchronization_continuation_trial_is_counted_through() {
    let lateness = [1_500, 2_500, 3_500].map(Nanos);
    let summary = Summary::of(&observed(&lateness));
    let s = &summary.synchronization[0];
    assert_eq!((s.beats, s.listened, s.matched, s.missed), (20, 3, 17, 0));
    assert_eq!((s.extra, s.unpaced), (0, 30));
    assert_eq!(summary.taps[0].taps, 47);
    assert_eq!(summary.taps[0].continuation.as_ref().map(|c| c.n()), Some(29));
    assert_eq!(summary.verdict.passed, Some(true));
}

#[test]
fn variances_outside_the_model_are_told_with_what_they_are_good_for() {
    let slower = (3..50).map(|k| 500 * k + 4 * k * k);
    let observed = Observed { taps: vec![input("input", slower)], pacing: vec![], ..observed(&[]) };
    let text = Summary::of(&observed).to_string();
    let said: Vec<&str> = text.split_whitespace().collect();
    let outside =
        "outside the model (a variance below 0, or r1 not between -0.5 and 0): good for means";
    assert!(said.join(" ").contains(outside) && text.contains("motor -"), "{text}");
}

#[test]
fn the_text_is_at_most_80_columns_wide_and_explains_its_numbers() {
    let lateness = [1_500, 2_500, 3_500, -200, 2_000_000].map(Nanos);
    let summary = Summary::of(&observed(&lateness));
    let text = format!("{summary}\n{}", summary.notation());
    assert!(!summary.to_string().contains("Notation"), "words are explained where asked for");
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for word in
        ["Notation", "asynchrony", "Timing: FAILED (limit 1000 us)", "p99", "between services"]
    {
        assert!(text.contains(word), "{word} is missing from\n{text}");
    }
    assert!(!text.contains("NaN") && !text.contains("inf "));
}

#[test]
fn a_summary_goes_into_the_data_file() {
    let json = serde_json::to_value(Summary::of(&observed(&[Nanos(1_500)]))).unwrap();
    assert_eq!(json["synchronization"][0]["matched"], 17);
    assert_eq!(json["lateness"]["median_us"], 1.5);
    assert_eq!(json["verdict"]["passed"], true);
}

#[test]
fn a_trial_in_which_nothing_happened_has_a_summary() {
    let text = Summary::of(&Observed::default()).to_string();
    assert!(text.contains("nothing sounded"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_beat_and_every_tap_is_counted_exactly_once(
        mut beats in prop::collection::vec(0i64..20_000, 0..30),
        mut taps in prop::collection::vec(0i64..20_000, 0..30),
    ) {
        beats.sort_unstable();
        taps.sort_unstable();
        let (n_beats, n_taps) = (beats.len(), taps.len());
        let observed = Observed {
            pacing: vec![stream("beat", beats)],
            taps: vec![input("tap", taps)],
            ..Observed::default()
        };
        let summary = Summary::of(&observed);
        let s = &summary.synchronization[0];
        prop_assert_eq!(s.listened + s.matched + s.missed, n_beats);
        prop_assert_eq!(s.matched + s.extra + s.unpaced, n_taps);
        let json = serde_json::to_string(&summary).unwrap();
        prop_assert!(!summary.to_string().contains("NaN"));
        prop_assert!(!json.contains("e308"));
    }

    #[test]
    fn matched_taps_lie_within_the_window_and_no_closer_pair_is_left_over(
        beats in prop::collection::btree_set(0i64..20_000, 2..30),
        mut taps in prop::collection::vec(0i64..20_000, 0..30),
    ) {
        taps.sort_unstable();
        let beats: Vec<Nanos> = beats.into_iter().map(Nanos::from_millis).collect();
        let taps: Vec<Nanos> = taps.into_iter().map(Nanos::from_millis).collect();
        let matching = match_taps(&ObservedStream::steady("beats", beats.iter().copied()), &taps, WINDOW);
        for pair in &matching.pairs {
            prop_assert_eq!(taps[pair.tap] - beats[pair.beat], pair.asynchrony);
        }
        // Every window is wider than a tenth of the shortest interval (a pause counts as
        // 2.5 median ones), so within that a missed beat has no tap left.
        let reach = beats.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap() / 10;
        for missed in &matching.missed {
            let left = matching.extra.iter().chain(&matching.unpaced);
            let near = left.filter(|tap| (taps[**tap] - beats[*missed]).abs() <= reach).count();
            prop_assert_eq!(near, 0);
        }
    }
}
