//! [`Rig`]: ports, sound cards and the real-time thread, opened once; then trial after
//! trial on them. A device stays open between two trials, and a sound card goes on playing
//! silence; virtual wires are made anew for each trial, because another simulated
//! participant plays at their far end.

mod in_virtual_time;
mod open;
mod real;
mod senses;

pub use chronotap_simulate::{FinishedTrial, KeepData, TrialRun};

use crate::laboratory::endpoint::Endpoint;
use crate::laboratory::{Bindings, RigError};
use crate::runner::real_time::{Ready, RealTimeSettings};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Binding, Entry, Header};
use chronotap_engine::signal::Description;
use chronotap_linux::clocks::DayClock;
use chronotap_linux::realtime::Interrupt;
use chronotap_simulate::{NotRun, TrialRunner, WireEndpoint};
use chronotap_trial::{Arrangement, Ports, TrialEnd};
use open::Opened;
use real::Real;
use serde_json::Value;
use std::path::PathBuf;

/// Devices that are open, and how trials are run on them.
pub struct Rig {
    inputs: Vec<Endpoint>,
    outputs: Vec<Endpoint>,
    warnings: Vec<&'static str>,
    port_inputs: Vec<Vec<u16>>, // of each port, its inputs
    wires: Vec<WireEndpoint>,
    machine: Value, // slow to find out; what passes of it is asked again
    machine_file: Option<PathBuf>,
    spare: Vec<PathBuf>, // folders for the data that theirs refuses
    day: DayClock,       // as it stood when the last trial ended
    time: Time,
}

enum Time {
    Real(Box<Real>),
    /// The longest that a trial may last.
    Virtual(Nanos, Vec<Entry>),
}

impl Rig {
    /// Opens the ports and starts the thread that runs trials in real time. `machine_file`
    /// is recorded where it named some of the ports.
    ///
    /// # Errors
    /// [`RigError`]; nothing is left open.
    pub fn open(
        bindings: Bindings,
        machine_file: Option<PathBuf>,
        settings: &RealTimeSettings,
        interrupt: Interrupt,
    ) -> Result<Rig, RigError> {
        let opened = open::open(&bindings)?;
        Rig::start(opened, machine_file, settings, interrupt)
    }

    /// A session on ports that are open already, for these inputs and outputs.
    ///
    /// # Errors
    /// [`RigError::RealTime`].
    pub fn on_ports(
        rig: Ports,
        (inputs, outputs): (&[&str], &[&str]),
        settings: &RealTimeSettings,
        interrupt: Interrupt,
    ) -> Result<Rig, RigError> {
        Rig::start(open::given(rig, inputs, outputs), None, settings, interrupt)
    }

    fn start(
        opened: Opened,
        machine_file: Option<PathBuf>,
        settings: &RealTimeSettings,
        interrupt: Interrupt,
    ) -> Result<Rig, RigError> {
        let Opened { rig, inputs, outputs, warnings, wires, cards, stages, senses } = opened;
        let port_inputs = rig.port_inputs();
        let (real, machine) = Real::start(rig, (cards, stages, senses), settings, interrupt)?;
        let (time, spare) = (Time::Real(Box::new(real)), Vec::new());
        Ok(Rig {
            inputs,
            outputs,
            warnings,
            port_inputs,
            wires,
            machine,
            machine_file,
            spare,
            day: DayClock::now(),
            time,
        })
    }

    /// A session in virtual time, on virtual wires alone. A trial lasts at most `longest`.
    ///
    /// # Errors
    /// [`RigError::NeedsRealTime`] where a port is no virtual wire;
    /// [`RigError::UnheardLoop`].
    pub fn in_virtual_time(bindings: Bindings, longest: Nanos) -> Result<Rig, RigError> {
        if let Some(port) = bindings.needs_real_time() {
            return Err(RigError::NeedsRealTime { port: port.into() });
        }
        let Opened { inputs, outputs, warnings, wires, .. } = open::open(&bindings)?;
        let time = Time::Virtual(longest, Vec::new());
        let (machine, machine_file) = (machine(), None);
        let port_inputs = Vec::new(); // wires lose nothing on the way in
        let spare = Vec::new();
        Ok(Rig {
            inputs,
            outputs,
            warnings,
            port_inputs,
            wires,
            machine,
            machine_file,
            spare,
            day: DayClock::now(),
            time,
        })
    }

