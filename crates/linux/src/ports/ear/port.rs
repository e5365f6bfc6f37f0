//! [`EarPort`]: an input whose taps are heard on a channel of a sound card.
//!
//! Background: a card hands sound over a period at a time, some time after it passed the converter.
//! A tap that were stamped when it is noticed would be late by up to a period, and by another amount
//! each time.
//! Solution: a tap has the time of its onset's frame at the converter, by the card's own clock of
//! frames. It is told a frame after its level has reached the threshold, at the end of the period:
//! what answers it comes at most a period later than the crossing.
//! A card does not say how strong a tap will become while it rises, nor when a finger lets go: every
//! tap has the velocity 64, and is held for half of the least gap.
//!
//! Real-time contract: the trial's thread shares a wait-free queue and an eventfd with the card's
//! thread; the only system call here is to read that.

use super::EarName;
use super::hearer::{Counts, Hearer, Sound, keeping};
use crate::cards::{Card, CardError, CardRequest};
use crate::clocks::MonotonicClock;
use crate::ports::changed::Told;
use crate::realtime::Wake;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{
    Arrival, AudioPeriod, Callbacks, CardSide, Description, HeardSound, HearingEar, Port,
    PortCounts, PortError, PortReport, Readiness, ServerSide, SoundKept, Stage, Stamp, Written,
};
use rtrb::{Consumer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Taps in the queue.
const QUEUE: usize = 1_024;
/// The note of every tap, and its velocity.
const NOTE: u8 = 60;
const VELOCITY: u8 = 64;

/// Why a port that hears could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum EarError {
    /// The sound card refuses.
    #[error(transparent)]
    Card(#[from] CardError),
    /// The system is out of descriptors.
    #[error("ear: {0}")]
    Wake(std::io::Error),
}

/// An input that hears taps.
pub struct EarPort {
    card: Card,
    onsets: Consumer<Nanos>,
    shared: Arc<Counts>,
    wake: Wake,
    settings: String,
    kept: SoundKept,
    channel: u8,
    input: u16,
    hold: Nanos,
    origin: Nanos,
    xruns: u64,    // told so far
    changed: Told, // of what changed at the card's server
    gone: bool,    // told
    sound: Option<Sound>,
    looped: Option<Sound>,
    counts: PortCounts,
}

impl EarPort {
    /// Opens the card for the trial's input with this index, and listens.
    ///
    /// # Errors
    /// [`EarError`].
    pub fn open(name: &EarName, input: u16) -> Result<EarPort, EarError> {
        let wake = Wake::new().map_err(EarError::Wake)?;
        let (telling, onsets) = RingBuffer::new(QUEUE);
        let shared = Arc::new(Counts::default());
        let listening = name.listening();
        let wanted = CardRequest {
            rate_hz: name.rate_hz,
            period_frames: name.period_frames,
            periods: name.periods,
            inputs: name.channels(),
            outputs: 0,
            ..CardRequest::default()
        };
        let ends = (telling, Arc::clone(&shared), wake.clone());
        let channel = usize::from(name.channel) - 1;
        let (mut sound, mut looped) = (None, None);
        let card = Card::open(&name.card, &wanted, |shape, watch| {
            let kept = || keeping(name.record, shape, watch, &shared);
            let (keeping, heard) = kept().unzip();
            sound = heard;
            let mut hearer =
                Hearer::new((channel, &listening), shape, watch, ends).kept_by(keeping);
            if let Some((channel, (keeping, heard))) = name.looped.zip(kept()) {
                looped = Some(heard);
                hearer = hearer.with_loop(usize::from(channel) - 1, shape, keeping);
            }
            Box::new(hearer)
        })?;
        Ok(EarPort {
            card,
            onsets,
            shared,
            wake,
            settings: name.settings(),
            kept: name.record,
            channel: name.channel,
            input,
            hold: Nanos::round_from_f64(listening.gap_s / 2.0 * 1e9),
            origin: Nanos::ZERO,
            xruns: 0,
            changed: Told::default(),
            gone: false,
            sound,
            looped,
            counts: PortCounts::default(),
        })
    }

    /// A tap that began then (raw CLOCK_MONOTONIC).
    fn tell(&mut self, onset: Nanos, arrived: &mut dyn FnMut(Arrival)) {
        let at = onset - self.origin;
        if at < Nanos::ZERO {
            self.counts.early += 1;
            return;
        }
        for (at, message) in tap(at, self.hold) {
            self.counts.received += 1;
            let (input, stamp) = (self.input, Stamp::AudioFrame);
            arrived(Arrival { input, at, stamp, message });
        }
    }
}

/// The press and the release of a tap.
fn tap(at: Nanos, hold: Nanos) -> [(Nanos, Message); 2] {
    let (channel, note) = (Channel::ONE, U7::from_byte(NOTE));
    let velocity = U7::from_byte(VELOCITY);
    [
        (at, Message::NoteOn { channel, note, velocity }),
        (at + hold, Message::NoteOff { channel, note, velocity }),
    ]
}

impl Port for EarPort {
    fn start(&mut self, origin: Nanos) {
        self.wake.clear();
        while self.onsets.pop().is_ok() {
            self.counts.early += 1;
        }
        self.origin = origin;
        self.xruns = self.card.watch().xruns();
        self.changed.start(self.card.watch().changes());
        self.card.watch().set_origin(origin);
    }

    fn readiness(&self) -> Readiness<'_> {
        Readiness::Descriptor(self.wake.descriptor())
    }

    fn read(&mut self, _: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        self.wake.clear();
        while let Ok(onset) = self.onsets.pop() {
            self.tell(onset, arrived);
        }
        Ok(())
    }

    fn write(&mut self, _: &Action, _: Nanos) -> Result<Written, PortError> {
        self.counts.lost += 1;
        Err(PortError::Closed) // it was opened as an input only
    }

    fn describe(&self) -> Description {
        let shape = self.card.shape();
        let half_a_frame = shape.length(1).0 / 2;
        let deviation = self.shared.deviation.load(Relaxed);
        Description {
            period: Some(AudioPeriod { frames: shape.period_frames, rate_hz: shape.rate_hz }),
            card: Some(shape.card.clone()),
            ear: Some(HearingEar {
                channel: self.channel,
                settings: self.settings.clone(),
                kept: self.kept,
                behind: shape.capture_latency(),
                uncertainty: Nanos(half_a_frame + deviation),
            }),
            ..Description::default()
        }
    }

    fn counts(&self) -> PortCounts {
        PortCounts {
            overruns: self.counts.overruns + self.shared.lost.load(Relaxed),
            xruns: self.card.watch().xruns_since_origin(),
            ..self.counts
        }
    }

    fn card(&mut self) -> Option<&mut dyn CardSide> {
        Some(self)
    }

    fn server(&mut self) -> Option<&mut dyn ServerSide> {
        Some(self)
    }
}

