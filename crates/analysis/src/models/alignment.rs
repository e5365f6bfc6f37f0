//! [`align`]: the clock of another recorder against that of a trial, found afterwards from events that
//! both have.
//!
//! Background: two recorders start at different moments, and their clocks run at rates that differ by
//! some parts per million. Some events are missing in one of them, others stand in one alone, and
//! the beginning may be cut off. Solution: theirs = offset + (1 + drift) · ours. Short stretches of our events
//! are laid over all of theirs, and each place where many coincide is a candidate
//! ([`candidates`]); a candidate grows from its stretch to the whole by least squares and one-to-one
//! matching ([`line`], [`pairing`]); the best by its score is taken.
//!
//! Why it can be trusted: at the rate of the best candidate *every* other offset is counted as well,
//! so that a second alignment that is nearly as good is always seen, and then none is given
//! ([`AlignmentError::Ambiguous`]). Nor is one given that chance may have made, by the probability of so many
//! coincidences among unrelated events ([`AlignmentError::Unlike`]).
//!
//! Not here: where the events come from, and clocks whose rate changes while they record. What a
//! changing rate does is seen in the residuals.

mod candidates;
mod line;
mod pairing;

use crate::estimate::Estimate;
use candidates::{grown, rivals, seeds};
use chronotap_core::time::Nanos;
use line::{Fit, Line, Sampling};
use pairing::{Pairing, accident, pair};

/// Something that happened, by one of the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockMark {
    pub at: Nanos,
    /// The number that tells it from others; none is like any.
    pub code: Option<u32>,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlignmentLimits {
    /// Two events are one where they are at most so far apart on one clock.
    pub tolerance: Nanos,
    /// The greatest difference of the two rates, in parts per million.
    pub drift_ppm: f64,
    /// The step in which their clock is read, as a sample; 0 where it is read as finely as ours.
    pub step_s: f64,
}

impl Default for AlignmentLimits {
    fn default() -> AlignmentLimits {
        AlignmentLimits { tolerance: Nanos::from_millis(5), drift_ppm: 500.0, step_s: 0.0 }
    }
}

/// Fewest events that two recordings must share: below, an offset and a rate fit anything.
pub const FEWEST: usize = 4;
/// Least share of our events within the other recording that must have been found there.
pub const LEAST_SHARE: f64 = 0.5;
/// Greatest probability that unrelated events coincide as often somewhere.
pub const GREATEST_CHANCE: f64 = 1e-6;
/// Greatest standard deviation of what coincides, as a share of the tolerance; accidents, which lie evenly within it,
/// have 0.58.
pub const WIDEST: f64 = 0.45;
/// A second alignment whose score is within so many events of the best makes it ambiguous.
const MARGIN: f64 = 4.0;
/// Events that miss each other by little tell of intervals that are nearly alike everywhere, where it is an accident
/// which of them coincide: so many times the root of their number must lie between the scores besides.
const ACCIDENTS: f64 = 6.0;
/// By how many tolerances that is.
const NEAR_MISS: f64 = 3.0;
/// An event within this share of the tolerance, or within their step, is never left out of the fit.
const NEVER_FAR: f64 = 0.02;
/// How often the best is exchanged for a better one that its own rate shows.
const EXCHANGES: usize = 3;

/// One clock by the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Alignment {
    /// Their rate less ours, in parts per million of ours.
    pub drift_ppm: Estimate,
    /// Events that both have: the place in ours and in theirs, in the order of ours.
    pub matched: Vec<(usize, usize)>,
    /// Ours that they should have and have not.
    pub missing: Vec<usize>,
    /// Ours before their first event or after their last.
    pub outside: Vec<usize>,
    /// Theirs between our first and last that are none of ours.
    pub spurious: Vec<usize>,
    /// Standard deviation of theirs from the line, in seconds, without those far from all others.
    pub residual_sd_s: f64,
    /// The greatest distance of a matched one from the line, in seconds.
    pub residual_max_s: f64,
    fit: Fit,
    sampling: Sampling,
    /// The first event of each, from which the fit counts.
    zeros: (Nanos, Nanos),
}

impl Alignment {
    /// What their clock reads at a time of ours.
    pub fn theirs(&self, ours: Nanos) -> Nanos {
        let since = ours - self.zeros.0;
        // Only what their clock reads more passes through a float, which holds it to the nanosecond.
        let more = self.fit.line.shift_at(since.as_secs_f64()) * 1e9;
        self.zeros.1 + since + Nanos::round_from_f64(more)
    }

    /// The same in seconds, and how sure one can be of it.
    pub fn theirs_s(&self, ours: Nanos) -> Estimate {
        let found = self.fit.estimate_at((ours - self.zeros.0).as_secs_f64(), &self.sampling);
        let zero = self.zeros.1.as_secs_f64();
        let Estimate { value, standard_error, low, high } = found;
        Estimate { value: zero + value, standard_error, low: zero + low, high: zero + high }
    }
}

