//! [`InCard`]: the sound card in whose callback a cell is computed, as it was when it was looked
//! at. How it is measured there is in `in_callback.rs`.

use super::Pace;
use crate::timing::Scheduling;
use chronotap_linux::cards::{Card, CardError, CardName, CardRequest, CardShape};
use chronotap_linux::realtime::Request;

/// A card, and how it runs.
#[derive(Clone, Debug)]
pub(crate) struct InCard {
    pub name: CardName,
    pub wanted: CardRequest,
    /// As it was when it was looked at.
    pub shape: CardShape,
}

impl InCard {
    /// Opens it for a moment, silent, to see how it runs.
    pub fn looked_at(
        name: &CardName,
        period_frames: Option<u32>,
        rate_hz: Option<u32>,
        scheduling: Scheduling,
    ) -> Result<InCard, CardError> {
        let wanted = CardRequest {
            period_frames,
            rate_hz,
            request: request(scheduling),
            ..CardRequest::default()
        };
        // What is found now is meant from now on: the usual card may be another one later.
        let name = name.found();
        let shape = Card::open(&name, &wanted, |_, _| Box::new(()))?.shape().clone();
        Ok(InCard { name, wanted, shape })
    }

    /// Its periods.
    pub fn pace(&self) -> Pace {
        Pace { frames: self.shape.period_frames, rate_hz: self.shape.rate_hz }
    }
}

/// The rights of a card's thread, where it is this program's own.
fn request(scheduling: Scheduling) -> Request {
    let usual = CardRequest::default().request;
    match scheduling {
        Scheduling::Fifo(priority) => Request { fifo_priority: Some(priority), ..usual },
        Scheduling::Nice(nice) => Request { fifo_priority: None, nice: Some(nice), ..usual },
        Scheduling::Deadline(time) => {
            Request { fifo_priority: None, deadline: Some(time), ..usual }
        }
        Scheduling::Ordinary => Request { fifo_priority: None, ..usual },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_asks_for_the_scheduling_of_the_test() {
        assert_eq!(request(Scheduling::Fifo(70)).fifo_priority, Some(70));
        assert_eq!(request(Scheduling::Ordinary).fifo_priority, None);
    }
}
