//! What comes in: taps, releases, and inputs that are lost. Each is recorded as it came; an
//! accepted tap is handed back to have its feedback. Controllers are in `controls`.

use crate::action::{Action, ActionKind, EventId, TrialEnding};
use crate::event::Event;
use crate::feedback::AcceptedTap;
use crate::instant::{Notice, State, Sysex, Waiting};
use crate::trial::Trial;
use chronotap_core::midi::{Channel, Message, SysexPart, U7};
use chronotap_core::time::Nanos;

impl State {
    pub(crate) fn input_is_due(&self) -> bool {
        self.arrivals.front().is_some_and(|next| next.instant <= self.now)
    }

    /// Takes and records the inputs that are due, up to an accepted tap, which is
    /// given back.
    pub(crate) fn accept_next(
        &mut self,
        trial: &Trial,
        sink: &mut impl FnMut(&Action),
    ) -> Option<(AcceptedTap, EventId)> {
        self.tap_now = None;
        while self.input_is_due() && self.ending.is_none() {
            let Waiting { event, notice, .. } = self.arrivals.pop_front()?;
            if let Some(notice) = notice {
                let kind = match notice {
                    Notice::Reopened => ActionKind::InputReopened(event.input),
                    Notice::Xrun => ActionKind::Xrun,
                    Notice::Changed(change) => ActionKind::Changed(change),
                };
                self.emit((kind, 0, 0), event.stamp, event.input, None, sink);
                continue;
            }
            let accepted = self.accept(&event, trial, sink);
            if accepted.is_some() {
                return accepted;
            }
        }
        None
    }

    fn accept(
        &mut self,
        event: &Event,
        trial: &Trial,
        sink: &mut impl FnMut(&Action),
    ) -> Option<(AcceptedTap, EventId)> {
        match event.message {
            Some(Message::NoteOn { channel, note, velocity }) => {
                let tap =
                    AcceptedTap { input: event.input, channel, note, velocity, stamp: event.stamp };
                return self.accept_tap(&tap, trial, sink).map(|id| (tap, id));
            }
            Some(Message::Sysex(part)) => self.keep_sysex(event, part, sink),
            Some(message) => match message.release() {
                Some(key) => self.accept_release(event, key, sink),
                None => self.pass_control(event, message, sink),
            },
            None => self.accept_closure(event, trial, sink),
        }
        None
    }

    /// Records a part of a system exclusive message. Nothing else comes of it.
    fn keep_sysex(&mut self, event: &Event, part: SysexPart, sink: &mut impl FnMut(&Action)) {
        let Event { input, stamp, message } = *event;
        let Some(mut sysex) = self.inputs[usize::from(input)].sysex else { return };
        if part.begins() {
            sysex = Sysex { messages: sysex.messages.saturating_add(1), first_part: 0 };
        }
        let what = (ActionKind::Sysex(input), sysex.messages, sysex.first_part);
        let id = self.emit(what, stamp, input, message, sink);
        if part.begins() {
            sysex.first_part = id;
        }
        if part.ends() {
            sysex.first_part = 0;
        }
        self.inputs[usize::from(input)].sysex = Some(sysex);
    }

    /// Records that an input is lost; the trial may say that this ends it.
    fn accept_closure(&mut self, event: &Event, trial: &Trial, sink: &mut impl FnMut(&Action)) {
        let what = (ActionKind::InputClosed(event.input), 0, 0);
        self.emit(what, event.stamp, event.input, None, sink);
        if trial.inputs[usize::from(event.input)].ends_when_closed {
            self.ending = Some((TrialEnding::InputClosed, 0, event.stamp));
        }
    }

    /// Counts and records a tap; `None` where it was debounced.
    pub(crate) fn accept_tap(
        &mut self,
        tap: &AcceptedTap,
        trial: &Trial,
        sink: &mut impl FnMut(&Action),
    ) -> Option<EventId> {
        let state = &mut self.inputs[usize::from(tap.input)];
        let bounced = state.last.is_some_and(|last| tap.stamp - last < state.debounce);
        if !bounced {
            state.taps += 1;
            state.last = Some(tap.stamp);
        }
        let number = if bounced { 0 } else { state.taps };
        let AcceptedTap { input, channel, note, velocity, stamp } = *tap;
        let message = Message::NoteOn { channel, note, velocity };
        let id = self.emit((ActionKind::Tap(input), number, 0), stamp, input, Some(message), sink);
        self.tones.press(input, channel, note, id);
        if bounced {
            return None;
        }
        self.tap_now = Some((input, note));
        if stamp < self.judged {
            self.watch.alert(); // a silence since a late tap may be over already
        }
        self.watch.tap(usize::from(input), number, note);
        self.streams.iter_mut().for_each(|stream| stream.tap(input, number, stamp));
        for i in 0..self.starts.len() {
            let (waits_for, tap, stream, delay) = self.starts[i];
            if (waits_for, tap) == (input, number) {
                let at = self.streams[usize::from(stream)].start_after(stamp, delay);
                self.start_stream(stream, at, stamp, trial);
            }
        }
        Some(id)
    }

    /// Records a key release and lets its tones go, each after its own delay, with the
    /// velocity of the release. 0 is none: so a note-on with velocity 0 counts.
    pub(crate) fn accept_release(
        &mut self,
        event: &Event,
        (channel, note, velocity): (Channel, U7, U7),
        sink: &mut impl FnMut(&Action),
    ) {
        let tap = self.tones.release(event.input, channel, note);
        let (kind, message) = (ActionKind::Release(event.input), event.message);
        self.emit((kind, 0, tap), event.stamp, event.input, message, sink);
        while let Some(id) = self.tones.next_let_go(event.input, channel, note) {
            let delay = self.tones.get(id).map_or(Nanos::ZERO, |tone| tone.delay);
            if velocity > U7::ZERO {
                self.tones.let_go_with(id, velocity);
            }
            self.release_at(event.stamp + delay, id);
        }
    }
}
