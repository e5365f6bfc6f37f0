//! [`SketchLine`]: what the sketches of other laboratories say on their serial lines, TeensyTap (van Vugt,
//! 2020) and Tap Arduino (Schultz & van Vugt, 2016), and when that was. No I/O.
//!
//! Background: both tell a tap once it was released, in whole milliseconds of the device's clock, and send
//! nothing between taps. TeensyTap sends a line of text and numbers it; Tap Arduino sends eight bytes, in
//! which times are of 16 bits and begin again after 65.5 s.
//! Solution: each tells with a tap when it was released, which is when it began to send. By that, as by the
//! frames of this project's firmware, [`DeviceClock`] maps the device's times; TeensyTap also says its time
//! when it is told to stop, which is asked for before a trial ([`TEENSY_TAP_ASKS`]).
//!
//! Real-time contract: no allocation, no panic; bounded by the bytes that came.

use super::clock::{ClockFit, DeviceClock};
use crate::time::Nanos;

/// A sketch of another laboratory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sketch {
    /// teensytap.ino of github.com/florisvanvugt/teensytap.
    TeensyTap,
    /// Those that send a packet for each tap (`…_disc.ino`) of github.com/florisvanvugt/taparduino.
    TapArduino,
}

impl Sketch {
    /// Every one.
    pub const ALL: [Sketch; 2] = [Sketch::TeensyTap, Sketch::TapArduino];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Sketch::TeensyTap => "teensytap",
            Sketch::TapArduino => "tap-arduino",
        }
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Sketch::TeensyTap => "TeensyTap",
            Sketch::TapArduino => "Tap Arduino",
        }
    }

    /// Bits a second of its line; a Teensy's, which is USB alone, does not mind.
    pub const BAUD: u32 = 9_600;

    /// How long a byte takes on the board's line, in nanoseconds.
    const fn byte_ns(self) -> i64 {
        match self {
            Sketch::TeensyTap => 0,
            Sketch::TapArduino => 1_041_667, // ten bits
        }
    }
}

/// How exactly both tell their times.
pub const SKETCH_RESOLUTION: Nanos = Nanos::from_millis(1);

/// What TeensyTap is told before it feels taps: that settings follow, six numbers of 32 bits (no feedback and
/// its delay; no metronome, its interval and clicks; clicks of continuation). So many of these are asked for
/// that no trial of the sketch, at whose end it sounds, ends.
pub const TEENSY_TAP_IS_TOLD: [u8; 25] = {
    let numbers: [i32; 6] = [0, 0, 0, 1_000, 0, 2_000_000];
    let (mut bytes, mut n) = ([88; 25], 0);
    while n < 24 {
        bytes[n + 1] = numbers[n / 4].to_le_bytes()[n % 4];
        n += 1;
    }
    bytes
};
/// To say its time; what it felt so far it goes on to feel.
pub const TEENSY_TAP_ASKS: u8 = 55;
/// To feel taps.
pub const TEENSY_TAP_STARTS: u8 = 77;

/// A tap that a sketch told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SketchTap {
    pub onset: Nanos,
    pub release: Nanos,
    /// The greatest reading within it.
    pub peak: u16,
}

/// What was not as it should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SketchCounts {
    /// Lines, or bytes, that no sketch sends.
    pub damaged: u64,
    /// Messages whose numbers are missing, and milliseconds in which the sketch says that it did not look.
    pub lost: u64,
    /// How often the device began anew.
    pub restarted: u64,
}

/// Bytes of the longest line of TeensyTap, which it makes in 100.
const MOST_BYTES: usize = 100;
/// Bytes of a packet of Tap Arduino: B, onset, release, greatest reading, E.
const PACKET: usize = 8;
/// The greatest reading of either board, whose converters have 10 bits.
const FULL_SCALE: u32 = 1_023;
/// Nobody presses for longer: a packet that says so is none.
const LONGEST_MS: i64 = 30_000;

/// A time is believed that is no farther from the expected one than a hundredth of what passed, since no
/// board's clock is, and as long as a message may wait on its way.
const PASSED_PER_MS_OFF: i64 = 100;
const OFF_MS: i64 = 200;

