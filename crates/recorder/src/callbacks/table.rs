//! [`write_table`]: from the log of callbacks to the two files that are kept:
//! `<name>_callbacks.tsv.gz`, a row for each, and `<name>_callbacks.json`, what its
//! columns mean and what is missing. Each is put in its place whole or not at all.

use super::records::{Record, read_cards, records};
use super::{CALLBACKS_VERSION, Card};
use chronotap_core::files::Disk;
use chronotap_core::time::Nanos;
use chronotap_data::record::RecordError;
use chronotap_data::record::place::{TrialFiles, place};
use chronotap_data::record::text;
use chronotap_engine::signal::Callback;
use flate2::{Compression, write::GzEncoder};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The columns: name, long name, units, description.
const COLUMNS: [(&str, &str, &str, &str); 6] = [
    ("card", "Sound card", "", "Which card of those under `cards`, from 1."),
    (
        "frame",
        "First frame",
        "",
        "The first frame of the period, as the card numbers them from its own start.",
    ),
    ("frames", "Frames", "", "How many frames the period has."),
    (
        "due_ns",
        "Beginning of the period",
        "ns",
        "When the period began by the card's own account, from the start of the trial; its first frame is at the converter playback_latency_ns later.",
    ),
    ("began_ns", "Call", "ns", "When the sound of the period was asked for."),
    ("ended_ns", "Return", "ns", "When it had been computed."),
];

/// What the whole log says.
struct Seen {
    cards: Vec<Known>,
    complete: bool,
}

/// What is known of a card in the end.
#[derive(Clone, Debug, Default, Serialize)]
struct Known {
    #[serde(flatten)]
    card: Card,
    origin_ns: Option<i64>,
    callbacks: u64,
    lost: u64,
    xruns: u64,
    #[serde(skip)]
    zero: Nanos, // what times count from
}

/// Makes the table and its description of a log; the log stays.
///
/// # Errors
/// [`RecordError::Exists`], [`RecordError::Events`].
pub(crate) fn write_table<D: Disk>(
    disk: &D,
    log: &Path,
    files: &TrialFiles,
) -> Result<PathBuf, RecordError> {
    let unread = |source| RecordError::Callbacks {
        path: files.callbacks_json.clone(),
        log: log.to_owned(),
        source,
    };
    let json = look(disk, log).and_then(|seen| Ok((description(&seen)?, seen.cards)));
    let (json, known) = json.map_err(unread)?;
    place(disk, &files.callbacks_json, true, |file| file.write_all(&json))?;
    place(disk, &files.callbacks_tsv, true, |file| write_rows(file, disk.open(log)?, &known))?;
    Ok(files.callbacks_tsv.clone())
}

/// Reads the log once, for what stands at its end and concerns its beginning.
fn look<D: Disk>(disk: &D, log: &Path) -> io::Result<Seen> {
    let mut log = BufReader::new(disk.open(log)?);
    let known = |card| Known { card, ..Known::default() };
    let cards = read_cards(&mut log)?.into_iter().map(known).collect();
    let mut seen = Seen { cards, complete: false };
    for (card, record) in records(log) {
        let Some(known) = seen.cards.get_mut(card) else { continue };
        match record {
            Record::Call(call) => {
                known.callbacks += 1;
                // Of a trial that never started, times count from the first call.
                if known.origin_ns.is_none() && known.callbacks == 1 {
                    known.zero = call.due;
                }
            }
            Record::Origin(at) => (known.origin_ns, known.zero) = (Some(at.0), at),
            Record::Counts { lost, xruns } => (known.lost, known.xruns) = (lost, xruns),
            Record::End => seen.complete = true,
        }
    }
    Ok(seen)
}

fn description(seen: &Seen) -> io::Result<Vec<u8>> {
    let mut all = serde_json::Map::new();
    for (name, long, units, description) in COLUMNS {
        let mut one = json!({ "LongName": long, "Description": description });
        if !units.is_empty() {
            one["Units"] = json!(units);
        }
        all.insert(name.into(), one);
    }
    let held = json!({ "format": "chronotap-callbacks", "version": CALLBACKS_VERSION,
        "complete": seen.complete, "cards": serde_json::to_value(&seen.cards)? });
    all.insert("Chronotap".into(), held);
    let mut bytes = serde_json::to_vec_pretty(&Value::Object(all))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes the rows in the order in which the log has them: of each card oldest first.
fn write_rows(file: impl Write, log: impl Read, known: &[Known]) -> io::Result<()> {
    let mut log = BufReader::new(log);
    read_cards(&mut log)?;
    let mut out = GzEncoder::new(file, Compression::fast());
    let mut rows = COLUMNS.map(|column| column.0).join("\t").into_bytes();
    rows.push(b'\n');
    for (card, record) in records(log) {
        if let (Record::Call(call), Some(known)) = (record, known.get(card)) {
            put_row(&mut rows, card, &call, known.zero);
        }
        if rows.len() > 1 << 16 {
            out.write_all(&rows)?;
            rows.clear();
        }
    }
    out.write_all(&rows)?;
    out.finish().map(drop)
}

fn put_row(out: &mut Vec<u8>, card: usize, call: &Callback, zero: Nanos) {
    text::put_u64(out, card as u64 + 1);
    for number in [call.frame, call.frames.into()] {
        out.push(b'\t');
        text::put_u64(out, number);
    }
    for time in [call.due, call.began, call.ended] {
        out.push(b'\t');
        text::put_i64(out, (time - zero).0);
    }
    out.push(b'\n');
}
