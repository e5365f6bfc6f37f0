//! Whether practice can be passed at all: a trial must have as many beats as are to be hit, and no
//! comparison may ask for what no trial can have. It is a doubt and no mistake, because rules may change what a
//! trial has.

use crate::study::measure::{NumberComparison, TrialTest};
use crate::study::step::{Criterion, Trials};
use chronotap_config::trial_files::TrialFile;
use chronotap_engine::trial::{Do, RuleCondition};

/// Why no trial of this file can pass the practice of a step; `None` where one may.
pub(crate) fn never_passed(trials: &Trials, file: &TrialFile) -> Option<String> {
    match &trials.practice.as_ref()?.until {
        Criterion::Hits { hits, .. } => too_few(*hits, file),
        Criterion::All(tests) => contradiction(tests),
    }
}

/// Where the streams that are answered have fewer beats.
fn too_few(hits: u32, file: &TrialFile) -> Option<String> {
    let answered = file.answers.pairs.iter().map(|(_, stream)| *stream);
    let beats: Option<Vec<u32>> = answered.map(|stream| beats(stream, file)).collect();
    let most = beats?.into_iter().max()?;
    (most < hits).then(|| format!("{} has {most} beats, and {hits} are to be hit", file.name))
}

/// How many beats a stream has at most; `None` where nothing says it.
fn beats(stream: u16, file: &TrialFile) -> Option<u32> {
    let own = file.trial.pacing.get(usize::from(stream))?.beats;
    let ends = file.trial.rules.iter().filter(|rule| rule.then.contains(&Do::End));
    let at = ends.filter_map(|rule| match rule.when {
        RuleCondition::Beat { stream: of, number } if of == stream => Some(number),
        _ => None,
    });
    own.into_iter().chain(at).min()
}

/// Where two comparisons of one statistic cannot hold together.
fn contradiction(tests: &[TrialTest]) -> Option<String> {
    let compared = || {
        tests.iter().filter_map(|test| match test {
            TrialTest::Compare { measure, comparison, value, written } => {
                Some((measure, *comparison, *value, written))
            }
            TrialTest::TimingFailed | TrialTest::DataUnusable | TrialTest::InputLost => None,
        })
    };
    for (one, below, least, first) in compared() {
        for (other, above, greatest, second) in compared() {
            if one == other && is_upper(below) && is_lower(above) {
                let meets = below == NumberComparison::AtMost && above == NumberComparison::AtLeast;
                if greatest > least || (greatest == least && !meets) {
                    return Some(format!("\"{first}\" and \"{second}\" never hold together"));
                }
            }
        }
    }
    None
}

fn is_upper(comparison: NumberComparison) -> bool {
    matches!(comparison, NumberComparison::Below | NumberComparison::AtMost)
}

fn is_lower(comparison: NumberComparison) -> bool {
    matches!(comparison, NumberComparison::Above | NumberComparison::AtLeast)
}
