//! What was heard of a stream, on the disk: a table with a row for each sample, and beside it what the stream says of itself.

use anyhow::{Context, Result};
use chronotap_core::files::{create_new, is_there};
use chronotap_core::time::Nanos;
use chronotap_data::record::text::put_text;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// What a row has before the channels.
const CLOCKS: [(&str, &str); 5] = [
    (
        "onset_ns",
        "When it was, on this computer's CLOCK_MONOTONIC: source_ns + correction_ns. n/a where the clocks could not be compared.",
    ),
    ("source_ns", "When it was, on the clock of its source (LSL's local_clock there)."),
    (
        "correction_ns",
        "What is added to the source's clock for this computer's: LSL's time correction at that moment.",
    ),
    (
        "round_trip_ns",
        "How long the question and its answer took by which the clocks were compared; the correction is certain to half of it.",
    ),
    ("arrived_ns", "When it came here, on this computer's CLOCK_MONOTONIC."),
];

/// How much may be lost when the power fails.
const EVERY: Nanos = Nanos::from_millis(100);

/// The table of a stream.
pub struct StreamTable {
    pub path: PathBuf,
    file: BufWriter<File>,
    written: Nanos, // what was written before is on the disk
    pub rows: u64,
}

impl StreamTable {
    /// Makes `PREFIX_lsl-NAME.tsv` and its description; where there is one already, with a number.
    pub fn make(prefix: &Path, about: &Value, now: Nanos) -> Result<StreamTable> {
        let path = free(prefix, &word(about["name"].as_str().unwrap_or_default()));
        let named = || format!("{}: cannot be made", path.display());
        let labels = labels(about);
        let mut file = BufWriter::new(create_new(&path).with_context(named)?);
        let mut heading = CLOCKS.map(|(name, _)| name).join("\t").into_bytes();
        for label in &labels {
            heading.push(b'\t');
            put_text(&mut heading, label);
        }
        heading.push(b'\n');
        file.write_all(&heading).with_context(named)?;
        let mut description = create_new(&path.with_extension("json")).with_context(named)?;
        serde_json::to_writer_pretty(&mut description, &described(about, &labels))?;
        description.write_all(b"\n").with_context(named)?;
        Ok(StreamTable { path, file, written: now, rows: 0 })
    }

    pub fn row(&mut self, row: &str) -> std::io::Result<()> {
        self.rows += 1;
        self.file.write_all(row.as_bytes())?;
        self.file.write_all(b"\n")
    }

    /// Brings to the disk what came, from time to time.
    pub fn keep(&mut self, now: Nanos) -> std::io::Result<()> {
        if now < self.written.saturating_add(EVERY) {
            return Ok(());
        }
        self.written = now;
        self.file.flush()?;
        self.file.get_ref().sync_data()
    }
}

/// The first path that is free.
fn free(prefix: &Path, word: &str) -> PathBuf {
    let numbered = |number: u32| {
        let number = if number > 1 { format!("-{number:02}") } else { String::new() };
        let mut path = prefix.as_os_str().to_owned();
        path.push(format!("_lsl-{word}{number}.tsv"));
        PathBuf::from(path)
    };
    let taken = |path: &PathBuf| is_there(path) || is_there(&path.with_extension("json"));
    (1..).map(numbered).find(|path| !taken(path)).unwrap_or_else(|| numbered(u32::MAX))
}

/// A stream's name as a part of a file's.
fn word(name: &str) -> String {
    let word: String = name.chars().take(60).filter(|c| c.is_ascii_alphanumeric()).collect();
    if word.is_empty() { "stream".to_owned() } else { word }
}

/// The channels' columns, of which none has another's name.
fn labels(about: &Value) -> Vec<String> {
    let mut labels: Vec<String> = CLOCKS.map(|(name, _)| name.to_owned()).to_vec();
    for label in about["channels"].as_array().into_iter().flatten() {
        let label = label.as_str().unwrap_or_default();
        let numbered = (2..).map(|number| format!("{label}_{number}"));
        let free =
            std::iter::once(label.to_owned()).chain(numbered).find(|name| !labels.contains(name));
        labels.extend(free);
    }
    labels.split_off(CLOCKS.len())
}

fn described(about: &Value, labels: &[String]) -> Value {
    let mut columns = serde_json::Map::new();
    for (name, what) in CLOCKS {
        columns.insert(name.to_owned(), json!({ "Description": what, "Units": "ns" }));
    }
    for label in labels {
        columns.insert(label.clone(), json!({ "Description": "A channel of the stream" }));
    }
    json!({ "kind": "chronotap stream", "program": env!("CARGO_PKG_VERSION"), "clock": "CLOCK_MONOTONIC", "stream": about, "columns": columns })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_table_has_both_clocks_and_a_column_for_each_channel() {
        let folder = tempfile::tempdir().unwrap();
        let about = json!({ "name": "Eye/left", "channels": ["x", "x", "onset_ns"] });
        let prefix = folder.path().join("a");
        for (number, name) in ["a_lsl-Eyeleft.tsv", "a_lsl-Eyeleft-02.tsv"].iter().enumerate() {
            let mut table = StreamTable::make(&prefix, &about, Nanos::ZERO).unwrap();
            table.row("5\t4\t1\t2\t9\t0.5\t1\t2").unwrap();
            table.keep(Nanos::from_secs(1)).unwrap();
            assert_eq!(table.path, folder.path().join(name), "{number}");
        }
        let text = fs::read_to_string(folder.path().join("a_lsl-Eyeleft.tsv")).unwrap();
        let heading =
            "onset_ns\tsource_ns\tcorrection_ns\tround_trip_ns\tarrived_ns\tx\tx_2\tonset_ns_2";
        assert_eq!(text, format!("{heading}\n5\t4\t1\t2\t9\t0.5\t1\t2\n"));
        let description = fs::read_to_string(folder.path().join("a_lsl-Eyeleft.json")).unwrap();
        let description: Value = serde_json::from_str(&description).unwrap();
        assert_eq!(description["columns"].as_object().unwrap().len(), 8);
        assert_eq!(description["stream"]["name"], "Eye/left");
    }
}
