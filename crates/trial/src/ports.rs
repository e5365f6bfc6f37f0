//! [`Ports`]: the ports of one or many trials, and which input and output each serves.

mod arrangement;
mod attached;

pub use arrangement::Arrangement;
use attached::Attached;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_engine::Engine;
use chronotap_engine::action::{Action, ActionKind, OutsideChange};
use chronotap_engine::signal::{
    AudioPeriod, Callbacks, CardSide, Description, FeltForce, HeardSound, Port, PortCounts,
    PortError, PortReport, Readiness, Stage, Stamp, Written,
};

/// Tries to open a port again; `None` while it is not there. Runs in an ordinary
/// thread and may take its time.
pub type Reopen = Box<dyn FnMut() -> Option<Box<dyn Port>> + Send>;

/// What two ports tell within this time of the same change is one change.
const ONE_CHANGE: Nanos = Nanos::from_millis(100);

/// Most ports in one trial.
pub const MOST_PORTS: usize = 32;

/// More than 32 ports were bound. Fewer devices cure it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a trial takes at most {MOST_PORTS} ports")]
pub struct TooManyPorts;

/// Ports, and what the trial under way makes of them. Inputs and outputs are the rig's own;
/// an [`Arrangement`] says which of them the trial calls its first, second and so on.
#[derive(Default)]
pub struct Ports {
    ports: Vec<Attached>,
    outputs: Vec<usize>, // by output of the rig: the port that carries it
    arrangement: Arrangement,
    stamps: Vec<Option<Stamp>>, // by input of the trial: where its last stamp was taken
    last_xrun: Option<Nanos>,
    last_changes: [Option<Nanos>; OutsideChange::ALL.len()],
    patience: Option<Nanos>, // how late a tone may begin; none: as late as it likes
    overdue: u64,            // tones that were later
    keys_kept: bool,         // from every other program
}

impl Ports {
    /// No ports yet, for trials with so many inputs and outputs.
    pub fn new(inputs: usize, outputs: usize) -> Ports {
        let arrangement = Arrangement::identity(inputs, outputs);
        let stamps = vec![None; inputs];
        Ports { outputs: vec![usize::MAX; outputs], arrangement, stamps, ..Ports::default() }
    }

    /// Makes ready for another trial, whose inputs and outputs are these.
    pub fn arrange(&mut self, arrangement: Arrangement) {
        self.stamps = vec![None; arrangement.trial_inputs()];
        self.arrangement = arrangement;
        self.last_xrun = None;
        self.last_changes = Default::default();
        self.overdue = 0;
    }

    /// From now on a tone or code that is due for longer than this when it would be sent is not sent:
    /// after a long stop of the whole program, what was missed is not played in a burst. Ends
    /// of tones and controllers are always sent.
    pub fn drop_overdue(&mut self, patience: Nanos) {
        self.patience = Some(patience);
    }

    /// Tones that were not sent because they were overdue, since the trial's arrangement.
    pub fn overdue(&self) -> u64 {
        self.overdue
    }

    /// Which inputs and outputs are which of the trial's.
    pub fn arrangement(&self) -> &Arrangement {
        &self.arrangement
    }

    /// Puts another port in the place of one, as where the virtual wire of the last trial
    /// makes way for the next one's.
    pub fn replace(&mut self, index: usize, port: Box<dyn Port>) {
        if let Some(attached) = self.ports.get_mut(index) {
            attached.replace(port);
        }
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
        self.ports.push(Attached::new(port, reopen, inputs.to_vec()));
        Ok(())
    }

    /// The trial's clock starts: it counts from this raw CLOCK_MONOTONIC time.
    pub fn start(&mut self, origin: Nanos) {
        self.ports.iter_mut().for_each(|attached| attached.start(origin));
    }

    /// The trial keeps the keys that are tapped on from every other program, or lets them go.
    ///
    /// Real-time contract: as [`KeptKeys::keep_keys`].
    pub fn keep_keys(&mut self, keep: bool) {
        self.keys_kept = keep;
        self.each_port().filter_map(|port| port.keys()).for_each(|keys| keys.keep_keys(keep));
    }

