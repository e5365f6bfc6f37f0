//! What a trigger does: every action with its place, in the order of the file,
//! the end of the trial last.

use super::{Names, pacing, set};
use crate::node::Value;
use crate::part::{Field, Part};
use chronotap_engine::trial::Do;

/// Reads the actions of one `[[when]]`.
pub(super) fn actions(part: &Part<'_>, names: &Names) -> Vec<(usize, Do)> {
    let mut actions = set::sets(part, names);
    actions.extend(set::ramps(part, names));
    if let Some(text) = part.given("mark", |f| f.text()) {
        let marker = part.check.pools.borrow_mut().marker(&text);
        actions.push((part.at("mark"), Do::Mark(marker)));
    }
    if part.has("play") {
        let tone = part.check.quietly(|| {
            let play = part.part("play", "when.play");
            Do::Play(pacing::output(&play, names), pacing::tone(&play))
        });
        actions.push((part.at("play"), tone));
    }
    actions.extend(streams(part, "start", names, Do::StartStream));
    actions.extend(streams(part, "stop", names, Do::StopStream));
    actions.sort_by_key(|(at, _)| *at);
    if part.given("end", |f| f.flag()) == Some(true) {
        actions.push((part.at("end"), Do::End));
    }
    actions
}

/// `start = "metronome"` or a list of names.
fn streams(
    part: &Part<'_>,
    key: &'static str,
    names: &Names,
    act: fn(u16) -> Do,
) -> Vec<(usize, Do)> {
    let read = |field: &Field<'_>| {
        let fields = match field.node.value {
            Value::List(_) => field.list("names")?,
            _ => vec![field.clone()],
        };
        Some(fields.iter().filter_map(|f| Some((f.node.at, act(stream(f, names)?)))).collect())
    };
    part.given(key, read).unwrap_or_default()
}

fn stream(field: &Field<'_>, names: &Names) -> Option<u16> {
    let text = field.node.text().unwrap_or_default().to_owned();
    for (kind, known) in [("feedback", &names.feedback), ("masking", &names.masking)] {
        if known.contains(&text) && !names.pacing.contains(&text) {
            let cure = format!("write set.{kind}.{text}.sounding = true or false");
            return field.problem(
                &format!("names \"{text}\", which is in [{kind}]; only pacing starts and stops"),
                cure,
            );
        }
    }
    field.named("pacing stream", &names.pacing)
}
