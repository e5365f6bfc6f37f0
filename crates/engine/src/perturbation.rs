//! [`Perturbation`]: what the changes of a stream did to a beat, or the perturbations of a
//! channel to a tone, and by how much. It travels with the [`crate::action::Action`], so
//! that it stands in the data beside what it explains.
//!
//! Real-time contract: it is copied, never allocated, and small, for every queued event has
//! one.

use chronotap_core::time::Nanos;

/// One thing that was perturbed, and by how much: what was sounded less what would have
/// sounded otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerturbedPart {
    /// The beat came later by this, and all later ones with it.
    PhaseShift(Nanos),
    /// The beat alone came later by this.
    OnsetShift(Nanos),
    /// The interval from this beat on is to become longer by this.
    Interval(Nanos),
    /// No tone sounded.
    Mute,
    /// The tone came later after its tap by this.
    Delay(Nanos),
    /// The tone was so many semitones higher.
    Pitch(i8),
    /// The tone was louder by this.
    Velocity(i8),
    /// The tone was longer by this; `None` where it, or what it replaced, lasts as long as
    /// the key is held.
    Duration(Option<Nanos>),
}

/// What was perturbed. A perturbation of size 0 is one too, and differs from none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perturbation {
    which: u16,    // a bit for each part that is there
    all: Nanos,    // of a phase shift or a delay, which never meet
    alone: Nanos,  // of an onset shift
    length: Nanos, // of an interval or a duration, which never meet
    pitch: i8,
    velocity: i8,
}

const PHASE_SHIFT: u16 = 1;
const ONSET_SHIFT: u16 = 1 << 1;
const INTERVAL: u16 = 1 << 2;
const MUTE: u16 = 1 << 3;
const DELAY: u16 = 1 << 4;
const PITCH: u16 = 1 << 5;
const VELOCITY: u16 = 1 << 6;
const DURATION: u16 = 1 << 7;
const OF_KNOWN_SIZE: u16 = 1 << 8;

impl Perturbation {
    /// Nothing was perturbed.
    pub const NONE: Perturbation = Perturbation {
        which: 0,
        all: Nanos::ZERO,
        alone: Nanos::ZERO,
        length: Nanos::ZERO,
        pitch: 0,
        velocity: 0,
    };

    /// Whether nothing was perturbed.
    pub const fn is_none(&self) -> bool {
        self.which == 0
    }

    /// The same with a further part; times of the same part add up.
    pub fn with(mut self, part: PerturbedPart) -> Perturbation {
        match part {
            PerturbedPart::PhaseShift(by) => self.put(PHASE_SHIFT, |p| &mut p.all, by),
            PerturbedPart::OnsetShift(by) => self.put(ONSET_SHIFT, |p| &mut p.alone, by),
            PerturbedPart::Interval(by) => self.put(INTERVAL, |p| &mut p.length, by),
            PerturbedPart::Delay(by) => self.put(DELAY, |p| &mut p.all, by),
            PerturbedPart::Duration(Some(by)) => {
                self.put(DURATION | OF_KNOWN_SIZE, |p| &mut p.length, by)
            }
            PerturbedPart::Duration(None) => self.which |= DURATION,
            PerturbedPart::Mute => self.which |= MUTE,
            PerturbedPart::Pitch(by) => (self.which, self.pitch) = (self.which | PITCH, by),
            PerturbedPart::Velocity(by) => {
                (self.which, self.velocity) = (self.which | VELOCITY, by)
            }
        }
        self
    }

    fn put(&mut self, bit: u16, place: impl Fn(&mut Perturbation) -> &mut Nanos, by: Nanos) {
        self.which |= bit;
        let time = place(self);
        *time = time.saturating_add(by);
    }

    /// What was perturbed, in the order in which it is told.
    pub fn parts(&self) -> impl Iterator<Item = PerturbedPart> {
        let p = *self;
        let length = (p.which & OF_KNOWN_SIZE != 0).then_some(p.length);
        let all = [
            (PHASE_SHIFT, PerturbedPart::PhaseShift(p.all)),
            (ONSET_SHIFT, PerturbedPart::OnsetShift(p.alone)),
            (INTERVAL, PerturbedPart::Interval(p.length)),
            (MUTE, PerturbedPart::Mute),
            (DELAY, PerturbedPart::Delay(p.all)),
            (PITCH, PerturbedPart::Pitch(p.pitch)),
            (VELOCITY, PerturbedPart::Velocity(p.velocity)),
            (DURATION, PerturbedPart::Duration(length)),
        ];
        all.into_iter().filter(move |(bit, _)| p.which & bit != 0).map(|(_, part)| part)
    }

    /// By how much it moved its event in time; `None` where it moved nothing, as a change of
    /// the interval, which moves the next beat first.
    pub fn moved(&self) -> Option<Nanos> {
        let moves = self.which & (PHASE_SHIFT | ONSET_SHIFT | DELAY) != 0;
        moves.then(|| self.all.saturating_add(self.alone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Nanos = Nanos::from_millis(1);

    #[test]
    fn what_goes_in_comes_out_in_its_order() {
        let parts = [
            PerturbedPart::PhaseShift(MS),
            PerturbedPart::OnsetShift(Nanos(-3)),
            PerturbedPart::Interval(Nanos::ZERO),
            PerturbedPart::Mute,
        ];
        let beat = parts.iter().rev().fold(Perturbation::NONE, |all, part| all.with(*part));
        assert_eq!(beat.parts().collect::<Vec<_>>(), parts);
        assert_eq!(beat.moved(), Some(MS - Nanos(3)));
        let parts = [
            PerturbedPart::Delay(Nanos(-5)),
            PerturbedPart::Pitch(-2),
            PerturbedPart::Velocity(9),
            PerturbedPart::Duration(None),
        ];
        let tone = parts.iter().fold(Perturbation::NONE, |all, part| all.with(*part));
        assert_eq!(tone.parts().collect::<Vec<_>>(), parts);
    }

    #[test]
    fn shifts_of_one_beat_add_up_and_a_shift_of_nothing_is_still_one() {
        let twice = Perturbation::NONE
            .with(PerturbedPart::PhaseShift(MS))
            .with(PerturbedPart::PhaseShift(MS));
        assert_eq!(twice.parts().collect::<Vec<_>>(), [PerturbedPart::PhaseShift(MS * 2)]);
        let nothing = Perturbation::NONE.with(PerturbedPart::OnsetShift(Nanos::ZERO));
        assert!(!nothing.is_none() && Perturbation::NONE.is_none());
        assert_eq!(nothing.moved(), Some(Nanos::ZERO));
        assert_eq!(Perturbation::NONE.with(PerturbedPart::Interval(MS)).moved(), None);
    }
}
