//! [`Rig`]: the ports of a trial, and which input and output of the trial each serves.

use chronotap_engine::action::Action;
use chronotap_engine::{Engine, Event};
use chronotap_signal::{
    AudioPeriod, Callbacks, Description, Port, PortCounts, PortError, Readiness, Stamp, Told,
    Written,
};
use chronotap_time::Nanos;

/// Tries to open a port again; `None` while it is not there. Runs in an ordinary
/// thread and may take its time.
pub type Reopen = Box<dyn FnMut() -> Option<Box<dyn Port>> + Send>;

/// Most ports in one trial.
pub const MOST_PORTS: usize = 32;

/// More than 32 ports were bound. Fewer devices cure it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a trial takes at most {MOST_PORTS} ports; bind fewer devices")]
pub struct TooManyPorts;

/// The ports of a trial.
#[derive(Default)]
pub struct Rig {
    ports: Vec<Attached>,
    outputs: Vec<usize>, // by output of the trial: the port that carries it
    stamps: Vec<Option<Stamp>>, // by input: where its last stamp was taken
    last_xrun: Option<Nanos>,
}

struct Attached {
    port: Option<Box<dyn Port>>, // none while it is lost and looked for
    about: Description,
    inputs: Vec<u16>,
    open: bool,
    reopen: Option<Reopen>, // until the trial starts
    can_reopen: bool,
    past: PortCounts, // of ports that were here before, and of writes to none
}

impl Rig {
    /// No ports yet, for a trial with so many inputs and outputs.
    pub fn new(inputs: usize, outputs: usize) -> Rig {
        let stamps = vec![None; inputs];
        Rig { outputs: vec![usize::MAX; outputs], stamps, ..Rig::default() }
    }

    /// Adds a port that serves these inputs and outputs of the trial.
    ///
    /// # Errors
    /// [`TooManyPorts`].
    pub fn add(
        &mut self,
        port: Box<dyn Port>,
        inputs: &[u16],
        outputs: &[u16],
    ) -> Result<(), TooManyPorts> {
        self.add_bound(port, None, inputs, outputs)
    }

    /// The same for a port that can be opened again where it is lost in mid-trial.
    ///
    /// # Errors
    /// [`TooManyPorts`].
    pub fn add_reopening(
        &mut self,
        port: Box<dyn Port>,
        reopen: Reopen,
        inputs: &[u16],
        outputs: &[u16],
    ) -> Result<(), TooManyPorts> {
        self.add_bound(port, Some(reopen), inputs, outputs)
    }

    fn add_bound(
        &mut self,
        port: Box<dyn Port>,
        reopen: Option<Reopen>,
        inputs: &[u16],
        outputs: &[u16],
    ) -> Result<(), TooManyPorts> {
        if self.ports.len() == MOST_PORTS {
            return Err(TooManyPorts);
        }
        for &output in outputs {
            self.outputs[usize::from(output)] = self.ports.len();
        }
        let (inputs, can_reopen) = (inputs.to_vec(), reopen.is_some());
        let (about, past) = (port.describe(), PortCounts::default());
        let port = Some(port);
        self.ports.push(Attached { port, about, inputs, open: true, reopen, can_reopen, past });
        Ok(())
    }

    /// The trial's clock starts: it counts from this raw CLOCK_MONOTONIC time.
    pub fn start(&mut self, origin: Nanos) {
        for bound in &mut self.ports {
            bound.port.iter_mut().for_each(|port| port.start(origin));
        }
    }

    /// How to wait for the input of each port that has an input, with the port's number.
    pub fn readiness(&self) -> impl Iterator<Item = (usize, Readiness<'_>)> {
        let inputs = |(_, bound): &(usize, &Attached)| !bound.inputs.is_empty();
        let ports = self.ports.iter().enumerate().filter(inputs);
        ports.map(|(i, bound)| (i, bound.readiness()))
    }

    /// When the next message of a port without a descriptor arrives.
    pub fn next_arrival(&self) -> Option<Nanos> {
        let at = |bound: &Attached| match bound.readiness() {
            Readiness::At(at) if bound.open => Some(at),
            _ => None,
        };
        self.ports.iter().filter_map(at).min()
    }

    /// Whether port `i` is still open.
    pub fn is_open(&self, i: usize) -> bool {
        self.ports[i].open
    }

    /// Hands what has arrived at every virtual port, and at the ports whose bit is
    /// set in `ready`, to the engine.
    pub fn read(&mut self, ready: u32, now: Nanos, engine: &mut Engine) {
        for (i, bound) in self.ports.iter_mut().enumerate() {
            let due = match bound.readiness() {
                Readiness::Descriptor(_) => ready & (1 << i) != 0,
                Readiness::At(at) => at <= now,
                Readiness::Never => false,
            };
            if due && bound.open {
                bound.read(now, &mut self.stamps, engine);
            }
        }
    }

