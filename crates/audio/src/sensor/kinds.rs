//! [`SENSORS`]: every kind of sensor, with its band and its times.

/// What a signal comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensor {
    /// Its word on the command line.
    pub word: &'static str,
    /// What it is, for help.
    pub about: &'static str,
    /// Where its band begins and ends, in Hz.
    pub band_hz: [f64; 2],
    /// Over how long the level is taken, in seconds.
    pub window_s: f64,
    /// How long after it was found a tap still rises, in seconds.
    pub attack_s: f64,
    /// The least gap between two onsets, if nobody says otherwise, in seconds.
    pub gap_s: f64,
    /// The threshold above the noise, as a factor.
    pub above_noise: f64,
    /// Whether its level at rest wanders, so that a tap is told from where it was before it.
    pub wanders: bool,
    /// Which ways a tap may go at its beginning.
    pub polarities: &'static [Polarity],
}

/// Which way the signal goes when a tap begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Polarity {
    /// As a piezo and a microphone: either way.
    #[default]
    Either,
    Up,
    Down,
}

impl Polarity {
    /// Every one with its word.
    pub const WORDS: [(&'static str, Polarity); 3] =
        [("either", Polarity::Either), ("up", Polarity::Up), ("down", Polarity::Down)];

    pub(super) fn of(self, sample: f64) -> f64 {
        match self {
            Polarity::Either => sample.abs(),
            Polarity::Up => sample.max(0.0),
            Polarity::Down => (-sample).max(0.0),
        }
    }
}

/// Every kind. `above_noise`: as many times the noise as Gaussian noise in the band does not
/// reach within hours, with as many independent values in a window as the band has.
pub static SENSORS: [Sensor; 4] = [
    Sensor {
        word: "contact",
        about: "a piezo or a contact microphone on what is tapped",
        band_hz: [200.0, 6_000.0],
        window_s: 0.001,
        attack_s: 0.004,
        gap_s: 0.08,
        above_noise: 3.0,
        wanders: false,
        polarities: &[Polarity::Either],
    },
    Sensor {
        word: "force",
        about: "a force-sensitive resistor or a load cell",
        band_hz: [0.5, 200.0],
        window_s: 0.004,
        attack_s: 0.012,
        gap_s: 0.08,
        above_noise: 3.5,
        wanders: true,
        polarities: &[Polarity::Up, Polarity::Down],
    },
    Sensor {
        word: "air",
        about: "a microphone in air",
        band_hz: [80.0, 700.0],
        window_s: 0.004,
        attack_s: 0.008,
        gap_s: 0.08,
        above_noise: 3.5,
        wanders: false,
        polarities: &[Polarity::Either],
    },
    Sensor {
        word: "cable",
        about: "what was played, on a cable",
        band_hz: [20.0, 12_000.0],
        window_s: 0.001,
        attack_s: 0.004,
        gap_s: 0.08,
        above_noise: 3.0,
        wanders: false,
        polarities: &[Polarity::Either],
    },
];

/// The kind of this word.
pub fn sensor_named(word: &str) -> Option<&'static Sensor> {
    SENSORS.iter().find(|sensor| sensor.word == word)
}
