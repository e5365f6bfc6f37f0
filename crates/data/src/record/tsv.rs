//! The table of an events file: rows → bytes and bytes → rows, and what each
//! column holds. Writing then reading gives the same rows.

use crate::record::cells::{ABSENT, Cells, integer, ns};
use crate::record::columns::{COLUMNS, FELT, FRAME, HEARD, LATER};
use crate::record::row::{Flag, MATCHED, Row, TapFate, TrialType};
use crate::record::text::{self, MISSING};
use crate::record::{ReadError, parse_perturbation, put_perturbation, words};
use chronotap_analysis::observed::{OnsetSource, TapForce};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::perturbation::Perturbation;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// What columns were called before: BIDS means another thing by `channel`.
const EARLIER: [(&str, &str); 1] = [("midi_channel", "channel")];

/// Appends the table: the line of column names, then one line per row.
pub fn write_rows(out: &mut Vec<u8>, rows: &[Row]) {
    out.reserve(256 + rows.len() * 192);
    let beside = ColumnsBeside {
        framed: rows.iter().any(|row| row.frame.is_some()),
        heard: rows.iter().any(|row| row.onset_source.is_some()),
        felt: rows.iter().any(|row| row.force.is_some()),
    };
    write_names(out, beside);
    for row in rows {
        write_row(out, row, beside);
    }
}

/// Which of the columns that need not be there stand in a table.
#[derive(Clone, Copy)]
struct ColumnsBeside {
    framed: bool,
    heard: bool,
    felt: bool,
}

/// The rows of an events file, which need not all be in memory.
pub trait EventRows {
    /// How many there are.
    fn rows(&self) -> usize;

    /// Whether one of them has a frame of a sound card.
    fn are_framed(&self) -> bool;

    /// Whether taps were heard in sound that was kept, and read again.
    fn are_heard_again(&self) -> bool {
        false
    }

    /// Whether taps were felt by a sensor whose force was kept.
    fn are_felt(&self) -> bool {
        false
    }

    /// Gives one after another, in their order.
    ///
    /// # Errors
    /// What `take` refuses, and where a row cannot be had.
    fn each(&mut self, take: &mut dyn FnMut(&Row) -> io::Result<()>) -> io::Result<()>;
}

/// Writes the same table without holding it in memory.
///
/// # Errors
/// What `out` refuses, and where a row cannot be had.
pub(crate) fn write_table(out: &mut impl Write, table: &mut impl EventRows) -> io::Result<()> {
    let (framed, heard, felt) = (table.are_framed(), table.are_heard_again(), table.are_felt());
    let beside = ColumnsBeside { framed, heard, felt };
    let mut lines = Vec::with_capacity(AT_ONCE + 1024);
    write_names(&mut lines, beside);
    table.each(&mut |row| {
        write_row(&mut lines, row, beside);
        if lines.len() >= AT_ONCE {
            out.write_all(&lines)?;
            lines.clear();
        }
        Ok(())
    })?;
    out.write_all(&lines)
}

/// Bytes that are written at once.
const AT_ONCE: usize = 1 << 16;

fn write_names(out: &mut Vec<u8>, beside: ColumnsBeside) {
    let frame = if beside.framed { &COLUMNS[FRAME..HEARD] } else { &[] };
    let heard = if beside.heard { &COLUMNS[HEARD..FELT] } else { &[] };
    let felt = if beside.felt { &COLUMNS[FELT..] } else { &[] };
    out.extend_from_slice([&COLUMNS[..FRAME], frame, heard, felt].concat().join("\t").as_bytes());
    out.push(b'\n');
}

