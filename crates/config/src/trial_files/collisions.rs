//! [`collisions`]: streams whose tones use the same key of the same output. A key can sound only
//! once: a new tone on it ends the earlier one, whichever stream that belongs to.

use crate::trial_files::foresee::unhindered;
use crate::trial_files::reading::say;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_engine::Engine;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::trial::Trial;
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many instants of a trial are looked at.
const STEPS_MAX: u32 = 20_000;
/// So far ahead.
const HORIZON: Nanos = Nanos(3_600 * 1_000_000_000);

/// Output, channel and note.
type Key = (u16, u8, u8);

/// A doubt for each two streams of which one cuts the other's tone short, if nobody taps.
pub(crate) fn collisions(trial: &Trial, seed: Option<u64>) -> Vec<String> {
    if !could_meet(trial) {
        return Vec::new();
    }
    let mut heard = Heard { trial, last: BTreeMap::new(), cut: BTreeMap::new() };
    let mut engine = Engine::new(Arc::new(unhindered(trial)), seed.unwrap_or(1));
    for _ in 0..STEPS_MAX {
        let Some(next) = engine.next_deadline().filter(|at| *at <= HORIZON) else { break };
        engine.advance(next, &mut |action| heard.take(action));
    }
    heard.cut.into_values().collect()
}

/// Whether two streams go to one output at all.
fn could_meet(trial: &Trial) -> bool {
    let all = &trial.pacing;
    (1..all.len()).any(|j| (0..j).any(|i| all[i].output == all[j].output))
}

/// What sounded last on each key, and what was found.
struct Heard<'t> {
    trial: &'t Trial,
    last: BTreeMap<Key, (u16, Nanos)>,
    cut: BTreeMap<(u16, u16), String>,
}

impl Heard<'_> {
    fn take(&mut self, action: &Action) {
        let (ActionKind::Pacing(stream), Some(Message::NoteOn { channel, note, .. })) =
            (action.kind, action.message)
        else {
            return;
        };
        if self.trial.pacing[usize::from(stream)].audio.is_some() {
            return; // a recording is no tone of a key
        }
        let (at, key) = (action.deadline, (action.port, channel.number(), note.get()));
        let Some((before, began)) = self.last.insert(key, (stream, at)) else { return };
        let length = self.trial.pacing[usize::from(before)].tone.duration;
        if before != stream && began + length > at {
            let pair = (before.min(stream), before.max(stream));
            let (trial, number) = (self.trial, action.number);
            let said = || doubt(trial, (before, stream), key, (number, at));
            self.cut.entry(pair).or_insert_with(said);
        }
    }
}

fn doubt(
    trial: &Trial,
    (before, after): (u16, u16),
    (output, channel, note): Key,
    (beat, at): (u32, Nanos),
) -> String {
    let name = |stream: u16| &trial.pacing[usize::from(stream)].name;
    let output = trial.outputs.get(usize::from(output)).map_or("", String::as_str);
    let (first, second, at) = (name(before), name(after), say(at));
    format!(
        "pacing {first} and {second} share note {note} on channel {channel} of {output}: beat \
         {beat} of {second} at {at} cuts the tone of {first} short; give one of them another \
         tone = {{ note = … }}"
    )
}