    /// Sends the message of an output action to its port.
    ///
    /// # Errors
    /// As [`Port::write`]; a port that is gone is [`PortError::Closed`].
    pub fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        let port = self.outputs.get(usize::from(action.port)).copied();
        let bound = port.and_then(|port| self.ports.get_mut(port)).ok_or(PortError::Closed)?;
        let result = match &mut bound.port {
            Some(port) => port.write(action, now),
            None => {
                bound.past.lost += 1;
                Err(PortError::Closed)
            }
        };
        if result == Err(PortError::Closed) && bound.can_reopen && bound.inputs.is_empty() {
            bound.open = false; // with an input, reading tells
        }
        result
    }

    /// Hands over what the ports learned besides their input. An xrun that several
    /// ports tell of, because one server serves them, is told once.
    ///
    /// Real-time contract: as [`Port::told`].
    pub fn told(&mut self, tell: &mut dyn FnMut(Told)) {
        let last_xrun = &mut self.last_xrun;
        for bound in &mut self.ports {
            let Some(port) = &mut bound.port else { continue };
            let period = bound.about.period.map_or(Nanos::ZERO, AudioPeriod::length);
            port.told(&mut |told| {
                if let Told::Xrun(at) = told
                    && last_xrun.replace(at).is_some_and(|last| (at - last).abs() < period)
                {
                    return;
                }
                tell(told);
            });
        }
    }

    /// The trial is over: the ports let out what was written. Blocks.
    pub fn finish(&mut self) {
        let ports = self.ports.iter_mut().filter_map(|bound| bound.port.as_mut());
        ports.for_each(|port| port.finish());
    }

    /// What the port of each output of the trial is, in the outputs' order.
    pub fn outputs(&self) -> Vec<Description> {
        let about = |port: &usize| self.ports.get(*port).map(|bound| bound.about.clone());
        self.outputs.iter().map(|port| about(port).unwrap_or_default()).collect()
    }

    /// What the port of each input of the trial is, in the inputs' order.
    pub fn inputs(&self) -> Vec<Description> {
        let serves = |input: usize| {
            move |bound: &&Attached| bound.inputs.iter().any(|i| usize::from(*i) == input)
        };
        let about = |input| self.ports.iter().find(serves(input)).map(|b| b.about.clone());
        (0..self.stamps.len()).map(|input| about(input).unwrap_or_default()).collect()
    }

    /// The constant latency of each output of the trial, in its order.
    pub fn latencies(&self) -> Vec<Nanos> {
        self.outputs().into_iter().map(|about| about.latency).collect()
    }

    /// The calls of each sound card, once, with the outputs of the trial that sound on it.
    pub fn take_calls(&mut self) -> Vec<(Vec<u16>, Box<dyn Callbacks>)> {
        let outputs = &self.outputs;
        let on = |port: usize| (0..).zip(outputs).filter(move |(_, p)| **p == port);
        let cards = self.ports.iter_mut().enumerate().filter_map(|(i, bound)| {
            let calls = bound.port.as_mut()?.take_calls()?;
            Some((on(i).map(|(output, _)| output).collect(), calls))
        });
        cards.collect()
    }

    /// How ports are opened again, each once, with the number of the port.
    pub fn take_reopeners(&mut self) -> Vec<(usize, Reopen)> {
        let ports = self.ports.iter_mut().enumerate();
        ports.filter_map(|(i, bound)| Some((i, bound.reopen.take()?))).collect()
    }

    /// Takes out a port that was closed and can be opened again, with its number; each once.
    ///
    /// Real-time contract: no allocation; at most the system calls of a port's counts.
    pub fn take_lost(&mut self) -> Option<(usize, Option<Box<dyn Port>>)> {
        let lost = |bound: &Attached| !bound.open && bound.can_reopen && bound.port.is_some();
        let index = self.ports.iter().position(lost)?;
        let bound = &mut self.ports[index];
        bound.past = bound.counts();
        Some((index, bound.port.take()))
    }

    /// Puts a port that is there again, and was started, into its place, and tells the
    /// engine.
    ///
    /// Real-time contract: no allocation, no system call.
    pub fn adopt(&mut self, index: usize, port: Box<dyn Port>, now: Nanos, engine: &mut Engine) {
        let bound = &mut self.ports[index];
        bound.past.reopened += 1;
        (bound.port, bound.open) = (Some(port), true);
        bound.inputs.iter().for_each(|input| engine.input_reopened(*input, now));
    }

    /// Where the last stamp of an input was taken.
    pub fn stamp(&self, input: u16) -> Option<Stamp> {
        self.stamps.get(usize::from(input)).copied().flatten()
    }

    /// The inputs of each port, in the order in which the ports were added.
    pub fn port_inputs(&self) -> Vec<Vec<u16>> {
        self.ports.iter().map(|bound| bound.inputs.clone()).collect()
    }

    /// What the ports counted, in the order in which they were added.
    pub fn counts(&self) -> Vec<PortCounts> {
        self.ports.iter().map(Attached::counts).collect()
    }
}

impl Attached {
    fn readiness(&self) -> Readiness<'_> {
        self.port.as_ref().map_or(Readiness::Never, |port| port.readiness())
    }

    fn counts(&self) -> PortCounts {
        self.past + self.port.as_ref().map(|port| port.counts()).unwrap_or_default()
    }

    fn read(&mut self, now: Nanos, stamps: &mut [Option<Stamp>], engine: &mut Engine) {
        let Some(port) = &mut self.port else { return };
        let result = port.read(now, &mut |arrival| {
            if let Some(stamp) = stamps.get_mut(usize::from(arrival.input)) {
                *stamp = Some(arrival.stamp);
            }
            let (input, stamp) = (arrival.input, arrival.at);
            engine.input(Event { input, stamp, message: Some(arrival.message) });
        });
        if result.is_err() {
            // Whatever the reason, the port gives nothing any more: say so once per input.
            self.open = false;
            for &input in &self.inputs {
                engine.input(Event { input, stamp: now, message: None });
            }
        }
    }
}
