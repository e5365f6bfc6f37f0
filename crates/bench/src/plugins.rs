//! LV2 plugins of the user's own, as a load for the DSP test: [`Lv2`] is one that is
//! installed, [`Instance`] one that computes.
//!
//! The crate `livi` hosts them; it links the system's liblilv. This is behind the feature
//! `lv2`, so that the usual program does not need that library. Without the feature the same
//! names exist, and every plugin is refused with a message that says what to install. The code
//! of a plugin is not ours; it runs because the user named it. Its windows, presets and MIDI
//! are not supported.

mod error;
mod nearest;

#[cfg(feature = "lv2")]
mod host;
#[cfg(feature = "lv2")]
mod instance;
#[cfg(feature = "lv2")]
pub use host::Lv2;
#[cfg(feature = "lv2")]
pub use instance::Instance;

#[cfg(not(feature = "lv2"))]
mod absent;
#[cfg(not(feature = "lv2"))]
pub use absent::{Instance, Lv2};

pub use error::PluginError;
