//! [`SequencerPort`]: inputs and outputs of a trial as ports of the ALSA sequencer, so
//! that they can be connected with other programs as well as with devices.
//!
//! Output goes out directly, in the real-time thread's own write: the sequencer's
//! queue would hold it back to its next tick, up to 1 ms. Input is stamped by a
//! queue that runs for that purpose alone, whose time [`QueueClock`] translates by a
//! look at it after reading.
//!
//! Real-time contract: descriptors do not block; fixed buffers inside the port; at
//! most five system calls for each of [`READS`] reads.

use super::abi::Address;
use super::client::{Client, INPUT_POOL};
use super::error::{SequencerError, refusal};
use super::event::{self, Brought, Bytes, EVENT_BYTES};
use super::links::{Link, Links, Own};
use super::name::{Peer, SequencerName};
use super::queue::{Look, QueueClock};
use crate::cards::bit;
use crate::clocks::MonotonicClock;
use crate::ports::changed::Told;
use crate::ports::incoming::{Incoming, Origin};
use crate::ports::outgoing::{Outgoing, failure};
use crate::ports::stream::READS;
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::signal::{
    Arrival, Port, PortCounts, PortError, PortReport, Readiness, ServerSide, Stamp, Written,
};
use rustix::io::Errno;
use std::ops::Range;
use std::os::fd::AsFd;

/// Sequencer ports of a trial, opened: one for each of its inputs and outputs that
/// are bound to the same name.
pub struct SequencerPort {
    client: Client,
    queue: Option<u8>,
    inputs: Vec<(u8, u16)>,  // port of this client, input of the trial
    sysex: Vec<Incoming>,    // of each input its system exclusive messages
    outputs: Vec<(u16, u8)>, // output of the trial, port of this client
    peer: Option<Address>,
    queue_clock: QueueClock,
    clock: Option<MonotonicClock>, // once the trial has started
    closed: bool,
    links: Links,
    changed: Told,
    origin: Nanos,
    events: Box<[u8]>,
    outgoing: Outgoing,
    counts: PortCounts,
}

/// As many events as the pool of this client holds, and so the longest system exclusive message
/// that can come: the kernel hands over an event with all its bytes or, where there is no room
/// for them, none at all ever again.
const READ_BYTES: usize = INPUT_POOL as usize * EVENT_BYTES;

impl SequencerPort {
    /// Makes a client named Chronotap with a port for each of `inputs` and `outputs`
    /// (index in the trial and name), and connects them all with the port meant by
    /// `name`, if any.
    ///
    /// # Errors
    /// Says what is missing, who may open it or what is present; see
    /// [`SequencerError`].
    pub fn open(
        name: &SequencerName,
        inputs: &[(u16, &str)],
        outputs: &[(u16, &str)],
    ) -> Result<SequencerPort, SequencerError> {
        let client = Client::open().map_err(|errno| refusal(name, errno))?;
        let peers = client.peers();
        let peer = name.find(&peers, !inputs.is_empty(), !outputs.is_empty())?;
        let peer = peer.map(|peer: &Peer| peer.address);
        let mut port = SequencerPort::over(client, peer);
        let system = |call| move |errno| SequencerError::System { name: name.clone(), call, errno };
        port.introduce(!inputs.is_empty()).map_err(system("introducing this program"))?;
        port.make_ports(inputs, outputs).map_err(system("making a port"))?;
        port.connect().map_err(|errno| SequencerError::Connection { name: name.clone(), errno })?;
        Ok(port)
    }

    /// Whether the kernel stamps what comes in; otherwise the program does.
    pub fn has_kernel_stamps(&self) -> bool {
        self.queue.is_some()
    }

    fn over(client: Client, peer: Option<Address>) -> SequencerPort {
        SequencerPort {
            client,
            queue: None,
            inputs: Vec::new(),
            sysex: Vec::new(),
            outputs: Vec::new(),
            peer,
            queue_clock: QueueClock::default(),
            clock: None,
            closed: false,
            links: Links::new(),
            changed: Told::default(),
            origin: Nanos::ZERO,
            events: vec![0; READ_BYTES].into(),
            outgoing: Outgoing::new(),
            counts: PortCounts::default(),
        }
    }

