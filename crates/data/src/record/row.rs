//! [`Row`]: one line of the events file, with every cell in its type.

use chronotap_analysis::account::Fate;
use chronotap_analysis::observed::{OnsetSource, TapForce};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::Stamp;
use std::borrow::Cow;

/// One event. `None` stands as `n/a` in the file. Times count from the start of
/// the trial. Its text is of type `T`: a reader that looks at a row once and lets it go
/// borrows it from the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<T = String> {
    /// When it happened: the time achieved, or the deadline where it never sounded.
    pub onset: Nanos,
    /// How long it really lasted; 0 for what has no length.
    pub duration: Option<Nanos>,
    /// What kind of event.
    pub trial_type: TrialType,
    /// Stream, channel, input, rule, text of the marker, or reason of the end.
    pub name: Option<T>,
    /// Beat, tap, tone of masking, or place of the rule in the file, from 1; of a code, the code.
    pub number: Option<u32>,
    /// MIDI channel.
    pub channel: Option<Channel>,
    /// MIDI note.
    pub note: Option<U7>,
    /// Velocity; of the release in a release row.
    pub velocity: Option<U7>,
    /// Name of the output it went to or of the input it came from.
    pub port: Option<T>,
    /// Its number, in the order in which the engine decided.
    pub event_id: u64,
    /// The event that brought it about.
    pub cause: Option<u64>,
    /// The time asked for.
    pub deadline: Option<Nanos>,
    /// The time achieved; for an arrival, its stamp.
    pub achieved: Option<Nanos>,
    /// Achieved − deadline.
    pub lateness: Option<Nanos>,
    /// When the tone was to end.
    pub release_deadline: Option<Nanos>,
    /// When the tone was ended, or the key came up.
    pub release_achieved: Option<Nanos>,
    /// The instant at which the engine decided.
    pub engine: Nanos,
    /// Where the stamp of an arrival was taken.
    pub stamp: Option<Stamp>,
    /// The bytes sent or received.
    pub message: Option<Message>,
    /// What is unusual about it.
    pub flag: Option<Flag>,
    /// What a rule did.
    pub detail: Option<T>,
    /// What changes did to a beat, or perturbations to a feedback tone.
    pub perturbation: Perturbation,
    /// Of a feedback tone: the time from its tap to its deadline.
    pub delay: Option<Nanos>,
    /// Of a feedback tone: how many semitones above the key it sounds.
    pub pitch_shift: Option<i8>,
    /// Of a tap: what became of it. `None` where the trial is not known.
    pub fate: Option<TapFate<T>>,
    /// The first frame of what sounded on a sound card.
    pub frame: Option<u64>,
    /// Of a tap whose sound was kept: whence the onset is that statistics take.
    pub onset_source: Option<OnsetSource>,
    /// When it began by the kept sound.
    pub refined: Option<Nanos>,
    /// Its peak there, in millionths of full scale.
    pub sound_peak_ppm: Option<u32>,
    /// How hard and how long a tap pressed whose force was kept.
    pub force: Option<TapForce>,
}

/// What became of a tap, as the summary of the trial has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TapFate<T = String> {
    /// It answers a beat.
    Matched {
        /// The stream, by its name.
        against: T,
        /// The number of the beat.
        beat: u32,
        /// Tap − beat, as it sounded; negative is early.
        asynchrony: Nanos,
    },
    /// It has no beat: `debounced`, `doubled`, `response`, `extra`, `unpaced` or `unmeasured`.
    Without(Fate),
}

impl Row<Cow<'_, str>> {
    /// The same, with text of its own.
    pub(crate) fn into_owned(self) -> Row {
        let owned = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned);
        Row {
            onset: self.onset,
            duration: self.duration,
            trial_type: self.trial_type,
            name: owned(self.name),
            number: self.number,
            channel: self.channel,
            note: self.note,
            velocity: self.velocity,
            port: owned(self.port),
            event_id: self.event_id,
            cause: self.cause,
            deadline: self.deadline,
            achieved: self.achieved,
            lateness: self.lateness,
            release_deadline: self.release_deadline,
            release_achieved: self.release_achieved,
            engine: self.engine,
            stamp: self.stamp,
            message: self.message,
            flag: self.flag,
            detail: owned(self.detail),
            perturbation: self.perturbation,
            delay: self.delay,
            pitch_shift: self.pitch_shift,
            fate: self.fate.map(TapFate::into_owned),
            frame: self.frame,
            onset_source: self.onset_source,
            refined: self.refined,
            sound_peak_ppm: self.sound_peak_ppm,
            force: self.force,
        }
    }
}

