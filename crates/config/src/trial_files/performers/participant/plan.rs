//! The next tap: when it comes, what it aims at, and which key it presses.

use super::SimulatedParticipant;
use crate::trial_files::performers::hand::Tap;
use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;

/// A key is held at least so long.
const SHORTEST_HOLD_NS: f64 = 5e6;
/// Contact bounce of a pad, from first to second press.
const BOUNCE_NS: (f64, f64) = (20e6, 60e6);
/// No finger taps again sooner.
const REFRACTORY: Nanos = Nanos::from_millis(10);
/// What grows with the interval is stated at this one, and holds from the least to the greatest.
const STATED_AT_S: f64 = 0.6;
const GROWS_S: (f64, f64) = (0.15, 3.0);
/// So many taps are missed in a row at most, which bounds the time of a step.
const MOST_MISSED: u32 = 64;

impl SimulatedParticipant {
    /// Lets the clock run to the next tap that is not missed, and draws everything
    /// about that tap. Every tap takes the same number of draws, so that a change of
    /// one parameter does not change what the others draw.
    pub(super) fn plan(&mut self) {
        for _ in 0..MOST_MISSED {
            if self.model.taps > 0 && self.count >= self.model.taps {
                self.tap = None;
                return;
            }
            self.drift();
            self.clock += self.period + self.clock_sd() * self.random.normal();
            self.motor = self.model.motor.0 as f64 * self.random.normal();
            self.tap = Some(self.draw_tap());
            if self.random.uniform() >= self.model.miss {
                return;
            }
        }
    }

    /// What drifts slowly goes on. Of the asynchrony aimed at a share of the drift is left, and what is added keeps its
    /// SD the same at all times; the period wanders where no pacing is heard.
    fn drift(&mut self) {
        let (sd, lasts) = (self.model.drift.0 as f64, self.model.drifts_in.0 as f64);
        if sd > 0.0 {
            let left = lasts / (lasts + self.period);
            self.drift = left * self.drift + sd * (1.0 - left * left).sqrt() * self.drifts.normal();
        }
        if self.model.wanders > 0.0 && !self.hears_pacing(self.now) {
            let step = self.model.wanders * self.drifts.normal();
            self.set_period(self.period * (1.0 + step));
        }
    }

    /// The present interval in seconds, within what the growth of the parameters holds for.
    fn interval_s(&self) -> f64 {
        (self.period / 1e9).clamp(GROWS_S.0, GROWS_S.1)
    }

    fn grown(&self, stated: f64, by: f64) -> f64 {
        stated + by * (self.interval_s() - STATED_AT_S)
    }

    pub(super) fn alpha(&self) -> f64 {
        self.grown(self.model.alpha, self.model.alpha_grows).clamp(0.0, 2.0)
    }

    /// The asynchrony aimed at, at the present interval and with what is heard of the taps.
    pub(super) fn aim(&self) -> Nanos {
        let squared = |seconds: f64| seconds * seconds;
        let grown = squared(self.interval_s()) - squared(STATED_AT_S);
        let heard = if self.sounds { self.model.heard } else { Nanos::ZERO };
        let grown = Nanos::round_from_f64(self.model.mean_grows.0 as f64 * grown);
        self.model.mean + grown + heard + Nanos::round_from_f64(self.drift)
    }

    /// The clock's noise at the present period: the generalized law of Weber.
    fn clock_sd(&self) -> f64 {
        let constant = self.model.clock.0 as f64;
        let share = self.grown(self.model.weber, self.model.weber_grows).max(0.0);
        if share == 0.0 {
            return constant;
        }
        let grown = share * self.period;
        (constant * constant + grown * grown).sqrt()
    }

    fn draw_tap(&mut self) -> Tap {
        let model = &self.model;
        let hold = model.hold.0 as f64 + model.hold_sd.0 as f64 * self.random.normal();
        let velocity = model.velocity + model.velocity_sd * self.random.normal();
        let doubled = self.random.uniform() < model.double;
        let bounce = BOUNCE_NS.0 + (BOUNCE_NS.1 - BOUNCE_NS.0) * self.random.uniform();
        let note = self.key(self.count as usize);
        self.count = self.count.wrapping_add(1);
        Tap {
            note,
            velocity: U7::clamped(Nanos::round_from_f64(velocity).0.max(1)),
            hold: Nanos::round_from_f64(hold.max(SHORTEST_HOLD_NS)),
            bounce: doubled.then(|| Nanos::round_from_f64(bounce)),
        }
    }

    /// When the next tap comes: the clock's call and the motor's delay, never
    /// before what is already past.
    pub(super) fn tap_at(&self) -> Option<Nanos> {
        self.tap?;
        let free = self.last.map_or(Nanos::MIN, |last| last.at + REFRACTORY);
        Some(Nanos::round_from_f64(self.clock + self.motor).max(self.now).max(free))
    }

    /// The key of a tap by its number.
    pub(super) fn key(&self, number: usize) -> U7 {
        let keys = &self.model.note;
        keys.get(number % keys.len().max(1)).copied().unwrap_or(U7::ZERO)
    }

    /// The tap with a key of its neighbours, where a wrong one is pressed.
    pub(super) fn perhaps_wrong(&mut self, tap: Tap) -> Tap {
        let more = if self.confused { self.model.confuse } else { 0.0 };
        let wrong = self.model.wrong + more;
        if wrong == 0.0 || self.model.note.len() < 2 || self.more.uniform() >= wrong {
            return tap;
        }
        let planned = self.count as usize;
        let after = self.more.uniform() < 0.5;
        Tap { note: self.key(if after { planned } else { planned.wrapping_sub(2) }), ..tap }
    }
}
