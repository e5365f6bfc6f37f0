//! The sound that the player plays: a tone near 440 Hz at -20 dB, of which a fragment
//! holds whole cycles, so that fragments join without a click and a drop-out is heard. Or
//! what the caller gives it, cut into whole fragments.

use chronotap_linux::cards::Fragments;
use std::f64::consts::TAU;

const NEAR_HZ: f64 = 440.0;
/// A tenth of full scale.
const PEAK: f64 = 3_276.8;

/// A fragment of it: 16 bits, left and right.
pub(super) fn fragment(fragments: Fragments) -> Vec<u8> {
    let frames = fragments.frames;
    let cycles = (NEAR_HZ * f64::from(frames) / f64::from(fragments.rate_hz)).round().max(1.0);
    let sample = |n: u32| (PEAK * (TAU * cycles * f64::from(n) / f64::from(frames)).sin()) as i16;
    (0..frames).flat_map(|n| [sample(n), sample(n)]).flat_map(i16::to_le_bytes).collect()
}

/// A sound with silence at its end, so that it has whole fragments.
pub(super) fn whole_fragments(sound: &[u8], fragments: Fragments) -> Vec<u8> {
    let mut sound = sound.to_vec();
    let bytes = (fragments.frames * Fragments::BYTES_OF_A_FRAME) as usize;
    sound.resize(sound.len().next_multiple_of(bytes), 0);
    sound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sound_has_whole_fragments_with_silence_at_the_end() {
        let fragments = Fragments { count: 3, frames: 4, rate_hz: 44_100 };
        let sound = whole_fragments(&[7; 20], fragments);
        assert_eq!((sound.len(), &sound[19..22]), (32, &[7, 0, 0][..]));
        assert_eq!(whole_fragments(&[7; 16], fragments).len(), 16);
    }

    #[test]
    fn a_fragment_holds_whole_cycles_for_both_ears() {
        let bytes = fragment(Fragments { count: 3, frames: 1_024, rate_hz: 44_100 });
        let samples: Vec<i16> =
            bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        assert_eq!(samples.len(), 2 * 1_024);
        assert!(samples.chunks_exact(2).all(|frame| frame[0] == frame[1]));
        assert_eq!(samples[0], 0);
        let left: Vec<i16> = samples.iter().step_by(2).copied().collect();
        let rising = left.windows(2).filter(|pair| pair[0] < 0 && pair[1] >= 0).count();
        assert_eq!(rising, 9, "ten cycles, of which the first begins the fragment");
        assert!(left.iter().all(|sample| sample.abs() <= 3_277));
    }
}
