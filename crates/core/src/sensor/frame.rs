//! [`SensorFrame`]: what a frame says, once its bytes are whole.

/// The one version of the protocol that is understood.
const VERSION: u8 = 1;

/// Most values of force in a frame.
pub const MOST_FORCES: usize = 16;

/// A frame, whole and with the right checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorFrame {
    /// One more than in the frame before; after 65,535 comes 0.
    pub counter: u16,
    /// The device's microseconds at the first byte on the line; they begin again after 71.6 minutes.
    pub sent_us: u32,
    /// What it tells.
    pub told: SensorTold,
}

/// What a frame tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensorTold {
    /// Who speaks: when the device has begun, and every second.
    Greeting(SensorGreeting),
    /// A tap began.
    Onset {
        /// The device's microseconds.
        at_us: u32,
        /// Of the tap, from 1.
        number: u16,
        /// The value that showed it.
        force: u16,
    },
    /// A tap ended.
    Release {
        /// The device's microseconds.
        at_us: u32,
        /// Of the tap.
        number: u16,
        /// The greatest value within it.
        peak: u16,
    },
    /// The force, whatever it is.
    Forces {
        /// The device's microseconds at the first of the readings that the first value sums.
        first_us: u32,
        values: ForceValues,
    },
}

impl SensorTold {
    /// The device's microseconds of what is told.
    pub(super) fn at_us(&self) -> Option<u32> {
        match self {
            SensorTold::Greeting(_) => None,
            SensorTold::Onset { at_us, .. } | SensorTold::Release { at_us, .. } => Some(*at_us),
            SensorTold::Forces { first_us, .. } => Some(*first_us),
        }
    }
}

/// Values of force, each the sum of eight readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForceValues {
    values: [u16; MOST_FORCES],
    length: u8,
}

impl ForceValues {
    /// These values, as many as a frame has room for.
    pub fn of(all: &[u16]) -> Option<ForceValues> {
        let mut values = [0; MOST_FORCES];
        values.get_mut(..all.len())?.copy_from_slice(all);
        Some(ForceValues { values, length: all.len() as u8 })
    }

    /// The values, oldest first.
    pub fn as_slice(&self) -> &[u16] {
        &self.values[..usize::from(self.length)]
    }
}

/// Who speaks, and how it feels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorGreeting {
    pub board: Board,
    /// Readings a second.
    pub rate_hz: u16,
    /// Values of force a second.
    pub force_hz: u16,
    /// The greatest reading.
    pub full_scale: u16,
    /// The reading at rest, when the device began.
    pub rest: u16,
    /// The reading at which a tap begins.
    pub on: u16,
    /// The reading below which it ends.
    pub off: u16,
}

/// The board that the firmware runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// An Arduino with an ATmega328P, behind a line of 500,000 bits a second.
    Atmega328p,
    /// A Teensy, by USB.
    Teensy,
}

impl Board {
    /// How long a byte takes on the board's line, in nanoseconds.
    pub const fn byte_ns(self) -> i64 {
        match self {
            Board::Atmega328p => 20_000, // ten bits
            Board::Teensy => 0,
        }
    }
}

/// Why bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensorFault {
    /// A greeting of a firmware that is not understood, by the version that it names.
    Version(u8),
    /// The greeting names a board that is not known.
    Board(u8),
    /// The checksum is another.
    Checksum,
    /// It ends within itself.
    Cut,
    /// No end where every frame has ended.
    Endless,
    /// A kind that version 1 does not have.
    Kind(u8),
    /// A length that its kind does not have.
    Length { kind: u8, length: u8 },
}

/// Bytes of a frame around what its kind has: kind, counter, time; checksum.
const HEAD: usize = 7;
const CHECKSUM: usize = 2;

impl SensorFrame {
    /// Reads a frame from the bytes that were coded.
    pub(super) fn read(bytes: &[u8]) -> Result<SensorFrame, SensorFault> {
        let Some(length) = bytes.len().checked_sub(CHECKSUM).filter(|length| *length >= HEAD)
        else {
            return Err(SensorFault::Cut);
        };
        let (said, sum) = bytes.split_at(length);
        if checksum(said) != of16(sum, 0) {
            return Err(SensorFault::Checksum);
        }
        let told = SensorTold::read(said[0], &said[HEAD..])?;
        Ok(SensorFrame { counter: of16(said, 1), sent_us: of32(said, 3), told })
    }
}

impl SensorTold {
    fn read(kind: u8, body: &[u8]) -> Result<SensorTold, SensorFault> {
        let length = body.len() as u8; // a frame is shorter than that
        match (kind, body.len()) {
            (b'H', 1..) if body[0] != VERSION => Err(SensorFault::Version(body[0])),
            (b'H', 14) => Ok(SensorTold::Greeting(SensorGreeting::read(body)?)),
            (b'O', 8) => {
                let (at_us, number, force) = (of32(body, 0), of16(body, 4), of16(body, 6));
                Ok(SensorTold::Onset { at_us, number, force })
            }
            (b'R', 8) => {
                let (at_us, number, peak) = (of32(body, 0), of16(body, 4), of16(body, 6));
                Ok(SensorTold::Release { at_us, number, peak })
            }
            (b'F', 6..) if body.len().is_multiple_of(2) && body.len() <= 4 + 2 * MOST_FORCES => {
                Ok(SensorTold::Forces { first_us: of32(body, 0), values: ForceValues::read(body) })
            }
            (b'H' | b'O' | b'R' | b'F', _) => Err(SensorFault::Length { kind, length }),
            _ => Err(SensorFault::Kind(kind)),
        }
    }
}

impl ForceValues {
    fn read(body: &[u8]) -> ForceValues {
        let (mut values, mut length) = ([0; MOST_FORCES], 0);
        for (value, bytes) in values.iter_mut().zip(body[4..].chunks_exact(2)) {
            *value = of16(bytes, 0);
            length += 1;
        }
        ForceValues { values, length }
    }
}

impl SensorGreeting {
    fn read(body: &[u8]) -> Result<SensorGreeting, SensorFault> {
        let board = match body[1] {
            1 => Board::Atmega328p,
            2 => Board::Teensy,
            other => return Err(SensorFault::Board(other)),
        };
        Ok(SensorGreeting {
            board,
            rate_hz: of16(body, 2),
            force_hz: of16(body, 4),
            full_scale: of16(body, 6),
            rest: of16(body, 8),
            on: of16(body, 10),
            off: of16(body, 12),
        })
    }
}

fn of16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn of32(bytes: &[u8], at: usize) -> u32 {
    u32::from(of16(bytes, at)) | u32::from(of16(bytes, at + 2)) << 16
}

/// CRC-16/IBM-3740: polynomial 0x1021, from 0xffff, most significant bit first.
pub(super) fn checksum(bytes: &[u8]) -> u16 {
    let shifted = |crc: u16, _| if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 };
    bytes.iter().fold(0xffff, |crc, byte| (0..8).fold(crc ^ (u16::from(*byte) << 8), shifted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_catalogue() {
        // Catalogue of parametrised CRC algorithms: CRC-16/IBM-3740, check.
        assert_eq!(checksum(b"123456789"), 0x29b1);
    }
}
