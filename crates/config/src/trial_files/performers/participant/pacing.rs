//! What the beats that are heard or felt change: the next tap, by phase correction, and the period.

use super::{LastTap, SimulatedParticipant};
use crate::trial_files::performers::model::Model;
use chronotap_core::time::Nanos;

/// Shortest and longest period that period correction may reach, and its bounds as
/// shares of the last two intervals heard. Without them a few taps matched to the
/// wrong beat could lead to a multiple of the tempo, which fits as well.
const PERIOD_NS: (f64, f64) = (50e6, 20e9);
const PERIOD_SHARE: (f64, f64) = (2.0 / 3.0, 1.5);
/// A tone so long before a felt beat sounds on it.
const ON_THE_BEAT: Nanos = Nanos::from_millis(20);

impl SimulatedParticipant {
    pub(super) fn hear_beat(&mut self, number: u32, at: Nanos) {
        if self.beats.knows(number) {
            return; // another note of the same chord
        }
        let mean_interval = self.beats.hear(number, at);
        let begins = self.beats.heard == self.model.after;
        if self.last.is_none() && self.beats.heard <= self.model.after {
            self.tap = None; // pacing came before the wait was over
        }
        if self.beats.heard == self.model.after.max(2) {
            self.set_period(mean_interval.unwrap_or(self.period));
        }
        if self.last.is_none() && begins {
            self.begin_at(at + Nanos::round_from_f64(self.period) + self.aim());
        } else {
            self.correct_for(at);
        }
    }

    /// A beat that never sounds. Where a tone of another stream falls on it, it is heard there; else it is
    /// imagined between the tones, or lost to them if they are too fast.
    pub(super) fn feel_beat(&mut self, number: u32, at: Nanos) {
        let imagines = self.model.imagine > 0.0 || self.model.slips_below > Nanos::ZERO;
        if imagines && self.tone < at - ON_THE_BEAT {
            self.felt = Some((number, at));
        } else {
            self.slips = false;
            self.hear_beat(number, at);
        }
    }

    /// Knows of a beat that was felt whether a tone falls on it.
    pub(super) fn settle(&mut self, now: Nanos, is_tone: bool) {
        let Some((number, at)) = self.felt else { return };
        let on_the_beat = now - at <= ON_THE_BEAT;
        if on_the_beat && !is_tone {
            return;
        }
        self.felt = None;
        let fast = self.period < self.model.slips_below.0 as f64;
        self.slips = !on_the_beat && fast && self.last.is_some();
        if self.slips {
            self.beats.hear(number, at);
            return;
        }
        let sd = if on_the_beat { 0.0 } else { self.model.imagine * self.period };
        let off = if sd > 0.0 { sd * self.more.normal() } else { 0.0 };
        self.hear_beat(number, at + Nanos::round_from_f64(off));
    }

    /// Matches a beat with the last tap, or keeps it for the next.
    pub(super) fn correct_for(&mut self, beat: Nanos) {
        match self.last {
            Some(last) if !last.matched && self.belongs(last.at, beat) => {
                self.last = Some(LastTap { matched: true, ..last });
                self.late_for = None;
                self.correct(last.at - beat);
            }
            _ => self.late_for = Some(beat),
        }
    }

    pub(super) fn belongs(&self, tap: Nanos, beat: Nanos) -> bool {
        (tap - beat - self.aim()).abs().0 as f64 <= self.period / 2.0
    }

    pub(super) fn correct(&mut self, asynchrony: Nanos) {
        let error = (asynchrony - self.aim()).0 as f64;
        self.take_back(error, self.taken_in(error));
        self.expect();
    }

    /// What phase correction makes of a distance from where the tap should have been: no more than it takes in at
    /// once, and of one that asks for an earlier tap less, of one that asks for a later tap more, where the two differ.
    fn taken_in(&self, error: f64) -> f64 {
        let most = self.model.saturates * self.period;
        error.clamp(-most, most) * (1.0 - self.model.asymmetry * error.signum())
    }

    /// The period goes on with a trend of the intervals, or follows one that is noticed to differ from it.
    fn expect(&mut self) {
        let Model { notice, follow, follow_slower, anticipate, .. } = &self.model;
        let Some((last, _)) = self.beats.intervals else { return };
        let before = self.period;
        let goes = |share: f64, to: f64| before + share * (to - before);
        let to = match self.beats.trend() {
            trend if trend != 0.0 && *anticipate > 0.0 => goes(*anticipate, last + trend),
            _ if (last - before).abs() > notice * before => {
                let more = follow_slower * (last - before).signum();
                goes((follow + more).clamp(0.0, 1.0), last)
            }
            _ => return,
        };
        self.set_period(to);
        self.clock += self.period - before;
    }

    /// Corrects the period for a distance from where the tap should have been, and the phase for what it makes of it.
    pub(super) fn take_back(&mut self, error: f64, phase: f64) {
        let before = self.period;
        self.set_period(before - self.model.beta * error);
        self.clock += self.period - before - self.alpha() * phase;
    }

    pub(super) fn set_period(&mut self, period: f64) {
        let (mut least, mut most) = PERIOD_NS;
        if let Some((last, before)) = self.beats.intervals {
            least = least.max(PERIOD_SHARE.0 * last.min(before));
            most = most.min(PERIOD_SHARE.1 * last.max(before)).max(least);
        }
        self.period = period.clamp(least, most);
    }
}
