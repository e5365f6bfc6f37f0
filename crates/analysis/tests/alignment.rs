//! One clock afterwards, on recordings whose truth is known: clocks that drift, events that are lost, events
//! that nobody sent, a beginning that is missing; and recordings of other trials, none of which may be accepted.

use chronotap_analysis::alignment::{Alignment, AlignmentError, AlignmentLimits, ClockMark, align};
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;
use proptest::prelude::*;

/// A sample of a recorder at 1 kHz.
const SAMPLE: Nanos = Nanos::from_millis(1);

/// What happens to a trial on its way to the other recorder.
#[derive(Clone, Copy, Debug)]
struct Way {
    drift_ppm: f64,
    offset: Nanos,
    lost: f64,
    spurious: f64,
    /// Share of the events at the beginning that came before the recorder ran.
    cut: f64,
}

const UNHARMED: Way =
    Way { drift_ppm: 0.0, offset: Nanos::from_secs(7), lost: 0.0, spurious: 0.0, cut: 0.0 };
const HARMED: Way = Way { drift_ppm: 200.0, lost: 0.1, spurious: 0.1, cut: 0.2, ..UNHARMED };

impl Way {
    /// What their clock truly reads.
    fn truly(&self, ours: Nanos) -> Nanos {
        ours + self.offset + Nanos::round_from_f64(ours.0 as f64 * self.drift_ppm * 1e-6)
    }

    /// What the recorder has: each event at one of the samples next to it.
    fn recorded(&self, ours: &[ClockMark], random: &mut Random) -> Vec<ClockMark> {
        let begun = (ours.len() as f64 * self.cut) as usize;
        let mut taken = |mark: &ClockMark| {
            let kept = random.uniform() >= self.lost;
            kept.then(|| ClockMark { at: sampled(self.truly(mark.at), random), code: mark.code })
        };
        let mut theirs: Vec<ClockMark> = ours[begun..].iter().filter_map(&mut taken).collect();
        let (first, last) = (self.truly(ours[begun].at), self.truly(ours[ours.len() - 1].at));
        for _ in 0..(ours.len() as f64 * self.spurious) as usize {
            let at = first + Nanos((random.uniform() * (last - first).0 as f64) as i64);
            let like = ours[random.between(0, ours.len() as u32 - 1) as usize];
            theirs.push(ClockMark { at, code: like.code });
        }
        theirs.sort_by_key(|mark| mark.at);
        theirs
    }
}

/// The sample before or the sample after, by chance.
fn sampled(at: Nanos, random: &mut Random) -> Nanos {
    let before = at.0.div_euclid(SAMPLE.0);
    Nanos((before + i64::from(random.uniform() < 0.5)) * SAMPLE.0)
}

/// A trial of events at random intervals of 300 to 900 ms; `codes` of them are told apart, or none.
fn trial(events: usize, codes: u32, random: &mut Random) -> Vec<ClockMark> {
    let mut at = Nanos::from_secs(1);
    let mut marks = Vec::with_capacity(events);
    for _ in 0..events {
        at += Nanos(300_000_000 + (random.uniform() * 6e8) as i64);
        marks.push(ClockMark { at, code: (codes > 0).then(|| 10 + random.between(1, codes)) });
    }
    marks
}

/// Beats 500 ms apart, all with one code.
fn isochronous(beats: i64) -> Vec<ClockMark> {
    let beat = |k| ClockMark { at: Nanos::from_millis(500) * (k + 2), code: Some(10) };
    (0..beats).map(beat).collect()
}

/// The same with a code of its own at either end.
fn with_ends(mut beats: Vec<ClockMark>) -> Vec<ClockMark> {
    let last = beats[beats.len() - 1].at;
    beats.insert(0, ClockMark { at: Nanos::from_millis(500), code: Some(1) });
    beats.push(ClockMark { at: last + Nanos::from_millis(500), code: Some(2) });
    beats
}

fn aligned(ours: &[ClockMark], theirs: &[ClockMark]) -> Result<Alignment, AlignmentError> {
    align(ours, theirs, &limits())
}

fn limits() -> AlignmentLimits {
    AlignmentLimits { step_s: SAMPLE.as_secs_f64(), ..AlignmentLimits::default() }
}

