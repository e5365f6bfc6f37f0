//! The Kalman filter of [`super`]'s model: what asynchronies come to under given values, [`AT_ONCE`] of which are
//! looked at beside each other.

use super::super::TapRun;
use crate::lanes::{Lanes, Product};
use crate::moments::square;
use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;
use std::array::from_fn;

/// So many values are looked at beside each other.
const AT_ONCE: usize = 8;
/// A number for each of them.
type Each = Lanes<AT_ONCE>;

/// What is looked at: α, ρ, the SD of the drift in SDs of g0, β, and the timekeeper's memory.
#[derive(Clone, Copy)]
pub(super) struct Values {
    pub alpha: f64,
    pub ratio: f64,
    pub drift: f64,
    pub beta: f64,
    pub memory: Memory,
}

/// How the variance of the timekeeper is made up: what each interval has of its own, and what goes over from one to
/// the next. The rest lasts longer than a trial, whose line takes it up.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    pub own: f64,
    pub lasting: f64,
    /// How much of what lasts is left at the next interval.
    pub left: f64,
}

/// About how long a drift lasts, in seconds.
pub(super) const LASTS_S: f64 = 6.0;
/// Taps to the same pacing before a run.
pub(super) const BEFORE: usize = 16;
/// Once the variance of innovations changes by less than this share, gains stay as they are.
const AT_REST: f64 = 1e-12;

/// Asynchronies of a run, the beat of the trial at which it begins, and how far each interval of the
/// pacing is from their median; times in ms.
pub(super) struct Asynchronies {
    pub values: Vec<f64>,
    first: f64,
    shifts: Vec<f64>,
    median: f64,
}

impl Asynchronies {
    pub fn of(run: &TapRun, zero: Nanos) -> Result<Asynchronies, NoEstimate> {
        NoEstimate::unless_equal("partners", run.partners.len(), 1)?;
        let onsets = &run.partners[0];
        NoEstimate::unless_equal("onsets of a partner", onsets.len(), run.taps.len())?;
        let values = run.taps.iter().zip(onsets).map(|(tap, at)| (*tap - *at).as_millis_f64());
        let intervals: Vec<f64> =
            onsets.windows(2).map(|pair| (pair[1] - pair[0]).as_millis_f64()).collect();
        let mut sorted = intervals.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
        let shifts = intervals.iter().map(|interval| interval - median).collect();
        let from = onsets.first().map_or(0.0, |onset| (*onset - zero).as_millis_f64());
        let first = if median > 0.0 { from / median } else { 0.0 };
        Ok(Asynchronies { values: values.collect(), first, shifts, median })
    }

    /// Each with the shift of the interval after it.
    fn with_shifts(&self) -> impl Iterator<Item = (f64, f64)> {
        self.values.iter().copied().zip(self.shifts.iter().copied().chain([0.0]))
    }
}

/// All trials, the median interval of their pacing in seconds, and their longest run.
pub(super) struct Trials {
    pub all: Vec<Vec<Asynchronies>>,
    interval_s: f64,
    /// The lengths of runs, each once, ascending.
    lengths: Vec<usize>,
}

impl Trials {
    pub fn of(all: Vec<Vec<Asynchronies>>) -> Trials {
        let runs = || all.iter().flatten();
        let mut medians: Vec<f64> =
            runs().filter(|run| run.values.len() > 1).map(|run| run.median).collect();
        medians.sort_by(f64::total_cmp);
        let interval_s = medians.get(medians.len() / 2).map_or(0.5, |ms| ms.abs() / 1e3);
        let mut lengths: Vec<usize> = runs().map(|run| run.values.len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        Trials { all, interval_s, lengths }
    }

    /// Of each of these values RSS of all trials, and L but for the part of RSS.
    pub fn fits(&self, values: &[Values]) -> Vec<(f64, f64)> {
        let of = |some: &[Values]| {
            // Lanes that nobody needs have what the last one has.
            let all = from_fn(|lane| some[lane.min(some.len() - 1)]);
            let (rss, rest) = Filter::of(&all, self).fit(self);
            (0..some.len()).map(move |lane| (rss.0[lane], rest.0[lane]))
        };
        values.chunks(AT_ONCE).flat_map(of).collect()
    }
}

/// x, t and D.
type State = [Each; 3];

/// What the filter does at each tap of a run, as far as the longest run needs it. It is the same for all
/// runs, because it depends on no tap.
struct Filter<'a> {
    next: Next,
    taps: Vec<AtTap>,
    lengths: &'a [usize],
    /// After so many taps as each length has.
    ends: Vec<End>,
}

/// How a state leads to the next one.
struct Next {
    alpha: Each,
    beta: Each,
    /// How much of the period and of a drift is left at the next tap.
    lasts: Each,
    left: Each,
}

/// At one tap.
struct AtTap {
    gain: Gain,
    /// Innovations of a's column and of that of the taps' numbers.
    constant: Each,
    number: Each,
}

