//! The populations that studies are rehearsed with (docs/participants.md), whose people differ, correct the
//! period too, drift, and miss taps, at an even pacing.

use super::ns;
use chronotap_analysis::correction::Run;
use chronotap_engine::random::Random;

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

/// Its cell in the table of populations.
fn parameter(name: &str, population: &str) -> Parameter {
    let column = POPULATIONS.iter().position(|of| *of == population).unwrap() + 2;
    let start = format!("| `{name}` |");
    let rows = TABLE.lines().skip_while(|line| !line.starts_with("| parameter | adults |"));
    let row = rows.into_iter().find(|line| line.starts_with(&start)).unwrap();
    Parameter::parse(row.split('|').nth(column).unwrap())
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
    miss: f64,
    interval: f64,
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
        }
    }

    /// The unbroken runs of a trial of so many beats.
    pub fn trial(&self, random: &mut Random, beats: usize) -> Vec<Run> {
        let mean = self.mean.middle + self.mean.trials * random.normal();
        let (mut drift, mut period) = (self.drift * random.normal(), self.interval);
        let mut inner = mean + drift + self.timekeeper * random.normal();
        let mut runs = vec![Run { taps: Vec::new(), partners: vec![Vec::new()] }];
        for k in 0..beats {
            let onset = k as f64 * self.interval;
            let tap = inner + self.motor * random.normal();
            let missed = random.uniform() < self.miss;
            if missed {
                runs.push(Run { taps: Vec::new(), partners: vec![Vec::new()] });
            } else if let Some(run) = runs.last_mut() {
                run.taps.push(ns(tap));
                run.partners[0].push(ns(onset));
            }
            let error = if missed { 0.0 } else { tap - onset - mean - drift };
            period -= self.beta * error;
            inner += period - self.alpha * error + self.timekeeper * random.normal();
            let new = self.drift * (1.0 - self.left * self.left).sqrt() * random.normal();
            drift = self.left * drift + new;
        }
        runs
    }
}
