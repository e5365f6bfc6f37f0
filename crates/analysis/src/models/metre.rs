//! At which level of the metre somebody taps, and whether on the beat or against it.
//!
//! A tap's position p is counted in beats: between two beats in proportion. Who taps `taps`
//! times in `beats` beats (in lowest terms: 2 in 1 at twice the rate, 1 in 2 on every other
//! beat, 2 in 3 as a polyrhythm) taps where p · taps is whole, so that the angle is
//! θ = 2π · taps · p (Fisher 1993 for the statistics of θ, [`crate::circular`]). A mean angle
//! near 0 is in phase, near π against the beat.
//!
//! Assumes that the tempo changes slowly between two taps, or at a beat. Limits: with the same timing error R
//! is smaller
//! at a finer level, so that R compares people at one level and never levels with each
//! other; the level is told by the median number of beats from tap to tap, so that a change of level in mid-trial
//! must be parted first.

use crate::circular::{self, Circular};
use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;
use std::f64::consts::{FRAC_PI_3, TAU};

/// So many taps in so many beats, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricalLevel {
    pub taps: u32,
    /// In so many beats.
    pub beats: u32,
}

/// The levels that are told apart.
pub const LEVELS: [MetricalLevel; 11] = [
    MetricalLevel { taps: 1, beats: 1 },
    MetricalLevel { taps: 2, beats: 1 },
    MetricalLevel { taps: 3, beats: 1 },
    MetricalLevel { taps: 4, beats: 1 },
    MetricalLevel { taps: 1, beats: 2 },
    MetricalLevel { taps: 1, beats: 3 },
    MetricalLevel { taps: 1, beats: 4 },
    MetricalLevel { taps: 3, beats: 2 },
    MetricalLevel { taps: 2, beats: 3 },
    MetricalLevel { taps: 4, beats: 3 },
    MetricalLevel { taps: 3, beats: 4 },
];

/// How taps lie to the beats of their level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Within a sixth of the circle of the beat, to each side.
    InPhase,
    /// Within a sixth of the circle of the middle between beats.
    AntiPhase,
    /// Neither.
    Between,
}

/// The level and mode of somebody's taps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tapping {
    /// The level whose interval is closest, as a ratio, to that of the taps.
    pub level: MetricalLevel,
    /// The median interval of the taps, in beats, divided by that of the level.
    pub ratio: f64,
    /// In phase or against it.
    pub mode: Mode,
    /// Where one of several beats is tapped: which, from 1, counted from the first of the stream.
    pub parity: Option<u32>,
    /// The directions of all taps at this level.
    pub circular: Circular,
}

/// Fewest taps whose level is told.
pub const FEWEST: usize = 8;

/// Finds the level and mode of taps against beats; both ascend.
pub fn tapping(beats: &[Nanos], taps: &[Nanos]) -> Result<Tapping, NoEstimate> {
    NoEstimate::unless("beats", beats.len(), 3)?;
    let positions = positions(beats, taps);
    NoEstimate::unless("taps while the pacing goes on", positions.len(), FEWEST)?;
    let ratio = beats_between(&positions).ok_or(NoEstimate::NothingVaries("beats"))?;
    let off = |level: &MetricalLevel| ratio * f64::from(level.taps) / f64::from(level.beats);
    let distance = |level: &MetricalLevel| libm::log(off(level).max(1e-9)).abs();
    let closest = LEVELS.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let level = closest.expect("there are levels");
    let circular = circular::describe(&angles(&positions, level));
    let circular = circular.ok_or(NoEstimate::NothingVaries("taps"))?;
    let parity = parity(&positions, level);
    Ok(Tapping { level, ratio: off(&level), mode: mode(&circular), parity, circular })
}

/// The median number of beats from tap to tap. Each is counted in the beats around it, so that taps of a stretch
/// are held against its own tempo, whatever the pacing does in the rest of the trial.
fn beats_between(positions: &[f64]) -> Option<f64> {
    let mut between: Vec<f64> = positions.windows(2).map(|pair| pair[1] - pair[0]).collect();
    between.sort_by(f64::total_cmp);
    let upper = *between.get(between.len() / 2)?;
    let lower = between[(between.len() - 1) / 2];
    Some(f64::midpoint(lower, upper)).filter(|beats| *beats > 0.0)
}

