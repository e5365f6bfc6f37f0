//! What is measured of an input in a stretch of a trial ([`Data`]), and how all statistics of a row
//! are taken from it at once. Which statistics these are, and what each is, is said by
//! [`chronotap_analysis::statistics::tables`]; nothing here knows any of them.

use crate::tables::tracked::Tracked;
use chronotap_analysis::correction::coupling::coupling;
use chronotap_analysis::correction::{Correction, Means, TapRun, of_trial, phase};
use chronotap_analysis::intervals::Placed;
use chronotap_analysis::isolated::AtLag;
use chronotap_analysis::metre::Tapping;
use chronotap_analysis::observed::TapForce;
use chronotap_analysis::pairs::{Following, following};
use chronotap_analysis::perturbation::{Response, share};
use chronotap_analysis::reproduction::Reproduction;
use chronotap_analysis::sequence::Performed;
use chronotap_analysis::series::Series;
use chronotap_analysis::statistics::{
    self, Answered, ClockAndMotor, Directions, Material, Measured, Needs, Statistic, Tapped,
};
use chronotap_analysis::summary::LEVELS_INTERVALS;
use chronotap_analysis::uncertainty::{
    AsynchronySpread, FollowingIntervals, SpectralSpread, of_following,
};
use chronotap_analysis::wing_kristofferson::estimate_placed;
use chronotap_core::time::Nanos;

/// The statistics of the tables, in the order of their columns.
pub fn measures() -> &'static [&'static Statistic] {
    statistics::tables()
}

/// The place of a statistic among them.
pub fn place(of: &Statistic) -> usize {
    let place = measures().iter().position(|one| *one == of);
    place.expect("the statistic stands in the tables")
}

/// What the measures of one row are taken from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    pub taps: usize,
    pub left_out_taps: usize,
    pub debounced: usize,
    /// Intervals that count.
    pub intervals: Placed,
    /// All intervals between taps that were not debounced.
    pub raw_intervals: Vec<Nanos>,
    /// Of the taps that count, those whose force is known.
    pub forces: Vec<TapForce>,
    pub left_out_intervals: usize,
    /// Whether clock and motor variance have a meaning.
    pub self_paced: bool,
    /// Against a stream.
    pub pair: Option<PairData>,
    /// Against a stream that is reproduced.
    pub response: Option<Reproduction>,
    /// What altered feedback did to the next interval.
    pub altered: Option<AtLag>,
    /// What was played of a sequence.
    pub sequence: Option<Performed>,
}

/// The same against a stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairData {
    pub answered: Answered,
    /// Asynchronies that count; two of them are neighbours where their beats are.
    pub asynchronies: Placed,
    /// Directions of all taps that count.
    pub angles: Vec<f64>,
    /// Unbroken runs at one tempo.
    pub runs: Vec<TapRun>,
    /// The level of the metre.
    pub metre: Option<Tapping>,
    /// Responses to perturbations of the stream.
    pub responses: Vec<Response>,
    /// Intervals of the taps and of the stream.
    pub tracked: Tracked,
    /// Of the other input where it is against that, and its own at the same places.
    pub shared: Both,
}

/// Two equally long lists of intervals, of the same places.
pub(crate) type Both = (Placed, Vec<Nanos>);

/// What is measured of a row. A rehearsal asks for a few values, and intervals are nine tenths of the work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent<'a> {
    /// Every statistic with its interval.
    Whole,
    /// The values of these alone.
    Values(&'a [&'static Statistic]),
}

impl Extent<'_> {
    fn has(self, of: &Statistic) -> bool {
        match self {
            Extent::Whole => true,
            Extent::Values(some) => some.contains(&of),
        }
    }

    /// What statistics of these needs are taken from, where one of them is measured.
    fn of<T>(self, needs: fn(&Needs) -> bool, found: impl FnOnce() -> Option<T>) -> Option<T> {
        measures().iter().any(|one| needs(&one.needs) && self.has(one)).then(found).flatten()
    }

    /// What intervals alone are taken from.
    fn sure<T>(self, found: impl FnOnce() -> Option<T>) -> Option<T> {
        matches!(self, Extent::Whole).then(found).flatten()
    }
}

/// Phase correction: towards another's taps, who is heard or not, by the model that can tell none.
fn corrected(pair: &PairData, extent: Extent<'_>) -> Option<Correction> {
    let found = match extent {
        Extent::Whole => of_trial(&pair.runs).ok()?,
        Extent::Values(_) => phase(&pair.runs, &Means::Pooled).ok()?,
    };
    if pair.shared.0.is_empty() {
        return Some(found);
    }
    Some(Correction { alpha: vec![coupling(&[&pair.runs[..]]).ok()?], ..found })
}

