//! [`Senses`]: what inputs hear and feel, and who keeps it while a trial runs.

use crate::laboratory::RigError;
use crate::recorder::{ForceKeeper, KeptForce, KeptSound, RecordedEar, RecordedForce, SoundKeeper};
use std::path::Path;

/// What inputs hear and feel, here while no trial keeps it.
pub(super) struct Senses {
    ears: Vec<RecordedEar>,
    forces: Vec<RecordedForce>,
    sounds: Option<SoundKeeper>,
    felt: Option<ForceKeeper>,
}

impl Senses {
    pub(super) fn of(ears: Vec<RecordedEar>, forces: Vec<RecordedForce>) -> Senses {
        Senses { ears, forces, sounds: None, felt: None }
    }

    /// Begins to keep what is heard and felt, where something is.
    pub(super) fn keep(&mut self, dir: &Path, name: &str) -> Result<(), RigError> {
        if !self.ears.is_empty() {
            self.sounds = Some(SoundKeeper::start((dir, name), &mut self.ears)?);
        }
        if !self.forces.is_empty() {
            let started = ForceKeeper::start((dir, name), &mut self.forces);
            self.felt = Some(started.inspect_err(|_| self.discard())?);
        }
        Ok(())
    }

    /// The trial could not begin: nothing is kept.
    pub(super) fn discard(&mut self) {
        self.ears.extend(self.sounds.take().into_iter().flat_map(SoundKeeper::discard));
        self.forces.extend(self.felt.take().into_iter().flat_map(ForceKeeper::discard));
    }

    /// The trial is over: what was heard and felt in it, whole on the disk.
    pub(super) fn kept(&mut self) -> (Vec<KeptSound>, Vec<KeptForce>) {
        let (ears, sounds) = self.sounds.take().map(SoundKeeper::stop).unwrap_or_default();
        let (forces, felt) = self.felt.take().map(ForceKeeper::stop).unwrap_or_default();
        self.ears.extend(ears);
        self.forces.extend(forces);
        (sounds, felt)
    }
}
