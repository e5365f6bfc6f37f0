//! Whether the statistics that a step names are there in its trial, and which is meant.

use crate::study::measure::{Measure, TrialTest};
use crate::study::step::{Criterion, Step, Trials};
use chronotap_analysis::statistics::Of;
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::reading::Page;

/// Checks every statistic of a step against the inputs and streams of its trial.
pub(crate) fn measures(page: &Page<'_>, step: &Step, trials: &Trials, file: &TrialFile) {
    for measure in of_step(trials) {
        if let Some((message, cure)) = mistake(measure, file) {
            let at = page.start_of(step.line);
            page.cured(at, format!("step {}: {message} ({})", step.name, file.name), cure);
        }
    }
}

/// Every statistic that a step names.
pub(super) fn of_step(trials: &Trials) -> impl Iterator<Item = &Measure> {
    let of_redo = trials.redo.iter().flat_map(|redo| &redo.if_any);
    let of_practice = trials.practice.iter().flat_map(|practice| match &practice.until {
        Criterion::All(tests) => &tests[..],
        Criterion::Hits { .. } => &[],
    });
    let compared = of_redo.chain(of_practice).filter_map(|test| match test {
        TrialTest::Compare { measure, .. } => Some(measure),
        _ => None,
    });
    trials.keep.iter().map(|keep| &keep.measure).chain(compared)
}

/// What is wrong, and what to do about it.
type Mistake = (String, String);

/// What is wrong with a statistic in this trial.
fn mistake(measure: &Measure, file: &TrialFile) -> Option<Mistake> {
    let name = measure.known.name;
    let inputs: Vec<&str> = file.trial.inputs.iter().map(|input| input.name.as_str()).collect();
    let streams: Vec<&str> = file.trial.pacing.iter().map(|stream| stream.name.as_str()).collect();
    let unknown = not_there(name, "input", measure.input.as_deref(), &inputs)
        .or_else(|| not_there(name, "stream", measure.against.as_deref(), &streams));
    if unknown.is_some() {
        return unknown;
    }
    match measure.known.of() {
        Of::Trial => None,
        Of::Input if inputs.len() > 1 && measure.input.is_none() => {
            Some(ambiguous(name, "of", &inputs))
        }
        Of::Input => None,
        Of::Pair | Of::Response if streams.is_empty() => Some((
            format!("{name}: the trial has no pacing to measure against"),
            "name another statistic".to_owned(),
        )),
        Of::Response if file.answers.responses.is_empty() => Some((
            format!("{name}: no stream of the trial is reproduced"),
            "name another statistic, or give a stream a response in the trial file".to_owned(),
        )),
        Of::Pair | Of::Response => of_a_pair(measure, file, &inputs, &streams),
    }
}

/// A name that the trial does not have.
fn not_there(name: &str, what: &str, given: Option<&str>, names: &[&str]) -> Option<Mistake> {
    let given = given.filter(|given| !names.contains(given))?;
    let message = format!("{name}: the trial has no {what} \"{given}\"");
    let cure = match names.is_empty() {
        true => format!("leave out \"{given}\""),
        false => format!("it has: {}", names.join(", ")),
    };
    Some((message, cure))
}

/// Exactly one pair of an input and a stream must be meant.
fn of_a_pair(
    measure: &Measure,
    file: &TrialFile,
    inputs: &[&str],
    streams: &[&str],
) -> Option<Mistake> {
    let name = measure.known.name;
    let responses = &file.answers.responses;
    // What is listened to is reproduced, and nothing is synchronous with it.
    let fits = |stream: u16| {
        responses.iter().any(|(of, _)| *of == stream) == (measure.known.of() == Of::Response)
    };
    let meant = |input: u16, stream: u16| {
        let (input, stream) = (inputs[usize::from(input)], streams[usize::from(stream)]);
        measure.input.as_deref().is_none_or(|of| of == input)
            && measure.against.as_deref().is_none_or(|of| of == stream)
    };
    let pairs: Vec<&(u16, u16)> =
        file.answers.pairs.iter().filter(|(i, s)| fits(*s) && meant(*i, *s)).collect();
    match &pairs[..] {
        [] => Some((
            format!("{name}: no input answers that stream"),
            "name another, or answered_by in the trial file".to_owned(),
        )),
        [_] => None,
        [first, rest @ ..] if rest.iter().any(|pair| pair.0 != first.0) => {
            Some(ambiguous(name, "of", inputs))
        }
        _ => Some(ambiguous(name, "against", streams)),
    }
}

fn ambiguous(name: &str, word: &str, names: &[&str]) -> Mistake {
    let message = format!("{name} could be {word} any of {}", names.join(", "));
    (message, format!("write \"{name} {word} {}\"", names[0]))
}
