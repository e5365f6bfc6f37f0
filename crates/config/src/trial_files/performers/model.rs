//! [`Model`]: the parameters of a simulated participant, and the ready-made ones.
//!
//! Linear phase and period correction on Wing and Kristofferson's two levels; the
//! formulas and sources stand in docs/participants.md. Every parameter has a
//! range, checked by `spec` when it comes from text.

use super::observer::{Observer, ns};
use super::populations::population;
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;
use serde::Serialize;

/// A simulated participant's parameters. Serialized, it is the description in the
/// data file; times are then in nanoseconds, as their names say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    /// The preset it began as.
    pub name: &'static str,
    /// Phase correction: share of an asynchrony taken off the next tap, 0..=2.
    pub alpha: f64,
    /// Period correction: share of an asynchrony taken off the period, 0..=4.
    pub beta: f64,
    /// Standard deviation of the clock's intervals.
    #[serde(rename = "clock_sd_ns", serialize_with = "ns")]
    pub clock: Nanos,
    /// By how much that grows with the interval: the clock's variance is that of `clock` plus
    /// the square of this share of the period, 0..=1.
    pub weber: f64,
    /// Standard deviation of the motor delay.
    #[serde(rename = "motor_sd_ns", serialize_with = "ns")]
    pub motor: Nanos,
    /// Asynchrony aimed at; negative is early.
    #[serde(rename = "mean_asynchrony_ns", serialize_with = "ns")]
    pub mean: Nanos,
    /// Mean time that a key is held.
    #[serde(rename = "hold_ns", serialize_with = "ns")]
    pub hold: Nanos,
    /// Standard deviation of the time that a key is held.
    #[serde(rename = "hold_sd_ns", serialize_with = "ns")]
    pub hold_sd: Nanos,
    /// What is added to `alpha` for each second that the interval is longer than 600 ms.
    pub alpha_grows: f64,
    /// The same of `weber`.
    pub weber_grows: f64,
    /// What is added to `mean` at an interval of 1 s, with the square of the interval, 0 at 600 ms.
    #[serde(rename = "mean_grows_ns", serialize_with = "ns")]
    pub mean_grows: Nanos,
    /// SD of the slow drift of the asynchrony aimed at.
    #[serde(rename = "drift_sd_ns", serialize_with = "ns")]
    pub drift: Nanos,
    /// After this time about 37 % of a drift are left.
    #[serde(rename = "drifts_in_ns", serialize_with = "ns")]
    pub drifts_in: Nanos,
    /// SD of the step by which the period changes with each tap where no pacing is heard, as a share of it.
    pub wanders: f64,
    /// The greatest distance that phase correction takes in, as a share of the interval; 1 is no limit.
    pub saturates: f64,
    /// The share by which phase correction is larger where the next tap must come later, and smaller where it must
    /// come earlier, -1..=1.
    pub asymmetry: f64,
    /// How far an interval must be from the own period to be noticed, as a share of it.
    pub notice: f64,
    /// The share of a difference that was noticed by which the period changes, 0..=1.
    pub follow: f64,
    /// What is added to that share where the intervals are longer, and taken off where they are shorter.
    pub follow_slower: f64,
    /// The share by which the period goes to where the trend of the last intervals leads, 0..=1.
    pub anticipate: f64,
    /// SD of where a beat is felt on which nothing sounds, as a share of the interval.
    pub imagine: f64,
    /// At shorter intervals, taps to beats on which nothing sounds slip onto the tones.
    #[serde(rename = "slips_below_ns", serialize_with = "ns")]
    pub slips_below: Nanos,
    /// Probability that a wrong key is pressed, where several are played.
    pub wrong: f64,
    /// By how much that grows after a tone that belongs to a neighbour of its key.
    pub confuse: f64,
    /// Probability that a tap does not come, 0..=0.9.
    pub miss: f64,
    /// Probability that a key bounces: a second press 20 to 60 ms later, 0..=1.
    pub double: f64,
    /// Share of the heard feedback delay by which the next tap is late where no pacing is heard,
    /// -1..=1.
    pub feedback: f64,
    /// Share of the heard feedback delay by which the asynchrony aimed at moves while the pacing
    /// is heard, -1..=1; negative is earlier.
    pub paced_feedback: f64,
    /// By how much later the asynchrony aimed at is, with pacing, where the own taps sound.
    #[serde(rename = "heard_ns", serialize_with = "ns")]
    pub heard: Nanos,
    /// Phase correction toward the tones of other inputs' taps where no pacing is heard: share of the
    /// asynchrony taken off the next tap, 0..=2.
    pub partner: f64,
    /// The share by which a hand moves to the tap of the other one that comes at nearly the same time, 0..=1;
    /// half of it where the tones of the two are heard as two streams.
    pub hands: f64,
    /// Starts after having heard so many beats, from 1.
    pub after: u32,
    /// Starts unpaced at this time where nothing was heard before.
    #[serde(rename = "wait_ns", serialize_with = "ns")]
    pub wait: Nanos,
    /// Stops after so many taps, missed ones counted; 0 is never.
    pub taps: u32,
    /// Interval while no two beats were heard.
    #[serde(rename = "interval_ns", serialize_with = "ns")]
    pub interval: Nanos,
    /// Keys pressed in turn, again from the first after the last; at least one.
    #[serde(serialize_with = "notes")]
    pub note: Vec<U7>,
    /// Mean velocity.
    pub velocity: f64,
    /// Standard deviation of the velocity.
    pub velocity_sd: f64,
    /// Channel of the taps.
    #[serde(serialize_with = "channel")]
    pub channel: Channel,
    /// Index of the trial's input that is tapped on.
    pub input: u16,
    /// Index of the pacing stream that is followed.
    pub stream: u16,
    /// How it judges, where it is asked to.
    pub observer: Observer,
}