    fn introduce(&mut self, stamps: bool) -> rustix::io::Result<()> {
        self.client.introduce("Chronotap")?;
        if stamps {
            self.queue = self.client.running_queue()?;
        }
        Ok(())
    }

    fn make_ports(
        &mut self,
        inputs: &[(u16, &str)],
        outputs: &[(u16, &str)],
    ) -> rustix::io::Result<()> {
        for (input, name) in inputs {
            self.inputs.push((self.client.input_port(name, self.queue)?.port, *input));
            self.sysex.push(Incoming::default());
        }
        for (output, name) in outputs {
            self.outputs.push((*output, self.client.output_port(name)?.port));
        }
        Ok(())
    }

    fn connect(&self) -> rustix::io::Result<()> {
        self.client.listen_to_announcements()?;
        let Some(peer) = self.peer else { return Ok(()) };
        for (port, _) in &self.inputs {
            self.client.connect(peer, self.client.address(*port))?;
        }
        for (_, port) in &self.outputs {
            self.client.connect(self.client.address(*port), peer)?;
        }
        Ok(())
    }

    /// Reads until there is no more, or [`READS`] times.
    fn read_all(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        for _ in 0..READS {
            match rustix::io::read(&self.client, &mut self.events[..]) {
                Ok(len) => {
                    self.take(len, now, arrived);
                    if len < READ_BYTES {
                        break;
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // Everything that waited was thrown away.
                Err(Errno::NOSPC) => self.counts.overruns += 1,
                Err(errno) => return Err(failure(errno)),
            }
        }
        if self.closed { Err(PortError::Closed) } else { Ok(()) }
    }

    fn take(&mut self, len: usize, now: Nanos, arrived: &mut dyn FnMut(Arrival)) {
        let look = self.look();
        let mut at = 0;
        while at + EVENT_BYTES <= len {
            let mut event = [0; EVENT_BYTES];
            event.copy_from_slice(&self.events[at..at + EVENT_BYTES]);
            self.hear(&event, look, now, arrived);
            let (data, following) = (at + EVENT_BYTES, event::following(&event));
            if following > 0 {
                self.hear_sysex(&event, data..(data + following).min(len), look, now, arrived);
            }
            at = data + EVENT_BYTES * following.div_ceil(EVENT_BYTES);
        }
    }

    fn hear(
        &mut self,
        event: &Bytes,
        look: Option<Look>,
        now: Nanos,
        arrived: &mut dyn FnMut(Arrival),
    ) {
        match event::brought(event) {
            Brought::Message(message) => {
                let Some((_, from)) = self.origin(event, look, now) else { return };
                let Origin { input, at, stamp } = from;
                if at < Nanos::ZERO {
                    self.counts.early += 1;
                    return;
                }
                self.counts.received += 1;
                arrived(Arrival { input, at, stamp, message });
            }
            Brought::RealTime => self.counts.realtime_bytes += 1,
            Brought::Common => self.counts.system_common += 1,
            Brought::Exclusive(bytes) => self.counts.sysex_bytes += bytes as u64,
            Brought::PortGone(address) => {
                self.closed |= self.peer == Some(address);
                self.links.gone(|port| port == address, MonotonicClock::raw());
            }
            Brought::ClientGone(client) => {
                self.closed |= self.peer.is_some_and(|peer| peer.client == client);
                self.links.gone(|port| port.client == client, MonotonicClock::raw());
            }
            Brought::Made(link) => {
                if let Some(own) = self.own_of(link) {
                    self.links.made(link, own, MonotonicClock::raw());
                }
            }
            // Of a port that is to be connected with one other, that connection is all it has.
            Brought::Parted(link) => {
                let parted = self.links.parted(link, MonotonicClock::raw());
                let ours = parted || self.own_of(link).is_some();
                let with = |peer| link.sender == peer || link.dest == peer;
                self.closed |= ours && self.peer.is_some_and(with);
            }
            Brought::Nothing => {}
        }
    }

    /// Which of the trial's ports a connection has.
    fn own_of(&self, link: Link) -> Option<Own> {
        let address = |port: &u8| self.client.address(*port);
        let takes = self.inputs.iter().position(|(port, _)| address(port) == link.dest);
        let sends = self.outputs.iter().position(|(_, port)| address(port) == link.sender);
        let input = takes.map(|place| Own { address: link.dest, place, takes: true });
        input.or_else(|| sends.map(|place| Own { address: link.sender, place, takes: false }))
    }

    /// Hands over the parts of a system exclusive message, which lies behind its event.
    fn hear_sysex(
        &mut self,
        event: &Bytes,
        data: Range<usize>,
        look: Option<Look>,
        now: Nanos,
        arrived: &mut dyn FnMut(Arrival),
    ) {
        let is_sysex = matches!(event::brought(event), Brought::Exclusive(_));
        let Some((place, from)) = self.origin(event, look, now).filter(|_| is_sysex) else {
            return;
        };
        let (Some(data), Some(sysex)) = (self.events.get(data), self.sysex.get_mut(place)) else {
            return;
        };
        sysex.parse_sysex(data, from, arrived);
    }

    /// Which of the inputs an event came to, and its time.
    fn origin(&self, event: &Bytes, look: Option<Look>, now: Nanos) -> Option<(usize, Origin)> {
        let port = event::destination(event);
        let place = self.inputs.iter().position(|(own, _)| *own == port)?;
        let (at, stamp) = self.time(event, look).unwrap_or((now, Stamp::UserSpace));
        Some((place, Origin { input: self.inputs[place].1, at, stamp }))
    }

    /// The stamp of the kernel in trial time.
    fn time(&self, event: &Bytes, look: Option<Look>) -> Option<(Nanos, Stamp)> {
        let (look, clock, stamp) = (look?, self.clock?, event::stamp(event)?);
        Some((clock.from_raw(self.queue_clock.when(stamp, look)), Stamp::Kernel))
    }

    /// The queue's time in the middle between two readings of the clock. What comes between these, such as an
    /// interrupt, moves their middle: then it is looked again, at most twice, and the closest two count.
    fn look(&mut self) -> Option<Look> {
        let (mut look, mut apart) = self.look_once()?;
        for _ in 0..2 {
            if !self.queue_clock.is_wide(apart) {
                break;
            }
            let again = self.look_once()?;
            if again.1 < apart {
                (look, apart) = again;
            }
        }
        self.queue_clock.seen(look);
        Some(look)
    }

    /// A look, and how far apart the two readings of the clock are.
    fn look_once(&self) -> Option<(Look, Nanos)> {
        let before = MonotonicClock::raw();
        let status = self.client.queue_status(self.queue?).ok()?;
        let apart = MonotonicClock::raw() - before;
        let queue = Nanos::from_secs(status.seconds.into()) + Nanos(status.nanoseconds.into());
        Some((Look { queue, monotonic: before + apart / 2 }, apart))
    }
}

impl Port for SequencerPort {
    fn start(&mut self, origin: Nanos) {
        self.clock = Some(MonotonicClock::since(origin));
        self.origin = origin;
        self.changed.start(&self.links.changes);
        let _ = self.look(); // none without a queue
        if self.queue.is_none() {
            // Nothing tells their age, but all that waits came before.
            let _ = self.read_all(Nanos(-1), &mut |_| {});
        }
    }

    fn readiness(&self) -> Readiness<'_> {
        if self.closed || self.inputs.is_empty() {
            return Readiness::Never;
        }
        Readiness::Descriptor(self.client.as_fd())
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        // Left-over output goes on whenever the port is served; its errors show at
        // the next write.
        let _ = self.outgoing.flush(&self.client);
        if self.closed {
            return Err(PortError::Closed);
        }
        self.read_all(now, arrived)
    }

    fn write(&mut self, action: &Action, _now: Nanos) -> Result<Written, PortError> {
        let Some(message) = action.message else { return Ok(Written::Now) };
        let result = self.send(message, action);
        self.counts.note_sent(&result);
        result.map(|()| Written::Now)
    }

    fn counts(&self) -> PortCounts {
        let beyond = self.sysex.iter().map(|sysex| sysex.counts().sysex_beyond).sum();
        PortCounts { sysex_beyond: beyond, ..self.counts }
    }

    fn server(&mut self) -> Option<&mut dyn ServerSide> {
        Some(self)
    }
}

impl ServerSide for SequencerPort {
    fn reports(&mut self, tell: &mut dyn FnMut(PortReport)) {
        let about = (&self.links.changes, &self.links.lone);
        // Of a port that is closed reading says it for each input, and nothing says it twice: a trial counts how often
        // an input went and came back.
        let inputs = self.inputs.iter().map(|(_, input)| *input).filter(|_| !self.closed);
        self.changed.tell(about, inputs, self.origin, tell);
    }

