//! [`SerialAdapter`]: serial lines at USB, and how long they collect bytes.

use serde::{Deserialize, Serialize};

/// A serial line at USB.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SerialAdapter {
    /// Its device: ttyUSB0.
    pub name: String,
    /// For how many ms an adapter of FTDI collects what comes in; others say nothing.
    pub latency_timer: Option<String>,
}
