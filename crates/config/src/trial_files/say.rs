//! Conditions, changes and feedback channels in words, for the explanation.

use crate::trial_files::reading::say;
use crate::trial_files::reading::say_note;
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::trial::{
    Change, Choice, Delay, Delayed, Duration, Feedback, Filter, Pacing, Pitch, RuleCondition,
    Shift, Span, Spread, Start, Trial, Velocity,
};

/// A condition as one would say it: `beat 21 of metronome`.
pub(crate) fn condition(condition: &RuleCondition, trial: &Trial) -> String {
    let input = |index: u16| match trial.inputs.len() {
        1 => String::new(),
        _ => format!(" of {}", trial.inputs[usize::from(index)].name),
    };
    match condition {
        RuleCondition::Time(at) => format!("time {}", say(*at)),
        RuleCondition::Beat { stream, number } => {
            format!("beat {number} of {}", trial.pacing[usize::from(*stream)].name)
        }
        RuleCondition::Tap { input: of, number } => format!("tap {number}{}", input(*of)),
        RuleCondition::TapsAfter { stream, input: of, number } => {
            let stream = &trial.pacing[usize::from(*stream)].name;
            format!("tap {number}{} after the end of {stream}", input(*of))
        }
        RuleCondition::Note { input: of, note } => {
            format!("a tap on {}{}", say_note(*note), of.map_or(String::new(), input))
        }
        RuleCondition::Silence { input: of, length } => {
            format!("no tap{} for {}", input(*of), say(*length))
        }
        RuleCondition::All(list) => joined(list, trial, " and "),
        RuleCondition::Any(list) => joined(list, trial, " or "),
    }
}

fn joined(list: &[RuleCondition], trial: &Trial, word: &str) -> String {
    let parts: Vec<String> = list
        .iter()
        .map(|one| match one {
            RuleCondition::All(_) | RuleCondition::Any(_) => format!("({})", condition(one, trial)),
            _ => condition(one, trial),
        })
        .collect();
    parts.join(word)
}

/// A third of a second as `1 s / 3` and not as a long decimal.
pub(crate) fn interval(interval: Exact) -> String {
    match interval.as_ratio() {
        (num, 1) => say(Nanos(i64::try_from(num).unwrap_or(i64::MAX))),
        (num, den) => match i64::try_from(num) {
            Ok(num) => format!("{} / {den}", say(Nanos(num))),
            Err(_) => say(interval.round()),
        },
    }
}

/// What changes at a beat.
pub(crate) fn change(change: &Change) -> String {
    let mut said = Vec::new();
    if change.mute {
        said.push("no tone".to_owned());
    }
    if change.phase_shift != Shift::None {
        said.push(format!("phase shift of {}", size(change.phase_shift)));
    }
    if change.onset_shift != Shift::None {
        said.push(format!("onset shift of {}", size(change.onset_shift)));
    }
    if let Some(to) = change.interval {
        said.push(format!("interval to {}{}", interval(to), over(change)));
    }
    if change.interval_step != Shift::None {
        said.push(format!("interval by {}{}", size(change.interval_step), over(change)));
    }
    said.join(", ")
}

pub(crate) fn size(shift: Shift) -> String {
    match shift {
        Shift::None => say(Nanos::ZERO),
        Shift::Fixed(by) => say(by),
        Shift::Chosen(how, list) => chosen(how, list, "sizes"),
    }
}

fn over(change: &Change) -> String {
    if change.over > 1 { format!(" over {} beats", change.over) } else { String::new() }
}

/// What a feedback channel does with a tap at the start of the trial.
pub(crate) fn feedback(channel: &Feedback, trial: &Trial) -> String {
    let on = channel.channel.map_or("the tap's channel".to_owned(), |c| format!("channel {c}"));
    let perturbed = match channel.perturb.len() {
        0 => "",
        _ => "; single taps are perturbed",
    };
    let silent = if channel.sounding { "" } else { "; silent at first" };
    format!(
        "{}: {} {}, {}, {}, {}, on {on}{perturbed}{silent}",
        channel.name,
        heard(&channel.from, trial),
        pitch(channel.pitch),
        velocity(channel.velocity),
        delay(channel.delay),
        duration(channel.duration),
    )
}

