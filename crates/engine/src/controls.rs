//! Controllers, bend, pressure and program changes: recorded as they came, and sent on by the
//! feedback channels, each at once or as late as the channel's feedback.
//!
//! Channel-mode messages are recorded and not sent on: All Notes Off of a keyboard would end tones of the trial, which
//! would stand in the data as if they sounded on, those of pacing streams too.
//!
//! Real-time contract: what waits has its memory from construction; what finds no room is
//! lost and counted.

use crate::action::{Action, ActionKind};
use crate::event::Event;
use crate::feedback::Voice;
use crate::instant::State;
use crate::late_control::{Control, LateControl, MOST_WAITING};
use crate::sounding::SUSTAIN;
use crate::trial::{Controllers, CopiedTones};
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;

impl Voice {
    /// What this channel makes of a message of an input, stamped `stamp`.
    fn follow(&self, input: u16, message: Message, stamp: Nanos) -> Option<Control> {
        let f = &self.feedback;
        if message.is_channel_mode() {
            return None;
        }
        let from = message.channel().filter(|from| self.passes_port(input, *from))?;
        let message = message.on_channel(f.channel.unwrap_or(from));
        let (output, deadline) = (f.output, stamp);
        match f.controllers {
            Controllers::Off => None,
            Controllers::AtOnce => Some(Control { deadline, output, message }),
            Controllers::WithFeedback if !f.sounding => None,
            Controllers::WithFeedback => {
                let deadline = stamp.saturating_add(self.last_delay());
                Some(Control { deadline, output, message: self.on_sounding_note(message) })
            }
        }
    }

    /// The pressure of a key goes to the note that the key last sounded.
    fn on_sounding_note(&self, message: Message) -> Message {
        match message {
            Message::PolyPressure { channel, note, pressure } => {
                Message::PolyPressure { channel, note: self.last_note(note), pressure }
            }
            other => other,
        }
    }
}

impl State {
    /// Records a controller or the like and sends it on, the same once however many channels
    /// have it.
    pub(crate) fn pass_control(
        &mut self,
        event: &Event,
        message: Message,
        sink: &mut impl FnMut(&Action),
    ) {
        if message.channel().is_none() {
            return;
        }
        let (input, stamp) = (event.input, event.stamp);
        let cause =
            self.emit((ActionKind::ControlIn(input), 0, 0), stamp, input, Some(message), sink);
        for i in 0..self.voices.len() {
            let follow = |voice: &Voice| voice.follow(input, message, stamp);
            let Some(control) = follow(&self.voices[i]) else { continue };
            if self.voices[..i].iter().any(|voice| follow(voice) == Some(control)) {
                continue;
            }
            let late = LateControl { control, voice: i as u16, cause };
            if control.deadline <= self.now {
                self.send_control(&late, sink);
            } else {
                self.keep_control(late);
            }
        }
    }

    /// Sends on what is due by now.
    pub(crate) fn send_late_controls(&mut self, sink: &mut impl FnMut(&Action)) {
        while self.late_controls.front().is_some_and(|next| next.due() <= self.now) {
            let Some(late) = self.late_controls.pop_front() else { return };
            self.send_control(&late, sink);
        }
    }

    fn keep_control(&mut self, late: LateControl) {
        if self.late_controls.len() == MOST_WAITING {
            self.lost += 1;
            return;
        }
        let before = self.late_controls.iter().rposition(|other| other.due() <= late.due());
        self.late_controls.insert(before.map_or(0, |place| place + 1), late);
    }

    fn send_control(&mut self, late: &LateControl, sink: &mut impl FnMut(&Action)) {
        self.send_control_to(late.control.output, late, sink);
        for i in 0..self.copies.len() {
            let CopiedTones { of, output } = self.copies[i];
            if of == ActionKind::Feedback(late.voice) {
                self.send_control_to(output, late, sink);
            }
        }
    }

    fn send_control_to(&mut self, output: u16, late: &LateControl, sink: &mut impl FnMut(&Action)) {
        let Control { deadline, message, .. } = late.control;
        if let Message::Control { channel, controller: SUSTAIN, value } = message {
            self.pedals[usize::from(output) * 16 + channel.index()] = value.get() >= 64;
        }
        let what = (ActionKind::ControlOut(late.voice), 0, late.cause);
        self.emit(what, deadline, output, Some(message), sink);
    }
}
