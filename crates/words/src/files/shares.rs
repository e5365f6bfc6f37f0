//! What is said of the shares of one work that several computers did.

use crate::{Says, Sentences, Surface, row, with};
use chronotap_data::shares::ShareError;

pub(super) const ROWS: &[Sentences] = &[row::<ShareError>()];

impl Says for ShareError {
    fn says(&self, _: Surface) -> String {
        let cure = match self {
            ShareError::Read { .. } => "check the path",
            ShareError::NoShare { .. } => {
                "name what the same command with --shard I/N --output FILE wrote"
            }
            ShareError::Version { .. } => "make all shares with this program",
            ShareError::Study { .. } => "name the study as it was, or rehearse the share again",
            ShareError::Trials { .. } => "name the trials of which it is, or make the share again",
            ShareError::Changed { .. } => "make the share again",
            ShareError::Differs { .. } => "make all shares with the same options",
            ShareError::Asked { .. } => "repeat the options of the shares, or make them again",
            ShareError::Twice { .. } => "name each share once",
            ShareError::Lacks { .. } => "name all shares",
        };
        format!("--shares: {}", with(self, cure))
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let path = |name: &str| std::path::PathBuf::from(name);
    let none = |of| ShareError::NoShare { path: path("1.json"), of, why: "it has no end".into() };
    let shares = [
        ShareError::Read { path: path("1.json"), source: std::io::ErrorKind::NotFound.into() },
        none("of a power analysis"),
        none("of an analysis"),
        ShareError::Version { path: path("1.json"), made_by: "chronotap 0".into() },
        ShareError::Study { path: path("1.json"), study: "study.toml".into() },
        ShareError::Trials { path: path("1.json"), trials: 40 },
        ShareError::Changed { path: path("1.json"), trial: path("data/a_events.tsv") },
        ShareError::Differs { path: path("2.json"), first: path("1.json"), what: "--seed" },
        ShareError::Asked { path: path("2.json"), what: "--window is" },
        ShareError::Twice { share: 2, first: path("1.json"), second: path("2.json") },
        ShareError::Lacks { missing: vec![2, 4], of: 4 },
    ];
    shares.into_iter().map(|error| Box::new(error) as _).collect()
}
