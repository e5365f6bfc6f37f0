//! [`Account`]: what became of every tap and of every beat. The summary counts what stands
//! here and the table of events shows it, so that the two cannot disagree.

use crate::intervals::Placed;
use crate::matching::{Grid, Matching};
use crate::observed::{Observed, ObservedStream, StreamResponse, Tap};
use crate::reproduction::{ReproductionRound, rounds};

use crate::stretches::{Stretch, place, stretches};
use crate::usable::Revision;
use chronotap_core::time::Nanos;

/// What became of the taps and beats of a trial. Inputs, streams, taps and beats are named
/// by their places in [`Observed`].
#[derive(Clone, Debug)]
pub struct Account {
    /// The stretches of the trial.
    pub stretches: Vec<Stretch>,
    inputs: Vec<InputAccount>,
    /// The rounds of each stream that is reproduced.
    responses: Vec<(usize, Vec<ReproductionRound>)>,
    /// Whether a missed tap parts those beside it; not in what was summarized before revision 1.
    parted_by_missed: bool,
}

/// What became of one input's taps.
#[derive(Clone, Debug)]
struct InputAccount {
    taps: Vec<Tap>,
    /// The places of the accepted taps among all.
    accepted: Vec<usize>,
    /// Of each stream that the input answers.
    matchings: Vec<Option<Matching>>,
    /// The streams that it reproduces.
    reproduces: Vec<usize>,
    /// Of each stream from how many beats to how many its taps usually go: 1, or 2 of whoever taps to every second.
    strides: Vec<usize>,
}

/// What became of a tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It answers a beat.
    Matched {
        stream: usize,
        /// The beat's place in the stream.
        beat: usize,
        /// Tap onset − pacing onset; negative is early.
        asynchrony: Nanos,
    },
    /// It came too soon after the tap before it to count.
    Debounced,
    /// It is near a beat that an earlier tap answers; by the earlier rule
    /// ([`crate::matching::Rule::ClosestFirst`]), one that is closer to it.
    Doubled,
    /// It reproduces a stream that was listened to.
    Response,
    /// A stream is pacing, and no beat of it is near.
    Extra,
    /// No stream that the input answers is pacing.
    Unpaced,
    /// The input answers no stream.
    Unmeasured,
}

impl Fate {
    /// Its word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Fate::Matched { .. } => "matched",
            Fate::Debounced => "debounced",
            Fate::Doubled => "doubled",
            Fate::Response => "response",
            Fate::Extra => "extra",
            Fate::Unpaced => "unpaced",
            Fate::Unmeasured => "unmeasured",
        }
    }
}

/// What became of a beat, as one input has answered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeatAnswer {
    /// This tap answers it.
    Tap(usize),
    /// No tap does.
    Missed,
    /// It was over before the first tap.
    Listened,
    /// The input does not answer the stream.
    Unmeasured,
}

impl Account {
    /// Accounts for every tap and beat of a trial.
    pub fn of(observed: &Observed<'_>) -> Account {
        let paced = paced(observed);
        let grid = |(place, of): (usize, &ObservedStream<'_>)| {
            Grid::new(of, observed.answers.window(place))
        };
        let grids: Vec<Grid> = paced.iter().enumerate().map(grid).collect();
        let last = observed.taps.iter().flat_map(|input| input.taps.last()).map(|tap| tap.onset);
        let end = last.fold(observed.length, Nanos::max);
        let mut stretches = stretches(&paced, &grids, end);
        let begun = |to: Nanos| {
            observed.taps.iter().any(|input| input.accepted().first().is_some_and(|tap| *tap < to))
        };
        // Before the first beat there is a stretch only where somebody taps.
        if stretches.len() > 1 && stretches[0].pacing.is_empty() && !begun(stretches[0].to) {
            stretches.remove(0);
        }
        let inputs = (0..observed.taps.len()).map(|input| input_account(observed, &grids, input));
        let inputs = inputs.collect();
        let parted_by_missed = observed.revision > Revision::FIRST;
        Account { stretches, inputs, responses: responses(observed, end), parted_by_missed }
    }

