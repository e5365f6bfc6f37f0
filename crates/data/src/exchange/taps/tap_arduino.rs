//! Recordings of Tap Arduino (Schultz & van Vugt, 2016): no taps but the readings of the sensor, about one a
//! millisecond. A tap begins where the sketch begins to sound: where the reading is above a threshold, and both a
//! while and a reading at rest have passed since the last tap.
//!
//! The time in the first column is one of 16 bits, and begins again after 65,535. Its unit differs between the
//! authors' programs (milliseconds in the sketch, microseconds in the remarks of the capture), so it is asked for.

use super::error::{NumberError, TapsError};
use super::{Events, ImportOptions, Onsets, Read, SourceFile, SourceOnset, Taken};
use crate::record::OriginColumn;
use chronotap_core::time::Nanos;

/// `threshold` of the sketch, above which the sensor is pressed; `low_thresh`, up to which it is at
/// rest; and `time_thresh` and `offset_thresh`, the two whiles.
const PRESSED: u32 = 5;
const AT_REST: u32 = 2;
const HELD: Nanos = Nanos::from_millis(40);
const PAUSE: Nanos = Nanos::from_millis(40);
/// Where the time begins again.
const ROUND: i64 = 1 << 16;
const KIND: &str = "Tap Arduino";

/// Lines of whole numbers, of which the last word is the letter that ends a packet.
pub(super) fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(20).peekable();
    lines.peek().is_some() && lines.all(|line| sample(line).is_some() && line.trim().ends_with('E'))
}

/// Time and reading of a line.
fn sample(line: &str) -> Option<(i64, u32)> {
    let mut words = line.split_whitespace();
    let time = words.next()?.parse().ok().filter(|time| (0..ROUND).contains(time))?;
    let reading = words.next()?.parse().ok()?;
    let mut rest = words.filter(|word| *word != "E");
    rest.all(|word| word.parse::<i64>().is_ok()).then_some((time, reading))
}

pub(super) fn read(file: &SourceFile, how: &ImportOptions) -> Result<Read, TapsError> {
    let (text, name) = (file.text()?, || file.name.clone());
    let unit = how.unit.ok_or_else(|| TapsError::NoUnit { name: name(), what: "the times" })?;
    let mut tapping = Tapping { threshold: how.threshold.unwrap_or(PRESSED), ..Tapping::default() };
    let (mut rounds, mut last, mut line_of_first) = (0, None, 0);
    for (line, words) in (1..).zip(text.lines()).filter(|(_, words)| !words.trim().is_empty()) {
        let wrong = || TapsError::Line { name: name(), line, kind: KIND };
        let (time, reading) = sample(words).ok_or_else(wrong)?;
        rounds += i64::from(last.is_some_and(|last| time < last));
        last = Some(time);
        line_of_first = if line_of_first == 0 { line } else { line_of_first };
        let at = unit.time(&(rounds * ROUND + time).to_string());
        let column = "1".to_owned();
        let too_large = |wrong: NumberError| TapsError::Number {
            name: name(),
            line,
            column,
            cell: time.to_string(),
            wrong,
        };
        tapping.take(at.map_err(too_large)?, reading);
    }
    let (threshold, words) = (tapping.threshold, unit.words());
    let onsets = Onsets { taps: tapping.taps, ..Onsets::default() };
    let taken = Taken {
        participant: how.participant.clone(),
        line: line_of_first,
        events: Events::Onsets(onsets),
        levels: vec![None; how.condition_columns.len()],
        ..Taken::default()
    };
    let column = format!("the time in column 1 at which column 2 is above {threshold}");
    let columns = vec![OriginColumn { holds: "taps".into(), column, unit: words }];
    Ok(Read { trials: vec![taken], columns, step_ns: unit.step("1"), ..Read::default() })
}

/// The sketch: pressed, until both its whiles are over and the sensor is at rest.
#[derive(Default)]
struct Tapping {
    threshold: u32,
    state: State,
    taps: Vec<SourceOnset>,
}

#[derive(Clone, Copy, Default)]
enum State {
    #[default]
    Free,
    /// Pressed, at least until then.
    Pressed(Nanos),
    /// At rest again, at least until then.
    Resting(Nanos),
}

impl Tapping {
    fn take(&mut self, at: Nanos, reading: u32) {
        let over = |until: Nanos| reading <= AT_REST && at >= until;
        self.state = match self.state {
            State::Free if reading > self.threshold => {
                self.taps.push(SourceOnset::of(at));
                State::Pressed(at + HELD)
            }
            State::Pressed(until) if over(until) => State::Resting(at + PAUSE),
            State::Resting(until) if over(until) => State::Free,
            same => same,
        };
    }
}
