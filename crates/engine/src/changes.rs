//! [`Changes`]: which changes of a pacing stream apply to the beat that is placed, and by
//! how much they move it.

use crate::chooser::Chooser;
use crate::occasions::{Occasion, is_apart};
use crate::random::Random;
use crate::trial::{Change, Pacing, Shift, Trial};
use chronotap_time::Nanos;

/// Where the changes of a stream stand.
#[derive(Clone, Debug)]
pub struct Changes {
    each: Vec<One>,
    last: Option<u32>, // the last beat to which any applied
}

/// Where one change stands.
#[derive(Clone, Debug)]
struct One {
    occasion: Occasion,
    applies: bool, // to the beat that was placed last
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
                random: part("value"),
                phase: chooser("phase_shift"),
                onset: chooser("onset_shift"),
                step: chooser("interval_step"),
            }
        };
        Changes { each: (0..pacing.changes.len()).map(one).collect(), last: None }
    }

    /// The stream begins again; what is drawn goes on.
    pub fn restart(&mut self) {
        self.each.iter_mut().for_each(|one| one.occasion.restart());
        self.last = None;
    }

    /// Settles which changes apply to a beat, each beat once, and how far they move it.
    pub fn place(&mut self, beat: u32, of: &[Change], trial: &Trial) -> Moved {
        let mut moved = Moved::default();
        for (change, one) in of.iter().zip(&mut self.each) {
            let free = is_apart(beat, change.apart, self.last, of.iter().map(|other| &other.at));
            one.applies = one.occasion.comes_at(beat, &change.at, free);
            if one.applies {
                self.last = Some(beat);
                moved.phase += one.phase.shift(change.phase_shift, trial, &mut one.random);
                moved.onset += one.onset.shift(change.onset_shift, trial, &mut one.random);
            }
        }
        moved
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
    pub fn step(&mut self, i: usize, of: &Change, trial: &Trial) -> Option<Nanos> {
        let one = self.each.get_mut(i)?;
        let steps = of.interval.is_some() || of.interval_step != Shift::NONE;
        (one.applies && steps).then(|| one.step.shift(of.interval_step, trial, &mut one.random))
    }
}
