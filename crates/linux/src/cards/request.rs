//! [`CardRequest`]: the rate, period and channels that are asked of a card before it runs. What the
//! card really uses is in [`Shape`](crate::cards::CardShape).

use crate::realtime::Request;

/// Most channels in either direction: as many as the kernel's loopback card has.
pub(crate) const CHANNELS: usize = 32;

/// What is asked of a card. What is left open is the card's choice.
#[derive(Clone, Debug, PartialEq)]
pub struct CardRequest {
    /// Frames a second.
    pub rate_hz: Option<u32>,
    /// Frames of a period.
    pub period_frames: Option<u32>,
    /// Periods of the buffer.
    pub periods: Option<u32>,
    /// Inputs, at most 32.
    pub inputs: usize,
    /// Outputs, at most 32.
    pub outputs: usize,
    /// What they are joined to; nothing but a card of [`CardName::Jack`](crate::cards::CardName::Jack) gives a choice.
    pub join: PortJoin,
    /// Rights of the card's thread, where it is this program's own.
    pub request: Request,
}

/// What the ports of a server's client are joined to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PortJoin {
    /// The first ports of the server's own card.
    #[default]
    Card,
    /// Each output to the input of the same number: a loop within the server. PipeWire gives
    /// silence to a client that is joined to itself.
    Itself,
    /// The outputs to the card's, and the inputs to what the server lets hear of those: the
    /// monitor ports that PipeWire's sinks have, and JACK's drivers with `-m`.
    Monitor,
}

impl Default for CardRequest {
    /// Two outputs; SCHED_FIFO 85, above the trial, which must not delay the sound.
    fn default() -> CardRequest {
        let request = Request { fifo_priority: Some(85), lock_memory: false, ..Request::trial() };
        let join = PortJoin::Card;
        let (rate_hz, period_frames, periods) = (None, None, None);
        CardRequest { rate_hz, period_frames, periods, inputs: 0, outputs: 2, join, request }
    }
}
