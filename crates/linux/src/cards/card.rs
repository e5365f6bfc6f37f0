//! [`Card`]: a sound card that runs, whatever drives it. This is the one place that knows
//! every driver; none of them knows this.

use crate::cards::calls::Calls;
use crate::cards::driver::Driver;
use crate::cards::error::{CardError, Offered};
use crate::cards::name::{CardName, Loop};
use crate::cards::request::{CHANNELS, CardRequest, PortJoin};
use crate::cards::shape::CardShape;
use crate::cards::stage::Stage;
use crate::cards::watch::CardWatch;
use crate::cards::{alsa, jack, timed};
use crate::clocks::MonotonicClock;
use chronotap_audio::Process;
use chronotap_core::time::Nanos;
use rtrb::RingBuffer;
use std::sync::Arc;

/// Callbacks that are kept until somebody takes them: 20 s of periods of 16 frames.
const CALLBACKS: usize = 65_536;
/// How long a card may take to begin its first period.
const PATIENCE: Nanos = Nanos::from_secs(2);

/// A sound card that calls a process once a period, until it is dropped.
pub struct Card {
    shape: CardShape,
    watch: Arc<CardWatch>,
    calls: Option<Calls>,
    driver: Box<dyn Driver>,
}

impl Card {
    /// Opens a card and lets it run. `make` makes the process, once it is known how the
    /// card runs; the watch says when each frame is at the converter.
    ///
    /// # Errors
    /// [`CardError`].
    pub fn open(
        name: &CardName,
        wanted: &CardRequest,
        make: impl FnOnce(&CardShape, &Arc<CardWatch>) -> Box<dyn Process>,
    ) -> Result<Card, CardError> {
        if wanted.inputs.max(wanted.outputs) > CHANNELS {
            let asked = format!("{} inputs, {} outputs", wanted.inputs, wanted.outputs);
            let offered = Offered::Has(format!("at most {CHANNELS} of each"));
            let card = name.to_string();
            return Err(CardError::NotOffered { card, asked, offered });
        }
        let found = name.found();
        if wanted.join != PortJoin::Card && found != CardName::Jack {
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
            CardName::Default => Card::timed(None, wanted, make),
            CardName::Virtual(looped) => Card::timed(looped, wanted, make),
        }
    }

    fn timed(
        looped: Option<Loop>,
        wanted: &CardRequest,
        make: impl FnOnce(&CardShape, &Arc<CardWatch>) -> Box<dyn Process>,
    ) -> Result<Card, CardError> {
        Card::running(timed::shape(wanted, looped)?, make, |shape, stage| {
            Ok(Box::new(timed::start(shape, looped, &wanted.request, stage)?))
        })
    }

    /// Puts the process on its stage, starts the driver, and waits for the first period.
    fn running(
        shape: CardShape,
        make: impl FnOnce(&CardShape, &Arc<CardWatch>) -> Box<dyn Process>,
        start: impl FnOnce(&CardShape, Stage) -> Result<Box<dyn Driver>, CardError>,
    ) -> Result<Card, CardError> {
        let watch = Arc::new(CardWatch::new(&shape));
        let process = make(&shape, &watch);
        let (telling, told) = RingBuffer::new(CALLBACKS);
        let stage = Stage { process, watch: Arc::clone(&watch), callbacks: telling };
        let driver = start(&shape, stage)?;
        let calls = Some(Calls { shape: shape.clone(), watch: Arc::clone(&watch), told });
        Card { shape, watch, calls, driver }.begun()
    }

    /// How it runs.
    pub fn shape(&self) -> &CardShape {
        &self.shape
    }

    /// Asks again how it runs, before a trial; a server changes its period as it likes, and what is
    /// connected with what is anybody's. Blocks.
    ///
    /// # Errors
    /// [`CardError`]: nothing that is played on it is heard any more.
    pub fn ask_again(&mut self) -> Result<(), CardError> {
        if self.watch.is_gone() {
            return Err(CardError::Silent(self.shape.card.clone()));
        }
        self.shape = self.driver.ask_again(&self.shape)?;
        self.watch.set_period(self.shape.period_frames);
        self.watch.set_playback(self.shape.playback_latency());
        Ok(())
    }

    /// Which frame is when, and what was missed.
    pub fn watch(&self) -> &Arc<CardWatch> {
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
            crate::clocks::sleep_until(MonotonicClock::raw() + Nanos::from_millis(1));
        }
        Ok(self)
    }
}

impl CardName {
    /// The same, where it is no particular one the card that is there.
    pub fn found(&self) -> CardName {
        match self {
            CardName::Default if jack::jack_shape().is_some() => CardName::Jack,
            CardName::Default => match alsa::present().into_iter().next() {
                Some((card, device, _)) => CardName::Alsa { card: card.to_string(), device },
                None => CardName::Virtual(None),
            },
            named => named.clone(),
        }
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
        let wanted = CardRequest { join: PortJoin::Itself, ..CardRequest::default() };
        let refused = Card::open(&CardName::Virtual(None), &wanted, |_, _| Box::new(Silence));
        let why = refused.err().unwrap();
        assert!(matches!(&why, CardError::NoJoin(card) if card == "virtual"), "{why}");
    }
}
