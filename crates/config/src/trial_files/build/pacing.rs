//! Pacing streams.

use super::files::LIST_MAX;
use super::pools::Pools;
use super::{Names, change, files, spacing, start};
use crate::trial_files::keys::{self, KeyKind};
use crate::trial_files::reading::{Field, Part, Value, say};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::action::ActionKind as Made;
use chronotap_engine::trial::{
    Adapt, CopiedTones, Interval, Jitter, Leaders, MOST_LEADERS, Occasions, Pacing, PatternStep,
    Sinusoid, Span, Spread, Start, Tone, Varying,
};

/// So many outputs has one stream: each takes memory for all tones at a time, which is locked in real time.
const OUTPUTS_MAX: usize = 16;

/// Reads one stream, and the inputs that answer it where it names them. What is wrong is
/// reported and stands as a placeholder.
pub(super) fn pacing(part: &Part<'_>, names: &Names) -> (Pacing, Option<Vec<u16>>) {
    let own_tempo = part.given("interval", |f| spacing::own_tempo(f, names));
    let (interval, onsets) = spacing::spacing(part, names);
    let (repeat, times) = spacing::repeat(part, onsets, &names.pools);
    let tone = tone(&part.part("tone", "pacing.NAME.tone"));
    let accent = part.part("accent", "pacing.NAME.accent");
    let stream = Pacing {
        name: part.path.trim_start_matches("pacing.").to_owned(),
        output: output(part, names),
        audible: part.read("audible", |f| f.flag()).unwrap_or(true),
        start: part.read("start", |f| start::start(f, names)).unwrap_or(Start::At(Nanos::ZERO)),
        interval: Interval::Exact(interval),
        own_tempo,
        beats: spacing::beats_of(part, onsets, repeat.map(|_| times)),
        pattern: part.read("pattern", pattern).unwrap_or_else(|| vec![PatternStep::Tone]),
        tone,
        accent_velocity: varying_velocity(&accent),
        accent_note: accent.read("note", |f| f.note()),
        step_notes: part.read("notes", |f| step_notes(f, &names.pools)).unwrap_or_default(),
        step_channels: part.read("channels", channels).unwrap_or_default(),
        changes: Vec::new(),
        jitter: part.read("jitter", jitter).flatten(),
        sinusoid: part.read("sinusoid", sinusoid).flatten(),
        onsets,
        repeat,
        audio: files::audio(part, names),
        adapt: adapt(part, names),
    };
    let changes = part.parts("change", "pacing.NAME.change");
    let stream = Pacing {
        changes: changes.iter().filter_map(|part| change::change(part, &names.pools)).collect(),
        ..stream
    };
    sound(part, &changes, &stream, interval);
    files::sound(part, &stream, &names.pools.all_times());
    (stream, part.read("answered_by", |f| answered_by(f, names)))
}

/// An input, a list of them, or `"none"`.
fn answered_by(field: &Field<'_>, names: &Names) -> Option<Vec<u16>> {
    let none = "none".to_owned();
    if field.node.text() == Some(&none) && !names.inputs.contains(&none) {
        return Some(Vec::new());
    }
    if field.node.text().is_some() {
        return field.named("input", &names.inputs).map(|input| vec![input]);
    }
    let inputs = field.list("inputs")?;
    let inputs = inputs.iter().map(|one| one.named("input", &names.inputs));
    let mut inputs = inputs.collect::<Option<Vec<u16>>>()?;
    inputs.sort_unstable();
    inputs.dedup();
    Some(inputs)
}

fn pattern(field: &Field<'_>) -> Option<Vec<PatternStep>> {
    let Some(text) = field.node.text() else { return field.wrong("text such as \"xxxx.xx.\"") };
    let mut steps = Vec::new();
    for letter in text.chars() {
        match letter {
            'x' => steps.push(PatternStep::Tone),
            'X' => steps.push(PatternStep::Accent),
            '.' => steps.push(PatternStep::Rest),
            '|' | ' ' => {}
            other => {
                let message = format!("holds {other:?}");
                return field
                    .problem(&message, "write x for a tone, X for an accented one, . for a rest");
            }
        }
    }
    if steps.is_empty() || steps.len() > LIST_MAX {
        return field.problem("has no steps, or too many", "write at least one of x, X and .");
    }
    Some(steps)
}

