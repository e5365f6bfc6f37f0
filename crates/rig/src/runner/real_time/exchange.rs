//! [`exchange`]: the real-time thread's part in using devices again that were
//! unplugged. Closing and opening them is the supervisor's (see `replug.rs`).

use super::wait::Waiter;
use crate::runner::replug::{Lost, Replug};
use chronotap_core::time::Clock;
use chronotap_linux::clocks::MonotonicClock;
use chronotap_trial::{Ports, Round};

/// Puts reopened ports back into use, and hands out those that were lost, to be reopened.
///
/// Real-time contract: as the loop that calls it.
pub(super) fn exchange(
    replug: &mut Replug,
    round: &mut Round<MonotonicClock>,
    waiter: &mut Waiter,
) {
    while let Some(mut fresh) = replug.next_fresh() {
        let descriptor = fresh.descriptor.take();
        if let Some(descriptor) = descriptor {
            waiter.listen(fresh.index, descriptor);
        }
        fresh.port.start(round.clock.origin());
        let Round { ports, engine, clock } = round;
        ports.adopt(fresh.index, fresh.port);
        ports.tell_reopened(fresh.index, clock.now(), engine);
    }
    give_up_lost(replug, &mut round.ports, waiter);
}

/// The same between two trials, where there is no engine to tell; the next trial starts
/// the port.
pub(super) fn exchange_idle(replug: &mut Replug, ports: &mut Ports, waiter: &mut Waiter) {
    while let Some(mut fresh) = replug.next_fresh() {
        if let Some(descriptor) = fresh.descriptor.take() {
            waiter.listen(fresh.index, descriptor);
        }
        ports.adopt(fresh.index, fresh.port);
    }
    give_up_lost(replug, ports, waiter);
}

fn give_up_lost(replug: &mut Replug, ports: &mut Ports, waiter: &mut Waiter) {
    while let Some((index, port)) = ports.take_lost() {
        replug.give_up(Lost { index, port, descriptor: waiter.take(index) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::replug::replug;
    use assert_no_alloc::assert_no_alloc;
    use chronotap_core::time::{Clock, Nanos};
    use chronotap_engine::Engine;
    use chronotap_engine::action::Action;
    use chronotap_engine::signal::{Arrival, Port, PortError, Readiness, Written};
    use chronotap_engine::trial::{Input, Trial};
    use chronotap_linux::clocks::{Guard, timespec};
    use chronotap_linux::realtime::{Interrupt, Wake};
    use chronotap_trial::Reopen;
    use rustix::event::{EventfdFlags, eventfd, poll};
    use std::os::fd::{AsFd, OwnedFd};
    use std::sync::Arc;

    /// A device that is pulled out at the first look.
    struct Loose(OwnedFd);

    impl Loose {
        fn plugged_in() -> Box<dyn Port> {
            Box::new(Loose(eventfd(1, EventfdFlags::NONBLOCK).unwrap()))
        }
    }

    impl Port for Loose {
        fn readiness(&self) -> Readiness<'_> {
            Readiness::Descriptor(self.0.as_fd())
        }

        fn read(&mut self, _: Nanos, _: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
            Err(PortError::Closed)
        }

        fn write(&mut self, _: &Action, _: Nanos) -> Result<Written, PortError> {
            Err(PortError::Closed)
        }
    }

    #[test]
    fn a_device_that_comes_and_goes_costs_the_real_time_thread_no_allocation() {
        let mut ports = Ports::new(1, 0);
        let reopen: Reopen = Box::new(|| Some(Loose::plugged_in()));
        ports.add_reopening(Loose::plugged_in(), reopen, &[0], &[]).unwrap();
        let (mut replug, supervisor) = replug(&mut ports).unzip();
        let (replug, supervisor) = (replug.as_mut().unwrap(), supervisor.unwrap());
        let asked = (Interrupt::without_signals().unwrap(), Wake::new().unwrap());
        let mut waiter = Waiter::new(&ports, asked, Guard::calibrate(), true).unwrap();
        let pad = Input {
            name: "pad".into(),
            debounce: Nanos::ZERO,
            ends_when_closed: false,
            records_sysex: false,
        };
        let trial = Trial { inputs: vec![pad], ..Trial::default() };
        let engine = Engine::new(Arc::new(trial), 1);
        let mut round = Round { engine, ports, clock: MonotonicClock::start() };
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| supervisor.run());
            let mut recorded = 0;
            for turn in 0..1_000 {
                assert_no_alloc(|| {
                    let now = round.clock.now();
                    round.service(1, now, &mut |_| recorded += 1);
                    exchange(replug, &mut round, &mut waiter);
                    waiter.forget_closed(&round.ports);
                });
                if recorded >= 6 {
                    break; // lost and there again, three times
                }
                assert!(turn < 999, "{recorded} of 6 closures and reopenings");
                let _ = poll(&mut [], Some(&timespec(Nanos::from_millis(10))));
            }
            *replug = closed();
            thread.thread().unpark();
        });
    }

    /// Ends that lead nowhere, so that the supervisor sees its own abandoned and ends.
    fn closed() -> Replug {
        let mut ports = Ports::new(1, 0);
        let reopen: Reopen = Box::new(|| None);
        ports.add_reopening(Loose::plugged_in(), reopen, &[0], &[]).unwrap();
        replug(&mut ports).unwrap().0
    }
}
