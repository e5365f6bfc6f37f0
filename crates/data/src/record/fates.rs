//! What became of each tap: the stream, beat and asynchrony that the summary used, or why the
//! tap has none, beside the tap in the table of events.
//!
//! It follows from all entries of a trial and its trial file, so that it is worked out when
//! the table is written, and again when a table is checked. While a trial runs it is not
//! known: a tap before it may still come in, late. It goes by the rule that the header names.

use crate::record::answers::answers_by;
use crate::record::summarize::Observing;
use crate::record::{Circumstances, Entry, HeardAgain, TapFate};
use chronotap_analysis::account::{Account, Fate};
use chronotap_analysis::matching::MatchingRule;
use chronotap_analysis::observed::{Observed, ObservedStream, Tap};
use chronotap_config::trial_files::TrialFile;

/// Taps and beats of a trial together, as events, above which it is not told what became of each
/// tap. All of them are compared for it, and what memory that takes must have a bound: some 60 MB. A person needs ten
/// hours for so many; a stuck key, minutes.
pub const MOST_JUDGED: usize = 250_000;

/// All that must be known to judge taps besides the events.
pub(crate) fn judging(rule: MatchingRule, file: &TrialFile, heard: &HeardAgain) -> Circumstances {
    let (answers, heard) = (answers_by(rule, file), heard.clone());
    Circumstances { answers, heard, ..Circumstances::default() }
}

/// What became of each tap of a trial.
#[derive(Debug, Default)]
pub(crate) struct Fates {
    by_event: Vec<(u64, Fate)>,       // ascending
    streams: Vec<(String, Vec<u32>)>, // their names, and the numbers of their beats
}

impl Fates {
    /// Of entries in which every correction is in its place.
    pub(crate) fn of_trial<'e>(
        seen: &Circumstances,
        file: &TrialFile,
        entries: impl Iterator<Item = &'e Entry>,
    ) -> Fates {
        let mut observing = Observing::of(&file.trial, seen).within(MOST_JUDGED);
        entries.for_each(|entry| observing.add(entry));
        observing.whole().map_or_else(Fates::default, |observed| Fates::of_observed(&observed))
    }

    /// Of what was observed.
    pub(crate) fn of_observed(observed: &Observed<'_>) -> Fates {
        let account = &Account::of(observed);
        let inputs = observed.taps.iter().enumerate();
        let taps = inputs.flat_map(|(input, of)| {
            let tap = move |(place, tap): (usize, &Tap)| (tap.id, account.tap(input, place));
            of.taps.iter().enumerate().map(tap)
        });
        let mut by_event: Vec<(u64, Fate)> = taps.collect();
        by_event.sort_by_key(|(event, _)| *event);
        let numbers = |of: &ObservedStream<'_>| of.beats.iter().map(|beat| beat.number).collect();
        let named = |of: &ObservedStream<'_>| (of.name.to_owned(), numbers(of));
        Fates { by_event, streams: observed.pacing.iter().map(named).collect() }
    }

    /// What became of the tap of this event; the last, should there be several.
    pub(crate) fn of(&self, event: u64) -> Option<TapFate> {
        let behind = self.by_event.partition_point(|(id, _)| *id <= event);
        let (id, fate) = *self.by_event.get(behind.checked_sub(1)?)?;
        (id == event).then(|| self.named(fate))
    }

    fn named(&self, fate: Fate) -> TapFate {
        match fate {
            Fate::Matched { stream, beat, asynchrony } => {
                let (name, numbers) = &self.streams[stream];
                TapFate::Matched { against: name.clone(), beat: numbers[beat], asynchrony }
            }
            without => TapFate::Without(without),
        }
    }
}
