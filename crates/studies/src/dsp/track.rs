//! [`Track`]: instances on one thread, and the sound that they are fed.

use super::Factory;
use super::plugin::Instance;
use chronotap_plugins::PluginError;
use chronotap_realtime::flush_denormals;

/// So many instances take their turns in every period.
pub struct Track {
    factory: Factory,
    instances: Vec<Instance>,
    active: usize,
    noise: Vec<f32>, // a period of it
    left: Vec<f32>,
    right: Vec<f32>,
}

impl Track {
    /// Without instances as yet.
    pub fn new(factory: Factory, frames: u32) -> Track {
        // A fixed scramble is noise enough to keep every filter busy.
        let noise = |n: u32| (n.wrapping_mul(2_654_435_761) >> 16) as f32 / 65_536.0 - 0.5;
        let noise: Vec<f32> = (0..frames).map(noise).collect();
        Track {
            factory,
            instances: Vec::new(),
            active: 0,
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
        for instance in &mut self.instances[..self.active] {
            self.left.copy_from_slice(&self.noise);
            self.right.copy_from_slice(&self.noise);
            instance.process(&mut self.left, &mut self.right);
        }
    }
}
