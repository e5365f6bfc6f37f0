//! [`OutOfTurn`]: sessions that somebody began all the same before or after the study has them begin, as
//! the first lines of their journals say it.

use crate::tables::names::SOURCE;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A session that was out of its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutOfTurn {
    /// The label of the participant.
    pub participant: String,
    /// The session, from 1.
    pub session: u64,
    /// Why it was out of its turn.
    pub why: String,
}

impl OutOfTurn {
    /// Those of a dataset, by participant and session. What is no journal says nothing.
    pub fn of_dataset(dataset: &Path) -> Vec<OutOfTurn> {
        let mut journals = Vec::new();
        collect(&dataset.join(SOURCE), 2, &mut journals);
        journals.sort();
        journals.iter().filter_map(|journal| began(journal)).collect()
    }
}

/// The journals in the folders of participants and their sessions.
fn collect(folder: &Path, deeper: u32, journals: &mut Vec<PathBuf>) {
    for item in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (item.path(), item.file_name());
        let name = name.to_string_lossy();
        let inside = name.starts_with("sub-") || name.starts_with("ses-");
        if item.file_type().is_ok_and(|kind| kind.is_dir()) {
            if inside && deeper > 0 {
                collect(&path, deeper - 1, journals);
            }
        } else if name.ends_with("_journal.jsonl") {
            journals.push(path);
        }
    }
}

/// What the first line says, up to its checksum.
fn began(journal: &Path) -> Option<OutOfTurn> {
    let text = chronotap_core::files::read_to_string(journal).ok()?;
    let line: Value = serde_json::from_str(text.lines().next()?.split('\t').next()?).ok()?;
    let why = line["despite"].as_str()?.to_owned();
    let participant = line["participant"].as_str()?.to_owned();
    Some(OutOfTurn { participant, session: line["session"].as_u64()?, why })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_says_itself_that_it_was_begun_out_of_its_turn() {
        let dir = tempfile::tempdir().unwrap();
        for (label, session, despite) in [("02", 2, ",\"despite\":\"too early\""), ("01", 1, "")] {
            let folder = dir.path().join(format!("{SOURCE}/sub-{label}/ses-{session}"));
            std::fs::create_dir_all(&folder).unwrap();
            let line = format!(
                "{{\"what\":\"began\",\"participant\":\"{label}\",\"session\":{session}{despite}}}\t0\n"
            );
            std::fs::write(folder.join("x_journal.jsonl"), line).unwrap();
        }
        let found = OutOfTurn::of_dataset(dir.path());
        let due = OutOfTurn { participant: "02".into(), session: 2, why: "too early".into() };
        assert_eq!(found, [due]);
        assert_eq!(OutOfTurn::of_dataset(Path::new("/nowhere")), []);
    }
}
