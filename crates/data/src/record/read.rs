//! [`read_events`]: a recorded trial read back, table and description, for replay,
//! for performers and for analysis.

use crate::record::sidecar::{FORMAT, KEY, Sidecar};
use crate::record::{
    Checksum, EVENTS_VERSION, Footer, Header, ReadError, Row, TrialType, tsv, words,
};
use chronotap_core::files::{Disk, NotUtf8, System, text_of};
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_engine::action::{OutsideChange, TrialEnding};
use chronotap_engine::signal::Stamp;
use serde::Deserialize;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A recorded trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// What was known before the trial started.
    pub header: Header,
    /// What was known when it was over.
    pub footer: Footer,
    /// Its events, in the order of the file.
    pub rows: Vec<Row>,
    /// Whether the table is still the one that was written.
    pub checksum: Checksum,
    /// How many bytes the table has, and their CRC-32.
    pub bytes: (usize, u32),
    /// Whether the table has the columns from `perturbation` on, which those of earlier
    /// versions have not.
    pub explained: bool,
}

/// A message that arrived: a tap, a release, or a controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrivalRow {
    /// Number of the event.
    pub event_id: u64,
    /// Index of the trial's input.
    pub input: u16,
    /// Its time stamp.
    pub at: Nanos,
    /// The trial time at which the engine took it.
    pub engine: Nanos,
    /// Where its stamp was taken.
    pub stamp: Option<Stamp>,
    /// What arrived.
    pub message: Message,
}

/// An input that was closed in mid-trial, or was there again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosureRow {
    /// Number of the event.
    pub event_id: u64,
    /// Index of the trial's input.
    pub input: u16,
    /// When that was.
    pub at: Nanos,
    /// The trial time at which the engine took it.
    pub engine: Nanos,
    /// Whether it was there again.
    pub reopened: bool,
}

/// A period that the audio server, or one of its clients, missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XrunRow {
    /// Number of the event.
    pub event_id: u64,
    /// When the server told of it.
    pub at: Nanos,
    /// The trial time at which the engine took it.
    pub engine: Nanos,
}

/// What changed at the audio server or sequencer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeRow {
    /// Number of the event.
    pub event_id: u64,
    pub change: OutsideChange,
    /// When it was noticed.
    pub at: Nanos,
    /// The trial time at which the engine took it.
    pub engine: Nanos,
}

/// How the trial ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndRow {
    /// Number of the event.
    pub event_id: u64,
    pub ending: TrialEnding,
    /// When it was due.
    pub at: Nanos,
    /// The trial time at which the engine decided or took it.
    pub engine: Nanos,
}

/// Reads `<name>_events.tsv` and the `.json` beside it.
///
/// # Errors
/// [`ReadError`], with file, line and column, where they are not what we write.
pub fn read_events(path: &Path) -> Result<Recording, ReadError> {
    read_events_on(&System, path)
}

/// The same on any disk.
///
/// # Errors
/// As [`read_events`].
pub fn read_events_on<D: Disk>(disk: &D, path: &Path) -> Result<Recording, ReadError> {
    let sidecar = sidecar_path(path)?;
    let held = parse_sidecar(&sidecar, &read(disk, &sidecar)?)?;
    let table = read(disk, path)?;
    let rows = tsv::parse_rows(path, &table)?;
    let checksum = Checksum::of(held.table_sha256.as_deref(), table.as_bytes());
    let bytes = (table.len(), crc32fast::hash(table.as_bytes()));
    let explained = tsv::has_later_columns(&table);
    Ok(Recording { header: held.header, footer: held.footer, rows, checksum, bytes, explained })
}

/// What a recorded trial says of itself before its events, by the name of its events file or of the
/// description beside it.
///
/// # Errors
/// As [`read_events`].
pub fn read_header(path: &Path) -> Result<Header, ReadError> {
    let sidecar = path.with_extension("json");
    Ok(parse_sidecar(&sidecar, &read(&System, &sidecar)?)?.header)
}

pub(crate) fn sidecar_path(path: &Path) -> Result<PathBuf, ReadError> {
    let name = path.file_name().and_then(|name| name.to_str());
    let stem = name.and_then(|name| name.strip_suffix("_events.tsv"));
    let stem = stem.ok_or_else(|| ReadError::Name { path: path.to_owned() })?;
    Ok(path.with_file_name(format!("{stem}_events.json")))
}

