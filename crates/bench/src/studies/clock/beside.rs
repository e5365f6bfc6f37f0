//! [`Beside`]: the load that runs while the clock is read, changed when the next cells
//! want another.

use crate::studies::loads::{Load, LoadLimits, RunningLoad};
use crate::timing::ErrorWords;

/// The load under way.
#[derive(Default)]
pub(super) struct Beside {
    running: Option<RunningLoad>,
    refused: Option<Load>,
}

impl Beside {
    /// Sees to it that this load is at work and no other; tells whether it is. What
    /// went wrong with this one or the last is noted.
    pub(super) fn is(
        &mut self,
        load: Load,
        limits: &LoadLimits,
        words: ErrorWords,
        notes: &mut Vec<String>,
    ) -> bool {
        if self.running.as_mut().is_some_and(|running| running.load() == load) {
            return true;
        }
        if self.refused == Some(load) {
            return false;
        }
        self.end(words, notes);
        match RunningLoad::start(load, limits) {
            Ok(running) => self.running = Some(running),
            Err(why) => {
                self.refused = Some(load);
                notes.push(format!("not measured beside it: {}", words(&why)));
            }
        }
        self.running.is_some()
    }

    /// Ends it. A load that had ended by itself was no load.
    pub(super) fn end(&mut self, words: ErrorWords, notes: &mut Vec<String>) {
        let ended = self.running.take().map(RunningLoad::end);
        if let Some(Err(why)) = ended {
            notes.push(format!("the clock was read beside less than asked: {}", words(&why)));
        }
    }
}
