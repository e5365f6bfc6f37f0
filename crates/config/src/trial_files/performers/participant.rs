//! [`SimulatedParticipant`]: hears beats, taps to them, and goes on by itself when they stop.
//!
//! Background: Wing and Kristofferson (1973) put the variability of tapping on two
//! levels, a clock whose intervals vary and a motor delay that each tap adds.
//! Vorberg and Wing (1996) let the clock correct a share alpha of each asynchrony,
//! Schulze, Cordes and Vorberg (2005) its period by a share beta.
//!
//! Solution: `clock` is when the clock calls for the next tap; the tap comes a motor
//! delay later. After a tap the clock moves on by its period and its noise, and as
//! soon as both a tap and its beat are past it is moved by the corrections. So for
//! asynchronies A, intervals C of the pacing, clock noise T and motor noise M
//!
//! ```text
//! A[k+1] = (1 − alpha)·A[k] + t[k+1] + T[k] + M[k+1] − M[k] − C[k],   t[k+1] = t[k] − beta·A[k]
//! ```
//!
//! holds whether the tap or the beat came first. A in this is the asynchrony less
//! the mean one. A beat belongs to the tap whose A lies within half a period.

mod feedback;
mod pacing;
mod plan;

use super::beats::Beats;
use super::hand::{Hand, Tap};
use super::model::Model;
use crate::trial_files::TrialFile;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_engine::action::{ActionKind, Silence};
use chronotap_engine::random::Random;
use chronotap_engine::signal::{Heard, Performer, Sent};
use chronotap_engine::trial::{Pacing, PatternStep, Tone};

/// Tones that are further apart than these semitones are heard as two streams (van Noorden 1975).
const ONE_STREAM: u8 = 7;

/// A simulated participant. The same model, seed and things heard give the same taps.
#[derive(Clone, Debug)]
pub struct SimulatedParticipant {
    model: Model,
    random: Random,
    /// For what only some participants do, so that it does not change what the others draw.
    more: Random,
    drifts: Random, // the same, for the slow drift
    now: Nanos,     // the latest thing heard or sent
    beats: Beats,
    period: f64,                   // ns
    clock: f64,                    // ns, when the clock calls for the next tap
    motor: f64,                    // ns, what the motor adds to it
    drift: f64,                    // ns, how far the asynchrony aimed at has wandered
    tap: Option<Tap>,              // the next tap
    last: Option<LastTap>,         // the last one
    late_for: Option<Nanos>,       // a beat that has no tap yet
    late_for_other: Option<Nanos>, // a tone of another's tap that has none yet
    ear: Option<u16>,              // the output that is heard; all where none
    feels: bool,                   // the beats of the stream, although they never sound
    hands: f64,                    // the share by which this hand goes to the other one's tap
    tone: Nanos,                   // when a tone of any stream was heard last
    felt: Option<(u32, Nanos)>,    // a beat that no tone has fallen on yet
    slips: bool,                   // taps to the tones in place of the beats between them
    sounds: bool,                  // the last tap but one was heard
    confused: bool,                // the last tone belongs to a neighbour of its key
    hand: Hand,
    count: u32, // taps planned, the missed ones too
}

#[derive(Clone, Copy, Debug)]
struct LastTap {
    at: Nanos,
    matched: bool, // its beat was heard and corrected for
    met: bool,     // a tone of another's tap was
    heard: bool,   // its tone was
    delay: f64,    // ns, the longest feedback delay heard so far
}

impl SimulatedParticipant {
    /// A participant of this model; `seed` is usually the trial's.
    pub fn new(model: Model, seed: u64) -> SimulatedParticipant {
        SimulatedParticipant::at_place(model, seed, 0)
    }

    /// The same, one of several: those of one seed draw different numbers.
    pub(super) fn at_place(model: Model, seed: u64, place: usize) -> SimulatedParticipant {
        let named = |of: &str| Random::named(seed, &format!("{of}participant {}", place + 1));
        let mut new = SimulatedParticipant {
            random: named(""),
            more: named("more of "),
            drifts: named("drift of "),
            now: Nanos::MIN,
            beats: Beats::default(),
            period: model.interval.0 as f64,
            clock: 0.0,
            motor: 0.0,
            drift: 0.0,
            tap: None,
            last: None,
            late_for: None,
            late_for_other: None,
            ear: None,
            feels: false,
            hands: model.hands,
            tone: Nanos::MIN,
            felt: None,
            slips: false,
            sounds: false,
            confused: false,
            hand: Hand::new(&model),
            count: 0,
            model,
        };
        new.drift = new.model.drift.0 as f64 * new.drifts.normal();
        new.begin_at(new.model.wait);
        new
    }

