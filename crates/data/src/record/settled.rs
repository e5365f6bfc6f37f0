//! [`settled`]: the entries of a trial as they turned out.
//!
//! A port that hands messages to an audio server says beforehand at which frame each
//! will be played. Where the server missed a period the message is played later, or
//! never; the port learns of it a period afterwards. The entry of the message stands
//! in the journal by then, and a journal is only ever appended to: the same action is
//! recorded a second time, and the last word counts.

use crate::record::Entry;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The entries with every correction in the place of what it corrects.
pub fn settled(entries: &[Entry]) -> Cow<'_, [Entry]> {
    let corrections = entries.iter().filter(|entry| entry.is_correction());
    let corrected: HashSet<(u64, bool)> = corrections.map(key).collect();
    if corrected.is_empty() {
        return Cow::Borrowed(entries);
    }
    let mut first: HashMap<(u64, bool), usize> = HashMap::new();
    let mut settled: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        let key = key(entry);
        let before = first.get(&key).filter(|_| entry.is_correction());
        match before.and_then(|place| settled.get_mut(*place)) {
            Some(before) if before.action == entry.action => {
                (before.achieved, before.frame) = (entry.achieved, entry.frame);
            }
            _ => {
                if corrected.contains(&key) {
                    first.insert(key, settled.len());
                }
                settled.push(*entry);
            }
        }
    }
    Cow::Owned(settled)
}

/// The end of a tone has the number of the tone.
fn key(entry: &Entry) -> (u64, bool) {
    (entry.action.id, entry.action.kind.is_end_of_another())
}