    /// Hears whether the peer has left, of which nobody told since the last trial.
    fn ask_again(&mut self) -> Result<(), PortError> {
        if self.inputs.is_empty() {
            let _ = self.read_all(Nanos(-1), &mut |_| {});
        }
        if self.closed { Err(PortError::Closed) } else { Ok(()) }
    }
}

impl SequencerPort {
    fn send(
        &mut self,
        message: chronotap_core::midi::Message,
        action: &Action,
    ) -> Result<(), PortError> {
        let place = self.outputs.iter().position(|(output, _)| *output == action.port);
        let place = place.ok_or(PortError::Closed)?;
        let (_, port) = &self.outputs[place];
        let Some(event) = event::carrying(message, *port) else { return Ok(()) };
        self.outgoing.send_bytes(&self.client, &event, action.kind == ActionKind::ToneOff)?;
        if self.inputs.is_empty() {
            // Nobody waits for this port's input: hear here whether the peer has left,
            // after the write, which must not wait for it.
            let _ = self.read_all(Nanos::ZERO, &mut |_| {});
        }
        let heard = !self.closed && self.links.lone.outputs() & bit(place) == 0;
        if heard { Ok(()) } else { Err(PortError::Closed) }
    }
}

impl Drop for SequencerPort {
    fn drop(&mut self) {
        self.outgoing.last_chance(&self.client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;
    use chronotap_core::midi::{Channel, Message, U7};
    use chronotap_engine::action::OutsideChange;
    use chronotap_engine::perturbation::Perturbation;
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
    use std::os::fd::OwnedFd;

    const PEER: Address = Address { client: 24, port: 0 };

    /// A port with two inputs and an output over a socket in place of the sequencer.
    fn port() -> (SequencerPort, OwnedFd) {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let (near, far) = socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None).unwrap();
        let mut port = SequencerPort::over(Client::over(near, 128), Some(PEER));
        port.inputs = vec![(0, 5), (1, 6)];
        port.sysex = vec![Incoming::default(), Incoming::default()];
        port.outputs = vec![(2, 2)];
        (port, far)
    }

    fn note(to: u8) -> Bytes {
        let (note, velocity) = (U7::from_byte(60), U7::from_byte(90));
        let note = Message::NoteOn { channel: Channel::ONE, note, velocity };
        let mut event = event::carrying(note, 0).unwrap();
        event[15] = to;
        event
    }

    #[test]
    fn events_come_to_the_input_whose_port_they_were_sent_to() {
        let (mut port, far) = port();
        for to in [1, 0, 9] {
            rustix::io::write(&far, &note(to)).unwrap();
        }
        let mut arrived = Vec::new();
        port.read(Nanos(7), &mut |a| arrived.push((a.input, a.at, a.stamp))).unwrap();
        let program = |input| (input, Nanos(7), Stamp::UserSpace);
        assert_eq!(arrived, [program(6), program(5)]);
    }

    #[test]
    fn a_system_exclusive_message_is_counted_and_its_bytes_are_no_events() {
        let (mut port, far) = port();
        let mut sysex = [0; EVENT_BYTES];
        (sysex[0], sysex[1], sysex[16]) = (130, 1 << 2, 40); // 40 bytes, in two events
        rustix::io::write(&far, &sysex).unwrap();
        rustix::io::write(&far, &note(0)).unwrap(); // as data, of which nothing is heard
        rustix::io::write(&far, &note(0)).unwrap();
        rustix::io::write(&far, &note(1)).unwrap();
        let mut arrived = Vec::new();
        port.read(Nanos(7), &mut |arrival| arrived.push(arrival.input)).unwrap();
        assert_eq!((arrived, port.counts().sysex_bytes), (vec![6], 40));
    }

    /// What a program sends that gives the sequencer a system exclusive message in one piece.
    fn sysex(to: u8, data: &[u8]) -> Vec<u8> {
        let mut event = [0; EVENT_BYTES];
        (event[0], event[1], event[15]) = (130, 1 << 2, to);
        event[16..20].copy_from_slice(&u32::try_from(data.len()).unwrap().to_ne_bytes());
        let mut bytes = event.to_vec();
        bytes.extend_from_slice(data);
        bytes.resize(EVENT_BYTES * (1 + data.len().div_ceil(EVENT_BYTES)), 0xff);
        bytes
    }

    fn parts(port: &mut SequencerPort) -> Vec<(u16, Vec<u8>)> {
        let mut all = Vec::new();
        port.read(Nanos(7), &mut |arrival| {
            let (bytes, len) = arrival.message.bytes();
            all.push((arrival.input, bytes[..len].to_vec()));
        })
        .unwrap();
        all
    }

    #[test]
    fn a_system_exclusive_message_comes_in_parts_also_where_it_fills_several_events() {
        let (mut port, far) = port();
        // The kernel hands over what a device sends in pieces, each in an event of its own.
        rustix::io::write(&far, &sysex(1, &[0xf0, 1, 2])).unwrap();
        rustix::io::write(&far, &note(0)).unwrap();
        rustix::io::write(&far, &sysex(1, &[3; 14])).unwrap();
        rustix::io::write(&far, &sysex(1, &[4, 0xf7])).unwrap();
        let mut first = vec![0xf0, 1, 2];
        first.extend([3; 13]);
        let note = (5, vec![0x90, 60, 90]);
        assert_eq!(parts(&mut port), [note, (6, first), (6, vec![3, 4, 0xf7])]);
        assert_eq!(port.counts().sysex_bytes, 19);
    }

    #[test]
    fn the_longest_message_that_the_pool_holds_is_read_and_the_next_after_it() {
        let (mut port, far) = port();
        let mut data = vec![1; 1_999 * EVENT_BYTES];
        (data[0], *data.last_mut().unwrap()) = (0xf0, 0xf7);
        let whole = sysex(0, &data);
        assert!(whole.len() <= port.events.len());
        rustix::io::write(&far, &whole).unwrap();
        rustix::io::write(&far, &note(0)).unwrap();
        let heard = parts(&mut port);
        assert_eq!((heard.len(), heard.last().unwrap().1.len()), (257, 3));
        assert_eq!(port.counts().sysex_beyond, data.len() as u64 - 4_096);
    }

    #[test]
    fn a_peer_that_leaves_closes_the_port_after_its_last_message() {
        let (mut port, far) = port();
        let mut exit = [0; EVENT_BYTES];
        (exit[0], exit[16], exit[17]) = (65, PEER.client, PEER.port);
        rustix::io::write(&far, &note(0)).unwrap();
        rustix::io::write(&far, &exit).unwrap();
        let mut arrived = 0;
        assert_eq!(port.read(Nanos(7), &mut |_| arrived += 1), Err(PortError::Closed));
        assert_eq!(arrived, 1);
        assert!(matches!(port.readiness(), Readiness::Never));
    }

    /// What the sequencer announces of a connection.
    fn announced(kind: u8, sender: Address, dest: Address) -> Bytes {
        let mut event = [0; EVENT_BYTES];
        (event[0], event[16], event[17]) = (kind, sender.client, sender.port);
        (event[18], event[19]) = (dest.client, dest.port);
        event
    }

    #[test]
    fn a_connection_that_is_taken_away_closes_the_port_and_that_of_others_does_not() {
        let (mut port, far) = port();
        let own = Address { client: 128, port: 0 };
        let elsewhere = Address { client: 130, port: 0 };
        rustix::io::write(&far, &announced(66, PEER, own)).unwrap();
        rustix::io::write(&far, &announced(67, PEER, elsewhere)).unwrap();
        assert_eq!(port.read(Nanos(7), &mut |_| ()), Ok(()));
        rustix::io::write(&far, &announced(67, PEER, own)).unwrap();
        assert_eq!(port.read(Nanos(7), &mut |_| ()), Err(PortError::Closed));
    }

    #[test]
    fn that_a_port_is_closed_is_said_by_reading_alone() {
        let (mut port, far) = port();
        let own = Address { client: 128, port: 0 };
        rustix::io::write(&far, &announced(66, PEER, own)).unwrap();
        assert_eq!(port.read(Nanos(7), &mut |_| ()), Ok(()));
        port.start(Nanos::ZERO);
        rustix::io::write(&far, &announced(67, PEER, own)).unwrap();
        assert_eq!(port.read(Nanos(7), &mut |_| ()), Err(PortError::Closed));
        let mut told = Vec::new();
        port.reports(&mut |one| told.push(one));
        let [PortReport::Changed(_, change)] = told[..] else { panic!("{told:?}") };
        assert_eq!(change, OutsideChange::Disconnected);
    }

    #[test]
    fn where_others_connect_themselves_an_input_is_unlinked_and_linked_again() {
        let (mut port, far) = port();
        port.peer = None;
        let own = Address { client: 128, port: 1 };
        let mut after = |kind| {
            rustix::io::write(&far, &announced(kind, PEER, own)).unwrap();
            let mut told = Vec::new();
            assert_no_alloc(|| assert_eq!(port.read(Nanos(7), &mut |_| ()), Ok(())));
            port.reports(&mut |one| told.push(one));
            told
        };
        assert_eq!(after(66), [], "before the first trial");
        port.start(Nanos::ZERO);
        let mut after = |kind| {
            rustix::io::write(&far, &announced(kind, PEER, own)).unwrap();
            let mut told = Vec::new();
            assert_no_alloc(|| assert_eq!(port.read(Nanos(7), &mut |_| ()), Ok(())));
            port.reports(&mut |one| told.push(one));
            told
        };
        let parted = after(67);
        let changed = |change| move |one: &PortReport| matches!(one, PortReport::Changed(_, it) if *it == change);
        assert!(parted.iter().any(changed(OutsideChange::Disconnected)), "{parted:?}");
        let unlinked = parted.iter().filter(|one| matches!(one, PortReport::Unlinked(..)));
        assert!(unlinked.copied().all(|one| matches!(one, PortReport::Unlinked(6, _))));
        assert!(parted.iter().any(|one| matches!(one, PortReport::Unlinked(6, _))), "{parted:?}");
        let joined = after(66);
        assert!(joined.iter().any(|one| matches!(one, PortReport::Linked(6, _))), "{joined:?}");
    }

    #[test]
    fn neither_reading_nor_writing_allocates() {
        let (mut port, far) = port();
        let (deadline, instant) = (Nanos::ZERO, Nanos::ZERO);
        let kind = ActionKind::Pacing(0);
        let message = match event::brought(&note(0)) {
            Brought::Message(message) => Some(message),
            _ => None,
        };
        let action = Action {
            id: 1,
            kind,
            number: 1,
            cause: 0,
            deadline,
            instant,
            port: 2,
            message,
            perturbation: Perturbation::NONE,
        };
        let (mut arrived, mut buffer) = (0u32, [0; EVENT_BYTES]);
        assert_no_alloc(|| {
            for n in 0..200 {
                rustix::io::write(&far, &note(0)).unwrap();
                port.read(Nanos(n), &mut |_| arrived += 1).unwrap();
                port.write(&action, Nanos(n)).unwrap();
                rustix::io::read(&far, &mut buffer).unwrap();
            }
        });
        assert_eq!((arrived, port.counts().sent), (200, 200));
        assert_eq!(event::destination(&buffer), 253);
    }
}
