//! What a log of callbacks holds: one line of JSON that says which cards, then records of
//! [`BYTES`] each, whose last four are the CRC-32 of the others. A torn record is recognised, and
//! reading stops there.

use super::{CALLBACKS_VERSION, Card};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::Callback;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read};

/// Length of a record.
pub(super) const BYTES: usize = 44;
/// The name of the format, in its first line.
const FORMAT: &str = "chronotap-callbacks-log";

/// A record, with the number of its card from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// A call. Its times are raw CLOCK_MONOTONIC.
    Call(Callback),
    /// The trial's clock counts from here, raw CLOCK_MONOTONIC.
    Origin(Nanos),
    /// Callbacks that found the queue full so far, and periods missed.
    Counts { lost: u64, xruns: u64 },
    /// Nothing is missing but what was counted.
    End,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct FirstLine {
    format: String,
    version: u32,
    cards: Vec<Card>,
}

/// Appends a record: kind, card, then its numbers, least significant byte first.
pub(super) fn put(out: &mut Vec<u8>, card: u16, record: Record) {
    let (kind, frames, numbers) = match record {
        Record::Call(Callback { frame, frames, due, began, ended }) => {
            (0_u16, frames, [frame, due.0 as u64, began.0 as u64, ended.0 as u64])
        }
        Record::Origin(at) => (1, 0, [0, at.0 as u64, 0, 0]),
        Record::Counts { lost, xruns } => (2, 0, [lost, xruns, 0, 0]),
        Record::End => (3, 0, [0; 4]),
    };
    let start = out.len();
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(&card.to_le_bytes());
    out.extend_from_slice(&frames.to_le_bytes());
    numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
    let sum = crc32fast::hash(&out[start..]);
    out.extend_from_slice(&sum.to_le_bytes());
}

fn parse(bytes: &[u8; BYTES]) -> Option<(usize, Record)> {
    let (body, sum) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
        return None;
    }
    let (head, numbers) = body.split_first_chunk::<8>()?;
    let [k0, k1, c0, c1, frames @ ..] = *head;
    let mut numbers = numbers.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
    let [first, second, third, fourth] = std::array::from_fn(|_| numbers.next().unwrap_or(0));
    let time = |number: u64| Nanos(number as i64);
    let record = match u16::from_le_bytes([k0, k1]) {
        0 => Record::Call(Callback {
            frame: first,
            frames: u32::from_le_bytes(frames),
            due: time(second),
            began: time(third),
            ended: time(fourth),
        }),
        1 => Record::Origin(time(second)),
        2 => Record::Counts { lost: first, xruns: second },
        3 => Record::End,
        _ => return None,
    };
    Some((u16::from_le_bytes([c0, c1]).into(), record))
}

/// The line that a log begins with.
pub(super) fn first_line(cards: Vec<Card>) -> io::Result<Vec<u8>> {
    let first = FirstLine { format: FORMAT.into(), version: CALLBACKS_VERSION, cards };
    let mut line = serde_json::to_vec(&first)?;
    line.push(b'\n');
    Ok(line)
}

/// The cards of a log; what follows are its [`records`].
///
/// # Errors
/// Where the disk refuses, or the first line is not ours.
pub(super) fn read_cards(log: &mut impl BufRead) -> io::Result<Vec<Card>> {
    let mut line = Vec::new();
    log.read_until(b'\n', &mut line)?;
    let first: FirstLine = serde_json::from_slice(&line)?;
    let known = first.format == FORMAT && first.version <= CALLBACKS_VERSION;
    known.then_some(first.cards).ok_or_else(|| io::Error::other("not a log of callbacks"))
}

/// The records of a log up to the first that is not whole, each with its card's number.
pub(super) fn records(mut log: impl Read) -> impl Iterator<Item = (usize, Record)> {
    std::iter::from_fn(move || {
        let mut bytes = [0; BYTES];
        log.read_exact(&mut bytes).ok()?;
        parse(&bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: Record = Record::Call(Callback {
        frame: u64::MAX,
        frames: 16,
        due: Nanos(-1),
        began: Nanos(i64::MAX),
        ended: Nanos(3),
    });

    #[test]
    fn records_read_back_as_they_were_written_up_to_a_torn_one() {
        let all =
            [CALL, Record::Origin(Nanos(77)), Record::Counts { lost: 2, xruns: 9 }, Record::End];
        let mut bytes = Vec::new();
        all.iter().for_each(|record| put(&mut bytes, 3, *record));
        assert_eq!(bytes.len(), 4 * BYTES);
        assert_eq!(records(&bytes[..]).collect::<Vec<_>>(), all.map(|record| (3, record)));
        assert_eq!(records(&bytes[..4 * BYTES - 1]).count(), 3);
        bytes[BYTES + 7] ^= 1;
        assert_eq!(records(&bytes[..]).count(), 1);
        assert_eq!(records(&[0; 4 * BYTES][..]).count(), 0, "zeros are no records");
    }
}
