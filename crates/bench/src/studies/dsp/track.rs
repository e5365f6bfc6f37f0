//! [`DspTrack`]: instances on one thread, and the sound that they are fed.

use super::Factory;
use super::plugin::Instance;
use crate::plugins::PluginError;
use chronotap_linux::realtime::flush_denormals;

/// How the instances of a track are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrackLayout {
    /// Each is fed the same noise, and none another's sound.
    #[default]
    Parallel,
    /// Each is fed the sound of the one before it, as effects of a track are, mixed with
    /// noise so that no number becomes denormal, and cut off at full scale.
    Series,
}

/// So many instances take their turns in every period.
pub struct DspTrack {
    factory: Factory,
    instances: Vec<Instance>,
    active: usize,
    arrangement: TrackLayout,
    noise: Vec<f32>, // a period of it
    left: Vec<f32>,
    right: Vec<f32>,
}

impl DspTrack {
    /// Without instances as yet.
    pub fn new(factory: Factory, frames: u32, arrangement: TrackLayout) -> DspTrack {
        // A fixed scramble is noise enough to keep every filter busy.
        let noise = |n: u32| (n.wrapping_mul(2_654_435_761) >> 16) as f32 / 65_536.0 - 0.5;
        let noise: Vec<f32> = (0..frames).map(noise).collect();
        DspTrack {
            factory,
            instances: Vec::new(),
            active: 0,
            arrangement,
            left: noise.clone(),
            right: noise.clone(),
            noise,
        }
    }

    /// Has so many from now on; those that were made are kept.
    ///
    /// # Errors
    /// [`PluginError`]: the plugin makes no more. Then it has none until the next time.
    pub fn prepare(&mut self, instances: u32) -> Result<(), PluginError> {
        self.active = 0;
        while self.instances.len() < instances as usize {
            self.instances.push(self.factory.instance()?);
        }
        self.active = instances as usize;
        Ok(())
    }

    /// One period of every instance, without denormal numbers, as on a sound card.
    ///
    /// Real-time contract: a measuring thread; no allocation, lock or system call.
    pub fn cycle(&mut self) {
        let _flushed = flush_denormals();
        for (n, instance) in self.instances[..self.active].iter_mut().enumerate() {
            if n == 0 || self.arrangement == TrackLayout::Parallel {
                self.left.copy_from_slice(&self.noise);
                self.right.copy_from_slice(&self.noise);
            } else {
                mix(&mut self.left, &self.noise);
                mix(&mut self.right, &self.noise);
            }
            instance.process(&mut self.left, &mut self.right);
        }
    }

    /// The last instance's sound in this period, left and right.
    pub fn sound(&self) -> [&[f32]; 2] {
        [&self.left, &self.right]
    }
}

/// Half of the sound, which is cut off at full scale, and half of the noise.
fn mix(sound: &mut [f32], noise: &[f32]) {
    for (sample, noise) in sound.iter_mut().zip(noise) {
        *sample = 0.5 * sample.clamp(-1.0, 1.0) + 0.5 * noise;
    }
}
