//! A keyboard that is kept from every other program while a trial runs, and only then: when a port is
//! told so, and what becomes of a trial whose end is asked for at it.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{
    Arrival, Description, KeptKeys, Port, PortError, Readiness, Written,
};
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::laboratory::{KeepData, Rig, TrialRun};
use chronotap_rig::runner::real_time::RealTimeSettings;
use chronotap_simulate::Tapper;
use chronotap_trial::Ports;
use rustix::event::{EventfdFlags, eventfd};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, Mutex};

type Told = Arc<Mutex<Vec<&'static str>>>;

/// A keyboard that can be read once the trial runs; it may ask for the end then.
struct Keyboard {
    told: Told,
    readable: OwnedFd,
    wants_out: bool,
    kept: bool,
}

impl Port for Keyboard {
    fn start(&mut self, origin: Nanos) {
        let trial = origin < Nanos::from_secs(4_000_000_000);
        self.told.lock().unwrap().push(if trial { "start" } else { "rest" });
    }

    fn readiness(&self) -> Readiness<'_> {
        Readiness::Descriptor(self.readable.as_fd())
    }

    fn read(&mut self, _: Nanos, _: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        Ok(())
    }

    fn write(&mut self, _: &Action, _: Nanos) -> Result<Written, PortError> {
        Err(PortError::Closed)
    }

    fn describe(&self) -> Description {
        Description { keyboard: Some("Desk".into()), ..Description::default() }
    }

    fn keys(&mut self) -> Option<&mut dyn KeptKeys> {
        Some(self)
    }
}

impl KeptKeys for Keyboard {
    fn keep_keys(&mut self, keep: bool) {
        self.kept = keep;
        self.told.lock().unwrap().push(if keep { "keep" } else { "let go" });
    }

    fn asks_to_end(&self) -> bool {
        self.wants_out && self.kept
    }
}

fn rig(wants_out: bool) -> (Rig, Told) {
    let (told, readable) = (Told::default(), eventfd(1, EventfdFlags::NONBLOCK).unwrap());
    let keyboard = Keyboard { told: Arc::clone(&told), readable, wants_out, kept: false };
    let mut ports = Ports::new(1, 1);
    ports.add(Box::new(keyboard), &[0], &[0]).unwrap();
    let settings = RealTimeSettings { request: Request::nothing(), spin: false, serve_every: None };
    let interrupt = Interrupt::without_signals().unwrap();
    (Rig::on_ports(ports, (&["pad"], &["output"]), &settings, interrupt).unwrap(), told)
}

fn ended(rig: &mut Rig, keep: KeepData<'_>, end: &str) -> String {
    let text = format!("[input.pad]\n[[when]]\ntime = \"{end}\"\nend = true\n");
    let file = TrialFile::parse(&text, "trial.toml").unwrap();
    let run = TrialRun { keep, ..TrialRun::unkept(&file, &Tapper::Nobody) };
    rig.run(&run, |_| {}).unwrap().summary.ending
}

fn trial(rig: &mut Rig, folder: &Path, name: &str, end: &str) -> String {
    ended(rig, KeepData::Files(folder, name), end)
}

#[test]
fn keys_are_kept_for_each_trial_and_everybodys_between_two_and_while_taps_are_only_listened_to() {
    let (mut rig, told) = rig(false);
    let folder = tempfile::tempdir().unwrap();
    let take = || std::mem::take(&mut *told.lock().unwrap());
    for name in ["first", "second"] {
        trial(&mut rig, folder.path(), name, "10 ms");
        assert_eq!(take(), ["start", "keep", "let go", "rest"], "{name}");
        ended(&mut rig, KeepData::Nothing, "10 ms");
        assert_eq!(take(), ["start", "let go", "let go", "rest"], "a listening one");
    }
    assert_eq!(rig.inputs().next().unwrap().keyboard.as_deref(), Some("Desk"));
}

#[test]
fn whoever_asks_for_the_end_at_the_keyboard_ends_the_trial_as_by_hand_and_it_is_let_go() {
    let (mut rig, told) = rig(true);
    let folder = tempfile::tempdir().unwrap();
    for name in ["first", "second"] {
        assert_eq!(trial(&mut rig, folder.path(), name, "1 h"), "interruption");
        assert_eq!(told.lock().unwrap().split_off(0), ["start", "keep", "let go", "rest"]);
    }
    assert_eq!(ended(&mut rig, KeepData::Nothing, "10 ms"), "its trigger", "nothing is kept then");
}
