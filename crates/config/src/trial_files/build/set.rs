//! `set` and `ramp`: paths in the shape of the file, down to one parameter each.
//! Keys within `tone`, `accent`, `adapt` and `from` are set one by one; `pitch`,
//! `velocity`, `delay` and `duration` are given anew as a whole.

use super::act::Act;
use super::pools::Pools;
use super::{Names, feedback, forms, pacing, spacing};
use crate::trial_files::keys::{DAY, EXPONENTIAL, KEYS, Key, Settable};
use crate::trial_files::reading::{Field, Part, TomlEntry, Value};
use chronotap_core::midi::U7;
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::trial::{
    Do, Number, Over, Ramp, SetFeedback, SetMasking, SetPacing, Varying,
};

/// One parameter named under `set` or `ramp`.
struct Leaf<'c> {
    /// Index of the stream, channel or input.
    index: u16,
    at: usize,
    field: Field<'c>,
}

#[derive(Clone, Copy, PartialEq)]
enum Verb {
    Set,
    Ramp,
}

/// The actions under `set`.
pub(super) fn sets(part: &Part<'_>, names: &Names) -> Vec<Act> {
    acts(part, Verb::Set, names, |leaf| set(leaf, &names.pools))
}

/// The actions under `ramp`.
pub(super) fn ramps(part: &Part<'_>, names: &Names) -> Vec<Act> {
    acts(part, Verb::Ramp, names, |leaf| ramp(leaf).map(Do::Ramp))
}

fn acts(
    part: &Part<'_>,
    verb: Verb,
    names: &Names,
    act: impl Fn(&Leaf<'_>) -> Option<Do>,
) -> Vec<Act> {
    let act = |leaf: Leaf<'_>| {
        let what = act(&leaf)?;
        let path = leaf.field.path.replacen('.', " ", 1);
        Some(Act { at: leaf.at, what, said: format!("{path} = {}", leaf.field.node) })
    };
    part.page.quietly(|| leaves(part, verb, names).into_iter().filter_map(act).collect())
}

impl Verb {
    const fn word(self) -> &'static str {
        match self {
            Verb::Set => "set",
            Verb::Ramp => "ramp",
        }
    }

    const fn may(self, key: &Key) -> bool {
        match self {
            Verb::Set => key.sets.is_some(),
            Verb::Ramp => key.ramps.is_some(),
        }
    }

    /// The section that a key leads into, rather than being a parameter itself.
    fn inner(self, key: &Key, entry: &TomlEntry) -> Option<&'static str> {
        let inner = match (key.section, key.name) {
            ("pacing.NAME", "tone") => "pacing.NAME.tone",
            ("pacing.NAME", "accent") => "pacing.NAME.accent",
            ("pacing.NAME", "adapt") => "pacing.NAME.adapt",
            ("feedback.NAME", "from") => "feedback.NAME.from",
            ("feedback.NAME", "pitch") if self == Verb::Ramp => "feedback.NAME.pitch",
            ("feedback.NAME", "velocity") if self == Verb::Ramp => "feedback.NAME.velocity",
            ("masking.NAME", "velocity") if self == Verb::Ramp => return None,
            ("feedback.NAME", "delay") if self == Verb::Ramp => {
                let fraction = entry.node.table().is_some_and(|t| t.has("fraction"));
                return fraction.then_some("feedback.NAME.delay");
            }
            _ => return None,
        };
        Some(inner)
    }
}

