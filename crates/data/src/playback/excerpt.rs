//! [`Excerpt`]: what of a recorded trial is wanted again, and the tones that it comes to.

use crate::record::{Recording, Row, TrialType};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;

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
    /// The tones that rules played.
    Triggers,
    /// The moments at which rules acted, each as a short tone.
    Moments,
}

impl Layer {
    /// What the participant heard.
    pub const HEARD: [Layer; 4] = [Layer::Pacing, Layer::Feedback, Layer::Masking, Layer::Triggers];

    /// What a row sounds in: that of a rule in two, its tone and its moment.
    fn of(row: &Row) -> &'static [Layer] {
        match row.trial_type {
            TrialType::Tap => &[Layer::Taps],
            TrialType::Pacing => &[Layer::Pacing],
            TrialType::Feedback => &[Layer::Feedback],
            TrialType::Masking => &[Layer::Masking],
            TrialType::Trigger => &[Layer::Triggers, Layer::Moments],
            _ => &[],
        }
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
    /// The MIDI channel of taps; none: that on which they came.
    pub tap_channel: Option<Channel>,
    /// How many semitones higher than their keys taps sound.
    pub tap_semitones: i8,
    /// MIDI channel and note of the moments of rules.
    pub moment: (Channel, U7),
}

impl Default for Excerpt {
    /// All that the participant heard, from the start, as fast as it was; taps as their keys, and
    /// moments as the playback of FTAP has them.
    fn default() -> Excerpt {
        Excerpt {
            layers: Layer::HEARD.to_vec(),
            from: Nanos::ZERO,
            rate: 1.0,
            tap_channel: None,
            tap_semitones: 0,
            moment: (Channel::ONE, U7::from_byte(120)),
        }
    }
}

/// How long and how loud the moment of a rule sounds.
const MOMENT: (Nanos, U7) = (Nanos::from_millis(50), U7::from_byte(100));

/// A tap would sound on a note that there is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a tap on note {key} would sound on note {note}, outside 0 to 127")]
pub struct OffRange {
    /// The note of its key.
    pub key: u8,
    pub note: i16,
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
    pub note: U7,
    /// Velocity, 1..=127.
    pub velocity: U7,
}

impl Excerpt {
    /// The tones, in the order in which they began. One whose end is not recorded lasts to
    /// the end of the recording.
    ///
    /// # Errors
    /// [`OffRange`], of the first tap that cannot be moved so far.
    pub fn tones(&self, recording: &Recording) -> Result<Vec<Sounded>, OffRange> {
        let end = recording.rows.iter().map(|row| row.onset).max().unwrap_or(Nanos::ZERO);
        let mut tones = Vec::new();
        for row in &recording.rows {
            for layer in Layer::of(row).iter().filter(|layer| self.layers.contains(layer)) {
                let tone = match layer {
                    Layer::Moments => self.moment(row),
                    Layer::Taps => {
                        self.tone(recording, row, end).map(|t| self.tap(t)).transpose()?
                    }
                    _ => self.tone(recording, row, end),
                };
                tones.extend(tone);
            }
        }
        tones.sort_by_key(|tone| (tone.at, tone.event_id));
        Ok(tones)
    }

    /// A tap on the channel and as high as it is wanted.
    fn tap(&self, tone: Sounded) -> Result<Sounded, OffRange> {
        let key = tone.note.get();
        let note = i16::from(key) + i16::from(self.tap_semitones);
        let moved = u8::try_from(note).ok().and_then(U7::new).ok_or(OffRange { key, note })?;
        Ok(Sounded { note: moved, channel: self.tap_channel.unwrap_or(tone.channel), ..tone })
    }

    /// The moment at which a rule acted.
    fn moment(&self, row: &Row) -> Option<Sounded> {
        let at = Some(row.onset).filter(|at| *at >= self.from)?;
        let ((channel, note), (length, velocity)) = (self.moment, MOMENT);
        Some(Sounded {
            event_id: row.event_id,
            at: self.stretched(at - self.from),
            length,
            output: 0,
            channel,
            note,
            velocity,
        })
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
