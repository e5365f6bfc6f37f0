//! [`Estimates`]: the statistics of a trial's summary with their intervals for 95 %, as the
//! command `summary` prints them. They stand apart from [`crate::summary`], which is also
//! worked out where thousands of trials are rehearsed and nobody asks for an interval.
//!
//! A trial of several stretches has them for each, since what is measured in one does not hold in
//! another; of a trial of one stretch everything is in it.

mod render;

use crate::account::Account;
use crate::asynchrony;
use crate::estimate::Estimate;
use crate::intervals;
use crate::matching::Matching;
use crate::no_estimate::NoEstimate;
use crate::observed::Observed;
use crate::proportion::proportion;
use crate::statistics::Known;
use crate::summary::LEVELS_INTERVALS;
use crate::uncertainty::{coverage, of_asynchronies, of_intervals};
use crate::wing_kristofferson::{estimate_without_slips, interval};
use chronotap_time::Nanos;
use serde::Serialize;

/// The estimates of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimates {
    /// Those of the same values together.
    pub groups: Vec<Group>,
}

/// What is estimated from the same values.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The input.
    pub input: String,
    /// The stream that it is measured against.
    pub against: Option<String>,
    /// The stretch; `None` where the trial is one.
    pub stretch: Option<String>,
    /// What the estimates are made from, in the plural.
    pub of: &'static str,
    /// How many of these there are.
    pub n: usize,
    /// The estimates, or why there are none.
    pub found: Result<Vec<Estimated>, NoEstimate>,
}

/// A statistic with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimated {
    /// Which.
    pub known: Known,
    /// The estimate, in the unit of the statistic.
    pub estimate: Estimate,
    /// How often such an interval held the truth in simulations of runs of this length
    /// ([`coverage`]).
    pub held: Option<f64>,
}

impl Estimated {
    /// The same where it is less often than an interval for 95 % should.
    pub fn doubted(&self) -> Option<f64> {
        self.held.filter(|share| *share < coverage::LEAST)
    }
}

impl Estimates {
    /// Works out the estimates of a trial.
    pub fn of(observed: &Observed<'_>) -> Estimates {
        let account = Account::of(observed);
        let several = account.stretches.len() > 1;
        let all = (0..account.stretches.len()).filter(|_| several).map(Some);
        let places: Vec<Option<usize>> = if several { all.collect() } else { vec![None] };
        let mut groups = Vec::new();
        for input in 0..observed.taps.len() {
            for place in &places {
                Part { observed, account: &account, input, place: *place }.put(&mut groups);
            }
        }
        groups.retain(|group| group.n > 0);
        Estimates { groups }
    }
}

/// An estimate on its own, as data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimateRow<'a> {
    /// The name of the statistic.
    pub statistic: &'static str,
    /// The input.
    pub input: &'a str,
    /// The stream that it is measured against.
    pub against: Option<&'a str>,
    /// The stretch; `None` where the trial is one.
    pub stretch: Option<&'a str>,
    /// From how many values.
    pub n: usize,
    /// The estimate.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// How often such an interval held the truth, where that is less than in 93 %.
    pub held: Option<f64>,
}

impl Estimates {
    /// Every estimate on its own.
    pub fn rows(&self) -> Vec<EstimateRow<'_>> {
        self.groups.iter().flat_map(rows_of).collect()
    }
}

fn rows_of(group: &Group) -> Vec<EstimateRow<'_>> {
    let row = |found: &Estimated| EstimateRow {
        statistic: found.known.name,
        input: &group.input,
        against: group.against.as_deref(),
        stretch: group.stretch.as_deref(),
        n: group.n,
        estimate: found.estimate,
        held: found.doubted(),
    };
    group.found.iter().flatten().map(row).collect()
}

/// An input in one stretch, or in the whole trial.
struct Part<'a> {
    observed: &'a Observed<'a>,
    account: &'a Account,
    input: usize,
    place: Option<usize>,
}

