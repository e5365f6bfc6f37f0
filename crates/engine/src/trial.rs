//! [`Trial`]: a checked trial in the form the engine runs. `chronotap-config`
//! builds it from a file; nothing here parses or checks.
//!
//! Parameters that a rule may set are `Copy`, so that setting one in mid-trial
//! never allocates or frees. Lists stand in pools of the trial ([`Trial::notes`],
//! [`Trial::times`], [`Trial::tables`]) and are named by a [`Span`].

mod codes;
mod feedback;
mod masking;
mod pacing;
mod rule;

pub use codes::*;
pub use feedback::*;
pub use masking::*;
pub use pacing::*;
pub use rule::*;

use crate::action::ActionKind;
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;

/// Everything a trial does.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The inputs taps come from; at least one.
    pub inputs: Vec<Input>,
    /// The outputs tones go to, by name; at least one.
    pub outputs: Vec<String>,
    /// How long what is behind each output takes by the word of the file, in the outputs' order;
    /// `None`, or left out, where it says nothing.
    pub latencies: Vec<Option<Nanos>>,
    /// Whether outputs wait for the one with the greatest latency.
    pub align_outputs: bool,
    /// By how much each output waits, in the outputs' order; none do where it is empty.
    pub waits: Vec<Nanos>,
    /// Pacing streams, in file order.
    pub pacing: Vec<Pacing>,
    /// Feedback channels, in file order.
    pub feedback: Vec<Feedback>,
    /// Masking streams, in file order.
    pub masking: Vec<Masking>,
    /// Which of these sound at further outputs, too, and where; in file order.
    pub copies: Vec<CopiedTones>,
    /// Rules, in file order.
    pub rules: Vec<Rule>,
    /// What is told to another recorder, and where.
    pub codes: Option<Codes>,
    /// The texts that markers write, by index.
    pub markers: Vec<String>,
    /// Pool of note lists (sequences, random sets, the notes of steps).
    pub notes: Vec<U7>,
    /// Pool of time lists (delays, onsets).
    pub times: Vec<Nanos>,
    /// Pool of pitch tables: the note that sounds for each key.
    pub tables: Vec<[U7; 128]>,
}

impl Trial {
    /// Whether outputs are aligned and the file does not say how long what is behind this one takes.
    pub fn lacks_latency(&self, output: u16) -> bool {
        self.align_outputs && self.latencies.get(usize::from(output)).copied().flatten().is_none()
    }

    /// The same where the ports of its outputs have these constant latencies from a deadline to the
    /// converter, in the outputs' order; none where fewer are given. What the file states comes on top.
    #[must_use]
    pub fn on(mut self, ports: &[Nanos]) -> Trial {
        let latencies = self.latencies_on(ports);
        self.waits = self.waits_on(ports);
        let most = latencies.iter().copied().max().filter(|_| self.align_outputs);
        self.codes = self.codes.map(|codes| codes.aligned(&latencies, most));
        self
    }

    /// By how much each output waits there; empty where none does.
    pub fn waits_on(&self, ports: &[Nanos]) -> Vec<Nanos> {
        let latencies = self.latencies_on(ports);
        let most = latencies.iter().copied().max().filter(|_| self.align_outputs);
        most.map_or_else(Vec::new, |most| latencies.iter().map(|one| most - *one).collect())
    }

    fn latencies_on(&self, ports: &[Nanos]) -> Vec<Nanos> {
        let port = |output: usize| ports.get(output).copied().unwrap_or_default();
        let stated = |output: usize| self.latencies.get(output).copied().flatten();
        let whole = |output| port(output).saturating_add(stated(output).unwrap_or_default());
        (0..self.outputs.len()).map(whole).collect()
    }
}

/// A range of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// Index of the first element.
    pub start: u32,
    /// Number of elements.
    pub len: u32,
}

/// An input that participants tap on.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name in the file; `input` where the file names none.
    pub name: String,
    /// Taps closer than this to the last accepted tap are marked and give nothing; 0 is off.
    pub debounce: Nanos,
    /// Whether losing the input ends the trial.
    pub ends_when_closed: bool,
    /// Whether system exclusive messages are recorded; otherwise they are passed over.
    pub records_sysex: bool,
}

