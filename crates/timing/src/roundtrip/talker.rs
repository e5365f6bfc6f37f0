//! [`Talker`]: what the card calls; and the listener, who works outside of its thread.
//!
//! Real-time contract of the talker: the card's thread; no allocation, lock or system
//! call. What it hears goes through a queue of a second or more; where that is full,
//! frames are dropped and the loss is told, which ends the agreement of the readings.

use super::gather::Looked;
use chronotap_audio::meter::{Doubt, Meter, Sender};
use chronotap_audio::{Period, Process};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Frames that may wait.
const WAITING: usize = 1 << 18;

/// Plays the tones on the first output, and passes on what comes in at the first input.
#[derive(Debug)]
pub struct Talker {
    sender: Sender,
    heard: Option<Producer<f32>>,
    dropped: Arc<AtomicU64>,
}

/// The other end.
pub struct Listener {
    heard: Consumer<f32>,
    meter: Meter,
    dropped: Arc<AtomicU64>,
}

/// Both, for a card of this rate.
pub fn pair(rate_hz: f64) -> (Talker, Listener) {
    let (producer, heard) = RingBuffer::new(WAITING);
    let dropped = Arc::new(AtomicU64::new(0));
    let talker =
        Talker { sender: Sender::new(), heard: Some(producer), dropped: Arc::clone(&dropped) };
    (talker, Listener { heard, meter: Meter::new(rate_hz), dropped })
}

impl Talker {
    /// One to whom nobody listens and who plays nothing, to see whether a card opens.
    pub(super) fn deaf() -> Talker {
        Talker { sender: Sender::new(), heard: None, dropped: Arc::default() }
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

impl Listener {
    /// Takes what was heard since, and reads the meter.
    pub fn look(&mut self) -> Looked {
        let chunk = self.heard.slots();
        if let Ok(chunk) = self.heard.read_chunk(chunk) {
            let (first, second) = chunk.as_slices();
            self.meter.listen(first);
            self.meter.listen(second);
            chunk.commit_all();
        }
        match self.dropped.load(Relaxed) {
            0 => self.meter.read(),
            // The frames that are missing make any delay wrong.
            dropped => Err(Doubt::Unsteady(dropped as f64)),
        }
    }
}
