//! [`Session`]: ports, sound cards and the real-time thread, opened once; then trial after
//! trial on them. A device stays open between two trials, and a sound card goes on playing
//! silence; virtual wires are made anew for each trial, because another simulated
//! participant plays at their far end.

mod open;
mod real;
mod rehearsed;
mod result;

pub use result::{Finished, Happened};

use crate::place::Place;
use crate::{Bindings, SessionError, Tapper};
use chronotap_analysis::summary::Summary;
use chronotap_experiment::TrialFile;
use chronotap_realtime::{Interrupt, TrialEnd};
use chronotap_record::{Binding, Entry, Header, RecordError, Saved};
use chronotap_recorder::{End, Observer};
use chronotap_rehearsal::Rig;
use chronotap_runner::real_time::{Ready, Settings};
use chronotap_signal::Description;
use chronotap_time::Nanos;
use open::Opened;
use real::Real;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Devices that are open, and how trials are run on them.
pub struct Session {
    inputs: Vec<Place>,
    outputs: Vec<Place>,
    warnings: Vec<&'static str>,
    port_inputs: Vec<Vec<u16>>, // of each port, its inputs
    wires: Vec<open::WirePlace>,
    machine: Value, // the same for every trial, and slow to find out
    machine_file: Option<PathBuf>,
    spare: Vec<PathBuf>, // folders for the data that theirs refuses
    time: Time,
}

enum Time {
    Real(Box<Real>),
    /// The longest that a trial may last.
    Virtual(Nanos, Vec<Entry>),
}

/// A trial, and what is to become of it.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The trial.
    pub file: &'a TrialFile,
    /// Its seed.
    pub seed: u64,
    /// Who taps at the far end of a virtual wire.
    pub tapper: &'a Tapper,
    /// Lateness above which the timing verdict fails; the trial file's where `None`.
    pub limit: Option<Nanos>,
    /// Where its data go.
    pub keep: Keep<'a>,
    /// Who watches.
    pub observers: &'a [Observer],
}

/// Where the data of a trial go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep<'a> {
    /// Into the files of this name in this directory, which is there.
    Files(&'a Path, &'a str),
    /// Nowhere: only what [`Finished`] holds is left.
    Nothing,
}

impl Session {
    /// Opens the ports and starts the thread that runs trials in real time. `machine_file`
    /// is recorded where it named some of the ports.
    ///
    /// # Errors
    /// [`SessionError`]; nothing is left open.
    pub fn open(
        bindings: Bindings,
        machine_file: Option<PathBuf>,
        settings: &Settings,
        interrupt: Interrupt,
    ) -> Result<Session, SessionError> {
        let opened = open::open(&bindings)?;
        Session::start(opened, machine_file, settings, interrupt)
    }

    /// A session on ports that are open already, for these inputs and outputs.
    ///
    /// # Errors
    /// [`SessionError::RealTime`].
    pub fn on_ports(
        rig: Rig,
        (inputs, outputs): (&[&str], &[&str]),
        settings: &Settings,
        interrupt: Interrupt,
    ) -> Result<Session, SessionError> {
        Session::start(open::given(rig, inputs, outputs), None, settings, interrupt)
    }

    fn start(
        opened: Opened,
        machine_file: Option<PathBuf>,
        settings: &Settings,
        interrupt: Interrupt,
    ) -> Result<Session, SessionError> {
        let Opened { rig, inputs, outputs, warnings, wires, cards, stages } = opened;
        let port_inputs = rig.port_inputs();
        let (real, machine) = Real::start(rig, (cards, stages), settings, interrupt)?;
        let (time, spare) = (Time::Real(Box::new(real)), Vec::new());
        Ok(Session {
            inputs,
            outputs,
            warnings,
            port_inputs,
            wires,
            machine,
            machine_file,
            spare,
            time,
        })
    }

    /// A session in virtual time, on virtual wires alone. A trial lasts at most `longest`.
    ///
    /// # Errors
    /// [`SessionError::NeedsRealTime`] where a port is no virtual wire;
    /// [`SessionError::UnheardLoop`].
    pub fn in_virtual_time(bindings: Bindings, longest: Nanos) -> Result<Session, SessionError> {
        if let Some(port) = bindings.needs_real_time() {
            return Err(SessionError::NeedsRealTime { port: port.into() });
        }
        let Opened { inputs, outputs, warnings, wires, .. } = open::open(&bindings)?;
        let time = Time::Virtual(longest, Vec::new());
        let (machine, machine_file) = (machine(), None);
        let port_inputs = Vec::new(); // wires lose nothing on the way in
        let spare = Vec::new();
        Ok(Session {
            inputs,
            outputs,
            warnings,
            port_inputs,
            wires,
            machine,
            machine_file,
            spare,
            time,
        })
    }

