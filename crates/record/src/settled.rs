//! [`settled`]: the entries of a trial as they turned out.
//!
//! A port that hands messages to an audio server says beforehand at which frame each
//! will be played. Where the server missed a period the message is played later, or
//! never; the port learns of it a period afterwards. The entry of the message stands
//! in the journal by then, and a journal is only ever appended to: the same action is
//! recorded a second time, and the last word counts.

use crate::Entry;
use chronotap_engine::action::Kind;
use std::borrow::Cow;
use std::collections::HashMap;

/// The entries with every correction in the place of what it corrects.
pub fn settled(entries: &[Entry]) -> Cow<'_, [Entry]> {
    if !entries.iter().any(Entry::is_correction) {
        return Cow::Borrowed(entries);
    }
    let mut first: HashMap<(u64, bool), usize> = HashMap::with_capacity(entries.len());
    let mut settled: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        let key = (entry.action.id, entry.action.kind == Kind::ToneOff);
        let corrected = first.get(&key).filter(|_| entry.is_correction());
        match corrected.and_then(|place| settled.get_mut(*place)) {
            Some(before) if before.action == entry.action => {
                (before.achieved, before.frame) = (entry.achieved, entry.frame);
            }
            _ => {
                first.insert(key, settled.len());
                settled.push(*entry);
            }
        }
    }
    Cow::Owned(settled)
}
