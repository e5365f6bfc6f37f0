//! [`Waiter`]: sleeps until input or a deadline, and spins for the last stretch.
//!
//! The sleep is one `ppoll` on the inputs, its time-out taken from the absolute
//! deadline at the last moment: one call waits for both, and nothing adds up. (A
//! timerfd in the poll set would be absolute by itself, but on PREEMPT_RT it expires
//! in a thread of priority 1, while a real-time thread's own time-out expires in the
//! interrupt.) The sleep ends a guard's length before the deadline; the rest is spun,
//! with a look at the inputs in every turn but the last few microseconds, so that a
//! tap in that stretch is stamped when it comes and not when the deadline has passed.
//!
//! Real-time contract: as the loop that calls it.

use super::rehearsal::Rehearsal;
use chronotap_clocks::{Guard, MonotonicClock, SpinBudget, timespec};
use chronotap_realtime::{Interrupt, Wake};
use chronotap_rehearsal::{MOST_PORTS, Rig, Round};
use chronotap_signal::Readiness;
use chronotap_time::{Clock, Nanos};
use rustix::event::{PollFd, PollFlags, poll};
use std::hint::black_box;
use std::os::fd::{AsFd, OwnedFd};

/// So close to the deadline a look at the inputs would make it late.
const TOO_CLOSE_TO_LOOK: Nanos = Nanos::from_micros(3);

/// A rehearsal takes some 10 us when nothing that it needs is in the processor's caches.
const TIME_TO_REHEARSE: Nanos = Nanos::from_micros(15);

/// Descriptors that are waited for besides the ports': the interruption's and the wake's.
const REQUESTS: usize = 2;

/// The end of a wait.
#[derive(Clone, Copy, Debug)]
pub struct Woke {
    /// The bits of the ports that are ready.
    pub ready: u32,
    /// When it was over: read after whatever ended it, and not once more by who waited.
    pub at: Nanos,
}

/// The means to wait.
pub struct Waiter {
    interrupt: Interrupt,
    wake: Wake,                    // that the trial is asked to end
    inputs: Vec<(usize, OwnedFd)>, // port number and its descriptor
    guard: Guard,
    spin: bool,
    rehearsal: Rehearsal,
    /// What has been spun.
    pub spins: SpinBudget,
}

/// The descriptors to wait on, each with the number of its port.
fn descriptors(rig: &Rig) -> std::io::Result<Vec<(usize, OwnedFd)>> {
    let mut descriptors = Vec::new();
    for (port, readiness) in rig.readiness() {
        if let Readiness::Descriptor(fd) = readiness {
            descriptors.push((port, fd.try_clone_to_owned()?));
        }
    }
    Ok(descriptors)
}

impl Waiter {
    /// Waits for the inputs of a rig, and for whoever asks the trial to end.
    pub fn new(
        rig: &Rig,
        (interrupt, wake): (Interrupt, Wake),
        guard: Guard,
        spin: bool,
    ) -> std::io::Result<Waiter> {
        let spins = SpinBudget::new();
        let (mut inputs, rehearsal) = (descriptors(rig)?, Rehearsal::new());
        inputs.reserve(MOST_PORTS); // so that a new one needs no memory
        Ok(Waiter { interrupt, wake, inputs, guard, spin, rehearsal, spins })
    }

    /// Returns at `deadline` (a time of `clock`), or before where there is input. Where the
    /// sleep leaves time before the spin, a beat is rehearsed.
    pub fn wait(&mut self, round: &Round<MonotonicClock>, deadline: Nanos) -> Woke {
        let clock = &round.clock;
        let before = clock.now();
        let span = self.guard.afforded(self.spins.recent(before));
        let wake = if self.spin { deadline - span } else { deadline };
        if before < wake {
            let ready = self.sleep(clock, wake);
            let now = clock.now();
            if ready != 0 || now < wake || !self.spin {
                return Woke { ready, at: now }; // input, an interruption, a signal, or the deadline itself
            }
            self.guard.woke(now - wake);
        }
        if self.spin && self.spins.allows(clock.now(), span) {
            if deadline - clock.now() > TIME_TO_REHEARSE {
                self.rehearsal.play();
                black_box(round.next()); // and the trial's own data
            }
            return self.spin(clock, deadline);
        }
        let ready = self.sleep(clock, deadline);
        Woke { ready, at: clock.now() }
    }

    /// No longer waits for ports that were closed: their descriptors would be ready for ever.
    pub fn forget_closed(&mut self, rig: &Rig) {
        self.inputs.retain(|(port, _)| rig.is_open(*port));
    }

    /// Waits for a port that is there again, too.
    pub fn listen(&mut self, port: usize, descriptor: OwnedFd) {
        if self.inputs.len() < MOST_PORTS {
            self.inputs.push((port, descriptor));
        }
    }

    /// Gives back the descriptor of a port that was lost, so that it is closed elsewhere.
    pub fn take(&mut self, port: usize) -> Option<OwnedFd> {
        let place = self.inputs.iter().position(|(other, _)| *other == port)?;
        Some(self.inputs.remove(place).1)
    }

    fn spin(&mut self, clock: &MonotonicClock, deadline: Nanos) -> Woke {
        let begin = clock.now();
        let mut now = begin;
        let mut ready = 0;
        while now < deadline && ready == 0 {
            if !self.inputs.is_empty() && deadline - now > TOO_CLOSE_TO_LOOK {
                ready = self.poll(false, Nanos::ZERO);
            } else {
                std::hint::spin_loop();
            }
            now = clock.now();
        }
        self.spins.charge(begin, now);
        Woke { ready, at: now }
    }

    /// Until `wake`, or before where there is input or an interruption.
    fn sleep(&self, clock: &MonotonicClock, wake: Nanos) -> u32 {
        self.poll(true, wake - clock.now())
    }

    /// The bits of the ports with input, after at most `timeout`. Whoever asks the trial to end
    /// ends the wait too where that is waited for, and has no bit.
    fn poll(&self, with_requests: bool, timeout: Nanos) -> u32 {
        let (interrupt, wake) = (self.interrupt.descriptor(), self.wake.descriptor());
        let mut polled: [PollFd<'_>; REQUESTS + MOST_PORTS] =
            std::array::from_fn(|_| PollFd::new(&interrupt, PollFlags::IN));
        polled[1] = PollFd::new(&wake, PollFlags::IN);
        for (slot, (_, fd)) in polled[REQUESTS..].iter_mut().zip(&self.inputs) {
            *slot = PollFd::from_borrowed_fd(fd.as_fd(), PollFlags::IN);
        }
        let used = REQUESTS + self.inputs.len();
        let from = if with_requests { 0 } else { REQUESTS };
        if poll(&mut polled[from..used], Some(&timespec(timeout))).unwrap_or(0) == 0 {
            return 0;
        }
        let ready = |slot: &PollFd<'_>| !slot.revents().is_empty();
        if ready(&polled[1]) {
            self.wake.hear();
        }
        let bits = polled[REQUESTS..used].iter().zip(&self.inputs).filter(|(slot, _)| ready(slot));
        bits.fold(0, |bits, (_, (port, _))| bits | (1 << port))
    }
}
