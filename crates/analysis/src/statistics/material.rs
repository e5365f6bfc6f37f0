//! What statistics are taken from ([`Material`]), and how each says what it needs of that
//! ([`Needs`]). Who measures puts together what there is once, for all statistics; a statistic
//! whose needs are not there has no value.

use super::Statistic;
use crate::circular::{self, Circular, CircularBounds, of_directions};
use crate::correction::Correction;
use crate::estimate::Estimate;
use crate::following::Following;
use crate::intervals::Placed;
use crate::isolated::AtLag;
use crate::lateness::Lateness;
use crate::metre::Tapping;
use crate::no_estimate::NoEstimate;
use crate::observed::TapForce;
use crate::perturbation::ResponseShare;
use crate::reproduction::Reproduction;
use crate::reproduction::interval::ErrorBounds;
use crate::sequence::Performed;
use crate::series::Series;
use crate::tracking::Tracking;
use crate::uncertainty::{AsynchronySpread, FollowingIntervals, SpectralSpread, TrackingIntervals};
use crate::wing_kristofferson::WingKristofferson;
use crate::wing_kristofferson::interval::{Bounds, bounds, detrended_bounds};
use chronotap_core::time::Nanos;
use std::cell::OnceCell;
use std::ops::Deref;

/// What a statistic is taken from, how, and how its interval is, where it is an estimate. The
/// interval is told the value.
#[derive(Clone, Copy)]
pub enum Needs {
    /// Lateness of output.
    Lateness(fn(&Lateness) -> f64),
    /// Taps of an input, counted.
    Taps(fn(&Tapped<'_>) -> Option<f64>),
    /// Intervals between taps.
    Intervals(Value, Option<fn(&SpectralSpread<'_>, f64) -> Option<Estimate>>),
    /// The model of clock and motor variance: intervals that nothing paces.
    Levels(
        fn(&WingKristofferson) -> Option<f64>,
        Option<fn(&ClockAndMotor<'_>) -> Option<Estimate>>,
    ),
    /// Beats of a stream and the taps that answer them, counted.
    Beats(fn(&Answered) -> Option<f64>, Option<fn(&Answered) -> Option<Estimate>>),
    Asynchronies(Value, Option<fn(&AsynchronySpread<'_>, f64) -> Option<Estimate>>),
    /// Directions of taps on the circle of a stream.
    Directions(fn(&Directions<'_>) -> Option<f64>, Option<fn(&Directions<'_>) -> Option<Estimate>>),
    /// The model of phase correction: unbroken runs at one tempo.
    Correction(fn(&Correction) -> Option<f64>, Option<fn(&Correction) -> Option<Estimate>>),
    /// Rounds in which a stream is reproduced.
    Response(fn(&Reproduction) -> Option<f64>, Option<fn(&ErrorBounds) -> Option<Estimate>>),
    /// The level of the metre of taps to a stream.
    Metre(fn(&Tapping) -> Option<f64>),
    /// Responses to perturbations of the pacing.
    Perturbations(
        fn(&ResponseShare) -> Option<f64>,
        Option<fn(&ResponseShare) -> Option<Estimate>>,
    ),
    /// Intervals between taps to a stream whose tempo changes.
    Tracking(fn(&Tracking) -> Option<f64>, Option<fn(&TrackingIntervals) -> Option<Estimate>>),
    /// Intervals of the taps of two inputs. Of these the other one is the first.
    Following(fn(&Following) -> Option<f64>, Option<fn(&FollowingIntervals) -> Option<Estimate>>),
    /// Intervals that begin with a tap whose feedback was altered.
    Altered(fn(&AtLag) -> Option<f64>, Option<fn(&AtLag) -> Option<Estimate>>),
    /// Keys that were pressed where a sequence was to be played.
    Sequence(fn(&Performed) -> Option<f64>, Option<fn(&Performed) -> Option<Estimate>>),
}

/// How a statistic is taken from a series.
type Value = fn(&Series<'_>) -> Option<f64>;

/// Everything that statistics may be taken from; what is not there is `None`. Without what stands
/// beside it for intervals, there are values alone.
#[derive(Default)]
pub struct Material<'a> {
    /// Counts of taps.
    pub tapped: Option<Tapped<'a>>,
    /// Intervals between taps.
    pub intervals: Option<SeriesRun<'a, SpectralSpread<'a>>>,
    /// Clock and motor variance.
    pub levels: Option<ClockAndMotor<'a>>,
    /// Beats and their taps.
    pub beats: Option<Answered>,
    pub asynchronies: Option<SeriesRun<'a, AsynchronySpread<'a>>>,
    pub directions: Option<Directions<'a>>,
    /// Phase correction.
    pub correction: Option<Correction>,
    /// Lateness of output.
    pub lateness: Option<&'a Lateness>,
    /// What was reproduced.
    pub response: Option<(&'a Reproduction, Option<ErrorBounds>)>,
    /// The level of the metre.
    pub metre: Option<Tapping>,
    /// Responses to perturbations of the pacing.
    pub perturbations: Option<ResponseShare>,
    /// Prediction and tracking.
    pub tracking: Option<(Tracking, TrackingIntervals)>,
    /// Who follows whom: the other input is the first.
    pub following: Option<(Following, FollowingIntervals)>,
    /// What altered feedback did to the next interval.
    pub altered: Option<AtLag>,
    /// What was played of a sequence.
    pub sequence: Option<Performed>,
}

/// A statistic of some material.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    pub value: Option<f64>,
    /// It with its interval; `None` where all that it is taken from is the same.
    pub estimate: Option<Estimate>,
}

/// A series, and how its values lie, where there are enough.
pub type SeriesRun<'a, S> = (&'a Series<'a>, Option<&'a S>);

/// Taps of an input, counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tapped<'a> {
    /// Taps that count.
    pub taps: usize,
    /// Taps that a rule leaves out.
    pub left_out_taps: usize,
    /// Taps that came too soon after another to count.
    pub debounced: usize,
    /// Intervals that a rule leaves out.
    pub left_out_intervals: usize,
    /// All intervals between taps that were not debounced.
    pub raw_intervals: &'a [Nanos],
    /// Of taps that count on a sensor of force, those whose force is known.
    pub forces: &'a [TapForce],
}

/// Beats of a stream, and the taps of an input that answer them, counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answered {
    /// Beats that sounded.
    pub beats: usize,
    /// Beats with a tap.
    pub matched: usize,
    /// Beats that were only listened to.
    pub listened: usize,
    /// Taps without a beat while the stream was pacing.
    pub extra: usize,
    /// Of these, taps near a beat that another tap answers.
    pub doubled: usize,
    /// Taps while it was not; `None` but for a whole trial.
    pub unpaced: Option<usize>,
    /// Asynchronies that a rule leaves out.
    pub left_out_asynchronies: usize,
}

/// Clock and motor variance of intervals, with their intervals for 95 % where somebody asks.
pub struct ClockAndMotor<'a> {
    found: WingKristofferson,
    placed: Option<&'a Placed>,
    bounds: OnceCell<Result<Bounds, NoEstimate>>,
    detrended: OnceCell<Result<Bounds, NoEstimate>>,
}

/// Directions of taps in radians, described.
pub struct Directions<'a> {
    /// The directions.
    pub angles: &'a [f64],
    /// What describes them.
    pub found: Option<Circular>,
    /// The same with its intervals.
    pub bounds: Option<CircularBounds>,
}

impl Material<'_> {
    /// A statistic of what there is.
    pub fn measure(&self, of: &Statistic) -> Measured {
        let found = match of.needs {
            Needs::Lateness(value) => self.lateness.map(|of| counted(Some(value(of)))),
            Needs::Taps(value) => self.tapped.as_ref().map(|of| counted(value(of))),
            Needs::Intervals(value, interval) => {
                self.intervals.as_ref().map(|run| taken(*run, value, interval))
            }
            Needs::Levels(value, interval) => self.levels.as_ref().map(|of| Measured {
                value: value(&of.found),
                estimate: interval.and_then(|interval| interval(of)),
            }),
            Needs::Beats(value, interval) => {
                self.beats.as_ref().map(|of| both(of, value, interval))
            }
            Needs::Asynchronies(value, interval) => {
                self.asynchronies.as_ref().map(|run| taken(*run, value, interval))
            }
            Needs::Directions(value, interval) => {
                self.directions.as_ref().map(|of| both(of, value, interval))
            }
            Needs::Correction(value, interval) => {
                self.correction.as_ref().map(|of| both(of, value, interval))
            }
            Needs::Response(value, interval) => self.response.as_ref().map(|(of, sure)| Measured {
                value: value(of),
                estimate: interval.zip(sure.as_ref()).and_then(|(interval, sure)| interval(sure)),
            }),
            Needs::Metre(value) => self.metre.as_ref().map(|of| counted(value(of))),
            Needs::Perturbations(value, interval) => {
                self.perturbations.as_ref().map(|of| both(of, value, interval))
            }
            Needs::Tracking(value, interval) => {
                self.tracking.as_ref().map(|of| beside(of, value, interval))
            }
            Needs::Following(value, interval) => {
                self.following.as_ref().map(|of| beside(of, value, interval))
            }
            Needs::Altered(value, interval) => {
                self.altered.as_ref().map(|of| both(of, value, interval))
            }
            Needs::Sequence(value, interval) => {
                self.sequence.as_ref().map(|of| both(of, value, interval))
            }
        };
        let Measured { value, estimate } = found.unwrap_or_default();
        // The model of an interval may not hold of these data, but it says nothing against the value beside it.
        let whole = estimate.map(|one| one.about(one.value));
        Measured { value, estimate: whole.filter(|one| one.ends().is_some()) }
    }
}

fn counted(value: Option<f64>) -> Measured {
    Measured { value, estimate: None }
}

fn both<M>(
    of: &M,
    value: fn(&M) -> Option<f64>,
    interval: Option<fn(&M) -> Option<Estimate>>,
) -> Measured {
    Measured { value: value(of), estimate: interval.and_then(|interval| interval(of)) }
}

/// Of what is found, and of its intervals, which stand beside it.
fn beside<M, I>(
    (found, sure): &(M, I),
    value: fn(&M) -> Option<f64>,
    interval: Option<fn(&I) -> Option<Estimate>>,
) -> Measured {
    let value = value(found);
    let estimate = value.and_then(|_| interval.and_then(|interval| interval(sure)));
    Measured { value, estimate }
}

fn taken<S>(
    (series, spread): SeriesRun<'_, S>,
    value: Value,
    interval: Option<fn(&S, f64) -> Option<Estimate>>,
) -> Measured {
    let value = value(series);
    let sure = interval.zip(spread).zip(value);
    Measured {
        value,
        estimate: sure.and_then(|((interval, spread), value)| interval(spread, value)),
    }
}

impl Needs {
    /// In a word, for the manual.
    pub fn word(&self) -> &'static str {
        match self {
            Needs::Lateness(_) => "output",
            Needs::Taps(_) => "taps",
            Needs::Intervals(..) => "intervals",
            Needs::Levels(..) => "intervals that nothing paces",
            Needs::Beats(..) => "beats",
            Needs::Asynchronies(..) => "asynchronies",
            Needs::Directions(..) => "taps on the circle",
            Needs::Correction(..) => "taps to one tempo",
            Needs::Response(..) => "rounds",
            Needs::Metre(_) => "taps to a stream",
            Needs::Perturbations(..) => "perturbations of the pacing",
            Needs::Tracking(..) => "taps to a tempo that changes",
            Needs::Following(..) => "taps of two inputs",
            Needs::Altered(..) => "taps with altered feedback",
            Needs::Sequence(..) => "a sequence of keys",
        }
    }