/// A stream or channel whose tones sound at one output more than its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopiedTones {
    /// The kind of its tones: of a pacing stream, a feedback channel or a masking stream.
    pub of: ActionKind,
    /// Index of the output.
    pub output: u16,
}

/// A number that may change linearly or exponentially with time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Varying {
    /// Value until `begin`.
    pub from: f64,
    /// Value from `begin + over` on.
    pub to: f64,
    /// When the change begins.
    pub begin: Nanos,
    /// How long it takes; 0 for a constant.
    pub over: Nanos,
    /// Equal ratios in equal times rather than equal differences.
    pub exponential: bool,
}

/// A tone's place and length. Notes and velocities may vary from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tone {
    /// MIDI channel.
    pub channel: Channel,
    /// Note number.
    pub note: U7,
    /// Velocity, 1..=127 once rounded.
    pub velocity: Varying,
    /// Time from onset to release; above 0.
    pub duration: Nanos,
}

/// Which beats or taps something happens to.
#[derive(Clone, Debug, PartialEq)]
pub enum Occasions {
    /// These numbers, ascending.
    Listed(Vec<u32>),
    /// After `after`, every `from` to `to` further ones, drawn afresh each time
    /// (always the same where they are equal).
    Every {
        /// Fewest, at least 1.
        from: u32,
        /// Most.
        to: u32,
        /// The count at which it begins.
        after: u32,
    },
    /// Each one after `after` with this probability.
    Chance {
        /// In 0..=1.
        probability: f64,
        /// The count at which it begins.
        after: u32,
    },
}

/// How one of several values is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Each time anew, all equally likely.
    Random,
    /// Every one once, in random order; then all again, in another order.
    Shuffled,
    /// Once, all equally likely; again only where a rule gives the list.
    Once,
}

/// A distribution of times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spread {
    /// Every value equally likely.
    Uniform {
        /// Least.
        low: Nanos,
        /// Greatest.
        high: Nanos,
    },
    /// Normal, drawn again until within the bounds.
    Normal {
        /// Mean.
        mean: Nanos,
        /// Standard deviation.
        sd: Nanos,
        /// Least.
        low: Nanos,
        /// Greatest.
        high: Nanos,
    },
}

impl Varying {
    /// A value that does not change.
    pub const fn constant(value: f64) -> Varying {
        Varying {
            from: value,
            to: value,
            begin: Nanos::ZERO,
            over: Nanos::ZERO,
            exponential: false,
        }
    }

    /// Whether the change is over at an instant.
    pub fn is_over(&self, instant: Nanos) -> bool {
        instant >= self.begin.saturating_add(self.over)
    }

    /// The value at an instant: `from + (to − from)·x`, or `from·(to/from)^x`
    /// where exponential, with x = (at − begin)/over kept in 0..=1.
    pub fn at(&self, instant: Nanos) -> f64 {
        if self.is_over(instant) {
            return self.to;
        }
        let x = ((instant - self.begin).0 as f64 / self.over.0 as f64).max(0.0);
        if self.exponential {
            return self.from * libm::pow(self.to / self.from, x);
        }
        self.linear(instant).unwrap_or(self.from + (self.to - self.from) * x)
    }

    /// Between whole numbers, such as nanoseconds, without the error of a share that is no float:
    /// so a half is a half.
    fn linear(&self, instant: Nanos) -> Option<f64> {
        let whole =
            |value: f64| (value.fract() == 0.0 && value.abs() < 1e15).then_some(value as i128);
        let (from, to) = (whole(self.from)?, whole(self.to)?);
        let done = i128::from((instant - self.begin).0.max(0));
        let (way, over) = ((to - from) * done, i128::from(self.over.0));
        Some((from + way.div_euclid(over)) as f64 + way.rem_euclid(over) as f64 / over as f64)
    }
}

impl Span {
    /// The elements of `pool` that this names.
    pub fn of<T>(self, pool: &[T]) -> &[T] {
        pool.get(self.start as usize..(self.start + self.len) as usize).unwrap_or(&[])
    }
}

/// A new span at the end of a pool.
pub fn pool<T: Copy>(pool: &mut Vec<T>, values: &[T]) -> Span {
    let span = Span { start: pool.len() as u32, len: values.len() as u32 };
    pool.extend_from_slice(values);
    span
}