fn leaves<'c>(part: &Part<'c>, verb: Verb, names: &Names) -> Vec<Leaf<'c>> {
    let mut found = Vec::new();
    let Some(entry) = part.table.get(verb.word()) else { return found };
    let Some(table) = entry.node.table() else {
        let cure = format!("write {}.pacing.NAME.KEY = ..., in the shape of the file", verb.word());
        part.page.cured(entry.at, format!("{} names no parameter", verb.word()), cure);
        return found;
    };
    for kind in &table.entries {
        let (known, section) = match kind.key.as_str() {
            "pacing" => (&names.pacing, "pacing.NAME"),
            "feedback" => (&names.feedback, "feedback.NAME"),
            "masking" => (&names.masking, "masking.NAME"),
            "input" => (&names.inputs, "input.NAME"),
            other => {
                let message = format!(
                    "{} cannot reach \"{}\"",
                    verb.word(),
                    crate::trial_files::reading::brief(other)
                );
                if let Some(path) = meant(verb, names, other) {
                    let word = verb.word();
                    part.page.cured(
                        kind.at,
                        message,
                        format!("write {word}.{path} in place of {word}.{other}"),
                    );
                    continue;
                }
                part.page.unknown(
                    kind.at,
                    message,
                    other,
                    ["pacing", "feedback", "masking", "input"],
                );
                continue;
            }
        };
        found.extend(of_kind(part, verb, kind, known, section));
    }
    found
}

/// The path that is meant where its beginning is left out: `delay` as `feedback.tone.delay`, `tone` as `feedback.tone`.
fn meant(verb: Verb, names: &Names, first: &str) -> Option<String> {
    let kinds =
        [("feedback", &names.feedback), ("pacing", &names.pacing), ("masking", &names.masking)];
    let stream = kinds.iter().find(|(_, known)| known.iter().any(|name| name == first));
    if let Some((kind, _)) = stream {
        return Some(format!("{kind}.{first}"));
    }
    kinds.iter().find_map(|(kind, known)| {
        let key = KEYS.find(&format!("{kind}.NAME"), first)?;
        let name = known.first().filter(|_| verb.may(key))?;
        Some(format!("{kind}.{name}.{first}"))
    })
}

fn of_kind<'c>(
    part: &Part<'c>,
    verb: Verb,
    kind: &'c TomlEntry,
    known: &[String],
    section: &'static str,
) -> Vec<Leaf<'c>> {
    let path = format!("{}.{}", verb.word(), kind.key);
    let mut found = Vec::new();
    let Some(table) = kind.node.table() else {
        part.page.cured(
            kind.at,
            format!("{path} names no parameter"),
            format!("write {path}.NAME.KEY = ..."),
        );
        return found;
    };
    for entry in &table.entries {
        let path = format!("{path}.{}", entry.key);
        let Some(index) = known.iter().position(|name| *name == entry.key) else {
            let message = format!(
                "there is no [{}.{}]",
                kind.key,
                crate::trial_files::reading::brief(&entry.key)
            );
            let may = KEYS.find(section, &entry.key).is_some_and(|key| verb.may(key));
            match known.first().filter(|_| may) {
                Some(name) => {
                    let (word, kind, key) = (verb.word(), &kind.key, &entry.key);
                    let cure =
                        format!("write {word}.{kind}.{name}.{key} in place of {word}.{kind}.{key}");
                    part.page.cured(entry.at, message, cure);
                }
                None => {
                    let known = known.iter().map(String::as_str);
                    part.page.unknown(entry.at, message, &entry.key, known);
                }
            }
            continue;
        };
        walk(part, verb, entry, path, section, index as u16, &mut found);
    }
    found
}

fn walk<'c>(
    part: &Part<'c>,
    verb: Verb,
    of: &'c TomlEntry,
    path: String,
    section: &'static str,
    index: u16,
    found: &mut Vec<Leaf<'c>>,
) {
    let Some(table) = of.node.table() else {
        let message = format!("{path} names no parameter");
        return part.page.cured(of.node.at, message, format!("write {path}.KEY = ..."));
    };
    if verb == Verb::Ramp && table.has("to") {
        let forms: Vec<&str> = possible(verb, section).collect();
        let message = format!("{path} has several forms, and which of them to ramp is not said");
        let cure = format!("write {path}.{} = {{ to, over }}", forms.join(" or "));
        return part.page.cured(of.at, message, cure);
    }
    for entry in &table.entries {
        let path = format!("{path}.{}", entry.key);
        let Some(key) = KEYS.find(section, &entry.key) else {
            let message =
                format!("unknown parameter {}", crate::trial_files::reading::brief(&path));
            part.page.unknown(entry.at, message, &entry.key, possible(verb, section));
            continue;
        };
        if let Some(inner) = verb.inner(key, entry) {
            walk(part, verb, entry, path, inner, index, found);
        } else if verb.may(key) {
            let field = Field { page: part.page, node: &entry.node, at: entry.node.at, path, key };
            found.push(Leaf { index, at: entry.at, field });
        } else {
            refuse(part, verb, entry.at, key);
        }
    }
}

