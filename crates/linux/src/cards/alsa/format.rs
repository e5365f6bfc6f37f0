//! [`Format`]: samples in the bytes of a device, and as numbers.

/// The formats that are used, in the order in which they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// 32-bit float.
    Float,
    /// 32-bit integer.
    S32,
    /// 16-bit integer.
    S16,
}

impl Format {
    pub(super) const ALL: [Format; 3] = [Format::Float, Format::S32, Format::S16];

    /// Its number in the kernel: little-endian, as every machine that is used here.
    pub(super) const fn number(self) -> u32 {
        match self {
            Format::S16 => 2,
            Format::S32 => 10,
            Format::Float => 14,
        }
    }

    /// Bytes of a sample.
    pub(super) const fn bytes(self) -> usize {
        match self {
            Format::S16 => 2,
            Format::S32 | Format::Float => 4,
        }
    }

    /// Writes one channel into interleaved frames. What is beyond full scale is cut off.
    pub(super) fn put(self, samples: &[f32], channel: usize, channels: usize, out: &mut [u8]) {
        let width = self.bytes();
        let frames = out.chunks_exact_mut(width * channels);
        for (frame, sample) in frames.zip(samples) {
            let Some(place) = frame.get_mut(channel * width..(channel + 1) * width) else { return };
            let sample = sample.clamp(-1.0, 1.0);
            match self {
                // A number beyond the range of an integer becomes its greatest.
                Format::S16 => {
                    let value = (sample * 32_768.0).round() as i32;
                    place.copy_from_slice(&(value.min(32_767) as i16).to_le_bytes());
                }
                Format::S32 => {
                    let value = (f64::from(sample) * 2_147_483_648.0).round() as i32;
                    place.copy_from_slice(&value.to_le_bytes());
                }
                Format::Float => place.copy_from_slice(&sample.to_le_bytes()),
            }
        }
    }

    /// Reads one channel of interleaved frames.
    pub(super) fn get(self, bytes: &[u8], channel: usize, channels: usize, samples: &mut [f32]) {
        let width = self.bytes();
        let frames = bytes.chunks_exact(width * channels);
        for (frame, sample) in frames.zip(samples) {
            *sample = match (self, frame.get(channel * width..)) {
                (Format::S16, Some(&[a, b, ..])) => {
                    f32::from(i16::from_le_bytes([a, b])) / 32_768.0
                }
                (Format::S32, Some(&[a, b, c, d, ..])) => {
                    (f64::from(i32::from_le_bytes([a, b, c, d])) / 2_147_483_648.0) as f32
                }
                (Format::Float, Some(&[a, b, c, d, ..])) => f32::from_le_bytes([a, b, c, d]),
                _ => 0.0,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_comes_back_within_a_step_of_its_format() {
        let sound = [0.0, 0.5, -0.5, 1.0, -1.0, 0.123_456, 2.0];
        for (format, step) in
            [(Format::S16, 1.0 / 32_768.0), (Format::S32, 1e-7), (Format::Float, 0.0)]
        {
            let mut bytes = vec![0; sound.len() * 3 * format.bytes()];
            format.put(&sound, 1, 3, &mut bytes);
            let (mut mine, mut other) = ([9.0; 7], [9.0; 7]);
            format.get(&bytes, 1, 3, &mut mine);
            format.get(&bytes, 2, 3, &mut other);
            assert_eq!(other, [0.0; 7]);
            for (back, sent) in mine.iter().zip(sound) {
                assert!((back - sent.min(1.0)).abs() <= step, "{format:?}: {back} for {sent}");
            }
        }
    }
}