/// The statistics of a row, in the order of [`measures`]; nothing of those that are not measured.
pub(crate) fn measured(data: &Data, extent: Extent<'_>) -> Vec<Measured> {
    let intervals = Series::of(&data.intervals);
    let spread = extent.sure(|| SpectralSpread::of(&intervals, "intervals").ok());
    let pair = data.pair.as_ref();
    let asynchronies = pair.map(|pair| Series::of(&pair.asynchronies));
    let sure = extent.sure(|| AsynchronySpread::of(asynchronies.as_ref()?).ok());
    let material = Material {
        tapped: Some(Tapped {
            taps: data.taps,
            left_out_taps: data.left_out_taps,
            debounced: data.debounced,
            left_out_intervals: data.left_out_intervals,
            raw_intervals: &data.raw_intervals,
            forces: &data.forces,
        }),
        intervals: Some((&intervals, spread.as_ref())),
        levels: extent.of(|needs| matches!(needs, Needs::Levels(..)), || levels(data, extent)),
        beats: pair.map(|pair| pair.answered),
        asynchronies: asynchronies.as_ref().map(|series| (series, sure.as_ref())),
        directions: extent
            .of(|needs| matches!(needs, Needs::Directions(..)), || directed(pair?, extent)),
        correction: extent
            .of(|needs| matches!(needs, Needs::Correction(..)), || corrected(pair?, extent)),
        response: data.response.as_ref().map(|found| (found, extent.sure(|| found.bounds().ok()))),
        metre: pair.and_then(|pair| pair.metre),
        perturbations: pair.filter(|of| !of.responses.is_empty()).map(|of| share(&of.responses)),
        tracking: extent
            .of(|needs| matches!(needs, Needs::Tracking(..)), || pair?.tracked.indices()),
        following: extent
            .of(|needs| matches!(needs, Needs::Following(..)), || followed(&pair?.shared)),
        altered: data.altered.clone(),
        sequence: data.sequence,
        lateness: None,
    };
    let measure = |of: &&'static Statistic| match extent {
        Extent::Whole => material.measure(of),
        Extent::Values(_) if !extent.has(of) => Measured::default(),
        Extent::Values(_) => Measured { estimate: None, ..material.measure(of) },
    };
    measures().iter().map(measure).collect()
}

fn directed<'a>(pair: &'a PairData, extent: Extent<'_>) -> Option<Directions<'a>> {
    Some(match extent {
        Extent::Whole => Directions::of(&pair.angles),
        Extent::Values(_) => Directions::without_bounds(&pair.angles),
    })
}

fn followed((other, own): &Both) -> Option<(Following, FollowingIntervals)> {
    following(other, own).ok().zip(of_following(other, own).ok())
}