/// A name of the table of statistics and its estimate.
type Named = (&'static str, Option<Estimate>);

impl Part<'_> {
    fn put(&self, groups: &mut Vec<Group>) {
        let onsets = self.account.onsets(self.input);
        let taps: Vec<Nanos> = onsets.iter().copied().filter(|onset| self.here(*onset)).collect();
        let between = intervals::between(&taps);
        groups.push(self.group(None, "inter-tap intervals", between.len(), in_time(&between)));
        if self.paced().is_empty() {
            groups.extend(self.levels(&between));
        }
        for stream in self.paced() {
            let Some(matching) = self.account.matching(self.input, stream) else { continue };
            self.put_pair(groups, stream, matching);
        }
    }

    fn here(&self, at: Nanos) -> bool {
        self.place.is_none_or(|place| self.account.stretch(at) == place)
    }

    /// The streams that pace here.
    fn paced(&self) -> Vec<usize> {
        let stretches = self.account.stretches.iter().enumerate();
        let here = stretches.filter(|(at, _)| self.place.is_none_or(|place| *at == place));
        let mut streams: Vec<usize> =
            here.flat_map(|(_, stretch)| stretch.pacing.iter().copied()).collect();
        streams.sort_unstable();
        streams.dedup();
        streams
    }

    fn levels(&self, between: &[Nanos]) -> Option<Group> {
        let levels = estimate_without_slips(between).filter(|l| l.n >= LEVELS_INTERVALS)?;
        let raw = interval::bounds(&levels);
        let less = interval::detrended_bounds(&levels).ok();
        let found = raw.map(|raw| {
            vec![
                ("clock variance", Some(raw.clock_ms2)),
                ("motor variance", Some(raw.motor_ms2)),
                ("detrended clock variance", less.map(|less| less.clock_ms2)),
                ("detrended motor variance", less.map(|less| less.motor_ms2)),
                ("lag one", Some(raw.r1)),
            ]
        });
        Some(self.group(None, "intervals of clock and motor", levels.n, found))
    }

    fn put_pair(&self, groups: &mut Vec<Group>, stream: usize, matching: &Matching) {
        let beats = &self.observed.pacing[stream].beats;
        let here = |beat: usize| self.here(beats[beat].at);
        let pairs = matching.pairs.iter().filter(|pair| here(pair.beat));
        let asynchronies: Vec<Nanos> = pairs.map(|pair| pair.asynchrony).collect();
        let all = (0..beats.len()).filter(|beat| here(*beat)).count();
        let n = asynchronies.len();
        let of = Some(stream);
        groups.push(self.group(of, "asynchronies", n, of_beats(&asynchronies)));
        groups.push(self.group(of, "beats", all, hit_rate(n, all)));
    }

    fn group(
        &self,
        stream: Option<usize>,
        of: &'static str,
        n: usize,
        found: Result<Vec<Named>, NoEstimate>,
    ) -> Group {
        let estimated = |(name, estimate): Named| {
            let known = Known::find(name).expect("every statistic stands in the table");
            Some(Estimated { known, estimate: estimate?, held: coverage::held(name, n) })
        };
        Group {
            input: self.observed.taps[self.input].name.to_string(),
            against: stream.map(|stream| self.observed.pacing[stream].name.to_string()),
            stretch: self.place.map(|place| self.account.stretches[place].name.clone()),
            of,
            n,
            found: found.map(|all| all.into_iter().filter_map(estimated).collect()),
        }
    }
}

fn in_time(between: &[Nanos]) -> Result<Vec<Named>, NoEstimate> {
    let described = intervals::describe(between).ok_or(NoEstimate::NothingVaries("intervals"))?;
    let found = of_intervals(between, &described)?;
    Ok(vec![
        ("median interval", Some(found.median_ms)),
        ("mean interval", Some(found.mean_ms)),
        ("sd interval", found.sd_ms),
        ("cv interval", found.cv),
        ("rmssd interval", found.rmssd_ms),
        ("drift", found.drift_ms_per_interval),
        ("npvi", found.npvi),
    ])
}

fn of_beats(asynchronies: &[Nanos]) -> Result<Vec<Named>, NoEstimate> {
    let nothing = NoEstimate::NothingVaries("asynchronies");
    let described = asynchrony::describe(asynchronies).ok_or(nothing)?;
    let found = of_asynchronies(asynchronies, &described)?;
    Ok(vec![
        ("mean asynchrony", Some(found.mean_ms)),
        ("median asynchrony", Some(found.median_ms)),
        ("sd asynchrony", found.sd_ms),
        ("mean absolute asynchrony", found.mean_absolute_ms),
        ("rms asynchrony", found.rms_ms),
    ])
}

