//! Whether the statistics that a step names are there in its trial, and which is meant.

use crate::measure::{Measure, Test};
use crate::mistakes::Page;
use crate::step::{Criterion, Step, Trials};
use chronotap_analysis::statistics::Of;
use chronotap_experiment::TrialFile;

/// Checks every statistic of a step against the inputs and streams of its trial.
pub(crate) fn measures(page: &Page<'_>, step: &Step, trials: &Trials, file: &TrialFile) {
    let of_redo = trials.redo.iter().flat_map(|redo| &redo.if_any);
    let of_practice = trials.practice.iter().flat_map(|practice| match &practice.until {
        Criterion::All(tests) => &tests[..],
        Criterion::Hits { .. } => &[],
    });
    let compared = of_redo.chain(of_practice).filter_map(|test| match test {
        Test::Compare { measure, .. } => Some(measure),
        _ => None,
    });
    let kept = trials.keep.iter().map(|keep| &keep.measure);
    for measure in kept.chain(compared) {
        if let Some((message, cure)) = mistake(measure, file) {
            let at = page.start_of(step.line);
            page.cured(at, format!("step {}: {message} ({})", step.name, file.name), cure);
        }
    }
}

/// What is wrong with a statistic in this trial.
fn mistake(measure: &Measure, file: &TrialFile) -> Option<(String, String)> {
    let name = measure.known.name;
    let inputs: Vec<&str> = file.trial.inputs.iter().map(|input| input.name.as_str()).collect();
    let streams: Vec<&str> = file.trial.pacing.iter().map(|stream| stream.name.as_str()).collect();
    for (given, names, what) in
        [(&measure.input, &inputs, "input"), (&measure.against, &streams, "stream")]
    {
        if let Some(given) = given.as_deref().filter(|given| !names.contains(given)) {
            let message = format!("{name}: the trial has no {what} \"{given}\"");
            let cure = match names.is_empty() {
                true => format!("leave out \"{given}\""),
                false => format!("it has: {}", names.join(", ")),
            };
            return Some((message, cure));
        }
    }
    let of_input = measure.input.as_deref();
    let responses = &file.answers.responses;
    let reproduced = |stream: u16| responses.iter().any(|(of, _)| *of == stream);
    match measure.known.of {
        Of::Trial => None,
        Of::Input if inputs.len() > 1 && of_input.is_none() => Some(ambiguous(name, "of", &inputs)),
        Of::Input => None,
        Of::Pair | Of::Response if streams.is_empty() => Some((
            format!("{name}: the trial has no pacing to measure against"),
            "name another statistic".to_owned(),
        )),
        Of::Response if responses.is_empty() => Some((
            format!("{name}: no stream of the trial is reproduced"),
            "name another statistic, or give a stream a response in the trial file".to_owned(),
        )),
        of => {
            // What is listened to is reproduced, and nothing is synchronous with it.
            let fits = |stream: u16| reproduced(stream) == (of == Of::Response);
            let meant = |input: u16, stream: u16| {
                let (input, stream) = (inputs[usize::from(input)], streams[usize::from(stream)]);
                of_input.is_none_or(|of| of == input)
                    && measure.against.as_deref().is_none_or(|of| of == stream)
            };
            let pairs: Vec<&(u16, u16)> =
                file.answers.pairs.iter().filter(|(i, s)| fits(*s) && meant(*i, *s)).collect();
            let several = |pick: fn(&(u16, u16)) -> u16| {
                pairs.iter().any(|pair| pick(pair) != pick(pairs[0]))
            };
            match pairs.len() {
                0 => Some((
                    format!("{name}: no input answers that stream"),
                    "name another, or answered_by in the trial file".to_owned(),
                )),
                1 => None,
                _ if several(|pair| pair.0) => Some(ambiguous(name, "of", &inputs)),
                _ => Some(ambiguous(name, "against", &streams)),
            }
        }
    }
}

fn ambiguous(name: &str, word: &str, names: &[&str]) -> (String, String) {
    let message = format!("{name} could be {word} any of {}", names.join(", "));
    (message, format!("write \"{name} {word} {}\"", names[0]))
}