fn write_row(out: &mut Vec<u8>, row: &Row, beside: ColumnsBeside) {
    let mut line = Line { out };
    text::put_seconds(line.out, row.onset);
    line.cell(row.duration, text::put_seconds);
    line.cell(Some(row.trial_type.word()), put_word);
    line.cell(row.name.as_deref(), text::put_text);
    line.cell(row.number, |out, n| text::put_u64(out, u64::from(n)));
    line.cell(row.channel, |out, c| text::put_u64(out, u64::from(c.number())));
    line.cell(row.note, |out, n| text::put_u64(out, u64::from(n.get())));
    line.cell(row.velocity, |out, v| text::put_u64(out, u64::from(v.get())));
    line.cell(row.port.as_deref(), text::put_text);
    line.cell(Some(row.event_id), text::put_u64);
    line.cell(row.cause, text::put_u64);
    for time in [row.deadline, row.achieved, row.lateness] {
        line.cell(time, put_ns);
    }
    for time in [row.release_deadline, row.release_achieved, Some(row.engine)] {
        line.cell(time, put_ns);
    }
    line.cell(row.stamp.map(words::stamp), put_word);
    line.cell(row.message, text::put_message);
    line.cell(row.flag.map(Flag::word), put_word);
    line.cell(row.detail.as_deref(), text::put_text);
    line.cell(perturbed(row), put_perturbation);
    line.cell(row.perturbation.moved(), put_ns);
    line.cell(row.delay, put_ns);
    line.cell(row.pitch_shift, |out, by| text::put_i64(out, i64::from(by)));
    line.cell(row.fate.as_ref().map(TapFate::word), put_word);
    let matched = row.fate.as_ref().and_then(TapFate::matched);
    line.cell(matched.map(|(against, ..)| against), text::put_text);
    line.cell(matched.map(|(_, beat, _)| beat), |out, beat| text::put_u64(out, u64::from(beat)));
    line.cell(matched.map(|(.., asynchrony)| asynchrony), put_ns);
    if beside.framed {
        line.cell(row.frame, text::put_u64);
    }
    if beside.heard {
        line.cell(row.onset_source.map(OnsetSource::word), put_word);
        line.cell(row.refined, put_ns);
        line.cell(row.sound_peak_ppm, |out, ppm| text::put_u64(out, u64::from(ppm)));
    }
    if beside.felt {
        let force = row.force.as_ref();
        line.cell(force.map(|force| u64::from(force.peak)), text::put_u64);
        line.cell(force.map(|force| force.rise), put_ns);
        line.cell(force.map(|force| force.dwell), put_ns);
    }
    out.push(b'\n');
}

fn perturbed(row: &Row) -> Option<Perturbation> {
    (!row.perturbation.is_none()).then_some(row.perturbation)
}

/// Whether a table has the columns that came later.
pub(crate) fn has_later_columns(table: &str) -> bool {
    let mut names = table.lines().next().unwrap_or_default().split('\t');
    names.any(|name| name == COLUMNS[LATER])
}

/// A row as a table without the columns that came later has it.
pub(crate) fn without_later_columns(row: Row) -> Row {
    Row { perturbation: Perturbation::NONE, delay: None, pitch_shift: None, fate: None, ..row }
}

/// The cells of a row as they stand in the file, one for each of [`COLUMNS`].
pub(crate) fn cells(row: &Row) -> Vec<String> {
    let mut line = Vec::new();
    write_row(&mut line, row, ColumnsBeside { framed: true, heard: true, felt: true });
    let line = String::from_utf8_lossy(&line);
    line.trim_end_matches('\n').split('\t').map(str::to_owned).collect()
}

/// A line whose first cell is written; each further one follows a tab.
struct Line<'a> {
    out: &'a mut Vec<u8>,
}

impl Line<'_> {
    fn cell<T>(&mut self, value: Option<T>, put: impl FnOnce(&mut Vec<u8>, T)) {
        self.out.push(b'\t');
        match value {
            Some(value) => put(self.out, value),
            None => self.out.extend_from_slice(MISSING.as_bytes()),
        }
    }
}

fn put_word(out: &mut Vec<u8>, word: &str) {
    out.extend_from_slice(word.as_bytes());
}

fn put_ns(out: &mut Vec<u8>, time: Nanos) {
    text::put_i64(out, time.0);
}

