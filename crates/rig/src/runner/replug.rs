//! Ports that were lost in mid-trial and come back.
//!
//! Background: opening a device allocates, reads tables of the system and may
//! block; closing one may wait for its driver. None of that may happen in the
//! real-time thread.
//! Solution: an ordinary thread, the [`Supervisor`], gets the lost port to close it,
//! tries four times a second to open the same name again, and hands the new port
//! over through a queue that never blocks. The real-time thread keeps only the
//! [`Replug`]: two ends of queues.
//! Why it works: at most one port per place is under way in each direction, so the
//! queues are never full; should one be, the port is leaked rather than closed.

use chronotap_trial::{MOST_PORTS, Ports, Reopen};

use chronotap_engine::signal::{Port, Readiness};
use rtrb::{Consumer, Producer, RingBuffer};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::time::Timespec;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// How often a lost port is looked for.
const EVERY: Duration = Duration::from_millis(250);

/// A port that was opened again.
pub(crate) struct Fresh {
    /// Which of the rig.
    pub(crate) index: usize,
    /// The port; not started.
    pub(crate) port: Box<dyn Port>,
    /// To wait on; `None` for an output.
    pub(crate) descriptor: Option<OwnedFd>,
}

/// What is left of a port that was lost.
pub(crate) struct Lost {
    /// Which of the rig.
    pub(crate) index: usize,
    /// To be closed.
    pub(crate) port: Option<Box<dyn Port>>,
    /// To be closed.
    pub(crate) descriptor: Option<OwnedFd>,
}

/// The real-time thread's end.
///
/// Real-time contract: no allocation, lock or system call.
pub(crate) struct Replug {
    lost: Producer<Lost>,
    fresh: Consumer<Fresh>,
}

impl Replug {
    /// The next port that is there again.
    pub(crate) fn next_fresh(&mut self) -> Option<Fresh> {
        self.fresh.pop().ok()
    }

    /// Hands a lost port over to be closed and looked for.
    pub(crate) fn give_up(&mut self, lost: Lost) {
        if let Err(rtrb::PushError::Full(lost)) = self.lost.push(lost) {
            std::mem::forget(lost); // closing it here could block
        }
    }
}

/// The ordinary thread that looks for lost ports.
pub(crate) struct Supervisor {
    reopen: Vec<(usize, Reopen, bool)>, // port, how, and whether it is looked for
    lost: Consumer<Lost>,
    fresh: Producer<Fresh>,
}

/// Both ends, for the ports of a rig that can be opened again; `None` where none can.
pub(crate) fn replug(ports: &mut Ports) -> Option<(Replug, Supervisor)> {
    let reopen: Vec<_> =
        ports.take_reopeners().into_iter().map(|(index, reopen)| (index, reopen, false)).collect();
    if reopen.is_empty() {
        return None;
    }
    let (lost_in, lost) = RingBuffer::new(2 * MOST_PORTS);
    let (fresh, fresh_out) = RingBuffer::new(2 * MOST_PORTS);
    Some((Replug { lost: lost_in, fresh: fresh_out }, Supervisor { reopen, lost, fresh }))
}

impl Supervisor {
    /// Runs until the real-time thread has dropped its end; unparking ends a wait.
    pub(crate) fn run(mut self) {
        loop {
            let over = self.lost.is_abandoned(); // before the last look
            while let Ok(Lost { index, port, descriptor }) = self.lost.pop() {
                drop((port, descriptor)); // some drivers refuse a second opening
                self.reopen.iter_mut().filter(|r| r.0 == index).for_each(|r| r.2 = true);
            }
            if over {
                return;
            }
            self.look();
            std::thread::park_timeout(EVERY);
        }
    }

    fn look(&mut self) {
        for (index, reopen, wanted) in self.reopen.iter_mut().filter(|r| r.2) {
            let Some(fresh) = reopen().and_then(|port| usable(*index, port)) else { continue };
            // A port that finds no room is closed here, and looked for again.
            *wanted = self.fresh.push(fresh).is_err();
        }
    }
}

/// The port with its descriptor; `None` where it has ended already.
fn usable(index: usize, port: Box<dyn Port>) -> Option<Fresh> {
    let descriptor = match port.readiness() {
        Readiness::Descriptor(fd) => Some(fd.try_clone_to_owned().ok()?),
        _ => None,
    };
    if let Some(fd) = &descriptor {
        let mut polled = [PollFd::new(fd, PollFlags::IN)];
        poll(&mut polled, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).ok()?;
        if polled[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            return None;
        }
    }
    Some(Fresh { index, port, descriptor })
}