/// Clock and motor variance, where nothing paces.
fn levels<'a>(data: &'a Data, extent: Extent<'_>) -> Option<ClockAndMotor<'a>> {
    let placed = Some(&data.intervals).filter(|_| data.self_paced)?;
    let found = estimate_placed(placed).filter(|found| found.n >= LEVELS_INTERVALS)?;
    Some(ClockAndMotor::of(found, extent.sure(|| Some(placed))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_analysis::isolated;
    use chronotap_analysis::joined::Scale;
    use chronotap_analysis::perturbation::PerturbationKind;
    use chronotap_analysis::reproduction::{ReproductionRound, describe};
    use chronotap_analysis::statistics::Join;
    use chronotap_analysis::statistics::of_beats::LISTENED;
    use chronotap_engine::random::Random;

    #[test]
    fn every_measure_has_its_column_and_its_value() {
        let ms = |times: &[i64]| times.iter().copied().map(Nanos::from_millis).collect::<Vec<_>>();
        let answered = Answered {
            beats: 4,
            matched: 3,
            listened: 1,
            extra: 3,
            doubled: 1,
            unpaced: Some(7),
            ..Answered::default()
        };
        let asynchronies = Placed::all(ms(&[-20, -30, -10]));
        let pair = PairData { answered, asynchronies, ..PairData::default() };
        let intervals = Placed::all(ms(&[500, 510, 490]));
        let data = Data { taps: 4, intervals, pair: Some(pair), ..Data::default() };
        let found = measured(&data, Extent::Whole);
        let of = |name: &str| found[named(name)].value;
        assert_eq!(of("taps"), Some(4.0));
        assert_eq!(of("mean_interval_ms"), Some(500.0));
        assert_eq!(
            (of("missed"), of("listened"), of("hit_rate")),
            (Some(0.0), Some(1.0), Some(1.0))
        );
        assert_eq!((of("doubled"), of("outside_window")), (Some(1.0), Some(2.0)));
        assert_eq!(of("matched_share"), Some(0.5));
        assert_eq!(of("mean_asynchrony_ms"), Some(-20.0));
        assert_eq!((of("alpha"), of("unpaced")), (None, Some(7.0)));
        let nothing = measured(&Data::default(), Extent::Whole);
        assert_eq!(nothing[place(&LISTENED)].value, None);
    }

    /// The place of a column.
    fn named(column: &str) -> usize {
        measures().iter().position(|one| one.column() == column).unwrap()
    }

    /// A run of a tapper to a metronome, or by himself.
    fn run(paced: bool) -> Data {
        let mut random = Random::named(3, "measures");
        let ns = |ms: f64| Nanos::round_from_f64(ms * 1e6);
        let mut clock = 0.0;
        let mut onset = |k: i32| {
            clock = if paced { 0.5 * clock } else { clock } + 15.0 * random.normal();
            ns(500.0 * f64::from(k) + clock + 10.0 * random.normal())
        };
        let taps: Vec<Nanos> = (0..60).map(&mut onset).collect();
        let beats: Vec<Nanos> = (0..60).map(|k| ns(500.0 * f64::from(k))).collect();
        let asynchronies: Vec<Nanos> = taps.iter().zip(&beats).map(|(t, b)| *t - *b).collect();
        let angles = chronotap_analysis::circular::angles(&asynchronies, ns(500.0));
        let asynchronies = Placed::all(asynchronies);
        let runs = vec![TapRun { taps: taps.clone(), partners: vec![beats] }];
        let answered = Answered { beats: 64, matched: 60, ..Answered::default() };
        let pair = PairData { answered, asynchronies, angles, runs, ..PairData::default() };
        let intervals = Placed::all(chronotap_analysis::intervals::between(&taps));
        Data {
            taps: 60,
            intervals,
            self_paced: !paced,
            pair: paced.then_some(pair),
            ..Data::default()
        }
    }

    /// Six reproductions of two intervals.
    fn copied() -> Data {
        let ms =
            |times: [i64; 3], at: i64| times.map(|time| Nanos::from_millis(time + at)).to_vec();
        let round = |k: i64| ReproductionRound {
            heard: ms([0, 600, 1_100], 5_000 * k),
            opens: Nanos::from_millis(5_000 * k + 1_200),
            closes: Nanos::from_millis(5_000 * k + 4_999),
        };
        let taps = |k: i64| ms([0, 600 + 7 * (k % 4), 1_090 + 11 * (k % 3)], 5_000 * k + 2_000);
        let rounds: Vec<ReproductionRound> = (0..6).map(round).collect();
        let taps: Vec<Nanos> = (0..6).flat_map(taps).collect();
        Data { response: Some(describe("key", "model", &rounds, &taps)), ..Data::default() }
    }

    /// Responses to three phase shifts, a tempo that swings, two who tap together, five altered tones,
    /// and a sequence of keys.
    fn further() -> Data {
        let mut random = Random::named(4, "further measures");
        let mut noisy = |ms: f64| Nanos::round_from_f64((ms + 5.0 * random.normal()) * 1e6);
        let response = |size_ms: f64| Response {
            kind: PerturbationKind::PhaseShift,
            size_ms,
            baseline_ms: 0.0,
            asynchronies_ms: vec![Some(-size_ms), Some(-0.6 * size_ms + 1.0)],
            shifts_ms: vec![Some(0.0), Some(0.4 * size_ms + 1.0)],
        };
        let swinging = |k: usize| 500.0 + 80.0 * (k as f64 / 2.0).sin();
        let pacing: Vec<Nanos> =
            (0..40).map(|k| Nanos::round_from_f64(swinging(k) * 1e6)).collect();
        let taps = Placed::all((0..40).map(|k| noisy(swinging(k))).collect());
        let tracked = Tracked { taps, pacing: Placed::all(pacing) };
        let mut alone = || (0..40).map(|_| noisy(500.0)).collect();
        let shared = (Placed::all(alone()), alone());
        let intervals: Vec<Nanos> = (0..60).map(|_| noisy(500.0)).collect();
        let altered =
            isolated::responses(&intervals, &[0; 60], &[9, 19, 29, 39, 49], 0).unwrap().pop();
        let responses = [-50.0, 20.0, 60.0].map(response).to_vec();
        let pair = PairData { responses, tracked, shared, ..PairData::default() };
        let sequence = Some(Performed { notes: 48, wrong: 2, missing: 1, added: 1 });
        Data { pair: Some(pair), altered, sequence, ..Data::default() }
    }

    #[test]
    fn every_estimate_has_its_interval_and_its_coverage() {
        let all = [run(true), run(false), copied(), further()];
        let all = all.map(|data| measured(&data, Extent::Whole));
        for (place, known) in measures().iter().enumerate() {
            let found = all.each_ref().map(|measured| measured[place]);
            let bounded = found.iter().any(|one| one.estimate.is_some());
            assert_eq!(bounded, known.is_estimated(), "{known:?}");
            for Measured { value, estimate } in found {
                assert!(value.is_none_or(|v| known.range.holds(v)), "{known:?} {value:?}");
                let Some(found) = estimate else { continue };
                assert!(value.is_some_and(|v| found.low <= v && v <= found.high), "{known:?}");
            }
            assert_eq!(known.held(50).is_some(), bounded, "{known:?}");
            let counted = known.counted_by();
            assert!(counted.iter().all(|count| measures().contains(count)), "{known:?}");
        }
    }

    /// What a rehearsal takes is what an analysis would.
    #[test]
    fn a_value_alone_is_the_value_beside_an_interval() {
        for data in [run(true), run(false), copied(), further()] {
            let whole = measured(&data, Extent::Whole);
            for (place, known) in measures().iter().enumerate() {
                let alone = measured(&data, Extent::Values(&[*known]));
                let value = |at: usize| whole[at].value.filter(|_| at == place);
                let expected: Vec<Option<f64>> = (0..whole.len()).map(value).collect();
                let found: Vec<Option<f64>> = alone.iter().map(|one| one.value).collect();
                assert_eq!(found, expected, "{known:?}");
                assert!(alone.iter().all(|one| one.estimate.is_none()), "{known:?}");
            }
        }
    }

    /// What is not estimated: counts, the probability of a test, what only says whether a trial is to be
    /// looked at, and what describes the force of taps, for which no interval was tried in simulations.
    #[test]
    fn what_has_no_interval_is_a_count_a_test_or_a_mark() {
        let counts = |column: &str| {
            let ends = [
                "taps",
                "intervals",
                "asynchronies",
                "directions",
                "rounds",
                "responses",
                "tones",
                "notes",
            ];
            let marks =
                ["matched_share", "phase_drift_rad", "raw_cv_interval", "clean_cv_interval"];
            let of_metre = ["metrical_level", "metrical_parity"];
            let marks = [&marks[..], &["levels_inadmissible"], &of_metre].concat();
            let of_force = ["mean_peak_force", "sd_peak_force", "mean_dwell_ms", "sd_dwell_ms"];
            let of_beats = ["beats", "matched", "missed", "listened", "extra", "doubled"];
            of_beats.contains(&column)
                || ["outside_window", "unpaced", "rayleigh_p"].contains(&column)
                || marks.contains(&column)
                || of_force.contains(&column)
                || ends.iter().any(|end| column.ends_with(end))
        };
        for known in measures().iter().filter(|known| !known.is_estimated()) {
            assert!(counts(&known.column()), "{known:?}");
        }
    }

    #[test]
    fn what_cannot_be_negative_and_what_ends_at_one_have_scales_that_do() {
        let of = |column: &str| measures()[named(column)].scale();
        for name in ["sd_interval_ms", "cv_interval", "rms_asynchrony_ms", "timekeeper_sd_ms"] {
            assert_eq!(of(name), Scale::Positive, "{name}");
        }
        assert_eq!((of("hit_rate"), of("resultant")), (Scale::Share, Scale::Share));
        assert_eq!(of("asynchrony_lag_one"), Scale::Correlation);
        assert_eq!(
            (of("mean_asynchrony_ms"), of("drift_ms_per_interval")),
            (Scale::Plain, Scale::Plain)
        );
        assert_eq!(measures()[named("direction_rad")].join, Join::Circle);
    }

    #[test]
    fn the_description_says_where_an_interval_holds_too_seldom() {
        for known in measures() {
            let seldom = known.coverage.iter().any(|(_, share)| *share < 0.93);
            assert_eq!(known.doubts().is_some(), seldom, "{known:?}");
        }
    }
}
