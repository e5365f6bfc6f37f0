//! [`ChangeCourse`]: which changes of a pacing stream apply to the beat that is placed, and by
//! how much they move it.

use crate::chooser::Chooser;
use crate::occasions::{Occasion, is_apart};
use crate::perturbation::{Perturbation, PerturbedPart};
use crate::random::Random;
use crate::trial::{Change, Pacing, Shift, Trial};
use chronotap_core::time::{Exact, Nanos};

/// Where the changes of a stream stand.
#[derive(Clone, Debug)]
pub struct ChangeCourse {
    each: Vec<One>,
    shifts: Perturbation, // how the beat that was placed last was moved
}

/// Where one change stands.
#[derive(Clone, Debug)]
struct One {
    occasion: Occasion,
    came: Option<u32>, // the last beat to which it applied
    applies: bool,     // to the beat that was placed last
    step_by: Nanos,    // by how much it then steps the interval
    random: Random,
    phase: Chooser,
    onset: Chooser,
    step: Chooser,
}

/// How far a beat moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BeatShift {
    /// Later beats move with it.
    pub phase: Nanos,
    /// It moves alone.
    pub onset: Nanos,
}

impl ChangeCourse {
    /// None has applied; `name` is the stream's, as its draws know it.
    pub fn new(pacing: &Pacing, name: &str, seed: u64, trial: &Trial) -> ChangeCourse {
        let one = |i| {
            let name = format!("{name}.change.{i}");
            let part = |what: &str| Random::named(seed, &format!("{name}.{what}"));
            let chooser = |what| Chooser::new(part(what), trial);
            One {
                occasion: Occasion::new(Random::named(seed, &name)),
                came: None,
                applies: false,
                step_by: Nanos::ZERO,
                random: part("value"),
                phase: chooser("phase_shift"),
                onset: chooser("onset_shift"),
                step: chooser("interval_step"),
            }
        };
        let each = (0..pacing.changes.len()).map(one).collect();
        ChangeCourse { each, shifts: Perturbation::NONE }
    }

    /// The stream begins again; what is drawn goes on.
    pub fn restart(&mut self) {
        for one in &mut self.each {
            one.occasion.restart();
            one.came = None;
        }
    }

    /// The beat that was placed last does not come: what was drawn from a shuffle for it is still to come.
    pub fn give_back(&mut self) {
        for one in self.each.iter_mut().filter(|one| one.applies) {
            [&mut one.phase, &mut one.onset, &mut one.step]
                .into_iter()
                .for_each(Chooser::give_back);
        }
    }

    /// Settles which changes apply to a beat, each beat once, and how far they move it.
    pub fn place(&mut self, beat: u32, of: &[Change], trial: &Trial) -> BeatShift {
        let mut moved = BeatShift::default();
        self.shifts = Perturbation::NONE;
        for (change, one) in of.iter().zip(&mut self.each) {
            one.occasion.foresee(&change.at);
        }
        for (i, change) in of.iter().enumerate() {
            let free = is_apart(beat, change.apart, self.came(of), self.firm(beat, of));
            let one = &mut self.each[i];
            one.applies = one.occasion.comes_at(beat, &change.at, free);
            if one.applies {
                one.came = Some(beat);
                self.shifts = one.shift(change, &mut moved, self.shifts, trial);
            }
        }
        moved
    }

    /// When each came last, and how far it keeps from others.
    fn came(&self, of: &[Change]) -> impl Iterator<Item = (u32, u32)> {
        of.iter().zip(&self.each).filter_map(|(change, one)| Some((one.came?, change.apart)))
    }

    /// The next beats of the changes that are not put off by others.
    fn firm(&self, beat: u32, of: &[Change]) -> impl Iterator<Item = u32> {
        let all = of.iter().zip(&self.each).filter(|(change, _)| change.apart == 0);
        all.filter_map(move |(change, one)| one.occasion.next_from(beat, &change.at))
    }

    /// What was done to the placed beat and to the interval from it on, which is `own`
    /// without any change.
    pub fn perturbation(&self, of: &[Change], own: Exact) -> Perturbation {
        let mut told = self.shifts;
        if self.mute(of) {
            told = told.with(PerturbedPart::Mute);
        }
        let set = self.new_interval(of).and_then(|change| change.interval);
        let stepped = self
            .steps(of)
            .fold(None, |sum: Option<Exact>, (_, by)| Some(sum.unwrap_or(Exact::ZERO) + by.into()));
        if set.is_none() && stepped.is_none() {
            return told;
        }
        let interval = set.unwrap_or(own) + stepped.unwrap_or(Exact::ZERO);
        told.with(PerturbedPart::Interval((interval - own).round()))
    }

    /// The change that gives the placed beat a new interval: the last in the file, where several do.
    pub fn new_interval<'c>(&self, of: &'c [Change]) -> Option<&'c Change> {
        let applying = of.iter().zip(&self.each).filter(|(_, one)| one.applies);
        applying.map(|(change, _)| change).rfind(|change| change.interval.is_some())
    }

    /// The changes that step the interval at the placed beat, and by how much each.
    pub fn steps<'c>(&self, of: &'c [Change]) -> impl Iterator<Item = (&'c Change, Nanos)> {
        let all = of.iter().zip(&self.each);
        let steps = |change: &Change, one: &One| one.applies && change.interval_step != Shift::None;
        all.filter(move |(change, one)| steps(change, one))
            .map(|(change, one)| (change, one.step_by))
    }

    /// The places of the changes that apply to the placed beat.
    pub fn applying(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.each.len()).filter(|i| self.each[*i].applies)
    }

    /// Whether a change of the placed beat takes its tone away.
    pub fn mute(&self, of: &[Change]) -> bool {
        of.iter().zip(&self.each).any(|(change, one)| change.mute && one.applies)
    }
}

impl One {
    /// Draws by how much it moves the beat and steps the interval; gives what was done to the
    /// beat so far with its own shifts.
    fn shift(
        &mut self,
        change: &Change,
        moved: &mut BeatShift,
        mut told: Perturbation,
        trial: &Trial,
    ) -> Perturbation {
        let random = &mut self.random;
        let phase = self.phase.shift(change.phase_shift, trial, random);
        let onset = self.onset.shift(change.onset_shift, trial, random);
        self.step_by = self.step.shift(change.interval_step, trial, random);
        moved.phase += phase;
        moved.onset += onset;
        if change.phase_shift != Shift::None {
            told = told.with(PerturbedPart::PhaseShift(phase));
        }
        if change.onset_shift != Shift::None {
            told = told.with(PerturbedPart::OnsetShift(onset));
        }
        told
    }
}