fn read<D: Disk>(disk: &D, path: &Path) -> Result<String, ReadError> {
    let mut text = String::new();
    read_into(&mut text, disk, path)?;
    Ok(text)
}

/// A whole file in the place of what the text held.
pub(crate) fn read_into<D: Disk>(
    text: &mut String,
    disk: &D,
    path: &Path,
) -> Result<(), ReadError> {
    let mut bytes = std::mem::take(text).into_bytes();
    bytes.clear();
    let read = disk.open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    *text = read.and_then(|_| text_of(bytes)).map_err(|source| match NotUtf8::of(&source) {
        Some(found) => ReadError::NotUtf8 { path: path.to_owned(), found },
        None => ReadError::File { path: path.to_owned(), source },
    })?;
    Ok(())
}

/// A description, of which the columns are not looked at: they are the larger part, and who
/// reads a thousand trials waits for it.
#[derive(Deserialize)]
struct Beside {
    #[serde(rename = "Chronotap", default)]
    held: Value,
}

/// The same as it is written, straight into the types of its two parts.
#[derive(Deserialize)]
pub(crate) struct AsWritten<H, F> {
    #[serde(rename = "Chronotap")]
    pub held: Holds<H, F>,
}

#[derive(Deserialize)]
pub(crate) struct Holds<H, F> {
    format: String,
    version: u32,
    #[serde(default)]
    pub table_sha256: Option<String>,
    pub header: H,
    pub footer: F,
}

impl<H, F> Holds<H, F> {
    /// Whether it is of a format and version that are known here.
    pub fn is_known(&self) -> bool {
        self.format == FORMAT && self.version <= EVENTS_VERSION
    }
}

/// What stands under [`KEY`]. Nearly every description is as it was written; any other is looked
/// at step by step, to say what is wrong with it.
pub(crate) fn parse_sidecar(path: &Path, text: &str) -> Result<Sidecar, ReadError> {
    match serde_json::from_str::<AsWritten<Header, Footer>>(text) {
        Ok(AsWritten { held }) if held.is_known() => {
            let Holds { table_sha256, header, footer, .. } = held;
            Ok(Sidecar { table_sha256, header, footer })
        }
        _ => explain_sidecar(path, text),
    }
}

fn explain_sidecar(path: &Path, text: &str) -> Result<Sidecar, ReadError> {
    let wrong = |line, what: String| ReadError::Sidecar { path: path.to_owned(), line, what };
    let Beside { held } = serde_json::from_str(text)
        .map_err(|e| wrong(e.line(), format!("not the JSON of a description: {e}")))?;
    if held["format"] != FORMAT {
        return Err(wrong(1, format!("there is no key `{KEY}` with the format {FORMAT}")));
    }
    let found = held["version"].as_u64().and_then(|v| u32::try_from(v).ok()).unwrap_or(u32::MAX);
    if found > EVENTS_VERSION {
        let program = held["header"]["program"].as_str().unwrap_or("unknown").to_owned();
        let known = EVENTS_VERSION;
        return Err(ReadError::Newer { path: path.to_owned(), found, known, program });
    }
    serde_json::from_value(held).map_err(|e| wrong(1, format!("under the key `{KEY}`: {e}")))
}

impl Recording {
    /// Everything that arrived, in the order in which the engine took it.
    pub fn arrivals(&self) -> Vec<ArrivalRow> {
        let mut arrivals: Vec<_> = self.rows.iter().filter_map(|row| self.arrival(row)).collect();
        arrivals.sort_by_key(|arrival| arrival.event_id);
        arrivals
    }

    /// The inputs that were closed or there again, in the order in which the engine took it.
    pub fn closures(&self) -> Vec<ClosureRow> {
        let mut closures: Vec<_> = self.rows.iter().filter_map(|row| self.closure(row)).collect();
        closures.sort_by_key(|closure| closure.event_id);
        closures
    }

    /// The periods that the audio server missed, in the order in which the engine took it.
    pub fn xruns(&self) -> Vec<XrunRow> {
        let mut xruns: Vec<_> = self.rows.iter().filter_map(xrun).collect();
        xruns.sort_by_key(|xrun| xrun.event_id);
        xruns
    }

    /// What changed at the audio server or sequencer, in the order in which the engine took it.
    pub fn changes(&self) -> Vec<ChangeRow> {
        let mut changes: Vec<_> = self.rows.iter().filter_map(change).collect();
        changes.sort_by_key(|change| change.event_id);
        changes
    }

