//! [`JackPort`]: inputs and outputs of a trial as ports of a JACK client.
//!
//! Real-time contract: the trial's thread and the server's thread share two kinds of
//! wait-free queues and an eventfd; the only system call here is to read that.

use super::cycle::{Cycle, Notices, Passing, Shared, frame_ns};
use super::name::JackName;
use crate::incoming::{Incoming, Origin};
use crate::{Arrival, Port, PortCounts, PortError, Readiness, Stamp, Written};
use chronotap_engine::action::Action;
use chronotap_time::{MonotonicClock, Nanos, timespec};
use jack::{AsyncClient, Client, ClientOptions, MidiIn, MidiOut, PortFlags};
use rtrb::{Consumer, Producer, RingBuffer};
use rustix::event::{EventfdFlags, PollFd, eventfd, poll};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Messages in each queue.
const QUEUE: usize = 1_024;
/// How long a port that is closed waits for the last releases to go out.
const LAST_CHANCE: Nanos = Nanos::from_millis(500);

/// Why a JACK port could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum JackError {
    /// No library. Install it, or use another kind of port.
    #[error(
        "{name}: the JACK library (libjack.so.0) is not installed; install it (`sudo apt-get install libjack-jackd2-0` or `pipewire-jack`), or use an alsa: or seq: port"
    )]
    NoLibrary {
        /// As given.
        name: JackName,
    },
    /// No server answers. Start one as the same user.
    #[error(
        "{name}: no JACK server is running for this user; start one (`jackd -d alsa`), or run this program by `pw-jack`"
    )]
    NoServer {
        /// As given.
        name: JackName,
    },
    /// No port of that name sends, or takes, MIDI. Use one of those named.
    #[error("{name} is no port that {does} MIDI; present: {present}")]
    Unknown {
        /// As given.
        name: JackName,
        /// `sends` or `takes`.
        does: &'static str,
        /// Those that do.
        present: String,
    },
    /// The server refused. Its own log may say more.
    #[error("{name}: the server refused: {source}; is it still running?")]
    Refused {
        /// As given.
        name: JackName,
        /// What it said.
        source: jack::Error,
    },
    /// The system is out of descriptors. Ending other programs cures it.
    #[error("{name}: eventfd: {errno}")]
    System {
        /// As given.
        name: JackName,
        /// What the system answered.
        errno: rustix::io::Errno,
    },
}

/// A JACK client with a port for each of its inputs and outputs of the trial.
pub struct JackPort {
    client: Option<AsyncClient<Notices, Cycle>>,
    shared: Arc<Shared>,
    arrived: Consumer<Passing>,
    outputs: Vec<(u16, Producer<Passing>)>, // by output of the trial
    incoming: Vec<(u16, Incoming)>,         // by input of the trial
    origin: Nanos,
    frame_ns: f64,
    period: Nanos,
    counts: PortCounts,
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
        let wake = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)
            .map_err(|errno| JackError::System { name: name.clone(), errno })?;
        let shared = Arc::new(Shared::new(wake));
        let (sending, arrived) = RingBuffer::new(QUEUE);
        let frame_ns = frame_ns(client.sample_rate());
        let period = period(&client);
        let mut cycle = Cycle {
            shared: Arc::clone(&shared),
            arrived: sending,
            inputs: Vec::new(),
            outputs: Vec::new(),
            offset: offset(&client),
            frame_ns,
        };
        let mut queues = Vec::new();
        for (index, called) in inputs {
            let port = client.register_port(called, MidiIn::default()).map_err(refused)?;
            cycle.inputs.push((*index, port));
        }
        for (index, called) in outputs {
            let taken = inputs.iter().any(|(_, input)| input == called);
            let called = if taken { format!("{called} out") } else { (*called).to_owned() };
            let port = client.register_port(&called, MidiOut::default()).map_err(refused)?;
            let (queue, out) = RingBuffer::new(QUEUE);
            queues.push((*index, queue));
            cycle.outputs.push((port, out));
        }
        let ins: Vec<_> = cycle.inputs.iter().filter_map(|(_, port)| port.name().ok()).collect();
        let outs: Vec<_> = cycle.outputs.iter().filter_map(|(port, _)| port.name().ok()).collect();
        let client = client.activate_async(Notices(Arc::clone(&shared)), cycle).map_err(refused)?;
        link(client.as_client(), name, &ins, &outs)?;
        let incoming = inputs.iter().map(|(index, _)| (*index, Incoming::default())).collect();
        Ok(JackPort {
            client: Some(client),
            shared,
            arrived,
            outputs: queues,
            incoming,
            origin: Nanos::ZERO,
            frame_ns,
            period,
            counts: PortCounts::default(),
        })
    }

    /// The first frame not before `asked` + one period, its time and its number: when
    /// what is written now is heard. The period that is under way has been computed already.
    fn placed(&self, asked: Nanos) -> (Nanos, u32) {
        let (began, first) = self.shared.began();
        let due = asked + self.period;
        let frames = ((due - began).0 as f64 / self.frame_ns).ceil();
        let at = began + Nanos::round_from_f64(frames * self.frame_ns);
        (at, first.wrapping_add(frames as i64 as u32))
    }
}

