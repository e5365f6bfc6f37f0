//! What a rule does: every action with its place, in the order of the file,
//! the end of the trial last.

use super::act::Act;
use super::{Names, pacing, set};
use crate::trial_files::reading::{Field, Part, Value, say, say_note};
use chronotap_engine::trial::Do;

/// Reads the actions of one `[[when]]`.
pub(super) fn actions(part: &Part<'_>, names: &Names) -> Vec<Act> {
    let mut actions = set::sets(part, names);
    actions.extend(set::ramps(part, names));
    if let Some(text) = part.given("mark", |f| f.text()) {
        let marker = names.pools.marker(&text);
        let said = format!("mark \"{text}\"");
        actions.push(Act { at: part.at("mark"), what: Do::Mark(marker), said });
    }
    if part.has("play") {
        let (outputs, tone) = part.page.quietly(|| {
            let play = part.part("play", "when.play");
            (play.given("output", |f| pacing::outputs(f, names)), pacing::tone(&play))
        });
        let said = format!("play {} for {}", say_note(tone.note), say(tone.duration));
        for output in outputs.unwrap_or_else(|| vec![0]) {
            let said = said.clone();
            actions.push(Act { at: part.at("play"), what: Do::Play(output, tone), said });
        }
    }
    actions.extend(streams(part, "start", names, Do::StartStream));
    actions.extend(streams(part, "stop", names, Do::StopStream));
    actions.sort_by_key(|act| act.at);
    if part.given("end", |f| f.flag()) == Some(true) {
        let said = "end the trial".to_owned();
        actions.push(Act { at: part.at("end"), what: Do::End, said });
    }
    actions
}

/// `start = "metronome"` or a list of names.
fn streams(part: &Part<'_>, key: &'static str, names: &Names, act: fn(u16) -> Do) -> Vec<Act> {
    let one = |f: &Field<'_>| {
        let stream = stream(f, names)?;
        let said = format!("{key} {}", names.pacing[usize::from(stream)]);
        Some(Act { at: f.at, what: act(stream), said })
    };
    let read = |field: &Field<'_>| {
        let fields = match field.node.value {
            Value::List(_) => field.list("names")?,
            _ => vec![field.clone()],
        };
        Some(fields.iter().filter_map(one).collect())
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