/// A key of which the verb does not hold.
fn refuse(part: &Part<'_>, verb: Verb, at: usize, key: &Key) {
    let (word, section) = (verb.word(), key.section);
    let can: Vec<&str> = possible(verb, section).collect();
    let message = format!("a rule cannot {word} {} of {section}", key.name);
    let cure = match can.is_empty() {
        true => "choose another parameter".to_owned(),
        false => format!("it can {word} {}", can.join(", ")),
    };
    part.page.cured(at, message, cure);
}

/// What can be set or ramped in a section, tables included.
fn possible(verb: Verb, section: &'static str) -> impl Iterator<Item = &'static str> {
    let leads =
        move |key: &Key| KEYS.within(&format!("{}.{}", key.section, key.name)).any(|k| verb.may(k));
    KEYS.within(section).filter(move |key| verb.may(key) || leads(key)).map(|key| key.name)
}

fn set(leaf: &Leaf<'_>, pools: &Pools) -> Option<Do> {
    let f = &leaf.field;
    let pacing = |set| Do::Pacing(leaf.index, set);
    let feedback = |set| Do::Feedback(leaf.index, set);
    let masking = |set| Do::Masking(leaf.index, set);
    let constant = |v: U7| Varying::constant(v.get().into());
    Some(match f.key.sets? {
        Settable::InputDebounce => Do::Debounce(leaf.index, f.time()?),
        Settable::PacingAudible => pacing(SetPacing::Audible(f.flag()?)),
        Settable::PacingInterval => pacing(SetPacing::Interval(f.interval()?)),
        Settable::PacingBeats => pacing(SetPacing::Beats(spacing::beats(f)?)),
        Settable::PacingJitter => pacing(SetPacing::Jitter(pacing::jitter(f)?)),
        Settable::PacingSinusoid => pacing(SetPacing::Sinusoid(pacing::sinusoid(f)?)),
        Settable::PacingChannel => pacing(SetPacing::Channel(f.channel()?)),
        Settable::PacingNote => pacing(SetPacing::Note(f.note()?)),
        Settable::PacingVelocity => pacing(SetPacing::Velocity(constant(f.velocity()?))),
        Settable::PacingDuration => pacing(SetPacing::Duration(f.time()?)),
        Settable::AccentVelocity => pacing(SetPacing::AccentVelocity(constant(f.velocity()?))),
        Settable::AccentNote => pacing(SetPacing::AccentNote(f.note()?)),
        Settable::AdaptPhase => pacing(SetPacing::AdaptPhase(Varying::constant(f.number()?))),
        Settable::AdaptPeriod => pacing(SetPacing::AdaptPeriod(Varying::constant(f.number()?))),
        Settable::AdaptAtMost => pacing(SetPacing::AdaptAtMost(f.time()?)),
        Settable::FeedbackSounding => feedback(SetFeedback::Sounding(f.flag()?)),
        Settable::FeedbackChannel => feedback(SetFeedback::Channel(feedback::channel(f)?)),
        Settable::FeedbackPitch => feedback(SetFeedback::Pitch(forms::pitch(f, pools)?)),
        Settable::FeedbackVelocity => feedback(SetFeedback::Velocity(forms::velocity(f, true)?)),
        Settable::FeedbackDelay => feedback(SetFeedback::Delay(forms::delay(f, pools)?)),
        Settable::FeedbackDuration => feedback(SetFeedback::Duration(forms::duration(f)?)),
        Settable::FeedbackNotes => {
            let (low, high) = f.range()?;
            feedback(SetFeedback::Notes(low, high))
        }
        Settable::FeedbackVelocities => {
            let (low, high) = forms::velocities(f)?;
            feedback(SetFeedback::Velocities(low, high))
        }
        Settable::MaskingSounding => masking(SetMasking::Sounding(f.flag()?)),
        Settable::MaskingRate => masking(SetMasking::Rate(Varying::constant(f.rate()?))),
        Settable::MaskingChannel => masking(SetMasking::Channel(f.channel()?)),
        Settable::MaskingNotes => {
            let (low, high) = f.range()?;
            masking(SetMasking::Notes(low, high))
        }
        Settable::MaskingVelocity => masking(SetMasking::Velocity(forms::velocity(f, false)?)),
        Settable::MaskingDuration => masking(SetMasking::Duration(f.time()?)),
    })
}

fn ramp(leaf: &Leaf<'_>) -> Option<Ramp> {
    let field = &leaf.field;
    let of = field.key.ramps?(leaf.index);
    if field.node.table().is_none() {
        let cure = format!("write {} = {{ to = ..., over = \"20 s\" }}", field.path);
        return field.problem("must say where it goes and how long it takes", cure);
    }
    let fields = Part::of(field, "when.ramp")?;
    let (to, over) = (fields.needs("to")?, fields.needs("over")?);
    let target = Field { key: field.key, ..to };
    let (to, interval) = goal(Scale::of(of), &target)?;
    let over = length(Scale::of(of), &over)?;
    let exponential = fields.get("shape").map_or(Some(false), |f| f.choice(&EXPONENTIAL))?;
    if exponential && to <= 0.0 {
        return field.problem("cannot go exponentially to 0 or below", "write shape = \"linear\"");
    }
    Some(Ramp { of, to, interval, over, exponential })
}

/// What a ramped number is written as.
#[derive(Clone, Copy)]
enum Scale {
    Interval,
    Tempo,
    Time,
    Rate,
    Velocity,
    Plain,
}

impl Scale {
    const fn of(number: Number) -> Scale {
        match number {
            Number::PacingInterval(_) => Scale::Interval,
            Number::PacingTempo(_) => Scale::Tempo,
            Number::FeedbackDelay(_) => Scale::Time,
            Number::MaskingRate(_) => Scale::Rate,
            Number::PacingVelocity(_) | Number::AccentVelocity(_) | Number::FeedbackVelocity(_) => {
                Scale::Velocity
            }
            Number::AdaptPhase(_)
            | Number::AdaptPeriod(_)
            | Number::FeedbackFraction(_)
            | Number::FeedbackScale(_)
            | Number::FeedbackTranspose(_) => Scale::Plain,
        }
    }
}

/// The value a ramp reaches, in the unit of the number, and the interval where it is one.
fn goal(scale: Scale, to: &Field<'_>) -> Option<(f64, Exact)> {
    let value = match scale {
        Scale::Interval => {
            let interval = to.interval()?;
            return Some((interval.as_f64(), interval));
        }
        Scale::Tempo => {
            let interval = to.interval()?;
            let (num, den) = interval.as_ratio();
            return Some((60e9 * den as f64 / num as f64, interval));
        }
        Scale::Time => to.time()?.0 as f64,
        Scale::Rate => to.rate()?,
        Scale::Velocity => to.velocity()?.get().into(),
        Scale::Plain => to.number()?,
    };
    Some((value, Exact::ZERO))
}

fn length(scale: Scale, over: &Field<'_>) -> Option<Over> {
    let beats = matches!(over.node.value, Value::Integer(_));
    match scale {
        Scale::Interval | Scale::Tempo if beats => {
            over.whole(1, 1_000_000).map(|n| Over::Beats(n as u32))
        }
        Scale::Interval | Scale::Tempo if in_beats(over) => over
            .problem("counts beats in quotes", "write a number of beats alone, such as over = 16"),
        Scale::Interval
        | Scale::Tempo
        | Scale::Time
        | Scale::Rate
        | Scale::Velocity
        | Scale::Plain => over.time_within(Nanos(1), Nanos(DAY)).map(Over::Time),
    }
}

fn in_beats(over: &Field<'_>) -> bool {
    over.node.text().is_some_and(|text| text.trim_end().ends_with("beats"))
}
