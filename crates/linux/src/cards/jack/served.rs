//! The card on a real JACK server with its dummy driver, its process under the
//! allocation trap. Passed over, with the reason, where jackd is not installed or a
//! server runs already.

use super::jack_shape;
use crate::cards::{Card, CardError, CardName, CardRequest, Offered, PortJoin};
use crate::clocks::{MonotonicClock, sleep_until};
use chronotap_audio::{Period, Process};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::Callbacks;
use chronotap_testkit::pass_over;
use chronotap_testkit_linux::jack::JackServer;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

fn pause(ms: i64) {
    sleep_until(MonotonicClock::raw() + Nanos::from_millis(ms));
}

/// Puts out a click every 1024 frames, and notes at which frame one comes in.
struct Clicks(Arc<[AtomicU64; 2]>); // how many came in; how late the last one was, in frames

impl Process for Clicks {
    fn process(&mut self, period: &mut Period<'_>) {
        let frame = |i: usize| period.frame + i as u64;
        for (i, sample) in period.outputs[0].iter_mut().enumerate() {
            *sample = if frame(i).is_multiple_of(1_024) { 0.5 } else { 0.0 };
        }
        if let Some(i) = period.inputs[0].iter().position(|sample| *sample > 0.25) {
            self.0[0].fetch_add(1, Relaxed);
            self.0[1].store(frame(i) % 1_024, Relaxed);
        }
    }
}

#[test]
fn the_server_s_card_calls_once_a_period_and_is_left_in_the_midst_of_a_callback() {
    let _server = match JackServer::start(256, || jack_shape().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    a_loop_takes_one_period();
    leaving_in_the_midst_of_a_callback_waits_for_its_end();
    leaving_again_and_again_is_told_and_ends_no_process();
}

fn a_loop_takes_one_period() {
    let came = Arc::new([const { AtomicU64::new(0) }; 2]);
    let wanted =
        CardRequest { inputs: 1, outputs: 1, join: PortJoin::Itself, ..CardRequest::default() };
    let heard = Arc::clone(&came);
    let mut card =
        Card::open(&CardName::Jack, &wanted, |_, _| Box::new(Clicks(heard))).expect("the card");
    assert_eq!((card.shape().rate_hz, card.shape().period_frames), (48_000, 256));
    let patience = MonotonicClock::raw() + Nanos::from_secs(60);
    while came[0].load(Relaxed) <= 5 {
        assert!(MonotonicClock::raw() < patience, "{} clicks came back", came[0].load(Relaxed));
        pause(20);
    }
    let calls: Vec<_> = card
        .take_calls()
        .map(|mut calls| std::iter::from_fn(|| calls.next()).collect())
        .unwrap_or_default();
    let xruns = card.watch().xruns();
    assert!(calls.len() > 20, "{} calls", calls.len());
    if xruns == 0 {
        assert_eq!(came[1].load(Relaxed), 256);
        assert!(calls.windows(2).all(|two| two[1].frame - two[0].frame == 256));
    }
    let other_period = CardRequest { period_frames: Some(64), ..CardRequest::default() };
    let refused = Card::open(&CardName::Jack, &other_period, |_, _| Box::new(Clicks(came)));
    let refused = refused.err().unwrap();
    let CardError::NotOffered { offered: Offered::Server { has: 256, .. }, .. } = refused else {
        panic!("{refused}")
    };
}

/// Computes for far longer than a period, once, and says when it began.
struct Slow(Arc<[AtomicU64; 2]>); // begun, ended

impl Process for Slow {
    fn process(&mut self, _: &mut Period<'_>) {
        if self.0[0].fetch_add(1, Relaxed) == 20 {
            let end = MonotonicClock::raw() + Nanos::from_secs(2);
            while MonotonicClock::raw() < end {}
        }
        self.0[1].fetch_add(1, Relaxed);
    }
}

/// libjack cancels the thread of a client that leaves; in the midst of a callback that ends the
/// process.
fn leaving_in_the_midst_of_a_callback_waits_for_its_end() {
    let calls = Arc::new([const { AtomicU64::new(0) }; 2]);
    let wanted =
        CardRequest { inputs: 1, outputs: 1, join: PortJoin::Itself, ..CardRequest::default() };
    let counted = Arc::clone(&calls);
    let card = Card::open(&CardName::Jack, &wanted, |_, _| Box::new(Slow(counted)));
    let card = card.expect("the card");
    let patience = MonotonicClock::raw() + Nanos::from_secs(60);
    while calls[0].load(Relaxed) <= 20 {
        assert!(MonotonicClock::raw() < patience, "{} calls", calls[0].load(Relaxed));
        pause(5);
    }
    drop(card);
    assert_eq!(calls[0].load(Relaxed), calls[1].load(Relaxed), "every call came to its end");
}

/// The server tells each client that leaves of its connections, while libjack ends the thread that
/// is told.
fn leaving_again_and_again_is_told_and_ends_no_process() {
    let wanted =
        CardRequest { inputs: 8, outputs: 8, join: PortJoin::Itself, ..CardRequest::default() };
    for _ in 0..100 {
        let came = Arc::new([const { AtomicU64::new(0) }; 2]);
        let card = Card::open(&CardName::Jack, &wanted, |_, _| Box::new(Clicks(came)));
        drop(card.expect("the card"));
    }
}