    /// Whether there is an interval.
    pub fn has_interval(&self) -> bool {
        match self {
            Needs::Lateness(_) | Needs::Taps(_) | Needs::Metre(_) => false,
            Needs::Intervals(_, interval) => interval.is_some(),
            Needs::Levels(_, interval) => interval.is_some(),
            Needs::Beats(_, interval) => interval.is_some(),
            Needs::Asynchronies(_, interval) => interval.is_some(),
            Needs::Directions(_, interval) => interval.is_some(),
            Needs::Correction(_, interval) => interval.is_some(),
            Needs::Response(_, interval) => interval.is_some(),
            Needs::Perturbations(_, interval) => interval.is_some(),
            Needs::Tracking(_, interval) => interval.is_some(),
            Needs::Following(_, interval) => interval.is_some(),
            Needs::Altered(_, interval) => interval.is_some(),
            Needs::Sequence(_, interval) => interval.is_some(),
        }
    }
}

impl Answered {
    /// Beats that a tap could answer.
    pub fn asked(&self) -> usize {
        self.beats - self.listened
    }

    /// Those of them without a tap.
    pub fn missed(&self) -> usize {
        self.asked() - self.matched
    }
}

impl<'a> ClockAndMotor<'a> {
    /// What was found in intervals; without these there are no intervals for 95 %.
    pub fn of(found: WingKristofferson, placed: Option<&'a Placed>) -> ClockAndMotor<'a> {
        ClockAndMotor { found, placed, bounds: OnceCell::new(), detrended: OnceCell::new() }
    }

    /// Both with their intervals.
    ///
    /// # Errors
    /// Why there are none.
    pub fn bounds(&self) -> Result<&Bounds, &NoEstimate> {
        self.bounds.get_or_init(|| self.of_placed(bounds)).as_ref()
    }

    /// The same with the drift of the intervals taken off.
    ///
    /// # Errors
    /// Why there are none.
    pub fn detrended_bounds(&self) -> Result<&Bounds, &NoEstimate> {
        self.detrended.get_or_init(|| self.of_placed(detrended_bounds)).as_ref()
    }

    fn of_placed(
        &self,
        of: fn(&Placed) -> Result<Bounds, NoEstimate>,
    ) -> Result<Bounds, NoEstimate> {
        let none = NoEstimate::TooFew { what: "intervals", needed: 1, found: 0 };
        self.placed.ok_or(none).and_then(of)
    }
}

impl Deref for ClockAndMotor<'_> {
    type Target = WingKristofferson;

