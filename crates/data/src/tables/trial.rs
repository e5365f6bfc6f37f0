//! One trial: its rows in the table of trials, and what the table of taps needs.

use crate::tables::AnalysisOptions;
use crate::tables::measures::{Both, Data, Extent, PairData, measured, measures, place};
use crate::tables::numbers::Numbers;
use crate::tables::of_input::OfInput;
use crate::tables::partners::{self, partners};
use crate::tables::swapped::is_swapped;
use crate::tables::time_course::responses;
use crate::tables::tracked::Tracked;
use chronotap_analysis::account::Account;
use chronotap_analysis::cleaning::{Cleaned, CleaningRule, clean};
use chronotap_analysis::correction::TapRun;
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::intervals::Placed;
use chronotap_analysis::isolated::{self, AtLag};
use chronotap_analysis::matching::{Matching, Pair};
use chronotap_analysis::metre::{LEVELS, angles, positions, tapping};
use chronotap_analysis::observed::{Observed, Tap, TapForce};
use chronotap_analysis::perturbation::{Response, found};
use chronotap_analysis::reproduction::{Reproduction, describe};
use chronotap_analysis::runs::followers;
use chronotap_analysis::sequence::{Performed, performed};
use chronotap_analysis::statistics::{Answered, Statistic};
use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;
use std::sync::OnceLock;

/// A row of the table of trials: an input, against a stream or by itself, in one stretch or
/// in the whole trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRow {
    /// The place of the trial among the sources.
    pub source: usize,
    pub input: String,
    /// The stream that it is measured against, or `taps of` another input.
    pub against: Option<String>,
    /// The stretch; `None` for the whole trial.
    pub stretch: Option<String>,
    /// Whether it is against the taps of another input.
    pub of_partners: bool,
    /// Whether the input was taken for another; of whole trials.
    pub swapped: bool,
    pub(super) numbers: Numbers,
    /// The unbroken runs at one tempo, to be pooled over trials.
    pub runs: Vec<TapRun>,
}

impl TrialRow {
    pub fn of(&self, statistic: &Statistic) -> Option<f64> {
        self.value(place(statistic))
    }

    /// The one at this place of [`crate::tables::measures`].
    pub fn value(&self, place: usize) -> Option<f64> {
        self.numbers.value(place)
    }

    /// Its interval for 95 %, where it is an estimate.
    pub fn bounds(&self, place: usize) -> Option<[f64; 2]> {
        self.numbers.bounds(place)
    }

    /// The estimates whose intervals held the truth in less than 93 % of simulated runs of this
    /// length, each with that share: `mean_asynchrony_ms 0.923; direction_rad 0.924`.
    pub fn interval_doubts(&self) -> Option<String> {
        let doubts = measures().iter().zip(counted()).enumerate();
        let doubts = doubts.filter_map(|(place, (measure, counted))| {
            self.bounds(place)?;
            let n: f64 = counted.iter().map(|place| self.value(*place)).sum::<Option<f64>>()?;
            let share = measure.doubted(n as usize)?;
            Some(format!("{} {share:.3}", measure.column()))
        });
        let doubts: Vec<String> = doubts.collect();
        (!doubts.is_empty()).then(|| doubts.join("; "))
    }
}

/// Of each measure with an interval the places of those that count its values. All rows ask for it.
fn counted() -> &'static [Vec<usize>] {
    static COUNTED: OnceLock<Vec<Vec<usize>>> = OnceLock::new();
    let places = |of: &Statistic| of.counted_by().iter().map(|count| place(count)).collect();
    COUNTED.get_or_init(|| measures().iter().map(|of| places(of)).collect())
}

