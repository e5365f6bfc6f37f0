//! [`InputAnswers`]: which input is measured against which pacing stream. Two hands that tap to
//! two streams are not measured crosswise. It belongs to what is measured: the engine knows
//! nothing of it.

use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{Do, SetPacing, Trial};

/// Which input answers which stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputAnswers {
    /// Pairs of an input and a stream, by their places in the trial.
    pub pairs: Vec<(u16, u16)>,
    /// The inputs that an `answered_by` of the file names.
    pub named: Vec<u16>,
    /// Who answers what, and why; empty where there is nothing to decide.
    pub because: String,
    /// The streams that are reproduced, by their places.
    pub responses: Vec<(u16, ReproducedStream)>,
    /// The streams that are tapped to although they never sound, by their places: they have
    /// `audible = false`, and an `answered_by` that names an input.
    pub silent: Vec<u16>,
    /// Of these the streams that are measured only where they sound all the same: a rule lets them
    /// sound, or they are reproduced, and nobody reproduces what was not heard.
    pub heard: Vec<u16>,
    /// Of each stream the share of the interval that its `window` reaches to each side.
    pub windows: Vec<Option<f64>>,
    /// Of inputs on which a sequence is to be played, by their places: its keys.
    pub sequences: Vec<(u16, Vec<U7>)>,
}

/// When taps reproduce a stream that was listened to. Times count from its last beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReproducedStream {
    /// Before that a tap is none of it.
    pub after: Nanos,
    /// The last moment; `None` until the stream sounds again or the trial ends.
    pub within: Option<Nanos>,
    /// The beats of one list, where it repeats.
    pub beats: Option<u32>,
}

/// Why an input answers a stream.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    Given,
    Adapts,
    SameName,
    Feedback,
    Unknown,
}

/// Decides for each stream: by its `answered_by` (`given`, in the order of the streams);
/// else by the input that it adapts to, that has its name, or that a feedback channel of
/// its name hears; else every input answers it.
pub(crate) fn answers(
    trial: &Trial,
    given: &[Option<Vec<u16>>],
    responses: &[Option<ReproducedStream>],
) -> InputAnswers {
    let reproduced = |stream: usize| responses.get(stream).copied().flatten().is_some();
    let responses = (0..).zip(responses).filter_map(|(at, given)| Some((at, (*given)?)));
    let mut answers = InputAnswers { responses: responses.collect(), ..InputAnswers::default() };
    let mut said = Vec::new();
    for stream in 0..trial.pacing.len() {
        let (inputs, why) = match given.get(stream).cloned().flatten() {
            Some(inputs) => {
                answers.named.extend(&inputs);
                let silent = !trial.pacing[stream].audible && !inputs.is_empty();
                answers.silent.extend(silent.then_some(stream as u16));
                let heard = silent && (reproduced(stream) || is_turned_on(trial, stream as u16));
                answers.heard.extend(heard.then_some(stream as u16));
                (inputs, Why::Given)
            }
            None => guess(trial, stream),
        };
        said.push(sentence(trial, stream, &inputs, why));
        answers.pairs.extend(inputs.into_iter().map(|input| (input, stream as u16)));
    }
    let decided = trial.inputs.len() > 1 && trial.pacing.len() > 1;
    if decided || given.iter().any(Option::is_some) {
        answers.because = said.join("; ");
    }
    answers
}

/// Whether a rule lets the stream sound.
fn is_turned_on(trial: &Trial, stream: u16) -> bool {
    let on = Do::Pacing(stream, SetPacing::Audible(true));
    trial.rules.iter().any(|rule| rule.then.contains(&on))
}

fn guess(trial: &Trial, stream: usize) -> (Vec<u16>, Why) {
    let pacing = &trial.pacing[stream];
    let named = trial.inputs.iter().position(|input| input.name == pacing.name);
    let mut channels = trial.feedback.iter().filter(|channel| channel.name == pacing.name);
    let heard = channels.find_map(|channel| channel.from.input);
    let all = || (0..trial.inputs.len() as u16).collect();
    match (trial.inputs.len(), pacing.adapt, named, heard) {
        (0 | 1, ..) => (all(), Why::Unknown),
        (_, Some(adapt), ..) => {
            (adapt.leaders.all().iter().map(|(input, _)| *input).collect(), Why::Adapts)
        }
        (_, _, Some(input), _) => (vec![input as u16], Why::SameName),
        (.., Some(input)) => (vec![input], Why::Feedback),
        _ => (all(), Why::Unknown),
    }
}

fn sentence(trial: &Trial, stream: usize, inputs: &[u16], why: Why) -> String {
    let stream = &trial.pacing[stream].name;
    let names: Vec<&str> =
        inputs.iter().map(|input| trial.inputs[usize::from(*input)].name.as_str()).collect();
    let verb = if names.len() > 1 { "answer" } else { "answers" };
    let who = if names.is_empty() { "no input".to_owned() } else { names.join(" and ") };
    let why = match why {
        Why::Given => "answered_by",
        Why::Adapts => "guessed: the stream adapts to it",
        Why::SameName => "guessed: the same name",
        Why::Feedback => "guessed: the feedback of the stream's name hears it",
        Why::Unknown if trial.inputs.len() == 1 => "the only input",
        Why::Unknown => "guessed: no answered_by says which",
    };
    format!("{who} {verb} {stream} ({why})")
}