/// How many of ours are put where they truly are, to a sample.
fn right(found: &Alignment, way: &Way, ours: &[ClockMark]) -> usize {
    let near = |mark: &&ClockMark| (found.theirs(mark.at) - way.truly(mark.at)).abs() <= SAMPLE;
    ours.iter().filter(near).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_lost_added_and_cut_off_events_are_put_where_they_truly_were(
        seed: u64,
        drift_ppm in -200.0..200.0,
        offset_ms in -3_600_000_i64..3_600_000,
        events in 60_usize..600,
        codes in 0_u32..4,
        cut in 0.0..0.4,
    ) {
        let mut random = Random::named(seed, "alignment");
        let ours = trial(events, codes, &mut random);
        let way = Way { drift_ppm, offset: Nanos::from_millis(offset_ms), cut, ..HARMED };
        let theirs = way.recorded(&ours, &mut random);
        let found = aligned(&ours, &theirs).unwrap();
        let begun = (events as f64 * cut) as usize;
        prop_assert_eq!(right(&found, &way, &ours[begun..]), events - begun);
        // Before the other recorder ran, the line goes on from what came after, and its error with it.
        for mark in &ours[..begun] {
            let off = (found.theirs(mark.at) - way.truly(mark.at)).abs().as_secs_f64();
            let said = 6.0 * found.theirs_s(mark.at).standard_error;
            prop_assert!(off <= SAMPLE.as_secs_f64().max(said), "{off} s off, {said} s allowed");
        }
        let far = (found.drift_ppm.value - drift_ppm).abs() / found.drift_ppm.standard_error;
        prop_assert!(far < 6.0, "{far} standard errors");
    }

    #[test]
    fn every_event_of_ours_is_matched_missing_or_outside_and_none_of_theirs_is_matched_twice(
        seed: u64, events in 20_usize..200, codes in 0_u32..4, cut in 0.0..0.4,
    ) {
        let mut random = Random::named(seed, "sorting");
        let ours = trial(events, codes, &mut random);
        let theirs = Way { cut, ..HARMED }.recorded(&ours, &mut random);
        if let Ok(found) = aligned(&ours, &theirs) {
            let mut all: Vec<usize> = found.matched.iter().map(|(ours, _)| *ours).collect();
            all.extend(found.missing.iter().chain(&found.outside));
            all.sort_unstable();
            prop_assert_eq!(all, (0..events).collect::<Vec<_>>());
            let mut theirs_used: Vec<usize> = found.matched.iter().map(|(_, their)| *their).collect();
            theirs_used.extend(&found.spurious);
            theirs_used.sort_unstable();
            let count = theirs_used.len();
            theirs_used.dedup();
            prop_assert_eq!(theirs_used.len(), count);
            for (own, their) in &found.matched {
                prop_assert_eq!(ours[*own].code, theirs[*their].code);
                let apart = (found.theirs(ours[*own].at) - theirs[*their].at).abs();
                prop_assert!(apart <= limits().tolerance + Nanos::from_millis(1));
            }
        }
    }

    #[test]
    fn a_later_clock_changes_the_offset_and_nothing_else(seed: u64, later_s in -5_000_i64..5_000) {
        let mut random = Random::named(seed, "later");
        let ours = trial(80, 2, &mut random);
        let theirs = HARMED.recorded(&ours, &mut random);
        let later = Nanos::from_secs(later_s);
        let moved: Vec<ClockMark> =
            theirs.iter().map(|mark| ClockMark { at: mark.at + later, ..*mark }).collect();
        let (one, other) = (aligned(&ours, &theirs).unwrap(), aligned(&ours, &moved).unwrap());
        prop_assert_eq!(&one.matched, &other.matched);
        prop_assert_eq!(one.drift_ppm, other.drift_ppm);
        for mark in &ours {
            prop_assert_eq!(one.theirs(mark.at) + later, other.theirs(mark.at));
        }
    }
}