/// The period of the JACK server that runs, if one does: what is written is heard so
/// much later.
pub fn jack_period() -> Option<Nanos> {
    connect(&JackName::Anybody).ok().map(|client| period(&client))
}

fn period(client: &Client) -> Nanos {
    Nanos::round_from_f64(f64::from(client.buffer_size()) * frame_ns(client.sample_rate()))
}

/// A client of the server, silent about its errors: they are told by [`JackError`].
pub(super) fn connect(name: &JackName) -> Result<Client, JackError> {
    if jack::jack_sys::library().is_err() {
        return Err(JackError::NoLibrary { name: name.clone() });
    }
    jack::set_logger(jack::LoggerType::None);
    let opened = Client::new("chronotap", ClientOptions::NO_START_SERVER);
    opened.map(|(client, _)| client).map_err(|_| JackError::NoServer { name: name.clone() })
}

/// The names of the MIDI ports that send (`IS_OUTPUT`) or take (`IS_INPUT`).
pub(super) fn midi_ports(client: &Client, flags: PortFlags) -> Vec<String> {
    client.ports(None, Some(jack::jack_sys::RAW_MIDI_TYPE), flags)
}

/// Connects the client's ports with those that the name means.
fn link(
    client: &Client,
    name: &JackName,
    ins: &[String],
    outs: &[String],
) -> Result<(), JackError> {
    let pairs: Vec<(String, String)> = match name {
        JackName::Anybody => Vec::new(),
        JackName::Loop => {
            ins.iter().flat_map(|i| outs.iter().map(|o| (o.clone(), i.clone()))).collect()
        }
        JackName::Peer(peer) => {
            if !ins.is_empty() {
                known(client, name, peer, PortFlags::IS_OUTPUT, "sends")?;
            }
            if !outs.is_empty() {
                known(client, name, peer, PortFlags::IS_INPUT, "takes")?;
            }
            let from = ins.iter().map(|i| (peer.clone(), i.clone()));
            from.chain(outs.iter().map(|o| (o.clone(), peer.clone()))).collect()
        }
    };
    let refused = |source| JackError::Refused { name: name.clone(), source };
    pairs.iter().try_for_each(|(from, to)| client.connect_ports_by_name(from, to).map_err(refused))
}

fn known(
    client: &Client,
    name: &JackName,
    peer: &str,
    flags: PortFlags,
    does: &'static str,
) -> Result<(), JackError> {
    let mut present = midi_ports(client, flags);
    if present.iter().any(|port| port == peer) {
        return Ok(());
    }
    present.retain(|port| !client.port_by_name(port).is_some_and(|port| client.is_mine(&port)));
    let present = if present.is_empty() { "none".into() } else { present.join(", ") };
    Err(JackError::Unknown { name: name.clone(), does, present })
}

