//! [`Recordings`]: sound files that are played beat by beat, each beat's part at the frame at
//! which that beat is due.
//!
//! Background: a card's clock is not the clock that the other tones of a trial follow. A song
//! that were begun once and then left alone would be milliseconds off after some minutes, and
//! clicks on top of it off the beat.
//! Solution: each beat is a sound of its own, from that beat of the file on, begun at the frame
//! that is then the right one.
//! Why it works: from one beat to the next two clocks part by a frame or so. The end of the
//! one part and the beginning of the next are ramps that add up to 1, over the same sound, so
//! that a step of a frame is not heard.
//! Example: at 50 millionths and 120 beats a minute each part is moved by 1.2 frames of 48 kHz.

use super::feed::Feed;
use super::{Ears, Sound, Timbre};
use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;

/// From one part to the next.
const RAMP: Nanos = Nanos::from_millis(5);
/// The velocity at which a recording is as loud as its file.
const AS_RECORDED: f32 = 100.0;

/// Which part of which recording each beat of a trial's streams is. What sounds there is
/// the affair of [`Feeds`], in the same order.
#[derive(Debug, Default)]
pub struct Recordings {
    all: Vec<Recording>,
}

#[derive(Debug)]
struct Recording {
    stream: u16,
    beats: Vec<u64>, // the frame of each
}

impl Recordings {
    /// Adds the recording of a stream: the times of its beats, at so many frames a second.
    pub fn add(&mut self, stream: u16, beats: &[Nanos], rate_hz: u32) {
        let beats = beats.iter().map(|at| frame_of(*at, rate_hz)).collect();
        self.all.push(Recording { stream, beats });
    }

    /// The sound of a beat; 0 is what comes before the first. Nothing where the stream has
    /// no recording.
    ///
    /// Real-time contract: no allocation, lock or system call; bounded by the streams.
    pub fn sound(&self, stream: u16, beat: u32, velocity: U7) -> Option<Sound> {
        let index = self.all.iter().position(|recording| recording.stream == stream)?;
        let from = match beat.checked_sub(1) {
            None => 0,
            Some(place) => *self.all[index].beats.get(place as usize)?,
        };
        let level_db = 20.0 * libm::log10f(f32::from(velocity.get().max(1)) / AS_RECORDED);
        // The very beginning is where it is in the file.
        let rise = if from == 0 { Nanos::ZERO } else { RAMP };
        let timbre = Timbre::Part { recording: index as u16, from };
        let (ears, balance_db) = (Ears::Both, [0.0; 2]);
        Some(Sound { timbre, level_db, ears, balance_db, rise, fall: RAMP })
    }

    /// The part of a beat that does not sound: the music goes on unheard from there.
    ///
    /// Real-time contract: as [`Recordings::sound`].
    pub fn silence(&self, stream: u16, beat: u32) -> Option<Sound> {
        let sound = self.sound(stream, beat, U7::MAX)?;
        Some(Sound { level_db: f32::NEG_INFINITY, ..sound })
    }
}

fn frame_of(at: Nanos, rate_hz: u32) -> u64 {
    let frames = (i128::from(at.0) * i128::from(rate_hz) * 2 + 1_000_000_000) / 2_000_000_000;
    u64::try_from(frames).unwrap_or(0)
}

/// What sounds of each recording of a trial, in the order of [`Recordings`].
///
/// Real-time contract: that of [`Feed`].
#[derive(Debug, Default)]
pub struct Feeds {
    all: Vec<Feed>,
}

impl From<Vec<Feed>> for Feeds {
    fn from(all: Vec<Feed>) -> Feeds {
        Feeds { all }
    }
}

impl Feeds {
    /// Bytes of memory that they take.
    pub fn bytes(&self) -> usize {
        self.all.iter().map(Feed::bytes).sum()
    }

    pub(super) fn begin(&mut self, recording: u16, key: u64, from: u64) {
        if let Some(feed) = self.all.get_mut(usize::from(recording)) {
            feed.begin(key, from);
        }
    }