/// The rows of a table. Columns are found by name, so that columns added by other
/// programs do no harm.
///
/// # Errors
/// The first missing column, or the first cell that does not hold what its column
/// asks for, with its line; `path` is only named in them.
pub fn parse_rows(path: &Path, table: &str) -> Result<Vec<Row>, ReadError> {
    let mut rows = Vec::with_capacity(table.len() / SHORT_LINE);
    each_line(path, table, &mut rows)?;
    Ok(rows)
}

/// Who is given a table line by line.
pub(crate) trait Taker {
    /// Takes a line of a table with our columns as they stand in [`COLUMNS`], `framed` with the
    /// last one, if that can be done without reading it as a row.
    fn take_line(&mut self, _framed: bool, _line: &str) -> bool {
        false
    }

    /// Takes a row, with its line in the file.
    fn take_row(&mut self, line: usize, row: Row<Cow<'_, str>>);
}

impl Taker for Vec<Row> {
    fn take_row(&mut self, _: usize, row: Row<Cow<'_, str>>) {
        self.push(row.into_owned());
    }
}

/// The same, one line after another, none of which is kept here.
pub(crate) fn each_line(path: &Path, table: &str, taker: &mut impl Taker) -> Result<(), ReadError> {
    let mut lines = table.lines();
    let names = lines.next().unwrap_or_default();
    let places = places(path, names, has_later_columns(table))?;
    let framed = as_we_write(names);
    let mut cells = Cells::of(path, &places);
    for (number, line) in (2..).zip(lines) {
        if framed.is_some_and(|framed| taker.take_line(framed, line)) {
            continue;
        }
        cells.take(number, line);
        taker.take_row(number, parse_row(&cells)?);
    }
    Ok(())
}

/// Whether the columns are ours in our order, and then whether the last one is among them.
fn as_we_write(names: &str) -> Option<bool> {
    let mut names = names.split('\t');
    let ours = COLUMNS[..FRAME].iter().all(|column| names.next() == Some(column));
    let last = names.next();
    (ours && last.is_none_or(|name| name == COLUMNS[FRAME]) && names.next().is_none())
        .then_some(last.is_some())
}

/// Where each column stands. Those that came later may be missing where the first of them is.
fn places(path: &Path, names: &str, has_later: bool) -> Result<[usize; COLUMNS.len()], ReadError> {
    let mut places = [0; COLUMNS.len()];
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        let earlier = EARLIER.iter().find(|(now, _)| *now == column).map(|(_, then)| *then);
        let at = |wanted: &str| names.split('\t').position(|name| name == wanted);
        let found = at(column).or_else(|| at(earlier?));
        let missing = || ReadError::Column { path: path.to_owned(), column };
        let need_not_be = COLUMNS[FRAME..].contains(&column) || !has_later;
        let later = COLUMNS[LATER..].contains(&column);
        *place = found.or((later && need_not_be).then_some(ABSENT)).ok_or_else(missing)?;
    }
    Ok(places)
}

/// Few lines are shorter, in bytes.
const SHORT_LINE: usize = 128;

