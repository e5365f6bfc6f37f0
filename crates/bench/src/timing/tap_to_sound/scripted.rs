//! [`ScriptedPad`]: a pad that does what a table says, for trying the test on a truth that
//! was chosen. Each strike sounds in the input of the taps and makes its messages.
//!
//! The table is tab-separated, `onset peak delays`: when a strike comes, in seconds of the
//! trial; its peak, full scale being 1; and after how many milliseconds each of its messages
//! comes, with commas, or `-` where the pad misses it. A fourth column, `beside`, has the same
//! of an input beside the pad.
//!
//! Real-time contract of [`Strikes`]: the card's thread; no allocation, lock or system call;
//! bounded by the period. The origin is one atomic that is written once, before any strike.

use chronotap_core::time::Nanos;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// A strike rings for so many frames.
const RINGING: u64 = 48;
/// No strike before: the ear measures the noise.
const EARLIEST_S: f64 = 1.0;
/// Messages later than this are not those of the strike.
const LATEST_MS: f64 = 90.0;
/// From one strike to the next at least, less what sums of decimals may be off.
const APART_S: f64 = 0.2 - 1e-9;

/// A strike of the table.
#[derive(Clone, Debug, PartialEq)]
struct Scripted {
    onset: Nanos,
    peak: f32,
    delays: Vec<Nanos>,
    beside: Vec<Nanos>,
}

/// The table.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptedPad(Arc<[Scripted]>);

/// Why a table was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptedPadError {
    /// The first line is another one.
    #[error("line 1 is not \"onset\\tpeak\\tdelays\"")]
    Header,
    /// A value is missing, no number or out of range.
    #[error("line {line}: {column} is {value:?}")]
    Value { line: usize, column: &'static str, value: String },
    /// There is none.
    #[error("it has no strikes")]
    Empty,
}

impl ScriptedPad {
    /// Reads a table.
    ///
    /// # Errors
    /// [`ScriptedPadError`], with the line.
    pub fn parse(text: &str) -> Result<ScriptedPad, ScriptedPadError> {
        let mut lines = text.lines();
        let with_beside = match lines.next().map(str::trim_end) {
            Some("onset\tpeak\tdelays") => false,
            Some("onset\tpeak\tdelays\tbeside") => true,
            _ => return Err(ScriptedPadError::Header),
        };
        let mut strikes: Vec<Scripted> = Vec::new();
        for (line, text) in (2..).zip(lines).filter(|(_, text)| !text.trim().is_empty()) {
            let earliest =
                strikes.last().map_or(EARLIEST_S, |last| last.onset.as_secs_f64() + APART_S);
            strikes.push(scripted(line, text, earliest, with_beside)?);
        }
        if strikes.is_empty() {
            Err(ScriptedPadError::Empty)
        } else {
            Ok(ScriptedPad(strikes.into()))
        }
    }

    /// The messages as a table for a scripted performer.
    pub fn presses(&self) -> String {
        self.presses_of(|strike| &strike.delays)
    }

    /// Those of an input beside the pad.
    pub fn presses_beside(&self) -> String {
        self.presses_of(|strike| &strike.beside)
    }

    fn presses_of(&self, delays: fn(&Scripted) -> &[Nanos]) -> String {
        let mut text = "onset\tduration\tnote\tvelocity\n".to_owned();
        for strike in self.0.iter() {
            let velocity = (strike.peak * 127.0).ceil().clamp(1.0, 127.0);
            for delay in delays(strike) {
                let at = (strike.onset + *delay).0;
                let (s, ns) = (at / 1_000_000_000, at % 1_000_000_000);
                // A string takes every write.
                let _ = writeln!(text, "{s}.{ns:09}\t0.002\t38\t{velocity}");
            }
        }
        text
    }

    /// How many messages it sends.
    pub fn messages(&self) -> u32 {
        self.0.iter().map(|strike| strike.delays.len() as u32).sum()
    }

    /// When its last strike is over.
    pub fn ends(&self) -> Nanos {
        self.0.last().map_or(Nanos::ZERO, |last| last.onset + Nanos::from_millis(200))
    }

    /// Its sound, once the trial's origin is there.
    pub(super) fn sound(&self, origin: Arc<AtomicI64>, capture: Nanos, rate_hz: u32) -> Strikes {
        let strikes = Arc::clone(&self.0);
        Strikes { strikes, origin, capture, rate_hz, next: 0, sounding: None }
    }
}

fn scripted(
    line: usize,
    text: &str,
    earliest: f64,
    with_beside: bool,
) -> Result<Scripted, ScriptedPadError> {
    let mut fields = text.split('\t').map(str::trim);
    let mut field = |column, least: f64, most: f64| {
        let value = fields.next().unwrap_or_default();
        let wrong = || ScriptedPadError::Value { line, column, value: value.to_owned() };
        numbers(value, least, most).ok_or_else(wrong)
    };
    let one = |values: Vec<f64>| values.first().copied().unwrap_or_default();
    let onset = Nanos::round_from_f64(one(field("onset", earliest, 86_400.0)?) * 1e9);
    let peak = one(field("peak", 0.000_1, 1.0)?) as f32;
    let after = |ms: Vec<f64>| ms.into_iter().map(|ms| Nanos::round_from_f64(ms * 1e6)).collect();
    let delays = after(field("delays", 0.0, LATEST_MS)?);
    let beside = if with_beside { after(field("beside", 0.0, LATEST_MS)?) } else { Vec::new() };
    Ok(Scripted { onset, peak, delays, beside })
}

