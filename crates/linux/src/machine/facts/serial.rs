//! [`SerialAdapter`]: serial lines at USB, and how long they collect bytes.

use crate::machine::Root;
use serde::{Deserialize, Serialize};

const PLACE: &str = "/sys/bus/usb-serial/devices";

/// A serial line at USB.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SerialAdapter {
    /// Its device: ttyUSB0.
    pub name: String,
    /// For how many ms an adapter of FTDI collects what comes in; others say nothing.
    pub latency_timer: Option<String>,
}

pub(super) fn read(root: &Root) -> Option<Vec<SerialAdapter>> {
    let adapter = |name: String| SerialAdapter {
        latency_timer: root.line(&format!("{PLACE}/{name}/latency_timer")),
        name,
    };
    Some(root.names(PLACE)?.into_iter().map(adapter).collect())
}