fn step_notes(field: &Field<'_>, pools: &Pools) -> Option<Vec<Span>> {
    let steps = field.list("notes")?;
    let span = |step: &Field<'_>| {
        let notes: Option<Vec<U7>> = match step.node.value {
            Value::List(_) => step.list("notes")?.iter().map(Field::note).collect(),
            _ => step.note().map(|note| vec![note]),
        };
        Some(pools.notes(&notes?))
    };
    steps.iter().map(span).collect()
}

fn channels(field: &Field<'_>) -> Option<Vec<Channel>> {
    field.list("channels")?.iter().map(Field::channel).collect()
}

/// A tone of a stream, or the one a rule plays: the same keys and defaults.
pub(super) fn tone(part: &Part<'_>) -> Tone {
    Tone {
        channel: part.read("channel", |f| f.channel()).unwrap_or(Channel::ONE),
        note: part.read("note", |f| f.note()).unwrap_or_default(),
        velocity: varying_velocity(part),
        duration: part.read("duration", |f| f.time()).unwrap_or(Nanos(1)),
    }
}

fn varying_velocity(part: &Part<'_>) -> Varying {
    let velocity = part.read("velocity", |f| f.velocity()).unwrap_or(U7::MAX);
    Varying::constant(velocity.get().into())
}

/// The output that a part names, or the first.
pub(super) fn output(part: &Part<'_>, names: &Names) -> u16 {
    part.read("output", |f| outputs(f, names)).map_or(0, |all| all[0])
}

/// Where the tones of a stream or channel go besides.
pub(super) fn copies(part: &Part<'_>, of: Made, names: &Names) -> Vec<CopiedTones> {
    let all = part.page.quietly(|| part.given("output", |f| outputs(f, names)));
    let further: Vec<u16> = all.unwrap_or_default().into_iter().skip(1).collect();
    if !further.is_empty() && part.has("audio") {
        let message = format!("{} plays a recording at several outputs", part.said());
        part.page.cured(part.at("output"), message, "name one output: a recording has no copies");
    }
    further.into_iter().map(|output| CopiedTones { of, output }).collect()
}

/// One output or a list of different ones; at least one.
pub(super) fn outputs(field: &Field<'_>, names: &Names) -> Option<Vec<u16>> {
    let all = field.some("outputs")?;
    let named = |one: &Field<'_>| one.named("output", &names.outputs);
    let outputs: Vec<u16> = all.iter().map(named).collect::<Option<_>>()?;
    if outputs.len() > OUTPUTS_MAX {
        let cure = format!("name {OUTPUTS_MAX} at most");
        return field.problem("names too many outputs", cure);
    }
    if let Some(twice) = (1..outputs.len()).find(|i| outputs[..*i].contains(&outputs[*i])) {
        let name = &names.outputs[usize::from(outputs[twice])];
        return field.problem(&format!("names {name} twice"), "name each output once");
    }
    Some(outputs)
}

/// `"none"` or how far beats are displaced.
pub(super) fn jitter(field: &Field<'_>) -> Option<Option<Jitter>> {
    if field.node.text() == Some("none") {
        return Some(None);
    }
    let fields = Part::of(field, "pacing.NAME.jitter")?;
    let minute = Nanos::from_secs(60);
    let spread = match (fields.get("normal"), fields.get("uniform")) {
        (Some(normal), None) => {
            let sd = normal.time()?;
            let bound = fields.get("at_most").map_or(Some(sd * 3), |f| f.time())?;
            if bound < sd / 2 {
                return field.problem(
                    "at_most leaves out most of the distribution",
                    "let it be at least half of normal",
                );
            }
            Spread::Normal { mean: Nanos::ZERO, sd, low: -bound, high: bound }
        }
        (None, Some(uniform)) => {
            let (low, high) = uniform.two_times(-minute, minute)?;
            Spread::Uniform { low, high }
        }
        _ => {
            return field
                .problem("must have one of normal and uniform", "write { normal = \"20 ms\" }");
        }
    };
    let accumulates = fields.get("moves").map_or(Some(false), |f| f.choice(&keys::ACCUMULATES))?;
    Some(Some(Jitter { spread, accumulates }))
}