    /// Whether whoever taps has asked for the end of the trial.
    pub fn asks_to_end(&mut self) -> bool {
        self.each_port().filter_map(|port| port.keys()).any(|keys| keys.asks_to_end())
    }

    /// The trial is over and its counts were taken: what comes in from now on is too early
    /// for the next one.
    pub fn rest(&mut self) {
        self.ports.iter_mut().for_each(Attached::rest);
    }

    /// Between two trials: reads what has come in, and drops it. It is counted with what
    /// came too early for the next trial. Returns whether a port was lost.
    pub fn discard(&mut self) -> bool {
        self.ports.iter_mut().fold(false, |lost, attached| attached.discard() | lost)
    }

    /// Between two trials: asks every port again what it said when it was opened, and has it joined
    /// again what was taken apart. Blocks.
    pub fn ask_again(&mut self) {
        self.ports.iter_mut().for_each(Attached::ask_again);
    }

    /// The inputs and outputs of the rig whose port is gone at the moment.
    pub fn gone(&self) -> (Vec<u16>, Vec<u16>) {
        let gone = |port: usize| self.ports.get(port).is_some_and(Attached::is_gone);
        let inputs = self.ports.iter().filter(|attached| attached.is_gone());
        let inputs = inputs.flat_map(|attached| attached.inputs.iter().copied()).collect();
        let outputs = (0..).zip(&self.outputs).filter(|(_, port)| gone(**port));
        (inputs, outputs.map(|(output, _)| output).collect())
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
                bound.read(now, &self.arrangement, &mut self.stamps, engine);
            }
        }
    }

    /// Sends the message of an output action to its port.
    ///
    /// # Errors
    /// As [`Port::write`]; a port that is gone is [`PortError::Closed`], a tone that comes too
    /// late to be sent [`PortError::Overdue`].
    pub fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        let late = now - action.deadline;
        if begins_something(action) && self.patience.is_some_and(|patience| late > patience) {
            self.overdue += 1;
            return Err(PortError::Overdue);
        }
        let output = self.arrangement.rig_output(action.port).ok_or(PortError::Closed)?;
        let port = self.outputs.get(usize::from(output)).copied();
        let bound = port.and_then(|port| self.ports.get_mut(port)).ok_or(PortError::Closed)?;
        bound.write(&Action { port: output, ..*action }, now)
    }

    /// A beat does not sound: ports that play music follow it unheard.
    pub fn pass(&mut self, beat: &Action) {
        self.each_port().filter_map(|port| port.music()).for_each(|music| music.pass(beat));
    }

    /// A tap was taken: ports at whose far end somebody hears its feedback remember it.
    ///
    /// Real-time contract: as [`Music::tapped`].
    pub fn tapped(&mut self, tap: &Action) {
        self.each_port().filter_map(|port| port.music()).for_each(|music| music.tapped(tap));
    }

    fn each_port(&mut self) -> impl Iterator<Item = &mut Box<dyn Port>> {
        self.ports.iter_mut().filter_map(|bound| bound.port.as_mut())
    }

    /// Hands over what the ports learned besides their input. An xrun or a change that several
    /// ports tell of, because one server serves them, is told once.
    ///
    /// Real-time contract: as [`ServerSide::reports`].
    pub fn reports(&mut self, tell: &mut dyn FnMut(PortReport)) {
        let Ports { ports, arrangement, last_xrun, last_changes, .. } = self;
        for bound in ports {
            let Some(port) = &mut bound.port else { continue };
            let Some(server) = port.server() else { continue };
            let period = bound.about.period.map_or(Nanos::ZERO, AudioPeriod::length);
            server.reports(&mut |told| {
                if let PortReport::Xrun(at) = told
                    && last_xrun.replace(at).is_some_and(|last| (at - last).abs() < period)
                {
                    return;
                }
                if let PortReport::Changed(at, change) = told {
                    let last = last_changes[change as usize].replace(at);
                    if last.is_some_and(|last| (at - last).abs() < ONE_CHANGE) {
                        return;
                    }
                }
                of_trial(told, arrangement).into_iter().for_each(&mut *tell);
            });
        }
    }

    /// The trial is over: the ports let out what was written. Blocks.
    pub fn finish(&mut self) {
        self.each_port().for_each(|port| port.finish());
    }

    /// What the port of each output of the trial is, in the outputs' order.
    pub fn outputs(&self) -> Vec<Description> {
        let port = |output: &u16| self.outputs.get(usize::from(*output)).copied();
        let about = |output: &u16| self.ports.get(port(output)?).map(|bound| bound.about.clone());
        self.arrangement.outputs().iter().map(|o| about(o).unwrap_or_default()).collect()
    }

    /// What the port of each input of the trial is, in the inputs' order.
    pub fn inputs(&self) -> Vec<Description> {
        let about = |input: u16| {
            let serves = |attached: &&Attached| attached.inputs.contains(&input);
            self.ports.iter().find(serves).map(|attached| attached.about.clone())
        };
        self.arrangement.inputs().into_iter().map(|i| about(i).unwrap_or_default()).collect()
    }

    /// What the port of each input and of each output of the rig is.
    pub fn of_rig(&self) -> (Vec<Description>, Vec<Description>) {
        let of = |port: Option<&Attached>| port.map(|port| port.about.clone()).unwrap_or_default();
        let outputs = self.outputs.iter().map(|port| of(self.ports.get(*port))).collect();
        let serves = |input: u16| self.ports.iter().find(|port| port.inputs.contains(&input));
        let inputs =
            self.ports.iter().flat_map(|port| &port.inputs).max().map_or(0, |last| last + 1);
        ((0..inputs).map(|input| of(serves(input))).collect(), outputs)
    }

    /// The constant latency of each output of the trial, in its order.
    pub fn latencies(&self) -> Vec<Nanos> {
        self.outputs().into_iter().map(|about| about.latency).collect()
    }

    /// The calls of each sound card, once, with the outputs of the rig that sound on it.
    pub fn take_calls(&mut self) -> Vec<(Vec<u16>, Box<dyn Callbacks>)> {
        let outputs = &self.outputs;
        let on = |port: usize| (0..).zip(outputs).filter(move |(_, p)| **p == port);
        let cards = self.ports.iter_mut().enumerate().filter_map(|(i, bound)| {
            let calls = bound.port.as_mut()?.card()?.take_calls()?;
            Some((on(i).map(|(output, _)| output).collect(), calls))
        });
        cards.collect()
    }

    /// Where the recordings of a trial are handed to each sound card, once.
    pub fn take_stages(&mut self) -> Vec<Box<dyn Stage>> {
        self.each_port().filter_map(|port| port.card()?.take_stage()).collect()
    }

    /// What is heard at each input of the rig whose sound is to be kept, once.
    pub fn take_sounds(&mut self) -> Vec<(u16, Box<dyn HeardSound>)> {
        self.sounds(|card, input| card.take_sound(input))
    }

    /// The same of the channels to which outputs are looped, each with the input beside which it is.
    pub fn take_loops(&mut self) -> Vec<(u16, Box<dyn HeardSound>)> {
        self.sounds(|card, input| card.take_loop(input))
    }

    fn sounds(
        &mut self,
        take: impl Fn(&mut dyn CardSide, u16) -> Option<Box<dyn HeardSound>>,
    ) -> Vec<(u16, Box<dyn HeardSound>)> {
        let of_port = |bound: &mut Attached| -> Vec<(u16, Box<dyn HeardSound>)> {
            let Some(card) = bound.port.as_mut().and_then(|port| port.card()) else {
                return Vec::new();
            };
            let inputs = bound.inputs.iter();
            inputs.filter_map(|input| Some((*input, take(&mut *card, *input)?))).collect()
        };
        self.ports.iter_mut().flat_map(of_port).collect()
    }

    /// What is felt at each input of the rig that has a sensor of force, once.
    pub fn take_forces(&mut self) -> Vec<(u16, Box<dyn FeltForce>)> {
        let of_port = |bound: &mut Attached| -> Vec<(u16, Box<dyn FeltForce>)> {
            let Some(port) = bound.port.as_mut() else { return Vec::new() };
            let inputs = bound.inputs.iter();
            inputs.filter_map(|input| Some((*input, port.take_force(*input)?))).collect()
        };
        self.ports.iter_mut().flat_map(of_port).collect()
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
        Some((index, self.ports[index].give_up()))
    }

    /// Puts a port that is there again into its place. Where keys are kept for the trial, it keeps
    /// its own.
    ///
    /// Real-time contract: no allocation; at most the system call of [`KeptKeys::keep_keys`].
    pub fn adopt(&mut self, index: usize, mut port: Box<dyn Port>) {
        if let Some(keys) = port.keys() {
            keys.keep_keys(self.keys_kept);
        }
        if let Some(attached) = self.ports.get_mut(index) {
            attached.adopt(port);
        }
    }

    /// Tells the engine that the inputs of a port are there again.
    ///
    /// Real-time contract: as [`Ports::adopt`].
    pub fn tell_reopened(&self, index: usize, now: Nanos, engine: &mut Engine) {
        let inputs = self.ports.get(index).into_iter().flat_map(|attached| &attached.inputs);
        let of_trial = inputs.filter_map(|input| self.arrangement.trial_input(*input));
        of_trial.for_each(|input| engine.input_reopened(input, now));
    }

    /// Where the last stamp of an input was taken.
    pub fn stamp(&self, input: u16) -> Option<Stamp> {
        self.stamps.get(usize::from(input)).copied().flatten()
    }

    /// The inputs of each port, in the order in which the ports were added.
    pub fn port_inputs(&self) -> Vec<Vec<u16>> {
        self.ports.iter().map(|bound| bound.inputs.clone()).collect()
    }

    /// What was lost since the last trial ended: hands over the overruns of each input of the
    /// trial, and gives the frames of music that were silent because they came too late.
    ///
    /// Real-time contract: no allocation; the system calls of a port's counts.
    pub fn losses(&self, overran: &mut dyn FnMut(u16, u64)) -> u64 {
        let mut silent_frames = 0;
        for bound in &self.ports {
            let counts = bound.counts();
            silent_frames += counts.missing;
            let inputs = bound.inputs.iter().filter_map(|i| self.arrangement.trial_input(*i));
            inputs.for_each(|input| overran(input, counts.overruns));
        }
        silent_frames
    }

    /// What the ports counted since the last trial ended, in the order in which they were added.
    pub fn counts(&self) -> Vec<PortCounts> {
        self.ports.iter().map(Attached::counts).collect()
    }
}

/// Whether a tone begins with the message, or it is a code.
fn begins_something(action: &Action) -> bool {
    let tone = action.kind != ActionKind::ToneOff
        && matches!(action.message, Some(Message::NoteOn { .. }));
    tone || matches!(action.kind, ActionKind::Code(_))
}

/// What a port tells, with inputs and outputs as the trial numbers them; nothing of an input that it
/// does not have.
fn of_trial(told: PortReport, arrangement: &Arrangement) -> Option<PortReport> {
    Some(match told {
        PortReport::Corrected(action, played) => {
            let port = arrangement.trial_output(action.port).unwrap_or(action.port);
            PortReport::Corrected(Action { port, ..action }, played)
        }
        PortReport::Unlinked(input, at) => {
            PortReport::Unlinked(arrangement.trial_input(input)?, at)
        }
        PortReport::Linked(input, at) => PortReport::Linked(arrangement.trial_input(input)?, at),
        of_all @ (PortReport::Xrun(_) | PortReport::Changed(..)) => of_all,
    })
}
