//! A port of an audio server that misses a period, or that others change: recorded, corrected, replayed,
//! and asked again before the next trial.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Entry, read_events, settled};
use chronotap_engine::action::{Action, ActionKind, OutsideChange};
use chronotap_engine::signal::{
    Arrival, AudioPeriod, Description, Port, PortError, PortReport, Readiness, ServerSide, Written,
};
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::laboratory::{FinishedTrial, KeepData, Rig, RigError, Side, TrialRun};
use chronotap_rig::runner::real_time::RealTimeSettings;
use chronotap_simulate::Tapper;
use chronotap_trial::Ports;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

const PERIOD: AudioPeriod = AudioPeriod { frames: 256, rate_hz: 48_000 };

/// Places everything one period after its deadline, but plays the third beat a
/// period late and never the last release; tells of an xrun then.
#[derive(Default)]
struct Server {
    missed: Option<Action>,
    release: Option<Action>,
    finished: bool,
}

impl Port for Server {
    fn readiness(&self) -> Readiness<'_> {
        Readiness::Never
    }

    fn read(&mut self, _: Nanos, _: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        Ok(())
    }

    fn write(&mut self, action: &Action, _: Nanos) -> Result<Written, PortError> {
        match action.kind {
            ActionKind::Pacing(_) if action.number == 3 => self.missed = Some(*action),
            ActionKind::ToneOff => self.release = Some(*action),
            _ => {}
        }
        Ok(Written::At((action.deadline + PERIOD.length()).into()))
    }

    fn describe(&self) -> Description {
        Description::of_period(PERIOD)
    }

    fn finish(&mut self) {
        self.finished = true;
    }

    fn server(&mut self) -> Option<&mut dyn ServerSide> {
        Some(self)
    }
}

impl ServerSide for Server {
    fn reports(&mut self, tell: &mut dyn FnMut(PortReport)) {
        if let Some(missed) = self.missed.take() {
            tell(PortReport::Xrun(missed.deadline));
            tell(PortReport::Xrun(missed.deadline + Nanos::from_micros(40))); // a second client's
            let late = missed.deadline + PERIOD.length() * 2;
            tell(PortReport::Corrected(missed, Some(late.into())));
        }
        if self.finished {
            self.release.take().into_iter().for_each(|off| tell(PortReport::Corrected(off, None)));
        }
    }

    fn ask_again(&mut self) -> Result<(), PortError> {
        Ok(())
    }
}

#[test]
fn a_missed_period_is_in_the_record_once_and_what_was_late_or_lost_says_so() {
    let trial = "[pacing.beats]\ninterval = \"20 ms\"\nstart = \"20 ms\"\nbeats = 6\n\
                 tone = { duration = \"5 ms\" }\n[[when]]\ntime = \"300 ms\"\nend = true\n";
    let (entries, _) = crate::common::run(trial, Box::new(Server::default()));
    let xruns = entries.iter().filter(|entry| entry.action.kind == ActionKind::Xrun);
    assert_eq!(xruns.count(), 1);
    let entries = settled(&entries);
    let late = |entry: &&Entry| {
        let beat = matches!(entry.action.kind, ActionKind::Pacing(_));
        beat && entry.achieved != Some(entry.action.deadline + PERIOD.length())
    };
    let late: Vec<u32> = entries.iter().filter(late).map(|entry| entry.action.number).collect();
    assert_eq!(late, [3]);
    let lost = entries.iter().filter(|entry| entry.achieved.is_none());
    assert_eq!(lost.count(), 1);
}

/// A server that others change: it stands under a trial with the period that it had when it was last
/// asked, and tells what happened. The far end of its input is gone from half of the first trial on.
struct Changed {
    period: Arc<AtomicU32>,
    asked: AudioPeriod,
    told: u32,
    served: u32,
}

impl Port for Changed {
    fn readiness(&self) -> Readiness<'_> {
        Readiness::Never
    }

    fn read(&mut self, _: Nanos, _: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        Ok(())
    }

    fn write(&mut self, action: &Action, _: Nanos) -> Result<Written, PortError> {
        self.served += 1;
        Ok(Written::At((action.deadline + self.asked.length()).into()))
    }

    fn describe(&self) -> Description {
        Description::of_period(self.asked)
    }

    fn server(&mut self) -> Option<&mut dyn ServerSide> {
        Some(self)
    }
}

