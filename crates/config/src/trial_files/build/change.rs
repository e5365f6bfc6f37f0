//! Changes of a pacing stream: at which beats, what changes, and by how much.

use super::pools::Pools;
use super::{forms, occasions};
use crate::trial_files::keys;
use crate::trial_files::reading::{Field, Part, say};
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{Change, Shift};

const SHIFT: &str = "pacing.NAME.change.shift";

pub(super) fn change(part: &Part<'_>, pools: &Pools) -> Option<Change> {
    part.given("name", |f| f.text());
    let kinds = ["phase_shift", "onset_shift", "interval", "tempo", "interval_step", "mute"];
    if !kinds.iter().any(|kind| part.has(kind)) {
        let message = format!("{} changes nothing", part.said());
        part.page.cured(part.at, message, format!("give one of {}", kinds.join(", ")));
    }
    let new = ["interval", "tempo", "interval_step"].map(|name| (name, ()));
    if new.iter().any(|(kind, ())| part.has(kind)) {
        part.exactly_one(&new);
    } else if part.has("over") || part.has("shape") {
        let message = format!("{}: over and shape belong to a new interval", part.said());
        part.page.cured(
            part.at,
            message,
            "leave them out, or give interval, tempo or interval_step",
        );
    }
    let given = |key| part.read(key, |f| shift(f, pools)).filter(|_| part.has(key));
    let shifted = |key| given(key).unwrap_or(Shift::None);
    let new = |key| part.read(key, |f| f.interval()).filter(|_| part.has(key));
    Some(Change {
        at: occasions::occasions(part)?,
        apart: occasions::apart(part),
        mute: part.read("mute", |f| f.flag()).unwrap_or(false),
        phase_shift: shifted("phase_shift"),
        onset_shift: shifted("onset_shift"),
        interval: new("interval").or(new("tempo")),
        interval_step: shifted("interval_step"),
        over: part.read("over", |f| f.count()).unwrap_or(1),
        exponential: part.read("shape", |f| f.choice(&keys::EXPONENTIAL)).unwrap_or_default(),
    })
}

/// A time, or a list of times and how one of them is chosen.
fn shift(field: &Field<'_>, pools: &Pools) -> Option<Shift> {
    let hour = Nanos::from_secs(3_600);
    match field.one_form(SHIFT, &keys::SHIFT_FORMS)? {
        None => field.time_within(-hour, hour).map(Shift::Fixed),
        Some((how, form)) => {
            let list = forms::chosen_times((how, &form), pools, -hour, hour)?;
            Some(Shift::Chosen(how, list))
        }
    }
}

/// Every size that a shift may have.
fn sizes(field: &Field<'_>) -> Option<Vec<Nanos>> {
    let hour = Nanos::from_secs(3_600);
    match field.one_form(SHIFT, &keys::SHIFT_FORMS)? {
        None => field.time_within(-hour, hour).map(|size| vec![size]),
        Some((_, form)) => {
            form.list("times")?.iter().map(|size| size.time_within(-hour, hour)).collect()
        }
    }
}

pub(super) fn long_shift(change: &Part<'_>, key: &str, interval: Nanos, both_ways: bool) {
    let reach = |shift: &Nanos| if both_ways { shift.abs() } else { -*shift };
    let given = change.given(key, sizes).unwrap_or_default();
    if let Some(shift) = given.into_iter().find(|shift| reach(shift) >= interval) {
        let message =
            format!("{}: {key} of {} is as long as the interval", change.said(), say(shift));
        change.page.cured(change.at(key), message, format!("stay below {}", say(interval)));
    }
}
