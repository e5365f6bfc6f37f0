//! [`Client`]: this program among the clients of the ALSA sequencer: opening it,
//! making ports, connecting them, and seeing who else is there. Set-up only.

use super::abi::{
    self, Address, ClientInfo, ClientPool, Plain, PortInfo, QueueInfo, QueueStatus, QueueTimer,
};
use super::event::{self, EVENT_BYTES};
use super::name::Peer;
use super::queue::TICKS_PER_SECOND;
use crate::ports::alsa::text;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, Result};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The device of the sequencer.
pub(crate) const DEVICE: &str = "/dev/snd/seq";
/// Events that may wait to be read; the most that the kernel allows.
pub(super) const INPUT_POOL: i32 = 2_000;
/// Events that may wait to be sent; directly sent ones never do.
const OUTPUT_POOL: i32 = 64;

/// An open sequencer.
#[derive(Debug)]
pub(crate) struct Client {
    device: OwnedFd,
    number: u8,
}

impl AsFd for Client {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}

impl Client {
    /// Opens the sequencer; reads and writes will not block.
    pub(crate) fn open() -> Result<Client> {
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let device = open(DEVICE, flags, Mode::empty())?;
        let number = u8::try_from(abi::client_id(&device)?).map_err(|_| Errno::RANGE)?;
        Ok(Client { device, number })
    }

    /// A client over something else that is open, for tests.
    #[cfg(test)]
    pub(crate) fn over(device: OwnedFd, number: u8) -> Client {
        Client { device, number }
    }

    /// Takes a name, room for events, and a filter that lets no event of variable
    /// length pass (system exclusive), since one that is longer than the reader's
    /// buffer would block the others behind it.
    pub(crate) fn introduce(&self, name: &str) -> Result<()> {
        let mut info = ClientInfo { client: self.number.into(), ..ClientInfo::zeroed() };
        abi::client_info(self, &mut info)?;
        info.name = abi::field(name);
        info.filter |= abi::FILTER_USE_EVENT;
        info.event_filter = [0; 32];
        info.event_filter[..16].fill(0xff); // types 0 to 127; the rest has variable length
        abi::set_client_info(self, info)?;
        let mut pool = ClientPool { client: self.number.into(), ..ClientPool::zeroed() };
        abi::client_pool(self, &mut pool)?;
        (pool.input_pool, pool.output_pool, pool.output_room) = (INPUT_POOL, OUTPUT_POOL, 1);
        abi::set_client_pool(self, pool)
    }

    /// Makes a port that takes what others send, stamped by `queue` where there is one.
    pub(crate) fn input_port(&self, name: &str, queue: Option<u8>) -> Result<Address> {
        let capability = abi::CAP_WRITE | abi::CAP_SUBS_WRITE;
        let flags = if queue.is_some() { abi::FLAG_REAL_TIME_STAMPS } else { 0 };
        let time_queue = queue.unwrap_or(0);
        self.port(PortInfo { flags, time_queue, ..port_info(name, capability) })
    }

    /// Makes a port that sends to others.
    pub(crate) fn output_port(&self, name: &str) -> Result<Address> {
        self.port(port_info(name, abi::CAP_READ | abi::CAP_SUBS_READ))
    }

    /// Makes a private port that hears who comes and goes.
    pub(crate) fn listen_to_announcements(&self) -> Result<()> {
        let private = abi::CAP_WRITE | abi::CAP_NO_EXPORT;
        let port = self.port(port_info("announcements", private))?;
        self.connect(abi::ANNOUNCE, port)
    }

    fn port(&self, mut info: PortInfo) -> Result<Address> {
        info.address.client = self.number;
        abi::create_port(self, &mut info)?;
        Ok(info.address)
    }

    /// The address of a port of this client.
    pub(crate) fn address(&self, port: u8) -> Address {
        Address { client: self.number, port }
    }

    /// What `sender` sends goes to `dest`.
    pub(crate) fn connect(&self, sender: Address, dest: Address) -> Result<()> {
        abi::subscribe(self, sender, dest)
    }

    /// Makes a queue that ticks ten times a second, and starts it; `None` where it does not run, so that it can
    /// stamp nothing.
    pub(crate) fn running_queue(&self) -> Result<Option<u8>> {
        let (owner, name) = (self.number.into(), abi::field("Chronotap"));
        let mut info = QueueInfo { owner, locked: 1, name, ..QueueInfo::zeroed() };
        abi::create_queue(self, &mut info)?;
        let queue = u8::try_from(info.queue).map_err(|_| Errno::RANGE)?;
        self.tick_seldom(queue)?;
        if rustix::io::write(self, &event::starting(queue))? != EVENT_BYTES {
            return Err(Errno::IO);
        }
        let status = self.queue_status(queue)?;
        Ok((status.running != 0 && (status.seconds, status.nanoseconds) > (0, 0)).then_some(queue))
    }

    /// Nothing is ever scheduled on the queue, so its ticks are interrupts for nothing.
    fn tick_seldom(&self, queue: u8) -> Result<()> {
        let mut timer = QueueTimer { queue: queue.into(), ..QueueTimer::zeroed() };
        abi::queue_timer(self, &mut timer)?;
        timer.ticks_per_second = TICKS_PER_SECOND;
        abi::set_queue_timer(self, timer)
    }

    /// State and time of a queue.
    pub(crate) fn queue_status(&self, queue: u8) -> Result<QueueStatus> {
        let mut status = QueueStatus { queue: queue.into(), ..QueueStatus::zeroed() };
        abi::queue_status(self, &mut status)?;
        Ok(status)
    }

    /// Everybody else's ports that a trial could be connected with.
    pub(crate) fn peers(&self) -> Vec<Peer> {
        let mut peers = Vec::new();
        let mut info = ClientInfo { client: -1, ..ClientInfo::zeroed() };
        while abi::next_client(self, &mut info).is_ok() {
            let Ok(client) = u8::try_from(info.client) else { break };
            if client != self.number && client != abi::SYSTEM.client {
                self.ports_of(client, &text(&info.name), &mut peers);
            }
        }
        peers
    }

    fn ports_of(&self, client: u8, client_name: &str, peers: &mut Vec<Peer>) {
        // The next port after 255 is 0.
        let before_first = Address { client, port: 255 };
        let mut info = PortInfo { address: before_first, ..PortInfo::zeroed() };
        while abi::next_port(self, &mut info).is_ok() {
            let can = |all: u32| info.capability & all == all;
            let sends = can(abi::CAP_READ | abi::CAP_SUBS_READ);
            let takes = can(abi::CAP_WRITE | abi::CAP_SUBS_WRITE);
            if (sends || takes) && !can(abi::CAP_NO_EXPORT) {
                peers.push(Peer {
                    address: info.address,
                    client_name: client_name.to_owned(),
                    port_name: text(&info.name),
                    sends,
                    takes,
                });
            }
        }
    }
}

fn port_info(name: &str, capability: u32) -> PortInfo {
    let (name, kind) = (abi::field(name), abi::TYPE_APPLICATION);
    PortInfo { name, capability, kind, midi_channels: 16, ..PortInfo::zeroed() }
}
