//! [`midi_file()`]: a recorded trial as a Standard MIDI File of format 1: one track with the
//! markers, one for each input, pacing stream, feedback channel and masking stream, and one
//! for the tones of rules, each by its name.
//!
//! Times are those achieved. A quarter note is one second, so that a tick is 50 µs whatever
//! the tempo of the music was, and longer in a recording of more than 500 s: programs that read
//! such files with pretty_midi take at most ten million ticks.

use crate::exchange::ExchangeError;
use crate::record::{Recording, Row, TrialType};
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use midly::live::LiveEvent;
use midly::num::{u15, u24, u28};
use midly::{Format, Header, MetaMessage, Smf, Timing, Track, TrackEvent, TrackEventKind};

/// Ticks in one second, of a recording of at most 500 s.
pub const TICKS_PER_SECOND: u16 = 20_000;
/// Those of longer ones, each a whole number of nanoseconds.
const FEWER: [u16; 7] = [10_000, 5_000, 2_000, 1_000, 500, 200, 100];
/// pretty_midi refuses a file with as many (`MAX_TICK` in its pretty_midi.py, 0.2.10).
const MOST_TICKS: u64 = 10_000_000;
const MICROSECONDS_PER_QUARTER: u32 = 1_000_000;

/// The bytes of the file. Events before the trial's start stand at its start.
///
/// # Errors
/// [`ExchangeError::NoKeys`]: taps or tones have no key, and a MIDI file knows nothing else.
pub fn midi_file(recording: &Recording) -> Result<Vec<u8>, ExchangeError> {
    ExchangeError::refuse_keyless(recording)?;
    let ticks = Ticks::of(recording);
    let timing = Timing::Metrical(u15::new(ticks.per_second));
    let names = parts(&recording.rows);
    let mut smf = Smf::new(Header::new(Format::Parallel, timing));
    smf.tracks.push(markers(recording, ticks));
    for (word, name) in &names {
        smf.tracks.push(track(recording, *word, name, ticks));
    }
    let mut bytes = Vec::new();
    // Memory takes any bytes, and a track of a trial is far shorter than 4 GiB.
    let written = smf.write_std(&mut bytes);
    debug_assert!(written.is_ok());
    Ok(bytes)
}

/// How long a tick is.
#[derive(Clone, Copy)]
struct Ticks {
    per_second: u16,
}

impl Ticks {
    /// As short as the longest file that others read lets them be.
    fn of(recording: &Recording) -> Ticks {
        let ends = |row: &Row| {
            [Some(row.onset), row.achieved, row.release_achieved].into_iter().flatten().max()
        };
        let last = recording.rows.iter().filter_map(ends).max().unwrap_or(Nanos::ZERO);
        let fits = |per_second: &u16| Ticks { per_second: *per_second }.at(last) + 1 < MOST_TICKS;
        let rates = [TICKS_PER_SECOND].into_iter().chain(FEWER);
        Ticks { per_second: rates.into_iter().find(fits).unwrap_or(100) }
    }

    fn at(self, at: Nanos) -> u64 {
        let ticks = i128::from(at.0) * i128::from(self.per_second);
        u64::try_from((2 * ticks + 1_000_000_000).div_euclid(2_000_000_000)).unwrap_or(0)
    }
}

