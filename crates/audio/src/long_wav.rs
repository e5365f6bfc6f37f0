//! [`LongWav`]: a WAV file whose data may be longer than the 32 bits of its size fields can say:
//! RF64 (EBU Tech 3306) and BW64 (ITU-R BS.2088), which have the true size in a chunk `ds64`, and
//! a file that was written to a pipe, whose sizes were never filled in and whose data go to its end.
//!
//! The samples are decoded by `hound`, which knows 32-bit sizes alone: it is given the data in
//! pieces, each behind a short head of its own. What an ordinary head says is left to it too.

use std::io::{self, Chain, Cursor, Read, Seek, SeekFrom, Take};

/// In place of a size that stands elsewhere, or was never known.
const UNSAID: u32 = u32::MAX;
/// Bytes of a format chunk: no known one has as many.
const LONGEST_FORMAT: u32 = 256;
/// Bytes that are decoded behind one head.
const PIECE: u64 = 1 << 30;

/// Data whose head has been read; the file stands at the first of them.
pub(crate) struct LongWav<R> {
    file: R,
    format: Vec<u8>,
    bytes: u64,
    piece: u64,
}

/// A piece of the data as an ordinary WAV file.
pub(crate) type Piece<'a, R> = Chain<Cursor<Vec<u8>>, Take<&'a mut R>>;

/// What a head says of its data.
struct Head {
    format: Vec<u8>,
    bytes: u64,
}

impl<R: Read + Seek> LongWav<R> {
    /// Reads the head of a file; gives the file back as it was where its size fields say what
    /// there is to say, or it is no such file at all.
    pub(crate) fn find(mut file: R) -> io::Result<Result<LongWav<R>, R>> {
        match head(&mut file) {
            Ok(Some(Head { format, bytes })) => {
                Ok(Ok(LongWav { file, format, bytes, piece: PIECE }))
            }
            Ok(None) => file.rewind().map(|()| Err(file)),
            // It ends within its head: whoever reads it as a short one says so.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                file.rewind().map(|()| Err(file))
            }
            Err(error) => Err(error),
        }
    }
}

impl<R: Read> LongWav<R> {
    /// Frames of the data.
    pub(crate) fn frames(&self) -> u64 {
        self.bytes / u64::from(frame_bytes(&self.format))
    }

    /// The head of the file as that of an ordinary one without any data.
    pub(crate) fn empty(&self) -> Vec<u8> {
        ordinary_head(&self.format, 0)
    }

    /// The next frames, or nothing behind the last.
    pub(crate) fn next_piece(&mut self) -> Option<Piece<'_, R>> {
        let frame = u64::from(frame_bytes(&self.format));
        let bytes = self.bytes.min(self.piece) / frame * frame;
        self.bytes -= bytes;
        let head = ordinary_head(&self.format, u32::try_from(bytes).ok()?);
        (bytes > 0).then(|| Cursor::new(head).chain(self.file.by_ref().take(bytes)))
    }
}

/// The head, up to the data, where it belongs to long data.
fn head(file: &mut (impl Read + Seek)) -> io::Result<Option<Head>> {
    let [kind, riff_bytes, form] = [word(file)?, word(file)?, word(file)?];
    let has_ds64 = matches!(&kind, b"RF64" | b"BW64");
    if !(has_ds64 || &kind == b"RIFF") || &form != b"WAVE" {
        return Ok(None);
    }
    let unfinished = matches!(u32::from_le_bytes(riff_bytes), 0 | UNSAID);
    let (mut said, mut format): (u64, Option<Vec<u8>>) = (0, None);
    loop {
        let (chunk, bytes) = (word(file)?, u32::from_le_bytes(word(file)?));
        match &chunk {
            b"data" => {
                let Some(format) = format.filter(|format| frame_bytes(format) > 0) else {
                    return Ok(None);
                };
                let length = length(file, bytes, said, (has_ds64, unfinished))?;
                let frame = u64::from(frame_bytes(&format));
                return Ok(length.map(|bytes| Head { bytes: bytes / frame * frame, format }));
            }
            b"fmt " if bytes <= LONGEST_FORMAT => {
                let mut read = vec![0; bytes as usize];
                file.read_exact(&mut read)?;
                format = Some(read);
                file.seek(SeekFrom::Current(i64::from(bytes % 2)))?;
            }
            b"ds64" if bytes >= 16 => {
                let (_riff, low, high) = ((word(file)?, word(file)?), word(file)?, word(file)?);
                said = u64::from(u32::from_le_bytes(high)) << 32;
                said |= u64::from(u32::from_le_bytes(low));
                file.seek(SeekFrom::Current(i64::from(bytes) - 16 + i64::from(bytes % 2)))?;
            }
            _ => _ = file.seek(SeekFrom::Current(i64::from(bytes) + i64::from(bytes % 2)))?,
        }
    }
}

/// Bytes of the data at which the file stands; nothing where its own field says them.
fn length(
    file: &mut impl Seek,
    field: u32,
    said: u64,
    (has_ds64, unfinished): (bool, bool),
) -> io::Result<Option<u64>> {
    let known = match field {
        UNSAID if has_ds64 && said > 0 => return Ok(Some(said)),
        UNSAID => false,
        0 => !unfinished,
        _ => true,
    };
    if known {
        return Ok(has_ds64.then_some(field.into()));
    }
    let from = file.stream_position()?;
    let end = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(from))?;
    Ok(Some(end - from))
}

fn word(file: &mut impl Read) -> io::Result<[u8; 4]> {
    let mut word = [0; 4];
    file.read_exact(&mut word)?;
    Ok(word)
}

/// Bytes of a frame of this format; 0 of one that is none.
fn frame_bytes(format: &[u8]) -> u16 {
    format.get(12..14).map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
}

fn ordinary_head(format: &[u8], bytes: u32) -> Vec<u8> {
    let around = 20 + format.len() as u32; // the words but for the first two, and the format
    let mut head = b"RIFF".to_vec();
    head.extend((around + bytes).to_le_bytes());
    head.extend(b"WAVEfmt ");
    head.extend((format.len() as u32).to_le_bytes());
    head.extend(format);
    head.extend(b"data");
    head.extend(bytes.to_le_bytes());
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_give_every_frame_once_and_in_order() {
        let format = [1, 0, 1, 0, 0x80, 0xbb, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0].to_vec();
        let data: Vec<u8> = (0..=255).collect();
        let mut long = LongWav { file: Cursor::new(data), format, bytes: 256, piece: 101 };
        let (mut found, mut lengths) = (Vec::new(), Vec::new());
        while let Some(piece) = long.next_piece() {
            let wav = hound::WavReader::new(piece).expect("a WAV file");
            lengths.push(wav.duration());
            found.extend(wav.into_samples::<i16>().map(|sample| sample.expect("a sample")));
        }
        assert_eq!(lengths, [50, 50, 28]);
        let due = (0..=255_u8).step_by(2).map(|low| i16::from_le_bytes([low, low + 1]));
        assert_eq!(found, Vec::from_iter(due));
    }
}
