//! [`JackPort`]: inputs and outputs of a trial as ports of a JACK client.
//!
//! Real-time contract: the trial's thread shares wait-free queues and an eventfd with
//! the server's threads; the only system call here is to read that.

use super::client::{connect, link, period};
use super::cycle::{Cycle, Notices};
use super::error::JackError;
use super::name::JackName;
use super::outputs::{FrameTime, Output, QUEUE};
use super::shared::{Shared, frame_ns};
use super::transfer::{Arrived, Misplaced, Source};
use crate::cards::{Called, JackClock, JackXruns, Links, bit};
use crate::clocks::{MonotonicClock, timespec};
use crate::ports::changed::Told;
use crate::ports::incoming::{Incoming, Origin};
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{
    Arrival, AudioPeriod, Description, Port, PortCounts, PortError, PortReport, Readiness,
    ServerSide, Stamp, Written,
};
use jack::{Client, MidiIn, MidiOut};
use rtrb::{Consumer, RingBuffer};
use rustix::event::{EventfdFlags, PollFd, eventfd, poll};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// How long the last messages may take to go out, and the server to begin a period.
const PATIENCE: Nanos = Nanos::from_millis(500);

/// A JACK client with a port for each of its inputs and outputs of the trial.
pub struct JackPort {
    client: Option<Called<Notices, Cycle>>,
    name: JackName,
    ins: Vec<String>, // its own ports as the server names them
    outs: Vec<String>,
    ends: Ends,
    incoming: Vec<(u16, Incoming)>, // by input of the trial
    origin: Nanos,
    period: AudioPeriod,
    counts: PortCounts,
    gave_up: bool, // what the server that is gone had not taken
}

/// This thread's ends of what it shares with the server's threads.
struct Ends {
    shared: Arc<Shared>,
    arrived: Consumer<Arrived>,
    told: Consumer<Misplaced>,
    xruns: u64,        // of which the trial knows
    xruns_before: u64, // the trial's start
    changed: Told,     // of what changed at the server
    outputs: Vec<Output>,
}

impl JackPort {
    /// Opens ports for those inputs and outputs of the trial, by index and name.
    ///
    /// # Errors
    /// [`JackError`].
    pub fn open(
        name: &JackName,
        inputs: &[(u16, &str)],
        outputs: &[(u16, &str)],
    ) -> Result<JackPort, JackError> {
        let client = connect(name)?;
        let refused = |source| JackError::Refused { name: name.clone(), source };
        let period = period(&client);
        let (mut cycle, mut notices, mut ends) = ends(name, &client, period)?;
        register(&client, &mut cycle, &mut ends, inputs, outputs).map_err(refused)?;
        let ins: Vec<_> = cycle.inputs.iter().filter_map(|(_, port)| port.name().ok()).collect();
        let outs: Vec<_> = cycle.outputs.iter().filter_map(|(port, _)| port.name().ok()).collect();
        notices.links = Links::new(&ins, &outs);
        let presence = ends.shared.presence.clone();
        let client = Called::begin(client, (notices, cycle), presence).map_err(refused)?;
        link(client.client(), name, &ins, &outs)?;
        let incoming = inputs.iter().map(|(index, _)| (*index, Incoming::default())).collect();
        let (origin, counts) = (Nanos::ZERO, PortCounts::default());
        let (client, gave_up, name) = (Some(client), false, name.clone());
        let port =
            JackPort { client, name, ins, outs, ends, incoming, origin, period, counts, gave_up };
        if !port.wait(|port| port.ends.shared.began().is_some()) {
            return Err(JackError::Silent { name: port.name.clone() });
        }
        Ok(port)
    }

