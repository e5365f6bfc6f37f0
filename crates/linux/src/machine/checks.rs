//! All checks, by topic. Each is a pure function from [`Facts`] to a judgement, so
//! that it can be tried on machines that were only written down, and on the facts
//! that stand in an old result.
//!
//! The rules of advice: nothing that weakens the protection of the machine
//! (`mitigations=off`, no throttling) is advised; what cannot be read is unknown, in
//! a guest with the reason; and what a trial does by itself (hold idle states off,
//! set its timer slack) is not asked of the user.

mod access;
mod boot;
mod host;
mod kernel;
mod memory;
mod noise;
mod power;
mod processors;
mod quiet;
mod raspberry;
mod rights;
mod serial;
mod sound;
mod throttling;
mod timers;
mod usb;

use crate::machine::{Check, Facts, Finding, Topic};

/// Every check, those of one topic together.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    const ALL: [&[Check]; 15] = [
        rights::CHECKS,
        access::CHECKS,
        timers::CHECKS,
        kernel::CHECKS,
        throttling::CHECKS,
        host::CHECKS,
        processors::CHECKS,
        power::CHECKS,
        noise::CHECKS,
        memory::CHECKS,
        sound::CHECKS,
        usb::CHECKS,
        serial::CHECKS,
        raspberry::CHECKS,
        quiet::CHECKS,
    ];
    ALL.into_iter().flatten()
}

/// What every check finds on a machine.
pub fn examine(facts: &Facts) -> Vec<Finding> {
    let mut findings: Vec<Finding> = checks().map(|check| check.examine(facts)).collect();
    findings.sort_by_key(|finding| finding.topic); // stable: the order within one stays
    findings
}

/// The name of a check that is most like `name`, where one is like it at all.
pub fn nearest(name: &str) -> Option<&'static str> {
    chronotap_core::text::nearest(name, checks().map(|check| check.name))
}
