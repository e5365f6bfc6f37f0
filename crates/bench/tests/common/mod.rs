//! Tests of this crate as commands run them, which no signal ends.

#![allow(dead_code, reason = "each file of tests runs some of them")]
#![allow(clippy::unwrap_used, reason = "a test")]

use chronotap_bench::timing::{
    CirculationReport, CirculationTest, Length, Probe, TestFound, TestProgress, TestRun,
    in_real_time,
};
use chronotap_engine::signal::Port;
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::laboratory::Rig;
use chronotap_rig::runner::real_time::RealTimeSettings;
use chronotap_trial::Ports;

/// What a test of this length finds, and how far it said that it was.
pub fn run(test: &impl Probe, length: Length) -> (TestFound, Vec<f64>) {
    let mut done = Vec::new();
    let mut tell = |progress: &TestProgress| done.push(progress.done);
    let interrupt = Interrupt::without_signals().unwrap();
    let found = test.run(&mut TestRun::new(length, interrupt, &mut tell));
    (found, done)
}

/// What a quick test finds.
pub fn found(test: &impl Probe) -> TestFound {
    run(test, Length::Quick).0
}

/// What the loop of so many messages says of a port, whose output leads back to its input.
pub fn looped(port: impl Port + 'static, inputs: u32) -> CirculationReport {
    let mut ports = Ports::new(1, 1);
    ports.add(Box::new(port), &[0], &[0]).unwrap();
    let settings = RealTimeSettings { request: Request::nothing(), spin: false, serve_every: None };
    let interrupt = Interrupt::without_signals().unwrap();
    let names = (&["input"][..], &["output"][..]);
    let mut rig = Rig::on_ports(ports, names, &settings, interrupt).unwrap();
    let measured = in_real_time(CirculationTest::Loop { inputs }, &mut rig, |_, _| {}).unwrap();
    CirculationReport::of(&measured, "looped", "looped")
}