#[test]
fn of_1000_recordings_of_other_trials_none_is_accepted() {
    let mut accepted = Vec::new();
    for seed in 0..1_000_u64 {
        let mut random = Random::named(seed, "wrong pairings");
        let codes = (seed % 4) as u32;
        let [ours, others] = [40 + seed as usize % 160, 40 + (seed as usize * 7) % 160]
            .map(|events| trial(events, codes, &mut random))
            .map(|marks| if seed % 2 == 0 { marks } else { with_ends(marks) });
        let theirs = HARMED.recorded(&others, &mut random);
        if aligned(&ours, &theirs).is_ok() {
            accepted.push(seed);
        }
    }
    assert_eq!(accepted, [0_u64; 0]);
}

#[test]
fn of_1000_recordings_of_other_trials_that_are_nearly_isochronous_none_is_accepted() {
    let mut accepted = Vec::new();
    for seed in 0..1_000_u64 {
        let mut random = Random::named(seed, "jittered");
        let spread = 1e6 * (seed % 10) as f64; // 0 to 9 ms: about the tolerance
        let mut jittered = |beats: i64| {
            let mut marks = isochronous(beats);
            marks.iter_mut().for_each(|mark| mark.at.0 += (random.normal() * spread) as i64);
            marks
        };
        let (ours, others) = (jittered(20 + seed as i64 % 80), jittered(20 + seed as i64 * 3 % 80));
        let mut random = Random::named(seed, "way");
        let theirs = Way { cut: 0.1, ..HARMED }.recorded(&others, &mut random);
        if aligned(&ours, &theirs).is_ok() {
            accepted.push(seed);
        }
    }
    assert_eq!(accepted, [0_u64; 0]);
}

#[test]
fn beats_that_are_all_alike_are_ambiguous_by_one_interval() {
    let ours = isochronous(60);
    let theirs = UNHARMED.recorded(&ours, &mut Random::named(1, "beats"));
    let Err(AlignmentError::Ambiguous { matched, also, apart }) = aligned(&ours, &theirs) else {
        panic!("accepted")
    };
    assert!(matched.abs_diff(also) <= 4, "{matched} {also}");
    let intervals = apart.as_secs_f64() / 0.5;
    assert!(
        (intervals - intervals.round()).abs() < 0.02 && intervals.round() != 0.0,
        "{intervals}"
    );
}

#[test]
fn beats_that_are_all_alike_between_two_codes_of_their_own_are_aligned() {
    for (beats, drift_ppm) in [(20, 0.0), (60, -200.0), (200, 150.0), (1_000, 200.0)] {
        let ours = with_ends(isochronous(beats));
        let way = Way { drift_ppm, ..UNHARMED };
        let theirs = way.recorded(&ours, &mut Random::named(2, "ends"));
        let found = aligned(&ours, &theirs).unwrap();
        assert_eq!(right(&found, &way, &ours), ours.len());
        assert_eq!((found.matched.len(), found.missing.len()), (ours.len(), 0));
    }
}

#[test]
fn a_code_of_its_own_among_many_beats_is_enough_and_so_is_the_gap_where_it_was_lost() {
    let mut ours = isochronous(1_000);
    ours[487].code = Some(99);
    let theirs = UNHARMED.recorded(&ours, &mut Random::named(3, "middle"));
    let found = aligned(&ours, &theirs).unwrap();
    assert_eq!(right(&found, &UNHARMED, &ours), ours.len());
    let mut without = theirs;
    without.remove(487);
    let found = aligned(&ours, &without).unwrap();
    assert_eq!((right(&found, &UNHARMED, &ours), found.missing), (ours.len(), vec![487]));
}

#[test]
fn one_trial_is_found_in_a_long_recording_of_many() {
    let mut random = Random::named(4, "many");
    let trials: Vec<Vec<ClockMark>> = (0..10).map(|_| trial(60, 0, &mut random)).collect();
    let way_of = |nth: usize| Way {
        offset: Nanos::from_secs(100 * nth as i64),
        drift_ppm: 80.0,
        ..Way { lost: 0.05, ..UNHARMED }
    };
    let mut theirs = Vec::new();
    for (nth, ours) in trials.iter().enumerate() {
        theirs.extend(way_of(nth).recorded(ours, &mut random));
    }
    for (nth, ours) in trials.iter().enumerate() {
        let found = aligned(ours, &theirs).unwrap();
        assert_eq!(right(&found, &way_of(nth), ours), ours.len(), "trial {nth}");
    }
}

