//! Frames: input bytes as the kernel hands them over together with the time at
//! which the driver gave them to it. Pure; the reading is elsewhere.
//!
//! A frame has 32 bytes: type (0), number of bytes (at most 16), two spare bytes,
//! nanoseconds (u32), seconds (u64), then room for 16 bytes of data; numbers stand
//! in the byte order of the machine. Frames of other types are to be skipped.

use chronotap_core::time::Nanos;

/// Bytes of one frame.
pub(crate) const FRAME_BYTES: usize = 32;
const DATA: usize = 16;

/// What came in at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// Raw CLOCK_MONOTONIC.
    pub(crate) at: Nanos,
    /// At most 16 bytes.
    pub(crate) bytes: &'a [u8],
}

/// The frames in what was read; a piece at the end that is no whole frame, which
/// the kernel never gives, is passed over.
pub(crate) fn frames(read: &[u8]) -> impl Iterator<Item = Frame<'_>> {
    read.chunks_exact(FRAME_BYTES).filter_map(frame)
}

fn frame(bytes: &[u8]) -> Option<Frame<'_>> {
    let nanoseconds = i64::from(u32::from_ne_bytes(*bytes.get(4..)?.first_chunk()?));
    let seconds = u64::from_ne_bytes(*bytes.get(8..)?.first_chunk()?);
    let len = usize::from(*bytes.get(1)?).min(DATA);
    let at = i64::try_from(seconds).ok()?.checked_mul(1_000_000_000)?.checked_add(nanoseconds)?;
    let data = bytes.get(FRAME_BYTES - DATA..)?.get(..len)?;
    (bytes.first() == Some(&0)).then_some(Frame { at: Nanos(at), bytes: data })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn framed(kind: u8, at: Nanos, data: &[u8]) -> [u8; FRAME_BYTES] {
        let mut bytes = [0; FRAME_BYTES];
        bytes[0] = kind;
        bytes[1] = u8::try_from(data.len()).unwrap();
        bytes[4..8].copy_from_slice(&((at.0 % 1_000_000_000) as u32).to_ne_bytes());
        bytes[8..16].copy_from_slice(&((at.0 / 1_000_000_000) as u64).to_ne_bytes());
        bytes[16..16 + data.len()].copy_from_slice(data);
        bytes
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn a_frame_is_read_as_the_kernel_lays_it_out() {
        let note_on = [
            0, 3, 0, 0, 0x15, 0xcd, 0x5b, 0x07, 42, 0, 0, 0, 0, 0, 0, 0, // 42.123456789 s
            0x90, 60, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ];
        let read: Vec<Frame<'_>> = frames(&note_on).collect();
        assert_eq!(read, [Frame { at: Nanos(42_123_456_789), bytes: &[0x90, 60, 100] }]);
    }

    #[test]
    fn unknown_types_are_skipped_and_lengths_bounded() {
        let mut bytes = framed(7, Nanos(1), &[1]).to_vec();
        let mut long = framed(0, Nanos(2), &[9; 16]);
        long[1] = 200;
        bytes.extend(long);
        bytes.extend([0; 5]);
        let read: Vec<Frame<'_>> = frames(&bytes).collect();
        assert_eq!(read, [Frame { at: Nanos(2), bytes: &[9; 16] }]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_was_framed_is_read_back(
            all in proptest::collection::vec((0i64..i64::MAX / 2, proptest::collection::vec(any::<u8>(), 0..=16)), 0..20)
        ) {
            let bytes: Vec<u8> = all.iter().flat_map(|(at, data)| framed(0, Nanos(*at), data)).collect();
            let read: Vec<(i64, Vec<u8>)> = frames(&bytes).map(|f| (f.at.0, f.bytes.to_vec())).collect();
            prop_assert_eq!(read, all);
        }

        #[test]
        fn any_bytes_at_all_are_read_without_a_fault(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            for frame in frames(&bytes) {
                prop_assert!(frame.bytes.len() <= 16);
            }
        }
    }
}