/// What has a track of its own: kind and name of its rows, in the order in which they first
/// come.
fn parts(rows: &[Row]) -> Vec<(TrialType, String)> {
    let mut parts: Vec<(TrialType, String)> = Vec::new();
    for row in rows.iter().filter(|row| row.message.is_some() && row.achieved.is_some()) {
        let part = (track_kind(row), row.name.clone().unwrap_or_default());
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

/// The kind of rows whose track a row stands in: controllers that came stand beside the taps
/// of their input, those that were sent on beside the feedback of their channel.
fn track_kind(row: &Row) -> TrialType {
    match row.trial_type {
        TrialType::Release => TrialType::Tap,
        TrialType::Control if row.deadline.is_none() => TrialType::Tap,
        TrialType::Control => TrialType::Feedback,
        other => other,
    }
}

/// An event of a track at its tick; of one tick the ends of tones come first, but that of a
/// tone without length after its beginning. Those of keys keep their order.
type At<'a> = (u64, u8, TrackEventKind<'a>);

fn markers(recording: &Recording, ticks: Ticks) -> Track<'_> {
    let header = [
        (0, 0, TrackEventKind::Meta(MetaMessage::TrackName(recording.header.title.as_bytes()))),
        (0, 0, TrackEventKind::Meta(MetaMessage::Tempo(u24::new(MICROSECONDS_PER_QUARTER)))),
    ];
    let texts = recording.rows.iter().filter(|row| row.trial_type == TrialType::Marker);
    let texts = texts.filter_map(|row| {
        let text = MetaMessage::Marker(row.name.as_deref()?.as_bytes());
        Some((ticks.at(row.onset), 1, TrackEventKind::Meta(text)))
    });
    // What music has before its first beat is no beat.
    let before = recording.rows.iter().filter(|row| is_before_music(row));
    let before = before.filter_map(|row| {
        let text = MetaMessage::Marker(row.name.as_deref()?.as_bytes());
        Some((ticks.at(row.achieved?), 1, TrackEventKind::Meta(text)))
    });
    let texts = texts.chain(before);
    let end = recording.rows.iter().filter(|row| row.trial_type == TrialType::End);
    let end =
        end.map(|row| (ticks.at(row.onset), 2, TrackEventKind::Meta(MetaMessage::Marker(b"end"))));
    delta(header.into_iter().chain(texts).chain(end).collect())
}

fn track<'a>(recording: &'a Recording, kind: TrialType, name: &'a str, ticks: Ticks) -> Track<'a> {
    let mut events: Vec<At<'a>> =
        vec![(0, 0, TrackEventKind::Meta(MetaMessage::TrackName(name.as_bytes())))];
    let rows = recording.rows.iter();
    let last = rows.clone().map(|row| row.onset).max().unwrap_or(Nanos::ZERO);
    let here = rows
        .filter(|row| !is_before_music(row))
        .filter(|row| track_kind(row) == kind && row.name.as_deref().unwrap_or_default() == name);
    for row in here {
        put(&mut events, row, last, ticks);
    }
    delta(events)
}

/// Whether a row is what a recording has before its first beat.
fn is_before_music(row: &Row) -> bool {
    row.trial_type == TrialType::Pacing && row.number.is_none()
}

/// The events of a row: a tone begins and ends, at `last` where its end is not recorded; a
/// release that came stands by itself, so that its velocity is kept.
fn put(events: &mut Vec<At<'_>>, row: &Row, last: Nanos, ticks: Ticks) {
    let (Some(message), Some(onset)) = (row.message, row.achieved) else { return };
    let begins = ticks.at(onset);
    let arrived = matches!(row.trial_type, TrialType::Tap | TrialType::Release);
    // What came from a key stands as it came: of one tick neither before the other.
    let order = if message.release().is_some() && !arrived { 1 } else { 2 };
    if let Some(event) = event(message) {
        events.push((begins, order, event));
    }
    let Message::NoteOn { channel, note, .. } = message else { return };
    let ends = match row.release_achieved {
        Some(_) if arrived => return, // the release has a row of its own
        Some(end) => ticks.at(end),
        None => ticks.at(last),
    };
    let off = Message::NoteOff { channel, note, velocity: U7::from_byte(64) };
    if let Some(event) = event(off) {
        events.push((ends, if ends == begins { 3 } else { 1 }, event));
    }
}

/// A channel message for a track; `None` for system messages, which have no place there.
fn event(message: Message) -> Option<TrackEventKind<'static>> {
    let (bytes, length) = message.encode();
    match LiveEvent::parse(&bytes[..length]).ok()? {
        LiveEvent::Midi { channel, message } => Some(TrackEventKind::Midi { channel, message }),
        _ => None,
    }
}

/// Events in their order, each with the ticks since the one before.
fn delta(mut events: Vec<At<'_>>) -> Track<'_> {
    events.sort_by_key(|(tick, order, _)| (*tick, *order));
    let mut last = 0;
    let mut track: Track<'_> = events
        .into_iter()
        .map(|(tick, _, kind)| {
            let ticks =
                u32::try_from(tick - last).unwrap_or(u32::MAX).min(u28::max_value().as_int());
            last = tick;
            TrackEvent { delta: u28::new(ticks), kind }
        })
        .collect();
    track.push(TrackEvent {
        delta: u28::new(0),
        kind: TrackEventKind::Meta(MetaMessage::EndOfTrack),
    });
    track
}
