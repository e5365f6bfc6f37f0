//! [`Format`]: how the samples of a WAV file lie in its bytes, from its chunk `fmt `.
//!
//! Sources: "Multiple Channel Audio Data and WAVE Files" and `WAVEFORMATEXTENSIBLE` (Microsoft): integers stand at the
//! upper end of their bytes, and what is not used below them is 0; one byte is unsigned. libsndfile reads every form that
//! is read here as the same numbers (`tests/rare_wav_files.rs` keeps its answers). Of forms that it and others read
//! differently - PCM with more bytes than its bits need, without the extensible form - nothing is guessed.

use super::WavError;

/// What the format chunk says.
pub(super) struct Format {
    pub rate_hz: u32,
    /// At least 1.
    pub channels: u16,
    pub coding: Coding,
}

/// A sample in its bytes, the least significant first.
pub(super) struct Coding {
    kind: Kind,
    /// Bits of its bytes.
    pub bits: u16,
    /// Those that are used, at the upper end.
    pub valid: u16,
}

enum Kind {
    /// One byte, 128 being silence.
    Unsigned,
    /// Two to four bytes.
    Signed,
    Float,
    Double,
}

const PCM: u16 = 1;
const FLOAT: u16 = 3;
const EXTENSIBLE: u16 = 0xfffe;
/// Behind the two bytes of a tag: every subformat that is one of the tags.
const TAG: [u8; 14] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];

impl Format {
    /// Reads the chunk.
    pub fn of(chunk: &[u8]) -> Result<Format, WavError> {
        let word =
            |at: usize| chunk.get(at..at + 2).map(|two| u16::from_le_bytes([two[0], two[1]]));
        let long = |at: usize| Some(u32::from(word(at)?) | u32::from(word(at + 2)?) << 16);
        let read = || {
            Some((
                word(0)?,
                word(2).filter(|channels| *channels > 0)?,
                long(4)?,
                long(8)?,
                word(12)?,
                word(14)?,
            ))
        };
        let Some((tag, channels, rate_hz, said, frame_bytes, bits)) = read() else {
            return Err(WavError::Lacks("format"));
        };
        let (tag, valid) = match tag {
            EXTENSIBLE => extended(chunk)?,
            tag => (tag, 0),
        };
        let valid = if valid == 0 { bits } else { valid };
        let unsure = || WavError::Bits { bits, valid, frame_bytes, channels };
        let coding = Coding::of(tag, bits, valid)?.ok_or_else(unsure)?;
        if u32::from(frame_bytes) != u32::from(coding.bytes()) * u32::from(channels) {
            return Err(unsure());
        }
        if said != 0 && u64::from(said) != u64::from(rate_hz) * u64::from(frame_bytes) {
            return Err(WavError::Inconsistent { rate_hz, frame_bytes, said });
        }
        Ok(Format { rate_hz, channels, coding })
    }

    /// Bytes of a frame; at least 1.
    pub fn frame_bytes(&self) -> u32 {
        u32::from(self.channels) * u32::from(self.coding.bytes())
    }
}

/// The tag and the valid bits of the extensible form.
fn extended(chunk: &[u8]) -> Result<(u16, u16), WavError> {
    let Some(more) = chunk.get(16..40).filter(|more| more[0] >= 22 || more[1] > 0) else {
        return Err(WavError::Lacks("whole format"));
    };
    if more[10..] != TAG {
        return Err(WavError::Coded("an unknown form".to_owned()));
    }
    Ok((u16::from_le_bytes([more[8], more[9]]), u16::from_le_bytes([more[2], more[3]])))
}

impl Coding {
    /// Samples of so many bits; `None` where it is not sure where those stand.
    fn of(tag: u16, bits: u16, valid: u16) -> Result<Option<Coding>, WavError> {
        let kind = match (tag, bits, valid) {
            (PCM, 8, 8) => Kind::Unsigned,
            (PCM, 9..=32, _) if (8..=bits).contains(&valid) => Kind::Signed,
            (FLOAT, 32, 32) => Kind::Float,
            (FLOAT, 64, 64) => Kind::Double,
            (PCM | FLOAT, ..) => return Ok(None),
            (other, ..) => return Err(WavError::Coded(named(other))),
        };
        Ok(Some(Coding { kind, bits: bits.next_multiple_of(8), valid }))
    }

    /// Bytes of a sample: 1 to 4, or 8.
    pub fn bytes(&self) -> u16 {
        self.bits / 8
    }

    /// A sample relative to full scale; nothing where bits are set that are said not to be used.
    pub fn sample(&self, bytes: &[u8]) -> Option<f32> {
        match self.kind {
            Kind::Unsigned => Some((f32::from(bytes[0]) - 128.0) / 128.0),
            Kind::Signed => self.signed(bytes),
            Kind::Float => Some(f32::from_le_bytes(bytes.try_into().ok()?)),
            Kind::Double => Some(f64::from_le_bytes(bytes.try_into().ok()?) as f32),
        }
    }

    fn signed(&self, bytes: &[u8]) -> Option<f32> {
        let mut upper = [0; 4];
        upper[4 - bytes.len()..].copy_from_slice(bytes);
        let value = i32::from_le_bytes(upper);
        let unused = 32 - u32::from(self.valid);
        (value.trailing_zeros() >= unused).then_some(value as f32 / 2_f32.powi(31))
    }
}

/// Forms of samples by their tag, as people call them (mmreg.h).
fn named(tag: u16) -> String {
    match tag {
        2 => "ADPCM (Microsoft)".to_owned(),
        6 => "A-law".to_owned(),
        7 => "mu-law".to_owned(),
        0x11 => "ADPCM (IMA)".to_owned(),
        0x31 => "GSM 6.10".to_owned(),
        0x50 | 0x55 => "MPEG (MP3)".to_owned(),
        0x161..=0x163 => "Windows Media".to_owned(),
        other => format!("an unknown form (0x{other:04x})"),
    }
}