/// Numbers with commas; `-` is none.
fn numbers(text: &str, least: f64, most: f64) -> Option<Vec<f64>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let number =
        |text: &str| text.trim().parse().ok().filter(|value: &f64| (least..=most).contains(value));
    text.split(',').map(number).collect()
}

/// What the input of the taps brings in.
pub(super) struct Strikes {
    strikes: Arc<[Scripted]>,
    origin: Arc<AtomicI64>,
    capture: Nanos,
    rate_hz: u32,
    next: usize,
    sounding: Option<(u64, f32)>, // its first frame, its peak
}

/// No trial has started yet.
pub(super) const UNKNOWN: i64 = i64::MIN;

impl Strikes {
    /// A period begins: which strike, if any, begins in it.
    pub(super) fn begin(&mut self, frame: u64, frames: usize, due: Nanos) {
        let origin = self.origin.load(Relaxed); // alone: nothing else is read by it
        let Some(strike) = self.strikes.get(self.next).filter(|_| origin != UNKNOWN) else {
            return;
        };
        let ahead = strike.onset + Nanos(origin) + self.capture - due;
        let at = (ahead.as_secs_f64() * f64::from(self.rate_hz)).round().max(0.0);
        if at < frames as f64 {
            self.sounding = Some((frame + at as u64, strike.peak));
            self.next += 1;
        }
    }

    /// A click that begins at its peak.
    pub(super) fn at(&self, frame: u64) -> f32 {
        let Some((first, peak)) = self.sounding else { return 0.0 };
        match frame.checked_sub(first) {
            Some(n) if n < RINGING => peak * 0.8f32.powi(n as i32),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_and_its_messages_are_those_of_its_delays() {
        let table = "onset\tpeak\tdelays\n1.0\t0.5\t3.25\n2\t1\t2,30.5\n3\t0.01\t-\n";
        let pad = ScriptedPad::parse(table).unwrap();
        assert_eq!(pad.messages(), 3);
        let presses: Vec<String> = pad.presses().lines().skip(1).map(str::to_owned).collect();
        let expected = [
            "1.003250000\t0.002\t38\t64",
            "2.002000000\t0.002\t38\t127",
            "2.030500000\t0.002\t38\t127",
        ];
        assert_eq!(presses, expected);
        assert_eq!(pad.ends(), Nanos::from_millis(3_200));
    }

    #[test]
    fn an_input_beside_the_pad_has_a_column_of_its_own() {
        let pad = ScriptedPad::parse("onset\tpeak\tdelays\tbeside\n1\t0.5\t-\t2.5\n").unwrap();
        assert_eq!((pad.messages(), pad.presses().lines().count()), (0, 1));
        assert_eq!(pad.presses_beside().lines().nth(1), Some("1.002500000\t0.002\t38\t64"));
        let short = ScriptedPad::parse("onset\tpeak\tdelays\tbeside\n1\t0.5\t3\n").unwrap_err();
        assert!(matches!(short, ScriptedPadError::Value { line: 2, column: "beside", .. }));
    }

    #[test]
    fn what_is_no_strike_is_refused_with_its_line() {
        let of = |rows: &str| ScriptedPad::parse(&format!("onset\tpeak\tdelays\n{rows}"));
        let wrong = |rows, line, column, value: &str| {
            let expected = ScriptedPadError::Value { line, column, value: value.into() };
            assert_eq!(of(rows).unwrap_err(), expected);
        };
        wrong("0.5\t0.5\t3\n", 2, "onset", "0.5");
        wrong("1\t0.5\t3\n1.1\t0.5\t3\n", 3, "onset", "1.1");
        wrong("1\t2\t3\n", 2, "peak", "2");
        wrong("1\t0.5\t3,200\n", 2, "delays", "3,200");
        wrong("1\t0.5\n", 2, "delays", "");
        assert_eq!(of("").unwrap_err(), ScriptedPadError::Empty);
        assert_eq!(ScriptedPad::parse("a\tb").unwrap_err(), ScriptedPadError::Header);
    }

    #[test]
    fn each_strike_sounds_once_at_its_frame_however_periods_lie() {
        let pad = ScriptedPad::parse("onset\tpeak\tdelays\n1\t0.5\t-\n2\t0.25\t-\n").unwrap();
        let origin = Arc::new(AtomicI64::new(UNKNOWN));
        let mut sound = pad.sound(Arc::clone(&origin), Nanos::from_millis(10), 1_000);
        let mut heard = Vec::new();
        for frame in (0..3_000u64).step_by(7) {
            origin.store(if frame < 100 { UNKNOWN } else { 0 }, Relaxed);
            sound.begin(frame, 7, Nanos::from_millis(frame as i64));
            let loud = |at: &u64| sound.at(*at) == 0.5 || sound.at(*at) == 0.25;
            heard.extend((frame..frame + 7).filter(loud));
        }
        assert_eq!(heard, [1_010, 2_010]);
    }
}
