//! [`partners`]: the taps of two inputs that belong together: two people, or two hands.
//!
//! Where nothing paces, taps of the one are matched with those of the other as with beats
//! ([`chronotap_analysis::pairs::together`]), if both tap at about the same rate. Where each answers a
//! stream, the taps belong together that answer beats at the same time, as in a polyrhythm; both then
//! follow the pacing, and what they have in common says nothing of who follows whom.

use crate::tables::measures::PairData;
use crate::tables::of_input::OfInput;
use chronotap_analysis::account::Account;
use chronotap_analysis::correction::Run;
use chronotap_analysis::intervals::between;
use chronotap_analysis::matching::{WINDOW, match_taps};
use chronotap_analysis::metre::{LEVELS, angles, positions};
use chronotap_analysis::observed::{Beat, Observed, Stream};
use chronotap_core::time::Nanos;

/// Beats that are no farther apart are at the same time.
const TOGETHER: Nanos = Nanos::from_millis(1);
/// Medians of intervals whose ratio is farther from 1 are different rates.
const SAME_RATE: f64 = 1.5;

/// What the table says an input stands against.
pub(crate) fn name(input: &str) -> String {
    format!("taps of {input}")
}

/// The taps of `second` against those of `first`, in one stretch or in the whole trial; `None` where
/// none belong together.
pub(crate) fn partners(
    observed: &Observed<'_>,
    account: &Account,
    (first, second): (&OfInput, &OfInput),
    place: Option<usize>,
) -> Option<PairData> {
    let mut found = PairData::default();
    let all = 0..account.stretches.len();
    for stretch in all.filter(|stretch| place.is_none_or(|place| place == *stretch)) {
        let answers = |of: &OfInput| {
            let streams = account.stretches[stretch].pacing.iter().copied();
            streams.clone().find(|stream| account.matching(of.input, *stream).is_some())
        };
        match (answers(first), answers(second)) {
            (Some(one), Some(other)) => {
                by_beats(&mut found, observed, account, (first, one), (second, other), stretch);
            }
            (None, None) => by_taps(&mut found, (first, second), stretch),
            _ => {}
        }
    }
    (found.answered.matched > 0).then_some(found)
}

/// The taps that count of a stretch, ascending.
fn counted(of: &OfInput, stretch: usize) -> Vec<Nanos> {
    let taps = of.cleaned.first().map(|(_, cleaned)| cleaned.taps()).unwrap_or_default();
    taps.into_iter().filter(|tap| of.stretch[*tap] == stretch).map(|tap| of.onsets[tap]).collect()
}

fn by_taps(found: &mut PairData, (first, second): (&OfInput, &OfInput), stretch: usize) {
    let (beats, taps) = (counted(first, stretch), counted(second, stretch));
    if !are_alike(&beats, &taps) {
        return;
    }
    let matching = match_taps(&Stream::steady("", beats.iter().copied()), &taps, WINDOW);
    let answered = &mut found.answered;
    answered.beats += beats.len();
    answered.matched += matching.pairs.len();
    answered.extra += taps.len() - matching.pairs.len();
    found.angles.extend(angles(&positions(&beats, &taps), LEVELS[0]));
    let (mut last, mut goes_on): (Option<(usize, usize)>, bool) = (None, false);
    for pair in &matching.pairs {
        let neighbours =
            last.is_some_and(|(beat, tap)| (beat + 1, tap + 1) == (pair.beat, pair.tap));
        found.asynchronies.push_next(neighbours, pair.asynchrony);
        if neighbours {
            found.shared.0.push_next(goes_on, beats[pair.beat] - beats[pair.beat - 1]);
            found.shared.1.push(taps[pair.tap] - taps[pair.tap - 1]);
        }
        goes_on = neighbours;
        last = Some((pair.beat, pair.tap));
    }
    let first = matching.pairs.iter().map(|pair| (pair.beat, pair.tap));
    found.runs.extend(in_step(&beats, &taps, &first.collect::<Vec<_>>()));
}

/// The taps of both, one beside the other, from a pair that the window finds until one of them misses or doubles a tap.
/// The window ends no run: of two who do not listen and drift apart it would keep the part that stays together, and
/// that looks like correction (of simulated adults who heard nobody 11 % were told to follow, where about 5 % may be).
fn in_step(beats: &[Nanos], taps: &[Nanos], pairs: &[(usize, usize)]) -> Vec<Run> {
    let (beats_go_on, taps_go_on) = (go_on(beats), go_on(taps));
    let (mut runs, mut free) = (Vec::new(), (0, 0));
    for &(beat, tap) in pairs {
        if beat < free.0 || tap < free.1 {
            continue;
        }
        let rest = beats_go_on[beat + 1..].iter().zip(&taps_go_on[tap + 1..]);
        let count = 1 + rest.take_while(|(one, other)| **one && **other).count();
        free = (beat + count, tap + count);
        let (taps, beats) = (taps[tap..free.1].to_vec(), beats[beat..free.0].to_vec());
        runs.push(Run { taps, partners: vec![beats] });
    }
    runs.retain(|run| run.taps.len() > 1);
    runs
}

