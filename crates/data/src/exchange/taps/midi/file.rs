//! [`read`]: a Standard MIDI File (RP-001, MIDI Association), from its first byte to its last.
//!
//! A file that breaks off, has other tracks than it says, or a track without its end is refused: the taps that are
//! missing in it would be nowhere missed. What no tap or tempo needs is passed over, but its length must be right.

use chronotap_core::midi::{Channel, U7};

/// What is read of a file.
pub(super) struct MidiFile {
    /// Microseconds of what has so many ticks, where no tempo says otherwise; at least 1 tick.
    pub division: Division,
    pub tracks: Vec<Vec<Event>>,
}

/// What a tick is a part of.
#[derive(Clone, Copy)]
pub(super) enum Division {
    /// So many ticks of a quarter note.
    Quarter(u64),
    /// So many ticks in so many microseconds, whatever the tempo.
    Seconds(u64, u64),
}

/// Something of a track, at its tick.
pub(super) struct Event {
    pub tick: u64,
    pub what: What,
}

pub(super) enum What {
    Name(String),
    /// Microseconds of a quarter note; at least 1.
    Tempo(u64),
    /// A key pressed, or let go.
    Key {
        channel: Channel,
        note: U7,
        velocity: U7,
        begins: bool,
    },
}

/// Whether bytes begin as such a file does, by itself or within `RIFF`.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(b"MThd") || (bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"RMID"))
}

/// Reads a file; else what is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<MidiFile, String> {
    let mut file = Bytes { rest: unwrapped(bytes)? };
    let head = file.chunk(b"MThd").map_err(|_| "it has no whole head".to_owned())?;
    let word = |at: usize| head.get(at..at + 2).map(|two| u16::from_be_bytes([two[0], two[1]]));
    let (Some(format), Some(said), Some(division)) = (word(0), word(2), word(4)) else {
        return Err("its head has fewer than 6 bytes".to_owned());
    };
    refuse_format(format, said)?;
    let division = division_of(division)?;
    let mut tracks = Vec::new();
    while !file.rest.is_empty() {
        // Chunks of other names may come with a later version of the format.
        if file.rest.starts_with(b"MTrk") {
            let number = tracks.len() + 1;
            let track = file.chunk(b"MTrk").and_then(events);
            tracks.push(track.map_err(|why| format!("track {number} of {said}: {why}"))?);
        } else if tracks.len() == usize::from(said) && file.rest.iter().all(|byte| *byte == 0) {
            break; // some disks and mail programs fill up a file
        } else {
            let name = file.rest.get(..4).ok_or("it ends within a chunk")?.to_vec();
            file.chunk(&name).map_err(|why| format!("behind track {}: {why}", tracks.len()))?;
        }
    }
    if tracks.len() != usize::from(said) {
        return Err(format!("it says that it has {said} tracks, and has {}", tracks.len()));
    }
    Ok(MidiFile { division, tracks })
}

/// The file itself, where it stands in the chunk `data` of a `RIFF` of the form `RMID` (RP-029, MIDI Association).
fn unwrapped(bytes: &[u8]) -> Result<&[u8], String> {
    if !bytes.starts_with(b"RIFF") {
        return Ok(bytes);
    }
    let mut whole = Bytes { rest: bytes };
    let (_, form) = whole.riff_chunk()?;
    let mut chunks =
        Bytes { rest: form.strip_prefix(b"RMID").ok_or("its RIFF holds no MIDI file")? };
    while !chunks.rest.is_empty() {
        let (name, content) = chunks.riff_chunk()?;
        if name == b"data" {
            return Ok(content);
        }
    }
    Err("its RIFF has no chunk \"data\"".to_owned())
}

fn refuse_format(format: u16, tracks: u16) -> Result<(), String> {
    match (format, tracks) {
        (0, 1) | (1, _) | (2, 1) => Ok(()),
        (0, _) => Err(format!("format 0 has one track, and it says {tracks}")),
        (2, _) => Err(format!(
            "format 2: its {tracks} tracks are pieces by themselves, not one recording"
        )),
        _ => Err(format!("its format is {format}, and 0 to 2 are known")),
    }
}

fn division_of(word: u16) -> Result<Division, String> {
    let [high, low] = word.to_be_bytes();
    let parts = u64::from(low);
    let (frames, us) = match high as i8 {
        0.. if word == 0 => return Err("its division is 0".to_owned()),
        0.. => return Ok(Division::Quarter(word.into())),
        -24 => (24, 1_000_000),
        -25 => (25, 1_000_000),
        -29 => (30, 1_001_000), // 30 frames of television in colour, drop-frame
        -30 => (30, 1_000_000),
        rate => return Err(format!("its division states a rate of {rate} frames")),
    };
    match parts {
        0 => Err("its division has frames of 0 parts".to_owned()),
        parts => Ok(Division::Seconds(frames * parts, us)),
    }
}