    /// Names folders for the data of a trial in real time whose own folder refuses them in the
    /// end; the first that takes them has them. They are made where they are missing.
    pub fn spare_data(&mut self, folders: Vec<PathBuf>) {
        self.spare = folders;
    }

    /// Takes the wall clock for one that stood so when the last trial ended: for tests, which can set
    /// no clock.
    pub fn day_was(&mut self, day: DayClock) {
        self.day = day;
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
    /// [`RigError::Unknown`].
    pub fn bound(&self, file: &TrialFile) -> Result<Vec<Binding>, RigError> {
        let arrangement = self.arrange(file)?;
        let inputs = arrangement.inputs().into_iter();
        let inputs = inputs.map(|input| self.inputs[usize::from(input)].describe("in"));
        let waits = file.trial.waits_on(&self.latencies(&arrangement));
        let outputs = arrangement.outputs().iter().enumerate();
        let outputs = outputs.map(|(place, output)| Binding {
            waits_ns: waits.get(place).map(|wait| wait.0),
            ..self.outputs[usize::from(*output)].describe("out")
        });
        Ok(inputs.chain(outputs).collect())
    }

    /// The constant latencies of the ports of a trial's outputs, in its order.
    fn latencies(&self, arrangement: &Arrangement) -> Vec<Nanos> {
        let latency = |output: &u16| self.outputs[usize::from(*output)].about.latency;
        arrangement.outputs().iter().map(latency).collect()
    }

    /// Runs a trial to its end, keeps its data and sums it up. `progress` is called about
    /// ten times a second from the calling thread in real time, with the time since the
    /// trial's start; never in virtual time. A trial that was interrupted is finished like
    /// any other; after a signal, call [`Interrupt::rearm`] before the next one.
    ///
    /// # Errors
    /// [`RigError`]; then nothing was sounded, but where the real-time thread died.
    /// Data that the disk refused are no error: [`FinishedTrial::saved`] says so.
    pub fn run(
        &mut self,
        run: &TrialRun<'_>,
        progress: impl FnMut(Nanos),
    ) -> Result<FinishedTrial, RigError> {
        self.run_until(run, &TrialEnd::default(), progress)
    }

    /// The same with the means to end this trial, and no other, from any thread or from
    /// `progress`. A trial in virtual time ends by itself.
    ///
    /// # Errors
    /// As [`Rig::run`].
    pub fn run_until(
        &mut self,
        run: &TrialRun<'_>,
        end: &TrialEnd,
        progress: impl FnMut(Nanos),
    ) -> Result<FinishedTrial, RigError> {
        match self.time {
            Time::Real(_) => self.run_in_real_time(run, end, progress),
            Time::Virtual(longest, _) => self.compute(run, longest),
        }
    }

    /// Takes in what of the machine has changed since the last trial.
    fn look_at_machine(&mut self) {
        let now = serde_json::to_value(chronotap_linux::machine::Passing::now());
        if let (Some(machine), Ok(Value::Object(now))) = (self.machine.as_object_mut(), now) {
            machine.extend(now);
        }
    }

    fn header(&self, run: &TrialRun<'_>) -> Result<Header, RigError> {
        let mode = match self.time {
            Time::Real(_) => chronotap_data::record::RunnerMode::RealTime,
            Time::Virtual(..) => chronotap_data::record::RunnerMode::VirtualTime,
        };
        let header = crate::laboratory::head::header(run.file, run.seed, mode, &self.machine);
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

impl TrialRunner for Rig {
    fn run(
        &mut self,
        run: &TrialRun<'_>,
        end: &TrialEnd,
        progress: &mut dyn FnMut(Nanos),
    ) -> Result<FinishedTrial, NotRun> {
        Ok(self.run_until(run, end, progress)?)
    }

    fn reuse(&mut self, finished: &mut FinishedTrial) {
        Rig::reuse(self, finished);
    }
}

/// What this computer is.
fn machine() -> Value {
    serde_json::to_value(chronotap_linux::machine::describe(chronotap_data::record::PROGRAM))
        .unwrap_or_default()
}