/// Why two recordings were not put on one clock.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AlignmentError {
    /// One of them has too few events. Take more kinds of events, or another table.
    #[error(
        "the trial has {ours} events and the other recording {theirs}, and {FEWEST} at least are needed"
    )]
    TooFew { ours: usize, theirs: usize },
    /// No code stands in both. Name another column, or align by times alone.
    #[error(
        "no code stands in both: the trial sent {}, the other recording has {}",
        listed(ours),
        listed(theirs)
    )]
    NoCommonCode { ours: Vec<u32>, theirs: Vec<u32> },
    /// Nowhere do enough events coincide. It is the recording of another trial, or the clocks
    /// differ by more than was looked for.
    #[error(
        "not alike: at the best place {matched} of {within} events coincide, and chance can do as much"
    )]
    Unlike {
        matched: usize,
        /// Ours that lie within the other recording there.
        within: usize,
    },
    /// Two places are nearly equally good. Only events at irregular times, or with codes of their
    /// own, can tell them apart.
    #[error(
        "ambiguous: {matched} events coincide, and {also} do where the other recording is moved by {:.3} s",
        apart.as_secs_f64()
    )]
    Ambiguous {
        /// At the best place.
        matched: usize,
        /// At the next best.
        also: usize,
        /// How much later the next best is.
        apart: Nanos,
    },
}