/// The taps of every input, cleaned.
pub(crate) fn inputs(
    observed: &Observed<'_>,
    account: &Account,
    how: &AnalysisOptions,
) -> Vec<OfInput> {
    let late = |rule: &&CleaningRule| !matches!(rule, CleaningRule::Debounce(_));
    let rules: Vec<CleaningRule> = how.rules.iter().filter(late).copied().collect();
    let of = |input: usize| {
        let onsets = account.onsets(input);
        let against = (0..observed.pacing.len()).filter_map(|stream| {
            let matching = account.matching(input, stream)?;
            let mut asynchronies = vec![None; onsets.len()];
            matching.pairs.iter().for_each(|p| asynchronies[p.tap] = Some(p.asynchrony));
            Some((Some(stream), clean(&onsets, &asynchronies, &rules)))
        });
        let mut cleaned: Vec<_> = against.collect();
        if cleaned.is_empty() {
            cleaned.push((None, clean(&onsets, &[], &rules)));
        }
        let stretch = onsets.iter().map(|onset| account.stretch(*onset)).collect();
        OfInput { input, onsets, stretch, cleaned }
    };
    (0..observed.taps.len()).map(of).collect()
}

/// The rows of a trial.
pub(crate) fn rows(
    source: usize,
    observed: &Observed<'_>,
    account: &Account,
    inputs: &[OfInput],
    extent: Extent<'_>,
) -> Vec<TrialRow> {
    let several = account.stretches.len() > 1;
    let stretches = (0..account.stretches.len()).filter(|_| several).map(Some);
    let places: Vec<Option<usize>> = std::iter::once(None).chain(stretches).collect();
    let mut rows = Vec::new();
    for of in inputs {
        let swapped = inputs.len() > 1 && is_swapped(observed, account, inputs, of);
        for place in &places {
            if place.is_some_and(|place| is_short(account, of, place)) {
                continue;
            }
            let paces = |stream: usize| {
                place.is_none_or(|place| account.stretches[place].pacing.contains(&stream))
            };
            let mut against: Vec<_> =
                of.cleaned.iter().filter(|(s, _)| s.is_some_and(paces)).collect();
            let responses = reproduced(account, observed, of.input);
            let responses = responses.into_iter().filter(|_| place.is_none());
            // Where nothing paces that the input answers, the taps stand by themselves, or in
            // the whole trial against what they reproduce.
            let alone = of.cleaned.first().map(|(_, cleaned)| (None, cleaned.clone()));
            let responds: Vec<_> =
                responses.filter_map(|s| Some((s, &alone.as_ref()?.1))).collect();
            if against.is_empty() && responds.is_empty() {
                against.extend(alone.as_ref());
            }
            let answered = against.into_iter().map(|(stream, cleaned)| (*stream, cleaned));
            let reproduced = responds.iter().map(|(stream, cleaned)| (Some(*stream), *cleaned));
            for (stream, cleaned) in answered.chain(reproduced) {
                let part = Part { observed, account, of, cleaned, place: *place, extent };
                let swapped = swapped && stream.is_some() && place.is_none();
                rows.push(TrialRow { swapped, ..part.row(source, stream) });
            }
            for other in inputs.iter().filter(|other| other.input != of.input) {
                let pair = partners(observed, account, (other, of), *place);
                let alone = of.cleaned.first().map(|(_, cleaned)| cleaned);
                let Some((pair, cleaned)) = pair.zip(alone) else { continue };
                let part = Part { observed, account, of, cleaned, place: *place, extent };
                let data = Data { pair: Some(pair), ..part.data(None) };
                let name = partners::name(observed.taps[other.input].name);
                let row = part.row_of(source, Some(name), data);
                rows.push(TrialRow { of_partners: true, ..row });
            }
        }
    }
    rows
}

/// The asynchronies of pairs, neighbours where their beats are: one beat without an asynchrony
/// between two that have one parts them.
fn placed<'a>(pairs: impl Iterator<Item = &'a &'a Pair>, follows: &[bool]) -> Placed {
    let mut placed = Placed::default();
    let mut last: Option<(usize, usize)> = None;
    for pair in pairs {
        let place = last.map_or(0, |(beat, place)| {
            let next = pair.beat == beat + 1 && follows[pair.beat];
            place + if next { 1 } else { 2 }
        });
        placed.push(place, pair.asynchrony);
        last = Some((pair.beat, place));
    }
    placed
}