    fn deref(&self) -> &WingKristofferson {
        &self.found
    }
}

impl<'a> Directions<'a> {
    /// Of these angles, in radians.
    pub fn of(angles: &'a [f64]) -> Directions<'a> {
        let found = circular::describe(angles);
        let bounds = found.as_ref().and_then(|found| of_directions(angles, found).ok());
        Directions { angles, found, bounds }
    }

    /// The same without their intervals.
    pub fn without_bounds(angles: &'a [f64]) -> Directions<'a> {
        Directions { angles, found: circular::describe(angles), bounds: None }
    }
}

/// These statistics of intervals that count, each with its interval for 95 %.
///
/// # Errors
/// [`NoEstimate::TooFew`].
pub fn estimates_of_intervals(
    placed: &Placed,
    all: &[&'static Statistic],
) -> Result<Vec<Option<Estimate>>, NoEstimate> {
    let series = Series::of(placed);
    let spread = SpectralSpread::of(&series, "intervals")?;
    let material = Material { intervals: Some((&series, Some(&spread))), ..Material::default() };
    Ok(all.iter().map(|of| material.measure(of).estimate).collect())
}

/// The same of asynchronies.
///
/// # Errors
/// [`NoEstimate::TooFew`].
pub fn estimates_of_asynchronies(
    placed: &Placed,
    all: &[&'static Statistic],
) -> Result<Vec<Option<Estimate>>, NoEstimate> {
    let series = Series::of(placed);
    let spread = AsynchronySpread::of(&series)?;
    let material = Material { asynchronies: Some((&series, Some(&spread))), ..Material::default() };
    Ok(all.iter().map(|of| material.measure(of).estimate).collect())
}
