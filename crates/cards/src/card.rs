//! [`Card`]: a sound card that runs, whatever drives it.

use crate::stage::Stage;
use crate::{Calls, CardError, CardName, Loop, Watch, alsa, jack, timed};
use chronotap_audio::Process;
use chronotap_realtime::Request;
use chronotap_time::{MonotonicClock, Nanos};
use rtrb::RingBuffer;
use std::sync::Arc;

/// Callbacks that are kept until somebody takes them: 20 s of periods of 16 frames.
const CALLBACKS: usize = 65_536;
/// How long a card may take to begin its first period.
const PATIENCE: Nanos = Nanos::from_secs(2);
/// Most channels in either direction.
pub(crate) const CHANNELS: usize = 8;

/// What is asked of a card. What is left open is the card's choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Frames a second.
    pub rate_hz: Option<u32>,
    /// Frames of a period.
    pub period_frames: Option<u32>,
    /// Periods of the buffer.
    pub periods: Option<u32>,
    /// Inputs, at most 8.
    pub inputs: usize,
    /// Outputs, at most 8.
    pub outputs: usize,
    /// What they are joined to; nothing but a card of [`CardName::Jack`] gives a choice.
    pub join: Join,
    /// Rights of the card's thread, where it is this program's own.
    pub request: Request,
}

/// What the ports of a server's client are joined to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// The first ports of the server's own card.
    #[default]
    Card,
    /// Each output to the input of the same number: a loop within the server.
    Itself,
}

impl Default for Wanted {
    /// Two outputs; SCHED_FIFO 85, above the trial, which must not delay the sound.
    fn default() -> Wanted {
        let request = Request { fifo_priority: Some(85), lock_memory: false, ..Request::trial() };
        let join = Join::Card;
        let (rate_hz, period_frames, periods) = (None, None, None);
        Wanted { rate_hz, period_frames, periods, inputs: 0, outputs: 2, join, request }
    }
}

/// How a card runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// What it is, in words.
    pub card: String,
    /// Frames a second.
    pub rate_hz: u32,
    /// Frames of a period.
    pub period_frames: u32,
    /// Periods of the buffer.
    pub periods: u32,
    /// Inputs.
    pub inputs: usize,
    /// Outputs.
    pub outputs: usize,
    /// Frames from the time at which a period is due to when its first frame is at the
    /// converter, as far as the card knows it.
    pub playback_latency_frames: u32,
    /// Frames from when a frame is at the converter of an input to the time at which the
    /// period that begins with it is due, as far as the card knows it; a period at least.
    pub capture_latency_frames: u32,
}

impl Shape {
    /// The length of so many frames, to the nanosecond.
    pub fn length(&self, frames: u32) -> Nanos {
        let rate = i64::from(self.rate_hz.max(1));
        Nanos((i64::from(frames) * 1_000_000_000 + rate / 2) / rate)
    }

    /// A period's length.
    pub fn period(&self) -> Nanos {
        self.length(self.period_frames)
    }

    /// [`Shape::playback_latency_frames`] as a time.
    pub fn playback_latency(&self) -> Nanos {
        self.length(self.playback_latency_frames)
    }

    /// [`Shape::capture_latency_frames`] as a time.
    pub fn capture_latency(&self) -> Nanos {
        self.length(self.capture_latency_frames)
    }
}

/// A sound card that calls a process once a period, until it is dropped.
pub struct Card {
    shape: Shape,
    watch: Arc<Watch>,
    calls: Option<Calls>,
    _driver: Box<dyn Driver>,
}

/// What drives a card. Dropping it stops the card and waits until no call is under way.
pub(crate) trait Driver: Send {}

impl Card {
    /// Opens a card and lets it run. `make` makes the process, once it is known how the
    /// card runs; the watch says when each frame is at the converter.
    ///
    /// # Errors
    /// [`CardError`].
    pub fn open(
        name: &CardName,
        wanted: &Wanted,
        make: impl FnOnce(&Shape, &Arc<Watch>) -> Box<dyn Process>,
    ) -> Result<Card, CardError> {
        if wanted.inputs.max(wanted.outputs) > CHANNELS {
            let asked = format!("{} inputs, {} outputs", wanted.inputs, wanted.outputs);
            let (card, offered) = (name.to_string(), format!("at most {CHANNELS} of each"));
            return Err(CardError::NotOffered { card, asked, offered });
        }
        let found = name.found();
        if wanted.join == Join::Itself && found != CardName::Jack {
            return Err(CardError::NoJoin(found.to_string()));
        }
        match found {
            CardName::Jack => {
                let opened = jack::open(wanted)?;
                let shape = opened.shape().clone();
                Card::running(shape, make, |_, stage| Ok(Box::new(opened.start(stage)?)))
            }
            CardName::Alsa { card, device } => {
                let opened = alsa::open(&card, device, wanted)?;
                let (shape, request) = (opened.shape().clone(), &wanted.request);
                Card::running(shape, make, |_, stage| Ok(Box::new(opened.start(request, stage)?)))
            }
            CardName::Usual => Card::timed(None, wanted, make),
            CardName::Virtual(looped) => Card::timed(looped, wanted, make),
        }
    }

    fn timed(
        looped: Option<Loop>,
        wanted: &Wanted,
        make: impl FnOnce(&Shape, &Arc<Watch>) -> Box<dyn Process>,
    ) -> Result<Card, CardError> {
        Card::running(timed::shape(wanted, looped)?, make, |shape, stage| {
            Ok(Box::new(timed::start(shape, looped, &wanted.request, stage)?))
        })
    }

    /// Puts the process on its stage, starts the driver, and waits for the first period.
    fn running(
        shape: Shape,
        make: impl FnOnce(&Shape, &Arc<Watch>) -> Box<dyn Process>,
        start: impl FnOnce(&Shape, Stage) -> Result<Box<dyn Driver>, CardError>,
    ) -> Result<Card, CardError> {
        let watch = Arc::new(Watch::new(&shape));
        let process = make(&shape, &watch);
        let (telling, told) = RingBuffer::new(CALLBACKS);
        let stage = Stage { process, watch: Arc::clone(&watch), callbacks: telling };
        let driver = start(&shape, stage)?;
        let calls = Some(Calls { shape: shape.clone(), watch: Arc::clone(&watch), told });
        Card { shape, watch, calls, _driver: driver }.begun()
    }

    /// How it runs.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Which frame is when, and what was missed.
    pub fn watch(&self) -> &Arc<Watch> {
        &self.watch
    }

    /// Every call, for whoever keeps them; nothing where somebody has them already.
    pub fn take_calls(&mut self) -> Option<Calls> {
        self.calls.take()
    }

    /// Waits for the first period. Blocks.
    fn begun(self) -> Result<Card, CardError> {
        let end = MonotonicClock::raw() + PATIENCE;
        while self.watch.last_period().is_none() {
            if self.watch.is_gone() || MonotonicClock::raw() > end {
                return Err(CardError::Silent(self.shape.card));
            }
            chronotap_time::sleep_until(MonotonicClock::raw() + Nanos::from_millis(1));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_audio::{Period, Process};

    struct Silence;

    impl Process for Silence {
        fn process(&mut self, _: &mut Period<'_>) {}
    }

    #[test]
    fn nothing_but_a_server_joins_its_ports_to_themselves() {
        let wanted = Wanted { join: Join::Itself, ..Wanted::default() };
        let refused = Card::open(&CardName::Virtual(None), &wanted, |_, _| Box::new(Silence));
        let why = refused.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(why.starts_with("virtual: ") && why.contains("virtual:loop:FRAMES:GAIN"), "{why}");
    }
}
