//! What became of each tap: the stream, beat and asynchrony that the summary used, or why the
//! tap has none, beside the tap in the table of events.
//!
//! It follows from all entries of a trial and its trial file, so that it is worked out when
//! the table is written, and again when a table is checked. While a trial runs it is not
//! known: the next tap may be closer to the beat.

use crate::{Circumstances, Entry, Header, Names, Row, Rows, TapFate, answers, observed};
use chronotap_analysis::account::{Account, Fate};
use chronotap_analysis::observed::Observed;
use chronotap_experiment::TrialFile;
use std::collections::HashMap;

/// The rows of a trial, each tap with what became of it ([`Rows::of_header`]).
pub fn rows_of(header: &Header, entries: &[Entry]) -> Vec<Row> {
    Rows::of_header(header, entries).iter().collect()
}

/// The same where the trial file is at hand.
pub fn rows_of_trial(names: &Names, file: &TrialFile, entries: &[Entry]) -> Vec<Row> {
    Rows::of_trial(names, file, entries).iter().collect()
}

/// The fate of each tap, by its event; of entries in which every correction is in its place.
pub(crate) fn fates(file: &TrialFile, entries: &[Entry]) -> HashMap<u64, TapFate> {
    let seen = Circumstances { answers: answers(file), ..Circumstances::default() };
    let observed = &observed(&file.trial, entries, &seen);
    let account = &Account::of(observed);
    let inputs = observed.taps.iter().enumerate();
    let taps = inputs.flat_map(|(input, of)| {
        of.taps.iter().enumerate().map(move |(place, tap)| (input, place, tap.id))
    });
    taps.map(|(input, place, id)| (id, named(observed, account.tap(input, place)))).collect()
}

fn named(observed: &Observed<'_>, fate: Fate) -> TapFate {
    match fate {
        Fate::Matched { stream, beat, asynchrony } => {
            let stream = &observed.pacing[stream];
            let (against, beat) = (stream.name.to_owned(), stream.beats[beat].number);
            TapFate::Matched { against, beat, asynchrony }
        }
        without => TapFate::Without(without),
    }
}
