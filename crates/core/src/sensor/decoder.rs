//! [`SensorDecoder`]: bytes as they come off the line, into frames.
//!
//! Background: a frame is coded by Consistent Overhead Byte Stuffing (Cheshire & Baker, IEEE/ACM
//! Transactions on Networking 7, 1999), so that a zero stands at its end and nowhere else. Whoever
//! begins to listen in mid-frame, or loses bytes, is right again at the next zero.
//!
//! Real-time contract: no allocation, no panic; bounded by the length of a frame.

use super::frame::{MOST_FORCES, SensorFault, SensorFrame};

/// Bytes of the longest frame: head, first microsecond, values, checksum; and one that COBS adds.
const MOST_BYTES: usize = 7 + 4 + 2 * MOST_FORCES + 2 + 1;

/// Turns bytes into frames, one byte at a time.
#[derive(Clone, Debug)]
pub struct SensorDecoder {
    coded: [u8; MOST_BYTES],
    length: usize,
    endless: bool, // more bytes than any frame has, up to the next zero
}

impl Default for SensorDecoder {
    fn default() -> SensorDecoder {
        SensorDecoder { coded: [0; MOST_BYTES], length: 0, endless: false }
    }
}

impl SensorDecoder {
    /// Takes one byte; gives the frame that it ends, or why what it ends is none.
    pub fn push(&mut self, byte: u8) -> Option<Result<SensorFrame, SensorFault>> {
        if byte != 0 {
            self.keep(byte);
            return None;
        }
        let (length, endless) = (self.length, self.endless);
        (self.length, self.endless) = (0, false);
        match (endless, length) {
            (true, _) => Some(Err(SensorFault::Endless)),
            (false, 0) => None, // two zeros with nothing between them
            (false, length) => Some(self.read(length)),
        }
    }

    fn keep(&mut self, byte: u8) {
        match self.coded.get_mut(self.length) {
            Some(place) => {
                *place = byte;
                self.length += 1;
            }
            None => self.endless = true,
        }
    }

    fn read(&self, length: usize) -> Result<SensorFrame, SensorFault> {
        let (mut plain, mut made, mut left) = ([0; MOST_BYTES], 0, &self.coded[..length]);
        while let [code, rest @ ..] = left {
            let run = usize::from(*code) - 1; // no byte is zero
            let (copied, behind) = rest.split_at_checked(run).ok_or(SensorFault::Cut)?;
            plain[made..made + run].copy_from_slice(copied);
            // A zero stands behind each run but the last; shorter than what was coded in all.
            made += run + usize::from(!behind.is_empty());
            left = behind;
        }
        SensorFrame::read(&plain[..made])
    }
}