/// Which of so many beats the taps are closest to, by the mean direction on the circle that all of
/// them go round.
fn parity(positions: &[f64], level: MetricalLevel) -> Option<u32> {
    let beats = f64::from(level.beats);
    let angles: Vec<f64> = positions.iter().map(|position| TAU * position / beats).collect();
    let direction = circular::describe(&angles).filter(|_| level.taps == 1 && level.beats > 1)?;
    let beat = direction.direction_rad? / TAU * beats;
    Some(beat.round().rem_euclid(beats) as u32 + 1)
}

/// The positions of taps in beats, counted from 0. Before the first beat and after the last
/// the interval next to it goes on, for half of itself; taps beyond have no position.
pub fn positions(beats: &[Nanos], taps: &[Nanos]) -> Vec<f64> {
    let mut next = 0;
    let position = |tap: &Nanos| {
        while beats.get(next).is_some_and(|beat| beat <= tap) {
            next += 1;
        }
        let before = next.clamp(1, beats.len().checked_sub(1)?) - 1;
        let interval = (beats[before + 1] - beats[before]).0;
        let since = (*tap - beats[before]).0;
        let position = before as f64 + since as f64 / interval as f64;
        let within = interval > 0 && position >= -0.5 && position <= beats.len() as f64 - 0.5;
        within.then_some(position)
    };
    if beats.len() < 2 { Vec::new() } else { taps.iter().filter_map(position).collect() }
}

/// The angles of positions at a level, in radians.
pub fn angles(positions: &[f64], level: MetricalLevel) -> Vec<f64> {
    let turns = |position: &f64| position * f64::from(level.taps);
    positions.iter().map(turns).map(|turns| TAU * (turns - libm::floor(turns))).collect()
}

fn mode(circular: &Circular) -> Mode {
    match circular.direction_rad.map(f64::abs) {
        Some(angle) if angle <= FRAC_PI_3 => Mode::InPhase,
        Some(angle) if angle >= 2.0 * FRAC_PI_3 => Mode::AntiPhase,
        _ => Mode::Between,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(from: i64, interval: i64, count: i64) -> Vec<Nanos> {
        (0..count).map(|k| Nanos::from_millis(from + interval * k)).collect()
    }

    fn found(from: i64, interval: i64) -> Tapping {
        tapping(&every(0, 600, 40), &every(from, interval, 20)).unwrap()
    }

    #[test]
    fn each_level_is_found_with_full_resultant() {
        for level in LEVELS {
            let interval = 600 * i64::from(level.beats) / i64::from(level.taps);
            if 20 * interval < 40 * 600 {
                let found = found(-20, interval);
                assert_eq!(found.level, level);
                assert!(found.circular.resultant > 0.999, "{found:?}");
                assert_eq!(found.mode, Mode::InPhase);
            }
        }
    }

    #[test]
    fn taps_between_the_beats_are_against_them() {
        assert_eq!(found(290, 600).mode, Mode::AntiPhase);
        assert_eq!(found(150, 600).mode, Mode::Between);
        // On every other beat it does not matter which one.
        assert_eq!(found(600, 1_200).mode, Mode::InPhase);
    }

    /// A stretch behind a tempo step, which the whole trial's median interval made another level.
    #[test]
    fn taps_are_held_against_the_tempo_around_them() {
        let beats = [every(0, 600, 40), every(24_000, 300, 20)].concat();
        for from in [24_280, 24_150] {
            let found = tapping(&beats, &every(from, 300, 18)).unwrap();
            assert_eq!(found.level, LEVELS[0]);
        }
        assert_eq!(tapping(&beats, &every(24_000, 600, 9)).unwrap().level, LEVELS[4]);
    }

    #[test]
    fn too_few_taps_or_beats_have_no_level() {
        assert!(tapping(&every(0, 600, 2), &every(0, 600, 20)).is_err());
        assert!(tapping(&every(0, 600, 20), &every(0, 600, 7)).is_err());
        assert!(tapping(&every(0, 0, 20), &every(0, 600, 20)).is_err());
        assert!(positions(&every(0, 600, 1), &every(0, 600, 2)).is_empty());
    }
}