/// Turns the bytes of a sketch into taps.
#[derive(Clone, Debug)]
pub struct SketchLine {
    sketch: Sketch,
    bytes: [u8; MOST_BYTES],
    length: usize,
    endless: bool, // more bytes than any line has
    clock: DeviceClock,
    last: Option<(i64, Nanos)>, // the device's milliseconds, unwrapped, and when they came
    number: Option<i64>,        // of the last message
    unseen: i64,                // milliseconds in which the sketch did not look, by its last word
    configured: bool,
    counts: SketchCounts,
}

/// What a sketch says, in milliseconds of its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// Its settings.
    Settings,
    /// What time it is.
    Time(i64),
    /// A tap: its number, where it has one; onset, release, greatest reading, milliseconds missed.
    Tap { number: Option<i64>, onset: i64, release: i64, peak: u16, unseen: i64 },
    /// Another message, by its number.
    Other { number: i64 },
    /// Words for people.
    Words,
}

impl SketchLine {
    /// Of this sketch.
    pub fn of(sketch: Sketch) -> SketchLine {
        SketchLine {
            sketch,
            bytes: [0; MOST_BYTES],
            length: 0,
            endless: false,
            clock: DeviceClock::default(),
            last: None,
            number: None,
            unseen: 0,
            configured: false,
            counts: SketchCounts::default(),
        }
    }

    /// Takes bytes that had come by `read`, and tells the taps.
    pub fn hear(&mut self, bytes: &[u8], read: Nanos, felt: &mut dyn FnMut(SketchTap)) {
        for (place, byte) in bytes.iter().enumerate() {
            let length = self.length as i64 + 1;
            let said = match self.sketch {
                Sketch::TeensyTap => self.take_text(*byte),
                Sketch::TapArduino => self.take_packet(*byte),
            };
            let Some(said) = said else { continue };
            let behind = (bytes.len() - 1 - place) as i64;
            let came = read - Nanos(self.sketch.byte_ns() * (length + behind));
            self.take(said, came, felt);
        }
    }

    /// Whether it has said its settings, as TeensyTap does once it was told them.
    pub fn is_configured(&self) -> bool {
        self.configured
    }

    /// How the device's clock runs; none before it has said a time.
    pub fn fit(&self) -> Option<ClockFit> {
        self.clock.fit()
    }

    /// What was counted so far.
    pub fn counts(&self) -> SketchCounts {
        self.counts
    }

    /// A byte of TeensyTap; what the line says that it ends.
    fn take_text(&mut self, byte: u8) -> Option<Said> {
        if byte != b'\n' {
            match self.bytes.get_mut(self.length) {
                Some(place) => {
                    *place = byte;
                    self.length += 1;
                }
                None => self.endless = true,
            }
            return None;
        }
        let (length, endless) = (self.length, self.endless);
        (self.length, self.endless) = (0, false);
        let said = if endless { None } else { line_said(&self.bytes[..length]) };
        self.counts.damaged += u64::from(said.is_none() && self.configured);
        said
    }

    /// A byte of Tap Arduino; what the packet says that it ends. Where bytes are none, the first is let go
    /// and the next that may begin one is sought.
    fn take_packet(&mut self, byte: u8) -> Option<Said> {
        self.bytes[self.length] = byte;
        self.length += 1;
        while self.length > 0 {
            let there = &self.bytes[..self.length];
            let may_be = there[0] == b'B';
            if may_be && self.length < PACKET {
                return None;
            }
            if let Some(said) = packet_said(there).filter(|_| may_be) {
                self.length = 0;
                return Some(said);
            }
            self.counts.damaged += 1;
            self.bytes.copy_within(1..self.length, 0);
            self.length -= 1;
        }
        None
    }

