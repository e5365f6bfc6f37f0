//! [`Witness`]: a port as it is, with somebody who notes when the program read each
//! message and when it handed each one over. The trial's own data hold neither: they have
//! the stamp of what came in, and when what went out was at the converter.
//!
//! Real-time contract: that of [`Port`]. The queue is wait-free; what finds no room is
//! counted, and its tap is not measured.

use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind, EventId};
use chronotap_engine::signal::{
    Arrival, CardSide, Description, Port, PortCounts, PortError, Readiness, ServerSide, Stamp,
    Written,
};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// What may wait: seconds of a saturated MIDI wire.
const WAITING: usize = 1 << 13;

/// What was seen. Times are those of the trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen {
    /// The program read a message.
    Read {
        /// When it arrived.
        stamp: Nanos,
        /// Where that stamp was taken.
        by: Stamp,
        /// When the program had awoken and read it.
        at: Nanos,
    },
    /// The program handed over an answer.
    Handed {
        /// The action's number.
        id: EventId,
        at: Nanos,
    },
}

/// A port that is watched.
pub struct Witness {
    port: Box<dyn Port>,
    seen: Producer<Seen>,
    origin: Option<Arc<AtomicI64>>,
}

impl Witness {
    /// The same port, and what will be seen.
    pub fn of(port: Box<dyn Port>) -> (Witness, Consumer<Seen>) {
        let (seen, taken) = RingBuffer::new(WAITING);
        (Witness { port, seen, origin: None }, taken)
    }

    /// The same, which also tells a trial's origin when it starts.
    #[must_use]
    pub(super) fn telling(self, origin: Arc<AtomicI64>) -> Witness {
        Witness { origin: Some(origin), ..self }
    }

    /// What was seen since, oldest first.
    pub fn taken(seen: &mut Consumer<Seen>) -> impl Iterator<Item = Seen> {
        std::iter::from_fn(|| seen.pop().ok())
    }
}

impl Port for Witness {
    fn start(&mut self, origin: Nanos) {
        self.port.start(origin);
        if let Some(told) = &self.origin {
            told.store(origin.0, Relaxed); // alone: nothing else is read by it
        }
    }

    fn readiness(&self) -> Readiness<'_> {
        self.port.readiness()
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        let Witness { port, seen, .. } = self;
        port.read(now, &mut |arrival| {
            // What was stamped after `now` came in while the program read.
            let (stamp, by, at) = (arrival.at, arrival.stamp, now.max(arrival.at));
            let _ = seen.push(Seen::Read { stamp, by, at }); // a tap without it is left out
            arrived(arrival);
        })
    }

    fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        if matches!(action.kind, ActionKind::Feedback(_)) {
            let _ = self.seen.push(Seen::Handed { id: action.id, at: now });
        }
        self.port.write(action, now)
    }

    fn describe(&self) -> Description {
        self.port.describe()
    }

    fn finish(&mut self) {
        self.port.finish();
    }

    fn counts(&self) -> PortCounts {
        self.port.counts()
    }

    fn card(&mut self) -> Option<&mut dyn CardSide> {
        self.port.card()
    }

    fn server(&mut self) -> Option<&mut dyn ServerSide> {
        self.port.server()
    }
}
