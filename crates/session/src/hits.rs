//! [`hits`]: how many of a trial's last beats were hit, for the criterion of practice.

use chronotap_analysis::account::Account;
use chronotap_analysis::observed::{Beat, Input, Observed, Stream};
use chronotap_engine::action::Kind;
use chronotap_engine::trial::Step;
use chronotap_experiment::TrialFile;
use chronotap_record::Entry;
use chronotap_time::Nanos;

/// Of the last `of` beats that sounded, those whose matched tap lies within ± `within`.
/// Of the first stream that an input answers, and that input; 0 where none does.
pub fn hits(file: &TrialFile, entries: &[Entry], of: u32, within: Nanos) -> u32 {
    let Some(&(input, stream)) = file.answers.pairs.first() else { return 0 };
    let pacing = &file.trial.pacing[usize::from(stream)];
    let beats = beats(entries, stream);
    let first = beats.len().saturating_sub(of as usize);
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
    let Some(matching) = account.matching(0, 0) else { return 0 };
    let hit = matching.pairs.iter().filter(|pair| pair.beat >= first);
    hit.filter(|pair| pair.asynchrony.abs() <= within).count() as u32
}

/// The beats of a stream that sounded; a chord is one beat.
fn beats(entries: &[Entry], stream: u16) -> Vec<Beat> {
    let mut beats: Vec<Beat> = Vec::new();
    for entry in entries.iter().filter(|entry| entry.action.kind == Kind::Pacing(stream)) {
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
