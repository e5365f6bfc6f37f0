//! [`same_trials`]: which trials are byte for byte one that stands before them, whatever their files are called.
//! A description has the moment at which its trial began, its seed, and the checksum of its events, so that two
//! trials never have one.

use super::Source;
use crate::record::{Header, read_header};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Of each trial that is the same as an earlier one, both places. Only descriptions whose files have
/// the same lengths are read.
pub(crate) fn same_trials(trials: &[&Source]) -> Vec<(usize, usize)> {
    of_paths(trials.len(), |place| trials[place].path.as_path())
}

/// The same of events files.
pub fn same_files(events: &[PathBuf]) -> Vec<(usize, usize)> {
    of_paths(events.len(), |place| events[place].as_path())
}

fn of_paths<'a>(count: usize, path: impl Fn(usize) -> &'a Path) -> Vec<(usize, usize)> {
    let mut of_length: HashMap<[u64; 2], Vec<usize>> = HashMap::new();
    let mut found = Vec::new();
    for place in 0..count {
        let Some(lengths) = lengths(path(place)) else { continue };
        let alike = of_length.entry(lengths).or_default();
        match alike.iter().find(|known| is_one(path(**known), path(place))) {
            Some(known) => found.push((place, *known)),
            None => alike.push(place),
        }
    }
    found
}

fn lengths(events: &Path) -> Option<[u64; 2]> {
    let of = |path: &Path| fs::metadata(path).ok().filter(fs::Metadata::is_file);
    Some([of(events)?.len(), of(&events.with_extension("json"))?.len()])
}

/// Whether both are one trial: they have one description, which says when it began or where it comes
/// from. Without either, equal bytes may be of two trials.
fn is_one(one: &Path, other: &Path) -> bool {
    let read = |path: &Path| chronotap_core::files::read(&path.with_extension("json")).ok();
    let (Some(first), Some(second)) = (read(one), read(other)) else { return false };
    let says_when = |header: Header| !header.started.is_empty() || header.source.is_some();
    first == second && read_header(one).is_ok_and(says_when)
}
