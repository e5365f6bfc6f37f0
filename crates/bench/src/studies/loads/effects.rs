//! Effects that are computed live, as Phillips (2000) let effects run while others played: what
//! comes in at a sound card goes through reverberators, one after the other, and out again.
//!
//! The card's thread is a server's where there is one. Else it asks for a priority below that of
//! what is measured, as a program for effects has it; whether it got one stands in what it did.

use super::LoadRefusal;
use super::job::Job;
use super::work::LoadWork;
use chronotap_audio::network::Heavy;
use chronotap_audio::{Period, Process};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{Card, CardName, CardRequest, CardShape};
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use chronotap_linux::realtime::{Request, flush_denormals, policy_of};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Reverberators in the way of the sound.
const CHAIN: usize = 4;
/// What goes out, as a share of what they give, so that a microphone beside a loudspeaker does
/// not howl.
const GAIN: f32 = 0.1;
/// Of a card whose thread is this program's own: below the threads that measure (80).
const PRIORITY: i32 = 70;
const STEP: Nanos = Nanos::from_millis(10);

/// Whether the card can be opened as it must be. Leaves it as it was.
pub(super) fn available(card: &CardName) -> Result<(), LoadRefusal> {
    Ok(Card::open(card, &wanted(), |_, _| Box::new(())).map(drop)?)
}

/// Two inputs and two outputs. Idle states stay as they are, which a load may not change.
fn wanted() -> CardRequest {
    let fifo_priority = Some(PRIORITY);
    let request = Request { fifo_priority, ..Request::nothing() };
    CardRequest { inputs: 2, request, ..CardRequest::default() }
}

/// Effects on a card, until they are dropped.
pub(super) struct Live {
    card: Card,
    seen: Arc<Heard>,
}

/// What the card's thread tells.
#[derive(Default)]
struct Heard {
    periods: AtomicU64,
    realtime: AtomicBool,
}

impl Live {
    pub(super) fn begin(card: &CardName) -> io::Result<Live> {
        let seen = Arc::new(Heard::default());
        let effects = |shape: &CardShape| Effects::new(shape, Arc::clone(&seen));
        let opened = Card::open(card, &wanted(), |shape, _| Box::new(effects(shape)));
        Ok(Live { card: opened.map_err(io::Error::other)?, seen })
    }
}

impl Job for Live {
    fn step(&mut self, _: &mut LoadWork) -> io::Result<()> {
        sleep_until(MonotonicClock::raw() + STEP);
        match self.card.watch().is_gone() {
            true => Err(io::Error::other("the card has gone")),
            false => Ok(()),
        }
    }

    fn end(&mut self, work: &mut LoadWork) {
        work.add("periods", self.seen.periods.load(Ordering::Relaxed) as f64);
        work.add("xruns", self.card.watch().xruns() as f64);
        work.add("realtime", f64::from(u8::from(self.seen.realtime.load(Ordering::Relaxed))));
    }
}

struct Effects {
    chain: Vec<Heavy>,
    left: Vec<f32>,
    right: Vec<f32>,
    seen: Arc<Heard>,
}

impl Effects {
    fn new(shape: &CardShape, seen: Arc<Heard>) -> Effects {
        let one = || {
            let mut network = Heavy::new(f64::from(shape.rate_hz));
            network.reset(); // its memory is there only once it has been written to
            network
        };
        let silence = vec![0.0; shape.period_frames as usize];
        let chain = (0..CHAIN).map(|_| one()).collect();
        Effects { chain, left: silence.clone(), right: silence, seen }
    }
}

impl Process for Effects {
    /// Real-time contract: the card's thread; no allocation, lock or panic, and no system call but
    /// that of its first period.
    fn process(&mut self, period: &mut Period<'_>) {
        if self.seen.periods.fetch_add(1, Ordering::Relaxed) == 0 {
            let realtime = policy_of(0).is_ok_and(|policy| policy.is_realtime());
            self.seen.realtime.store(realtime, Ordering::Relaxed);
        }
        let _flushed = flush_denormals();
        let frames = period.frames().min(self.left.len());
        let sides = [&mut self.left[..frames], &mut self.right[..frames]];
        for (side, input) in sides.into_iter().zip(period.inputs) {
            side.copy_from_slice(&input[..frames]);
        }
        for network in &mut self.chain {
            network.process(&mut self.left[..frames], &mut self.right[..frames]);
        }
        for (side, output) in [&self.left, &self.right].into_iter().zip(period.outputs.iter_mut()) {
            output.iter_mut().zip(side).for_each(|(out, wet)| *out += GAIN * wet);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_in_goes_out_through_the_reverberators() {
        let shape = CardShape { rate_hz: 48_000, period_frames: 64, ..CardShape::default() };
        let mut effects = Effects::new(&shape, Arc::default());
        let click: Vec<f32> = (0..64).map(|n| f32::from(u8::from(n == 0))).collect();
        let silence = vec![0.0; 64];
        let mut heard = 0.0;
        for frame in 0..200 {
            let input = if frame == 0 { &click } else { &silence };
            let (mut left, mut right) = (vec![0.0; 64], vec![0.0; 64]);
            effects.process(&mut Period {
                frame: frame * 64,
                rate_hz: 48_000,
                inputs: &[input, input],
                outputs: &mut [&mut left, &mut right],
            });
            heard += left.iter().chain(&right).map(|one| one.abs()).sum::<f32>();
        }
        assert!(heard > 0.0 && heard.is_finite(), "{heard}");
        assert_eq!(effects.seen.periods.load(Ordering::Relaxed), 200);
    }

    #[test]
    fn without_a_card_a_timer_calls_for_the_effects() {
        let mut work = LoadWork::default();
        let mut live = Live::begin(&CardName::Virtual(None)).unwrap();
        live.step(&mut work).unwrap();
        live.end(&mut work);
        assert!(work.done["periods"] >= 1.0, "{work:?}");
    }
}
