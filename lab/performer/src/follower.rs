//! [`Follower`]: taps on a sound card's second channel, each so many frames after a tone on the first.
//!
//! The first channel is the loop: what a card plays comes back on it unchanged. A tone begins at its first
//! sample that is no rest, where none began in the 0.4 s before it: what answers a tap is no tone to tap with.

const RATE_HZ: f64 = 48_000.0;
/// What is no rest, of 32,768.
const HEARD: u16 = 64;
const GAP: u64 = 19_200;
/// A tap begins 100, 110, 120, 130, 140 ms after its tone, in turn.
const FIRST: u64 = 4_800;
const STEP: u64 = 480;
const STEPS: u64 = 5;

#[derive(Default)]
pub struct Follower {
    frame: u64,
    tones: u64,
    began: Option<u64>, // the last tone
    tap: Option<u64>,   // its tap
}

impl Follower {
    /// Puts what is tapped meanwhile on the right of this sound, 16 bits, left and right.
    pub fn tap_beside(&mut self, sound: &mut [u8]) {
        for frame in sound.chunks_exact_mut(4) {
            let tapped = self.beside(i16::from_le_bytes([frame[0], frame[1]]));
            frame[2..].copy_from_slice(&tapped.to_le_bytes());
        }
    }

    /// The second channel's sample beside this one of the first.
    fn beside(&mut self, looped: i16) -> i16 {
        let frame = self.frame;
        self.frame += 1;
        let rests = self.began.is_none_or(|began| frame >= began + GAP);
        if looped.unsigned_abs() >= HEARD && rests {
            self.began = Some(frame);
            self.tap = Some(frame + FIRST + STEP * (self.tones % STEPS));
            self.tones += 1;
        }
        match self.tap {
            Some(tap) if frame >= tap && frame < tap + GAP / 4 => ring(frame - tap),
            _ => 0,
        }
    }
}

/// A tap so many frames after its beginning: 1,500 Hz that begins at 0 and dies away within some milliseconds.
fn ring(frames: u64) -> i16 {
    let s = frames as f64 / RATE_HZ;
    let wave = (std::f64::consts::TAU * 1_500.0 * s).sin() * (-s / 0.004).exp();
    (16_384.0 * wave) as i16
}
