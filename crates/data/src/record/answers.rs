//! [`answers`]: which input answers which stream of a trial, and how its taps are matched, as its file
//! has it.

use chronotap_analysis::matching::MatchingRule;
use chronotap_analysis::observed::{Answers, StreamResponse};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::midi::U7;

/// Which input answers which stream, as the trial file has it, and how its taps are matched now.
pub fn answers(file: &TrialFile) -> Answers {
    answers_by(matching_rule(file), file)
}

/// By which rule the taps of a trial are matched now.
pub fn matching_rule(file: &TrialFile) -> MatchingRule {
    if file.answers.heard.is_empty() { MatchingRule::FirstOnset } else { MatchingRule::FirstHeard }
}

/// The same by the rule that a recorded trial names. When the earliest rule was in force, only
/// what sounded was matched; then all of a stream that is silent at first.
pub(crate) fn answers_by(rule: MatchingRule, file: &TrialFile) -> Answers {
    let heard = &file.answers.heard;
    let silent = file.answers.silent.iter().filter(|stream| match rule {
        MatchingRule::FirstOnset => true,
        MatchingRule::FirstHeard => !heard.contains(stream),
        MatchingRule::ClosestFirst => false,
    });
    let place = |(input, stream): &(u16, u16)| (usize::from(*input), usize::from(*stream));
    Answers {
        pairs: Some(file.answers.pairs.iter().map(place).collect()),
        named: file.answers.named.iter().copied().map(usize::from).collect(),
        because: file.answers.because.clone(),
        responses: file.answers.responses.iter().map(response).collect(),
        silent: silent.copied().map(usize::from).collect(),
        rule,
        windows: file.answers.windows.clone(),
        sequences: file.answers.sequences.iter().map(sequence).collect(),
    }
}

fn sequence((input, keys): &(u16, Vec<U7>)) -> (usize, Vec<U7>) {
    (usize::from(*input), keys.clone())
}

fn response(
    (stream, given): &(u16, chronotap_config::trial_files::ReproducedStream),
) -> StreamResponse {
    let chronotap_config::trial_files::ReproducedStream { after, within, beats } = *given;
    StreamResponse { stream: usize::from(*stream), after, within, beats }
}
