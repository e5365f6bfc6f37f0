//! [`MemoryPort`]: a port for tests. What arrives is written down beforehand, what
//! is sent is collected and can be looked at while the port itself is in use.

use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Stamp, Written};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// A scripted port. It takes a lock in `write`, so it is no port for real time.
#[derive(Debug, Default)]
pub struct MemoryPort {
    arrivals: VecDeque<Arrival>,
    closes: Option<Nanos>,
    closed: bool,
    full: bool,
    tape: Tape,
    counts: PortCounts,
}

/// What was written to a memory port; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Tape(Arc<Mutex<Vec<(Nanos, Action)>>>);

impl MemoryPort {
    /// A port at which nothing arrives.
    pub fn new() -> MemoryPort {
        MemoryPort::default()
    }

    /// Lets a message arrive; to be called in ascending order of `at`.
    #[must_use]
    pub fn arriving(mut self, input: u16, at: Nanos, message: Message) -> MemoryPort {
        self.arrivals.push_back(Arrival { input, at, stamp: Stamp::Virtual, message });
        self
    }

    /// Lets the other end hang up at this time.
    #[must_use]
    pub fn closing(mut self, at: Nanos) -> MemoryPort {
        self.closes = Some(at);
        self
    }

    /// Lets every write fail with [`PortError::Full`].
    #[must_use]
    pub fn full(mut self) -> MemoryPort {
        self.full = true;
        self
    }

    /// A view of what will be written.
    pub fn tape(&self) -> Tape {
        self.tape.clone()
    }
}

impl Tape {
    /// What was written so far, with the `now` of each write.
    pub fn written(&self) -> Vec<(Nanos, Action)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn push(&self, now: Nanos, action: Action) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((now, action));
    }
}

impl Port for MemoryPort {
    fn readiness(&self) -> Readiness<'_> {
        let arrival = self.arrivals.front().map(|arrival| arrival.at);
        let closes = self.closes.filter(|_| !self.closed);
        arrival.into_iter().chain(closes).min().map_or(Readiness::Never, Readiness::At)
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        let until = self.closes.map_or(now, |closes| closes.min(now));
        while let Some(arrival) = self.arrivals.front().copied().filter(|a| a.at <= until) {
            self.arrivals.pop_front();
            self.counts.received += 1;
            arrived(arrival);
        }
        if self.closes.is_some_and(|closes| closes <= now) {
            self.closed = true;
            self.arrivals.clear();
            return Err(PortError::Closed);
        }
        Ok(())
    }

    fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        if self.closed {
            return Err(PortError::Closed);
        }
        if self.full {
            self.counts.lost += 1;
            return Err(PortError::Full);
        }
        self.counts.sent += 1;
        self.tape.push(now, *action);
        Ok(Written::Now)
    }

    fn counts(&self) -> PortCounts {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripted_messages_arrive_in_time_and_the_port_closes_after_them() {
        let clock = Message::RealTime(0xf8);
        let mut port = MemoryPort::new()
            .arriving(0, Nanos(10), clock)
            .arriving(0, Nanos(20), clock)
            .arriving(0, Nanos(90), clock)
            .closing(Nanos(50));
        let mut stamps = Vec::new();
        assert_eq!(port.read(Nanos(15), &mut |a| stamps.push(a.at)), Ok(()));
        assert!(matches!(port.readiness(), Readiness::At(Nanos(20))));
        assert_eq!(port.read(Nanos(60), &mut |a| stamps.push(a.at)), Err(PortError::Closed));
        assert_eq!(stamps, [Nanos(10), Nanos(20)]);
        assert!(matches!(port.readiness(), Readiness::Never));
    }
}
