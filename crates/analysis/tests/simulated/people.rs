//! The populations that studies are rehearsed with (docs/participants.md), whose people differ, correct the
//! period too, follow a tempo that changes, drift, and miss taps.
//!
//! Their timekeeper may have a long memory as well: then its noise is fractional Gaussian noise with an exponent of
//! 0.9, whose power falls with 1/f^0.8, as that of people who tap alone about does (Gilden, Thornton & Mallon 1995,
//! Science 267, 1837-1839; in synchronization, Torre & Delignieres 2008, Biological Cybernetics 99, 159-170).

use super::{fractional, ns};
use chronotap_analysis::correction::TapRun;
use chronotap_analysis::intervals::Placed;
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;
use std::collections::HashMap;
use std::f64::consts::PI;
use std::sync::OnceLock;

const TABLE: &str = include_str!("../../../../docs/participants.md");
const POPULATIONS: [&str; 3] = ["adults", "musicians", "beginners"];

/// A parameter: the middle of people and how they differ, by a sum or by a factor.
#[derive(Clone, Copy, Debug)]
struct Parameter {
    middle: f64,
    differs: f64,
    factor: bool,
    trials: f64,
}

impl Parameter {
    /// `-36 +- 21 +- 2.3 ms`, `0.035 x/ 1.38`, `6 s`.
    fn parse(text: &str) -> Parameter {
        let factor = text.contains("x/");
        let mut numbers = text.split("+-").flat_map(|part| part.split("x/")).map(|part| {
            part.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0.0)
        });
        let mut next = || numbers.next().unwrap_or(0.0);
        Parameter { middle: next(), differs: next(), factor, trials: next() }
    }

    fn draw(&self, random: &mut Random) -> f64 {
        if self.factor {
            self.middle * (self.differs.ln() * random.normal()).exp()
        } else {
            self.middle + self.differs * random.normal()
        }
    }
}

/// Its cell in the table of populations, which is read once for all people.
fn parameter(name: &str, population: &str) -> Parameter {
    static ALL: OnceLock<HashMap<&str, Vec<Parameter>>> = OnceLock::new();
    let row = |line: &'static str| {
        let mut cells = line.split('|').skip(1);
        let name = cells.next()?.trim().trim_matches('`');
        Some((name, cells.map(Parameter::parse).collect()))
    };
    let rows = || TABLE.lines().skip_while(|line| !line.starts_with("| parameter | adults |"));
    let all = ALL
        .get_or_init(|| rows().take_while(|line| line.starts_with('|')).filter_map(row).collect());
    let column = POPULATIONS.iter().position(|of| *of == population).unwrap();
    all[name][column]
}

/// What the noise of the timekeeper is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clock {
    /// Each interval's is its own, as in the people of rehearsals.
    Independent,
    /// It has a long memory (1/f).
    Fractional,
}

/// The exponent of its fractional noise.
const HURST: f64 = 0.9;

impl Clock {
    /// How alike the noise of neighbours is.
    pub fn lag_one(self) -> f64 {
        match self {
            Clock::Independent => 0.0,
            Clock::Fractional => 2.0_f64.powf(2.0 * HURST - 1.0) - 1.0,
        }
    }
}

/// Somebody of a population at one tempo.
#[derive(Clone, Copy, Debug)]
pub struct Person {
    pub alpha: f64,
    beta: f64,
    /// SDs of timekeeper and motor delays, in ms.
    pub timekeeper: f64,
    pub motor: f64,
    mean: Parameter,
    drift: f64,
    /// How much of a drift is left at the next tap.
    left: f64,
    pub miss: f64,
    pub interval: f64,
    notice: f64,
    follow: f64,
    follow_slower: f64,
    anticipate: f64,
    wanders: f64,
    pub clock: Clock,
}

impl Person {
    pub fn of(population: &str, random: &mut Random, interval: f64) -> Person {
        let of = |name: &str| parameter(name, population);
        let seconds = interval / 1e3;
        let mut draw = |name: &str| of(name).draw(random);
        let alpha = draw("alpha") + of("alpha_grows").middle * (seconds - 0.6);
        let share = draw("weber") + of("weber_grows").middle * (seconds - 0.6);
        let lasts = of("drifts_in").middle;
        Person {
            alpha: alpha.clamp(0.0, 2.0),
            beta: draw("beta").max(0.0),
            timekeeper: share.max(0.0) * interval,
            motor: draw("motor"),
            mean: of("mean"),
            drift: draw("drift"),
            left: lasts / (lasts + seconds),
            miss: draw("miss"),
            interval,
            notice: draw("notice").max(0.0),
            follow: draw("follow"),
            follow_slower: of("follow_slower").middle,
            anticipate: draw("anticipate").clamp(0.0, 1.0),
            wanders: draw("wanders"),
            clock: Clock::Independent,
        }
    }

