//! [`Estimates`]: the statistics of a trial's summary with their intervals for 95 %, as the
//! command `summary` prints them. They stand apart from [`crate::summary`], which is also
//! worked out where thousands of trials are rehearsed and nobody asks for an interval.
//!
//! A trial of several stretches has them for each, since what is measured in one does not hold in
//! another; of a trial of one stretch everything is in it.

mod render;

use crate::account::Account;
use crate::estimate::Estimate;
use crate::intervals::Placed;
use crate::matching::Matching;
use crate::no_estimate::NoEstimate;
use crate::observed::Observed;
use crate::reproduction::describe;
use crate::series::Series;
use crate::statistics::{Answered, ClockAndMotor, Material, Needs, Statistic, columns};
use crate::summary::LEVELS_INTERVALS;
use crate::uncertainty::{AsynchronySpread, SpectralSpread, coverage};
use crate::wing_kristofferson::estimate_without_slips;
use chronotap_core::time::Nanos;
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
    pub input: String,
    /// The stream that it is measured against.
    pub against: Option<String>,
    /// The stretch; `None` where the trial is one.
    pub stretch: Option<String>,
    /// The interval of a reproduced rhythm, from 1; `None` where they are of all together.
    pub interval: Option<usize>,
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
    pub known: &'static Statistic,
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
        Estimates::at(observed, &account, (!several).then_some(None).into_iter())
    }

    /// The same, and of a trial of several stretches those over all of it too: for tables that
    /// have both.
    pub fn with_whole(observed: &Observed<'_>) -> Estimates {
        Estimates::at(observed, &Account::of(observed), std::iter::once(None))
    }

    /// In the whole trial where `whole` says so, and in each of several stretches.
    fn at(
        observed: &Observed<'_>,
        account: &Account,
        whole: impl Iterator<Item = Option<usize>>,
    ) -> Estimates {
        let several = account.stretches.len() > 1;
        let stretches = (0..account.stretches.len()).filter(|_| several).map(Some);
        let places: Vec<Option<usize>> = whole.chain(stretches).collect();
        let mut groups = Vec::new();
        for input in 0..observed.taps.len() {
            for place in &places {
                Part { observed, account, input, place: *place }.put(&mut groups);
            }
            Part { observed, account, input, place: None }.put_responses(&mut groups);
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
    pub input: &'a str,
    /// The stream that it is measured against.
    pub against: Option<&'a str>,
    /// The stretch; `None` where the trial is one.
    pub stretch: Option<&'a str>,
    /// The interval of a reproduced rhythm, from 1, where it is of that alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<usize>,
    /// From how many values.
    pub n: usize,
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
        interval: group.interval,
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

/// Statistics and their estimates.
type Measured = Vec<(&'static Statistic, Option<Estimate>)>;

impl Part<'_> {
    fn put(&self, groups: &mut Vec<Group>) {
        let onsets = self.account.onsets(self.input);
        let taps: Vec<Nanos> = onsets.iter().copied().filter(|onset| self.here(*onset)).collect();
        let between = self.account.intervals(self.input, &taps);
        groups.push(self.group(None, "inter-tap intervals", between.len(), in_time(&between)));
        groups.extend(self.alone().and_then(|alone| self.levels(&alone)));
        for stream in self.paced() {
            let Some(matching) = self.account.matching(self.input, stream) else { continue };
            self.put_pair(groups, stream, matching);
        }
    }

    fn here(&self, at: Nanos) -> bool {
        self.place.is_none_or(|place| self.account.stretch(at) == place)
    }

    /// The intervals of clock and motor: where nothing paces, of a whole trial those of its
    /// continuation.
    fn alone(&self) -> Option<Placed> {
        let place = self.place.or(self.account.continuation())?;
        if !self.account.stretches[place].pacing.is_empty() {
            return None;
        }
        let mut onsets = self.account.onsets(self.input);
        onsets.retain(|onset| self.account.stretch(*onset) == place);
        Some(self.account.intervals(self.input, &onsets))
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

    fn levels(&self, between: &Placed) -> Option<Group> {
        let levels = estimate_without_slips(between.intervals());
        let levels = levels.filter(|l| l.n >= LEVELS_INTERVALS)?;
        let n = levels.n;
        let levels = ClockAndMotor::of(levels, Some(between));
        let found = levels.bounds().map(|_| ()).map_err(NoEstimate::clone).map(|()| {
            let material = Material { levels: Some(levels), ..Material::default() };
            estimated(&material, |needs| matches!(needs, Needs::Levels(..)))
        });
        Some(self.group(None, "intervals of clock and motor", n, found))
    }

    fn put_pair(&self, groups: &mut Vec<Group>, stream: usize, matching: &Matching) {
        let beats = &self.observed.pacing[stream].beats;
        let here = |beat: usize| self.here(beats[beat].at);
        let pairs = matching.pairs.iter().filter(|pair| here(pair.beat));
        let asynchronies: Vec<Nanos> = pairs.map(|pair| pair.asynchrony).collect();
        // Beats that were only listened to had no chance to be hit.
        let listened = matching.listened.iter().filter(|beat| here(**beat)).count();
        let all = (0..beats.len()).filter(|beat| here(*beat)).count() - listened;
        let n = asynchronies.len();
        let of = Some(stream);
        groups.push(self.group(of, "asynchronies", n, of_beats(&asynchronies)));
        let answered = Answered { beats: all, matched: n, ..Answered::default() };
        let material = Material { beats: Some(answered), ..Material::default() };
        let found = estimated(&material, |needs| matches!(needs, Needs::Beats(..)));
        groups.push(self.group(of, "beats", all, Ok(found)));
    }

    /// What is reproduced, over the rhythm and of each of its intervals.
    fn put_responses(&self, groups: &mut Vec<Group>) {
        let name = self.observed.taps[self.input].name;
        for (stream, pacing) in self.observed.pacing.iter().enumerate() {
            let Some(rounds) = self.account.rounds(self.input, stream) else { continue };
            let found = describe(name, pacing.name, rounds, &self.account.onsets(self.input));
            let of_response = |sure| {
                let response = Some((&found, Some(sure)));
                let material = Material { response, ..Material::default() };
                estimated(&material, |needs| matches!(needs, Needs::Response(..)))
            };
            let all = found.bounds().map(of_response);
            let several = found.intervals.len() > 1 && all.is_ok();
            groups.push(self.group(Some(stream), "rounds", found.errors_ms.len(), all));
            for one in found.intervals.iter().filter(|_| several) {
                let bounds = found.bounds_of(one.number).map(of_response);
                let group = self.group(Some(stream), "rounds", one.n, bounds);
                groups.push(Group { interval: Some(one.number), ..group });
            }
        }
    }

    fn group(
        &self,
        stream: Option<usize>,
        of: &'static str,
        n: usize,
        found: Result<Measured, NoEstimate>,
    ) -> Group {
        let estimated = |(known, estimate): (&'static Statistic, Option<Estimate>)| {
            Some(Estimated { known, estimate: estimate?, held: known.held(n) })
        };
        Group {
            input: self.observed.taps[self.input].name.to_string(),
            against: stream.map(|stream| self.observed.pacing[stream].name.to_string()),
            stretch: self.place.map(|place| self.account.stretches[place].name.clone()),
            interval: None,
            of,
            n,
            found: found.map(|all| all.into_iter().filter_map(estimated).collect()),
        }
    }
}

fn in_time(between: &Placed) -> Result<Measured, NoEstimate> {
    let series = Series::of(between);
    let spread = SpectralSpread::of(&series, "intervals")?;
    let material = Material { intervals: Some((&series, Some(&spread))), ..Material::default() };
    Ok(estimated(&material, |needs| matches!(needs, Needs::Intervals(..))))
}

fn of_beats(asynchronies: &[Nanos]) -> Result<Measured, NoEstimate> {
    let placed = Placed::all(asynchronies.to_vec());
    let series = Series::of(&placed);
    let spread = AsynchronySpread::of(&series)?;
    let material = Material { asynchronies: Some((&series, Some(&spread))), ..Material::default() };
    Ok(estimated(&material, |needs| matches!(needs, Needs::Asynchronies(..))))
}

/// The statistics of a summary with these needs, with their intervals.
fn estimated(material: &Material<'_>, of: fn(&Needs) -> bool) -> Measured {
    let all = columns().iter().filter(|one| one.is_estimated() && of(&one.needs));
    all.map(|one| (*one, material.measure(one).estimate)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observed::{self, Answers, ObservedStream, StreamResponse};
    use crate::summary::Summary;
    use chronotap_engine::random::Random;

    /// A tapper to 40 beats and on for as long, with a clock and motor delays; and somebody who
    /// reproduces three beats, again and again.
    fn with_trial<T>(taps: i64, then: impl Fn(&Observed<'_>) -> T) -> T {
        let mut random = Random::named(5, "estimates");
        let beats = (0..40).map(|k| Nanos::from_millis(1_000 + 500 * k));
        let mut clock = 0.0;
        let onset = |k: i64| {
            clock = if k < 40 { 0.5 * clock } else { clock } + 15.0 * random.normal();
            let late = Nanos::round_from_f64(1e6 * (clock + 10.0 * random.normal()));
            Nanos::from_millis(970 + 500 * k) + late
        };
        let taps = observed::ObservedInput::tapped("pad", (0..taps).map(onset));
        let rhythm = |k: i64| [0, 600, 1_100].map(|at| Nanos::from_millis(5_000 * k + at));
        let copied = (0..24).map(|k: i64| {
            let late = Nanos::round_from_f64(20e6 * random.normal());
            Nanos::from_millis(5_000 * (k / 3) + 2_000 + 550 * (k % 3)) + late
        });
        let response =
            StreamResponse { stream: 1, after: Nanos::ZERO, within: None, beats: Some(3) };
        then(&Observed {
            length: Nanos::from_secs(42),
            pacing: vec![
                ObservedStream::steady("metronome", beats),
                ObservedStream::steady("model", (0..8).flat_map(rhythm)),
            ],
            taps: vec![taps, observed::ObservedInput::tapped("key", copied)],
            answers: Answers {
                pairs: Some(vec![(0, 0), (1, 1)]),
                responses: vec![response],
                ..Answers::default()
            },
            ..Observed::default()
        })
    }

    #[test]
    fn every_statistic_that_is_an_estimate_has_its_interval_and_a_known_coverage() {
        let found = with_trial(80, Estimates::of);
        let all: Vec<&Estimated> =
            found.groups.iter().flat_map(|g| g.found.iter().flatten()).collect();
        for known in columns() {
            let there = all.iter().any(|estimated| estimated.known == *known);
            assert_eq!(there, known.is_estimated(), "{}", known.name);
            assert_eq!(known.held(50).is_some(), there, "{}", known.name);
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
            let groups = Estimates::with_whole(observed).groups;
            for group in groups.into_iter().filter(|group| group.interval.is_none()) {
                for estimated in group.found.iter().flatten() {
                    let same = statistics.iter().find(|statistic| {
                        statistic.known == estimated.known
                            && statistic.input == Some(&*group.input)
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
        let groups = found.groups.iter().filter(|group| group.interval.is_none());
        for estimated in groups.flat_map(|group| group.found.iter().flatten()) {
            // A long name stands on the line before its number.
            let value = format!(" {:.3}  [", estimated.estimate.value);
            let of_it = |(before, line): &(&str, &str)| {
                let named = |line: &str| line.trim_start().starts_with(estimated.known.name);
                (named(line) || named(before)) && line.contains(&value)
            };
            let mut lines = text.lines().zip(text.lines().skip(1)).filter(of_it).peekable();
            assert!(lines.peek().is_some(), "{estimated:?}\n{text}");
            let said = lines.any(|(_, line)| line.contains("held in"));
            assert_eq!(said, estimated.doubted().is_some(), "{estimated:?}\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn each_interval_of_a_rhythm_has_its_errors() {
        let found = with_trial(80, Estimates::of);
        let intervals: Vec<Option<usize>> = found
            .rows()
            .iter()
            .filter(|row| row.against == Some("model"))
            .map(|r| r.interval)
            .collect();
        let once = |interval| [interval; 3];
        assert_eq!(intervals, [None, Some(1), Some(2)].map(once).concat());
        let text = found.to_string();
        assert!(text.contains("\n  from 8 rounds\n    mean reproduction error "), "{text}");
        assert!(text.contains("\n      of interval 2 "), "{text}");
    }

    #[test]
    fn a_trial_of_several_stretches_has_the_whole_where_it_is_asked_for() {
        let stretches = |found: Estimates| {
            let of = found.groups.into_iter().filter(|group| group.input == "pad");
            let mut all: Vec<Option<String>> = of.map(|group| group.stretch).collect();
            all.dedup();
            all
        };
        let [paced, alone] = ["metronome", "continuation"].map(|name| Some(name.to_owned()));
        assert_eq!(with_trial(80, |o| stretches(Estimates::of(o))), [paced.clone(), alone.clone()]);
        assert_eq!(with_trial(80, |o| stretches(Estimates::with_whole(o))), [None, paced, alone]);
    }

    #[test]
    fn too_few_taps_are_said_and_give_no_number() {
        let text = with_trial(6, |observed| Estimates::of(observed).to_string());
        assert!(text.contains("5 intervals are too few: at least 10 are needed"), "{text}");
        assert!(text.contains("6 asynchronies are too few"), "{text}");
        assert_eq!(Estimates::of(&Observed::default()).to_string(), "");
    }
}