impl CardSide for EarPort {
    fn take_calls(&mut self) -> Option<Box<dyn Callbacks>> {
        None // they are those of outputs
    }

    fn take_stage(&mut self) -> Option<Box<dyn Stage>> {
        None
    }

    fn take_sound(&mut self, _: u16) -> Option<Box<dyn HeardSound>> {
        Some(Box::new(self.sound.take()?))
    }

    fn take_loop(&mut self, _: u16) -> Option<Box<dyn HeardSound>> {
        Some(Box::new(self.looped.take()?))
    }
}

impl ServerSide for EarPort {
    fn reports(&mut self, tell: &mut dyn FnMut(PortReport)) {
        let watch = self.card.watch();
        let xrun = |at: Nanos| tell(PortReport::Xrun(at - self.origin));
        self.counts.overruns += watch.tell_xruns(&mut self.xruns, xrun);
        let about = (watch.changes(), watch.lone());
        // The card's inputs up to its own; those before it are no input of any trial.
        let others = std::iter::repeat_n(u16::MAX, usize::from(self.channel) - 1);
        let inputs = others.chain(std::iter::once(self.input));
        self.changed.tell(about, inputs, self.origin, tell);
        if watch.is_gone() && !std::mem::replace(&mut self.gone, true) {
            let at = (MonotonicClock::raw() - self.origin).max(Nanos::ZERO);
            tell(PortReport::Unlinked(self.input, at));
        }
    }

    fn ask_again(&mut self) -> Result<(), PortError> {
        self.card.ask_again().map_err(|_| PortError::Closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;

    #[test]
    fn an_ear_hears_nothing_on_a_silent_card_and_says_how_it_listens() {
        let name = "virtual?channel=2&period=64&threshold=-40".parse().unwrap();
        let mut port = EarPort::open(&name, 3).unwrap();
        let (origin, mut heard) = (MonotonicClock::raw(), 0);
        assert_no_alloc(|| {
            port.start(origin);
            port.read(Nanos::ZERO, &mut |_| heard += 1).unwrap();
            port.reports(&mut |told| panic!("{told:?}"));
        });
        assert!(heard == 0 && matches!(port.readiness(), Readiness::Descriptor(_)));
        let ear = port.describe().ear.unwrap();
        assert_eq!((ear.channel, ear.behind), (2, Nanos(1_333_333)));
        assert!(ear.settings.contains("channel=2&sensor=contact&threshold=-40"), "{ear:?}");
        assert!(ear.uncertainty >= Nanos(10_416), "half a frame at least");
    }

    #[test]
    fn a_tap_is_pressed_at_its_onset_and_let_go_after_half_of_the_least_gap() {
        let name = "virtual?gap=60".parse().unwrap();
        let mut port = EarPort::open(&name, 3).unwrap();
        port.start(Nanos::from_secs(1));
        let mut all = Vec::with_capacity(4);
        assert_no_alloc(|| {
            port.tell(Nanos::from_millis(999), &mut |one| all.push(one));
            port.tell(Nanos::from_millis(1_200), &mut |one| all.push(one));
        });
        let told: Vec<_> = all.iter().map(|one| (one.input, one.at, one.stamp)).collect();
        let of = |ms| (3, Nanos::from_millis(ms), Stamp::AudioFrame);
        assert_eq!(told, [of(200), of(230)]);
        assert_eq!((port.counts().early, port.counts().received), (1, 2));
        // Taps for which the queue had no room, and missed periods that nobody was told.
        port.shared.lost.store(3, Relaxed);
        port.counts.overruns = 2;
        assert_eq!(port.counts().overruns, 5);
    }
}
