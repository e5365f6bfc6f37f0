//! The words that stand in files for the engine's enumerations, in one place so
//! that what is written can be read.

use chronotap_engine::action::{OutsideChange, TrialEnding};
use chronotap_engine::signal::Stamp;

/// Begins the name of the marker row of an input that was closed.
pub(crate) const CLOSED: &str = "input closed: ";
/// Begins the name of the marker row of an input that was there again.
pub(crate) const REOPENED: &str = "input reopened: ";

/// The name of the marker row of a period that the audio server missed. Such a row
/// has no cause, which the markers of a trial have.
pub(crate) const XRUN: &str = "xrun";

/// The names of the marker rows of what changed at the audio server or sequencer, without a cause too.
const CHANGES: [(OutsideChange, &str); 6] = [
    (OutsideChange::Period, "period changed"),
    (OutsideChange::Rate, "rate changed"),
    (OutsideChange::Latency, "latency changed"),
    (OutsideChange::Graph, "other connections changed"),
    (OutsideChange::Disconnected, "connection taken away"),
    (OutsideChange::Connected, "connection made"),
];

const ENDINGS: [(TrialEnding, &str); 5] = [
    (TrialEnding::Rule, "trigger"),
    (TrialEnding::Interrupted, "interrupted"),
    (TrialEnding::InputClosed, "input closed"),
    (TrialEnding::Recorder, "recorder"),
    (TrialEnding::TimeLimit, "time limit"),
];

const STAMPS: [(Stamp, &str); 5] = [
    (Stamp::UserSpace, "user space"),
    (Stamp::Kernel, "kernel"),
    (Stamp::AudioFrame, "audio frame"),
    (Stamp::Device, "device"),
    (Stamp::Virtual, "virtual"),
];

pub(crate) fn ending(ending: TrialEnding) -> &'static str {
    word(&ENDINGS, ending)
}

/// The words of all of them.
pub(crate) fn endings() -> impl Iterator<Item = &'static str> {
    ENDINGS.iter().map(|(_, word)| *word)
}

pub(crate) fn parse_ending(word: &str) -> Option<TrialEnding> {
    value(&ENDINGS, word)
}

pub(crate) fn change(change: OutsideChange) -> &'static str {
    word(&CHANGES, change)
}

/// The words of all of them.
pub(crate) fn changes() -> impl Iterator<Item = &'static str> {
    CHANGES.iter().map(|(_, word)| *word)
}

pub(crate) fn parse_change(word: &str) -> Option<OutsideChange> {
    value(&CHANGES, word)
}

/// The word of a kind of stamp, as it stands in the column `stamp`.
pub fn stamp(stamp: Stamp) -> &'static str {
    word(&STAMPS, stamp)
}

pub(crate) fn parse_stamp(word: &str) -> Option<Stamp> {
    value(&STAMPS, word)
}

/// The word of a value in a table that lists every value.
pub(crate) fn word<T: PartialEq + Copy>(table: &[(T, &'static str)], wanted: T) -> &'static str {
    table.iter().find(|(value, _)| *value == wanted).map_or("n/a", |(_, word)| word)
}

/// The value of a word.
pub(crate) fn value<T: Copy>(table: &[(T, &'static str)], wanted: &str) -> Option<T> {
    table.iter().find(|(_, word)| *word == wanted).map(|(value, _)| *value)
}
