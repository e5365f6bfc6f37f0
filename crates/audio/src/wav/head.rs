//! [`find`]: where the format and the data of a WAV file are. Its data may be longer than the 32 bits of their size can
//! say: RF64 (EBU Tech 3306) and BW64 (ITU-R BS.2088) have the true size in a chunk `ds64`, and of a file that was written
//! to a pipe the sizes were never filled in, so that its data go to its end.

use super::WavError;
use std::io::{self, Read, Seek, SeekFrom};

/// In place of a size that stands elsewhere, or was never known.
const UNSAID: u32 = u32::MAX;
/// Bytes of a format chunk that are looked at; no known one has as many.
const LONGEST_FORMAT: u32 = 256;
/// Chunks before the data; no known program writes as many.
const MOST_CHUNKS: u32 = 1_000;
/// Chunks that some programs put right behind one of odd length, without the byte that belongs between them.
const KNOWN: [&[u8; 4]; 5] = [b"data", b"fmt ", b"fact", b"LIST", b"ds64"];

/// What a head says; the file stands at the first byte of its data.
pub(super) struct Head {
    /// The format chunk.
    pub format: Vec<u8>,
    /// Bytes of the data.
    pub bytes: u64,
    /// Whether the head says how many those are.
    pub said: bool,
    /// Bytes that follow in the file.
    pub rest: u64,
}

/// Reads the head of a file.
pub(super) fn find(file: &mut (impl Read + Seek)) -> Result<Head, WavError> {
    let mut first = [0; 12];
    let length = io::copy(&mut file.by_ref().take(12), &mut first.as_mut_slice())?;
    let (kind, riff_bytes, form) = (&first[..4], number(&first[4..8]), &first[8..]);
    let has_ds64 = matches!(kind, b"RF64" | b"BW64");
    if length < 12 || !(has_ds64 || kind == b"RIFF") || form != b"WAVE" {
        return Err(WavError::NoWav(other(&first)));
    }
    let unfinished = matches!(riff_bytes, 0 | UNSAID);
    let (mut long, mut format) = (0, None);
    for _ in 0..MOST_CHUNKS {
        let chunk = some(file, 8)?;
        let bytes = number(&chunk[4..]);
        match &chunk[..4] {
            b"data" => {
                let format = format.ok_or(WavError::Lacks("format before its data"))?;
                return Ok(data(file, format, bytes, (has_ds64.then_some(long), unfinished))?);
            }
            b"fmt " if format.is_some() => return Err(WavError::TwoFormats),
            b"fmt " => {
                let read = bytes.min(LONGEST_FORMAT);
                format = Some(some(file, read.into())?);
                pass(file, bytes - read, bytes)?;
            }
            b"ds64" if has_ds64 && bytes >= 16 => {
                let sizes = some(file, 16)?; // of all, and of the data
                long = u64::from(number(&sizes[12..])) << 32 | u64::from(number(&sizes[8..]));
                pass(file, bytes - 16, bytes)?;
            }
            _ => pass(file, bytes, bytes)?,
        }
    }
    Err(WavError::Lacks("data"))
}

/// The data at which the file stands. `long`: the size that a chunk `ds64` says, 0 for none; `unfinished`: whether the
/// sizes of the whole file were never filled in.
fn data(
    file: &mut impl Seek,
    format: Vec<u8>,
    field: u32,
    (long, unfinished): (Option<u64>, bool),
) -> io::Result<Head> {
    let from = file.stream_position()?;
    let rest = file.seek(SeekFrom::End(0))?.saturating_sub(from);
    file.seek(SeekFrom::Start(from))?;
    let known = match (field, long) {
        (UNSAID, Some(long)) if long > 0 => Some(long),
        (UNSAID, _) => None,
        (0, _) if unfinished => None,
        (field, _) => Some(field.into()),
    };
    Ok(Head { format, bytes: known.unwrap_or(rest), said: known.is_some(), rest })
}

/// Passes what is left of a chunk, and the byte that follows one of odd length, where it does.
fn pass(file: &mut (impl Read + Seek), left: u32, whole: u32) -> Result<(), WavError> {
    file.seek(SeekFrom::Current(left.into()))?;
    if whole % 2 == 1 {
        let mut next = Vec::new();
        file.by_ref().take(4).read_to_end(&mut next)?;
        let back = next.len() as i64 - i64::from(!KNOWN.iter().any(|known| next == known[..]));
        file.seek(SeekFrom::Current(-back.max(0)))?;
    }
    Ok(())
}

/// The next bytes of the file.
fn some(file: &mut impl Read, bytes: u64) -> Result<Vec<u8>, WavError> {
    let mut read = Vec::new();
    file.by_ref().take(bytes).read_to_end(&mut read)?;
    if (read.len() as u64) < bytes {
        return Err(WavError::Lacks("data"));
    }
    Ok(read)
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// What a file is that is no WAV file, where its first bytes tell.
fn other(first: &[u8; 12]) -> Option<&'static str> {
    Some(match (&first[..4], &first[8..]) {
        (b"RIFX", b"WAVE") => "a file of big-endian samples (RIFX)",
        (b"FORM", b"AIFF" | b"AIFC") => "an AIFF file",
        (b"riff", _) => "a Wave64 file (W64)",
        (b"fLaC", _) => "a FLAC file",
        (b"OggS", _) => "an Ogg file",
        (b"ID3\x02" | b"ID3\x03" | b"ID3\x04", _) => "an MP3 file",
        (b"caff", _) => "a CAF file (Apple)",
        (b".snd", _) => "an AU file (Sun)",
        _ => return None,
    })
}
