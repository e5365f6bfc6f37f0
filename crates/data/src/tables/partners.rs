//! [`partners`]: the taps of two inputs that belong together: two people, or two hands.
//!
//! Where nothing paces, taps of the one are matched with those of the other as with beats
//! ([`chronotap_analysis::pairs::together`]), if both tap at about the same rate. Where each answers a
//! stream, the taps belong together that answer beats at the same time, as in a polyrhythm; both then
//! follow the pacing, and what they have in common says nothing of who follows whom.

use crate::tables::measures::PairData;
use crate::tables::of_input::OfInput;
use chronotap_analysis::account::Account;
use chronotap_analysis::correction::TapRun;
use chronotap_analysis::correction::in_step::{at_one_rate, in_step};
use chronotap_analysis::matching::{WINDOW, match_taps};
use chronotap_analysis::metre::{LEVELS, angles, positions};
use chronotap_analysis::observed::{Beat, Observed, ObservedStream};
use chronotap_core::time::Nanos;

/// Beats that are no farther apart are at the same time.
const TOGETHER: Nanos = Nanos::from_millis(1);

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
    if !at_one_rate(&beats, &taps) {
        return;
    }
    let matching = match_taps(&ObservedStream::steady("", beats.iter().copied()), &taps, WINDOW);
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
    let beside = in_step(&beats, &taps, &matching.pairs).into_iter();
    let run = |(beats, taps): (&[Nanos], &[Nanos])| TapRun {
        taps: taps.to_vec(),
        partners: vec![beats.to_vec()],
    };
    found.runs.extend(beside.map(|(of, to)| run((&beats[of], &taps[to]))));
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
