//! [`SerialAdapter`]: serial lines at USB, and how long they collect bytes.

use crate::machine::Root;
use chronotap_machine::facts::SerialAdapter;

const PLACE: &str = "/sys/bus/usb-serial/devices";

pub(super) fn read(root: &Root) -> Option<Vec<SerialAdapter>> {
    let adapter = |name: String| SerialAdapter {
        latency_timer: root.line(&format!("{PLACE}/{name}/latency_timer")),
        name,
    };
    Some(root.names(PLACE)?.into_iter().map(adapter).collect())
}
