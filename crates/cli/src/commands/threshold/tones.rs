//! [`TestTones`]: the tones at which nobody taps, as a metronome that says nothing else would play them.

use anyhow::{Context, Result};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::Port;
use chronotap_linux::clocks::MonotonicClock;
use chronotap_linux::ports::Spec;

const EVERY: Nanos = Nanos::from_millis(500);
const LASTS: Nanos = Nanos::from_millis(100);

pub struct TestTones {
    port: Box<dyn Port>,
    origin: Nanos,
    id: u64,
    next: Option<Nanos>, // of the first: at once
    ends: Option<Nanos>,
}

impl TestTones {
    pub fn open(output: &str) -> Result<TestTones> {
        let spec: Spec = output.parse().with_context(|| format!("--out {output}"))?;
        let mut port = spec.open(&[], &[(0, "tones")])?;
        let origin = MonotonicClock::raw();
        port.start(origin);
        Ok(TestTones { port, origin, id: 0, next: None, ends: None })
    }

    /// Plays what is due now (raw CLOCK_MONOTONIC).
    pub fn play(&mut self, now: Nanos) -> Result<()> {
        let now = now - self.origin;
        if self.ends.is_some_and(|ends| now >= ends) {
            self.ends = None;
            self.send(ActionKind::ToneOff, now)?;
        }
        if self.next.is_none_or(|next| now >= next) {
            (self.next, self.ends) = (Some(now + EVERY), Some(now + LASTS));
            self.id += 1;
            self.send(ActionKind::Pacing(0), now)?;
        }
        Ok(())
    }

    fn send(&mut self, kind: ActionKind, now: Nanos) -> Result<()> {
        let (channel, note) = (Channel::ONE, U7::from_byte(76));
        let velocity = U7::from_byte(if kind == ActionKind::ToneOff { 0 } else { 100 });
        let message = Some(match kind {
            ActionKind::ToneOff => Message::NoteOff { channel, note, velocity },
            _ => Message::NoteOn { channel, note, velocity },
        });
        let (id, number, cause, port) = (self.id, self.id as u32, 0, 0);
        let (deadline, instant, perturbation) = (now, now, Perturbation::NONE);
        let action =
            Action { id, kind, number, cause, deadline, instant, port, message, perturbation };
        self.port.write(&action, now).context("a tone could not be played")?;
        Ok(())
    }
}
