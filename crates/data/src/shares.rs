//! Work that several computers share: which part of it is whose ([`Shard`]), and whether the files that they made
//! are of one work and together all of it ([`ShareError`]).

use crate::record::PROGRAM;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// As many missing shares are named.
const SHOWN: usize = 10;

/// A share of the work: of things that are counted from 0, every `of`-th from `part` on; or, where neighbours
/// belong together, one of `of` stretches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0; below `of`.
    pub part: usize,
    /// At least 1.
    pub of: usize,
}

impl Shard {
    /// All of it.
    pub const ALL: Shard = Shard { part: 0, of: 1 };

    /// Whether thing `k` is in this share.
    pub fn has(self, k: usize) -> bool {
        k % self.of == self.part
    }

    /// The share as a stretch of `count` things. The stretches of all shares are all things, in order.
    pub fn stretch(self, count: usize) -> Range<usize> {
        let before = |part: usize| (count as u128 * part as u128 / self.of as u128) as usize;
        before(self.part)..before(self.part + 1)
    }

    /// As its file has it: from 1, of how many.
    pub fn written(self) -> (u32, u32) {
        (self.part as u32 + 1, self.of as u32)
    }
}

/// Why shares do not make a whole.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is no share. Name what a command with `--shard` wrote.
    #[error("{}: no share {of}: {why}", path.display())]
    NoShare {
        path: PathBuf,
        /// Of what: `of an analysis`.
        of: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// Another version of the program made it. Make all shares with this one.
    #[error("{}: made by {made_by}, and this is {PROGRAM}", path.display())]
    Version {
        path: PathBuf,
        /// The program, with its version.
        made_by: String,
    },
    /// It is of another study, or the study was changed. Name the study as it was.
    #[error("{}: of another study than {study}", path.display())]
    Study {
        path: PathBuf,
        /// The study, as it was named.
        study: String,
    },
    /// It is of other trials than those that are named, or not of all of them. Make it again.
    #[error("{}: not of the {trials} trials that are named", path.display())]
    Trials { path: PathBuf, trials: usize },
    /// A trial was changed after the share was made. Make it again.
    #[error("{}: {} was changed since", path.display(), trial.display())]
    Changed { path: PathBuf, trial: PathBuf },
    /// Shares were asked for different things. Make one of them again.
    #[error("{}: {what} not as in {}", path.display(), first.display())]
    Differs {
        path: PathBuf,
        first: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// A share was asked for other things than all of them together. Repeat its options.
    #[error("{}: {what} not as it is asked now", path.display())]
    Asked {
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// A share is there twice. Name each once.
    #[error("share {share} is in {} and in {}", first.display(), second.display())]
    Twice { share: u32, first: PathBuf, second: PathBuf },
    /// Shares are missing. Name all.
    #[error("of {of} shares there lack {}", list(missing))]
    Lacks {
        /// From 1, ascending; the first ones, where they are many.
        missing: Vec<u32>,
        of: u32,
    },
}

fn list(shares: &[u32]) -> String {
    let first: Vec<String> = shares.iter().take(SHOWN).map(u32::to_string).collect();
    let more = if shares.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", first.join(", "))
}

/// By whom a share is; read first, because other versions may have other fields.
#[derive(Deserialize)]
pub struct Whose {
    format: String,
    version: u32,
    program: String,
}

impl Whose {
    /// Whether it is a share of this form, from this program.
    ///
    /// # Errors
    /// [`ShareError::NoShare`], [`ShareError::Version`].
    pub fn check(
        bytes: &[u8],
        path: &Path,
        of: &'static str,
        (format, version): (&str, u32),
    ) -> Result<(), ShareError> {
        let none = |why: String| ShareError::NoShare { path: path.to_owned(), of, why };
        let whose: Whose =
            serde_json::from_slice(bytes).map_err(|error| none(error.to_string()))?;
        if whose.format != format {
            return Err(none(format!("its format is \"{}\"", whose.format)));
        }
        if whose.version != version || whose.program != PROGRAM {
            return Err(ShareError::Version { path: path.to_owned(), made_by: whose.program });
        }
        Ok(())
    }
}

/// The files by their shares, from 1, where each share is there once.
///
/// # Errors
/// [`ShareError::Differs`], where they are not of as many, [`ShareError::Twice`], [`ShareError::Lacks`].
pub fn all_there<'a>(
    shares: impl IntoIterator<Item = (&'a Path, (u32, u32))>,
) -> Result<BTreeMap<u32, &'a Path>, ShareError> {
    let mut there: BTreeMap<u32, &Path> = BTreeMap::new();
    let mut first: Option<(&Path, u32)> = None;
    for (path, (share, of)) in shares {
        let (one, all) = *first.get_or_insert((path, of));
        if of != all {
            let (path, first) = (path.to_owned(), one.to_owned());
            return Err(ShareError::Differs { path, first, what: "the number of shares" });
        }
        if let Some(first) = there.insert(share, path) {
            let (first, second) = (first.to_owned(), path.to_owned());
            return Err(ShareError::Twice { share, first, second });
        }
    }
    let of = first.map_or(1, |(_, of)| of);
    if there.len() < of as usize {
        let missing = (1..=of).filter(|share| !there.contains_key(share));
        let missing = missing.take(SHOWN + 1).collect();
        return Err(ShareError::Lacks { missing, of });
    }
    Ok(there)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_stretches_are_all_things_in_order(count in 0usize..1_000, of in 1usize..50) {
            let stretches = (0..of).flat_map(|part| Shard { part, of }.stretch(count));
            prop_assert_eq!(stretches.collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
            let lengths = (0..of).map(|part| Shard { part, of }.stretch(count).len());
            let (least, most) = (lengths.clone().min(), lengths.max());
            prop_assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1));
        }
    }

    #[test]
    fn shares_that_are_doubled_missing_or_of_another_number_are_no_whole() {
        let paths = ["a", "b", "c"].map(Path::new);
        let of = |shares: &[(usize, (u32, u32))]| {
            let there = all_there(shares.iter().map(|(path, share)| (paths[*path], *share)));
            there.map(|there| there.into_values().collect::<Vec<_>>())
        };
        assert_eq!(of(&[(0, (2, 2)), (1, (1, 2))]).ok(), Some(vec![paths[1], paths[0]]));
        let twice = of(&[(0, (1, 2)), (1, (1, 2))]);
        assert!(matches!(twice, Err(ShareError::Twice { share: 1, .. })), "{twice:?}");
        let lacks = of(&[(0, (2, 4)), (1, (4, 4))]);
        assert!(
            matches!(&lacks, Err(ShareError::Lacks { missing, of: 4 }) if *missing == [1, 3]),
            "{lacks:?}"
        );
        let differs = of(&[(0, (1, 2)), (1, (2, 3))]);
        assert!(matches!(differs, Err(ShareError::Differs { .. })), "{differs:?}");
        assert!(matches!(of(&[]), Err(ShareError::Lacks { of: 1, .. })));
        let most = of(&[(0, (1, u32::MAX))]).unwrap_err().to_string();
        assert_eq!(most, "of 4294967295 shares there lack 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …");
    }
}
