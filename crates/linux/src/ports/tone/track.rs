//! [`Track`]: linear time code on a channel of the card, by which cameras and sound recorders know when each of
//! their frames was.
//!
//! It begins when the card is opened, before the first trial, and does not stop between trials: cameras want to be
//! locked before anything happens. Its frames are counted by the card, as the sounds of a trial are; so the frame of
//! the card that a row of the data names has its time code to the sample, whatever the clocks do.
//!
//! Real-time contract of [`Track::put`]: the card's thread; no allocation, lock, system call, log or panic;
//! bounded by the frames of a period. The queue is wait-free.

use super::error::ToneError;
use super::name::TimeCodeChannel;
use crate::cards::Card;
use crate::clocks::{MonotonicClock, sleep_until, utc};
use chronotap_audio::Period;
use chronotap_audio::ltc::{FrameRate, Ltc, TimeCode};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::TimeCodeTrack;
use rtrb::{Consumer, Producer};

/// How long the card may take to begin its first period.
const PATIENCE: Nanos = Nanos::from_secs(2);
/// How far ahead the first frame of time code is placed.
const AHEAD: Nanos = Nanos::from_millis(100);
/// Nanoseconds of a day, and of a second.
const DAY: i64 = 86_400 * SECOND;
const SECOND: i64 = 1_000_000_000;

/// The frame of the card with which the time code begins.
pub(super) type Begin = (u64, Ltc);

/// The channel on the card's side.
#[derive(Debug)]
pub(super) struct Track {
    channel: TimeCodeChannel,
    begin: Consumer<Begin>,
    running: Option<Begin>,
}

impl Track {
    pub(super) fn new(channel: TimeCodeChannel, begin: Consumer<Begin>) -> Track {
        Track { channel, begin, running: None }
    }

    /// Puts the time code of a period on its channel, over whatever sounds there.
    pub(super) fn put(&mut self, period: &mut Period<'_>) {
        self.running = self.begin.pop().ok().or(self.running);
        let place = usize::from(self.channel.channel) - 1;
        let Some(output) = period.outputs.get_mut(place) else { return };
        output.fill(0.0);
        let Some((first, ltc)) = &self.running else { return };
        let silent = usize::try_from(first.saturating_sub(period.frame)).unwrap_or(usize::MAX);
        let output = output.get_mut(silent..).unwrap_or_default();
        let level = f32::from(self.channel.level) / 1_000.0;
        ltc.put(period.frame.saturating_sub(*first), output, level);
    }
}

/// Lets the time code begin with the next frame of the time of day (UTC), and says where that is.
pub(super) fn begin(
    card: &Card,
    channel: TimeCodeChannel,
    begin: &mut Producer<Begin>,
) -> Result<TimeCodeTrack, ToneError> {
    let rate_hz = card.shape().rate_hz;
    let raw = first_period(card)? + AHEAD + card.shape().playback_latency();
    let (first, wait) = next_frame(utc(raw), channel.rate);
    let place = card.watch().place_at(raw + wait).ok_or_else(|| not_running(card))?;
    // A queue that nothing was put into before.
    let _ = begin.push((place.frame, Ltc::new(first, rate_hz)));
    Ok(TimeCodeTrack {
        channel: channel.channel,
        frames_per_second: channel.rate.fps(),
        first: first.to_string(),
        first_frame: place.frame,
    })
}

/// Waits until the card has begun a period; now.
fn first_period(card: &Card) -> Result<Nanos, ToneError> {
    let end = MonotonicClock::raw() + PATIENCE;
    while card.watch().last_period().is_none() {
        if MonotonicClock::raw() > end {
            return Err(not_running(card));
        }
        sleep_until(MonotonicClock::raw() + Nanos::from_millis(1));
    }
    Ok(MonotonicClock::raw())
}

fn not_running(card: &Card) -> ToneError {
    ToneError::NotRunning { card: card.shape().card.clone() }
}

/// The first frame of the day that begins at this time or later, and how much later.
fn next_frame(utc: Nanos, rate: FrameRate) -> (TimeCode, Nanos) {
    let (of_day, fps) = (utc.0.rem_euclid(DAY), i64::from(rate.fps()));
    let number = (of_day * fps + SECOND - 1) / SECOND;
    let begins = number * SECOND / fps;
    (TimeCode::new(number as u64, rate), Nanos(begins - of_day))
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;
    use rtrb::RingBuffer;

    #[test]
    fn the_next_frame_of_the_day_is_found_and_after_the_last_one_comes_midnight() {
        let rate = FrameRate::EUROPEAN;
        let at = |ns: i64| {
            let (code, wait) = next_frame(Nanos(20_000 * DAY + ns), rate);
            (code.to_string(), wait.0)
        };
        assert_eq!(at(0), ("00:00:00:00".into(), 0));
        assert_eq!(at(1), ("00:00:00:01".into(), 39_999_999));
        assert_eq!(at(3_600 * SECOND + 40_000_000), ("01:00:00:01".into(), 0));
        assert_eq!(at(DAY - 1), ("00:00:00:00".into(), 1));
    }

    #[test]
    fn the_channel_is_silent_until_the_time_code_begins_at_its_frame_of_the_card() {
        let (mut into, begin) = RingBuffer::new(1);
        let rate = FrameRate::EUROPEAN;
        let mut track = Track::new(TimeCodeChannel { channel: 2, rate, level: 500 }, begin);
        let ltc = Ltc::new(TimeCode::new(1, rate), 48_000);
        let mut played = |frame: u64| {
            let mut made = [[0.25; 16]; 2];
            let [left, right] = &mut made;
            let outputs = &mut [&mut left[..], &mut right[..]];
            let mut period = Period { frame, rate_hz: 48_000, inputs: &[], outputs };
            assert_no_alloc(|| track.put(&mut period));
            assert_eq!(made[0], [0.25; 16], "what sounds stays as it is");
            made[1]
        };
        assert_eq!(played(0), [0.0; 16]);
        into.push((20, ltc)).unwrap();
        let mut expected = [0.0; 32];
        ltc.put(0, &mut expected[4..], 0.5);
        assert_eq!([played(16), played(32)].concat(), expected);
    }
}
