//! What a feedback channel is: which taps it hears and how each sounds.

use super::{Choice, Occasions, Span, Spread, Varying};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;

/// A feedback channel.
#[derive(Clone, Debug)]
pub struct Feedback {
    /// Its name in the file.
    pub name: String,
    /// Index of the output.
    pub output: u16,
    /// MIDI channel of its tones; `None` is the channel of the tap.
    pub channel: Option<Channel>,
    /// Whether taps sound; histories run on either way.
    pub sounding: bool,
    /// Which taps it hears.
    pub from: Filter,
    /// Which note sounds.
    pub pitch: Pitch,
    /// How loud.
    pub velocity: Velocity,
    /// How late.
    pub delay: Delay,
    /// How long.
    pub duration: Duration,
    /// What becomes of controllers and the like that the channel hears.
    pub controllers: Controllers,
    /// Single taps that are treated otherwise; the first that applies wins.
    pub perturb: Vec<Perturb>,
}

/// What becomes of controllers, bend, pressure and program changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Controllers {
    /// They are sent on as they come, whether the channel sounds or not.
    #[default]
    AtOnce,
    /// They are sent on as late as the channel's last tone came after its tap, and the
    /// pressure of a key to the note that it last sounded; not while the channel is silent.
    WithFeedback,
    /// They are recorded and not sent on.
    Off,
}

/// Which taps pass to a feedback channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Index of the input; `None` is any.
    pub input: Option<u16>,
    /// MIDI channel; `None` is any.
    pub channel: Option<Channel>,
    /// Lowest and highest note.
    pub notes: (U7, U7),
    /// Lowest and highest velocity.
    pub velocities: (U7, U7),
}

impl Filter {
    /// Lets every tap pass.
    pub const ANY: Filter = Filter {
        input: None,
        channel: None,
        notes: (U7::ZERO, U7::MAX),
        velocities: (U7::ZERO, U7::MAX),
    };
}

/// The note that sounds for a tap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pitch {
    /// The key's own.
    AsPlayed,
    /// Always this one.
    Fixed(U7),
    /// So many semitones higher, kept in 0..=127.
    Transpose(Varying),
    /// Mirrored about a note, kept in 0..=127.
    Mirror(U7),
    /// By a table (index into [`Trial::tables`]).
    Table(u16),
    /// Chosen from a list in the pool of notes.
    Chosen(Choice, Span),
    /// The next of a sequence in the pool of notes, again from its beginning at its end.
    Sequence(Span),
    /// The key's of so many taps before; as played while there are fewer.
    Shift(u16),
}

/// The velocity that sounds for a tap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Velocity {
    /// The tap's own.
    AsPlayed,
    /// Always this one.
    Fixed(Varying),
    /// The tap's own times this, kept in 1..=127.
    Scale(Varying),
    /// Drawn from low..=high.
    Random(U7, U7),
}

/// The time from a tap's stamp to its tone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Delay {
    /// In nanoseconds.
    Constant(Varying),
    /// Drawn.
    Random(Spread),
    /// Chosen from a list in the pool of times.
    Chosen(Choice, Span),
    /// The next of a list in the pool of times, again from its beginning at its end.
    List(Span),
    /// This share of the channel's last inter-tap interval; 0 before there is one.
    Fraction(Varying),
}

/// How long a tone lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duration {
    /// As long as the key is held.
    AsPlayed,
    /// This long, from the onset's deadline.
    Fixed(Nanos),
}

/// Single taps of a channel that are treated otherwise. The counts are of the
/// taps that pass the channel's filter.
#[derive(Clone, Debug)]
pub struct Perturb {
    /// Which taps.
    pub at: Occasions,
    /// At least so many taps from any other perturbation; 0: wherever it falls.
    pub apart: u32,
    /// No tone at all.
    pub mute: bool,
    /// Instead of the channel's.
    pub pitch: Option<Pitch>,
    /// Instead of the channel's.
    pub velocity: Option<Velocity>,
    /// Instead of the channel's.
    pub delay: Option<Delay>,
    /// Instead of the channel's.
    pub duration: Option<Duration>,
}