/// `"none"` or how intervals swing.
pub(super) fn sinusoid(field: &Field<'_>) -> Option<Option<Sinusoid>> {
    if field.node.text() == Some("none") {
        return Some(None);
    }
    let fields = Part::of(field, "pacing.NAME.sinusoid")?;
    let amplitude = fields.must("amplitude", |f| f.time())?;
    let beats = fields.must("beats", |f| f.number())?;
    Some(Some(Sinusoid { amplitude, beats }))
}

fn adapt(part: &Part<'_>, names: &Names) -> Option<Adapt> {
    if !part.has("adapt") {
        // Records that there is none.
        part.field("adapt");
        return None;
    }
    let part = part.part("adapt", "pacing.NAME.adapt");
    if names.inputs.len() > 1 && !part.has("to") {
        let cure = format!("write to = \"{}\"", names.inputs[0]);
        part.page.cured(
            part.at,
            format!("{} does not say whose taps it follows", part.said()),
            cure,
        );
    }
    let number = |key| Varying::constant(part.read(key, |f| f.number()).unwrap_or(0.0));
    let (low, high) = match keys::INTERVAL {
        KeyKind::Time(low, high) => (Nanos(low), Nanos(high)),
        _ => (Nanos(1), Nanos::MAX),
    };
    let within = part.read("within", |f| f.two_times(low, high));
    let (shortest, longest) = within.unwrap_or((low, high));
    Some(Adapt {
        leaders: leaders(&part, names).unwrap_or(Leaders::one(0)),
        anticipate: part.read("anticipate", |f| f.number()).unwrap_or(0.0),
        extrapolate: part.read("extrapolate", |f| f.number()).unwrap_or(1.0),
        phase: number("phase"),
        period: number("period"),
        at_most: part.read("at_most", |f| f.time()).unwrap_or(Nanos::MAX),
        shortest,
        longest,
    })
}

/// The inputs that a stream follows, each with its weight.
fn leaders(part: &Part<'_>, names: &Names) -> Option<Leaders> {
    let inputs = part.read("to", |field| match field.node.value {
        Value::List(_) => {
            field.list("inputs")?.iter().map(|one| one.named("input", &names.inputs)).collect()
        }
        _ => Some(vec![field.named("input", &names.inputs)?]),
    });
    let inputs: Vec<u16> = inputs.unwrap_or_else(|| vec![0]);
    let weights = part.read("weights", |field| weights(field, inputs.len()));
    let weights = weights.unwrap_or_else(|| vec![1.0; inputs.len()]);
    let twice = (1..inputs.len()).any(|at| inputs[..at].contains(&inputs[at]));
    let all: Vec<(u16, f64)> = inputs.into_iter().zip(weights).collect();
    let leaders = Leaders::of(&all).filter(|_| !twice);
    if leaders.is_none() {
        let message = format!("{} follows too many inputs, or one twice", part.said());
        part.page.cured(
            part.at("to"),
            message,
            format!("name 1 to {MOST_LEADERS} inputs, each once"),
        );
    }
    leaders
}

fn weights(field: &Field<'_>, count: usize) -> Option<Vec<f64>> {
    let number = |one: &Field<'_>| match &one.node.value {
        Value::Integer(n) if *n > 0 => Some(*n as f64),
        Value::Decimal(x) => x.parse().ok().filter(|x: &f64| *x > 0.0 && x.is_finite()),
        _ => None,
    };
    let number = |one: &Field<'_>| number(one).or_else(|| one.wrong("a number above 0"));
    let all: Vec<f64> = field.list("numbers")?.iter().map(number).collect::<Option<_>>()?;
    if all.len() != count {
        let cure = format!("write {count} numbers, one for each input of `to`");
        return field.problem("has another number of weights than there are inputs", cure);
    }
    Some(all)
}

/// What must hold between the keys of one stream.
fn sound(part: &Part<'_>, changes: &[Part<'_>], stream: &Pacing, interval: Exact) {
    let longest = stream.changes.iter().filter_map(|c| c.interval).map(Exact::round);
    let longest = longest.fold(interval.round(), Nanos::max);
    wide_swing(part, stream, longest);
    if let Some(jitter) = stream.jitter {
        far_jitter(part, jitter, longest);
    }
    for change in changes {
        for key in ["onset_shift", "interval_step"] {
            change::long_shift(change, key, longest, true);
        }
        change::long_shift(change, "phase_shift", longest, false);
    }
    if stream.onsets.is_some() {
        no_interval(part, changes);
    }
    late_changes(part, stream);
    no_accent(part, stream);
    no_beat(part, stream);
    outside_of_adapt(part, stream, interval.round());
    long_tone(part, stream, longest);
}