    /// Names folders for the data of a trial in real time whose own folder refuses them in the
    /// end; the first that takes them has them. They are made where they are missing.
    pub fn spare_data(&mut self, folders: Vec<PathBuf>) {
        self.spare = folders;
    }

    /// What was asked of the system and granted; `None` in virtual time.
    pub fn ready(&self) -> Option<&Ready> {
        match &self.time {
            Time::Real(real) => Some(real.ready()),
            Time::Virtual(..) => None,
        }
    }

    /// What whoever uses the data must know of the ports.
    pub fn warnings(&self) -> &[&'static str] {
        &self.warnings
    }

    /// What the ports of the inputs are.
    pub fn inputs(&self) -> impl Iterator<Item = &Description> + Clone {
        self.inputs.iter().map(|place| &place.about)
    }

    /// What the ports of the outputs are.
    pub fn outputs(&self) -> impl Iterator<Item = &Description> + Clone {
        self.outputs.iter().map(|place| &place.about)
    }

    /// What the inputs and outputs of a trial are bound to.
    ///
    /// # Errors
    /// [`SessionError::Unknown`].
    pub fn bound(&self, file: &TrialFile) -> Result<Vec<Binding>, SessionError> {
        let arrangement = self.arrange(file)?;
        let inputs = arrangement.inputs().into_iter();
        let inputs = inputs.map(|input| self.inputs[usize::from(input)].describe("in"));
        let outputs = arrangement.outputs().iter();
        let outputs = outputs.map(|output| self.outputs[usize::from(*output)].describe("out"));
        Ok(inputs.chain(outputs).collect())
    }

    /// Runs a trial to its end, keeps its data and sums it up. `progress` is called about
    /// ten times a second from the calling thread in real time, with the time since the
    /// trial's start; never in virtual time. A trial that was interrupted is finished like
    /// any other; after a signal, call [`Interrupt::rearm`] before the next one.
    ///
    /// # Errors
    /// [`SessionError`]; then nothing was sounded, but where the real-time thread died.
    /// Data that the disk refused are no error: [`Finished::saved`] says so.
    pub fn run(
        &mut self,
        run: &Run<'_>,
        progress: impl FnMut(Nanos),
    ) -> Result<Finished, SessionError> {
        self.run_until(run, &TrialEnd::default(), progress)
    }

    /// The same with the means to end this trial, and no other, from any thread or from
    /// `progress`. A trial in virtual time ends by itself.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn run_until(
        &mut self,
        run: &Run<'_>,
        end: &TrialEnd,
        progress: impl FnMut(Nanos),
    ) -> Result<Finished, SessionError> {
        match self.time {
            Time::Real(_) => self.run_in_real_time(run, end, progress),
            Time::Virtual(longest, _) => self.rehearse(run, longest),
        }
    }

    fn header(&self, run: &Run<'_>) -> Result<Header, SessionError> {
        let mode = match self.time {
            Time::Real(_) => chronotap_record::Mode::RealTime,
            Time::Virtual(..) => chronotap_record::Mode::VirtualTime,
        };
        let header = crate::head::header(run.file, run.seed, mode, &self.machine);
        let mut header = Header {
            ports: self.bound(run.file)?,
            performer: run.tapper.describe(),
            limit_ns: run.limit().0,
            ..header
        };
        if let (Some(path), Some(machine)) = (&self.machine_file, header.machine.as_object_mut()) {
            machine.insert("machine_file".into(), path.display().to_string().into());
        }
        Ok(header)
    }
}

impl Run<'_> {
    fn limit(&self) -> Nanos {
        self.limit.unwrap_or(self.file.limit)
    }

    /// Tells the observers that the trial is over.
    fn tell_end(&self, summary: &Summary, saved: &Result<Option<Saved>, RecordError>) {
        if self.observers.is_empty() {
            return;
        }
        let saved = saved.as_ref().ok().cloned().flatten();
        let end = Arc::new(End { summary: Some(summary.clone()), saved });
        self.observers.iter().for_each(|observer| observer.ends(Arc::clone(&end)));
    }
}

/// What this computer is.
fn machine() -> Value {
    serde_json::to_value(chronotap_machine::describe(chronotap_record::PROGRAM)).unwrap_or_default()
}