    fn take(&mut self, said: Said, came: Nanos, felt: &mut dyn FnMut(SketchTap)) {
        match said {
            Said::Words => {}
            Said::Settings => {
                (self.configured, self.number, self.unseen) = (true, None, 0);
            }
            Said::Time(ms) => {
                self.hear_time(ms, came);
            }
            Said::Other { number } => self.count(number),
            Said::Tap { number, onset, release, peak, unseen } => {
                number.into_iter().for_each(|number| self.count(number));
                self.counts.lost += u64::try_from(unseen - self.unseen).unwrap_or(0);
                self.unseen = unseen;
                let held = release - onset;
                let release = self.hear_time(release, came);
                let Some(fit) = self.clock.fit() else { return };
                let at = |ms: i64| fit.at(ms.saturating_mul(1_000));
                felt(SketchTap { onset: at(release - held), release: at(release), peak });
            }
        }
    }

    fn count(&mut self, number: i64) {
        let before = self.number.replace(number).unwrap_or(number.saturating_sub(1));
        self.counts.lost += u64::try_from(number.saturating_sub(before) - 1).unwrap_or(0);
    }

    /// The device said these milliseconds, which had come by then; the same unwrapped. A time that is far
    /// from what was to be expected is that of a device which began anew, and its clock another.
    fn hear_time(&mut self, ms: i64, came: Nanos) -> i64 {
        let mut unwrapped = ms;
        if let Some((last, then)) = self.last {
            let passed = (came - then).0 / 1_000_000;
            let expected = last + passed;
            if self.sketch == Sketch::TapArduino {
                unwrapped = nearest(ms, expected);
            }
            if (unwrapped - expected).abs() > passed / PASSED_PER_MS_OFF + OFF_MS {
                self.counts.restarted += 1;
                (self.clock, self.number, unwrapped) = (DeviceClock::default(), None, ms);
            } else if unwrapped < last {
                return unwrapped; // a clock is followed forwards
            }
        }
        self.last = Some((unwrapped, came));
        self.clock.hear(unwrapped.saturating_mul(1_000), came);
        unwrapped
    }
}

/// Of the times that 16 bits show as this, the one nearest to what was to be expected.
fn nearest(ms: i64, expected: i64) -> i64 {
    let apart = (ms - expected).rem_euclid(1 << 16);
    expected + if apart >= 1 << 15 { apart - (1 << 16) } else { apart }
}

/// A packet that is one.
fn packet_said(bytes: &[u8]) -> Option<Said> {
    let [b'B', on_low, on_high, off_low, off_high, peak_low, peak_high, b'E'] = *bytes else {
        return None;
    };
    let of = |low, high| u16::from_le_bytes([low, high]);
    let (onset, release, peak) =
        (of(on_low, on_high), of(off_low, off_high), of(peak_low, peak_high));
    let held = i64::from(release.wrapping_sub(onset));
    if u32::from(peak) > FULL_SCALE || held > LONGEST_MS {
        return None;
    }
    let release = i64::from(release);
    Some(Said::Tap { number: None, onset: release - held, release, peak, unseen: 0 })
}

/// A line of TeensyTap without its end; `None` of what it does not send.
fn line_said(line: &[u8]) -> Option<Said> {
    let text = std::str::from_utf8(line).ok()?.trim();
    if text.starts_with("# config ") {
        return Some(Said::Settings);
    }
    if let Some((_, ms)) = text.split_once("signal received at t=") {
        return time(ms).map(Said::Time);
    }
    if text.is_empty() || text.starts_with('#') || text.starts_with("message_number") {
        return Some(Said::Words);
    }
    let mut words = text.split(' ');
    let number = time(words.next()?)?;
    let (kind, onset) = (words.next()?, time(words.next()?)?);
    let [release, _, peak, unseen] = [words.next()?, words.next()?, words.next()?, words.next()?];
    if words.next().is_some() {
        return None;
    }
    if kind == "click" || kind == "feedback" {
        return Some(Said::Other { number });
    }
    let (release, unseen) = (time(release)?, time(unseen)?);
    let peak = u16::try_from(time(peak)?).ok()?;
    let held = release - onset;
    let is_one = kind == "tap" && (0..=LONGEST_MS).contains(&held) && u32::from(peak) <= FULL_SCALE;
    is_one.then_some(Said::Tap { number: Some(number), onset, release, peak, unseen })
}

/// A whole number as both boards make them, of 32 bits.
fn time(word: &str) -> Option<i64> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.parse().ok().filter(|number| *number <= i64::from(u32::MAX));
    number.filter(|_| digits)
}
