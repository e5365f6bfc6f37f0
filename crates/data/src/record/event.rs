//! [`event_object`]: one entry as an object of JSON, with the names of the table's columns,
//! for whoever follows a trial while it runs. The table itself is made of all entries
//! together ([`crate::record::rows()`]).

use crate::record::{Entry, Flag, Names, Row, put_perturbation, rows, words};
use chronotap_core::time::Nanos;
use chronotap_engine::action::ActionKind;
use serde_json::{Map, Value, json};

/// What happened. The key `event` says what: the table's `trial_type`, or `release of tone`
/// for the end of a tone that an earlier event began, or `end of code`. What is not known is left out.
pub fn event_object(names: &Names, entry: &Entry) -> Value {
    if entry.action.kind.is_end_of_another() {
        let tone = entry.action.kind == ActionKind::ToneOff;
        let overwritten = entry.action.kind == ActionKind::Overwritten;
        let object = json!({
            "event": if tone { "release of tone" } else { "end of code" },
            "event_id": entry.action.id,
            "release_deadline_ns": entry.action.deadline.0,
            "release_achieved_ns": entry.achieved.map(|at| at.0),
        });
        return if overwritten { with_flag(object, Flag::Overwritten) } else { object };
    }
    let Some(row) = rows(names, &[*entry]).pop() else { return Value::Null };
    let ns = |at: Option<Nanos>| at.map(|at| at.0);
    let flag = (row.flag != Some(Flag::Unfinished)).then_some(row.flag).flatten();
    let object = json!({
        "event": row.trial_type.word(),
        "onset": row.onset.as_secs_f64(),
        "name": row.name,
        "number": row.number,
        "midi_channel": row.channel.map(|channel| channel.number()),
        "note": row.note.map(|note| note.get()),
        "velocity": row.velocity.map(|velocity| velocity.get()),
        "port": row.port,
        "event_id": row.event_id,
        "cause": row.cause,
        "deadline_ns": ns(row.deadline),
        "achieved_ns": ns(row.achieved),
        "lateness_ns": ns(row.lateness),
        "engine_ns": row.engine.0,
        "stamp": row.stamp.map(words::stamp),
        "flag": flag.map(Flag::word),
        "detail": row.detail,
        "perturbation": perturbation(&row),
        "perturbation_ns": ns(row.perturbation.moved()),
        "frame": row.frame,
    });
    known(object)
}

fn with_flag(mut object: Value, flag: Flag) -> Value {
    object["flag"] = flag.word().into();
    object
}

/// What was perturbed, in the words of the table.
fn perturbation(row: &Row) -> Option<String> {
    let mut text = Vec::new();
    put_perturbation(&mut text, row.perturbation);
    String::from_utf8(text).ok().filter(|text| !text.is_empty())
}

/// Without what is not known.
fn known(object: Value) -> Value {
    let Value::Object(all) = object else { return object };
    Value::Object(all.into_iter().filter(|(_, value)| !value.is_null()).collect::<Map<_, _>>())
}