    pub(super) fn frame(&mut self, recording: u16, i: u64, key: u64) -> Option<[f32; 2]> {
        self.all.get_mut(usize::from(recording))?.frame(i, key)
    }

    /// A period of so many frames is over; how many frames of music were missing in it.
    pub(super) fn pass(&mut self, frames: usize) -> u64 {
        let one = |feed: &mut Feed| {
            feed.pass(frames);
            feed.take_missing()
        };
        self.all.iter_mut().map(one).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tone::feed::{Frames, feed};
    use crate::tone::{Cue, Generator};
    use crate::{Period, Process};

    const RATE: u32 = 48_000;

    /// A recording of numbers that say which frame they are, and two beats.
    fn generator() -> (Generator, Recordings) {
        let frames: Vec<_> = (0..4_800).map(|i| [i as f32 / 10_000.0; 2]).collect();
        let mut recordings = Recordings::default();
        let beats = [Nanos::from_millis(20), Nanos::from_millis(60)];
        recordings.add(3, &beats, RATE);
        let (feed, pump) = feed(Box::new(Kept(frames)), 4_800, RATE).unwrap();
        let mut generator = Generator::new(RATE, Vec::new());
        generator.play_from(Box::new(vec![feed.offline(pump)].into()));
        (generator, recordings)
    }

    struct Kept(Vec<[f32; 2]>);

    impl Frames for Kept {
        fn read_at(&mut self, first: u64, into: &mut [[f32; 2]]) -> std::io::Result<()> {
            into.copy_from_slice(&self.0[first as usize..][..into.len()]);
            Ok(())
        }
    }

    /// What sounds in so many frames where beats 0, 1 and 2 begin at these frames.
    fn played(begins: [u64; 3], frames: usize) -> Vec<f32> {
        let (mut generator, recordings) = generator();
        for (beat, frame) in (0..).zip(begins) {
            let key = u64::from(beat);
            if let Some(before) = key.checked_sub(1) {
                generator.cue(&Cue { frame, key: before, sound: None });
            }
            let sound = recordings.sound(3, beat, U7::from_byte(100));
            generator.cue(&Cue { frame, key, sound });
        }
        let mut out = vec![0.0; frames];
        let outputs = &mut [&mut out[..]];
        generator.process(&mut Period { frame: 0, rate_hz: RATE, inputs: &[], outputs });
        out
    }

    #[test]
    fn parts_that_follow_each_other_are_the_recording() {
        let out = played([100, 100 + 960, 100 + 2_880], 5_000);
        assert!(out[..100].iter().all(|sample| *sample == 0.0));
        for i in 0..4_800 {
            assert!((out[100 + i] - i as f32 / 10_000.0).abs() < 1e-5, "frame {i}");
        }
    }

    #[test]
    fn a_beat_begins_at_its_frame_whatever_the_clocks_do_and_no_step_is_heard() {
        // The card is fast: the second beat comes two frames later than the file has it.
        let out = played([100, 100 + 962, 100 + 2_884], 4_700);
        let worst = out[101..].windows(2).map(|two| (two[1] - two[0]).abs()).fold(0.0, f32::max);
        assert!(worst < 2.1e-4, "{worst}: neighbours are a frame apart, and never a step of two");
        let settled = 100 + 962 + 500;
        assert!((out[settled] - 1_460.0 / 10_000.0).abs() < 1e-5);
    }

    #[test]
    fn a_stream_without_a_recording_has_no_part() {
        let (_, recordings) = generator();
        assert_eq!(recordings.sound(0, 1, U7::MAX), None);
        assert_eq!(recordings.sound(3, 3, U7::MAX), None);
        let soft = recordings.sound(3, 1, U7::from_byte(50)).unwrap();
        assert!((soft.level_db + 6.02).abs() < 0.01, "half of the velocity is half of the sound");
    }
}
