//! [`Changes`]: which changes of a pacing stream apply to the beat that is placed, and by
//! how much they move it.

use crate::chooser::Chooser;
use crate::occasions::{Occasion, is_apart};
use crate::perturbation::{Part, Perturbation};
use crate::random::Random;
use crate::trial::{Change, Pacing, Shift, Trial};
use chronotap_time::{Exact, Nanos};

/// Where the changes of a stream stand.
#[derive(Clone, Debug)]
pub struct Changes {
    each: Vec<One>,
    last: Option<u32>,    // the last beat to which any applied
    shifts: Perturbation, // how the beat that was placed last was moved
}

/// Where one change stands.
#[derive(Clone, Debug)]
struct One {
    occasion: Occasion,
    applies: bool,          // to the beat that was placed last
    stepped: Option<Nanos>, // by how much it then steps the interval
    random: Random,
    phase: Chooser,
    onset: Chooser,
    step: Chooser,
}

/// How far a beat moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Later beats move with it.
    pub phase: Nanos,
    /// It moves alone.
    pub onset: Nanos,
}

impl Changes {
    /// None has applied; `name` is the stream's, as its draws know it.
    pub fn new(pacing: &Pacing, name: &str, seed: u64, trial: &Trial) -> Changes {
        let one = |i| {
            let name = format!("{name}.change.{i}");
            let part = |what: &str| Random::named(seed, &format!("{name}.{what}"));
            let chooser = |what| Chooser::new(part(what), trial);
            One {
                occasion: Occasion::new(Random::named(seed, &name)),
                applies: false,
                stepped: None,
                random: part("value"),
                phase: chooser("phase_shift"),
                onset: chooser("onset_shift"),
                step: chooser("interval_step"),
            }
        };
        let each = (0..pacing.changes.len()).map(one).collect();
        Changes { each, last: None, shifts: Perturbation::NONE }
    }

    /// The stream begins again; what is drawn goes on.
    pub fn restart(&mut self) {
        self.each.iter_mut().for_each(|one| one.occasion.restart());
        self.last = None;
    }

    /// Settles which changes apply to a beat, each beat once, and how far they move it.
    pub fn place(&mut self, beat: u32, of: &[Change], trial: &Trial) -> Moved {
        let mut moved = Moved::default();
        self.shifts = Perturbation::NONE;
        for (change, one) in of.iter().zip(&mut self.each) {
            let free = is_apart(beat, change.apart, self.last, of.iter().map(|other| &other.at));
            one.applies = one.occasion.comes_at(beat, &change.at, free);
            if one.applies {
                self.last = Some(beat);
                self.shifts = one.shift(change, &mut moved, self.shifts, trial);
            }
        }
        moved
    }

    /// What was done to the placed beat and to the interval from it on, which is `own`
    /// without any change.
    pub fn perturbation(&self, of: &[Change], own: Exact) -> Perturbation {
        let (mut told, mut interval, mut steps) = (self.shifts, own, false);
        for (change, one) in of.iter().zip(&self.each).filter(|(_, one)| one.applies) {
            if let Some(step) = one.stepped {
                interval = change.interval.unwrap_or(interval) + step.into();
                steps = true;
            }
            if change.mute {
                told = told.with(Part::Mute);
            }
        }
        if steps { told.with(Part::Interval((interval - own).round())) } else { told }
    }

    /// The places of the changes that apply to the placed beat.
    pub fn applying(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.each.len()).filter(|i| self.each[*i].applies)
    }

    /// Whether a change of the placed beat takes its tone away.
    pub fn mute(&self, of: &[Change]) -> bool {
        of.iter().zip(&self.each).any(|(change, one)| change.mute && one.applies)
    }

    /// By how much change `i` steps the interval, where it applies and changes that at all.
    pub fn step(&self, i: usize) -> Option<Nanos> {
        self.each.get(i).filter(|one| one.applies)?.stepped
    }
}

impl One {
    /// Draws by how much it moves the beat and steps the interval; gives what was done to the
    /// beat so far with its own shifts.
    fn shift(
        &mut self,
        change: &Change,
        moved: &mut Moved,
        mut told: Perturbation,
        trial: &Trial,
    ) -> Perturbation {
        let random = &mut self.random;
        let phase = self.phase.shift(change.phase_shift, trial, random);
        let onset = self.onset.shift(change.onset_shift, trial, random);
        let steps = change.interval.is_some() || change.interval_step != Shift::NONE;
        self.stepped = steps.then(|| self.step.shift(change.interval_step, trial, random));
        moved.phase += phase;
        moved.onset += onset;
        if change.phase_shift != Shift::NONE {
            told = told.with(Part::PhaseShift(phase));
        }
        if change.onset_shift != Shift::NONE {
            told = told.with(Part::OnsetShift(onset));
        }
        told
    }
}
