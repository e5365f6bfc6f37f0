//! What codes are: the numbers that tell another recorder what happened in the trial.

use chronotap_core::time::Nanos;

/// The codes of a trial, and where they go.
#[derive(Clone, Debug)]
pub struct Codes {
    /// Index of the output.
    pub output: u16,
    /// How long a code stands on the line; above 0.
    pub width: Nanos,
    /// How long after its event a code is sent: as late as the tones sound.
    pub delay: Nanos,
    /// The output whose tones they go out with: by its stated latency they are later still.
    pub with_tones_of: Option<u16>,
    /// Every code, in file order; of one event there is one.
    pub list: Vec<Code>,
}

impl Codes {
    /// The same where outputs have these constant latencies from a deadline to the converter, in the
    /// trial's order: a code that goes out with a tone waits for it by as much as the output of the tones
    /// takes longer; where all outputs are aligned, by as much as the one that takes `most`.
    #[must_use]
    pub(super) fn aligned(mut self, latencies: &[Nanos], most: Option<Nanos>) -> Codes {
        let of = |output: u16| latencies.get(usize::from(output)).copied().unwrap_or_default();
        let longer = most.or(self.with_tones_of.map(of)).map(|most| most - of(self.output));
        self.delay = self.delay.saturating_add(longer.unwrap_or_default().max(Nanos::ZERO));
        self
    }
}

/// A number, and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Its event as in the file, such as `pacing.metronome`.
    pub name: String,
    /// The number, from 1.
    pub value: u16,
    /// What it stands for.
    pub of: Coded,
}

/// What a code stands for; the index is the stream's, channel's, input's or rule's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coded {
    /// The start of the trial.
    Start,
    /// Its end.
    End,
    /// No event: it recurs until the end, so that the drift of a recorder's clock is seen in silence, too.
    Every {
        /// When it comes first.
        first: Nanos,
        /// Until it comes again; above 0.
        interval: Nanos,
    },
    /// A beat of a pacing stream that sounds.
    Pacing(u16),
    /// A beat of a pacing stream that does not sound.
    Silent(u16),
    /// A tone of a feedback channel.
    Feedback(u16),
    /// A tone of a masking stream.
    Masking(u16),
    /// A tap of an input that counts.
    Tap(u16),
    /// A rule acts.
    Rule(u16),
    /// These codes at one instant, by their places in the list, ascending.
    Together(Vec<u16>),
}