/// What all taps up to one come to.
#[derive(Clone, Copy)]
struct End {
    /// Products of both columns' innovations.
    aa: Each,
    ab: Each,
    bb: Each,
    /// 1 over the SDs of all innovations.
    inverses: Product<AT_ONCE>,
}

/// Products of the innovations of asynchronies and of both columns, over runs.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Of the asynchronies with themselves, with a's column and with b's.
    ww: Each,
    wa: Each,
    wb: Each,
    /// Of the columns with themselves and each other.
    aa: Each,
    ab: Each,
    bb: Each,
}

impl Next {
    fn of(values: &[Values; AT_ONCE], trials: &Trials) -> Next {
        Next {
            alpha: Lanes(values.map(|of| of.alpha)),
            beta: Lanes(values.map(|of| of.beta)),
            lasts: Lanes(values.map(|of| of.memory.left)),
            left: Lanes::all(LASTS_S / (LASTS_S + trials.interval_s)),
        }
    }

    /// The innovation of a value, and the state that is expected at the next tap.
    #[inline(always)]
    fn step(&self, state: &mut State, gain: &Gain, value: f64, shift: f64) -> Each {
        let (value, shift) = (Lanes::all(value), Lanes::all(shift));
        let innovation = value - state[0];
        let x = state[0] + gain.follows[0] * innovation;
        let t = state[1] + gain.follows[1] * innovation;
        let drift = state[2] + gain.follows[2] * innovation;
        let off = value - drift;
        let period = self.lasts * t - self.beta * off;
        *state = [x + period - self.alpha * off - shift, period, self.left * drift];
        innovation * gain.inverse
    }
}

impl<'a> Filter<'a> {
    fn of(values: &[Values; AT_ONCE], trials: &'a Trials) -> Filter<'a> {
        let next = Next::of(values, trials);
        let lengths = &trials.lengths[..];
        let longest = lengths.last().copied().unwrap_or(0);
        let mut gains = Gains::of(values, &next);
        let (mut of_constant, mut of_number) = (State::default(), State::default());
        let none = Each::default();
        let mut end = End { aa: none, ab: none, bb: none, inverses: Product::none() };
        let (mut taps, mut ends) = (Vec::with_capacity(longest), Vec::with_capacity(lengths.len()));
        for place in 0..longest {
            gains.go_on();
            let gain = gains.now;
            let constant = next.step(&mut of_constant, &gain, 1.0, 0.0);
            let number = next.step(&mut of_number, &gain, place as f64, 0.0);
            end.aa += constant * constant;
            end.ab += constant * number;
            end.bb += number * number;
            end.inverses.times(gain.inverse);
            taps.push(AtTap { gain, constant, number });
            if lengths[ends.len()] == place + 1 {
                ends.push(end);
            }
        }
        Filter { next, taps, lengths, ends }
    }

    /// What the taps of a run of this length come to.
    fn end(&self, length: usize) -> &End {
        &self.ends[self.lengths.partition_point(|of| *of < length)]
    }

    /// Adds the products of a run.
    fn add(&self, run: &Asynchronies, sums: &mut Sums) {
        let (mut ww, mut wa, mut wn) = (Each::default(), Each::default(), Each::default());
        let mut state = State::default();
        for ((value, shift), at) in run.with_shifts().zip(&self.taps) {
            let w = self.next.step(&mut state, &at.gain, value, shift);
            ww += w * w;
            wa += w * at.constant;
            wn += w * at.number;
        }
        let End { aa, ab, bb, .. } = *self.end(run.values.len());
        let first = Lanes::all(run.first);
        sums.ww += ww;
        sums.wa += wa;
        sums.wb += first * wa + wn;
        sums.aa += aa;
        sums.ab += first * aa + ab;
        sums.bb += first * first * aa + Lanes::all(2.0) * first * ab + bb;
    }

    fn fit(&self, trials: &Trials) -> (Each, Each) {
        let (mut rss, mut rest) = (Each::default(), Each::default());
        for trial in &trials.all {
            let mut sums = Sums::default();
            for run in trial {
                self.add(run, &mut sums);
                rest += self.end(run.values.len()).inverses.logarithm();
            }
            let Sums { ww, wa, wb, aa, ab, bb } = sums;
            let determinant = aa * bb - ab * ab;
            let explained = bb * wa * wa - Lanes::all(2.0) * ab * wa * wb + aa * wb * wb;
            rss += ww - explained / determinant;
            rest -= Lanes::all(0.5) * determinant.map(libm::log);
        }
        (rss, rest)
    }
}

/// Covariances of x, t and D.
type Covariances = [State; 3];

/// What the filter does at one tap.
#[derive(Clone, Copy)]
struct Gain {
    /// By how much each part of the state follows an innovation.
    follows: State,
    /// One over the innovation's SD.
    inverse: Each,
}

impl Gain {
    /// This one, and in lanes that are at rest the last one.
    fn or(self, at_rest: [bool; AT_ONCE], last: Gain) -> Gain {
        let follows = from_fn(|part| self.follows[part].or(at_rest, last.follows[part]));
        Gain { follows, inverse: self.inverse.or(at_rest, last.inverse) }
    }
}

/// How a state leads to the next one, less what is new in it.
struct Step {
    /// What of x stays in x and in t.
    stays: Each,
    to_period: Each,
    both: Each,
    beta: Each,
    left: Each,
    /// What of t stays.
    lasts: Each,
}

impl Step {
    /// F P F', with F = [[stays, lasts, both], [to_period, lasts, beta], [0, 0, left]].
    fn carry(&self, of: &mut Covariances) {
        let Step { stays, to_period, both, beta, left, lasts } = *self;
        let [of_x, of_t, of_drift] = of;
        for ((to_x, to_t), to_drift) in of_x.iter_mut().zip(of_t).zip(of_drift) {
            let (x, t, drift) = (*to_x, *to_t, *to_drift);
            let same = lasts * t;
            *to_x = stays * x + same + both * drift;
            *to_t = to_period * x + same + beta * drift;
            *to_drift = left * drift;
        }
        for row in of {
            let [x, t, drift] = *row;
            let same = lasts * t;
            row[0] = stays * x + same + both * drift;
            row[1] = to_period * x + same + beta * drift;
            row[2] = left * drift;
        }
    }
}

/// Adds what is new in t, which is new in x too.
fn renew(of: &mut Covariances, by: Each) {
    for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        of[row][column] += by;
    }
}