/// What is left of a file or of a track.
struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], String> {
        let Some((taken, rest)) = self.rest.split_at_checked(length) else {
            return Err(format!(
                "it ends where {length} bytes should follow, and {} do",
                self.rest.len()
            ));
        };
        self.rest = rest;
        Ok(taken)
    }

    /// The content of a chunk of this name.
    fn chunk(&mut self, name: &[u8]) -> Result<&'a [u8], String> {
        let head = self.take(8)?;
        let length = u32::from_be_bytes([head[4], head[5], head[6], head[7]]);
        match head[..4] == *name {
            true => self.take(length as usize),
            false => Err("another chunk stands here".to_owned()),
        }
    }

    /// A chunk of `RIFF` with its name: its length has the least byte first, and one of odd length is filled up.
    fn riff_chunk(&mut self) -> Result<(&'a [u8], &'a [u8]), String> {
        let head = self.take(8)?;
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let content = self.take(length)?;
        self.rest = self.rest.get(length % 2..).unwrap_or_default();
        Ok((&head[..4], content))
    }

    fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    /// A data byte of a message.
    fn data(&mut self) -> Result<U7, String> {
        let byte = self.byte()?;
        U7::new(byte).ok_or_else(|| format!("a byte of {byte} stands within a message"))
    }

    /// A number of up to 28 bits, seven to a byte.
    fn number(&mut self) -> Result<u32, String> {
        let mut number = 0;
        for _ in 0..4 {
            let byte = self.byte()?;
            number = number << 7 | u32::from(byte & 0x7f);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("a number is longer than four bytes".to_owned())
    }
}

/// The events of a track, which ends with its end.
fn events(track: &[u8]) -> Result<Vec<Event>, String> {
    let (mut bytes, mut tick, mut running) = (Bytes { rest: track }, 0_u64, None);
    let mut events = Vec::new();
    loop {
        tick += u64::from(bytes.number()?);
        let status = match (bytes.rest.first(), running) {
            (Some(0x80..), _) => bytes.byte()?,
            (Some(_), Some(status)) => status,
            (Some(_), None) => return Err("a message has no status".to_owned()),
            (None, _) => return Err("it has no end of track".to_owned()),
        };
        let what = match status {
            0xff => match (bytes.byte()?, bytes.number()?) {
                (0x2f, 0) if bytes.rest.is_empty() => return Ok(events),
                (0x2f, _) => return Err("something stands behind its end of track".to_owned()),
                (kind, length) => meta(kind, bytes.take(length as usize)?)?,
            },
            0xf0 | 0xf7 => {
                let length = bytes.number()?;
                bytes.take(length as usize)?;
                None
            }
            0xf1.. => return Err(format!("a message 0x{status:x} belongs in no file")),
            _ => {
                running = Some(status);
                message(status, &mut bytes)?
            }
        };
        events.extend(what.map(|what| Event { tick, what }));
    }
}

fn meta(kind: u8, content: &[u8]) -> Result<Option<What>, String> {
    match (kind, content) {
        (0x03, text) => Ok(Some(What::Name(String::from_utf8_lossy(text).trim().to_owned()))),
        (0x51, [0, 0, 0]) => Err("a tempo of 0 µs a quarter note".to_owned()),
        (0x51, [high, middle, low]) => {
            let us = u32::from_be_bytes([0, *high, *middle, *low]);
            Ok(Some(What::Tempo(us.into())))
        }
        (0x51, other) => Err(format!("a tempo of {} bytes", other.len())),
        _ => Ok(None),
    }
}