    /// What became of a tap. Where the input answers several streams and the tap a beat of
    /// more than one, the closest counts here.
    pub fn tap(&self, input: usize, tap: usize) -> Fate {
        let Some(of) = self.inputs.get(input) else { return Fate::Unmeasured };
        let Ok(place) = of.accepted.binary_search(&tap) else { return Fate::Debounced };
        let streams = of.matchings.iter().enumerate();
        let fates = streams.filter_map(|(s, m)| Some(fate(m.as_ref()?, s, place)));
        let onset = of.taps[tap].onset;
        let rounds = self.responses.iter().filter(|(stream, _)| of.reproduces.contains(stream));
        let responds = rounds.map(|(_, rounds)| match rounds.iter().any(|one| one.takes(onset)) {
            true => Fate::Response,
            false => Fate::Unpaced,
        });
        fates.chain(responds).min_by_key(rank).unwrap_or(Fate::Unmeasured)
    }

    /// The rounds in which an input reproduces a stream; `None` where it does not.
    pub fn rounds(&self, input: usize, stream: usize) -> Option<&[ReproductionRound]> {
        self.inputs.get(input)?.reproduces.contains(&stream).then_some(())?;
        let of = self.responses.iter().find(|(of, _)| *of == stream)?;
        Some(&of.1)
    }

    /// The intervals between taps of an input that follow each other, ascending: none from one round of a response
    /// to the next, and none across a missed tap, which would count as one interval of twice the length.
    pub fn intervals(&self, input: usize, onsets: &[Nanos]) -> Placed {
        let mut placed = Placed::default();
        for (place, pair) in onsets.windows(2).enumerate() {
            if self.are_neighbours(input, pair[0], pair[1]) {
                placed.push(place, pair[1] - pair[0]);
            }
        }
        placed
    }

    /// Whether nothing is missing between two taps of which one comes next after the other: they are part of the
    /// same round of a response, or of none, and no tap was missed between them. What has a lag goes by this, and
    /// by [`Placed::next_to_each_other`].
    pub fn are_neighbours(&self, input: usize, one: Nanos, other: Nanos) -> bool {
        let missed = self.parted_by_missed && self.is_missed_between(input, one, other);
        self.are_of_one_round(input, one, other) && !missed
    }

    /// Whether two taps are part of the same round of a response, or neither is of any.
    pub fn are_of_one_round(&self, input: usize, one: Nanos, other: Nanos) -> bool {
        self.round(input, one) == self.round(input, other)
    }

    /// Whether more beats lie between two taps than usual, by every stream of which both answer a beat.
    fn is_missed_between(&self, input: usize, one: Nanos, other: Nanos) -> bool {
        let Some(of) = self.inputs.get(input) else { return false };
        let place =
            |onset: Nanos| of.accepted.binary_search_by_key(&onset, |tap| of.taps[*tap].onset);
        let (Ok(one), Ok(other)) = (place(one), place(other)) else { return false };
        let beat = |matching: &Matching, tap: usize| {
            let pair = matching.pairs.binary_search_by_key(&tap, |pair| pair.tap).ok()?;
            Some(matching.pairs[pair].beat)
        };
        let streams = of.matchings.iter().zip(&of.strides);
        let far = streams.filter_map(|(matching, stride)| {
            let matching = matching.as_ref()?;
            Some(beat(matching, other)? > beat(matching, one)? + stride)
        });
        let mut far = far.peekable();
        far.peek().is_some() && far.all(|far| far)
    }

    /// The stream, and its round, that a tap reproduces.
    fn round(&self, input: usize, tap: Nanos) -> Option<(usize, usize)> {
        let of = self.inputs.get(input)?;
        let reproduced = self.responses.iter().filter(|(stream, _)| of.reproduces.contains(stream));
        let mut rounds = reproduced.filter_map(|(stream, rounds)| {
            rounds.iter().position(|round| round.takes(tap)).map(|round| (*stream, round))
        });
        rounds.next()
    }

    /// What became of a beat, as one input has answered it.
    pub fn beat(&self, stream: usize, beat: usize, input: usize) -> BeatAnswer {
        let of = self.inputs.get(input);
        match of.and_then(|of| of.matchings.get(stream)?.as_ref().map(|m| (of, m))) {
            None => BeatAnswer::Unmeasured,
            Some((of, matching)) => {
                let listened = matching.listened.binary_search(&beat).is_ok();
                let without = if listened { BeatAnswer::Listened } else { BeatAnswer::Missed };
                matching
                    .pairs
                    .binary_search_by_key(&beat, |pair| pair.beat)
                    .map_or(without, |pair| BeatAnswer::Tap(of.accepted[matching.pairs[pair].tap]))
            }
        }
    }

