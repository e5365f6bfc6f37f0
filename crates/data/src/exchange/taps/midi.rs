//! Standard MIDI Files: which notes are taps and which are stimuli says whoever imports them, by
//! track, channel or note. Ticks become time by the file's own tempi, exactly.

mod file;

use super::error::TapsError;
use super::{Events, ImportOptions, MidiKey, Onsets, Place, Read, SourceFile, SourceOnset, Taken};
use crate::record::OriginColumn;
use chronotap_core::time::Nanos;
use file::{Division, MidiFile, What};
use std::collections::HashMap;

const KIND: &str = "a Standard MIDI File";

pub(super) fn looks_like(bytes: &[u8]) -> bool {
    file::looks_like(bytes)
}

/// A note with the track that it stands in.
struct Note {
    track: usize,
    name: String,
    begins: u64,
    ends: Option<u64>,
    key: MidiKey,
}

pub(super) fn read(file: &SourceFile, how: &ImportOptions) -> Result<Read, TapsError> {
    let broken = |why: String| TapsError::Broken { name: file.name.clone(), kind: KIND, why };
    let read = file::read(&file.bytes).map_err(broken)?;
    let (clock, notes) = (Clock::of(&read), notes(&read));
    let taps = match &how.taps {
        Some(place) => Some(which(file, &notes, place)?),
        None if how.stimuli.is_none() => Some(only_part(file, &notes)?),
        None => None,
    };
    let stimuli = how.stimuli.as_ref().map(|place| which(file, &notes, place)).transpose()?;
    let of = |part: &Option<Part>| {
        let here = notes.iter().filter(|note| part.as_ref().is_some_and(|part| part.has(note)));
        here.map(|note| clock.onset(note)).collect()
    };
    let onsets = Onsets { taps: of(&taps), stimuli: of(&stimuli), ..Onsets::default() };
    let column = |holds: &str, part: &Option<Part>| {
        let column = part.as_ref()?.words();
        Some(OriginColumn { holds: holds.into(), column, unit: "ticks".into() })
    };
    let columns = [column("taps", &taps), column("stimuli", &stimuli)];
    let taken = Taken {
        participant: how.participant.clone(),
        levels: vec![None; how.condition_columns.len()],
        events: Events::Onsets(onsets),
        ..Taken::default()
    };
    let (columns, step_ns) = (columns.into_iter().flatten().collect(), clock.step());
    Ok(Read { trials: vec![taken], columns, step_ns, ..Read::default() })
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    All,
    Track(String),
    Channel(u8),
    Note(u8),
}

impl Part {
    /// `track NAME`, `track 2`, `channel 10` or `note 60`.
    fn of(words: &str) -> Option<Part> {
        let (kind, which) = words.split_once(' ')?;
        let which = which.trim();
        match kind {
            "track" => Some(Part::Track(which.to_owned())),
            "channel" => which.parse().ok().map(Part::Channel),
            "note" => which.parse().ok().map(Part::Note),
            _ => None,
        }
    }

    fn has(&self, note: &Note) -> bool {
        match self {
            Part::All => true,
            Part::Track(name) => note.name == *name || note.track.to_string() == *name,
            Part::Channel(channel) => note.key.channel.number() == *channel,
            Part::Note(key) => note.key.note.get() == *key,
        }
    }

    fn words(&self) -> String {
        match self {
            Part::All => "every note".to_owned(),
            Part::Track(name) => format!("track {name}"),
            Part::Channel(channel) => format!("channel {channel}"),
            Part::Note(note) => format!("note {note}"),
        }
    }
}

/// The part that was named, where any note is in it.
fn which(file: &SourceFile, notes: &[Note], place: &Place) -> Result<Part, TapsError> {
    let part = Part::of(&place.column).filter(|part| notes.iter().any(|note| part.has(note)));
    part.ok_or_else(|| TapsError::Which { name: file.name.clone(), found: parts(notes) })
}

/// All notes, where they are on one track and one channel.
fn only_part(file: &SourceFile, notes: &[Note]) -> Result<Part, TapsError> {
    let place = |note: &Note| (note.track, note.key.channel);
    match notes.iter().all(|note| place(note) == place(&notes[0])) {
        true => Ok(Part::All),
        false => Err(TapsError::Which { name: file.name.clone(), found: parts(notes) }),
    }
}

/// Every track and channel with notes.
fn parts(notes: &[Note]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for note in notes {
        let track = if note.name.is_empty() { note.track.to_string() } else { note.name.clone() };
        for part in [format!("track {track}"), format!("channel {}", note.key.channel.number())] {
            if !all.contains(&part) {
                all.push(part);
            }
        }
    }
    all
}

/// Every note with its ticks; one that is pressed again before its end ends there.
fn notes(file: &MidiFile) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for (track, events) in (1..).zip(&file.tracks) {
        let (mut name, mut open) = ("", HashMap::new());
        for event in events {
            match &event.what {
                What::Name(text) => name = text,
                What::Tempo(_) => {}
                What::Key { channel, note, velocity, begins } => {
                    let key = MidiKey { channel: *channel, note: *note, velocity: *velocity };
                    if let Some(last) = open.remove(&(key.channel, key.note)) {
                        let last: &mut Note = &mut notes[last];
                        last.ends = Some(event.tick);
                    }
                    if *begins {
                        open.insert((key.channel, key.note), notes.len());
                        let name = name.to_owned();
                        notes.push(Note { track, name, begins: event.tick, ends: None, key });
                    }
                }
            }
        }
    }
    notes
}

/// From ticks to time: the ticks at which the tempo changes, and the sum up to there in
/// microseconds times ticks of a quarter note.
struct Clock {
    changes: Vec<(u64, u128, u64)>,
    division: u64,
}

impl Clock {
    fn of(file: &MidiFile) -> Clock {
        let (division, first) = match file.division {
            Division::Quarter(ticks) => (ticks, 500_000),
            // What has so many ticks stands for a quarter note, and no tempo changes it.
            Division::Seconds(ticks, us) => {
                return Clock { changes: vec![(0, 0, us)], division: ticks };
            }
        };
        let mut tempi: Vec<(u64, u64)> = vec![(0, first)];
        for event in file.tracks.iter().flatten() {
            if let What::Tempo(us) = event.what {
                tempi.push((event.tick, us));
            }
        }
        tempi.sort_by_key(|(tick, _)| *tick); // stable: of one tick the last holds
        let mut changes: Vec<(u64, u128, u64)> = Vec::new();
        for (tick, tempo) in tempi {
            let sum = changes
                .last()
                .map_or(0, |(at, sum, t)| sum + u128::from(tick - at) * u128::from(*t));
            changes.push((tick, sum, tempo));
        }
        Clock { changes, division }
    }

    fn time(&self, tick: u64) -> Nanos {
        let place = self.changes.partition_point(|(at, ..)| *at <= tick).saturating_sub(1);
        let (at, sum, tempo) = self.changes[place];
        let sum = sum + u128::from(tick - at) * u128::from(tempo);
        let (ns, division) = (sum.saturating_mul(1_000), u128::from(self.division));
        Nanos(i64::try_from((ns + division / 2) / division).unwrap_or(i64::MAX))
    }

    fn onset(&self, note: &Note) -> SourceOnset {
        let end = note.ends.map(|tick| self.time(tick));
        SourceOnset { at: self.time(note.begins), end, key: Some(note.key) }
    }

    /// A tick at the first tempo.
    fn step(&self) -> i64 {
        let tempo = self.changes.last().map_or(500_000, |(.., tempo)| *tempo);
        i64::try_from(tempo * 1_000 / self.division).unwrap_or(1).max(1)
    }
}
