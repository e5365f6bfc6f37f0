//! The record of an analysis: by which the same command gives the same bytes again. A study may
//! have a hundred thousand trials, so that it is written trial by trial.

use crate::tables::{Analysis, AnalysisOptions, Outcome, Source, Sources, TABLES_VERSION};
use chronotap_analysis::matching::{MatchingRule, WINDOW};
use chronotap_core::text::shared;
use serde::ser::{SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

pub(super) struct Done<'a> {
    pub sources: &'a Sources,
    pub how: &'a AnalysisOptions,
    pub analysis: &'a Analysis,
    pub program: &'a str,
    pub command: &'a [String],
    pub files: BTreeMap<String, FileSum>,
}

/// Bytes and checksum of a file of an analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSum {
    /// Its length.
    pub bytes: u64,
    /// Its CRC-32, in hexadecimal.
    pub crc32: String,
}

impl FileSum {
    /// Of a file, which need not fit into memory.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn of(path: &Path) -> io::Result<FileSum> {
        let (mut file, mut sum) = (chronotap_core::files::open(path)?, crc32fast::Hasher::new());
        let (mut buffer, mut bytes) = (vec![0; 1 << 16], 0);
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(FileSum { bytes, crc32: format!("{:08x}", sum.finalize()) }),
                read => {
                    sum.update(&buffer[..read]);
                    bytes += read as u64;
                }
            }
        }
    }
}

/// The sums of these files, by their names.
pub(super) fn sums(paths: &[PathBuf]) -> io::Result<BTreeMap<String, FileSum>> {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    paths.iter().map(|path| Ok((name(path), FileSum::of(path)?))).collect()
}

/// An analysis, as its record tells of it.
#[derive(Clone, Debug, Deserialize)]
pub struct AnalysisRecord {
    format: Value,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default)]
    with_unusable: bool,
    #[serde(default)]
    matching: Value,
    #[serde(default)]
    contrasts: Vec<String>,
    /// What it was asked for, word by word.
    #[serde(default)]
    pub command: Vec<String>,
    /// Its tables by their names; empty where it was cut short, `None` where an older version
    /// wrote it.
    #[serde(default)]
    pub files: Option<BTreeMap<String, FileSum>>,
    #[serde(default)]
    trials: Vec<Named>,
}

#[derive(Clone, Debug, Deserialize)]
struct Named {
    events_file: String,
}

impl AnalysisRecord {
    /// From the text of a record; `None` where it is none.
    pub fn parse(text: &str) -> Option<AnalysisRecord> {
        let record: AnalysisRecord = serde_json::from_str(text).ok()?;
        (record.format == super::FORMAT).then_some(record)
    }

    /// What was left out; `None` where a rule is not one of this version.
    pub fn how(&self) -> Option<AnalysisOptions> {
        let rules = self.rules.iter().map(|rule| rule.parse().ok()).collect::<Option<_>>()?;
        let of_all = self.matching["window_of"] == OF_ALL;
        let window = self.matching["window"].as_f64().filter(|_| of_all);
        let asked = self.contrasts.iter().map(|words| words.parse().ok()).collect::<Option<_>>()?;
        Some(AnalysisOptions { rules, with_unusable: self.with_unusable, window, asked })
    }

    /// The events files that it is of.
    pub fn events_files(&self) -> impl Iterator<Item = &str> {
        self.trials.iter().map(|trial| &*trial.events_file)
    }
}

#[derive(Serialize)]
struct Record<'a> {
    format: &'static str,
    version: u32,
    program: &'a str,
    command: Vec<String>,
    rules: Vec<String>,
    with_unusable: bool,
    matching: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contrasts: Vec<String>,
    counts: Value,
    /// Whom the study leaves out by their answers, by label, and why.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    excluded: &'a BTreeMap<String, String>,
    unread: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_aside: Vec<String>,
    files: &'a BTreeMap<String, FileSum>,
    #[serde(serialize_with = "put_trials")]
    trials: &'a Done<'a>,
}

/// A trial: its file, with a checksum.
#[derive(Serialize)]
struct Trial {
    events_file: String,
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
        command: done.command.iter().map(|word| shared(word)).collect(),
        rules: done.how.rules.iter().map(ToString::to_string).collect(),
        with_unusable: done.how.with_unusable,
        matching: matching(done.how),
        contrasts: done.how.asked.iter().map(Outcome::words).collect(),
        counts: counts(done),
        excluded: &done.sources.excluded.people,
        unread: done.analysis.unread.iter().map(|unread| shared(&unread.why.to_string())).collect(),
        left_aside: done.sources.aside.iter().map(|one| shared(&one.to_string())).collect(),
        files: &done.files,
        trials: done,
    };
    let mut file = BufWriter::with_capacity(1 << 16, file);
    serde_json::to_writer_pretty(&mut file, &record)?;
    file.write_all(b"\n")?;
    file.flush()
}

/// Said of a window that was asked for.
const OF_ALL: &str = "all trials";

/// The rule, and the window: one for all trials, or that of each trial file and else the usual one.
fn matching(how: &AnalysisOptions) -> Value {
    let window = how.window.unwrap_or(WINDOW);
    let of = if how.window.is_some() { OF_ALL } else { "trials that name none" };
    json!({ "method": MatchingRule::default().word(), "window": window, "window_of": of })
}

fn counts(done: &Done<'_>) -> Value {
    let counts = done.analysis.counts;
    json!({
        "trials": counts.trials, "used": counts.used, "unread": counts.unread,
        "not_counting": counts.not_counting, "unusable": counts.unusable,
        "matched_by_an_earlier_rule": counts.matched_otherwise, "changed": counts.changed, "timing_failed": counts.timing_failed, "taps": counts.taps,
        "unlisted_events_files": done.sources.unlisted,
        "withdrawn_participants": done.sources.withdrawn.len(),
    })
}

fn put_trials<S: Serializer>(done: &&Done<'_>, to: S) -> Result<S::Ok, S::Error> {
    let mut list = to.serialize_seq(Some(done.sources.trials.len()))?;
    for (place, source) in done.sources.trials.iter().enumerate() {
        list.serialize_element(&trial(done.analysis, place, source))?;
    }
    list.end()
}

fn trial(analysis: &Analysis, place: usize, source: &Source) -> Trial {
    // What cannot be read is told under `unread`.
    let bytes = analysis.bytes[place].or_else(|| {
        let bytes = chronotap_core::files::read(&source.path).ok()?;
        Some((bytes.len(), crc32fast::hash(&bytes)))
    });
    Trial {
        events_file: shared(&source.shown),
        bytes: bytes.map(|(length, _)| length),
        crc32: bytes.map(|(_, crc32)| format!("{crc32:08x}")),
        used: analysis.used[place],
        changed: analysis.verdicts[place].map(|verdicts| verdicts.changed),
    }
}
