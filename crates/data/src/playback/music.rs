//! [`Passage`]: what sounded of the music of a recorded trial, beat by beat at the times achieved,
//! and [`add_music`], which has a trial play it again.
//!
//! A stretch of a song that sounded without a break becomes a pacing stream of its own: its
//! onsets are the times at which its beats came, its parts of the file those that sounded.

use crate::playback::Excerpt;
use crate::playback::excerpt::Layer;
use crate::record::{Recording, Row, TrialType};
use chronotap_config::trial_files::{SoundRecording as Song, TrialFile};
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{Pacing, PatternStep, RuleCondition, Span, Start, Varying};

/// By which the end of a part and the beginning of the next may differ: a card places both at
/// frames.
const JOINED: Nanos = Nanos::from_millis(5);

/// A stretch of a song that sounded without a break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Which of the trial's recordings.
    pub song: usize,
    /// Index of the output.
    pub output: u16,
    /// Velocity of the beats; 100 is as loud as the file.
    pub velocity: U7,
    /// When each part began, in the time of the excerpt, and where it is in the file.
    pub parts: Vec<(Nanos, Nanos)>,
    /// When the last one ended.
    pub end: Nanos,
    /// The events in the recording.
    pub events: Vec<u64>,
    last: u32, // number of the last beat
}

impl Excerpt {
    /// The music that sounded, in the order of the songs and of time. A part that had begun
    /// before the excerpt sounds from the middle on. The rate is not looked at: music has its
    /// own.
    pub fn music(&self, recording: &Recording, file: &TrialFile) -> Vec<Passage> {
        if !self.layers.contains(&Layer::Pacing) {
            return Vec::new();
        }
        let mut passages = Vec::new();
        for (song, recorded) in file.recorded().iter().enumerate() {
            let name = &file.trial.pacing[usize::from(recorded.stream)].name;
            let of_song =
                |row: &&Row| row.trial_type == TrialType::Pacing && row.name.as_ref() == Some(name);
            let mut before: Option<Passage> = None;
            for row in recording.rows.iter().filter(of_song) {
                let Some(part) = self.part(recording, row, song, recorded.beats) else { continue };
                match before.as_mut().filter(|before| before.goes_on_with(&part)) {
                    Some(before) => before.append(part),
                    None => passages.extend(before.replace(part)),
                }
            }
            passages.extend(before);
        }
        passages
    }

    /// The part of a beat, as a passage of one.
    fn part(
        &self,
        recording: &Recording,
        row: &Row,
        song: usize,
        beats: &[Nanos],
    ) -> Option<Passage> {
        let Message::NoteOn { velocity, .. } = row.message? else { return None };
        let last = row.number.unwrap_or(0);
        let place = match last.checked_sub(1) {
            None => Nanos::ZERO,
            Some(beat) => *beats.get(beat as usize)?,
        };
        let onset = row.achieved?;
        let end = onset + row.duration?;
        let begun = onset.max(self.from);
        let output =
            recording.header.names.outputs.iter().position(|o| Some(o) == row.port.as_ref());
        (begun < end).then(|| Passage {
            song,
            output: output.unwrap_or(0) as u16,
            velocity,
            parts: vec![(begun - self.from, place + (begun - onset))],
            end: end - self.from,
            events: vec![row.event_id],
            last,
        })
    }
}

impl Passage {
    fn goes_on_with(&self, next: &Passage) -> bool {
        let joined = next.parts.first().is_some_and(|(at, _)| (*at - self.end).abs() <= JOINED);
        joined
            && next.last == self.last + 1
            && (next.output, next.velocity) == (self.output, self.velocity)
    }

    fn append(&mut self, next: Passage) {
        self.parts.extend(next.parts);
        self.events.extend(next.events);
        (self.end, self.last) = (next.end, next.last);
    }
}

impl Passage {
    /// The stream that plays it, and its onsets; `of` is the stream that played it.
    fn stream(&self, of: &Pacing, later: Nanos) -> Option<(Pacing, Vec<Nanos>)> {
        let (first, _) = *self.parts.first()?;
        let onsets: Vec<Nanos> = self.parts.iter().map(|(at, _)| *at - first).collect();
        let velocity = Varying::constant(f64::from(self.velocity.get()));
        let mut stream = of.clone();
        stream.output = self.output;
        stream.audible = true;
        stream.start = Start::At(first + later);
        stream.beats = Some(onsets.len() as u32);
        stream.pattern = vec![PatternStep::Tone];
        stream.tone.velocity = velocity;
        stream.step_notes = Vec::new();
        stream.step_channels = Vec::new();
        stream.changes = Vec::new();
        stream.audio = Some(self.end - first);
        Some((stream, onsets))
    }
}

/// Has a trial that plays tones play music too, each so much later than it says; it ends after
/// both. `from` is the trial that was recorded.
pub fn add_music(to: &mut TrialFile, music: &[Passage], from: &TrialFile, later: Nanos) {
    for passage in music {
        let song = &from.recordings[passage.song];
        let of = &from.trial.pacing[usize::from(song.stream)];
        let Some((mut stream, onsets)) = passage.stream(of, later) else { continue };
        let (start, len) = (to.trial.times.len() as u32, onsets.len() as u32);
        stream.onsets = Some(Span { start, len });
        to.trial.times.extend(onsets);
        let places: Vec<Nanos> = passage.parts.iter().map(|(_, place)| *place).collect();
        let number = to.trial.pacing.len() as u16;
        to.recordings.push(Song { stream: number, beats: Some(places), ..song.clone() });
        to.trial.pacing.push(stream);
    }
    let end = music.iter().map(|passage| passage.end + later).max();
    if let (Some(end), Some(last)) = (end, to.trial.rules.last_mut())
        && let RuleCondition::Time(at) = &mut last.when
    {
        *at = (*at).max(end);
    }
}