fn parse_row<'a>(cells: &Cells<'a, '_>) -> Result<Row<Cow<'a, str>>, ReadError> {
    let row = Row {
        onset: cells.must(0, SECONDS, text::parse_seconds)?,
        duration: cells.may(1, SECONDS, text::parse_seconds)?,
        trial_type: cells.must(2, "a kind of event", |w| words::value(&TrialType::WORDS, w))?,
        name: cells.may(3, NAME, text::borrow_text)?,
        number: cells.may(4, "a count from 1", |c| integer(c).filter(|n| *n > 0))?,
        channel: cells.may(5, "a channel from 1 to 16", |c| Channel::new(integer(c)?))?,
        note: cells.may(6, SEVEN_BITS, |c| U7::new(integer(c)?))?,
        velocity: cells.may(7, SEVEN_BITS, |c| U7::new(integer(c)?))?,
        port: cells.may(8, NAME, text::borrow_text)?,
        event_id: cells.must(9, "an event's number", integer)?,
        cause: cells.may(10, "an event's number", integer)?,
        deadline: cells.may(11, NANOSECONDS, ns)?,
        achieved: cells.may(12, NANOSECONDS, ns)?,
        lateness: cells.may(13, NANOSECONDS, ns)?,
        release_deadline: cells.may(14, NANOSECONDS, ns)?,
        release_achieved: cells.may(15, NANOSECONDS, ns)?,
        engine: cells.must(16, NANOSECONDS, ns)?,
        stamp: cells.may(17, "a kind of stamp", words::parse_stamp)?,
        message: cells.may(
            18,
            "the bytes of a message, such as `90 3c 64`",
            text::parse_message,
        )?,
        flag: cells.may(19, "a flag", |w| words::value(&Flag::WORDS, w))?,
        detail: cells.may(20, NAME, text::borrow_text)?,
        perturbation: cells
            .may(21, "what was perturbed, such as `delay +50 ms`", parse_perturbation)?
            .unwrap_or_default(),
        delay: cells.may(23, NANOSECONDS, ns)?,
        pitch_shift: cells.may(24, "a number of semitones", integer)?,
        fate: parse_fate(cells)?,
        frame: cells.may(FRAME, "the number of a frame", integer)?,
        onset_source: cells
            .may(HEARD, "whence an onset is", |w| words::value(&OnsetSource::WORDS, w))?,
        refined: cells.may(HEARD + 1, NANOSECONDS, ns)?,
        sound_peak_ppm: cells.may(HEARD + 2, "millionths of full scale", integer)?,
        force: parse_force(cells)?,
    };
    let moved = row.perturbation.moved().map(|by| by.0.to_string());
    cells.agrees(22, "the time that the column before it says", moved)?;
    Ok(row)
}

/// What became of a tap; a matched one has stream, beat and asynchrony, any other has none.
fn parse_fate<'a>(cells: &Cells<'a, '_>) -> Result<Option<TapFate<Cow<'a, str>>>, ReadError> {
    let word = cells.may(25, "what became of a tap", |word| {
        (word == MATCHED).then_some(None).or_else(|| TapFate::without(word).map(Some))
    })?;
    let against = cells.may(26, NAME, text::borrow_text)?;
    let beat = cells.may(27, "a count from 1", integer)?;
    let asynchrony = cells.may(28, NANOSECONDS, ns)?;
    match (word, against, beat, asynchrony) {
        (Some(None), Some(against), Some(beat), Some(asynchrony)) => {
            Ok(Some(TapFate::Matched { against, beat, asynchrony }))
        }
        (Some(Some(fate)), None, None, None) => Ok(Some(TapFate::Without(fate))),
        (None, None, None, None) => Ok(None),
        _ => cells.must(25, "`matched` where the row has stream, beat and asynchrony", |_| None),
    }
}

/// How hard and how long a tap pressed: all three, or none.
fn parse_force(cells: &Cells<'_, '_>) -> Result<Option<TapForce>, ReadError> {
    let peak = cells.may(FELT, "a whole number from 0 on", integer)?;
    let rise = cells.may(FELT + 1, NANOSECONDS, ns)?;
    let dwell = cells.may(FELT + 2, NANOSECONDS, ns)?;
    match (peak, rise, dwell) {
        (Some(peak), Some(rise), Some(dwell)) => Ok(Some(TapForce { peak, rise, dwell })),
        (None, None, None) => Ok(None),
        _ => {
            cells.must(FELT, "a value where the row has rise and dwell, and none where not", |_| {
                None
            })
        }
    }
}

const SECONDS: &str = "seconds with up to nine decimals";
const NANOSECONDS: &str = "a whole number of nanoseconds";
const NAME: &str = "a name";
const SEVEN_BITS: &str = "a number from 0 to 127";