#[test]
fn events_at_irregular_times_need_no_codes_and_a_clock_that_drifts_too_far_is_refused() {
    let mut random = Random::named(5, "drift");
    let ours = trial(1_000, 0, &mut random);
    let theirs = Way { drift_ppm: 450.0, ..HARMED }.recorded(&ours, &mut random);
    assert!((aligned(&ours, &theirs).unwrap().drift_ppm.value - 450.0).abs() < 1.0);
    let theirs = Way { drift_ppm: 800.0, ..HARMED }.recorded(&ours, &mut random);
    assert!(matches!(aligned(&ours, &theirs), Err(AlignmentError::Unlike { .. })));
    let wider = AlignmentLimits { drift_ppm: 1_000.0, ..limits() };
    assert!((align(&ours, &theirs, &wider).unwrap().drift_ppm.value - 800.0).abs() < 1.0);
}

#[test]
fn three_events_are_too_few_and_codes_that_have_nothing_in_common_are_told() {
    let ours = trial(20, 1, &mut Random::named(6, "few"));
    assert_eq!(aligned(&ours[..3], &ours), Err(AlignmentError::TooFew { ours: 3, theirs: 20 }));
    let others: Vec<ClockMark> =
        ours.iter().map(|mark| ClockMark { code: Some(300), ..*mark }).collect();
    let refused = AlignmentError::NoCommonCode { ours: vec![11], theirs: vec![300] };
    assert_eq!(aligned(&ours, &others), Err(refused));
}

#[test]
fn the_intervals_of_the_offset_hold_the_truth_in_95_of_100_recordings() {
    let way = Way { drift_ppm: 37.0, ..HARMED };
    let held = |seed: &u64| {
        let mut random = Random::named(*seed, "coverage");
        let ours = trial(100, 2, &mut random);
        let found = aligned(&ours, &way.recorded(&ours, &mut random)).unwrap();
        let middle = ours[50].at;
        found.theirs_s(middle).holds(way.truly(middle).as_secs_f64()) && found.drift_ppm.holds(37.0)
    };
    let held = (0..400_u64).filter(held).count();
    assert!((340..=396).contains(&held), "both held in {held} of 400");
}

#[test]
fn the_intervals_hold_the_truth_also_where_beats_all_fall_on_one_place_between_two_samples() {
    let held = |seed: &u64| {
        let mut random = Random::named(*seed, "beats and samples");
        let ours = with_ends(isochronous(40));
        let offset = Nanos::from_secs(7) + Nanos((random.uniform() * 1e6) as i64);
        let drift_ppm = 200.0 * (random.uniform() - 0.5);
        let way = Way { drift_ppm, offset, ..UNHARMED };
        // The sample that is nearest: no two beats have errors of their own.
        let nearest = |at: Nanos| Nanos((at.0 + SAMPLE.0 / 2).div_euclid(SAMPLE.0) * SAMPLE.0);
        let reading = |mark: &ClockMark| ClockMark { at: nearest(way.truly(mark.at)), ..*mark };
        let found = aligned(&ours, &ours.iter().map(reading).collect::<Vec<_>>()).unwrap();
        let middle = ours[20].at;
        found.theirs_s(middle).holds(way.truly(middle).as_secs_f64())
            && found.drift_ppm.holds(drift_ppm)
    };
    let held = (0..400_u64).filter(held).count();
    assert!(held >= 380, "both held in {held} of 400");
}

#[test]
#[ignore = "a figure: cargo test --release -p chronotap-analysis --test all alignment:: -- --ignored --nocapture"]
fn how_long_it_takes_and_how_near_it_comes() {
    for (events, codes) in [(500, 0), (500, 3), (5_000, 0), (5_000, 3)] {
        let mut random = Random::named(7, "figures");
        let ours = trial(events, codes, &mut random);
        let theirs = HARMED.recorded(&ours, &mut random);
        #[expect(clippy::disallowed_methods, reason = "a figure for people, no time of a trial")]
        let begun = std::time::Instant::now();
        let found = aligned(&ours, &theirs).unwrap();
        let took = begun.elapsed().as_secs_f64();
        let right = right(&found, &HARMED, &ours);
        println!("{events} events, {codes} codes: {took:.3} s, {right} right");
    }
}
