//! [`Listening::words`] and [`Listening::said`]: how a signal was listened to, in the words that a recorded
//! trial keeps of it, and from them.

use super::{Listening, Polarity, sensor_named};

/// The part of full scale that a level of `db` decibels is: 0 dB is 1, -20 dB a tenth.
pub fn full_scale_of(db: f64) -> f64 {
    libm::pow(10.0, db / 20.0)
}

/// A level in dB of full scale; silence is -120.
pub fn db_of(level: f64) -> f64 {
    20.0 * libm::log10(level.max(1e-6))
}

impl Listening {
    /// All of it, as [`Listening::said`] reads it; the threshold to a millionth of a decibel.
    pub fn words(&self) -> String {
        let Listening { sensor, threshold, release, gap_s, polarity, mains_hz } = *self;
        let threshold_db = (20e6 * libm::log10(threshold)).round() / 1e6;
        let gap_ms = (gap_s * 1e3).round();
        let hum = mains_hz.map_or_else(|| "none".to_owned(), |hz| hz.to_string());
        let word = Polarity::WORDS.iter().find(|(_, one)| *one == polarity);
        let (sensor, polarity) = (sensor.word, word.map_or("either", |(word, _)| word));
        format!(
            "sensor={sensor}&threshold={threshold_db}&release={release}&gap={gap_ms}\
             &polarity={polarity}&hum={hum}"
        )
    }

    /// Of words such as `sensor=contact&threshold=-30&release=0.5&gap=80&polarity=either&hum=none`.
    /// What is not said is as usual, and what says nothing of listening is passed over. `None` where
    /// sensor or threshold are missing or a value is none of its kind.
    pub fn said(words: &str) -> Option<Listening> {
        let said = |key: &str| {
            words.split('&').filter_map(|one| one.split_once('=')).find(|(of, _)| *of == key)
        };
        let value = |key: &str| said(key).map(|(_, value)| value);
        let number = |key: &str| value(key).map(|value| value.parse::<f64>().ok());
        let threshold = full_scale_of(number("threshold")??);
        let mut listening = Listening::to(sensor_named(value("sensor")?)?, threshold);
        if let Some(release) = number("release") {
            listening.release = release?;
        }
        if let Some(gap_ms) = number("gap") {
            listening.gap_s = gap_ms? / 1e3;
        }
        if let Some(word) = value("polarity") {
            listening.polarity = Polarity::WORDS.iter().find(|(one, _)| *one == word)?.1;
        }
        if let Some(word) = value("hum").filter(|word| *word != "none") {
            listening.mains_hz = Some(word.parse().ok().filter(|hz| [50, 60].contains(hz))?);
        }
        Some(listening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_said_of_listening_is_taken() {
        let words = "channel=2&sensor=force&threshold=-40&release=0.3&gap=60&polarity=down&hum=60";
        let listening = Listening::said(words).unwrap();
        let sensor = sensor_named("force").unwrap();
        let due = Listening {
            sensor,
            threshold: 0.01,
            release: 0.3,
            gap_s: 0.06,
            polarity: Polarity::Down,
            mains_hz: Some(60),
        };
        assert!((listening.threshold - 0.01).abs() < 1e-12);
        assert_eq!(format!("channel=2&{}", listening.words()), words);
        assert_eq!(Listening { threshold: 0.01, ..listening }, due);
    }

    #[test]
    fn what_is_not_said_is_as_usual_and_what_is_wrong_gives_nothing() {
        let usual = Listening::to(sensor_named("air").unwrap(), 1.0);
        assert_eq!(Listening::said("sensor=air&threshold=0&record=all"), Some(usual));
        for wrong in [
            "",
            "sensor=air",
            "threshold=-30",
            "sensor=nose&threshold=-30",
            "sensor=air&threshold=loud",
            "sensor=air&threshold=-30&hum=55",
            "sensor=air&threshold=-30&polarity=left",
        ] {
            assert_eq!(Listening::said(wrong), None, "{wrong}");
        }
    }
}
