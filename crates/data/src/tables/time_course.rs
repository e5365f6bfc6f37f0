//! [`TimeCourse`]: a trial over time, for pictures and for judging it: when the beats and taps
//! were and what of them counts, how the taps answered perturbations, and what the trial says
//! of its own timing. It is taken while the trial is read for the tables.

use crate::record::{Footer, Header};
use crate::tables::evidence::TrialEvidence;
use crate::tables::of_input::OfInput;
use chronotap_analysis::account::Account;
use chronotap_analysis::metre::{LEVELS, angles, positions};
use chronotap_analysis::observed::Observed;
use chronotap_analysis::perturbation::{PacingPerturbation, Response, USUAL, found, response};
use chronotap_core::time::Nanos;

/// A trial over time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeCourse {
    pub title: String,
    /// Its length in seconds.
    pub length_s: f64,
    /// Each input against each stream that it answers, or by itself.
    pub pairs: Vec<PairCourse>,
    /// What it says of its timing, its data, and where they come from.
    pub evidence: TrialEvidence,
}

/// An input against a stream, or by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairCourse {
    pub input: String,
    pub against: Option<String>,
    /// When the beats sounded, in seconds.
    pub beats_s: Vec<f64>,
    /// The taps that count.
    pub taps: Vec<TapAt>,
    /// Taps that do not, in seconds: debounced ones, and those left out by rules.
    pub left_out_s: Vec<f64>,
    /// The directions of all taps that count, on the circle of the stream's intervals.
    pub angles: Vec<f64>,
    /// How the taps answered each perturbation that can be told and had a tap before it.
    pub responses: Vec<Response>,
    /// Perturbations that could be told.
    pub perturbations: usize,
}

/// A tap that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TapAt {
    /// When it was, in seconds.
    pub at_s: f64,
    /// Tap - beat, where it counts.
    pub asynchrony_ms: Option<f64>,
    /// Since the tap before it that counts, where it counts.
    pub interval_ms: Option<f64>,
}

/// The course of a trial that was read.
pub(crate) fn course(
    (header, footer): (&Header, &Footer),
    observed: &Observed<'_>,
    account: &Account,
    inputs: &[OfInput],
) -> TimeCourse {
    let pairs = inputs.iter().flat_map(|of| {
        let each = of.cleaned.iter().enumerate();
        each.map(|(place, (stream, _))| pair(observed, account, of, place, *stream))
    });
    TimeCourse {
        title: header.title.clone(),
        length_s: observed.length.as_secs_f64(),
        pairs: pairs.collect(),
        evidence: TrialEvidence::of(header, footer),
    }
}

fn pair(
    observed: &Observed<'_>,
    account: &Account,
    of: &OfInput,
    place: usize,
    stream: Option<usize>,
) -> PairCourse {
    let cleaned = &of.cleaned[place].1;
    let input = &observed.taps[of.input];
    let debounced = input.taps.iter().filter(|tap| tap.debounced).map(|tap| tap.onset);
    let out = (0..of.onsets.len()).filter(|tap| cleaned.marks[*tap].tap.is_some());
    let mut left_out: Vec<Nanos> = debounced.chain(out.map(|tap| of.onsets[tap])).collect();
    left_out.sort_unstable();
    let seconds = |at: &Nanos| at.as_secs_f64();
    let mut course = PairCourse {
        input: input.name.to_owned(),
        left_out_s: left_out.iter().map(seconds).collect(),
        ..PairCourse::default()
    };
    let asynchronies = match stream {
        Some(stream) => of_stream(&mut course, observed, account, (of, place), stream),
        None => vec![None; of.onsets.len()],
    };
    course.taps = taps(of, place, &asynchronies);
    course
}

/// Takes in what is known of the stream; the asynchronies that count, one place for each tap.
fn of_stream(
    course: &mut PairCourse,
    observed: &Observed<'_>,
    account: &Account,
    (of, place): (&OfInput, usize),
    stream: usize,
) -> Vec<Option<Nanos>> {
    let marks = &of.cleaned[place].1.marks;
    let pacing = &observed.pacing[stream];
    let mut of_taps = vec![None; of.onsets.len()];
    let mut of_beats = vec![None; pacing.beats.len()];
    let counts = |tap: usize| marks[tap].tap.is_none() && marks[tap].asynchrony.is_none();
    let pairs = account.matching(of.input, stream).map_or(&[][..], |found| &found.pairs);
    for pair in pairs.iter().filter(|pair| counts(pair.tap)) {
        of_taps[pair.tap] = Some(pair.asynchrony);
        of_beats[pair.beat] = Some(pair.asynchrony);
    }
    let beats: Vec<Nanos> = pacing.beats.iter().map(|beat| beat.at).collect();
    let counted: Vec<Nanos> =
        of.cleaned[place].1.taps().iter().map(|tap| of.onsets[*tap]).collect();
    let perturbations = found(pacing);
    course.against = Some(pacing.name.to_owned());
    course.beats_s = beats.iter().map(|at| at.as_secs_f64()).collect();
    course.angles = angles(&positions(&beats, &counted), LEVELS[0]);
    course.perturbations = perturbations.len();
    course.responses = responses(&of_beats, &perturbations);
    of_taps
}

/// Each response until the next perturbation. `asynchronies` has one place for each beat.
pub(crate) fn responses(
    asynchronies: &[Option<Nanos>],
    all: &[PacingPerturbation],
) -> Vec<Response> {
    let of = |(place, perturbation): (usize, &PacingPerturbation)| {
        let next = all.get(place + 1).map_or(usize::MAX, |next| next.beat);
        let before = place.checked_sub(1).map_or(usize::MAX, |p| perturbation.beat - all[p].beat);
        let mut course = USUAL;
        course.after = course.after.min(next - perturbation.beat - 1);
        course.before = course.before.min(before);
        response(asynchronies, perturbation, course).ok()
    };
    all.iter().enumerate().filter_map(of).collect()
}

fn taps(of: &OfInput, place: usize, asynchronies: &[Option<Nanos>]) -> Vec<TapAt> {
    let cleaned = &of.cleaned[place].1;
    let mut last: Option<Nanos> = None;
    let tap = |tap: usize| {
        let onset = of.onsets[tap];
        let interval = last.map(|last| onset - last);
        last = Some(onset);
        let interval = interval.filter(|_| cleaned.marks[tap].interval.is_none());
        TapAt {
            at_s: onset.as_secs_f64(),
            asynchrony_ms: asynchronies[tap].map(|a| a.as_millis_f64()),
            interval_ms: interval.map(|interval| interval.as_millis_f64()),
        }
    };
    cleaned.taps().into_iter().map(tap).collect()
}