    /// Knows what is to be done in this trial: hears the feedback of the output alone on which the own
    /// stream sounds, as with headphones; feels its beats where it never sounds; and where a tone falls on
    /// every second step, or every third, taps as seldom.
    pub(super) fn at_trial(mut self, file: &TrialFile) -> SimulatedParticipant {
        let stream = self.model.stream;
        if let Some(pacing) = file.trial.pacing.get(usize::from(stream)) {
            self.ear = Some(pacing.output);
            let answers = &file.answers;
            self.feels = answers.silent.contains(&stream) && !answers.heard.contains(&stream);
            self.beats = Beats::every(steps(&pacing.pattern));
            let of = |tone: &Tone| tone.note.get();
            let apart = |other: &Pacing| of(&other.tone).abs_diff(of(&pacing.tone)) > ONE_STREAM;
            let share = if file.trial.pacing.iter().any(apart) { 0.5 } else { 1.0 };
            self.hands = share * self.model.hands;
        }
        self
    }

    /// What it is made of.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Starts afresh, as [`SimulatedParticipant::new`] would make one of the same model.
    pub fn reset(&mut self, seed: u64) {
        let (ear, feels, beats, hands) = (self.ear, self.feels, self.beats.again(), self.hands);
        *self = SimulatedParticipant::new(self.model.clone(), seed);
        (self.ear, self.feels, self.beats, self.hands) = (ear, feels, beats, hands);
    }

    fn begin_at(&mut self, at: Nanos) {
        self.count = 0; // a start that was planned and not come to does not count
        self.clock = at.0 as f64 - self.period;
        self.plan();
    }

    fn send_tap(&mut self, tap: Tap, at: Nanos) -> Sent {
        let late_for = self.late_for.take().filter(|beat| self.belongs(at, *beat));
        let other = self.late_for_other.take().filter(|tone| self.is_near(at, *tone));
        let (matched, met) = (late_for.is_some(), other.is_some());
        let tap = self.perhaps_wrong(tap);
        self.sounds = self.last.is_some_and(|last| last.heard);
        self.last = Some(LastTap { at, matched, met, heard: false, delay: 0.0 });
        self.confused = false;
        self.plan();
        if let Some(beat) = late_for {
            self.correct(at - beat);
        }
        if let Some(tone) = other {
            self.meet(at - tone);
        }
        self.hand.press(tap, at)
    }
}

/// How many steps of a pattern lie between its tones, where that is always the same number; else 1.
fn steps(pattern: &[PatternStep]) -> u32 {
    let tones: Vec<usize> =
        (0..pattern.len()).filter(|at| pattern[*at] != PatternStep::Rest).collect();
    let apart = |(at, tone): (usize, &usize)| match tones.get(at + 1) {
        Some(next) => next - tone,
        None => tones[0] + pattern.len() - tone,
    };
    let mut all = tones.iter().enumerate().map(apart);
    let first = all.next().unwrap_or(1);
    if all.all(|other| other == first) { first as u32 } else { 1 }
}

impl Performer for SimulatedParticipant {
    fn hear(&mut self, heard: Heard) {
        self.now = self.now.max(heard.at);
        if !matches!(heard.message, None | Some(Message::NoteOn { .. })) {
            return;
        }
        let is_tone = matches!(heard.kind, ActionKind::Pacing(_));
        self.settle(heard.at, is_tone);
        if is_tone {
            self.tone = heard.at;
        }
        match heard.kind {
            ActionKind::SilentBeat(stream, Silence::Inaudible)
                if self.feels && stream == self.model.stream =>
            {
                self.feel_beat(heard.number, heard.at);
            }
            ActionKind::Pacing(stream) if stream == self.model.stream && heard.number > 0 => {
                self.hear_beat(heard.number, heard.at);
            }
            ActionKind::Tap(input) if input != self.model.input && self.hands > 0.0 => {
                self.feel_other_hand(heard.at);
            }
            ActionKind::Pacing(_) if self.slips => self.correct_for(heard.at),
            ActionKind::Feedback(_) if self.ear.is_some_and(|ear| ear != heard.output) => {}
            ActionKind::Feedback(_) if heard.input == Some(self.model.input) => {
                let Some(Message::NoteOn { note, .. }) = heard.message else { return };
                self.hear_feedback(heard.at, note);
            }
            ActionKind::Feedback(_) if heard.input.is_some() => self.hear_other(heard.at),
            _ => {}
        }
    }

    fn next(&self) -> Option<Nanos> {
        let next = self.hand.next().into_iter().chain(self.tap_at()).min()?;
        Some(next.max(self.now))
    }

    fn send(&mut self) -> Option<Sent> {
        let at = self.next()?;
        let sent = self.send_at(at);
        self.settle(at, false);
        sent
    }
}

impl SimulatedParticipant {
    fn send_at(&mut self, at: Nanos) -> Option<Sent> {
        self.now = at;
        let taps = self.tap_at() == Some(at);
        if let Some(sent) = self.hand.due(at, taps) {
            return Some(sent);
        }
        let tap = self.tap.take()?;
        Some(self.send_tap(tap, at))
    }
}
