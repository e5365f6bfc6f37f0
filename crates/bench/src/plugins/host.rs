//! [`Lv2`]: a plugin that is installed, looked up by its URI.
//!
//! Everything here happens before a measurement and takes a moment: all that is installed
//! is read, some hundred files on a musician's machine. The host offers what `livi` has,
//! periods of one length among it; a plugin that requires more is refused by name.

use crate::plugins::nearest::nearest;
use crate::plugins::{Instance, PluginError};
use livi::{Features, FeaturesBuilder, Plugin, World, lilv};
use std::fmt;
use std::sync::Arc;

/// A plugin that is installed and fit for this host, and the period that it computes.
#[derive(Clone)]
pub struct Lv2 {
    plugin: Plugin,
    features: Arc<Features>,
    uri: String,
    frames: u32,
}

impl Lv2 {
    /// Looks for a plugin, which will compute so many frames at once.
    ///
    /// # Errors
    /// [`PluginError`], all but `NotBuilt` and `NoInstance`.
    pub fn find(uri: &str, frames: u32) -> Result<Lv2, PluginError> {
        let world = World::new();
        let plugin = world.plugin_by_uri(uri).ok_or_else(|| refused(&world, uri))?;
        let length = frames as usize;
        let features = world
            .try_build_features(FeaturesBuilder {
                min_block_length: length,
                max_block_length: length,
            })
            .map_err(|error| PluginError::Period {
                uri: uri.into(),
                frames,
                why: error.to_string(),
            })?;
        Ok(Lv2 { plugin, features, uri: uri.into(), frames })
    }

    /// A new instance, its controls at their defaults, which has computed a period of
    /// silence, so that its memory is there. Takes its time.
    ///
    /// # Errors
    /// [`PluginError::NoInstance`] and [`PluginError::Period`].
    pub fn instance(&self, rate_hz: u32) -> Result<Instance, PluginError> {
        let Lv2 { plugin, features, uri, frames } = self;
        let no_instance = || PluginError::NoInstance { uri: uri.clone(), rate_hz };
        // SAFETY: the rate is finite and positive. That the plugin's code keeps to LV2's
        // contracts no host can prove; it is the user's, who names it to have it run.
        let raw = unsafe { plugin.instantiate(Arc::clone(features), f64::from(rate_hz)) };
        let mut instance = Instance::new(raw.map_err(|_| no_instance())?, plugin, features);
        let period = |error: livi::error::RunError| PluginError::Period {
            uri: uri.clone(),
            frames: *frames,
            why: error.to_string(),
        };
        instance.run(&vec![0.0; *frames as usize]).map_err(period)?;
        Ok(instance)
    }
}

impl fmt::Debug for Lv2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lv2").field("uri", &self.uri).field("frames", &self.frames).finish()
    }
}

/// Why there is no such plugin in a world, which has only those that it can host.
fn refused(world: &World, uri: &str) -> PluginError {
    let all: Vec<_> = world.raw().plugins().into_iter().collect();
    let named = |plugin: &lilv::plugin::Plugin| plugin.uri().as_uri().map(str::to_owned);
    let uris: Vec<String> = all.iter().filter_map(named).collect();
    if uri.is_empty() {
        return PluginError::Unnamed { installed: sorted(uris) };
    }
    let Some(plugin) = all.iter().find(|plugin| named(plugin).as_deref() == Some(uri)) else {
        let nearest = nearest(uri, uris.iter().map(String::as_str));
        return PluginError::Unknown { uri: uri.into(), nearest };
    };
    let offered = Features::supported_features();
    let required = plugin.required_features();
    let lacking = required.into_iter().filter_map(|node| node.as_uri().map(str::to_owned));
    let lacking: Vec<String> = lacking.filter(|one| !offered.contains(one.as_str())).collect();
    match lacking.is_empty() {
        true => PluginError::Ports { uri: uri.into() },
        false => PluginError::Unsupported { uri: uri.into(), features: lacking.join(", ") },
    }
}

fn sorted(mut uris: Vec<String>) -> Vec<String> {
    uris.sort();
    uris
}