/// Raw CLOCK_MONOTONIC minus the server's clock, from the closest of some looks. Both
/// are the same clock on Linux; then what is left is less than its microsecond.
fn offset(client: &Client) -> Nanos {
    let look = |_| {
        let before = MonotonicClock::raw();
        let server = Nanos::from_micros(client.time() as i64);
        let after = MonotonicClock::raw();
        (after - before, before + (after - before) / 2 - server)
    };
    let closest = (0..16).map(look).min_by_key(|(width, _)| *width);
    let offset = closest.map_or(Nanos::ZERO, |(_, offset)| offset);
    if offset.abs() < Nanos::from_micros(5) { Nanos::ZERO } else { offset }
}

impl Port for JackPort {
    fn start(&mut self, origin: Nanos) {
        self.origin = origin;
    }

    fn readiness(&self) -> Readiness<'_> {
        if self.incoming.is_empty() {
            return Readiness::Never;
        }
        Readiness::Descriptor(self.shared.wake.as_fd())
    }

    fn read(&mut self, _now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        let _ = rustix::io::read(&self.shared.wake, &mut [0_u8; 8]); // empty where nobody wrote
        for _ in 0..QUEUE {
            let Ok(message) = self.arrived.pop() else { break };
            let bytes = message.bytes.get(..usize::from(message.len)).unwrap_or_default();
            let at = message.at - self.origin;
            let from = Origin { input: message.input, at, stamp: Stamp::AudioFrame };
            if let Some((_, half)) = self.incoming.iter_mut().find(|(i, _)| *i == message.input) {
                half.parse(bytes, from, arrived);
            }
        }
        if self.shared.gone.load(Relaxed) { Err(PortError::Closed) } else { Ok(()) }
    }

    fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        let Some(message) = action.message else { return Ok(Written::Now) };
        if self.shared.gone.load(Relaxed) {
            return Err(PortError::Closed);
        }
        let (at, frame) = self.placed(now + self.origin);
        let (bytes, len) = message.encode();
        let passing = Passing { input: 0, at, frame, bytes, len: len as u8 };
        let queue = self.outputs.iter_mut().find(|(output, _)| *output == action.port);
        let pushed = queue.is_some_and(|(_, queue)| queue.push(passing).is_ok());
        let result = if pushed { Ok(()) } else { Err(PortError::Full) };
        self.counts.note_sent(&result);
        result.map(|()| Written::At(at - self.origin))
    }

    fn counts(&self) -> PortCounts {
        let mut counts = self.counts;
        for (_, half) in &self.incoming {
            let heard = half.counts();
            counts.received += heard.received;
            counts.early += heard.early;
            counts.invalid_bytes += heard.invalid_bytes;
            counts.realtime_bytes += heard.realtime_bytes;
            counts.system_common += heard.system_common;
        }
        counts.sysex_bytes = self.shared.long_bytes.load(Relaxed);
        counts.lost += self.shared.lost_out.load(Relaxed);
        counts.overruns = self.shared.lost_in.load(Relaxed);
        counts.xruns = self.shared.xruns.load(Relaxed);
        counts
    }
}

impl Drop for JackPort {
    /// Lets the last releases go out, then leaves the server. Blocks.
    fn drop(&mut self) {
        let end = MonotonicClock::raw() + LAST_CHANCE;
        let unsent = |port: &JackPort| port.outputs.iter().any(|(_, queue)| queue.slots() < QUEUE);
        let mut more = 2; // periods after the last message was taken
        while more > 0 && MonotonicClock::raw() < end && !self.shared.gone.load(Relaxed) {
            more -= i32::from(!unsent(self));
            let nothing: &mut [PollFd<'_>] = &mut [];
            let _ = poll(nothing, Some(&timespec(self.period)));
        }
        self.client = None;
    }
}
