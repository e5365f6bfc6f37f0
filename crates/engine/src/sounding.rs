//! From the agenda to actions: tones begin, give way, end; and the end of the trial
//! leaves none of them hanging.

use crate::action::{Action, ActionKind, EventId, TrialEnding};
use crate::agenda::{Due, Turn};
use crate::feedback::Voice;
use crate::instant::State;
use crate::perturbation::Perturbation;
use crate::tones::{ToneId, ToneParts};
use crate::trial::CopiedTones;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;

/// The sustain pedal: MIDI controller 64.
pub const SUSTAIN: U7 = U7::from_byte(64);

impl State {
    /// Everything on the agenda for this instant.
    pub(crate) fn sound(&mut self, sink: &mut impl FnMut(&Action)) {
        while let Some(due) = self.agenda.pop(self.now) {
            if due.is_onset() {
                self.begin(&due, sink);
            } else if self.tones.is_waiting(due.tone) {
                // Released before it began, at this instant: it begins first.
                self.agenda.push(self.now, due.deadline, (Turn::OwnRelease, 0), due.tone);
            } else {
                self.release(due.tone, due.deadline, sink);
            }
        }
    }

    /// A tone begins; one that is in its way ends first.
    pub(crate) fn begin(&mut self, due: &Due, sink: &mut impl FnMut(&Action)) {
        let Some(tone) = self.begin_one(due.tone, due.at, sink) else { return };
        self.copy(&tone, due.at, sink);
        if let Some(length) = tone.length {
            self.release_at(tone.onset + length, due.tone);
        }
    }

    fn begin_one(
        &mut self,
        id: ToneId,
        at: Nanos,
        sink: &mut impl FnMut(&Action),
    ) -> Option<ToneParts> {
        if let Some(earlier) = self.tones.in_the_way(id) {
            self.release(earlier, at, sink);
        }
        let tone = *self.tones.get(id)?;
        let event = if tone.id == 0 { self.new_event() } else { tone.id };
        self.tones.begin(id, event);
        self.tell_tone(event, tone.kind, &tone, sink);
        Some(ToneParts { id: event, ..tone })
    }

    /// The tone sounds at the further outputs of its stream or channel, too.
    fn copy(&mut self, tone: &ToneParts, at: Nanos, sink: &mut impl FnMut(&Action)) {
        for i in 0..self.copies.len() {
            let CopiedTones { of, output } = self.copies[i];
            if of != tone.kind {
                continue;
            }
            let kind = ActionKind::Copy(output);
            let perturbation = Perturbation::NONE;
            let copy = ToneParts {
                id: 0,
                kind,
                cause: tone.id,
                output,
                length: None,
                perturbation,
                ..*tone
            };
            match self.tones.add(copy) {
                Some(copy) => drop(self.begin_one(copy, at, sink)),
                None => self.lost += 1,
            }
        }
    }

    pub(crate) fn release(&mut self, id: ToneId, deadline: Nanos, sink: &mut impl FnMut(&Action)) {
        let Some(tone) = self.tones.end(id) else { return };
        self.tell_end(&tone, tone.release, deadline, sink);
        for i in 0..self.copies.len() {
            let CopiedTones { of, output } = self.copies[i];
            let copy = || self.tones.copy_of(&tone, output).filter(|_| of == tone.kind);
            if let Some(copy) = copy().and_then(|copy| self.tones.end(copy)) {
                self.tell_end(&copy, tone.release, deadline, sink);
            }
        }
    }

    fn tell_end(
        &mut self,
        tone: &ToneParts,
        velocity: U7,
        deadline: Nanos,
        sink: &mut impl FnMut(&Action),
    ) {
        let ToneParts { id, number, cause, output, channel, note, .. } = *tone;
        let message = Some(Message::NoteOff { channel, note, velocity });
        self.tell(id, (ActionKind::ToneOff, number, cause), deadline, output, message, sink);
    }

