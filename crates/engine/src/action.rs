//! What the engine answers with: [`Action`], one per thing that happened or is
//! to be sounded, each with the time asked for.
//!
//! Every action becomes one row of the events file, but for those that end what an earlier one
//! began, such as a [`ActionKind::ToneOff`]: they end the row of the tone or code they belong to.

use crate::perturbation::Perturbation;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;

/// Numbers the events of a trial, from 1, in the order in which the engine
/// decided them. 0 stands for none.
pub type EventId = u64;

/// What an action is about. The index is the place in the trial's list of
/// streams, channels, inputs or rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// A tone of a pacing stream begins; `number` is the beat.
    Pacing(u16),
    /// A tone of a feedback channel begins; `number` is the tap of that input, `cause` the tap.
    Feedback(u16),
    /// A tone of a masking stream begins; `number` counts the stream's tones.
    Masking(u16),
    /// A tone of a stream or channel with several outputs begins at a further one (index of the
    /// output); `number` is as of that tone, `cause` the event with which it began at the first.
    Copy(u16),
    /// A rule acted; `number` is its place in the file, from 1. With a message
    /// it is also a tone that begins, because the rule plays one.
    Rule(u16),
    /// A tone ends. `id` is the id of the tone that began with it.
    ToneOff,
    /// A key press arrived at an input; `number` counts its taps, 0 where the tap
    /// was debounced.
    Tap(u16),
    /// A key release arrived at an input; `cause` is the tap, 0 where there was none.
    Release(u16),
    /// A controller, bend, pressure or program change arrived at an input.
    ControlIn(u16),
    /// The same, sent on by a feedback channel; `cause` is the one that arrived.
    ControlOut(u16),
    /// A part of a system exclusive message arrived at an input that records them; `number`
    /// counts the messages of that input, `cause` is the message's first part, 0 for that one.
    Sysex(u16),
    /// Marker `u16` of the trial's list of texts; `cause` is the rule.
    Marker(u16),
    /// An input was closed or lost (index of the input).
    InputClosed(u16),
    /// An input that was closed is there again (index of the input).
    InputReopened(u16),
    /// The audio server, or one of its clients, missed a period.
    Xrun,
    /// Something changed at the audio server or sequencer.
    Changed(OutsideChange),
    /// A beat of a pacing stream that does not sound; `number` is the beat.
    SilentBeat(u16, Silence),
    /// A feedback tone that a perturbation takes away (index of the channel); `number` is
    /// the tap of that input, `cause` the tap, the message what would have sounded.
    Muted(u16),
    /// A feedback tone that was due after the end of the trial and never sounded
    /// (index of the channel).
    Cancelled(u16),
    /// A code is sent to another recorder (index in the trial's list of codes); `number` is the
    /// code itself, `cause` the event that it stands for.
    Code(u16),
    /// The line of a code is at rest again. `id` is the id of the code that it ends.
    CodeOff,
    /// The next code takes the line before this one's width is over; nothing is sent. `id` is the
    /// id of the code that it cuts short, `cause` that of what the next one stands for.
    Overwritten,
    /// The trial ended; `cause` is the rule, 0 where the trial was stopped from outside.
    End(TrialEnding),
}

impl ActionKind {
    /// Whether it ends what began with the same `id`, and so makes no row of its own.
    pub const fn is_end_of_another(self) -> bool {
        matches!(self, ActionKind::ToneOff | ActionKind::CodeOff | ActionKind::Overwritten)
    }
}

/// Why a beat does not sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The pattern of the stream has a rest there.
    Rest,
    /// The stream is not audible.
    Inaudible,
    /// A change of the stream takes the tone away.
    Muted,
}

/// What changed under a trial at an audio server or a sequencer, which other programs can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideChange {
    /// The server's period.
    Period,
    /// The server's rate.
    Rate,
    /// What the server says its card takes from a period's beginning to the converter.
    Latency,
    /// Which programs are connected with which, this one's connections apart.
    Graph,
    /// A connection of this program was taken away, or its other end is gone.
    Disconnected,
    /// A connection of this program was made.
    Connected,
}

impl OutsideChange {
    /// All of them.
    pub const ALL: [OutsideChange; 6] = [
        OutsideChange::Period,
        OutsideChange::Rate,
        OutsideChange::Latency,
        OutsideChange::Graph,
        OutsideChange::Disconnected,
        OutsideChange::Connected,
    ];
}

/// Why a trial ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialEnding {
    /// A rule with `end = true`.
    Rule,
    /// Interrupted by the user.
    Interrupted,
    /// An input was closed, and the trial says that this ends it.
    InputClosed,
    /// The recorder could not go on (disk full, queue lost).
    Recorder,
    /// The simulation ran to the limit it was given.
    TimeLimit,
}

/// One action of the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Action {
    /// Number of the event; see [`ActionKind::ToneOff`] for the one exception.
    pub id: EventId,
    /// What it is about.
    pub kind: ActionKind,
    /// Beat, tap or rule number, from 1; 0 for none. Of a code, the code.
    pub number: u32,
    /// The event that brought this one about; 0 for none.
    pub cause: EventId,
    /// The time asked for, since the start of the trial. For a tap, release or
    /// controller it is the stamp of the input.
    pub deadline: Nanos,
    /// The instant at which the engine decided it; later than the deadline only
    /// where an input arrived after its stamp had been passed.
    pub instant: Nanos,
    /// Index of the output that must send `message`, or of the input it came from.
    pub port: u16,
    /// The bytes to send, or that arrived.
    pub message: Option<Message>,
    /// What changes of the stream did to this beat, or perturbations of the channel to this
    /// tone; of anything else nothing.
    pub perturbation: Perturbation,
}

impl Action {
    /// Whether its message or code is to be sent to output `port`.
    pub const fn is_output(&self) -> bool {
        self.code().is_some() || self.is_message()
    }

    /// What is to stand on the line of codes at output `port` from now on; 0 is at rest.
    pub const fn code(&self) -> Option<u16> {
        match self.kind {
            ActionKind::Code(_) => Some(self.number as u16),
            ActionKind::CodeOff => Some(0),
            _ => None,
        }
    }

    /// Whether it has a message that is to be sent to output `port`.
    pub(crate) const fn is_message(&self) -> bool {
        self.message.is_some()
            && matches!(
                self.kind,
                ActionKind::Pacing(_)
                    | ActionKind::Feedback(_)
                    | ActionKind::Masking(_)
                    | ActionKind::Copy(_)
                    | ActionKind::Rule(_)
                    | ActionKind::ToneOff
                    | ActionKind::ControlOut(_)
            )
    }
}
