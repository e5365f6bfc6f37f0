//! The record of an analysis: by which the same command gives the same bytes again. A study may
//! have a hundred thousand trials, so that it is written trial by trial.

use crate::{Analysis, How, Source, Sources, TABLES_VERSION};
use chronotap_analysis::matching::{Rule, WINDOW};
use serde::ser::{SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// What was done.
pub(super) struct Done<'a> {
    pub sources: &'a Sources,
    pub how: &'a How,
    pub analysis: &'a Analysis,
    pub program: &'a str,
    pub command: &'a [String],
}

#[derive(Deserialize)]
struct Known {
    format: Value,
}

/// Whether a text is a record of this format.
pub(super) fn is_of(format: &str, text: &str) -> bool {
    serde_json::from_str::<Known>(text).is_ok_and(|record| record.format == format)
}

#[derive(Serialize)]
struct Record<'a> {
    format: &'static str,
    version: u32,
    program: &'a str,
    command: &'a [String],
    rules: Vec<String>,
    with_unusable: bool,
    matching: Value,
    counts: Value,
    unread: Vec<&'a str>,
    #[serde(serialize_with = "put_trials")]
    trials: &'a Done<'a>,
}

/// A trial: its file, with a checksum.
#[derive(Serialize)]
struct Trial<'a> {
    events_file: &'a str,
    bytes: Option<usize>,
    crc32: Option<String>,
    used: bool,
    changed: Option<bool>,
}

/// Writes command, rules, counts, and of every trial its file with a checksum.
pub(super) fn put(file: &mut File, format: &'static str, done: &Done<'_>) -> io::Result<()> {
    let record = Record {
        format,
        version: TABLES_VERSION,
        program: done.program,
        command: done.command,
        rules: done.how.rules.iter().map(ToString::to_string).collect(),
        with_unusable: done.how.with_unusable,
        matching: matching(done.how),
        counts: counts(done),
        unread: done.analysis.unread.iter().map(|unread| unread.why.as_str()).collect(),
        trials: done,
    };
    let mut file = BufWriter::with_capacity(1 << 16, file);
    serde_json::to_writer_pretty(&mut file, &record)?;
    file.write_all(b"\n")?;
    file.flush()
}

/// The rule, and the window: one for all trials, or that of each trial file and else the usual one.
fn matching(how: &How) -> Value {
    let window = how.window.unwrap_or(WINDOW);
    let of = if how.window.is_some() { "all trials" } else { "trials that name none" };
    json!({ "method": Rule::default().word(), "window": window, "window_of": of })
}

fn counts(done: &Done<'_>) -> Value {
    let counts = done.analysis.counts;
    json!({
        "trials": counts.trials, "used": counts.used, "unread": counts.unread,
        "not_counting": counts.not_counting, "unusable": counts.unusable,
        "matched_by_an_earlier_rule": counts.matched_otherwise, "changed": counts.changed, "timing_failed": counts.timing_failed, "taps": counts.taps,
        "unlisted_events_files": done.sources.unlisted,
    })
}

fn put_trials<S: Serializer>(done: &&Done<'_>, to: S) -> Result<S::Ok, S::Error> {
    let mut list = to.serialize_seq(Some(done.sources.trials.len()))?;
    for (place, source) in done.sources.trials.iter().enumerate() {
        list.serialize_element(&trial(done.analysis, place, source))?;
    }
    list.end()
}

fn trial<'a>(analysis: &Analysis, place: usize, source: &'a Source) -> Trial<'a> {
    // What cannot be read is told under `unread`.
    let bytes = analysis.bytes[place].or_else(|| {
        let bytes = chronotap_files::read(&source.path).ok()?;
        Some((bytes.len(), crc32fast::hash(&bytes)))
    });
    Trial {
        events_file: &source.shown,
        bytes: bytes.map(|(length, _)| length),
        crc32: bytes.map(|(_, crc32)| format!("{crc32:08x}")),
        used: analysis.used[place],
        changed: analysis.verdicts[place].map(|verdicts| verdicts.changed),
    }
}
