//! [`SensorLine`]: bytes and when they were read, into taps and forces and when they were.
//!
//! Real-time contract: no allocation, no panic; bounded by the bytes at hand.

use super::clock::{ClockFit, DeviceClock};
use super::decoder::SensorDecoder;
use super::frame::{Board, ForceValues, SensorFault, SensorFrame, SensorGreeting, SensorTold};
use crate::time::Nanos;

/// A device that says nothing for so long has begun again, or its clock cannot be followed:
/// it sends a frame every 9 ms.
const MOST_SILENCE_US: u32 = 60_000_000;

/// What a frame tells was no longer before it; a tap is told at once, and a force every 7 ms.
const TOLD_WITHIN_US: i64 = 1_000_000;

/// So many bytes at once have waited for whoever reads: when they came is not known. A driver that
/// hands over every 16 ms has 80.
const WAITED: usize = 256;

/// What a sensor felt; times are of the computer's clock, by the fit of this moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Felt {
    /// A tap began.
    Onset {
        at: Nanos,
        /// The value that showed it.
        force: u16,
    },
    /// A tap ended.
    Release {
        at: Nanos,
        /// The greatest value within it.
        peak: u16,
    },
    /// The force, whatever it is.
    Forces(ForceStretch),
}

/// The force for some milliseconds, as sums of eight readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForceStretch {
    /// When the first reading was.
    pub first: Nanos,
    /// The same by the device's clock, in microseconds since it was first heard or began again.
    pub device_us: i64,
    pub values: ForceValues,
}

/// What was not as it should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SensorCounts {
    /// Frames that never came, by their numbers, or that tell of a time at which nothing can have been.
    pub lost: u64,
    /// Taps that were felt and never told, by their numbers.
    pub taps_lost: u64,
    /// Frames that came twice, and count once.
    pub repeated: u64,
    /// How often the device began again.
    pub restarted: u64,
    /// Bytes that were no frame, counted by their ends.
    pub damaged: u64,
}

/// The serial line of a sensor.
#[derive(Clone, Debug, Default)]
pub struct SensorLine {
    decoder: SensorDecoder,
    clock: DeviceClock,
    greeting: Option<SensorGreeting>,
    last: Option<Last>,
    tap: Option<u16>, // the number of the last one
    counts: SensorCounts,
    frame_bytes: i64, // of the one under way
}

/// Of the last frame.
#[derive(Clone, Copy, Debug)]
struct Last {
    counter: u16,
    sent_us: u32,
    device_us: i64, // the same, which never begins again while the device runs
}

impl Last {
    /// The same frame, or one of the second before it.
    fn is_repeated_by(self, frame: &SensorFrame) -> bool {
        let before = self.sent_us.wrapping_sub(frame.sent_us);
        let frames = self.counter.wrapping_sub(frame.counter);
        (before == 0 && frames == 0)
            || (before < 1_000_000 && frames < 1_000 && !self.is_forgotten_by(frame))
    }

    /// A device that has begun counts from 0, with its greeting.
    fn is_forgotten_by(self, frame: &SensorFrame) -> bool {
        let begins = frame.counter == 0 && matches!(frame.told, SensorTold::Greeting(_));
        begins && self.counter != u16::MAX
    }
}

impl SensorLine {
    /// Takes bytes that had come by `read`, and tells what was felt. What came before the first
    /// greeting is passed over.
    ///
    /// # Errors
    /// [`SensorFault::Version`] and [`SensorFault::Board`]: the firmware is not understood.
    pub fn hear(
        &mut self,
        bytes: &[u8],
        read: Nanos,
        felt: &mut dyn FnMut(Felt),
    ) -> Result<(), SensorFault> {
        for (place, byte) in bytes.iter().enumerate() {
            self.frame_bytes += 1;
            let Some(decoded) = self.decoder.push(*byte) else { continue };
            let frame_bytes = std::mem::take(&mut self.frame_bytes);
            match decoded {
                Ok(frame) => {
                    // Bytes take their time, those behind it as well.
                    let behind = (bytes.len() - 1 - place) as i64;
                    let byte_ns = self.greeting.map_or(0, |greeting| greeting.board.byte_ns());
                    let came = read - Nanos(byte_ns * (frame_bytes + behind));
                    self.take(&frame, (bytes.len() < WAITED).then_some(came), felt);
                }
                Err(fault @ (SensorFault::Version(_) | SensorFault::Board(_))) => {
                    return Err(fault);
                }
                // Before the greeting a frame may be heard from its middle on.
                Err(_) => self.counts.damaged += u64::from(self.greeting.is_some()),
            }
        }
        Ok(())
    }

