//! LV2 plugins of the user's own, as a load for the DSP test: [`Lv2`] is one that is
//! installed, [`Instance`] one that computes.
//!
//! They are hosted by the crate `livi`, which links the system's liblilv. So that the
//! program needs no such library, that stands behind the feature `lv2`; without it the
//! same names are here, and every plugin is refused with what has to be installed. The
//! code of a plugin is not ours: it is run because the user named it. Not here: its
//! windows, presets and MIDI.

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
