//! [`Plugin`]: what an instance of a load computes.
//!
//! The networks are the study's, in a form that is fast (`light`, `heavy`) and in the study's own
//! (`designer`). `cpu` and `cache` tell what a machine is short of: one needs the processor and no
//! memory, the other memory and hardly the processor. Besides there are LV2 plugins of the user's
//! own, which may refuse to be loaded. An instance is fed the same noise in every period and not
//! what another one put out, so that no number becomes denormal, whose cost would depend on the
//! signal.

use crate::plugins::{Lv2, PluginError};
use chronotap_audio::network::{Designer, Heavy, Light};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Turns of the arithmetic for each frame; about the light network's cost.
const TURNS: usize = 16;
/// Words of the table, 1 MiB: more than a core's own cache with the second instance.
const WORDS: usize = 1 << 18;
/// Words that are read and written for each frame, each at a place that the last tells.
const ACCESSES: usize = 4;

/// What stands before the URI of an LV2 plugin.
const LV2: &str = "lv2:";

/// A kind of load.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plugin {
    /// The feedback delay network with 8 lines (Vignati et al. 2022).
    Light,
    /// With 16 lines.
    Heavy,
    /// The study's own reverberator, filter by filter, with 8 lines.
    DesignerLight,
    /// With 16 lines.
    DesignerHeavy,
    /// Multiplications and additions in registers alone.
    Cpu,
    /// Reads and writes all over a table of 1 MiB.
    Cache,
    /// A plugin that is installed, by its URI.
    Lv2(String),
}

impl Plugin {
    /// This program's own.
    pub const ALL: [Plugin; 6] = [
        Plugin::Light,
        Plugin::Heavy,
        Plugin::DesignerLight,
        Plugin::DesignerHeavy,
        Plugin::Cpu,
        Plugin::Cache,
    ];

    /// About how many bytes an instance has. An LV2 plugin does not say; it is taken for
    /// a greater reverberator.
    pub(super) const fn bytes(&self) -> u64 {
        match self {
            Plugin::Light => 250_000,
            Plugin::Heavy => 500_000,
            Plugin::DesignerLight => 530_000,
            Plugin::DesignerHeavy => 1_060_000,
            Plugin::Cpu => 200,
            Plugin::Cache => 4 * WORDS as u64,
            Plugin::Lv2(_) => 1 << 20,
        }
    }

    /// What makes its instances, for periods of so many frames.
    ///
    /// # Errors
    /// [`PluginError`], of an LV2 plugin alone.
    pub fn load(&self, frames: u32, rate_hz: u32) -> Result<Factory, PluginError> {
        let rate = f64::from(rate_hz);
        Ok(Factory(match self {
            Plugin::Light => {
                Arc::new(move || Ok(Instance::Light(touched(Light::new(rate), Light::reset))))
            }
            Plugin::Heavy => {
                Arc::new(move || Ok(Instance::Heavy(touched(Heavy::new(rate), Heavy::reset))))
            }
            Plugin::DesignerLight => Arc::new(move || {
                let instance = touched(Designer::new(rate), Designer::reset);
                Ok(Instance::DesignerLight(instance))
            }),
            Plugin::DesignerHeavy => Arc::new(move || {
                let instance = touched(Designer::new(rate), Designer::reset);
                Ok(Instance::DesignerHeavy(instance))
            }),
            Plugin::Cpu => {
                Arc::new(|| Ok(Instance::Cpu([1.0, 0.0, 0.5, 0.0, 0.25, 0.0, 0.125, 0.0])))
            }
            Plugin::Cache => {
                Arc::new(|| Ok(Instance::Cache { table: (0..WORDS as u32).collect(), at: 0 }))
            }
            Plugin::Lv2(uri) => {
                let plugin = Lv2::find(uri, frames)?;
                Arc::new(move || Ok(Instance::Lv2(Box::new(plugin.instance(rate_hz)?))))
            }
        }))
    }
}

