//! [`Raspberry`]: which Raspberry Pi this is, and what its firmware was told of frequencies.

use serde::{Deserialize, Serialize};

/// A Raspberry Pi.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Raspberry {
    /// As its device tree names it: Raspberry Pi 4 Model B Rev 1.4.
    pub model: String,
    /// Lines of config.txt about frequencies and voltages, each behind the filter that it stands
    /// under: `[pi4] arm_freq=2000`.
    pub settings: Option<Vec<String>>,
}
