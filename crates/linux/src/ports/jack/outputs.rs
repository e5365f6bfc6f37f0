//! [`Output`]: where messages of the trial's thread are placed, and the queue by which
//! they reach the server's thread.
//!
//! Real-time contract: wait-free; no allocation, lock, system call, log or panic.

use super::shared::frame_ns;
use super::transfer::Placed;
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{AudioPeriod, PortError};
use rtrb::{Consumer, Producer, RingBuffer};

/// Messages in each queue.
pub(super) const QUEUE: usize = 1_024;

/// An output of the trial as a port of the server.
pub(super) struct Output {
    index: u16,
    queue: Producer<Placed>,
    recent: Vec<Placed>, // the last of `QUEUE`, in a ring
    next: usize,         // place of the next one in the ring
}

impl Output {
    /// The output of that index in the trial, and the server's end of its queue.
    pub(super) fn new(index: u16) -> (Output, Consumer<Placed>) {
        let (queue, waiting) = RingBuffer::new(QUEUE);
        (Output { index, queue, recent: Vec::with_capacity(QUEUE), next: 0 }, waiting)
    }

    /// Its index in the trial.
    pub(super) fn index(&self) -> u16 {
        self.index
    }

    /// Hands a message over for a place, or for that of the message before it where
    /// that is later: the server wants them in order. Gives the time of the place.
    pub(super) fn put(&mut self, action: &Action, place: FrameTime) -> Result<Nanos, PortError> {
        let last = self.recent.get(self.next.wrapping_sub(1) % QUEUE);
        let FrameTime { frame, at } = match last {
            Some(last) if (place.frame.wrapping_sub(last.frame) as i32) < 0 => {
                FrameTime { frame: last.frame, at: last.at }
            }
            _ => place,
        };
        let placed = Placed { action: *action, frame, at };
        self.queue.push(placed).map_err(|_| PortError::Full)?;
        match self.recent.get_mut(self.next % QUEUE) {
            Some(oldest) => *oldest = placed,
            None => self.recent.push(placed), // within its capacity
        }
        self.next = self.next.wrapping_add(1);
        Ok(at)
    }

    /// How many messages the server has not taken yet.
    pub(super) fn waiting(&self) -> usize {
        QUEUE - self.queue.slots()
    }

    /// The messages that the server has not taken yet, oldest first.
    pub(super) fn unsent(&self) -> impl Iterator<Item = &Placed> {
        let places = (0..self.waiting()).rev().map(|back| self.next.wrapping_sub(1 + back));
        places.filter_map(|place| self.recent.get(place % QUEUE))
    }
}

/// A frame, and when it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameTime {
    /// The server's number of the frame.
    pub(super) frame: u32,
    /// Its time, raw CLOCK_MONOTONIC.
    pub(super) at: Nanos,
}

impl FrameTime {
    /// The frame nearest to one period after `deadline`, but never one of the period that
    /// began last, because the server has computed that already. With the delay of one
    /// whole period, a message that is handed over at its deadline is always in time.
    pub(super) fn of(
        deadline: Nanos,
        (began, first): (Nanos, u32),
        period: AudioPeriod,
    ) -> FrameTime {
        let frame_ns = frame_ns(period.rate_hz);
        let due = deadline + period.length() - began;
        let ahead = (due.0 as f64 / frame_ns).round().max(f64::from(period.frames));
        let at = began + Nanos::round_from_f64(ahead * frame_ns);
        FrameTime { frame: first.wrapping_add(ahead as i64 as u32), at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;
    use chronotap_engine::action::ActionKind;
    use chronotap_engine::perturbation::Perturbation;

    const PERIOD: AudioPeriod = AudioPeriod { frames: 256, rate_hz: 48_000 };
    /// The third period of a server.
    const BEGAN: (Nanos, u32) = (Nanos(10_666_667), 512);

    fn action(id: u64) -> Action {
        let (kind, deadline) = (ActionKind::ToneOff, Nanos::ZERO);
        Action {
            id,
            kind,
            number: 0,
            cause: 0,
            deadline,
            instant: deadline,
            port: 0,
            message: None,
            perturbation: Perturbation::NONE,
        }
    }

    #[test]
    fn a_message_is_placed_one_period_after_its_deadline_wherever_that_falls() {
        for us in (0..5_333).step_by(7) {
            let deadline = BEGAN.0 + Nanos::from_micros(us);
            let place = FrameTime::of(deadline, BEGAN, PERIOD);
            let late = place.at - deadline - PERIOD.length();
            assert!(late.abs() <= Nanos(10_417), "half a frame, not {late:?}");
            assert!((768..=1_024).contains(&place.frame));
        }
    }

    #[test]
    fn what_comes_too_late_goes_into_the_next_period_and_not_the_one_under_way() {
        let place = FrameTime::of(BEGAN.0 - Nanos::from_millis(3), BEGAN, PERIOD);
        assert_eq!(place.frame, 768);
        assert_eq!(place.at, BEGAN.0 + Nanos(5_333_333));
    }

    #[test]
    fn messages_keep_their_order_and_the_unsent_ones_are_known() {
        let (mut output, mut server) = Output::new(0);
        let at = |frame| FrameTime { frame, at: Nanos(i64::from(frame)) };
        assert_no_alloc(|| {
            assert_eq!(output.put(&action(1), at(100)), Ok(Nanos(100)));
            assert_eq!(output.put(&action(2), at(90)), Ok(Nanos(100)));
            assert_eq!(output.put(&action(3), at(101)), Ok(Nanos(101)));
        });
        server.pop().unwrap();
        assert_eq!(output.unsent().map(|placed| placed.action.id).collect::<Vec<_>>(), [2, 3]);
        for id in 4..2 * QUEUE as u64 {
            assert_eq!(output.put(&action(id), at(200)), Ok(Nanos(200)));
            server.pop().unwrap();
        }
        assert_eq!(output.unsent().count(), 2);
        let refused = (0..QUEUE as u64).map(|id| output.put(&action(id), at(200)));
        assert_eq!(refused.filter(|put| *put == Err(PortError::Full)).count(), 2);
    }
}