    /// Waits for at most [`PATIENCE`], a period at a time; whether it came true. Blocks.
    fn wait(&self, true_by_now: impl Fn(&JackPort) -> bool) -> bool {
        let end = MonotonicClock::raw() + PATIENCE;
        while !true_by_now(self) {
            if MonotonicClock::raw() > end || self.ends.shared.is_gone() {
                return false;
            }
            let nothing: &mut [PollFd<'_>] = &mut [];
            let _ = poll(nothing, Some(&timespec(self.period.length())));
        }
        true
    }

    /// The server is gone. Messages that it had not taken are lost; each is corrected in the
    /// record.
    fn give_up(&mut self, tell: &mut dyn FnMut(PortReport)) {
        self.gave_up = true;
        for placed in self.ends.outputs.iter().flat_map(Output::unsent) {
            self.counts.lost += 1;
            self.counts.sent -= 1;
            tell(PortReport::Corrected(placed.action, None));
        }
    }
}

/// Both ends of everything that is shared; ports are still to be registered.
fn ends(
    name: &JackName,
    client: &Client,
    period: AudioPeriod,
) -> Result<(Cycle, Notices, Ends), JackError> {
    let wake = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)
        .map_err(|errno| JackError::System { name: name.clone(), errno })?;
    let shared = Arc::new(Shared::new(wake));
    let (sending, arrived) = RingBuffer::new(QUEUE);
    let (telling, told) = RingBuffer::new(QUEUE);
    let cycle = Cycle {
        shared: Arc::clone(&shared),
        arrived: sending,
        told: telling,
        inputs: Vec::new(),
        outputs: Vec::new(),
        clock: JackClock::of(client),
        frame_ns: frame_ns(period.rate_hz),
    };
    shared.period_is(period.frames);
    let (xruns, links) = (JackXruns::new(), Links::default());
    let notices = Notices { shared: Arc::clone(&shared), xruns, links, rate_hz: period.rate_hz };
    Ok((
        cycle,
        notices,
        Ends {
            shared,
            arrived,
            told,
            xruns: 0,
            xruns_before: 0,
            changed: Told::default(),
            outputs: Vec::new(),
        },
    ))
}

/// A port of the client for each input and output of the trial.
fn register(
    client: &Client,
    cycle: &mut Cycle,
    ends: &mut Ends,
    inputs: &[(u16, &str)],
    outputs: &[(u16, &str)],
) -> Result<(), jack::Error> {
    for (index, called) in inputs {
        cycle.inputs.push((Source::new(*index), client.register_port(called, MidiIn::default())?));
    }
    for (index, called) in outputs {
        let taken = inputs.iter().any(|(_, input)| input == called);
        let called = if taken { format!("{called} out") } else { (*called).to_owned() };
        let port = client.register_port(&called, MidiOut::default())?;
        let (output, waiting) = Output::new(*index);
        ends.outputs.push(output);
        cycle.outputs.push((port, waiting));
    }
    Ok(())
}

impl Port for JackPort {
    fn start(&mut self, origin: Nanos) {
        self.origin = origin;
        self.ends.xruns_before = self.ends.shared.xruns.count();
        self.ends.xruns = self.ends.xruns_before;
        self.ends.changed.start(&self.ends.shared.changes);
    }