fn wide_swing(part: &Part<'_>, stream: &Pacing, longest: Nanos) {
    if let Some(swing) = stream.sinusoid.filter(|s| s.amplitude >= longest) {
        let message =
            format!("{}: a swing of {} reaches the interval", part.said(), say(swing.amplitude));
        part.page.cured(part.at("sinusoid"), message, format!("stay below {}", say(longest)));
    }
}

fn no_accent(part: &Part<'_>, stream: &Pacing) {
    if part.has("accent") && !stream.pattern.contains(&PatternStep::Accent) {
        part.page.warn(
            part.at("accent"),
            "no step of the pattern is accented: write X for the accented ones",
        );
    }
}

/// A pattern of rests alone.
fn no_beat(part: &Part<'_>, stream: &Pacing) {
    if stream.pattern.iter().all(|step| *step == PatternStep::Rest) {
        let cure = "write x where a tone is to sound";
        let message = format!("{}: every step of the pattern is a rest; {cure}", part.said());
        part.page.warn(part.at("pattern"), message);
    }
}

fn outside_of_adapt(part: &Part<'_>, stream: &Pacing, interval: Nanos) {
    let outside = |a: &Adapt| interval < a.shortest || interval > a.longest;
    if let Some(adapt) = stream.adapt.filter(|a| stream.own_tempo.is_none() && outside(a)) {
        let message = format!("{}: the interval lies outside adapt.within", part.said());
        let cure = format!(
            "let {} lie between {} and {}",
            say(interval),
            say(adapt.shortest),
            say(adapt.longest)
        );
        part.page.cured(part.at("adapt"), message, cure);
    }
}

fn long_tone(part: &Part<'_>, stream: &Pacing, longest: Nanos) {
    let one_note = stream.step_notes.is_empty() && stream.step_channels.is_empty();
    if stream.tone.duration > longest && stream.onsets.is_none() && one_note {
        let (tone, beat) = (say(stream.tone.duration), say(longest));
        let message = format!(
            "the tone lasts {tone}, the interval {beat}: each tone ends where the next begins"
        );
        part.page.warn(part.at("tone"), message);
    }
}

fn far_jitter(part: &Part<'_>, jitter: Jitter, interval: Nanos) {
    let (low, high) = match jitter.spread {
        Spread::Uniform { low, high } | Spread::Normal { low, high, .. } => (low, high),
    };
    let limit = if jitter.accumulates { interval } else { interval / 2 };
    let reach = if jitter.accumulates { -low } else { high.max(-low) };
    if reach >= limit {
        let message = format!(
            "{}: a displacement of {} could put beats out of order",
            part.said(),
            say(reach)
        );
        part.page.cured(part.at("jitter"), message, format!("keep it below {}", say(limit)));
    }
}

fn no_interval(part: &Part<'_>, changes: &[Part<'_>]) {
    let cure = "write interval or tempo instead of onsets";
    for key in ["sinusoid", "adapt"].into_iter().filter(|key| part.has(key)) {
        let message =
            format!("{} gives onsets, which have no interval for {key} to act on", part.said());
        part.page.cured(part.at(key), message, cure);
    }
    for change in changes {
        for key in ["interval", "tempo", "interval_step"].into_iter().filter(|key| change.has(key))
        {
            let message = format!("{}: {key} cannot change a list of onsets", change.said());
            change.page.cured(change.at(key), message, cure);
        }
    }
}

fn late_changes(part: &Part<'_>, stream: &Pacing) {
    let Some(beats) = stream.beats else { return };
    for change in &stream.changes {
        if let Occasions::Listed(numbers) = &change.at
            && let Some(beat) = numbers.iter().find(|number| **number > beats)
        {
            let message =
                format!("{} changes at beat {beat} but has only {beats} beats", part.said());
            part.page.warn(part.at("change"), message);
        }
    }
}
