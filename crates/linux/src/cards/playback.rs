//! [`Playback`]: a sound device as a player sees it that writes and waits.
//!
//! A [`Card`](crate::cards::Card) calls for sound, and hides what it does when its buffer runs
//! empty. A player of the other kind writes a fragment (a period of the buffer) as soon
//! as it has one, blocks, and is told how much was left to play before: that is what a
//! test of a player measures. What is played is not known here.

use chronotap_core::time::Nanos;
use rustix::io::Errno;

/// A sound device that is written to, a fragment at a time.
///
/// Real-time contract of [`Playback::write`]: the player's thread; no allocation, lock,
/// log or panic; it blocks until a fragment of the buffer is free, and no longer.
pub trait Playback {
    /// Writes a fragment. The device begins to play when its buffer is full for the first
    /// time; where it had nothing left to play, it is started anew.
    ///
    /// # Errors
    /// The device is gone, or stands still: what the system answered.
    fn write(&mut self, fragment: &[u8]) -> Result<WrittenFrames, Errno>;
}

/// What a write found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenFrames {
    /// How long the device would have played on without it, by its own account; `None`
    /// where it had nothing left to play, which is heard as a drop-out.
    pub left: Option<Nanos>,
}

/// How a device is set up for a player: 16 bits, left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragments {
    /// Fragments of its buffer.
    pub count: u32,
    /// Frames of a fragment.
    pub frames: u32,
    /// Frames a second.
    pub rate_hz: u32,
}

impl Fragments {
    /// Bytes of a frame: left and right, 16 bits each.
    pub const BYTES_OF_A_FRAME: u32 = 4;

    /// The time that a fragment plays, to the nanosecond below.
    pub fn fragment(&self) -> Nanos {
        self.time_of(1)
    }

    /// The time that the whole buffer plays.
    pub fn whole(&self) -> Nanos {
        self.time_of(self.count.into())
    }

    /// The time that so many fragments play.
    pub fn time_of(&self, fragments: u64) -> Nanos {
        let frames = u128::from(fragments) * u128::from(self.frames);
        Nanos((frames * 1_000_000_000 / u128::from(self.rate_hz.max(1))) as i64)
    }
}
