//! The forms that pitch, velocity, delay and duration may take, in a feedback
//! channel, in a perturbation of it, and in what a rule sets.

use super::pools::Pools;
use crate::trial_files::keys::{
    self, DELAY_FORMS, DelayForm, PITCH_FORMS, PitchForm, VELOCITY_FORMS, VelocityForm,
};
use crate::trial_files::reading::{Field, Part, Value, note, of_frequency, say, time};
use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{Choice, Delay, Duration, Pitch, Span, Spread, Varying, Velocity};
use chronotap_engine::{LONGEST_SHIFT, LONGEST_SHUFFLE};

const DAY: Nanos = Nanos(keys::DAY);
const PLAYED: &str = "as played";

/// Which note sounds.
pub(super) fn pitch(field: &Field<'_>, pools: &Pools) -> Option<Pitch> {
    if field.node.text() == Some(PLAYED) {
        return Some(Pitch::AsPlayed);
    }
    let forms = field.one_form("feedback.NAME.pitch", &PITCH_FORMS)?;
    let Some((which, form)) = forms else { return no_pitch(field) };
    match which {
        PitchForm::Fixed => form.note().map(Pitch::Fixed),
        PitchForm::Transpose => form.number().map(|n| Pitch::Transpose(Varying::constant(n))),
        PitchForm::Mirror => form.note().map(Pitch::Mirror),
        PitchForm::Table => table(&form, pools),
        PitchForm::Sequence => {
            let notes: Option<Vec<U7>> = form.list("notes")?.iter().map(Field::note).collect();
            Some(Pitch::Sequence(pools.notes(&notes?)))
        }
        PitchForm::Shift => shift(&form),
        PitchForm::Chosen(how) => {
            let notes = set_of_notes(&form)?;
            shuffles(&form, how, notes.len())?;
            Some(Pitch::Chosen(how, pools.notes(&notes)))
        }
    }
}

fn no_pitch(field: &Field<'_>) -> Option<Pitch> {
    let name = field.node.to_string();
    if note(&name).is_ok() {
        let cure = format!("write {{ fixed = {} }}", quoted(&field.node.value, &name));
        return field.problem("must say what it does with the note", cure);
    }
    if let Some(note) = of_frequency(&name) {
        let cure = format!("write {{ fixed = \"{note}\" }}");
        return field.problem("is a frequency, and tones are notes", cure);
    }
    field.wrong("\"as played\" or a form such as { fixed = \"E4\" } or { shift = -1 }")
}

fn quoted(value: &Value, text: &str) -> String {
    if matches!(value, Value::Text(_)) { format!("\"{text}\"") } else { text.to_owned() }
}

/// Keys that are not named sound as played.
fn table(form: &Field<'_>, pools: &Pools) -> Option<Pitch> {
    let Some(entries) = form.node.table() else {
        return form.wrong("a table such as { C4 = \"D4\" }");
    };
    if entries.entries.is_empty() {
        return form.problem("is empty", "name at least one key and the note that sounds");
    }
    let mut notes: [U7; 128] = std::array::from_fn(|n| U7::clamped(n as i64));
    let mut whole = true;
    for entry in &entries.entries {
        match (note(&entry.key), form.with(&entry.node).note()) {
            (Ok(key), Some(sounds)) => notes[key.index()] = sounds,
            (Err(fault), _) => {
                form.page.fault(entry.at, &form.path, fault);
                whole = false;
            }
            _ => whole = false,
        }
    }
    whole.then(|| Pitch::Table(pools.table(notes)))
}

fn set_of_notes(form: &Field<'_>) -> Option<Vec<U7>> {
    if matches!(form.node.value, Value::Text(_)) {
        let (low, high) = form.range()?;
        return Some((low.get()..=high.get()).map(|n| U7::clamped(n.into())).collect());
    }
    form.list("notes")?.iter().map(Field::note).collect()
}

/// Refuses what would take too long to shuffle while the trial runs.
fn shuffles(form: &Field<'_>, how: Choice, length: usize) -> Option<()> {
    if how == Choice::Shuffled && length > LONGEST_SHUFFLE {
        let cure = format!("write at most {LONGEST_SHUFFLE}, or random");
        return form.problem("has too many elements to be shuffled", cure);
    }
    Some(())
}

