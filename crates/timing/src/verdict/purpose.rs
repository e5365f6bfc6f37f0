//! [`Purpose`]: what a machine is to be good for, as on the command line.

use super::{AUDIO_UNFIT, TAPPING_FIT, TAPPING_UNFIT};
use chronotap_core::time::Nanos;
use std::fmt;
use std::str::FromStr;

/// What for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// A tapping experiment, exact to 1 ms.
    #[default]
    Tapping,
    /// Audio in periods of so many frames.
    Audio {
        /// Frames in a period, 1 to 65,536.
        frames: u32,
        /// Frames a second, 8,000 to 768,000.
        rate: u32,
    },
}

/// A purpose was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no purpose `{0}`")]
pub struct PurposeError(pub String);

impl Purpose {
    /// What a wake-up must not be late by: 1 ms, or half a period, since the other half
    /// is left for computing it.
    pub fn limit(self) -> Nanos {
        match self {
            Purpose::Tapping => Nanos::from_millis(1),
            Purpose::Audio { frames, rate } => {
                Nanos(i64::from(frames) * 1_000_000_000 / i64::from(rate) / 2)
            }
        }
    }

    /// The shares of late wake-ups up to which it is fit, and above which it is unfit.
    pub(super) fn limits(self) -> (f64, f64) {
        match self {
            Purpose::Tapping => (TAPPING_FIT, TAPPING_UNFIT),
            Purpose::Audio { frames, rate } => {
                let periods_a_minute = 60.0 * f64::from(rate) / f64::from(frames);
                (AUDIO_UNFIT / periods_a_minute / 10.0, AUDIO_UNFIT / periods_a_minute)
            }
        }
    }
}

impl FromStr for Purpose {
    type Err = PurposeError;

    fn from_str(text: &str) -> Result<Purpose, PurposeError> {
        let refuse = || PurposeError(text.to_owned());
        if text == "tapping" {
            return Ok(Purpose::Tapping);
        }
        let period = text.strip_prefix("audio:").ok_or_else(refuse)?;
        let (frames, rate) = period.split_once('@').ok_or_else(refuse)?;
        let frames = frames.parse().ok().filter(|n| (1..=65_536).contains(n)).ok_or_else(refuse)?;
        let rate =
            rate.parse().ok().filter(|n| (8_000..=768_000).contains(n)).ok_or_else(refuse)?;
        Ok(Purpose::Audio { frames, rate })
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Purpose::Tapping => f.write_str("a tapping experiment at 1 ms"),
            Purpose::Audio { frames, rate } => {
                let ms = f64::from(*frames) * 1e3 / f64::from(*rate);
                write!(f, "audio in periods of {frames} frames at {rate} Hz ({ms:.2} ms)")
            }
        }
    }
}
