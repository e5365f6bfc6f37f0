//! [`Warmup`]: runs the engine once, without output, shortly before each deadline.
//!
//! Background: after a sleep of half a second the engine's code and data are no longer
//! in the processor's caches. The first beat then runs from main memory and is some
//! 10 us late, though the thread was awake in time.
//! Solution: between the end of the sleep and the spin, a second engine with a
//! trial of one stream is served once, through the very same code, into a wire
//! that leads nowhere.
//! Why it works: it brings the same instructions, branch predictions and page of the
//! clock back into the caches as a real beat needs. It ends before the deadline,
//! because the thread wakes earlier than that by more than a warm-up takes.
//!
//! Real-time contract: as the loop that calls it.

use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_engine::Engine;
use chronotap_engine::trial::{Interval, Pacing, PatternStep, Start, Tone, Trial, Varying};
use chronotap_linux::clocks::MonotonicClock;
use chronotap_simulate::{FarEnd, Wire};
use chronotap_trial::{Ports, Round};
use std::hint::black_box;
use std::sync::Arc;

const INTERVAL: Nanos = Nanos::from_millis(10);
/// One sounds at a time; the next beat begins after it has ended.
const TONES: u32 = 4;

/// A trial of nothing but beats, whose output goes nowhere.
pub struct Warmup {
    round: Round<MonotonicClock>,
    now: Nanos,
}

impl Warmup {
    /// A warm-up that has not been played.
    pub fn new() -> Warmup {
        let mut ports = Ports::new(0, 1);
        // One port is within the limit of a rig.
        let _ = ports.add(Box::new(Wire::new(None, FarEnd::Silence)), &[], &[0]);
        let engine = Engine::with_room(Arc::new(trial()), 0, TONES);
        let clock = MonotonicClock::start();
        Warmup { round: Round { engine, ports, clock }, now: Nanos::ZERO }
    }

    /// One beat and the end of the last one.
    pub fn play(&mut self) {
        self.now += INTERVAL;
        self.round.service(0, self.now, &mut |entry: Entry| {
            black_box(entry);
        });
        black_box(self.round.next());
    }
}

fn trial() -> Trial {
    let tone = Tone {
        channel: Channel::ONE,
        note: U7::ZERO,
        velocity: Varying::constant(1.0),
        duration: INTERVAL / 2,
    };
    let beats = Pacing {
        name: String::new(),
        output: 0,
        audible: true,
        start: Start::At(INTERVAL),
        interval: Interval::Exact(INTERVAL.into()),
        own_tempo: None,
        beats: None,
        pattern: vec![PatternStep::Tone],
        tone,
        accent_velocity: tone.velocity,
        accent_note: None,
        step_notes: Vec::new(),
        step_channels: Vec::new(),
        changes: Vec::new(),
        jitter: None,
        sinusoid: None,
        onsets: None,
        repeat: None,
        audio: None,
        adapt: None,
    };
    Trial { outputs: vec![String::new()], pacing: vec![beats], ..Trial::default() }
}