/// A message of a channel; one of velocity 0 ends a note.
fn message(status: u8, bytes: &mut Bytes<'_>) -> Result<Option<What>, String> {
    let first = bytes.data()?;
    if matches!(status >> 4, 0xc | 0xd) {
        return Ok(None); // a program or a pressure has one data byte
    }
    let velocity = bytes.data()?;
    let begins = match status >> 4 {
        0x8 => false,
        0x9 => velocity.get() > 0,
        _ => return Ok(None),
    };
    let channel = Channel::new((status & 0xf) + 1).ok_or("no channel")?;
    Ok(Some(What::Key { channel, note: first, velocity, begins }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(head: [u16; 3], tracks: &[&[u8]]) -> Vec<u8> {
        let mut bytes = b"MThd\0\0\0\x06".to_vec();
        head.iter().for_each(|word| bytes.extend(word.to_be_bytes()));
        for track in tracks {
            bytes.extend(b"MTrk");
            bytes.extend((track.len() as u32).to_be_bytes());
            bytes.extend(*track);
        }
        bytes
    }

    const NOTE: &[u8] = b"\0\x90\x3c\x40\x30\x3c\0\x60\xff\x2f\0";

    #[test]
    fn a_file_that_breaks_off_anywhere_is_refused() {
        let whole = file([1, 2, 480], &[NOTE, NOTE]);
        assert_eq!(read(&whole).unwrap().tracks.iter().map(Vec::len).sum::<usize>(), 4);
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err(), "{end} of {}", whole.len());
        }
    }

    fn within_riff(file: &[u8]) -> Vec<u8> {
        let chunk = |name: &[u8], content: &[u8]| {
            let length = (content.len() as u32).to_le_bytes();
            [name, &length, content, &[0][..content.len() % 2]].concat()
        };
        chunk(b"RIFF", &[b"RMID".to_vec(), chunk(b"DISP", b"odd"), chunk(b"data", file)].concat())
    }

    #[test]
    fn a_file_within_riff_is_read_as_the_file_itself() {
        let plain = file([0, 1, 480], &[NOTE]);
        let whole = within_riff(&plain);
        assert!(looks_like(&whole) && looks_like(&plain) && !looks_like(b"RIFF\0\0\0\0WAVE"));
        assert_eq!(read(&whole).unwrap().tracks[0].len(), read(&plain).unwrap().tracks[0].len());
        // The byte that fills up is the last: without it nothing is missing.
        for end in 0..whole.len() - plain.len() % 2 {
            assert!(read(&whole[..end]).is_err(), "{end} of {}", whole.len());
        }
        assert!(read(&within_riff(b"")).is_err());
        assert!(read(b"RIFF\x04\0\0\0RMID").err().unwrap().contains("no chunk \"data\""));
    }

    #[test]
    fn a_file_that_says_otherwise_of_itself_is_refused() {
        let refused = |head, tracks: &[&[u8]]| read(&file(head, tracks)).err().unwrap();
        assert_eq!(refused([1, 3, 480], &[NOTE, NOTE]), "it says that it has 3 tracks, and has 2");
        assert_eq!(refused([1, 1, 480], &[NOTE, NOTE]), "it says that it has 1 tracks, and has 2");
        assert!(refused([2, 2, 480], &[NOTE, NOTE]).starts_with("format 2"));
        assert!(refused([3, 1, 480], &[NOTE]).contains("0 to 2 are known"));
        assert!(refused([0, 2, 480], &[NOTE, NOTE]).contains("format 0 has one track"));
        for (track, why) in [
            (&b"\0\x90\x3c\x40"[..], "ends where 1 bytes should follow"),
            (b"\0\x90\x3c\x40\0", "no end of track"),
            (b"\0\x3c\x40\0\xff\x2f\0", "a message has no status"),
            (b"\0\x90\x3c\xc0\0\xff\x2f\0", "a byte of 192 stands within a message"),
            (b"\0\xff\x2f\0\0\x90\x3c\x40", "behind its end of track"),
            (b"\0\xff\x51\x03\0\0\0\0\xff\x2f\0", "a tempo of 0"),
            (b"\0\xff\x51\x02\0\x01\0\xff\x2f\0", "a tempo of 2 bytes"),
            (b"\0\xf8\0\xff\x2f\0", "belongs in no file"),
            (b"\xff\xff\xff\xff\0\xff\x2f\0", "longer than four bytes"),
        ] {
            let said = refused([1, 1, 480], &[track]);
            assert!(said.starts_with("track 1 of 1: ") && said.contains(why), "{said}");
        }
    }

    #[test]
    fn frames_a_second_are_those_of_television() {
        let ticks = |high: i8, parts: u8| {
            let word = u16::from_be_bytes([high as u8, parts]);
            match read(&file([0, 1, word], &[NOTE])) {
                Ok(MidiFile { division: Division::Seconds(ticks, us), .. }) => Some((ticks, us)),
                _ => None,
            }
        };
        assert_eq!(ticks(-25, 40), Some((1_000, 1_000_000)));
        assert_eq!(ticks(-29, 100), Some((3_000, 1_001_000)));
        assert_eq!((ticks(-30, 0), ticks(-128, 40), ticks(-26, 4)), (None, None, None));
    }
}