impl ServerSide for Changed {
    fn reports(&mut self, tell: &mut dyn FnMut(PortReport)) {
        let at = Nanos::from_millis(70);
        if self.served >= 3 && self.told == 0 {
            self.told = 1;
            tell(PortReport::Changed(at, OutsideChange::Period));
            tell(PortReport::Changed(at + Nanos::from_micros(30), OutsideChange::Period)); // of another port
            tell(PortReport::Unlinked(0, at));
        }
        if self.served >= 5 && self.told == 1 {
            self.told = 2;
            tell(PortReport::Linked(0, at + Nanos::from_millis(40)));
        }
    }

    fn ask_again(&mut self) -> Result<(), PortError> {
        let frames = self.period.load(Relaxed);
        self.asked = AudioPeriod { frames, ..PERIOD };
        if frames == 0 { Err(PortError::Closed) } else { Ok(()) }
    }
}

const FIVE_BEATS: &str = "[input.pad]\n[pacing.beats]\ninterval = \"20 ms\"\nstart = \"20 ms\"\n\
                          beats = 6\ntone = { duration = \"5 ms\" }\n[[when]]\ntime = \"300 ms\"\nend = true\n";

fn changed(period: &Arc<AtomicU32>) -> Box<dyn Port> {
    Box::new(Changed { period: Arc::clone(period), asked: PERIOD, told: 0, served: 0 })
}

#[test]
fn what_changes_at_the_server_is_in_the_record_once_and_is_replayed() {
    let (entries, _) = crate::common::run(FIVE_BEATS, changed(&Arc::new(AtomicU32::new(256))));
    let count = |kind| entries.iter().filter(|entry| entry.action.kind == kind).count();
    assert_eq!(count(ActionKind::Changed(OutsideChange::Period)), 1);
    assert_eq!((count(ActionKind::InputClosed(0)), count(ActionKind::InputReopened(0))), (1, 1));
}

#[test]
fn a_server_is_asked_again_before_each_trial_and_what_is_gone_is_refused() {
    let period = Arc::new(AtomicU32::new(1_024));
    let mut ports = Ports::new(1, 1);
    ports.add(changed(&period), &[0], &[0]).unwrap();
    let settings = RealTimeSettings { request: Request::trial(), spin: false, serve_every: None };
    let interrupt = Interrupt::without_signals().unwrap();
    let mut rig = Rig::on_ports(ports, (&["pad"], &["output"]), &settings, interrupt).unwrap();
    let file = TrialFile::parse(FIVE_BEATS, "trial.toml").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut trial = |name| {
        let keep = KeepData::Files(dir.path(), name);
        rig.run(&TrialRun { keep, ..TrialRun::unkept(&file, &Tapper::Nobody) }, |_| {})
    };
    let first = trial("first").unwrap();
    period.store(256, Relaxed);
    let second = trial("second").unwrap();
    for (finished, frames) in [(&first, 1_024), (&second, 256)] {
        let saved = finished.saved.as_ref().unwrap().as_ref().unwrap();
        let recorded = read_events(&saved.tsv).unwrap();
        let audio = recorded.header.ports[1].audio.as_ref().unwrap();
        let length = AudioPeriod { frames, ..PERIOD }.length();
        assert_eq!((audio.period_frames, audio.latency_ns), (frames, length.0));
        let late = finished.summary.lateness.as_ref().unwrap();
        assert_eq!((late.min_us, late.max_us), (0.0, 0.0), "less the constant of its own trial");
    }
    let doubted = |finished: &FinishedTrial| {
        finished.summary.verdict.doubts.iter().any(|doubt| doubt.contains("period changed"))
    };
    assert!(doubted(&first) && !doubted(&second));
    assert!(!first.summary.data.usable, "taps could not come for a while");
    period.store(0, Relaxed);
    let refused = trial("third").unwrap_err();
    let RigError::Gone { side: Side::Input, .. } = refused else { panic!("{refused}") };
}
