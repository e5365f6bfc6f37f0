//! [`Excerpt`]: what of a recorded trial is wanted again, and the tones that it comes to.

use chronotap_midi::{Channel, Message, U7};
use chronotap_record::{Recording, Row, TrialType};
use chronotap_time::Nanos;

/// What sounds together in a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// The participant's key presses, each as the note of its key.
    Taps,
    /// The tones of pacing streams.
    Pacing,
    /// The tones that taps caused.
    Feedback,
    /// The tones of masking streams.
    Masking,
    /// The tones that triggers played.
    Triggers,
}

impl Layer {
    /// What the participant heard.
    pub const HEARD: [Layer; 4] = [Layer::Pacing, Layer::Feedback, Layer::Masking, Layer::Triggers];

    fn of(row: &Row) -> Option<Layer> {
        Some(match row.trial_type {
            TrialType::Tap => Layer::Taps,
            TrialType::Pacing => Layer::Pacing,
            TrialType::Feedback => Layer::Feedback,
            TrialType::Masking => Layer::Masking,
            TrialType::Trigger => Layer::Triggers,
            _ => return None,
        })
    }
}

/// Which tones of a recorded trial, from when, and how fast.
#[derive(Clone, Debug, PartialEq)]
pub struct Excerpt {
    /// What sounds.
    pub layers: Vec<Layer>,
    /// Tones that began before are left out; time counts from here.
    pub from: Nanos,
    /// How much faster than it was; 0.5 takes twice as long. Above 0.
    pub rate: f64,
}

impl Default for Excerpt {
    /// All that the participant heard, from the start, as fast as it was.
    fn default() -> Excerpt {
        Excerpt { layers: Layer::HEARD.to_vec(), from: Nanos::ZERO, rate: 1.0 }
    }
}

/// A tone that sounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sounded {
    /// The event in the recording.
    pub event_id: u64,
    /// When it began, in the time of the excerpt.
    pub at: Nanos,
    /// How long it lasted; at least 1 ns.
    pub length: Nanos,
    /// Index of the output; a tap sounds on the first.
    pub output: u16,
    /// MIDI channel.
    pub channel: Channel,
    /// Note.
    pub note: U7,
    /// Velocity, 1..=127.
    pub velocity: U7,
}

impl Excerpt {
    /// The tones, in the order in which they began. One whose end is not recorded lasts to
    /// the end of the recording.
    pub fn tones(&self, recording: &Recording) -> Vec<Sounded> {
        let end = recording.rows.iter().map(|row| row.onset).max().unwrap_or(Nanos::ZERO);
        let wanted = |row: &&Row| Layer::of(row).is_some_and(|layer| self.layers.contains(&layer));
        let mut tones: Vec<Sounded> = recording
            .rows
            .iter()
            .filter(wanted)
            .filter_map(|row| self.tone(recording, row, end))
            .collect();
        tones.sort_by_key(|tone| (tone.at, tone.event_id));
        tones
    }

    fn tone(&self, recording: &Recording, row: &Row, end: Nanos) -> Option<Sounded> {
        let Message::NoteOn { channel, note, velocity } = row.message? else { return None };
        let onset = row.achieved.filter(|at| *at >= self.from)?;
        let length = row.duration.unwrap_or(end - onset);
        let outputs = &recording.header.names.outputs;
        let output = outputs.iter().position(|name| Some(name) == row.port.as_ref());
        Some(Sounded {
            event_id: row.event_id,
            at: self.stretched(onset - self.from),
            length: self.stretched(length).max(Nanos(1)),
            output: output.unwrap_or(0) as u16,
            channel,
            note,
            velocity,
        })
    }

    /// A time at the excerpt's rate, to the nanosecond.
    fn stretched(&self, time: Nanos) -> Nanos {
        if self.rate == 1.0 { time } else { Nanos::round_from_f64(time.0 as f64 / self.rate) }
    }
}