    /// The unbroken runs of a trial of so many beats.
    pub fn trial(&self, random: &mut Random, beats: usize) -> Vec<TapRun> {
        self.paced(random, &vec![self.interval; beats - 1]).runs()
    }

    /// A trial to this pacing.
    pub fn paced(&self, random: &mut Random, pacing: &[f64]) -> Tapped {
        let mean = self.mean.middle + self.mean.trials * random.normal();
        let mut ticks = self.ticks(random, pacing.len() + 2);
        let mut heard = Heard::default();
        let (mut drift, mut period) = (self.drift * random.normal(), self.interval);
        let mut inner = mean + drift + ticks.next(random);
        let mut tapped = Tapped { mean, ..Tapped::default() };
        let mut onset = 0.0;
        for interval in pacing.iter().chain([&0.0]) {
            let tap = inner + self.motor * random.normal();
            let missed = random.uniform() < self.miss;
            tapped.onsets.push(onset);
            tapped.taps.push((!missed).then_some(tap));
            let error = if missed { 0.0 } else { tap - onset - mean - drift };
            period -= self.beta * error;
            period = self.expected(period, &heard);
            inner += period - self.alpha * error + ticks.next(random);
            let new = self.drift * (1.0 - self.left * self.left).sqrt() * random.normal();
            drift = self.left * drift + new;
            onset += interval;
            heard.hear(*interval);
        }
        tapped
    }

    /// The period goes on with a trend of the intervals, or follows one that is noticed to differ from it.
    fn expected(&self, period: f64, heard: &Heard) -> f64 {
        let Some(last) = heard.last else { return period };
        let (off, trend) = (last - period, heard.trend());
        if trend != 0.0 && self.anticipate > 0.0 {
            return period + self.anticipate * (off + trend);
        }
        let share = (self.follow + self.follow_slower * off.signum()).clamp(0.0, 1.0);
        if off.abs() > self.notice * period { period + share * off } else { period }
    }

    /// Taps without pacing, whose tempo wanders.
    pub fn alone(&self, random: &mut Random, taps: usize) -> Vec<Nanos> {
        let mut ticks = self.ticks(random, taps);
        let (mut inner, mut period) = (0.0, self.interval);
        let mut tap = |_| {
            let tap = ns(inner + self.motor * random.normal());
            period *= 1.0 + self.wanders * random.normal();
            inner += period + ticks.next(random);
            tap
        };
        (0..taps).map(&mut tap).collect()
    }

    /// Two who tap without pacing, each of whom takes this share of the distance to the other off the next tap.
    pub fn together(
        people: [&Person; 2],
        shares: [f64; 2],
        random: &mut Random,
        taps: usize,
    ) -> [Vec<Nanos>; 2] {
        let mut ticks = people.map(|one| one.ticks(random, taps));
        let (mut inner, mut periods) = ([0.0; 2], people.map(|one| one.interval));
        let mut tapped = [Vec::new(), Vec::new()];
        for _ in 0..taps {
            let at = [0, 1].map(|who: usize| inner[who] + people[who].motor * random.normal());
            for who in 0..2 {
                tapped[who].push(ns(at[who]));
                periods[who] *= 1.0 + people[who].wanders * random.normal();
                let apart = at[who] - at[1 - who];
                inner[who] += periods[who] - shares[who] * apart + ticks[who].next(random);
            }
        }
        tapped
    }

    fn ticks(&self, random: &mut Random, count: usize) -> Ticks {
        let drawn = match self.clock {
            Clock::Independent => None,
            Clock::Fractional => Some(fractional(random, count, HURST).into_iter()),
        };
        Ticks { sd: self.timekeeper, drawn }
    }