    /// Puts the end of a tone on the agenda; a tone never ends before it began.
    pub(crate) fn release_at(&mut self, due: Nanos, id: ToneId) {
        let due = self.tones.get(id).map_or(due, |tone| due.max(tone.onset));
        let own = self.tones.is_waiting(id) && due <= self.now;
        let turn = if own { Turn::OwnRelease } else { Turn::Release };
        if !self.agenda.push(due.max(self.now), due, (turn, 0), id) {
            self.lost += 1; // the end of the trial will release it
        }
    }

    /// The end: what sounds is released, pedals are lifted, feedback still due is
    /// cancelled.
    pub(crate) fn finish(
        &mut self,
        why: TrialEnding,
        cause: EventId,
        due: Nanos,
        sink: &mut impl FnMut(&Action),
    ) {
        self.ended = true;
        let mut place = 0;
        while let Some((found, id)) = self.tones.any_sounding(place) {
            self.release(id, self.now, sink);
            place = found + 1;
        }
        self.lift_pedals(sink);
        while let Some(due) = self.agenda.pop(Nanos::MAX) {
            let waiting = due.is_onset().then(|| self.tones.end(due.tone)).flatten();
            let Some(tone) = waiting else { continue };
            if let (ActionKind::Rule(_), 1..) = (tone.kind, tone.id) {
                // A rule of this instant whose tone the end forestalled.
                let what = (tone.kind, tone.number, tone.cause);
                self.tell(tone.id, what, tone.onset, 0, None, sink);
            } else if let ActionKind::Feedback(voice) = tone.kind {
                let id = self.new_event();
                self.tell_tone(id, ActionKind::Cancelled(voice), &tone, sink);
            }
        }
        self.emit((ActionKind::End(why), 0, cause), due, 0, None, sink);
    }

    pub(crate) fn lift_pedals(&mut self, sink: &mut impl FnMut(&Action)) {
        for i in 0..self.pedals.len() {
            if std::mem::take(&mut self.pedals[i]) {
                let channel = Channel::from_status((i % 16) as u8);
                let lift = Message::Control { channel, controller: SUSTAIN, value: U7::ZERO };
                let kind = ActionKind::ControlOut(self.voice_on((i / 16) as u16, channel));
                self.emit((kind, 0, 0), self.now, (i / 16) as u16, Some(lift), sink);
            }
        }
    }

    /// A feedback channel that sounds there; the first where none can be told.
    fn voice_on(&self, output: u16, channel: Channel) -> u16 {
        let on = |to: Option<Channel>| {
            let there = |v: &Voice| v.feedback.output == output && v.feedback.channel == to;
            self.voices.iter().position(there)
        };
        on(Some(channel)).or_else(|| on(None)).unwrap_or(0) as u16
    }

    pub(crate) fn new_event(&mut self) -> EventId {
        self.last_event += 1;
        self.last_event
    }

    pub(crate) fn emit(
        &mut self,
        what: (ActionKind, u32, EventId),
        deadline: Nanos,
        port: u16,
        message: Option<Message>,
        sink: &mut impl FnMut(&Action),
    ) -> EventId {
        let id = self.new_event();
        self.tell(id, what, deadline, port, message, sink);
        id
    }

    pub(crate) fn tell(
        &mut self,
        id: EventId,
        (kind, number, cause): (ActionKind, u32, EventId),
        deadline: Nanos,
        port: u16,
        message: Option<Message>,
        sink: &mut impl FnMut(&Action),
    ) {
        let (instant, perturbation) = (self.now, Perturbation::NONE);
        let action =
            Action { id, kind, number, cause, deadline, instant, port, message, perturbation };
        self.hand(action, sink);
    }

    /// Tells that a tone begins, or that it never sounds.
    pub(crate) fn tell_tone(
        &mut self,
        id: EventId,
        kind: ActionKind,
        tone: &ToneParts,
        sink: &mut impl FnMut(&Action),
    ) {
        let ToneParts { number, cause, channel, note, velocity, perturbation, .. } = *tone;
        let (deadline, instant, port) = (tone.onset, self.now, tone.output);
        let message = Some(Message::NoteOn { channel, note, velocity });
        let action =
            Action { id, kind, number, cause, deadline, instant, port, message, perturbation };
        self.hand(action, sink);
    }
}
