//! Serial lines at USB, by which codes go to another recorder.

use super::Topic::Sound as SOUND;
use crate::machine::finding::{Check, Judgement};
use crate::machine::step::MachineStep;
use crate::machine::{Facts, SerialAdapter};

pub(super) const CHECKS: &[Check] = &[Check {
    name: "serial-latency",
    topic: SOUND,
    read: "/sys/bus/usb-serial/devices/*/latency_timer",
    good: "1 ms, the least",
    source: "https://www.ftdichip.com/Support/Documents/AppNotes/AN232B-04_DataLatencyFlow.pdf",
    judge: latency,
}];

/// The least that an adapter of FTDI takes; 0 is said by what has no such timer.
const LEAST_MS: u32 = 1;

fn latency(facts: &Facts) -> Judgement {
    let Some(all) = &facts.serial else {
        return match facts.kernel.release {
            None => Judgement::unread(facts, "serial lines at USB"),
            Some(_) => Judgement::ok("no serial line at USB"),
        };
    };
    let slow: Vec<(&SerialAdapter, u32)> = all.iter().filter_map(timer).collect();
    if slow.is_empty() {
        return Judgement::ok("no serial line at USB that waits");
    }
    let names: Vec<String> =
        slow.iter().map(|(adapter, ms)| format!("{} {ms} ms", adapter.name)).collect();
    let step = |(adapter, _): &(&SerialAdapter, u32)| {
        let path = format!("/sys/bus/usb-serial/devices/{}/latency_timer", adapter.name);
        MachineStep::write(path, adapter.latency_timer.as_deref(), "1")
    };
    Judgement::note(
        names.join(", "),
        "so long an FTDI adapter may keep what comes in; an answer of a trigger box is late by it",
    )
    .steps(slow.iter().map(step).collect())
}

/// An adapter that collects for longer than it must, and for how many ms.
fn timer(adapter: &SerialAdapter) -> Option<(&SerialAdapter, u32)> {
    let ms = adapter.latency_timer.as_ref()?.parse().ok()?;
    (ms > LEAST_MS).then_some((adapter, ms))
}
