//! [`Score`]: a generator with all its cues known beforehand, to play offline.

use super::{Cue, Generator};
use crate::{Period, Process};

/// Plays cues in the order of their frames.
#[derive(Debug)]
pub struct Score {
    cues: Vec<Cue>,
    next: usize,
    generator: Generator,
}

impl Score {
    /// A generator, and what it is to play.
    pub fn new(generator: Generator, mut cues: Vec<Cue>) -> Score {
        cues.sort_by_key(|cue| cue.frame); // stable: what began first ends first
        Score { cues, next: 0, generator }
    }

    /// The generator, with what it counted.
    pub fn generator(&self) -> &Generator {
        &self.generator
    }

    /// Whether everything has been played to its end.
    pub fn is_over(&self) -> bool {
        self.next == self.cues.len() && self.generator.is_silent()
    }
}

impl Process for Score {
    fn process(&mut self, period: &mut Period<'_>) {
        let end = period.frame + period.frames() as u64;
        while let Some(cue) = self.cues.get(self.next).filter(|cue| cue.frame < end) {
            self.generator.cue(cue);
            self.next += 1;
        }
        self.generator.process(period);
    }
}
