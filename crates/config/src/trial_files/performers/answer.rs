//! [`KeyAnswer`]: a simulated participant who presses one key after the last tone.

use super::model::Model;
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::ActionKind;
use chronotap_engine::random::Random;
use chronotap_engine::signal::{Heard, Performer, Sent};
use chronotap_engine::trial::{Pacing, PatternStep, Trial};

/// Nobody answers faster.
const FASTEST: Nanos = Nanos::from_millis(150);
/// The SD of answering times, as a share of their mean.
const SPREAD: f64 = 0.2;
/// How long a key is held.
const HOLD: Nanos = Nanos::from_millis(100);

/// Presses one key after the last tone of a trial, and nothing else.
///
/// Real-time contract: as [`Performer`].
#[derive(Clone, Debug)]
pub struct KeyAnswer {
    model: Model,
    note: U7,
    wait: Nanos,
    earliest: Nanos,
    /// Of each stream that ends, its place and the last beat that sounds, until it was heard.
    awaited: Vec<(u16, u32)>,
    next: Option<Nanos>,
    pressed: bool,
}

impl KeyAnswer {
    /// Of a participant of this model, with this key. Answers are taken from so long `after` the last
    /// tone on, and not before a time of the trial.
    pub fn new(
        model: Model,
        trial: &Trial,
        note: U7,
        (after, from): (Nanos, Nanos),
        seed: u64,
    ) -> KeyAnswer {
        let mut random = Random::named(seed, "answering time");
        let mean = model.observer.reaction.0 as f64;
        let reaction = Nanos::round_from_f64(mean * (1.0 + SPREAD * random.normal())).max(FASTEST);
        let awaited: Vec<(u16, u32)> = (0..)
            .zip(&trial.pacing)
            .filter_map(|(at, stream)| Some((at, last_beat(stream)?)))
            .collect();
        let earliest = from + reaction;
        let next = awaited.is_empty().then_some((model.wait + after).max(earliest));
        KeyAnswer { model, note, wait: after + reaction, earliest, awaited, next, pressed: false }
    }

    /// A guess: one of the model's keys.
    pub fn guess(model: &Model, trial: &Trial, seed: u64) -> KeyAnswer {
        let place = Random::named(seed, "guess").between(0, model.note.len().max(1) as u32 - 1);
        let note = model.note.get(place as usize).copied().unwrap_or(U7::ZERO);
        KeyAnswer::new(model.clone(), trial, note, (Nanos::ZERO, Nanos::ZERO), seed)
    }
}

/// The last beat of a stream that sounds; nothing where it does not end or is silent.
fn last_beat(stream: &Pacing) -> Option<u32> {
    let sounds = |beat: &u32| {
        let step = (*beat as usize - 1) % stream.pattern.len().max(1);
        stream.pattern.get(step).is_none_or(|step| *step != PatternStep::Rest)
    };
    let beats = stream.beats.filter(|_| stream.audible)?;
    (1..=beats).rev().find(sounds)
}

impl Performer for KeyAnswer {
    fn hear(&mut self, heard: Heard) {
        let ActionKind::Pacing(stream) = heard.kind else { return };
        let before = self.awaited.len();
        self.awaited.retain(|(of, last)| *of != stream || heard.number < *last);
        if self.awaited.len() < before && self.awaited.is_empty() {
            self.next = Some((heard.at + self.wait).max(self.earliest));
        }
    }

    fn next(&self) -> Option<Nanos> {
        self.next
    }

    fn send(&mut self) -> Option<Sent> {
        let (at, channel, note) = (self.next?, self.model.channel, self.note);
        let velocity = U7::clamped(self.model.velocity as i64);
        let message = match self.pressed {
            false => Message::NoteOn { channel, note, velocity },
            true => Message::NoteOff { channel, note, velocity: U7::clamped(64) },
        };
        self.next = (!self.pressed).then_some(at + HOLD);
        self.pressed = true;
        Some(Sent { input: self.model.input, at, message })
    }
}
