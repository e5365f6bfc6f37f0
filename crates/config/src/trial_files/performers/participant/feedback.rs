//! What tones of taps change: the own ones, those of a partner, and the taps of the other hand.

use super::{LastTap, SimulatedParticipant};
use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;

/// Taps of two hands belong together up to this share of the period.
const TOGETHER: f64 = 0.15;

impl SimulatedParticipant {
    /// A feedback tone of this hand's input is heard as that of the last tap. Of several the
    /// latest counts, up to a period after the tap, so that tones of others who tap at the
    /// same input cannot put off the next tap for ever.
    pub(super) fn hear_feedback(&mut self, at: Nanos, note: U7) {
        let Some(last) = self.last else { return };
        let delay = (at - last.at).0 as f64;
        if delay > self.period {
            return;
        }
        self.confused = self.is_of_a_neighbour(note);
        if delay > last.delay {
            self.heed_delay(last.at, delay - last.delay);
        }
        self.last = Some(LastTap { heard: true, delay: delay.max(last.delay), ..last });
    }

    /// Whether a tone has the pitch of the key before the one that was pressed last, or of the one after it.
    fn is_of_a_neighbour(&self, note: U7) -> bool {
        let planned = self.count as usize; // the next tap is planned already
        let key = |back: usize| self.key(planned.wrapping_sub(back));
        note != key(2) && (note == key(1) || note == key(3))
    }

    /// The tone of another's tap is taken for a beat where no pacing is heard.
    pub(super) fn hear_other(&mut self, at: Nanos) {
        if self.hears_pacing(at) {
            return;
        }
        match self.last {
            Some(last) if !last.met && self.is_near(last.at, at) => {
                self.last = Some(LastTap { met: true, ..last });
                self.late_for_other = None;
                self.meet(last.at - at);
            }
            _ => self.late_for_other = Some(at),
        }
    }

    pub(super) fn is_near(&self, tap: Nanos, tone: Nanos) -> bool {
        (tap - tone).abs().0 as f64 <= self.period / 2.0
    }

    /// Corrects for the distance from another's tap.
    pub(super) fn meet(&mut self, asynchrony: Nanos) {
        self.clock -= self.model.partner * asynchrony.0 as f64;
    }

    /// The other hand of the same person taps: the tap that is about to come goes to it, or the one after a tap
    /// that has just come.
    pub(super) fn feel_other_hand(&mut self, at: Nanos) {
        let before = self.last.map_or(Nanos::MIN, |last| last.at);
        let own = self.tap_at().into_iter().chain([before]);
        let near = |own: &Nanos| (*own - at).abs().0 as f64 <= TOGETHER * self.period;
        if let Some(own) = own.filter(|own| *own > Nanos::MIN).find(near) {
            self.clock -= self.hands * (own - at).0 as f64;
        }
    }

    /// Whether a beat was heard at most one and a half periods before.
    pub(super) fn hears_pacing(&self, at: Nanos) -> bool {
        self.beats.last_at().is_some_and(|beat| (at - beat).0 as f64 <= 1.5 * self.period)
    }

    /// With pacing a delay moves the asynchrony that is aimed at, so that the tap was so far from
    /// it; alone it puts off the next tap.
    fn heed_delay(&mut self, tap: Nanos, delay: f64) {
        match self.hears_pacing(tap) {
            true => {
                let error = -self.model.paced_feedback * delay;
                self.take_back(error, error);
            }
            false => self.clock += self.model.feedback * delay,
        }
    }
}
