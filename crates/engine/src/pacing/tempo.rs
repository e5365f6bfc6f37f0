//! The tempo of a [`Stream`]: what its interval is at a beat, after what the trial file, its
//! changes, a trigger or a partner's correction have made of it.

use super::Stream;
use crate::gradual::Gradual;
use crate::trial::{Adapt, Interval};
use chronotap_time::{Exact, Nanos};

/// No interval is shorter, whatever ramps, steps and corrections come to.
const SHORTEST_INTERVAL: Exact = Exact::whole(Nanos(1_000));

impl Stream {
    /// A new interval, from the present beat's on.
    pub fn set_interval(&mut self, interval: Interval) {
        self.gradual = None;
        self.pacing.interval = interval;
        self.tempo = interval;
        if self.decision.is_some() {
            self.interval = self.value_of(interval);
        }
    }

    /// The interval will reach `to` over so many beats, and that is then the stream's.
    pub fn ramp_interval(&mut self, to: Exact, over: u32, exponential: bool) {
        self.spread_interval(to, over, exponential);
        self.pacing.interval = Interval::Exact(to);
    }

    fn spread_interval(&mut self, to: Exact, over: u32, exponential: bool) {
        let from = self.present_interval();
        self.tempo = Interval::Exact(to);
        self.gradual = Some(Gradual { from, to, done: 0, over: over.max(1), exponential });
    }

    /// The interval as it stands at the present beat.
    pub fn present_interval(&self) -> Exact {
        match self.gradual {
            Some(gradual) if gradual.done < gradual.over => gradual.value(),
            _ => self.value_of(self.tempo),
        }
    }

    pub(super) fn value_of(&self, interval: Interval) -> Exact {
        match interval {
            Interval::Exact(exact) => exact,
            Interval::Ramp(value, goal) | Interval::TempoRamp(value, goal)
                if value.is_over(self.deadline) =>
            {
                goal
            }
            Interval::Ramp(ns, _) => Exact::whole(Nanos::round_from_f64(ns.at(self.deadline))),
            Interval::TempoRamp(bpm, _) => {
                Exact::whole(Nanos::round_from_f64(60e9 / bpm.at(self.deadline)))
            }
        }
    }

    pub(super) fn interval_now(&mut self) -> Exact {
        self.begin_changes();
        let mut interval = match &mut self.gradual {
            Some(gradual) if gradual.done < gradual.over => {
                gradual.done += 1;
                gradual.value()
            }
            _ => self.value_of(self.tempo),
        };
        if let Some(sinusoid) = self.pacing.sinusoid {
            let turns = f64::from(self.beat - 1) / sinusoid.beats;
            let sine = libm::sin(2.0 * std::f64::consts::PI * turns);
            interval = interval + Nanos::round_from_f64(sinusoid.amplitude.0 as f64 * sine).into();
        }
        if let Some(jitter) = self.pacing.jitter.filter(|jitter| jitter.accumulates) {
            interval = interval + self.random.time(jitter.spread).into();
        }
        if interval.floor() < SHORTEST_INTERVAL.floor() { SHORTEST_INTERVAL } else { interval }
    }

    /// Takes up the interval changes of the present beat.
    fn begin_changes(&mut self) {
        for i in 0..self.pacing.changes.len() {
            let change = &self.pacing.changes[i];
            let Some(step) = self.changes.step(i) else { continue };
            let (over, exponential) = (change.over, change.exponential);
            let to = change.interval.unwrap_or_else(|| self.present_interval()) + step.into();
            self.spread_interval(to, over, exponential);
        }
    }

    /// Adds `period` to the interval and keeps it; the nearest nanosecond.
    pub(super) fn correct_interval(&mut self, period: f64, adapt: &Adapt) -> Nanos {
        let step = Nanos::round_from_f64(period);
        let whole = self.interval.floor();
        let rest = (self.interval - whole.into()).as_f64();
        let wanted = whole + Nanos::round_from_f64(rest + period);
        let interval = wanted.max(adapt.shortest).min(adapt.longest);
        match (&mut self.gradual, self.tempo) {
            (Some(gradual), _) if gradual.done < gradual.over => {
                gradual.from = gradual.from + step.into();
                gradual.to = gradual.to + step.into();
            }
            (_, Interval::Exact(_)) => self.tempo = Interval::Exact(interval.into()),
            _ if step != Nanos::ZERO => self.tempo = Interval::Exact(interval.into()),
            _ => {}
        }
        interval
    }
}