    fn readiness(&self) -> Readiness<'_> {
        if self.incoming.is_empty() {
            return Readiness::Never;
        }
        Readiness::Descriptor(self.ends.shared.descriptor().as_fd())
    }

    fn read(&mut self, _now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        // Empty where nobody wrote.
        let _ = rustix::io::read(self.ends.shared.descriptor(), &mut [0_u8; 8]);
        for _ in 0..QUEUE {
            let Ok(message) = self.ends.arrived.pop() else { break };
            let bytes = message.bytes.get(..usize::from(message.len)).unwrap_or_default();
            let at = message.at - self.origin;
            let from = Origin { input: message.input, at, stamp: Stamp::AudioFrame };
            if let Some((_, half)) = self.incoming.iter_mut().find(|(i, _)| *i == message.input) {
                half.parse(bytes, from, arrived);
            }
        }
        if self.ends.shared.is_gone() { Err(PortError::Closed) } else { Ok(()) }
    }

    fn write(&mut self, action: &Action, _now: Nanos) -> Result<Written, PortError> {
        if action.message.is_none() {
            return Ok(Written::Now);
        }
        let deadline = action.deadline + self.origin;
        let began = self.ends.shared.began();
        let (gone, alone) = (self.ends.shared.is_gone(), self.ends.shared.lone.outputs());
        let mut output = self.ends.outputs.iter_mut().enumerate();
        let output = output.find(|(_, output)| output.index() == action.port);
        let heard = |place: usize| !gone && alone & bit(place) == 0;
        let result = match (output.filter(|(place, _)| heard(*place)), began) {
            (Some((_, output)), Some(began)) => {
                output.put(action, FrameTime::of(deadline, began, self.period))
            }
            // Where it is not known which frame is when, no frame is guessed: it is lost.
            (Some(_), None) => Err(PortError::Full),
            (None, _) => Err(PortError::Closed),
        };
        self.counts.note_sent(&result.map(|_| ()));
        result.map(|at| Written::At((at - self.origin).into()))
    }

    fn describe(&self) -> Description {
        Description::of_period(self.period)
    }

    fn finish(&mut self) {
        self.wait(|port| port.ends.outputs.iter().all(|output| output.waiting() == 0));
        // The period of the last message is under way.
        let Some((_, taken_in)) = self.ends.shared.began() else { return };
        let passed = |frame: u32| frame.wrapping_sub(taken_in) > self.period.frames;
        self.wait(|port| port.ends.shared.began().is_some_and(|(_, frame)| passed(frame)));
    }

    fn counts(&self) -> PortCounts {
        let mut counts = self.counts;
        for (_, half) in &self.incoming {
            let heard = half.counts();
            counts.received += heard.received;
            counts.early += heard.early;
            counts.invalid_bytes += heard.invalid_bytes;
            counts.sysex_bytes += heard.sysex_bytes;
            counts.sysex_beyond += heard.sysex_beyond;
            counts.realtime_bytes += heard.realtime_bytes;
            counts.system_common += heard.system_common;
        }
        let shared = &self.ends.shared;
        let long_bytes = shared.long_bytes.load(Relaxed);
        counts.sysex_bytes += long_bytes;
        counts.sysex_beyond += long_bytes;
        counts.lost += shared.lost_out.load(Relaxed);
        counts.overruns += shared.lost_in.load(Relaxed) + shared.untold.load(Relaxed);
        counts.xruns = shared.xruns.count() - self.ends.xruns_before;
        counts
    }

    fn server(&mut self) -> Option<&mut dyn ServerSide> {
        Some(self)
    }
}

impl ServerSide for JackPort {
    fn reports(&mut self, tell: &mut dyn FnMut(PortReport)) {
        let Ends { shared, xruns, changed, .. } = &mut self.ends;
        let (about, inputs) =
            ((&shared.changes, &shared.lone), self.incoming.iter().map(|(i, _)| *i));
        changed.tell(about, inputs, self.origin, tell);
        let xrun = |at: Nanos| tell(PortReport::Xrun(at - self.origin));
        self.counts.overruns += shared.xruns.tell_from(xruns, xrun);
        while let Ok((action, played)) = self.ends.told.pop() {
            let played = played.map(|at| (at - self.origin).into());
            tell(PortReport::Corrected(action, played));
        }
        if self.ends.shared.is_gone() && !self.gave_up {
            self.give_up(tell);
        }
    }

    fn ask_again(&mut self) -> Result<(), PortError> {
        let Some(client) = self.client.as_ref().filter(|_| !self.ends.shared.is_gone()) else {
            return Err(PortError::Closed);
        };
        self.period = period(client.client());
        self.ends.shared.period_is(self.period.frames);
        let alone = |port: &JackPort| {
            let Shared { lone, .. } = &*port.ends.shared;
            lone.inputs() | lone.outputs() != 0
        };
        if !alone(self) {
            return Ok(());
        }
        let own = (&self.ins[..], &self.outs[..]);
        link(client.client(), &self.name, own.0, own.1).map_err(|_| PortError::Closed)?;
        // Where others connect themselves, nobody can be made to: each trial says so.
        if self.name == JackName::Anybody || self.wait(|port| !alone(port)) {
            return Ok(());
        }
        Err(PortError::Closed)
    }
}

impl Drop for JackPort {
    /// Waits until the last note-offs are played, then leaves the server. Blocks.
    fn drop(&mut self) {
        self.finish();
        self.client = None;
    }
}