/// Of each tap, whether one interval lies between it and the one before: neither a missed tap nor half of a doubled one.
fn go_on(onsets: &[Nanos]) -> Vec<bool> {
    let mut intervals = between(onsets);
    let each = intervals.clone();
    intervals.sort_unstable();
    let median = intervals.get(intervals.len() / 2).map_or(0.0, |middle| middle.0 as f64);
    let is_one = |of: &Nanos| (0.5..=1.5).contains(&(of.0 as f64 / median));
    std::iter::once(false).chain(each.iter().map(is_one)).take(onsets.len()).collect()
}

/// Whether both tap at about the same rate.
fn are_alike(first: &[Nanos], second: &[Nanos]) -> bool {
    let median = |onsets: &[Nanos]| {
        let mut intervals = between(onsets);
        intervals.sort_unstable();
        intervals.get(intervals.len() / 2).map(|middle| middle.0 as f64)
    };
    let ratio = median(first).zip(median(second)).map_or(0.0, |(first, second)| second / first);
    (1.0 / SAME_RATE..=SAME_RATE).contains(&ratio)
}

fn by_beats(
    found: &mut PairData,
    observed: &Observed<'_>,
    account: &Account,
    (first, one): (&OfInput, usize),
    (second, other): (&OfInput, usize),
    stretch: usize,
) {
    let of = |of: &OfInput, stream: usize| answered(observed, account, of, stream, stretch);
    let (ones, others) = (of(first, one), of(second, other));
    let mut rest = &others[..];
    for (beat, tap) in &ones {
        let near = |(at, _): &(Beat, Option<Nanos>)| at.deadline >= beat.deadline - TOGETHER;
        rest = &rest[rest.iter().position(near).unwrap_or(rest.len())..];
        let same = rest.first().filter(|(at, _)| at.deadline <= beat.deadline + TOGETHER);
        let Some((_, partner)) = same else { continue };
        found.answered.beats += 1;
        if let Some((tap, partner)) = (*tap).zip(*partner) {
            found.answered.matched += 1;
            found.asynchronies.push_next(false, partner - tap);
        }
    }
}

/// The beats of a stretch that an input was to answer, each with the tap that does.
fn answered(
    observed: &Observed<'_>,
    account: &Account,
    of: &OfInput,
    stream: usize,
    stretch: usize,
) -> Vec<(Beat, Option<Nanos>)> {
    let Some(matching) = account.matching(of.input, stream) else { return Vec::new() };
    let mut taps: Vec<Option<Nanos>> = vec![None; observed.pacing[stream].beats.len()];
    matching.pairs.iter().for_each(|pair| taps[pair.beat] = Some(of.onsets[pair.tap]));
    let all = observed.pacing[stream].beats.iter().copied().zip(taps).enumerate();
    let here = |(place, (beat, _)): &(usize, (Beat, Option<Nanos>))| {
        account.stretch(beat.at) == stretch && matching.listened.binary_search(place).is_err()
    };
    all.filter(here).map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(interval_ms: i64, count: i64) -> Vec<Nanos> {
        (0..count).map(|k| Nanos::from_millis(1_000 + k * interval_ms)).collect()
    }

    /// 540 ms against 500 ms: from the sixth tap on they are farther apart than the window reaches.
    #[test]
    fn who_drifts_apart_stays_beside_the_other_tap_by_tap() {
        let (beats, taps) = (every(500, 20), every(540, 20));
        let runs = in_step(&beats, &taps, &[(0, 0), (1, 1), (13, 12)]);
        assert_eq!(runs, [Run { taps, partners: vec![beats] }]);
    }

    #[test]
    fn a_tap_that_one_misses_or_doubles_ends_the_run() {
        let (beats, mut taps) = (every(500, 20), every(500, 20));
        taps.remove(8);
        taps.insert(15, taps[14] + Nanos::from_millis(40));
        let pairs: Vec<(usize, usize)> = (0..8)
            .map(|k| (k, k))
            .chain((9..16).map(|k| (k, k - 1)))
            .chain((16..20).map(|k| (k, k)))
            .collect();
        let lengths: Vec<usize> =
            in_step(&beats, &taps, &pairs).iter().map(|run| run.taps.len()).collect();
        assert_eq!(lengths, [8, 7, 4]);
        assert_eq!(in_step(&beats[..1], &taps[..1], &[(0, 0)]), []);
        assert_eq!(in_step(&[], &[], &[]), []);
    }
}