/// Makes instances of one plugin, on whichever thread.
#[derive(Clone)]
pub struct Factory(Arc<dyn Fn() -> Result<Instance, PluginError> + Send + Sync>);

impl Factory {
    /// A new instance, all of whose memory has been touched.
    ///
    /// # Errors
    /// [`PluginError`], of an LV2 plugin alone.
    pub(super) fn instance(&self) -> Result<Instance, PluginError> {
        (self.0)()
    }
}

/// Zeroed memory is not there until it is written to.
fn touched<N>(network: N, reset: fn(&mut N)) -> Box<N> {
    let mut network = Box::new(network);
    reset(&mut network);
    network
}

pub(super) enum Instance {
    Light(Box<Light>),
    Heavy(Box<Heavy>),
    DesignerLight(Box<Designer<8>>),
    DesignerHeavy(Box<Designer<16>>),
    Cpu([f32; 8]),
    Cache { table: Vec<u32>, at: u32 },
    Lv2(Box<crate::plugins::Instance>),
}

impl Instance {
    /// One period, in place.
    ///
    /// Real-time contract: a measuring thread; no allocation, lock or system call.
    pub(super) fn process(&mut self, left: &mut [f32], right: &mut [f32]) {
        match self {
            Instance::Light(network) => network.process(left, right),
            Instance::Heavy(network) => network.process(left, right),
            Instance::DesignerLight(network) => network.process(left, right),
            Instance::DesignerHeavy(network) => network.process(left, right),
            Instance::Cpu(state) => left.iter_mut().for_each(|sample| arithmetic(state, sample)),
            Instance::Cache { table, at } => {
                left.iter_mut().for_each(|sample| wander(table, at, sample));
            }
            Instance::Lv2(instance) => instance.process(left),
        }
    }
}

/// Four vectors that turn; a turn waits for the last.
fn arithmetic(state: &mut [f32; 8], sample: &mut f32) {
    const COS: f32 = 0.8;
    const SIN: f32 = 0.6; // their squares sum to 1
    for _ in 0..TURNS {
        for pair in state.chunks_exact_mut(2) {
            (pair[0], pair[1]) = (COS * pair[0] - SIN * pair[1], SIN * pair[0] + COS * pair[1]);
        }
    }
    // Rounding makes them neither grow nor die away: the length is set again.
    let length = (state[0] * state[0] + state[1] * state[1]).max(0.5);
    state[0] /= length;
    state[1] /= length;
    *sample += state[0] * 1e-3;
}

/// The next place is made of what the last one held.
fn wander(table: &mut [u32], at: &mut u32, sample: &mut f32) {
    for _ in 0..ACCESSES {
        let place = *at as usize % WORDS;
        table[place] = table[place].wrapping_add(0x9e37_79b9);
        *at = at.wrapping_mul(1_664_525).wrapping_add(table[place] | 1); // Numerical Recipes
    }
    *sample += *at as f32 * 1e-12;
}

/// There is no such load.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no plugin {name:?}")]
pub struct UnknownPlugin {
    /// As it was given.
    pub name: String,
}

impl FromStr for Plugin {
    type Err = UnknownPlugin;
    fn from_str(name: &str) -> Result<Plugin, UnknownPlugin> {
        if let Some(uri) = name.strip_prefix(LV2) {
            return Ok(Plugin::Lv2(uri.into()));
        }
        let named = |plugin: &Plugin| plugin.to_string() == name;
        Plugin::ALL.into_iter().find(named).ok_or_else(|| UnknownPlugin { name: name.into() })
    }
}

impl fmt::Display for Plugin {
    /// As on the command line, and in the condition `plugin` of a series.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plugin::Light => f.write_str("light"),
            Plugin::Heavy => f.write_str("heavy"),
            Plugin::DesignerLight => f.write_str("designer-light"),
            Plugin::DesignerHeavy => f.write_str("designer-heavy"),
            Plugin::Cpu => f.write_str("cpu"),
            Plugin::Cache => f.write_str("cache"),
            Plugin::Lv2(uri) => write!(f, "{LV2}{uri}"),
        }
    }
}
