//! From the phases of the tones to the delay, digit by digit.

use super::tones::{INCREMENTS, TONES};

/// Delays are told apart up to so many frames; a longer one is short of a multiple of it.
pub const AMBIGUOUS_FRAMES: f64 = 65_536.0;

/// A delay, and how well the phases fit it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolved {
    /// From -8 (a hair before 0) to [`AMBIGUOUS_FRAMES`] - 8.
    pub frames: f64,
    /// Whether the signal came back upside down.
    pub inverted: bool,
    /// How far the worst phase was from a digit: 0 exact, 0.5 half-way between two.
    pub contradiction: f64,
}

/// The delay that these phase lags explain, in cycles; of the two polarities the one
/// that fits better.
pub fn resolve(phases: &[f64; TONES]) -> Resolved {
    let upright = with_polarity(phases, false);
    let inverted = with_polarity(phases, true);
    if inverted.contradiction < upright.contradiction { inverted } else { upright }
}

fn with_polarity(phases: &[f64; TONES], inverted: bool) -> Resolved {
    let turn = if inverted { 0.5 } else { 0.0 };
    let main = phases[0] + turn;
    let mut sixteens = main - main.round(); // -0.5 to 0.5
    let mut contradiction: f64 = 0.0;
    for (i, (phase, increment)) in phases.iter().zip(&INCREMENTS).enumerate().skip(1) {
        let explained = sixteens * f64::from(*increment) / f64::from(INCREMENTS[0]);
        let left = phase + turn - explained;
        let halves = 2.0 * (left - left.floor());
        contradiction = contradiction.max((halves - halves.round()).abs());
        if halves.round() as i64 % 2 != 0 {
            sixteens += f64::from(1_u32 << (i - 1));
        }
    }
    Resolved { frames: 16.0 * sixteens, inverted, contradiction }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn phases(frames: f64, turn: f64) -> [f64; TONES] {
        INCREMENTS.map(|p| {
            let lag = frames * f64::from(p) / 65_536.0 + turn;
            lag - lag.round()
        })
    }

    proptest! {
        #[test]
        fn every_delay_is_found_in_both_polarities(frames in 0.0..65_527.0f64, inverted: bool) {
            let found = resolve(&phases(frames, if inverted { 0.5 } else { 0.0 }));
            prop_assert!((found.frames - frames).abs() < 1e-6, "{found:?}");
            prop_assert_eq!(found.inverted, inverted);
            prop_assert!(found.contradiction < 1e-6);
        }

        #[test]
        fn no_digit_is_wrong_while_phases_are_off_by_less_than_a_tenth(frames in 0.0..60_000.0f64, off in prop::array::uniform13(-0.1..0.1f64)) {
            let mut phases = phases(frames, 0.0);
            // The main tone is timed a hundred times as finely.
            phases.iter_mut().zip(off).enumerate().for_each(|(i, (phase, off))| *phase += if i == 0 { off / 100.0 } else { off });
            prop_assert!((resolve(&phases).frames - frames).abs() < 0.02);
        }
    }
}
