//! The tempo of a [`Stream`]: what its interval is at a beat, after what the trial file, its
//! changes, a rule or a partner's correction have made of it.
//!
//! The interval is what was last set, which may go to its goal over beats or over time, and what
//! steps and corrections have since added to it. Setting it anew ends all of that.

use super::Stream;
use crate::gradual::Gradual;
use crate::trial::{Adapt, Glide, Interval};
use chronotap_core::time::{Exact, Nanos};

/// No interval is shorter, whatever ramps, steps and corrections come to.
const SHORTEST_INTERVAL: Exact = Exact::whole(Nanos(1_000));

impl Stream {
    /// A new interval. It holds from the present beat on, or from the next one where the
    /// present one has had its turn.
    pub fn set_interval(&mut self, interval: Interval) {
        self.forget_gradual();
        self.pacing.interval = interval;
        self.tempo = interval;
    }

    /// The interval will reach `to` over so many beats, and that is then the stream's; a ramp that
    /// begins at `now`.
    pub fn ramp_interval(&mut self, to: Exact, over: u32, exponential: bool, now: Nanos) {
        let from = self.ramp_from(now);
        self.spread_interval((from, to), over, exponential);
        self.pacing.interval = Interval::Exact(to);
    }

    /// The interval from which a ramp that begins at `now` goes. A stream that is over has that of
    /// its next run, which the file or a rule gave it.
    pub fn ramp_from(&mut self, now: Nanos) -> Exact {
        if self.beat > 0 && !self.is_under_way() {
            self.beat = 0; // no beat of the next run has come
            self.tempo = self.pacing.interval;
            self.forget_gradual();
        }
        self.interval_at(now)
    }

    fn spread_interval(&mut self, (from, to): (Exact, Exact), over: u32, exponential: bool) {
        self.forget_gradual();
        self.tempo = Interval::Exact(to);
        self.gradual = Some(Gradual { from, to, done: 0, over: over.max(1), exponential });
    }

    fn forget_gradual(&mut self) {
        self.gradual = None;
        self.steps.clear();
        self.set_since_beat = true;
    }

    /// The interval as it stands at `now`: that of the present beat, and before beat 1 what a ramp
    /// over time has come to by then.
    pub fn interval_at(&self, now: Nanos) -> Exact {
        let waits = self.gradual.is_some_and(|gradual| gradual.done < gradual.over);
        if self.beat > 0 || waits { self.present_interval() } else { self.tempo.at(now) }
    }

    /// The interval as it stands at the present beat.
    pub fn present_interval(&self) -> Exact {
        let set = match self.gradual {
            Some(gradual) if gradual.done < gradual.over => gradual.value(),
            _ => self.value_of(self.tempo),
        };
        set + self.steps.sum()
    }

    pub(super) fn value_of(&self, interval: Interval) -> Exact {
        interval.at(self.deadline)
    }

    /// The interval from the present beat on, once its changes have begun.
    pub(super) fn interval_now(&mut self) -> Exact {
        self.begin_changes();
        if let Some(gradual) = self.gradual.as_mut().filter(|g| g.done < g.over) {
            gradual.done += 1;
        }
        self.steps.go_on();
        self.set_since_beat = false;
        self.steady = self.present_interval();
        let mut interval = self.steady;
        if let Some(sinusoid) = self.pacing.sinusoid {
            let turns = f64::from(self.beat - 1) / sinusoid.beats;
            let sine = libm::sin(2.0 * std::f64::consts::PI * turns);
            interval = interval + Nanos::round_from_f64(sinusoid.amplitude.0 as f64 * sine).into();
        }
        if let Some(jitter) = self.pacing.jitter.filter(|jitter| jitter.accumulates) {
            interval = interval + self.random.time(jitter.spread).into();
        }
        interval.max(SHORTEST_INTERVAL)
    }

    /// Takes up the interval changes of the present beat: a new interval first, then the steps
    /// that add up.
    fn begin_changes(&mut self) {
        let new = self.changes.new_interval(&self.pacing.changes);
        let new = new.map(|change| (change.interval, change.over, change.exponential));
        if let Some((Some(to), over, exponential)) = new {
            self.spread_interval((self.present_interval(), to), over, exponential);
        }
        let from = self.present_interval();
        for (change, by) in self.changes.steps(&self.pacing.changes) {
            self.steps.begin(change, from, by);
        }
    }

    /// Corrects the interval for good, within its bounds, and gives the one to the next beat. Where a
    /// rule has set the interval since the beat, that holds from the next beat on.
    pub(super) fn correct_interval(&mut self, by: Exact, adapt: &Adapt) -> Exact {
        let wanted = (self.steady + by).min(adapt.longest.into()).max(adapt.shortest.into());
        let by = wanted - self.steady;
        if !self.set_since_beat {
            self.steps.add(by);
        }
        self.interval + by
    }
}

impl Interval {
    /// What it is at an instant.
    fn at(self, at: Nanos) -> Exact {
        match self {
            Interval::Exact(exact) => exact,
            Interval::Ramp(glide) => glide.interval_at(at),
            Interval::TempoRamp(glide) => glide.tempo_at(at),
        }
    }
}

impl Glide {
    /// The interval at an instant, by equal differences (or ratios) of the interval.
    fn interval_at(&self, at: Nanos) -> Exact {
        let done = self.done(at);
        if done >= self.over {
            return self.to;
        }
        if self.exponential {
            return self.by_ratio(done);
        }
        self.from + (self.to - self.from).scaled(done.0, self.over.0)
    }

    /// The interval at an instant, by equal differences (or ratios) of the tempo.
    fn tempo_at(&self, at: Nanos) -> Exact {
        let done = self.done(at);
        if done >= self.over {
            return self.to;
        }
        if self.exponential {
            return self.by_ratio(done);
        }
        self.harmonic(done).unwrap_or_else(|| {
            let share = done.0 as f64 / self.over.0 as f64;
            let tempo = (1.0 - share) / self.from.as_f64() + share / self.to.as_f64();
            Nanos::round_from_f64(1.0 / tempo).into()
        })
    }

    fn done(&self, at: Nanos) -> Nanos {
        (at - self.begin).max(Nanos::ZERO)
    }

    fn by_ratio(&self, done: Nanos) -> Exact {
        let share = done.0 as f64 / self.over.0 as f64;
        let ratio = libm::pow(self.to.as_f64() / self.from.as_f64(), share);
        Nanos::round_from_f64(self.from.as_f64() * ratio).into()
    }

    /// 1 / ((1 - x) / from + x / to) with x = done / over, as a fraction; `None` where that
    /// outgrows the numbers.
    fn harmonic(&self, done: Nanos) -> Option<Exact> {
        let ((a, b), (c, d)) = (self.from.as_ratio(), self.to.as_ratio());
        let (done, all) = (i128::from(done.0), i128::from(self.over.0));
        let left = c.checked_mul(b)?.checked_mul(all - done)?;
        let right = a.checked_mul(d)?.checked_mul(done)?;
        Exact::ratio(a.checked_mul(c)?.checked_mul(all)?, left.checked_add(right)?)
    }
}