impl TapFate<Cow<'_, str>> {
    fn into_owned(self) -> TapFate {
        match self {
            TapFate::Matched { against, beat, asynchrony } => {
                TapFate::Matched { against: against.into_owned(), beat, asynchrony }
            }
            TapFate::Without(fate) => TapFate::Without(fate),
        }
    }
}

impl TapFate {
    /// Its word in the file.
    pub fn word(&self) -> &'static str {
        match self {
            TapFate::Matched { .. } => MATCHED,
            TapFate::Without(fate) => fate.word(),
        }
    }

    /// The stream, beat and asynchrony of a tap that has them.
    pub fn matched(&self) -> Option<(&str, u32, Nanos)> {
        match self {
            TapFate::Matched { against, beat, asynchrony } => {
                Some((against.as_str(), *beat, *asynchrony))
            }
            TapFate::Without(_) => None,
        }
    }

    /// The fate without a beat that has this word.
    pub(crate) fn without(word: &str) -> Option<Fate> {
        let all = [
            Fate::Debounced,
            Fate::Doubled,
            Fate::Response,
            Fate::Extra,
            Fate::Unpaced,
            Fate::Unmeasured,
        ];
        all.into_iter().find(|fate| fate.word() == word)
    }
}

/// The word of a tap that answers a beat.
pub(crate) const MATCHED: &str = "matched";

/// What kind of event a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrialType {
    /// A tone of a pacing stream.
    Pacing,
    /// A beat of a pacing stream that did not sound; the flag says why.
    Silent,
    /// A key press.
    Tap,
    /// A key release.
    Release,
    /// A tone caused by a tap.
    Feedback,
    /// A tone of a masking stream.
    Masking,
    /// A tone of these at a further output of its stream or channel.
    Copy,
    /// A rule acted.
    Trigger,
    /// A text written by a rule, or an input that was closed.
    Marker,
    /// A controller, bend, pressure or program change, received or sent on.
    Control,
    /// A system exclusive message, or a part of one, received.
    Sysex,
    /// A code that was sent to another recorder.
    Code,
    /// A feedback tone that a perturbation took away.
    Muted,
    /// A feedback tone that the end of the trial prevented.
    Cancelled,
    /// The trial ended.
    End,
}

impl TrialType {
    /// Every kind with its word in the file.
    pub(crate) const WORDS: [(TrialType, &'static str); 15] = [
        (TrialType::Pacing, "pacing"),
        (TrialType::Silent, "silent"),
        (TrialType::Tap, "tap"),
        (TrialType::Release, "release"),
        (TrialType::Feedback, "feedback"),
        (TrialType::Masking, "masking"),
        (TrialType::Copy, "copy"),
        (TrialType::Trigger, "trigger"),
        (TrialType::Marker, "marker"),
        (TrialType::Control, "control"),
        (TrialType::Sysex, "sysex"),
        (TrialType::Code, "code"),
        (TrialType::Muted, "muted"),
        (TrialType::Cancelled, "cancelled"),
        (TrialType::End, "end"),
    ];

    /// The word in the file.
    pub fn word(self) -> &'static str {
        crate::record::words::word(&TrialType::WORDS, self)
    }
}

/// What is unusual about an event. At most one per row; the first in this
/// order, but `BehindGap` before all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flag {
    /// A tap too soon after the last: kept here, but not counted and not answered.
    Debounced,
    /// A code that the next one cut short.
    Overwritten,
    /// A tone or code that could not be sent.
    Lost,
    /// A tone whose end could not be sent.
    ReleaseLost,
    /// A tone whose end is not recorded, because the trial was cut short.
    Unfinished,
    /// A beat at which the pattern has a rest.
    Rest,
    /// A beat of a stream that is not audible.
    Inaudible,
    /// A beat, or a feedback tone, that a change or perturbation mutes.
    Muted,
    /// The journal is damaged before it, so that other events may be missing.
    BehindGap,
}

impl Flag {
    /// Every flag with its word in the file.
    pub(crate) const WORDS: [(Flag, &'static str); 9] = [
        (Flag::Debounced, "debounced"),
        (Flag::Overwritten, "overwritten"),
        (Flag::Lost, "lost"),
        (Flag::ReleaseLost, "release lost"),
        (Flag::Unfinished, "unfinished"),
        (Flag::Rest, "rest"),
        (Flag::Inaudible, "inaudible"),
        (Flag::Muted, "muted"),
        (Flag::BehindGap, "behind gap"),
    ];

    /// The word in the file.
    pub fn word(self) -> &'static str {
        crate::record::words::word(&Flag::WORDS, self)
    }
}