/// A list of times within bounds that is chosen from.
pub(super) fn chosen_times(
    (how, form): (Choice, &Field<'_>),
    pools: &Pools,
    least: Nanos,
    greatest: Nanos,
) -> Option<Span> {
    let times = form.list("times")?;
    let times = times.iter().map(|time| time.time_within(least, greatest));
    let times = times.collect::<Option<Vec<Nanos>>>()?;
    shuffles(form, how, times.len())?;
    Some(pools.times(&times))
}

fn shift(form: &Field<'_>) -> Option<Pitch> {
    match form.node.value {
        Value::Integer(n) if n < 0 && n.unsigned_abs() <= LONGEST_SHIFT as u128 => {
            Some(Pitch::Shift(n.unsigned_abs() as u16))
        }
        Value::Integer(0) => form.problem("= 0 is no shift", "write pitch = \"as played\""),
        Value::Integer(n @ 1..) => form.problem(
            &format!("= {n} looks ahead: a tap cannot sound the pitch of a key not yet pressed"),
            format!("write shift = -{n} for the pitch of {n} taps before"),
        ),
        _ => form.wrong(&format!("a whole number from -{LONGEST_SHIFT} to -1")),
    }
}

/// How loud; `played` where there is a tap to take the velocity from.
pub(super) fn velocity(field: &Field<'_>, played: bool) -> Option<Velocity> {
    if field.node.text() == Some(PLAYED) && played {
        return Some(Velocity::AsPlayed);
    }
    let forms = field.one_form("feedback.NAME.velocity", &VELOCITY_FORMS)?;
    let Some((which, form)) = forms else {
        if let Value::Integer(n) = field.node.value {
            return field.problem("must say what it does", format!("write {{ fixed = {n} }}"));
        }
        let forms = if played { "\"as played\", { fixed }, { scale } or" } else { "{ fixed } or" };
        return field.wrong(&format!("{forms} {{ random = [40, 70] }}"));
    };
    match which {
        VelocityForm::Fixed => {
            form.velocity().map(|v| Velocity::Fixed(Varying::constant(v.get().into())))
        }
        VelocityForm::Scale if played => {
            form.number().map(|n| Velocity::Scale(Varying::constant(n)))
        }
        VelocityForm::Scale => {
            form.problem("has no tap to take a velocity from", "write { fixed } or { random }")
        }
        VelocityForm::Random => velocities(&form).map(|(low, high)| Velocity::Random(low, high)),
    }
}

/// Least and greatest velocity: `[40, 70]` or `"40..70"`.
pub(super) fn velocities(field: &Field<'_>) -> Option<(U7, U7)> {
    let expected = "least and greatest velocity, such as [40, 70]";
    let (low, high) = match &field.node.value {
        Value::Text(text) => {
            let parsed = text.split_once("..").unwrap_or((text, text));
            let value =
                |t: &str| t.trim().parse().ok().filter(|n| (1..=127).contains(n)).and_then(U7::new);
            match (value(parsed.0), value(parsed.1)) {
                (Some(low), Some(high)) => (low, high),
                _ => return field.wrong(expected),
            }
        }
        _ => match &field.list("velocities")?[..] {
            [low, high] => (low.velocity()?, high.velocity()?),
            _ => return field.wrong(expected),
        },
    };
    if low > high {
        return field.problem("puts the greater velocity first", format!("write [{high}, {low}]"));
    }
    Some((low, high))
}

/// How late.
pub(super) fn delay(field: &Field<'_>, pools: &Pools) -> Option<Delay> {
    if let Some(text) = field.node.text()
        && time(text).is_ok_and(|t| t.round() < Nanos::ZERO)
    {
        return field
            .problem("is negative", "a tone cannot come before its tap: write a time from 0 ms");
    }
    let forms = field.one_form("feedback.NAME.delay", &DELAY_FORMS)?;
    let Some((which, form)) = forms else {
        return field.time().map(|t| Delay::Constant(Varying::constant(t.0 as f64)));
    };
    match which {
        DelayForm::Uniform => {
            let (low, high) = form.two_times(Nanos::ZERO, DAY)?;
            Some(Delay::Random(Spread::Uniform { low, high }))
        }
        DelayForm::Normal => normal(&form).map(Delay::Random),
        DelayForm::List => {
            let times: Option<Vec<Nanos>> = form.list("times")?.iter().map(Field::time).collect();
            Some(Delay::List(pools.times(&times?)))
        }
        DelayForm::Fraction => form.number().map(|n| Delay::Fraction(Varying::constant(n))),
        DelayForm::Chosen(how) => {
            let list = chosen_times((how, &form), pools, Nanos::ZERO, DAY)?;
            Some(Delay::Chosen(how, list))
        }
    }
}

fn normal(form: &Field<'_>) -> Option<Spread> {
    let fields = Part::of(form, "feedback.NAME.delay.normal")?;
    let mean = fields.must("mean", |f| f.time())?;
    let sd = fields.must("sd", |f| f.time())?;
    let (low, high) = match fields.get("within") {
        Some(within) => within.two_times(Nanos::ZERO, DAY)?,
        None => ((mean - sd * 3).max(Nanos::ZERO), mean.saturating_add(sd * 3)),
    };
    if mean < low || mean > high || high - low < sd {
        let cure = format!("let it include the mean, {}, and span at least {}", say(mean), say(sd));
        return form.problem("bounds leave out most of the distribution", cure);
    }
    Some(Spread::Normal { mean, sd, low, high })
}

/// How long.
pub(super) fn duration(field: &Field<'_>) -> Option<Duration> {
    match field.node.text() {
        Some(PLAYED) => Some(Duration::AsPlayed),
        _ => field.time_within(Nanos(1), Nanos::from_secs(3_600)).map(Duration::Fixed),
    }
}
