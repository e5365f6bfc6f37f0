//! [`Manifest`]: the first file of a pack. It says what the pack is, and lists every other file.

use chronotap_data::record::PROGRAM;
use chronotap_design::{ExpectedFinding, expected};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the manifest; raised when a key changes its meaning.
pub const PACK_VERSION: u32 = 1;
/// The name of its format.
pub(super) const FORMAT: &str = "chronotap-pack";
/// Its place in the pack.
pub(super) const MANIFEST: &str = "manifest.json";
/// The folder of the study's files, of its plans, and of the tables of its rehearsal.
pub(super) const STUDY: &str = "study";
pub(super) const PLANS: &str = "plans";
pub(super) const REHEARSAL: &str = "rehearsal";
/// The folder of a finished study's data.
pub(super) const DATASET: &str = "dataset";

/// What a pack says of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: String,
    pub version: u32,
    /// The program that packed, and its version.
    pub program: String,
    pub title: String,
    /// The task label of the study.
    pub task: String,
    /// Whether what was asked about persons is in it.
    pub persons: bool,
    /// What every input and output of the study was or will be: its direction, its name, and the ports that
    /// it was bound to.
    pub devices: Vec<PackedDevice>,
    /// Of a study that is to be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<OfStudy>,
    /// Of a finished one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<OfDataset>,
    /// What the study was published to find, a sentence with its source each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<String>,
    /// Length and SHA-256 of every other file, by its name.
    pub files: BTreeMap<String, Sum>,
}

/// A study that is to be run, and how it was rehearsed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfStudy {
    /// The name of the experiment file.
    pub experiment: String,
    /// How many people were rehearsed.
    pub participants: u32,
    /// Who taps, as a description.
    pub model: String,
    /// The longest that a trial may last.
    pub longest_ns: i64,
}

/// A finished study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfDataset {
    pub participants: usize,
    pub sessions: usize,
    pub trials: usize,
    /// Trials whose timing did not pass.
    pub timing_failed: usize,
    /// Trials whose data cannot be used.
    pub unusable: usize,
    /// Whether nobody tapped.
    pub simulated: bool,
}

/// An input or output.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedDevice {
    /// `in` or `out`.
    pub direction: String,
    /// Its name in the trial files.
    pub name: String,
    /// The ports that it was bound to; none of a study that was not run.
    pub ports: Vec<String>,
}

/// Length and checksum of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    pub bytes: u64,
    pub sha256: String,
}

fn sentence(of: &ExpectedFinding) -> String {
    format!("{} ({})", of.effect, of.source)
}

impl Manifest {
    /// Of a study, without anything else known.
    pub(super) fn of(study: &crate::Study) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            version: PACK_VERSION,
            program: PROGRAM.to_owned(),
            title: study.about.title.clone(),
            task: study.about.task.clone(),
            published: expected(&study.experiment).map(sentence).collect(),
            ..Manifest::default()
        }
    }

    /// As it stands in the pack.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default(); // it has keys of text alone
        bytes.push(b'\n');
        bytes
    }
}