/// What is new at each tap: in the timekeeper, the drift and the motor delays.
struct Noise {
    motor: Each,
    clock: Each,
    new_lasting: Each,
    new_drift: Each,
}

/// The gains of the filter, tap by tap, up to where they stay as they are.
struct Gains {
    known: Step,
    noise: Noise,
    covariances: Covariances,
    /// The last variance of innovations, and in which lanes gains stay as they are.
    before: Each,
    at_rest: [bool; AT_ONCE],
    now: Gain,
}

impl Gains {
    fn of(values: &[Values; AT_ONCE], next: &Next) -> Gains {
        let (one, none) = (Lanes::all(1.0), Each::default());
        let share = |of: fn(&Memory) -> f64| {
            Lanes(values.map(|one| of(&one.memory) * (1.0 + 2.0 * one.ratio)))
        };
        let (clock, lasting) = (share(|memory| memory.own), share(|memory| memory.lasting));
        let drift = Lanes(values.map(|of| square(of.drift)));
        let Next { alpha, beta, lasts, left } = *next;
        let noise = Noise {
            motor: Lanes(values.map(|of| -of.ratio)),
            clock,
            new_lasting: lasting * (one - lasts * lasts),
            new_drift: drift * (one - left * left),
        };
        let both = alpha + beta;
        // As taps come, none of them known: motor delays act on the next state too.
        let free = Step { stays: one - both, to_period: none - beta, both, beta, left, lasts };
        let mut covariances = [[drift + clock, none, drift], [none; 3], [drift, none, drift]];
        renew(&mut covariances, lasting);
        for _ in 0..BEFORE {
            free.carry(&mut covariances);
            renew(&mut covariances, noise.new_lasting);
            covariances[0][0] += clock + both * both * noise.motor;
            covariances[0][1] += beta * both * noise.motor;
            covariances[1][0] = covariances[0][1];
            covariances[1][1] += beta * beta * noise.motor;
            covariances[2][2] += noise.new_drift;
        }
        // Where the tap is known, what it does to the next state is known, too.
        let known = Step { stays: one, to_period: none, both, beta, left, lasts };
        let (at_rest, now) = ([false; AT_ONCE], Gain { follows: [none; 3], inverse: none });
        Gains { known, noise, covariances, before: none, at_rest, now }
    }

    /// Goes on to the next tap.
    fn go_on(&mut self) {
        if self.at_rest.iter().all(|at_rest| *at_rest) {
            return;
        }
        let now = &mut self.covariances;
        let variance = now[0][0] + self.noise.motor;
        let follows: State = [now[0][0] / variance, now[1][0] / variance, now[2][0] / variance];
        let inverse = Lanes::all(1.0) / variance.map(f64::sqrt);
        self.now = Gain { follows, inverse }.or(self.at_rest, self.now);
        for (lane, at_rest) in self.at_rest.iter_mut().enumerate() {
            let [variance, before] = [variance.0[lane], self.before.0[lane]];
            *at_rest |= (variance - before).abs() < AT_REST * variance;
        }
        self.before = variance;
        let top = now[0];
        for (row, gain) in now.iter_mut().zip(follows) {
            row.iter_mut().zip(top).for_each(|(of, with)| *of -= gain * with);
        }
        self.known.carry(now);
        renew(now, self.noise.new_lasting);
        now[0][0] += self.noise.clock;
        now[2][2] += self.noise.new_drift;
    }
}
