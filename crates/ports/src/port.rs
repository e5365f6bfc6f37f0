//! [`Port`]: the one interface between the runner and everything that carries
//! MIDI. A port may be an input, an output, or both ends of one device.
//!
//! Real-time contract, for every method but [`Port::take_calls`] and [`Port::finish`]: called from the
//! real-time thread; never blocks, allocates, locks, logs or panics; bounded by the
//! bytes at hand.
//!
//! All times are nanoseconds since the start of the trial on CLOCK_MONOTONIC.

use chronotap_cards::Calls;
use chronotap_engine::action::Action;
use chronotap_midi::Message;
use chronotap_time::Nanos;
use std::os::fd::BorrowedFd;

/// Where the stamp of an arrival was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// By the program, when it woke up and read the bytes.
    UserSpace,
    /// By the kernel's driver, when the bytes came in.
    Kernel,
    /// From the frame of an audio cycle.
    AudioFrame,
    /// Computed: a virtual wire or a scripted performer in virtual time.
    Virtual,
}

/// A message that arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// Index of the trial's input that it belongs to.
    pub input: u16,
    /// When it arrived, since the start of the trial.
    pub at: Nanos,
    /// Where that stamp was taken.
    pub stamp: Stamp,
    /// What arrived.
    pub message: Message,
}

/// How the runner learns that a port has something to read.
#[derive(Clone, Copy, Debug)]
pub enum Readiness<'a> {
    /// `ppoll` on this descriptor.
    Descriptor(BorrowedFd<'a>),
    /// Nothing before this time (a virtual wire knows when its bytes are through).
    At(Nanos),
    /// Nothing to wait for.
    Never,
}

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The bytes were handed over; the runner stamps the time of the return.
    Now,
    /// The port placed them at a frame itself.
    At(Played),
}

/// When an audio server or a sound card plays a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Time of the frame; of a sound, when it is at the converter.
    pub at: Nanos,
    /// Of a sound, the first frame that holds it, as the card numbers them.
    pub frame: Option<u64>,
}

impl From<Nanos> for Played {
    /// Something that is no sound, played at this time.
    fn from(at: Nanos) -> Played {
        Played { at, frame: None }
    }
}

/// The period of an audio server or sound card. What is written is played a constant
/// [`Port::latency`] after its deadline, which is stated apart from lateness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AudioPeriod {
    /// Its length in frames.
    pub frames: u32,
    /// Frames a second.
    pub rate_hz: u32,
}

impl AudioPeriod {
    /// Its length, to the nanosecond.
    pub fn length(self) -> Nanos {
        let rate = i64::from(self.rate_hz.max(1));
        Nanos((i64::from(self.frames) * 1_000_000_000 + rate / 2) / rate)
    }
}

impl std::fmt::Display for AudioPeriod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (frames, rate, ms) = (self.frames, self.rate_hz, self.length().as_millis_f64());
        write!(f, "{frames} frames at {rate} Hz, {ms:.2} ms")
    }
}

/// What a port sounds on, to be shown and recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sounding {
    /// The sound card, in words.
    pub card: String,
    /// The text of the file of sounds, where one was named.
    pub sounds: Option<String>,
    /// What it plays from SoundFonts, in words.
    pub instruments: Vec<String>,
}

/// What a port learned besides its input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    /// The audio server, or one of its clients, missed a period; when it said so.
    Xrun(Nanos),
    /// A message was not played when [`Written::At`] had said: this is when it was,
    /// or `None` where it never will be.
    Corrected(Action, Option<Played>),
}

/// What can go wrong with a port in mid-trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PortError {
    /// The other end is gone: unplugged, hung up, end of file. The port will not
    /// be read again; take it out of the poll set.
    #[error("the port was closed by its other end")]
    Closed,
    /// The device takes no more bytes at the moment; the message was not sent.
    /// Slower output or a faster device cures it.
    #[error("the device is not taking bytes fast enough; a message was lost")]
    Full,
    /// The system refused; the number is its errno.
    #[error("the system refused the transfer (errno {0})")]
    System(i32),
}