    /// The onsets of an input's accepted taps.
    pub fn onsets(&self, input: usize) -> Vec<Nanos> {
        let of = &self.inputs[input];
        of.accepted.iter().map(|tap| of.taps[*tap].onset).collect()
    }

    /// The matching of an input's accepted taps with a stream's beats; `None` where the
    /// input does not answer it. Taps are numbered among the accepted.
    pub fn matching(&self, input: usize, stream: usize) -> Option<&Matching> {
        self.inputs.get(input)?.matchings.get(stream)?.as_ref()
    }

    /// The one stretch without pacing after the pacing began; in a trial without any, all of it.
    pub fn continuation(&self) -> Option<usize> {
        let alone = |stretch: &Stretch| stretch.pacing.is_empty();
        let paced = self.stretches.iter().position(|stretch| !alone(stretch));
        let mut places = (0..self.stretches.len())
            .filter(|place| alone(&self.stretches[*place]))
            .filter(|place| paced.is_none_or(|paced| *place > paced));
        let only = places.next()?;
        places.next().is_none().then_some(only)
    }

    /// The place of the stretch in which something happens.
    pub fn stretch(&self, at: Nanos) -> usize {
        place(&self.stretches, at)
    }
}

fn input_account(observed: &Observed<'_>, grids: &[Grid], input: usize) -> InputAccount {
    let taps = observed.taps[input].taps.clone();
    let accepted: Vec<usize> = (0..taps.len()).filter(|tap| !taps[*tap].debounced).collect();
    let onsets = observed.taps[input].accepted();
    let rule = observed.answers.rule;
    let answers = |stream: usize| observed.answers.has(input, stream);
    let listened = |stream: usize| observed.answers.response(stream).is_some();
    let others = |stream: usize| -> Vec<&Grid> {
        let other = |of: &(usize, &Grid)| of.0 != stream && answers(of.0) && !listened(of.0);
        grids.iter().enumerate().filter(other).map(|(_, grid)| grid).collect()
    };
    let matched = |(stream, grid): (usize, &Grid)| {
        (answers(stream) && !listened(stream))
            .then(|| grid.matched_among(&others(stream), rule, &onsets))
    };
    let mut matchings: Vec<Option<Matching>> = grids.iter().enumerate().map(matched).collect();
    if observed.revision > Revision::FIRST {
        leave_to_others(&mut matchings, onsets.len());
    }
    let strides = matchings.iter().map(|of| of.as_ref().map_or(1, stride)).collect();
    let reproduces = (0..grids.len()).filter(|s| answers(*s) && listened(*s)).collect();
    InputAccount { taps, accepted, matchings, reproduces, strides }
}

/// A tap that answers a beat of one stream is no extra tap of the others.
fn leave_to_others(matchings: &mut [Option<Matching>], taps: usize) {
    let mut answers = vec![0_usize; taps];
    let pairs = matchings.iter().flatten().flat_map(|matching| &matching.pairs);
    pairs.for_each(|pair| answers[pair.tap] += 1);
    // What is extra here has no beat of this stream, so that any other one is of another.
    matchings.iter_mut().flatten().for_each(|of| of.leave_to_others(|tap| answers[tap] > 0));
}

/// From which beat to which taps usually go.
fn stride(matching: &Matching) -> usize {
    let beats = matching.pairs.windows(2).map(|pair| pair[1].beat - pair[0].beat);
    let mut strides: Vec<usize> = beats.collect();
    strides.sort_unstable();
    strides.get(strides.len() / 2).copied().unwrap_or(1)
}

/// The streams as one taps along with them: those that are only listened to pace nothing.
fn paced<'a>(observed: &Observed<'a>) -> Vec<ObservedStream<'a>> {
    let stream =
        |(place, stream): (usize, &ObservedStream<'a>)| match observed.answers.response(place) {
            Some(_) => ObservedStream { beats: Vec::new(), ..stream.clone() },
            None => stream.clone(),
        };
    observed.pacing.iter().enumerate().map(stream).collect()
}