fn listed(codes: &[u32]) -> String {
    const SHOWN: usize = 8;
    let mut shown: Vec<String> = codes.iter().take(SHOWN).map(u32::to_string).collect();
    if codes.len() > SHOWN {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// Puts the events of another recorder on the clock of ours. Both are in the order of time.
///
/// # Errors
/// [`AlignmentError`], where they are not of one trial, or where that cannot be told.
pub fn align(
    ours: &[ClockMark],
    theirs: &[ClockMark],
    limits: &AlignmentLimits,
) -> Result<Alignment, AlignmentError> {
    look_through(ours, theirs)?;
    let zeros = (ours[0].at, theirs[0].at);
    let search = Search {
        ours: ours.iter().map(|mark| Event::of(mark, zeros.0)).collect(),
        theirs: theirs.iter().map(|mark| Event::of(mark, zeros.1)).collect(),
        tolerance_s: limits.tolerance.as_secs_f64(),
        drift: limits.drift_ppm * 1e-6,
        step_s: limits.step_s,
    };
    let best = search.best().ok_or(AlignmentError::Unlike { matched: 0, within: ours.len() })?;
    let (best, rival) = search.with_rival(best);
    if search.may_be_chance(&best.pairing) {
        let Pairing { matched, within, .. } = &best.pairing;
        return Err(AlignmentError::Unlike { matched: matched.len(), within: *within });
    }
    match rival {
        Some(rival) => Err(search.ambiguous(&best, &rival)),
        None => Ok(search.told(best, zeros)),
    }
}

/// Whether there is anything to be compared.
fn look_through(ours: &[ClockMark], theirs: &[ClockMark]) -> Result<(), AlignmentError> {
    if ours.len().min(theirs.len()) < FEWEST {
        return Err(AlignmentError::TooFew { ours: ours.len(), theirs: theirs.len() });
    }
    let [all_ours, all_theirs] = [ours, theirs].map(codes);
    let shared = |code: &u32| all_theirs.contains(code);
    let tells = |marks: &[ClockMark]| marks.iter().all(|mark| mark.code.is_some());
    if tells(ours) && tells(theirs) && !all_ours.iter().any(shared) {
        return Err(AlignmentError::NoCommonCode { ours: all_ours, theirs: all_theirs });
    }
    Ok(())
}

fn codes(marks: &[ClockMark]) -> Vec<u32> {
    let mut codes: Vec<u32> = marks.iter().filter_map(|mark| mark.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// A mark in seconds since the first of its recording.
#[derive(Clone, Copy, Debug)]
struct Event {
    at: f64,
    code: Option<u32>,
}

impl Event {
    fn of(mark: &ClockMark, zero: Nanos) -> Event {
        Event { at: (mark.at - zero).as_secs_f64(), code: mark.code }
    }

    /// Whether it may be the other, as far as their codes say.
    fn may_be(&self, other: &Event) -> bool {
        self.code.is_none() || other.code.is_none() || self.code == other.code
    }
}

/// Two recordings, and what is looked for between them.
struct Search {
    ours: Vec<Event>,
    theirs: Vec<Event>,
    tolerance_s: f64,
    /// As a share of 1.
    drift: f64,
    step_s: f64,
}

/// A line, and what it brings together.
#[derive(Clone, Debug)]
struct Candidate {
    line: Line,
    pairing: Pairing,
}

impl Search {
    /// The candidate with the highest score.
    fn best(&self) -> Option<Candidate> {
        let grown = seeds(self).into_iter().filter_map(|seed| grown(self, &seed));
        grown.reduce(better)
    }

    /// The best of all there are at the rate of this one, which may be itself, and one that is nearly as
    /// good.
    fn with_rival(&self, mut best: Candidate) -> (Candidate, Option<Candidate>) {
        for _ in 0..EXCHANGES {
            let all = rivals(self, &best.line);
            let Some(first) = all.iter().cloned().reduce(better) else { return (best, None) };
            if first.pairing.score() <= best.pairing.score() {
                let near = all.into_iter().filter(|other| self.are_rivals(&best, other));
                let rival = near.reduce(better);
                return (best, rival);
            }
            best = first;
        }
        (best.clone(), Some(best)) // they outdo each other: none is the best
    }

    /// Whether another alignment is nearly as good as the best.
    fn are_rivals(&self, best: &Candidate, other: &Candidate) -> bool {
        let accidents = (self.near_misses(best) + self.near_misses(other)) as f64;
        let enough = MARGIN + ACCIDENTS * accidents.sqrt();
        let behind = (best.pairing.score() - other.pairing.score()) as f64;
        behind <= enough && !other.pairing.is_mostly(&best.pairing)
    }

    /// How many of ours are missing although one that it may be is near, only not near enough.
    fn near_misses(&self, candidate: &Candidate) -> usize {
        let (least, most) = (self.tolerance_s, NEAR_MISS * self.tolerance_s);
        let near = |place: &&usize| {
            let event = &self.ours[**place];
            let at = candidate.line.at(event.at);
            let first = self.theirs.partition_point(|their| their.at < at - most);
            let mut around = self.theirs[first..].iter().take_while(|their| their.at <= at + most);
            around.any(|their| event.may_be(their) && (their.at - at).abs() > least)
        };
        candidate.pairing.missing.iter().filter(near).count()
    }

    /// Whether unrelated events may coincide as often: by the bound of Chernoff on the
    /// binomial distribution, times the number of places that were looked at. One coincidence is
    /// no evidence, because each place was chosen by it. Nor are many that lie evenly over the tolerance, as
    /// accidents do.
    fn may_be_chance(&self, pairing: &Pairing) -> bool {
        let (found, within) = (pairing.matched.len(), pairing.within);
        let share = found as f64 / within.max(1) as f64;
        if found < FEWEST || share < LEAST_SHARE {
            return true;
        }
        let accident = accident(&self.ours, &self.theirs, self.tolerance_s).clamp(1e-9, 0.999);
        if share <= accident {
            return true;
        }
        let fit = Fit::through(&self.points(pairing));
        if fit.residual_sd > WIDEST * self.tolerance_s {
            return true;
        }
        let surprise = (found - 1) as f64 * divergence(share, accident) / share;
        surprise < libm::log(self.places()) - libm::log(GREATEST_CHANCE)
    }

    /// How many alignments there are to choose from: offsets, and rates that differ by the tolerance at the end.
    fn places(&self) -> f64 {
        let length = self.ours.last().map_or(0.0, |last| last.at);
        let rates = 1.0 + self.drift * length / self.tolerance_s;
        self.ours.len() as f64 * self.theirs.len() as f64 * rates
    }

    fn ambiguous(&self, best: &Candidate, rival: &Candidate) -> AlignmentError {
        let middle = self.ours[self.ours.len() / 2].at;
        let apart = rival.line.at(middle) - best.line.at(middle);
        AlignmentError::Ambiguous {
            matched: best.pairing.matched.len(),
            also: rival.pairing.matched.len(),
            apart: Nanos::round_from_f64(apart * 1e9),
        }
    }

    fn told(&self, best: Candidate, zeros: (Nanos, Nanos)) -> Alignment {
        let pairing = best.pairing;
        let points = self.points(&pairing);
        let fit = self.fit(&points);
        let sampling = Sampling::of(&points, fit.line, self.step_s);
        Alignment {
            drift_ppm: fit.drift_ppm(&sampling),
            missing: pairing.missing,
            outside: pairing.outside,
            spurious: pairing.spurious,
            matched: pairing.matched,
            residual_sd_s: fit.residual_sd,
            residual_max_s: fit.farthest(&points),
            fit,
            sampling,
            zeros,
        }
    }

    /// The times of what was matched, ours and theirs.
    fn points(&self, pairing: &Pairing) -> Vec<(f64, f64)> {
        let at = |&(ours, theirs): &(usize, usize)| (self.ours[ours].at, self.theirs[theirs].at);
        pairing.matched.iter().map(at).collect()
    }

    fn fit(&self, points: &[(f64, f64)]) -> Fit {
        Fit::of(points, self.step_s.max(NEVER_FAR * self.tolerance_s))
    }

    fn pair(&self, line: &Line) -> Pairing {
        pair(line, &self.ours, &self.theirs, self.tolerance_s)
    }
}

fn better(one: Candidate, other: Candidate) -> Candidate {
    if other.pairing.score() > one.pairing.score() { other } else { one }
}

/// The divergence of Kullback and Leibler of one share from another, in nats.
fn divergence(share: f64, from: f64) -> f64 {
    let part = |p: f64, q: f64| if p > 0.0 { p * libm::log(p / q) } else { 0.0 };
    part(share, from) + part(1.0 - share, 1.0 - from)
}
