//! Rules acting: conditions that have come to hold, and what is then done.

use crate::action::{Action, ActionKind, EventId, TrialEnding};
use crate::agenda::Turn;
use crate::feedback::AcceptedTap;
use crate::instant::{InputState, State};
use crate::pacing::{Stream, velocity_at};
use crate::perturbation::Perturbation;
use crate::rules::RuleFacts;
use crate::settings::set_pacing;
use crate::tones::{NO_RELEASE_VELOCITY, ToneParts};
use crate::trial::{Do, Trial};
use chronotap_core::midi::U7;
use chronotap_core::time::{Exact, Nanos};

impl State {
    /// Lets the rules act whose conditions have come to hold, in file order.
    /// `tap` is the tap of this very moment; it stands behind those that would not
    /// act without it, which are then due at its stamp.
    pub(crate) fn act(
        &mut self,
        trial: &Trial,
        tap: Option<(AcceptedTap, EventId)>,
        sink: &mut impl FnMut(&Action),
    ) {
        if !self.watch.take_alert() {
            return;
        }
        let mut from = 0;
        while let Some(i) = self.next_to_act(from, trial) {
            let when = &trial.rules[i].when;
            let behind = tap.filter(|(tap, _)| !when.holds(&self.present_without(tap.input)));
            let (due, cause) = behind.map_or((self.now, 0), |(tap, id)| (tap.stamp, id));
            self.pull(i, trial, due, cause, sink);
            from = i + 1;
        }
    }

    fn next_to_act(&mut self, from: usize, trial: &Trial) -> Option<usize> {
        let State { now, streams, inputs, tap_now, watch, .. } = self;
        let facts = Present { now: *now, streams, inputs, tap: *tap_now, without: None };
        watch.next_to_act(from, &trial.rules, &facts)
    }

    /// What the present would be without this moment's tap of an input.
    fn present_without(&self, input: u16) -> Present<'_> {
        let State { now, streams, inputs, .. } = self;
        Present { now: *now, streams, inputs, tap: None, without: Some(input) }
    }

    /// One rule acts.
    pub(crate) fn pull(
        &mut self,
        index: usize,
        trial: &Trial,
        due: Nanos,
        tap: EventId,
        sink: &mut impl FnMut(&Action),
    ) {
        let (kind, number) = (ActionKind::Rule(index as u16), index as u32 + 1);
        let actions = &trial.rules[index].then;
        let ends = actions.contains(&Do::End);
        let plays = actions.iter().any(|action| matches!(action, Do::Play(..))) && !ends;
        // The first tone that a rule plays is also its row.
        let id = if plays {
            self.new_event()
        } else {
            self.emit((kind, number, tap), due, 0, None, sink)
        };
        let mut promised = id;
        for action in actions {
            match *action {
                Do::Play(output, tone) if !ends => {
                    let cause = if promised == 0 { id } else { tap };
                    let what = (kind, number, cause);
                    self.play(what, std::mem::take(&mut promised), due, (output, tone));
                }
                Do::Mark(text) => {
                    self.emit((ActionKind::Marker(text), number, id), due, 0, None, sink);
                }
                Do::End => self.ending = self.ending.or(Some((TrialEnding::Rule, id, due))),
                other => self.set(other, due, trial),
            }
        }
    }

    pub(crate) fn set(&mut self, action: Do, due: Nanos, trial: &Trial) {
        match action {
            Do::Pacing(i, value) => set_pacing(&mut self.streams[usize::from(i)], value),
            Do::Feedback(i, value) => self.voices[usize::from(i)].set(value),
            Do::Masking(i, value) => self.masks[usize::from(i)].set(value),
            Do::Debounce(i, least) => self.inputs[usize::from(i)].debounce = least,
            Do::Ramp(ramp) => self.ramp(ramp, due),
            Do::StartStream(i) => self.start_stream(i, due.into(), due, trial),
            Do::StopStream(i) => self.streams[usize::from(i)].stop(due),
            Do::Play(..) | Do::Mark(_) | Do::End => {}
        }
    }

    /// Beat 1 of a stream will come at `at`; it is started at `now`.
    pub(crate) fn start_stream(&mut self, i: u16, at: Exact, now: Nanos, trial: &Trial) {
        self.streams[usize::from(i)].start(at, now, trial);
    }

    pub(crate) fn play(
        &mut self,
        (kind, number, cause): (ActionKind, u32, EventId),
        id: EventId,
        onset: Nanos,
        (output, tone): (u16, crate::trial::Tone),
    ) {
        let tone = ToneParts {
            id,
            kind,
            number,
            cause,
            output,
            channel: tone.channel,
            note: tone.note,
            velocity: velocity_at(tone.velocity, onset),
            onset,
            length: Some(tone.duration),
            delay: Nanos::ZERO,
            release: NO_RELEASE_VELOCITY,
            perturbation: Perturbation::NONE,
        };
        self.ask(tone, Turn::Rule, number as u16);
    }
}

/// The present, for the conditions of rules.
struct Present<'a> {
    now: Nanos,
    streams: &'a [Stream],
    inputs: &'a [InputState],
    tap: Option<(u16, U7)>,
    without: Option<u16>, // the input whose last tap is left out
}

impl RuleFacts for Present<'_> {
    fn now(&self) -> Nanos {
        self.now
    }

    fn beat(&self, stream: u16) -> u32 {
        self.streams[usize::from(stream)].most_beats()
    }

    fn taps(&self, input: u16) -> u32 {
        self.inputs[usize::from(input)].taps - u32::from(self.without == Some(input))
    }

    fn taps_after(&self, stream: u16, input: u16) -> u32 {
        let end = &self.streams[usize::from(stream)].end;
        if self.without == Some(input) { end.taps_but_last(input) } else { end.taps(input) }
    }

    fn silence(&self, input: u16) -> Nanos {
        self.now - self.inputs[usize::from(input)].last.unwrap_or(Nanos::ZERO)
    }

    fn note(&self, input: Option<u16>, note: U7) -> bool {
        self.tap.is_some_and(|(i, n)| n == note && input.is_none_or(|input| input == i))
    }
}
