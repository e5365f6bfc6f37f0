//! Feedback channels.

use super::{Names, forms, occasions, pacing};
use crate::trial_files::keys::CONTROLLERS;
use crate::trial_files::reading::{Field, Part};
use chronotap_core::midi::{Channel, U7};
use chronotap_engine::trial::{
    Delay, Duration, Feedback, Filter, Perturb, Pitch, Varying, Velocity,
};

/// Reads one channel. What is wrong is reported and stands as a placeholder.
pub(super) fn feedback(part: &Part<'_>, names: &Names) -> Feedback {
    let from = filter(&part.part("from", "feedback.NAME.from"), names);
    let silent = Delay::Constant(Varying::constant(0.0));
    Feedback {
        name: part.path.trim_start_matches("feedback.").to_owned(),
        output: pacing::output(part, names),
        channel: part.read("channel", channel).flatten(),
        sounding: part.read("sounding", |f| f.flag()).unwrap_or(true),
        from,
        pitch: part.read("pitch", |f| forms::pitch(f, &names.pools)).unwrap_or(Pitch::AsPlayed),
        velocity: part.read("velocity", |f| forms::velocity(f, true)).unwrap_or(Velocity::AsPlayed),
        delay: part.read("delay", |f| forms::delay(f, &names.pools)).unwrap_or(silent),
        duration: part.read("duration", forms::duration).unwrap_or(Duration::AsPlayed),
        controllers: part.read("controllers", |f| f.choice(&CONTROLLERS)).unwrap_or_default(),
        perturb: part
            .parts("perturb", "feedback.NAME.perturb")
            .iter()
            .filter_map(|part| perturb(part, names))
            .collect(),
    }
}

/// A channel, or `None` for `"as played"`.
pub(super) fn channel(field: &Field<'_>) -> Option<Option<Channel>> {
    match field.node.text() {
        Some("as played") => Some(None),
        _ => field.channel().map(Some),
    }
}

fn filter(part: &Part<'_>, names: &Names) -> Filter {
    let any = Filter::ANY;
    Filter {
        input: part.read("input", |f| f.named("input", &names.inputs)),
        channel: part.read("channel", |f| f.channel()),
        notes: part.read("notes", |f| f.range()).unwrap_or(any.notes),
        velocities: part.read("velocities", forms::velocities).unwrap_or((U7::clamped(1), U7::MAX)),
    }
}

fn perturb(part: &Part<'_>, names: &Names) -> Option<Perturb> {
    part.given("name", |f| f.text());
    let forms = ["delay", "pitch", "velocity", "duration"];
    let mute = part.read("mute", |f| f.flag()).unwrap_or(false);
    let given = forms.iter().any(|key| part.has(key));
    if !mute && !given {
        let message = format!("{} changes nothing", part.said());
        part.page.cured(part.at, message, "give one of mute, delay, pitch, velocity, duration");
    }
    if mute && given {
        let message = format!("{} mutes a tap and changes its tone", part.said());
        part.page.cured(part.at, message, "keep mute or the other keys");
    }
    Some(Perturb {
        at: occasions::occasions(part)?,
        apart: occasions::apart(part),
        mute,
        pitch: part.read("pitch", |f| forms::pitch(f, &names.pools)),
        velocity: part.read("velocity", |f| forms::velocity(f, true)),
        delay: part.read("delay", |f| forms::delay(f, &names.pools)),
        duration: part.read("duration", forms::duration),
    })
}
