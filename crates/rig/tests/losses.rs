//! What a port loses in a running trial is told to sinks while it runs: it leaves no entry
//! behind from which they could see it.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::Header;
use chronotap_engine::Engine;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Written};
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::recorder::{Notice, entries, sink};
use chronotap_rig::runner::real_time::{self, RealTimeSettings};
use chronotap_simulate::{FarEnd, Wire};
use chronotap_trial::Ports;
use std::sync::Arc;

/// A wire whose input has overrun three times, and whose music fell silent, once it was written to.
struct Losing {
    wire: Wire,
    counts: PortCounts,
}

impl Port for Losing {
    fn readiness(&self) -> Readiness<'_> {
        self.wire.readiness()
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        self.wire.read(now, arrived)
    }

    fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        (self.counts.overruns, self.counts.missing) = (3, 480);
        self.wire.write(action, now)
    }

    fn counts(&self) -> PortCounts {
        self.counts
    }
}

const TRIAL: &str = r#"
    [pacing.metronome]
    interval = "50 ms"
    start = "0 ms"
    [[when]]
    time = "600 ms"
    end = true
"#;

#[test]
fn an_overrun_and_music_that_fell_silent_are_told_before_the_trial_ends() {
    let file = TrialFile::parse(TRIAL, "test.toml").expect("a trial");
    let trial = Arc::new(file.trial);
    let wire = Wire::new(None, FarEnd::Silence);
    let mut rig = Ports::new(trial.inputs.len(), trial.outputs.len());
    let port = Losing { wire, counts: PortCounts::default() };
    rig.add(Box::new(port), &[0], &[0]).expect("room for one port");
    let (sender, received) = entries(1_000);
    let (sink, watch) = sink(1_000);
    let mut received = received.told_to(vec![sink], Header::default(), None);
    let settings = RealTimeSettings { request: Request::trial(), spin: true, serve_every: None };
    let interrupt = Interrupt::without_signals().expect("an eventfd");
    let engine = Engine::new(trial, 7);
    real_time::run(engine, rig, &settings, interrupt, |_| sender, |_| {}).expect("it runs");
    received.take().for_each(drop);
    let seen: Vec<Notice> = std::iter::from_fn(|| watch.next(std::time::Duration::ZERO)).collect();
    let told = seen.iter().position(|notice| {
        matches!(notice, Notice::Lost(lost) if lost.overruns == [3] && lost.silent_frames == 480)
    });
    let ended = seen.iter().position(
        |notice| matches!(notice, Notice::Happened(e) if matches!(e.action.kind, ActionKind::End(_))),
    );
    assert!(told.is_some() && told < ended, "told {told:?}, ended {ended:?} of {seen:?}");
}