    /// The autocovariances of asynchronies to an even pacing at lags 0, 1 and 2 in ms², from what each noise
    /// does to the taps after it.
    pub fn autocovariances(&self) -> [f64; 3] {
        let of = |impulse: [f64; 3]| self.answer(impulse);
        let new_drift = self.drift * (1.0 - self.left * self.left).sqrt();
        let white = [of([self.motor, 0.0, 0.0]), of([0.0, 0.0, new_drift])];
        let clock = of([0.0, self.timekeeper, 0.0]);
        let along =
            |of: &[f64], lag: usize| of.iter().zip(&of[lag..]).map(|(a, b)| a * b).sum::<f64>();
        [0, 1, 2].map(|lag| {
            let independent: f64 = white.iter().map(|of| along(of, lag)).sum();
            match self.clock {
                Clock::Independent => independent + along(&clock, lag),
                Clock::Fractional => independent + remembered(&clock, lag),
            }
        })
    }

    /// Asynchronies after one motor delay, tick and step of the drift.
    fn answer(&self, [motor, tick, step]: [f64; 3]) -> Vec<f64> {
        let (mut inner, mut period, mut drift) = (tick, 0.0, step);
        let mut delay = motor;
        let mut next = |_| {
            let tap = inner + delay;
            delay = 0.0;
            let error = tap - drift;
            period -= self.beta * error;
            inner += period - self.alpha * error;
            drift *= self.left;
            tap
        };
        // Nothing is left of what an adult did 300 taps ago.
        (0..300).map(&mut next).collect()
    }
}

/// The covariance of what fractional noise leads to.
fn remembered(answer: &[f64], lag: usize) -> f64 {
    let power = |k: f64| k.abs().powf(2.0 * HURST);
    let n = answer.len() as i32;
    let own: Vec<f64> = (-n..=n + 2)
        .map(f64::from)
        .map(|k| 0.5 * (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0)))
        .collect();
    let of = |i: usize, j: usize| own[n as usize + i + lag - j];
    let with = |(i, a): (usize, &f64)| {
        a * answer.iter().enumerate().map(|(j, b)| b * of(i, j)).sum::<f64>()
    };
    answer.iter().enumerate().map(with).sum()
}

/// The noise of the timekeeper, tick by tick.
struct Ticks {
    sd: f64,
    drawn: Option<std::vec::IntoIter<f64>>,
}

impl Ticks {
    fn next(&mut self, random: &mut Random) -> f64 {
        let drawn = self.drawn.as_mut().and_then(Iterator::next);
        self.sd * drawn.unwrap_or_else(|| random.normal())
    }
}

/// The last interval of the pacing, and the last two changes.
#[derive(Default)]
struct Heard {
    last: Option<f64>,
    changes: [f64; 2],
}

impl Heard {
    fn hear(&mut self, interval: f64) {
        let before = self.last.unwrap_or(interval);
        self.changes = [interval - before, self.changes[0]];
        self.last = Some(interval);
    }

    fn trend(&self) -> f64 {
        let [last, before] = self.changes;
        if last * before <= 0.0 { 0.0 } else { last.signum() * last.abs().min(before.abs()) }
    }
}

/// A trial: beats, and their taps in ms, but for those that were missed.
#[derive(Default)]
pub struct Tapped {
    /// The asynchrony that this trial aims at, without the drift.
    pub mean: f64,
    pub onsets: Vec<f64>,
    pub taps: Vec<Option<f64>>,
}

impl Tapped {
    pub fn runs(&self) -> Vec<TapRun> {
        let new = || TapRun { taps: Vec::new(), partners: vec![Vec::new()] };
        let mut runs = vec![new()];
        for (onset, tap) in self.onsets.iter().zip(&self.taps) {
            match (tap, runs.last_mut()) {
                (Some(tap), Some(run)) => {
                    run.taps.push(ns(*tap));
                    run.partners[0].push(ns(*onset));
                }
                _ => runs.push(new()),
            }
        }
        runs
    }

    pub fn asynchronies(&self) -> Placed {
        self.placed(|k| Some(ns(self.taps[k]? - self.onsets[k])))
    }

    pub fn intervals(&self) -> Placed {
        self.placed(|k| Some(ns(self.taps[k + 1..].first().copied()?? - self.taps[k]?)))
    }

    fn placed(&self, of: impl Fn(usize) -> Option<Nanos>) -> Placed {
        let there = (0..self.taps.len()).filter_map(|k| Some((k, of(k)?)));
        let (places, values) = there.unzip();
        Placed::new(values, places).unwrap()
    }

    /// Where on the circle of this interval it was tapped.
    pub fn angles(&self, interval: f64) -> Vec<f64> {
        let turn = |of: &Nanos| (2.0 * PI * of.as_millis_f64() / interval).rem_euclid(2.0 * PI);
        self.asynchronies().intervals().iter().map(turn).collect()
    }
}
