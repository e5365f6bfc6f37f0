//! [`Waiter`]: sleeps until input or a deadline, and spins for the last stretch.
//!
//! The sleep is one `ppoll` on the inputs, its time-out taken from the absolute
//! deadline at the last moment: one call waits for both, and nothing adds up. (A
//! timerfd in the poll set would be absolute by itself, but on PREEMPT_RT it expires
//! in a thread of priority 1, while a real-time thread's own time-out expires in the
//! interrupt.) The sleep ends a guard's length before the deadline; the rest is spun,
//! with a look at the inputs in every turn that leaves time for one ([`Cost`]), so that a
//! tap in that stretch is stamped when it comes and not when the deadline has passed.
//!
//! Real-time contract: as the loop that calls it.

use super::warmup::Warmup;
use chronotap_core::time::{Clock, Nanos};
use chronotap_engine::signal::Readiness;
use chronotap_linux::clocks::{Guard, MonotonicClock, SpinBudget, timespec};
use chronotap_linux::realtime::{Interrupt, Wake};
use chronotap_trial::{MOST_PORTS, Ports, Round};
use rustix::event::{PollFd, PollFlags, poll};
use std::hint::black_box;
use std::os::fd::{AsFd, OwnedFd};

/// What must be left of the time to the deadline after a look at the inputs or a warm-up.
const LEFT_OVER: Nanos = Nanos::from_micros(3);

/// A warm-up takes some 10 us when nothing that it needs is in the processor's caches.
const TIME_TO_WARM_UP: Nanos = Nanos::from_micros(15);

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
    warmup: Warmup,
    warming: Cost,
    look: Cost,
    /// What has been spun.
    pub spins: SpinBudget,
}

/// What a thing takes on this machine, so that it is not begun where it would end after the
/// deadline: a look at the inputs takes half a microsecond on most machines and some 15 on a slow
/// one. The shortest so far is taken, since a longer one was most likely interrupted.
struct Cost {
    least: Nanos,
    shortest: Option<Nanos>,
}

impl Cost {
    /// Nothing was timed yet; it takes at least so long.
    const fn at_least(least: Nanos) -> Cost {
        Cost { least, shortest: None }
    }

    /// Whether it ends before a deadline that is `left` away.
    fn fits(&self, left: Nanos) -> bool {
        left > self.least.max(self.shortest.unwrap_or(Nanos::ZERO) + LEFT_OVER)
    }

    /// It was done once, in that time.
    fn took(&mut self, time: Nanos) {
        self.shortest = Some(self.shortest.map_or(time, |shortest| shortest.min(time)));
    }
}

/// The descriptors to wait on, each with the number of its port.
fn descriptors(ports: &Ports) -> std::io::Result<Vec<(usize, OwnedFd)>> {
    let mut descriptors = Vec::new();
    for (port, readiness) in ports.readiness() {
        if let Readiness::Descriptor(fd) = readiness {
            descriptors.push((port, fd.try_clone_to_owned()?));
        }
    }
    Ok(descriptors)
}

impl Waiter {
    /// Waits for the inputs of a rig, and for whoever asks the trial to end.
    pub fn new(
        ports: &Ports,
        (interrupt, wake): (Interrupt, Wake),
        guard: Guard,
        spin: bool,
    ) -> std::io::Result<Waiter> {
        let spins = SpinBudget::new();
        let (mut inputs, warmup) = (descriptors(ports)?, Warmup::new());
        inputs.reserve(MOST_PORTS); // so that a new one needs no memory
        let (warming, look) = (Cost::at_least(TIME_TO_WARM_UP), Cost::at_least(LEFT_OVER));
        Ok(Waiter { interrupt, wake, inputs, guard, spin, warmup, warming, look, spins })
    }

    /// Returns at `deadline` (a time of `clock`), or before where there is input. Where the
    /// sleep leaves time before the spin, a beat is tried without output.
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
            self.warm_up(round, deadline);
            return self.spin(clock, deadline);
        }
        let ready = self.sleep(clock, deadline);
        Woke { ready, at: clock.now() }
    }

    /// No longer waits for ports that were closed: their descriptors would be ready for ever.
    pub fn forget_closed(&mut self, ports: &Ports) {
        self.inputs.retain(|(port, _)| ports.is_open(*port));
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

    /// Plays a beat for the processor's caches, where it is over before the deadline.
    fn warm_up(&mut self, round: &Round<MonotonicClock>, deadline: Nanos) {
        let began = round.clock.now();
        if self.warming.fits(deadline - began) {
            self.warmup.play();
            black_box(round.next()); // and the trial's own data
            self.warming.took(round.clock.now() - began);
        }
    }

    fn spin(&mut self, clock: &MonotonicClock, deadline: Nanos) -> Woke {
        let begin = clock.now();
        let mut now = begin;
        let mut ready = 0;
        while now < deadline && ready == 0 {
            if !self.inputs.is_empty() && self.look.fits(deadline - now) {
                ready = self.look_once(clock, now);
            } else {
                std::hint::spin_loop();
            }
            now = clock.now();
        }
        self.spins.charge(begin, now);
        Woke { ready, at: now }
    }

    /// The bits of the ports with input now. `began`: just read of `clock`.
    fn look_once(&mut self, clock: &MonotonicClock, began: Nanos) -> u32 {
        let ready = self.poll(false, Nanos::ZERO);
        self.look.took(clock.now() - began);
        ready
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
            self.wake.clear();
        }
        let bits = polled[REQUESTS..used].iter().zip(&self.inputs).filter(|(slot, _)| ready(slot));
        bits.fold(0, |bits, (_, (port, _))| bits | (1 << port))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_begun_where_it_ends_before_the_deadline() {
        let mut cost = Cost::at_least(Nanos::from_micros(5));
        assert!(!cost.fits(Nanos::from_micros(5)));
        assert!(cost.fits(Nanos(5_001)), "it was not timed yet");
        cost.took(Nanos::from_micros(15));
        assert!(!cost.fits(Nanos::from_micros(18)));
        assert!(cost.fits(Nanos(18_001)));
        cost.took(Nanos::from_micros(1));
        assert!(!cost.fits(Nanos::from_micros(5)), "less than the least is not believed");
    }

    #[test]
    fn what_was_interrupted_does_not_end_it_for_ever() {
        let mut cost = Cost::at_least(Nanos::ZERO);
        for micros in [900, 14, 2_000] {
            cost.took(Nanos::from_micros(micros));
        }
        assert!(cost.fits(Nanos::from_micros(20)));
    }
}