/// Fewest taps of a stretch in which nothing paces, where it is to have a row of its own: one or
/// two are late answers to the last beats.
const ALONE_TAPS: usize = 3;

/// The streams that an input listens to and reproduces.
fn reproduced(account: &Account, observed: &Observed<'_>, input: usize) -> Vec<usize> {
    let streams = 0..observed.pacing.len();
    streams.filter(|stream| account.rounds(input, *stream).is_some()).collect()
}

/// Whether nothing paces a stretch and hardly anybody taps in it.
fn is_short(account: &Account, of: &OfInput, place: usize) -> bool {
    let taps = of.stretch.iter().filter(|stretch| **stretch == place).count();
    account.stretches[place].pacing.is_empty() && taps < ALONE_TAPS
}

/// An input's taps in one stretch, or in the whole trial.
struct Part<'a> {
    observed: &'a Observed<'a>,
    account: &'a Account,
    of: &'a OfInput,
    cleaned: &'a Cleaned,
    place: Option<usize>,
    extent: Extent<'a>,
}

impl Part<'_> {
    fn row(&self, source: usize, stream: Option<usize>) -> TrialRow {
        let name = |stream: usize| self.observed.pacing[stream].name.to_owned();
        self.row_of(source, stream.map(name), self.data(stream))
    }

    fn row_of(&self, source: usize, against: Option<String>, data: Data) -> TrialRow {
        let ends = |found: Estimate| [found.low, found.high];
        let all = measured(&data, self.extent).into_iter();
        let all: Vec<_> = all.map(|one| (one.value, one.estimate.map(ends))).collect();
        TrialRow {
            source,
            input: self.observed.taps[self.of.input].name.to_owned(),
            against,
            stretch: self.place.map(|place| self.account.stretches[place].name.clone()),
            of_partners: false,
            swapped: false,
            numbers: Numbers::of(&all),
            runs: match self.extent {
                Extent::Whole => data.pair.map(|pair| pair.runs).unwrap_or_default(),
                Extent::Values(_) => Vec::new(), // nobody pools them
            },
        }
    }

    fn here(&self, tap: usize) -> bool {
        self.place.is_none_or(|place| self.of.stretch[tap] == place)
    }

    fn data(&self, stream: Option<usize>) -> Data {
        let taps = self.cleaned.taps();
        let counted: Vec<usize> = taps.iter().copied().filter(|tap| self.here(*tap)).collect();
        let all = (0..self.of.onsets.len()).filter(|tap| self.here(*tap)).count();
        let (intervals, whole) = self.intervals(&taps);
        let every: Vec<usize> = (0..self.of.onsets.len()).collect();
        let both = |pair: &&[usize]| {
            let [one, other] = [pair[0], pair[1]].map(|tap| self.of.onsets[tap]);
            let of_one_round = self.account.are_of_one_round(self.of.input, one, other);
            self.here(pair[0]) && self.here(pair[1]) && of_one_round
        };
        let apart = |pair: &[usize]| self.of.onsets[pair[1]] - self.of.onsets[pair[0]];
        let all_debounced = self.observed.taps[self.of.input].taps.iter().filter(|t| t.debounced);
        let here = |at: Nanos| self.place.is_none_or(|place| self.account.stretch(at) == place);
        let unpaced = match self.place {
            Some(place) => self.account.stretches[place].pacing.is_empty(),
            None => self.account.stretches.iter().all(|stretch| stretch.pacing.is_empty()),
        };
        Data {
            taps: counted.len(),
            left_out_taps: all - counted.len(),
            debounced: all_debounced.filter(|tap| here(tap.onset)).count(),
            left_out_intervals: whole - intervals.len(),
            intervals,
            raw_intervals: every.windows(2).filter(both).map(apart).collect(),
            forces: self.forces(&counted),
            self_paced: unpaced,
            pair: stream.and_then(|stream| self.pair(stream, &counted)),
            response: stream.and_then(|stream| self.response(stream)),
            altered: self.altered(&counted),
            sequence: self.sequence(),
        }
    }

    /// Of these taps, how hard they were that a sensor felt.
    fn forces(&self, counted: &[usize]) -> Vec<TapForce> {
        let taps = &self.observed.taps[self.of.input].taps;
        if taps.iter().all(|tap| tap.force.is_none()) {
            return Vec::new(); // as in most trials
        }
        let accepted = self.accepted();
        counted.iter().filter_map(|tap| accepted[*tap].force).collect()
    }

    /// What altered feedback did to the interval behind it, over the whole trial. Notes of a sequence
    /// are compared with the same place of it.
    fn altered(&self, counted: &[usize]) -> Option<AtLag> {
        let accepted = self.accepted();
        let altered = |place: &usize| accepted[counted[*place]].altered;
        let intervals = counted.len().checked_sub(1)?;
        let altered: Vec<usize> = (0..intervals).filter(altered).collect();
        if self.place.is_some() || altered.is_empty() {
            return None;
        }
        let sequences = &self.observed.answers.sequences;
        let sequence = sequences.iter().find(|(input, _)| *input == self.of.input);
        let length = sequence.map_or(1, |(_, keys)| keys.len().max(1));
        // An interval that does not count has no other like it.
        let alike = |place: usize| match self.cleaned.marks[counted[place + 1]].interval {
            None => (place % length) as u32,
            Some(_) => u32::MAX - place as u32,
        };
        let matches: Vec<u32> = (0..intervals).map(alike).collect();
        let apart = |pair: &[usize]| self.of.onsets[pair[1]] - self.of.onsets[pair[0]];
        let intervals: Vec<Nanos> = counted.windows(2).map(apart).collect();
        isolated::responses(&intervals, &matches, &altered, 0).ok()?.pop()
    }

    /// The taps that were not debounced.
    fn accepted(&self) -> Vec<Tap> {
        let taps = self.observed.taps[self.of.input].taps.iter();
        taps.filter(|tap| !tap.debounced).copied().collect()
    }

    fn sequence(&self) -> Option<Performed> {
        let mut sequences = self.observed.answers.sequences.iter();
        let (_, keys) = sequences.find(|(input, _)| *input == self.of.input)?;
        let played: Vec<U7> = self.accepted().iter().filter_map(|tap| tap.note).collect();
        self.place.is_none().then(|| performed(&played, keys)).flatten()
    }

    /// How the stream is reproduced, as in the summary: by all taps that were not debounced.
    fn response(&self, stream: usize) -> Option<Reproduction> {
        let rounds = self.account.rounds(self.of.input, stream)?;
        let name = self.observed.pacing[stream].name;
        Some(describe(self.observed.taps[self.of.input].name, name, rounds, &self.of.onsets))
    }

    /// Whether both taps are of one round of a response, or of none, with no missed tap between them.
    fn are_neighbours(&self, pair: &[usize]) -> bool {
        let [one, other] = [pair[0], pair[1]].map(|tap| self.of.onsets[tap]);
        self.account.are_neighbours(self.of.input, one, other)
    }

    /// The intervals that count, and how many there are with those left out. Both taps of an
    /// interval lie in the stretch and are neighbours.
    fn intervals(&self, taps: &[usize]) -> (Placed, usize) {
        let inside = taps.windows(2).filter(|pair| self.here(pair[0]) && self.here(pair[1]));
        let (mut counted, mut whole) = (Placed::default(), 0);
        for (place, pair) in inside.enumerate() {
            if !self.are_neighbours(pair) {
                continue;
            }
            if self.cleaned.marks[pair[1]].interval.is_none() {
                counted.push(place, self.of.onsets[pair[1]] - self.of.onsets[pair[0]]);
            }
            whole += 1;
        }
        (counted, whole)
    }

    fn pair(&self, stream: usize, counted: &[usize]) -> Option<PairData> {
        let matching = self.account.matching(self.of.input, stream)?;
        let beats = &self.observed.pacing[stream].beats;
        let here = |beat: usize| {
            self.place.is_none_or(|place| self.account.stretch(beats[beat].at) == place)
        };
        let pairs: Vec<_> = matching.pairs.iter().filter(|pair| here(pair.beat)).collect();
        let counts = |tap: usize| {
            let marks = &self.cleaned.marks[tap];
            marks.tap.is_none() && marks.asynchrony.is_none()
        };
        let neighbours = followers(beats, &self.observed.pacing[stream].pattern);
        let asynchronies = placed(pairs.iter().filter(|pair| counts(pair.tap)), &neighbours);
        let these = |taps: &[usize]| taps.iter().filter(|tap| self.here(**tap)).count();
        let doubled =
            matching.extra.iter().filter(|tap| matching.doubled.binary_search(tap).is_ok());
        let doubled: Vec<usize> = doubled.copied().collect();
        let onsets: Vec<Nanos> = beats.iter().map(|beat| beat.at).collect();
        let own = counted.iter().filter(|tap| matching.elsewhere.binary_search(tap).is_err());
        let taps: Vec<Nanos> = own.map(|tap| self.of.onsets[*tap]).collect();
        let answered = Answered {
            beats: (0..beats.len()).filter(|beat| here(*beat)).count(),
            matched: pairs.len(),
            listened: matching.listened.iter().filter(|beat| here(**beat)).count(),
            extra: these(&matching.extra),
            doubled: these(&doubled),
            unpaced: self.place.is_none().then_some(matching.unpaced.len()),
            left_out_asynchronies: pairs.len() - asynchronies.len(),
        };
        let whole = self.place.is_none();
        Some(PairData {
            answered,
            asynchronies,
            angles: angles(&positions(&onsets, &taps), LEVELS[0]),
            runs: self.runs(stream, matching, &counts),
            metre: tapping(&onsets, &taps).ok(),
            responses: if whole { self.responses(stream, &pairs, &counts) } else { Vec::new() },
            tracked: if whole {
                Tracked::of(beats, &self.of.onsets, &pairs, &counts)
            } else {
                Tracked::default()
            },
            shared: Both::default(),
        })
    }

    /// The responses to the perturbations of a stream.
    fn responses(
        &self,
        stream: usize,
        pairs: &[&Pair],
        counts: &dyn Fn(usize) -> bool,
    ) -> Vec<Response> {
        let perturbations = found(&self.observed.pacing[stream]);
        let mut of_beats = vec![None; self.observed.pacing[stream].beats.len()];
        let counted = pairs.iter().filter(|pair| !perturbations.is_empty() && counts(pair.tap));
        counted.for_each(|pair| of_beats[pair.beat] = Some(pair.asynchrony));
        responses(&of_beats, &perturbations)
    }

    /// Unbroken runs of taps to beats of successive numbers, at one tempo: none where the
    /// whole trial has several paced stretches.
    fn runs(
        &self,
        stream: usize,
        matching: &Matching,
        counts: &dyn Fn(usize) -> bool,
    ) -> Vec<TapRun> {
        let paced = self.account.stretches.iter().filter(|s| s.pacing.contains(&stream)).count();
        if self.place.is_none() && paced > 1 {
            return Vec::new();
        }
        let beats = &self.observed.pacing[stream].beats;
        let mut runs: Vec<TapRun> = Vec::new();
        let mut last = None;
        for pair in matching.pairs.iter().filter(|pair| counts(pair.tap)) {
            let beat = &beats[pair.beat];
            let place = self.account.stretch(beat.at);
            if self.place.is_some_and(|here| here != place) {
                continue;
            }
            let follows =
                last == Some((pair.beat.wrapping_sub(1), beat.number.wrapping_sub(1), place));
            if !follows {
                runs.push(TapRun { taps: Vec::new(), partners: vec![Vec::new()] });
            }
            last = Some((pair.beat, beat.number, place));
            if let Some(run) = runs.last_mut() {
                run.taps.push(self.of.onsets[pair.tap]);
                run.partners[0].push(beat.at);
            }
        }
        runs.retain(|run| run.taps.len() > 1);
        runs
    }
}