fn responses(observed: &Observed<'_>, end: Nanos) -> Vec<(usize, Vec<ReproductionRound>)> {
    let of = |response: &StreamResponse| {
        let stream = observed.pacing.get(response.stream)?;
        Some((response.stream, rounds(stream, response, end)))
    };
    observed.answers.responses.iter().filter_map(of).collect()
}

fn fate(matching: &Matching, stream: usize, tap: usize) -> Fate {
    // Windows do not overlap, so that the pairs are in the order of their taps as well.
    if let Ok(place) = matching.pairs.binary_search_by_key(&tap, |pair| pair.tap) {
        let pair = matching.pairs[place];
        return Fate::Matched { stream, beat: pair.beat, asynchrony: pair.asynchrony };
    }
    if matching.doubled.binary_search(&tap).is_ok() {
        return Fate::Doubled;
    }
    if matching.extra.binary_search(&tap).is_ok() { Fate::Extra } else { Fate::Unpaced }
}

/// Of several streams' accounts of one tap the lowest is told.
fn rank(fate: &Fate) -> (u8, Nanos) {
    match fate {
        Fate::Matched { asynchrony, .. } => (0, asynchrony.abs()),
        Fate::Response => (1, Nanos::ZERO),
        Fate::Doubled => (2, Nanos::ZERO),
        Fate::Extra => (3, Nanos::ZERO),
        Fate::Unpaced => (4, Nanos::ZERO),
        Fate::Debounced | Fate::Unmeasured => (5, Nanos::ZERO),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observed::{Answers, ObservedInput, ObservedStream};

    fn ms(times: &[i64]) -> Vec<Nanos> {
        times.iter().copied().map(Nanos::from_millis).collect()
    }

    /// Two hands and two streams; the left also bounces, doubles and goes on afterwards.
    fn two_hands() -> Observed<'static> {
        let mut left =
            ObservedInput::tapped("left", ms(&[980, 985, 1_410, 1_450, 1_600, 3_000, 3_500]));
        left.taps[1].debounced = true;
        Observed {
            length: Nanos::from_secs(5),
            pacing: vec![
                ObservedStream::steady("fast", ms(&[1_000, 1_400, 1_800, 2_200])),
                ObservedStream::steady("slow", ms(&[1_000, 1_600, 2_200])),
            ],
            taps: vec![left, ObservedInput::tapped("right", ms(&[1_010, 1_590]))],
            ..Observed::default()
        }
    }

    #[test]
    fn no_interval_runs_from_one_round_of_a_response_to_the_next() {
        let stream = ObservedStream::steady("model", ms(&[0, 300, 600, 5_000, 5_300, 5_600]));
        let response =
            StreamResponse { stream: 0, after: Nanos::ZERO, within: None, beats: Some(3) };
        let taps = ms(&[1_000, 1_300, 1_600, 6_000, 6_300, 6_600]);
        let observed = Observed {
            length: Nanos::from_secs(10),
            pacing: vec![stream],
            taps: vec![ObservedInput::tapped("pad", taps.clone())],
            answers: Answers { responses: vec![response], ..Answers::default() },
            ..Observed::default()
        };
        let found = Account::of(&observed).intervals(0, &taps);
        assert_eq!(found.intervals(), ms(&[300; 4]));
        assert_eq!(found.neighbours().count(), 2, "rounds are no neighbours either");
    }

    /// To a beat every 500 ms the fourth is missed: the interval of 1,000 ms is no interval of the tapping.
    #[test]
    fn no_interval_runs_across_a_missed_tap_and_every_second_beat_misses_none() {
        let intervals = |taps: &[i64], revision| {
            let beats = (1..=12).map(|beat| Nanos::from_millis(500 * beat));
            let observed = Observed {
                length: Nanos::from_secs(10),
                pacing: vec![ObservedStream::steady("metronome", beats.collect::<Vec<_>>())],
                taps: vec![ObservedInput::tapped("pad", ms(taps))],
                revision,
                ..Observed::default()
            };
            let found = Account::of(&observed).intervals(0, &ms(taps));
            (found.intervals().to_vec(), found.neighbours().count())
        };
        let once = [490, 990, 1_490, 2_490, 2_990, 3_490];
        assert_eq!(intervals(&once, Revision::NOW), (ms(&[500; 4]), 2));
        let before = ms(&[500, 500, 1_000, 500, 500]);
        assert_eq!(intervals(&once, Revision::FIRST), (before, 4), "as it was summarized then");
        let every_second = [490, 1_490, 2_490, 3_490, 4_490];
        assert_eq!(intervals(&every_second, Revision::NOW).0, ms(&[1_000; 4]));
        let second_missed = [490, 1_490, 2_490, 4_490, 5_490];
        assert_eq!(intervals(&second_missed, Revision::NOW).0, ms(&[1_000; 3]));
    }

    #[test]
    fn every_tap_has_its_beat_or_the_reason_why_not() {
        let pairs = Some(vec![(0, 0), (1, 1)]);
        let observed = Observed { answers: Answers { pairs, ..Answers::default() }, ..two_hands() };
        let account = Account::of(&observed);
        let fates: Vec<Fate> = (0..7).map(|tap| account.tap(0, tap)).collect();
        let matched =
            |beat, ms| Fate::Matched { stream: 0, beat, asynchrony: Nanos::from_millis(ms) };
        let expected = [
            matched(0, -20),
            Fate::Debounced,
            matched(1, 10),
            Fate::Doubled,
            Fate::Extra,
            Fate::Unpaced,
            Fate::Unpaced,
        ];
        assert_eq!(fates, expected);
        let beats = (0..4).map(|beat| account.beat(0, beat, 0));
        let answered =
            [BeatAnswer::Tap(0), BeatAnswer::Tap(2), BeatAnswer::Missed, BeatAnswer::Missed];
        assert_eq!(beats.collect::<Vec<_>>(), answered);
        assert_eq!(account.beat(0, 0, 1), BeatAnswer::Unmeasured);
        assert_eq!(account.beat(1, 1, 1), BeatAnswer::Tap(1));
    }

    /// Three against two on one pad, 1,200 ms a cycle: each tap is right, and none is extra of either stream.
    #[test]
    fn who_taps_three_against_two_on_one_pad_doubles_nothing() {
        let every = |ms: i64| (0..=7_200 / ms).map(move |k| 1_000 + k * ms);
        let mut taps: Vec<i64> = every(400).chain(every(600)).collect();
        taps.sort_unstable();
        taps.dedup();
        let observed = |revision| Observed {
            length: Nanos::from_secs(10),
            pacing: vec![
                ObservedStream::steady("three", ms(&every(400).collect::<Vec<_>>())),
                ObservedStream::steady("two", ms(&every(600).collect::<Vec<_>>())),
            ],
            taps: vec![ObservedInput::tapped("pad", ms(&taps))],
            revision,
            ..Observed::default()
        };
        let of = |revision, stream: usize| {
            let account = Account::of(&observed(revision));
            let found = account.matching(0, stream).unwrap();
            (found.missed.len(), found.extra.len(), found.doubled.len(), found.elsewhere.len())
        };
        assert_eq!((of(Revision::NOW, 0), of(Revision::NOW, 1)), ((0, 0, 0, 6), (0, 0, 0, 12)));
        assert_eq!(of(Revision::FIRST, 1).1, 12, "as it was summarized then");
        let account = Account::of(&observed(Revision::NOW));
        assert_eq!(account.intervals(0, &ms(&taps)).len(), taps.len() - 1);
    }

    #[test]
    fn of_two_streams_the_closer_beat_counts() {
        let account = Account::of(&two_hands());
        let fate = account.tap(1, 1);
        let asynchrony = Nanos::from_millis(-10);
        assert_eq!(fate, Fate::Matched { stream: 1, beat: 1, asynchrony });
    }

    #[test]
    fn an_input_that_answers_nothing_is_not_measured() {
        let answers = Answers { pairs: Some(vec![(0, 0)]), ..Answers::default() };
        let account = Account::of(&Observed { answers, ..two_hands() });
        assert_eq!(account.tap(1, 0), Fate::Unmeasured);
        assert!(account.matching(1, 0).is_none());
    }
}