fn heard(from: &Filter, trial: &Trial) -> String {
    let mut said = "a tap".to_owned();
    let (low, high) = from.notes;
    if (low, high) != Filter::ANY.notes {
        said += &format!(" from {} to {}", say_note(low), say_note(high));
    }
    if let Some(input) = from.input.filter(|_| trial.inputs.len() > 1) {
        said += &format!(" on {}", trial.inputs[usize::from(input)].name);
    }
    if let Some(channel) = from.channel {
        said += &format!(" on channel {channel}");
    }
    if from.velocities.0.get() > 1 || from.velocities.1.get() < 127 {
        said += &format!(" of velocity {} to {}", from.velocities.0, from.velocities.1);
    }
    said
}

fn pitch(pitch: Pitch) -> String {
    match pitch {
        Pitch::AsPlayed => "sounds its own pitch".to_owned(),
        Pitch::Fixed(to) => format!("sounds {}", say_note(to)),
        Pitch::Transpose(by) => format!("sounds {} semitones higher", by.from),
        Pitch::Mirror(about) => format!("sounds mirrored about {}", say_note(about)),
        Pitch::Table(_) => "sounds by a table".to_owned(),
        Pitch::Chosen(how, list) => format!("sounds {}", chosen(how, list, "notes")),
        Pitch::Sequence(list) => format!("sounds the next of {} notes", list.len),
        Pitch::Shift(1) => "sounds the pitch of the tap before".to_owned(),
        Pitch::Shift(taps) => format!("sounds the pitch of {taps} taps before"),
    }
}

/// How one of a list is chosen for each tap.
fn chosen(how: Choice, list: Span, of: &str) -> String {
    let count = list.len;
    match how {
        Choice::Random => format!("one of {count} {of} at random"),
        Choice::Shuffled => format!("{count} {of} in shuffled order"),
        Choice::Once => format!("one of {count} {of}, drawn once a trial"),
    }
}

fn velocity(velocity: Velocity) -> String {
    match velocity {
        Velocity::AsPlayed => "as loud as played".to_owned(),
        Velocity::Fixed(to) => format!("velocity {}", to.from),
        Velocity::Scale(by) => format!("velocity times {}", by.from),
        Velocity::Random(low, high) => format!("velocity {low} to {high} at random"),
    }
}

fn delay(delay: Delay) -> String {
    match delay {
        Delay::Constant(ns) if ns.from == 0.0 => "at once".to_owned(),
        Delay::Constant(ns) => format!("after {}", say(Nanos::round_from_f64(ns.from))),
        Delay::Random(Spread::Uniform { low, high }) => {
            format!("after {} to {} at random", say(low), say(high))
        }
        Delay::Random(Spread::Normal { mean, sd, .. }) => {
            format!("after {} with a standard deviation of {}", say(mean), say(sd))
        }
        Delay::Chosen(how, list) => format!("after {}", chosen(how, list, "delays")),
        Delay::List(list) => format!("after the next of {} delays", list.len),
        Delay::Fraction(share) => format!("after {} of the last inter-tap interval", share.from),
    }
}

fn duration(duration: Duration) -> String {
    match duration {
        Duration::AsPlayed => "as long as the key is held".to_owned(),
        Duration::Fixed(length) => format!("for {}", say(length)),
    }
}

/// What a stream waits for, where that cannot be dated.
pub(crate) fn awaited(pacing: &Pacing, trial: &Trial) -> String {
    let later = |delay: Delayed| match delay {
        Delayed::By(Nanos::ZERO) => String::new(),
        Delayed::By(delay) => format!("{} after ", say(delay)),
        Delayed::ByOneInterval => "one interval after ".to_owned(),
    };
    match pacing.start {
        Start::At(at) => say(at),
        Start::Tap { input, number, delay } => {
            let of = &trial.inputs[usize::from(input)].name;
            format!("{}tap {number} of {of}", later(delay))
        }
        Start::After { stream, delay } => {
            format!(
                "{}the end of {}",
                later(Delayed::By(delay)),
                trial.pacing[usize::from(stream)].name
            )
        }
        Start::Rule => "when a rule starts it".to_owned(),
    }
}