/// The ready-made participants and what each is like.
pub const PRESETS: [(&str, &str); 6] = [
    ("tapper", "an untrained adult: 30 ms early, SD of asynchrony 20 to 30 ms"),
    ("musician", "trained: 15 ms early, SD of asynchrony about 11 ms"),
    ("beginner", "50 ms early, SD about 45 ms, misses and doubles some taps"),
    ("wandering", "hardly corrects; drifts around the beat, and misses some taps"),
    ("steady", "no noise, no mean asynchrony; corrects half of each asynchrony"),
    ("observer", "listens and answers with one key; taps as a tapper elsewhere"),
];

impl Model {
    /// The preset of this name.
    pub fn preset(name: &str) -> Option<Model> {
        let model = match name {
            "tapper" => Model::tapper(),
            "musician" => Model {
                name: "musician",
                alpha: 0.6,
                beta: 0.1,
                clock: Nanos::from_millis(9),
                motor: Nanos::from_millis(4),
                mean: Nanos::from_millis(-15),
                miss: 0.0,
                double: 0.0,
                feedback: 0.05,
                paced_feedback: -0.2,
                ..Model::tapper()
            },
            "beginner" => Model {
                name: "beginner",
                alpha: 0.35,
                clock: Nanos::from_millis(30),
                motor: Nanos::from_millis(12),
                mean: Nanos::from_millis(-50),
                miss: 0.03,
                double: 0.02,
                feedback: 0.2,
                ..Model::tapper()
            },
            "wandering" => Model {
                name: "wandering",
                alpha: 0.1,
                beta: 0.0,
                partner: 0.1,
                miss: 0.02,
                ..Model::tapper()
            },
            "steady" => Model::steady(),
            "observer" => Model { name: "observer", ..Model::tapper() },
            _ => return Model::average(name),
        };
        Some(model)
    }

    /// Whether it judges, where nothing is to be tapped to.
    pub fn is_observer(&self) -> bool {
        self.name == "observer" || self.is_of_a_population()
    }

    /// Whether it is a member of a population, or its average.
    pub fn is_of_a_population(&self) -> bool {
        population(self.name).is_some()
    }

    /// An untrained adult, the default. Of the order of the figures reviewed by
    /// Repp (2005): taps some 30 ms early, SD of asynchrony 20 to 30 ms. That taps to a beat come
    /// the earlier the later their tones come, in proportion, is from Aschersleben and Prinz
    /// (1997); the size of the share is assumed, and that of the correction toward a partner.
    pub fn tapper() -> Model {
        Model {
            name: "tapper",
            alpha: 0.5,
            beta: 0.05,
            clock: Nanos::from_millis(18),
            weber: 0.0,
            motor: Nanos::from_millis(7),
            mean: Nanos::from_millis(-30),
            hold: Nanos::from_millis(110),
            hold_sd: Nanos::from_millis(20),
            alpha_grows: 0.0,
            weber_grows: 0.0,
            mean_grows: Nanos::ZERO,
            drift: Nanos::ZERO,
            drifts_in: Nanos::from_secs(5),
            wanders: 0.0,
            saturates: 1.0,
            asymmetry: 0.0,
            notice: 1.0,
            follow: 0.0,
            follow_slower: 0.0,
            anticipate: 0.0,
            imagine: 0.0,
            slips_below: Nanos::ZERO,
            wrong: 0.0,
            confuse: 0.0,
            miss: 0.0,
            double: 0.0,
            feedback: 0.1,
            paced_feedback: -0.3,
            heard: Nanos::ZERO,
            partner: 0.3,
            hands: 0.0,
            after: 3,
            wait: Nanos::from_secs(3),
            taps: 0,
            interval: Nanos::from_millis(500),
            note: vec![U7::clamped(60)],
            velocity: 80.0,
            velocity_sd: 8.0,
            channel: Channel::ONE,
            input: 0,
            stream: 0,
            observer: Observer::USUAL,
        }
    }

    /// No noise at all, for tests of what the model and a trial do by themselves.
    pub fn steady() -> Model {
        Model {
            name: "steady",
            beta: 0.0,
            clock: Nanos::ZERO,
            motor: Nanos::ZERO,
            mean: Nanos::ZERO,
            hold: Nanos::from_millis(100),
            hold_sd: Nanos::ZERO,
            feedback: 0.0,
            paced_feedback: 0.0,
            partner: 0.0,
            velocity_sd: 0.0,
            ..Model::tapper()
        }
    }
}

fn notes<S: serde::Serializer>(notes: &[U7], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(notes.iter().map(|note| note.get()))
}

fn channel<S: serde::Serializer>(channel: &Channel, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(channel.number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_there_under_its_own_name() {
        for (name, _) in PRESETS {
            assert_eq!(Model::preset(name).unwrap().name, name);
        }
        assert_eq!(Model::preset("nobody"), None);
    }

    #[test]
    fn the_description_says_its_units() {
        let json = serde_json::to_value(Model::tapper()).unwrap();
        assert_eq!(json["mean_asynchrony_ns"], -30_000_000);
        assert_eq!(json["channel"], 1);
        assert_eq!(json["note"][0], 60);
    }
}