    /// How the trial ended; `None` where it was cut short.
    pub fn end(&self) -> Option<EndRow> {
        let row = self.rows.iter().find(|row| row.trial_type == TrialType::End)?;
        let ending = words::parse_ending(row.name.as_deref()?)?;
        let at = row.deadline.unwrap_or(row.onset);
        Some(EndRow { event_id: row.event_id, ending, at, engine: row.engine })
    }

    fn input(&self, name: Option<&str>) -> Option<u16> {
        let inputs = &self.header.names.inputs;
        inputs.iter().position(|input| Some(input.as_str()) == name)?.try_into().ok()
    }

    fn arrival(&self, row: &Row) -> Option<ArrivalRow> {
        let came_in = match row.trial_type {
            TrialType::Tap | TrialType::Release | TrialType::Sysex => true,
            TrialType::Control => row.deadline.is_none(),
            _ => false,
        };
        came_in.then_some(ArrivalRow {
            event_id: row.event_id,
            input: self.input(row.port.as_deref())?,
            at: row.achieved?,
            engine: row.engine,
            stamp: row.stamp,
            message: row.message?,
        })
    }

    fn closure(&self, row: &Row) -> Option<ClosureRow> {
        if row.trial_type != TrialType::Marker || row.onset_source.is_some() {
            return None; // a tap that was found only afterwards is no closure
        }
        let input = self.input(Some(row.port.as_deref()?))?;
        let at = row.deadline.unwrap_or(row.onset);
        let reopened = row.name.as_deref().is_some_and(|name| name.starts_with(words::REOPENED));
        Some(ClosureRow { event_id: row.event_id, input, at, engine: row.engine, reopened })
    }
}

/// What an audio server or sequencer told: the markers of a trial have a cause, those of an input
/// have a port.
fn told(row: &Row) -> Option<&str> {
    let marker = row.trial_type == TrialType::Marker && row.cause.is_none() && row.port.is_none();
    if marker { row.name.as_deref() } else { None }
}

fn xrun(row: &Row) -> Option<XrunRow> {
    let (event_id, engine) = (row.event_id, row.engine);
    let at = row.deadline.unwrap_or(row.onset);
    (told(row)? == words::XRUN).then_some(XrunRow { event_id, at, engine })
}

fn change(row: &Row) -> Option<ChangeRow> {
    let change = words::parse_change(told(row)?)?;
    let (event_id, engine) = (row.event_id, row.engine);
    let at = row.deadline.unwrap_or(row.onset);
    Some(ChangeRow { event_id, change, at, engine })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GOLDEN: &str = include_str!("../../tests/golden/tiny_events.json");

    fn told(held: Result<Sidecar, ReadError>) -> Result<String, String> {
        let held = held.map_err(|error| error.to_string())?;
        Ok(format!("{:?}", (held.table_sha256, held.header, held.footer)))
    }

    proptest! {
        #[test]
        fn prop_a_description_is_taken_or_refused_as_step_by_step(
            places in prop::collection::vec((any::<prop::sample::Index>(), "[0-9{}:,a\"\\n-]|null"), 0..3),
        ) {
            // The columns are the larger part, and not looked at.
            let from = GOLDEN.find("\"Chronotap\"").unwrap();
            let mut text = format!("{{{}", &GOLDEN[from..]);
            for (place, put) in places {
                let place = place.index(text.len());
                text.replace_range(place..place + 1, &put);
            }
            let path = Path::new("x_events.json");
            let [at_once, by_step] = [parse_sidecar(path, &text), explain_sidecar(path, &text)];
            prop_assert_eq!(told(at_once), told(by_step), "{}", text);
        }
    }

    #[test]
    fn a_description_with_keys_that_nobody_knows_is_taken() {
        let text = GOLDEN.replacen("\"format\"", "\"later\": [1], \"format\"", 1);
        assert_ne!(text, GOLDEN);
        assert!(parse_sidecar(Path::new("x_events.json"), &text).is_ok());
    }

    #[test]
    fn a_description_that_is_none_is_refused_and_breaks_nothing() {
        for text in ["", "[]", "7", "null", "{}", "{\"Chronotap\": 3}", "{\"Chronotap\": {}}"] {
            let refused = parse_sidecar(Path::new("x_events.json"), text);
            assert!(matches!(refused, Err(ReadError::Sidecar { .. })), "{text}");
        }
    }
}
