//! [`Talker`]: what the card calls; and the listener, who works outside of its thread.
//!
//! Real-time contract of the talker: the card's thread; no allocation, lock or system
//! call. What it hears goes through a queue of a second or more; where that is full,
//! frames are dropped and the loss is told, which ends the agreement of the readings.
//! After a period that the card missed there is no reading until the gap that it left
//! has come back through the loop, and no later window begins before that. How long the loop
//! is is known from the first reading on, so that measuring goes on soon after each miss; twice
//! that long is waited, should it have become longer.

use super::gather::MeterLook;
use chronotap_audio::meter::{Meter, MeterDoubt, SineSum};
use chronotap_audio::{Period, Process};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Frames that may wait.
const WAITING: usize = 1 << 18;

/// Plays the tones on the first output, and passes on what comes in at the first input.
#[derive(Debug)]
pub struct Talker {
    sender: SineSum,
    heard: Option<Producer<f32>>,
    dropped: Arc<AtomicU64>,
}

/// The other end.
pub struct RoundtripListener {
    heard: Consumer<f32>,
    meter: Meter,
    dropped: Arc<AtomicU64>,
    /// Frames that were heard.
    frames: u64,
    /// Periods that the card has missed, as it was last told.
    xruns: u64,
    /// The frame of the last one, while its gap may still be on its way.
    gap: Option<u64>,
    /// The loop's length in frames, since the first reading.
    known: Option<f64>,
}

/// Both, for a card of this rate.
pub fn pair(rate_hz: f64) -> (Talker, RoundtripListener) {
    let (producer, heard) = RingBuffer::new(WAITING);
    let dropped = Arc::new(AtomicU64::new(0));
    let talker =
        Talker { sender: SineSum::new(), heard: Some(producer), dropped: Arc::clone(&dropped) };
    let meter = Meter::new(rate_hz);
    (
        talker,
        RoundtripListener { heard, meter, dropped, frames: 0, xruns: 0, gap: None, known: None },
    )
}

impl Talker {
    /// One to whom nobody listens and who plays nothing, to see whether a card opens.
    pub(super) fn deaf() -> Talker {
        Talker { sender: SineSum::new(), heard: None, dropped: Arc::default() }
    }
}

impl Process for Talker {
    fn process(&mut self, period: &mut Period<'_>) {
        let Some(heard) = &mut self.heard else { return };
        if let Some(output) = period.outputs.first_mut() {
            self.sender.render(output);
        }
        for sample in period.inputs.first().copied().unwrap_or_default() {
            if heard.push(*sample).is_err() {
                self.dropped.fetch_add(1, Relaxed);
            }
        }
    }
}

impl RoundtripListener {
    /// Takes what was heard since, and reads the meter. `xruns` is how many periods the
    /// card has missed until now.
    pub fn look(&mut self, xruns: u64) -> MeterLook {
        self.heed(xruns);
        match self.dropped.load(Relaxed) {
            0 => self.read(),
            // The frames that are missing make any delay wrong.
            dropped => Err(MeterDoubt::Unsteady(dropped as f64)),
        }
    }

    /// Takes what was heard since, and heeds what was missed. The more often, the sooner the next
    /// reading after a miss.
    pub fn heed(&mut self, xruns: u64) {
        self.take();
        if xruns != self.xruns {
            (self.xruns, self.gap) = (xruns, Some(self.frames));
            self.meter.forget();
        }
        let Some((gap, known)) = self.gap.zip(self.known) else { return };
        if self.frames as f64 > gap as f64 + 2.0 * known {
            self.gap = None;
            self.meter.forget();
        }
    }

    fn take(&mut self) {
        let waiting = self.heard.slots();
        let Ok(chunk) = self.heard.read_chunk(waiting) else { return };
        let (first, second) = chunk.as_slices();
        self.meter.listen(first);
        self.meter.listen(second);
        chunk.commit_all();
        self.frames += waiting as u64;
    }

    fn read(&mut self) -> MeterLook {
        let reading = self.meter.read();
        let Some(gap) = self.gap else {
            self.known = reading.map(|reading| reading.frames.max(0.0)).ok().or(self.known);
            return reading;
        };
        if self.known.is_some() {
            return Err(MeterDoubt::Missed);
        }
        if reading.is_ok_and(|reading| self.frames as f64 > gap as f64 + reading.frames) {
            self.gap = None;
            self.meter.forget();
        }
        Err(reading
            .err()
            .filter(|doubt| *doubt != MeterDoubt::TooShort)
            .unwrap_or(MeterDoubt::Missed))
    }
}