/// A MIDI port, opened and ready.
pub trait Port: Send {
    /// The trial starts; `origin` is the raw CLOCK_MONOTONIC time that it counts
    /// from. Called once, before the first read. A port with kernel stamps needs it
    /// to convert them; a device without drops what came in until now.
    fn start(&mut self, origin: Nanos) {
        let _ = origin;
    }

    /// How to wait for input.
    fn readiness(&self) -> Readiness<'_>;

    /// Hands every message that has arrived by `now` to `arrived`, oldest first.
    /// A user-space stamp is `now`.
    ///
    /// # Errors
    /// [`PortError::Closed`] once the other end is gone, after everything that
    /// had arrived before was handed over.
    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError>;

    /// Sends the message of an output action (see [`Action::is_output`]).
    ///
    /// # Errors
    /// [`PortError::Full`] where the message was lost; [`PortError::Closed`].
    fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError>;

    /// Hands over what the port learned since the last call, oldest first.
    fn told(&mut self, tell: &mut dyn FnMut(Told)) {
        let _ = tell;
    }

    /// The period of the audio server behind the port, where there is one.
    fn period(&self) -> Option<AudioPeriod> {
        None
    }

    /// The constant by which everything is played after its deadline: a period of the
    /// audio server, where the port says nothing else.
    fn latency(&self) -> Nanos {
        self.period().map_or(Nanos::ZERO, AudioPeriod::length)
    }

    /// The sound card behind the port, in words, and the file of sounds that is in force.
    fn sounding(&self) -> Option<Sounding> {
        None
    }

    /// The calls of the sound card behind the port, for whoever keeps them; once. Called
    /// before the trial, from a thread of ordinary priority.
    fn take_calls(&mut self) -> Option<Calls> {
        None
    }

    /// The trial is over: waits until what was written has been played, for at most
    /// half a second, so that [`Port::told`] can tell. Blocks.
    fn finish(&mut self) {}

    /// What the port counted: bytes and messages that were not usable.
    fn counts(&self) -> PortCounts {
        PortCounts::default()
    }
}

/// What a port counted while it was open; shown and recorded after the trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortCounts {
    /// Channel messages received.
    pub received: u64,
    /// Messages sent.
    pub sent: u64,
    /// Messages lost because the device took no more bytes.
    pub lost: u64,
    /// Bytes that belong to no message (data without a status, cut-off messages).
    pub invalid_bytes: u64,
    /// Bytes of system exclusive messages, passed over.
    pub sysex_bytes: u64,
    /// Real-time bytes: clock, active sensing and the like.
    pub realtime_bytes: u64,
    /// System common messages (song position, tune request and the like), passed over.
    pub system_common: u64,
    /// Channel messages that came in before the trial started, dropped.
    pub early: u64,
    /// Periods that an audio server, or one of its clients, missed.
    pub xruns: u64,
    /// Frames of a sound card that were louder than full scale, and cut off.
    pub clipped: u64,
    /// What a full buffer of the kernel lost: bytes of a device, or the number of
    /// times a sequencer queue ran over.
    pub overruns: u64,
    /// How often the port was lost in mid-trial and there again.
    pub reopened: u64,
}

impl std::ops::Add for PortCounts {
    type Output = PortCounts;

    fn add(self, more: PortCounts) -> PortCounts {
        PortCounts {
            received: self.received + more.received,
            sent: self.sent + more.sent,
            lost: self.lost + more.lost,
            invalid_bytes: self.invalid_bytes + more.invalid_bytes,
            sysex_bytes: self.sysex_bytes + more.sysex_bytes,
            realtime_bytes: self.realtime_bytes + more.realtime_bytes,
            system_common: self.system_common + more.system_common,
            early: self.early + more.early,
            overruns: self.overruns + more.overruns,
            reopened: self.reopened + more.reopened,
            xruns: self.xruns + more.xruns,
            clipped: self.clipped + more.clipped,
        }
    }
}

impl PortCounts {
    /// Counts what became of a message sent.
    pub(crate) fn note_sent(&mut self, result: &Result<(), PortError>) {
        match result {
            Ok(()) => self.sent += 1,
            Err(_) => self.lost += 1,
        }
    }
}
