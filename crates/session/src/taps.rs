//! What the rules of a session ask of a trial's events: which tap was matched to each beat,
//! for the criterion of practice, and what was answered first, for staircases.

use chronotap_analysis::account::Account;
use chronotap_analysis::observed::{Beat, Input, Observed, Stream};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_engine::action::Kind;
use chronotap_engine::trial::Step;

/// For each beat that sounded, the asynchrony of the tap that was matched to it. Of the first
/// stream that an input answers, and that input; nothing where none does.
pub fn asynchronies(file: &TrialFile, entries: &[Entry]) -> Vec<Option<Nanos>> {
    let Some(&(input, stream)) = file.answers.pairs.first() else { return Vec::new() };
    let pacing = &file.trial.pacing[usize::from(stream)];
    let beats = beats(entries, stream);
    let mut found = vec![None; beats.len()];
    let observed = Observed {
        length: entries.iter().map(|entry| entry.action.instant).max().unwrap_or(Nanos::ZERO),
        pacing: vec![Stream {
            name: &pacing.name,
            pattern: pacing.pattern.iter().map(|step| *step != Step::Rest).collect(),
            adaptive: pacing.adapt.is_some(),
            beats,
        }],
        taps: vec![Input::tapped("input", taps(entries, input))],
        ..Observed::default()
    };
    let account = Account::of(&observed);
    for pair in account.matching(0, 0).iter().flat_map(|matching| &matching.pairs) {
        found[pair.beat] = Some(pair.asynchrony);
    }
    found
}

/// The note of the first tap that counts, on any input; `None` where nobody tapped.
pub fn first_note(entries: &[Entry]) -> Option<U7> {
    let is_tap =
        |entry: &&Entry| matches!(entry.action.kind, Kind::Tap(_)) && entry.action.number > 0;
    let first = entries.iter().filter(is_tap).min_by_key(|entry| entry.action.deadline)?;
    match first.action.message? {
        Message::NoteOn { note, .. } => Some(note),
        _ => None,
    }
}

/// The beats of a stream that sounded; a chord is one beat.
fn beats(entries: &[Entry], stream: u16) -> Vec<Beat> {
    let mut beats: Vec<Beat> = Vec::new();
    for entry in entries
        .iter()
        .filter(|entry| entry.action.kind == Kind::Pacing(stream) && entry.action.number > 0)
    {
        let Some(at) = entry.achieved else { continue };
        let (id, number, deadline) = (entry.action.id, entry.action.number, entry.action.deadline);
        if beats.last().is_none_or(|last| (last.number, last.deadline) != (number, deadline)) {
            beats.push(Beat { id, number, deadline, at });
        }
    }
    beats
}

/// The onsets of the taps that count, in order of time.
fn taps(entries: &[Entry], input: u16) -> Vec<Nanos> {
    let tap = |entry: &&Entry| entry.action.kind == Kind::Tap(input) && entry.action.number > 0;
    let mut onsets: Vec<Nanos> =
        entries.iter().filter(tap).map(|entry| entry.action.deadline).collect();
    onsets.sort_unstable();
    onsets
}