/// By Wilson's interval.
fn hit_rate(matched: usize, beats: usize) -> Result<Vec<Named>, NoEstimate> {
    let found = proportion(matched, beats)?;
    let (value, low, high) = (found.share, found.low, found.high);
    let standard_error = (value * (1.0 - value) / beats as f64).sqrt();
    Ok(vec![("hit rate", Some(Estimate { value, standard_error, low, high }))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observed::{self, Stream};
    use crate::statistics::{Of, STATISTICS, Unit};
    use crate::summary::Summary;
    use chronotap_engine::random::Random;

    /// A tapper to 40 beats and on for as long, with a clock and motor delays.
    fn with_trial<T>(taps: i64, then: impl Fn(&Observed<'_>) -> T) -> T {
        let mut random = Random::named(5, "estimates");
        let beats = (0..40).map(|k| Nanos::from_millis(1_000 + 500 * k));
        let mut clock = 0.0;
        let onset = |k: i64| {
            clock = if k < 40 { 0.5 * clock } else { clock } + 15.0 * random.normal();
            let late = Nanos::round_from_f64(1e6 * (clock + 10.0 * random.normal()));
            Nanos::from_millis(970 + 500 * k) + late
        };
        then(&Observed {
            length: Nanos::from_secs(42),
            pacing: vec![Stream::steady("metronome", beats)],
            taps: vec![observed::Input::tapped("pad", (0..taps).map(onset))],
            ..Observed::default()
        })
    }

    /// Counts are not estimated, and of lateness every message is known. Errors of reproduction
    /// have no interval: those of one round are not independent, and rounds are few.
    fn is_estimated(known: &Known) -> bool {
        known.unit != Unit::Count && !matches!(known.of, Of::Trial | Of::Response)
    }

    #[test]
    fn every_statistic_that_is_an_estimate_has_its_interval_and_a_known_coverage() {
        let found = with_trial(80, Estimates::of);
        let all: Vec<&Estimated> =
            found.groups.iter().flat_map(|g| g.found.iter().flatten()).collect();
        for known in STATISTICS {
            let there = all.iter().any(|estimated| estimated.known == known);
            assert_eq!(there, is_estimated(&known), "{}", known.name);
            assert_eq!(coverage::held(known.name, 50).is_some(), there, "{}", known.name);
        }
        for one in all {
            let Estimate { value, low, high, .. } = one.estimate;
            assert!(low <= value && value <= high, "{one:?}");
        }
    }

    #[test]
    fn an_estimate_is_the_number_of_the_summary() {
        with_trial(80, |observed| {
            let summary = Summary::of(observed);
            let statistics = summary.statistics();
            for group in Estimates::of(observed).groups {
                for estimated in group.found.iter().flatten() {
                    let same = statistics.iter().find(|statistic| {
                        statistic.known == estimated.known
                            && statistic.stretch == group.stretch.as_deref()
                    });
                    let value = same.and_then(|same| same.value).unwrap();
                    assert!((value - estimated.estimate.value).abs() < 1e-9, "{estimated:?}");
                }
            }
        });
    }

    #[test]
    fn doubts_stand_beside_the_estimate_and_nowhere_else() {
        let found = with_trial(80, Estimates::of);
        let text = found.to_string();
        for estimated in found.groups.iter().flat_map(|group| group.found.iter().flatten()) {
            let of_it = |line: &&str| line.trim_start().starts_with(estimated.known.name);
            let said = text.lines().filter(of_it).any(|line| line.contains("held in"));
            assert_eq!(said, estimated.doubted().is_some(), "{estimated:?}\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn too_few_taps_are_said_and_give_no_number() {
        let text = with_trial(6, |observed| Estimates::of(observed).to_string());
        assert!(text.contains("5 intervals are too few: at least 10 are needed"), "{text}");
        assert!(text.contains("6 asynchronies are too few"), "{text}");
        assert_eq!(Estimates::of(&Observed::default()).to_string(), "");
    }
}