    /// Who speaks; none before the first greeting.
    pub fn greeting(&self) -> Option<SensorGreeting> {
        self.greeting
    }

    /// For how long the device was heard since it began or was first heard, by its own clock.
    pub fn heard_for(&self) -> Nanos {
        self.last.map_or(Nanos::ZERO, |last| Nanos::from_micros(last.device_us))
    }

    /// How the device's clock runs.
    pub fn fit(&self) -> Option<ClockFit> {
        self.clock.fit()
    }

    /// What was counted so far.
    pub fn counts(&self) -> SensorCounts {
        self.counts
    }

    fn take(&mut self, frame: &SensorFrame, came: Option<Nanos>, felt: &mut dyn FnMut(Felt)) {
        if let SensorTold::Greeting(greeting) = frame.told {
            self.greeting = Some(greeting);
        }
        if self.greeting.is_none() || !self.follows(frame) {
            return;
        }
        let Some(last) = self.last else { return };
        if let Some(came) = came {
            self.clock.hear(last.device_us, came);
        }
        let device_us =
            |us: u32| last.device_us + i64::from(us.wrapping_sub(last.sent_us).cast_signed());
        let told_of = frame.told.at_us().map(device_us);
        if told_of.is_some_and(|us| !(0..=TOLD_WITHIN_US).contains(&(last.device_us - us))) {
            self.counts.lost += 1;
            return;
        }
        self.count_taps(frame.told);
        let Some(fit) = self.clock.fit() else { return };
        let at = |us: u32| fit.at(device_us(us));
        match frame.told {
            SensorTold::Greeting(_) => {}
            SensorTold::Onset { at_us, force, .. } => felt(Felt::Onset { at: at(at_us), force }),
            SensorTold::Release { at_us, peak, .. } => felt(Felt::Release { at: at(at_us), peak }),
            SensorTold::Forces { first_us, values } => {
                let device_us = device_us(first_us);
                felt(Felt::Forces(ForceStretch { first: fit.at(device_us), device_us, values }));
            }
        }
    }

    /// Taps that are missing before an onset, and one whose time nobody can tell yet.
    fn count_taps(&mut self, told: SensorTold) {
        let SensorTold::Onset { number, .. } = told else { return };
        let before = self.tap.replace(number).unwrap_or(number.wrapping_sub(1));
        let missing = number.wrapping_sub(before).wrapping_sub(1);
        let timeless = self.clock.fit().is_none();
        self.counts.taps_lost += u64::from(missing) + u64::from(timeless);
    }

    /// Whether the frame is a new one, by its counter and time; counts what is missing before it.
    fn follows(&mut self, frame: &SensorFrame) -> bool {
        let (counter, sent_us) = (frame.counter, frame.sent_us);
        let Some(last) = self.last else {
            self.last = Some(Last { counter, sent_us, device_us: 0 });
            return true;
        };
        if last.is_repeated_by(frame) {
            self.counts.repeated += 1;
            return false;
        }
        let since = sent_us.wrapping_sub(last.sent_us);
        if since > MOST_SILENCE_US || last.is_forgotten_by(frame) {
            self.begin_again();
            self.last = Some(Last { counter, sent_us, device_us: 0 });
            return true;
        }
        self.counts.lost += u64::from(counter.wrapping_sub(last.counter).wrapping_sub(1));
        self.last = Some(Last { counter, sent_us, device_us: last.device_us + i64::from(since) });
        true
    }

    /// The device's clock begins anew, and its numbers.
    fn begin_again(&mut self) {
        self.counts.restarted += 1;
        self.clock = DeviceClock::default();
        self.tap = None;
    }
}

impl Board {
    /// What the board is called.
    pub const fn name(self) -> &'static str {
        match self {
            Board::Atmega328p => "Arduino (ATmega328P)",
            Board::Teensy => "Teensy",
        }
    }
}
